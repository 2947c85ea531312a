//! What a method ended with (Core 5.1.5).

use std::fmt;

/// A method's status other than success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// 01: this authority may not, or its PIN was wrong, or it does not exist.
    NotAuthorized,
    /// 03: another session is open to the SP; perhaps one of a program that died.
    SpBusy,
    /// 04: the SP is broken.
    SpFailed,
    /// 05: the SP is switched off.
    SpDisabled,
    /// 06: the SP is frozen.
    SpFrozen,
    /// 07: all sessions are taken.
    NoSessionsAvailable,
    /// 08: such a row exists.
    UniquenessConflict,
    /// 09: no room.
    InsufficientSpace,
    /// 0A: no room for rows.
    InsufficientRows,
    /// 0C: a parameter that the drive does not take.
    InvalidParameter,
    /// 0F: the drive failed.
    TperMalfunction,
    /// 10: the transaction was not carried out.
    TransactionFailure,
    /// 11: the answer is larger than what the host takes.
    ResponseOverflow,
    /// 12: too many wrong PINs; nothing more is looked at until the next power cycle.
    AuthorityLockedOut,
    /// 3F: it failed, and the drive does not say why.
    Fail,
    /// Any other number.
    Other(u64),
}

impl Status {
    /// From the number on the wire; `None` is success.
    pub const fn from_number(number: u64) -> Option<Self> {
        Some(match number {
            0x00 => return None,
            0x01 => Self::NotAuthorized,
            0x03 => Self::SpBusy,
            0x04 => Self::SpFailed,
            0x05 => Self::SpDisabled,
            0x06 => Self::SpFrozen,
            0x07 => Self::NoSessionsAvailable,
            0x08 => Self::UniquenessConflict,
            0x09 => Self::InsufficientSpace,
            0x0a => Self::InsufficientRows,
            0x0c => Self::InvalidParameter,
            0x0f => Self::TperMalfunction,
            0x10 => Self::TransactionFailure,
            0x11 => Self::ResponseOverflow,
            0x12 => Self::AuthorityLockedOut,
            0x3f => Self::Fail,
            other => Self::Other(other),
        })
    }

    /// The number on the wire.
    pub const fn number(self) -> u64 {
        match self {
            Self::NotAuthorized => 0x01,
            Self::SpBusy => 0x03,
            Self::SpFailed => 0x04,
            Self::SpDisabled => 0x05,
            Self::SpFrozen => 0x06,
            Self::NoSessionsAvailable => 0x07,
            Self::UniquenessConflict => 0x08,
            Self::InsufficientSpace => 0x09,
            Self::InsufficientRows => 0x0a,
            Self::InvalidParameter => 0x0c,
            Self::TperMalfunction => 0x0f,
            Self::TransactionFailure => 0x10,
            Self::ResponseOverflow => 0x11,
            Self::AuthorityLockedOut => 0x12,
            Self::Fail => 0x3f,
            Self::Other(number) => number,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:02X}", self.number())
    }
}
