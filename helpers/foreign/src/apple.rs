//! Apple's containers.

use blockdev::{Device, Result};
use filesystems::raw::Block;

/// A physical volume of CoreStorage. Its contents are encrypted when FileVault 2 is on, which
/// stands in metadata that are themselves encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreStorage {
    /// UUID of the physical volume.
    pub uuid: Option<String>,
    /// Its size in bytes.
    pub size: u64,
}

/// A container of APFS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apfs {
    /// UUID of the container.
    pub uuid: Option<String>,
    /// Bytes in a block.
    pub block_size: u32,
    /// Its size in bytes.
    pub size: u64,
}

/// Choudary, Gröbert, Metz: "Infiltrate the Vault", table 3: the volume header.
pub(crate) fn core_storage(dev: &dyn Device) -> Result<Option<CoreStorage>> {
    let Some(raw) = Block::read(dev, 0, 512)? else { return Ok(None) };
    let signed = raw.has(88, b"CS") && raw.le16(8) == 1 && raw.le32(90) == 1;
    if !signed || !matches!(raw.le32(96), 512..=65536) {
        return Ok(None);
    }
    Ok(Some(CoreStorage { uuid: raw.uuid(304), size: raw.le64(64) }))
}

/// Apple File System Reference, "nx_superblock_t".
pub(crate) fn apfs(dev: &dyn Device) -> Result<Option<Apfs>> {
    let Some(raw) = Block::read(dev, 0, 512)? else { return Ok(None) };
    let block_size = raw.le32(36);
    if !raw.has(32, b"NXSB") || !block_size.is_power_of_two() || !(4096..=65536).contains(&block_size) {
        return Ok(None);
    }
    let Some(size) = raw.le64(40).checked_mul(u64::from(block_size)) else { return Ok(None) };
    Ok(Some(Apfs { uuid: raw.uuid(72), block_size, size }))
}
