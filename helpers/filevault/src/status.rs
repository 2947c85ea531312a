use std::io::Cursor;

use model::{Judged, Reason, Verdict};
use plist::{Dictionary, Value};

use crate::{DISKUTIL, FDESETUP, Result, SYSCTL, Tools};

/// How FileVault stands on the volume group that macOS runs from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It cannot be told, or two tools contradict each other.
    Unknown,
    /// Off. On Apple silicon and with a T2 the data are encrypted all the same, and nobody needs a secret.
    Off,
    /// Off; it begins with the next start.
    AfterRestart,
    /// Off; the person is asked at their next login. On a Mac that nobody logs in to, that is never.
    Deferred {
        /// Who.
        user: String,
    },
    /// On its way.
    Converting {
        /// From plain to encrypted.
        encrypting: bool,
        /// Where it is said.
        percent: Option<u8>,
        /// It waits for the mains.
        waits: bool,
    },
    /// On.
    On,
}

/// What encrypts below FileVault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chip {
    /// Apple silicon, or an Intel Mac with a T2: always encrypted, FileVault adds the person's secret and is
    /// on at once.
    Hardware,
    /// An older Intel Mac: FileVault encrypts, which takes hours.
    Intel,
    /// Not to be seen.
    Unknown,
}

/// The Mac.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// FileVault.
    pub state: State,
    /// What is below.
    pub chip: Chip,
    /// Whether there is a personal recovery key. `None`: not to be seen.
    pub personal_key: Option<bool>,
}

/// Asks `fdesetup` and `diskutil`. None of it needs rights.
///
/// # Errors
/// [`Error::NoTool`](crate::Error::NoTool) without `fdesetup`.
pub fn status(tools: &mut dyn Tools) -> Result<Status> {
    let told = tools.run(FDESETUP, &["status"], None)?;
    let state = read(&told.text());
    // The volume group of "/", by diskutil; on other file systems it says nothing of FileVault.
    let info = tools.run(DISKUTIL, &["info", "-plist", "/"], None).ok().and_then(|told| dictionary(&told.out));
    let flag = info.as_ref().and_then(|info| info.get("FileVault")).and_then(Value::as_boolean);
    let state = match (&state, flag) {
        (State::On, Some(false)) | (State::Off, Some(true)) => State::Unknown,
        _ => state,
    };
    Ok(Status { state, chip: chip(tools), personal_key: personal_key(tools) })
}

fn chip(tools: &mut dyn Tools) -> Chip {
    let mut says = |name: &str| {
        tools.run(SYSCTL, &["-n", name], None).ok().filter(|told| told.code == Some(0)).map(|told| told.text())
    };
    match (
        says("hw.optional.arm64").as_deref().map(|text| text.trim()),
        says("hw.model").as_deref().map(|text| text.trim()),
    ) {
        (Some("1"), _) => Chip::Hardware,
        (_, Some(model)) if T2.contains(&model) => Chip::Hardware,
        (_, Some(_)) => Chip::Intel,
        _ => Chip::Unknown,
    }
}

/// Intel Macs with a T2.
const T2: &[&str] = &[
    "iMac20,1",
    "iMac20,2",
    "iMacPro1,1",
    "MacPro7,1",
    "Macmini8,1",
    "MacBookAir8,1",
    "MacBookAir8,2",
    "MacBookAir9,1",
    "MacBookPro15,1",
    "MacBookPro15,2",
    "MacBookPro15,3",
    "MacBookPro15,4",
    "MacBookPro16,1",
    "MacBookPro16,2",
    "MacBookPro16,3",
    "MacBookPro16,4",
];

/// By the fixed identifier that every volume with such a key has; `fdesetup` would want rights.
fn personal_key(tools: &mut dyn Tools) -> Option<bool> {
    const PERSONAL: &str = "EBC6C064-0000-11AA-AA11-00306543ECAC";
    let told = tools.run(DISKUTIL, &["apfs", "listCryptoUsers", "-plist", "/"], None).ok()?;
    let users = dictionary(&told.out)?;
    let mut users = users.get("Users")?.as_array()?.iter().filter_map(Value::as_dictionary);
    Some(users.any(|user| user.get("APFSCryptoUserUUID").and_then(Value::as_string) == Some(PERSONAL)))
}

/// `fdesetup status`: all lines, English in every language of macOS.
pub(crate) fn read(text: &str) -> State {
    let mut state = State::Unknown;
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("FileVault is ") {
            state = match rest.trim_end_matches('.') {
                "On" => State::On,
                "Off" => State::Off,
                rest if rest.starts_with("Off, but will be enabled") => State::AfterRestart,
                rest if rest.starts_with("On, but") => {
                    State::Converting { encrypting: true, percent: None, waits: false }
                }
                rest if rest.starts_with("Off, but") => {
                    State::Converting { encrypting: false, percent: None, waits: false }
                }
                _ => State::Unknown,
            };
        } else if let Some(user) = line.strip_prefix("Deferred enablement appears to be active for user ") {
            let user = user.trim_end_matches('.').trim_matches(['\'', '"']).to_owned();
            // It may still be said when all is done.
            if state == State::Off {
                state = State::Deferred { user };
            }
        } else {
            for (words, encrypting) in [("Encryption in progress", true), ("Decryption in progress", false)] {
                if let Some(rest) = line.strip_prefix(words) {
                    let percent =
                        rest.rsplit('=').next().and_then(|text| text.trim().trim_end_matches(['%', '.']).parse().ok());
                    state = State::Converting { encrypting, percent, waits: rest.contains("Pending") };
                }
            }
        }
    }
    state
}

impl Status {
    /// The verdict, in the words of the catalogue.
    pub fn judged(&self) -> Judged {
        let (verdict, reason, next) = match (&self.state, self.chip) {
            (State::Unknown, _) => (Verdict::Unknown, reason("filevault-unknown"), next("filevault-ask")),
            (State::Off, Chip::Hardware) => {
                (Verdict::NotProtected, reason("filevault-at-rest"), next("filevault-begin"))
            }
            (State::Off, _) => (Verdict::NotProtected, reason("filevault-off"), next("filevault-begin")),
            (State::AfterRestart, _) => {
                (Verdict::NotProtected, reason("filevault-after-restart"), next("filevault-restart"))
            }
            (State::Deferred { user }, _) => {
                (Verdict::NotProtected, reason("filevault-deferred").with("user", user), next("filevault-login"))
            }
            (State::Converting { waits: true, .. }, _) => {
                (Verdict::Converting, reason("filevault-waits"), next("filevault-mains"))
            }
            (State::Converting { encrypting: true, .. }, _) => {
                (Verdict::Converting, reason("filevault-encrypting"), next("filevault-wait"))
            }
            (State::Converting { .. }, _) => {
                (Verdict::Converting, reason("filevault-decrypting"), next("filevault-wait"))
            }
            (State::On, _) if self.personal_key == Some(false) => {
                (Verdict::Protected, reason("filevault-on-without-key"), next("filevault-save-key"))
            }
            (State::On, _) => (Verdict::Protected, reason("filevault-is-on"), next("filevault-nothing")),
        };
        Judged { verdict, reason, gets: String::new(), next }
    }
}

fn reason(code: &str) -> Reason {
    Reason::new(code)
}

fn next(code: &str) -> String {
    code.to_owned()
}

pub(crate) fn dictionary(bytes: &[u8]) -> Option<Dictionary> {
    let from = bytes.windows(5).position(|five| five == b"<?xml")?;
    Value::from_reader(Cursor::new(&bytes[from..])).ok()?.into_dictionary()
}
