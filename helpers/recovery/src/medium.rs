use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use zeroize::Zeroizing;

#[cfg_attr(target_os = "linux", path = "medium/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "medium/elsewhere.rs")]
mod platform;

/// A sheet has some two thousand bytes. What is longer than this is none, and is not read.
const MOST: u64 = 256 * 1024;

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Missing,
    /// A folder, or a link to one.
    Folder,
    /// A regular file, by itself or through a link.
    File,
    /// Anything else.
    Other,
}

/// Bytes that were read back.
pub struct Stored {
    /// The content.
    pub bytes: Zeroizing<Vec<u8>>,
    /// Whether they came from the medium for certain, past the system's cache.
    pub from_medium: bool,
}

/// The few things that an export does to a medium. There is the system's own, and in the tests one
/// that is full, write-protected or pulled out in the middle.
pub trait Medium {
    /// What is at `path`.
    ///
    /// # Errors
    /// As the system has them, but not "no such file".
    fn kind(&mut self, path: &Path) -> io::Result<Kind>;

    /// A number that is the same for everything on the same file system. Another number for the same
    /// folder means that something else is mounted there now.
    ///
    /// # Errors
    /// As the system has them.
    fn file_system(&mut self, folder: &Path) -> io::Result<u64>;

    /// Makes a new file that only its owner may read, and returns when its content is safe on the
    /// medium. A file that was begun may be left there after an error.
    ///
    /// # Errors
    /// As the system has them; `AlreadyExists` if there is something at `path`.
    fn write_new(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Gives a file its final name in the same folder, and returns when that is safe on the medium.
    ///
    /// # Errors
    /// As the system has them; `AlreadyExists` if there is something at `to`: nothing is replaced.
    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()>;

    /// Reads a file from the medium, past the system's cache where that is possible.
    ///
    /// # Errors
    /// As the system has them; `InvalidData` if it is too long for a sheet.
    fn read_stored(&mut self, path: &Path) -> io::Result<Stored>;

    /// Removes a file.
    ///
    /// # Errors
    /// As the system has them.
    fn remove(&mut self, path: &Path) -> io::Result<()>;
}

/// The file systems of this computer.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Medium for System {
    fn kind(&mut self, path: &Path) -> io::Result<Kind> {
        match fs::metadata(path) {
            Ok(data) if data.is_dir() => Ok(Kind::Folder),
            Ok(data) if data.is_file() => Ok(Kind::File),
            Ok(_) => Ok(Kind::Other),
            Err(error) if error.kind() == io::ErrorKind::NotFound => missing_or_dead_link(path),
            // "a.txt/b": the first part is no folder, so there is nothing at the whole.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(Kind::Missing),
            Err(error) => Err(error),
        }
    }

    fn file_system(&mut self, folder: &Path) -> io::Result<u64> {
        platform::file_system(folder)
    }

    fn write_new(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        platform::only_for_the_owner(&mut options);
        let mut file = options.open(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        platform::rename_to_new(from, to)?;
        match to.parent() {
            Some(folder) => platform::sync_folder(folder),
            None => Ok(()),
        }
    }

    fn read_stored(&mut self, path: &Path) -> io::Result<Stored> {
        let length = fs::metadata(path)?.len();
        if length > MOST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        platform::read_stored(path)
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)?;
        match path.parent() {
            Some(folder) => platform::sync_folder(folder),
            None => Ok(()),
        }
    }
}

/// A link that leads nowhere occupies its name.
fn missing_or_dead_link(path: &Path) -> io::Result<Kind> {
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(Kind::Other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Kind::Missing),
        Err(error) => Err(error),
    }
}

/// Reads to the end, at most as much as a sheet may have, into memory that is cleared afterwards.
fn read_to_end(file: &File) -> io::Result<Zeroizing<Vec<u8>>> {
    use std::io::Read;
    // Room for all of it from the start: a vector that grows leaves uncleared copies behind.
    let length = usize::try_from(file.metadata()?.len().min(MOST)).unwrap_or_default();
    let mut bytes = Zeroizing::new(Vec::with_capacity(length + 1));
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}
