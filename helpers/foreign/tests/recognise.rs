//! Recorded images and what the reference tools make.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test says what is wrong")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use blockdev::{Access, Device, FileDevice, Memory};
use foreign::{BitLockerShape, Foreign, RaidVersion, TableKind, recognise};
use proptest::prelude::*;

const MIB: usize = 1 << 20;

fn names(found: &[Foreign]) -> Vec<&'static str> {
    found.iter().map(Foreign::name).collect()
}

fn look(path: &Path) -> Vec<Foreign> {
    recognise(&FileDevice::open(path, Access::Read).unwrap()).unwrap()
}

/// A recorded image or the members of a recorded archive, unpacked into a folder of its own; `None`, with a line
/// that says so, where it is missing.
fn recorded(name: &str) -> Option<(tempfile::TempDir, Vec<PathBuf>)> {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/luks").join(name);
    if !packed.exists() {
        eprintln!("left out: no recorded image {name}");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    if name.ends_with(".tar.xz") {
        let status = Command::new("tar").arg("-xJf").arg(&packed).arg("-C").arg(folder.path()).status().unwrap();
        assert!(status.success());
    } else {
        let output = std::fs::File::create(folder.path().join(packed.file_stem().unwrap())).unwrap();
        assert!(Command::new("xz").arg("-dc").arg(&packed).stdout(output).status().unwrap().success());
    }
    let mut files = Vec::new();
    let mut folders = vec![folder.path().to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Some((folder, files))
}

#[test]
fn every_recorded_bitlocker_image() {
    let Some((_folder, files)) = recorded("archives/bitlk-images.tar.xz") else { return };
    let mut seen = 0;
    for path in files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "img")) {
        let found = look(path);
        println!("{}: {found:?}", path.display());
        assert_eq!(names(&found), ["BitLocker"], "{}", path.display());
        let Foreign::BitLocker(bitlocker) = &found[0] else { unreachable!() };
        assert!(bitlocker.metadata_found || bitlocker.shape == BitLockerShape::OnWrite, "{}", path.display());
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(bitlocker.shape == BitLockerShape::ToGo, name.contains("togo"), "{name}");
        assert_eq!(
            bitlocker.shape == BitLockerShape::OnWrite,
            name.contains("eow") || name.contains("partially"),
            "{name}"
        );
        // The boot sector that looks like FAT32 or NTFS to others is not taken for one.
        let dev = FileDevice::open(path, Access::Read).unwrap();
        assert_eq!(filesystems::probe(&dev).unwrap(), None, "{name}");
        seen += 1;
    }
    assert!(seen >= 20, "{seen}");
}

#[test]
fn recorded_luks1() {
    for name in ["archives/compatimage.img.xz", "archives/compatv10image.img.xz"] {
        let Some((_folder, files)) = recorded(name) else { continue };
        let found = look(&files[0]);
        println!("{found:?}");
        let [Foreign::Luks1(luks)] = &found[..] else { panic!("{name}: {found:?}") };
        assert_eq!(luks.cipher, "aes");
        assert!(luks.payload_offset > 0 && matches!(luks.key_bytes, 16 | 32 | 64) && luks.keyslots > 0);
        assert_eq!(luks.uuid.as_ref().map(String::len), Some(36));
    }
    let Some((_folder, files)) = recorded("archives/luks1-images.tar.xz") else { return };
    let images: Vec<_> = files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "img")).collect();
    assert!(images.len() >= 10);
    for path in images {
        let found = look(path);
        println!("{}: {found:?}", path.display());
        assert_eq!(names(&found), ["luks1"], "{}", path.display());
    }
}

#[test]
fn recorded_luks2() {
    for (name, primary, secondary, also) in [
        ("header-damage/images/h00-good.img.xz", true, Some(0x4000), None),
        ("archives/luks2_valid_hdr.img.xz", true, Some(0x4000), None),
        ("archives/compatimage2.img.xz", true, Some(0x4000), None),
        ("archives/blkid-luks2-pv.img.xz", false, Some(0x4000), Some("LVM2_member")),
    ] {
        let Some((_folder, files)) = recorded(name) else { continue };
        let found = look(&files[0]);
        println!("{name}: {found:?}");
        let Foreign::Luks2(luks) = &found[0] else { panic!("{name}: {found:?}") };
        assert_eq!((luks.primary, luks.secondary), (primary, secondary), "{name}");
        assert_eq!(found.get(1).map(Foreign::name), also, "{name}");
        if let Some(Foreign::Lvm2(lvm)) = found.get(1) {
            assert!(lvm.intact && lvm.uuid.is_some());
        }
    }
}

#[test]
fn every_size_of_a_luks2_header() {
    let Some((_folder, files)) = recorded("archives/luks2_mda_images.tar.xz") else { return };
    let mut places = std::collections::BTreeSet::new();
    for path in files {
        let found = look(&path);
        println!("{}: {found:?}", path.display());
        let [Foreign::Luks2(luks)] = &found[..] else { panic!("{}: {found:?}", path.display()) };
        places.insert(luks.secondary.unwrap());
    }
    assert_eq!(places.len(), 9, "{places:x?}");
}

#[test]
fn recorded_core_storage() {
    let Some((_folder, files)) = recorded("archives/fvault2-images.tar.xz") else { return };
    let found = look(&files[0]);
    println!("{found:?}");
    assert_eq!(names(&found), ["CoreStorage"]);
    assert_eq!(found[0].is_encryption(), None);
}

#[test]
fn a_truecrypt_volume_has_no_signature() {
    let Some((_folder, files)) = recorded("archives/tcrypt-images.tar.xz") else { return };
    for path in files.iter().filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("tc_")) {
        assert_eq!(names(&look(path)), [""; 0], "{}", path.display());
    }
}

/// Runs sfdisk on a new file; `None`, with a line that says so, where it is missing.
fn sfdisk(script: &str, arguments: &[&str]) -> Option<tempfile::NamedTempFile> {
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(64 << 20).unwrap();
    let program = ["/usr/sbin/sfdisk", "/sbin/sfdisk"].into_iter().find(|path| Path::new(path).exists());
    let Some(program) = program else {
        eprintln!("left out: sfdisk is not installed");
        return None;
    };
    use std::io::Write;
    let mut child =
        Command::new(program).args(arguments).arg("-q").arg(file.path()).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    Some(file)
}

fn table(path: &Path) -> foreign::PartitionTable {
    let found = look(path);
    let [Foreign::PartitionTable(table)] = &found[..] else { panic!("{found:?}") };
    table.clone()
}

#[test]
fn a_gpt_and_each_of_its_copies() {
    use std::os::unix::fs::FileExt;
    let script = "label: gpt\nlabel-id: 12345678-9abc-def0-1234-56789abcdef0\nstart=2048, size=8192, type=U, name=\"EFI Ä\"\nsize=20480, type=L\n";
    let Some(file) = sfdisk(script, &[]) else { return };
    let whole = table(file.path());
    assert_eq!(whole.kind, TableKind::Gpt { primary: true, backup: true });
    assert_eq!(whole.uuid.as_deref(), Some("12345678-9abc-def0-1234-56789abcdef0"));
    let [efi, linux] = &whole.partitions[..] else { panic!("{whole:?}") };
    assert_eq!((efi.number, efi.start, efi.size), (1, 1 << 20, 4 << 20));
    assert_eq!((efi.kind.as_str(), efi.name.as_deref()), ("c12a7328-f81f-11d2-ba4b-00a0c93ec93b", Some("EFI Ä")));
    assert_eq!((linux.start, linux.size), (5 << 20, 10 << 20));

    let raw = file.as_file();
    raw.write_all_at(&[0xff], 600).unwrap();
    let second = table(file.path());
    assert_eq!(second.kind, TableKind::Gpt { primary: false, backup: true });
    assert_eq!(second.partitions, whole.partitions);
    // With both gone the protective MBR still says that somebody lives here.
    raw.write_all_at(&[0xff], (64 << 20) - 512 + 80).unwrap();
    assert_eq!(table(file.path()).kind, TableKind::Mbr);
}

#[test]
fn an_mbr_is_told_from_boot_sectors() {
    let Some(file) =
        sfdisk("label: dos\nlabel-id: 0x1234abcd\nstart=2048, size=4096, type=c\nsize=8192, type=83, bootable\n", &[])
    else {
        return;
    };
    let found = table(file.path());
    assert_eq!((found.kind, found.uuid.as_deref()), (TableKind::Mbr, Some("1234abcd")));
    assert_eq!(found.partitions.len(), 2);
    assert_eq!((found.partitions[1].start, found.partitions[1].size), (3 << 20, 4 << 20));
    assert_eq!(found.partitions[1].kind, "83");

    for line in [
        "mkfs.vfat",
        "mkfs.vfat -F 32 -s 1 --mbr=y",
        "mkfs.vfat -F 12 -s 128",
        "mkfs.exfat",
        "mkntfs -F -Q -q",
        "mkfs.ext4 -q -F",
        "mkswap",
        "mkfs.btrfs -q",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(128 << 20).unwrap();
        let Some(program) = ["/usr/sbin", "/sbin"].iter().map(|at| Path::new(at).join(words[0])).find(|at| at.exists())
        else {
            eprintln!("left out: {} is not installed", words[0]);
            continue;
        };
        let made = Command::new(program).args(&words[1..]).arg(file.path()).output().unwrap();
        assert!(made.status.success(), "{line}: {made:?}");
        assert_eq!(names(&look(file.path())), [""; 0], "{line}");
    }
}

/// Puts bytes at an offset of an empty device.
fn device(size: usize, pieces: &[(usize, &[u8])]) -> Memory {
    let mut bytes = vec![0; size];
    for (at, piece) in pieces {
        bytes[*at..at + piece.len()].copy_from_slice(piece);
    }
    Memory::new(bytes)
}

#[test]
fn raid_superblocks_are_found_where_they_belong() {
    let magic = 0xa92b_4efc_u32.to_le_bytes();
    for (version, place) in [(RaidVersion::V1_2, 4096), (RaidVersion::V1_1, 0), (RaidVersion::V1_0, 4 * MIB - 8192)] {
        let own_place = (place as u64 / 512).to_le_bytes();
        let pieces: [(usize, &[u8]); 7] = [
            (place, &magic),
            (place + 4, &[1]),
            (place + 16, &[7; 16]),
            (place + 32, b"host:0"),
            (place + 72, &[1]),
            (place + 92, &[2]),
            (place + 144, &own_place),
        ];
        let found = recognise(&device(4 * MIB, &pieces)).unwrap();
        let [Foreign::Raid(raid)] = &found[..] else { panic!("{found:?}") };
        assert_eq!((raid.version, raid.level, raid.members, raid.name.as_deref()), (version, 1, 2, Some("host:0")));
        // One that was copied elsewhere is none.
        assert!(recognise(&device(8 * MIB, &[pieces[0], pieces[1], (place + 144, &[9])])).unwrap().is_empty());
    }
    let place = 4 * MIB - (64 << 10);
    let found =
        recognise(&device(4 * MIB, &[(place, &magic), (place + 8, &[90]), (place + 28, &[5]), (place + 40, &[3])]));
    let found = found.unwrap();
    let [Foreign::Raid(raid)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((raid.version, raid.level, raid.members), (RaidVersion::V0_90, 5, 3));
}

#[test]
fn other_signatures() {
    let uberblock = 0x00ba_b10c_u64.to_be_bytes();
    let rings: Vec<(usize, &[u8])> = (0..6).map(|index| ((128 << 10) + index * 1024, &uberblock[..])).collect();
    assert_eq!(names(&recognise(&device(2 * MIB, &rings)).unwrap()), ["zfs_member"]);
    assert_eq!(names(&recognise(&device(2 * MIB, &rings[..1])).unwrap()), [""; 0]);

    let bcache = [0xc6, 0x85, 0x73, 0xf6, 0x4e, 0x1a, 0x45, 0xca, 0x82, 0x65, 0xf5, 0x7f, 0x48, 0xba, 0x6d, 0x81];
    let found = recognise(&device(MIB, &[(4096 + 8, &[8]), (4096 + 16, &[1]), (4096 + 24, &bcache)])).unwrap();
    assert!(matches!(&found[..], [Foreign::Bcache(bcache)] if !bcache.is_cache));

    assert_eq!(names(&recognise(&device(MIB, &[(4096 - 10, b"S1SUSPEND")])).unwrap()), ["swsuspend"]);
    let apfs = recognise(&device(MIB, &[(32, b"NXSB"), (36, &4096_u32.to_le_bytes()), (40, &[100])])).unwrap();
    assert!(matches!(&apfs[..], [Foreign::Apfs(apfs)] if apfs.size == 409_600));
    let intel = recognise(&device(MIB, &[(MIB - 1024, b"Intel Raid ISM Cfg Sig. ")])).unwrap();
    assert_eq!(names(&intel), ["isw_raid_member"]);
}

#[test]
fn tiny_and_empty_devices() {
    for size in [0, 1, 511, 512, 513, 1024, 4095, 4096, 8192, 65536, 262_144, MIB] {
        for fill in [0, 0xff, 0x55] {
            assert_eq!(recognise(&Memory::new(vec![fill; size])).unwrap(), [], "{size} {fill:#x}");
        }
    }
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..70_000)) {
        let _ = recognise(&Memory::new(bytes)).unwrap();
    }

    #[test]
    fn signatures_with_random_fields_never_panic(
        which in 0..10_usize,
        noise in proptest::collection::vec(any::<u8>(), 12 << 10),
        size in (12_usize << 10)..(80 << 10),
    ) {
        let mut bytes = noise;
        bytes.resize(size, 0xff);
        let dev = Memory::new(bytes);
        let marks: [&[(u64, &[u8])]; 10] = [
            &[(0, b"LUKS\xba\xbe\0\x01")],
            &[(0x4000, b"SKUL\xba\xbe\0\x02"), (0, b"LUKS\xba\xbe\0\x02")],
            &[(3, b"-FVE-FS-")],
            &[(88, b"CS"), (8, &[1, 0]), (90, &[1, 0, 0, 0])],
            &[(32, b"NXSB"), (36, &[0, 16, 0, 0])],
            &[(512, b"LABELONE\x01\0\0\0\0\0\0\0"), (512 + 24, b"LVM2 001")],
            &[(4096, &[0xfc, 0x4e, 0x2b, 0xa9, 1, 0, 0, 0])],
            &[(512, b"EFI PART"), (512 + 12, &[92, 0, 0, 0]), (512 + 24, &[1, 0, 0, 0, 0, 0, 0, 0])],
            &[(510, &[0x55, 0xaa]), (446, &[0]), (462, &[0]), (478, &[0]), (494, &[0])],
            &[(0, &[0xeb]), (510, &[0x55, 0xaa]), (11, &[0, 2, 1, 1, 0, 2])],
        ];
        for (at, mark) in marks[which] {
            if at + mark.len() as u64 <= dev.size() {
                dev.write_at(*at, mark).unwrap();
            }
        }
        let _ = recognise(&dev).unwrap();
        let _ = filesystems::probe(&dev);
    }
}
