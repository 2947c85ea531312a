use std::sync::{PoisonError, RwLock};

use crate::{Device, Error, Result};

/// A device in memory, for tests and for headers that are put together before they are written.
#[derive(Debug, Default)]
pub struct Memory(RwLock<Vec<u8>>);

impl Memory {
    /// A device that holds `bytes`.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(RwLock::new(bytes))
    }

    /// A copy of all its bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

pub(crate) fn range(offset: u64, length: usize, size: u64) -> Result<std::ops::Range<usize>> {
    let error = Error::OutOfRange { offset, length: length as u64, size };
    match offset.checked_add(length as u64) {
        Some(end) if end <= size => match (usize::try_from(offset), usize::try_from(end)) {
            (Ok(start), Ok(end)) => Ok(start..end),
            _ => Err(error),
        },
        _ => Err(error),
    }
}

impl Device for Memory {
    fn size(&self) -> u64 {
        self.0.read().unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let bytes = self.0.read().unwrap_or_else(PoisonError::into_inner);
        buffer.copy_from_slice(&bytes[range(offset, buffer.len(), bytes.len() as u64)?]);
        Ok(())
    }

    fn write_at(&self, offset: u64, data: &[u8]) -> Result<()> {
        let mut bytes = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let range = range(offset, data.len(), bytes.len() as u64)?;
        bytes[range].copy_from_slice(data);
        Ok(())
    }

    fn flush(&self) -> Result<()> {
        Ok(())
    }

    fn resize(&self, size: u64) -> Result<()> {
        let size = usize::try_from(size).map_err(|_| Error::Full)?;
        self.0.write().unwrap_or_else(PoisonError::into_inner).resize(size, 0);
        Ok(())
    }

    fn resizable(&self) -> bool {
        true
    }
}
