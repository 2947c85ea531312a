//! Property lists of macOS: `diskutil apfs list -plist`, `diskutil apfs listCryptoUsers -plist`,
//! `diskutil info -plist`, and what `fdesetup enable -outputplist` leaves.

use std::io::Cursor;

use drives::judge::{self, Facts, Format, Report};
use model::Args;
use plist::{Dictionary, Value};

use crate::Item;
use crate::apfs::Volume;
use crate::bitlocker::yes;

/// How deep a list may nest. Apple's have four levels.
const DEEPEST: usize = 32;
/// The largest binary list, in bytes: it cannot nest deeper than that.
const LARGEST_BINARY: usize = 16 << 10;
/// How many lists of one file are read.
const MOST: usize = 64;

/// All property lists in a text. One that has no end is said to be cut off.
pub fn items(text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut rest = text;
    for _ in 0..MOST {
        let Some(begin) = rest.find("<plist") else { break };
        let Some(length) = rest[begin..].find("</plist>") else {
            items.push(Item::report("plist", Report::CutOff));
            break;
        };
        let end = begin + length + "</plist>".len();
        items.extend(from_bytes(&rest.as_bytes()[begin..end]));
        rest = &rest[end..];
    }
    items
}

/// One property list, XML or binary.
pub fn from_bytes(bytes: &[u8]) -> Vec<Item> {
    let cut_off = || vec![Item::report("plist", Report::CutOff)];
    if too_deep(bytes) {
        return cut_off();
    }
    let Ok(value) = Value::from_reader(Cursor::new(bytes)) else { return cut_off() };
    let Some(list) = value.as_dictionary() else { return Vec::new() };
    read(list)
}

/// The tree is taken apart by recursion, so its depth is looked at before. A tag within a comment
/// counts, too, which refuses more and never less.
fn too_deep(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"bplist") {
        return bytes.len() > LARGEST_BINARY;
    }
    let mut depth = 0_usize;
    for tag in String::from_utf8_lossy(bytes).split('<').skip(1) {
        if tag.starts_with("array") || tag.starts_with("dict") {
            depth += usize::from(!tag.split('>').next().unwrap_or_default().ends_with('/'));
        } else if tag.starts_with("/array") || tag.starts_with("/dict") {
            depth = depth.saturating_sub(1);
        }
        if depth > DEEPEST {
            return true;
        }
    }
    false
}

fn read(list: &Dictionary) -> Vec<Item> {
    if let Some(containers) = list.get("Containers").and_then(Value::as_array) {
        let volumes = containers.iter().filter_map(|one| one.as_dictionary()?.get("Volumes")?.as_array()).flatten();
        let read = volumes.filter_map(Value::as_dictionary).map(apfs_volume);
        return read.filter(|volume| !volume.is_helper()).map(|volume| volume.item()).collect();
    }
    if let Some(users) = list.get("Users").and_then(Value::as_array) {
        return vec![crypto_users(users)];
    }
    if flag(list, "Error") == Some(true) || list.contains_key("ErrorMessage") {
        return vec![Item::report(text(list, "DeviceIdentifier", "diskutil"), Report::NoAnswer)];
    }
    if list.contains_key("RecoveryKey") || list.contains_key("EnabledDate") {
        return vec![enabled(list)];
    }
    if list.contains_key("DeviceIdentifier") || list.contains_key("FilesystemType") {
        return vec![info(list)];
    }
    Vec::new()
}

fn flag(list: &Dictionary, name: &str) -> Option<bool> {
    list.get(name).and_then(Value::as_boolean)
}

fn text<'a>(list: &'a Dictionary, name: &str, otherwise: &'a str) -> &'a str {
    list.get(name).and_then(Value::as_string).unwrap_or(otherwise)
}

fn apfs_volume(list: &Dictionary) -> Volume {
    let roles = list.get("Roles").and_then(Value::as_array).into_iter().flatten();
    let mut volume = Volume {
        device: text(list, "DeviceIdentifier", "").to_owned(),
        name: text(list, "Name", "").to_owned(),
        roles: roles.filter_map(Value::as_string).take(8).map(str::to_owned).collect(),
        filevault: flag(list, "FileVault"),
        locked: flag(list, "Locked"),
        encryption: flag(list, "Encryption"),
        converting: flag(list, "CryptoMigrationOn") == Some(true),
        ..Volume::default()
    };
    // The coprocessor's own volume says that FileVault guards it, on every Mac.
    if text(list, "Name", "") == "xART" {
        volume.roles = vec!["xART".to_owned()];
    }
    volume
}

/// `diskutil info`: one volume, APFS or not.
fn info(list: &Dictionary) -> Item {
    let device = text(list, "DeviceIdentifier", "volume");
    let kind = text(list, "FilesystemType", "");
    let with_place = |item: Item| {
        item.with("mount", text(list, "MountPoint", ""))
            .with("name", text(list, "VolumeName", ""))
            .with("content", kind)
    };
    if list.contains_key("FileVault") || kind == "apfs" {
        // On the sealed snapshot that the system runs from, `EncryptionThisVolumeProper` is false:
        // what counts is the volume that the snapshot is of.
        let mut volume = apfs_volume(list);
        text(list, "VolumeName", "").clone_into(&mut volume.name);
        text(list, "MountPoint", "").clone_into(&mut volume.mount);
        let sealed = flag(list, "APFSSnapshot") == Some(true);
        let item = volume.item();
        return if sealed { item.with("sealed_snapshot", "yes") } else { item };
    }
    if list.keys().any(|name| name.starts_with("CoreStorage")) {
        let encrypted = flag(list, "CoreStorageEncrypted").or_else(|| flag(list, "Encrypted"));
        let report = if encrypted == Some(false) { Report::FileVaultOff } else { Report::TooLittle };
        return with_place(Item::report(device, report));
    }
    let plain = matches!(kind, "hfs" | "msdos" | "exfat" | "ntfs" | "udf" | "ufs");
    if plain {
        let facts = Facts { format: Format::FileSystem, content: kind.to_owned(), in_use: true, ..Facts::default() };
        return with_place(Item::new(device, judge::volume(&facts)));
    }
    with_place(Item::report(device, Report::TooLittle))
}

/// Who can open a volume: nothing about whether it is encrypted.
fn crypto_users(users: &[Value]) -> Item {
    let kinds: Vec<&str> =
        users.iter().filter_map(|user| user.as_dictionary()?.get("APFSCryptoUserType")?.as_string()).collect();
    let ids: Vec<&str> =
        users.iter().filter_map(|user| user.as_dictionary()?.get("APFSCryptoUserUUID")?.as_string()).collect();
    // The fixed numbers say more than the names, which differ between versions.
    let personal = kinds.contains(&"PersonalRecovery") || ids.iter().any(|id| id.starts_with("EBC6C064-"));
    let icloud = kinds.iter().any(|kind| kind.contains("iCloud"))
        || ids.iter().any(|id| id.starts_with("EC1C2AD9-") || id.starts_with("64C0C6EB-"));
    let bootstrap = ids.iter().any(|id| id.starts_with("2457711A-")) || kinds.contains(&"MDMRecovery");
    let people = kinds.iter().filter(|kind| kind.contains("LocalOpenDirectory")).count();
    Item::new("crypto users", judge::report(Report::OnlyProtectors, Args::new()))
        .with("users", people)
        .with("personal_recovery_key", yes(personal))
        .with("icloud_recovery", yes(icloud))
        .with("bootstrap_token", yes(bootstrap))
}

/// FileVault was switched on a moment ago. The key itself is never repeated.
fn enabled(list: &Dictionary) -> Item {
    let key = text(list, "RecoveryKey", "");
    Item::new("FileVault", judge::report(Report::JustEnabled, Args::new()))
        .with("enabled", text(list, "EnabledDate", ""))
        .with("core_storage", yes(list.contains_key("LVGUUID")))
        .with(
            "recovery_key",
            if key.is_empty() {
                "none"
            } else if is_recovery_key(key) {
                "present"
            } else {
                "not_a_key"
            },
        )
}

/// Six groups of four, and not the letters that a window showed in place of a key.
fn is_recovery_key(key: &str) -> bool {
    let groups: Vec<&str> = key.split('-').collect();
    let whole = groups.len() == 6
        && groups.iter().all(|group| {
            group.len() == 4 && group.bytes().all(|sign| sign.is_ascii_uppercase() || sign.is_ascii_digit())
        });
    whole && !key.starts_with("WWWW-XXXX-YYYY")
}
