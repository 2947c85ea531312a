//! The words that all crates share: drives and volumes, verdicts, faults, progress, secrets.
//!
//! Everything here is plain data. Nothing reads a disk, and no sentence for people is built here: a
//! [`Fault`], a [`Reason`] or a step carries a code and arguments, and the catalogue (`texts`) has
//! the sentence in each language.

mod computer;
mod control;
mod day;
mod drive;
mod fault;
mod progress;
mod secret;
pub mod system;
mod verdict;

pub use computer::{Computer, DataPlace, PlaceKind};
pub use control::{Control, Signal};
pub use day::{Day, NoDay};
pub use drive::{Bus, Content, Drive, Volume, VolumeId};
pub use fault::{Args, Describe, Fault, FaultKind};
pub use progress::{Meter, Progress, Silent, Sink, StepId, Unit};
pub use secret::Secret;
pub use verdict::{Condition, Finding, Judged, Method, Outcome, Reason, Verdict};
