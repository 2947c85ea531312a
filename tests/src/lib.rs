//! Rigs: what a test needs that is more than one crate.
//!
//! - [`guest`]: a small Linux in an emulator, in which the kernel and stock tools judge what we made;
//! - [`laptop`]: an installed Debian in an emulator, with somebody in front of it;
//! - [`package`]: a Debian in an emulator, into which apt installs our package;
//! - [`firmware`]: a computer in an emulator that starts by itself, with Secure Boot on;
//! - [`nbd`]: a device as a disk of such a computer;
//! - [`program`]: `latchkey`, started as a person or a script would;
//! - [`files`]: file systems with real files on them, and their hashes;
//! - [`window`]: the real window on a display of its own, driven from outside.

pub mod files;
pub mod firmware;
pub mod guest;
pub mod laptop;
pub mod nbd;
pub mod package;
pub mod program;
pub mod tier;
pub mod tool;
#[cfg(target_os = "linux")]
pub mod window;
