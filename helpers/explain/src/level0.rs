//! Hex dumps of a Level 0 discovery: of `xxd`, `hexdump -C`, `od`, `nvme security-recv`, `sg_raw`,
//! `sedutil-cli -vvvvv`, and bare words.

use drives::hardware::Seen;
use opal::discovery::{self, Discovery};

use crate::text::{Line, Section, Text};

/// The header, and one descriptor with its four bytes.
const SHORTEST: usize = 48 + 4;
/// No discovery is longer.
const LONGEST: usize = 64 << 10;

/// Every discovery in a text.
pub fn all(text: &Text) -> Vec<Seen> {
    let mut found = Vec::new();
    let mut bytes: Vec<u8> = Vec::new();
    for line in text.lines.iter().filter(|line| matches!(line.section, Section::Output | Section::Raw)) {
        match row(line) {
            Some((offset, row)) => {
                if offset.is_some_and(|offset| offset != bytes.len()) {
                    finish(&mut bytes, &mut found);
                    if offset != Some(0) {
                        continue;
                    }
                }
                if bytes.len() < LONGEST {
                    bytes.extend(row);
                }
            }
            None if line.trimmed() == "*" => {}
            None => finish(&mut bytes, &mut found),
        }
    }
    finish(&mut bytes, &mut found);
    found
}

/// Whether a dump of nothing but zeros is there, which is how a drive without TCG answers, and how a bridge
/// that swallowed the question does.
pub fn has_zeros(text: &Text) -> bool {
    let lines = text.lines.iter().filter(|line| matches!(line.section, Section::Output | Section::Raw));
    let rows = lines.filter_map(row).map(|(_, row)| row);
    let (mut zeros, mut others) = (0, 0);
    for byte in rows.flatten().take(LONGEST) {
        if byte == 0 { zeros += 1 } else { others += 1 }
    }
    zeros >= SHORTEST && others == 0
}

fn finish(bytes: &mut Vec<u8>, found: &mut Vec<Seen>) {
    let bytes = std::mem::take(bytes);
    if found.len() >= 64 {
        return;
    }
    if let Some(discovery) = discovery(&bytes) {
        found.push(Seen::from_discovery(&discovery));
    }
}

/// A discovery, also from a dump whose tool printed little-endian words.
fn discovery(bytes: &[u8]) -> Option<Discovery> {
    if bytes.len() < SHORTEST {
        return None;
    }
    let swapped: Vec<u8> = bytes.chunks(2).flat_map(|pair| pair.iter().rev().copied()).collect();
    [bytes.to_vec(), swapped].into_iter().find_map(|bytes| {
        let discovery = discovery::parse(&bytes).ok()?;
        // Other dumps have other numbers here: the version is 1, and the first descriptor is the TPer's.
        let ours =
            discovery.revision == 1 && discovery.announced <= LONGEST as u64 && discovery.features.first()?.code == 1;
        ours.then_some(discovery)
    })
}

/// The bytes of one line, with its offset where it has one.
fn row(line: &Line) -> Option<(Option<usize>, Vec<u8>)> {
    let text = line.trimmed().split(['|', '"', '>']).next()?.trim_end();
    let mut words = text.split_whitespace().peekable();
    let first = *words.peek()?;
    let number = first.trim_end_matches(':');
    let columns = text.split_whitespace().nth(1).map_or(0, str::len);
    // `0040:`, or a number as long as offsets are in front of shorter words.
    let offset = first.ends_with(':') || (first.len() >= 6 && first.len() != columns && columns <= 4);
    let offset = if offset {
        words.next();
        Some(usize::from_str_radix(number, 16).ok()?)
    } else {
        None
    };
    let mut bytes = Vec::new();
    for word in words {
        let hex = word.len().is_multiple_of(2) && word.len() <= 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        // What comes behind the bytes is their text. A line has sixteen, or as many as it likes where it
        // has no offset.
        if !hex || (offset.is_some() && bytes.len() >= 16) || bytes.len() > 512 {
            break;
        }
        for pair in word.as_bytes().chunks(2) {
            let pair = std::str::from_utf8(pair).ok()?;
            bytes.push(u8::from_str_radix(pair, 16).ok()?);
        }
    }
    (bytes.len() >= 4).then_some((offset, bytes))
}

#[cfg(test)]
mod tests {
    use drives::hardware::Ssc;

    use super::*;

    /// A drive of Opal 2, locked, with the shadow MBR shown.
    const WORDS: &str = "00000060 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 \
                         00000000 00000000 0001100c 11000000 00000000 00000000 0002100c 1f000000 00000000 00000000 \
                         02031010 10040001 00000400 09000000 00000000";

    fn seen(text: &str) -> Seen {
        all(&Text::new(text.as_bytes())).into_iter().next().unwrap_or_default()
    }

    fn bytes() -> Vec<u8> {
        let hex: String = WORDS.split_whitespace().collect();
        hex.as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect()
    }

    #[test]
    fn every_way_to_print_bytes() {
        let bytes = bytes();
        let lines = |make: &dyn Fn(usize, &[u8]) -> String| -> String {
            bytes.chunks(16).enumerate().map(|(at, row)| make(at * 16, row) + "\n").collect()
        };
        let spaced = |row: &[u8]| row.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        let pairs = |row: &[u8]| {
            row.chunks(2)
                .map(|pair| pair.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let swapped = |row: &[u8]| {
            row.chunks(2)
                .map(|pair| pair.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>())
                .collect::<Vec<_>>()
                .join(" ")
        };
        for dump in [
            WORDS.to_owned(),
            lines(&|at, row| format!("{at:08x}: {}  ......H.........", pairs(row))),
            lines(&|at, row| format!("{at:08x}  {}  |................|", spaced(row))),
            lines(&|at, row| format!("{at:04x}: {} \"................\"", spaced(row))),
            lines(&|at, row| format!("{at:07x} {}", swapped(row))),
            lines(&|at, row| format!("{at:06x} {}", spaced(row))),
            lines(&|_, row| spaced(row)),
        ] {
            let seen = seen(&dump);
            assert_eq!(seen.ssc, Some(vec![Ssc::Opal2]), "{dump}");
            assert_eq!((seen.locked, seen.mbr_shadow_active()), (Some(true), Some(true)), "{dump}");
        }
        assert_eq!(seen("00000000: 4c55 4b53 babe 0002 0000 0000 0000 4000  LUKS......@."), Seen::default());
    }
}
