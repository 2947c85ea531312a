//! Small files of the system, written so that a cut leaves the old one or the new one.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Replaces a file: written beside it, flushed, renamed.
///
/// # Errors
/// [`Error::File`].
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder).map_err(Error::at(folder))?;
    let new = beside(path);
    let _ = fs::remove_file(&new);
    let mut file = File::options().write(true).create_new(true).mode(mode).open(&new).map_err(Error::at(&new))?;
    file.write_all(bytes).map_err(Error::at(&new))?;
    // Not as the umask would have it.
    file.set_permissions(fs::Permissions::from_mode(mode)).map_err(Error::at(&new))?;
    file.sync_all().map_err(Error::at(&new))?;
    fs::rename(&new, path).map_err(Error::at(path))?;
    flush_folder(folder)
}

/// Removes a file, if it is there.
///
/// # Errors
/// [`Error::File`].
pub fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::at(path)(error)),
        _ => Ok(()),
    }
}

/// A text file; empty if it is not there.
///
/// # Errors
/// [`Error::File`].
pub fn text_or_empty(path: &Path) -> Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(Error::at(path)),
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".latchkey-new");
    path.with_file_name(name)
}

fn flush_folder(folder: &Path) -> Result<()> {
    File::open(folder).and_then(|file| file.sync_all()).map_err(Error::at(folder))
}
