use model::{Judged, Reason, Verdict};
use serde::{Deserialize, Serialize};

use crate::{Code, VolumeKind};

/// What a volume says of itself, as its numbers. `None`: that call was refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// What it is for.
    pub kind: Option<VolumeKind>,
    /// `ConversionStatus`
    pub conversion: Option<u32>,
    /// `EncryptionPercentage` with four decimals: 1 000 000 is all of it.
    pub share: Option<u32>,
    /// `EncryptionFlags`; bit 0: used space only.
    pub flags: Option<u32>,
    /// `ProtectionStatus`
    pub protection: Option<u32>,
    /// `EncryptionMethod`
    pub method: Option<u32>,
    /// `LockStatus`. Wrong for drives that encrypt by themselves, and for the running system.
    pub lock: Option<u32>,
    /// Who can open it.
    pub protectors: Option<Vec<Protector>>,
    /// `TestStatus`
    pub test: Option<u32>,
    /// `TestError`
    pub test_error: Option<Code>,
    /// `SuspendCount`
    pub restarts: Option<u32>,
}

/// Somebody or something that can open a volume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protector {
    /// `{GUID}`, or the word `BitLocker`.
    pub id: String,
    /// What it is.
    pub kind: ProtectorKind,
}

/// `KeyProtectorType`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProtectorKind {
    /// The TPM, which asks nobody.
    Tpm,
    /// A key in a file.
    ExternalKey,
    /// The 48 digits.
    RecoveryPassword,
    /// The TPM, which asks for a PIN.
    TpmPin,
    /// The TPM and a key in a file.
    TpmKey,
    /// The TPM, a PIN and a key in a file.
    TpmPinKey,
    /// A password.
    Password,
    /// A certificate, an account, or something newer.
    Other,
}

impl ProtectorKind {
    /// By its number.
    pub const fn from_number(number: u32) -> Self {
        match number {
            1 => Self::Tpm,
            2 => Self::ExternalKey,
            3 => Self::RecoveryPassword,
            4 => Self::TpmPin,
            5 => Self::TpmKey,
            6 => Self::TpmPinKey,
            8 => Self::Password,
            _ => Self::Other,
        }
    }

    /// Whether a plain TPM protector beside it would make it worthless.
    pub const fn asks_beside_tpm(self) -> bool {
        matches!(self, Self::TpmPin | Self::TpmKey | Self::TpmPinKey)
    }

    /// Whether Windows can start by it.
    pub const fn starts(self) -> bool {
        !matches!(self, Self::RecoveryPassword | Self::Other)
    }
}

/// With what a volume is encrypted (`GetEncryptionMethod`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cipher {
    /// By Windows.
    Software,
    /// By the drive.
    Hardware,
}

/// How a volume stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// A call was refused, or the numbers contradict each other.
    Unknown,
    /// It is closed.
    Locked,
    /// Nothing is encrypted, and nobody prepared anything.
    Off,
    /// Nothing is encrypted; protectors are there.
    Prepared,
    /// Encryption begins if the next start goes well.
    TestPending,
    /// The test start failed.
    TestFailed(Code),
    /// On its way.
    Converting {
        /// From plain to encrypted.
        encrypting: bool,
        /// It stands still until somebody resumes it.
        paused: bool,
        /// Of a million. It may say all and not be done: the state is what counts.
        share: Option<u32>,
    },
    /// Encrypted, and the key lies beside it although protectors are there.
    Suspended {
        /// Protection comes back after so many starts. `None`: not by itself, or not known.
        restarts: Option<u32>,
        /// There is a recovery password and something that opens the volume every day: it only has to be closed.
        complete: bool,
    },
    /// Encrypted, and the key lies beside it because nobody got one yet: "waiting for activation".
    ClearKey,
    /// Without a protector nobody reads this.
    Protected {
        /// By whom.
        cipher: Cipher,
        /// There is a PIN, and beside it a TPM protector that starts without asking for it.
        pin_worthless: bool,
        /// There is a recovery password.
        recovery: bool,
    },
}

/// What a person can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Encrypt it.
    Begin,
    /// Restart the computer.
    Restart,
    /// Wait; Windows works.
    Wait,
    /// Let Windows go on.
    ResumeConversion,
    /// Switch protection on again.
    ResumeProtection,
    /// Give it a key and finish it. Not from the start: it is encrypted.
    Activate,
    /// Take away the TPM protector that starts without the PIN.
    DropTpm,
    /// Make and save a recovery password.
    SaveKey,
    /// Open it first.
    Unlock,
    /// Look at it with more rights.
    Ask,
    /// Nothing.
    Nothing,
}

impl State {
    /// From the numbers. Status wins over percentages, and nothing counts that is not said.
    pub fn of(numbers: &Numbers) -> Self {
        let Numbers { conversion, protection, share, .. } = numbers;
        let has = numbers.protectors.as_ref().map(|list| !list.is_empty());
        // The running system cannot be closed, whatever is reported.
        let closed = *protection == Some(2) || (numbers.lock == Some(1) && conversion.is_none());
        if closed && numbers.kind != Some(VolumeKind::System) {
            return Self::Locked;
        }
        match (*conversion, *protection) {
            (Some(0), Some(0)) => match (numbers.test, has) {
                (Some(2), _) => Self::TestPending,
                (Some(1), _) => Self::TestFailed(numbers.test_error.unwrap_or(Code::OK)),
                (_, Some(true)) => Self::Prepared,
                (_, Some(false)) => Self::Off,
                (_, None) => Self::Unknown,
            },
            (Some(way @ 2..=5), _) => {
                Self::Converting { encrypting: way == 2 || way == 4, paused: way >= 4, share: *share }
            }
            (Some(1), Some(0)) => match has {
                Some(true) => {
                    let all = numbers.protectors.as_deref().unwrap_or_default();
                    let recovery = all.iter().any(|one| one.kind == ProtectorKind::RecoveryPassword);
                    let complete = recovery && all.iter().any(|one| one.kind.starts());
                    Self::Suspended { restarts: numbers.restarts.filter(|count| *count > 0), complete }
                }
                Some(false) => Self::ClearKey,
                None => Self::Unknown,
            },
            (Some(1), Some(1)) => Self::protected(numbers).unwrap_or(Self::Unknown),
            _ => Self::Unknown,
        }
    }

    fn protected(numbers: &Numbers) -> Option<Self> {
        let cipher = match numbers.method? {
            1..=4 | 6 | 7 => Cipher::Software,
            5 => Cipher::Hardware,
            _ => return None,
        };
        let protectors = numbers.protectors.as_ref()?;
        let has = |kind| protectors.iter().any(|one| one.kind == kind);
        let asks = protectors.iter().any(|one| one.kind.asks_beside_tpm());
        if protectors.is_empty() {
            return None;
        }
        Some(Self::Protected {
            cipher,
            pin_worthless: asks && has(ProtectorKind::Tpm),
            recovery: has(ProtectorKind::RecoveryPassword),
        })
    }

    /// What to do.
    pub const fn step(&self) -> Step {
        match self {
            Self::Unknown => Step::Ask,
            Self::Locked => Step::Unlock,
            Self::Off | Self::Prepared | Self::TestFailed(_) => Step::Begin,
            Self::TestPending => Step::Restart,
            Self::Converting { paused: true, .. } => Step::ResumeConversion,
            Self::Converting { .. } => Step::Wait,
            Self::Suspended { .. } => Step::ResumeProtection,
            Self::ClearKey => Step::Activate,
            Self::Protected { pin_worthless: true, .. } => Step::DropTpm,
            Self::Protected { recovery: false, .. } => Step::SaveKey,
            Self::Protected { .. } => Step::Nothing,
        }
    }

    /// The verdict, in the words of the catalogue.
    pub fn judged(&self) -> Judged {
        let (verdict, reason, next) = match self {
            Self::Unknown => (Verdict::Unknown, reason("bitlocker-unknown"), next("bitlocker-ask")),
            Self::Locked => (Verdict::Locked, reason("bitlocker-closed"), next("bitlocker-unlock")),
            Self::Off => (Verdict::NotProtected, reason("bitlocker-off"), next("bitlocker-begin")),
            Self::Prepared => (Verdict::NotProtected, reason("bitlocker-prepared"), next("bitlocker-begin")),
            Self::TestPending => (Verdict::NotProtected, reason("bitlocker-test-pending"), next("bitlocker-restart")),
            Self::TestFailed(code) => {
                (Verdict::NotProtected, reason("bitlocker-test-failed").with("code", code), next("bitlocker-begin"))
            }
            Self::Converting { paused: true, .. } => {
                (Verdict::Converting, reason("bitlocker-paused"), next("bitlocker-resume"))
            }
            Self::Converting { encrypting, share: Some(share), .. } => {
                let percent = share / 10_000;
                let reason = match encrypting {
                    true => reason("bitlocker-encrypting").with("percent", percent),
                    // Of which anybody can read so much already.
                    false => reason("bitlocker-decrypting").with("percent", 100_u32.saturating_sub(percent)),
                };
                (Verdict::Converting, reason, next("bitlocker-wait"))
            }
            Self::Converting { .. } => (Verdict::Converting, reason("bitlocker-converting"), next("bitlocker-wait")),
            Self::Suspended { .. } => {
                (Verdict::Suspended, reason("bitlocker-suspended"), next("bitlocker-resume-protection"))
            }
            Self::ClearKey => (Verdict::Suspended, reason("bitlocker-not-activated"), next("bitlocker-activate")),
            Self::Protected { pin_worthless: true, .. } => {
                (Verdict::Protected, reason("bitlocker-pin-worthless"), next("bitlocker-drop-tpm"))
            }
            Self::Protected { recovery: false, .. } => {
                (Verdict::Protected, reason("bitlocker-no-recovery"), next("bitlocker-save-key"))
            }
            Self::Protected { cipher: Cipher::Hardware, .. } => {
                (Verdict::Protected, reason("bitlocker-hardware"), next("bitlocker-nothing"))
            }
            Self::Protected { .. } => (Verdict::Protected, reason("bitlocker-on"), next("bitlocker-nothing")),
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
