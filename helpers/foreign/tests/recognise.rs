//! Recorded images and what the reference tools make.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test says what is wrong")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use blockdev::{Access, Device, FileDevice, Memory};
use foreign::{BitLockerShape, Foreign, FveMethod, FveState, Protector, RaidVersion, TableKind, recognise};
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
        let fve = bitlocker.fve.as_ref().unwrap_or_else(|| panic!("{name}: no copy of the metadata fits"));
        assert_eq!((fve.version, fve.state, fve.next), (2, FveState::Encrypted, FveState::Encrypted), "{name}");
        let method = [
            ("cbc-elephant-128", FveMethod::Elephant128),
            ("cbc-elephant-256", FveMethod::Elephant256),
            ("cbc-128", FveMethod::Cbc128),
            ("cbc-256", FveMethod::Cbc256),
            ("xts-128", FveMethod::Xts128),
            ("xts-256", FveMethod::Xts256),
        ];
        let named = method.iter().find(|(part, _)| name.contains(part)).unwrap();
        assert_eq!(fve.method, named.1, "{name}");
        let clear = name.contains("clearkey") || name.contains("partially");
        assert_eq!(fve.has_clear_key(), clear, "{name}: {:?}", fve.protectors);
        assert_eq!(fve.protectors.contains(&Protector::SmartCard), name.contains("smart-card"), "{name}");
        assert_eq!(fve.protectors.contains(&Protector::StartupKey), name.contains("startup-key"), "{name}");
        let recoveries = fve.protectors.iter().filter(|one| **one == Protector::RecoveryPassword).count();
        let wanted = if name.contains("two-recovery") { 2 } else { usize::from(!name.contains("clearkey-only")) };
        assert_eq!(recoveries, wanted, "{name}: {:?}", fve.protectors);
        assert!(fve.description.is_some() && fve.guid.is_some(), "{name}");
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
    let Foreign::CoreStorage(storage) = &found[0] else { unreachable!() };
    let vault = storage.vault.as_ref().unwrap();
    assert!(vault.is_whole() && vault.users == 1, "{vault:?}");
    assert_eq!(found[0].is_encryption(), None);
}

#[test]
fn a_truecrypt_volume_has_no_signature() {
    let Some((_folder, files)) = recorded("archives/tcrypt-images.tar.xz") else { return };
    for path in files.iter().filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("tc_")) {
        assert_eq!(names(&look(path)), [""; 0], "{}", path.display());
        let dev = FileDevice::open(path, Access::Read).unwrap();
        assert!(foreign::looks_like_noise(&dev).unwrap(), "{}", path.display());
    }
}

#[test]
fn noise_is_told_from_everything_else() {
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    let noise: Vec<u8> = (0..MIB).map(|_| next()).collect();
    let is_noise = |bytes: Vec<u8>| foreign::looks_like_noise(&Memory::new(bytes)).unwrap();
    assert!(is_noise(noise.clone()));
    let mut half = noise.clone();
    half[MIB / 2..].fill(0);
    assert!(is_noise(half), "what was never written does not count");
    let mut text = noise.clone();
    text[MIB / 2..].fill(b'e');
    assert!(!is_noise(text));
    assert!(!is_noise(vec![0; MIB]));
    assert!(!is_noise(noise[..511].to_vec()));
    assert!(!is_noise((0..MIB).map(|at| b"plain words, nothing else "[at % 26]).collect()));
}

/// A list in XDR as the labels of ZFS have it.
#[test]
fn a_zfs_label_names_its_pool() {
    let mut list = vec![1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    let mut pair = |name: &str, kind: u32, value: &[u8]| {
        let mut pair = u32::try_from(name.len()).unwrap().to_be_bytes().to_vec();
        pair.extend(name.as_bytes());
        pair.resize(pair.len().next_multiple_of(4), 0);
        pair.extend(kind.to_be_bytes());
        pair.extend(1_u32.to_be_bytes());
        pair.extend(value);
        list.extend(u32::try_from(pair.len() + 8).unwrap().to_be_bytes());
        list.extend(0_u32.to_be_bytes());
        list.extend(pair);
    };
    pair("version", 8, &5000_u64.to_be_bytes());
    pair("name", 9, b"\0\0\0\x04tank");
    pair("pool_guid", 8, &77_u64.to_be_bytes());
    let uberblock = 0x00ba_b10c_u64.to_be_bytes();
    let mut pieces: Vec<(usize, &[u8])> = (0..6).map(|index| ((128 << 10) + index * 1024, &uberblock[..])).collect();
    pieces.push((16 << 10, &list));
    let found = recognise(&device(2 * MIB, &pieces)).unwrap();
    let [Foreign::Zfs(zfs)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((zfs.pool.as_deref(), zfs.guid), (Some("tank"), Some(77)));
}

#[test]
fn a_file_system_that_may_encrypt_folders_says_so() {
    let magic = 0xef53_u16.to_le_bytes();
    let says = |size, pieces: &[(usize, &[u8])]| foreign::encrypts_folders(&device(size, pieces)).unwrap();
    assert!(says(MIB, &[(1024 + 0x38, &magic), (1024 + 0x62, &[1])]));
    assert!(!says(MIB, &[(1024 + 0x38, &magic)]));
    let f2fs = 0xf2f5_2010_u32.to_le_bytes();
    assert!(says(MIB, &[(1024, &f2fs), (1024 + 2180, &[1])]));
    assert!(!says(MIB, &[(1024, &f2fs)]) && !says(1024, &[]));
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

/// A checksum of Apple's that fits.
fn seal_apfs(block: &mut [u8]) {
    let sums = block[8..].chunks(4).fold((0_u64, 0_u64), |(first, second), word| {
        let first = (first + u64::from(u32::from_le_bytes(word.try_into().unwrap()))) % 0xffff_ffff;
        (first, (second + first) % 0xffff_ffff)
    });
    let low = 0xffff_ffff - (sums.0 + sums.1) % 0xffff_ffff;
    let high = 0xffff_ffff - (sums.0 + low) % 0xffff_ffff;
    block[..8].copy_from_slice(&(high << 32 | low).to_le_bytes());
}

proptest! {
    /// Metadata of BitLocker whose checksum fits and whose numbers are anything.
    #[test]
    fn sealed_metadata_of_bitlocker_never_panic(
        noise in proptest::collection::vec(any::<u8>(), 4096),
        size in 7_u16..300,
        metadata in 0_u32..5000,
        header in 0_u32..5000,
    ) {
        let mut bytes = vec![0; 64 << 10];
        bytes[..11].copy_from_slice(b"\xeb\x58\x90-FVE-FS-");
        let guid = [0x3b, 0xd6, 0x67, 0x49, 0x29, 0x2e, 0xd8, 0x4a, 0x83, 0x99, 0xf6, 0xa3, 0x39, 0xe3, 0xd0, 0x01];
        bytes[160..176].copy_from_slice(&guid);
        bytes[176..184].copy_from_slice(&4096_u64.to_le_bytes());
        bytes[4096..8192].copy_from_slice(&noise);
        bytes[4096..4104].copy_from_slice(b"-FVE-FS-");
        bytes[4104..4106].copy_from_slice(&size.to_le_bytes());
        bytes[4106..4108].copy_from_slice(&2_u16.to_le_bytes());
        bytes[4160..4164].copy_from_slice(&metadata.to_le_bytes());
        bytes[4168..4172].copy_from_slice(&header.to_le_bytes());
        let end = 4096 + usize::from(size) * 16;
        let sum = filesystems::raw::crc32(&[&bytes[4096..end]]);
        bytes[end + 4..end + 8].copy_from_slice(&sum.to_le_bytes());
        let found = recognise(&Memory::new(bytes)).unwrap();
        prop_assert!(matches!(&found[0], Foreign::BitLocker(_)));
    }

    /// A container of APFS whose checksums fit and whose numbers are anything, small ones among them.
    #[test]
    fn sealed_blocks_of_apfs_never_panic(
        noise in proptest::collection::vec(any::<u8>(), 5 * 4096),
        numbers in proptest::collection::vec((0_usize..1024, 0_u32..6), 0..24),
    ) {
        let mut bytes = noise;
        for (index, block) in bytes.chunks_mut(4096).enumerate() {
            for (at, number) in &numbers {
                block[at * 4..at * 4 + 4].copy_from_slice(&number.to_le_bytes());
            }
            if index == 0 {
                block[32..36].copy_from_slice(b"NXSB");
                block[36..40].copy_from_slice(&4096_u32.to_le_bytes());
                block[40..48].copy_from_slice(&5_u64.to_le_bytes());
                block[104..120].copy_from_slice(&[2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
                block[160..168].copy_from_slice(&1_u64.to_le_bytes());
                block[184..192].copy_from_slice(&7_u64.to_le_bytes());
            } else {
                block[48..56].copy_from_slice(&2_u64.to_le_bytes());
                block[32] |= 4;
            }
            seal_apfs(block);
        }
        let _ = recognise(&Memory::new(bytes)).unwrap();
    }

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

/// The reference tool makes a plain volume; with its flag turned round and its checksum made anew it is
/// an encrypted one.
#[test]
fn volumes_of_an_apfs_container_say_whether_they_are_encrypted() {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    let Some(mkapfs) = folders.find_map(|folder| Some(folder.join("mkapfs")).filter(|tool| tool.exists())) else {
        eprintln!("left out: mkapfs is not installed");
        return;
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(1 << 30).unwrap();
    let made = Command::new(mkapfs).args(["-L", "Macintosh HD"]).arg(file.path()).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let found = look(file.path());
    let [Foreign::Apfs(apfs)] = &found[..] else { panic!("{found:?}") };
    let [volume] = &apfs.volumes[..] else { panic!("{apfs:?}") };
    assert!(apfs.complete && !apfs.keybag && !volume.encrypted && !volume.converting && volume.holds_data());
    assert_eq!(volume.name.as_deref(), Some("Macintosh HD"));

    let dev = FileDevice::open(file.path(), Access::Exclusive).unwrap();
    let is_volume = |at: &u64| dev.read_vec(*at + 32, 4).unwrap() == b"APSB";
    let at = (0..dev.size()).step_by(4096).filter(is_volume).last().unwrap();
    let mut block = dev.read_vec(at, 4096).unwrap();
    block[264] &= !1;
    dev.write_at(at, &block).unwrap();
    assert!(
        matches!(&recognise(&dev).unwrap()[..], [Foreign::Apfs(apfs)] if !apfs.complete && apfs.volumes.is_empty()),
        "a checksum that does not fit"
    );
    seal_apfs(&mut block);
    dev.write_at(at, &block).unwrap();
    assert!(
        matches!(&recognise(&dev).unwrap()[..], [Foreign::Apfs(apfs)] if apfs.complete && apfs.volumes[0].encrypted)
    );
}
