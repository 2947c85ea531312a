//! `manage-bde -status`, `-protectors -get` and `-on`, in every language of Windows.
//!
//! The layout is the same in all of them: a line with the drive letter and the label in brackets, a
//! line with the kind of volume in brackets, then rows of a label and a value in a fixed order, the
//! last of which may be a list. The layout says which row is which block's; the words say what a row
//! is. A block whose labels are not all of one language is not from Windows, and nothing it says counts.

mod likeness;
pub mod words;

use drives::judge::Report;

use crate::Item;
use crate::bitlocker::{self, Conversion, Method, Volume};
use crate::text::{Line, Section, Text};
use likeness::Printed;
use words::{Field, LANGUAGES, Language};

/// What `manage-bde` says to somebody who is no administrator.
const DENIED: &str = "an attempt to access a required resource was denied";
/// How many volumes one text may have.
const MOST: usize = 1024;
/// How many lines are looked at to tell which code page a text is in.
const SAMPLE: usize = 400;

/// How many labels of rows in the text are known.
pub fn known_words(text: &str) -> usize {
    let known = |line: &str| {
        let (label, _) = row(line)?;
        let label = Printed::new(label);
        LANGUAGES.iter().any(|language| language.field(&label).is_some()).then_some(())
    };
    text.lines().take(SAMPLE).filter_map(known).count()
}

/// All volumes that `manage-bde` speaks of.
pub fn items(text: &Text) -> Vec<Item> {
    let mut volumes: Vec<Volume> = Vec::new();
    let mut asked: Vec<String> = Vec::new();
    let mut refused: Option<Volume> = None;
    let mut reader = Reader::default();
    let banner = text.lines.iter().any(|line| is_banner(line.trimmed()));
    let mut behind = text.lines.iter().filter(|line| !line.trimmed().is_empty()).peekable();
    for line in &text.lines {
        // The next line with something on it, found in one go over the text.
        if !line.trimmed().is_empty() {
            behind.next();
        }
        let next = behind.peek().copied();
        if line.section != Section::Output {
            continue;
        }
        if let Some(letter) = asked_for(line.trimmed())
            && !asked.contains(&letter)
        {
            asked.push(letter);
        }
        if let Some(done) = reader.read(line, next)
            && volumes.len() < MOST
        {
            volumes.push(done);
        }
        if let Some(volume) = refusal(line.trimmed())
            && (banner || !asked.is_empty() || line.trimmed().to_lowercase().contains(DENIED))
        {
            refused.get_or_insert(volume);
        }
    }
    volumes.extend(reader.finish());
    let mut volumes = merged(volumes);
    // Whoever was asked for and did not answer is not "not encrypted".
    for letter in asked {
        if volumes.iter().any(|volume| volume.subject == letter) {
            continue;
        }
        let mut volume = refused.clone().unwrap_or(Volume { doubt: Some(Report::NoAnswer), ..Volume::default() });
        volume.subject = letter;
        volumes.push(volume);
    }
    match refused {
        Some(refused) if volumes.is_empty() => vec![refused.item()],
        _ => volumes.iter().map(Volume::item).collect(),
    }
}

/// A status and a list of protectors of the same volume are one volume.
fn merged(volumes: Vec<Volume>) -> Vec<Volume> {
    let mut all: Vec<Volume> = Vec::new();
    // Volumes without a letter or a path are fragments and stay for themselves.
    for volume in volumes {
        let same = all.iter_mut().find(|one| {
            !volume.subject.is_empty() && one.subject == volume.subject && one.only_protectors != volume.only_protectors
        });
        match same {
            None => all.push(volume),
            Some(one) => {
                let (mut status, list) =
                    if volume.only_protectors { (one.clone(), volume) } else { (volume, one.clone()) };
                if status.protectors.as_ref().is_none_or(Vec::is_empty) && status.doubt.is_none() {
                    status.protectors = list.protectors;
                }
                *one = status;
            }
        }
    }
    all
}

/// One block while it is read.
#[derive(Debug, Default)]
struct Block {
    volume: Volume,
    kind: Option<Printed>,
    rows: Vec<(Printed, String)>,
    /// Indentation of its rows.
    indent: usize,
    /// Lines of the list behind the last row.
    list: Vec<String>,
    /// Protectors of a list of protectors, before their `ID:` is seen.
    named: Option<String>,
    in_list: bool,
    /// A header was there, not only rows.
    headed: bool,
    /// `[OS Volume]` followed the header.
    is_status: bool,
    test_pending: bool,
    no_protectors: bool,
}

#[derive(Debug, Default)]
struct Reader {
    block: Option<Block>,
}

impl Reader {
    /// Reads one line. Gives the block that it ends.
    fn read(&mut self, line: &Line, next: Option<&Line>) -> Option<Volume> {
        let text = line.trimmed();
        if let Some((subject, label, kind)) = header(text) {
            let done = self.finish();
            let volume = Volume { subject, label, ..Volume::default() };
            let kind = kind.or_else(|| bracketed(next?.trimmed()).map(Printed::new));
            let is_status = kind.is_some();
            self.block = Some(Block { volume, kind, headed: true, is_status, ..Block::default() });
            return done;
        }
        if line.command().is_some() || is_banner(text) {
            return self.finish();
        }
        if text.is_empty() {
            // A blank line stands between the header and the rows, and ends the rows.
            return self.block.as_ref().is_some_and(|block| !block.rows.is_empty()).then(|| self.finish()).flatten();
        }
        if let Some(block) = &mut self.block {
            if text.contains("shutdown /?") {
                block.test_pending = true;
                return None;
            }
            if !block.is_status && block.rows.is_empty() {
                block.read_protector(line);
                return None;
            }
            if block.in_list && line.indent > block.indent && !block.list.iter().any(|one| one.len() > 200) {
                block.read_list(text);
                return None;
            }
        }
        let (label, value) = row(&line.text)?;
        let printed = Printed::new(label);
        let field = LANGUAGES.iter().find_map(|language| language.field(&printed));
        match &mut self.block {
            // `-on` prints protectors below the kind of volume.
            Some(block) if block.rows.is_empty() && field.is_none() && block.is_no_row(label, value) => {
                block.read_protector(line);
                None
            }
            Some(block) if block.accepts(line.indent, field) => {
                block.push(line.indent, printed, value);
                None
            }
            // Rows without a header: a fragment, if their words are known.
            _ if field.is_some() => {
                let done = self.finish();
                let mut block = Block::default();
                block.push(line.indent, printed, value);
                self.block = Some(block);
                done
            }
            _ => None,
        }
    }

    fn finish(&mut self) -> Option<Volume> {
        self.block.take().and_then(Block::volume)
    }
}

impl Block {
    fn push(&mut self, indent: usize, label: Printed, value: &str) {
        if self.rows.is_empty() {
            self.indent = indent;
        }
        self.in_list = value.is_empty();
        self.rows.push((label, value.to_owned()));
    }

    /// Whether a row can be the next of this block: as far in as the others, and not printed before.
    fn accepts(&self, indent: usize, field: Option<Field>) -> bool {
        if self.rows.is_empty() {
            return self.headed;
        }
        let last =
            self.rows.iter().rev().find_map(|(label, _)| LANGUAGES.iter().find_map(|language| language.field(label)));
        let in_order = match (field, last) {
            (Some(field), Some(last)) => field > last,
            _ => true,
        };
        in_order && self.rows.len() < 16 && (indent == self.indent || field.is_some())
    }

    /// `-on` prints a list of protectors and advice where a status has its rows.
    fn is_no_row(&self, label: &str, value: &str) -> bool {
        value.is_empty() || self.test_pending || self.named.is_some() || is_guid_row(&format!("{label}:{value}"))
    }

    /// A line of the list of protectors at the end of a status.
    fn read_list(&mut self, text: &str) {
        if self.list.len() < 64 {
            self.list.push(text.to_owned());
        }
    }

    /// A line of `-protectors -get`: a name with a colon, and below it an `ID:` with a GUID.
    fn read_protector(&mut self, line: &Line) {
        let text = line.trimmed();
        if is_guid_row(text) {
            if let Some(name) = self.named.take() {
                self.read_list(&name);
            }
            return;
        }
        match text.strip_suffix([':', '：']) {
            Some(name) if line.indent > 0 => self.named = Some(name.trim().to_owned()),
            _ => {
                // "ERROR: No key protectors found." is the normal answer of a plain volume.
                self.no_protectors |= is_no_protectors(text);
            }
        }
    }

    fn volume(self) -> Option<Volume> {
        let mut volume = self.volume;
        let protectors = || self.list.iter().map(|name| words::protector(name)).collect::<Vec<_>>();
        if self.rows.is_empty() {
            if self.test_pending {
                volume.test_pending = true;
                volume.protectors = Some(protectors());
                return Some(volume);
            }
            if self.is_status {
                // Cut off behind its header.
                volume.doubt = Some(Report::TooLittle);
                return Some(volume);
            }
            if self.list.is_empty() && !self.no_protectors {
                return None;
            }
            volume.only_protectors = true;
            volume.protectors = Some(protectors());
            return Some(volume);
        }
        let labels: Vec<&Printed> = self.rows.iter().map(|(label, _)| label).collect();
        let language = LANGUAGES.iter().find(|language| labels.iter().all(|label| language.field(label).is_some()));
        // "BitLocker-version" is the same word in half of Europe.
        let known = |label: &&&Printed| {
            LANGUAGES.iter().any(|language| language.field(label).is_some_and(|field| field != Field::Version))
        };
        match language {
            Some(language) => {
                for (label, value) in &self.rows {
                    if let Some(field) = language.field(label) {
                        read_value(&mut volume, language, field, value);
                    }
                }
                if let Some(kind) = &self.kind {
                    volume.os = language.is_os_volume(kind);
                    // The kind in another language than the rows: nobody's computer printed this.
                    let foreign = LANGUAGES.iter().any(|other| other.is_os_volume(kind).is_some());
                    if volume.os.is_none() && foreign && language.tag != "zh-TW" && language.tag != "zh-CN" {
                        volume.doubt = Some(Report::MixedWords);
                    }
                }
            }
            None if labels.iter().any(|label| known(&label)) => volume.doubt = Some(Report::MixedWords),
            None => read_by_place(&mut volume, &self.rows),
        }
        let list = self.rows.last().is_some_and(|(_, value)| value.is_empty());
        if list {
            // An empty list is one that was cut off.
            volume.protectors = (!self.list.is_empty()).then(protectors);
        }
        Some(volume)
    }
}

/// One value in a known language.
fn read_value(volume: &mut Volume, language: &Language, field: Field, value: &str) {
    let printed = Printed::new(value.trim_end_matches('.'));
    match field {
        Field::Size => volume.size = value.to_owned(),
        Field::Conversion => {
            volume.conversion = language.conversion(&printed);
            if volume.conversion.is_none() && !language.is_unknown(&printed) {
                volume.doubt = Some(Report::UnknownWords);
            }
        }
        Field::Percentage => volume.tenths = bitlocker::tenths(value),
        Field::Method => {
            volume.method = bitlocker::method(value).or_else(|| language.is_none(&printed).then_some(Method::None));
        }
        Field::Protection => {
            volume.protection = language.protection(&printed);
            if volume.protection.is_none() && !language.is_unknown(&printed) {
                volume.doubt = Some(Report::UnknownWords);
            }
        }
        Field::Lock => volume.locked = language.locked(&printed),
        Field::Protectors if !value.is_empty() => {
            volume.protectors = if language.is_none(&printed) {
                Some(Vec::new())
            } else {
                // Some versions print a single one behind the label.
                Some(vec![words::protector(value)])
            };
        }
        _ => {}
    }
}

/// A language without words here, or a text of which the console left only question marks: the fixed
/// order of the rows and their numbers tell a plain volume, and nothing else.
fn read_by_place(volume: &mut Volume, rows: &[(Printed, String)]) {
    volume.doubt = Some(Report::UnknownWords);
    let [(_, size), (version, number), (_, conversion), (_, percent), (_, method), (_, protection), (_, lock), ..] =
        rows
    else {
        return;
    };
    let last = rows.last().map_or("", |(_, value)| value.as_str());
    let ciphered =
        |value: &str| value.to_uppercase().contains("AES") || value.chars().any(|sign| sign.is_ascii_digit());
    let plain = rows.len() >= 8
        && rows.len() <= 10
        && version.holds("bitlocker")
        && size.chars().any(|sign| sign.is_ascii_digit())
        && !number.is_empty()
        && ![number, conversion, method, protection, lock].into_iter().any(|value| value.is_empty() || ciphered(value))
        && percent.contains(['%', '％'])
        && bitlocker::tenths(percent) == Some(0)
        && !last.is_empty();
    if plain {
        volume.doubt = None;
        volume.conversion = Some(Conversion::Decrypted);
        volume.tenths = Some(0);
        volume.method = Some(Method::None);
        volume.size.clone_from(size);
    }
}

/// `Volume C: [Label]`, in any language and order: subject, label, and the kind if it is on the line.
fn header(text: &str) -> Option<(String, String, Option<Printed>)> {
    if !text.ends_with(']') || text.chars().count() > 200 {
        return None;
    }
    let open = text.find('[')?;
    let (front, brackets) = text.split_at(open);
    let words: Vec<&str> = front.split_whitespace().collect();
    if words.is_empty() || words.len() > 3 {
        return None;
    }
    let subject = words.iter().find_map(|word| volume_name(word))?;
    // Besides the name there is one word for "volume", without signs.
    let others = words.iter().filter(|word| volume_name(word).is_none());
    if others.clone().count() > 2 || others.clone().any(|word| word.contains([':', '|', '=', '{', '-'])) {
        return None;
    }
    let label = brackets[1..].split(']').next().unwrap_or_default().trim().to_owned();
    let rest = brackets.split_once(']').map(|(_, rest)| rest.trim()).unwrap_or_default();
    Some((subject, label, bracketed(rest).map(Printed::new)))
}

/// `C:`, `"C:"`, `\\?\Volume{…}\`.
fn volume_name(word: &str) -> Option<String> {
    let word = word.trim_matches(['"', '“', '”', '«', '»', '「', '」']);
    let mut signs = word.chars();
    if word.len() == 2 && signs.next().is_some_and(|sign| sign.is_ascii_alphabetic()) && signs.next() == Some(':') {
        return Some(word.to_ascii_uppercase());
    }
    (word.starts_with(r"\\?\Volume{") && word.contains('}')).then(|| word.to_owned())
}

fn bracketed(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    (!inside.contains(['[', ']'])).then_some(inside)
}

/// A label and its value. The colon may be a full-width one or stand behind a blank.
fn row(line: &str) -> Option<(&str, &str)> {
    let (label, value) = line.trim().split_once([':', '：'])?;
    // A blank that does not break lines stands before French colons, and consoles lose it.
    let label = label.trim_end_matches(['?', '\u{fffd}']).trim();
    let fits = !label.is_empty() && label.chars().count() <= 60 && !label.contains(['=', '"', '<', '>', '{', '|', '/']);
    fits.then(|| (label, value.trim()))
}

/// The first line of each answer.
fn is_banner(text: &str) -> bool {
    let version = text.contains("10.0.") || text.contains(" 6.");
    let copyright = text.starts_with("Copyright (C) ") && text.contains("Microsoft");
    copyright || version && text.contains("BitLocker") && text.contains([':', '：'])
}

/// `ID: {11111111-…}`.
fn is_guid_row(text: &str) -> bool {
    let Some((label, value)) = text.split_once([':', '：']) else { return false };
    let value = value.trim();
    label.chars().count() <= 24 && value.len() == 38 && value.starts_with('{') && value.ends_with('}')
}

/// "No key protectors found", in the languages in which it was seen.
fn is_no_protectors(text: &str) -> bool {
    let text = Printed::new(text);
    [
        "no key protectors found",
        "keine schlüsselschutzvorrichtungen gefunden",
        "es wurden keine schlüsselschutzvorrichtungen gefunden",
        "aucun protecteur de clé",
        "no se encontraron protectores de clave",
        "キーの保護機能は見つかりませんでした",
        "предохранители ключа не обнаружены",
        "找不到密钥保护器",
        "未找到密钥保护器",
        "找不到金鑰保護裝置",
        "키 보호기를 찾을 수 없습니다",
    ]
    .iter()
    .any(|known| text.holds(known))
}

/// Which volume a command line asks about.
fn asked_for(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let typed = lower.rsplit_once('>').map_or(lower.as_str(), |(_, typed)| typed).trim_start_matches(['-', '$', ' ']);
    let about = ["manage-bde", "get-bitlockervolume"].iter().any(|tool| typed.starts_with(tool));
    if !about || !["-status", "-mountpoint", "-protectors"].iter().any(|option| lower.contains(option)) {
        return None;
    }
    lower.split([' ', '-', '"', '\'']).find_map(|word| {
        let mut signs = word.trim_end_matches('\\').chars();
        let letter = signs.next().filter(char::is_ascii_alphabetic)?;
        (signs.next() == Some(':') && signs.next().is_none()).then(|| format!("{}:", letter.to_ascii_uppercase()))
    })
}

/// A line that says that Windows would not tell: an HRESULT, or the sentence for missing rights.
fn refusal(text: &str) -> Option<Volume> {
    let code = hresult(text);
    let lower = text.to_lowercase();
    let rights = code == Some(0x8004_1003)
        || code == Some(0x8007_0005)
        || text.contains("-2147217405")
        || lower.contains(DENIED)
        || lower.contains("access denied")
        || lower.contains("access is denied");
    if rights {
        return Some(Volume { doubt: Some(Report::NeedsRights), code, ..Volume::default() });
    }
    let opened =
        ["could not be opened by bitlocker", "bitlocker 无法打开卷", "kann von bitlocker nicht geöffnet werden"];
    let failed = opened.iter().any(|known| Printed::new(text).holds(known));
    let known = code.is_some_and(|code| matches!(code >> 16, 0x8031 | 0x8028 | 0x8007 | 0x8004));
    if !failed && !known {
        return None;
    }
    let subject = text
        .split_whitespace()
        .find_map(|word| volume_name(word.trim_end_matches(['.', '。', ','])))
        .unwrap_or_default();
    Some(Volume { subject, doubt: Some(Report::NoAnswer), code, ..Volume::default() })
}

/// `0x80310000`.
pub fn hresult(text: &str) -> Option<u32> {
    let at = text.find("0x8")?;
    let digits = text.get(at + 2..at + 10)?;
    u32::from_str_radix(digits, 16).ok()
}
