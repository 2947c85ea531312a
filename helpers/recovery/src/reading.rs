use std::io;
use std::path::Path;

use zeroize::Zeroizing;

use crate::key::{GROUP_LETTERS, GROUPS};
use crate::medium::{Medium, System};
use crate::{Error, RecoveryKey, Result};

/// A text that is a key and nothing else is not longer than this, however it is written.
const KEY_ALONE: usize = 240;

/// A file whose key is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The key. Whether it opens a volume is for the caller to try.
    pub key: RecoveryKey,
    /// Its short name.
    pub key_id: String,
    /// Whether it came from a sheet, whose check letters and key ID fit; not just a key alone.
    pub sheet: bool,
}

/// Reads a key from a file, and is strict: on a sheet the line, the table, the check letters and
/// the key ID must all be those of the same key.
///
/// # Errors
/// [`Error::FileMissing`], [`Error::FileUnreadable`], [`Error::NotText`], and those of
/// [`read_back`]; [`Error::OtherId`] if the sheet's key ID is another.
pub fn verify(file: &Path) -> Result<Verified> {
    let stored = System.read_stored(file).map_err(|error| Error::unreadable(file, &error))?;
    let text = decode(&stored.bytes).ok_or_else(|| Error::NotText { path: file.to_owned() })?;
    let key = read_whole(&text)?;
    Ok(Verified { key_id: key.key_id(), key, sheet: !Found::look(&text).table.is_empty() })
}

/// Finds the key in a sheet, in a file with only the key, in what `systemd-cryptenroll` printed.
/// For somebody in need it is lenient: a sheet with a damaged line and a whole table still gives
/// its key, as long as there is no doubt which one it is.
///
/// # Errors
/// [`Error::Check`], [`Error::Letter`], [`Error::GroupLength`] or [`Error::Length`] if there is a
/// key, but a damaged one; [`Error::NoKey`]; [`Error::TwoKeys`].
pub fn read_back(text: &str) -> Result<RecoveryKey> {
    let found = Found::look(text);
    let mut keys: Vec<RecoveryKey> = Vec::new();
    for key in found.lines.iter().chain(&found.table_key()).flatten() {
        if !keys.contains(key) {
            keys.push(key.clone());
        }
    }
    if let [key] = keys.as_slice() {
        return Ok(key.clone());
    }
    if !keys.is_empty() {
        let mut named = keys.into_iter().filter(|key| names(text, key));
        return match (named.next(), named.next()) {
            (Some(key), None) => Ok(key),
            _ => Err(Error::TwoKeys),
        };
    }
    // Typed by somebody over several lines, perhaps.
    let alone = RecoveryKey::parse(text);
    if alone.is_ok() || text.chars().count() <= KEY_ALONE && !text.trim().is_empty() {
        return alone;
    }
    Err(found.first_error().unwrap_or(Error::NoKey))
}

/// [`read_back`] for a copy that must be whole: everything in it that looks like a key is the same key.
///
/// # Errors
/// As [`read_back`], also where it would have looked past the damage; [`Error::OtherId`].
pub fn read_whole(text: &str) -> Result<RecoveryKey> {
    let key = read_back(text)?;
    let found = Found::look(text);
    if let Some(error) = found.first_error() {
        return Err(error);
    }
    if found.lines.iter().chain(&found.table_key()).flatten().any(|other| *other != key) {
        return Err(Error::TwoKeys);
    }
    if !found.table.is_empty() && !names(text, &key) {
        return Err(Error::OtherId { key_id: key.key_id() });
    }
    Ok(key)
}

/// Everything in a text that looks like a key.
struct Found {
    /// Words with the length and the dashes of a key.
    lines: Vec<Result<RecoveryKey>>,
    /// Rows of the table: group and check letters, in the order of their numbers.
    table: Zeroizing<Vec<String>>,
}

impl Found {
    fn look(text: &str) -> Self {
        let words = text.split_whitespace().map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric()));
        let lines = words.filter(|word| has_shape_of_key(word)).map(RecoveryKey::parse).collect();
        let mut table = Zeroizing::new(Vec::new());
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [number, group, check] = words.as_slice() else { continue };
            let expected = (table.len() + 1).to_string();
            if table.len() < GROUPS && number.trim_end_matches(['.', ')', ':']) == expected {
                table.push(format!("{group} {check}"));
            }
        }
        if table.len() < GROUPS {
            // Some other list of threes.
            table.clear();
        }
        Self { lines, table }
    }

    fn table_key(&self) -> Option<Result<RecoveryKey>> {
        (!self.table.is_empty()).then(|| RecoveryKey::parse(&Zeroizing::new(self.table.join("\n"))))
    }

    fn first_error(&self) -> Option<Error> {
        // The table first: it can say which group.
        self.table_key().into_iter().chain(self.lines.iter().cloned()).find_map(Result::err)
    }
}

/// 71 characters in eight groups, or 64 that are all of the alphabet (there are many other words of
/// 64 letters: fingerprints, for instance).
fn has_shape_of_key(word: &str) -> bool {
    let groups: Vec<usize> = word.split('-').map(|group| group.chars().count()).collect();
    let dashed = groups.len() == GROUPS && groups.iter().all(|letters| *letters == GROUP_LETTERS);
    dashed || (groups == [GROUPS * GROUP_LETTERS] && RecoveryKey::parse(word).is_ok())
}

/// Whether the text has the key's ID as a word of its own.
fn names(text: &str, key: &RecoveryKey) -> bool {
    let id = key.key_id();
    text.split_whitespace().any(|word| word.eq_ignore_ascii_case(&id))
}

/// The UUID that a sheet names: that of the volume which its key was made for.
pub fn uuid_in(text: &str) -> Option<String> {
    let words = text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-');
    words.map(str::to_ascii_lowercase).find(|word| {
        let groups: Vec<&str> = word.split('-').collect();
        let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
        lengths == [8, 4, 4, 4, 12] && groups.concat().bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Text as editors save it: UTF-8 with or without a mark, or UTF-16 with one. `None`: no text.
pub fn decode(bytes: &[u8]) -> Option<Zeroizing<String>> {
    let units = |from: fn([u8; 2]) -> u16| {
        let units = Zeroizing::new(bytes[2..].chunks_exact(2).map(|pair| from([pair[0], pair[1]])).collect::<Vec<_>>());
        String::from_utf16(&units).ok().map(Zeroizing::new)
    };
    match bytes {
        [0xff, 0xfe, ..] => units(u16::from_le_bytes),
        [0xfe, 0xff, ..] => units(u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, text @ ..] => plain(text),
        text => plain(text),
    }
}

fn plain(bytes: &[u8]) -> Option<Zeroizing<String>> {
    let text = std::str::from_utf8(bytes).ok()?;
    // Zeros are no text; a raw key file would have some.
    (!text.contains('\0')).then(|| Zeroizing::new(text.to_owned()))
}

impl Error {
    /// Why a copy at `file` could not be read at all.
    pub fn unreadable(file: &Path, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::FileMissing { path: file.to_owned() },
            io::ErrorKind::InvalidData => Self::NotText { path: file.to_owned() },
            _ => Self::FileUnreadable { path: file.to_owned(), cause: error.to_string() },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Sheet, SheetWords};

    fn sheet(key: &RecoveryKey) -> Zeroizing<String> {
        let sheet = Sheet {
            computer: "kitchen".into(),
            volume: "1 gut geduldig".into(),
            uuid: "0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f".into(),
            date: "2026-12-02".into(),
            words: SheetWords::look_up(str::to_owned),
        };
        sheet.text(key)
    }

    /// The same text with another letter in the place of the last letter of `part`.
    fn damaged(text: &str, part: &str) -> String {
        let end = text.find(part).unwrap() + part.len();
        let other = if text.as_bytes()[end - 1] == b'c' { "b" } else { "c" };
        format!("{}{other}{}", &text[..end - 1], &text[end..])
    }

    #[test]
    fn a_file_with_only_the_key() {
        let key = RecoveryKey::generate().unwrap();
        let text = key.text();
        for text in [text.to_string(), format!("{}\n", *text), format!("\u{feff}{}\r\n", *text), text.replace('-', "")]
        {
            assert_eq!(read_whole(&text), Ok(key.clone()), "{text:?}");
        }
    }

    #[test]
    fn what_systemd_prints() {
        let key = RecoveryKey::generate().unwrap();
        let text = format!(
            "A secret recovery key has been generated for this volume:\n\n    🔐 {}\n\nPlease save this secret recovery key \
             at a secure location. It may be used to\nregain access to the volume if the other configured access \
             credentials have\nbeen lost or forgotten.\n",
            *key.text()
        );
        assert_eq!(read_whole(&text), Ok(key));
    }

    #[test]
    fn a_sheet_with_one_damaged_copy_of_the_key_still_helps_but_is_not_whole() {
        let key = RecoveryKey::generate().unwrap();
        let text = sheet(&key);
        let line = damaged(&text, &key.text());
        assert_eq!(read_back(&line), Ok(key.clone()));
        assert_eq!(read_whole(&line), Err(Error::TwoKeys));
        let row = format!("3   {}", key.groups()[2]);
        let table = damaged(&text, &row);
        assert_eq!(read_back(&table), Ok(key));
        assert_eq!(read_whole(&table), Err(Error::Check { groups: vec![3] }));
    }

    #[test]
    fn a_sheet_with_both_copies_damaged_names_the_group() {
        let key = RecoveryKey::generate().unwrap();
        let text = sheet(&key);
        let line = text.replace(&*key.text(), "");
        let row = format!("5   {}", key.groups()[4]);
        assert_eq!(read_back(&damaged(&line, &row)), Err(Error::Check { groups: vec![5] }));
    }

    #[test]
    fn a_sheet_with_another_id_is_not_whole() {
        let key = RecoveryKey::generate().unwrap();
        let text = sheet(&key).replace(&key.key_id(), "0000-0000");
        assert_eq!(read_back(&text), Ok(key.clone()));
        assert_eq!(read_whole(&text), Err(Error::OtherId { key_id: key.key_id() }));
    }

    #[test]
    fn texts_without_a_key() {
        let essay = "geduldig ".repeat(40);
        assert_eq!(read_back(&essay), Err(Error::NoKey));
        assert_eq!(read_back(""), Err(Error::NoKey));
        let hash = format!("{}  latchkey.tar.gz\n", "cbdefcbd01234567".repeat(4)).repeat(5);
        assert_eq!(read_back(&hash), Err(Error::NoKey));
        let two =
            format!("{}\n{}\n", *RecoveryKey::generate().unwrap().text(), *RecoveryKey::generate().unwrap().text());
        assert_eq!(read_back(&two), Err(Error::TwoKeys));
    }

    #[test]
    fn a_file_with_a_slip_says_where() {
        let key = RecoveryKey::generate().unwrap();
        let mut text = key.text().to_string();
        text.replace_range(9..10, "x");
        assert_eq!(read_back(&text), Err(Error::Letter { group: 2, letter: 'x' }));
    }

    #[test]
    fn files_of_every_kind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key.txt");
        let key = RecoveryKey::generate().unwrap();
        assert_eq!(verify(&path).unwrap_err(), Error::FileMissing { path: path.clone() });
        std::fs::write(&path, sheet(&key).as_bytes()).unwrap();
        let verified = verify(&path).unwrap();
        assert!(verified.sheet);
        assert_eq!((verified.key_id, verified.key), (key.key_id(), key.clone()));
        let wide: Vec<u8> = [0xfeff].into_iter().chain(key.text().encode_utf16()).flat_map(u16::to_le_bytes).collect();
        std::fs::write(&path, wide).unwrap();
        assert_eq!(verify(&path).unwrap(), Verified { key_id: key.key_id(), key, sheet: false });
        std::fs::write(&path, [0; 32]).unwrap();
        assert_eq!(verify(&path).unwrap_err(), Error::NotText { path: path.clone() });
        std::fs::write(&path, vec![b'c'; 300 * 1024]).unwrap();
        assert_eq!(verify(&path).unwrap_err(), Error::NotText { path: path.clone() });
        std::fs::write(&path, "").unwrap();
        assert_eq!(verify(&path).unwrap_err(), Error::NoKey);
        assert!(matches!(verify(folder.path()), Err(Error::FileUnreadable { .. })));
    }

    proptest! {
        #[test]
        fn one_slip_anywhere_on_a_sheet_never_costs_the_key(at in 0..2000_usize, sign in any::<char>(), gone in any::<bool>()) {
            let key = RecoveryKey::generate().unwrap();
            let mut signs: Vec<char> = sheet(&key).chars().collect();
            let at = at % signs.len();
            signs.splice(at..=at, (!gone).then_some(sign));
            let text: String = signs.into_iter().collect();
            prop_assert_eq!(read_back(&text), Ok(key.clone()));
            if let Ok(other) = read_whole(&text) {
                prop_assert_eq!(other, key);
            }
        }

        #[test]
        fn no_file_makes_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            if let Some(text) = decode(&bytes) {
                let _ = read_whole(&text);
            }
        }
    }
}
