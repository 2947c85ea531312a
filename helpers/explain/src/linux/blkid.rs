//! `blkid`, also of image files and with nothing to say.

use super::{Kind, Machine, lsblk};
use crate::text::{Section, Text};

/// Reads every line, and notes which devices were asked about without an answer.
pub fn read(machine: &mut Machine, text: &Text) {
    let mut asked: Vec<String> = Vec::new();
    let mut export: Option<usize> = None;
    for line in text.lines.iter().filter(|line| line.section == Section::Output) {
        let told = line.trimmed();
        if let Some(command) = line.command() {
            unanswered(machine, &mut asked);
            asked = asked_for(command);
            export = None;
            continue;
        }
        // `blkid -o export`
        if let Some(name) = told.strip_prefix("DEVNAME=") {
            export = machine.device(name);
            continue;
        }
        if let (Some(at), Some((name, value))) = (export, told.split_once('='))
            && name.bytes().all(|sign| sign.is_ascii_uppercase() || sign == b'_')
        {
            put(machine, at, name, value);
            continue;
        }
        if told.is_empty() {
            export = None;
        }
        let Some((device, values)) = told.split_once(": ") else { continue };
        let known = ["UUID=\"", "TYPE=\"", "PARTUUID=\"", "PTTYPE=\"", "LABEL=\"", "PARTLABEL=\"", "VERSION=\""];
        if device.is_empty() || device.len() > 255 || !known.iter().any(|name| values.contains(name)) {
            continue;
        }
        let path = if device.contains('/') { device.to_owned() } else { format!("./{device}") };
        let Some(at) = machine.device(&path) else { continue };
        if !device.contains('/') {
            machine.devices[at].path = device.to_owned();
            machine.devices[at].kind = Kind::Image;
        }
        asked.retain(|name| name != device);
        if machine.devices[at].content.is_none() {
            machine.devices[at].content = Some(String::new());
        }
        for (name, value) in lsblk::quoted(values) {
            put(machine, at, &name, &value);
        }
    }
    unanswered(machine, &mut asked);
}

fn put(machine: &mut Machine, at: usize, name: &str, value: &str) {
    let device = &mut machine.devices[at];
    match name {
        "TYPE" => device.content = Some(value.to_owned()),
        "VERSION" => device.version = Some(value.to_owned()),
        "UUID" => device.uuid = Some(value.to_owned()),
        "PTTYPE" => device.table = true,
        "PARTLABEL" | "PART_ENTRY_NAME" | "PART_ENTRY_TYPE" => {
            device.part_type.push_str(value);
            device.part_type.push(' ');
        }
        // blkid's word for "several formats at once".
        "AMBIVALENT" => device.content = Some("ambivalent".to_owned()),
        _ => {}
    }
}

/// `blkid -p image` and no answer: it looked, and found nothing that it knows.
fn unanswered(machine: &mut Machine, asked: &mut Vec<String>) {
    for name in asked.drain(..) {
        let path = if name.contains('/') { name.clone() } else { format!("./{name}") };
        let Some(at) = machine.device(&path) else { continue };
        let device = &mut machine.devices[at];
        if !name.contains('/') {
            device.path = name;
            device.kind = Kind::Image;
        }
        device.content.get_or_insert_with(String::new);
    }
}

/// The devices that a single `blkid` was asked about.
fn asked_for(command: &str) -> Vec<String> {
    let mut words = command.split_whitespace();
    let ours = words.next().is_some_and(|program| program == "blkid" || program.ends_with("/blkid"));
    if !ours || command.contains([';', '|', '&']) || command.contains("--cache-file") {
        return Vec::new();
    }
    words.filter(|word| !word.starts_with('-')).take(16).map(str::to_owned).collect()
}
