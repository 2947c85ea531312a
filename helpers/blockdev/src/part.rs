use crate::{Device, Error, Result};

/// A piece of a device as a device of its own: the tail that holds a parked header, a partition
/// inside an image. It cannot change its size.
pub struct Part<'a> {
    whole: &'a dyn Device,
    start: u64,
    size: u64,
}

impl<'a> Part<'a> {
    /// `size` bytes from `start`. An error if that crosses the end.
    pub fn new(whole: &'a dyn Device, start: u64, size: u64) -> Result<Self> {
        match start.checked_add(size) {
            Some(end) if end <= whole.size() => Ok(Self { whole, start, size }),
            _ => Err(Error::OutOfRange { offset: start, length: size, size: whole.size() }),
        }
    }

    fn place(&self, offset: u64, length: usize) -> Result<u64> {
        match offset.checked_add(length as u64) {
            Some(end) if end <= self.size => Ok(self.start + offset),
            _ => Err(Error::OutOfRange { offset, length: length as u64, size: self.size }),
        }
    }
}

impl Device for Part<'_> {
    fn size(&self) -> u64 {
        self.size
    }
    fn logical_sector(&self) -> u32 {
        self.whole.logical_sector()
    }
    fn physical_sector(&self) -> u32 {
        self.whole.physical_sector()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.whole.read_at(self.place(offset, buffer.len())?, buffer)
    }
    fn write_at(&self, offset: u64, data: &[u8]) -> Result<()> {
        self.whole.write_at(self.place(offset, data.len())?, data)
    }
    fn flush(&self) -> Result<()> {
        self.whole.flush()
    }
    fn resize(&self, _: u64) -> Result<()> {
        Err(Error::FixedSize)
    }
}
