use model::{Describe, Fault, FaultKind};

/// Result of an operation on FileVault.
pub type Result<T> = std::result::Result<T, Error>;

/// Why it was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A tool of macOS could not be started.
    #[error("filevault-no-tool")]
    NoTool(String),
    /// A tool did not end in time. What it printed until then is kept by whoever waited.
    #[error("filevault-no-answer")]
    NoAnswer(String),
    /// A tool answered in another form than the known ones.
    #[error("filevault-strange-answer")]
    Strange(String),
    /// `fdesetup` or `diskutil` ended with this code.
    #[error("filevault-refused")]
    Refused {
        /// The exit code, as the manual page has it.
        code: i32,
    },
    /// The name or the password of the account is wrong.
    #[error("filevault-wrong-password")]
    WrongPassword,
    /// Only the administrator may.
    #[error("filevault-no-rights")]
    NoRights,
    /// The account has no secure token, so that it cannot open the volume.
    #[error("filevault-no-secure-token")]
    NoSecureToken {
        /// The account.
        user: String,
    },
    /// macOS is busy, or FileVault is on already.
    #[error("filevault-not-now")]
    NotNow,
    /// It is on, and macOS made no new personal key because one was there.
    #[error("filevault-no-new-key")]
    NoNewKey,
    /// What was printed as a key is none.
    #[error("filevault-bad-key")]
    BadKey,
    /// macOS does not take the key that it printed.
    #[error("filevault-key-not-proven")]
    KeyNotProven,
    /// The old key is void, and the new one is known to nobody.
    #[error("filevault-key-lost")]
    KeyLost,
    /// Somebody who manages this Mac decides about FileVault.
    #[error("filevault-managed")]
    Managed,
    /// This Mac or this volume cannot.
    #[error("filevault-unsupported")]
    Unsupported,
    /// A name of a volume or an account that is none.
    #[error("filevault-bad-name")]
    BadName,
    /// The copy of the key could not be made: [`recovery::Error`].
    #[error("{0}")]
    Copy(#[from] recovery::Error),
}

impl Error {
    /// By the exit code of `fdesetup` (its manual page).
    pub const fn of_fdesetup(code: i32) -> Self {
        match code {
            2 | 24 | 28 | 32 => Self::NotNow,
            11 | 37 => Self::WrongPassword,
            31 => Self::Managed,
            16 | 33 | 34 | 36 => Self::Unsupported,
            code => Self::Refused { code },
        }
    }
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        let fault = |kind| Fault::new(&self.to_string(), kind);
        match self {
            Self::NoTool(cause) | Self::NoAnswer(cause) => fault(FaultKind::Failed).because(cause),
            Self::Strange(cause) => fault(FaultKind::NewerOrDamaged).because(cause),
            Self::Refused { code } => fault(FaultKind::Failed).with("code", code),
            Self::NoSecureToken { user } => fault(FaultKind::Refused).with("user", user),
            Self::WrongPassword => fault(FaultKind::WrongSecret),
            Self::Copy(error) => error.fault(),
            Self::BadName => fault(FaultKind::Usage),
            Self::NoRights | Self::NotNow | Self::Managed | Self::Unsupported => fault(FaultKind::Refused),
            Self::NoNewKey | Self::BadKey | Self::KeyNotProven | Self::KeyLost => fault(FaultKind::Failed),
        }
    }
}
