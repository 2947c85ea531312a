use std::path::Path;

use blockdev::{Access, FileDevice};

use crate::Result;

/// The header with all keyslots, in the form of `cryptsetup luksHeaderBackup`.
///
/// # Errors
/// `luks-converting`: a backup from the middle of a conversion would be poison afterwards.
pub fn header_backup(path: &Path) -> Result<Vec<u8>> {
    let device = FileDevice::open(path, Access::Read)?;
    Ok(luks::backup(&device)?)
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
