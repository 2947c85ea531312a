use std::io;
use std::path::{Path, PathBuf};

use model::{Describe, Fault, FaultKind};

/// Why an image cannot be made, or is not as it should be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system lacks a part of the chain that the firmware trusts.
    #[error("rescue-part-missing")]
    PartMissing {
        /// The packages that have it, by Debian's names.
        package: &'static str,
        /// Where it was looked for.
        path: PathBuf,
    },
    /// A file of the system cannot be read.
    #[error("rescue-file: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A kernel module is compressed in a way that is not known, or damaged.
    #[error("rescue-module: {path}")]
    Module {
        /// Which.
        path: PathBuf,
    },
    /// GRUB's file does not say where it looks for its settings.
    #[error("rescue-grub-unknown")]
    GrubUnknown {
        /// Which file.
        path: PathBuf,
    },
    /// Our own program is not beside this one.
    #[error("rescue-program-missing")]
    ProgramMissing {
        /// Where it should be.
        path: PathBuf,
    },
    /// The image cannot be laid out.
    #[error("rescue-layout: {0}")]
    Layout(io::Error),
    /// There is less room than the image takes, in bytes.
    #[error("rescue-too-large")]
    TooLarge {
        /// Bytes that it takes.
        needed: u64,
        /// Bytes that there are.
        room: u64,
    },
    /// Our own program, or one of the system's, needs something that the image does not have.
    #[error("rescue-program-unfit: {what}")]
    ProgramUnfit {
        /// Which program.
        path: PathBuf,
        /// What it needs.
        what: String,
    },
    /// The computer was not started by UEFI, which the image needs.
    #[error("rescue-no-uefi")]
    NoUefi,
    /// The drive is no stick: it is built in, the system lies on it, or it is in use.
    #[error("rescue-not-a-stick")]
    NotAStick {
        /// Which drive.
        path: PathBuf,
    },
    /// What was typed is not the stick's name.
    #[error("rescue-not-confirmed")]
    NotConfirmed,
    /// It is no rescue image, or one whose list cannot be read.
    #[error("rescue-no-image")]
    NoImage {
        /// What was looked at.
        path: PathBuf,
    },
    /// A device.
    #[error(transparent)]
    Device(#[from] blockdev::Error),
    /// A header.
    #[error(transparent)]
    Header(#[from] luks::Error),
    /// The drives of this computer.
    #[error(transparent)]
    Drives(#[from] drives::Error),
    /// What was read back is not what was written.
    #[error("rescue-differs")]
    Differs {
        /// What is not the same.
        what: String,
    },
}

/// The result of making an image.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// For `map_err`: what happened to this file.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        use FaultKind::{Failed, Refused};
        match self {
            Self::PartMissing { package, path } => {
                Fault::new("rescue-part-missing", Refused).with("package", package).with("path", path.display())
            }
            Self::File { path, source } => {
                Fault::new("rescue-file", Failed).with("path", path.display()).because(source)
            }
            Self::Module { path } => Fault::new("rescue-module", Failed).with("path", path.display()),
            Self::GrubUnknown { path } => Fault::new("rescue-grub-unknown", Refused).with("path", path.display()),
            Self::ProgramMissing { path } => Fault::new("rescue-program-missing", Refused).with("path", path.display()),
            Self::Layout(source) => Fault::new("rescue-layout", Failed).because(source),
            Self::TooLarge { needed, room } => {
                Fault::new("rescue-too-large", Refused).with("needed", needed).with("room", room)
            }
            Self::ProgramUnfit { path, what } => {
                Fault::new("rescue-program-unfit", Refused).with("path", path.display()).because(what)
            }
            Self::NotAStick { path } => Fault::new("rescue-not-a-stick", Refused).with("path", path.display()),
            Self::NoUefi => Fault::new("rescue-no-uefi", Refused),
            Self::NotConfirmed => Fault::new("rescue-not-confirmed", Refused),
            Self::NoImage { path } => {
                Fault::new("rescue-no-image", FaultKind::NewerOrDamaged).with("path", path.display())
            }
            Self::Device(error) => error.fault(),
            Self::Header(error) => error.fault(),
            Self::Drives(error) => error.fault(),
            Self::Differs { what } => Fault::new("rescue-differs", Failed).because(what),
        }
    }
}
