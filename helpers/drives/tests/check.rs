//! Images: what lies on them, the verdict, the conditions.

#![allow(clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.
#![cfg(target_os = "linux")] // Recorded machines have links in their folders.

mod common;

use std::path::PathBuf;

use common::{Machine, bytes};
use drives::{check, inspect};
use model::{Bus, Outcome, Verdict};
use tempfile::TempDir;

/// An image file with these bytes.
fn image(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my drive.img");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// Content, verdict and code of the reason.
fn seen(bytes: &[u8]) -> (String, Verdict, String) {
    let (_folder, path) = image(bytes);
    let seen = inspect(&path).unwrap();
    let volume = &seen.drive.volumes[0];
    (volume.content.0.clone(), volume.judged.verdict, volume.judged.reason.code.clone())
}

fn is(bytes: &[u8], content: &str, verdict: Verdict, reason: &str) {
    assert_eq!(seen(bytes), (content.to_owned(), verdict, reason.to_owned()));
}

#[test]
fn verdicts_on_images() {
    is(&bytes::luks2(), "luks2", Verdict::Protected, "luks2");
    is(&bytes::luks2_without_keyslot(), "luks2", Verdict::Unknown, "luks-no-keyslot");
    is(&bytes::luks2_null_cipher(), "luks2", Verdict::NotProtected, "null-cipher");
    is(&bytes::luks2_newer(), "luks2", Verdict::Unknown, "luks-newer");
    is(&bytes::swap(), "swap", Verdict::NotProtected, "swap");
    is(&bytes::lvm_member(), "LVM2_member", Verdict::Unknown, "member-inactive");
    is(&bytes::bitlocker(), "BitLocker", Verdict::Locked, "bitlocker");
    is(&bytes::noise(), "unknown", Verdict::Unknown, "looks-random");
    is(&[0; 1 << 20], "empty", Verdict::Unknown, "blank");
    is(&[], "empty", Verdict::Unknown, "blank");
    is(b"x", "unknown", Verdict::Unknown, "nothing-known");
    if let Some(ext4) = bytes::ext4() {
        is(&ext4, "ext4", Verdict::NotProtected, "plain");
    }
}

#[test]
fn damaged_headers_are_named_and_never_mended_here() {
    let whole = bytes::luks2();
    let size = usize::try_from(luks::NEW_HEADER_SIZE).unwrap();
    let mut first = whole.clone();
    first[..size].fill(0);
    is(&first, "luks2", Verdict::Protected, "luks2-one-copy");
    let mut both = whole.clone();
    both[600] ^= 1;
    both[size + 600] ^= 1;
    is(&both, "luks2", Verdict::Unknown, "luks-damaged");
    let (_folder, path) = image(&first);
    let before = first;
    inspect(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn the_rest_of_an_older_header_does_not_make_a_file_system_green() {
    let Some(mut ext4) = bytes::ext4() else { return };
    let size = usize::try_from(luks::NEW_HEADER_SIZE).unwrap();
    ext4[size..2 * size].copy_from_slice(&bytes::luks2()[size..2 * size]);
    is(&ext4, "ext4", Verdict::NotProtected, "plain-leftover");
    let (_folder, path) = image(&ext4);
    assert_eq!(check(&path).unwrap().refusal().unwrap().reason.code, "leftover-header");
    // `pvcreate` on a LUKS2 volume: the second copy still opens it.
    let mut member = bytes::luks2();
    member[..4096].copy_from_slice(&bytes::lvm_member()[..4096]);
    is(&member, "luks2", Verdict::Unknown, "luks-damaged");
}

#[test]
fn luks2_with_the_help_of_the_drive_and_with_integrity() {
    is(&bytes::luks2_by_drive(true), "luks2", Verdict::Protected, "luks2-by-drive");
    is(&bytes::luks2_by_drive(false), "luks2", Verdict::Protected, "luks2-both");
    is(&bytes::luks2_with_integrity(), "luks2", Verdict::Protected, "luks2");
    let (_folder, path) = image(&bytes::luks2_with_integrity());
    let facts = &inspect(&path).unwrap().drive.volumes[0].facts;
    assert_eq!(facts["integrity"].value.as_deref(), Some("aead"));
    assert_eq!(
        (facts["keyslots"].value.as_deref(), facts["keyslots"].origin.as_str()),
        (Some("1"), "read on the medium")
    );
}

#[test]
fn a_signature_of_luks_under_a_living_file_system_is_a_leftover() {
    let Some(ext4) = bytes::ext4() else { return };
    for signature in [&b"LUKS\xba\xbe"[..], b"LUKS\xba\xbe\0\x01aes", b"LUKS\xba\xbe\0\x02", b"LUKS\xba\xbe\xff\xff"] {
        let mut bytes = ext4.clone();
        bytes[..signature.len()].copy_from_slice(signature);
        is(&bytes, "ext4", Verdict::NotProtected, "plain-leftover");
    }
    // The whole of an older LUKS1 header in the sectors that ext4 leaves alone.
    let Some(luks1) = luks1() else { return };
    let mut bytes = ext4;
    bytes[..592].copy_from_slice(&luks1[..592]);
    is(&bytes, "ext4", Verdict::NotProtected, "plain-leftover");
    // And a superblock of ext4 that LUKS1 left alone: its tables are gone.
    let mut bytes = luks1;
    bytes.resize(4 << 20, 0x5a);
    bytes[1024..2048].copy_from_slice(&bytes::ext4().unwrap()[1024..2048]);
    is(&bytes, "luks1", Verdict::Protected, "luks1");
}

/// A header of LUKS1 with its keyslots, by the system's own tool. `None` where that is missing.
fn luks1() -> Option<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let (file, key) = (folder.path().join("luks1.img"), folder.path().join("key"));
    std::fs::File::create(&file).unwrap().set_len(4 << 20).unwrap();
    std::fs::write(&key, "password").unwrap();
    let words = ["luksFormat", "--batch-mode", "--type", "luks1", "--pbkdf-force-iterations", "1000"];
    let done = std::process::Command::new("/usr/sbin/cryptsetup").args(words).arg(&file).arg(&key).status();
    match done {
        Ok(status) if status.success() => Some(std::fs::read(&file).unwrap()),
        _ => {
            eprintln!("left out: cryptsetup is not here");
            None
        }
    }
}

/// An image with an MBR and these partitions.
fn partitioned(parts: &[(u8, &[u8])]) -> Vec<u8> {
    let mut whole = vec![0; 1 << 20];
    whole[510..512].copy_from_slice(&[0x55, 0xaa]);
    for (index, (kind, bytes)) in parts.iter().enumerate() {
        let entry = 446 + index * 16;
        let sector = |length: usize| u32::try_from(length / 512).unwrap().to_le_bytes();
        let start = sector(whole.len());
        whole[entry + 4] = *kind;
        whole[entry + 8..entry + 12].copy_from_slice(&start);
        whole[entry + 12..entry + 16].copy_from_slice(&sector(bytes.len()));
        whole.extend_from_slice(bytes);
    }
    whole
}

#[test]
fn an_image_of_a_whole_drive_is_judged_by_its_partitions() {
    let Some(ext4) = bytes::ext4() else { return };
    let drive = |parts: &[(u8, &[u8])]| {
        let (_folder, path) = image(&partitioned(parts));
        let seen = inspect(&path).unwrap();
        assert_eq!(check(&path).unwrap().refusal().unwrap().reason.code, "partitions");
        seen.drive
    };
    let mixed = drive(&[(0x83, &bytes::luks2()), (0x83, &ext4)]);
    assert_eq!((mixed.volumes.len(), mixed.judged.verdict), (2, Verdict::PartlyProtected));
    assert!(mixed.volumes[1].id.0.ends_with("my drive.img#2"), "{mixed:#?}");
    let usual = drive(&[(0xef, &ext4), (0x83, &bytes::luks2())]);
    assert_eq!(
        (usual.judged.verdict, usual.judged.reason.code.as_str()),
        (Verdict::Protected, "drive-protected-starting")
    );
    let mut cut = partitioned(&[(0x83, &bytes::luks2())]);
    cut.truncate(2 << 20);
    let (_folder, path) = image(&cut);
    assert_eq!(inspect(&path).unwrap().drive.judged.verdict, Verdict::Unknown, "it ends before its partition does");
}

#[test]
fn folders_that_may_be_encrypted_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ext4.img");
    std::fs::File::create(&file).unwrap().set_len(4 << 20).unwrap();
    let made =
        std::process::Command::new("/usr/sbin/mkfs.ext4").args(["-q", "-F", "-O", "encrypt"]).arg(&file).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("left out: mkfs.ext4 is not here");
        return;
    }
    is(&std::fs::read(&file).unwrap(), "ext4", Verdict::PartlyProtected, "plain-folders");
}

#[test]
fn what_an_attacker_gets_is_said_with_every_verdict() {
    for bytes in [bytes::luks2(), bytes::swap(), bytes::noise(), bytes::bitlocker(), bytes::lvm_member(), Vec::new()] {
        let (_folder, path) = image(&bytes);
        let judged = inspect(&path).unwrap().drive.judged;
        assert!(!judged.gets.is_empty() && !judged.next.is_empty(), "{judged:#?}");
    }
}

#[test]
fn an_image_as_a_drive() {
    let (_folder, path) = image(&bytes::luks2());
    let start = std::time::Instant::now();
    let seen = inspect(&path).unwrap();
    eprintln!("one image: {:?}", start.elapsed());
    assert_eq!((seen.drive.name.as_str(), seen.drive.bus), ("my drive.img", Bus::Image));
    assert_eq!(seen.drive.size, 3 << 20);
    assert_eq!(seen.drive.volumes[0].label.as_deref(), Some("vault"));
    assert_eq!(seen.drive.volumes[0].uuid.as_deref(), seen.look.luks.as_ref().map(|place| place.header().uuid()));
    assert_eq!(seen.in_use, None);
}

#[test]
fn what_is_no_image_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let code = |path: &std::path::Path| inspect(path).unwrap_err().to_string();
    assert_eq!(code(folder.path()), "device-wrong-kind");
    assert_eq!(code(&folder.path().join("nothing")), "device-missing");
    assert_eq!(code(std::path::Path::new("/dev/null")), "device-wrong-kind");
}

#[test]
fn conditions_of_a_plain_image() {
    let Some(mut ext4) = bytes::ext4() else { return };
    ext4.resize(80 << 20, 0);
    let (_folder, path) = image(&ext4);
    let seen = check(&path).unwrap();
    assert!(seen.refusal().is_none(), "{:#?}", seen.conditions);
    assert_eq!(seen.method, Some(model::Method::Software));
    assert_eq!(seen.room.code, "room-gap", "the file system ends long before the image does");
    let outcome = |code: &str| seen.conditions.iter().find(|condition| condition.code == code).unwrap().outcome;
    assert_eq!(outcome("file-system-clean"), Outcome::Pass);
    assert_eq!(outcome("hardware-encryption"), Outcome::Unknown, "what was not asked is not \"no\"");
}

#[test]
fn an_image_without_room_can_grow_and_a_small_one_is_too_small() {
    let Some(ext4) = bytes::ext4() else { return };
    let (_folder, path) = image(&ext4);
    let seen = check(&path).unwrap();
    assert_eq!((seen.room.code.as_str(), seen.room.args["needed"].as_str()), ("room-grow", "2097152"));
    let (_folder, path) = image(&[0; 4096]);
    assert_eq!(check(&path).unwrap().refusal().unwrap().reason.code, "too-small");
}

#[test]
fn what_stands_in_the_way_is_named() {
    let refusal = |bytes: &[u8]| {
        let (_folder, path) = image(bytes);
        let seen = check(&path).unwrap();
        assert_eq!(seen.method, None);
        seen.refusal().map(|condition| condition.reason.code.clone()).unwrap()
    };
    assert_eq!(refusal(&bytes::luks2()), "encrypted-already");
    assert_eq!(refusal(&bytes::bitlocker()), "encrypted-already");
    assert_eq!(refusal(&bytes::lvm_member()), "member");
}

#[test]
fn a_device_of_a_recorded_machine() {
    let Some(ext4) = bytes::ext4() else { return };
    let machine = Machine::named("laptop");
    machine.give_bytes("sda1", &ext4);
    let seen = |path: &str| drives::check_on(&machine.linux(), path.as_ref()).unwrap();
    let stick = seen("/dev/sda1");
    assert_eq!(stick.refusal().unwrap().reason.code, "mounted");
    assert_eq!(stick.refusal().unwrap().reason.args["place"], "/media/eva/My Stick, /mnt/keys");
    assert_eq!(stick.inspection.drive.volumes.len(), 1);
    let whole = seen("/dev/sda");
    let parts = whole.conditions.iter().find(|condition| condition.code == "one-volume").unwrap();
    assert_eq!((parts.outcome, parts.reason.code.as_str()), (Outcome::Fail, "partitions"));
    machine.give_bytes("sdc", &ext4);
    let bare = seen("/dev/sdc");
    let parts = bare.conditions.iter().find(|condition| condition.code == "one-volume").unwrap();
    assert_eq!((parts.outcome, parts.reason.code.as_str()), (Outcome::Warn, "whole-drive"));
    let system = seen("/dev/nvme0n1p3");
    assert_eq!(system.refusal().unwrap().reason.code, "needs-rights");
    let used = system.conditions.iter().find(|condition| condition.code == "not-in-use").unwrap();
    assert_eq!(used.reason.code, "used-by-system");
    let power = seen("/dev/sda1").conditions.into_iter().find(|condition| condition.code == "power").unwrap();
    assert_eq!((power.outcome, power.reason.args["percent"].as_str()), (Outcome::Warn, "61"));
}

/// Images of other projects, where they lie beside this one.
#[test]
fn recorded_headers_of_cryptsetup() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/luks");
    let states = folder.join("reencrypt-states/images");
    if !states.is_dir() {
        eprintln!("left out: {} is not here", states.display());
        return;
    }
    let unpacked = |path: PathBuf| {
        let output = std::process::Command::new("xz").arg("-dc").arg(&path).output().unwrap();
        assert!(output.status.success(), "{}", path.display());
        output.stdout
    };
    for name in ["s01-init-only", "s05-hot-committed-no-data", "s06-data-written-uncommitted"] {
        let bytes = unpacked(states.join(format!("{name}.img.xz")));
        is(&bytes, "luks2", Verdict::Converting, "converting-encrypt");
    }
    // Parked and without a header: nobody can tell any more that a conversion was begun, but green it is not.
    let (_, verdict, _) = seen(&unpacked(states.join("i1-init-moved-no-header.img.xz")));
    assert_ne!(verdict, Verdict::Protected);
    for (name, verdict, reason) in [
        ("h00-good", Verdict::Protected, "luks2"),
        ("h04-gpt-34-sectors", Verdict::Unknown, "luks-damaged"),
        ("h06-keyslot-8-bytes", Verdict::Protected, "luks2"),
        ("m04-gpt-34-sectors", Verdict::Protected, "luks2-one-copy"),
    ] {
        let bytes = unpacked(folder.join(format!("header-damage/images/{name}.img.xz")));
        let (_, found, code) = seen(&bytes);
        assert_eq!((found, code.as_str()), (verdict, reason), "{name}");
    }
    for (name, expected) in [
        ("compatimage.img.xz", ("luks1", Verdict::Protected)),
        ("compatimage2.img.xz", ("luks2", Verdict::Protected)),
        ("luks2_keyslot_unassigned.img.xz", ("luks2", Verdict::Protected)),
        ("luks2_invalid_cipher.img.xz", ("luks2", Verdict::Protected)),
        ("blkid-luks2-pv.img.xz", ("luks2", Verdict::Unknown)),
        ("img_fs_ext4.img.xz", ("ext4", Verdict::NotProtected)),
        ("img_fs_vfat.img.xz", ("vfat", Verdict::NotProtected)),
        ("img_fs_xfs.img.xz", ("xfs", Verdict::NotProtected)),
    ] {
        let (content, verdict, reason) = seen(&unpacked(folder.join("archives").join(name)));
        assert_eq!((content.as_str(), verdict), expected, "{name}: {reason}");
    }
}
