use model::{Describe, Fault, FaultKind};

use crate::{Kind, Trouble};

/// Result of looking at or resizing a file system.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a file system could not be recognised or resized.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The device could not be read.
    #[error(transparent)]
    Device(#[from] blockdev::Error),
    /// The signature is there, but the superblock's checksum or numbers are wrong.
    #[error("filesystem-damaged: {kind:?}: {what}")]
    Damaged {
        /// What the signature says.
        kind: Kind,
        /// What is wrong, for the details.
        what: &'static str,
    },
    /// The file system is larger than the volume that it lies on.
    #[error("filesystem-truncated: {kind:?} needs {size}, device has {device}")]
    Truncated {
        /// Which one.
        kind: Kind,
        /// Bytes that it needs by its own superblock.
        size: u64,
        /// Bytes that there are.
        device: u64,
    },
    /// The signatures of two file systems are there, one of them a leftover, and nobody can tell
    /// which.
    #[error("filesystem-ambiguous: {first:?} and {second:?}")]
    Ambiguous {
        /// One.
        first: Kind,
        /// The other.
        second: Kind,
    },
    /// It is spread over several devices, and this is only one of them.
    #[error("filesystem-many-devices: {kind:?} on {devices}")]
    ManyDevices {
        /// Which one.
        kind: Kind,
        /// How many devices it says it has.
        devices: u64,
    },
    /// It cannot be made smaller, or not while it is not mounted.
    #[error("filesystem-cannot-shrink: {kind:?}")]
    CannotShrink {
        /// Which one.
        kind: Kind,
    },
    /// Nothing here makes it larger.
    #[error("filesystem-cannot-grow: {kind:?}")]
    CannotGrow {
        /// Which one.
        kind: Kind,
    },
    /// What is in it does not fit into the wanted size.
    #[error("filesystem-too-full: {kind:?} needs {needed}, wanted {wanted}")]
    TooFull {
        /// Which one.
        kind: Kind,
        /// The smallest size in bytes that its tool would go down to.
        needed: u64,
        /// The size in bytes that was asked for.
        wanted: u64,
    },
    /// It was not cleanly closed or has errors, and must be checked by its own system first.
    #[error("filesystem-unclean: {kind:?}: {trouble:?}")]
    Unclean {
        /// Which one.
        kind: Kind,
        /// What is the matter with it.
        trouble: Trouble,
    },
    /// Its checking program found errors that it does not repair on its own.
    #[error("filesystem-has-errors: {kind:?}: {output}")]
    HasErrors {
        /// Which one.
        kind: Kind,
        /// What the program said.
        output: String,
    },
    /// A program that is needed is not installed.
    #[error("filesystem-tool-missing: {tool} of {package}")]
    ToolMissing {
        /// The program's name.
        tool: &'static str,
        /// The package that has it.
        package: &'static str,
    },
    /// A program failed.
    #[error("filesystem-tool-failed: {tool} ({status}): {output}")]
    ToolFailed {
        /// The program's name.
        tool: &'static str,
        /// How it ended.
        status: String,
        /// What it said.
        output: String,
    },
    /// The program said that all went well, but the superblock says something else.
    #[error("filesystem-resize-unproven: {kind:?} is {size}, wanted {wanted}")]
    Unproven {
        /// Which one.
        kind: Kind,
        /// Bytes by the superblock, read again.
        size: u64,
        /// Bytes that were asked for.
        wanted: u64,
    },
    /// What lies there now is not what was looked at before.
    #[error("filesystem-changed")]
    Changed,
    /// Stopped before anything was changed.
    #[error("filesystem-stopped")]
    Stopped,
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        use FaultKind::{Failed, NewerOrDamaged, Refused, Stopped};
        match self {
            Self::Device(error) => error.fault(),
            Self::Damaged { kind, what } => {
                Fault::new("filesystem-damaged", NewerOrDamaged).with("filesystem", kind).because(what)
            }
            Self::Truncated { kind, size, device } => Fault::new("filesystem-truncated", NewerOrDamaged)
                .with("filesystem", kind)
                .with("size", size)
                .with("device_size", device),
            Self::Ambiguous { first, second } => {
                Fault::new("filesystem-ambiguous", Refused).with("first", first).with("second", second)
            }
            Self::ManyDevices { kind, devices } => {
                Fault::new("filesystem-many-devices", Refused).with("filesystem", kind).with("devices", devices)
            }
            Self::CannotShrink { kind } => Fault::new("filesystem-cannot-shrink", Refused).with("filesystem", kind),
            Self::CannotGrow { kind } => Fault::new("filesystem-cannot-grow", Refused).with("filesystem", kind),
            Self::TooFull { kind, needed, wanted } => Fault::new("filesystem-too-full", Refused)
                .with("filesystem", kind)
                .with("needed", needed)
                .with("size", wanted),
            Self::Unclean { kind, trouble } => {
                let code = match trouble {
                    Trouble::Hibernated => "filesystem-hibernated",
                    _ => "filesystem-unclean",
                };
                Fault::new(code, Refused).with("filesystem", kind).because(trouble.name())
            }
            Self::HasErrors { kind, output } => {
                Fault::new("filesystem-has-errors", Refused).with("filesystem", kind).because(output)
            }
            Self::ToolMissing { tool, package } => {
                Fault::new("filesystem-tool-missing", Refused).with("tool", tool).with("package", package)
            }
            Self::ToolFailed { tool, status, output } => Fault::new("filesystem-tool-failed", Failed)
                .with("tool", tool)
                .because(format!("{status}\n{output}").trim()),
            Self::Unproven { kind, size, wanted } => Fault::new("filesystem-resize-unproven", Failed)
                .with("filesystem", kind)
                .with("size", size)
                .with("needed", wanted),
            Self::Changed => Fault::new("filesystem-changed", Failed),
            Self::Stopped => Fault::new("filesystem-stopped", Stopped),
        }
    }
}
