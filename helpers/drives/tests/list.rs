//! The list of drives with its verdicts, on recorded machines with small volumes.

#![allow(clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.
#![cfg(target_os = "linux")] // Recorded machines have links in their folders.

mod common;

use common::{Machine, bytes};
use drives::{list_on, places_on};
use model::{Bus, Drive, Verdict, Volume};

fn drive<'a>(drives: &'a [Drive], path: &str) -> &'a Drive {
    drives.iter().find(|drive| drive.path == path).unwrap_or_else(|| panic!("no {path} in {drives:#?}"))
}

fn volume<'a>(drives: &'a [Drive], path: &str) -> &'a Volume {
    drives.iter().flat_map(|drive| &drive.volumes).find(|volume| volume.id.0 == path).unwrap()
}

#[test]
fn a_laptop_without_rights_is_unknown_and_says_so() {
    let drives = list_on(&Machine::named("laptop").linux()).unwrap();
    let paths: Vec<&str> = drives.iter().map(|drive| drive.path.as_str()).collect();
    assert_eq!(paths, ["/dev/nvme0n1", "/dev/sda", "/dev/sdb"], "no loop, zram, optical drive or empty reader");
    for drive in &drives {
        assert_eq!(drive.judged.verdict, Verdict::Unknown, "{drive:#?}");
        for volume in &drive.volumes {
            assert!(volume.judged.reason.code.starts_with("needs-rights"), "{volume:#?}");
        }
    }
    let nvme = &drives[0];
    assert!(nvme.system);
    assert_eq!((nvme.name.as_str(), nvme.bus, nvme.size), ("Samsung SSD 980 PRO 2TB", Bus::Nvme, 2_000_398_934_016));
    let luks = volume(&drives, "/dev/nvme0n1p3");
    assert_eq!((luks.content.0.as_str(), luks.judged.reason.code.as_str()), ("luks2", "needs-rights-noted"));
    assert_eq!(luks.mounts, ["/", "/home/eva/Shared Files", "/home/eva/Private"]);
    assert!(luks.in_use);
    let stick = volume(&drives, "/dev/sda1");
    assert_eq!((stick.label.as_deref(), stick.content.0.as_str()), (Some("MY STICK"), "vfat"));
}

#[test]
fn lvm_on_luks_with_swap_of_a_random_key_is_protected_but_for_a_readable_partition() {
    let Some(ext4) = bytes::ext4() else { return };
    let machine = Machine::named("laptop");
    machine.give_bytes("nvme0n1p1", &ext4);
    machine.give_bytes("nvme0n1p2", &ext4);
    machine.give_bytes("nvme0n1p3", &bytes::luks2());
    machine.give_bytes("nvme0n1p4", &bytes::noise());
    machine.give_bytes("sda1", &ext4);
    machine.give_bytes("sdb1", &bytes::noise());
    let drives = list_on(&machine.linux()).unwrap();
    let verdict = |path: &str| volume(&drives, path).judged.verdict;
    assert_eq!(verdict("/dev/nvme0n1p3"), Verdict::Protected);
    assert_eq!(verdict("/dev/nvme0n1p4"), Verdict::Protected, "plain dm-crypt shows no signature");
    assert_eq!(verdict("/dev/nvme0n1p2"), Verdict::NotProtected);
    assert_eq!(volume(&drives, "/dev/nvme0n1p1").judged.reason.code, "for-starting");
    assert_eq!(drives[0].judged.verdict, Verdict::PartlyProtected);
    assert_eq!(drives[0].judged.reason.args["count"], "3");
    let stick = drive(&drives, "/dev/sda");
    assert_eq!((stick.judged.verdict, stick.judged.next.as_str()), (Verdict::NotProtected, "unmount-and-encrypt"));
    assert_eq!(drive(&drives, "/dev/sdb").judged.verdict, Verdict::Unknown, "noise is nothing known");

    // Without that partition everything but the part for starting is encrypted.
    machine.give_bytes("nvme0n1p2", &bytes::luks2());
    let drives = list_on(&machine.linux()).unwrap();
    assert_eq!(drives[0].judged.verdict, Verdict::Protected);
    assert_eq!(drives[0].judged.reason.code, "drive-protected-starting");
}

#[test]
fn a_closed_plain_mapping_and_an_unseen_cipher_are_not_green() {
    let mut text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/machines/laptop.txt")).unwrap();
    text = text.replace("crypt swap: 0 8388608 crypt aes-xts-plain64", "crypt swap: 0 8388608 crypt cipher_null-ecb");
    let machine = Machine::from_text(&text);
    machine.give_bytes("nvme0n1p4", &bytes::noise());
    let drives = list_on(&machine.linux()).unwrap();
    assert_eq!(volume(&drives, "/dev/nvme0n1p4").judged.verdict, Verdict::NotProtected);

    let machine = Machine::from_text(&text.replace("crypt swap: 0", "another: 0"));
    machine.give_bytes("nvme0n1p4", &bytes::noise());
    let drives = list_on(&machine.linux()).unwrap();
    assert_eq!(volume(&drives, "/dev/nvme0n1p4").judged.verdict, Verdict::Unknown);
}

#[test]
fn what_is_made_of_a_member_decides() {
    let Some(ext4) = bytes::ext4() else { return };
    let machine = Machine::named("server");
    machine.give_bytes("sda1", &bytes::noise());
    machine.give_bytes("sdb1", &bytes::noise());
    machine.give_bytes("md0", &bytes::lvm_member());
    machine.give_bytes("sda2", &ext4);
    machine.give_bytes("sdb2", &bytes::luks2());
    // LUKS on a logical volume on an array.
    machine.give_bytes("dm-0", &bytes::luks2());
    machine.give_bytes("sdc", &bytes::noise());
    machine.give_bytes("bcache0", &ext4);
    machine.give_bytes("mmcblk1", &bytes::lvm_member());
    let drives = list_on(&machine.linux()).unwrap();
    let verdict = |path: &str| volume(&drives, path).judged.verdict;
    assert_eq!(verdict("/dev/sda1"), Verdict::Protected);
    assert_eq!(verdict("/dev/sda2"), Verdict::NotProtected);
    assert_eq!(drive(&drives, "/dev/sda").judged.verdict, Verdict::PartlyProtected);
    assert_eq!(drive(&drives, "/dev/sdb").judged.verdict, Verdict::Protected, "this half of the btrfs is encrypted");
    assert_eq!(verdict("/dev/sdc"), Verdict::NotProtected);
    assert_eq!(volume(&drives, "/dev/mmcblk1").judged.reason.code, "member-inactive");
    let paths: Vec<&str> = drives.iter().map(|drive| drive.path.as_str()).collect();
    assert!(paths.contains(&"/dev/sde") && !paths.contains(&"/dev/sdf"), "one drive behind two paths: {paths:?}");
    assert!(!paths.contains(&"/dev/mmcblk0boot0"));
    let sda = drive(&drives, "/dev/sda");
    assert_eq!(sda.volumes.len(), 2, "an extended partition is no volume");
}

#[test]
fn sticks_to_put_a_key_on() {
    let machine = Machine::named("laptop");
    machine.make_folder("/media/eva/My Stick");
    machine.make_folder("/mnt/keys");
    let places = places_on(&machine.linux()).unwrap();
    let [place] = places.as_slice() else { panic!("{places:#?}") };
    assert_eq!(place.path, "/media/eva/My Stick");
    assert_eq!(place.name, "MY STICK (SanDisk Ultra Fit)");
    assert!(place.free > 0);
}

#[test]
fn a_hundred_volumes_are_all_looked_at() {
    let machine = Machine::with_a_hundred_volumes();
    let drives = list_on(&machine.linux()).unwrap();
    assert_eq!(drives.iter().map(|drive| drive.volumes.len()).sum::<usize>(), 100);
}
