//! A device to read, write and flush: a file, a partition, a piece of one, memory.

mod allocation;
mod buffer;
#[cfg(target_os = "linux")]
mod direct;
#[cfg(target_os = "linux")]
mod discard;
mod error;
mod file;
mod memory;
mod part;
mod polite;
#[cfg(target_os = "linux")]
mod ring;
pub mod simulated;

pub use allocation::Allocation;
pub use buffer::Buffer;
pub use error::{Error, Operation, Result};
pub use file::{Access, FileDevice};
pub use memory::Memory;
pub use part::Part;
pub use polite::{Idle, Traffic};

/// Something with bytes at addresses.
///
/// Offsets and lengths are in bytes. A read or write that would cross the end is an error and
/// touches nothing. What was written before [`flush`](Device::flush) returned is there after a power
/// cut; of what was written since, any part may be missing, in any order, down to single sectors.
pub trait Device: Send + Sync {
    /// Bytes on the device.
    fn size(&self) -> u64;

    /// The unit that is written whole or not at all (512 or 4096).
    fn logical_sector(&self) -> u32 {
        512
    }

    /// The unit that the medium itself works in: at least [`logical_sector`](Device::logical_sector).
    fn physical_sector(&self) -> u32 {
        self.logical_sector()
    }

    /// Fills `buffer` from `offset`.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()>;

    /// Writes the whole of `data` at `offset`.
    fn write_at(&self, offset: u64, data: &[u8]) -> Result<()>;

    /// Returns when everything written so far survives a power cut.
    fn flush(&self) -> Result<()>;

    /// Grows (with zeros) or cuts the device. Only plain files can.
    fn resize(&self, size: u64) -> Result<()>;

    /// Whether [`resize`](Device::resize) can work.
    fn resizable(&self) -> bool {
        false
    }

    /// Says that these bytes are not needed any more: what is read there afterwards is undefined. `false`:
    /// the device does not care.
    fn discard(&self, offset: u64, length: u64) -> Result<bool> {
        let _ = (offset, length);
        Ok(false)
    }

    /// Bytes that are best read or written at once: what the device, or the way to it, has in flight. A power
    /// of two of at least 4096.
    fn lump(&self) -> usize {
        256 * 1024
    }

    /// Whether what is read and written lies in this computer's memory, or goes through it: then many small
    /// transfers at once, from all cores, are the fastest way.
    fn is_memory(&self) -> bool {
        false
    }

    /// Says that these bytes are going to be read soon. Costs nothing where that is of no use.
    fn prefetch(&self, offset: u64, length: u64) {
        let _ = (offset, length);
    }

    /// Reads `length` bytes at `offset` into a new buffer.
    fn read_vec(&self, offset: u64, length: usize) -> Result<Vec<u8>> {
        let mut buffer = vec![0; length];
        self.read_at(offset, &mut buffer)?;
        Ok(buffer)
    }
}

impl<D: Device + ?Sized> Device for std::sync::Arc<D> {
    fn size(&self) -> u64 {
        (**self).size()
    }
    fn logical_sector(&self) -> u32 {
        (**self).logical_sector()
    }
    fn physical_sector(&self) -> u32 {
        (**self).physical_sector()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        (**self).read_at(offset, buffer)
    }
    fn write_at(&self, offset: u64, data: &[u8]) -> Result<()> {
        (**self).write_at(offset, data)
    }
    fn flush(&self) -> Result<()> {
        (**self).flush()
    }
    fn resize(&self, size: u64) -> Result<()> {
        (**self).resize(size)
    }
    fn resizable(&self) -> bool {
        (**self).resizable()
    }
    fn lump(&self) -> usize {
        (**self).lump()
    }
    fn is_memory(&self) -> bool {
        (**self).is_memory()
    }
    fn prefetch(&self, offset: u64, length: u64) {
        (**self).prefetch(offset, length);
    }
    fn discard(&self, offset: u64, length: u64) -> Result<bool> {
        (**self).discard(offset, length)
    }
}
