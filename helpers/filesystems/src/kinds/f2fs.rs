//! F2FS (the kernel's include/linux/f2fs_fs.h, struct f2fs_super_block).

use blockdev::Device;

use crate::raw::Block;
use crate::{Error, Found, Kind, Result};

pub(crate) fn probe(dev: &dyn Device) -> Result<Option<Found>> {
    let Some(raw) = Block::read(dev, 1024, 3072)? else { return Ok(None) };
    if raw.le32(0) != 0xf2f5_2010 {
        return Ok(None);
    }
    let damaged = |what| Err(Error::Damaged { kind: Kind::F2fs, what });
    let (log_sector, log_sectors, log_block) = (raw.le32(8), raw.le32(12), raw.le32(16));
    if !(9..=12).contains(&log_sector) || !(12..=16).contains(&log_block) || log_sectors != log_block - log_sector {
        return damaged("block and sector sizes");
    }
    let size = raw.le64(36).checked_mul(1 << log_block).filter(|size| *size > 0);
    let Some(size) = size else { return damaged("number of blocks") };
    let mut found = Found::new(Kind::F2fs, size, 1 << log_block);
    found.uuid = raw.uuid(108);
    found.label = raw.utf16(124, 512);
    Ok(Some(found))
}
