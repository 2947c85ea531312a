//! Block devices in sysfs. Everything is read from small files whose absence means "not to be seen".

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use model::Bus;

use crate::{Disk, Kind, Mapping, Node, Noted, Number};

/// The kernel counts sizes in sysfs in these units whatever the drive's own sector is.
const UNIT: u64 = 512;

/// All block devices under `root`, with their edges downwards.
pub(super) fn nodes(root: &Path) -> BTreeMap<Number, Node> {
    let mut nodes = BTreeMap::new();
    let mut upwards: Vec<(Number, Vec<String>)> = Vec::new();
    let mut downwards: Vec<(Number, Vec<String>)> = Vec::new();
    for folder in entries(&root.join("sys/block")) {
        let Some(device) = device(&folder) else { continue };
        let number = device.number;
        upwards.push((number, names(&folder.join("holders"))));
        downwards.push((number, names(&folder.join("slaves"))));
        // Compressed memory that writes what it has no room for to a device.
        let behind =
            text(&folder.join("backing_dev")).and_then(|path| Some(path.strip_prefix("/dev/")?.replace('/', "!")));
        downwards.extend(behind.map(|name| (number, vec![name])));
        for inner in entries(&folder) {
            // Only a partition's folder has a file of this name.
            let Some(place) = text(&inner.join("partition")) else { continue };
            let Some(partition) = partition(&inner, number, &place) else { continue };
            upwards.push((partition.number, names(&inner.join("holders"))));
            nodes.insert(partition.number, partition);
        }
        nodes.insert(number, device);
    }
    let by_name: BTreeMap<String, Number> = nodes.values().map(|node| (node.name.clone(), node.number)).collect();
    let named = |name: &String| by_name.get(name).copied();
    // Both directions are read: some drivers make only one of the two links.
    let mut edges: Vec<(Number, Number)> = Vec::new();
    for (upper, lower) in &downwards {
        edges.extend(lower.iter().filter_map(named).map(|lower| (*upper, lower)));
    }
    for (lower, upper) in &upwards {
        edges.extend(upper.iter().filter_map(named).map(|upper| (upper, *lower)));
    }
    for (upper, lower) in edges {
        if let Some(node) = nodes.get_mut(&upper) {
            node.below.insert(lower);
        }
    }
    nodes
}

/// A small file's text without the line's end. `None` where it cannot be read.
pub(super) fn text(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\0']).to_owned())
}

/// What lies in a folder, in order. Nothing where it cannot be read.
pub(super) fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(list) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = list.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

fn names(folder: &Path) -> Vec<String> {
    entries(folder).iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
}

fn device(folder: &Path) -> Option<Node> {
    let name = folder.file_name()?.to_str()?.to_owned();
    let number = text(&folder.join("dev"))?.parse().ok()?;
    let kind = kind(folder, &name);
    let path = match &kind {
        Kind::Mapping(mapping) if !mapping.name.is_empty() => format!("/dev/mapper/{}", escape(&mapping.name)),
        _ => format!("/dev/{}", name.replace('!', "/")),
    };
    Some(Node {
        number,
        path,
        size: size(folder),
        read_only: text(&folder.join("ro")).as_deref() == Some("1"),
        kind,
        below: BTreeSet::new(),
        noted: Noted::default(),
        told: None,
        name,
    })
}

fn partition(folder: &Path, disk: Number, place: &str) -> Option<Node> {
    let name = folder.file_name()?.to_str()?.to_owned();
    Some(Node {
        number: text(&folder.join("dev"))?.parse().ok()?,
        path: format!("/dev/{}", name.replace('!', "/")),
        size: size(folder),
        read_only: text(&folder.join("ro")).as_deref() == Some("1"),
        kind: Kind::Partition { number: place.parse().unwrap_or(0) },
        below: BTreeSet::from([disk]),
        noted: Noted::default(),
        told: None,
        name,
    })
}

fn size(folder: &Path) -> u64 {
    text(&folder.join("size")).and_then(|text| text.trim().parse::<u64>().ok()).unwrap_or(0).saturating_mul(UNIT)
}

fn kind(folder: &Path, name: &str) -> Kind {
    let driver: &str = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    match driver {
        "dm-" => Kind::Mapping(Mapping {
            name: text(&folder.join("dm/name")).unwrap_or_default(),
            uuid: text(&folder.join("dm/uuid")).unwrap_or_default(),
            cipher: None,
            encrypts: None,
        }),
        "md" | "md_d" => Kind::Array,
        "bcache" => Kind::Cache,
        "loop" => Kind::Loop { file: text(&folder.join("loop/backing_file")).map(PathBuf::from), direct: false },
        "ram" | "zram" => Kind::Memory,
        "nbd" | "rbd" | "zd" | "drbd" | "ublkb" => Kind::Opaque,
        "sr" | "fd" => Kind::Reader,
        // A named array (`md_backup`) is known by its folder.
        _ if folder.join("md").is_dir() => Kind::Array,
        _ => Kind::Disk(disk(folder, name)),
    }
}

fn disk(folder: &Path, name: &str) -> Disk {
    let way = std::fs::canonicalize(folder).map(|path| path.display().to_string()).unwrap_or_default();
    let bus = bus(name, &way);
    let flag = |name: &str| text(&folder.join(name)).map(|text| text == "1");
    let sd_card = text(&folder.join("device/type")).as_deref() == Some("SD");
    Disk {
        bus,
        title: title(folder),
        // A USB disk says "not removable" of its medium, but can be pulled out as a whole.
        removable: if bus == Bus::Usb || sd_card { Some(true) } else { flag("removable") },
        // Bridges of USB often claim to turn; that nothing turns is believed.
        rotational: flag("queue/rotational").filter(|turns| !(*turns && bus == Bus::Usb)),
        physical: std::fs::canonicalize(folder.join("device"))
            .map(|path| path.display().to_string())
            .unwrap_or_default(),
        hidden: flag("hidden") == Some(true) || name.contains("boot") || name.ends_with("rpmb"),
    }
}

/// How a drive is connected, by its name and its place in the tree of devices.
fn bus(name: &str, way: &str) -> Bus {
    let through = |part: &str| way.split('/').any(|folder| folder.starts_with(part));
    match name {
        _ if through("usb") => Bus::Usb,
        _ if name.starts_with("nvme") => Bus::Nvme,
        _ if name.starts_with("mmcblk") => Bus::Mmc,
        _ if name.starts_with("vd") || name.starts_with("xvd") || through("virtio") || through("vmbus") => Bus::Virtual,
        _ if name.starts_with("hd") || through("ata") => Bus::Ata,
        _ => Bus::Unknown,
    }
}

fn title(folder: &Path) -> String {
    let read = |name: &str| text(&folder.join("device").join(name)).map(|text| text.trim().to_owned());
    // libata writes "ATA" as the vendor of everything; virtio writes a number.
    let vendor = read("vendor").filter(|vendor| vendor != "ATA" && !vendor.starts_with("0x")).unwrap_or_default();
    let model = read("model").or_else(|| read("name")).unwrap_or_default();
    let title = if model.starts_with(&vendor) { model } else { format!("{vendor} {model}") };
    title.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A mapping's name as udev writes it under `/dev/mapper`: everything but these letters as `\x20`.
fn escape(name: &str) -> String {
    let mut escaped = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => escaped.push(byte.into()),
            _ if b"#+-.:=@_".contains(&byte) => escaped.push(byte.into()),
            _ => escaped.push_str(&format!("\\x{byte:02x}")),
        }
    }
    escaped
}
