use std::path::Path;

use model::{Condition, Describe, Fault, FaultKind};

/// Result of a step on the system drive.
pub type Result<T> = std::result::Result<T, Error>;

/// Why the system drive was not encrypted, or not taken back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A condition of the preflight is not met; nothing was changed.
    #[error("{}", .0.reason.code)]
    Condition(Box<Condition>),
    /// The id names no volume that the system runs from.
    #[error("boot-not-the-system: {id}")]
    NotTheSystem {
        /// What was asked for.
        id: String,
    },
    /// Only the administrator may do this.
    #[error("boot-needs-root")]
    NeedsRoot,
    /// Nothing was staged.
    #[error("boot-nothing-staged")]
    NothingStaged,
    /// A test start has been staged already.
    #[error("boot-already-staged")]
    AlreadyStaged,
    /// What is under way does not allow it.
    #[error("boot-wrong-state: {state}")]
    WrongState {
        /// The state's name.
        state: &'static str,
    },
    /// The password is not known to the running system: nobody has typed it in this start.
    #[error("boot-password-needed")]
    PasswordNeeded,
    /// Something is encrypted already: it cannot be taken back at once.
    #[error("boot-already-encrypting")]
    AlreadyEncrypting,
    /// The test start has begun and left no word.
    #[error("boot-test-cut-off")]
    TestCutOff,
    /// Where the new partition for `/boot` belongs there is another one, or one that holds something.
    #[error("boot-partition-taken: {path}")]
    PartitionTaken {
        /// Its node.
        path: String,
    },
    /// A program of the system is missing.
    #[error("boot-tool-missing: {tool}")]
    ToolMissing {
        /// Its name.
        tool: String,
    },
    /// A program of the system failed.
    #[error("boot-tool-failed: {tool} ({status}): {output}")]
    ToolFailed {
        /// Its name.
        tool: String,
        /// How it ended.
        status: String,
        /// What it said.
        output: String,
    },
    /// A file could not be read or written.
    #[error("boot-file: {path}: {error}")]
    File {
        /// Which.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file or an answer that does not say what it should.
    #[error("boot-not-understood: {what}: {detail}")]
    NotUnderstood {
        /// Which.
        what: String,
        /// What is wrong with it.
        detail: String,
    },
    /// What was put into the initramfs is not in it.
    #[error("boot-not-in-initramfs: {image}: {what}")]
    NotInInitramfs {
        /// The image.
        image: String,
        /// What is missing.
        what: String,
    },
    /// The prompt cannot be set so, or here.
    #[error(transparent)]
    Prompt(#[from] crate::prompt::Refusal),
    /// The header.
    #[error(transparent)]
    Luks(#[from] luks::Error),
    /// The file system.
    #[error(transparent)]
    FileSystem(#[from] filesystems::Error),
    /// The device.
    #[error(transparent)]
    Device(#[from] blockdev::Error),
    /// What a caller's own part of the work said, in its own words.
    #[error("{0}")]
    Told(Box<Fault>),
    /// The recovery key.
    #[error(transparent)]
    Recovery(#[from] recovery::Error),
}

impl Error {
    /// For `map_err`: what happened to this file.
    pub(crate) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.display().to_string();
        move |error| Self::File { path, error }
    }

    /// Something that was read does not say what it should.
    pub(crate) fn odd(what: impl ToString, detail: impl ToString) -> Self {
        Self::NotUnderstood { what: what.to_string(), detail: detail.to_string() }
    }
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        use FaultKind::{Failed, Refused, WrongSecret};
        match self {
            // The reason is the condition's own, with a way out of its own.
            Self::Condition(condition) => {
                let mut fault = Fault::new(&condition.reason.code, Refused);
                fault.args.clone_from(&condition.reason.args);
                if condition.evidence.is_empty() { fault } else { fault.because(&condition.evidence) }
            }
            Self::NotTheSystem { id } => Fault::new("boot-not-the-system", Refused).with("id", id),
            Self::NeedsRoot => Fault::new("boot-needs-root", Refused),
            Self::NothingStaged => Fault::new("boot-nothing-staged", Refused),
            Self::AlreadyStaged => Fault::new("boot-already-staged", Refused),
            Self::WrongState { state } => Fault::new("boot-wrong-state", Refused).because(state),
            Self::PasswordNeeded => Fault::new("boot-password-needed", WrongSecret),
            Self::TestCutOff => Fault::new("boot-test-cut-off", Failed),
            Self::AlreadyEncrypting => Fault::new("boot-already-encrypting", Refused),
            Self::PartitionTaken { path } => Fault::new("boot-partition-taken", Refused).with("path", path),
            Self::ToolMissing { tool } => Fault::new("boot-tool-missing", Refused).with("tool", tool),
            Self::ToolFailed { tool, status, output } => {
                Fault::new("boot-tool-failed", Failed).with("tool", tool).because(format!("{status}\n{output}").trim())
            }
            Self::File { path, error } => Fault::new("boot-file", Failed).with("path", path).because(error),
            Self::NotUnderstood { what, detail } => {
                Fault::new("boot-not-understood", Failed).with("path", what).because(detail)
            }
            Self::NotInInitramfs { image, what } => {
                Fault::new("boot-not-in-initramfs", Failed).with("path", image).because(what)
            }
            Self::Prompt(refusal) => refusal.fault(),
            Self::Luks(error) => error.fault(),
            Self::FileSystem(error) => error.fault(),
            Self::Device(error) => error.fault(),
            Self::Told(fault) => (**fault).clone(),
            Self::Recovery(error) => error.fault(),
        }
    }
}
