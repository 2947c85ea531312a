//! This computer itself, read-only; and, where it is permitted, a loop device on an image of our own.

#![allow(clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.
#![cfg(target_os = "linux")]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::bytes;
use drives::{Beneath, SameDrive, Use};

#[test]
fn the_drives_of_this_computer() {
    let start = std::time::Instant::now();
    let drives = drives::list().unwrap();
    eprintln!("{} drives in {:?}", drives.len(), start.elapsed());
    for drive in &drives {
        eprintln!("{} {:?} {} {:?}", drive.path, drive.name, drive.size, drive.judged.verdict);
        assert!(drive.size > 0 && !drive.volumes.is_empty());
    }
    let Beneath::Devices(devices) = drives::backing_devices_of_folder(Path::new("/")).unwrap() else {
        eprintln!("left out: the root of this system is no block device");
        return;
    };
    assert!(!devices.is_empty());
    if drives.is_empty() {
        eprintln!("left out: no drive is shown here");
        return;
    }
    assert!(drives[0].system, "{drives:#?}");
    assert_eq!(drives::same_drive(Path::new("/"), Path::new(&drives[0].path)).unwrap(), SameDrive::Yes);
    assert!(matches!(drives::in_use(Path::new(&drives[0].path)).unwrap(), Some(Use::Mounted(_))));
}

#[test]
fn facts_of_this_computer() {
    let facts = drives::system_facts();
    eprintln!("{facts:#?}");
    assert!(facts.memory > 0 && !facts.system.is_empty());
    drives::places().unwrap();
}

#[test]
fn a_folder_that_is_not_there_yet() {
    let folder = tempfile::tempdir().unwrap();
    let there = drives::backing_devices_of_folder(folder.path()).unwrap();
    let later = drives::backing_devices_of_folder(&folder.path().join("a/b/c")).unwrap();
    assert_eq!(there, later);
    let image = folder.path().join("drive.img");
    std::fs::write(&image, [0; 4096]).unwrap();
    assert_eq!(drives::same_drive(&folder.path().join("keys"), &image).unwrap(), SameDrive::No);
}

/// A loop device that is detached, and a mount that is undone, whatever happens.
struct Attached {
    device: String,
    mounted: Option<PathBuf>,
}

impl Attached {
    fn on(image: &Path) -> Option<Self> {
        let output = Command::new("losetup").args(["--find", "--show"]).arg(image).output().ok()?;
        let device = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && device.starts_with("/dev/loop")).then_some(Self { device, mounted: None })
    }

    fn mount(&mut self, at: &Path) -> bool {
        let done = Command::new("mount").args(["-t", "ext4", &self.device]).arg(at).output();
        let done = done.is_ok_and(|output| output.status.success());
        if done {
            self.mounted = Some(at.to_owned());
        }
        done
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        if let Some(at) = &self.mounted {
            let _ = Command::new("umount").arg(at).status();
        }
        let _ = Command::new("losetup").args(["--detach", &self.device]).status();
    }
}

#[test]
fn a_mounted_image_is_seen_in_use_and_a_key_inside_it_is_refused() {
    let Some(ext4) = bytes::ext4() else { return };
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("a drive.img");
    std::fs::write(&image, ext4).unwrap();
    let hard_link = folder.path().join("another name.img");
    std::fs::hard_link(&image, &hard_link).unwrap();
    assert_eq!(drives::in_use(&image).unwrap(), None);

    let Some(mut attached) = Attached::on(&image) else {
        eprintln!("left out: no loop devices here, or no right to use them");
        return;
    };
    assert_eq!(drives::in_use(&image).unwrap(), Some(Use::Holder(attached.device.clone())));
    let at = folder.path().join("mounted here");
    std::fs::create_dir(&at).unwrap();
    if !attached.mount(&at) {
        eprintln!("left out: no right to mount");
        return;
    }
    let mounted = Some(Use::Mounted(vec![at.canonicalize().unwrap().display().to_string()]));
    assert_eq!(drives::in_use(&image).unwrap(), mounted);
    assert_eq!(drives::in_use(&hard_link).unwrap(), mounted, "the same file by another name");
    let device = PathBuf::from(&attached.device);
    assert_eq!(drives::in_use(&device).unwrap(), mounted);
    for target in [&image, &hard_link, &device] {
        assert_eq!(drives::same_drive(&at.join("keys"), target).unwrap(), SameDrive::Yes);
        assert_eq!(drives::same_drive(folder.path(), target).unwrap(), SameDrive::No, "beside it");
    }
    let seen = drives::inspect(&image).unwrap();
    assert_eq!(seen.drive.volumes[0].mounts, [at.canonicalize().unwrap().display().to_string()]);
    let refusal = drives::check(&image).unwrap().refusal().unwrap().reason.code.clone();
    assert_eq!(refusal, "mounted");
}
