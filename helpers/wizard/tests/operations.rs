//! What acts on a volume, on image files with real file systems, judged by stock `cryptsetup` where it
//! is there.

#![allow(clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use model::{Control, Describe, Progress, Secret, Silent};
use recovery::RecoveryKey;
use tempfile::TempDir;
use wizard::engine::Ended;
use wizard::operations::{
    self, Direction, EncryptRequest, KdfWish, Resumed, Room, Unreadable, begin, begin_decrypt, decrypt, passwd,
    plan_encrypt, prove, recovery_new, resume, stage, undo,
};
use wizard::{Error, practice};

const MIB: u64 = 1 << 20;

struct Bench {
    folder: TempDir,
    password: Secret,
    key: RecoveryKey,
}

impl Bench {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            password: Secret::from("lutin dehig becur"),
            key: RecoveryKey::generate().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// An image with noise in it, so that every byte that is lost is noticed.
    fn image(&self, size: u64) -> PathBuf {
        let path = self.path("image");
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let bytes: Vec<u8> = (0..size)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state.to_le_bytes()[0]
            })
            .collect();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn staged(&self, plan: &operations::Plan) -> PathBuf {
        let file = self.path("staged");
        stage(plan, &self.password, &self.key, KdfWish::CheapestForTests, &file, &mut Silent).unwrap();
        file
    }

    /// The whole way to an encrypted volume.
    fn encrypted(&self, path: &Path) -> operations::Plan {
        let plan = plan_encrypt(path, &EncryptRequest::default()).unwrap();
        let staged = self.staged(&plan);
        let ended = operations::encrypt(&plan, &staged, &self.password, &Control::new(), &mut Silent).unwrap();
        assert_eq!(ended, Ended::Finished);
        plan
    }

    fn decrypted(&self, path: &Path) {
        assert_eq!(decrypt(path, &self.password, &Control::new(), &mut Silent).unwrap(), Ended::Finished);
    }
}

/// `None`: the tool is not here, and what needs it is left out.
fn run(tool: &str, arguments: &[&str]) -> Option<Output> {
    match Command::new(tool).args(arguments).env("LC_ALL", "C").output() {
        Ok(output) => Some(output),
        Err(_) => {
            println!("left out: {tool} is not here");
            None
        }
    }
}

fn must(tool: &str, arguments: &[&str]) -> bool {
    let Some(output) = run(tool, arguments) else { return false };
    assert!(output.status.success(), "{tool} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    true
}

fn code(error: &Error) -> String {
    error.fault().code
}

fn opens_with_cryptsetup(image: &Path, secret: &[u8], folder: &Path) {
    let file = folder.join("secret");
    std::fs::write(&file, secret).unwrap();
    let arguments = ["open", "--test-passphrase", "--key-file", file.to_str().unwrap(), image.to_str().unwrap()];
    must("cryptsetup", &arguments);
}

/// Makes a file system in `image`; `false` if its tool is not here.
fn make(kind: &str, image: &Path, size: u64) -> bool {
    let file = std::fs::File::create(image).unwrap();
    file.set_len(size).unwrap();
    drop(file);
    let path = image.to_str().unwrap();
    match kind {
        "ext4" => must("mkfs.ext4", &["-q", "-F", "-b", "4096", path]),
        "ext4-1k" => must("mkfs.ext4", &["-q", "-F", "-b", "1024", path]),
        "vfat" => must("mkfs.vfat", &["-F", "32", path]),
        "xfs" => must("mkfs.xfs", &["-q", "-f", path]),
        "btrfs" => must("mkfs.btrfs", &["-q", path]),
        "exfat" => must("mkfs.exfat", &[path]),
        "ntfs" => must("mkfs.ntfs", &["-q", "-Q", "-F", path]),
        "swap" => must("mkswap", &[path]),
        _ => panic!("{kind}"),
    }
}

#[test]
fn every_content_comes_back_bit_for_bit() {
    for (kind, size, sector) in [
        ("ext4", 48 * MIB, 4096),
        ("ext4-1k", 48 * MIB, 512),
        ("vfat", 48 * MIB, 512),
        ("xfs", 320 * MIB, 512),
        ("btrfs", 128 * MIB, 4096),
        ("exfat", 48 * MIB, 512),
        ("ntfs", 48 * MIB, 512),
        ("swap", 48 * MIB, 4096),
    ] {
        let bench = Bench::new();
        let image = bench.path("image");
        if !make(kind, &image, size) {
            continue;
        }
        let before = std::fs::read(&image).unwrap();
        let plan = bench.encrypted(&image);
        assert!(matches!(plan.room(), Room::Grow { .. }), "{kind}");
        assert_eq!(plan.sector_size(), sector, "{kind}");
        let locked = std::fs::read(&image).unwrap();
        assert_ne!(locked[..before.len()], before);
        opens_with_cryptsetup(&image, bench.password.expose(), bench.folder.path());
        opens_with_cryptsetup(&image, bench.key.secret().expose(), bench.folder.path());
        bench.decrypted(&image);
        let after = std::fs::read(&image).unwrap();
        assert_eq!(after.len(), before.len(), "{kind}");
        assert!(after == before, "{kind}");
    }
}

#[test]
fn what_is_not_known_and_lengths_that_are_odd() {
    for size in [2 * MIB, 5 * MIB + 1, 20 * MIB + 511, 33 * MIB + 512] {
        let bench = Bench::new();
        let image = bench.image(size);
        let before = std::fs::read(&image).unwrap();
        bench.encrypted(&image);
        opens_with_cryptsetup(&image, bench.password.expose(), bench.folder.path());
        bench.decrypted(&image);
        assert!(std::fs::read(&image).unwrap() == before, "{size}");
    }
}

#[test]
fn stopped_anywhere_it_goes_on_in_both_directions() {
    let bench = Bench::new();
    let image = bench.image(48 * MIB);
    let before = std::fs::read(&image).unwrap();
    let plan = plan_encrypt(&image, &EncryptRequest::default()).unwrap();
    let staged = bench.staged(&plan);
    begin(&plan, &staged, &bench.password, &Control::new(), &mut Silent).unwrap();
    assert_eq!(operations::is_converting(&image).unwrap(), Some(Direction::Encrypt));
    assert_eq!(code(&plan_encrypt(&image, &EncryptRequest::default()).unwrap_err()), "volume-interrupted-encrypt");
    // The recovery key opens it in the middle as well.
    assert!(prove(&image, &bench.key.secret()).unwrap().recovery);
    let stops = in_pieces(|control, sink| {
        resume(&image, &bench.password, Unreadable::Stop, control, sink).map(|Resumed { direction, ended, .. }| {
            assert_eq!(direction, Direction::Encrypt);
            ended
        })
    });
    assert!(stops > 0, "{stops}");
    opens_with_cryptsetup(&image, bench.password.expose(), bench.folder.path());
    let wrong = decrypt(&image, &Secret::from("wrong"), &Control::new(), &mut Silent).unwrap_err();
    assert_eq!(code(&wrong), "luks-wrong-secret");
    begin_decrypt(&image, &bench.password, &mut Silent).unwrap();
    assert_eq!(operations::is_converting(&image).unwrap(), Some(Direction::Decrypt));
    assert!(!prove(&image, &bench.password).unwrap().recovery);
    let stops = in_pieces(|control, sink| decrypt(&image, &bench.password, control, sink));
    assert!(stops > 0, "{stops}");
    assert!(std::fs::read(&image).unwrap() == before);
}

/// Runs it again and again, each time stopped from outside a little later than the last time. Returns how
/// often it was stopped.
fn in_pieces(mut piece: impl FnMut(&Control, &mut dyn model::Sink) -> wizard::Result<Ended>) -> u32 {
    for stops in 0..1000 {
        let control = Control::new();
        let ended = std::thread::scope(|scope| {
            let mut started = false;
            let mut sink = |_: &Progress| {
                if !std::mem::replace(&mut started, true) {
                    let control = control.clone();
                    scope.spawn(move || {
                        std::thread::sleep(std::time::Duration::from_millis(u64::from(stops) / 4 + 1));
                        control.stop();
                    });
                }
            };
            piece(&control, &mut sink).unwrap()
        });
        if ended == Ended::Finished {
            return stops;
        }
    }
    panic!("it does not end");
}

#[test]
fn a_running_conversion_holds_the_volume() {
    let bench = Bench::new();
    let image = bench.image(20 * MIB);
    let plan = plan_encrypt(&image, &EncryptRequest::default()).unwrap();
    let staged = bench.staged(&plan);
    begin(&plan, &staged, &bench.password, &Control::new(), &mut Silent).unwrap();
    let mut second = None;
    let mut sink = |_: &Progress| {
        if second.is_none() {
            second = Some(resume(&image, &bench.password, Unreadable::Stop, &Control::new(), &mut Silent).unwrap_err());
        }
    };
    resume(&image, &bench.password, Unreadable::Stop, &Control::new(), &mut sink).unwrap();
    assert_eq!(code(&second.unwrap()), "device-in-use");
}

#[test]
fn what_was_only_begun_can_be_undone() {
    let bench = Bench::new();
    let image = bench.image(20 * MIB);
    let before = std::fs::read(&image).unwrap();
    let plan = plan_encrypt(&image, &EncryptRequest::default()).unwrap();
    let staged = bench.staged(&plan);
    begin(&plan, &staged, &bench.password, &Control::new(), &mut Silent).unwrap();
    undo(&image).unwrap();
    assert!(std::fs::read(&image).unwrap() == before);
}

#[test]
fn a_wrong_password_or_another_volume_begins_nothing() {
    let bench = Bench::new();
    let image = bench.image(20 * MIB);
    let before = std::fs::read(&image).unwrap();
    let plan = plan_encrypt(&image, &EncryptRequest::default()).unwrap();
    let staged = bench.staged(&plan);
    let wrong = begin(&plan, &staged, &Secret::from("wrong"), &Control::new(), &mut Silent).unwrap_err();
    assert_eq!(code(&wrong), "luks-wrong-secret");
    std::fs::OpenOptions::new().write(true).open(&image).unwrap().set_len(20 * MIB + 4096).unwrap();
    let changed = begin(&plan, &staged, &bench.password, &Control::new(), &mut Silent).unwrap_err();
    assert_eq!(code(&changed), "wizard-target-changed");
    std::fs::OpenOptions::new().write(true).open(&image).unwrap().set_len(20 * MIB).unwrap();
    let other = plan_encrypt(&bench_image(&bench, "other", 300 * MIB), &EncryptRequest::default()).unwrap();
    let other = bench.staged(&other);
    let refused = begin(&plan, &other, &bench.password, &Control::new(), &mut Silent).unwrap_err();
    assert_eq!(code(&refused), "wizard-target-changed");
    assert!(std::fs::read(&image).unwrap() == before);
}

fn bench_image(bench: &Bench, name: &str, size: u64) -> PathBuf {
    let path = bench.path(name);
    std::fs::File::create(&path).unwrap().set_len(size).unwrap();
    path
}

#[test]
fn what_is_refused_and_why() {
    let bench = Bench::new();
    let plan = |path: &Path| code(&plan_encrypt(path, &EncryptRequest::default()).unwrap_err());
    assert_eq!(plan(&bench.path("nothing")), "device-missing");
    assert_eq!(plan(bench.folder.path()), "device-wrong-kind");
    let small = bench.image(MIB);
    assert_eq!(plan(&small), "volume-too-small");
    let empty = bench_image(&bench, "empty", 0);
    assert_eq!(plan(&empty), "volume-too-small");

    let image = bench.image(20 * MIB);
    let held = blockdev::FileDevice::open(&image, blockdev::Access::Exclusive).unwrap();
    assert_eq!(plan(&image), "device-in-use");
    drop(held);
    bench.encrypted(&image);
    assert_eq!(plan(&image), "volume-encrypted");

    let parts = bench_image(&bench, "parts", 64 * MIB);
    if let Some(output) = run("sfdisk", &["--version"])
        && output.status.success()
    {
        let script = format!("printf 'label: gpt\\n,,L\\n' | sfdisk -q {}", parts.display());
        must("sh", &["-c", &script]);
        assert_eq!(plan(&parts), "volume-partitions");
    }
    let bitlocker = bench_image(&bench, "bitlocker", 20 * MIB);
    let mut bytes = std::fs::read(&bitlocker).unwrap();
    bytes[..11].copy_from_slice(b"\xeb\x58\x90-FVE-FS-");
    bytes[510..512].copy_from_slice(&[0x55, 0xaa]);
    std::fs::write(&bitlocker, bytes).unwrap();
    assert_eq!(plan(&bitlocker), "volume-encrypted");
}

#[test]
fn an_unclean_file_system_is_refused() {
    let bench = Bench::new();
    let image = bench.path("image");
    if !make("ext4", &image, 48 * MIB) {
        return;
    }
    // s_state of the superblock: 1 is "closed properly".
    let mut bytes = std::fs::read(&image).unwrap();
    assert_eq!(bytes[1024 + 0x3a], 1);
    if !must("debugfs", &["-w", "-R", "set_super_value state 0", image.to_str().unwrap()]) {
        bytes[1024 + 0x3a] = 0;
        std::fs::write(&image, bytes).unwrap();
    }
    let error = plan_encrypt(&image, &EncryptRequest::default()).unwrap_err();
    assert_eq!(code(&error), "filesystem-unclean");
}

#[test]
fn passwords_and_recovery_keys_change() {
    let bench = Bench::new();
    let image = bench.image(20 * MIB);
    bench.encrypted(&image);
    let new = Secret::from("gurin cedul fijeb");
    passwd(&image, &bench.password, &new, KdfWish::CheapestForTests).unwrap();
    assert_eq!(code(&prove(&image, &bench.password).unwrap_err()), "luks-wrong-secret");
    assert!(!prove(&image, &new).unwrap().recovery);
    let by_key = passwd(&image, &bench.key.secret(), &new, KdfWish::CheapestForTests).unwrap_err();
    assert_eq!(code(&by_key), "volume-is-recovery-key");

    // A new recovery key that could not be kept changes nothing.
    let lost = recovery_new(&image, &new, &mut |_, _| Err(Error::FolderFull { path: "stick".into() })).unwrap_err();
    assert_eq!(code(&lost), "wizard-folder-full");
    assert!(prove(&image, &bench.key.secret()).unwrap().recovery);
    let mut kept = None;
    let made = recovery_new(&image, &new, &mut |key, _| {
        // The old one still opens at this moment, and the new one opens too.
        kept = Some(key.clone());
        Ok(())
    })
    .unwrap();
    assert_eq!(kept, Some(made.clone()));
    assert!(prove(&image, &made.secret()).unwrap().recovery);
    assert_eq!(code(&prove(&image, &bench.key.secret()).unwrap_err()), "luks-wrong-secret");
    opens_with_cryptsetup(&image, made.secret().expose(), bench.folder.path());
}

#[test]
fn header_backup_and_restore() {
    let bench = Bench::new();
    let image = bench.image(20 * MIB);
    bench.encrypted(&image);
    let backup = operations::header_backup(&image).unwrap();
    let mut bytes = std::fs::read(&image).unwrap();
    bytes[..1 << 20].fill(0);
    std::fs::write(&image, &bytes).unwrap();
    prove(&image, &bench.password).unwrap_err();
    operations::header_restore(&image, &backup, None).unwrap();
    prove(&image, &bench.password).unwrap();

    let other = Bench::new();
    let another = other.image(20 * MIB);
    other.encrypted(&another);
    let refused = operations::header_restore(&another, &backup, None).unwrap_err();
    assert_eq!(code(&refused), "luks-other-volume");
}

#[test]
fn files_are_read_through_the_encryption() {
    let bench = Bench::new();
    let made = practice::make(bench.folder.path(), practice::LEAST_SIZE, &mut Silent).unwrap();
    bench.encrypted(&made.path);
    let mut check = None;
    operations::with_plain(&made.path, &bench.password, &mut |plain| {
        check = Some(practice::compare(plain, &made.files)?);
        Ok(())
    })
    .unwrap();
    let check = check.unwrap();
    assert_eq!(check.same, check.total);
}

/// This computer, but with a full disk: images cannot be made longer.
struct Full(drives::This);

impl drives::Platform for Full {
    fn stack(&self) -> drives::Result<drives::Stack> {
        self.0.stack()
    }
    fn locate(&self, path: &Path, stack: &drives::Stack) -> drives::Result<drives::Located> {
        self.0.locate(path, stack)
    }
    fn open(&self, node: &drives::Node) -> blockdev::Result<Box<dyn blockdev::Device>> {
        self.0.open(node)
    }
    fn free(&self, _: &Path) -> Option<u64> {
        Some(0)
    }
    fn may_write(&self, path: &Path) -> Option<bool> {
        self.0.may_write(path)
    }
    fn power(&self) -> drives::Power {
        self.0.power()
    }
}

#[test]
fn where_an_image_cannot_grow_the_file_system_is_made_smaller_and_larger_again() {
    for kind in ["ext4", "ntfs"] {
        let bench = Bench::new();
        let image = bench.path("image");
        if !make(kind, &image, 256 * MIB) {
            continue;
        }
        let full = Full(drives::This::default());
        let plan = operations::plan_encrypt_on(&full, &image, &EncryptRequest::default()).unwrap();
        assert!(matches!(plan.room(), Room::Shrink { .. }), "{kind}");
        let staged = bench.staged(&plan);
        begin(&plan, &staged, &bench.password, &Control::new(), &mut Silent).unwrap();
        resume(&image, &bench.password, Unreadable::Stop, &Control::new(), &mut Silent).unwrap();
        assert_eq!(std::fs::metadata(&image).unwrap().len(), 256 * MIB);
        opens_with_cryptsetup(&image, bench.password.expose(), bench.folder.path());
        bench.decrypted(&image);
        assert_eq!(std::fs::metadata(&image).unwrap().len(), 256 * MIB);
        let device = blockdev::FileDevice::open(&image, blockdev::Access::Read).unwrap();
        let found = filesystems::probe(&device).unwrap().unwrap();
        assert!(found.size > 254 * MIB, "{kind}: {}", found.size);
        if kind == "ext4" {
            must("e2fsck", &["-f", "-n", image.to_str().unwrap()]);
        }
    }
}

#[test]
fn where_nothing_helps_it_is_refused_and_nothing_is_touched() {
    let bench = Bench::new();
    let image = bench.image(40 * MIB);
    let before = std::fs::read(&image).unwrap();
    let full = Full(drives::This::default());
    let error = operations::plan_encrypt_on(&full, &image, &EncryptRequest::default()).unwrap_err();
    assert_eq!(code(&error), "volume-no-room");
    assert!(std::fs::read(&image).unwrap() == before);
}
