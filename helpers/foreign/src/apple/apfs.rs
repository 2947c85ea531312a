//! APFS (Apple File System Reference, 2020-06-22): the container and the flags of its volumes.

use blockdev::{Device, Result};
use filesystems::raw::Block;

/// What a container can hold at most, by the reference.
const MOST_VOLUMES: usize = 100;
/// Checkpoints are looked through in an area of this many blocks at most.
const MOST_DESCRIPTORS: u64 = 1024;
/// A tree of a hundred volumes has two levels.
const DEEPEST: usize = 4;

/// A container of APFS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apfs {
    /// UUID of the container.
    pub uuid: Option<String>,
    /// Bytes in a block.
    pub block_size: u32,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it has a bag of wrapped keys, as a container with an encrypted volume has.
    pub keybag: bool,
    /// Its volumes. Empty where the newest checkpoint could not be followed to them.
    pub volumes: Vec<ApfsVolume>,
    /// Whether every volume that the container names was found.
    pub complete: bool,
}

/// A volume of a container of APFS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApfsVolume {
    /// Its name.
    pub name: Option<String>,
    /// Its UUID.
    pub uuid: Option<String>,
    /// What it is for (`apfs_role`): 0 for none, 1 for the system, 0x40 for data.
    pub role: u16,
    /// Whether its contents are encrypted.
    pub encrypted: bool,
    /// Whether it is on its way from plain to encrypted or back.
    pub converting: bool,
}

impl ApfsVolume {
    /// Whether it holds what a person put there, and not only what a Mac needs to start, to recover
    /// and to swap.
    pub const fn holds_data(&self) -> bool {
        const RECOVERY: u16 = 0x04;
        const VM: u16 = 0x08;
        const PREBOOT: u16 = 0x10;
        const INSTALLER: u16 = 0x20;
        const UPDATE: u16 = 0xc0;
        const XART: u16 = 0x100;
        const HARDWARE: u16 = 0x140;
        !matches!(self.role, RECOVERY | VM | PREBOOT | INSTALLER | UPDATE | XART | HARDWARE)
    }
}

pub(crate) fn recognise(dev: &dyn Device) -> Result<Option<Apfs>> {
    let Some(raw) = Block::read(dev, 0, 512)? else { return Ok(None) };
    let block_size = raw.le32(36);
    if !raw.has(32, b"NXSB") || !block_size.is_power_of_two() || !(4096..=65536).contains(&block_size) {
        return Ok(None);
    }
    let Some(size) = raw.le64(40).checked_mul(u64::from(block_size)) else { return Ok(None) };
    let mut found = Apfs { uuid: raw.uuid(72), block_size, size, keybag: false, volumes: Vec::new(), complete: false };
    let container = Container { dev, block_size: u64::from(block_size) };
    if let Some(superblock) = container.newest_superblock()? {
        // nx_keylocker: where the bag lies and how many blocks it has.
        found.keybag = superblock.le64(1296) != 0 && superblock.le64(1304) != 0;
        container.volumes(&superblock, &mut found)?;
    }
    Ok(Some(found))
}

struct Container<'a> {
    dev: &'a dyn Device,
    block_size: u64,
}

impl Container<'_> {
    /// The superblock with the highest transaction among the checkpoints; the one in block 0 is only a
    /// copy that may be old.
    fn newest_superblock(&self) -> Result<Option<Block>> {
        let Some(first) = self.object(0)?.filter(|block| block.has(32, b"NXSB")) else { return Ok(None) };
        let (base, count) = (first.le64(112), u64::from(first.le32(104)));
        let mut newest = first;
        // The highest bit says that the area is a tree and not in one piece.
        if count & 0x8000_0000 != 0 {
            return Ok(Some(newest));
        }
        for number in 0..count.min(MOST_DESCRIPTORS) {
            let Some(block) = self.object(base.saturating_add(number))? else { continue };
            if block.has(32, b"NXSB") && block.le64(16) > newest.le64(16) {
                newest = block;
            }
        }
        Ok(Some(newest))
    }

    /// The volumes that the superblock names by their virtual identifiers, through the object map.
    fn volumes(&self, superblock: &Block, found: &mut Apfs) -> Result<()> {
        let named: Vec<u64> = (0..MOST_VOLUMES).map(|index| superblock.le64(184 + index * 8)).collect();
        let named: Vec<u64> = named.into_iter().filter(|name| *name != 0).collect();
        let Some(map) = self.object(superblock.le64(160))? else { return Ok(()) };
        for name in &named {
            let Some(place) = self.look_up(map.le64(48), *name, superblock.le64(16))? else { continue };
            let Some(volume) = self.object(place)?.filter(|block| block.has(32, b"APSB")) else { continue };
            found.volumes.push(ApfsVolume {
                name: volume.text(704, 256),
                uuid: volume.uuid(240),
                role: volume.le16(964),
                // APFS_FS_UNENCRYPTED
                encrypted: volume.le64(264) & 1 == 0,
                // apfs_er_state_oid
                converting: volume.le64(976) != 0,
            });
        }
        found.complete = !named.is_empty() && found.volumes.len() == named.len();
        Ok(())
    }

    /// Where the newest object of this name lies that is not newer than `transaction`
    /// (`btree_node_phys_t` with entries of fixed size, `omap_key_t` and `omap_val_t`).
    fn look_up(&self, root: u64, name: u64, transaction: u64) -> Result<Option<u64>> {
        const HEADER: usize = 56;
        const FOOTER: usize = 40;
        const ROOT: u16 = 1;
        const LEAF: u16 = 2;
        const FIXED: u16 = 4;
        let mut at = root;
        for _ in 0..DEEPEST {
            let Some(node) = self.object(at)? else { return Ok(None) };
            let flags = node.le16(32);
            if flags & FIXED == 0 {
                return Ok(None);
            }
            let table = HEADER + usize::from(node.le16(40));
            let keys = table + usize::from(node.le16(42));
            let values = node.bytes().len() - if flags & ROOT != 0 { FOOTER } else { 0 };
            let count = usize::try_from(node.le32(36)).unwrap_or(0).min(node.bytes().len() / 4);
            let mut last = None;
            for index in 0..count {
                let key = keys + usize::from(node.le16(table + index * 4));
                if (node.le64(key), node.le64(key + 8)) > (name, transaction) {
                    break;
                }
                let value = values.checked_sub(usize::from(node.le16(table + index * 4 + 2)));
                last = value.map(|value| (node.le64(key), value));
            }
            let Some((found, value)) = last else { return Ok(None) };
            if flags & LEAF != 0 {
                // Flags, size, place.
                return Ok((found == name).then(|| node.le64(value + 8)));
            }
            at = node.le64(value);
        }
        Ok(None)
    }

    /// An object whose checksum fits.
    fn object(&self, number: u64) -> Result<Option<Block>> {
        let Some(place) = number.checked_mul(self.block_size) else { return Ok(None) };
        // At most 64 KiB.
        let block = Block::read(self.dev, place, usize::try_from(self.block_size).unwrap_or(0))?;
        Ok(block.filter(|block| checksum(block) == block.le64(0)))
    }
}

/// Fletcher's checksum in the form of the reference ("Object Checksums"), over everything behind itself.
fn checksum(block: &Block) -> u64 {
    const MODULUS: u64 = 0xffff_ffff;
    let (mut first, mut second) = (0_u64, 0_u64);
    for at in (8..block.bytes().len()).step_by(4) {
        first = (first + u64::from(block.le32(at))) % MODULUS;
        second = (second + first) % MODULUS;
    }
    let low = MODULUS - (first + second) % MODULUS;
    let high = MODULUS - (first + low) % MODULUS;
    high << 32 | low
}
