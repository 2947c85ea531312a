use model::{Describe, Fault, FaultKind};

/// Result of a LUKS2 operation.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a LUKS2 header could not be read, made, opened or converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The device did not do what it was asked to.
    #[error(transparent)]
    Device(#[from] blockdev::Error),
    /// There is no LUKS header of any version.
    #[error("luks-not-luks")]
    NotLuks,
    /// A LUKS header of version 1, or of one that does not exist yet.
    #[error("luks-other-version {0}")]
    OtherVersion(u16),
    /// Neither copy of the header is whole.
    #[error("luks-header-damaged: {0}")]
    Damaged(String),
    /// The header is whole, and says something that the specification does not allow.
    #[error("luks-header-invalid: {0}")]
    Invalid(String),
    /// The header demands a feature that this program does not know (`config.requirements`, §3.6).
    #[error("luks-unknown-requirement {0}")]
    UnknownRequirement(String),
    /// A cipher, mode or key size that this program does not have.
    #[error("luks-unsupported-cipher {0}")]
    UnsupportedCipher(String),
    /// A hash, key derivation or digest that this program does not have.
    #[error("luks-unsupported-kdf {0}")]
    UnsupportedKdf(String),
    /// The password or key opens none of the keyslots. LUKS cannot tell this from a damaged keyslot.
    #[error("luks-wrong-secret")]
    WrongSecret,
    /// The header has no keyslot that a password could open.
    #[error("luks-no-keyslot")]
    NoKeyslot,
    /// The password is empty.
    #[error("luks-empty-password")]
    EmptyPassword,
    /// Key derivation needs more memory than there is.
    #[error("luks-no-memory: {needed} bytes")]
    NoMemory {
        /// Bytes that this keyslot's key derivation takes.
        needed: u64,
    },
    /// All keyslots are taken, or their area is full.
    #[error("luks-keyslots-full")]
    KeyslotsFull,
    /// The last keyslot would be removed, and nobody could open the volume any more.
    #[error("luks-last-keyslot")]
    LastKeyslot,
    /// The header has no such keyslot.
    #[error("luks-no-such-keyslot {0}")]
    NoSuchKeyslot(u32),
    /// The target is too small to hold a header and data.
    #[error("luks-too-small: {size} bytes, {needed} needed")]
    TooSmall {
        /// Bytes that are there.
        size: u64,
        /// Bytes that are needed.
        needed: u64,
    },
    /// A header is there already, where none was expected.
    #[error("luks-already")]
    AlreadyLuks,
    /// The file system lies where the header or the moved data have to go.
    #[error("luks-no-room: data {used} bytes, at most {limit}")]
    NoRoom {
        /// Bytes that the data take up.
        used: u64,
        /// Bytes that they may take up.
        limit: u64,
    },
    /// A conversion is under way: finish it first.
    #[error("luks-converting")]
    Converting,
    /// No conversion is under way.
    #[error("luks-not-converting")]
    NotConverting,
    /// The conversion's metadata do not belong to this key: damaged, or forged (CVE-2021-4122).
    #[error("luks-conversion-forged")]
    ConversionForged,
    /// The conversion ran without protection against a crash (`resilience none`) and was cut off in
    /// the middle of a chunk: which part of it is encrypted cannot be told.
    #[error("luks-conversion-unprotected")]
    ConversionUnprotected,
    /// A kind of conversion that only cryptsetup can finish.
    #[error("luks-conversion-foreign: {0}")]
    ConversionForeign(String),
    /// A run ended, and what the header in memory says may not be what lies on the medium: the conversion has
    /// to be opened again.
    #[error("luks-open-again")]
    OpenAgain,
    /// What was written and reported as safe is not there: the drive does not keep what it promises. Detected
    /// where it can be; the place in words for people who mend it.
    #[error("luks-lost-writes: {0}")]
    LostWrites(&'static str),
    /// Some sectors could not be read. Nothing of them is converted; the volume is in a state that opens
    /// and that resumes.
    #[error("luks-unreadable: {0:?}")]
    Unreadable(Vec<std::ops::Range<u64>>),
    /// The header's UUID is not that of the backup.
    #[error("luks-other-volume: {found}, expected {expected}")]
    OtherVolume {
        /// UUID on the device.
        found: String,
        /// UUID in the backup.
        expected: String,
    },
    /// The system's random generator failed.
    #[error("luks-no-randomness: {0}")]
    NoRandomness(String),
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        use FaultKind::{Failed, NewerOrDamaged, Refused, WrongSecret};
        match self {
            Self::Device(error) => error.fault(),
            Self::NotLuks => Fault::new("luks-not-luks", Refused),
            Self::OtherVersion(version) => Fault::new("luks-other-version", NewerOrDamaged).with("version", version),
            Self::Damaged(why) => Fault::new("luks-header-damaged", NewerOrDamaged).because(why),
            Self::Invalid(why) => Fault::new("luks-header-invalid", NewerOrDamaged).because(why),
            Self::UnknownRequirement(name) => {
                Fault::new("luks-unknown-requirement", NewerOrDamaged).with("requirement", name)
            }
            Self::UnsupportedCipher(name) => Fault::new("luks-unsupported-cipher", NewerOrDamaged).with("cipher", name),
            Self::UnsupportedKdf(name) => Fault::new("luks-unsupported-kdf", NewerOrDamaged).with("kdf", name),
            Self::WrongSecret => Fault::new("luks-wrong-secret", WrongSecret),
            Self::NoKeyslot => Fault::new("luks-no-keyslot", NewerOrDamaged),
            Self::EmptyPassword => Fault::new("luks-empty-password", Refused),
            Self::NoMemory { needed } => Fault::new("luks-no-memory", Failed).with("needed", needed),
            Self::KeyslotsFull => Fault::new("luks-keyslots-full", Refused),
            Self::LastKeyslot => Fault::new("luks-last-keyslot", Refused),
            Self::NoSuchKeyslot(id) => Fault::new("luks-no-such-keyslot", Refused).with("keyslot", id),
            Self::TooSmall { size, needed } => {
                Fault::new("luks-too-small", Refused).with("size", size).with("needed", needed)
            }
            Self::AlreadyLuks => Fault::new("luks-already", Refused),
            Self::NoRoom { used, limit } => {
                Fault::new("luks-no-room", Refused).with("size", used).with("needed", limit)
            }
            Self::Converting => Fault::new("luks-converting", Refused),
            Self::NotConverting => Fault::new("luks-not-converting", Refused),
            Self::ConversionForged => Fault::new("luks-conversion-forged", NewerOrDamaged),
            Self::ConversionUnprotected => Fault::new("luks-conversion-unprotected", NewerOrDamaged),
            Self::ConversionForeign(what) => Fault::new("luks-conversion-foreign", Refused).because(what),
            Self::OpenAgain => Fault::new("luks-open-again", Failed),
            Self::LostWrites(place) => Fault::new("luks-lost-writes", NewerOrDamaged).because(place),
            Self::Unreadable(ranges) => Fault::new("luks-unreadable", Failed)
                .with("size", ranges.iter().map(|range| range.end - range.start).sum::<u64>())
                .with("sectors", crate::convert::sectors(ranges)),
            Self::OtherVolume { found, expected } => {
                Fault::new("luks-other-volume", Refused).with("found", found).with("expected", expected)
            }
            Self::NoRandomness(why) => Fault::new("luks-no-randomness", Failed).because(why),
        }
    }
}
