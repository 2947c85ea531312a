use std::io;
use std::path::{Path, PathBuf};

use model::{Describe, Fault, FaultKind};

/// Result of a measurement.
pub type Result<T> = std::result::Result<T, Error>;

/// Why nothing was measured. Whatever it was, the test file is gone.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The folder does not exist.
    #[error("bench-folder-missing")]
    FolderMissing {
        /// The path as it was given.
        folder: PathBuf,
    },
    /// The path is no folder.
    #[error("bench-not-a-folder")]
    NotAFolder {
        /// The path as it was given.
        folder: PathBuf,
    },
    /// The test file would be too small to say anything.
    #[error("bench-too-small")]
    TooSmall {
        /// The smallest size in bytes.
        smallest: u64,
    },
    /// The test file has no room there.
    #[error("bench-no-space")]
    NoSpace {
        /// The folder.
        folder: PathBuf,
        /// Bytes that the test wants free, with some to spare.
        needed: u64,
        /// Bytes that are free. `None`: the system said so without a number.
        free: Option<u64>,
    },
    /// Nothing can be written there.
    #[error("bench-read-only")]
    ReadOnly {
        /// The folder.
        folder: PathBuf,
    },
    /// The system does not let this user write there.
    #[error("bench-denied")]
    Denied {
        /// The folder.
        folder: PathBuf,
    },
    /// Only an administrator may read the device itself.
    #[error("bench-device-denied")]
    DeviceDenied {
        /// The device.
        device: PathBuf,
    },
    /// No encrypted volume of this name is open.
    #[error("bench-no-mapping")]
    NoMapping {
        /// The name.
        name: String,
    },
    /// The flags of a mapping could not be changed.
    #[error("bench-tune")]
    Tune {
        /// The mapping.
        name: String,
        /// What `cryptsetup` says.
        source: io::Error,
    },
    /// The drive failed in the middle.
    #[error("bench-io")]
    Io {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The person stopped it.
    #[error("bench-stopped")]
    Stopped,
    /// The key derivation could not be measured.
    #[error("bench-kdf")]
    Kdf(#[source] luks::Error),
}

impl Error {
    pub(crate) fn from_io(folder: &Path, needed: u64, source: io::Error) -> Self {
        let folder = folder.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::FolderMissing { folder },
            io::ErrorKind::NotADirectory => Self::NotAFolder { folder },
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { folder },
            io::ErrorKind::PermissionDenied => Self::Denied { folder },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::NoSpace { folder, needed, free: None }
            }
            _ => Self::Io { folder, source },
        }
    }
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        let kind = match self {
            Self::TooSmall { .. } => FaultKind::Usage,
            Self::Io { .. } | Self::Kdf(_) | Self::Tune { .. } => FaultKind::Failed,
            Self::Stopped => FaultKind::Stopped,
            _ => FaultKind::Refused,
        };
        let fault = Fault::new(&self.to_string(), kind);
        match self {
            Self::FolderMissing { folder }
            | Self::NotAFolder { folder }
            | Self::ReadOnly { folder }
            | Self::Denied { folder } => fault.with("folder", folder.display()),
            Self::DeviceDenied { device } => fault.with("device", device.display()),
            Self::NoMapping { name } => fault.with("name", name),
            Self::Tune { name, source } => fault.with("name", name).because(source),
            Self::TooSmall { smallest } => fault.with("size", smallest),
            Self::NoSpace { folder, needed, free } => {
                let fault = fault.with("folder", folder.display()).with("needed", needed);
                match free {
                    Some(free) => fault.because(format!("{free} bytes free")),
                    None => fault,
                }
            }
            Self::Io { folder, source } => fault.with("folder", folder.display()).because(source),
            Self::Stopped => fault,
            Self::Kdf(error) => fault.because(error),
        }
    }
}
