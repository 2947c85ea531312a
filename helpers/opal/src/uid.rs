//! Names of objects, tables and methods (Core 5.1, Opal 4).

use std::fmt;

/// An eight-byte name: the table in the upper half, the row in the lower one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uid(pub [u8; 8]);

impl fmt::Debug for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}:{:08x}", self.table(), self.row())
    }
}

impl Uid {
    /// From the two halves.
    pub const fn new(table: u32, row: u32) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (table.to_be_bytes(), row.to_be_bytes());
        Self([a, b, c, d, e, f, g, h])
    }

    /// The upper half.
    pub const fn table(self) -> u32 {
        let [a, b, c, d, ..] = self.0;
        u32::from_be_bytes([a, b, c, d])
    }

    /// The lower half.
    pub const fn row(self) -> u32 {
        let [.., a, b, c, d] = self.0;
        u32::from_be_bytes([a, b, c, d])
    }
}

/// Half a UID: what stands for a type in an access control expression.
pub mod half {
    /// An authority.
    pub const AUTHORITY: [u8; 4] = [0, 0, 0x0c, 0x05];
    /// And (0), or (1), not (2), behind the two that it joins.
    pub const BOOLEAN: [u8; 4] = [0, 0, 0x04, 0x0e];
}

/// Methods.
pub mod method {
    use super::Uid;

    /// What host and drive can take.
    pub const PROPERTIES: Uid = Uid::new(0, 0xff01);
    /// Opens a session.
    pub const START_SESSION: Uid = Uid::new(0, 0xff02);
    /// The answer to it.
    pub const SYNC_SESSION: Uid = Uid::new(0, 0xff03);
    /// The drive ends a session on its own.
    pub const CLOSE_SESSION: Uid = Uid::new(0, 0xff06);
    /// The names of the rows of a table.
    pub const NEXT: Uid = Uid::new(6, 0x08);
    /// Which access control elements guard a method.
    pub const GET_ACL: Uid = Uid::new(6, 0x0d);
    /// A new media key: whatever was in the range is gone.
    pub const GEN_KEY: Uid = Uid::new(6, 0x10);
    /// Sets a whole SP back.
    pub const REVERT_SP: Uid = Uid::new(6, 0x11);
    /// Reads cells.
    pub const GET: Uid = Uid::new(6, 0x16);
    /// Writes cells.
    pub const SET: Uid = Uid::new(6, 0x17);
    /// Shows one more secret in an open session.
    pub const AUTHENTICATE: Uid = Uid::new(6, 0x1c);
    /// Sets an SP back, called in the Admin SP.
    pub const REVERT: Uid = Uid::new(6, 0x202);
    /// Brings the Locking SP to life.
    pub const ACTIVATE: Uid = Uid::new(6, 0x203);
    /// Random bytes of the drive.
    pub const RANDOM: Uid = Uid::new(6, 0x601);
    /// Brings ranges into Single User Mode or out of it.
    pub const REACTIVATE: Uid = Uid::new(6, 0x801);
    /// Erases a range of Single User Mode.
    pub const ERASE: Uid = Uid::new(6, 0x803);
}

/// The session manager, which takes what is sent outside of a session.
pub const SESSION_MANAGER: Uid = Uid::new(0, 0xff);
/// The SP that the session is open to.
pub const THIS_SP: Uid = Uid::new(0, 1);
/// The Admin SP.
pub const ADMIN_SP: Uid = Uid::new(0x205, 1);
/// The Locking SP.
pub const LOCKING_SP: Uid = Uid::new(0x205, 2);
/// The Locking SP of Enterprise drives.
pub const ENTERPRISE_LOCKING_SP: Uid = Uid::new(0x205, 0x0001_0001);

/// Nobody in particular.
pub const ANYBODY: Uid = Uid::new(9, 1);
/// Every administrator.
pub const ADMINS: Uid = Uid::new(9, 2);
/// The owner of the drive.
pub const SID: Uid = Uid::new(9, 6);
/// Whoever reads the label.
pub const PSID: Uid = Uid::new(9, 0x0001_ff01);
/// Every user.
pub const USERS: Uid = Uid::new(9, 0x0003_0000);

/// SID's PIN.
pub const C_PIN_SID: Uid = Uid::new(0xb, 1);
/// The PIN from the factory, which everybody may read.
pub const C_PIN_MSID: Uid = Uid::new(0xb, 0x8402);

/// Facts about the drive's security part.
pub const TPER_INFO: Uid = Uid::new(0x201, 0x0003_0001);
/// How a revert removes data.
pub const DATA_REMOVAL: Uid = Uid::new(0x1101, 1);
/// How many ranges there can be.
pub const LOCKING_INFO: Uid = Uid::new(0x801, 1);
/// The table of ranges.
pub const LOCKING_TABLE: Uid = Uid::new(0x802, 0);
/// The range that is everything which no other range is.
pub const GLOBAL_RANGE: Uid = Uid::new(0x802, 1);
/// The switches of the shadow MBR.
pub const MBR_CONTROL: Uid = Uid::new(0x803, 1);
/// The bytes of the shadow MBR.
pub const MBR: Uid = Uid::new(0x804, 0);

/// Administrator `number` of the Locking SP, from 1.
pub const fn admin(number: u16) -> Uid {
    Uid::new(9, 0x0001_0000 | number as u32)
}

/// User `number` of the Locking SP, from 1.
pub const fn user(number: u16) -> Uid {
    Uid::new(9, 0x0003_0000 | number as u32)
}

/// The PIN of an authority of the Locking SP, or of SID: the row has the same number.
pub const fn c_pin(authority: Uid) -> Uid {
    if authority.row() == SID.row() { C_PIN_SID } else { Uid::new(0xb, authority.row()) }
}

/// Range `number`; 0 is the Global Range.
pub const fn range(number: u16) -> Uid {
    if number == 0 { GLOBAL_RANGE } else { Uid::new(0x802, 0x0003_0000 | number as u32) }
}

/// The AES-256 key of range `number`.
pub const fn key(number: u16) -> Uid {
    if number == 0 { Uid::new(0x806, 1) } else { Uid::new(0x806, 0x0003_0000 | number as u32) }
}

/// The DataStore table `number`, from 0.
pub const fn data_store(number: u16) -> Uid {
    // The tables have consecutive names: DataStore, DataStore2, ...
    Uid::new(0x1001 + number as u32, 0)
}

/// The row of the table of tables that describes the table which `object` is in.
pub const fn table_row(object: Uid) -> Uid {
    Uid::new(1, object.table())
}

/// Access control elements of the Locking SP (Opal 4.3.1.6).
pub mod ace {
    use super::Uid;

    const TABLE: u32 = 8;

    /// Who may read the cells of range `number`.
    pub const fn range_get(number: u16) -> Uid {
        Uid::new(TABLE, 0x0003_d000 | number as u32)
    }

    /// Who may set whether reading is locked.
    pub const fn read_locked(number: u16) -> Uid {
        Uid::new(TABLE, 0x0003_e000 | number as u32)
    }

    /// Who may set whether writing is locked.
    pub const fn write_locked(number: u16) -> Uid {
        Uid::new(TABLE, 0x0003_e800 | number as u32)
    }

    /// Who may set start, length and the rest of range `number`.
    pub const fn range_set(number: u16) -> Uid {
        // F000 is the Global Range's; the others share F001 and following.
        Uid::new(TABLE, 0x0003_f000 | number as u32)
    }

    /// Who may make a new key for range `number`.
    pub const fn gen_key(number: u16) -> Uid {
        Uid::new(TABLE, 0x0003_b800 | number as u32)
    }

    /// Who may say that the shadow MBR has done its work.
    pub const MBR_DONE: Uid = Uid::new(TABLE, 0x0003_f801);
    /// Who may read DataStore.
    pub const DATA_STORE_GET: Uid = Uid::new(TABLE, 0x0003_fc00);
    /// Who may write DataStore.
    pub const DATA_STORE_SET: Uid = Uid::new(TABLE, 0x0003_fc01);

    /// Who may set the PIN of user `number`.
    pub const fn user_pin(number: u16) -> Uid {
        Uid::new(TABLE, 0x0003_a800 | number as u32)
    }
}

/// Columns.
pub mod column {
    /// The PIN in C_PIN.
    pub const PIN: u64 = 3;
    /// How often a wrong PIN may be shown, in C_PIN; 0 is for ever.
    pub const TRY_LIMIT: u64 = 5;
    /// How often one was shown, in C_PIN.
    pub const TRIES: u64 = 6;
    /// Whether that count survives a power cycle, in C_PIN.
    pub const PERSISTENCE: u64 = 7;
    /// Whether it may be used, in Authority.
    pub const ENABLED: u64 = 5;
    /// Where an SP is in its life, in SP.
    pub const LIFE_CYCLE: u64 = 6;
    /// First block, in Locking.
    pub const RANGE_START: u64 = 3;
    /// Blocks, in Locking.
    pub const RANGE_LENGTH: u64 = 4;
    /// Whether reading can be locked, in Locking.
    pub const READ_LOCK_ENABLED: u64 = 5;
    /// Whether writing can be locked, in Locking.
    pub const WRITE_LOCK_ENABLED: u64 = 6;
    /// Whether reading is locked, in Locking.
    pub const READ_LOCKED: u64 = 7;
    /// Whether writing is locked, in Locking.
    pub const WRITE_LOCKED: u64 = 8;
    /// Which resets lock, in Locking.
    pub const LOCK_ON_RESET: u64 = 9;
    /// The name of the key, in Locking.
    pub const ACTIVE_KEY: u64 = 10;
    /// How many ranges there can be beside the Global Range, in LockingInfo.
    pub const MAX_RANGES: u64 = 4;
    /// Whether it is on, in MBRControl.
    pub const MBR_ENABLE: u64 = 1;
    /// Whether it has done its work, in MBRControl.
    pub const MBR_DONE: u64 = 2;
    /// Which resets undo that, in MBRControl.
    pub const DONE_ON_RESET: u64 = 3;
    /// The expression, in ACE.
    pub const BOOLEAN_EXPR: u64 = 3;
    /// How many rows or bytes, in Table.
    pub const ROWS: u64 = 7;
    /// How much must be written at once, in Table.
    pub const WRITE_GRANULARITY: u64 = 13;
    /// Whether the TPer reset command works, in TPerInfo.
    pub const PROGRAMMATIC_RESET: u64 = 8;
}

/// Values of the life cycle of an SP (Opal 5.2.2).
pub mod life_cycle {
    /// It is there and asleep.
    pub const MANUFACTURED_INACTIVE: u64 = 8;
    /// It is in use.
    pub const MANUFACTURED: u64 = 9;
}
