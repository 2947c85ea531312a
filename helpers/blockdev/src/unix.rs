//! Files and block devices on Linux and macOS.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt, FileTypeExt, OpenOptionsExt};
use std::path::Path;

use crate::{Access, Error, Operation, Result};

/// What never changes about an open device, and its size at the time of opening.
#[derive(Debug)]
pub(super) struct Shape {
    pub size: u64,
    pub regular_file: bool,
    pub logical_sector: u32,
    pub physical_sector: u32,
}

pub(super) fn refuse_wrong_kind(path: &Path) -> Result<()> {
    let shown = path.display().to_string();
    let kind = std::fs::metadata(path).map_err(|error| Error::from_io(Operation::Open, 0, &shown, error))?.file_type();
    if kind.is_file() || kind.is_block_device() { Ok(()) } else { Err(Error::WrongKind { path: shown }) }
}

pub(super) fn prepare(options: &mut OpenOptions, path: &Path, access: Access) {
    let block = std::fs::metadata(path).is_ok_and(|data| data.file_type().is_block_device());
    if block && access == Access::Exclusive {
        // On a block device O_EXCL without O_CREAT means "refuse if mounted, mapped or claimed" (open(2)).
        options.custom_flags(libc::O_EXCL | libc::O_CLOEXEC);
    }
}

/// Nobody is kept from opening it.
pub(super) fn open(options: &OpenOptions, path: &Path) -> io::Result<Option<File>> {
    options.open(path).map(Some)
}

/// `None`: somebody else holds the lock.
pub(super) fn lock(file: &File) -> io::Result<Option<()>> {
    match file.try_lock() {
        Ok(()) => Ok(Some(())),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

pub(super) fn shape(file: &File, path: &Path) -> io::Result<Shape> {
    let data = file.metadata()?;
    if data.file_type().is_block_device() {
        return block_shape(file, path);
    }
    Ok(Shape { size: data.len(), regular_file: true, logical_sector: 512, physical_sector: 4096 })
}

/// The size by seeking, the sectors by sysfs: neither needs an ioctl, and so no unsafe code.
fn block_shape(file: &File, _path: &Path) -> io::Result<Shape> {
    use std::io::{Seek, SeekFrom};
    use std::os::unix::fs::MetadataExt;
    let size = (&mut &*file).seek(SeekFrom::End(0))?;
    let number = file.metadata()?.rdev();
    #[cfg(target_os = "linux")]
    let device = format!("/sys/dev/block/{}:{}", rustix::fs::major(number), rustix::fs::minor(number));
    // Elsewhere there is no such folder, and the usual sizes are taken.
    #[cfg(not(target_os = "linux"))]
    let device = format!("/nowhere/{number}");
    let read = |name: &str| {
        // A partition has its queue in its parent's folder.
        [format!("{device}/queue/{name}"), format!("{device}/../queue/{name}")]
            .iter()
            .find_map(|path| std::fs::read_to_string(path).ok()?.trim().parse::<u32>().ok())
    };
    let logical_sector = read("logical_block_size").unwrap_or(512);
    let physical_sector = read("physical_block_size").unwrap_or(logical_sector).max(logical_sector);
    Ok(Shape { size, regular_file: false, logical_sector, physical_sector })
}

pub(super) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(buffer, offset)
}

pub(super) fn write_all_at(file: &File, data: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(data, offset)
}

/// Changes a file's length. New room is really reserved where the file system can, so that a full
/// disk is noticed now and not in the middle of a conversion.
pub(super) fn resize(file: &File, before: u64, size: u64) -> io::Result<()> {
    if size > before {
        #[cfg(target_os = "linux")]
        match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), before, size - before) {
            Ok(()) => return Ok(()),
            Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS | rustix::io::Errno::INVAL) => {}
            Err(error) => {
                // A half-done reservation is given back.
                let _ = file.set_len(before);
                return Err(error.into());
            }
        }
    }
    file.set_len(size)
}
