use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use blockdev::{Access, FileDevice};
use model::Day;

use super::uuid;
use crate::{Error, Result};

/// The header with all keyslots, in the form of `cryptsetup luksHeaderBackup`.
///
/// # Errors
/// `luks-converting`: a backup from the middle of a conversion would be poison afterwards.
pub fn header_backup(path: &Path) -> Result<Vec<u8>> {
    let device = FileDevice::open(path, Access::Read)?;
    Ok(luks::backup(&device)?)
}

/// Puts that copy into a folder that lies on another drive, under a name with the volume's UUID and the day,
/// and reads it back. Returns the file.
///
/// # Errors
/// Those of [`header_backup`]; [`Error::FolderOnTarget`], and what is wrong with the folder.
pub fn header_backup_into(path: &Path, folder: &Path) -> Result<PathBuf> {
    if matches!(drives::same_drive(folder, path), Ok(drives::SameDrive::Yes)) {
        return Err(Error::FolderOnTarget { path: folder.display().to_string() });
    }
    let bytes = header_backup(path)?;
    let name = format!("latchkey-header-{}-{}", uuid(path)?, Day::today());
    for again in 1..100 {
        let number = if again == 1 { String::new() } else { format!("-{again}") };
        let file = folder.join(format!("{name}{number}.img"));
        match write_new(&file, &bytes) {
            Ok(()) => return Ok(file),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(Error::ReadBackDiffers { path: file.display().to_string() });
            }
            Err(error) => return Err(Error::folder(folder, error)),
        }
    }
    Err(Error::folder(folder, io::ErrorKind::AlreadyExists.into()))
}

/// Writes a file that was not there, for this user alone, and reads it back.
///
/// # Errors
/// As the system has them; [`io::ErrorKind::InvalidData`] if something else was read. Nothing is left behind.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| std::fs::read(path));
    match written {
        Ok(read) if read == bytes => Ok(()),
        other => {
            let _ = std::fs::remove_file(path);
            Err(other.err().unwrap_or_else(|| io::ErrorKind::InvalidData.into()))
        }
    }
}

/// Puts a header backup back. `expected` is the volume's UUID, where its own header does not tell it any
/// more.
///
/// # Errors
/// `luks-other-volume` for a backup of another volume, `luks-converting`, and those of the device.
pub fn header_restore(path: &Path, backup: &[u8], expected: Option<&str>) -> Result<()> {
    let device = FileDevice::open(path, Access::Exclusive)?;
    luks::restore(&device, backup, expected)?;
    Ok(())
}
