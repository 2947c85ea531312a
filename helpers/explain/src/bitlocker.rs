//! What Windows says about a volume, whichever of its tools was asked, and the facts for the rules.

use drives::judge::{self, Conversion as Converting, Facts, Format, Report, Way};
use model::{Args, Judged};

use crate::Item;
pub use crate::manage_bde::words::Conversion;

/// With what a volume is encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// With nothing.
    None,
    /// By Windows, with this cipher.
    Software(String),
    /// By the drive (eDrive), with the cipher of this number.
    Hardware(String),
}

/// What Windows says about one volume. `None` is everywhere "not said" or "said to be unknown".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Volume {
    /// Drive letter with its colon, or the volume's path where it has none.
    pub subject: String,
    /// Whether it is the system's volume.
    pub os: Option<bool>,
    /// Label.
    pub label: String,
    /// Size, as printed.
    pub size: String,
    /// How far the conversion is.
    pub conversion: Option<Conversion>,
    /// How much is encrypted, in tenths of a percent.
    pub tenths: Option<u32>,
    /// With what.
    pub method: Option<Method>,
    /// Whether a key is needed.
    pub protection: Option<bool>,
    /// Whether it is closed now.
    pub locked: Option<bool>,
    /// Whether its files are visible, which a closed volume's are not.
    pub files_seen: bool,
    /// Who can open it.
    pub protectors: Option<Vec<&'static str>>,
    /// Whether this is a list of protectors and says nothing else.
    pub only_protectors: bool,
    /// Whether encryption begins after a restart.
    pub test_pending: bool,
    /// Why nothing that it says counts.
    pub doubt: Option<Report>,
    /// An error's number, where one was printed.
    pub code: Option<u32>,
}

impl Volume {
    /// The item that follows.
    pub fn item(&self) -> Item {
        let mut item =
            Item::new(self.subject.clone(), self.judged()).with("label", &self.label).with("size", &self.size);
        if let Some(os) = self.os {
            item = item.with("volume", if os { "os" } else { "data" });
        }
        if let Some(tenths) = self.tenths {
            item = item.with("percent", percent(tenths));
        }
        item = match &self.method {
            None => item,
            Some(Method::None) => item.with("method", "none"),
            Some(Method::Software(cipher)) => item.with("method", "software").with("cipher", cipher),
            Some(Method::Hardware(cipher)) => item.with("method", "hardware").with("cipher", cipher),
        };
        if let Some(on) = self.protection {
            item = item.with("protection", if on { "on" } else { "off" });
        }
        if self.conversion == Some(Conversion::UsedSpace) {
            item = item.with("used_space_only", "yes");
        }
        if let Some(locked) = self.locked {
            item = item.with("locked", yes(locked && !self.locked_cannot_be()));
        }
        if let Some(protectors) = &self.protectors {
            let list = if protectors.is_empty() { "none".to_owned() } else { protectors.join(",") };
            item = item
                .with("protectors", list)
                .with("recovery_password", yes(protectors.contains(&"numerical_password")));
            // A plain TPM protector opens the volume without asking, whatever else is there.
            let asks = protectors.iter().any(|one| one.starts_with("tpm_"));
            if asks {
                item = item.with("pin_effective", yes(!protectors.contains(&"tpm")));
            }
            // OneDrive's vault is such a volume: closed, unnamed, one key that lies in the account.
            if self.locked == Some(true) && self.os == Some(false) && protectors.as_slice() == ["external_key"] {
                item = item.with("helper_volume", "likely");
            }
        }
        if let Some(code) = self.code {
            item = item.with("code", format!("0x{code:08X}"));
        }
        item
    }

    fn judged(&self) -> Judged {
        if let Some(doubt) = self.doubt {
            return judge::report(doubt, Args::new());
        }
        if self.contradicts_itself() {
            return judge::report(Report::Contradiction, Args::new());
        }
        if self.test_pending {
            return judge::report(Report::TestPending, Args::new());
        }
        if self.only_protectors {
            return judge::report(Report::OnlyProtectors, Args::new());
        }
        let facts = Facts { format: Format::BitLocker, content: "bitlocker".to_owned(), ..Facts::default() };
        match self.conversion {
            Some(Conversion::Encrypting(_)) => judge::volume(&Facts { conversion: self.way(Way::Encrypt), ..facts }),
            Some(Conversion::Decrypting(_)) => judge::volume(&Facts { conversion: self.way(Way::Decrypt), ..facts }),
            Some(Conversion::Decrypted) => judge::report(Report::BitLockerOff, Args::new()),
            Some(Conversion::Encrypted | Conversion::UsedSpace) => self.encrypted(facts),
            None if self.locked == Some(true) && !self.locked_cannot_be() => judge::volume(&facts),
            None => judge::report(Report::TooLittle, Args::new()),
        }
    }

    fn encrypted(&self, facts: Facts) -> Judged {
        let cipher = match &self.method {
            Some(Method::Software(cipher)) => cipher.clone(),
            Some(Method::Hardware(_)) => "hardware".to_owned(),
            _ => return judge::report(Report::TooLittle, Args::new()),
        };
        let facts = Facts { cipher: Some(cipher), ..facts };
        if self.locked == Some(true) && !self.locked_cannot_be() {
            return judge::volume(&facts);
        }
        match self.protection {
            Some(true) if self.tenths.is_none() => judge::report(Report::TooLittle, Args::new()),
            Some(true) => {
                let protectors = self.protectors.as_deref().unwrap_or_default().join(", ");
                judge::volume(&Facts { whole: Some(true), protectors, ..facts })
            }
            Some(false) => judge::volume(&Facts { clear_key: Some(true), ..facts }),
            None => judge::report(Report::TooLittle, Args::new()),
        }
    }

    fn way(&self, way: Way) -> Option<Converting> {
        let percent = self.tenths.and_then(|tenths| u8::try_from(tenths / 10).ok());
        Some(Converting { way, percent, ours: false })
    }

    /// Some tools report the running system's volume as locked. What shows its files is open.
    fn locked_cannot_be(&self) -> bool {
        self.files_seen
    }

    /// Whether two of the statements cannot both be true.
    fn contradicts_itself(&self) -> bool {
        let plain = self.conversion == Some(Conversion::Decrypted);
        let whole = matches!(self.conversion, Some(Conversion::Encrypted | Conversion::UsedSpace));
        let some = self.tenths.is_some_and(|tenths| tenths > 0);
        let all = self.tenths.is_some_and(|tenths| tenths == 1000);
        let on = self.protection == Some(true);
        (plain && (some || on))
            || (whole && self.tenths.is_some() && !all)
            || (whole && self.method == Some(Method::None))
            || (on && self.protectors.as_ref().is_some_and(Vec::is_empty))
            || (on && self.tenths == Some(0))
            || self.tenths.is_some_and(|tenths| tenths > 1000)
    }
}

/// `3.5`, `100`.
fn percent(tenths: u32) -> String {
    match tenths % 10 {
        0 => format!("{}", tenths / 10),
        rest => format!("{}.{rest}", tenths / 10),
    }
}

/// "yes" or "no", as all facts are written.
pub fn yes(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// `100.0%`, `3,5 %`, `27.1` in tenths. Digits behind the first decimal are dropped; 99.99 is not 100.
pub fn tenths(text: &str) -> Option<u32> {
    let text = text.trim().trim_end_matches(['%', '％']).trim().trim_start_matches('%').trim();
    let (whole, rest) = text.split_once(['.', ',', '٫']).unwrap_or((text, ""));
    let digits = |part: &str| part.len() <= 4 && part.chars().all(|sign| sign.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !rest.chars().all(|sign| sign.is_ascii_digit()) || rest.len() > 12 {
        return None;
    }
    let first = rest.chars().next().and_then(|sign| sign.to_digit(10)).unwrap_or(0);
    Some(whole.parse::<u32>().ok()? * 10 + first)
}

/// The method by the name that Windows prints for it.
pub fn method(name: &str) -> Option<Method> {
    let upper: String = name.to_uppercase().chars().filter(char::is_ascii_alphanumeric).collect();
    // Its own object identifiers are those of a drive's cipher, in every language.
    let number =
        name.split([' ', '-', '–']).rfind(|part| part.starts_with("1.3.111.") || part.starts_with("2.16.840."));
    if let Some(number) = number {
        return Some(Method::Hardware(number.to_owned()));
    }
    if upper.starts_with("HARDWARE") {
        return Some(Method::Hardware(String::new()));
    }
    if matches!(upper.as_str(), "NONE" | "0") {
        return Some(Method::None);
    }
    let bits = if upper.contains("256") { "256" } else { "128" };
    if !upper.contains("AES") || !upper.contains(bits) {
        return None;
    }
    let diffuser = if upper.contains("DIFF") { "-diffuser" } else { "" };
    let mode = if upper.contains("XTS") { "xts-aes" } else { "aes" };
    Some(Method::Software(format!("{mode}-{bits}{diffuser}")))
}

/// The method by its number in WMI.
pub fn method_number(number: u32) -> Option<Method> {
    let cipher = match number {
        0 => return Some(Method::None),
        1 => "aes-128-diffuser",
        2 => "aes-256-diffuser",
        3 => "aes-128",
        4 => "aes-256",
        5 => return Some(Method::Hardware(String::new())),
        6 => "xts-aes-128",
        7 => "xts-aes-256",
        _ => return None,
    };
    Some(Method::Software(cipher.to_owned()))
}

/// The conversion by its number in WMI.
pub fn conversion_number(number: u32) -> Option<Conversion> {
    Some(match number {
        0 => Conversion::Decrypted,
        1 => Conversion::Encrypted,
        2 => Conversion::Encrypting(false),
        3 => Conversion::Decrypting(false),
        4 => Conversion::Encrypting(true),
        5 => Conversion::Decrypting(true),
        _ => return None,
    })
}

/// The conversion by the name that PowerShell and management tools have for it.
pub fn conversion_name(name: &str) -> Option<Conversion> {
    let name: String = name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    if let Ok(number) = name.parse() {
        return conversion_number(number);
    }
    Some(match name.as_str() {
        "fullydecrypted" => Conversion::Decrypted,
        "fullyencrypted"
        | "fullyencryptedwipeinprogress"
        | "fullyencryptedwipesuspended"
        | "fullyencryptedwipepaused" => Conversion::Encrypted,
        "usedspaceonlyencrypted" => Conversion::UsedSpace,
        "encryptioninprogress" => Conversion::Encrypting(false),
        "encryptionpaused" | "encryptionsuspended" => Conversion::Encrypting(true),
        "decryptioninprogress" => Conversion::Decrypting(false),
        "decryptionpaused" | "decryptionsuspended" => Conversion::Decrypting(true),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use model::Verdict;

    use super::*;

    #[test]
    fn numbers() {
        for (text, expected) in [
            ("100.0%", Some(1000)),
            ("3,5 %", Some(35)),
            ("27.1\u{a0}%", Some(271)),
            ("%0", Some(0)),
            ("99.99%", Some(999)),
            ("Unknown%", None),
            ("", None),
            ("1e3%", None),
            ("99999999999999999999%", None),
        ] {
            assert_eq!(tenths(text), expected, "{text}");
        }
    }

    #[test]
    fn methods() {
        assert_eq!(method("XTS-AES 128"), Some(Method::Software("xts-aes-128".into())));
        assert_eq!(method("XtsAes256"), Some(Method::Software("xts-aes-256".into())));
        assert_eq!(method("AES 128 with Diffuser"), Some(Method::Software("aes-128-diffuser".into())));
        assert_eq!(method("AES 512"), None);
        assert_eq!(
            method("Hardware Encryption - 1.3.111.2.1619.0.1.2"),
            Some(Method::Hardware("1.3.111.2.1619.0.1.2".into()))
        );
        assert_eq!(method("Kein"), None);
        assert_eq!(method("None"), Some(Method::None));
    }

    /// Every combination of what Windows can say: green is the result of exactly one.
    #[test]
    fn conversion_protection_protectors_lock() {
        for number in 0..=6 {
            for protection in [None, Some(false), Some(true)] {
                for protectors in [None, Some(vec![]), Some(vec!["tpm"])] {
                    for locked in [None, Some(false), Some(true)] {
                        let conversion = conversion_number(number);
                        let volume = Volume {
                            conversion,
                            tenths: Some(if number == 0 { 0 } else { 1000 }),
                            method: Some(if number == 0 {
                                Method::None
                            } else {
                                Method::Software("xts-aes-128".into())
                            }),
                            protection,
                            protectors: protectors.clone(),
                            locked,
                            ..Volume::default()
                        };
                        let verdict = volume.judged().verdict;
                        let none = protectors.as_ref().is_some_and(Vec::is_empty);
                        let green = number == 1 && protection == Some(true) && !none && locked != Some(true);
                        assert_eq!(verdict == Verdict::Protected, green, "{volume:?}");
                        if number == 1 && protection == Some(false) && locked != Some(true) {
                            assert_eq!(verdict, Verdict::Suspended, "{volume:?}");
                        }
                        if (2..=5).contains(&number) && !(none && protection == Some(true)) {
                            assert_eq!(verdict, Verdict::Converting, "{volume:?}");
                        }
                    }
                }
            }
        }
    }
}
