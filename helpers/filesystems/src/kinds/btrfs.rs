//! btrfs (the kernel's include/uapi/linux/btrfs_tree.h, struct btrfs_super_block).

use blake2::digest::consts::U32;
use blake2::{Blake2b, Digest};
use blockdev::Device;

use crate::raw::{Block, crc32c};
use crate::{Error, Found, Kind, Result, Trouble};

const SUPERBLOCK: u64 = 64 << 10;
const SIZE: usize = 4096;

pub(crate) fn probe(dev: &dyn Device) -> Result<Option<Found>> {
    let Some(raw) = Block::read(dev, SUPERBLOCK, SIZE)? else { return Ok(None) };
    if !raw.has(0x40, b"_BHRfS_M") {
        return Ok(None);
    }
    let damaged = |what| Err(Error::Damaged { kind: Kind::Btrfs, what });
    if !checksum_fits(&raw) {
        return damaged("superblock checksum");
    }
    let (sector, node) = (raw.le32(0x90), raw.le32(0x94));
    if raw.le64(0x30) != SUPERBLOCK
        || !sector.is_power_of_two()
        || !(512..=65536).contains(&sector)
        || !node.is_power_of_two()
        || node > 65536
    {
        return damaged("superblock numbers");
    }
    let devices = raw.le64(0x88);
    if devices > 1 {
        return Err(Error::ManyDevices { kind: Kind::Btrfs, devices });
    }
    // struct btrfs_dev_item at 0xc9: this device's own size, whatever the whole says.
    let (size, used) = (raw.le64(0xc9 + 8), raw.le64(0xc9 + 16));
    if devices == 0 || size < SUPERBLOCK + SIZE as u64 || used > size || raw.le64(0x70) < size {
        return damaged("device sizes");
    }
    let mut found = Found::new(Kind::Btrfs, size, sector);
    found.label = raw.text(0x12b, 256);
    found.uuid = raw.uuid(0x20);
    // The tree log: what was fsynced since the last commit. Mounting replays it.
    found.trouble = (raw.le64(0x60) != 0).then_some(Trouble::JournalPending);
    found.clean = Some(found.trouble.is_none());
    found.used = Some(raw.le64(0x78)).filter(|used| *used <= size);
    Ok(Some(found))
}

fn checksum_fits(raw: &Block) -> bool {
    let body = raw.slice(0x20, SIZE - 0x20);
    match raw.le16(0xc4) {
        0 => raw.le32(0) == crc32c(&[body]),
        1 => raw.le64(0) == xxhash_rust::xxh64::xxh64(body, 0),
        2 => raw.has(0, &sha2::Sha256::digest(body)),
        3 => raw.has(0, &Blake2b::<U32>::digest(body)),
        // A kind of checksum that is newer than this program.
        _ => false,
    }
}
