//! A drive's own encryption: what was seen of it, and what to do about it.
//!
//! [`Seen`] is what any source told: the bytes of a Level 0 discovery, `sedutil-cli`, a report. What
//! nobody told is `None`, never "no". [`decide`] goes through the table of `hardware/decision.rs` and
//! gives the action; the verdict is that of [`judge`](crate::judge).

mod decision;
mod known;
mod seen;

pub use crate::machine::AtaSecurity;
pub use decision::{Decision, decide, decision_rules};
pub use known::{Doubt, Kind as DoubtKind, known, lookup};
pub use opal::discovery::Ssc;
pub use seen::{Seen, Transport, Trouble};
