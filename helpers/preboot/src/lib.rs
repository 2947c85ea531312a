//! The program that stands in the shadow MBR of a locked drive: it asks for the password, opens the drives
//! and starts the computer anew, which then finds its real system.
//!
//! It is the only program of its Linux (process 1, linked statically): the distribution's own signed kernel
//! starts it from our initramfs. It reads its [`settings`], loads the kernel modules that it was given,
//! and asks on every console that the kernel has. What is typed is decoded in [`keys`] and kept in
//! [`line`]; the kernel's own keyboard tables are loaded by [`keyboard`].
//!
//! There is no way past it: no shell, no other program. What somebody could do who has the drive in hand is
//! the same as without it.

pub mod keys;
pub mod line;
pub mod settings;
pub mod tables;

#[cfg(target_os = "linux")]
pub mod console;
#[cfg(target_os = "linux")]
pub mod first;
#[cfg(target_os = "linux")]
pub mod kernel;
#[cfg(target_os = "linux")]
pub mod keyboard;
#[cfg(target_os = "linux")]
mod raw;
#[cfg(all(target_os = "linux", feature = "rescue"))]
pub mod rescue;
#[cfg(all(target_os = "linux", feature = "rig"))]
pub mod rig;
#[cfg(target_os = "linux")]
pub mod unlock;
