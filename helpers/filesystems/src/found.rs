/// A file system that was found on a device, in the words of its own superblock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Which one.
    pub kind: Kind,
    /// Bytes from the start of the device that it needs. What lies behind them is not its own.
    pub size: u64,
    /// Bytes of the smallest piece that it reads or writes at once. A device with larger sectors
    /// cannot carry it: see [`max_sector_size`](Self::max_sector_size).
    pub block_size: u32,
    /// Its name, where it has one.
    pub label: Option<String>,
    /// Its UUID or serial number, spelled as `blkid` does.
    pub uuid: Option<String>,
    /// Whether it was closed properly and knows of no error. `None`: the superblock does not say.
    pub clean: Option<bool>,
    /// Why it is not clean.
    pub trouble: Option<Trouble>,
    /// When it was last mounted to be written, in seconds since 1970, where the superblock says so (ext).
    pub last_mounted: Option<u32>,
    /// About how many bytes are in use, where the superblock says so.
    pub used: Option<u64>,
    /// A part of it lies on another device.
    pub external: Option<External>,
}

impl Found {
    pub(crate) fn new(kind: Kind, size: u64, block_size: u32) -> Self {
        Self {
            kind,
            size,
            block_size,
            label: None,
            uuid: None,
            clean: None,
            trouble: None,
            last_mounted: None,
            used: None,
            external: None,
        }
    }

    /// The largest sector in bytes (512, 1024, 2048 or 4096) that an encrypted device below this
    /// file system may have.
    pub fn max_sector_size(&self) -> u32 {
        [4096, 2048, 1024].into_iter().find(|sector| self.block_size.is_multiple_of(*sector)).unwrap_or(512)
    }
}

/// The file systems that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// ext2.
    Ext2,
    /// ext3.
    Ext3,
    /// ext4.
    Ext4,
    /// A journal of an ext3 or ext4 that lies on another device.
    ExtJournal,
    /// FAT with 12-bit entries.
    Fat12,
    /// FAT with 16-bit entries.
    Fat16,
    /// FAT with 32-bit entries.
    Fat32,
    /// exFAT.
    ExFat,
    /// NTFS.
    Ntfs,
    /// btrfs.
    Btrfs,
    /// XFS.
    Xfs,
    /// Linux swap.
    Swap,
    /// F2FS.
    F2fs,
    /// Recognised by its signature alone, under the name that `blkid` gives it. As nothing is known
    /// about its size, it is taken to need the whole device.
    Other(&'static str),
}

impl Kind {
    /// The name as `blkid` spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ext2 => "ext2",
            Self::Ext3 => "ext3",
            Self::Ext4 => "ext4",
            Self::ExtJournal => "jbd",
            Self::Fat12 | Self::Fat16 | Self::Fat32 => "vfat",
            Self::ExFat => "exfat",
            Self::Ntfs => "ntfs",
            Self::Btrfs => "btrfs",
            Self::Xfs => "xfs",
            Self::Swap => "swap",
            Self::F2fs => "f2fs",
            Self::Other(name) => name,
        }
    }

    /// Whether [`shrink`](crate::shrink) can make it smaller.
    pub const fn can_shrink(self) -> bool {
        matches!(self, Self::Ext2 | Self::Ext3 | Self::Ext4 | Self::Ntfs)
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a file system is not clean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Trouble {
    /// It was not closed properly: it is mounted, or it was when the power went.
    NotClosed,
    /// Its journal holds changes that are not in their places yet.
    JournalPending,
    /// Its own system has found errors in it.
    Errors,
    /// A Windows that sleeps (hibernation or fast start-up) will go on writing to it.
    Hibernated,
}

impl Trouble {
    /// A short technical name, for details and logs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotClosed => "not-closed",
            Self::JournalPending => "journal-pending",
            Self::Errors => "errors",
            Self::Hibernated => "hibernated",
        }
    }
}

/// The part of a file system that lies on another device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum External {
    /// The journal or log.
    Journal,
    /// File contents (the real-time section of XFS).
    Data,
}
