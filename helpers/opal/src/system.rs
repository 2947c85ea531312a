//! The real drives of this computer, each as a [`Transport`].
//!
//! Linux: NVMe by admin pass-through; everything else by SCSI SECURITY PROTOCOL IN and OUT through SG_IO,
//! which libata translates for SATA drives without any kernel parameter, with ATA TRUSTED commands as the
//! fall-back. Windows: the same SCSI commands, which its drivers translate for NVMe; ATA TRUSTED and NVMe commands
//! by themselves are the fall-backs. macOS has no public way for a program to do this: there [`open`] says
//! [`Error::NoWay`](crate::Error::NoWay).

#[cfg_attr(target_os = "linux", path = "system/linux.rs")]
#[cfg_attr(windows, path = "system/windows.rs")]
#[cfg_attr(not(any(target_os = "linux", windows)), path = "system/other.rs")]
mod platform;

#[cfg(any(target_os = "linux", windows))]
mod commands;

use std::path::{Path, PathBuf};

use model::Secret;

use crate::{Result, Transport};

/// Opens the way to a drive by its node: `/dev/nvme0` or `/dev/nvme0n1`, `/dev/sda`, `\\\\.\\PhysicalDrive0`.
///
/// # Errors
/// [`Error::NoRights`](crate::Error::NoRights), [`Error::DriveGone`](crate::Error::DriveGone) if there is no
/// such node, [`Error::NoWay`](crate::Error::NoWay) where the system has none.
pub fn open(path: &Path) -> Result<Box<dyn Transport + Send>> {
    platform::open(path)
}

/// The nodes of all drives that may have a security part, in the order of their names. Empty where the
/// system has no way to them.
pub fn nodes() -> Vec<PathBuf> {
    platform::nodes()
}

/// What happens to a locked drive when the computer sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sleep {
    /// The drive keeps its power: the system sleeps with the processor idle (s2idle), or not at all.
    Shallow,
    /// The drive loses its power (S3), and the kernel can open it again with a key that it was given
    /// ([`save_for_resume`]).
    KernelKeeps,
    /// The drive loses its power (S3), and nobody opens it again: sleep has to be made shallow.
    Deep,
    /// It cannot be told.
    Unknown,
}

/// Which sleep this system uses, and whether its kernel can keep a key. `sys`: `/sys`, or a recorded one.
pub fn sleep(sys: &Path) -> Sleep {
    // The chosen one is in brackets: `s2idle [deep]`.
    let modes = match std::fs::read_to_string(sys.join("power/mem_sleep")) {
        Ok(modes) => modes,
        // A kernel that cannot sleep with the memory powered has no such file.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return if sys.join("power").is_dir() { Sleep::Shallow } else { Sleep::Unknown };
        }
        Err(_) => return Sleep::Unknown,
    };
    if !modes.contains("[deep]") {
        return Sleep::Shallow;
    }
    if platform::kernel_keeps_keys(sys) { Sleep::KernelKeeps } else { Sleep::Deep }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_sleep_a_system_uses() {
        let folder = tempfile::tempdir().unwrap();
        let sys = folder.path();
        assert_eq!(sleep(sys), Sleep::Unknown);
        std::fs::create_dir(sys.join("power")).unwrap();
        assert_eq!(sleep(sys), Sleep::Shallow);
        for (modes, expected) in
            [("[s2idle]\n", Sleep::Shallow), ("[s2idle] deep\n", Sleep::Shallow), ("s2idle [deep]\n", Sleep::Deep)]
        {
            std::fs::write(sys.join("power/mem_sleep"), modes).unwrap();
            assert_eq!(sleep(sys), expected, "{modes}");
        }
        if cfg!(target_os = "linux") {
            // The kernel's own list of what it was built with, uncompressed in a recording.
            std::fs::create_dir(sys.join("kernel")).unwrap();
            std::fs::write(sys.join("kernel/config"), "CONFIG_NVME_CORE=m\nCONFIG_BLK_SED_OPAL=y\n").unwrap();
            assert_eq!(sleep(sys), Sleep::KernelKeeps);
        }
    }
}
