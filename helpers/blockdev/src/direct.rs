//! Large reads and writes past the page cache on Linux: O_DIRECT, many pieces in flight by io_uring.
//!
//! Who converts a drive touches every byte once: the page cache would only push out what other programs
//! need, and copy everything a second time. Where the kernel, the file system or a sandbox does not allow
//! it, the ordinary calls do the same.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Mutex, PoisonError};

use rustix::fs::{AtFlags, StatxFlags, statx};

use crate::ring::{Ring, Work};

/// A second handle of an open file, for large and aligned transfers.
pub(crate) struct Direct {
    file: File,
    /// Offsets, lengths and addresses must be multiples of this.
    align: usize,
    /// Rings that nobody uses at the moment.
    rings: Mutex<Vec<Ring>>,
}

/// Below this the ordinary calls are as good.
const LEAST: usize = 256 * 1024;

impl Direct {
    /// `None`: not here. The same open file is taken through `/proc`, so that it is the same one
    /// whatever happened to the path.
    pub(crate) fn of(file: &File) -> Option<Self> {
        let known = statx(file, "", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN).ok()?;
        let align = known.stx_dio_mem_align.max(known.stx_dio_offset_align);
        // Zero where direct transfers are not possible, or only seem so, as on tmpfs.
        if !(512..=4096).contains(&align) || !align.is_power_of_two() {
            return None;
        }
        let first = Ring::new().ok()?;
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let file = OpenOptions::new().read(true).write(true).custom_flags(libc::O_DIRECT | libc::O_CLOEXEC).open(path);
        Some(Self { file: file.ok()?, align: usize::try_from(align).ok()?, rings: Mutex::new(vec![first]) })
    }

    /// Whether this transfer can go past the cache.
    pub(crate) fn takes(&self, offset: u64, bytes: &[u8]) -> bool {
        bytes.len() >= LEAST
            && offset.is_multiple_of(self.align as u64)
            && bytes.len().is_multiple_of(self.align)
            && (bytes.as_ptr() as usize).is_multiple_of(self.align)
    }

    /// Fills the whole buffer.
    pub(crate) fn read(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.with_ring(|ring, file| ring.transfer(file, offset, Work::Read(buffer)))
    }

    /// Writes all of it.
    pub(crate) fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.with_ring(|ring, file| ring.transfer(file, offset, Work::Write(data)))
    }

    fn with_ring(&self, work: impl FnOnce(&mut Ring, &File) -> io::Result<()>) -> io::Result<()> {
        let free = self.rings.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut ring = free.map_or_else(Ring::new, Ok)?;
        let done = work(&mut ring, &self.file);
        self.rings.lock().unwrap_or_else(PoisonError::into_inner).push(ring);
        done
    }
}

impl std::fmt::Debug for Direct {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Direct").field("align", &self.align).finish_non_exhaustive()
    }
}
