use std::path::Path;

use model::{Describe, Fault, FaultKind};

/// Result of what the wizard does.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a step of the wizard did not work. Faults of the engines below pass through as they are.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The device or the image.
    #[error(transparent)]
    Device(#[from] blockdev::Error),
    /// A fault that an engine described already.
    #[error(transparent)]
    Below(#[from] Fault),
    /// It, or something on top of it, is mounted.
    #[error("volume-mounted")]
    Mounted {
        /// The volume.
        path: String,
        /// Where.
        mounts: Vec<String>,
    },
    /// It is in use as swap.
    #[error("volume-swap")]
    UsedAsSwap {
        /// The volume.
        path: String,
    },
    /// A mapping, an array or a loop device is made of it.
    #[error("volume-held")]
    HeldBy {
        /// The volume.
        path: String,
        /// What holds it.
        by: String,
    },
    /// It is a whole drive, or an image of one, with partitions on it.
    #[error("volume-partitions")]
    HasPartitions,
    /// It is encrypted already.
    #[error("volume-encrypted")]
    AlreadyEncrypted {
        /// By what: `LUKS1`, `BitLocker`.
        format: String,
    },
    /// A conversion was begun and not finished.
    #[error("volume-interrupted-{way}")]
    Interrupted {
        /// `encrypt`, `decrypt` or `reencrypt`.
        way: &'static str,
    },
    /// It holds the memory of a system that sleeps.
    #[error("volume-hibernated")]
    Hibernated,
    /// It is a piece of something larger: a volume group, an array.
    #[error("volume-member")]
    MemberOf {
        /// Of what.
        format: String,
    },
    /// A part of its file system lies on another device.
    #[error("volume-external")]
    External {
        /// The file system.
        content: String,
    },
    /// It is too small.
    #[error("volume-too-small")]
    TooSmall {
        /// Bytes that it has.
        size: u64,
        /// Bytes that are needed at least.
        needed: u64,
    },
    /// No room for the header, and none can be made.
    #[error("volume-no-room")]
    NoRoom {
        /// Bytes that are needed behind the file system.
        needed: u64,
    },
    /// Nothing opens a data drive when this system starts: it has no units of systemd.
    #[error("hardware-needs-systemd")]
    NeedsSystemd,
    /// Deep sleep would lock the drive with nobody to open it, and the person has not said how the computer is to
    /// sleep instead.
    #[error("hardware-sleep-undecided")]
    SleepUndecided,
    /// The drive's own encryption cannot be used here; the code is that of the condition that is not met.
    #[error("hardware-refused: {reason}")]
    HardwareRefused {
        /// `drive-owned`, `opal-2-missing` …
        reason: String,
    },
    /// The drive was prepared by an earlier try, with another password.
    #[error("hardware-prepared-earlier")]
    PreparedEarlier,
    /// After a power-off the drive was not what it was told to be: it is open, or does not show its image.
    #[error("hardware-not-seen")]
    NotSeen,
    /// Leaving out free space was asked for, and nobody knows what is free.
    #[error("volume-used-space-unknown: {content}")]
    UsedSpaceUnknown {
        /// What lies there.
        content: String,
    },
    /// The old password that was given is the recovery key.
    #[error("volume-is-recovery-key")]
    IsRecoveryKey,
    /// The sheet has another key than this run's.
    #[error("wizard-other-key")]
    OtherKey {
        /// Its short name.
        key_id: String,
    },
    /// The recovery key was this volume's, and opens it no more.
    #[error("wizard-key-old")]
    OldKey {
        /// The volume.
        path: String,
        /// The key's short name.
        key_id: String,
    },
    /// The recovery key is another volume's.
    #[error("wizard-key-other")]
    KeyOfOther {
        /// The volume.
        path: String,
        /// The key's short name.
        key_id: String,
        /// The volume that it was made for.
        uuid: String,
        /// The UUID of this one.
        found: String,
    },
    /// What was typed to confirm is not the name.
    #[error("wizard-not-the-name")]
    NotTheName,
    /// The new password opens the volume already.
    #[error("volume-already-opens")]
    AlreadyOpens,
    /// The keyslot that is to go is the one that was just opened.
    #[error("volume-own-keyslot")]
    OwnKeyslot,
    /// A folder cannot be written.
    #[error("wizard-folder")]
    Folder {
        /// The folder.
        path: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// A folder has no space left.
    #[error("wizard-folder-full")]
    FolderFull {
        /// The folder.
        path: String,
    },
    /// A folder, or the medium that it is on, is read-only.
    #[error("wizard-folder-read-only")]
    FolderReadOnly {
        /// The folder.
        path: String,
    },
    /// A folder is not there: a stick that was pulled out, perhaps.
    #[error("wizard-folder-missing")]
    FolderMissing {
        /// The folder.
        path: String,
    },
    /// A folder lies on the volume that is going to be encrypted.
    #[error("wizard-folder-on-target")]
    FolderOnTarget {
        /// The folder.
        path: String,
    },
    /// Another wizard works with the same state.
    #[error("wizard-already-running")]
    AlreadyRunning,
    /// The journal could not be read; it was set aside under another name.
    #[error("wizard-journal-damaged")]
    JournalDamaged {
        /// Its new name.
        kept: String,
    },
    /// The journal was written by a newer version; it was set aside under another name.
    #[error("wizard-journal-newer")]
    JournalNewer {
        /// Its new name.
        kept: String,
    },
    /// The two passwords that were typed differ.
    #[error("wizard-password-differs")]
    PasswordDiffers,
    /// The password cannot be used or is too weak; the code is that of the reason.
    #[error("wizard-{reason}")]
    PasswordRefused {
        /// `password-empty`, `password-too-long`, `password-control`, `password-weak`.
        reason: String,
    },
    /// The password that was typed does not open the staged header.
    #[error("wizard-password-wrong")]
    PasswordWrong {
        /// Wrong tries in a row.
        tries: u32,
    },
    /// What was typed back from paper is not the recovery key.
    #[error("wizard-recovery-typed-wrong")]
    RecoveryTypedWrong {
        /// The groups that are wrong, from 1, where that can be told.
        groups: Vec<usize>,
    },
    /// What was read back differs from what was written.
    #[error("wizard-read-back-differs")]
    ReadBackDiffers {
        /// The file.
        path: String,
    },
    /// The action makes no sense in this step.
    #[error("wizard-not-now")]
    NotNow,
    /// A job is running; it has to end or be stopped first.
    #[error("wizard-busy")]
    Busy,
    /// The password is needed again because the program was closed meanwhile.
    #[error("wizard-password-needed")]
    PasswordNeeded,
    /// The recovery key is no longer in memory because the program was closed meanwhile.
    #[error("wizard-key-gone")]
    KeyGone,
    /// The person, or the system, did not give the right to look at everything.
    #[error("wizard-rights-refused")]
    RightsRefused,
    /// Nobody could be asked for that right, or what looks with it did not start.
    #[error("wizard-rights-unavailable")]
    RightsUnavailable,
    /// The target is not what it was when it was checked.
    #[error("wizard-target-changed")]
    TargetChanged,
    /// The program's own thread broke off.
    #[error("wizard-job-broke-off")]
    JobBrokeOff,
}

impl Error {
    /// Sorts a system error about a folder into the kinds above.
    pub fn folder(path: &Path, source: std::io::Error) -> Self {
        use std::io::ErrorKind as Kind;
        let path = path.display().to_string();
        match source.kind() {
            Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => Self::FolderFull { path },
            Kind::ReadOnlyFilesystem => Self::FolderReadOnly { path },
            Kind::NotFound | Kind::NotADirectory => Self::FolderMissing { path },
            _ => Self::Folder { path, source },
        }
    }
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        use FaultKind::{Failed, NewerOrDamaged, Refused, Usage, WrongSecret};
        match self {
            Self::Device(error) => error.fault(),
            Self::Below(fault) => fault.clone(),
            Self::Mounted { path, mounts } => {
                Fault::new("volume-mounted", Refused).with("path", path).with("mounts", mounts.join(", "))
            }
            Self::UsedAsSwap { path } => Fault::new("volume-swap", Refused).with("path", path),
            Self::HeldBy { path, by } => Fault::new("volume-held", Refused).with("path", path).with("by", by),
            Self::HasPartitions => Fault::new("volume-partitions", Refused),
            Self::AlreadyEncrypted { format } => Fault::new("volume-encrypted", Refused).with("format", format),
            Self::Interrupted { way } => Fault::new(&format!("volume-interrupted-{way}"), Refused),
            Self::Hibernated => Fault::new("volume-hibernated", Refused),
            Self::MemberOf { format } => Fault::new("volume-member", Refused).with("format", format),
            Self::External { content } => Fault::new("volume-external", Refused).with("content", content),
            Self::TooSmall { size, needed } => {
                Fault::new("volume-too-small", Refused).with("size", size).with("needed", needed)
            }
            Self::NoRoom { needed } => Fault::new("volume-no-room", Refused).with("needed", needed),
            Self::NeedsSystemd => Fault::new("hardware-needs-systemd", Refused),
            Self::SleepUndecided => Fault::new("hardware-sleep-undecided", Refused),
            Self::HardwareRefused { reason } => Fault::new("hardware-refused", Refused).because(reason),
            Self::PreparedEarlier => Fault::new("hardware-prepared-earlier", WrongSecret),
            Self::NotSeen => Fault::new("hardware-not-seen", Failed),
            Self::UsedSpaceUnknown { content } => {
                Fault::new("volume-used-space-unknown", Refused).with("content", content)
            }
            Self::IsRecoveryKey => Fault::new("volume-is-recovery-key", Refused),
            Self::OtherKey { key_id } => Fault::new("wizard-other-key", WrongSecret).with("keyid", key_id),
            Self::OldKey { path, key_id } => {
                Fault::new("wizard-key-old", WrongSecret).with("path", path).with("keyid", key_id)
            }
            Self::KeyOfOther { path, key_id, uuid, found } => Fault::new("wizard-key-other", WrongSecret)
                .with("path", path)
                .with("keyid", key_id)
                .with("uuid", uuid)
                .with("found", found),
            Self::NotTheName => Fault::new("wizard-not-the-name", Refused),
            Self::AlreadyOpens => Fault::new("volume-already-opens", Refused),
            Self::OwnKeyslot => Fault::new("volume-own-keyslot", Refused),
            Self::Folder { path, source } => Fault::new("wizard-folder", Failed).with("path", path).because(source),
            Self::FolderFull { path } => Fault::new("wizard-folder-full", Failed).with("path", path),
            Self::FolderReadOnly { path } => Fault::new("wizard-folder-read-only", Refused).with("path", path),
            Self::FolderMissing { path } => Fault::new("wizard-folder-missing", Refused).with("path", path),
            Self::FolderOnTarget { path } => Fault::new("wizard-folder-on-target", Refused).with("path", path),
            Self::AlreadyRunning => Fault::new("wizard-already-running", Refused),
            Self::JournalDamaged { kept } => Fault::new("wizard-journal-damaged", NewerOrDamaged).with("kept", kept),
            Self::JournalNewer { kept } => Fault::new("wizard-journal-newer", NewerOrDamaged).with("kept", kept),
            Self::PasswordDiffers => Fault::new("wizard-password-differs", Usage),
            Self::PasswordRefused { reason } => Fault::new(&format!("wizard-{reason}"), Refused),
            Self::PasswordWrong { tries } => Fault::new("wizard-password-wrong", WrongSecret).with("tries", tries),
            Self::RecoveryTypedWrong { groups } => {
                let list: Vec<String> = groups.iter().map(ToString::to_string).collect();
                Fault::new("wizard-recovery-typed-wrong", WrongSecret)
                    .with("count", groups.len())
                    .with("groups", list.join(", "))
            }
            Self::ReadBackDiffers { path } => Fault::new("wizard-read-back-differs", Failed).with("path", path),
            Self::NotNow => Fault::new("wizard-not-now", Usage),
            Self::Busy => Fault::new("wizard-busy", Refused),
            Self::PasswordNeeded => Fault::new("wizard-password-needed", Refused),
            Self::KeyGone => Fault::new("wizard-key-gone", Refused),
            Self::RightsRefused => Fault::new("wizard-rights-refused", Refused),
            Self::RightsUnavailable => Fault::new("wizard-rights-unavailable", Failed),
            Self::TargetChanged => Fault::new("wizard-target-changed", Refused),
            Self::JobBrokeOff => Fault::new("wizard-job-broke-off", Failed),
        }
    }
}

/// Errors of the engines below are described at once: the wizard adds nothing to them.
macro_rules! from_below {
    ($($error:ty),*) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::Below(error.fault())
            }
        })*
    };
}

from_below!(opal::Error, luks::Error, filesystems::Error, drives::Error, recovery::Error, bench::Error);
