//! Formats that are read and never written: other people's encryption, and what carries volumes
//! (LVM, RAID, partition tables).
//!
//! A volume is only ours to convert when nothing of this kind is on it. So signatures are believed
//! easily here, more easily than those of file systems in `filesystems`: a false alarm costs a
//! question, a missed one somebody's data.

mod apple;
mod bitlocker;
mod folders;
mod linux;
mod luks;
mod noise;
mod partitions;
mod raid;
mod zfs;

pub use apple::{Apfs, ApfsVolume, CoreStorage, FileVault2};
pub use bitlocker::{BitLocker, BitLockerShape, Fve, FveMethod, FveState, Protector};
pub use blockdev::Result;
pub use folders::encrypts_folders;
pub use linux::{Bcache, Lvm2};
pub use luks::{Luks1, Luks2};
pub use noise::looks_like_noise;
pub use partitions::{Partition, PartitionTable, TableKind};
pub use raid::{Raid, RaidVersion};
pub use zfs::Zfs;

use blockdev::Device;

/// Something foreign that was recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Foreign {
    /// LUKS, version 1.
    Luks1(Luks1),
    /// LUKS, version 2; only its signature. The `luks` crate reads it.
    Luks2(Luks2),
    /// BitLocker.
    BitLocker(BitLocker),
    /// Apple CoreStorage, which carries FileVault 2 before APFS.
    CoreStorage(CoreStorage),
    /// An APFS container, whose volumes may be encrypted.
    Apfs(Apfs),
    /// A physical volume of LVM.
    Lvm2(Lvm2),
    /// A member of a Linux software RAID.
    Raid(Raid),
    /// A member of a ZFS pool.
    Zfs(Zfs),
    /// A device of bcache.
    Bcache(Bcache),
    /// Swap space with the memory of a system that sleeps.
    Suspended,
    /// Partitions.
    PartitionTable(PartitionTable),
    /// Recognised by its signature alone, under the name that `blkid` gives it.
    Other(&'static str),
}

impl Foreign {
    /// Its first name, as in `model::Content`; the catalogue has it as `content-NAME`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Luks1(_) => "luks1",
            Self::Luks2(_) => "luks2",
            Self::BitLocker(_) => "BitLocker",
            Self::CoreStorage(_) => "CoreStorage",
            Self::Apfs(_) => "apfs",
            Self::Lvm2(_) => "LVM2_member",
            Self::Raid(_) => "linux_raid_member",
            Self::Zfs(_) => "zfs_member",
            Self::Bcache(_) => "bcache",
            Self::Suspended => "swsuspend",
            Self::PartitionTable(_) => "partition-table",
            Self::Other(name) => name,
        }
    }

    /// Whether it is encryption. `None`: it may or may not encrypt, and the signature does not say.
    pub const fn is_encryption(&self) -> Option<bool> {
        match self {
            Self::Luks1(_) | Self::Luks2(_) | Self::BitLocker(_) => Some(true),
            Self::CoreStorage(_) | Self::Apfs(_) | Self::Zfs(_) => None,
            Self::Lvm2(_)
            | Self::Raid(_)
            | Self::Bcache(_)
            | Self::Suspended
            | Self::PartitionTable(_)
            | Self::Other(_) => Some(false),
        }
    }

    /// Its UUID in the format's own spelling, where it has one and it was read.
    pub fn uuid(&self) -> Option<&str> {
        match self {
            Self::Luks1(luks) => luks.uuid.as_deref(),
            Self::Luks2(luks) => luks.uuid.as_deref(),
            Self::CoreStorage(storage) => storage.uuid.as_deref(),
            Self::Apfs(apfs) => apfs.uuid.as_deref(),
            Self::Lvm2(lvm) => lvm.uuid.as_deref(),
            Self::Raid(raid) => raid.uuid.as_deref(),
            Self::Bcache(bcache) => bcache.uuid.as_deref(),
            Self::PartitionTable(table) => table.uuid.as_deref(),
            Self::BitLocker(bitlocker) => bitlocker.fve.as_ref()?.guid.as_deref(),
            Self::Zfs(_) | Self::Suspended | Self::Other(_) => None,
        }
    }
}

/// Everything foreign on a device; encryption first, then whatever else. Reads only. A device that
/// is too small for a format does not hold it.
///
/// More than one thing may be found: one of them is then a leftover, or lies in the other (an md
/// RAID whose superblock is at the end shows what is in it at the start).
///
/// # Errors
/// What the device reports.
pub fn recognise(dev: &dyn Device) -> Result<Vec<Foreign>> {
    let mut found = Vec::new();
    found.extend(luks::luks1(dev)?.map(Foreign::Luks1));
    found.extend(luks::luks2(dev)?.map(Foreign::Luks2));
    found.extend(bitlocker::recognise(dev)?.map(Foreign::BitLocker));
    found.extend(apple::core_storage(dev)?.map(Foreign::CoreStorage));
    found.extend(apple::apfs(dev)?.map(Foreign::Apfs));
    found.extend(partitions::recognise(dev)?.map(Foreign::PartitionTable));
    found.extend(raid::recognise(dev)?.map(Foreign::Raid));
    found.extend(linux::lvm2(dev)?.map(Foreign::Lvm2));
    found.extend(zfs::recognise(dev)?.map(Foreign::Zfs));
    found.extend(linux::bcache(dev)?.map(Foreign::Bcache));
    found.extend(linux::suspended(dev)?.then_some(Foreign::Suspended));
    found.extend(linux::other(dev)?.map(Foreign::Other));
    Ok(found)
}
