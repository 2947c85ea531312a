//! What the reference tools make is found as they made it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test says what is wrong")]

mod common;

use common::{Bench, MIB, blkid, open, recorded, run};
use filesystems::{Error, External, Found, Kind, Trouble, probe};

/// Size in MiB, command, kind, size in bytes by arithmetic, block size.
struct Case(u64, &'static str, Kind, Option<u64>, u32);

#[test]
fn each_file_system_is_found_with_its_own_numbers() {
    let cases = [
        Case(16, "mkfs.ext2 -q -F -L Grün -b 1024", Kind::Ext2, Some(16 * MIB), 1024),
        Case(16, "mkfs.ext2 -q -F -r 0", Kind::Ext2, Some(16 * MIB), 1024),
        Case(64, "mkfs.ext3 -q -F -b 2048 -L three", Kind::Ext3, Some(64 * MIB), 2048),
        Case(64, "mkfs.ext4 -q -F -b 4096 -L four", Kind::Ext4, Some(64 * MIB), 4096),
        Case(64, "mkfs.ext4 -q -F -b 1024 -O ^64bit,^metadata_csum", Kind::Ext4, Some(64 * MIB), 1024),
        Case(300, "mkfs.ext4 -q -F -b 4096 -O bigalloc -C 65536", Kind::Ext4, Some(300 * MIB), 4096),
        Case(300, "mkfs.ext4 -q -F -b 4096 -O meta_bg,^resize_inode", Kind::Ext4, Some(300 * MIB), 4096),
        Case(2, "mkfs.vfat -F 12 -n TWELVE", Kind::Fat12, Some(2 * MIB), 512),
        Case(32, "mkfs.vfat -F 16 -n SIXTEEN", Kind::Fat16, Some(32 * MIB), 512),
        Case(300, "mkfs.vfat -F 32 -n THIRTYTWO", Kind::Fat32, Some(314_560_512), 512),
        Case(300, "mkfs.vfat -F 32 -S 4096 -s 1", Kind::Fat32, None, 4096),
        Case(64, "mkfs.vfat", Kind::Fat16, None, 512),
        Case(64, "mkfs.exfat -L Stick", Kind::ExFat, Some(64 * MIB), 512),
        Case(16, "mkntfs -F -Q -q -L Daten", Kind::Ntfs, Some(16 * MIB), 512),
        Case(64, "mkntfs -F -Q -q -c 65536", Kind::Ntfs, Some(64 * MIB), 512),
        Case(64, "mkntfs -F -Q -q -s 4096", Kind::Ntfs, Some(64 * MIB), 4096),
        Case(128, "mkfs.btrfs -q -L butter", Kind::Btrfs, Some(128 * MIB), 4096),
        Case(128, "mkfs.btrfs -q --csum xxhash", Kind::Btrfs, Some(128 * MIB), 4096),
        Case(128, "mkfs.btrfs -q --csum sha256", Kind::Btrfs, Some(128 * MIB), 4096),
        Case(128, "mkfs.btrfs -q --csum blake2", Kind::Btrfs, Some(128 * MIB), 4096),
        Case(320, "mkfs.xfs -q -L exes", Kind::Xfs, Some(320 * MIB), 512),
        Case(320, "mkfs.xfs -q -s size=4096", Kind::Xfs, Some(320 * MIB), 4096),
        Case(320, "mkfs.xfs -q -m crc=0", Kind::Xfs, Some(320 * MIB), 512),
        Case(8, "mkswap -L pages", Kind::Swap, Some(8 * MIB), 4096),
        Case(8, "mkswap -p 16384", Kind::Swap, Some(8 * MIB), 16384),
        Case(128, "mkfs.f2fs -q -f -l flash", Kind::F2fs, Some(128 * MIB), 4096),
    ];
    for Case(mib, command, kind, size, block) in cases {
        let bench = Bench::new();
        let Some(path) = bench.made("image", mib * MIB, command) else { continue };
        let found = probe(&open(&path)).unwrap().unwrap_or_else(|| panic!("{command}: nothing found"));
        println!("{command}: {found:?}");
        assert_eq!(found.kind, kind, "{command}");
        assert_eq!(found.block_size, block, "{command}");
        if let Some(size) = size {
            assert_eq!(found.size, size, "{command}");
        }
        assert!(found.size <= mib * MIB, "{command}");
        assert_ne!(found.clean, Some(false), "{command}: {found:?}");
        assert_eq!(found.external, None, "{command}");
        agrees_with_blkid(&path, &found, command);
    }
}

fn agrees_with_blkid(path: &std::path::Path, found: &Found, command: &str) {
    let Some(theirs) = blkid(path) else { return };
    let text = |name: &str| theirs.get(name).cloned();
    assert_eq!(text("TYPE").as_deref(), Some(found.kind.name()), "{command}: {theirs:?}");
    assert_eq!(
        text("UUID").map(|uuid| uuid.to_lowercase()),
        found.uuid.clone().map(|uuid| uuid.to_lowercase()),
        "{command}"
    );
    // Anything but ASCII comes out of blkid in its own escapes.
    if found.label.as_ref().is_none_or(|label| label.is_ascii()) {
        assert_eq!(text("LABEL"), found.label, "{command}");
    }
    if let Some(size) = text("BLOCK_SIZE") {
        assert_eq!(size, found.block_size.to_string(), "{command}");
    }
    if let Some(size) =
        text("FSSIZE").filter(|_| !matches!(found.kind, Kind::Xfs | Kind::Swap | Kind::Ext2 | Kind::Ext3 | Kind::Ext4))
    {
        // Those that are left out report what is usable, not what is needed.
        assert_eq!(size, found.size.to_string(), "{command}");
    }
}

#[test]
fn the_size_is_the_file_systems_and_not_the_devices() {
    let cases = [
        ("mkfs.ext4 -q -F", Kind::Ext4, 40 * MIB, "40M"),
        // Whole tracks of 63 sectors: 1300 of them.
        ("mkfs.vfat -F 16", Kind::Fat16, 41_932_800, "40960"),
        ("mkfs.btrfs -q -b 120M", Kind::Btrfs, 120 * MIB, ""),
        ("mkfs.xfs -q -d size=310m", Kind::Xfs, 310 * MIB, ""),
        ("mkntfs -F -Q -q", Kind::Ntfs, 40 * MIB, "81920"),
    ];
    for (command, kind, size, end) in cases {
        let bench = Bench::new();
        let path = bench.file("image", 330 * MIB);
        if run(&format!("{command} {} {end}", path.display())).is_none() {
            continue;
        }
        let found = probe(&open(&path)).unwrap().unwrap();
        assert_eq!((found.kind, found.size), (kind, size), "{command}");
    }
}

#[test]
fn a_device_that_is_too_short_is_told() {
    for (command, name) in [
        ("mkfs.ext4 -q -F", "ext4"),
        ("mkfs.vfat", "vfat"),
        ("mkfs.exfat", "exfat"),
        ("mkfs.btrfs -q", "btrfs"),
        ("mkntfs -F -Q -q", "ntfs"),
        ("mkswap", "swap"),
    ] {
        let bench = Bench::new();
        let Some(path) = bench.made("image", 128 * MIB, command) else { continue };
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(100 * MIB).unwrap();
        match probe(&open(&path)) {
            Err(Error::Truncated { kind, size, device }) => {
                assert_eq!((kind.name(), size, device), (name, 128 * MIB, 100 * MIB));
            }
            other => panic!("{command}: {other:?}"),
        }
    }
}

#[test]
fn ntfs_without_its_last_sector_is_still_whole() {
    let bench = Bench::new();
    let Some(path) = bench.made("image", 16 * MIB, "mkntfs -F -Q -q") else { return };
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(16 * MIB - 512).unwrap();
    assert_eq!(probe(&open(&path)).unwrap().unwrap().size, 16 * MIB - 512);
}

#[test]
fn a_file_system_on_several_devices_is_refused() {
    let bench = Bench::new();
    let (one, two) = (bench.file("one", 128 * MIB), bench.file("two", 128 * MIB));
    if run(&format!("mkfs.btrfs -q -d single -m raid1 {} {}", one.display(), two.display())).is_none() {
        return;
    }
    for path in [one, two] {
        assert!(matches!(probe(&open(&path)), Err(Error::ManyDevices { kind: Kind::Btrfs, devices: 2 })));
    }
}

#[test]
fn an_external_journal_is_seen() {
    let bench = Bench::new();
    let (fs, log) = (bench.file("fs", 320 * MIB), bench.file("log", 80 * MIB));
    let line = format!("mkfs.xfs -q -l logdev={},size=64m {}", log.display(), fs.display());
    if run(&line).is_some() {
        assert_eq!(probe(&open(&fs)).unwrap().unwrap().external, Some(External::Journal));
    }
    if run(&format!("mke2fs -q -F -O journal_dev -b 4096 {}", log.display())).is_some() {
        let found = probe(&open(&log)).unwrap().unwrap();
        assert_eq!((found.kind, found.size), (Kind::ExtJournal, 80 * MIB));
    }
}

#[test]
fn what_is_not_clean_is_told() {
    let bench = Bench::new();
    let poke = |path: &std::path::Path, offset: u64, bytes: &[u8]| {
        use std::os::unix::fs::FileExt;
        std::fs::OpenOptions::new().write(true).open(path).unwrap().write_all_at(bytes, offset).unwrap();
    };
    let trouble = |path: &std::path::Path| {
        let found = probe(&open(path)).unwrap().unwrap();
        assert_eq!(found.clean, Some(found.trouble.is_none()));
        found.trouble
    };
    if let Some(path) = bench.made("ext", 32 * MIB, "mkfs.ext4 -q -F") {
        for (request, expected) in
            [("feature needs_recovery", Trouble::JournalPending), ("ssv state 2", Trouble::Errors)]
        {
            let finished = std::process::Command::new("/usr/sbin/debugfs")
                .args(["-w", "-R", request])
                .arg(&path)
                .output()
                .unwrap();
            assert!(finished.status.success());
            assert_eq!(trouble(&path), Some(expected), "{request}");
        }
    }
    if let Some(path) = bench.made("fat32", 300 * MIB, "mkfs.vfat -F 32") {
        assert_eq!(trouble(&path), None);
        poke(&path, 65, &[1]);
        assert_eq!(trouble(&path), Some(Trouble::NotClosed));
        poke(&path, 65, &[0]);
        // The FAT follows 32 reserved sectors; its second entry has the flags.
        poke(&path, 32 * 512 + 7, &[0x07]);
        assert_eq!(trouble(&path), Some(Trouble::NotClosed));
        poke(&path, 32 * 512 + 7, &[0x0b]);
        assert_eq!(trouble(&path), Some(Trouble::Errors));
    }
    if let Some(path) = bench.made("exfat", 64 * MIB, "mkfs.exfat") {
        poke(&path, 106, &[2]);
        assert_eq!(trouble(&path), Some(Trouble::NotClosed));
    }
    let hibernation = bench.0.path().join("hiberfil.sys");
    for (mark, expected) in
        [(b"wake", None), (b"hibr", Some(Trouble::Hibernated)), (b"HIBR", Some(Trouble::Hibernated))]
    {
        let Some(path) = bench.made("ntfs", 32 * MIB, "mkntfs -F -Q -q") else { continue };
        assert_eq!(trouble(&path), None);
        let mut content = vec![0; 100_000];
        content[..4].copy_from_slice(mark);
        std::fs::write(&hibernation, &content).unwrap();
        if run(&format!("ntfscp -f {} {} /hiberfil.sys", path.display(), hibernation.display())).is_some() {
            assert_eq!(trouble(&path), expected, "{mark:?}");
        }
    }
}

#[test]
fn a_damaged_superblock_is_not_believed() {
    use std::os::unix::fs::FileExt;
    for (command, offset, kind) in [
        ("mkfs.ext4 -q -F", 1024 + 4, Kind::Ext4),
        ("mkfs.btrfs -q", 65536 + 0xd1, Kind::Btrfs),
        ("mkfs.exfat", 73, Kind::ExFat),
    ] {
        let bench = Bench::new();
        let Some(path) = bench.made("image", 128 * MIB, command) else { continue };
        let file = std::fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
        let mut byte = [0];
        file.read_exact_at(&mut byte, offset).unwrap();
        file.write_all_at(&[byte[0] ^ 0x20], offset).unwrap();
        assert!(matches!(probe(&open(&path)), Err(Error::Damaged { kind: it, .. }) if it == kind), "{command}");
    }
}

#[test]
fn two_file_systems_at_once_are_ambiguous() {
    let bench = Bench::new();
    let (Some(ext), Some(butter)) =
        (bench.made("ext", 128 * MIB, "mkfs.ext4 -q -F -b 4096"), bench.made("butter", 128 * MIB, "mkfs.btrfs -q"))
    else {
        return;
    };
    let superblock = blockdev::Device::read_vec(&open(&ext), 1024, 1024).unwrap();
    use std::os::unix::fs::FileExt;
    std::fs::OpenOptions::new().write(true).open(&butter).unwrap().write_all_at(&superblock, 1024).unwrap();
    assert!(matches!(probe(&open(&butter)), Err(Error::Ambiguous { first: Kind::Ext4, second: Kind::Btrfs })));
}

#[test]
fn recorded_file_systems_are_found() {
    for (name, kind, sector) in [
        ("archives/img_fs_ext4.img.xz", Kind::Ext4, 4096),
        ("archives/img_fs_vfat.img.xz", Kind::Fat12, 4096),
        ("archives/img_fs_xfs.img.xz", Kind::Xfs, 4096),
        ("archives/img_fs_xfs5.img.xz", Kind::Xfs, 4096),
        ("archives/xfs_512_block_size.img.xz", Kind::Xfs, 512),
        ("reencrypt-states/images/plain.img.xz", Kind::Ext4, 1024),
        ("reencrypt-states/images/plain4k.img.xz", Kind::Ext4, 4096),
    ] {
        let bench = Bench::new();
        let Some(path) = recorded(&bench, name) else { continue };
        let result = probe(&open(&path));
        println!("{name}: {result:?}");
        let found = result.unwrap().unwrap();
        assert_eq!((found.kind, found.max_sector_size()), (kind, sector), "{name}");
        agrees_with_blkid(&path, &found, name);
    }
}
