//! macOS: `F_NOCACHE`, and a thread for each block on its way. Checked by the compiler against the
//! target; not run by this project's own tests, which have no Mac.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::fcntl_nocache;

use super::Queue;
use super::file::name;
use super::pool::Pool;
use crate::Access;

/// An empty file that loses its name at once.
pub(super) fn create(folder: &Path) -> io::Result<(File, Access)> {
    let path = folder.join(name()?);
    let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path)?;
    std::fs::remove_file(&path)?;
    past_the_cache(file)
}

pub(super) fn open(path: &Path, write: bool) -> io::Result<(File, Access)> {
    past_the_cache(File::options().read(true).write(write).open(path)?)
}

fn past_the_cache(file: File) -> io::Result<(File, Access)> {
    let access = if fcntl_nocache(&file, true).is_ok() { Access::Direct } else { Access::Buffered };
    Ok((file, access))
}

pub(super) fn queue(file: &File) -> io::Result<Box<dyn Queue>> {
    Ok(Box::new(Pool::new(file.try_clone()?)))
}

pub(super) fn length(mut file: &File) -> io::Result<u64> {
    file.seek(SeekFrom::End(0))
}

/// There is no call for it: what is in the cache stays there.
pub(super) fn forget(_: &File) {}
