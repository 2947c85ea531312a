//! Images that start a computer: the one that a locked drive shows in its shadow MBR, and the rescue stick.
//!
//! Secure Boot stays on, because everything that the firmware and the kernel check is the distribution's own
//! and signed: shim, GRUB, the kernel and its modules, taken from the system that is installed (or from any
//! folder that holds the same packages). Ours is the initramfs, which nobody signs: our program, the modules
//! and the keyboard tables.
//!
//! ```text
//! Parts::find(root)     shim, GRUB, kernel, modules of a system
//! Contents              what the image is to hold: program, settings, keyboards, more files
//! build                 GPT, one FAT32 EFI partition, read back and compared
//! preboot_image         all of it for the shadow MBR, stick_contents for the stick
//! write_file, write_stick, verify
//! ```
//!
//! UEFI only. The drives that have a shadow MBR are younger than UEFI; on a computer that starts by BIOS, the
//! drive is used as a data drive or encrypted by software.

mod cpio;
mod disk;
mod error;
mod image;
mod initramfs;
pub mod keymap;
mod manifest;
mod modules;
mod parts;
mod programs;
mod recipe;
mod stick;
mod unpack;
mod volume;

pub use error::{Error, Result};
pub use image::{Contents, Image, Place, build};
pub use initramfs::Extra;
pub use manifest::{Manifest, Stored, Verified, verify};
pub use modules::Purpose;
pub use parts::Parts;
pub use programs::{own, with_libraries};
pub use recipe::{BackedUp, LARGEST_STICK, OfSystem, preboot_image, stick_contents};
pub use stick::{Confirmation, Stick, sticks, write_file, write_stick, write_stick_through};
