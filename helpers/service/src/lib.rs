//! The privileged service on Linux. The window and `latchkey` run as the person; what needs root is done here,
//! behind verbs that name no path and take no command.
//!
//! * [`System`]: the verbs. [`Direct`] carries them out, [`Remote`] asks the service to.
//! * [`Desktop`]: the same for the wizard behind the window.
//! * [`serve`]: the D-Bus side. Each call is admitted by polkit with an [`Action`] of its own, for the caller that
//!   the bus names; each argument is parsed once.
//! * [`device`]: a disk is named by an id that a swap of the disk makes void, and opened once.
//! * Secrets travel through pipes, never in a message: [`pipe`].
//!
//! What may go wrong, and who may want it to, is in `THREATS.md`.
#![cfg(target_os = "linux")]

pub mod action;
mod client;
mod desk;
mod desktop;
pub mod device;
mod direct;
mod inhibit;
mod interface;
pub mod names;
pub mod pipe;
mod reading;
mod serve;
mod staging;
mod system;

pub use action::Action;
pub use client::Remote;
pub use desktop::Desktop;
pub use direct::Direct;
pub use inhibit::Inhibited;
pub use serve::{Options, serve};
pub use system::{NamedStick, Reading, System, Trial, Wish};
