//! From bytes to lines: character sets and their damage, notes that do not belong to the output,
//! and the headings of a drive report.

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, IBM866, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::manage_bde;

/// The longest line that is looked at, in characters; what comes behind is cut off. A line of a status
/// output has a hundred, a JSON document on one line is read from the whole text instead.
const LONGEST: usize = 4096;
/// How many lines are looked at. A recording of a whole computer has a few thousand.
const MOST: usize = 100_000;

/// Where in a drive report a line stands. Everything that is no drive report is [`Section::Output`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// What a tool printed.
    Output,
    /// Values as somebody copied them from a tool.
    Values,
    /// The bytes of a Level 0 discovery.
    Raw,
    /// What somebody told; only error codes are taken from it.
    Told,
}

/// One line.
#[derive(Clone, Debug)]
pub struct Line {
    /// Without blanks at its end.
    pub text: String,
    /// Blanks at its front.
    pub indent: usize,
    /// Where it stands.
    pub section: Section,
}

impl Line {
    /// Without blanks on both sides.
    pub fn trimmed(&self) -> &str {
        self.text.trim()
    }

    /// What was typed at a prompt: `$ lsblk`, `C:\>manage-bde -status`, `PS C:\> …`.
    pub fn command(&self) -> Option<&str> {
        let text = self.trimmed();
        if let Some(command) = text.strip_prefix("$ ") {
            return Some(command.trim());
        }
        let (before, command) = text.split_once('>')?;
        let before = before.strip_prefix("PS ").unwrap_or(before).trim();
        let mut signs = before.chars();
        let drive = signs.next().is_some_and(|sign| sign.is_ascii_alphabetic()) && signs.next() == Some(':');
        (drive && signs.next().is_none_or(|sign| sign == '\\')).then(|| command.trim())
    }
}

/// Which drive a report is about, as its headings say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Model.
    pub model: String,
    /// Firmware.
    pub firmware: String,
    /// How it is connected.
    pub interface: String,
}

/// A file, made ready.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// All of it, for documents that are not made of lines.
    pub whole: String,
    /// Its lines.
    pub lines: Vec<Line>,
    /// The drive of a drive report.
    pub identity: Option<Identity>,
}

impl Text {
    /// Decodes and cuts into lines.
    pub fn new(bytes: &[u8]) -> Self {
        let whole = decode(bytes);
        let report = whole.lines().any(|line| heading(line).is_some_and(|(name, _)| name == "DRIVE"));
        let mut text = Self { identity: report.then(Identity::default), ..Self::default() };
        let mut section = Some(Section::Output);
        for raw in whole.lines() {
            if raw.starts_with("# ") || raw == "#" {
                continue;
            }
            if let Some((name, value)) = heading(raw) {
                section = section_of(name);
                if let Some(identity) = &mut text.identity {
                    match name {
                        "DRIVE" => value.clone_into(&mut identity.model),
                        "FIRMWARE" => value.clone_into(&mut identity.firmware),
                        "INTERFACE" => value.clone_into(&mut identity.interface),
                        _ => {}
                    }
                }
                continue;
            }
            let Some(section) = section else { continue };
            if text.lines.len() >= MOST {
                break;
            }
            let cut: String = raw.chars().take(LONGEST).collect();
            let indent = cut.chars().take_while(|sign| sign.is_whitespace()).count();
            text.lines.push(Line { text: cut.trim_end().to_owned(), indent, section });
        }
        text.whole = whole;
        text
    }
}

/// An ALL-CAPS heading of a report, and what stands behind it. `UUID:` and `ERROR:` are output.
fn heading(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let word = name.split(|sign: char| !sign.is_ascii_alphanumeric()).next()?;
    let known = matches!(
        word,
        "CASE"
            | "DRIVE"
            | "FIRMWARE"
            | "SERIAL"
            | "INTERFACE"
            | "EVIDENCE"
            | "SOURCE"
            | "FEATURES"
            | "RAW"
            | "SYMPTOM"
            | "CORRECT"
            | "EXPECT"
            | "NOTES"
    );
    known.then_some((word, value.trim()))
}

/// Where the lines below a heading belong. `None`: they are somebody's judgement and not evidence.
fn section_of(heading: &str) -> Option<Section> {
    match heading {
        "FEATURES" => Some(Section::Values),
        "RAW" => Some(Section::Raw),
        "SYMPTOM" => Some(Section::Told),
        "CORRECT" | "EXPECT" | "NOTES" | "SOURCE" | "EVIDENCE" => None,
        _ => Some(Section::Output),
    }
}

/// Any bytes as text. What is no UTF is read in the code page in which the most of it is known.
fn decode(bytes: &[u8]) -> String {
    if let Some((encoding, skip)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(bytes.get(skip..).unwrap_or_default()).0.into_owned();
    }
    if let Some(encoding) = utf16_without_mark(bytes) {
        return encoding.decode_without_bom_handling(bytes).0.into_owned();
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.lines().map(mended).collect::<Vec<_>>().join("\n");
    }
    // A few damaged bytes in the midst of UTF-8 are no other code page.
    let utf8 = UTF_8.decode_without_bom_handling(bytes).0.into_owned();
    let candidates = [WINDOWS_1252, SHIFT_JIS, GBK, BIG5, EUC_KR, IBM866, encoding_rs::WINDOWS_1251];
    let in_utf8 = utf8.chars().any(|sign| !sign.is_ascii() && sign != '\u{fffd}');
    let mut best = (manage_bde::known_words(&utf8), utf8);
    for encoding in candidates {
        let text = encoding.decode_without_bom_handling(bytes).0.into_owned();
        let known = manage_bde::known_words(&text);
        // Where the words decide nothing, text without any UTF-8 is of the West.
        let western = encoding == WINDOWS_1252 && !in_utf8 && known == best.0;
        if known > best.0 || western {
            best = (known, text);
        }
    }
    best.1
}

/// UTF-16 as PowerShell redirects it, when somebody has cut off its mark. Blanks and line breaks have a
/// zero byte in every script, on the same side; no other text has zero bytes.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let front = bytes.get(..bytes.len().min(4096))?;
    let zeros = |odd: usize| front.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    match (zeros(0), zeros(1)) {
        (even, odd) if odd >= 3 && odd > even * 4 => Some(UTF_16LE),
        (even, odd) if even >= 3 && even > odd * 4 => Some(UTF_16BE),
        _ => None,
    }
}

/// A line of UTF-8 that somebody read as Windows-1252 and saved as UTF-8 again (`Ã©`), put right.
fn mended(line: &str) -> String {
    // The first byte of a longer sign, as that code page shows it.
    if !line.chars().any(|sign| matches!(sign, 'Â'..='ô')) {
        return line.to_owned();
    }
    let (back, _, lossy) = WINDOWS_1252.encode(line);
    match std::str::from_utf8(&back) {
        Ok(text) if !lossy && text != line => text.to_owned(),
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn character_sets() {
        let line = "    Größe: 1,0 GB\n";
        let utf16: Vec<u8> = line.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let mut marked = vec![0xff, 0xfe];
        marked.extend(&utf16);
        let latin = encoding_rs::WINDOWS_1252.encode(line).0.into_owned();
        for bytes in [line.as_bytes(), &utf16, &marked, &latin, "    GrÃ¶ÃŸe: 1,0 GB".as_bytes()] {
            assert_eq!(Text::new(bytes).lines[0].trimmed(), "Größe: 1,0 GB");
        }
        let japanese = SHIFT_JIS.encode("    変換状態: 暗号化は完全に解除されています").0.into_owned();
        assert_eq!(Text::new(&japanese).lines[0].trimmed(), "変換状態: 暗号化は完全に解除されています");
    }

    #[test]
    fn notes_and_headings_are_no_output() {
        let text = Text::new(b"# right answer: green\nCASE 01: x\nDRIVE: A B\nFEATURES (x):\n  one\nCORRECT DECISION:\ntwo\nEXPECT: three\nUUID: four");
        assert_eq!(text.lines.iter().map(Line::trimmed).collect::<Vec<_>>(), ["one"]);
        assert_eq!(text.identity.unwrap().model, "A B");
        assert_eq!(Text::new(b"UUID: four\nERROR: five").lines.len(), 2);
    }

    #[test]
    fn prompts() {
        let command = |line: &str| Text::new(line.as_bytes()).lines[0].command().map(str::to_owned);
        assert_eq!(command(r"C:\windows\system32>manage-bde -status d:").unwrap(), "manage-bde -status d:");
        assert_eq!(command(r"PS C:\Windows> manage-bde").unwrap(), "manage-bde");
        assert_eq!(command("$ lsblk -f").unwrap(), "lsblk -f");
        assert_eq!(command("    +-> Volume disk3s1"), None);
        assert_eq!(command("<key>Name</key>"), None);
    }
}
