use std::path::PathBuf;

use model::{Describe, Fault, FaultKind};

/// Result of making or reading a page.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no page, or no key was read from one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The QR code could not be made.
    #[error("paper-not-made")]
    Code(String),
    /// The page could not be made.
    #[error("paper-not-made")]
    Page(String),
    /// The file is a picture or a PDF in which no code of ours was found.
    #[error("paper-no-code")]
    NoCode {
        /// The file.
        path: PathBuf,
    },
    /// The file says that it is a picture or a PDF, and cannot be opened as one.
    #[error("paper-damaged")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What the decoder says.
        cause: String,
    },
    /// More bytes than a photo or a scan has.
    #[error("paper-too-large")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Bytes that are read at most.
        most: u64,
    },
    /// The file was read, and what is in it is no whole key.
    #[error("{0}")]
    Recovery(#[from] recovery::Error),
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        let fault = |kind| Fault::new(&self.to_string(), kind);
        match self {
            Self::Code(cause) | Self::Page(cause) => fault(FaultKind::Failed).because(cause),
            Self::NoCode { path } => fault(FaultKind::NewerOrDamaged).with("path", path.display()),
            Self::Damaged { path, cause } => {
                fault(FaultKind::NewerOrDamaged).with("path", path.display()).because(cause)
            }
            Self::TooLarge { path, most } => {
                fault(FaultKind::NewerOrDamaged).with("path", path.display()).with("most_size", most)
            }
            Self::Recovery(error) => error.fault(),
        }
    }
}
