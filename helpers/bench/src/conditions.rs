//! What a measurement was made under, so that two of them can be compared.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use drives::{Kind, Located, Node, Platform, Power, Stack, This};
use model::Control;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::crypt::Crypt;

/// What it was measured under. Nothing is guessed: what cannot be seen here is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Conditions {
    /// Seconds since 1 January 1970, UTC.
    #[ts(type = "number | null")]
    pub when: Option<u64>,
    /// Version of the kernel.
    pub kernel: Option<String>,
    /// Vendor and model of the drive.
    pub drive: Option<String>,
    /// The whole drive's path, and the kernel's name of what the file system lies on.
    pub disk: Option<String>,
    /// See `disk`.
    pub device: Option<String>,
    /// Whether it turns.
    pub rotating: Option<bool>,
    /// The file system's type.
    pub file_system: Option<String>,
    /// What of the file system is full: 0 to 1.
    pub fill: Option<f64>,
    /// Of the drive, degrees Celsius.
    pub temperature_c: Option<f64>,
    /// `mains` (also a computer without a battery) or `battery`.
    pub power: Option<String>,
    /// The processor's frequency governor.
    pub governor: Option<String>,
    /// The drive's I/O scheduler.
    pub scheduler: Option<String>,
    /// Whether the drive can be told what is free.
    pub discard: Option<bool>,
    /// Whether it was told so just before.
    pub trimmed: bool,
    /// Whether drive and processor were idle when it began.
    pub idle: Option<bool>,
    /// Processes that wanted to run in the last minute, on average.
    pub load: Option<f64>,
    /// The kernel's encryption between the file system and the drive.
    pub crypt: Option<Crypt>,
}

impl Conditions {
    /// Of the drive that a folder, a file or a device lies on, at this moment.
    pub fn now(path: &Path) -> Self {
        let when = SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs());
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let table = crate::crypt::table();
        Self { when, ..Self::of(&This::default(), Path::new("/"), &path, &table) }
    }

    /// [`Conditions::now`], after waiting `most` at most until drive and processor are idle.
    pub(crate) fn settled(path: &Path, most: Duration, control: &Control) -> Self {
        let disk = Self::now(path).disk;
        let idle = crate::idle::wait(Path::new("/"), disk.as_deref(), most, control);
        Self { idle, ..Self::now(path) }
    }

    /// The same for any platform; small files are read under `root`, and `table` is what
    /// `dmsetup table` prints.
    pub fn of(platform: &dyn Platform, root: &Path, path: &Path, table: &str) -> Self {
        let text = |path: &str| {
            let text = std::fs::read_to_string(root.join(path)).ok()?;
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        let mut found = Self {
            kernel: text("proc/sys/kernel/osrelease"),
            governor: text("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            load: text("proc/loadavg").and_then(|load| load.split(' ').next()?.parse().ok()),
            power: match platform.power() {
                Power::Mains | Power::NoBattery => Some("mains".to_owned()),
                Power::Battery { .. } => Some("battery".to_owned()),
                Power::Unknown => None,
            },
            ..Self::default()
        };
        let Ok(stack) = platform.stack() else { return found };
        let mount = stack.mount_of(path);
        let directly = match platform.locate(path, &stack) {
            Ok(Located::Block(number)) => stack.nodes.get(&number),
            _ => mount.and_then(|mount| mount.devices.first()).and_then(|number| stack.nodes.get(number)),
        };
        if let (Some(mount), Some(_)) = (mount, directly) {
            found.file_system = Some(mount.file_system.clone());
            found.fill = crate::target::room(path).ok().and_then(crate::target::Room::fill);
        }
        let Some(directly) = directly else { return found };
        found.device = Some(directly.name.clone());
        let beneath = stack.closure_below([directly.number]);
        let nodes = || beneath.iter().filter_map(|number| stack.nodes.get(number));
        found.crypt = nodes().find_map(|node| crypt_of(node, &stack, table));
        let Some(disk) = nodes().find(|node| matches!(node.kind, Kind::Disk(_))) else { return found };
        found.disk = Some(disk.path.clone());
        if let Kind::Disk(facts) = &disk.kind {
            found.drive = Some(facts.title.clone()).filter(|title| !title.is_empty());
            found.rotating = facts.rotational;
        }
        let queue = |name: &str| text(&format!("sys/block/{}/queue/{name}", disk.name));
        found.scheduler = queue("scheduler").and_then(|line| chosen(&line));
        found.discard = queue("discard_max_bytes").map(|most| most != "0");
        found.temperature_c = temperature(&root.join("sys/block").join(&disk.name).join("device"));
        found
    }
}

/// What was different, beside what was to be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Difference {
    /// With `bench-condition-` before it, its key in the catalogue.
    pub what: String,
    /// In the first run.
    pub before: String,
    /// In the second.
    pub after: String,
}

impl Difference {
    /// If the two are different.
    pub(crate) fn of<T: Serialize + PartialEq>(what: &str, before: &T, after: &T) -> Option<Self> {
        (before != after).then(|| Self { what: what.to_owned(), before: shown(before), after: shown(after) })
    }
}

/// A value as JSON has it, without quotes.
fn shown(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(value) => value.to_string(),
        Err(_) => String::new(),
    }
}

/// Only what both could see is compared, and of what always changes a little only what matters.
pub(crate) fn differences(before: &Conditions, after: &Conditions) -> Vec<Difference> {
    fn both<T: Serialize + PartialEq>(what: &str, before: Option<&T>, after: Option<&T>) -> Option<Difference> {
        Difference::of(what, before?, after?)
    }
    let apart = |what, before: Option<f64>, after: Option<f64>, least: f64| {
        let (before, after) = (before?, after?);
        let rounded = |value: f64| (value * 100.0).round() / 100.0;
        ((before - after).abs() >= least).then(|| Difference::of(what, &rounded(before), &rounded(after)))?
    };
    let words = |what, of: fn(&Conditions) -> &Option<String>| both(what, of(before).as_ref(), of(after).as_ref());
    let crypt = |what, of: fn(&Crypt) -> String| {
        both(what, before.crypt.as_ref().map(of).as_ref(), after.crypt.as_ref().map(of).as_ref())
    };
    let all = [
        words("drive", |found| &found.drive),
        words("kernel", |found| &found.kernel),
        words("file-system", |found| &found.file_system),
        apart("fill", before.fill, after.fill, 0.05),
        apart("temperature", before.temperature_c, after.temperature_c, 10.0),
        words("power", |found| &found.power),
        words("governor", |found| &found.governor),
        words("scheduler", |found| &found.scheduler),
        apart("load", before.load, after.load, 1.0),
        both("idle", before.idle.as_ref(), after.idle.as_ref()),
        Difference::of("trimmed", &before.trimmed, &after.trimmed),
        crypt("cipher", |crypt| format!("{} {}", crypt.cipher, crypt.key_bits)),
        crypt("sector-size", |crypt| crypt.sector_size.to_string()),
        crypt("flags", |crypt| crypt.flags.join(" ")),
    ];
    all.into_iter().flatten().collect()
}

fn crypt_of(node: &Node, stack: &Stack, table: &str) -> Option<Crypt> {
    let Kind::Mapping(mapping) = &node.kind else { return None };
    let below = node.below.first().and_then(|number| stack.nodes.get(number)).map(|node| node.path.clone());
    Crypt::parse(table, &mapping.name).map(|crypt| Crypt { below, ..crypt })
}

/// `mq-deadline` of `none [mq-deadline] kyber`.
fn chosen(line: &str) -> Option<String> {
    let (_, rest) = line.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

/// Of the drive's own sensor (`drivetemp` and the NVMe driver), by the hwmon interface of the kernel:
/// thousandths of a degree.
fn temperature(device: &Path) -> Option<f64> {
    // NVMe has its sensor directly in the folder of the controller, SATA in a folder `hwmon`.
    let folders = [device.to_owned(), device.join("hwmon"), device.join("device/hwmon")];
    let sensors = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let mut readings = sensors
        .filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with("hwmon")))
        .filter_map(|entry| std::fs::read_to_string(entry.path().join("temp1_input")).ok()?.trim().parse::<f64>().ok());
    readings.next().map(|thousandths| thousandths / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheduler_in_brackets() {
        assert_eq!(chosen("none [mq-deadline] kyber bfq").as_deref(), Some("mq-deadline"));
        assert_eq!(chosen("none"), None);
    }

    #[test]
    fn the_drive_s_own_sensor() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(temperature(folder.path()), None);
        std::fs::create_dir_all(folder.path().join("hwmon/hwmon3")).unwrap();
        std::fs::write(folder.path().join("hwmon/hwmon3/temp1_input"), "41850\n").unwrap();
        assert_eq!(temperature(folder.path()), Some(41.85));
    }

    #[test]
    fn what_is_different_is_named() {
        let before = Conditions {
            power: Some("mains".into()),
            fill: Some(0.50),
            temperature_c: Some(31.0),
            governor: Some("powersave".into()),
            scheduler: None,
            ..Conditions::default()
        };
        let after = Conditions {
            power: Some("battery".into()),
            fill: Some(0.53),
            temperature_c: Some(48.0),
            scheduler: Some("none".into()),
            ..before.clone()
        };
        let found = differences(&before, &after);
        let found: Vec<_> = found.iter().map(|difference| (difference.what.as_str(), &*difference.after)).collect();
        assert_eq!(found, [("temperature", "48.0"), ("power", "battery")]);
        assert!(differences(&before, &before).is_empty());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_computer_has_conditions() {
        let found = Conditions::now(Path::new("."));
        println!("{found:#?}");
        assert!(found.when.is_some_and(|when| when > 1_700_000_000));
        assert!(found.kernel.is_some() && found.load.is_some());
    }
}
