//! Real media: a full one, a write-protected one, a real file system on a loop device. They are
//! mounted in a temporary folder, which needs root; without it the tests say so and are left out.
#![cfg(target_os = "linux")]
// A panic is how a test says what is wrong; clippy looks for that in test functions only.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use model::{Describe, Fault, Secret};
use recovery::{Export, Exported, RecoveryKey, Result, SameDrive, Sheet, SheetWords, Text, export, verify};

struct Mounted {
    folder: tempfile::TempDir,
    point: PathBuf,
}

impl Mounted {
    /// Mounts by `arguments`, in which `IMAGE` stands for a file in the same temporary folder.
    fn new(arguments: &[&str]) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        Self::in_folder(folder, arguments)
    }

    fn in_folder(folder: tempfile::TempDir, arguments: &[&str]) -> Option<Self> {
        let point = folder.path().join("mounted");
        fs::create_dir(&point).unwrap();
        let image = folder.path().join("image");
        let arguments = arguments.iter().map(|argument| match *argument {
            "IMAGE" => image.as_os_str().to_owned(),
            other => other.into(),
        });
        let done = Command::new("mount").args(arguments).arg(&point).output();
        if done.is_ok_and(|output| output.status.success()) {
            return Some(Self { folder, point });
        }
        println!("left out: mounting needs root");
        None
    }

    /// Pulls it out and puts it back with other options.
    fn again(&self, options: &str) {
        let (image, point) = (self.folder.path().join("image"), &self.point);
        assert!(Command::new("umount").arg(point).status().unwrap().success());
        assert!(Command::new("mount").args(["-o", options]).arg(image).arg(point).status().unwrap().success());
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.point).output();
    }
}

fn into(folder: &Path, key: &RecoveryKey) -> Result<Exported> {
    let sheet = Sheet {
        computer: "kitchen".into(),
        volume: "Practice drive".into(),
        uuid: "0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f".into(),
        date: "2026-12-02".into(),
        words: SheetWords::look_up(str::to_owned),
    };
    let mut opens = |_: &Secret| -> std::result::Result<(), Fault> { Ok(()) };
    export(&Export { form: &Text, folder, sheet: &sheet, key, same_drive: SameDrive::No, forced: false }, &mut opens)
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().filter(|entry| entry.as_ref().unwrap().file_name() != "lost+found").count()
}

#[test]
fn a_write_protected_stick() {
    let Some(stick) = Mounted::new(&["-t", "tmpfs", "-o", "size=1m,ro", "none"]) else { return };
    let error = into(&stick.point, &RecoveryKey::generate().unwrap()).unwrap_err().fault();
    assert_eq!((error.code.as_str(), error.kind.exit_code()), ("recovery-read-only", 3));
    assert_eq!(error.args["left"], "no");
}

#[test]
fn a_full_stick() {
    let Some(stick) = Mounted::new(&["-t", "tmpfs", "-o", "size=64k", "none"]) else { return };
    let filler = stick.point.join("holiday.jpg");
    fs::write(&filler, vec![1; 64 * 1024]).unwrap();
    let key = RecoveryKey::generate().unwrap();
    let error = into(&stick.point, &key).unwrap_err().fault();
    assert_eq!((error.code.as_str(), error.args["left"].as_str()), ("recovery-full", "no"));
    assert_eq!(files(&stick.point), 1, "nothing is left but what was there");
    // Room made: the same key goes on.
    fs::write(&filler, vec![1; 4096]).unwrap();
    assert!(into(&stick.point, &key).is_ok());
}

#[test]
fn a_stick_without_a_free_entry() {
    let Some(stick) = Mounted::new(&["-t", "tmpfs", "-o", "size=1m,nr_inodes=1", "none"]) else { return };
    let error = into(&stick.point, &RecoveryKey::generate().unwrap()).unwrap_err().fault();
    assert_eq!((error.code.as_str(), error.args["left"].as_str()), ("recovery-full", "no"));
}

#[test]
fn a_real_file_system_is_read_past_the_cache_and_keeps_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("image");
    fs::File::create(&image).unwrap().set_len(8 << 20).unwrap();
    let made = Command::new("mkfs.ext4").arg("-q").arg(&image).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("left out: no mkfs.ext4");
        return;
    }
    let Some(stick) = Mounted::in_folder(folder, &["-o", "loop", "IMAGE"]) else { return };
    let key = RecoveryKey::generate().unwrap();
    let exported = into(&stick.point, &key).unwrap();
    assert!(exported.from_medium);
    stick.again("loop,ro");
    assert_eq!(verify(&exported.path).unwrap().key, key);
    // And now it is write-protected, with the sheet on it: that is a proven copy all the same.
    assert!(into(&stick.point, &key).unwrap().was_there);
    assert_eq!(files(&stick.point), 1);
}

#[test]
fn the_folder_without_its_stick_is_just_a_folder() {
    let Some(stick) = Mounted::new(&["-t", "tmpfs", "-o", "size=1m", "none"]) else { return };
    let key = RecoveryKey::generate().unwrap();
    let sheet = Sheet {
        computer: String::new(),
        volume: String::new(),
        uuid: String::new(),
        date: String::new(),
        words: SheetWords::look_up(str::to_owned),
    };
    // Pulled out before the proof has ended: the caller's own attempt fails then, and the clean-up
    // finds nothing.
    let plan = Export {
        form: &Text,
        folder: &stick.point,
        sheet: &sheet,
        key: &key,
        same_drive: SameDrive::No,
        forced: false,
    };
    let error = export(&plan, &mut |_| {
        assert!(Command::new("umount").arg("-l").arg(&stick.point).status().unwrap().success());
        Err(Fault::new("device-io", model::FaultKind::Failed))
    });
    assert_eq!(error.unwrap_err().fault().args["left"], "no");
    assert_eq!(files(&stick.point), 0);
}
