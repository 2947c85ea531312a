//! Linux: a file without a name, with direct input and output.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rustix::fs::{
    Advice, AtFlags, CWD, Mode, OFlags, fadvise, fcntl_getfl, fcntl_setfl, openat, statfs, statvfs, unlinkat,
};
use rustix::io::Errno;

use super::Target;
use crate::Access;

/// `f_type` of file systems that live in memory (`statfs(2)`).
const TMPFS: u64 = 0x0102_1994;
const RAMFS: u64 = 0x8584_58f6;

/// Readable and writable for the owner alone.
const OWNER: Mode = Mode::RUSR.union(Mode::WUSR);

/// Bytes free for this user.
pub(crate) fn free(folder: &Path) -> io::Result<Option<u64>> {
    let data = statvfs(folder)?;
    Ok(Some(data.f_bavail.saturating_mul(data.f_frsize)))
}

/// A file that nobody sees and that is gone whatever happens to this program: it never has a name,
/// or loses it at once.
pub struct TestFile {
    file: File,
    access: Access,
}

impl TestFile {
    /// An empty file in `folder`.
    ///
    /// # Errors
    /// As the system has them.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let file = open(folder)?;
        let kind = statfs(folder)?.f_type;
        // The type's width and sign differ between architectures; its 32 bits do not.
        #[allow(clippy::cast_sign_loss, clippy::unnecessary_cast)]
        let in_memory = [TMPFS, RAMFS].contains(&(kind as u64 & 0xffff_ffff));
        let direct = set_direct(&file, true).is_ok();
        let access = match (in_memory, direct) {
            (true, _) => Access::Memory,
            (false, true) => Access::Direct,
            (false, false) => Access::Buffered,
        };
        Ok(Self { file, access })
    }

    /// Some file systems accept the flag and refuse the first block. Whether it is worth trying again.
    fn gave_up_direct(&mut self, error: &io::Error) -> bool {
        let refused = Errno::from_io_error(error) == Some(Errno::INVAL) && set_direct(&self.file, false).is_ok();
        if refused && self.access == Access::Direct {
            self.access = Access::Buffered;
        }
        refused
    }
}

impl Target for TestFile {
    fn read(&mut self, block: &mut [u8], offset: u64) -> io::Result<()> {
        match self.file.read_exact_at(block, offset) {
            Err(error) if self.gave_up_direct(&error) => self.file.read_exact_at(block, offset),
            result => result,
        }
    }

    fn write(&mut self, block: &[u8], offset: u64) -> io::Result<()> {
        match self.file.write_all_at(block, offset) {
            Err(error) if self.gave_up_direct(&error) => self.file.write_all_at(block, offset),
            result => result,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn forget(&mut self) {
        if self.access == Access::Buffered {
            // Reading ahead would answer later blocks from the cache.
            let _ = fadvise(&self.file, 0, None, Advice::Random);
            let _ = fadvise(&self.file, 0, None, Advice::DontNeed);
        }
    }

    fn access(&self) -> Access {
        self.access
    }
}

fn open(folder: &Path) -> io::Result<File> {
    match openat(CWD, folder, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, OWNER) {
        Ok(file) => Ok(file.into()),
        // File systems without files that have no name (FAT, exFAT, NTFS, many over FUSE).
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => open_named(folder),
        Err(error) => Err(error.into()),
    }
}

fn open_named(folder: &Path) -> io::Result<File> {
    let folder = openat(CWD, folder, OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let mut random = [0; 4];
    getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
    let name = format!(".latchkey-bench-{:08x}", u32::from_le_bytes(random));
    let file = openat(&folder, &name, OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC, OWNER)?;
    unlinkat(&folder, &name, AtFlags::empty())?;
    Ok(file.into())
}

fn set_direct(file: &File, on: bool) -> io::Result<()> {
    let flags = fcntl_getfl(file)?;
    let wanted = if on { flags | OFlags::DIRECT } else { flags - OFlags::DIRECT };
    if !on && wanted == flags {
        // It was off: then the refusal has another reason.
        return Err(Errno::INVAL.into());
    }
    Ok(fcntl_setfl(file, wanted)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_a_name_loses_it_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut target = TestFile { file: open_named(folder.path()).unwrap(), access: Access::Buffered };
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        target.write(&[7; 4096], 4096).unwrap();
        target.flush().unwrap();
        target.forget();
        let mut block = [0; 4096];
        target.read(&mut block, 4096).unwrap();
        assert_eq!(block, [7; 4096]);
    }

    #[test]
    fn a_refused_direct_block_goes_through_the_cache_instead() {
        let folder = tempfile::tempdir().unwrap();
        let mut target = TestFile::new(folder.path()).unwrap();
        if target.access() != Access::Direct {
            println!("left out: no direct input and output in the temporary folder");
            return;
        }
        // No drive takes seven bytes at an odd place.
        target.write(b"sevenby", 1).unwrap();
        assert_eq!(target.access(), Access::Buffered);
        let mut block = [0; 7];
        target.read(&mut block, 1).unwrap();
        assert_eq!(&block, b"sevenby");
    }
}
