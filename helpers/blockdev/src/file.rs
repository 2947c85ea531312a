use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::{Device, Error, Operation, Result};

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod platform;

/// How a device is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read only; others may use it meanwhile.
    Read,
    /// Read and write, and nobody else may hold it: a block device is opened with `O_EXCL`, so that
    /// the kernel refuses what is mounted or mapped; a file is locked.
    Exclusive,
}

/// A file or a block device of this computer.
#[derive(Debug)]
pub struct FileDevice {
    file: File,
    path: PathBuf,
    size: AtomicU64,
    shape: platform::Shape,
}

impl FileDevice {
    /// Opens a regular file or a block device.
    ///
    /// # Errors
    /// [`Error::Missing`], [`Error::NoRights`], [`Error::InUse`], [`Error::ReadOnly`], and
    /// [`Error::WrongKind`] for a folder, a socket and the like.
    pub fn open(path: &Path, access: Access) -> Result<Self> {
        let shown = path.display().to_string();
        let fail = |error| Error::from_io(Operation::Open, 0, &shown, error);
        platform::refuse_wrong_kind(path)?;
        let mut options = OpenOptions::new();
        options.read(true).write(access == Access::Exclusive);
        platform::prepare(&mut options, path, access);
        let file = options.open(path).map_err(fail)?;
        let shape = platform::shape(&file, path).map_err(fail)?;
        if access == Access::Exclusive && !lock(&file).map_err(fail)? {
            return Err(Error::InUse { path: shown });
        }
        Ok(Self { file, path: path.to_owned(), size: AtomicU64::new(shape.size), shape })
    }

    /// The path it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn check(&self, offset: u64, length: usize) -> Result<()> {
        let size = self.size();
        match offset.checked_add(length as u64) {
            Some(end) if end <= size => Ok(()),
            _ => Err(Error::OutOfRange { offset, length: length as u64, size }),
        }
    }

    fn error(&self, operation: Operation, offset: u64, source: std::io::Error) -> Error {
        Error::from_io(operation, offset, &self.path.display().to_string(), source)
    }
}

/// How long somebody may hold the lock before the device counts as in use.
const PATIENCE: Duration = Duration::from_millis(300);

/// Takes the lock. Held for a moment it is nobody's use of the device: udev takes it to look what lies
/// there, and a program that is just being started holds all our locks until it begins to run.
fn lock(file: &File) -> std::io::Result<bool> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(std::fs::TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(std::fs::TryLockError::WouldBlock) => return Ok(false),
            Err(std::fs::TryLockError::Error(error)) => return Err(error),
        }
    }
}

impl Device for FileDevice {
    fn size(&self) -> u64 {
        self.size.load(Ordering::Relaxed)
    }

    fn logical_sector(&self) -> u32 {
        self.shape.logical_sector
    }

    fn physical_sector(&self) -> u32 {
        self.shape.physical_sector
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.check(offset, buffer.len())?;
        platform::read_exact_at(&self.file, buffer, offset).map_err(|error| self.error(Operation::Read, offset, error))
    }

    fn write_at(&self, offset: u64, data: &[u8]) -> Result<()> {
        self.check(offset, data.len())?;
        platform::write_all_at(&self.file, data, offset).map_err(|error| self.error(Operation::Write, offset, error))
    }

    fn flush(&self) -> Result<()> {
        // sync_all, not sync_data: growing an image changes metadata that the data depend on.
        self.file.sync_all().map_err(|error| self.error(Operation::Flush, 0, error))
    }

    fn resize(&self, size: u64) -> Result<()> {
        if !self.resizable() {
            return Err(Error::FixedSize);
        }
        let before = self.size();
        platform::resize(&self.file, before, size).map_err(|error| self.error(Operation::Resize, size, error))?;
        self.size.store(size, Ordering::Relaxed);
        Ok(())
    }

    fn resizable(&self) -> bool {
        self.shape.regular_file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_held_for_a_moment_is_waited_for_and_one_that_stays_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("image");
        std::fs::write(&path, [0; 4096]).unwrap();
        let first = FileDevice::open(&path, Access::Exclusive).unwrap();
        assert!(matches!(FileDevice::open(&path, Access::Exclusive), Err(Error::InUse { .. })));
        assert!(FileDevice::open(&path, Access::Read).is_ok());
        std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(60));
                drop(first);
            });
            assert!(FileDevice::open(&path, Access::Exclusive).is_ok());
        });
    }

    #[test]
    fn what_is_no_device_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let open = |path: &Path| FileDevice::open(path, Access::Read).unwrap_err();
        assert!(matches!(open(&folder.path().join("nothing")), Error::Missing { .. }));
        assert!(matches!(open(folder.path()), Error::WrongKind { .. }));
    }

    #[test]
    fn nothing_crosses_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("image");
        std::fs::write(&path, [7; 1000]).unwrap();
        let device = FileDevice::open(&path, Access::Exclusive).unwrap();
        assert!(matches!(device.write_at(999, &[1, 1]), Err(Error::OutOfRange { .. })));
        assert!(matches!(device.read_vec(u64::MAX, 1), Err(Error::OutOfRange { .. })));
        assert_eq!(std::fs::read(&path).unwrap(), [7; 1000]);
        device.resize(2000).unwrap();
        assert_eq!(device.read_vec(999, 2).unwrap(), [7, 0]);
        device.resize(1000).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().len(), 1000);
    }
}
