//! Smaller tools: `udevadm info`, `btrfs filesystem show`, `multipath -ll`, `pvs`, `mount`, `findmnt`,
//! `swapon`.

use super::{Machine, dmsetup, lsblk};
use crate::text::{Section, Text};

/// Reads them all.
pub fn read(machine: &mut Machine, text: &Text) {
    let mut udev: Option<usize> = None;
    let mut btrfs: Option<String> = None;
    let mut path: Option<usize> = None;
    let mut swaps = false;
    let mut volumes = false;
    let mut wipefs = false;
    for line in text.lines.iter().filter(|line| line.section == Section::Output) {
        let told = line.trimmed();
        if line.command().is_some() || told.is_empty() {
            (udev, path, swaps, volumes, wipefs) = (None, None, false, false, false);
            if line.command().is_some() {
                btrfs = None;
            }
            continue;
        }
        // udevadm
        if let Some(name) = told.strip_prefix("N: ") {
            udev = machine.device(name);
            continue;
        }
        if let (Some(at), Some((name, value))) = (udev, told.strip_prefix("E: ").and_then(|pair| pair.split_once('=')))
        {
            udev = Some(property(machine, at, name, value));
            continue;
        }
        // btrfs filesystem show
        if told.starts_with("Label: ")
            && let Some((_, uuid)) = told.split_once("uuid: ")
        {
            btrfs = Some(uuid.trim().to_owned());
            continue;
        }
        if let (Some(uuid), Some((_, device))) =
            (&btrfs, told.strip_prefix("devid ").and_then(|rest| rest.split_once(" path ")))
        {
            if let Some(at) = machine.device(device) {
                machine.groups.entry(uuid.clone()).or_default().insert(at);
                machine.devices[at].content = Some("btrfs".to_owned());
            }
            continue;
        }
        // multipath -ll
        let words: Vec<&str> = told.split_whitespace().take(12).collect();
        if let [name, number, ..] = words.as_slice()
            && let Some(minor) = number.strip_prefix("dm-").and_then(|minor| minor.parse::<u32>().ok())
            && line.indent == 0
        {
            path = machine.device(&format!("/dev/mapper/{name}"));
            if let Some(at) = path {
                machine.alias(at, &format!("dm-{minor}"));
            }
            continue;
        }
        if let Some(at) = path
            && told.starts_with(['|', '`'])
        {
            let pair = words.windows(2).find(|pair| lsblk::number(pair[1]).is_some());
            if let Some(below) = pair.and_then(|pair| machine.device(pair[0])) {
                machine.lies_on(at, below);
            }
            continue;
        }
        // swapon --show, /proc/swaps
        if told.contains("PRIO") && told.starts_with("NAME")
            || told.starts_with("Filename") && told.contains("Priority")
        {
            swaps = true;
            continue;
        }
        if swaps && told.starts_with("/dev/") && words.get(1) == Some(&"partition") {
            if let Some(at) = machine.device(words[0]) {
                machine.devices[at].mounts.insert("[SWAP]".to_owned());
            }
            continue;
        }
        // wipefs -n
        if words.first() == Some(&"DEVICE") && words.get(1) == Some(&"OFFSET") {
            wipefs = true;
            continue;
        }
        if wipefs && words.len() >= 3 && words[1].starts_with("0x") {
            signature(machine, words[0], words[1], words[2]);
            continue;
        }
        // /proc/mdstat
        if let [array, ":", "active", rest @ ..] = words.as_slice()
            && array.starts_with("md")
        {
            members(machine, array, rest);
            continue;
        }
        // pvs
        if words.starts_with(&["PV", "VG"]) {
            volumes = true;
            continue;
        }
        if volumes && told.starts_with("/dev/") && words.len() >= 5 {
            if let Some(at) = machine.device(words[0]) {
                machine.physical_volume(words[1], at);
            }
            continue;
        }
        mounted(machine, told);
    }
}

/// `raid1 sdb1[1] sda1[0](F)`
fn members(machine: &mut Machine, array: &str, words: &[&str]) {
    let Some(at) = machine.device(array) else { return };
    for word in words {
        if let Some((name, _)) = word.split_once('[')
            && let Some(below) = machine.device(name)
        {
            machine.lies_on(at, below);
        }
    }
}

/// One signature of `wipefs`. A LUKS header away from the front, without the one at the front, is what an
/// older encryption has left.
fn signature(machine: &mut Machine, name: &str, offset: &str, kind: &str) {
    let path = if name.contains('/') || name.starts_with("sd") || name.starts_with("nvme") {
        name.to_owned()
    } else {
        format!("./{name}")
    };
    let Some(at) = machine.device(&path) else { return };
    let device = &mut machine.devices[at];
    if path.starts_with("./") {
        name.clone_into(&mut device.path);
        device.kind = super::Kind::Image;
    }
    if kind == "crypto_LUKS" && offset != "0x0" {
        device.second_header = true;
        return;
    }
    if kind == "crypto_LUKS" {
        device.first_header = true;
    }
    match &device.content {
        None => device.content = Some(kind.to_owned()),
        Some(known) if known.is_empty() => device.content = Some(kind.to_owned()),
        // Two formats at once.
        Some(known) if known != kind && !matches!(kind, "gpt" | "dos" | "PMBR") => {
            device.content = Some("ambivalent".to_owned())
        }
        Some(_) => {}
    }
}

/// One property of udev. Gives the device that the next ones are about.
fn property(machine: &mut Machine, at: usize, name: &str, value: &str) -> usize {
    match name {
        "DM_NAME" => {
            // Until now only its kernel name was known.
            if let Some(named) = machine.device(&format!("/dev/mapper/{value}")) {
                let kernel = machine.devices[at].path.clone();
                if named != at {
                    let old = machine.devices[at].clone();
                    let device = &mut machine.devices[named];
                    device.content = device.content.take().or(old.content);
                    machine.devices[at].content = None;
                    machine.names.retain(|_, known| *known != at);
                    machine.alias(named, &kernel);
                    machine.devices[at].integrity = true;
                }
                return named;
            }
        }
        "DM_UUID" => dmsetup::uuid_of(machine, at, value),
        "ID_FS_TYPE" => {
            machine.devices[at].content.get_or_insert_with(|| value.to_owned());
        }
        "ID_FS_VERSION" => machine.devices[at].version = Some(value.to_owned()),
        "ID_FS_UUID" => {
            machine.devices[at].uuid.get_or_insert_with(|| value.to_owned());
        }
        "ID_PART_TABLE_TYPE" => {}
        _ => {}
    }
    at
}

/// `X on Y type T (…)` of `mount`, and `X Y T options 0 0` of `/proc/mounts`.
fn mounted(machine: &mut Machine, told: &str) {
    let parsed = told.split_once(" on ").and_then(|(source, rest)| {
        rest.split_once(" type ")
            .map(|(point, rest)| (source, point, rest.split_whitespace().next().unwrap_or_default()))
    });
    let words: Vec<&str> = told.split_whitespace().take(7).collect();
    let table = match words.as_slice() {
        [source, point, kind, _, "0", _] if point.starts_with('/') => Some((*source, *point, *kind)),
        // findmnt
        [point, source, kind, options]
            if point.trim_start_matches(['├', '└', '─', '│']).starts_with('/') && options.contains(['=', ',']) =>
        {
            Some((*source, point.trim_start_matches(['├', '└', '─', '│']), *kind))
        }
        _ => None,
    };
    let Some((source, point, kind)) = parsed.or(table) else { return };
    if !point.starts_with('/') {
        return;
    }
    if matches!(kind, "ecryptfs" | "fuse.gocryptfs" | "fuse.encfs" | "fuse.cryfs")
        && machine.encrypted_folders.len() < 256
    {
        machine.encrypted_folders.push((point.to_owned(), source.to_owned(), kind.to_owned()));
        return;
    }
    let source = source.split('[').next().unwrap_or_default();
    if source.starts_with("/dev/")
        && let Some(at) = machine.device(source)
    {
        lsblk::mount(machine, at, point);
        machine.devices[at].content.get_or_insert_with(|| kind.to_owned());
    }
}
