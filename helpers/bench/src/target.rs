use std::io;

use crate::Access;

#[cfg_attr(target_os = "linux", path = "target/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "target/elsewhere.rs")]
mod platform;

pub use platform::TestFile;
pub(crate) use platform::free;

/// What is measured: a file, or in tests something that behaves as the test wants it.
pub trait Target {
    /// Reads a whole block.
    ///
    /// # Errors
    /// As the system has them.
    fn read(&mut self, block: &mut [u8], offset: u64) -> io::Result<()>;

    /// Writes a whole block.
    ///
    /// # Errors
    /// As the system has them.
    fn write(&mut self, block: &[u8], offset: u64) -> io::Result<()>;

    /// Returns when everything that was written is safe on the medium.
    ///
    /// # Errors
    /// As the system has them.
    fn flush(&mut self) -> io::Result<()>;

    /// Makes the system forget what it has in its cache, where it has one in between.
    fn forget(&mut self);

    /// How near to the drive this comes.
    fn access(&self) -> Access;
}
