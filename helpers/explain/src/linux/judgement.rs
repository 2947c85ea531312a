//! From the stack to one verdict for each place and each container.

use std::collections::BTreeSet;

use drives::judge::{self, Facts, Format, Report};
use model::{Args, Judged};

use super::{Device, Kind, Machine};
use crate::Item;
use crate::bitlocker::yes;

/// Contents that are members of something larger.
const MEMBERS: &[&str] =
    &["bcache", "mpath_member", "DM_snapshot_cow", "DM_thin-pool", "drbd", "VMFS_volume_member", "ceph_bluestore"];
/// File systems that may encrypt by themselves.
const SELF_ENCRYPTING: &[&str] = &["zfs_member", "zfs", "apfs", "bcachefs"];

/// Everything that a person would ask about.
pub fn items(machine: &Machine) -> Vec<Item> {
    let mut items = Vec::new();
    let mut told: BTreeSet<usize> = BTreeSet::new();
    let mut uuids: BTreeSet<&str> = BTreeSet::new();
    for at in order(machine) {
        let device = &machine.devices[at];
        if told.contains(&at) || is_beside_the_point(device) {
            continue;
        }
        // A file system over several devices is told once.
        let group = group_of(machine, at);
        told.extend(group.iter().copied());
        if !device.mounts.is_empty() || group.iter().any(|one| !machine.devices[*one].mounts.is_empty()) {
            let mounts: BTreeSet<&String> = group.iter().flat_map(|one| &machine.devices[*one].mounts).collect();
            items.extend(
                mounts
                    .into_iter()
                    .filter(|place| !is_package(place))
                    .map(|place| place_item(machine, at, &group, place)),
            );
            continue;
        }
        if let Some(item) = unmounted(machine, at, &group) {
            // The same container through several paths is one.
            let container = is_luks(device).then_some(device.uuid.as_deref()).flatten();
            if container.is_some_and(|uuid| !uuids.insert(uuid)) {
                continue;
            }
            items.push(item);
        }
    }
    folders(machine, &mut items);
    items
}

/// Mappings before what they lie on, so that a container that several paths lead to is told by the
/// name that joins them.
fn order(machine: &Machine) -> Vec<usize> {
    let mut order: Vec<usize> = (0..machine.devices.len()).collect();
    order.sort_by_key(|at| {
        usize::from(!machine.devices[*at].path.starts_with("/dev/mapper/") || !is_luks(&machine.devices[*at]))
    });
    order
}

fn is_beside_the_point(device: &Device) -> bool {
    device.integrity || matches!(device.kind, Kind::Memory | Kind::Reader)
}

fn is_luks(device: &Device) -> bool {
    device.dump.is_some() || device.content.as_deref() == Some("crypto_LUKS")
}

/// Programs that come as images of a file system hold nobody's data.
fn is_package(place: &str) -> bool {
    place.starts_with("/snap/") || place.starts_with("/var/lib/snapd/snap/")
}

fn group_of(machine: &Machine, at: usize) -> BTreeSet<usize> {
    let group = machine.groups.values().find(|group| group.contains(&at));
    group.cloned().unwrap_or_else(|| BTreeSet::from([at]))
}

/// The verdict on a mounted place.
fn place_item(machine: &Machine, at: usize, group: &BTreeSet<usize>, place: &str) -> Item {
    let content = machine.devices[at].content.clone().unwrap_or_default();
    let swap = place == "[SWAP]" || content == "swap";
    let format = if swap {
        Format::Swap
    } else if SELF_ENCRYPTING.contains(&content.as_str()) {
        Format::SelfEncrypting
    } else {
        Format::FileSystem
    };
    let starting = matches!(place, "/boot" | "/boot/efi" | "/efi" | "/boot/firmware" | "/esp");
    let plain = judge::volume(&Facts {
        format,
        content: if swap { "swap".to_owned() } else { content.clone() },
        in_use: true,
        system: place == "/",
        for_starting: starting,
        ..Facts::default()
    });
    let judged = through(machine, group, &plain);
    with_stack(machine, at, group, Item::new(place, judged))
        .with("device", &machine.devices[at].path)
        .with("content", content)
}

/// The verdict on something that is not mounted. `None`: it is no volume of its own.
fn unmounted(machine: &Machine, at: usize, group: &BTreeSet<usize>) -> Option<Item> {
    let device = &machine.devices[at];
    let above: Vec<usize> = machine.above(at).collect();
    let content = device.content.as_deref();
    let item = |judged: Judged| {
        with_stack(machine, at, group, Item::new(device.path.clone(), judged))
            .with("content", content.unwrap_or_default())
    };
    if let Some(dump) = &device.dump {
        let mut item = item(dump.judged()).with("cipher", dump.cipher().unwrap_or_default()).with("luks", dump.version);
        if let Some(slots) = dump.keyslots() {
            item = item.with("keyslots", slots);
        }
        return Some(item.with("by_drive", yes(dump.by_drive())));
    }
    if device.crypt.is_none()
        && let Some(open) = above.iter().find(|upper| opens(machine, **upper).is_some())
        && !content.is_some_and(is_file_system)
    {
        // A container that is open: the mapping tells.
        return Some(item(opens(machine, *open).unwrap_or_else(judge::hidden_beneath)));
    }
    match content {
        Some("crypto_LUKS") => Some(item(judge::report(Report::LuksSignature, Args::new()))),
        Some("BitLocker") => Some(item(bitlocker())),
        Some("ambivalent") => Some(item(judge::volume(&Facts { format: Format::Unclear, ..Facts::default() }))),
        Some(member)
            if member.ends_with("_member") && !SELF_ENCRYPTING.contains(&member)
                || content.is_some_and(|content| MEMBERS.contains(&content)) =>
        {
            // What is made of it is told in its place.
            let facts =
                Facts { format: Format::Member, content: content.unwrap_or_default().to_owned(), ..Facts::default() };
            above.is_empty().then(|| item(judge::volume(&facts)))
        }
        Some(kind) if !kind.is_empty() => {
            let format = match kind {
                "swap" => Format::Swap,
                "swsuspend" => Format::Hibernated,
                _ if SELF_ENCRYPTING.contains(&kind) => Format::SelfEncrypting,
                _ => Format::FileSystem,
            };
            let part_type = device.part_type.to_lowercase();
            let for_starting = kind == "vfat"
                && (part_type.contains("efi") || part_type.contains("c12a7328-f81f-11d2-ba4b-00a0c93ec93b"));
            let leftover = device.second_header && !device.first_header;
            let plain =
                judge::volume(&Facts { format, content: kind.to_owned(), for_starting, leftover, ..Facts::default() });
            Some(item(through(machine, group, &plain)))
        }
        _ if device.table || !above.is_empty() => None,
        _ if device.crypt.is_some() => Some(item(through(machine, group, &judge::hidden_beneath()))),
        Some(_) => Some(item(judge::volume(&Facts::default()))),
        None if matches!(device.kind, Kind::Unknown | Kind::Made) => None,
        None => Some(item(judge::report(Report::NotLookedInto, Args::new()))),
    }
}

fn is_file_system(content: &str) -> bool {
    !content.is_empty()
        && content != "crypto_LUKS"
        && content != "BitLocker"
        && !content.ends_with("_member")
        && !MEMBERS.contains(&content)
}

fn bitlocker() -> Judged {
    judge::volume(&Facts { format: Format::BitLocker, content: "bitlocker".to_owned(), ..Facts::default() })
}

/// The verdict on what lies on these devices, through everything beneath each of them.
fn through(machine: &Machine, group: &BTreeSet<usize>, plain: &Judged) -> Judged {
    let mut legs = Vec::new();
    for at in group {
        let mut seen = BTreeSet::new();
        walk(machine, *at, &mut seen, &mut legs);
    }
    // All legs that say the same are one sentence.
    legs.dedup();
    judge::place(&legs, plain)
}

/// Every way down from a device, each to the first layer of encryption or to the bottom.
fn walk(machine: &Machine, at: usize, seen: &mut BTreeSet<usize>, legs: &mut Vec<Option<Judged>>) {
    let mut open = vec![at];
    while let Some(at) = open.pop() {
        if !seen.insert(at) || legs.len() > 64 {
            continue;
        }
        let device = &machine.devices[at];
        if let Some(judged) = opens(machine, at) {
            legs.push(Some(judged));
            continue;
        }
        let bottom = matches!(device.kind, Kind::Disk | Kind::Part | Kind::Loop | Kind::Image);
        match device.below.is_empty() {
            false => open.extend(device.below.iter().copied()),
            true if bottom => legs.push(None),
            // A cache or an array whose members nobody named, on a computer without any dm-crypt.
            true if machine.mappings_listed && !machine.devices.iter().any(|device| device.crypt.is_some()) => {
                legs.push(None)
            }
            true => legs.push(Some(judge::hidden_beneath())),
        }
    }
}

/// The verdict on a layer of encryption. `None`: the device is none.
fn opens(machine: &Machine, at: usize) -> Option<Judged> {
    let device = &machine.devices[at];
    let crypt = device.crypt.as_ref()?;
    let below: Vec<&Device> = device.below.iter().map(|lower| &machine.devices[*lower]).collect();
    // An integrity layer stands between the two.
    let deeper: Vec<&Device> =
        below.iter().flat_map(|lower| &lower.below).map(|lower| &machine.devices[*lower]).collect();
    let container =
        below.iter().chain(&deeper).find(|lower| is_luks(lower) || lower.content.as_deref() == Some("BitLocker"));
    let null = crypt.cipher.as_deref().is_some_and(|cipher| cipher.contains("null"));
    let made_by = crypt.made_by.as_deref().unwrap_or_default();
    // cryptsetup opens two more mappings while it converts.
    let name = device.path.as_str();
    if name.contains("-hotzone-") || below.iter().any(|lower| lower.path.contains("-hotzone-")) || crypt.mixed {
        return Some(judge::report(Report::LuksConverting, Args::new()));
    }
    if made_by == "BITLK" || container.is_some_and(|lower| lower.content.as_deref() == Some("BitLocker")) {
        return Some(bitlocker());
    }
    if let Some(dump) = container.and_then(|lower| lower.dump.as_ref()) {
        let judged = dump.judged();
        // Something opened it: what an abridged dump leaves out is there.
        if judged.reason.code != "luks-unclear" && !null {
            return Some(judged);
        }
    }
    let Some(cipher) = &crypt.cipher else {
        return Some(judge::report(Report::CryptLayer, Args::new()));
    };
    let version = container.and_then(|lower| lower.version.as_deref()).unwrap_or_default();
    let format = match (made_by, version) {
        ("LUKS2", _) | (_, "2") => Some(Format::Luks2),
        ("LUKS1", _) | (_, "1") => Some(Format::Luks1),
        _ if container.is_some() => Some(Format::Luks1),
        _ => None,
    };
    let facts = Facts { cipher: Some(cipher.clone()), keyslots: Some(1), ..Facts::default() };
    Some(match format {
        Some(format) => {
            let content = if format == Format::Luks2 { "luks2" } else { "luks1" };
            judge::volume(&Facts { format, content: content.to_owned(), ..facts })
        }
        None if made_by == "PLAIN" || below.iter().any(|lower| lower.content.as_deref() == Some("")) => {
            judge::volume(&Facts { opened_plain: true, ..facts })
        }
        None if null => judge::volume(&Facts { opened_plain: true, ..facts }),
        None => judge::report(Report::CryptLayer, Args::from([("cipher".to_owned(), cipher.clone())])),
    })
}

/// The layers beneath, and the devices of a file system that has several.
fn with_stack(machine: &Machine, at: usize, group: &BTreeSet<usize>, item: Item) -> Item {
    let mut stack = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![at];
    while let Some(at) = open.pop() {
        if !seen.insert(at) || stack.len() >= 16 {
            continue;
        }
        stack.push(machine.devices[at].path.clone());
        open.extend(machine.devices[at].below.iter().copied());
    }
    let item = if stack.len() > 1 { item.with("stack", stack.join(" < ")) } else { item };
    let paths: Vec<&str> = group.iter().take(16).map(|one| machine.devices[*one].path.as_str()).collect();
    if paths.len() > 1 { item.with("devices", paths.join(",")) } else { item }
}

/// Folders whose files are encrypted one by one, on top of whatever the folder lies on.
fn folders(machine: &Machine, items: &mut Vec<Item>) {
    for (place, source, kind) in &machine.encrypted_folders {
        let holds = |item: &&Item| {
            item.subject == "/" || source.starts_with(&format!("{}/", item.subject)) || *source == item.subject
        };
        let beneath = items.iter().filter(holds).max_by_key(|item| item.subject.len()).map(|item| item.judged.clone());
        let beneath = beneath.unwrap_or_else(|| judge::report(Report::TooLittle, Args::new()));
        items.push(
            Item::new(place.clone(), judge::encrypted_folder(&beneath, kind))
                .with("content", kind)
                .with("source_folder", source),
        );
    }
}
