//! Recovery passwords and the files that they lie in.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use bitlocker::Error;
use bitlocker::keys::{RecoveryPassword, Sheet};
use proptest::prelude::*;

const GOOD: &str = "000011-000022-000033-000044-000055-000066-000077-720885";
const ID: &str = "11111111-1111-4111-8111-111111111111";

#[test]
fn what_is_no_recovery_password_is_refused() {
    assert!(RecoveryPassword::parse(GOOD).is_ok());
    for bad in [
        "",
        "000011-000022-000033-000044-000055-000066-000077",
        "000012-000022-000033-000044-000055-000066-000077-720885",
        "000011-000022-000033-000044-000055-000066-000077-720896",
        "000011-000022-000033-000044-000055-000066-000077-72088",
        "+00011-000022-000033-000044-000055-000066-000077-720885",
    ] {
        assert_eq!(RecoveryPassword::parse(bad), Err(Error::BadRecoveryPassword), "{bad}");
    }
}

#[test]
fn windows_own_files_are_read_in_every_language() {
    for text in [
        format!(
            "BitLocker Drive Encryption recovery key\r\n\r\nIdentifier:\r\n\r\n\t{ID}\r\n\r\nRecovery Key:\r\n\r\n\t{GOOD}\r\n"
        ),
        format!("Wiederherstellungsschlüssel für die BitLocker-Laufwerkverschlüsselung\r\n{{{ID}}}\r\n{GOOD}\r\n"),
        format!("BitLocker ドライブ暗号化の回復キー\r\n識別子: {ID}\r\n回復キー:{GOOD}"),
    ] {
        let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        for bytes in [text.as_bytes(), &utf16] {
            let sheet = Sheet::read(bytes).unwrap();
            assert_eq!((sheet.id.as_str(), sheet.password.expose()), (ID, GOOD));
        }
    }
}

#[test]
fn two_different_keys_in_one_file_are_none() {
    let other = GOOD.replace("000011", "000022");
    let text = format!("{ID} {GOOD} {other}");
    assert_eq!(Sheet::read(text.as_bytes()), Err(Error::BadRecoveryPassword));
    assert_eq!(Sheet::read(GOOD.as_bytes()), Err(Error::BadRecoveryPassword), "without an ID it is nobody's");
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Sheet::read(&bytes);
        let mut marked = vec![0xff, 0xfe];
        marked.extend(bytes);
        let _ = Sheet::read(&marked);
    }
}
