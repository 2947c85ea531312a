//! A test file, or a device that is only read.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{Queue, Target, Way, platform};
use crate::Access;

/// A file that nobody else sees and that is gone whatever happens to this program; or something that
/// exists and is opened to be read only.
pub struct TestFile {
    // Before the file: whatever is still on its way ends first.
    queue: Box<dyn Queue>,
    file: File,
    access: Access,
    begun: Instant,
}

impl TestFile {
    /// An empty file in `folder`. It is removed when the measurement ends, however it ends.
    ///
    /// # Errors
    /// As the system has them.
    pub fn new(folder: &Path) -> io::Result<Self> {
        Self::on(platform::create(folder)?)
    }

    /// An existing file or device, to be read only.
    ///
    /// # Errors
    /// As the system has them: [`io::ErrorKind::PermissionDenied`] for a device as an ordinary user.
    pub fn existing(path: &Path) -> io::Result<Self> {
        Self::on(platform::open(path, false)?)
    }

    /// An existing file whose bytes may be lost, to be read and written: so that another tool can measure
    /// the same file.
    ///
    /// # Errors
    /// As the system has them.
    pub fn overwriting(path: &Path) -> io::Result<Self> {
        Self::on(platform::open(path, true)?)
    }

    fn on((file, access): (File, Access)) -> io::Result<Self> {
        let queue = platform::queue(&file)?;
        Ok(Self { queue, file, access, begun: Instant::now() })
    }

    /// Bytes of it, also of a device.
    ///
    /// # Errors
    /// As the system has them.
    pub fn length(&self) -> io::Result<u64> {
        platform::length(&self.file)
    }
}

impl Queue for TestFile {
    fn prepare(&mut self, slots: usize, block: usize) -> io::Result<()> {
        self.queue.prepare(slots, block)
    }

    fn block(&mut self, slot: usize) -> &mut [u8] {
        self.queue.block(slot)
    }

    fn start(&mut self, slot: usize, way: Way, offset: u64) -> io::Result<()> {
        self.queue.start(slot, way, offset)
    }

    fn wait(&mut self, done: &mut Vec<usize>) -> io::Result<()> {
        self.queue.wait(done)
    }
}

impl Target for TestFile {
    fn flush(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn forget(&mut self) {
        if self.access == Access::Buffered {
            platform::forget(&self.file);
        }
    }

    fn access(&self) -> Access {
        self.access
    }

    fn now(&self) -> Duration {
        self.begun.elapsed()
    }
}

/// A name that nobody has chosen before.
pub(super) fn name() -> io::Result<String> {
    let mut random = [0; 4];
    getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(format!(".latchkey-bench-{:08x}", u32::from_le_bytes(random)))
}
