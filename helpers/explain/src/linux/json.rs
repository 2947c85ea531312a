//! JSON documents in the midst of other output: `lsblk --json` (old and new), `cryptsetup luksDump
//! --dump-json-metadata`, `pvs` and `lvs --reportformat json`.

use serde_json::Value;

use super::luks_dump::Dump;
use super::{Machine, lsblk};
use crate::documents;
use crate::text::Text;

/// Reads every document.
pub fn read(machine: &mut Machine, text: &Text) {
    for (document, command) in documents::all(text) {
        let Some(object) = document.as_object() else { continue };
        if let Some(devices) = object.get("blockdevices").and_then(Value::as_array) {
            let contents = devices.iter().any(|device| has_content(device, 0));
            for device in devices {
                block_device(machine, device, None, contents, 0);
            }
        }
        if let Some(reports) = object.get("report").and_then(Value::as_array) {
            for report in reports {
                lvm(machine, report);
            }
        }
        if object.contains_key("segments") && object.contains_key("keyslots") {
            let subject =
                command.as_deref().and_then(super::luks_dump::subject_of).unwrap_or_else(|| "luks2".to_owned());
            super::luks_dump::put(machine, &subject, Dump::from_json(&document));
        }
    }
}

/// Whether anything in the tree has a content: without udev, everything says `null`.
fn has_content(device: &Value, depth: usize) -> bool {
    let own = device.get("fstype").is_some_and(Value::is_string);
    let children = device.get("children").and_then(Value::as_array);
    own || depth < 64 && children.is_some_and(|children| children.iter().any(|child| has_content(child, depth + 1)))
}

fn block_device(machine: &mut Machine, device: &Value, parent: Option<usize>, contents: bool, depth: usize) {
    let said = |name: &str| device.get(name).and_then(Value::as_str);
    let Some(name) = said("name") else { return };
    let Some(at) = machine.device(name) else { return };
    if let Some(parent) = parent {
        machine.lies_on(at, parent);
    }
    let columns = [
        "type",
        "fstype",
        "fsver",
        "uuid",
        "pttype",
        "parttype",
        "parttypename",
        "partlabel",
        "mountpoint",
        "maj:min",
        "kname",
        "pkname",
    ];
    let values: Vec<(String, &str)> =
        columns.iter().filter_map(|column| Some((column.to_uppercase(), said(column)?))).collect();
    let pairs: Vec<(&str, &str)> = values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let _ = lsblk::put(machine, at, &pairs);
    // Since util-linux 2.37 there is a list, with `null` for "nowhere".
    for place in device.get("mountpoints").and_then(Value::as_array).into_iter().flatten().take(64) {
        if let Some(place) = place.as_str() {
            lsblk::mount(machine, at, place);
        }
    }
    let looked = device.get("fstype").is_some_and(Value::is_null) && contents;
    if looked && machine.devices[at].content.is_none() {
        machine.devices[at].content = Some(String::new());
    }
    if depth < 64 {
        for child in device.get("children").and_then(Value::as_array).into_iter().flatten() {
            block_device(machine, child, Some(at), contents, depth + 1);
        }
    }
}

fn lvm(machine: &mut Machine, report: &Value) {
    let rows = |name: &str| report.get(name).and_then(Value::as_array).into_iter().flatten();
    for row in rows("pv") {
        let said = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
        if !said("vg_name").is_empty()
            && let Some(at) = machine.device(said("pv_name"))
        {
            machine.physical_volume(said("vg_name"), at);
        }
    }
    for row in rows("lv") {
        let said = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
        let path = format!("/dev/mapper/{}-{}", said("vg_name").replace('-', "--"), said("lv_name").replace('-', "--"));
        if !said("vg_name").is_empty()
            && !said("lv_name").starts_with('[')
            && let Some(at) = machine.device(&path)
        {
            machine.logical_volume(said("vg_name"), at);
        }
    }
}
