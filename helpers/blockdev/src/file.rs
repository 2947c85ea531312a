use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use crate::direct::Direct;
use crate::{Device, Error, Operation, Result, Traffic};

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
    /// Its length has changed since the last flush.
    resized: AtomicBool,
    /// Bytes read and written through it.
    moved: AtomicU64,
    shape: platform::Shape,
    /// For large transfers.
    #[cfg(target_os = "linux")]
    direct: Option<Direct>,
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
        let Some(file) = unless_held(|| platform::open(&options, path)).map_err(fail)? else {
            return Err(Error::InUse { path: shown });
        };
        let shape = platform::shape(&file, path).map_err(fail)?;
        if access == Access::Exclusive && unless_held(|| platform::lock(&file)).map_err(fail)?.is_none() {
            return Err(Error::InUse { path: shown });
        }
        Ok(Self {
            #[cfg(target_os = "linux")]
            direct: if access == Access::Exclusive { Direct::of(&file) } else { None },
            file,
            path: path.to_owned(),
            size: AtomicU64::new(shape.size),
            resized: AtomicBool::new(false),
            moved: AtomicU64::new(0),
            shape,
        })
    }

    /// The path it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the disk below has read and written, for all programs together. `None`: not to be seen.
    pub fn traffic(&self) -> Option<Traffic> {
        crate::polite::traffic(&self.file)
    }

    /// Bytes that were read and written through this handle since it was opened.
    pub fn own_traffic(&self) -> u64 {
        self.moved.load(Ordering::Relaxed)
    }

    /// How long the medium takes for a single small reading at a place that chance picks. `None`: it cannot be
    /// asked past the system's cache.
    pub fn response(&self) -> Option<Duration> {
        #[cfg(target_os = "linux")]
        {
            let begun = Instant::now();
            let chance = u64::from(begun.elapsed().subsec_nanos()) ^ self.own_traffic() ^ u64::from(std::process::id());
            let pages = self.size() / 4096;
            let page = chance.wrapping_mul(0x9e37_79b9_7f4a_7c15).checked_rem(pages)?;
            self.direct.as_ref()?.read(page * 4096, &mut crate::Buffer::new(4096)).ok()?;
            Some(begun.elapsed())
        }
        #[cfg(not(target_os = "linux"))]
        None
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

/// Tries until it is had. Held for a moment it is nobody's use of the device: udev takes a lock to look what lies
/// there, and a program that is just being started holds all our locks until it begins to run. `None`: it stays held.
fn unless_held<T>(mut attempt: impl FnMut() -> std::io::Result<Option<T>>) -> std::io::Result<Option<T>> {
    let begun = Instant::now();
    loop {
        match attempt()? {
            None if begun.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(20)),
            had => return Ok(had),
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
        self.moved.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        #[cfg(target_os = "linux")]
        if let Some(direct) = self.direct.as_ref().filter(|direct| direct.takes(offset, buffer)) {
            match direct.read(offset, buffer) {
                // Some file systems say no only now; the ordinary way is left.
                Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => {}
                done => return done.map_err(|error| self.error(Operation::Read, offset, error)),
            }
        }
        platform::read_exact_at(&self.file, buffer, offset).map_err(|error| self.error(Operation::Read, offset, error))
    }

    fn write_at(&self, offset: u64, data: &[u8]) -> Result<()> {
        self.check(offset, data.len())?;
        self.moved.fetch_add(data.len() as u64, Ordering::Relaxed);
        #[cfg(target_os = "linux")]
        if let Some(direct) = self.direct.as_ref().filter(|direct| direct.takes(offset, data)) {
            match direct.write(offset, data) {
                Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => {}
                done => return done.map_err(|error| self.error(Operation::Write, offset, error)),
            }
        }
        platform::write_all_at(&self.file, data, offset).map_err(|error| self.error(Operation::Write, offset, error))
    }

    fn flush(&self) -> Result<()> {
        // A file's times are not worth a commit of the file system's journal; a new length is.
        let resized = self.resized.swap(false, Ordering::Relaxed);
        let done = if resized { self.file.sync_all() } else { self.file.sync_data() };
        done.map_err(|error| {
            self.resized.fetch_or(resized, Ordering::Relaxed);
            self.error(Operation::Flush, 0, error)
        })
    }

    fn resize(&self, size: u64) -> Result<()> {
        if !self.resizable() {
            return Err(Error::FixedSize);
        }
        let before = self.size();
        platform::resize(&self.file, before, size).map_err(|error| self.error(Operation::Resize, size, error))?;
        self.size.store(size, Ordering::Relaxed);
        self.resized.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn resizable(&self) -> bool {
        self.shape.regular_file
    }

    #[cfg(target_os = "linux")]
    fn lump(&self) -> usize {
        // Past the cache, the more is in flight the better.
        if self.direct.is_some() { 16 << 20 } else { 256 << 10 }
    }

    #[cfg(target_os = "linux")]
    fn is_memory(&self) -> bool {
        self.direct.is_none()
    }

    #[cfg(target_os = "linux")]
    fn prefetch(&self, offset: u64, length: u64) {
        let length = std::num::NonZeroU64::new(length);
        // A hint, and no more.
        let _ = rustix::fs::fadvise(&self.file, offset, length, rustix::fs::Advice::WillNeed);
    }

    #[cfg(target_os = "linux")]
    fn discard(&self, offset: u64, length: u64) -> Result<bool> {
        self.check(offset, usize::try_from(length).unwrap_or(usize::MAX))?;
        crate::discard::discard(&self.file, self.shape.regular_file, offset, length)
            .map_err(|error| self.error(Operation::Discard, offset, error))
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
        // Whoever only reads is not kept out, neither of opening it nor of what is in it.
        assert_eq!(FileDevice::open(&path, Access::Read).unwrap().read_vec(0, 1).unwrap(), [0]);
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
