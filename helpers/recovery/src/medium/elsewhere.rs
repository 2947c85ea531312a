//! Other systems: what the standard library has.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use super::{Stored, read_to_end};

/// Not to be seen here; the check for something else mounted in the meantime is left out.
pub(super) fn file_system(folder: &Path) -> io::Result<u64> {
    std::fs::metadata(folder).map(|_| 0)
}

#[cfg(unix)]
pub(super) fn only_for_the_owner(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600);
}

/// A file inherits the rights of its folder, which on a stick has none.
#[cfg(not(unix))]
pub(super) fn only_for_the_owner(_: &mut OpenOptions) {}

pub(super) fn rename_to_new(from: &Path, to: &Path) -> io::Result<()> {
    if to.try_exists()? {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(from, to)
}

#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// A folder cannot be flushed by itself; the file system journals names.
#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

pub(super) fn read_stored(path: &Path) -> io::Result<Stored> {
    Ok(Stored { bytes: read_to_end(&File::open(path)?)?, from_medium: false })
}
