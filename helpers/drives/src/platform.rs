//! What each system has to tell. One file for each system, and a Linux that is read from any folder,
//! so that recorded machines run through the same code as the real one.

use std::path::Path;

use blockdev::Device;

use crate::{DriveFacts, Firmware, Located, Node, Result, Stack};

#[cfg(any(target_os = "macos", test))]
mod diskutil;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(any(windows, test))]
mod rows;
#[cfg(any(windows, target_os = "macos", test))]
mod told;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::Linux;
#[cfg(target_os = "linux")]
pub use linux::Linux as This;
#[cfg(target_os = "macos")]
pub use macos::This;
#[cfg(windows)]
pub use windows::This;

/// The computer, as far as this crate needs to know it.
pub trait Platform {
    /// All block devices, mounts and swap at this moment.
    ///
    /// # Errors
    /// [`Error::NotYet`](crate::Error::NotYet) on systems that are not built yet,
    /// [`Error::Unreadable`](crate::Error::Unreadable) where the system's own list cannot be read.
    fn stack(&self) -> Result<Stack>;

    /// What `path` is: a block device by its number, or a file or folder by its true path.
    ///
    /// # Errors
    /// [`blockdev::Error::Missing`] and [`blockdev::Error::NoRights`].
    fn locate(&self, path: &Path, stack: &Stack) -> Result<Located>;

    /// Opens a device of the stack, read-only.
    ///
    /// # Errors
    /// Those of [`FileDevice::open`](blockdev::FileDevice::open); [`blockdev::Error::NoRights`] also
    /// for a recorded machine of which only the lists were kept.
    fn open(&self, node: &Node) -> blockdev::Result<Box<dyn Device>>;

    /// Bytes that a person may still write into this folder. `None`: not to be seen.
    fn free(&self, folder: &Path) -> Option<u64>;

    /// Whether this user may write to a file. `None`: not to be seen.
    fn may_write(&self, path: &Path) -> Option<bool>;

    /// Where the computer gets its power from.
    fn power(&self) -> Power;

    /// What is known of the firmware and of what starts the system. Where a system was not taught to
    /// tell, that is nothing.
    fn firmware(&self) -> Firmware {
        Firmware::default()
    }

    /// What a drive and the way to it say. Where a system was not taught to ask, that is nothing.
    fn drive_facts(&self, _drive: &Node) -> DriveFacts {
        DriveFacts::default()
    }

    /// Reads from a device or an image for a moment and returns bytes a second, past the system's cache.
    /// `None`: it may not be read, or nothing was taught to measure here.
    fn read_rate(&self, _located: &Located, _stack: &Stack) -> Option<u64> {
        None
    }
}

/// Opens a device whose size the system does not tell by the usual means. What looks empty for that
/// reason is not: it counts as not readable.
#[cfg(any(windows, target_os = "macos"))]
fn open_whole(node: &Node) -> blockdev::Result<Box<dyn Device>> {
    let unread = || blockdev::Error::NoRights { path: node.path.clone() };
    match blockdev::FileDevice::open(Path::new(&node.path), blockdev::Access::Read) {
        Ok(device) if device.size() == 0 && node.size > 0 => Err(unread()),
        Ok(device) => Ok(Box::new(device)),
        // Whole drives are not opened here yet.
        Err(blockdev::Error::WrongKind { .. } | blockdev::Error::Missing { .. }) => Err(unread()),
        Err(error) => Err(error),
    }
}

/// Bytes that may still be written into a folder, by the volume whose place is the longest part of its
/// path.
#[cfg(any(windows, target_os = "macos"))]
fn free_of(folder: &Path) -> Option<u64> {
    let folder = std::fs::canonicalize(folder).ok()?;
    // Windows' true paths begin with a mark that places do not have.
    let shown = folder.to_string_lossy();
    let folder = Path::new(shown.strip_prefix(r"\\?\").unwrap_or(&shown));
    let disks = sysinfo::Disks::new_with_refreshed_list().ok()?;
    let holding = disks.iter().filter(|disk| folder.starts_with(disk.mount_point()));
    holding.max_by_key(|disk| disk.mount_point().as_os_str().len()).map(sysinfo::Disk::available_space)
}

/// Where the computer gets its power from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Power {
    /// From the mains, with a battery beside it.
    Mains,
    /// There is no battery: a computer that only runs on mains.
    NoBattery,
    /// From the battery.
    Battery {
        /// How full it is, where that can be seen.
        percent: Option<u8>,
    },
    /// It cannot be seen.
    Unknown,
}
