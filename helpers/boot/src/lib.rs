//! The system drive on Linux: encrypt the running system, with one restart that proves everything first.
//!
//! 1. [`preflight`] judges the [`facts`] of the running system.
//! 2. [`verbs::stage`]: a header with password and recovery key in a file, our hook in the initramfs, an entry that
//!    is started once ([`loader`]). Nothing on the root changes.
//! 3. The test start ([`start`], in the initramfs): the distribution's own prompt; when the password has opened the
//!    staged header, the file system is checked and made smaller, the header put in place by our own engine, and
//!    the system starts through device-mapper with nothing encrypted yet. Anything else: it starts as ever.
//! 4. [`online`]: stock `cryptsetup reencrypt` encrypts while people work, in a service of systemd.
//! 5. [`end`]: crypttab, fstab, initramfs and swap as the distribution's installer would have made them.
//!
//! What happens at a start is decided by what lies on the disk and never by a note about it: [`state`].
#![cfg(target_os = "linux")]

pub mod end;
mod error;
pub mod facts;
pub mod files;
pub mod fstab;
pub mod initramfs;
pub mod job;
pub mod loader;
pub mod online;
pub mod parts;
pub mod password;
pub mod preflight;
pub mod prompt;
pub mod room;
pub mod service;
pub mod split;
mod stage;
pub mod start;
pub mod state;
pub mod swap;
mod table;
mod tool;
pub mod verbs;
pub mod version;

pub use error::{Error, Result};
pub use stage::{Request, Staged};
