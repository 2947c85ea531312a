//! `diskutil apfs list` and `diskutil apfs listUsers` as text, and tables in which somebody put the
//! FileVault line of several volumes side by side.

use crate::Item;
use crate::apfs::Volume;
use crate::text::{Section, Text};

/// How many volumes one text may have.
const MOST: usize = 1024;

/// All volumes that hold somebody's data.
pub fn items(text: &Text) -> Vec<Item> {
    let mut volumes: Vec<Volume> = Vec::new();
    let mut open = false;
    // Which column of a table has the FileVault line.
    let mut column: Option<usize> = None;
    let mut users: Option<(String, Vec<String>)> = None;
    for line in text.lines.iter().filter(|line| line.section == Section::Output) {
        let told = line.trimmed();
        if let Some(cells) = cells(told) {
            match column {
                Some(column) => volumes.extend(from_table(&cells, column)),
                None => column = cells.iter().position(|cell| cell.contains("FileVault")),
            }
            continue;
        }
        column = None;
        if let Some(rest) = told.strip_prefix("Cryptographic users for ") {
            users = rest.split_whitespace().next().map(|device| (device.to_owned(), Vec::new()));
            open = false;
            continue;
        }
        let told = told.trim_start_matches(['|', '+', '-', '>', '<', '`', ' ']).trim();
        if let Some((_, kinds)) = &mut users
            && let Some(kind) = told.strip_prefix("Type:")
            && kinds.len() < 64
        {
            kinds.push(kind.trim().to_owned());
            continue;
        }
        if let Some(rest) = told.strip_prefix("Volume disk")
            && volumes.len() < MOST
        {
            let number = rest.split_whitespace().next().unwrap_or_default();
            volumes.push(Volume { device: format!("disk{number}"), ..Volume::default() });
            open = true;
            continue;
        }
        if told.starts_with("Container ") || told.starts_with("Physical Store ") || line.command().is_some() {
            open = false;
        }
        let (Some((label, value)), true, Some(volume)) = (told.split_once(':'), open, volumes.last_mut()) else {
            continue;
        };
        row(volume, label.trim(), value.trim());
    }
    if let Some((device, kinds)) = users {
        add_users(&mut volumes, &device, &kinds);
    }
    volumes.iter().filter(|volume| !volume.is_helper()).map(Volume::item).collect()
}

fn row(volume: &mut Volume, label: &str, value: &str) {
    match label {
        "APFS Volume Disk (Role)" => {
            let roles = value.split_once('(').map_or("", |(_, roles)| roles.trim_end_matches(')'));
            let known = roles.split([',', ' ', '/']).map(str::trim).filter(|role| !role.is_empty());
            volume.roles = known
                .filter(|role| !role.eq_ignore_ascii_case("no") && !role.eq_ignore_ascii_case("specific"))
                .map(str::to_owned)
                .take(8)
                .collect();
            if roles.eq_ignore_ascii_case("no specific role") {
                volume.roles.clear();
            }
        }
        "Name" => {
            volume.name =
                value.trim_end_matches("(Case-insensitive)").trim_end_matches("(Case-sensitive)").trim().to_owned()
        }
        "Mount Point" if value != "Not Mounted" => value.clone_into(&mut volume.mount),
        "Snapshot Mount Point" if volume.mount.is_empty() && value != "Not Mounted" => {
            value.clone_into(&mut volume.mount)
        }
        // Before macOS 10.14 the line is called "Encrypted".
        "FileVault" | "Encrypted" => filevault(volume, value),
        "Encryption Progress" | "Conversion Progress" | "Decryption Progress" => volume.converting = true,
        _ => {}
    }
}

/// `Yes (Unlocked)`, `No (Encrypted at rest)`, `No`.
fn filevault(volume: &mut Volume, value: &str) {
    let (word, more) = value.split_once('(').unwrap_or((value, ""));
    let more = more.trim_end_matches(')').trim();
    volume.filevault = match word.trim() {
        "Yes" => Some(true),
        "No" => Some(false),
        _ => None,
    };
    match (volume.filevault, more) {
        (Some(true), "Unlocked") => volume.locked = Some(false),
        (Some(true), "Locked") => volume.locked = Some(true),
        (Some(false), "Encrypted at rest") => volume.encryption = Some(true),
        (Some(false), "") => volume.encryption = Some(false),
        _ => volume.strange = true,
    }
}

/// Only who can open it: the volume itself is known from elsewhere or not at all.
fn add_users(volumes: &mut Vec<Volume>, device: &str, kinds: &[String]) {
    let has = |word: &str| kinds.iter().any(|kind| kind.contains(word));
    let recovery = if has("Personal Recovery") {
        Some("personal")
    } else if has("iCloud") {
        Some("icloud")
    } else if has("Institutional") {
        Some("institutional")
    } else if kinds.is_empty() {
        None
    } else {
        Some("none")
    };
    // The users belong to the container; the volume that FileVault guards is the one they open.
    let container =
        |device: &str| device.strip_prefix("disk").and_then(|rest| rest.split('s').next()).map(str::to_owned);
    let exact = volumes.iter().position(|volume| volume.device == device);
    let near = volumes
        .iter()
        .position(|volume| volume.filevault == Some(true) && container(&volume.device) == container(device));
    match exact.or(near) {
        Some(at) => volumes[at].recovery = recovery,
        None => volumes.push(Volume { device: device.to_owned(), recovery, ..Volume::default() }),
    }
}

/// The cells of a line of a table. The tree of `diskutil` begins with a bar, too, and has only that one.
fn cells(told: &str) -> Option<Vec<&str>> {
    let inside = told.strip_prefix('|')?.strip_suffix('|')?;
    let cells: Vec<&str> = inside.split('|').map(str::trim).take(16).collect();
    (cells.len() > 1).then_some(cells)
}

fn from_table(cells: &[&str], column: usize) -> Option<Volume> {
    let (device, role) = cells.first()?.split_once(' ').unwrap_or((cells.first()?, ""));
    if !device.starts_with("disk") {
        return None;
    }
    let mut volume = Volume { device: device.to_owned(), ..Volume::default() };
    // Behind the device stands the role, or a note in brackets.
    if !role.starts_with('(') && !role.is_empty() {
        volume.roles = vec![role.trim().to_owned()];
    }
    filevault(&mut volume, cells.get(column)?);
    Some(volume)
}
