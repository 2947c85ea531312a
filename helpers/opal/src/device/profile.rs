//! What sort of drive it is, and how it errs.

use serde::{Deserialize, Serialize};

use crate::discovery::Ssc;

/// Everything in which drives differ. The odd ones are those of real drives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The model that the drive gives itself.
    pub model: String,
    /// Subsystem classes in its discovery.
    pub ssc: Vec<Ssc>,
    /// The first ComID, and the one that is used.
    pub comid: u16,
    /// Bytes in a logical block: 512 or 4096.
    pub block_size: u32,
    /// Bytes in a logical block as the discovery has it, if that is another number.
    pub geometry_block_size: Option<u32>,
    /// Blocks that a range must be aligned to.
    pub granularity: u64,
    /// The first aligned block.
    pub lowest_aligned_lba: u64,
    /// Ranges beside the Global Range.
    pub ranges: u16,
    /// Users of the Locking SP.
    pub users: u16,
    /// Whether it encrypts (Pyrite does not have to).
    pub media_encryption: bool,
    /// Whether it says that answers may come in any order.
    pub asynchronous: bool,
    /// The shadow MBR.
    pub shadow_mbr: ShadowMbr,
    /// Bytes of the shadow MBR; Opal 2 demands at least 128 MiB.
    pub shadow_mbr_size: u64,
    /// Bytes of the DataStore.
    pub data_store_size: u64,
    /// Bytes of both that must be written at once.
    pub write_granularity: u64,
    /// Single User Mode is known.
    pub single_user_mode: bool,
    /// The feature Block SID is known.
    pub block_sid: bool,
    /// The computer's firmware blocks SID at each start.
    pub sid_blocked_at_start: bool,
    /// There is a PSID.
    pub psid: bool,
    /// Wrong PINs until an authority is locked out; 0 is never.
    pub try_limit: u32,
    /// Bytes in a ComPacket, both ways.
    pub max_com_packet: u32,
    /// The list of security protocols.
    pub protocols: Vec<u8>,
    /// How it errs.
    pub faults: Faults,
}

/// Whether there is a shadow MBR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShadowMbr {
    /// It works.
    Works,
    /// The discovery says that there is none.
    Absent,
    /// The discovery says that there is one, and there is none.
    Claimed,
    /// It works, and cannot be switched off again.
    Sticks,
}

/// How a drive errs. All off for one that does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Faults {
    /// So many looks for an answer find nothing.
    pub late: u32,
    /// Reading the MSID is never answered, until the drive is reverted.
    pub msid_unanswered: bool,
    /// The firmware crashes in a revert: nothing is done, and no session until the next power cycle.
    pub crash_in_revert: bool,
    /// After a revert nothing can be read or written until the next power cycle.
    pub dead_after_revert: bool,
    /// `KeepGlobalRangeKey` is ignored: the data are gone.
    pub keeps_nothing: bool,
    /// Setting RL and WL is answered with success and not done.
    pub forgets_locks: bool,
    /// Ranges are not locked by a power cycle.
    pub stays_open: bool,
    /// The new PIN of SID is answered with success and not taken.
    pub forgets_pin: bool,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            model: "Latchkey Virtual Opal Drive".into(),
            ssc: vec![Ssc::Opal2],
            comid: 0x1004,
            block_size: 512,
            geometry_block_size: None,
            granularity: 8,
            lowest_aligned_lba: 0,
            ranges: 8,
            users: 9,
            media_encryption: true,
            asynchronous: false,
            shadow_mbr: ShadowMbr::Works,
            shadow_mbr_size: 128 << 20,
            data_store_size: 10 << 20,
            write_granularity: 1,
            single_user_mode: true,
            block_sid: true,
            sid_blocked_at_start: false,
            psid: true,
            try_limit: 5,
            max_com_packet: 65_536,
            protocols: vec![0x00, 0x01, 0x02],
            faults: Faults::default(),
        }
    }
}

impl Profile {
    /// The names that [`Profile::named`] knows.
    pub const NAMES: [&'static str; 20] = [
        "default",
        "no-shadow-mbr",
        "shadow-mbr-claimed",
        "shadow-mbr-sticks",
        "granularity-16",
        "write-granularity",
        "comid-7ffe",
        "blocks-4096",
        "block-size-520",
        "pyrite",
        "enterprise",
        "opal-1-and-2",
        "sid-blocked",
        "late",
        "msid-unanswered",
        "crash-in-revert",
        "dead-after-revert",
        "keeps-nothing",
        "forgets-locks",
        "stays-open",
    ];

    /// The profile of this name.
    pub fn named(name: &str) -> Option<Self> {
        let base = Self::default();
        let faulty = |faults| Self { faults, ..Self::default() };
        Some(match name {
            "default" => base,
            // Samsung PM1735 says that it has one.
            "shadow-mbr-claimed" => Self { shadow_mbr: ShadowMbr::Claimed, ..base },
            // Crucial MX200.
            "shadow-mbr-sticks" => Self { shadow_mbr: ShadowMbr::Sticks, ..base },
            "no-shadow-mbr" => Self { shadow_mbr: ShadowMbr::Absent, ..base },
            // Intel SSDSC2BF480A5L.
            "granularity-16" => {
                Self { granularity: 16, comid: 0x0800, ranges: 4, users: 5, max_com_packet: 8704, ..base }
            }
            // As the specification allows it.
            "write-granularity" => Self { write_granularity: 4096, ..base },
            // WD SN730.
            "comid-7ffe" => Self { comid: 0x7ffe, granularity: 1, asynchronous: true, max_com_packet: 16_896, ..base },
            "blocks-4096" => Self { block_size: 4096, granularity: 1, ..base },
            // Kioxia CM6-R.
            "block-size-520" => Self {
                ssc: vec![Ssc::Opal2, Ssc::Ruby],
                comid: 0x2000,
                geometry_block_size: Some(520),
                ranges: 191,
                users: 192,
                shadow_mbr: ShadowMbr::Absent,
                data_store_size: 131_072,
                ..base
            },
            // Sabrent Rocket 4.0.
            "pyrite" => Self {
                ssc: vec![Ssc::Pyrite1],
                comid: 0x07fe,
                media_encryption: false,
                shadow_mbr: ShadowMbr::Absent,
                ranges: 0,
                single_user_mode: false,
                ..base
            },
            // Only its discovery: nothing here manages bands.
            "enterprise" => Self {
                ssc: vec![Ssc::Enterprise],
                comid: 0x07fe,
                shadow_mbr: ShadowMbr::Absent,
                single_user_mode: false,
                block_sid: false,
                ..base
            },
            "opal-1-and-2" => Self { ssc: vec![Ssc::Opal1, Ssc::Opal2], comid: 0x0800, ..base },
            // Samsung PM983 in a computer whose firmware blocks SID.
            "sid-blocked" => Self { sid_blocked_at_start: true, ..base },
            "late" => faulty(Faults { late: 3, ..Faults::default() }),
            // Intel SSDPEKKF256G8.
            "msid-unanswered" => faulty(Faults { msid_unanswered: true, ..Faults::default() }),
            // Toshiba MQ01ABU032W.
            "crash-in-revert" => faulty(Faults { crash_in_revert: true, ..Faults::default() }),
            // WD SN730 again.
            "dead-after-revert" => faulty(Faults { dead_after_revert: true, ..Faults::default() }),
            "keeps-nothing" => faulty(Faults { keeps_nothing: true, ..Faults::default() }),
            "forgets-locks" => faulty(Faults { forgets_locks: true, ..Faults::default() }),
            "stays-open" => faulty(Faults { stays_open: true, ..Faults::default() }),
            _ => return None,
        })
    }

    pub(super) fn has_shadow_mbr(&self) -> bool {
        matches!(self.shadow_mbr, ShadowMbr::Works | ShadowMbr::Sticks)
    }
}
