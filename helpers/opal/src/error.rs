use model::{Describe, Fault, FaultKind};

use crate::Status;

/// Result of an operation on a drive's security protocol.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a drive could not be asked, understood or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The drive answered the discovery with nothing: it has no TCG function, or the way to it
    /// swallows the command (a USB bridge, a RAID controller).
    #[error("opal-no-discovery")]
    NoDiscovery,
    /// The discovery is shorter than its own header (Core 3.3.6.4).
    #[error("opal-discovery-short: {bytes} bytes")]
    DiscoveryShort {
        /// What came, in bytes.
        bytes: usize,
    },
    /// The list of security protocols is shorter than its header, or says that it is not a list
    /// (SPC-4 7.7.1).
    #[error("opal-protocols-damaged")]
    ProtocolsDamaged,
    /// No subsystem class that this program can talk to, or none at all.
    #[error("opal-not-supported")]
    NotSupported,
    /// The drive can lock, and does not encrypt.
    #[error("opal-no-encryption")]
    NoEncryption,

    /// The system did not carry out a security command.
    #[error("opal-transport: {source}")]
    Transport {
        /// The system's error.
        source: std::io::Error,
    },
    /// The system does not let this user send security commands.
    #[error("opal-no-rights")]
    NoRights,
    /// This system has no way to send security commands to a drive (macOS).
    #[error("opal-no-way")]
    NoWay,
    /// The drive refused a security command.
    #[error("opal-command-refused: status {status:#x}")]
    CommandRefused {
        /// Its status: NVMe's without the upper bits, or SCSI's key, code and qualifier.
        status: u32,
    },
    /// The drive is gone.
    #[error("opal-drive-gone")]
    DriveGone,
    /// What came is no message of the protocol.
    #[error("opal-garbage: {0:?}")]
    Garbage(Garbage),
    /// No answer came in time. Some drives forget one after a crash of their own.
    #[error("opal-empty-reply")]
    EmptyReply,
    /// The drive ended the session on its own.
    #[error("opal-session-closed")]
    SessionClosed,
    /// What is to be sent is larger than what the drive takes at once.
    #[error("opal-too-large: {bytes} bytes, at most {limit}")]
    TooLarge {
        /// Bytes to be sent.
        bytes: usize,
        /// Bytes that the drive takes.
        limit: usize,
    },
    /// A method ended with a status that has no better explanation.
    #[error("opal-status-{0}")]
    Status(Status),

    /// The PIN is not the one of this authority.
    #[error("opal-wrong-pin")]
    WrongPin,
    /// Too many wrong PINs: nothing more is looked at until the next power cycle.
    #[error("opal-locked-out")]
    LockedOut,
    /// The firmware blocked SID for this start.
    #[error("opal-sid-blocked")]
    SidBlocked {
        /// Whether a hardware reset (sleep, taking the drive out) ends it.
        hardware_reset: bool,
    },
    /// Somebody else set a PIN for SID.
    #[error("opal-owned-by-other")]
    OwnedByOther,
    /// Somebody else, and it looks like Windows: Single User Mode, nothing locked.
    #[error("opal-taken-by-windows")]
    TakenByWindows,
    /// The drive is set up already, with this PIN.
    #[error("opal-already-ours")]
    AlreadyOurs,
    /// Another program talks to the drive, or one died while it did.
    #[error("opal-busy")]
    Busy,
    /// Another Latchkey works on the drive.
    #[error("opal-in-use")]
    InUse,
    /// The drive has no such authority, object or method.
    #[error("opal-no-such-authority")]
    NoSuchAuthority,
    /// The Locking SP is not activated.
    #[error("opal-not-activated")]
    NotActivated,
    /// The drive said yes, and what was read back is something else.
    #[error("opal-not-kept: {what}")]
    NotKept {
        /// What was not kept: a name from the specification.
        what: &'static str,
    },
    /// The drive has no shadow MBR, or claims one and does not have it.
    #[error("opal-no-shadow-mbr")]
    NoShadowMbr,
    /// The image is larger than the shadow MBR.
    #[error("opal-shadow-mbr-small: {needed} bytes, {size} there")]
    ShadowMbrSmall {
        /// Bytes of the shadow MBR.
        size: u64,
        /// Bytes of the image.
        needed: u64,
    },
    /// The DataStore is smaller than what is to be put there.
    #[error("opal-data-store-small: {needed} bytes, {size} there")]
    DataStoreSmall {
        /// Bytes of the DataStore.
        size: u64,
        /// Bytes to be stored.
        needed: u64,
    },
    /// A range that the drive does not have, or one that is not in use.
    #[error("opal-no-such-range {0}")]
    NoSuchRange(u16),
    /// Start or length is not a multiple of what the drive asks for, or the end is behind the drive's.
    #[error("opal-range-not-aligned: granularity {granularity}")]
    RangeNotAligned {
        /// Blocks that start and length must be multiples of.
        granularity: u64,
    },
    /// The drive and the system do not agree on the size of a block.
    #[error("opal-other-block-size: {theirs}, not {ours}")]
    OtherBlockSize {
        /// The drive's, in bytes.
        theirs: u32,
        /// The system's, in bytes.
        ours: u32,
    },
    /// The Global Range is locked, and must not be for this.
    #[error("opal-range-locked")]
    RangeLocked,
    /// A PSID has 32 letters and digits.
    #[error("opal-psid-form: {characters} characters")]
    PsidForm {
        /// Letters and digits that were given.
        characters: usize,
    },
    /// The label's text is of the right form, and not this drive's PSID.
    #[error("opal-wrong-psid")]
    WrongPsid,
    /// A PIN has from 1 to 32 bytes.
    #[error("opal-pin-length: {bytes}")]
    PinLength {
        /// Bytes that were given.
        bytes: usize,
    },
    /// What erases everything was not confirmed by the drive's name.
    #[error("opal-not-confirmed")]
    NotConfirmed,

    /// The key derivation does not have the memory that it needs, or its settings make no sense.
    #[error("opal-derivation: {0}")]
    Derivation(String),
    /// What lies in the DataStore is not ours, or damaged.
    #[error("opal-record-damaged")]
    RecordDamaged,

    /// The file under a virtual drive did not do what it was asked to.
    #[error(transparent)]
    Device(#[from] blockdev::Error),
    /// The file holds no virtual drive.
    #[error("opal-no-virtual-drive")]
    NoVirtualDrive,
    /// The file holds a virtual drive of a newer program, or a damaged one.
    #[error("opal-virtual-drive-damaged: {0}")]
    VirtualDriveDamaged(String),
    /// The file is too small for the virtual drive, or its settings contradict each other.
    #[error("opal-virtual-drive-size: {needed} bytes needed, {size} there")]
    VirtualDriveSize {
        /// Bytes of the file.
        size: u64,
        /// Bytes that it must have at least.
        needed: u64,
    },
    /// The system's random generator failed.
    #[error("opal-no-randomness: {0}")]
    NoRandomness(String),
}

/// In what way an answer made no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Garbage {
    /// It ends in the middle.
    Short,
    /// A length reaches beyond what it lies in.
    Length,
    /// A token that may not stand there.
    Token,
    /// Lists in lists without end.
    Depth,
    /// A number of more than 64 bits.
    Number,
    /// A message of the protocol, and not one that answers what was asked.
    Unexpected,
}

impl From<Garbage> for Error {
    fn from(garbage: Garbage) -> Self {
        Self::Garbage(garbage)
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        match status {
            Status::AuthorityLockedOut => Self::LockedOut,
            Status::SpBusy | Status::NoSessionsAvailable => Self::Busy,
            other => Self::Status(other),
        }
    }
}

impl Error {
    /// Whether taking the drive's power away for a moment is what helps.
    pub const fn wants_power_cycle(&self) -> bool {
        matches!(self, Self::LockedOut | Self::Busy | Self::EmptyReply | Self::SidBlocked { .. })
            || matches!(self, Self::Status(Status::TperMalfunction))
    }
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        use FaultKind::{Failed, NewerOrDamaged, Refused, Usage, WrongSecret};
        match self {
            Self::NoDiscovery => Fault::new("opal-no-discovery", Refused),
            Self::DiscoveryShort { bytes } => Fault::new("opal-discovery-short", NewerOrDamaged).with("size", bytes),
            Self::ProtocolsDamaged => Fault::new("opal-protocols-damaged", NewerOrDamaged),
            Self::NotSupported => Fault::new("opal-not-supported", Refused),
            Self::NoEncryption => Fault::new("opal-no-encryption", Refused),
            Self::Transport { source } => Fault::new("opal-transport", Failed).because(source),
            Self::NoRights => Fault::new("opal-no-rights", Refused),
            Self::NoWay => Fault::new("opal-no-way", Refused),
            Self::CommandRefused { status } => {
                Fault::new("opal-command-refused", Refused).because(format!("status {status:#x}"))
            }
            Self::DriveGone => Fault::new("opal-drive-gone", Failed),
            Self::Garbage(what) => Fault::new("opal-garbage", NewerOrDamaged).because(format!("{what:?}")),
            Self::EmptyReply => Fault::new("opal-empty-reply", Failed),
            Self::SessionClosed => Fault::new("opal-session-closed", Failed),
            Self::TooLarge { bytes, limit } => {
                Fault::new("opal-too-large", Failed).with("size", bytes).with("needed", limit)
            }
            Self::Status(status) => status_fault(*status),
            Self::WrongPin => Fault::new("opal-wrong-pin", WrongSecret),
            Self::LockedOut => Fault::new("opal-locked-out", Refused),
            Self::SidBlocked { hardware_reset: true } => Fault::new("opal-sid-blocked-until-reset", Refused),
            Self::SidBlocked { hardware_reset: false } => Fault::new("opal-sid-blocked", Refused),
            Self::OwnedByOther => Fault::new("opal-owned-by-other", Refused),
            Self::TakenByWindows => Fault::new("opal-taken-by-windows", Refused),
            Self::AlreadyOurs => Fault::new("opal-already-ours", Refused),
            Self::Busy => Fault::new("opal-busy", Failed),
            Self::InUse => Fault::new("opal-in-use", Failed),
            Self::NoSuchAuthority => Fault::new("opal-no-such-authority", Refused),
            Self::NotActivated => Fault::new("opal-not-activated", Refused),
            Self::NotKept { what } => Fault::new("opal-not-kept", Failed).because(what),
            Self::NoShadowMbr => Fault::new("opal-no-shadow-mbr", Refused),
            Self::ShadowMbrSmall { size, needed } => {
                Fault::new("opal-shadow-mbr-small", Refused).with("size", size).with("needed", needed)
            }
            Self::DataStoreSmall { size, needed } => {
                Fault::new("opal-data-store-small", Refused).with("size", size).with("needed", needed)
            }
            Self::NoSuchRange(number) => Fault::new("opal-no-such-range", Refused).with("range", number),
            Self::RangeNotAligned { granularity } => {
                Fault::new("opal-range-not-aligned", Refused).with("blocks", granularity)
            }
            Self::OtherBlockSize { theirs, ours } => {
                Fault::new("opal-other-block-size", Refused).with("theirs", theirs).with("ours", ours)
            }
            Self::RangeLocked => Fault::new("opal-range-locked", Refused),
            Self::PsidForm { characters } => Fault::new("opal-psid-form", Usage).with("characters", characters),
            Self::WrongPsid => Fault::new("opal-wrong-psid", WrongSecret),
            Self::PinLength { bytes } => Fault::new("opal-pin-length", Usage).with("bytes", bytes),
            Self::NotConfirmed => Fault::new("opal-not-confirmed", Refused),
            Self::Derivation(why) => Fault::new("opal-derivation", Failed).because(why),
            Self::RecordDamaged => Fault::new("opal-record-damaged", NewerOrDamaged),
            Self::Device(error) => error.fault(),
            Self::NoVirtualDrive => Fault::new("opal-no-virtual-drive", Refused),
            Self::VirtualDriveDamaged(why) => Fault::new("opal-virtual-drive-damaged", NewerOrDamaged).because(why),
            Self::VirtualDriveSize { size, needed } => {
                Fault::new("opal-virtual-drive-size", Refused).with("size", size).with("needed", needed)
            }
            Self::NoRandomness(why) => Fault::new("opal-no-randomness", Failed).because(why),
        }
    }
}

/// A method's status as a fault. The number is shown under "Details".
fn status_fault(status: Status) -> Fault {
    use FaultKind::{Failed, Refused};
    let fault = match status {
        Status::NotAuthorized => Fault::new("opal-status-not-authorized", Refused),
        Status::SpBusy | Status::NoSessionsAvailable => Fault::new("opal-busy", Failed),
        Status::SpFailed | Status::TperMalfunction => Fault::new("opal-status-malfunction", Failed),
        Status::SpDisabled | Status::SpFrozen => Fault::new("opal-status-disabled", Refused),
        Status::InsufficientSpace | Status::InsufficientRows => Fault::new("opal-status-no-room", Failed),
        Status::InvalidParameter => Fault::new("opal-status-invalid-parameter", Refused),
        Status::AuthorityLockedOut => Fault::new("opal-locked-out", Refused),
        Status::UniquenessConflict | Status::TransactionFailure | Status::ResponseOverflow => {
            Fault::new("opal-status-failed", Failed)
        }
        Status::Fail | Status::Other(_) => Fault::new("opal-status-failed", Failed),
    };
    fault.because(status)
}
