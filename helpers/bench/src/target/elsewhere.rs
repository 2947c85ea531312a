//! Other systems: a file through the cache, which the figures say. Direct input and output
//! (`F_NOCACHE`, `FILE_FLAG_NO_BUFFERING`) come with the deeper benchmark.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::Target;
use crate::Access;

/// Not asked here; a full drive is found while the file is written.
pub(crate) fn free(folder: &Path) -> io::Result<Option<u64>> {
    std::fs::metadata(folder).map(|_| None)
}

/// A file that is removed when the measurement ends, however it ends.
pub struct TestFile {
    file: Option<File>,
    path: PathBuf,
}

impl TestFile {
    /// An empty file in `folder`.
    ///
    /// # Errors
    /// As the system has them.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let mut random = [0; 4];
        getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
        let path = folder.join(format!(".latchkey-bench-{:08x}", u32::from_le_bytes(random)));
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        // Where a file in use may lose its name, it does so at once.
        let _ = std::fs::remove_file(&path);
        Ok(Self { file: Some(file), path })
    }

    fn at(&mut self, offset: u64) -> io::Result<&mut File> {
        let file = self.file.as_mut().ok_or(io::ErrorKind::NotFound)?;
        file.seek(SeekFrom::Start(offset))?;
        Ok(file)
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        self.file = None;
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Target for TestFile {
    fn read(&mut self, block: &mut [u8], offset: u64) -> io::Result<()> {
        self.at(offset)?.read_exact(block)
    }

    fn write(&mut self, block: &[u8], offset: u64) -> io::Result<()> {
        self.at(offset)?.write_all(block)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.at(0)?.sync_data()
    }

    fn forget(&mut self) {}

    fn access(&self) -> Access {
        Access::Buffered
    }
}
