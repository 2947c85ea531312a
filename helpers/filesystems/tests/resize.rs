//! Shrinking and growing real file systems with real files in them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test says what is wrong")]

mod common;

use std::path::Path;
use std::process::Command;

use blockdev::simulated::Dice;
use common::{Bench, MIB, open, run, run_any};
use filesystems::{Error, Found, Trouble, grow, minimum_size, probe, put_in_order, shrink, shrink_again};
use model::Control;

fn found(path: &Path) -> Found {
    probe(&open(path)).unwrap().unwrap()
}

/// Reproducible content that does not compress.
fn content(seed: u64, length: usize) -> Vec<u8> {
    let mut dice = Dice::new(seed);
    (0..length.div_ceil(8)).flat_map(|_| dice.roll().to_le_bytes()).take(length).collect()
}

/// How files get into an image and out of it without mounting.
trait Files {
    fn put(&self, image: &Path, source: &Path, name: &str);
    fn take(&self, image: &Path, name: &str) -> Vec<u8>;
    fn check(&self, image: &Path);
}

struct Ext;

impl Files for Ext {
    fn put(&self, image: &Path, source: &Path, name: &str) {
        let request = format!("write {} {name}", source.display());
        assert!(debugfs(&["-w", "-R", &request], image).0);
    }
    fn take(&self, image: &Path, name: &str) -> Vec<u8> {
        let request = format!("cat {name}");
        debugfs(&["-R", &request], image).1
    }
    fn check(&self, image: &Path) {
        let (code, output) = run_any(&format!("e2fsck -fn {}", image.display())).unwrap();
        assert_eq!(code, 0, "{output}");
    }
}

fn debugfs(arguments: &[&str], image: &Path) -> (bool, Vec<u8>) {
    let finished = Command::new("/usr/sbin/debugfs").args(arguments).arg(image).output().unwrap();
    (finished.status.success(), finished.stdout)
}

struct Ntfs;

impl Files for Ntfs {
    fn put(&self, image: &Path, source: &Path, name: &str) {
        run(&format!("ntfscp -f -q {} {} {name}", image.display(), source.display())).unwrap();
    }
    fn take(&self, image: &Path, name: &str) -> Vec<u8> {
        Command::new("/usr/bin/ntfscat").arg("-f").arg(image).arg(name).output().unwrap().stdout
    }
    fn check(&self, image: &Path) {
        let (code, output) = run_any(&format!("ntfsresize --info --force {}", image.display())).unwrap();
        assert_eq!(code, 0, "{output}");
    }
}

fn there_and_back(files: &dyn Files, mkfs: &str, size: u64, smaller: u64) {
    let bench = Bench::new();
    let Some(path) = bench.made("image", size, mkfs) else { return };
    let source = bench.0.path().join("source");
    // Together more than what the shrinking leaves untouched, so that blocks have to move.
    let count = usize::try_from(smaller / MIB / 8).unwrap();
    let contents: Vec<Vec<u8>> = (0..count).map(|seed| content(seed as u64, 2_500_000 + seed * 1111)).collect();
    for (number, bytes) in contents.iter().enumerate() {
        std::fs::write(&source, bytes).unwrap();
        files.put(&path, &source, &format!("file{number}"));
    }
    let before = found(&path);
    let minimum = minimum_size(&path, &before).unwrap();
    assert!(minimum <= smaller, "{mkfs}: {minimum}");
    let used: u64 = contents.iter().map(|bytes| bytes.len() as u64).sum();
    assert!(minimum >= used, "{mkfs}: {minimum} for {used}");

    let control = Control::new();
    let after = shrink(&path, &before, smaller, &control).unwrap();
    assert!(after.size <= smaller && after.size + 2 * MIB > smaller, "{mkfs}: {after:?}");
    assert_eq!(std::fs::metadata(&path).unwrap().len(), size);
    // What is behind the new end is not the file system's any more.
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(after.size).unwrap();
    let same = |path: &Path| {
        files.check(path);
        for (number, bytes) in contents.iter().enumerate() {
            assert!(files.take(path, &format!("file{number}")) == *bytes, "{mkfs}: file{number}");
        }
    };
    same(&path);

    // Again is nothing to do.
    assert_eq!(shrink(&path, &after, smaller, &control).unwrap(), after);

    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(size).unwrap();
    let grown = grow(&path, &after, size, &control).unwrap();
    assert!(grown.size <= size && grown.size + MIB / 4 > size, "{mkfs}: {grown:?}");
    same(&path);
}

#[test]
fn ext_shrinks_and_grows() {
    for mkfs in [
        "mkfs.ext4 -q -F -b 4096",
        "mkfs.ext4 -q -F -b 1024",
        "mkfs.ext2 -q -F",
        "mkfs.ext3 -q -F",
        "mkfs.ext4 -q -F -O ^64bit,^metadata_csum",
        "mkfs.ext4 -q -F -E lazy_itable_init=1,lazy_journal_init=1",
    ] {
        there_and_back(&Ext, mkfs, 96 * MIB, 60 * MIB);
        there_and_back(&Ext, mkfs, 96 * MIB, 95 * MIB);
    }
    there_and_back(&Ext, "mkfs.ext4 -q -F -b 4096", 64 * MIB + 12345 * 4096, 64 * MIB + 4096);
}

/// `resize2fs` to so many blocks, killed before its write number `when`. Whether it came to its end before that.
fn resized_before(when: usize, path: &Path, blocks: u64) -> bool {
    let inject = format!("-e trace=pwrite64 -e inject=pwrite64:signal=KILL:when={when}");
    run_any(&format!("strace -f -qq -o /dev/null {inject} /usr/sbin/resize2fs {} {blocks}", path.display())).unwrap().0
        == 0
}

/// The power goes at a write of resize2fs: what is left is put in order so that the next start of a computer finds
/// nothing to ask about, every file is as it was, and the shrinking goes to its end.
#[test]
fn ext_is_mended_after_a_cut_at_each_write() {
    if run_any("strace -V").is_none() {
        return;
    }
    let bench = Bench::new();
    for (mkfs, only_the_end, cuts) in [
        ("mkfs.ext4 -q -F -b 4096", false, 24),
        ("mkfs.ext4 -q -F -b 1024", false, 24),
        ("mkfs.ext4 -q -F -b 4096", true, 24),
        ("mkfs.ext4 -q -F -O ^64bit,^metadata_csum", false, 24),
        ("mkfs.ext3 -q -F -b 1024", false, 8),
        ("mkfs.ext2 -q -F -b 4096", false, 8),
    ] {
        let Some(path) = bench.made("image", 96 * MIB, mkfs) else { return };
        let [source, cut, copy] = ["source", "cut", "copy"].map(|name| bench.0.path().join(name));
        let contents: Vec<Vec<u8>> = (0..36).map(|seed| content(seed, 2_000_000)).collect();
        for (number, bytes) in contents.iter().enumerate() {
            std::fs::write(&source, bytes).unwrap();
            Ext.put(&path, &source, &format!("file{number}"));
        }
        // What is left lies at the end and has to move.
        for number in 0..24 {
            assert!(debugfs(&["-w", "-R", &format!("rm file{number}")], &path).0);
        }
        let preen = |path: &Path| run_any(&format!("e2fsck -f -p {}", path.display())).unwrap().0;
        assert!(preen(&path) <= 1);
        let before = found(&path);
        let smaller = if only_the_end { 94 * MIB } else { minimum_size(&path, &before).unwrap() };
        let is_whole_after = |when: usize| {
            std::fs::copy(&path, &cut).unwrap();
            resized_before(when, &cut, smaller / u64::from(before.block_size))
        };
        let same = |context: usize| {
            Ext.check(&cut);
            for (number, bytes) in contents.iter().enumerate().skip(24) {
                assert!(Ext.take(&cut, &format!("file{number}")) == *bytes, "{mkfs}: write {context}: file{number}");
            }
        };
        let writes = (1..10_000).step_by(64).find(|when| is_whole_after(*when));
        let writes = writes.expect("resize2fs does not get to its end");
        let mut asked = 0;
        for when in (1..writes).step_by(writes.div_ceil(cuts)) {
            if is_whole_after(when) {
                break;
            }
            let left = found(&cut);
            if left.trouble == Some(Trouble::Errors) {
                std::fs::copy(&cut, &copy).unwrap();
                asked += usize::from(preen(&copy) >= 4);
                put_in_order(&cut, &left).unwrap();
            }
            assert!(preen(&cut) <= 1, "{mkfs}: write {when}");
            same(when);
            assert!(shrink(&cut, &found(&cut), smaller, &Control::new()).unwrap().size <= smaller);
            same(when);
        }
        // Without the mending, a start would have stopped there.
        assert!(asked > 0, "{mkfs}: no cut left anything that e2fsck asks about");
    }
}

#[test]
fn ntfs_shrinks_and_grows() {
    there_and_back(&Ntfs, "mkntfs -F -Q -q", 96 * MIB, 60 * MIB);
    there_and_back(&Ntfs, "mkntfs -F -Q -q", 96 * MIB, 80 * MIB - 512);
    there_and_back(&Ntfs, "mkntfs -F -Q -q -c 16384", 96 * MIB, 64 * MIB);
}

#[test]
fn what_does_not_fit_is_refused_and_left_alone() {
    for (files, mkfs) in [(&Ext as &dyn Files, "mkfs.ext4 -q -F"), (&Ntfs, "mkntfs -F -Q -q")] {
        let bench = Bench::new();
        let Some(path) = bench.made("image", 48 * MIB, mkfs) else { continue };
        let source = bench.0.path().join("source");
        std::fs::write(&source, content(7, 24 << 20)).unwrap();
        files.put(&path, &source, "file");
        let before = found(&path);
        match shrink(&path, &before, 20 * MIB, &Control::new()) {
            Err(Error::TooFull { needed, wanted, .. }) => {
                assert!(needed > 24 * MIB && needed <= 48 * MIB && wanted == 20 * MIB, "{needed}");
            }
            other => panic!("{mkfs}: {other:?}"),
        }
        assert_eq!(found(&path).size, before.size);
        files.check(&path);
    }
}

#[test]
fn what_cannot_shrink_says_so() {
    for (mkfs, size) in [
        ("mkfs.xfs -q", 320 * MIB),
        ("mkfs.btrfs -q", 128 * MIB),
        ("mkfs.vfat", 64 * MIB),
        ("mkfs.exfat", 64 * MIB),
        ("mkswap", 8 * MIB),
    ] {
        let bench = Bench::new();
        let Some(path) = bench.made("image", size, mkfs) else { continue };
        let before = found(&path);
        let bytes = std::fs::read(&path).unwrap();
        assert!(matches!(shrink(&path, &before, size / 2, &Control::new()), Err(Error::CannotShrink { .. })));
        assert!(matches!(minimum_size(&path, &before), Err(Error::CannotShrink { .. })));
        assert!(std::fs::read(&path).unwrap() == bytes, "{mkfs}");
    }
}

#[test]
fn a_stop_is_heard_before_anything_changes() {
    let bench = Bench::new();
    let Some(path) = bench.made("image", 48 * MIB, "mkfs.ext4 -q -F") else { return };
    let bytes = std::fs::read(&path).unwrap();
    let control = Control::new();
    control.stop();
    assert!(matches!(shrink(&path, &found(&path), 40 * MIB, &control), Err(Error::Stopped)));
    assert!(std::fs::read(&path).unwrap() == bytes);
}

#[test]
fn another_file_system_than_before_is_not_touched() {
    let bench = Bench::new();
    let Some(path) = bench.made("image", 48 * MIB, "mkfs.ext4 -q -F") else { return };
    let mut before = found(&path);
    before.uuid = Some("00000000-0000-0000-0000-000000000001".to_owned());
    assert!(matches!(shrink(&path, &before, 40 * MIB, &Control::new()), Err(Error::Changed)));
}

#[test]
fn a_pending_journal_is_replayed_first() {
    let bench = Bench::new();
    let Some(path) = bench.made("image", 48 * MIB, "mkfs.ext4 -q -F") else { return };
    assert!(debugfs(&["-w", "-R", "feature needs_recovery"], &path).0);
    let before = found(&path);
    assert_eq!(before.trouble, Some(Trouble::JournalPending));
    let after = shrink(&path, &before, 40 * MIB, &Control::new()).unwrap();
    assert_eq!((after.clean, after.size), (Some(true), 40 * MIB));
}

#[test]
fn errors_that_need_a_decision_stop_it() {
    let bench = Bench::new();
    let Some(path) = bench.made("image", 48 * MIB, "mkfs.ext4 -q -F") else { return };
    // The root directory's inode without a type: e2fsck asks before it makes a new one.
    assert!(debugfs(&["-w", "-R", "clri <2>"], &path).0);
    match shrink(&path, &found(&path), 40 * MIB, &Control::new()) {
        Err(Error::HasErrors { output, .. }) => assert!(output.contains("UNEXPECTED INCONSISTENCY"), "{output}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(found(&path).size, 48 * MIB);
}

#[test]
fn an_ntfs_that_windows_has_to_check_is_refused() {
    let bench = Bench::new();
    let Some(path) = bench.made("image", 48 * MIB, "mkntfs -F -Q -q") else { return };
    let before = found(&path);
    // Resizing marks it, which is as good as the mark of a Windows that was cut off.
    let after = shrink(&path, &before, 40 * MIB, &Control::new()).unwrap();
    assert_eq!(after.trouble, Some(Trouble::NotClosed));
    assert!(matches!(shrink(&path, &after, 30 * MIB, &Control::new()), Err(Error::Unclean { .. })));
}

/// A note of ours may be older than what Windows has done since, and then its mark is not ours.
#[test]
fn an_ntfs_that_was_used_since_is_not_taken_for_one_that_we_cut_off() {
    let bench = Bench::new();
    let Some(path) = bench.made("image", 48 * MIB, "mkntfs -F -Q -q") else { return };
    let marked = shrink(&path, &found(&path), 44 * MIB, &Control::new()).unwrap();
    assert_eq!(marked.trouble, Some(Trouble::NotClosed));
    // Somebody mounts it: the log begins with two pages of its own.
    let mut bytes = std::fs::read(&path).unwrap();
    let at = (0..bytes.len()).step_by(4096).find(|at| bytes[*at..at + 8192].iter().all(|byte| *byte == 0xff)).unwrap();
    for page in [at, at + 4096] {
        bytes[page..page + 4].copy_from_slice(b"RSTR");
    }
    let used = bench.0.path().join("used");
    std::fs::write(&used, &bytes).unwrap();
    assert_eq!(found(&used).trouble, Some(Trouble::NotClosed));
    let refused = shrink_again(&used, &found(&used), 40 * MIB, &Control::new());
    assert!(matches!(refused, Err(Error::Unclean { trouble: Trouble::NotClosed, .. })), "{refused:?}");
    assert!(std::fs::read(&used).unwrap() == bytes);
    // Nobody has used this one, and it goes on.
    assert!(shrink_again(&path, &marked, 40 * MIB, &Control::new()).unwrap().size <= 40 * MIB);
}

/// Folders and files whose inodes lie in groups that go: after a cut each of them may be there twice.
#[test]
fn inodes_that_were_being_moved_are_there_once_again() {
    if run_any("strace -V").is_none() {
        return;
    }
    for (kind, cuts) in [("ext4", 16), ("ext3", 6), ("ext2", 6)] {
        inodes_are_there_once_again(&format!("mkfs.{kind} -q -F -b 1024 -N 384"), cuts);
    }
}

fn inodes_are_there_once_again(mkfs: &str, cuts: usize) {
    const FILES: usize = 110;
    const STAY: usize = 30;
    let bench = Bench::new();
    let Some(path) = bench.made("image", 96 * MIB, mkfs) else { return };
    let [source, cut, script] = ["source", "cut", "script"].map(|name| bench.0.path().join(name));
    let mut lines = String::new();
    let contents: Vec<Vec<u8>> = (0..FILES).map(|seed| content(seed as u64, 100_000 + seed * 111)).collect();
    for (number, bytes) in contents.iter().enumerate() {
        let source = source.with_extension(number.to_string());
        std::fs::write(&source, bytes).unwrap();
        lines += &format!(
            "mkdir d{number}\nwrite {} d{number}/letter\nln d{number}/letter d{number}/second\n",
            source.display()
        );
        lines += &format!("sif d{number}/letter links_count 2\nsymlink d{number}/short letter\n");
    }
    // Room in the groups that stay.
    for number in 0..FILES - STAY {
        lines += &format!("rm d{number}/letter\nrm d{number}/second\nrm d{number}/short\n");
    }
    // The kernel chooses one by chance for each inode; debugfs does not. The folders' checksums are of it, too.
    for number in 0..FILES {
        let names = if number < FILES - STAY { &[""][..] } else { &["/letter", "/short", ""] };
        for (place, name) in names.iter().enumerate() {
            lines += &format!("sif d{number}{name} generation {}\n", 7919 * (3 * number + place + 1));
        }
    }
    std::fs::write(&script, lines).unwrap();
    assert!(debugfs(&["-w", "-f", script.to_str().unwrap()], &path).0);
    let preen = |path: &Path| run_any(&format!("e2fsck -f -p {}", path.display())).unwrap().0;
    assert!(preen(&path) <= 1);
    let before = found(&path);
    let smaller = 48 * MIB;
    let is_whole_after = |when: usize| {
        std::fs::copy(&path, &cut).unwrap();
        resized_before(when, &cut, smaller / u64::from(before.block_size))
    };
    let same = |context: &str, beyond: bool| {
        Ext.check(&cut);
        for (number, bytes) in contents.iter().enumerate().skip(FILES - STAY) {
            for name in ["letter", "second"] {
                assert!(Ext.take(&cut, &format!("d{number}/{name}")) == *bytes, "{mkfs}: {context}: d{number}/{name}");
            }
            let short = debugfs(&["-R", &format!("stat d{number}/short")], &cut).1;
            assert!(String::from_utf8_lossy(&short).contains("Fast link dest: \"letter\""), "{mkfs}: {context}");
        }
        let found = debugfs(&["-R", "ls -l lost+found"], &cut).1;
        // In folders that e2fsck saw late, a file may have got a second name.
        assert!(beyond || !String::from_utf8_lossy(&found).contains('#'), "{mkfs}: {context}");
    };
    let writes = (1..10_000).step_by(16).find(|when| is_whole_after(*when)).unwrap();
    let mut doubled = 0;
    for when in (1..writes).step_by(writes.div_ceil(cuts)) {
        if is_whole_after(when) {
            break;
        }
        let (_, listed) = run_any(&format!("e2fsck -f -n {}", cut.display())).unwrap();
        doubled += usize::from(listed.contains("Unattached inode"));
        let (context, beyond) = (format!("write {when}"), listed.contains("unused inodes area"));
        if let Err(error) = put_in_order(&cut, &found(&cut)) {
            panic!("{mkfs}: {context}: {error}\n{listed}");
        }
        same(&context, beyond);
        assert!(shrink(&cut, &found(&cut), smaller, &Control::new()).unwrap().size <= smaller);
        same(&context, beyond);
    }
    assert!(doubled > 0, "{mkfs}: no cut left an inode twice");
}

/// An inode without a name that is nowhere else is somebody's file.
#[test]
fn what_has_lost_its_name_is_left_to_the_person() {
    let bench = Bench::new();
    let Some(path) = bench.made("image", 32 * MIB, "mkfs.ext4 -q -F") else { return };
    let source = bench.0.path().join("source");
    for (name, seed) in [("one", 1), ("other", 2)] {
        std::fs::write(&source, content(seed, 50_000)).unwrap();
        Ext.put(&path, &source, name);
    }
    let (_, shown) = debugfs(&["-R", "stat one"], &path);
    let shown = String::from_utf8(shown).unwrap();
    let inode = shown.split_whitespace().nth(1).unwrap().to_owned();
    for request in ["unlink one", "set_super_value state 2"] {
        assert!(debugfs(&["-w", "-R", request], &path).0);
    }
    assert!(matches!(put_in_order(&path, &found(&path)), Err(Error::HasErrors { .. })));
    assert!(Ext.take(&path, &format!("<{inode}>")) == content(1, 50_000));
    assert!(Ext.take(&path, "other") == content(2, 50_000));
}
