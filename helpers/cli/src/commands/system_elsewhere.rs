//! The running system is encrypted by its own means there.

use model::{Fault, FaultKind};

use crate::args::checked::Command;
use crate::speaker::Speaker;

/// Nothing is taken.
pub fn take(_: &mut Speaker, _: &Command) -> Option<Result<u8, Fault>> {
    None
}

/// The refusal.
pub fn not_here() -> Fault {
    Fault::new("cli-system-not-here", FaultKind::Refused)
}
