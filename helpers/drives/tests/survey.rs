//! The computer as a whole, on recorded machines with small volumes.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.
#![cfg(target_os = "linux")] // Recorded machines have links in their folders.

mod common;

use common::{Machine, bytes};
use drives::survey_on;
use model::{Computer, DataPlace, PlaceKind, Verdict};

fn computer(machine: &Machine) -> Computer {
    survey_on(&machine.linux()).unwrap().computer
}

fn place<'a>(computer: &'a Computer, kind: PlaceKind, place: &str) -> &'a DataPlace {
    computer
        .places
        .iter()
        .find(|one| one.kind == kind && one.place == place)
        .unwrap_or_else(|| panic!("no {kind:?} {place} in {:#?}", computer.places))
}

fn is(computer: &Computer, kind: PlaceKind, at: &str, verdict: Verdict, reason: &str) {
    let judged = &place(computer, kind, at).judged;
    assert_eq!((judged.verdict, judged.reason.code.as_str()), (verdict, reason), "{at}");
}

/// The laptop of the recordings with everything encrypted but what it starts from.
fn laptop() -> Option<Machine> {
    let ext4 = bytes::ext4()?;
    let machine = Machine::named("laptop");
    machine.give_bytes("nvme0n1p1", &ext4);
    machine.give_bytes("nvme0n1p2", &bytes::luks2());
    machine.give_bytes("nvme0n1p3", &bytes::luks2());
    machine.give_bytes("nvme0n1p4", &bytes::noise());
    machine.give_bytes("dm-1", &ext4);
    machine.give_bytes("sda1", &bytes::luks2());
    machine.give_bytes("sdb1", &bytes::luks2());
    Some(machine)
}

#[test]
fn every_place_of_a_laptop_is_there_once() {
    let Some(machine) = laptop() else { return };
    let whole = computer(&machine);
    let seen: Vec<(PlaceKind, &str)> = whole.places.iter().map(|one| (one.kind, one.place.as_str())).collect();
    use PlaceKind::{Data, Removable, Start, Swap, System};
    let wanted = [
        (System, "/"),
        (Data, "/recovery"),
        (Data, "/home/eva/Private"),
        (Swap, "/dev/mapper/crypt\\x20swap"),
        (Swap, "/home/eva/my swap"),
        (Removable, "/media/eva/My Stick"),
        (Removable, "/dev/sdb1"),
        (Start, "/boot/efi"),
    ];
    assert_eq!(seen, wanted);
    is(&whole, System, "/", Verdict::Protected, "luks2");
    is(&whole, Data, "/home/eva/Private", Verdict::Protected, "luks2");
    is(&whole, Swap, "/home/eva/my swap", Verdict::Protected, "luks2");
    is(&whole, Start, "/boot/efi", Verdict::NotProtected, "for-starting");
    let root = place(&whole, System, "/");
    assert_eq!(root.volumes.iter().map(|id| id.0.as_str()).collect::<Vec<_>>(), ["/dev/nvme0n1p3"]);
}

#[test]
fn the_verdict_on_the_whole_follows_its_places() {
    let Some(machine) = laptop() else { return };
    let Some(ext4) = bytes::ext4() else { return };
    let says = |verdict: Verdict, reason: &str, gets: &str| {
        let judged = computer(&machine).judged;
        let seen = (judged.verdict, judged.reason.code.as_str(), judged.gets.as_str());
        assert_eq!(seen, (verdict, reason, gets), "{:#?}", computer(&machine));
    };
    // /recovery is a mounted file system whose bytes say LUKS2: it is what lies there that counts.
    says(Verdict::Protected, "computer-protected", "nothing");
    machine.give_bytes("sda1", &ext4);
    says(Verdict::PartlyProtected, "computer-removable-open", "removable");
    machine.give_bytes("sda1", &bytes::luks2());
    machine.give_bytes("sdb1", &bytes::noise());
    says(Verdict::Unknown, "computer-removable-unknown", "unknown");
    machine.give_bytes("sdb1", &[0; 1 << 20]);
    says(Verdict::Protected, "computer-protected", "nothing");
    machine.give_bytes("nvme0n1p2", &ext4);
    says(Verdict::PartlyProtected, "computer-partly", "some");
    machine.give_bytes("nvme0n1p3", &bytes::luks2_null_cipher());
    machine.give_bytes("nvme0n1p4", &[0; 4096]);
    says(Verdict::PartlyProtected, "computer-partly", "some");
}

#[test]
fn plain_swap_beside_encrypted_files_is_not_green() {
    let Some(machine) = laptop() else { return };
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/machines/laptop.txt")).unwrap();
    let text = text.replace("/dev/dm-2                               partition", "/dev/nvme0n1p4 partition");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("sys/block/dm-2/")).collect();
    let plain = Machine::from_text(&lines.join("\n"));
    for name in ["nvme0n1p1", "nvme0n1p2", "nvme0n1p3", "dm-1", "sda1", "sdb1"] {
        plain.give_bytes(name, &std::fs::read(machine.root().join("dev").join(name)).unwrap());
    }
    plain.give_bytes("nvme0n1p4", &bytes::swap());
    let whole = computer(&plain);
    is(&whole, PlaceKind::Swap, "/dev/nvme0n1p4", Verdict::NotProtected, "swap");
    assert_eq!((whole.judged.verdict, whole.judged.next.as_str()), (Verdict::PartlyProtected, "encrypt-swap"));
    assert_eq!(whole.judged.reason.code, "computer-memory-open");

    // The same device is where the memory goes.
    std::fs::create_dir_all(plain.root().join("sys/power")).unwrap();
    std::fs::write(plain.root().join("sys/power/resume"), "259:4\n").unwrap();
    is(&computer(&plain), PlaceKind::Hibernation, "/dev/nvme0n1p4", Verdict::NotProtected, "hibernated");
    std::fs::write(plain.root().join("sys/power/resume"), "0:0\n").unwrap();
    assert!(computer(&plain).places.iter().all(|one| one.kind != PlaceKind::Hibernation));
}

#[test]
fn without_rights_nothing_is_called_open() {
    let whole = computer(&Machine::named("laptop"));
    assert_eq!((whole.judged.verdict, whole.judged.reason.code.as_str()), (Verdict::Unknown, "computer-needs-rights"));
    assert_eq!(whole.judged.next, "as-administrator");
    for place in whole.places {
        assert_eq!(place.judged.verdict, Verdict::Unknown, "{place:#?}");
    }
}

#[test]
fn places_of_a_server() {
    let Some(ext4) = bytes::ext4() else { return };
    let machine = Machine::named("server");
    for name in ["sda1", "sdb1", "sda2", "sdc", "sdd", "sde", "sde1", "sdf", "dm-0", "dm-3", "bcache0", "dm-1"] {
        machine.give_bytes(name, &ext4);
    }
    machine.give_bytes("sdb2", &bytes::luks2());
    let whole = computer(&machine);
    use PlaceKind::{Closed, Data, System};
    is(&whole, Data, "/pool", Verdict::PartlyProtected, "beneath-partly");
    assert_eq!(place(&whole, Data, "/pool").volumes.len(), 2);
    is(&whole, Data, "/srv/data", Verdict::NotProtected, "plain");
    is(&whole, System, "/", Verdict::NotProtected, "plain");
    is(&whole, Data, "/tank", Verdict::Unknown, "self-encrypting");
    is(&whole, Data, "/netdisk", Verdict::Unknown, "beneath-unknown");
    is(&whole, Closed, "/dev/mmcblk0", Verdict::Unknown, "needs-rights");
    assert!(whole.places.iter().all(|one| one.place != "/home" && one.place != "/var/merged"), "{:#?}", whole.places);
    assert_eq!(whole.judged.verdict, Verdict::PartlyProtected);
    assert!(whole.judged.reason.args.contains_key("open"));
}

/// What a member of a pool has at its front and its end.
fn zfs_member(pool: &str) -> Vec<u8> {
    let mut bytes = vec![0; 2 << 20];
    for index in 0..6 {
        let at = (128 << 10) + index * 1024;
        bytes[at..at + 8].copy_from_slice(&0x00ba_b10c_u64.to_le_bytes());
    }
    let mut list = vec![1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    let length = u32::try_from(pool.len()).unwrap();
    let mut pair = vec![0, 0, 0, 4, b'n', b'a', b'm', b'e', 0, 0, 0, 9, 0, 0, 0, 1];
    pair.extend(length.to_be_bytes());
    pair.extend(pool.as_bytes());
    pair.resize(pair.len().next_multiple_of(4), 0);
    list.extend(u32::try_from(pair.len() + 8).unwrap().to_be_bytes());
    list.extend([0; 4]);
    list.extend(pair);
    bytes[16 << 10..(16 << 10) + list.len()].copy_from_slice(&list);
    bytes
}

#[test]
fn a_pool_of_zfs_leads_to_its_members() {
    let machine = Machine::named("server");
    machine.give_bytes("nvme0n1", &zfs_member("tank"));
    machine.give_bytes("mmcblk1", &zfs_member("other"));
    let whole = computer(&machine);
    let tank = place(&whole, PlaceKind::Data, "/tank");
    assert_eq!(tank.volumes.iter().map(|id| id.0.as_str()).collect::<Vec<_>>(), ["/dev/nvme0n1"]);
    assert_eq!((tank.judged.verdict, tank.judged.reason.code.as_str()), (Verdict::Unknown, "self-encrypting"));
}

/// An open volume of VeraCrypt on a stick, and one of cryptsetup whose header lies elsewhere: the medium
/// has no trace of either, the kernel's table tells.
#[test]
fn what_leaves_no_trace_is_told_by_the_kernels_table() {
    let Some(ext4) = bytes::ext4() else { return };
    let text = "\
sys/block/sda/dev = 8:0
sys/block/sda/size = 4000000
sys/block/sda/removable = 1
sys/block/sdb/dev = 8:16
sys/block/sdb/size = 4000000
sys/block/dm-0/dev = 253:0
sys/block/dm-0/size = 3999000
sys/block/dm-0/dm/name = veracrypt1
sys/block/dm-0/slaves/sda -> ../../sda
sys/block/dm-1/dev = 253:1
sys/block/dm-1/size = 3999000
sys/block/dm-1/dm/name = apart
sys/block/dm-1/dm/uuid = CRYPT-LUKS2-1111-apart
sys/block/dm-1/slaves/sdb -> ../../sdb
dmsetup-table <<
veracrypt1: 0 3998488 crypt aes-xts-plain64 :64:logon:x 256 8:0 256
apart: 0 3999000 crypt aes-xts-plain64 :64:logon:x 0 8:16 0
.
proc/self/mountinfo <<
20 1 253:1 / / rw - ext4 /dev/mapper/apart rw
21 20 253:0 / /media/veracrypt1 rw - ext4 /dev/mapper/veracrypt1 rw
.
";
    let machine = Machine::from_text(text);
    machine.give_bytes("sda", &bytes::noise());
    machine.give_bytes("sdb", &bytes::noise());
    machine.give_bytes("dm-0", &ext4);
    machine.give_bytes("dm-1", &ext4);
    let whole = computer(&machine);
    is(&whole, PlaceKind::System, "/", Verdict::Protected, "detached-header");
    is(&whole, PlaceKind::Removable, "/media/veracrypt1", Verdict::Protected, "plain-dm-crypt");
    assert_eq!(whole.judged.verdict, Verdict::Protected);
    // Without the right to ask for the table, or the bytes, nothing is green and nothing is called open.
    let blind = Machine::from_text(&text.replace("dmsetup-table", "elsewhere"));
    for _ in 0..2 {
        for place in computer(&blind).places {
            assert_eq!(place.judged.verdict, Verdict::Unknown, "{place:#?}");
        }
        // The bytes alone do not tell what the mappings do.
        for name in ["sda", "sdb"] {
            blind.give_bytes(name, &bytes::noise());
        }
        for name in ["dm-0", "dm-1"] {
            blind.give_bytes(name, &ext4);
        }
    }
}

#[test]
fn compressed_memory_counts_only_where_it_writes_to_a_device() {
    let text = "\
sys/block/sda/dev = 8:0
sys/block/sda/size = 4000000
sys/block/sdb/dev = 8:16
sys/block/sdb/size = 4000000
sys/block/zram0/dev = 252:0
sys/block/zram0/size = 4000000
sys/block/zram0/backing_dev = none
proc/swaps <<
Filename Type Size Used Priority
/dev/zram0 partition 9 0 100
.
proc/self/mountinfo <<
20 1 8:0 / / rw - ext4 /dev/sda rw
.
";
    let swaps = |machine: &Machine| {
        let places = computer(machine).places;
        places.into_iter().filter(|one| one.kind == PlaceKind::Swap).collect::<Vec<_>>()
    };
    assert_eq!(swaps(&Machine::from_text(text)), []);
    let machine = Machine::from_text(&text.replace("backing_dev = none", "backing_dev = /dev/sdb"));
    machine.give_bytes("sdb", &bytes::noise());
    let [swap] = &swaps(&machine)[..] else { panic!("{:#?}", swaps(&machine)) };
    assert_eq!((swap.judged.verdict, swap.volumes.len()), (Verdict::NotProtected, 1));
}

/// A logical volume over an encrypted and a plain drive; LUKS2 with integrity, which has a mapping of its
/// own between the medium and the data; one drive behind two paths.
#[test]
fn stacks_that_are_easily_read_the_wrong_way() {
    let Some(ext4) = bytes::ext4() else { return };
    let text = "\
sys/block/sda/dev = 8:0
sys/block/sda/size = 4000000
sys/block/sdb/dev = 8:16
sys/block/sdb/size = 4000000
sys/block/sdc/dev = 8:32
sys/block/sdc/size = 4000000
sys/block/sdd/dev = 8:48
sys/block/sdd/size = 4000000
sys/block/sde/dev = 8:64
sys/block/sde/size = 4000000
sys/block/dm-0/dev = 253:0
sys/block/dm-0/size = 3999000
sys/block/dm-0/dm/name = half
sys/block/dm-0/dm/uuid = CRYPT-LUKS2-1111-half
sys/block/dm-0/slaves/sda -> ../../sda
sys/block/dm-1/dev = 253:1
sys/block/dm-1/size = 3999000
sys/block/dm-1/dm/name = vg-mixed
sys/block/dm-1/dm/uuid = LVM-abc
sys/block/dm-1/slaves/dm-0 -> ../../dm-0
sys/block/dm-1/slaves/sdb -> ../../sdb
sys/block/dm-2/dev = 253:2
sys/block/dm-2/size = 3999000
sys/block/dm-2/dm/name = sealed_dif
sys/block/dm-2/dm/uuid = CRYPT-SUBDEV-2222-sealed_dif
sys/block/dm-2/slaves/sdc -> ../../sdc
sys/block/dm-3/dev = 253:3
sys/block/dm-3/size = 3999000
sys/block/dm-3/dm/name = sealed
sys/block/dm-3/dm/uuid = CRYPT-LUKS2-2222-sealed
sys/block/dm-3/slaves/dm-2 -> ../../dm-2
sys/block/dm-4/dev = 253:4
sys/block/dm-4/size = 4000000
sys/block/dm-4/dm/name = paths
sys/block/dm-4/dm/uuid = mpath-3333
sys/block/dm-4/slaves/sdd -> ../../sdd
sys/block/dm-4/slaves/sde -> ../../sde
sys/block/dm-5/dev = 253:5
sys/block/dm-5/size = 3999000
sys/block/dm-5/dm/name = san
sys/block/dm-5/dm/uuid = CRYPT-LUKS2-3333-san
sys/block/dm-5/slaves/dm-4 -> ../../dm-4
proc/self/mountinfo <<
20 1 253:3 / / rw - ext4 /dev/mapper/sealed rw
21 20 253:1 / /mixed rw - ext4 /dev/mapper/vg-mixed rw
22 20 253:5 / /san rw - ext4 /dev/mapper/san rw
.
";
    let machine = Machine::from_text(text);
    for name in ["sda", "sdc", "sdd", "sde", "dm-4"] {
        machine.give_bytes(name, &bytes::luks2());
    }
    machine.give_bytes("sdb", &bytes::lvm_member());
    machine.give_bytes("dm-2", &bytes::noise());
    for name in ["dm-1", "dm-3", "dm-5"] {
        machine.give_bytes(name, &ext4);
    }
    let survey = survey_on(&machine.linux()).unwrap();
    let whole = &survey.computer;
    is(whole, PlaceKind::Data, "/mixed", Verdict::PartlyProtected, "beneath-partly");
    is(whole, PlaceKind::System, "/", Verdict::Protected, "luks2");
    is(whole, PlaceKind::Data, "/san", Verdict::Protected, "luks2");
    assert_eq!(whole.places.len(), 3, "each once, and the second path not at all: {whole:#?}");
    assert_eq!(survey.drives.len(), 4);
    assert_eq!(survey.stack.by_path("/dev/mapper/sealed").unwrap().kind.name(), "crypt");
    assert_eq!(survey.stack.by_path("/dev/mapper/paths").unwrap().kind.name(), "mpath");
}
