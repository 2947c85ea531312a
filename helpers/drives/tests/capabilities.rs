//! What a computer and its drives can do, on recorded machines.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.
#![cfg(target_os = "linux")] // Recorded machines have links in their folders.

mod common;

use std::path::Path;

use common::Machine;
use drives::{Capabilities, capabilities_on};
use model::Outcome::{Fail, Pass, Unknown, Warn};
use model::{Condition, Outcome};

fn able(machine: &Machine, drive: &str) -> Capabilities {
    capabilities_on(&machine.linux(), Path::new(drive)).unwrap()
}

fn condition<'a>(able: &'a Capabilities, code: &str) -> &'a Condition {
    able.conditions.iter().find(|one| one.code == code).unwrap_or_else(|| panic!("no {code} in {able:#?}"))
}

#[track_caller]
fn is(able: &Capabilities, code: &str, outcome: Outcome, reason: &str) {
    let one = condition(able, code);
    assert_eq!((one.outcome, one.reason.code.as_str()), (outcome, reason), "{one:#?}");
}

/// An NVMe drive, one behind VMD, a stick, and a SATA drive behind AHCI and behind a RAID controller.
fn machine() -> Machine {
    let mut text = String::from("proc/self/mountinfo = \n");
    let mut drive = |name: &str, number: u32, way: &str, lines: &[&str]| {
        text += &format!("sys/block/{name} -> ../devices/{way}/{name}\n");
        text += &format!("sys/devices/{way}/{name}/dev = 259:{number}\nsys/devices/{way}/{name}/size = 1000000\n");
        for line in lines {
            text += &format!("sys/devices/{line}\n");
        }
    };
    drive(
        "nvme0n1",
        0,
        "pci0000:00/0000:00:1d.0/0000:01:00.0/nvme/nvme0",
        &[
            "pci0000:00/0000:00:1d.0/0000:01:00.0/nvme/nvme0/nvme0n1/device/model = Samsung SSD 970 EVO Plus 500GB",
            "pci0000:00/0000:00:1d.0/0000:01:00.0/nvme/nvme0/nvme0n1/device/firmware_rev = 2B2QEXM7",
            "pci0000:00/0000:00:1d.0/0000:01:00.0/nvme/nvme0/nvme0n1/queue/logical_block_size = 512",
            "pci0000:00/0000:00:1d.0/0000:01:00.0/driver -> ../../../bus/pci/drivers/nvme",
        ],
    );
    drive(
        "nvme1n1",
        1,
        "pci0000:00/0000:00:0e.0/pci10000:e0/10000:e0:06.0/10000:e1:00.0/nvme/nvme1",
        &["pci0000:00/0000:00:0e.0/driver -> ../../../bus/pci/drivers/vmd"],
    );
    drive("sda", 2, "pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host0/target0:0:0/0:0:0:0/block", &[]);
    drive(
        "sdb",
        3,
        "pci0000:00/0000:00:17.0/ata1/host1/target1:0:0/1:0:0:0/block",
        &["pci0000:00/0000:00:17.0/class = 0x010601"],
    );
    drive(
        "sdc",
        4,
        "pci0000:00/0000:00:18.0/ata2/host2/target2:0:0/2:0:0:0/block",
        &["pci0000:00/0000:00:18.0/class = 0x010400"],
    );
    drive("vda", 5, "pci0000:00/0000:00:02.0/virtio1/block", &[]);
    Machine::from_text(&text)
}

fn put(machine: &Machine, path: &str, bytes: &[u8]) {
    let path = machine.root().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// IDENTIFY DEVICE in the page that the kernel keeps: words as (number, value).
fn ata_page(model: &str, words: &[(usize, u16)]) -> Vec<u8> {
    let mut page = vec![0; 60 + 512];
    for (index, letter) in format!("{model:40}").bytes().enumerate() {
        page[60 + ((54 + index) ^ 1)] = letter;
    }
    for (word, value) in words {
        page[60 + word * 2..62 + word * 2].copy_from_slice(&value.to_le_bytes());
    }
    page
}

/// Level 0 discovery with these features: code and payload.
fn discovery(features: &[(u16, &[u8])]) -> Vec<u8> {
    let mut body = vec![0; 48];
    body[7] = 1;
    for (code, payload) in features {
        body.extend(code.to_be_bytes());
        body.push(0x10);
        body.push(u8::try_from(payload.len()).unwrap());
        body.extend(*payload);
    }
    let length = u32::try_from(body.len() - 4).unwrap();
    body[..4].copy_from_slice(&length.to_be_bytes());
    body
}

const LOCKING_FREE: (u16, &[u8]) = (0x0002, &[0b0000_1001, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const OPAL_2: (u16, &[u8]) = (0x0203, &[0x10, 0x04, 0, 1, 0, 0, 4, 0, 9, 0, 0, 0, 0, 0, 0, 0]);
const GEOMETRY_512: (u16, &[u8]) =
    (0x0003, &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0]);
const SID_FREE: (u16, &[u8]) = (0x0402, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const SID_BLOCKED: (u16, &[u8]) = (0x0402, &[2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const PYRITE: (u16, &[u8]) = (0x0302, &[0x10, 0x04, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const LOCKS_ONLY: (u16, &[u8]) = (0x0002, &[0b0000_0001, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

#[test]
fn a_drive_that_was_not_asked_is_unknown() {
    let machine = machine();
    let able = able(&machine, "/dev/nvme0n1");
    is(&able, "transport", Pass, "transport-direct");
    is(&able, "security-commands", Unknown, "security-commands-not-seen");
    is(&able, "ata-security", Pass, "ata-security-none");
    for code in ["opal-2", "media-encryption", "drive-not-owned", "sid-not-blocked", "edrive", "geometry", "shadow-mbr"]
    {
        is(&able, code, Unknown, "discovery-not-reached");
    }
    is(&able, "hardware-encryption", Unknown, "hardware-not-known");
    is(&able, "uefi", Unknown, "uefi-not-seen");
    assert!(!condition(&able, "tpm").evidence.is_empty());
}

#[test]
fn an_opal_drive_that_is_free_passes_and_says_by_what() {
    let machine = machine();
    let mut identify = vec![0; 4096];
    identify[256] = 0x17;
    put(&machine, "identify/nvme0n1", &identify);
    put(&machine, "protocols/nvme0n1", &[0, 0, 0, 0, 0, 0, 0, 3, 0, 1, 2]);
    put(&machine, "discovery/nvme0n1", &discovery(&[LOCKING_FREE, GEOMETRY_512, OPAL_2, SID_FREE]));
    let able = able(&machine, "/dev/nvme0n1");
    is(&able, "security-commands", Pass, "security-commands-there");
    is(&able, "opal-2", Pass, "opal-2-there");
    is(&able, "media-encryption", Pass, "media-encryption-there");
    is(&able, "drive-not-owned", Pass, "drive-free");
    is(&able, "sid-not-blocked", Pass, "sid-free");
    is(&able, "geometry", Pass, "geometry-fits");
    is(&able, "shadow-mbr", Pass, "shadow-mbr-there");
    is(&able, "not-known-bad", Pass, "no-flaw-known");
    is(&able, "hardware-encryption", Pass, "hardware-possible");
    assert!(condition(&able, "opal-2").evidence.contains("Level 0 discovery"));
    assert!(condition(&able, "not-known-bad").evidence.contains("970 EVO Plus"));
    assert_eq!(able.decision.unwrap().action, "offer_hw");
}

#[test]
fn what_stands_in_the_way_of_the_drives_own_encryption() {
    let machine = machine();
    let with = |features: &[(u16, &[u8])]| {
        put(&machine, "discovery/nvme0n1", &discovery(features));
        able(&machine, "/dev/nvme0n1")
    };
    let blocked = with(&[LOCKING_FREE, OPAL_2, SID_BLOCKED]);
    is(&blocked, "sid-not-blocked", Fail, "sid-blocked");
    is(&blocked, "hardware-encryption", Warn, "hardware-blocked");
    let pyrite = with(&[LOCKS_ONLY, PYRITE]);
    is(&pyrite, "opal-2", Fail, "opal-2-missing");
    is(&pyrite, "media-encryption", Fail, "media-encryption-missing");
    is(&pyrite, "hardware-encryption", Fail, "hardware-not");
    put(&machine, "discovery/nvme0n1", &[0; 2048]);
    is(&able(&machine, "/dev/nvme0n1"), "opal-2", Unknown, "discovery-not-reached");
    put(&machine, "discovery/nvme0n1", b"\xff\xff\xff\xff garbage");
    able(&machine, "/dev/nvme0n1");
}

#[test]
fn behind_a_bridge_or_a_controller_a_no_is_no_answer() {
    let machine = machine();
    is(&able(&machine, "/dev/nvme1n1"), "transport", Unknown, "transport-raid");
    is(&able(&machine, "/dev/sdc"), "transport", Unknown, "transport-raid");
    is(&able(&machine, "/dev/sda"), "transport", Unknown, "transport-usb");
    is(&able(&machine, "/dev/vda"), "transport", Unknown, "transport-virtual");
    let page = ata_page("Some SSD", &[(48, 0x4000), (128, 0)]);
    put(
        &machine,
        "sys/devices/pci0000:00/0000:00:18.0/ata2/host2/target2:0:0/2:0:0:0/block/sdc/device/vpd_pg89",
        &page,
    );
    is(&able(&machine, "/dev/sdc"), "security-commands", Unknown, "security-commands-hidden");
}

#[test]
fn what_a_sata_drive_says_without_rights() {
    let machine = machine();
    let path = "sys/devices/pci0000:00/0000:00:17.0/ata1/host1/target1:0:0/1:0:0:0/block/sdb/device/vpd_pg89";
    put(&machine, path, &ata_page("Samsung SSD 850 EVO 500GB", &[(48, 0x4001), (128, 0x29)]));
    let free = able(&machine, "/dev/sdb");
    is(&free, "transport", Pass, "transport-direct");
    is(&free, "security-commands", Pass, "security-commands-there");
    is(&free, "ata-security", Pass, "ata-security-off");
    assert!(matches!(condition(&free, "not-known-bad").outcome, Fail | Warn), "{free:#?}");
    put(&machine, path, &ata_page("Some SSD", &[(48, 0x4000), (128, 0x27)]));
    let locked = able(&machine, "/dev/sdb");
    is(&locked, "security-commands", Fail, "security-commands-missing");
    is(&locked, "ata-security", Fail, "ata-security-locked");
    is(&locked, "hardware-encryption", Fail, "hardware-locked");
    put(&machine, path, b"short");
    is(&able(&machine, "/dev/sdb"), "security-commands", Unknown, "security-commands-not-seen");
}

#[test]
fn the_firmware_and_what_starts_the_system() {
    let machine = machine();
    put(&machine, "sys/firmware/dmi/entries/0-0/raw", &[0xff; 0x18]);
    let old = able(&machine, "/dev/vda");
    is(&old, "uefi", Warn, "uefi-missing");
    is(&old, "csm", Warn, "csm-on");
    is(&old, "secure-boot", Warn, "secure-boot-off");
    let variable = |name: &str, value: &[u8]| {
        put(&machine, &format!("sys/firmware/efi/efivars/{name}"), &[&[6, 0, 0, 0], value].concat())
    };
    variable("SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c", &[1]);
    let loader: Vec<u8> = "systemd-boot 257\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
    variable("LoaderInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f", &loader);
    put(&machine, "sys/class/tpm/tpm0/tpm_version_major", b"2\n");
    put(&machine, "usr/bin/dracut", b"");
    let new = able(&machine, "/dev/vda");
    is(&new, "uefi", Pass, "uefi-there");
    is(&new, "csm", Pass, "csm-off");
    is(&new, "secure-boot", Pass, "secure-boot-on");
    is(&new, "tpm", Pass, "tpm-there");
    assert_eq!(condition(&new, "tpm").reason.args["name"], "2.0");
    assert_eq!(condition(&new, "boot-loader").reason.args["name"], "systemd-boot 257");
    assert_eq!(condition(&new, "initramfs").reason.args["name"], "dracut");
    is(&new, "brake", Unknown, "brake-not-seen");
    variable("SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c", &[]);
    is(&able(&machine, "/dev/vda"), "secure-boot", Unknown, "secure-boot-not-seen");
}
