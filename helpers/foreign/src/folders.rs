//! fscrypt: folders that a file system encrypts one by one (the kernel's
//! Documentation/filesystems/fscrypt.rst). Which ones stands in the folders themselves; the superblock
//! says whether there can be any.

use blockdev::{Device, Result};
use filesystems::raw::Block;

/// Whether folders on this ext4 or F2FS can be encrypted one by one. Everything else on it is plain.
///
/// # Errors
/// What the device reports.
pub fn encrypts_folders(dev: &dyn Device) -> Result<bool> {
    let Some(raw) = Block::read(dev, 1024, 3072)? else { return Ok(false) };
    // s_feature_incompat: EXT4_FEATURE_INCOMPAT_ENCRYPT
    let ext4 = raw.le16(0x38) == 0xef53 && raw.le32(0x60) & 0x1_0000 != 0;
    // feature: F2FS_FEATURE_ENCRYPT
    let f2fs = raw.le32(0) == 0xf2f5_2010 && raw.le32(2180) & 1 != 0;
    Ok(ext4 || f2fs)
}
