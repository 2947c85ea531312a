//! What udev noted in `/run/udev/data`: readable without rights, possibly out of date, absent in
//! containers and early starts.

use std::path::Path;

use crate::{Noted, Number};

pub(super) fn noted(root: &Path, number: Number) -> Noted {
    let file = root.join(format!("run/udev/data/b{number}"));
    match std::fs::read(file) {
        Ok(bytes) => parse(&String::from_utf8_lossy(&bytes)),
        Err(_) => Noted::default(),
    }
}

fn parse(text: &str) -> Noted {
    let value = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.strip_prefix("E:"));
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
        (!value.is_empty()).then(|| value.to_owned())
    };
    Noted {
        content: value("ID_FS_TYPE"),
        version: value("ID_FS_VERSION"),
        // The plain spelling has underscores for spaces.
        label: value("ID_FS_LABEL_ENC").map(|text| decode(&text)).or_else(|| value("ID_FS_LABEL")),
        uuid: value("ID_FS_UUID"),
        part_type: value("ID_PART_ENTRY_TYPE").map(|text| text.to_ascii_lowercase()),
        table: value("ID_PART_TABLE_TYPE"),
    }
}

/// Undoes udev's `\x20`.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\x") {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let digits = rest.get(at + 2..at + 4);
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &rest[at + 4..];
            }
            None => {
                bytes.extend_from_slice(b"\\x");
                rest = &rest[at + 2..];
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_with_a_space_and_an_umlaut() {
        let noted =
            parse("I:1\nE:ID_FS_TYPE=vfat\nE:ID_FS_LABEL=M_ller\nE:ID_FS_LABEL_ENC=M\\xc3\\xbcller\\x201\\xzz\n");
        assert_eq!(noted.label.as_deref(), Some("Müller 1\\xzz"));
        assert_eq!(noted.content.as_deref(), Some("vfat"));
        assert_eq!(noted.uuid, None);
    }
}
