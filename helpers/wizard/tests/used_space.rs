//! Encrypting only what a file system uses, on images.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use blockdev::{Access, Allocation as _, FileDevice};
use filesystems::UsedMap;
use model::{Control, Describe as _, Progress, Secret, Silent};
use recovery::RecoveryKey;
use wizard::engine::Ended;
use wizard::operations::{
    self, EncryptRequest, KdfWish, Plan, Space, Unreadable, front_copy_path, plan_encrypt, read_front_copy, resume,
    stage, undo, with_plain,
};

const MIB: u64 = 1 << 20;
const PASSWORD: &str = "lutin dehig becur";

fn noise(size: u64) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(size).unwrap()];
    getrandom::fill(&mut bytes).unwrap();
    bytes
}

fn must(tool: &str, arguments: &[&str]) -> bool {
    let Ok(output) = Command::new(tool).args(arguments).env("LC_ALL", "C").output() else {
        println!("left out: {tool} is not here");
        return false;
    };
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    true
}

/// A file system on a drive that was full of something else before. `None`: its tool is not here.
fn image(kind: &str, folder: &Path, size: u64) -> Option<PathBuf> {
    let image = folder.join("image");
    std::fs::write(&image, noise(size)).unwrap();
    let path = image.to_str().unwrap();
    let made = match kind {
        "ext4" => {
            let source = folder.join("source");
            std::fs::create_dir_all(&source).unwrap();
            for (index, size) in [1_u64, 70_000, 700_000, 1_900_000].into_iter().enumerate() {
                std::fs::write(source.join(format!("file {index}")), noise(size)).unwrap();
            }
            let source = source.to_str().unwrap();
            must("mkfs.ext4", &["-q", "-F", "-b", "4096", "-E", "nodiscard", "-d", source, path])
        }
        "vfat" => must("mkfs.vfat", &["-F", "32", path]),
        "exfat" => must("mkfs.exfat", &[path]),
        _ => must("mkfs.ntfs", &["-q", "-Q", "-F", path]),
    };
    made.then_some(image)
}

fn map(image: &Path) -> UsedMap {
    let device = FileDevice::open(image, Access::Read).unwrap();
    let found = filesystems::probe(&device).unwrap().unwrap();
    filesystems::used_map(&device, &found).unwrap().unwrap()
}

fn planned(image: &Path, space: Space) -> Plan {
    plan_encrypt(image, &EncryptRequest { space }).unwrap()
}

fn begun(plan: &Plan, folder: &Path) {
    let staged = folder.join("staged");
    let (password, key) = (Secret::from(PASSWORD), RecoveryKey::generate().unwrap());
    stage(plan, &password, &key, KdfWish::CheapestForTests, &staged, &mut Silent).unwrap();
    operations::begin(plan, &staged, &password, &Control::new(), &mut Silent).unwrap();
}

/// Goes on to the end with a stop on the way.
fn finished(image: &Path) {
    let control = Control::new();
    let stop = control.clone();
    let mut half = move |progress: &Progress| {
        if progress.done * 2 > progress.total {
            stop.stop();
        }
    };
    let password = Secret::from(PASSWORD);
    let first = resume(image, &password, Unreadable::Stop, &control, &mut half).unwrap();
    if first.ended == Ended::Stopped {
        let second = resume(image, &password, Unreadable::Stop, &Control::new(), &mut Silent).unwrap();
        assert_eq!(second.ended, Ended::Finished);
    }
}

fn plain(image: &Path, size: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    with_plain(image, &Secret::from(PASSWORD), &mut |device| {
        bytes = device.read_vec(0, size)?;
        Ok(())
    })
    .unwrap();
    bytes
}

#[test]
fn what_is_used_is_there_and_nothing_of_it_stays_readable() {
    for kind in ["ext4", "vfat", "exfat", "ntfs"] {
        for space in [Space::Used, Space::UsedAndOverwrite] {
            let folder = tempfile::tempdir().unwrap();
            let Some(image) = image(kind, folder.path(), 96 * MIB) else { continue };
            let before = std::fs::read(&image).unwrap();
            let map = map(&image);
            let plan = planned(&image, space);
            assert_eq!(plan.free(), Some(map.free()), "{kind}");
            begun(&plan, folder.path());
            finished(&image);
            let after = plain(&image, before.len());
            for used in map.extents() {
                let range = usize::try_from(used.start).unwrap()..usize::try_from(used.end).unwrap();
                assert!(after[range.clone()] == before[range.clone()], "{kind} {space:?}: {range:?} differs");
            }
            // Sectors of noise are found again wherever they lie.
            let encrypted = std::fs::read(&image).unwrap();
            let left: HashSet<&[u8]> = encrypted.chunks(512).collect();
            let blank = [0; 512];
            let readable = |range: std::ops::Range<u64>| {
                let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
                before[range].chunks(512).filter(|sector| *sector != blank && left.contains(sector)).count()
            };
            let used: usize = map.extents().map(readable).sum();
            assert_eq!(used, 0, "{kind} {space:?}: sectors of files are readable");
            if space == Space::UsedAndOverwrite {
                let free: usize = map.free_within(0..before.len() as u64).into_iter().map(readable).sum();
                assert_eq!(free, 0, "{kind}: sectors of deleted files are readable");
            }
        }
    }
}

#[test]
fn what_has_no_map_is_not_guessed() {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("image");
    std::fs::write(&image, noise(8 * MIB)).unwrap();
    let request = EncryptRequest { space: Space::Used };
    assert_eq!(plan_encrypt(&image, &request).unwrap_err().fault().code, "volume-used-space-unknown");
    assert_eq!(planned(&image, Space::All).free(), None);
}

#[test]
fn the_front_is_kept_on_the_recovery_medium() {
    let folder = tempfile::tempdir().unwrap();
    let medium = tempfile::tempdir().unwrap();
    let Some(image) = image("ext4", folder.path(), 32 * MIB) else { return };
    let before = std::fs::read(&image).unwrap();
    let plan = planned(&image, Space::All).with_front_copy(medium.path());
    begun(&plan, folder.path());
    let header = luks::Header::load(&FileDevice::open(&image, Access::Read).unwrap()).unwrap().header;
    let copy = front_copy_path(medium.path(), header.uuid());
    let front = read_front_copy(&copy, &Secret::from(PASSWORD)).unwrap();
    assert!(front == before[..front.len()] && front.len() as u64 == plan.shift());
    // Nothing of it can be read without the password.
    let sectors: HashSet<&[u8]> = before.chunks(512).filter(|sector| sector.iter().any(|byte| *byte != 0)).collect();
    assert!(!std::fs::read(&copy).unwrap().chunks(512).any(|sector| sectors.contains(sector)));
    assert!(read_front_copy(&copy, &Secret::from("other")).is_err());
    let file = folder.path().join("password");
    std::fs::write(&file, PASSWORD).unwrap();
    let words = ["open", "--test-passphrase", "--key-file", file.to_str().unwrap(), copy.to_str().unwrap()];
    must("cryptsetup", &words);
    undo(&image).unwrap();
    assert!(std::fs::read(&image).unwrap() == before);
    // A medium that is full or gone is no reason not to begin.
    let gone = medium.path().join("pulled out");
    begun(&planned(&image, Space::All).with_front_copy(&gone), folder.path());
    undo(&image).unwrap();
    assert!(std::fs::read(&image).unwrap() == before);
}
