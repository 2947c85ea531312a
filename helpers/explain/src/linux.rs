//! One Linux computer, put together from all that its tools printed: `lsblk`, `blkid`, `cryptsetup
//! luksDump`, `dmsetup`, `udevadm`, `btrfs`, `pvs`, `multipath`, `mount`. Each of them sees a part of
//! the stack; the verdict is about each place through all of it.

mod blkid;
mod dmsetup;
mod json;
mod judgement;
mod lsblk;
mod luks_dump;
mod others;

use std::collections::{BTreeMap, BTreeSet};

use crate::Item;
use crate::text::Text;
use luks_dump::Dump;

/// How many devices one computer may have. A recorded computer with a hundred volumes has 400.
const MOST: usize = 4096;

/// All volumes and places.
pub fn items(text: &Text) -> Vec<Item> {
    let mut machine = Machine::default();
    json::read(&mut machine, text);
    lsblk::read(&mut machine, text);
    blkid::read(&mut machine, text);
    dmsetup::read(&mut machine, text);
    others::read(&mut machine, text);
    luks_dump::read(&mut machine, text);
    machine.settle();
    judgement::items(&machine)
}

/// What sort of device, as `lsblk` has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Not said.
    #[default]
    Unknown,
    /// A drive.
    Disk,
    /// A partition.
    Part,
    /// An open dm-crypt device.
    Crypt,
    /// Made of others: LVM, arrays, multipath, caches.
    Made,
    /// A file used as a device.
    Loop,
    /// A file with the content of a device.
    Image,
    /// Memory.
    Memory,
    /// An optical or floppy drive.
    Reader,
}

/// A dm-crypt mapping.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crypt {
    /// The cipher of its table.
    pub cipher: Option<String>,
    /// The prefix of its UUID: `LUKS1`, `LUKS2`, `PLAIN`, `BITLK`, `TCRYPT`, …
    pub made_by: Option<String>,
    /// Whether a part of it has another target than crypt.
    pub mixed: bool,
}

/// One device.
#[derive(Clone, Debug, Default)]
pub struct Device {
    /// As people write it: `/dev/sda1`, `/dev/mapper/x`.
    pub path: String,
    /// What sort.
    pub kind: Kind,
    /// What lies on it. `Some("")`: somebody looked and found nothing; `None`: nobody could look.
    pub content: Option<String>,
    /// Version of the content.
    pub version: Option<String>,
    /// UUID of the content.
    pub uuid: Option<String>,
    /// Whether it has a partition table.
    pub table: bool,
    /// Type or name of the partition.
    pub part_type: String,
    /// Where it is mounted; `[SWAP]` for swap.
    pub mounts: BTreeSet<String>,
    /// What it lies on.
    pub below: BTreeSet<usize>,
    /// Set when it is dm-crypt.
    pub crypt: Option<Crypt>,
    /// Its LUKS header.
    pub dump: Option<Dump>,
    /// LUKS signatures at the front and behind it, as `wipefs` lists them.
    pub first_header: bool,
    /// See `first_header`.
    pub second_header: bool,
    /// A layer that adds checksums, and no volume of its own.
    pub integrity: bool,
}

/// The computer.
#[derive(Debug, Default)]
pub struct Machine {
    /// All devices.
    pub devices: Vec<Device>,
    names: BTreeMap<String, usize>,
    numbers: BTreeMap<(u32, u32), usize>,
    /// Edges to devices that are known by their number only, filled in at the end.
    pending: Vec<(usize, u32, u32)>,
    /// File systems over several devices, by their UUID.
    pub groups: BTreeMap<String, BTreeSet<usize>>,
    /// Volume groups and the devices they are made of.
    volume_groups: BTreeMap<String, BTreeSet<usize>>,
    logical_volumes: Vec<(String, usize)>,
    /// Whether all mappings of the computer were listed.
    pub mappings_listed: bool,
    /// Folders with files that are encrypted one by one: where, and what they lie in.
    pub encrypted_folders: Vec<(String, String, String)>,
}

impl Machine {
    /// The device of this name in any spelling; a new one if nobody spoke of it before. `None` when
    /// there are too many.
    pub fn device(&mut self, name: &str) -> Option<usize> {
        let path = path_of(name);
        let key = key_of(&path);
        if let Some(at) = self.names.get(&key) {
            return Some(*at);
        }
        if key.is_empty() || self.devices.len() >= MOST {
            return None;
        }
        let at = self.devices.len();
        let kind = kind_by_name(&key);
        self.devices.push(Device { path, kind, ..Device::default() });
        self.names.insert(key, at);
        Some(at)
    }

    /// Another name of the same device.
    pub fn alias(&mut self, at: usize, name: &str) {
        let key = key_of(&path_of(name));
        if self.names.len() < MOST * 4 {
            self.names.entry(key).or_insert(at);
        }
    }

    /// The device's number.
    pub fn number(&mut self, at: usize, major: u32, minor: u32) {
        self.numbers.entry((major, minor)).or_insert(at);
    }

    /// `upper` lies on the device with this number.
    pub fn lies_on_number(&mut self, upper: usize, major: u32, minor: u32) {
        if self.pending.len() < MOST * 8 {
            self.pending.push((upper, major, minor));
        }
    }

    /// `upper` lies on `lower`.
    pub fn lies_on(&mut self, upper: usize, lower: usize) {
        if upper != lower && self.devices[upper].below.len() < 256 {
            self.devices[upper].below.insert(lower);
        }
    }

    /// A physical volume of a group.
    pub fn physical_volume(&mut self, group: &str, at: usize) {
        if !group.is_empty() {
            self.volume_groups.entry(group.to_owned()).or_default().insert(at);
        }
    }

    /// A logical volume of a group.
    pub fn logical_volume(&mut self, group: &str, at: usize) {
        self.devices[at].kind = Kind::Made;
        self.logical_volumes.push((group.to_owned(), at));
    }

    /// What is made directly of the device.
    pub fn above(&self, at: usize) -> impl Iterator<Item = usize> {
        self.devices.iter().enumerate().filter(move |(_, device)| device.below.contains(&at)).map(|(upper, _)| upper)
    }

    /// Turns numbers into devices and groups into edges.
    fn settle(&mut self) {
        for (upper, major, minor) in std::mem::take(&mut self.pending) {
            let lower = self.numbers.get(&(major, minor)).copied().or_else(|| {
                // Device-mapper has 253 or 254; its devices are known as `dm-N`, too.
                let mapped =
                    matches!(major, 252..=254).then(|| self.names.get(&format!("dm-{minor}")).copied()).flatten();
                mapped.or_else(|| self.device(&name_of_number(major, minor)?))
            });
            if let Some(lower) = lower {
                self.lies_on(upper, lower);
            }
        }
        for (group, at) in std::mem::take(&mut self.logical_volumes) {
            if self.devices[at].below.is_empty()
                && let Some(members) = self.volume_groups.get(&group)
            {
                self.devices[at].below.extend(members.iter().copied());
            }
        }
        // A btrfs with the same UUID on several devices is one file system.
        for (at, device) in self.devices.iter().enumerate() {
            if device.content.as_deref() == Some("btrfs")
                && let Some(uuid) = &device.uuid
            {
                self.groups.entry(uuid.clone()).or_default().insert(at);
            }
        }
    }
}

/// The device's path as people write it; blanks in names of mappings are not escaped any more.
fn path_of(name: &str) -> String {
    let name = name.trim().replace(r"\x20", " ");
    if name.contains('/') || name.is_empty() { name } else { format!("/dev/{name}") }
}

/// What is the same in all spellings: `/dev/mapper/vg-lv`, `/dev/vg/lv`, `vg-lv`.
fn key_of(path: &str) -> String {
    let Some(short) = path.strip_prefix("/dev/") else { return path.to_owned() };
    if let Some(mapped) = short.strip_prefix("mapper/") {
        return mapped.to_owned();
    }
    match short.split_once('/') {
        Some((group, volume)) if !matches!(group, "disk" | "block" | "md" | "zvol" | "cciss" | "loop") => {
            format!("{}-{}", group.replace('-', "--"), volume.replace('-', "--"))
        }
        _ => short.to_owned(),
    }
}

/// The kernel's own names of things at the bottom.
fn kind_by_name(key: &str) -> Kind {
    let digit = key.ends_with(|sign: char| sign.is_ascii_digit());
    for prefix in ["sd", "vd", "hd", "xvd", "dasd"] {
        if let Some(rest) = key.strip_prefix(prefix)
            && rest.starts_with(|sign: char| sign.is_ascii_lowercase())
            && rest.chars().all(|sign| sign.is_ascii_alphanumeric())
        {
            return if digit { Kind::Part } else { Kind::Disk };
        }
    }
    for prefix in ["nvme", "mmcblk"] {
        if let Some(rest) = key.strip_prefix(prefix)
            && rest.starts_with(|sign: char| sign.is_ascii_digit())
        {
            return if rest.contains('p') { Kind::Part } else { Kind::Disk };
        }
    }
    if key.starts_with("loop") && digit {
        return if key.contains('p') && !key.ends_with('p') && key[4..].contains('p') {
            Kind::Part
        } else {
            Kind::Loop
        };
    }
    if key.starts_with("zram") || key.starts_with("ram") && digit {
        return Kind::Memory;
    }
    if digit && (key.starts_with("sr") || key.starts_with("fd")) {
        return Kind::Reader;
    }
    if ["md", "bcache"].iter().any(|prefix| key.starts_with(prefix)) && digit {
        return Kind::Made;
    }
    Kind::Unknown
}

/// Names of numbers that are the same on every Linux.
fn name_of_number(major: u32, minor: u32) -> Option<String> {
    match major {
        8 => {
            let letter = char::from(b'a' + u8::try_from(minor / 16).ok()?.min(25));
            Some(if minor.is_multiple_of(16) { format!("sd{letter}") } else { format!("sd{letter}{}", minor % 16) })
        }
        7 => Some(format!("loop{minor}")),
        9 => Some(format!("md{minor}")),
        _ => None,
    }
}
