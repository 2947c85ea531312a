//! ext2, ext3 and ext4 (the kernel's Documentation/filesystems/ext4/super.rst).

use blockdev::Device;

use crate::raw::{Block, crc32c};
use crate::{Error, External, Found, Kind, Result, Trouble};

mod doubles;
mod groups;

pub(crate) use doubles::{Doubles, doubles};
pub(crate) use groups::used;

const SUPERBLOCK: u64 = 1024;
const MAGIC: u16 = 0xef53;

// s_feature_compat
const HAS_JOURNAL: u32 = 0x4;
// s_feature_incompat
const FILETYPE: u32 = 0x2;
const RECOVER: u32 = 0x4;
const JOURNAL_DEV: u32 = 0x8;
const META_BG: u32 = 0x10;
pub(crate) const BITS_64: u32 = 0x80;
// s_feature_ro_compat
const UP_TO_EXT3: u32 = 0x1 | 0x2 | 0x4;
pub(crate) const METADATA_CSUM: u32 = 0x400;
// s_state
const VALID: u16 = 1;
const ERRORS: u16 = 2;

/// What the superblock says, checked.
pub(crate) struct Superblock {
    raw: Block,
    /// Bytes in a block: 1024 to 65536.
    pub block_size: u64,
    /// Blocks of the file system.
    pub blocks: u64,
    /// Blocks in each group.
    pub blocks_per_group: u64,
    /// Blocks in each cluster: 1 without `bigalloc`.
    pub cluster_ratio: u64,
    /// The block that holds the superblock: 1 with 1024-byte blocks, otherwise 0.
    pub first_block: u64,
    pub incompat: u32,
    pub ro_compat: u32,
    /// Bytes in a group descriptor.
    pub descriptor_size: u64,
    /// The first group whose descriptors lie in the group itself (`meta_bg`); `None` without it.
    pub first_meta_group: Option<u64>,
    /// Blocks of a group's inode table.
    pub table_blocks: u64,
}

impl Superblock {
    /// Reads and checks it; `None` if this is no ext file system.
    pub fn load(dev: &dyn Device) -> Result<Option<Self>> {
        let Some(raw) = Block::read(dev, SUPERBLOCK, 1024)? else { return Ok(None) };
        if raw.le16(0x38) != MAGIC {
            return Ok(None);
        }
        let incompat = raw.le32(0x60);
        let ro_compat = raw.le32(0x64);
        let (log_block, log_cluster) = (raw.le32(0x18), raw.le32(0x1c));
        // A copy that lies at the start by accident (its group's number is not 0) is no superblock.
        if log_block > 6 || raw.le16(0x5a) != 0 {
            return Ok(None);
        }
        let block_size = 1024_u64 << log_block;
        let mut blocks = u64::from(raw.le32(0x04));
        if incompat & BITS_64 != 0 {
            blocks |= u64::from(raw.le32(0x150)) << 32;
        }
        let first_block = u64::from(raw.le32(0x14));
        if blocks <= first_block + 1 || first_block > 1 || blocks.checked_mul(block_size).is_none() {
            return Ok(None);
        }
        let cluster_ratio = match log_cluster.checked_sub(log_block) {
            Some(shift) if ro_compat & 0x200 != 0 && shift < 22 => 1 << shift,
            _ => 1,
        };
        let blocks_per_group = u64::from(raw.le32(0x20));
        let is_journal = incompat & JOURNAL_DEV != 0;
        if !is_journal && (blocks_per_group == 0 || blocks_per_group > 8 * block_size * cluster_ratio) {
            return Ok(None);
        }
        let descriptor_size = match raw.le16(0xfe) {
            size if incompat & BITS_64 != 0 && size >= 64 => u64::from(size),
            _ => 32,
        };
        let inode_size = if raw.le32(0x4c) == 0 { 128 } else { u64::from(raw.le16(0x58)) };
        let inodes_per_group = u64::from(raw.le32(0x28));
        let inodes_make_sense = (1..=8 * block_size).contains(&inodes_per_group)
            && inode_size.is_power_of_two()
            && (128..=block_size).contains(&inode_size);
        if !is_journal && (raw.le32(0x00) == 0 || !inodes_make_sense || descriptor_size > block_size) {
            return Ok(None);
        }
        let first_meta_group = (incompat & META_BG != 0).then(|| u64::from(raw.le32(0x104)));
        let superblock = Self {
            raw,
            block_size,
            blocks,
            blocks_per_group,
            cluster_ratio,
            first_block,
            incompat,
            ro_compat,
            descriptor_size,
            first_meta_group,
            table_blocks: (inodes_per_group * inode_size).div_ceil(block_size),
        };
        if !superblock.checksum_fits() {
            return Err(Error::Damaged { kind: superblock.kind(), what: "superblock checksum" });
        }
        Ok(Some(superblock))
    }

    /// Whether the checksum fits; true where there is none.
    fn checksum_fits(&self) -> bool {
        // ext4 writes the register of CRC-32C as it stands, without the final inversion.
        self.ro_compat & METADATA_CSUM == 0 || !crc32c(&[self.raw.slice(0, 0x3fc)]) == self.raw.le32(0x3fc)
    }

    fn kind(&self) -> Kind {
        let compat = self.raw.le32(0x5c);
        if self.incompat & JOURNAL_DEV != 0 {
            return Kind::ExtJournal;
        }
        let journal = compat & HAS_JOURNAL != 0;
        let before_ext4 = self.ro_compat & !UP_TO_EXT3 == 0 && self.incompat & !(FILETYPE | RECOVER | META_BG) == 0;
        match (journal, before_ext4) {
            (false, true) if self.incompat & RECOVER == 0 => Kind::Ext2,
            (true, true) => Kind::Ext3,
            _ => Kind::Ext4,
        }
    }

    fn trouble(&self) -> Option<Trouble> {
        let state = self.raw.le16(0x3a);
        if state & ERRORS != 0 {
            Some(Trouble::Errors)
        } else if self.incompat & RECOVER != 0 {
            Some(Trouble::JournalPending)
        } else if state & VALID == 0 {
            Some(Trouble::NotClosed)
        } else {
            None
        }
    }

    fn free_blocks(&self) -> u64 {
        let high = if self.incompat & BITS_64 != 0 { u64::from(self.raw.le32(0x158)) << 32 } else { 0 };
        u64::from(self.raw.le32(0x0c)) | high
    }
}

pub(crate) fn probe(dev: &dyn Device) -> Result<Option<Found>> {
    let Some(superblock) = Superblock::load(dev)? else { return Ok(None) };
    let raw = &superblock.raw;
    let kind = superblock.kind();
    // At most 65536 and checked for overflow when it was loaded.
    let block_size = u32::try_from(superblock.block_size).unwrap_or(u32::MAX);
    let mut found = Found::new(kind, superblock.blocks * superblock.block_size, block_size);
    found.label = raw.text(0x78, 16);
    found.uuid = raw.uuid(0x68);
    if kind == Kind::ExtJournal {
        found.external = Some(External::Data);
        return Ok(Some(found));
    }
    found.trouble = superblock.trouble();
    found.clean = Some(found.trouble.is_none());
    // s_mtime
    found.last_mounted = Some(raw.le32(0x2c));
    found.used = superblock
        .blocks
        .checked_sub(superblock.free_blocks())
        .and_then(|used| used.checked_mul(superblock.block_size));
    let (journal_inode, journal_device) = (raw.le32(0xe0), raw.le32(0xe4));
    if raw.le32(0x5c) & HAS_JOURNAL != 0 && (journal_inode == 0 || journal_device != 0) {
        found.external = Some(External::Journal);
    }
    Ok(Some(found))
}
