//! Changes to a JSON document that keep it JSON: numbers at their extremes, words of the format in the
//! wrong place, members that are missing, doubled, exchanged, or of another type.

use serde_json::{Map, Value};

use crate::script::Script;

const WORDS: [&str; 48] = [
    "",
    "0",
    "1",
    "2",
    "3",
    "31",
    "32",
    "4294967295",
    "-1",
    "linear",
    "crypt",
    "dynamic",
    "in-reencryption",
    "backup-final",
    "backup-previous",
    "backup-moved-segment",
    "none",
    "raw",
    "checksum",
    "journal",
    "datashift",
    "datashift-checksum",
    "datashift-journal",
    "encrypt",
    "decrypt",
    "reencrypt",
    "forward",
    "backward",
    "luks1",
    "luks2",
    "sha1",
    "sha256",
    "sha512",
    "blake2",
    "pbkdf2",
    "argon2i",
    "argon2id",
    "aes-xts-plain64",
    "aes-cbc-essiv:sha256",
    "online-reencrypt",
    "online-reencrypt-v2",
    "online-reencrypt-v3",
    "latchkey",
    "start",
    "systemd-recovery",
    "flags",
    "parked",
    "aside_of",
];

/// Makes the changes that the script says, until it ends.
pub(crate) fn apply(value: &mut Value, script: &mut Script<'_>) {
    for _ in 0..24 {
        if script.is_empty() {
            return;
        }
        edit(value, script);
    }
}

fn edit(value: &mut Value, script: &mut Script<'_>) {
    let paths = paths(value);
    let path = script.one(&paths).clone();
    match script.u8() % 9 {
        0 => number(value, &path, |_, script| extreme(script), script),
        1 => number(
            value,
            &path,
            |old, script| old.wrapping_add_signed(i64::from(script.u16().cast_signed()) * 512),
            script,
        ),
        2 => number(value, &path, |_, script| script.u64(), script),
        3 => put(value, &path, Value::String((*script.one(&WORDS)).into())),
        4 => remove(value, &path),
        5 => {
            let other = value.pointer(script.one::<String>(&paths)).cloned().unwrap_or_default();
            put(value, &path, other);
        }
        6 => {
            let other = value.pointer(script.one::<String>(&paths)).cloned().unwrap_or_default();
            let name = *script.one(&WORDS);
            insert(value, &path, name, other);
        }
        7 => {
            let other = script.one(&paths).clone();
            let (one, two) = (value.pointer(&path).cloned(), value.pointer(&other).cloned());
            put(value, &path, two.unwrap_or_default());
            put(value, &other, one.unwrap_or_default());
        }
        _ => {
            let kinds = [
                Value::Null,
                Value::Bool(true),
                Value::Bool(false),
                Value::from(0),
                Value::from(1.5),
                Value::Array(Vec::new()),
                Value::Object(Map::new()),
            ];
            put(value, &path, script.one(&kinds).clone());
        }
    }
}

fn extreme(script: &mut Script<'_>) -> u64 {
    let power = 1_u64 << (script.u8() % 64);
    match script.u8() % 6 {
        0 => power,
        1 => power - 1,
        2 => power + 1,
        3 => u64::MAX - power + 1,
        4 => u64::MAX,
        _ => 0,
    }
}

/// Changes a number that is written as one or as a string of digits.
fn number(value: &mut Value, path: &str, change: impl FnOnce(u64, &mut Script<'_>) -> u64, script: &mut Script<'_>) {
    let Some(place) = value.pointer_mut(path) else { return };
    *place = match &*place {
        Value::String(text) => Value::String(change(text.parse().unwrap_or(0), script).to_string()),
        other => Value::from(change(other.as_u64().unwrap_or(0), script)),
    };
}

fn put(value: &mut Value, path: &str, new: Value) {
    // The document itself stays.
    if let Some(place) = value.pointer_mut(path).filter(|_| !path.is_empty()) {
        *place = new;
    }
}

fn remove(value: &mut Value, path: &str) {
    let Some((parent, name)) = path.rsplit_once('/') else { return };
    match value.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.remove(&name.replace("~1", "/").replace("~0", "~"));
        }
        Some(Value::Array(items)) => {
            if let Ok(index) = name.parse::<usize>()
                && index < items.len()
            {
                items.remove(index);
            }
        }
        _ => {}
    }
}

fn insert(value: &mut Value, path: &str, name: &str, new: Value) {
    match value.pointer_mut(path) {
        Some(Value::Object(members)) => {
            members.insert(name.into(), new);
        }
        Some(Value::Array(items)) => items.push(Value::String(name.into())),
        _ => {}
    }
}

/// A pointer (RFC 6901) to every value, the document first.
fn paths(value: &Value) -> Vec<String> {
    let mut paths = vec![String::new()];
    let mut at = 0;
    // A document that was doubled into itself again and again ends here.
    while at < paths.len() && paths.len() < 2000 {
        let path = paths[at].clone();
        match value.pointer(&path) {
            Some(Value::Object(members)) => paths
                .extend(members.keys().map(|name| format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")))),
            Some(Value::Array(items)) => paths.extend((0..items.len()).map(|index| format!("{path}/{index}"))),
            _ => {}
        }
        at += 1;
    }
    paths
}

/// Costs of key derivations down to what an input may take. How long a hostile header makes somebody
/// wait is not what is looked for here: that stands in the header, and whoever opens it can see it.
pub(crate) fn cheapen(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let most = match name.as_str() {
                    "iterations" => 2000,
                    "time" => 5,
                    "cpus" => 4,
                    // Above a gibibyte the memory is refused, here by the allocator.
                    "memory" if member.as_u64().is_some_and(|kib| kib <= 1 << 20) => 1024,
                    _ => {
                        cheapen(member);
                        continue;
                    }
                };
                if member.as_u64().is_some_and(|cost| cost > most) {
                    *member = Value::from(most);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(cheapen),
        _ => {}
    }
}
