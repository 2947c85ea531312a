//! A recovery key as somebody typed it. What is read is read again from its own text.

use recovery::{RecoveryKey, group_check};

/// Ways to write the same key.
pub fn seeds() -> Vec<Vec<u8>> {
    let key = RecoveryKey::parse(KEY).expect("a key");
    let checked: Vec<String> =
        key.groups().iter().zip(key.group_checks().iter()).map(|(group, check)| format!("{group} {check}")).collect();
    let numbered: String =
        checked.iter().enumerate().map(|(place, line)| format!(" {}. {line}\n", place + 1)).collect();
    [
        KEY.to_owned(),
        KEY.to_uppercase(),
        KEY.replace('-', ""),
        KEY.replace('-', "\u{2013}"),
        checked.join("\n"),
        numbered,
    ]
    .into_iter()
    .map(String::into_bytes)
    .collect()
}

pub(crate) const KEY: &str = "cccbcdce-cfcgchci-cjckclcn-crctcucv-bcbbbdbe-bfbgbhbi-bjbkblbn-brbtbubv";

/// One input.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for group in 0..10 {
        let _ = group_check(group, text);
    }
    let Ok(key) = RecoveryKey::parse(text) else { return };
    assert_eq!(RecoveryKey::parse(&key.text()), Ok(key.clone()));
    assert_eq!((key.text().len(), key.groups().len(), key.key_id().len()), (71, 8, 9));
    // The letters of the key are those that were typed.
    let letters = key.text().replace('-', "");
    let typed: String = text.to_ascii_lowercase().chars().filter(char::is_ascii_alphabetic).collect();
    assert!(typed.len() == 80 || typed == letters, "{letters} from {text:?}");
}
