use std::io;
use std::time::Duration;

use crate::Access;

mod file;
#[cfg_attr(target_os = "linux", path = "target/linux.rs")]
#[cfg_attr(target_os = "macos", path = "target/macos.rs")]
#[cfg_attr(windows, path = "target/windows.rs")]
mod platform;
#[cfg(unix)]
mod pool;
#[cfg(target_os = "linux")]
mod ring;
#[cfg(unix)]
mod unix;

pub use file::TestFile;
#[cfg(windows)]
pub(crate) use platform::room;
#[cfg(unix)]
pub(crate) use unix::room;

/// How much room a file system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    /// Bytes that this person may still write.
    pub(crate) free: u64,
    /// Bytes that are taken.
    pub(crate) used: u64,
}

impl Room {
    /// What of it is full, 0 to 1, as `df` counts: what is kept for the administrator is neither free nor
    /// used.
    pub(crate) fn fill(self) -> Option<f64> {
        let all = self.used.checked_add(self.free).filter(|all| *all > 0)?;
        Some(self.used as f64 / all as f64)
    }
}

/// Which way a block goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From the drive.
    Read,
    /// To the drive.
    Write,
}

/// Several blocks on their way at once: io_uring, overlapped requests, or a thread for each.
///
/// Blocks lie in slots. A slot that was started belongs to the system until [`Queue::wait`] names it.
pub trait Queue {
    /// Makes `slots` slots of `block` bytes each. Nothing may be on its way.
    ///
    /// # Errors
    /// As the system has them.
    fn prepare(&mut self, slots: usize, block: usize) -> io::Result<()>;

    /// The bytes of a slot that is not on its way.
    fn block(&mut self, slot: usize) -> &mut [u8];

    /// Sends a whole slot on its way, at the latest with the next [`Queue::wait`].
    ///
    /// # Errors
    /// As the system has them.
    fn start(&mut self, slot: usize, way: Way, offset: u64) -> io::Result<()>;

    /// Waits for at least one slot, and adds all that have arrived to `done`.
    ///
    /// # Errors
    /// The first that the system reported for a slot, [`io::ErrorKind::UnexpectedEof`] or
    /// [`io::ErrorKind::WriteZero`] if only a part of one was moved. Nothing may be started after that.
    fn wait(&mut self, done: &mut Vec<usize>) -> io::Result<()>;
}

/// What is measured: a file or a device, or in tests something that behaves as the test wants it.
pub trait Target: Queue {
    /// Returns when everything that was written is safe on the medium.
    ///
    /// # Errors
    /// As the system has them.
    fn flush(&mut self) -> io::Result<()>;

    /// Makes the system forget what it has in its cache, where it has one in between.
    fn forget(&mut self);

    /// How near to the drive this comes.
    fn access(&self) -> Access;

    /// The clock that this target is measured by: time since some moment.
    fn now(&self) -> Duration;

    /// Whether the bytes matter. A simulated drive has none.
    fn keeps_data(&self) -> bool {
        true
    }
}

/// Only a part of a block was moved.
fn short(way: Way) -> io::Error {
    match way {
        Way::Read => io::ErrorKind::UnexpectedEof.into(),
        Way::Write => io::ErrorKind::WriteZero.into(),
    }
}
