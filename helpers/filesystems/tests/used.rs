//! The maps of used space, held against the reference tools.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test says what is wrong")]

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;

use blockdev::simulated::Dice;
use common::{Bench, MIB, open, run, run_any};
use filesystems::{UsedMap, probe, used_map};

fn map(path: &Path) -> UsedMap {
    let dev = open(path);
    let found = probe(&dev).unwrap().unwrap();
    let map = used_map(&dev, &found).unwrap().unwrap();
    let used: u64 = map.extents().map(|extent| extent.end - extent.start).sum();
    assert_eq!(used, map.used());
    assert_eq!(map.extents().last().map_or(0, |extent| extent.end).max(map.size()), found.size);
    map
}

fn content(seed: u64, length: usize) -> Vec<u8> {
    let mut dice = Dice::new(seed);
    (0..length.div_ceil(8)).flat_map(|_| dice.roll().to_le_bytes()).take(length).collect()
}

/// Writes over everything that the map calls free.
fn trample(path: &Path, map: &UsedMap) {
    let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    let mut free = 0;
    let mut end = 0;
    for extent in map.extents().chain(std::iter::once(map.size()..map.size())) {
        let hole = end..extent.start;
        if !hole.is_empty() {
            assert!(map.is_free(hole.clone()), "{hole:?}");
            assert!(!map.is_free(hole.start.saturating_sub(1)..hole.end) || hole.start == 0);
            // Of a large hole the two ends: what is in use lies beside them.
            let length = (hole.end - hole.start).min(4 * MIB);
            let bytes = vec![0xa5; usize::try_from(length).unwrap()];
            file.write_all_at(&bytes, hole.start).unwrap();
            file.write_all_at(&bytes, hole.end - length).unwrap();
            free += hole.end - hole.start;
        }
        end = extent.end;
    }
    assert_eq!(free, map.free());
}

/// All free blocks by dumpe2fs, which prints a range of clusters as that of their first blocks.
fn free_by_dumpe2fs(path: &Path, cluster: u64) -> BTreeSet<u64> {
    let printed = run(&format!("dumpe2fs {}", path.display())).unwrap();
    let mut free = BTreeSet::new();
    for line in printed.lines().filter_map(|line| line.strip_prefix("  Free blocks: ")) {
        for range in line.split(", ").filter(|range| !range.is_empty()) {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            free.extend(first.parse::<u64>().unwrap()..last.parse::<u64>().unwrap() + cluster);
        }
    }
    free
}

#[test]
fn ext_agrees_with_dumpe2fs() {
    for (mkfs, size) in [
        ("mkfs.ext4 -q -F -b 4096", 200 * MIB),
        ("mkfs.ext4 -q -F -b 1024", 100 * MIB),
        ("mkfs.ext4 -q -F -b 4096", 300 * MIB + 4096 * 77),
        ("mkfs.ext4 -q -F -O ^flex_bg", 150 * MIB),
        ("mkfs.ext4 -q -F -O ^64bit,^metadata_csum,uninit_bg", 150 * MIB),
        ("mkfs.ext4 -q -F -b 1024 -O meta_bg,^resize_inode", 150 * MIB),
        ("mkfs.ext4 -q -F -b 4096 -O sparse_super2", 300 * MIB),
        ("mkfs.ext4 -q -F -b 4096 -O bigalloc -C 16384", 300 * MIB),
        ("mkfs.ext2 -q -F", 100 * MIB),
        ("mkfs.ext2 -q -F -O ^sparse_super,^resize_inode -b 1024", 100 * MIB),
        ("mkfs.ext3 -q -F", 100 * MIB),
    ] {
        let bench = Bench::new();
        let Some(path) = bench.made("image", size, mkfs) else { continue };
        let expected = |number: u64| content(number, 400_000 + usize::try_from(number).unwrap() * 250_000);
        // One run for everything: debugfs flushes at the end of each.
        let mut script = String::new();
        for number in 0..12_u64 {
            let source = bench.0.path().join(format!("source{number}"));
            std::fs::write(&source, expected(number)).unwrap();
            let _ = writeln!(script, "write {} file{number}", source.display());
        }
        // A hole in the middle.
        script += "rm file5\n";
        let script_path = bench.0.path().join("script");
        std::fs::write(&script_path, script).unwrap();
        run(&format!("debugfs -w -f {} {}", script_path.display(), path.display())).unwrap();
        let map = map(&path);
        let block: u64 = run(&format!("dumpe2fs -h {}", path.display()))
            .unwrap()
            .lines()
            .find_map(|line| line.strip_prefix("Block size:")?.trim().parse().ok())
            .unwrap();
        let theirs = free_by_dumpe2fs(&path, map.unit() / block);
        let ours: BTreeSet<u64> =
            (0..size / block).filter(|number| map.is_free(number * block..(number + 1) * block)).collect();
        let wrong: Vec<_> = ours.difference(&theirs).take(10).collect();
        assert!(wrong.is_empty(), "{mkfs}: called free: {wrong:?}");
        let missed = theirs.difference(&ours).count();
        println!("{mkfs} {size}: free {} of theirs {}, missed {missed}", ours.len(), theirs.len());
        // A last cluster that is not whole, at most.
        assert!(missed <= 4, "{mkfs} {size}: {missed} of {} not seen as free", theirs.len());

        trample(&path, &map);
        let (code, output) = run_any(&format!("e2fsck -fn {}", path.display())).unwrap();
        assert_eq!(code, 0, "{mkfs}: {output}");
        let out = bench.0.path().join("out");
        std::fs::create_dir(&out).unwrap();
        let request = format!("rdump / {}", out.display());
        let dumped = Command::new("/usr/sbin/debugfs").args(["-R", &request]).arg(&path).output().unwrap();
        assert!(dumped.status.success());
        for number in (0..12_u64).filter(|number| *number != 5) {
            assert!(
                std::fs::read(out.join(format!("file{number}"))).unwrap() == expected(number),
                "{mkfs}: file{number}"
            );
        }
    }
}

#[test]
fn a_file_system_that_is_not_clean_has_no_map() {
    let bench = Bench::new();
    let Some(path) = bench.made("image", 64 * MIB, "mkfs.ext4 -q -F") else { return };
    let done = Command::new("/usr/sbin/debugfs").args(["-w", "-R", "feature needs_recovery"]).arg(&path).output();
    assert!(done.unwrap().status.success());
    let dev = open(&path);
    assert!(used_map(&dev, &probe(&dev).unwrap().unwrap()).unwrap().is_none());
}

#[test]
fn a_bitmap_that_does_not_add_up_is_not_believed() {
    let bench = Bench::new();
    let Some(path) = bench.made("image", 300 * MIB, "mkfs.ext4 -q -F -b 4096") else { return };
    let printed = run(&format!("dumpe2fs {}", path.display())).unwrap();
    let place: u64 = printed
        .lines()
        .find_map(|line| line.trim().strip_prefix("Block bitmap at ")?.split([' ', ',']).next()?.parse().ok())
        .unwrap();
    let before = map(&path);
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().write_all_at(&[0; 64], place * 4096).unwrap();
    let after = map(&path);
    assert!(after.free() < before.free());
    assert!(!after.is_free(0..4096));
    assert!((0..32768).all(|block| !after.is_free(block * 4096..(block + 1) * 4096)));
}

/// Found by fuzzing: a bitmap of zeros had the boot sector, the tables and the bitmap itself as free.
#[test]
fn a_map_without_the_file_systems_own_tables_is_not_believed() {
    let number = |bytes: &[u8], at: usize, length: usize| {
        bytes[at..at + length].iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
    };
    // Where the bit of each is that has to be set, by the boot sector alone.
    let ntfs = |bytes: &[u8]| {
        let (sector, cluster) = (number(bytes, 11, 2), number(bytes, 11, 2) * number(bytes, 13, 1));
        let record = number(bytes, 48, 8) * cluster + 6 * 1024;
        // The last attribute of `$Bitmap` is its data; the first run stands in its mapping pairs.
        let record = &bytes[usize::try_from(record).unwrap()..][..1024];
        let mut at = usize::try_from(number(record, 20, 2)).unwrap();
        while number(record, at, 4) != 0x80 {
            at += usize::try_from(number(record, at + 4, 4)).unwrap();
        }
        let pairs = at + usize::try_from(number(record, at + 32, 2)).unwrap();
        let (counts, distances) = (usize::from(record[pairs] & 15), usize::from(record[pairs] >> 4));
        assert_eq!(sector, 512);
        number(record, pairs + 1 + counts, distances) * cluster
    };
    let fat32 = |bytes: &[u8]| number(bytes, 14, 2) * 512 + 4 * number(bytes, 44, 4);
    let exfat = |bytes: &[u8]| {
        // The bitmap is the first cluster, in front of the root directory.
        number(bytes, 88, 4) << bytes[108]
    };
    for mkfs in ["mkntfs -F -Q -q", "mkfs.vfat -F 32 -s 1", "mkfs.exfat"] {
        let bench = Bench::new();
        let Some(path) = bench.made("image", 64 * MIB, mkfs) else { continue };
        map(&path);
        let bytes = std::fs::read(&path).unwrap();
        let place = match mkfs {
            "mkfs.exfat" => exfat(&bytes),
            "mkntfs -F -Q -q" => ntfs(&bytes),
            _ => fat32(&bytes),
        };
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().write_all_at(&[0; 4], place).unwrap();
        let dev = open(&path);
        assert!(used_map(&dev, &probe(&dev).unwrap().unwrap()).unwrap().is_none(), "{mkfs}");
    }
    // Only the boot sector is known to the bitmap, and the table's own record does not say where the table lies.
    let bench = Bench::new();
    let Some(path) = bench.made("image", 64 * MIB, "mkntfs -F -Q -q") else { return };
    let bytes = std::fs::read(&path).unwrap();
    let table = usize::try_from(number(&bytes, 48, 8) * number(&bytes, 11, 2) * number(&bytes, 13, 1)).unwrap();
    let mut at = table + usize::try_from(number(&bytes, table + 20, 2)).unwrap();
    while number(&bytes, at, 4) != 0x80 {
        at += usize::try_from(number(&bytes, at + 4, 4)).unwrap();
    }
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.write_all_at(&[0x81], at as u64).unwrap();
    file.write_all_at(&[1], ntfs(&bytes)).unwrap();
    let dev = open(&path);
    assert!(used_map(&dev, &probe(&dev).unwrap().unwrap()).unwrap().is_none());
}

#[test]
fn ntfs_keeps_its_files() {
    for mkfs in ["mkntfs -F -Q -q", "mkntfs -F -Q -q -c 1024", "mkntfs -F -Q -q -c 65536"] {
        let bench = Bench::new();
        let Some(path) = bench.made("image", 128 * MIB, mkfs) else { continue };
        let source = bench.0.path().join("source");
        for number in 0..12_u64 {
            std::fs::write(&source, content(number, 700_000)).unwrap();
            run(&format!("ntfscp -q {} {} file{number}", path.display(), source.display())).unwrap();
        }
        let map = map(&path);
        let printed = run(&format!("ntfsinfo -m {}", path.display())).unwrap();
        let free: u64 = printed
            .lines()
            .find_map(|line| line.trim().strip_prefix("Free Clusters:")?.split_whitespace().next()?.parse().ok())
            .unwrap();
        assert_eq!(map.free(), free * map.unit(), "{mkfs}");
        trample(&path, &map);
        let (code, output) = run_any(&format!("ntfsresize --info --force {}", path.display())).unwrap();
        assert_eq!(code, 0, "{output}");
        for number in 0..12_u64 {
            let output = Command::new("/usr/bin/ntfscat").arg(&path).arg(format!("file{number}")).output().unwrap();
            assert!(output.stdout == content(number, 700_000), "{mkfs}: file{number}");
        }
    }
}

#[test]
fn fat_keeps_its_files() {
    for (mkfs, size) in [
        ("mkfs.vfat -F 12", 8 * MIB),
        ("mkfs.vfat -F 16", 64 * MIB),
        ("mkfs.vfat -F 32", 300 * MIB),
        ("mkfs.vfat -F 32 -S 4096 -s 1", 300 * MIB),
    ] {
        let bench = Bench::new();
        let Some(path) = bench.made("image", size, mkfs) else { continue };
        let source = bench.0.path().join("source");
        let mut copied = true;
        for number in 0..6_u64 {
            std::fs::write(&source, content(number, 500_000)).unwrap();
            copied &= run(&format!("mcopy -i {} {} ::file{number}", path.display(), source.display())).is_some();
        }
        if copied {
            run(&format!("mdel -i {} ::file3", path.display())).unwrap();
        }
        let map = map(&path);
        if let Some((_, printed)) = run_any(&format!("fsck.vfat -n {}", path.display())) {
            // "…: 5 files, 4885/16343 clusters"
            let counts = printed.lines().find(|line| line.ends_with(" clusters")).unwrap();
            let (used, all) = counts.split_whitespace().rev().nth(1).unwrap().split_once('/').unwrap();
            let free = all.parse::<u64>().unwrap() - used.parse::<u64>().unwrap();
            assert_eq!(map.free(), free * map.unit(), "{mkfs}: {counts}");
        }
        trample(&path, &map);
        let Some((code, output)) = run_any(&format!("fsck.vfat -n {}", path.display())) else { continue };
        assert_eq!(code, 0, "{mkfs}: {output}");
        if copied {
            for number in (0..6_u64).filter(|number| *number != 3) {
                let name = format!("::file{number}");
                let output = Command::new("mtype").arg("-i").arg(&path).arg(name).output().unwrap();
                assert!(output.stdout == content(number, 500_000), "{mkfs}: file{number}");
            }
        }
    }
}

#[test]
fn exfat_agrees_with_its_own_tools() {
    for (mkfs, size) in
        [("mkfs.exfat", 64 * MIB), ("mkfs.exfat -c 128K", 512 * MIB), ("mkfs.exfat --pack-bitmap", 64 * MIB)]
    {
        let bench = Bench::new();
        let Some(path) = bench.made("image", size, mkfs) else { continue };
        let map = map(&path);
        if let Some((_, printed)) = run_any(&format!("dump.exfat {}", path.display())) {
            let number = |name: &str| {
                let line = printed.lines().find(|line| line.trim_start().starts_with(name))?;
                line.split_whitespace().last()?.parse::<u64>().ok()
            };
            assert_eq!(Some(map.free() / map.unit()), number("Free Clusters:"), "{mkfs}: {printed}");
        }
        trample(&path, &map);
        let Some((code, output)) = run_any(&format!("fsck.exfat -n {}", path.display())) else { continue };
        assert_eq!(code, 0, "{mkfs}: {output}");
    }
}
