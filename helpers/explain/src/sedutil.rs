//! `sedutil-cli --query` and `--scan`, of the original and of its forks.

use drives::hardware::{Seen, Ssc};

use crate::drive::is_evidence;
use crate::text::{Line, Text};

/// Each drive with its path, of queries and scans.
pub fn all(text: &Text) -> Vec<(String, Seen)> {
    let mut drives: Vec<(String, Seen)> = Vec::new();
    let mut queried = false;
    for line in text.lines.iter().filter(|line| is_evidence(line.section)) {
        let told = line.trimmed();
        if let Some((path, seen)) = scan_line(told) {
            drives.push((path, seen));
            queried = false;
            continue;
        }
        if let Some((path, model)) = query_head(told) {
            queried = true;
            if !drives.iter().any(|(known, _)| *known == path) {
                drives.push((path, Seen { model, ..Seen::default() }));
            }
            continue;
        }
        if !is_function(told) && !line_has_pairs(line) {
            continue;
        }
        if drives.is_empty() && is_function(told) {
            drives.push(("drive".to_owned(), Seen::default()));
            queried = true;
        }
        // A query behind a scan of one drive is about that drive.
        let about = if queried || drives.len() == 1 { drives.last_mut() } else { None };
        if let Some((_, seen)) = about {
            add(seen, told);
        }
    }
    drives
}

/// What one line of a query adds.
pub fn add(seen: &mut Seen, told: &str) {
    classes(seen, told);
    for (name, value) in pairs(told) {
        put(seen, name, value);
    }
}

/// `/dev/nvme0n1  2  WD_BLACK SN850X 1000GB    620361WD NVME`.
fn scan_line(told: &str) -> Option<(String, Seen)> {
    let mut words = told.split_whitespace();
    let path = words
        .next()
        .filter(|path| path.starts_with("/dev/") || path.to_lowercase().starts_with(r"\\.\physicaldrive"))?;
    let code = words.next()?;
    let class = match code.trim_end_matches([',', ':']) {
        "No" | "NO" => None,
        "1" => Some(vec![Ssc::Opal1]),
        "2" => Some(vec![Ssc::Opal2]),
        "12" => Some(vec![Ssc::Opal1, Ssc::Opal2]),
        "E" => Some(vec![Ssc::Enterprise]),
        "L" => Some(vec![Ssc::Opalite]),
        "P" | "p" => Some(vec![Ssc::Pyrite1]),
        "R" | "r" => Some(vec![Ssc::Ruby]),
        _ => return None,
    };
    let rest: Vec<&str> = words.collect();
    let (model, firmware) = match rest.as_slice() {
        [] => (String::new(), String::new()),
        [only] => ((*only).to_owned(), String::new()),
        // The firmware is the word that stands apart; the fork adds the way of connection.
        [model @ .., firmware, "NVME" | "ATA" | "SATA" | "SAS" | "USB" | "SCSI"] | [model @ .., firmware] => {
            (model.join(" "), (*firmware).to_owned())
        }
    };
    // "No" is "not seen": a driver or a bridge may have kept the question.
    Some((path.to_owned(), Seen { model, firmware, silent: class.is_none(), ssc: class, ..Seen::default() }))
}

/// `/dev/nvme0n1 NVMe Samsung SSD 960 EVO 1TB  2B7QCXE7 …`. The serial number is not kept.
fn query_head(told: &str) -> Option<(String, String)> {
    let (path, rest) = told.split_once(' ')?;
    let ours = path.starts_with("/dev/") || path.to_lowercase().starts_with(r"\\.\physicaldrive");
    let mut words = rest.split_whitespace();
    let kind = words.next()?;
    if !ours || !matches!(kind, "NVMe" | "ATA" | "SATA" | "SAS" | "USB" | "OTHER" | "UNKNOWN" | "SCSI") {
        return None;
    }
    let model: Vec<&str> = words.take(4).collect();
    Some((path.to_owned(), model.join(" ")))
}

/// `Locking function (0x0002)`.
fn is_function(told: &str) -> bool {
    (told.contains("function (0x") || told.contains("Feature (0x") || told.contains("unction (0X"))
        && told.contains(')')
}

fn line_has_pairs(line: &Line) -> bool {
    line.indent > 0 && line.text.contains(" = ")
}

/// The classes that a line names. "no Opal" and the like are not in the tools' own words.
pub fn classes(seen: &mut Seen, told: &str) {
    let lower = told.to_lowercase();
    let mut found = Vec::new();
    for (at, _) in lower.match_indices("opal") {
        let rest = lower[at + 4..].trim_start_matches([' ', 'v', '"', '_']);
        match rest.chars().next() {
            Some('1') => {
                found.push(Ssc::Opal1);
                if rest.contains("and v2") {
                    found.push(Ssc::Opal2);
                }
            }
            Some('2') => found.push(Ssc::Opal2),
            _ => {}
        }
    }
    for (word, class) in [
        ("(0x0100)", Ssc::Enterprise),
        ("(0x0200)", Ssc::Opal1),
        ("(0x0203)", Ssc::Opal2),
        ("(0x0301)", Ssc::Opalite),
        ("(0x0302)", Ssc::Pyrite1),
        ("(0x0303)", Ssc::Pyrite2),
        ("(0x0304)", Ssc::Ruby),
        ("enterprise ssc", Ssc::Enterprise),
        ("tcg enterprise", Ssc::Enterprise),
        ("ssc type enterprise", Ssc::Enterprise),
        ("\"e\"", Ssc::Enterprise),
        ("pyrite 1", Ssc::Pyrite1),
        ("pyrite 2", Ssc::Pyrite2),
        ("pyrite v1", Ssc::Pyrite1),
        ("pyrite v2", Ssc::Pyrite2),
    ] {
        if lower.contains(word) {
            found.push(class);
        }
    }
    if found.is_empty() {
        return;
    }
    let all = seen.ssc.get_or_insert_with(Vec::new);
    all.extend(found);
    all.sort_unstable();
    all.dedup();
}

/// Names in the words of all versions, without blanks and signs; the longest that fits counts.
const NAMES: &[&str] = &[
    "mbrshadowingnotsupported",
    "mbrshadownotsupported",
    "lockingenabled",
    "lockingsupported",
    "mediaencryption",
    "mediaencrypt",
    "mbrenabled",
    "mbrabsent",
    "mbrdone",
    "sidblockedstate",
    "sidblocked",
    "sidvaluestate",
    "sidvalue",
    "async",
    "alignmentgranularity",
    "granularity",
    "logicalblocksize",
    "lbs",
    "basecomid",
    "maxtables",
    "lockingobjects",
    "any",
    "all",
    "locked",
];

/// `Name = value` pairs of a line, with blanks around the sign or without.
pub fn pairs(told: &str) -> Vec<(&'static str, &str)> {
    let mut pairs = Vec::new();
    let mut from = 0;
    for (at, _) in told.match_indices('=').take(64) {
        if at < from {
            continue;
        }
        let before: String =
            told[from..at].chars().filter(char::is_ascii_alphanumeric).map(|sign| sign.to_ascii_lowercase()).collect();
        let rest = &told[at + 1..];
        let value = rest.trim_start();
        let length = value.find([',', ' ', ';', '\t', '.', ')']).unwrap_or(value.len());
        let value = &value[..length];
        from = at + 1 + rest.len() - rest.trim_start().len() + length;
        // `RLocked`, `unlocked`: names of other things.
        if let Some(name) = NAMES.iter().find(|name| before.ends_with(**name)).filter(|name| whole_name(name, told, at))
        {
            pairs.push((*name, value));
        }
    }
    pairs
}

/// Whether the name begins where a word begins: `Locked`, and not `RLocked`.
fn whole_name(name: &str, told: &str, at: usize) -> bool {
    let mut left = name.len();
    for (index, sign) in told[..at].char_indices().rev() {
        if left == 0 {
            return !sign.is_ascii_alphanumeric();
        }
        left -= usize::from(sign.is_ascii_alphanumeric());
        if left == 0 && index == 0 {
            return true;
        }
    }
    false
}

fn put(seen: &mut Seen, name: &str, value: &str) {
    let flag = match value {
        "Y" | "Yes" | "y" | "yes" => Some(true),
        "N" | "No" | "n" | "no" => Some(false),
        _ => None,
    };
    let number = || {
        let value = value.trim_end_matches('L');
        match value.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => value.parse().ok(),
        }
    };
    match name {
        "locked" => seen.locked = flag.or(seen.locked),
        "lockingenabled" => seen.locking_enabled = flag.or(seen.locking_enabled),
        "mediaencrypt" | "mediaencryption" => seen.media_encryption = flag.or(seen.media_encryption),
        "mbrenabled" => seen.mbr_enabled = flag.or(seen.mbr_enabled),
        "mbrdone" => seen.mbr_done = flag.or(seen.mbr_done),
        // A double negative: "Not Supported = N" means that there is one.
        "mbrshadowingnotsupported" | "mbrshadownotsupported" | "mbrabsent" => {
            seen.mbr_supported = flag.map(|absent| !absent).or(seen.mbr_supported);
        }
        "sidblocked" | "sidblockedstate" => seen.sid_blocked = flag.or(seen.sid_blocked),
        "sidvalue" | "sidvaluestate" => {
            let differs = flag.or_else(|| number().map(|number| number != 0));
            if differs == Some(true) {
                seen.owned = Some(true);
            }
        }
        "async" => seen.asynchronous = flag.or(seen.asynchronous),
        "granularity" | "alignmentgranularity" => seen.granularity = number().or(seen.granularity),
        "logicalblocksize" | "lbs" => {
            seen.geometry_block_size = number().and_then(|size| u32::try_from(size).ok()).or(seen.geometry_block_size);
        }
        "basecomid" => seen.comid = number().and_then(|comid| u16::try_from(comid).ok()).or(seen.comid),
        "maxtables" => {
            seen.datastore_tables = number().and_then(|tables| u32::try_from(tables).ok()).or(seen.datastore_tables)
        }
        "lockingobjects" => {
            seen.ranges = number().and_then(|ranges| u32::try_from(ranges).ok()).or(seen.ranges);
            seen.sum = Some(true);
        }
        "any" | "all" => seen.sum_active = Some(seen.sum_active.unwrap_or(false) || flag == Some(true)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_whole() {
        let line = "    Locked = N, LockingEnabled = Y, MBR shadowing Not Supported = N, MBRDone = N, MBREnabled = N, MediaEncrypt = Y";
        let mut seen = Seen::default();
        add(&mut seen, line);
        assert_eq!((seen.locked, seen.locking_enabled, seen.mbr_supported), (Some(false), Some(true), Some(true)));
        assert_eq!((seen.media_encryption, seen.mbr_enabled, seen.mbr_done), (Some(true), Some(false), Some(false)));
        assert!(pairs("LR1 RLKEna = Y, RLocked = Y, unlocked = Y").is_empty());
        let mut seen = Seen::default();
        add(&mut seen, "Locking: Locked=N LockingEnabled=N");
        assert_eq!((seen.locked, seen.locking_enabled), (Some(false), Some(false)));
        add(
            &mut seen,
            "    Align = Y, Alignment Granularity = 8 (4096), Logical Block size = 512, Lowest Aligned LBA = 0",
        );
        assert_eq!((seen.granularity, seen.geometry_block_size), (Some(8), Some(512)));
        add(&mut seen, "    Base comID = 0x1004, Initial PIN = 0x0, Reverted PIN = 0x0, comIDs = 1");
        assert_eq!(seen.comid, Some(0x1004));
    }

    #[test]
    fn scans() {
        let (path, seen) =
            scan_line(r"\\.\PhysicalDrive1 12  Samsung SSD 850 EVO 1TB                  EMT02B6Q").unwrap();
        assert_eq!(
            (path.as_str(), seen.model.as_str(), seen.firmware.as_str()),
            (r"\\.\PhysicalDrive1", "Samsung SSD 850 EVO 1TB", "EMT02B6Q")
        );
        assert_eq!(seen.ssc, Some(vec![Ssc::Opal1, Ssc::Opal2]));
        let (_, seen) = scan_line("/dev/sda No").unwrap();
        assert_eq!((seen.ssc, seen.silent), (None, true));
        assert!(scan_line("/dev/sda1: UUID=\"x\"").is_none());
        assert!(scan_line("/dev/sda 240G ext4").is_none());
    }
}
