use std::io;
use std::path::{Path, PathBuf};

use model::{Describe, Fault, FaultKind};

/// Result of an operation on a recovery key.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no key, or no proven copy of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system has no random numbers to give.
    #[error("recovery-no-randomness")]
    NoRandomness(String),
    /// The copy could not be made at all, before anything was written.
    #[error("paper-not-made")]
    NotMade(String),
    /// The text has not the 64 letters of a key.
    #[error("recovery-length")]
    Length {
        /// Letters that were found.
        letters: usize,
    },
    /// One group has not eight letters.
    #[error("recovery-group-length")]
    GroupLength {
        /// Which group, from 1.
        group: usize,
        /// Letters that were found in it.
        letters: usize,
    },
    /// A letter that no key has.
    #[error("recovery-letter")]
    Letter {
        /// Which group, from 1.
        group: usize,
        /// The letter.
        letter: char,
    },
    /// The check letters do not fit the groups.
    #[error("recovery-check")]
    Check {
        /// Which groups, from 1.
        groups: Vec<usize>,
    },
    /// There is no key in the text.
    #[error("recovery-no-key")]
    NoKey,
    /// There are several keys in the text, and nothing says which one is meant.
    #[error("recovery-two-keys")]
    TwoKeys,
    /// The sheet has another key ID than its key.
    #[error("recovery-other-id")]
    OtherId {
        /// The ID that the key has.
        key_id: String,
    },
    /// The file is not text, or far too long for a sheet.
    #[error("recovery-not-text")]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// There is no such file.
    #[error("recovery-file-missing")]
    FileMissing {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("recovery-file-unreadable")]
    FileUnreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: String,
    },
    /// The folder does not exist.
    #[error("recovery-folder-missing")]
    FolderMissing {
        /// The path as it was given.
        folder: PathBuf,
    },
    /// The path is no folder.
    #[error("recovery-not-a-folder")]
    NotAFolder {
        /// The path as it was given.
        folder: PathBuf,
    },
    /// The folder lies on the drive that the key is for.
    #[error("recovery-same-drive")]
    SameDrive {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder may lie on the drive that the key is for.
    #[error("recovery-maybe-same-drive")]
    MaybeSameDrive {
        /// The folder.
        folder: PathBuf,
    },
    /// Nothing can be written there: write protection, a read-only file system.
    #[error("recovery-read-only")]
    ReadOnly(Unfinished),
    /// No room for the file.
    #[error("recovery-full")]
    Full(Unfinished),
    /// The system does not let this user write there.
    #[error("recovery-denied")]
    Denied(Unfinished),
    /// The medium was pulled out in the middle, or it is broken.
    #[error("recovery-vanished")]
    Vanished(Unfinished),
    /// Anything else that the system says.
    #[error("recovery-write-failed")]
    Write(Unfinished),
    /// What was read back is not what was written.
    #[error("recovery-differs")]
    Differs(Unfinished),
    /// The key that was read back did not open the volume.
    #[error("recovery-not-proven")]
    NotProven(Unfinished, Box<Fault>),
}

/// An export that was begun and given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Where the copy was to be.
    pub folder: PathBuf,
    /// A file with the key, or a part of it, that could not be removed again. `None`: nothing was
    /// left behind.
    pub left: Option<PathBuf>,
    /// What the system says.
    pub cause: String,
}

impl Error {
    /// An export to `folder` that the system ended with `error`; `left` is a file that stayed there.
    pub fn ended(error: &io::Error, folder: &Path, left: Option<PathBuf>) -> Self {
        let unfinished = Unfinished { folder: folder.to_owned(), left, cause: error.to_string() };
        match error.kind() {
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly(unfinished),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::Full(unfinished)
            }
            io::ErrorKind::PermissionDenied => Self::Denied(unfinished),
            // A file system whose stick is gone answers with an input/output error; once the system
            // has noticed, with "no such file" or "no such device".
            io::ErrorKind::NotFound | io::ErrorKind::StaleNetworkFileHandle => Self::Vanished(unfinished),
            _ if is_gone(error) => Self::Vanished(unfinished),
            _ => Self::Write(unfinished),
        }
    }
}

#[cfg(unix)]
fn is_gone(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let gone = [Errno::IO, Errno::NXIO, Errno::NODEV];
    error.raw_os_error().is_some_and(|code| gone.iter().any(|errno| errno.raw_os_error() == code))
}

/// ERROR_NOT_READY, ERROR_DEV_NOT_EXIST, ERROR_NO_SUCH_DEVICE and ERROR_DEVICE_NOT_CONNECTED.
#[cfg(windows)]
fn is_gone(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| [21, 55, 433, 1167].contains(&code))
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        let fault = Fault::new(&self.to_string(), self.kind());
        match self {
            Self::NoRandomness(cause) | Self::NotMade(cause) => fault.because(cause),
            Self::Length { letters } => fault.with("letters", letters),
            Self::GroupLength { group, letters } => fault.with("group", group).with("letters", letters),
            Self::Letter { group, letter } => fault.with("group", group).with("letter", letter),
            Self::Check { groups } => fault.with("groups", listed(groups)),
            Self::NoKey | Self::TwoKeys => fault,
            Self::OtherId { key_id } => fault.with("keyid", key_id),
            Self::NotText { path } | Self::FileMissing { path } => fault.with("path", path.display()),
            Self::FileUnreadable { path, cause } => fault.with("path", path.display()).because(cause),
            Self::FolderMissing { folder }
            | Self::NotAFolder { folder }
            | Self::SameDrive { folder }
            | Self::MaybeSameDrive { folder } => fault.with("folder", folder.display()),
            Self::ReadOnly(unfinished)
            | Self::Full(unfinished)
            | Self::Denied(unfinished)
            | Self::Vanished(unfinished)
            | Self::Write(unfinished)
            | Self::Differs(unfinished)
            | Self::NotProven(unfinished, _) => unfinished.describe(fault),
        }
    }
}

impl Error {
    fn kind(&self) -> FaultKind {
        match self {
            Self::Length { .. } | Self::GroupLength { .. } | Self::Letter { .. } | Self::Check { .. } => {
                FaultKind::WrongSecret
            }
            Self::NoKey | Self::TwoKeys | Self::OtherId { .. } | Self::NotText { .. } => FaultKind::NewerOrDamaged,
            Self::FolderMissing { .. }
            | Self::NotAFolder { .. }
            | Self::SameDrive { .. }
            | Self::MaybeSameDrive { .. }
            | Self::ReadOnly(_)
            | Self::Denied(_) => FaultKind::Refused,
            // Whoever stopped the proof stopped the export.
            Self::NotProven(_, fault) if fault.kind == FaultKind::Stopped => FaultKind::Stopped,
            _ => FaultKind::Failed,
        }
    }
}

impl Unfinished {
    /// `left` is `yes` or `no` for the sentence; `leftpath` names the file.
    fn describe(&self, fault: Fault) -> Fault {
        let fault =
            fault.with("folder", self.folder.display()).with("left", if self.left.is_some() { "yes" } else { "no" });
        let left = self.left.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        fault.with("leftpath", left).because(&self.cause)
    }
}

fn listed(groups: &[usize]) -> String {
    groups.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_letter_is_a_wrong_secret_and_says_where() {
        let fault = Error::Letter { group: 3, letter: 'm' }.fault();
        assert_eq!(fault.to_string(), "recovery-letter group=3 letter=m");
        assert_eq!(fault.kind.exit_code(), 4);
    }

    #[test]
    fn what_was_left_behind_is_named() {
        let error = io::Error::from_raw_os_error(5);
        let fault = Error::ended(&error, Path::new("/stick"), Some("/stick/x".into())).fault();
        assert_eq!(fault.code, "recovery-vanished");
        assert_eq!(fault.args["leftpath"], "/stick/x");
        assert_eq!(fault.args["left"], "yes");
    }

    #[test]
    fn somebody_who_stops_the_proof_stops_the_export() {
        let unfinished = Unfinished { folder: "/stick".into(), left: None, cause: String::new() };
        let fault = Error::NotProven(unfinished, Box::new(Fault::new("stopped", FaultKind::Stopped))).fault();
        assert_eq!(fault.kind.exit_code(), 130);
    }
}
