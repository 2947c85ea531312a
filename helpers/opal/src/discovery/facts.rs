//! What follows from a discovery, in the words of a decision.

use serde::{Deserialize, Serialize};

use super::{BlockSid, Content, DataStore, Discovery, Geometry, Locking, SingleUserMode, Tper};

/// A subsystem class: which set of tables and methods the drive has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ssc {
    /// Opal 1.
    Opal1,
    /// Opal 2: what this program can set up.
    Opal2,
    /// Ruby: for data centres, encrypts; no common tool sets it up.
    Ruby,
    /// Opalite: Opal with the Global Range only; no common tool sets it up.
    Opalite,
    /// Pyrite 1: locks, and does not have to encrypt.
    Pyrite1,
    /// Pyrite 2: the same.
    Pyrite2,
    /// Enterprise: bands, for servers.
    Enterprise,
    /// Key per I/O.
    KeyPerIo,
}

impl Ssc {
    /// The name in recordings and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opal1 => "opal1",
            Self::Opal2 => "opal2",
            Self::Ruby => "ruby",
            Self::Opalite => "opalite",
            Self::Pyrite1 => "pyrite1",
            Self::Pyrite2 => "pyrite2",
            Self::Enterprise => "enterprise",
            Self::KeyPerIo => "key_per_io",
        }
    }

    /// Whether it is a name only, for a drive that may lock without encrypting.
    pub const fn is_pyrite(self) -> bool {
        matches!(self, Self::Pyrite1 | Self::Pyrite2)
    }
}

/// What a discovery means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The subsystem classes, in the order of [`Ssc`].
    pub ssc: Vec<Ssc>,
    /// The ComID to talk to: Opal 2's where there are several.
    pub comid: Option<u16>,
    /// Commands are answered one by one; without it no program can use the drive.
    pub sync: bool,
    /// Answers may come in any order.
    pub asynchronous: bool,
    /// There is a Locking SP.
    pub locking_supported: bool,
    /// It is activated.
    pub locking_enabled: bool,
    /// At least one range is locked.
    pub locked: bool,
    /// The drive encrypts what is on it.
    pub media_encryption: bool,
    /// Somebody has taken ownership: locking is enabled, or SID's PIN is not the MSID. `None` where the
    /// drive does not show it: Enterprise drives are enabled from the factory.
    pub owned: Option<bool>,
    /// There is a shadow MBR. Some drives claim one and have none.
    pub mbr_shadow_supported: bool,
    /// It is switched on.
    pub mbr_enabled: bool,
    /// The first sectors are those of the shadow MBR: what is read there is not the partition table.
    pub mbr_shadow_active: bool,
    /// SID cannot authenticate until the next power cycle.
    pub sid_blocked: bool,
    /// A hardware reset ends that, too.
    pub block_cleared_by_hardware_reset: bool,
    /// Single User Mode is known to the drive.
    pub sum: bool,
    /// At least one range is in Single User Mode.
    pub sum_active: bool,
    /// DataStore tables that there can be.
    pub datastore_tables: Option<u16>,
    /// Bytes in all of them.
    pub datastore_size: Option<u32>,
    /// Ranges that there can be with the Global Range, where the drive says so without a session.
    pub ranges: Option<u32>,
    /// Users of the Locking SP.
    pub users: Option<u16>,
    /// Bytes in a logical block, as the security part sees it.
    pub geometry_block_size: Option<u32>,
    /// Blocks in a unit of alignment; 1 where the drive has no wish.
    pub granularity: u64,
    /// The first aligned block.
    pub lowest_aligned_lba: u64,
    /// Whether Windows could take it for an encrypted drive, if the list of protocols has IEEE 1667 too.
    pub edrive_if_ieee1667: bool,
}

/// What can be done with the drive, as far as the discovery alone tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Advice {
    /// It can be owned and set up now.
    OfferHardware,
    /// It can, but its block size is not the one that the system sees: whole drive only, no ranges.
    OtherBlockSize,
    /// It could be, if the firmware had not blocked SID until the next power cycle.
    UnblockSid,
    /// Somebody owns it, and nothing is locked yet.
    OwnedNotLocking,
    /// Somebody owns it, and it is open now.
    Manage,
    /// It is locked: the password, or the PSID and with it the loss of everything.
    UnlockOrPsid,
    /// It locks, and does not encrypt.
    LockWithoutEncryption,
    /// It encrypts, and nothing here can set it up (Enterprise, Ruby or Opalite alone).
    NotSupported,
    /// No security functions of use.
    None,
}

impl Discovery {
    /// What follows from it.
    pub fn facts(&self) -> Facts {
        let locking = self.locking().unwrap_or_default();
        let tper = self.tper().unwrap_or_default();
        let block = self.block_sid();
        let sum = self.single_user_mode();
        let geometry = self.geometry();
        let store = self.data_store();
        let ssc = self.ssc();
        let opal2 = ssc.contains(&Ssc::Opal2);
        let only_enterprise = ssc.as_slice() == [Ssc::Enterprise];
        let differs = block.is_some_and(|block| block.sid_differs);
        Facts {
            comid: self.comid(),
            sync: tper.sync,
            asynchronous: tper.asynchronous,
            locking_supported: locking.supported,
            locking_enabled: locking.enabled,
            locked: locking.locked,
            media_encryption: locking.media_encryption,
            owned: match (only_enterprise, differs || locking.locked) {
                (true, false) => None,
                (_, sign) => Some(sign || locking.enabled),
            },
            mbr_shadow_supported: locking.supported && !locking.mbr_absent,
            mbr_enabled: locking.mbr_enabled,
            mbr_shadow_active: locking.mbr_enabled && !locking.mbr_done,
            sid_blocked: block.is_some_and(|block| block.blocked),
            block_cleared_by_hardware_reset: block.is_some_and(|block| block.cleared_by_hardware_reset),
            sum: sum.is_some(),
            sum_active: sum.is_some_and(|sum| sum.any || sum.all),
            datastore_tables: store.map(|store| store.tables),
            datastore_size: store.map(|store| store.total_size),
            ranges: sum.map(|sum| sum.ranges),
            users: self.users(),
            geometry_block_size: geometry.map(|geometry| geometry.logical_block_size),
            granularity: geometry.map_or(1, |geometry| geometry.granularity.max(1)),
            lowest_aligned_lba: geometry.map_or(0, |geometry| geometry.lowest_aligned_lba),
            edrive_if_ieee1667: opal2 && sum.is_some() && store.is_some() && !locking.enabled,
            ssc,
        }
    }

    /// The subsystem classes, each once, in the order of [`Ssc`].
    pub fn ssc(&self) -> Vec<Ssc> {
        let mut all: Vec<Ssc> = self
            .features
            .iter()
            .filter_map(|feature| match feature.content {
                Content::Opal1(_) => Some(Ssc::Opal1),
                Content::Opal2(_) => Some(Ssc::Opal2),
                Content::Ruby(_) => Some(Ssc::Ruby),
                Content::Opalite(_) => Some(Ssc::Opalite),
                Content::Pyrite1(_) => Some(Ssc::Pyrite1),
                Content::Pyrite2(_) => Some(Ssc::Pyrite2),
                Content::Enterprise(_) => Some(Ssc::Enterprise),
                Content::KeyPerIo(_) => Some(Ssc::KeyPerIo),
                _ => None,
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The ComID to talk to. Opal 2 before Opal 1 before the others, as several can be there.
    pub fn comid(&self) -> Option<u16> {
        let rank = |content: &Content| match content {
            Content::Opal2(ssc) => Some((0, ssc.base_comid)),
            Content::Opal1(ssc) => Some((1, ssc.base_comid)),
            Content::Ruby(ssc) => Some((2, ssc.base_comid)),
            Content::Opalite(ssc) => Some((3, ssc.base_comid)),
            Content::Pyrite2(ssc) => Some((4, ssc.base_comid)),
            Content::Pyrite1(ssc) => Some((5, ssc.base_comid)),
            Content::Enterprise(ssc) => Some((6, ssc.base_comid)),
            Content::KeyPerIo(ssc) => Some((7, ssc.base_comid)),
            _ => None,
        };
        self.features
            .iter()
            .filter_map(|feature| rank(&feature.content))
            .min_by_key(|(rank, _)| *rank)
            .map(|(_, id)| id)
    }

    /// The first descriptor 0001.
    pub fn tper(&self) -> Option<Tper> {
        self.first(|content| if let Content::Tper(tper) = content { Some(*tper) } else { None })
    }

    /// The first descriptor 0002.
    pub fn locking(&self) -> Option<Locking> {
        self.first(|content| if let Content::Locking(locking) = content { Some(*locking) } else { None })
    }

    /// The first descriptor 0003.
    pub fn geometry(&self) -> Option<Geometry> {
        self.first(|content| if let Content::Geometry(geometry) = content { Some(*geometry) } else { None })
    }

    /// The first descriptor 0201.
    pub fn single_user_mode(&self) -> Option<SingleUserMode> {
        self.first(|content| if let Content::SingleUserMode(sum) = content { Some(*sum) } else { None })
    }

    /// The first descriptor 0202.
    pub fn data_store(&self) -> Option<DataStore> {
        self.first(|content| if let Content::DataStore(store) = content { Some(*store) } else { None })
    }

    /// The first descriptor 0402.
    pub fn block_sid(&self) -> Option<BlockSid> {
        self.first(|content| if let Content::BlockSid(block) = content { Some(*block) } else { None })
    }

    fn users(&self) -> Option<u16> {
        self.first(|content| match content {
            Content::Opal2(ssc) | Content::Ruby(ssc) => Some(ssc.users),
            _ => None,
        })
    }

    fn first<T>(&self, pick: impl Fn(&Content) -> Option<T>) -> Option<T> {
        self.features.iter().find_map(|feature| pick(&feature.content))
    }
}

impl Facts {
    /// Whether it is a drive that this program talks to beyond the discovery: Opal, whatever else it is.
    pub fn is_opal(&self) -> bool {
        self.ssc.contains(&Ssc::Opal2) || self.ssc.contains(&Ssc::Opal1)
    }

    /// What can be done with the drive. `block_size` is the logical block size that the system sees, in
    /// bytes, if it is known. Nothing here knows of bad firmware or of the way to the drive.
    pub fn advice(&self, block_size: Option<u32>) -> Advice {
        if !self.locking_supported || self.ssc.is_empty() {
            return Advice::None;
        }
        if !self.media_encryption || self.ssc.iter().all(|ssc| ssc.is_pyrite()) {
            return Advice::LockWithoutEncryption;
        }
        if !self.is_opal() || !self.sync {
            return Advice::NotSupported;
        }
        if self.locked {
            return Advice::UnlockOrPsid;
        }
        if self.locking_enabled {
            return Advice::Manage;
        }
        if self.owned == Some(true) {
            return Advice::OwnedNotLocking;
        }
        if self.sid_blocked {
            return Advice::UnblockSid;
        }
        match (self.geometry_block_size, block_size) {
            (Some(theirs), Some(ours)) if theirs != 0 && theirs != ours => Advice::OtherBlockSize,
            _ => Advice::OfferHardware,
        }
    }
}
