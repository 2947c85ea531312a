//! `Win32_EncryptableVolume`, as PowerShell or `wmic` print it: everything is a number.

use drives::judge::Report;

use crate::Item;
use crate::bitlocker::{self, Conversion, Volume};
use crate::pairs::{Object, objects};
use crate::text::Text;

/// All volumes.
pub fn items(text: &Text) -> Vec<Item> {
    objects(text).iter().filter_map(volume).map(|volume| volume.item()).collect()
}

fn volume(object: &Object) -> Option<Volume> {
    let class = object.value("class");
    let ours = class == Some("Win32_EncryptableVolume")
        || class.is_none() && object.has("persistentvolumeid") && object.has("driveletter");
    if !ours {
        return None;
    }
    let number = |name: &str| object.value(name).and_then(|value| value.parse::<u32>().ok());
    // A volume without a letter is known by its device.
    let subject = object.any(&["driveletter", "deviceid"]).unwrap_or_default().to_owned();
    let mut volume = Volume { subject, ..Volume::default() };
    volume.conversion = number("conversionstatus").and_then(bitlocker::conversion_number);
    volume.method = number("encryptionmethod").and_then(bitlocker::method_number);
    volume.os = number("volumetype").map(|kind| kind == 0);
    match number("protectionstatus") {
        Some(0) => volume.protection = Some(false),
        Some(1) => volume.protection = Some(true),
        // "Unknown", which is how a closed volume answers.
        Some(2) => volume.locked = Some(true),
        _ => {}
    }
    if volume.locked == Some(true) {
        volume.conversion = None;
    }
    // The snapshot has no percentage: the conversion's number says all there is.
    volume.tenths = match volume.conversion {
        Some(Conversion::Encrypted) => Some(1000),
        Some(Conversion::Decrypted) => Some(0),
        _ => None,
    };
    match object.value("isvolumeinitializedforprotection") {
        Some("False" | "FALSE" | "false") => volume.protectors = Some(Vec::new()),
        _ => volume.protectors = None,
    }
    if object.value("returnvalue").is_some_and(|value| value != "0") {
        volume.doubt = Some(Report::NoAnswer);
    }
    Some(volume)
}
