//! The real drives of this computer, each as a [`Transport`].
//!
//! Linux: NVMe by admin pass-through; everything else by SCSI SECURITY PROTOCOL IN and OUT through SG_IO,
//! which libata translates for SATA drives without any kernel parameter, with ATA TRUSTED commands as the
//! fall-back. macOS has no public way for a program to do this, and the ones of Windows are not made yet:
//! there [`open`] says [`Error::NoWay`](crate::Error::NoWay).

#[cfg_attr(target_os = "linux", path = "system/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "system/other.rs")]
mod platform;

use std::path::Path;

use model::Secret;

use crate::{Result, Transport};

/// Opens the way to a drive by its node: `/dev/nvme0` or `/dev/nvme0n1`, `/dev/sda`.
///
/// # Errors
/// [`Error::NoRights`](crate::Error::NoRights), [`Error::DriveGone`](crate::Error::DriveGone) if there is no
/// such node, [`Error::NoWay`](crate::Error::NoWay) where the system has none.
pub fn open(path: &Path) -> Result<Box<dyn Transport + Send>> {
    platform::open(path)
}

/// Gives the kernel the PIN with which it opens a range again after sleep: it is the kernel, not a program,
/// that comes first then. `path` is the drive's block device. As `Admin1`.
///
/// # Errors
/// As [`open`]; [`Error::PinLength`](crate::Error::PinLength); [`Error::NoWay`](crate::Error::NoWay) where
/// the kernel cannot.
pub fn save_for_resume(path: &Path, pin: &Secret, range: u8) -> Result<()> {
    platform::save_for_resume(path, pin, range)
}
