//! `Get-BitLockerVolume`, as a list (`| fl`), as a table and as JSON, and the objects that management
//! tools make of it.

use drives::judge::Report;
use serde_json::Value;

use crate::Item;
use crate::bitlocker::{self, Volume};
use crate::documents;
use crate::manage_bde::words;
use crate::pairs::{Object, objects};
use crate::text::{Section, Text};

/// All volumes of the lists and tables.
pub fn items(text: &Text) -> Vec<Item> {
    let listed = objects(text).into_iter().map(|object| unfolded(&object)).filter_map(|object| volume(&object));
    let printed =
        text.lines.iter().filter(|line| line.section == Section::Output).filter_map(|line| table_row(line.trimmed()));
    let documents = documents::all(text);
    let mut written = Vec::new();
    for (document, _) in &documents {
        from_json(document, "", 0, &mut written);
    }
    listed.chain(printed).chain(written).map(|volume| volume.item()).collect()
}

/// Volumes anywhere in a document. Where an object has no name of its own, its key is one.
fn from_json(value: &Value, key: &str, depth: usize, found: &mut Vec<Volume>) {
    if depth > 32 || found.len() >= 256 {
        return;
    }
    if let Some(list) = value.as_array() {
        for one in list {
            from_json(one, key, depth + 1, found);
        }
    }
    let Some(members) = value.as_object() else { return };
    let mut object = Object::default();
    for (name, member) in members {
        match member {
            Value::String(text) => object.put(name, text),
            Value::Number(number) => object.put(name, &number.to_string()),
            Value::Bool(truth) => object.put(name, if *truth { "true" } else { "false" }),
            Value::Null => object.put(name, ""),
            _ => {}
        }
    }
    if let Some(mut volume) = volume(&object) {
        if volume.subject.is_empty() || !volume.subject.contains(':') && key.len() <= 2 && !key.is_empty() {
            volume.subject = subject(&format!("{}:", key.trim_end_matches(':')));
        }
        found.push(volume);
        return;
    }
    for (name, member) in members {
        if member.is_object() || member.is_array() {
            from_json(member, name, depth + 1, found);
        }
    }
}

/// `bitLockerStatus : @{conversionStatus=FULLY_ENCRYPTED; …}`: an object within an object.
fn unfolded(object: &Object) -> Object {
    let mut flat = object.clone();
    let inner =
        object.any(&["bitlockerstatus", "bitlocker"]).and_then(|value| value.strip_prefix("@{")).unwrap_or_default();
    for pair in inner.trim_end_matches('}').split(';').take(64) {
        if let Some((name, value)) = pair.split_once('=') {
            flat.put(&name.trim().to_lowercase(), value.trim());
        }
    }
    flat
}

/// A volume, if the object is one. WMI's objects have no `VolumeStatus`, and their numbers are read in
/// `wmi.rs`.
pub fn volume(object: &Object) -> Option<Volume> {
    if object.value("class") == Some("Win32_EncryptableVolume") || object.has("persistentvolumeid") {
        return None;
    }
    let status = object.any(&["volumestatus", "conversionstatus"]);
    let protection = object.value("protectionstatus");
    let named = object.any(&["mountpoint", "driveletter", "name", "deviceid"]);
    // One of these words alone is used by many programs; a volume that says both is BitLocker's.
    if status.is_none() && protection.is_none() || (status.is_none() || protection.is_none()) && named.is_none() {
        return None;
    }
    if !["volumestatus", "protectionstatus", "encryptionmethod"].iter().any(|name| object.has(name)) {
        return None;
    }
    let mut volume = Volume { subject: subject(named.unwrap_or_default()), ..Volume::default() };
    volume.label = object.any(&["label", "filesystemlabel"]).unwrap_or_default().to_owned();
    volume.size = object.any(&["capacitygb", "capacity", "size"]).unwrap_or_default().to_owned();
    volume.conversion = status.and_then(bitlocker::conversion_name);
    volume.protection = match protection.map(str::to_lowercase).as_deref() {
        Some("on" | "1" | "protected" | "true") => Some(true),
        Some("off" | "0" | "unprotected" | "false") => Some(false),
        _ => None,
    };
    volume.locked = match object.value("lockstatus").map(str::to_lowercase).as_deref() {
        Some("locked" | "1") => Some(true),
        Some("unlocked" | "0") => Some(false),
        _ => None,
    };
    volume.tenths =
        object.any(&["encryptionpercentage", "percentageencrypted", "percentage"]).and_then(bitlocker::tenths);
    volume.method = object.value("encryptionmethod").and_then(|name| match name.parse() {
        Ok(number) => bitlocker::method_number(number),
        Err(_) => bitlocker::method(name),
    });
    volume.os = match object.value("volumetype") {
        Some("OperatingSystem" | "0") => Some(true),
        Some("Data" | "1" | "2") => Some(false),
        _ => None,
    };
    volume.files_seen = object.any(&["freespace", "filesystem", "sizeremaining"]).is_some_and(|value| value != "0");
    volume.protectors = object.value("keyprotector").map(protectors);
    if volume.tenths.is_none() && !object.has("encryptionpercentage") && !object.has("percentageencrypted") {
        // These objects leave the percentage out where the conversion is complete.
        volume.tenths = match volume.conversion {
            Some(bitlocker::Conversion::Encrypted | bitlocker::Conversion::UsedSpace) => Some(1000),
            Some(bitlocker::Conversion::Decrypted) => Some(0),
            _ => None,
        };
    }
    if status.is_some() && volume.conversion.is_none() {
        volume.doubt = Some(Report::UnknownWords);
    }
    Some(volume)
}

/// `C:\` is `C:`.
fn subject(name: &str) -> String {
    let name = name.trim();
    match name.as_bytes() {
        [letter, b':'] | [letter, b':', b'\\'] if letter.is_ascii_alphabetic() => {
            format!("{}:", letter.to_ascii_uppercase() as char)
        }
        _ => name.to_owned(),
    }
}

/// `{Tpm, RecoveryPassword}`.
fn protectors(list: &str) -> Vec<&'static str> {
    let names = list.trim().trim_matches(['{', '}', '[', ']']).split(',').map(str::trim);
    names.filter(|name| !name.is_empty()).take(32).map(words::protector).collect()
}

/// `OperatingSystem C:  475,31 FullyEncrypted  100  {Tpm, RecoveryPassword}  On`.
fn table_row(text: &str) -> Option<Volume> {
    let kind = ["OperatingSystem", "Data"].into_iter().find(|kind| text.starts_with(&format!("{kind} ")))?;
    let words: Vec<&str> = text.split_whitespace().take(64).collect();
    let at = words.iter().position(|word| bitlocker::conversion_name(word).is_some() && word.len() > 2)?;
    let mut volume =
        Volume { subject: subject(words.get(1)?), os: Some(kind == "OperatingSystem"), ..Volume::default() };
    volume.conversion = bitlocker::conversion_name(words[at]);
    volume.tenths = words.get(at + 1).and_then(|word| bitlocker::tenths(word));
    if let (Some(open), Some(close)) = (text.find('{'), text.find('}')) {
        // A list that did not fit ends in dots.
        let list = text.get(open..=close).unwrap_or_default();
        volume.protectors = (!list.contains('.') && !list.contains('…')).then(|| protectors(list));
    }
    volume.protection = match *words.last()? {
        "On" => Some(true),
        "Off" => Some(false),
        _ => None,
    };
    // The table does not say with what; whatever is encrypted has a cipher.
    if matches!(volume.conversion, Some(bitlocker::Conversion::Encrypted)) {
        volume.method = Some(bitlocker::Method::Software("bitlocker".to_owned()));
    }
    Some(volume)
}
