use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use blockdev::{Device, Memory, Result};

/// A device in memory that notes what is written, and panics if it is written to without leave.
pub(crate) struct Guarded {
    memory: Memory,
    may_write: AtomicBool,
    /// The end of what was written, the highest of all.
    end: AtomicU64,
}

impl Guarded {
    /// Nobody may write.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { memory: Memory::new(bytes), may_write: AtomicBool::new(false), end: AtomicU64::new(0) }
    }

    /// From now on it may be written to.
    pub fn allow(&self) {
        self.may_write.store(true, Ordering::Relaxed);
    }

    /// Whether anything was written, or the size changed.
    pub fn is_changed(&self) -> bool {
        self.end() > 0
    }

    /// Where the last byte ends that was written.
    pub fn end(&self) -> u64 {
        self.end.load(Ordering::Relaxed)
    }

    fn note(&self, end: u64) {
        assert!(self.may_write.load(Ordering::Relaxed), "written to without leave");
        self.end.fetch_max(end, Ordering::Relaxed);
    }
}

impl Device for Guarded {
    fn size(&self) -> u64 {
        self.memory.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.memory.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, data: &[u8]) -> Result<()> {
        self.memory.write_at(offset, data)?;
        self.note(offset + data.len() as u64);
        Ok(())
    }

    fn flush(&self) -> Result<()> {
        Ok(())
    }

    fn resize(&self, size: u64) -> Result<()> {
        // No disk is without end.
        if size > 64 << 20 {
            return Err(blockdev::Error::Full);
        }
        self.memory.resize(size)?;
        self.note(u64::MAX);
        Ok(())
    }

    fn resizable(&self) -> bool {
        true
    }
}
