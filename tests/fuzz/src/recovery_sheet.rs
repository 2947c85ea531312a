//! A sheet as it is read back, and a file as it is verified: whole, damaged, in any encoding. What the strict
//! reading gives, the lenient one gives too.

use std::path::PathBuf;
use std::sync::OnceLock;

use recovery::{RecoveryKey, Sheet, SheetWords, read_back, verify};

use crate::recovery_key::KEY;

/// A sheet, one with two keys, the key alone, in UTF-8 and UTF-16.
pub fn seeds() -> Vec<Vec<u8>> {
    let key = RecoveryKey::parse(KEY).expect("a key");
    let text = sheet().text(&key).to_string();
    let wide =
        |text: &str| [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let other = KEY.replacen("cccb", "cccd", 1);
    let seeds = vec![
        text.clone().into_bytes(),
        text.replacen("cccb", "ccbb", 1).into_bytes(),
        format!("{text}\n{other}\n").into_bytes(),
        wide(&text),
        KEY.into(),
        wide(KEY),
    ];
    assert_eq!(read_back(&text), Ok(key));
    seeds
}

pub(crate) fn sheet() -> Sheet {
    Sheet {
        computer: "kitchen".into(),
        volume: "Practice drive".into(),
        uuid: crate::wrap::UUID.into(),
        date: "2026-12-02".into(),
        words: SheetWords::look_up(str::to_owned),
    }
}

/// One input.
pub fn run(data: &[u8]) {
    let lenient = std::str::from_utf8(data).ok().map(read_back);
    let file = file();
    std::fs::write(file, data).expect("a file in memory");
    if let Ok(verified) = verify(file) {
        assert_eq!(verified.key.key_id(), verified.key_id);
        if let Some(lenient) = lenient {
            // A mark of the encoding is not part of the text.
            assert!(lenient == Ok(verified.key) || data.starts_with(b"\xef\xbb\xbf"), "{lenient:?}");
        }
    }
}

/// One file for this process, in memory where there is such a place.
fn file() -> &'static PathBuf {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| crate::scratch().join("sheet.txt"))
}
