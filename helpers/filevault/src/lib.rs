//! FileVault, driven: macOS' own `fdesetup`, `diskutil` and `sysadminctl`, by absolute path, property lists
//! in and out.
//!
//! [`Tools`] runs them; there are the real ones ([`Real`]), answers of a recorded Mac ([`Recorded`]) and a
//! simulated Mac ([`Simulated`]). [`status`] says how the Mac stands, [`enable`] switches FileVault on and calls
//! the personal key saved when macOS itself has taken it, [`defer`] leaves that to the person's next login.
//! A secret goes through a pipe and never into an argument.

mod error;
mod flow;
mod key;
mod recorded;
mod simulated;
mod status;
mod tools;

pub use error::{Error, Result};
pub use flow::{
    Enabled, Login, change_key, defer, disable, enable, encrypt_volume, prove_key, secure_token, volume_is_encrypted,
};
pub use key::PersonalKey;
pub use recorded::Recorded;
pub use simulated::{Simulated, Traps};
pub use status::{Chip, State, Status, status};
pub use tools::{DISKUTIL, FDESETUP, Output, Real, SYSADMINCTL, SYSCTL, Tools};
