//! The descriptors, each decoded as far as it came.

use serde::{Deserialize, Serialize};

use crate::bytes::Bytes;

/// What a descriptor says, by its feature code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "feature", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// 0001
    Tper(Tper),
    /// 0002
    Locking(Locking),
    /// 0003
    Geometry(Geometry),
    /// 0004: messages can be encrypted on their way.
    SecureMessaging,
    /// 0005: which interface specification is followed.
    Siis(Siis),
    /// 0100
    Enterprise(Enterprise),
    /// 0200
    Opal1(Opal1),
    /// 0201
    SingleUserMode(SingleUserMode),
    /// 0202
    DataStore(DataStore),
    /// 0203
    Opal2(Subsystem),
    /// 0301
    Opalite(Pins),
    /// 0302
    Pyrite1(Pins),
    /// 0303
    Pyrite2(Pins),
    /// 0304
    Ruby(Subsystem),
    /// 0305: a key for each command.
    KeyPerIo(KeyPerIo),
    /// 0401: which changes to ranges are allowed.
    LockingLba(LockingLba),
    /// 0402
    BlockSid(BlockSid),
    /// 0403
    NamespaceLocking(NamespaceLocking),
    /// 0404
    DataRemoval(DataRemoval),
    /// 0405: the geometry of one namespace.
    NamespaceGeometry(Geometry),
    /// 0407: a shadow MBR for each of several namespaces.
    NamespaceShadowMbr,
    /// Any other code, from C000 on a vendor's own.
    Unknown {
        /// The payload as it came.
        payload: Vec<u8>,
    },
}

impl Content {
    pub(super) fn decode(code: u16, payload: &[u8]) -> Self {
        let bytes = Bytes(payload);
        match code {
            0x0001 => Self::Tper(Tper::decode(bytes)),
            0x0002 => Self::Locking(Locking::decode(bytes)),
            0x0003 => Self::Geometry(Geometry::decode(bytes)),
            0x0004 => Self::SecureMessaging,
            0x0005 => Self::Siis(Siis { revision: bytes.u8(0) }),
            0x0100 => Self::Enterprise(Enterprise::decode(bytes)),
            0x0200 => Self::Opal1(Opal1::decode(bytes)),
            0x0201 => Self::SingleUserMode(SingleUserMode::decode(bytes)),
            0x0202 => Self::DataStore(DataStore::decode(bytes)),
            0x0203 => Self::Opal2(Subsystem::decode(bytes)),
            0x0301 => Self::Opalite(Pins::decode(bytes)),
            0x0302 => Self::Pyrite1(Pins::decode(bytes)),
            0x0303 => Self::Pyrite2(Pins::decode(bytes)),
            0x0304 => Self::Ruby(Subsystem::decode(bytes)),
            0x0305 => Self::KeyPerIo(KeyPerIo { base_comid: bytes.u16(0), comids: bytes.u16(2) }),
            0x0401 => Self::LockingLba(LockingLba { controls: payload.to_vec() }),
            0x0402 => Self::BlockSid(BlockSid::decode(bytes)),
            0x0403 => Self::NamespaceLocking(NamespaceLocking::decode(bytes)),
            0x0404 => Self::DataRemoval(DataRemoval::decode(bytes)),
            0x0405 => Self::NamespaceGeometry(Geometry::decode(bytes)),
            0x0407 => Self::NamespaceShadowMbr,
            _ => Self::Unknown { payload: payload.to_vec() },
        }
    }
}

/// How the drive's security part talks (Core 3.3.6.4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tper {
    /// One command, one answer. Without it nothing here works, and the Linux kernel refuses the drive.
    pub sync: bool,
    /// Answers may come in any order.
    pub asynchronous: bool,
    /// Packets are acknowledged.
    pub ack_nak: bool,
    /// Buffers are managed.
    pub buffer_management: bool,
    /// Methods may be streamed.
    pub streaming: bool,
    /// ComIDs can be asked for.
    pub comid_management: bool,
}

impl Tper {
    fn decode(bytes: Bytes<'_>) -> Self {
        Self {
            sync: bytes.bit(0, 0),
            asynchronous: bytes.bit(0, 1),
            ack_nak: bytes.bit(0, 2),
            buffer_management: bytes.bit(0, 3),
            streaming: bytes.bit(0, 4),
            comid_management: bytes.bit(0, 6),
        }
    }
}

/// The state of locking (Core 3.3.6.4.3; Opal 3.1.1.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locking {
    /// There is a Locking SP. That is not encryption: Pyrite has one too.
    pub supported: bool,
    /// The Locking SP is activated. The factory state of Enterprise drives.
    pub enabled: bool,
    /// At least one range is locked now.
    pub locked: bool,
    /// What is on the medium is encrypted.
    pub media_encryption: bool,
    /// The shadow MBR is switched on.
    pub mbr_enabled: bool,
    /// The shadow MBR has done its work since the last power cycle: the real sectors are seen.
    pub mbr_done: bool,
    /// There is no shadow MBR on this drive.
    pub mbr_absent: bool,
    /// A hardware reset can lock, too.
    pub hardware_reset_locks: bool,
}

impl Locking {
    fn decode(bytes: Bytes<'_>) -> Self {
        Self {
            supported: bytes.bit(0, 0),
            enabled: bytes.bit(0, 1),
            locked: bytes.bit(0, 2),
            media_encryption: bytes.bit(0, 3),
            mbr_enabled: bytes.bit(0, 4),
            mbr_done: bytes.bit(0, 5),
            mbr_absent: bytes.bit(0, 6),
            hardware_reset_locks: bytes.bit(0, 7),
        }
    }
}

/// What ranges must be aligned to (Opal 3.1.1.4). Also the geometry of a namespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Geometry {
    /// Ranges that are not aligned are refused.
    pub align_required: bool,
    /// Bytes in a logical block. Some firmware says something else than the drive's interface.
    pub logical_block_size: u32,
    /// Logical blocks in a unit of alignment.
    pub granularity: u64,
    /// The first block that is aligned.
    pub lowest_aligned_lba: u64,
}

impl Geometry {
    fn decode(bytes: Bytes<'_>) -> Self {
        Self {
            align_required: bytes.bit(0, 0),
            logical_block_size: bytes.u32(8),
            granularity: bytes.u64(12),
            lowest_aligned_lba: bytes.u64(20),
        }
    }
}

/// The interface specification that is followed (SIIS).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Siis {
    /// Its revision number.
    pub revision: u8,
}

/// Enterprise SSC: bands instead of ranges, another set of methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enterprise {
    /// The first ComID.
    pub base_comid: u16,
    /// How many there are.
    pub comids: u16,
    /// A command that crosses bands is refused, though both are open.
    pub range_crossing: bool,
}

impl Enterprise {
    fn decode(bytes: Bytes<'_>) -> Self {
        Self { base_comid: bytes.u16(0), comids: bytes.u16(2), range_crossing: bytes.bit(4, 0) }
    }
}

/// Opal SSC 1.00.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opal1 {
    /// The first ComID.
    pub base_comid: u16,
    /// How many there are.
    pub comids: u16,
    /// A command that crosses ranges is refused, though both are open.
    pub range_crossing: bool,
}

impl Opal1 {
    fn decode(bytes: Bytes<'_>) -> Self {
        Self { base_comid: bytes.u16(0), comids: bytes.u16(2), range_crossing: bytes.bit(4, 0) }
    }
}

/// Opal SSC 2 and Ruby SSC, whose descriptors are alike (Opal 3.1.1.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subsystem {
    /// The first ComID.
    pub base_comid: u16,
    /// How many there are.
    pub comids: u16,
    /// A command that crosses ranges is refused, though both are open.
    pub range_crossing: bool,
    /// Admin authorities of the Locking SP.
    pub admins: u16,
    /// User authorities of the Locking SP.
    pub users: u16,
    /// What SID's PIN is from the factory: 00 the MSID, FF something of the vendor's.
    pub initial_pin: u8,
    /// What SID's PIN is after a revert: 00 the MSID, FF something of the vendor's.
    pub reverted_pin: u8,
}

impl Subsystem {
    fn decode(bytes: Bytes<'_>) -> Self {
        Self {
            base_comid: bytes.u16(0),
            comids: bytes.u16(2),
            range_crossing: bytes.bit(4, 0),
            admins: bytes.u16(5),
            users: bytes.u16(7),
            initial_pin: bytes.u8(9),
            reverted_pin: bytes.u8(10),
        }
    }
}

/// Opalite and Pyrite SSC, whose descriptors are alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pins {
    /// The first ComID.
    pub base_comid: u16,
    /// How many there are.
    pub comids: u16,
    /// As in [`Subsystem::initial_pin`].
    pub initial_pin: u8,
    /// As in [`Subsystem::reverted_pin`].
    pub reverted_pin: u8,
}

impl Pins {
    fn decode(bytes: Bytes<'_>) -> Self {
        Self { base_comid: bytes.u16(0), comids: bytes.u16(2), initial_pin: bytes.u8(9), reverted_pin: bytes.u8(10) }
    }
}

/// Single User Mode: each range has one user, and no administrator above it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SingleUserMode {
    /// Ranges that can be in this mode, the Global Range included.
    pub ranges: u32,
    /// At least one range is in this mode.
    pub any: bool,
    /// All are.
    pub all: bool,
    /// Who may erase: set, the administrators of the SP; not set, the user alone.
    pub policy: bool,
}

impl SingleUserMode {
    fn decode(bytes: Bytes<'_>) -> Self {
        Self { ranges: bytes.u32(0), any: bytes.bit(4, 0), all: bytes.bit(4, 1), policy: bytes.bit(4, 2) }
    }
}

/// Additional DataStore tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataStore {
    /// How many tables there can be.
    pub tables: u16,
    /// Bytes in all of them.
    pub total_size: u32,
    /// Bytes that a table's size must be a multiple of.
    pub alignment: u32,
}

impl DataStore {
    fn decode(bytes: Bytes<'_>) -> Self {
        Self { tables: bytes.u16(2), total_size: bytes.u32(4), alignment: bytes.u32(8) }
    }
}

/// Key per I/O SSC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyPerIo {
    /// The first ComID.
    pub base_comid: u16,
    /// How many there are.
    pub comids: u16,
}

/// Which changes to the ranges are allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockingLba {
    /// The payload as it came: no drive was seen that uses it.
    pub controls: Vec<u8>,
}

/// Whether SID may show itself at all (feature set Block SID Authentication).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockSid {
    /// SID's PIN is not the MSID: somebody owns the drive.
    pub sid_differs: bool,
    /// SID cannot authenticate until the next power cycle: the firmware has asked for that.
    pub blocked: bool,
    /// The Locking SP's state can be frozen.
    pub freeze_supported: bool,
    /// It is frozen.
    pub frozen: bool,
    /// A hardware reset ends the block, too.
    pub cleared_by_hardware_reset: bool,
}

impl BlockSid {
    fn decode(bytes: Bytes<'_>) -> Self {
        Self {
            sid_differs: bytes.bit(0, 0),
            blocked: bytes.bit(0, 1),
            freeze_supported: bytes.bit(0, 2),
            frozen: bytes.bit(0, 3),
            cleared_by_hardware_reset: bytes.bit(1, 0),
        }
    }
}

/// Locking of NVMe namespaces, each with a key (feature set Configurable Namespace Locking).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamespaceLocking {
    /// A namespace can have a key of its own.
    pub range_c: bool,
    /// A namespace can have further ranges.
    pub range_p: bool,
    /// Keys that there can be.
    pub max_keys: u32,
    /// Keys that are not used.
    pub unused_keys: u32,
    /// Ranges in one namespace.
    pub max_ranges: u32,
}

impl NamespaceLocking {
    fn decode(bytes: Bytes<'_>) -> Self {
        Self {
            range_c: bytes.bit(0, 7),
            range_p: bytes.bit(0, 6),
            max_keys: bytes.u32(4),
            unused_keys: bytes.u32(8),
            max_ranges: bytes.u32(12),
        }
    }
}

/// How the drive makes data unreadable in a revert (Opal 3.1.1.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataRemoval {
    /// A removal is under way.
    pub processing: bool,
    /// One was interrupted.
    pub interrupted: bool,
    /// Overwriting. Its time is in `seconds[0]`.
    pub overwrite: bool,
    /// Erasing the flash blocks; `seconds[1]`.
    pub block_erase: bool,
    /// Destroying the keys; `seconds[2]`.
    pub crypto_erase: bool,
    /// Unmapping.
    pub unmap: bool,
    /// Resetting the write pointers of zones.
    pub reset_write_pointers: bool,
    /// The vendor's way; `seconds[3]`.
    pub vendor: bool,
    /// How long each takes, in seconds; 0 where the drive does not say.
    pub seconds: [u32; 4],
}

impl DataRemoval {
    fn decode(bytes: Bytes<'_>) -> Self {
        // Twice the value is in seconds or, with the format bit, in minutes.
        let time = |at, bit| u32::from(bytes.u16(at)) * 2 * if bytes.bit(3, bit) { 60 } else { 1 };
        Self {
            processing: bytes.bit(1, 0),
            interrupted: bytes.bit(1, 1),
            overwrite: bytes.bit(2, 0),
            block_erase: bytes.bit(2, 1),
            crypto_erase: bytes.bit(2, 2),
            unmap: bytes.bit(2, 3),
            reset_write_pointers: bytes.bit(2, 4),
            vendor: bytes.bit(2, 5),
            seconds: [time(4, 0), time(6, 1), time(8, 2), time(14, 5)],
        }
    }
}
