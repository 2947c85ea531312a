use std::path::PathBuf;

use model::{Describe, Fault, FaultKind};

use crate::Code;

/// Result of an operation on BitLocker.
pub type Result<T> = std::result::Result<T, Error>;

/// Why it was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Only administrators may ask.
    #[error("bitlocker-no-rights")]
    NoRights,
    /// This Windows has no BitLocker, or no such volume.
    #[error("bitlocker-not-there")]
    NotThere,
    /// The way to Windows' management failed.
    #[error("bitlocker-wmi")]
    Wmi(String),
    /// A method did not do it.
    #[error("bitlocker-refused")]
    Refused {
        /// Which.
        method: &'static str,
        /// Its return value.
        code: Code,
    },
    /// A method's answer lacks what is documented.
    #[error("bitlocker-strange-answer")]
    Strange {
        /// Which.
        method: &'static str,
    },
    /// Conditions that are not met.
    #[error("bitlocker-not-possible")]
    NotPossible {
        /// The first of them.
        condition: String,
    },
    /// The volume is not in the state for this step.
    #[error("bitlocker-not-now")]
    NotNow,
    /// Encryption does not begin: an earlier try or its test left protectors behind.
    #[error("bitlocker-left-over")]
    LeftOver,
    /// The test start failed; Windows took all protectors away.
    #[error("bitlocker-test-failed")]
    TestFailed {
        /// `TestError`; 0 where Windows has forgotten it.
        code: Code,
    },
    /// A recovery password that is none.
    #[error("bitlocker-bad-recovery-password")]
    BadRecoveryPassword,
    /// The drive gave another recovery password than the one that is on the medium.
    #[error("bitlocker-other-recovery-password")]
    OtherRecoveryPassword,
    /// The sheet's recovery password is for a protector that the drive has no more.
    #[error("bitlocker-stale-key")]
    StaleKey {
        /// The ID on the sheet.
        id: String,
    },
    /// A plain TPM protector would make the PIN worthless.
    #[error("bitlocker-tpm-beside-pin")]
    TpmBesidePin,
    /// The start-up key is not where it was to be.
    #[error("bitlocker-no-startup-key")]
    NoStartupKey {
        /// Where.
        folder: PathBuf,
    },
    /// It was to be by the drive, and is not.
    #[error("bitlocker-not-hardware")]
    NotHardware,
    /// Encrypted, and still whoever has the drive reads it.
    #[error("bitlocker-still-open")]
    StillOpen,
    /// The copy of the key: [`recovery::Error`].
    #[error("{0}")]
    Copy(#[from] recovery::Error),
    /// What came over the pipe is no order, or one that is not allowed.
    #[error("bitlocker-bad-order")]
    BadOrder,
    /// The elevated helper could not be started, or is not who it should be.
    #[error("bitlocker-no-helper")]
    NoHelper(String),
    /// The person said no to Windows' question for rights.
    #[error("bitlocker-rights-refused")]
    RightsRefused,
    /// The process with the rights says why it did not do it.
    #[error("{}", .0.code)]
    Told(Fault),
    /// What has to be known after a restart could not be written down.
    #[error("bitlocker-notes")]
    Notes(String),
    /// The file of a practice computer.
    #[error("bitlocker-practice-file")]
    PracticeFile(String),
    /// Stopped by the person.
    #[error("bitlocker-stopped")]
    Stopped,
}

impl Error {
    /// Whether the test start failed, whoever says so.
    pub(crate) fn is_failed_test(&self) -> bool {
        self.fault().code == "bitlocker-test-failed"
    }
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        let fault = |kind| Fault::new(&self.to_string(), kind);
        match self {
            Self::Refused { method, code } => {
                let kind = match code.sentence() {
                    "bitlocker-failed" => FaultKind::Failed,
                    _ => FaultKind::Refused,
                };
                Fault::new(code.sentence(), kind).with("code", code).because(format!("{method}: {code}"))
            }
            Self::Copy(error) => error.fault(),
            Self::Told(fault) => fault.clone(),
            Self::PracticeFile(cause) => fault(FaultKind::NewerOrDamaged).because(cause),
            Self::Wmi(cause) | Self::NoHelper(cause) | Self::Notes(cause) => fault(FaultKind::Failed).because(cause),
            Self::Strange { method } => fault(FaultKind::NewerOrDamaged).because(method),
            Self::NotPossible { condition } => fault(FaultKind::Refused).because(condition),
            Self::TestFailed { code } => fault(FaultKind::Failed).with("code", code),
            Self::StaleKey { id } => fault(FaultKind::WrongSecret).with("keyid", id),
            Self::NoStartupKey { folder } => fault(FaultKind::Failed).with("folder", folder.display()),
            Self::BadRecoveryPassword => fault(FaultKind::WrongSecret),
            Self::NoRights
            | Self::NotThere
            | Self::NotNow
            | Self::LeftOver
            | Self::TpmBesidePin
            | Self::RightsRefused => fault(FaultKind::Refused),
            Self::BadOrder => fault(FaultKind::Usage),
            Self::Stopped => fault(FaultKind::Stopped),
            Self::OtherRecoveryPassword | Self::NotHardware | Self::StillOpen => fault(FaultKind::Failed),
        }
    }
}
