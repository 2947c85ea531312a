use crc::{CRC_8_SMBUS, Crc};
use model::Secret;
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::{Error, Result};

/// Groups of a key as it is written down.
pub const GROUPS: usize = 8;

/// Letters of a group.
pub const GROUP_LETTERS: usize = 8;

/// The letters of "modhex": they lie on the same keys of nearly every Latin keyboard, so that the
/// key can be typed before the computer knows which keyboard it has.
const ALPHABET: &[u8; 16] = b"cbdefghijklnrtuv";

/// Letters and digits that are not mistaken for each other (Crockford's base 32).
const ID_ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const BYTES: usize = 32;
const GROUP_BYTES: usize = BYTES / GROUPS;
const LETTERS: usize = GROUPS * GROUP_LETTERS;

/// CRC-8 finds every single wrong letter and every swap of two neighbours in a group: both change
/// at most eight neighbouring bits, and a CRC of eight bits finds every such burst.
const CRC: Crc<u8> = Crc::<u8>::new(&CRC_8_SMBUS);

/// 256 random bits that open a volume when the password is lost.
///
/// The written form is that of systemd (`make_recovery_key` in `src/shared/recovery-key.c`): each
/// byte as two letters of `cbdefghijklnrtuv`, high half first; eight groups of eight letters with
/// dashes between, 71 characters. These 71 characters, dashes included, are the passphrase of the
/// keyslot: that is what `systemd-cryptenroll --recovery-key` enrols, what `systemd-cryptsetup`
/// makes of whatever was typed (`normalize_recovery_key`), and what plain `cryptsetup` accepts when
/// it is typed as it stands on the sheet.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct RecoveryKey([u8; BYTES]);

impl RecoveryKey {
    /// A new key from the system's random numbers.
    ///
    /// # Errors
    /// [`Error::NoRandomness`] if the system gives none.
    pub fn generate() -> Result<Self> {
        let mut bytes = Zeroizing::new([0; BYTES]);
        getrandom::fill(bytes.as_mut_slice()).map_err(|error| Error::NoRandomness(error.to_string()))?;
        Ok(Self(*bytes))
    }

    /// Reads a key as somebody typed it: upper or lower case, with dashes, blanks, line breaks or
    /// nothing between the groups, with or without the numbers before and the check letters behind
    /// each group.
    ///
    /// # Errors
    /// [`Error::Letter`], [`Error::GroupLength`], [`Error::Length`], [`Error::Check`], each with
    /// the group where it can be told.
    pub fn parse(text: &str) -> Result<Self> {
        let words = words(text);
        if let Some(groups) = split_groups(&words) {
            return from_groups(&groups);
        }
        let letters = Zeroizing::new(words.iter().flat_map(|word| word.chars()).collect::<String>());
        if letters.chars().count() == LETTERS {
            return from_groups(&cut(&letters, GROUP_LETTERS));
        }
        if letters.chars().count() == LETTERS + 2 * GROUPS {
            return from_groups(&cut(&letters, GROUP_LETTERS + 2));
        }
        Err(why_no_key(&words, letters.chars().count()))
    }

    /// The passphrase of the keyslot: 71 characters, lower case, with dashes.
    pub fn text(&self) -> Zeroizing<String> {
        let mut text = Zeroizing::new(String::with_capacity(LETTERS + GROUPS - 1));
        for (index, byte) in self.0.iter().enumerate() {
            if index > 0 && index % GROUP_BYTES == 0 {
                text.push('-');
            }
            push_letters(&mut text, *byte);
        }
        text
    }

    /// [`RecoveryKey::text`] as what a volume is opened with.
    pub fn secret(&self) -> Secret {
        Secret::new(self.text().as_bytes().to_vec())
    }

    /// The eight groups of eight letters.
    pub fn groups(&self) -> Zeroizing<Vec<String>> {
        Zeroizing::new(self.text().split('-').map(str::to_owned).collect())
    }

    /// The two check letters of each group, written beside it. They are from the same alphabet and
    /// depend on the group's place, so that two groups in the wrong order are found too.
    pub fn group_checks(&self) -> Zeroizing<Vec<String>> {
        Zeroizing::new(
            self.0.chunks_exact(GROUP_BYTES).enumerate().map(|(place, bytes)| check_letters(place, bytes)).collect(),
        )
    }

    /// A short name for the key, the same for the same key everywhere, safe to print and to put into
    /// a file name: the first 40 bits of SHA-256 over a label and the key, as `7KQ2-M9XD`. The key
    /// cannot be found from it, because it would have to be guessed whole.
    pub fn key_id(&self) -> String {
        let hash = Sha256::new().chain_update(b"latchkey recovery key id v1").chain_update(self.0).finalize();
        let bits = hash.iter().take(5).fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
        let mut id = String::with_capacity(9);
        for place in 0..8 {
            if place == 4 {
                id.push('-');
            }
            id.push(char::from(ID_ALPHABET[(bits >> (35 - 5 * place) & 31) as usize]));
        }
        id
    }
}

impl std::fmt::Debug for RecoveryKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RecoveryKey({})", self.key_id())
    }
}

/// The check letters that belong to `letters` as group number `group` (1 to 8), for checking a
/// group while it is being typed. `None` if these are not eight letters of the alphabet.
pub fn group_check(group: usize, letters: &str) -> Option<String> {
    if !(1..=GROUPS).contains(&group) {
        return None;
    }
    let bytes = decode_group(group, letters).ok()?;
    Some(check_letters(group - 1, bytes.as_slice()))
}

/// The text in pieces, lower case, without anything that only separates. Group numbers as on the
/// sheet ("3", "3.", "3)") are left out.
fn words(text: &str) -> Zeroizing<Vec<String>> {
    let pieces =
        text.split(|sign: char| sign.is_whitespace() || sign.is_control() || is_dash(sign) || is_invisible(sign));
    Zeroizing::new(pieces.filter(|piece| !piece.is_empty() && !is_number(piece)).map(str::to_ascii_lowercase).collect())
}

/// Dashes as keyboards, word processors and messengers make them.
fn is_dash(sign: char) -> bool {
    matches!(sign, '-' | '_' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// Signs without ink that come along when a text is copied.
fn is_invisible(sign: char) -> bool {
    matches!(sign, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

fn is_number(piece: &str) -> bool {
    let digits = piece.trim_end_matches(['.', ')', ':']);
    digits.len() == 1 && digits.bytes().all(|byte| (b'1'..=b'8').contains(&byte))
}

/// The words as groups, if they came in eight groups of the right length, each perhaps with its
/// check letters behind it.
fn split_groups(words: &[String]) -> Option<Zeroizing<Vec<String>>> {
    let lengths: Vec<usize> = words.iter().map(|word| word.chars().count()).collect();
    if lengths.len() == GROUPS && lengths.iter().all(|length| *length == GROUP_LETTERS) {
        return Some(Zeroizing::new(words.to_vec()));
    }
    let pairs = lengths.chunks(2).all(|pair| pair == [GROUP_LETTERS, 2]);
    if lengths.len() == 2 * GROUPS && pairs {
        return Some(Zeroizing::new(words.chunks(2).map(|pair| pair.concat()).collect()));
    }
    None
}

fn cut(letters: &str, length: usize) -> Zeroizing<Vec<String>> {
    let letters = Zeroizing::new(letters.chars().collect::<Vec<char>>());
    Zeroizing::new(letters.chunks(length).map(|group| group.iter().collect()).collect())
}

/// A key of eight groups of eight letters, or of ten where the last two are the check letters.
fn from_groups(groups: &[String]) -> Result<RecoveryKey> {
    let mut key = RecoveryKey([0; BYTES]);
    let mut wrong = Vec::new();
    for (place, letters) in groups.iter().enumerate() {
        let number = place + 1;
        let end = letters.char_indices().nth(GROUP_LETTERS).map_or(letters.len(), |(at, _)| at);
        let bytes = decode_group(number, &letters[..end])?;
        let check = &letters[end..];
        if let Some(letter) = check.chars().find(|letter| value(*letter).is_none()) {
            return Err(Error::Letter { group: number, letter });
        }
        if !check.is_empty() && check != check_letters(place, bytes.as_slice()) {
            wrong.push(number);
        }
        key.0[place * GROUP_BYTES..][..GROUP_BYTES].copy_from_slice(bytes.as_slice());
    }
    if wrong.is_empty() { Ok(key) } else { Err(Error::Check { groups: wrong }) }
}

/// Why the words are no key, as near to the place as can be told.
fn why_no_key(words: &[String], letters: usize) -> Error {
    // Groups can only be counted if the person wrote them as groups.
    let grouped: Vec<&String> = words.iter().filter(|word| word.chars().count() != 2).collect();
    if grouped.len() == GROUPS {
        for (place, word) in grouped.iter().enumerate() {
            let letters = word.chars().count();
            if letters != GROUP_LETTERS && letters != GROUP_LETTERS + 2 {
                return Error::GroupLength { group: place + 1, letters };
            }
        }
    }
    Error::Length { letters }
}

fn decode_group(number: usize, letters: &str) -> Result<Zeroizing<[u8; GROUP_BYTES]>> {
    let mut bytes = Zeroizing::new([0; GROUP_BYTES]);
    let mut count = 0;
    for letter in letters.chars() {
        let value = value(letter).ok_or(Error::Letter { group: number, letter })?;
        if count < GROUP_LETTERS {
            bytes[count / 2] = bytes[count / 2] << 4 | value;
        }
        count += 1;
    }
    if count == GROUP_LETTERS { Ok(bytes) } else { Err(Error::GroupLength { group: number, letters: count }) }
}

/// The four bits that a letter stands for.
fn value(letter: char) -> Option<u8> {
    let lower = letter.to_ascii_lowercase();
    (0..16).find(|value| char::from(ALPHABET[usize::from(*value)]) == lower)
}

fn push_letters(text: &mut String, byte: u8) {
    text.push(char::from(ALPHABET[usize::from(byte >> 4)]));
    text.push(char::from(ALPHABET[usize::from(byte & 0x0f)]));
}

fn check_letters(place: usize, bytes: &[u8]) -> String {
    // The place goes in first: another start gives another check for the same letters.
    let mut crc = CRC.digest();
    crc.update(&[0x80 | place.to_le_bytes()[0]]);
    crc.update(bytes);
    let mut letters = String::with_capacity(2);
    push_letters(&mut letters, crc.finalize());
    letters
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(start: u8) -> RecoveryKey {
        RecoveryKey(std::array::from_fn(|place| start.wrapping_add(u8::try_from(place).unwrap().wrapping_mul(37))))
    }

    /// Groups with their check letters, one a line, as a careful person copies them.
    fn with_checks(key: &RecoveryKey) -> Vec<String> {
        key.groups().iter().zip(key.group_checks().iter()).map(|(group, check)| format!("{group} {check}")).collect()
    }

    #[test]
    fn the_text_is_that_of_systemd() {
        let bytes = RecoveryKey(std::array::from_fn(|place| u8::try_from(place).unwrap()));
        // Worked out by hand from make_recovery_key(): 00 01 02 03 is "cc cb cd ce".
        assert_eq!(bytes.text().as_str(), "cccbcdce-cfcgchci-cjckclcn-crctcucv-bcbbbdbe-bfbgbhbi-bjbkblbn-brbtbubv");
        assert_eq!(bytes.text().len(), 71);
        assert_eq!(bytes.secret().expose(), bytes.text().as_bytes());
    }

    #[test]
    fn two_new_keys_differ() {
        assert_ne!(RecoveryKey::generate().unwrap(), RecoveryKey::generate().unwrap());
    }

    #[test]
    fn the_key_id_is_stable_and_shows_nothing() {
        let key = RecoveryKey([0; BYTES]);
        assert_eq!(key.key_id(), "PNBY-8JYA");
        assert_eq!(format!("{key:?}"), format!("RecoveryKey({})", key.key_id()));
    }

    #[test]
    fn is_read_however_it_was_typed() {
        let key = key(3);
        let text = key.text();
        let groups = key.groups();
        let numbered: String =
            with_checks(&key).iter().enumerate().map(|(place, line)| format!("  {}.  {line}\r\n", place + 1)).collect();
        let ways = [
            text.to_string(),
            text.to_uppercase(),
            text.replace('-', ""),
            text.replace('-', " "),
            text.replace('-', "\u{2013}"),
            format!("\u{feff}\n  {}  \r\n", text.as_str()),
            groups.join("\n"),
            format!("{}\n{}", groups[..4].join("-"), groups[4..].join("-")),
            with_checks(&key).join("\n"),
            with_checks(&key).concat().replace(' ', ""),
            numbered,
        ];
        for way in &ways {
            assert_eq!(RecoveryKey::parse(way).as_ref(), Ok(&key), "{way:?}");
        }
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let key = key(9);
        let mut groups = key.groups().to_vec();
        assert_eq!(RecoveryKey::parse(""), Err(Error::Length { letters: 0 }));
        assert_eq!(RecoveryKey::parse(&groups.concat()[1..]), Err(Error::Length { letters: 63 }));
        groups[2].pop();
        assert_eq!(RecoveryKey::parse(&groups.join("-")), Err(Error::GroupLength { group: 3, letters: 7 }));
        groups[2].push('m');
        assert_eq!(RecoveryKey::parse(&groups.join("-")), Err(Error::Letter { group: 3, letter: 'm' }));
        groups[2].pop();
        groups[2].push('ß');
        assert_eq!(RecoveryKey::parse(&groups.concat()), Err(Error::Letter { group: 3, letter: 'ß' }));
    }

    #[test]
    fn groups_in_the_wrong_order_are_found() {
        let mut lines = with_checks(&key(1));
        lines.swap(1, 5);
        assert_eq!(RecoveryKey::parse(&lines.join("\n")), Err(Error::Check { groups: vec![2, 6] }));
    }

    #[test]
    fn a_group_can_be_checked_while_it_is_typed() {
        let key = key(77);
        for (place, (group, check)) in key.groups().iter().zip(key.group_checks().iter()).enumerate() {
            assert_eq!(group_check(place + 1, &group.to_uppercase()).as_ref(), Some(check));
        }
        // The window works them out itself, and its test has the same values.
        assert_eq!(group_check(1, "cccccccc").as_deref(), Some("ki"));
        assert_eq!(group_check(8, "vutrnlkj").as_deref(), Some("lc"));
        assert_eq!(group_check(1, "cbdefgh"), None);
        assert_eq!(group_check(1, "cbdefghm"), None);
        assert_eq!(group_check(9, "cbdefghi"), None);
    }

    proptest! {
        #[test]
        fn every_key_is_read_back(bytes in any::<[u8; 32]>()) {
            let key = RecoveryKey(bytes);
            prop_assert_eq!(RecoveryKey::parse(&key.text()), Ok(key.clone()));
            prop_assert_eq!(RecoveryKey::parse(&with_checks(&key).join("\n")), Ok(key));
        }

        #[test]
        fn every_wrong_letter_is_found_in_its_group(bytes in any::<[u8; 32]>(), place in 0..64_usize, other in 1..16_usize) {
            let mut lines = with_checks(&RecoveryKey(bytes));
            let (group, letter) = (place / 8, place % 8);
            let old = usize::from(value(char::from(lines[group].as_bytes()[letter])).unwrap());
            let new = char::from(ALPHABET[(old + other) % 16]).to_string();
            lines[group].replace_range(letter..=letter, &new);
            prop_assert_eq!(RecoveryKey::parse(&lines.join("\n")), Err(Error::Check { groups: vec![group + 1] }));
        }

        #[test]
        fn every_swap_of_neighbours_is_found(bytes in any::<[u8; 32]>(), group in 0..8_usize, letter in 0..7_usize) {
            let mut lines = with_checks(&RecoveryKey(bytes));
            let (first, second) = (lines[group][letter..=letter].to_owned(), lines[group][letter + 1..letter + 2].to_owned());
            prop_assume!(first != second);
            lines[group].replace_range(letter..letter + 2, &format!("{second}{first}"));
            prop_assert_eq!(RecoveryKey::parse(&lines.join("\n")), Err(Error::Check { groups: vec![group + 1] }));
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,200}") {
            let _ = RecoveryKey::parse(&text);
            let _ = group_check(3, &text);
        }
    }
}
