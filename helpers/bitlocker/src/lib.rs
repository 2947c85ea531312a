//! BitLocker, driven: what a volume says, the order of steps that loses nothing, and proof of each.
//!
//! Windows' own management class `Win32_EncryptableVolume` does the work; [`Machine`] is the narrow way to
//! it. There are three: the real one (Windows only), one that answers from a recording ([`Recorded`]), and a
//! simulated computer that behaves as documented, traps included ([`Simulated`]). Everything above them is
//! the same code: [`Volume`] gives the calls their types, [`State`] says how a volume stands, [`check`]
//! looks at the conditions, [`flow`] carries out a plan, [`keys`] proves the recovery password.
//!
//! No text of a tool is parsed here. Numbers have no language.

mod check;
pub mod client;
mod code;
mod edrive;
mod error;
pub mod flow;
#[cfg(windows)]
pub mod helper;
pub mod keys;
mod machine;
#[cfg(windows)]
pub mod pipe;
mod policy;
mod practice;
#[cfg(windows)]
mod real;
mod recorded;
pub mod service;
mod simulated;
mod state;
mod volume;

pub use check::{Checked, Plan, Unlock, UnlockKind, Wish, check};
pub use code::Code;
pub use edrive::{WITH_A_WAY_OUT, hardware_conditions, must_leave_hardware};
pub use error::{Error, Result};
pub use machine::{DriveFacts, Edition, Facts, Machine, Place, Reply, Row, Tpm, Value, VolumeKind};
pub use policy::{Former, Policies};
pub use practice::Practice;
#[cfg(windows)]
pub use real::Real;
pub use recorded::Recorded;
pub use simulated::{Simulated, SimulatedVolume, Traps};
pub use state::{Cipher, Numbers, Protector, ProtectorKind, State, Step};
pub use volume::Volume;
