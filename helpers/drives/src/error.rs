use model::{Describe, Fault, FaultKind};

/// Result of a look at the computer.
pub type Result<T> = std::result::Result<T, Error>;

/// Why it could not be told what is in this computer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Looking at drives is not built for this system yet; image files work everywhere.
    #[error("drives-not-yet")]
    NotYet {
        /// The system: `Windows`, `macOS`.
        system: &'static str,
    },
    /// The system's own list of drives or mounts could not be read.
    #[error("drives-unreadable: {path}: {source}")]
    Unreadable {
        /// What was to be read.
        path: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// The path is a block device that the system's list does not have.
    #[error("drives-unknown-device")]
    UnknownDevice {
        /// The path as it was given.
        path: String,
    },
    /// The path itself could not be opened or is of the wrong kind.
    #[error("{0}")]
    Device(#[from] blockdev::Error),
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        match self {
            Self::NotYet { system } => Fault::new("drives-not-yet", FaultKind::Refused).with("system", system),
            Self::Unreadable { path, source } => {
                Fault::new("drives-unreadable", FaultKind::Failed).with("path", path).because(source)
            }
            Self::UnknownDevice { path } => Fault::new("drives-unknown-device", FaultKind::Refused).with("path", path),
            Self::Device(error) => error.fault(),
        }
    }
}
