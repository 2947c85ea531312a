use model::{Describe, Fault, FaultKind};

/// Result of a device operation.
pub type Result<T> = std::result::Result<T, Error>;

/// What was being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Opening the file or node.
    Open,
    /// Reading.
    Read,
    /// Writing.
    Write,
    /// Making it last.
    Flush,
    /// Changing the size of a file.
    Resize,
    /// Giving up what is not needed any more.
    Discard,
}

impl Operation {
    const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Read => "read",
            Self::Write => "write",
            Self::Flush => "flush",
            Self::Resize => "resize",
            Self::Discard => "discard",
        }
    }
}

/// Why a device did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is nothing at this path.
    #[error("device-missing")]
    Missing {
        /// The path as it was given.
        path: String,
    },
    /// The system does not let this user do it.
    #[error("device-no-rights")]
    NoRights {
        /// The path.
        path: String,
    },
    /// It is mounted, mapped, or open in another program that locks it.
    #[error("device-in-use")]
    InUse {
        /// The path.
        path: String,
    },
    /// It is neither a regular file nor a block device.
    #[error("device-wrong-kind")]
    WrongKind {
        /// The path.
        path: String,
    },
    /// The medium or the file is read-only.
    #[error("device-read-only")]
    ReadOnly {
        /// The path.
        path: String,
    },
    /// No space is left where the file lies.
    #[error("device-full")]
    Full,
    /// The range crosses the end.
    #[error("device-out-of-range")]
    OutOfRange {
        /// Where, in bytes.
        offset: u64,
        /// How many bytes.
        length: u64,
        /// The device's size in bytes.
        size: u64,
    },
    /// This device cannot change its size.
    #[error("device-fixed-size")]
    FixedSize,
    /// The system reported an error of the medium or of the way to it.
    #[error("device-io: {operation:?} at {offset}: {source}")]
    Io {
        /// What was being done.
        operation: Operation,
        /// Where, in bytes.
        offset: u64,
        /// The system's error.
        source: std::io::Error,
    },
}

impl Error {
    /// Sorts a system error into the kinds above.
    pub fn from_io(operation: Operation, offset: u64, path: &str, source: std::io::Error) -> Self {
        use std::io::ErrorKind as Kind;
        let path = path.to_owned();
        match source.kind() {
            Kind::NotFound if operation == Operation::Open => Self::Missing { path },
            Kind::PermissionDenied => Self::NoRights { path },
            Kind::ResourceBusy => Self::InUse { path },
            Kind::ReadOnlyFilesystem => Self::ReadOnly { path },
            Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => Self::Full,
            _ => Self::Io { operation, offset, source },
        }
    }
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        use FaultKind::{Failed, Refused};
        match self {
            Self::Missing { path } => Fault::new("device-missing", Refused).with("path", path),
            Self::NoRights { path } => Fault::new("device-no-rights", Refused).with("path", path),
            Self::InUse { path } => Fault::new("device-in-use", Refused).with("path", path),
            Self::WrongKind { path } => Fault::new("device-wrong-kind", Refused).with("path", path),
            Self::ReadOnly { path } => Fault::new("device-read-only", Refused).with("path", path),
            Self::Full => Fault::new("device-full", Failed),
            Self::OutOfRange { offset, length, size } => Fault::new("device-out-of-range", Failed)
                .with("offset", offset)
                .with("length", length)
                .with("size", size),
            Self::FixedSize => Fault::new("device-fixed-size", Refused),
            Self::Io { operation, offset, source } => Fault::new("device-io", Failed)
                .with("operation", operation.name())
                .with("offset", offset)
                .because(source),
        }
    }
}
