use blockdev::Device;

use super::{BITS_64, METADATA_CSUM, Superblock};
use crate::raw::Block;
use crate::{Result, UsedMap};

// s_feature_ro_compat
const SPARSE_SUPER: u32 = 0x1;
const GDT_CSUM: u32 = 0x10;
// s_feature_compat
const SPARSE_SUPER2: u32 = 0x200;
// bg_flags
const BLOCK_UNINIT: u16 = 2;

/// Which blocks are in use, by the bitmaps of the groups. A group whose bitmap does not agree with its
/// own count of free blocks is taken to be full.
pub(crate) fn used(dev: &dyn Device, size: u64) -> Result<Option<UsedMap>> {
    let Some(superblock) = Superblock::load(dev)? else { return Ok(None) };
    let layout = Layout::of(&superblock);
    let unit = superblock.block_size * superblock.cluster_ratio;
    let start = superblock.first_block * superblock.block_size;
    // A last cluster that is not whole stays used.
    let units = (superblock.blocks - superblock.first_block) / superblock.cluster_ratio;
    let Some(mut map) = UsedMap::full(start, unit, units, size) else { return Ok(None) };
    // A group has room for its own inodes, and none is smaller than what mke2fs makes: whoever says
    // otherwise wants to see us count for a day.
    if superblock.blocks_per_group % superblock.cluster_ratio != 0
        || superblock.blocks_per_group < 256
        || superblock.table_blocks > superblock.blocks_per_group
    {
        return Ok(None);
    }
    let Some(groups) = layout.descriptors(dev)? else { return Ok(None) };
    let per_group = superblock.blocks_per_group / superblock.cluster_ratio;
    for (number, group) in groups.iter().enumerate() {
        let first = number as u64 * per_group;
        let count = per_group.min(units.saturating_sub(first));
        if layout.is_uninitialised(group) {
            // Nothing but the file system's own tables is in it; those are marked below.
            for unit in first..first + count {
                map.set(unit, false);
            }
            continue;
        }
        let bytes = usize::try_from(count.div_ceil(8)).unwrap_or(0);
        let Some(place) = group.block_bitmap.checked_mul(superblock.block_size) else { continue };
        if let Some(bitmap) = Block::read(dev, place, bytes)? {
            map.copy_bits(first, bitmap.bytes(), count);
        }
    }
    // The tables of every group, wherever they lie. A bitmap that does not know of them is not believed.
    let mut broken = vec![false; groups.len()];
    for block in groups.iter().enumerate().flat_map(|(number, group)| layout.own_blocks(number as u64, group)) {
        let unit = block / superblock.cluster_ratio;
        let holder = usize::try_from(unit / per_group).unwrap_or(usize::MAX);
        if !map.is_set(unit) && groups.get(holder).is_some_and(|group| !layout.is_uninitialised(group)) {
            broken[holder] = true;
        }
        map.set(unit, true);
    }
    for (number, group) in groups.iter().enumerate() {
        let first = number as u64 * per_group;
        let last = units.min(first + per_group);
        let free = (first..last).filter(|unit| !map.is_set(*unit)).count() as u64;
        if broken[number] || free != group.free {
            for unit in first..last {
                map.set(unit, true);
            }
        }
    }
    Ok(Some(map))
}

/// One group descriptor.
pub(super) struct Group {
    block_bitmap: u64,
    inode_bitmap: u64,
    pub inode_table: u64,
    pub flags: u16,
    /// Free clusters.
    free: u64,
    /// Inodes at the end of its table that were never used, where that is counted.
    pub inodes_unused: u64,
}

/// Where a file system of this superblock has its tables.
pub(super) struct Layout<'a> {
    superblock: &'a Superblock,
    groups: u64,
    /// Blocks of the group descriptors that follow a superblock.
    descriptor_blocks: u64,
    /// Blocks behind them that are kept for growing.
    reserved_blocks: u64,
}

impl<'a> Layout<'a> {
    pub fn of(superblock: &'a Superblock) -> Self {
        let raw = &superblock.raw;
        let groups = (superblock.blocks - superblock.first_block).div_ceil(superblock.blocks_per_group);
        Self {
            superblock,
            groups,
            descriptor_blocks: (groups * superblock.descriptor_size).div_ceil(superblock.block_size),
            reserved_blocks: u64::from(raw.le16(0xce)),
        }
    }

    /// Descriptors in a block.
    fn per_block(&self) -> u64 {
        self.superblock.block_size / self.superblock.descriptor_size
    }

    /// Whether the descriptors of this group lie in its meta group, not behind the superblock.
    fn in_meta_group(&self, group: u64) -> bool {
        self.superblock.first_meta_group.is_some_and(|first| group / self.per_block() >= first)
    }

    /// The kernel's ext4_bg_has_super().
    fn has_superblock(&self, group: u64) -> bool {
        let raw = &self.superblock.raw;
        if group == 0 {
            return true;
        }
        if raw.le32(0x5c) & SPARSE_SUPER2 != 0 {
            return [0x24c, 0x250].iter().any(|at| u64::from(raw.le32(*at)) == group);
        }
        if group == 1 || self.superblock.ro_compat & SPARSE_SUPER == 0 {
            return true;
        }
        [3, 5, 7].into_iter().any(|base: u64| {
            let mut power = base;
            while power < group {
                power *= base;
            }
            power == group
        })
    }

    /// The kernel's ext4_num_base_meta_blocks(): what a group begins with.
    fn base_blocks(&self, group: u64) -> u64 {
        let superblock = u64::from(self.has_superblock(group));
        if self.in_meta_group(group) {
            let place = group % self.per_block();
            let copy = place == 0 || place == 1 || place == self.per_block() - 1;
            superblock + u64::from(copy)
        } else if superblock == 1 {
            let tables = match self.superblock.first_meta_group {
                Some(first) => first.min(self.descriptor_blocks),
                None => self.descriptor_blocks,
            };
            1 + tables + self.reserved_blocks
        } else {
            0
        }
    }

    /// Whether nothing is in a group but the file system's own tables, and its bitmap was never written.
    fn is_uninitialised(&self, group: &Group) -> bool {
        group.flags & BLOCK_UNINIT != 0 && self.superblock.ro_compat & (GDT_CSUM | METADATA_CSUM) != 0
    }

    /// The blocks, counted from the first, of what a group begins with and of its tables.
    fn own_blocks(&self, number: u64, group: &Group) -> impl Iterator<Item = u64> + use<> {
        let superblock = self.superblock;
        let start = number * superblock.blocks_per_group;
        let base = start..start + self.base_blocks(number).min(superblock.blocks_per_group);
        let (first, last) = (superblock.first_block, superblock.blocks);
        let tables = [(group.block_bitmap, 1), (group.inode_bitmap, 1), (group.inode_table, superblock.table_blocks)];
        base.chain(tables.into_iter().flat_map(move |(block, count)| {
            block.max(first) - first..block.saturating_add(count).clamp(first, last) - first
        }))
    }

    /// Byte offset of the block of descriptors that has this group's.
    fn descriptor_place(&self, group: u64) -> Option<u64> {
        let superblock = self.superblock;
        let block = if self.in_meta_group(group) {
            let first = group / self.per_block() * self.per_block();
            let start = superblock.first_block + first * superblock.blocks_per_group;
            start + u64::from(self.has_superblock(first))
        } else {
            superblock.first_block + 1 + group / self.per_block()
        };
        block.checked_mul(superblock.block_size)
    }

    /// All descriptors; `None` if they cannot all be there.
    pub fn descriptors(&self, dev: &dyn Device) -> Result<Option<Vec<Group>>> {
        let (size, per_block) = (self.superblock.descriptor_size, self.per_block());
        // As many as fit on the device: a damaged number must not ask for all the memory.
        if self.groups > dev.size() / self.superblock.block_size {
            return Ok(None);
        }
        let mut groups = Vec::new();
        for first in (0..self.groups).step_by(usize::try_from(per_block).unwrap_or(1)) {
            let length = usize::try_from(self.superblock.block_size).unwrap_or(0);
            let Some(place) = self.descriptor_place(first) else { return Ok(None) };
            let Some(block) = Block::read(dev, place, length)? else { return Ok(None) };
            for index in 0..per_block.min(self.groups - first) {
                groups.push(self.parse(&block, usize::try_from(index * size).unwrap_or(0)));
            }
        }
        Ok(Some(groups))
    }

    fn parse(&self, block: &Block, at: usize) -> Group {
        let wide = self.superblock.incompat & BITS_64 != 0 && self.superblock.descriptor_size >= 64;
        let high = |offset: usize| if wide { u64::from(block.le32(at + offset)) << 32 } else { 0 };
        Group {
            block_bitmap: u64::from(block.le32(at)) | high(0x20),
            inode_bitmap: u64::from(block.le32(at + 4)) | high(0x24),
            inode_table: u64::from(block.le32(at + 8)) | high(0x28),
            flags: block.le16(at + 0x12),
            free: u64::from(block.le16(at + 0x0c)) | if wide { u64::from(block.le16(at + 0x2c)) << 16 } else { 0 },
            inodes_unused: u64::from(block.le16(at + 0x1c))
                | if wide { u64::from(block.le16(at + 0x32)) << 16 } else { 0 },
        }
    }
}
