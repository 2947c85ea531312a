//! A copy of the volume's first bytes, put on the recovery medium before anything is written over them.
//!
//! It is a LUKS2 volume itself: the new header, and behind it the plain front of the drive, encrypted.
//! So it holds nothing that can be read without password or recovery key, it is a backup of the header as
//! well, and any Linux opens it (`cryptsetup open FILE front`, then `dd` back). While nothing of the drive
//! has been encrypted, it is all that is needed to undo, whatever has become of the drive's own copies.

use std::path::{Path, PathBuf};

use blockdev::{Access, Buffer, Device, FileDevice, Memory};
use luks::{Header, Plain, Unlocked};

use super::Plan;
use crate::{Error, Result};

/// The copy's name.
pub fn front_copy_path(folder: &Path, uuid: &str) -> PathBuf {
    folder.join(format!("latchkey-front-{uuid}.luks"))
}

/// Writes the copy, flushes, reads it back from the medium and compares. Returns the file.
///
/// # Errors
/// [`Error::FolderFull`] and its like; then nothing half is left.
pub(super) fn write(
    plan: &Plan,
    staged: &dyn Device,
    unlocked: &Unlocked,
    device: &dyn Device,
    folder: &Path,
) -> Result<PathBuf> {
    let header = Header::load(staged)?.header;
    let path = front_copy_path(folder, header.uuid());
    let size = usize::try_from(plan.shift()).map_err(|_| Error::TargetChanged)?;
    let image = Memory::new(vec![0; 2 * size]);
    let mut bytes = Buffer::new(size);
    staged.read_at(0, &mut bytes)?;
    image.write_at(0, &bytes)?;
    device.read_at(0, &mut bytes)?;
    header.write_plain(&image, unlocked, 0, &mut bytes)?;
    let image = image.snapshot();
    let written = write_and_compare(&path, &image);
    if written.is_err() {
        let _ = std::fs::remove_file(&path);
    }
    written.map(|()| path)
}

fn write_and_compare(path: &Path, image: &[u8]) -> Result<()> {
    crate::journal::replace(path, image).map_err(|error| Error::folder(path, error))?;
    let copy = FileDevice::open(path, Access::Exclusive)?;
    let mut back = Buffer::new(image.len());
    copy.read_at(0, &mut back)?;
    if copy.size() != image.len() as u64 || *back != *image {
        return Err(Error::ReadBackDiffers { path: path.display().to_string() });
    }
    Ok(())
}

/// The plain front that a copy holds, for whoever wants to compare or to put it back.
///
/// # Errors
/// `luks-wrong-secret`, and those of a damaged file.
pub fn read_front_copy(path: &Path, secret: &model::Secret) -> Result<Vec<u8>> {
    let copy = FileDevice::open(path, Access::Read)?;
    let header = Header::load(&copy)?.header;
    let unlocked = header.unlock(&copy, secret)?;
    let plain = Plain::new(&header, &copy, &unlocked)?;
    let size = usize::try_from(plain.size()).map_err(|_| Error::TargetChanged)?;
    Ok(plain.read_vec(0, size)?)
}
