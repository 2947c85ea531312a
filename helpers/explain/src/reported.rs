//! What somebody wrote down about a drive: values that were copied from tools, and error codes in the
//! story around them. Opinions in the same text are not evidence and are not read.

use drives::hardware::{Seen, Ssc, Trouble};
use opal::Status;

use crate::sedutil;
use crate::text::{Section, Text};

/// Adds what a report tells. Bytes that were seen already count more.
pub fn add(seen: &mut Seen, text: &Text) {
    let from_bytes = seen.ssc.is_some();
    let mut told = Seen::default();
    let mut story = String::new();
    for line in text.lines.iter().filter(|line| line.section != Section::Raw) {
        let words = line.trimmed();
        if line.section == Section::Values {
            sedutil::add(&mut told, words);
            values(&mut told, words);
        }
        if story.len() < 64 << 10 {
            story.push_str(&words.to_lowercase());
            story.push('\n');
        }
    }
    codes(&mut told, &story);
    if from_bytes {
        seen.trouble = told.trouble;
        seen.protocols = told.protocols;
        seen.psid_supported = told.psid_supported;
        return;
    }
    *seen = told;
}

/// Values in the short words of a report.
fn values(seen: &mut Seen, words: &str) {
    let lower = words.to_lowercase();
    for (before, after) in [("granularity ", ' '), ("granularity=", ' ')] {
        if let Some(number) = number_behind(&lower, before, after) {
            seen.granularity.get_or_insert(number);
        }
    }
    if let Some(comid) = hex_behind(&lower, "base comid") {
        seen.comid.get_or_insert(comid);
    }
    if lower.contains("no sum") {
        seen.sum = Some(false);
    } else if lower.starts_with("sum") {
        seen.sum = Some(true);
    }
    if let Some(tables) = number_behind(&lower, "datastore: ", ' ').or_else(|| number_behind(&lower, "datastore ", ' '))
    {
        seen.datastore_tables = u32::try_from(tables).ok();
    }
    // `scan: 2`, `scan shows "E"`.
    match lower.split_once("scan: ").and_then(|(_, rest)| rest.split([' ', ';', ',']).next()) {
        Some("2") => class(seen, Ssc::Opal2),
        Some("12") => {
            class(seen, Ssc::Opal1);
            class(seen, Ssc::Opal2);
        }
        Some("e") => class(seen, Ssc::Enterprise),
        _ => {}
    }
    // `/dev/sdb E ST10000NM0226`, in a sentence.
    let words: Vec<&str> = words.split_whitespace().collect();
    if words.windows(2).any(|pair| pair[0].starts_with("/dev/") && pair[1] == "E") {
        class(seen, Ssc::Enterprise);
    }
    if lower.contains("\"no\"")
        || lower.contains("invalid or unsupported disk")
        || words.windows(2).any(|pair| pair[0].starts_with("/dev/") && pair[1].starts_with("No"))
    {
        seen.silent = true;
    }
    if lower.contains("qword") && (lower.contains("bit 63 clear") || lower.contains("not valid")) {
        seen.kernel_refuses = Some(true);
    }
    if let Some(word) = lower.split_once("word 128").and_then(|(_, rest)| hex_behind(rest, "")) {
        let ata = seen.ata.get_or_insert_default();
        (ata.supported, ata.enabled, ata.locked, ata.frozen) =
            (word & 1 != 0, word & 2 != 0, word & 4 != 0, word & 8 != 0);
    } else if lower.contains("ata security") && lower.contains("locked")
        || lower.contains("word 128") && lower.contains("locked")
    {
        let off = lower.contains("not locked") || lower.contains("locked=n");
        let ata = seen.ata.get_or_insert_default();
        ata.locked |= !off;
        ata.enabled |= !off;
    }
}

fn class(seen: &mut Seen, class: Ssc) {
    let all = seen.ssc.get_or_insert_with(Vec::new);
    if !all.contains(&class) {
        all.push(class);
        all.sort_unstable();
    }
}

/// Error codes and sentences of tools, wherever they stand.
fn codes(seen: &mut Seen, story: &str) {
    let has = |words: &str| story.contains(words);
    // NVMe's status of a security command: the lower eleven bits count.
    if let Some(status) = number_behind(story, "security command error:", ' ') {
        if status & 0x7ff == 1 {
            seen.security_commands = Some(false);
        }
        if matches!(status & 0x7ff, 1 | 2) {
            seen.ssc = Some(Vec::new());
        }
    }
    if has("sid is blocked") {
        seen.sid_blocked.get_or_insert(true);
    }
    if has("no psid authority") || has("psid") && has("invalid_reference") {
        seen.psid_supported = Some(false);
    }
    if has("password already set by the user") {
        seen.owned_by_user = true;
        seen.owned = Some(true);
    }
    if let Some(protocols) = protocols(story) {
        seen.protocols = Some(protocols);
    }
    let status = reply_status(story);
    let is = |wanted: Status| status == Some(wanted);
    seen.trouble = if has("authority_locked_out") || is(Status::AuthorityLockedOut) {
        Some(Trouble::LockedOut)
    } else if has("no_sessions_available") || has("sp_busy") || is(Status::NoSessionsAvailable) || is(Status::SpBusy) {
        Some(Trouble::NoSessions)
    } else if (has("revertnoerase") || has("keepglobalrangekey")) && has("fail") && has("locked") {
        Some(Trouble::KeepRefused)
    } else if has("empty reply") || has("zero-length header") || has("header fields have 0 length") {
        Some(Trouble::EmptyResponse)
    } else if has("invalid_parameter") || is(Status::InvalidParameter) {
        Some(Trouble::InvalidParameter)
    } else if has("rle=y") && has("rl=n") && has("reboot") {
        Some(Trouble::NeverLocked)
    } else if has("length 0") && has("returns success") {
        Some(Trouble::RangeNotThere)
    } else if has("not_authorized") || is(Status::NotAuthorized) {
        Some(Trouble::NotAuthorized)
    } else {
        None
    };
}

/// `list length 3: 00 01 02`.
fn protocols(story: &str) -> Option<Vec<u8>> {
    let rest = story.split_once("list length ")?.1;
    let (count, rest) = rest.split_once(':')?;
    let count: usize = count.trim().parse().ok()?;
    let hex = rest.split_whitespace().map_while(|word| {
        let word = word.trim_end_matches(['.', ',']);
        (word.len() == 2).then(|| u8::from_str_radix(word, 16).ok()).flatten()
    });
    let all: Vec<u8> = hex.take(64).collect();
    (all.len() == count).then_some(all)
}

/// The status at the end of a reply's tokens: `F9 F0 01 00 00 F1`.
fn reply_status(story: &str) -> Option<Status> {
    let tokens: Vec<&str> = story
        .split_whitespace()
        .filter(|word| word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .take(4096)
        .collect();
    let end = tokens.windows(6).find(|window| window[0] == "f9" && window[1] == "f0" && window[5] == "f1")?;
    Status::from_number(u64::from_str_radix(end[2], 16).ok()?)
}

/// The TPer's session number of a reply to StartSession: F8, two UIDs, and a list that begins with the
/// host's number and the TPer's. 0: no session was opened.
pub fn tsn(text: &Text) -> Option<u64> {
    let line = text.lines.iter().map(|line| line.trimmed().to_lowercase()).find(|line| line.contains("f8 a8 "))?;
    let hex: String = line[line.find("f8 a8 ")?..]
        .split_whitespace()
        .take_while(|word| word.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .take(256)
        .collect();
    let bytes: Vec<u8> = hex
        .as_bytes()
        .chunks(2)
        .map_while(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    // The call, and two atoms of eight bytes.
    let mut rest = bytes.get(19..)?.strip_prefix(&[0xf0])?;
    let mut numbers = Vec::new();
    while numbers.len() < 2 {
        let (first, behind) = rest.split_first()?;
        match first {
            0x00..=0x3f => {
                numbers.push(u64::from(*first));
                rest = behind;
            }
            0x80..=0x88 => {
                let (value, behind) = behind.split_at_checked(usize::from(first & 0x0f))?;
                numbers.push(value.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)));
                rest = behind;
            }
            _ => return None,
        }
    }
    numbers.pop()
}

/// Whether a tool met descriptors that it did not know.
pub fn has_unknown_features(text: &Text) -> bool {
    text.lines.iter().any(|line| line.trimmed().to_lowercase().contains("unknown feature"))
}

fn number_behind(text: &str, before: &str, _after: char) -> Option<u64> {
    let rest = text.split_once(before)?.1.trim_start();
    let digits: &str = rest.split(|sign: char| !sign.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// `base comid 0x1004`, `base comid 2048 (0x0800)`.
fn hex_behind(text: &str, before: &str) -> Option<u16> {
    let rest = text.split_once(before)?.1;
    let rest = rest.get(..24.min(rest.len())).unwrap_or(rest);
    let digits = rest.split_once("0x")?.1;
    let digits: String = digits.chars().take_while(char::is_ascii_hexdigit).collect();
    u16::from_str_radix(&digits, 16).ok()
}
