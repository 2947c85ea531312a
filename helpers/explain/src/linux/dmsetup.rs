//! `dmsetup table` and `dmsetup info`.

use super::{Crypt, Kind, Machine, lsblk};
use crate::text::{Section, Text};

/// Reads every line of a table.
pub fn read(machine: &mut Machine, text: &Text) {
    let mut named: Option<usize> = None;
    for line in text.lines.iter().filter(|line| line.section == Section::Output) {
        let told = line.trimmed();
        if let Some(command) = line.command() {
            let program = command.split_whitespace().next().unwrap_or_default();
            let listed = program.ends_with("dmsetup") && command.split_whitespace().nth(1) == Some("table");
            // A table of one device is not all of them.
            machine.mappings_listed |= listed && command.split_whitespace().count() == 2;
            named = None;
            continue;
        }
        if let Some((name, rest)) = table_line(told) {
            row(machine, name, rest);
            continue;
        }
        // `dmsetup info`
        match told.split_once(':').map(|(label, value)| (label.trim(), value.trim())) {
            Some(("Name", name)) if !name.is_empty() => {
                named = is_info(told).then(|| machine.device(&format!("/dev/mapper/{name}"))).flatten()
            }
            Some(("Major, minor", number)) => {
                if let (Some(at), Some((major, minor))) = (named, number.split_once(','))
                    && let (Ok(major), Ok(minor)) = (major.trim().parse(), minor.trim().parse())
                {
                    machine.number(at, major, minor);
                }
            }
            Some(("UUID", uuid)) if uuid.contains('-') => {
                if let Some(at) = named {
                    uuid_of(machine, at, uuid);
                }
            }
            _ => {}
        }
        columns(machine, told);
    }
}

fn is_info(told: &str) -> bool {
    told.starts_with("Name:  ")
}

/// `name: 0 2097152 crypt …`; the name may hold blanks and colons.
fn table_line(told: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    while let Some(at) = told[from..].find(": ") {
        let (name, rest) = (&told[..from + at], &told[from + at + 2..]);
        let mut words = rest.split_whitespace();
        let number = |word: Option<&str>| word.is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        if number(words.next()) && number(words.next()) {
            let target = words.next()?;
            let fits = target
                .bytes()
                .all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == b'-' || sign == b'_');
            return (fits && !name.is_empty() && name.len() <= 255).then_some((name, rest));
        }
        from += at + 2;
        if from > 512 {
            return None;
        }
    }
    None
}

fn row(machine: &mut Machine, name: &str, rest: &str) {
    let Some(at) = machine.device(&format!("/dev/mapper/{name}")) else { return };
    let words: Vec<&str> = rest.split_whitespace().skip(2).take(512).collect();
    let Some((target, words)) = words.split_first() else { return };
    let seen_before = machine.devices[at].kind == Kind::Made || machine.devices[at].crypt.is_some();
    if *target == "crypt" {
        let cipher = words.first().map(|cipher| (*cipher).to_owned());
        let made = machine.devices[at].kind == Kind::Made;
        let crypt = machine.devices[at].crypt.get_or_insert_with(Crypt::default);
        crypt.mixed |= seen_before && made;
        // The worst cipher of several parts counts.
        if crypt.cipher.as_ref().is_none_or(|known| !known.contains("null")) {
            crypt.cipher = cipher.or(crypt.cipher.take());
        }
        machine.devices[at].kind = Kind::Crypt;
        lower(machine, at, words.get(3).copied());
        return;
    }
    let device = &mut machine.devices[at];
    if let Some(crypt) = &mut device.crypt {
        crypt.mixed |= seen_before && device.kind == Kind::Crypt;
    } else {
        machine.devices[at].kind = Kind::Made;
    }
    if *target == "integrity" {
        machine.devices[at].integrity = true;
    }
    for word in words {
        lower(machine, at, Some(word));
    }
}

/// A device as a table names it: by number or by path.
fn lower(machine: &mut Machine, at: usize, word: Option<&str>) {
    let Some(word) = word else { return };
    if let Some((major, minor)) = lsblk::number(word) {
        machine.lies_on_number(at, major, minor);
    } else if word.starts_with("/dev/")
        && let Some(below) = machine.device(word)
    {
        machine.lies_on(at, below);
    }
}

/// `name/254/3/1/CRYPT/CRYPT-LUKS2-…`, as `--columns --separator /` prints it.
fn columns(machine: &mut Machine, told: &str) {
    let parts: Vec<&str> = told.split('/').collect();
    let [name, major, minor, _, subsystem, uuid] = parts.as_slice() else { return };
    let (Ok(major), Ok(minor)) = (major.parse(), minor.parse()) else { return };
    if name.is_empty() || (!uuid.is_empty() && !uuid.starts_with(subsystem)) {
        return;
    }
    let Some(at) = machine.device(&format!("/dev/mapper/{name}")) else { return };
    machine.number(at, major, minor);
    uuid_of(machine, at, uuid);
}

/// `CRYPT-LUKS2-…`: what made a mapping is in its UUID.
pub fn uuid_of(machine: &mut Machine, at: usize, uuid: &str) {
    let device = &mut machine.devices[at];
    let Some(rest) = uuid.strip_prefix("CRYPT-") else {
        if uuid.starts_with("LVM-") || uuid.starts_with("mpath-") {
            device.kind = Kind::Made;
        }
        return;
    };
    let made_by = rest.split('-').next().unwrap_or_default();
    if made_by == "INTEGRITY" || made_by == "SUBDEV" {
        device.integrity |= made_by == "INTEGRITY";
        return;
    }
    if made_by == "VERITY" {
        return;
    }
    device.kind = Kind::Crypt;
    device.crypt.get_or_insert_with(Crypt::default).made_by = Some(made_by.to_owned());
}
