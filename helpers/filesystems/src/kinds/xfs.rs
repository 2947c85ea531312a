//! XFS (xfs_filesystem_structure, "Superblocks"; all numbers big-endian).

use blockdev::Device;

use crate::raw::{Block, crc32c};
use crate::{Error, External, Found, Kind, Result};

pub(crate) fn probe(dev: &dyn Device) -> Result<Option<Found>> {
    let Some(raw) = Block::read(dev, 0, 512)? else { return Ok(None) };
    if !raw.has(0, b"XFSB") {
        return Ok(None);
    }
    let damaged = |what| Err(Error::Damaged { kind: Kind::Xfs, what });
    let (block, sector) = (raw.be32(4), u32::from(raw.be16(102)));
    let (groups, group_blocks) = (u64::from(raw.be32(88)), u64::from(raw.be32(84)));
    let blocks = raw.be64(8);
    let version = raw.be16(100) & 0xf;
    if !block.is_power_of_two()
        || !(512..=65536).contains(&block)
        || !sector.is_power_of_two()
        || !(512..=32768).contains(&sector)
        || sector > block
        || u32::from(raw.u8(120)) != block.trailing_zeros()
        || u32::from(raw.u8(121)) != sector.trailing_zeros()
        || !(1..=5).contains(&version)
    {
        return damaged("block and sector sizes");
    }
    // Every allocation group is full but the last.
    let fits = blocks.div_ceil(group_blocks.max(1)) == groups && group_blocks > 0;
    let size = blocks.checked_mul(u64::from(block)).filter(|_| blocks > 0 && fits);
    let Some(size) = size else { return damaged("sizes of the allocation groups") };
    if version == 5 {
        let Some(whole) = Block::read(dev, 0, usize::try_from(sector).unwrap_or(512))? else { return Ok(None) };
        let sum = crc32c(&[whole.slice(0, 224), &[0; 4], whole.slice(228, whole.bytes().len() - 228)]);
        // The one little-endian number.
        if sum != whole.le32(224) {
            return damaged("superblock checksum");
        }
    }
    let mut found = Found::new(Kind::Xfs, size, sector);
    found.label = raw.text(108, 12);
    found.uuid = raw.uuid(32);
    found.used = blocks.checked_sub(raw.be64(144)).and_then(|used| used.checked_mul(u64::from(block)));
    // Whether the log is clean stands only in the log itself, so nothing is said about it.
    let (log_start, real_time_blocks) = (raw.be64(48), raw.be64(16));
    if real_time_blocks > 0 {
        found.external = Some(External::Data);
    } else if log_start == 0 {
        found.external = Some(External::Journal);
    }
    Ok(Some(found))
}
