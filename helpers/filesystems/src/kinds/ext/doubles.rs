//! Inodes that are there twice.
//!
//! When resize2fs takes groups away, it first copies their inodes into other groups, then lets every entry of a folder
//! name the copy, and forgets the old ones at the very end. After a cut in between, each of them is there twice, and
//! one of the two has no name. What is in it is what is in the other one, so it can go; e2fsck does not know that, and
//! would copy its blocks and put it into lost+found.

use std::collections::{BTreeMap, BTreeSet};

use blockdev::Device;

use super::groups::Layout;
use super::{METADATA_CSUM, Superblock};
use crate::Result;
use crate::raw::Block;

// s_feature_ro_compat
const GDT_CSUM: u32 = 0x10;
// bg_flags
const INODE_UNINIT: u16 = 1;

/// Which of these inodes, that have no name, are there a second time with one. `named_beyond`: inodes that have a name
/// and lie where a group's descriptor says that none was ever used: the last thing that resize2fs writes.
pub(crate) fn doubles(dev: &dyn Device, without_name: &BTreeSet<u64>, named_beyond: &BTreeSet<u64>) -> Result<Doubles> {
    let Some(mut inodes) = Inodes::of(dev)? else { return Ok(Doubles::default()) };
    inodes.show(named_beyond);
    let mut wanted: BTreeMap<Vec<u8>, Vec<(u64, bool)>> = BTreeMap::new();
    for inode in without_name {
        let Some(raw) = inodes.place(*inode).map(|place| Block::read(dev, place, inodes.size)).transpose()?.flatten()
        else {
            continue;
        };
        wanted.entry(identity(&raw)).or_default().push((*inode, false));
    }
    inodes.each(dev, &mut |number, raw| {
        if let Some(found) = wanted.get_mut(&identity(raw)).filter(|_| !without_name.contains(&number)) {
            for (inode, named) in found {
                let Some(place) = inodes.place(*inode) else { continue };
                let same_blocks = dev.read_vec(place + I_BLOCK as u64, I_BLOCKS)? == raw.slice(I_BLOCK, I_BLOCKS);
                // A generation is chosen by chance for each inode that the kernel makes.
                *named |= same_blocks || raw.le32(GENERATION) != 0;
            }
        }
        Ok(())
    })?;
    let found = wanted.into_values().flatten().filter(|(_, named)| *named).map(|(inode, _)| inode);
    let places: Vec<u64> = found.filter_map(|inode| inodes.place(inode)).collect();
    Ok(Doubles { places, size: inodes.size })
}

/// Where inodes lie that can go.
#[derive(Default)]
pub(crate) struct Doubles {
    places: Vec<u64>,
    size: usize,
}

impl Doubles {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Clears them, as `debugfs clri` does.
    pub fn clear(&self, dev: &dyn Device) -> Result<()> {
        for place in &self.places {
            dev.write_at(*place, &vec![0; self.size])?;
        }
        Ok(dev.flush()?)
    }
}

// The kernel's Documentation/filesystems/ext4/inodes.rst.
const I_BLOCK: usize = 0x28;
const I_BLOCKS: usize = 60;
const GENERATION: usize = 0x64;

/// What resize2fs leaves as it is in a copy: all but the time of its last change, its checksum, and where its blocks
/// are.
fn identity(raw: &Block) -> Vec<u8> {
    let mut bytes = raw.bytes().to_vec();
    let extra = usize::from(raw.le16(0x80));
    // A folder's entries are written anew.
    let is_folder = raw.le16(0) & 0xf000 == 0x4000;
    for (at, length, held) in [
        // i_ctime, i_blocks_lo, i_block, l_i_blocks_high, l_i_checksum_lo
        (0x0c, 4, true),
        (0x1c, 4, true),
        (I_BLOCK, I_BLOCKS, true),
        (0x74, 2, true),
        (0x7c, 2, true),
        // i_checksum_hi, i_ctime_extra
        (0x82, 2, extra >= 4),
        (0x84, 4, extra >= 8),
        // i_mtime, i_mtime_extra
        (0x10, 4, is_folder),
        (0x88, 4, is_folder && extra >= 12),
    ] {
        if held && let Some(field) = bytes.get_mut(at..at + length) {
            field.fill(0);
        }
    }
    bytes
}

/// The tables of inodes.
struct Inodes {
    /// Where each group's begins, and how many inodes at its beginning were ever used.
    tables: Vec<(u64, u64)>,
    per_group: u64,
    size: usize,
    /// More that are in use.
    beyond: Vec<u64>,
}

impl Inodes {
    fn of(dev: &dyn Device) -> Result<Option<Self>> {
        let Some(superblock) = Superblock::load(dev)? else { return Ok(None) };
        let raw = &superblock.raw;
        let per_group = u64::from(raw.le32(0x28));
        let size = if raw.le32(0x4c) == 0 { 128 } else { usize::from(raw.le16(0x58)) };
        let Some(groups) = Layout::of(&superblock).descriptors(dev)? else { return Ok(None) };
        let counted = superblock.ro_compat & (GDT_CSUM | METADATA_CSUM) != 0;
        let tables = groups.iter().map(|group| {
            let used = match counted {
                true if group.flags & INODE_UNINIT != 0 => 0,
                true => per_group.saturating_sub(group.inodes_unused),
                false => per_group,
            };
            (group.inode_table.saturating_mul(superblock.block_size), used)
        });
        Ok(Some(Self { tables: tables.collect(), per_group, size, beyond: Vec::new() }))
    }

    /// Counts these as used, and no others beside them.
    fn show(&mut self, beyond: &BTreeSet<u64>) {
        for inode in beyond {
            let index = inode.saturating_sub(1);
            let group = usize::try_from(index / self.per_group).unwrap_or(usize::MAX);
            if self.tables.get(group).is_some_and(|(_, used)| index % self.per_group >= *used) {
                self.beyond.push(*inode);
            }
        }
    }

    /// Inodes are counted from 1.
    fn place(&self, inode: u64) -> Option<u64> {
        let index = inode.checked_sub(1)?;
        let (table, _) = self.tables.get(usize::try_from(index / self.per_group).ok()?)?;
        table.checked_add(index % self.per_group * self.size as u64)
    }

    /// Shows all that are in use.
    fn each(&self, dev: &dyn Device, show: &mut dyn FnMut(u64, &Block) -> Result<()>) -> Result<()> {
        const AT_ONCE: usize = 4096;
        for (group, (table, used)) in self.tables.iter().enumerate() {
            for first in (0..*used).step_by(AT_ONCE) {
                let count = usize::try_from(used - first).unwrap_or(AT_ONCE).min(AT_ONCE);
                let length = count * self.size;
                let Some(piece) = Block::read(dev, table + first * self.size as u64, length)? else { continue };
                for (index, bytes) in piece.bytes().chunks_exact(self.size).enumerate() {
                    let raw = Block::new(bytes.to_vec());
                    // i_links_count
                    if raw.le16(0x1a) != 0 {
                        show(group as u64 * self.per_group + first + index as u64 + 1, &raw)?;
                    }
                }
            }
        }
        for inode in &self.beyond {
            let Some(place) = self.place(*inode) else { continue };
            if let Some(raw) = Block::read(dev, place, self.size)?.filter(|raw| raw.le16(0x1a) != 0) {
                show(*inode, &raw)?;
            }
        }
        Ok(())
    }
}
