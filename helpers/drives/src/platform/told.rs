//! What a system's own service says about a volume, as facts for the rules.

use crate::judge::{Conversion, Facts, Format, Way};

#[cfg(any(windows, test))]
/// What Windows says about a volume (`Win32_EncryptableVolume`), as its numbers. `None`: not said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BitLockerNumbers {
    /// 0 decrypted, 1 encrypted, 2 and 4 encrypting, 3 and 5 decrypting.
    pub conversion: Option<u32>,
    /// 0 none, 1 to 4 AES-CBC, 5 by the drive, 6 and 7 AES-XTS.
    pub method: Option<u32>,
    /// 0 off, 1 on, 2 unknown, because it is locked.
    pub protection: Option<u32>,
}

#[cfg(any(windows, test))]
/// The facts. Numbers that contradict each other, or that are not known, leave it open.
pub fn bitlocker(numbers: BitLockerNumbers) -> Facts {
    let facts = Facts { format: Format::BitLocker, content: "BitLocker".to_owned(), ..Facts::default() };
    let cipher = match numbers.method {
        Some(1) => Some("AES-CBC 128 + diffuser"),
        Some(2) => Some("AES-CBC 256 + diffuser"),
        Some(3) => Some("AES-CBC 128"),
        Some(4) => Some("AES-CBC 256"),
        // Whether the drive's own encryption is sound is a question of its own.
        Some(5) => Some("hardware"),
        Some(6) => Some("AES-XTS 128"),
        Some(7) => Some("AES-XTS 256"),
        _ => None,
    };
    let way = |way| Some(Conversion { way, percent: None, ours: false });
    match (numbers.conversion, numbers.protection) {
        (Some(2 | 4), _) => Facts { conversion: way(Way::Encrypt), ..facts },
        (Some(3 | 5), _) => Facts { conversion: way(Way::Decrypt), ..facts },
        (Some(0), Some(0)) => Facts { whole: Some(false), ..facts },
        (Some(1), Some(0)) => Facts { clear_key: Some(true), cipher: cipher.map(str::to_owned), ..facts },
        (Some(1), Some(1)) if cipher.is_some() => {
            Facts { whole: Some(true), clear_key: Some(false), cipher: cipher.map(str::to_owned), ..facts }
        }
        _ => facts,
    }
}

#[cfg(any(target_os = "macos", test))]
/// What macOS says about a volume of APFS. `None`: not said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ApfsFlags {
    /// Whether FileVault guards it: a person's secret is needed.
    pub file_vault: Option<bool>,
    /// Whether it is on its way.
    pub converting: bool,
}

#[cfg(any(target_os = "macos", test))]
/// The facts. Encryption without FileVault needs nobody's secret.
pub fn apfs(flags: ApfsFlags) -> Facts {
    let facts = Facts { format: Format::OtherEncryption, content: "apfs".to_owned(), ..Facts::default() };
    if flags.converting {
        let conversion = Some(Conversion { way: Way::Encrypt, percent: None, ours: false });
        return Facts { conversion, ..facts };
    }
    let cipher = (flags.file_vault == Some(true)).then(|| "AES-XTS".to_owned());
    Facts { whole: flags.file_vault, cipher, ..facts }
}

#[cfg(test)]
mod tests {
    use model::Verdict;

    use super::*;
    use crate::judge;

    #[test]
    fn numbers_of_windows() {
        let verdict = |conversion, method, protection| {
            judge::volume(&bitlocker(BitLockerNumbers { conversion, method, protection })).verdict
        };
        assert_eq!(verdict(Some(1), Some(6), Some(1)), Verdict::Protected);
        assert_eq!(verdict(Some(1), Some(6), Some(0)), Verdict::Suspended);
        assert_eq!(verdict(Some(0), Some(0), Some(0)), Verdict::NotProtected);
        for half in 2..=5 {
            assert_eq!(verdict(Some(half), Some(6), Some(0)), Verdict::Converting);
        }
        assert_eq!(verdict(Some(1), Some(6), Some(2)), Verdict::Locked, "closed");
        assert_eq!(verdict(None, None, None), Verdict::Locked);
        assert_eq!(verdict(Some(0), Some(0), Some(1)), Verdict::Locked, "a contradiction is not green");
        assert_eq!(verdict(Some(1), Some(99), Some(1)), Verdict::Locked);
    }

    #[test]
    fn flags_of_macos() {
        let verdict = |file_vault, converting| judge::volume(&apfs(ApfsFlags { file_vault, converting })).verdict;
        assert_eq!(verdict(Some(true), false), Verdict::Protected);
        assert_eq!(verdict(Some(false), false), Verdict::NotProtected);
        assert_eq!(verdict(Some(true), true), Verdict::Converting);
        assert_eq!(verdict(None, false), Verdict::Locked);
    }
}
