//! The stack under mounts, on recorded machines.

#![allow(clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.
#![cfg(target_os = "linux")] // Recorded machines have links in their folders.

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::Machine;
use drives::{Beneath, Kind, Located, Platform, Power, SameDrive, Stack, Use};
use model::Bus;

/// Names of the devices under a folder.
fn under(stack: &Stack, folder: &str) -> Vec<String> {
    match stack.beneath_folder(Path::new(folder)) {
        Beneath::Devices(numbers) => names(stack, &numbers),
        other => vec![format!("{other:?}")],
    }
}

fn names(stack: &Stack, numbers: &BTreeSet<drives::Number>) -> Vec<String> {
    let mut names: Vec<String> = numbers.iter().map(|number| stack.nodes[number].name.clone()).collect();
    names.sort();
    names
}

fn device(stack: &Stack, path: &str) -> Located {
    Located::Block(stack.by_path(path).unwrap_or_else(|| panic!("no {path}")).number)
}

fn use_of(stack: &Stack, path: &str) -> Option<Use> {
    stack.use_of_device(stack.by_path(path).unwrap().number)
}

fn same(stack: &Stack, folder: &str, target: &str) -> SameDrive {
    let target = match stack.by_path(target) {
        Some(node) => Located::Block(node.number),
        None => Located::File(target.into()),
    };
    stack.same_drive(Path::new(folder), &target)
}

#[test]
fn lvm_on_luks_leads_down_to_the_drive() {
    let stack = Machine::named("laptop").stack();
    let whole = ["dm-0", "dm-1", "nvme0n1", "nvme0n1p3"];
    assert_eq!(under(&stack, "/"), whole);
    assert_eq!(under(&stack, "/home/eva"), whole);
    assert_eq!(under(&stack, "/home/eva/Shared Files/photos"), whole, "a bind mount");
    assert_eq!(under(&stack, "/home/eva/Private/x"), whole, "encrypted files over a folder");
    assert_eq!(under(&stack, "/media/eva/My Stick/keys"), ["sda", "sda1"]);
}

#[test]
fn what_is_no_local_drive_is_named() {
    let stack = Machine::named("laptop").stack();
    let beneath = |folder: &str| stack.beneath_folder(Path::new(folder));
    assert_eq!(beneath("/tmp/x"), Beneath::Memory("tmpfs".into()));
    assert_eq!(beneath("/home/eva/server"), Beneath::Network("nfs4".into()));
    assert_eq!(beneath("/home/eva/far"), Beneath::Network("fuse.sshfs".into()));
    assert_eq!(beneath("/home/eva/cloud"), Beneath::Unknown("fuse.rclone".into()));
    let server = Machine::named("server").stack();
    assert_eq!(server.beneath_folder(Path::new("/tank/a")), Beneath::Unknown("zfs".into()));
}

#[test]
fn arrays_caches_and_btrfs_over_two_devices() {
    let stack = Machine::named("server").stack();
    assert_eq!(under(&stack, "/srv/data/x"), ["dm-0", "md0", "sda", "sda1", "sdb", "sdb1"]);
    let pool = ["dm-1", "sda", "sda2", "sdb", "sdb2"];
    assert_eq!(under(&stack, "/pool"), pool);
    assert_eq!(under(&stack, "/home/eva"), pool, "the other subvolume, by a name with a space");
    assert_eq!(under(&stack, "/var/merged/x"), pool, "an overlay writes to its upper folder");
    assert_eq!(under(&stack, "/cached"), ["bcache0", "sdc", "sdd"]);
    assert_eq!(under(&stack, "/san"), ["dm-2", "dm-3", "sde", "sdf"]);
}

#[test]
fn a_loop_device_leads_to_its_file_and_on() {
    let stack = Machine::named("server").stack();
    assert_eq!(under(&stack, "/mnt/practice/docs"), ["dm-0", "loop3", "loop3p1", "md0", "sda", "sda1", "sdb", "sdb1"]);
    assert_eq!(under(&stack, "/mnt/practice/bound"), ["dm-0", "md0", "sda", "sda1", "sdb", "sdb1"]);
}

#[test]
fn the_last_mount_over_a_place_counts_and_hides_what_lies_below() {
    let stack = Machine::named("server").stack();
    assert_eq!(under(&stack, "/opt/a"), ["sdb", "sdb1"]);
    assert_eq!(under(&stack, "/opt/a/b/c"), ["sdb", "sdb1"], "the older mount at /opt/a/b is hidden");
    assert_eq!(under(&stack, "/elsewhere"), ["sdc"], "the root over the first root");
}

#[test]
fn what_is_in_use_and_by_what() {
    let stack = Machine::named("laptop").stack();
    let mounted = |points: &[&str]| Some(Use::Mounted(points.iter().map(|point| (*point).to_owned()).collect()));
    let root = mounted(&["/", "/home/eva/Shared Files", "/home/eva/Private"]);
    assert_eq!(use_of(&stack, "/dev/nvme0n1p3"), root);
    assert_eq!(use_of(&stack, "/dev/nvme0n1p4"), Some(Use::Swap));
    assert_eq!(
        use_of(&stack, "/dev/nvme0n1"),
        mounted(&["/", "/boot/efi", "/recovery", "/home/eva/Shared Files", "/home/eva/Private"])
    );
    assert_eq!(use_of(&stack, "/dev/sda1"), mounted(&["/media/eva/My Stick", "/mnt/keys"]));
    assert_eq!(use_of(&stack, "/dev/sdb1"), Some(Use::Holder("/dev/loop7".into())), "a loop device on a device");
    assert_eq!(use_of(&stack, "/dev/sdc"), None);
    assert_eq!(stack.use_of_file(Path::new("/home/eva/my swap")), Some(Use::Swap));
    assert_eq!(stack.use_of_file(Path::new("/home/eva/other.img")), None);

    let stack = Machine::named("server").stack();
    assert_eq!(use_of(&stack, "/dev/sdb2"), mounted(&["/pool", "/home", "/var/merged"]), "second device of a btrfs");
    assert_eq!(use_of(&stack, "/dev/sdd"), mounted(&["/cached"]), "the caching device");
    assert_eq!(use_of(&stack, "/dev/sde1"), Some(Use::Holder(stack.by_path("/dev/dm-2").unwrap().path.clone())));
    assert_eq!(use_of(&stack, "/dev/nvme0n1"), None);
    assert_eq!(
        stack.use_of_file(Path::new("/srv/data/practice drive.img")),
        mounted(&["/mnt/practice"]),
        "what is bound into it lies elsewhere"
    );
    assert_eq!(stack.use_of_file(Path::new("/srv/data/held.img")), Some(Use::Holder("/dev/loop4".into())));
}

#[test]
fn a_key_is_not_put_on_the_drive_that_it_is_for() {
    let stack = Machine::named("laptop").stack();
    assert_eq!(same(&stack, "/home/eva", "/dev/nvme0n1p3"), SameDrive::Yes);
    assert_eq!(same(&stack, "/home/eva/Shared Files", "/dev/mapper/data-root"), SameDrive::Yes);
    assert_eq!(same(&stack, "/recovery", "/dev/nvme0n1p3"), SameDrive::Yes, "another partition of the drive");
    assert_eq!(same(&stack, "/media/eva/My Stick", "/dev/nvme0n1p3"), SameDrive::No);
    assert_eq!(same(&stack, "/media/eva/My Stick", "/dev/sda"), SameDrive::Yes);
    assert_eq!(same(&stack, "/mnt/keys", "/dev/sda1"), SameDrive::Yes);
    assert_eq!(same(&stack, "/home/eva/server", "/dev/sda1"), SameDrive::No);
    assert_eq!(same(&stack, "/home/eva/cloud", "/dev/sda1"), SameDrive::Unknown);

    let stack = Machine::named("server").stack();
    assert_eq!(same(&stack, "/second", "/dev/nvme0n1"), SameDrive::Yes, "two namespaces of one drive");
    assert_eq!(same(&stack, "/home/eva", "/dev/sda1"), SameDrive::Yes, "btrfs reaches onto that drive");
    assert_eq!(same(&stack, "/srv/data", "/dev/sdb2"), SameDrive::Yes, "the array does, too");
    assert_eq!(same(&stack, "/san", "/dev/sde1"), SameDrive::Yes, "the other path to the same drive");
    assert_eq!(same(&stack, "/netdisk", "/dev/sda1"), SameDrive::Unknown);
    assert_eq!(same(&stack, "/cached", "/dev/nvme0n1"), SameDrive::No);
    assert_eq!(same(&stack, "/", "/dev/nosuch"), SameDrive::No, "that is a file name");
}

#[test]
fn a_key_may_lie_beside_an_image_but_not_inside() {
    let stack = Machine::named("server").stack();
    let image = "/srv/data/practice drive.img";
    assert_eq!(same(&stack, "/srv/data/keys", image), SameDrive::No, "beside it");
    assert_eq!(same(&stack, "/mnt/practice/keys", image), SameDrive::Yes, "inside it");
    assert_eq!(same(&stack, "/mnt/practice/bound", image), SameDrive::No, "bound in from beside it");
    assert_eq!(same(&stack, "/mnt/practice", "/dev/loop3"), SameDrive::Yes);
    assert_eq!(same(&stack, "/srv/data", "/dev/loop3"), SameDrive::No, "the file is the drive");
    assert_eq!(same(&stack, "/mnt/fuse/x", "/srv/data/fuse.img"), SameDrive::Yes);
    assert_eq!(same(&stack, "/tank/keys", image), SameDrive::Unknown);
    assert_eq!(same(&stack, "/tank/keys", "/tank/practice.img"), SameDrive::No, "the same ZFS file system");
}

#[test]
fn facts_of_drives() {
    let stack = Machine::named("laptop").stack();
    let disk = |stack: &Stack, path: &str| match &stack.by_path(path).unwrap().kind {
        Kind::Disk(disk) => disk.clone(),
        other => panic!("{other:?}"),
    };
    let nvme = disk(&stack, "/dev/nvme0n1");
    assert_eq!((nvme.bus, nvme.title.as_str()), (Bus::Nvme, "Samsung SSD 980 PRO 2TB"));
    assert_eq!((nvme.removable, nvme.rotational), (Some(false), Some(false)));
    assert_eq!(stack.by_path("/dev/nvme0n1").unwrap().size, 2_000_398_934_016);
    let stick = disk(&stack, "/dev/sda");
    assert_eq!((stick.bus, stick.title.as_str()), (Bus::Usb, "SanDisk Ultra Fit"));
    assert_eq!((stick.removable, stick.rotational), (Some(true), None), "a stick does not really turn");
    assert_eq!(stack.by_path("/dev/sda1").unwrap().noted.label.as_deref(), Some("MY STICK"));
    let swap = stack.by_path("/dev/mapper/crypt swap").unwrap();
    assert_eq!(swap.path, "/dev/mapper/crypt\\x20swap");
    assert!(matches!(&swap.kind, Kind::Mapping(mapping) if mapping.cipher.as_deref() == Some("aes-xts-plain64")));
    let server = Machine::named("server").stack();
    assert_eq!(disk(&server, "/dev/mmcblk1").removable, Some(true));
    assert_eq!(disk(&server, "/dev/mmcblk0").removable, None);
    assert!(disk(&server, "/dev/mmcblk0boot0").hidden);
}

#[test]
fn power_is_the_computers_not_the_mouses() {
    assert_eq!(Machine::named("laptop").linux().power(), Power::Battery { percent: Some(61) });
    assert_eq!(Machine::named("server").linux().power(), Power::Unknown);
    let mains = "sys/class/power_supply/AC/type = Mains\nsys/class/power_supply/AC/online = 1\n";
    assert_eq!(Machine::from_text(mains).linux().power(), Power::NoBattery);
    let battery = "sys/class/power_supply/B/type = Battery\nsys/class/power_supply/B/capacity = 999\n";
    assert_eq!(Machine::from_text(battery).linux().power(), Power::Battery { percent: None });
    assert_eq!(Machine::from_text(&format!("{mains}{battery}")).linux().power(), Power::Mains);
}

#[test]
fn a_machine_without_its_lists_is_an_error_and_an_empty_one_is_not() {
    let error = Machine::from_text("sys/block/x/dev = nonsense").linux().stack().unwrap_err();
    assert!(error.to_string().starts_with("drives-unreadable"), "{error}");
    let stack = Machine::from_text("proc/self/mountinfo = \nsys/block/sda/dev = x").stack();
    assert_eq!(stack, Stack::default());
    assert_eq!(stack.beneath_folder(Path::new("/a")), Beneath::Unknown(String::new()));
    let target = device(&Machine::named("laptop").stack(), "/dev/sda");
    assert_eq!(stack.same_drive(Path::new("/a"), &target), SameDrive::Unknown);
}
