//! Members of Linux software RAID (the kernel's include/uapi/linux/raid/md_p.h).

use blockdev::{Device, Result};
use filesystems::raw::Block;

const MAGIC: u32 = 0xa92b_4efc;

/// A member of a RAID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raid {
    /// The format of its superblock, which says where it lies.
    pub version: RaidVersion,
    /// UUID of the whole.
    pub uuid: Option<String>,
    /// Its name (versions 1.x).
    pub name: Option<String>,
    /// 0, 1, 4, 5, 6, 10; negative for linear and multipath.
    pub level: i32,
    /// How many members it has when it is complete.
    pub members: u32,
}

/// Where the superblock lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaidVersion {
    /// 0.90: near the end.
    V0_90,
    /// 1.0: near the end.
    V1_0,
    /// 1.1: at the start.
    V1_1,
    /// 1.2: 4 KiB from the start.
    V1_2,
}

pub(crate) fn recognise(dev: &dyn Device) -> Result<Option<Raid>> {
    let size = dev.size();
    let places = [
        (RaidVersion::V1_2, Some(4096)),
        (RaidVersion::V1_1, Some(0)),
        (RaidVersion::V1_0, (size / 512).checked_sub(16).map(|sector| (sector & !7) * 512)),
    ];
    for (version, place) in places {
        let Some(place) = place else { continue };
        let Some(raw) = Block::read(dev, place, 256)? else { continue };
        // Each superblock says where it lies: a copy elsewhere is none.
        if raw.le32(0) == MAGIC && raw.le32(4) == 1 && raw.le64(144).checked_mul(512) == Some(place) {
            return Ok(Some(Raid {
                version,
                uuid: raw.uuid(16),
                name: raw.text(32, 32),
                level: raw.le32(72).cast_signed(),
                members: raw.le32(92),
            }));
        }
    }
    old(dev)
}

fn old(dev: &dyn Device) -> Result<Option<Raid>> {
    const RESERVED: u64 = 64 << 10;
    let Some(place) = (dev.size() / RESERVED * RESERVED).checked_sub(RESERVED) else { return Ok(None) };
    let Some(raw) = Block::read(dev, place, 4096)? else { return Ok(None) };
    // In the byte order of the processor that made it.
    let little = raw.le32(0) == MAGIC;
    if !little && raw.be32(0) != MAGIC {
        return Ok(None);
    }
    let word = |index: usize| if little { raw.le32(index * 4) } else { raw.be32(index * 4) };
    if word(1) != 0 || !matches!(word(2), 90 | 91) {
        return Ok(None);
    }
    let words = [5, 13, 14, 15].map(word);
    let uuid = Block::new(words.iter().flat_map(|word| word.to_be_bytes()).collect()).uuid(0);
    Ok(Some(Raid { version: RaidVersion::V0_90, uuid, name: None, level: word(7).cast_signed(), members: word(10) }))
}
