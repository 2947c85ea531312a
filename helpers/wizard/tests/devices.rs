//! Block devices, mounts and full disks: what needs the rights of an administrator.
//!
//! Each test makes its own loop devices and mounts, on files in a temporary folder, and takes them away
//! again. Because they are things of the whole system, they are made only if asked for:
//! `LATCHKEY_TEST_DEVICES=1 cargo test -p wizard --test devices`.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.

use std::path::{Path, PathBuf};
use std::process::Command;

use blockdev::{Access, FileDevice};
use model::{Control, Describe, Secret, Silent};
use recovery::RecoveryKey;
use tempfile::TempDir;
use wizard::engine::Ended;
use wizard::operations::{
    self, EncryptRequest, KdfWish, Plan, Room, Unreadable, begin, decrypt, plan_encrypt, resume, stage,
};

const MIB: u64 = 1 << 20;

/// A loop device on a file of its own, gone when dropped.
struct Loop {
    folder: TempDir,
    path: PathBuf,
}

impl Loop {
    /// `None`, with a word about it, if it was not asked for or cannot be done.
    fn new(size: u64) -> Option<Self> {
        if std::env::var_os("LATCHKEY_TEST_DEVICES").is_none() {
            println!("left out: LATCHKEY_TEST_DEVICES is not set");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("disk");
        std::fs::File::create(&file).unwrap().set_len(size).unwrap();
        let output = Command::new("losetup").args(["--find", "--show"]).arg(&file).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let path = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim());
        Some(Self { folder, path })
    }

    fn shown(&self) -> &str {
        self.path.to_str().unwrap()
    }

    fn bytes(&self) -> Vec<u8> {
        let device = FileDevice::open(&self.path, Access::Read).unwrap();
        blockdev::Device::read_vec(&device, 0, usize::try_from(blockdev::Device::size(&device)).unwrap()).unwrap()
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = Command::new("losetup").arg("--detach").arg(&self.path).status();
    }
}

/// A mount, gone when dropped.
struct Mount(PathBuf);

impl Mount {
    fn new(arguments: &[&str], point: &Path) -> Self {
        std::fs::create_dir_all(point).unwrap();
        must("mount", &[arguments, &[point.to_str().unwrap()]].concat());
        Self(point.to_owned())
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

fn must(tool: &str, arguments: &[&str]) {
    let output = Command::new(tool).args(arguments).env("LC_ALL", "C").output().unwrap();
    assert!(output.status.success(), "{tool} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn planned(path: &Path) -> wizard::Result<Plan> {
    plan_encrypt(path, &EncryptRequest::default())
}

fn refusal(path: &Path) -> String {
    planned(path).unwrap_err().fault().code
}

/// There and back, and what is behind it at the end.
fn there_and_back(disk: &Loop, plan: &Plan) {
    let (password, key) = (Secret::from("lutin dehig becur"), RecoveryKey::generate().unwrap());
    let staged = disk.folder.path().join("staged");
    stage(plan, &password, &key, KdfWish::CheapestForTests, &staged, &mut Silent).unwrap();
    begin(plan, &staged, &password, &Control::new(), &mut Silent).unwrap();
    let ended = resume(&disk.path, &password, Unreadable::Stop, &Control::new(), &mut Silent).unwrap().ended;
    assert_eq!(ended, Ended::Finished);
    assert_eq!(refusal(&disk.path), "volume-encrypted");
    let file = disk.folder.path().join("secret");
    std::fs::write(&file, key.secret().expose()).unwrap();
    must("cryptsetup", &["open", "--test-passphrase", "--key-file", file.to_str().unwrap(), disk.shown()]);
    assert_eq!(decrypt(&disk.path, &password, &Control::new(), &mut Silent).unwrap(), Ended::Finished);
}

#[test]
fn a_gap_at_the_end_is_used() {
    let Some(disk) = Loop::new(128 * MIB) else { return };
    must("mkfs.ext4", &["-q", "-b", "4096", disk.shown(), "90M"]);
    let before = disk.bytes();
    let plan = planned(&disk.path).unwrap();
    assert!(matches!(plan.room(), Room::Gap { .. }));
    there_and_back(&disk, &plan);
    assert!(disk.bytes()[..90 << 20] == before[..90 << 20]);
}

#[test]
fn a_full_ext4_is_made_smaller_and_larger_again() {
    let Some(disk) = Loop::new(256 * MIB) else { return };
    must("mkfs.ext4", &["-q", "-b", "4096", disk.shown()]);
    let plan = planned(&disk.path).unwrap();
    assert!(matches!(plan.room(), Room::Shrink { .. }));
    there_and_back(&disk, &plan);
    must("e2fsck", &["-f", "-n", disk.shown()]);
    let found = filesystems::probe(&FileDevice::open(&disk.path, Access::Read).unwrap()).unwrap().unwrap();
    assert_eq!(found.size, 256 * MIB);
}

#[test]
fn what_cannot_be_made_smaller_is_refused() {
    for (tool, arguments) in [("mkfs.xfs", &["-q", "-f"][..]), ("mkfs.vfat", &["-F", "32"]), ("mkswap", &[])] {
        let Some(disk) = Loop::new(320 * MIB) else { return };
        if Command::new(tool).arg("-V").output().is_err() {
            println!("left out: {tool} is not here");
            continue;
        }
        must(tool, &[arguments, &[disk.shown()]].concat());
        let before = disk.bytes();
        assert_eq!(refusal(&disk.path), "volume-no-room", "{tool}");
        assert!(disk.bytes() == before);
    }
}

#[test]
fn what_is_mounted_or_attached_is_refused() {
    let Some(disk) = Loop::new(64 * MIB) else { return };
    must("mkfs.ext4", &["-q", "-b", "4096", disk.shown(), "48M"]);
    // The file behind a loop device is in use.
    assert_eq!(refusal(&disk.folder.path().join("disk")), "volume-held");
    let _mount = Mount::new(&[disk.shown()], &disk.folder.path().join("mounted"));
    let error = planned(&disk.path).unwrap_err().fault();
    assert_eq!(error.code, "volume-mounted");
    assert!(error.args["mounts"].ends_with("mounted"));
    assert_eq!(refusal(&disk.folder.path().join("disk")), "volume-mounted");
}

#[test]
fn a_whole_drive_with_partitions_is_refused() {
    let Some(disk) = Loop::new(64 * MIB) else { return };
    must("sh", &["-c", &format!("printf 'label: gpt\\n,,L\\n' | sfdisk -q {}", disk.shown())]);
    assert_eq!(refusal(&disk.path), "volume-partitions");
}

fn target(path: &Path) -> wizard::view::Target {
    let seen = drives::inspect(path).unwrap().drive;
    let volume = seen.volumes.into_iter().next().unwrap();
    wizard::view::Target {
        id: model::VolumeId(path.display().to_string()),
        name: seen.name,
        size: volume.size,
        content: volume.content.0,
        practice: false,
        system: false,
        judged: volume.judged,
    }
}

#[test]
fn a_recovery_key_does_not_go_onto_what_it_opens() {
    use wizard::engine::{Engine, Real, RealOptions};
    let Some(disk) = Loop::new(64 * MIB) else { return };
    must("mkfs.ext4", &["-q", "-b", "4096", disk.shown(), "48M"]);
    let plan = planned(&disk.path).unwrap();
    let mut options = RealOptions::new(recovery::SheetWords::look_up(str::to_owned), "kitchen".into());
    options.kdf = KdfWish::CheapestForTests;
    let real = Real::new(options);
    let (password, key) = (Secret::from("lutin dehig becur"), RecoveryKey::generate().unwrap());
    let staged = disk.folder.path().join("staged");
    let uuid = real.stage(&plan, &password, &key, None, &staged, &mut Silent).unwrap();
    let target = target(&disk.path);
    let export = |folder: &Path| {
        let mut prove = |secret: &Secret| real.prove(&staged, secret).map_err(|error| error.fault());
        real.export_recovery(&target, &uuid, &key, &recovery::Text, folder, &mut prove).unwrap_err().fault()
    };
    let mount = Mount::new(&[disk.shown()], &disk.folder.path().join("mounted"));
    let refused = export(&mount.0);
    assert_eq!(refused.code, "recovery-same-drive");
    let refused = real.write_rescue(&disk.path, &staged, &password, &mount.0, &mut Silent).unwrap_err().fault();
    assert_eq!(refused.code, "wizard-folder-on-target");

    // A stick that is full, and one that can only be read.
    let full = Mount::new(&["-t", "tmpfs", "-o", "size=8k", "tmpfs"], &disk.folder.path().join("full"));
    std::fs::write(full.0.join("filler"), vec![1; 4096]).unwrap();
    let _ = std::fs::write(full.0.join("more"), vec![1; 4096]);
    let refused = real.write_rescue(&disk.path, &staged, &password, &full.0, &mut Silent).unwrap_err().fault();
    assert_eq!(refused.code, "wizard-folder-full");
    let refused = export(&full.0);
    assert_eq!(refused.code, "recovery-full");
    let readable = Mount::new(&["-t", "tmpfs", "-o", "ro", "tmpfs"], &disk.folder.path().join("readable"));
    let refused = real.write_rescue(&disk.path, &staged, &password, &readable.0, &mut Silent).unwrap_err().fault();
    assert_eq!(refused.code, "wizard-folder-read-only");
    let refused = export(&readable.0);
    assert_eq!(refused.code, "recovery-read-only");
}

#[test]
fn an_image_that_cannot_grow_on_a_full_disk_stays_as_it_is() {
    let Some(disk) = Loop::new(64 * MIB) else { return };
    let mount = Mount::new(&["-t", "tmpfs", "-o", "size=24m", "tmpfs"], &disk.folder.path().join("small"));
    let image = mount.0.join("image");
    let before: Vec<u8> = (0..20 * MIB).map(|place| place.to_le_bytes()[1]).collect();
    std::fs::write(&image, &before).unwrap();
    let plan = planned(&image).unwrap();
    let (password, key) = (Secret::from("lutin dehig becur"), RecoveryKey::generate().unwrap());
    let staged = disk.folder.path().join("staged");
    stage(&plan, &password, &key, KdfWish::CheapestForTests, &staged, &mut Silent).unwrap();
    // It fits now, and something else takes the room before it begins.
    let filler = mount.0.join("filler");
    std::fs::write(&filler, vec![1; 3 << 20]).unwrap();
    begin(&plan, &staged, &password, &Control::new(), &mut Silent).unwrap_err();
    assert!(std::fs::read(&image).unwrap() == before);
    std::fs::remove_file(&filler).unwrap();
    let ended = operations::encrypt(&plan, &staged, &password, &Control::new(), &mut Silent).unwrap();
    assert_eq!(ended, Ended::Finished);
}
