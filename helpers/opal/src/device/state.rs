//! What the drive remembers without power, and how it is kept: two copies, written in turn, each with
//! a sequence number and a checksum, so that a cut at any point leaves the state before or after.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use blockdev::Device;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::access::Expression;
use super::profile::Profile;
use crate::uid;
use crate::{Error, Result};

const MAGIC: &[u8; 16] = b"LATCHKEY-OPAL\0\0\x01";
/// What the magic begins with in every version.
pub(super) const NAME: &[u8; 13] = b"LATCHKEY-OPAL";
/// Magic, sequence number, length, checksum.
const HEAD: usize = 16 + 8 + 4 + 32;
/// Room for one copy: 192 ranges and users take a third of it.
const SLOT: u64 = 512 << 10;
/// Where the two copies begin.
pub(super) const SLOTS: [u64; 2] = [0, SLOT];
const MIB: u64 = 1 << 20;
/// The tables are written in pieces of this many bytes; one that was never written is zero.
pub(super) const PIECE: u64 = 64 << 10;

/// Where what lies in the file. In bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Layout {
    pub store: u64,
    pub mbr: u64,
    pub data: u64,
    /// In logical blocks.
    pub blocks: u64,
}

impl Layout {
    /// What comes before the data, in bytes.
    pub fn overhead(profile: &Profile) -> u64 {
        let mbr = if profile.has_shadow_mbr() { profile.shadow_mbr_size } else { 0 };
        2 * SLOT + profile.data_store_size.next_multiple_of(MIB) + mbr.next_multiple_of(MIB)
    }

    pub fn new(profile: &Profile, size: u64) -> Result<Self> {
        let data = Self::overhead(profile);
        // At least one unit of alignment, so that there is a range to speak of.
        let least = data + profile.granularity.max(1) * u64::from(profile.block_size);
        if size < least {
            return Err(Error::VirtualDriveSize { size, needed: least });
        }
        let store = 2 * SLOT;
        let mbr = store + profile.data_store_size.next_multiple_of(MIB);
        Ok(Self { store, mbr, data, blocks: (size - data) / u64::from(profile.block_size) })
    }
}

/// A secret by which an authority is known. Not the PIN itself: a person may have chosen it.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Pin {
    #[serde(with = "crate::hex::text")]
    salt: [u8; 16],
    #[serde(with = "crate::hex::text")]
    hash: [u8; 32],
    /// Wrong ones until it is locked out; 0 is never.
    pub limit: u32,
    pub tries: u32,
    /// Whether `tries` survives a power cycle.
    pub persistent: bool,
}

impl Pin {
    pub fn new(pin: &[u8], limit: u32) -> Result<Self> {
        let mut salt = [0; 16];
        random(&mut salt)?;
        Ok(Self { salt, hash: hash(&salt, pin), limit, tries: 0, persistent: false })
    }

    pub fn change(&mut self, pin: &[u8]) -> Result<()> {
        let (limit, persistent) = (self.limit, self.persistent);
        *self = Self { persistent, ..Self::new(pin, limit)? };
        Ok(())
    }

    pub fn is(&self, pin: &[u8]) -> bool {
        hash(&self.salt, pin) == self.hash
    }

    pub fn locked_out(&self) -> bool {
        self.limit != 0 && self.tries >= self.limit
    }
}

fn hash(salt: &[u8], pin: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(salt).chain_update(pin).finalize().into()
}

/// The key of a range: two halves for AES-256-XTS. In the clear in the file, as this is a simulation of
/// what a drive does and no protection of its own.
#[derive(Clone, Serialize, Deserialize, Zeroize, ZeroizeOnDrop)]
pub(super) struct Key(#[serde(with = "crate::hex::text")] Vec<u8>);

impl Key {
    pub fn random() -> Result<Self> {
        let mut key = vec![0; 64];
        random(&mut key)?;
        Ok(Self(key))
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Range {
    pub start: u64,
    pub length: u64,
    pub read_lock_enabled: bool,
    pub write_lock_enabled: bool,
    pub read_locked: bool,
    pub write_locked: bool,
    pub lock_on_reset: Vec<u64>,
    pub key: Key,
}

impl Range {
    pub fn new() -> Result<Self> {
        Ok(Self {
            start: 0,
            length: 0,
            read_lock_enabled: false,
            write_lock_enabled: false,
            read_locked: false,
            write_locked: false,
            lock_on_reset: vec![0],
            key: Key::random()?,
        })
    }

    pub fn denies_reading(&self) -> bool {
        self.read_lock_enabled && self.read_locked
    }

    pub fn denies_writing(&self) -> bool {
        self.write_lock_enabled && self.write_locked
    }
}

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Authority {
    pub enabled: bool,
    pub pin: Pin,
}

/// The tables of bytes: which pieces were ever written since the last revert.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Written(pub BTreeSet<u64>);

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct LockingSp {
    pub active: bool,
    /// Row of the authority table and what it can do.
    pub authorities: BTreeMap<u32, Authority>,
    /// The expressions that were changed, by their rows.
    pub aces: BTreeMap<u32, Expression>,
    /// The Global Range first.
    pub ranges: Vec<Range>,
    pub mbr_enabled: bool,
    pub mbr_done: bool,
    pub done_on_reset: Vec<u64>,
    pub mbr: Written,
    pub store: Written,
    /// Ranges in Single User Mode.
    pub single_user: BTreeSet<u16>,
    /// In Single User Mode: only administrators set start and length.
    pub admins_set_ranges: bool,
}

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct State {
    pub profile: Profile,
    pub layout: Layout,
    pub serial: String,
    pub msid: String,
    pub psid: String,
    pub sid: Pin,
    pub psid_pin: Pin,
    pub programmatic_reset: bool,
    pub data_removal: u64,
    pub locking: LockingSp,
}

impl LockingSp {
    /// As from the factory. The key of the Global Range may be an old one.
    pub fn new(profile: &Profile, global: Option<Key>) -> Result<Self> {
        let mut ranges = (0..=profile.ranges).map(|_| Range::new()).collect::<Result<Vec<_>>>()?;
        if let (Some(key), Some(range)) = (global, ranges.first_mut()) {
            range.key = key;
        }
        let mut authorities = BTreeMap::new();
        let admins = (1..=4).map(uid::admin);
        let users = (1..=profile.users).map(uid::user);
        for authority in admins.chain(users) {
            let enabled = authority == uid::admin(1);
            authorities.insert(authority.row(), Authority { enabled, pin: Pin::new(b"", profile.try_limit)? });
        }
        Ok(Self {
            active: false,
            authorities,
            aces: BTreeMap::new(),
            ranges,
            mbr_enabled: false,
            mbr_done: false,
            done_on_reset: vec![0],
            mbr: Written::default(),
            store: Written::default(),
            single_user: BTreeSet::new(),
            admins_set_ranges: true,
        })
    }
}

pub(super) fn random(buffer: &mut [u8]) -> Result<()> {
    getrandom::fill(buffer).map_err(|error| Error::NoRandomness(error.to_string()))
}

/// The two copies.
pub(super) struct Store {
    device: Arc<dyn Device>,
    /// Of the copy that is valid.
    sequence: u64,
}

impl Store {
    /// Writes the first copy and makes the second one invalid.
    pub fn create(device: Arc<dyn Device>, state: &State) -> Result<Self> {
        device.write_at(0, &[0; HEAD])?;
        device.write_at(SLOT, &[0; HEAD])?;
        let mut store = Self { device, sequence: 0 };
        store.commit(state)?;
        Ok(store)
    }

    pub fn load(device: Arc<dyn Device>) -> Result<(Self, State)> {
        if device.size() < 2 * SLOT {
            return Err(Error::NoVirtualDrive);
        }
        let copies = [read_copy(&device, 0)?, read_copy(&device, SLOT)?];
        let seen = copies.iter().any(|copy| !matches!(copy, Copy::None));
        let valid = copies.into_iter().filter_map(|copy| match copy {
            Copy::Valid(sequence, text) => Some((sequence, text)),
            _ => None,
        });
        let Some((sequence, text)) = valid.max_by_key(|(sequence, _)| *sequence) else {
            let damaged = || Error::VirtualDriveDamaged("neither copy of the state is whole".into());
            return Err(if seen { damaged() } else { Error::NoVirtualDrive });
        };
        let damaged = |why: String| Error::VirtualDriveDamaged(why);
        let state: State = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        state.check(device.size()).map_err(|why| damaged(why.into()))?;
        Ok((Self { device, sequence }, state))
    }

    /// Returns when the state is kept. What was written to the device before is kept, too.
    pub fn commit(&mut self, state: &State) -> Result<()> {
        let mut text = serde_json::to_vec(state).map_err(|error| Error::VirtualDriveDamaged(error.to_string()))?;
        let size = self.device.size();
        if (text.len() + HEAD) as u64 > SLOT {
            return Err(Error::VirtualDriveSize { size, needed: size + text.len() as u64 });
        }
        let sequence = self.sequence + 1;
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let mut copy = MAGIC.to_vec();
        copy.extend(sequence.to_be_bytes());
        copy.extend(length.to_be_bytes());
        copy.extend(checksum(sequence, &text));
        copy.extend(&text);
        text.zeroize();
        self.device.flush()?;
        self.device.write_at(sequence % 2 * SLOT, &copy)?;
        copy.zeroize();
        self.device.flush()?;
        self.sequence = sequence;
        Ok(())
    }
}

enum Copy {
    None,
    Damaged,
    Valid(u64, Vec<u8>),
}

fn read_copy(device: &Arc<dyn Device>, at: u64) -> Result<Copy> {
    let head = device.read_vec(at, HEAD)?;
    if head.iter().all(|byte| *byte == 0) {
        return Ok(Copy::None);
    }
    if head[..13] != NAME[..] {
        return Ok(Copy::None);
    }
    let bytes = crate::bytes::Bytes(&head);
    let (sequence, length) = (bytes.u64(16), bytes.u32(24));
    if head[..16] != MAGIC[..] || u64::from(length) > SLOT - HEAD as u64 {
        return Ok(Copy::Damaged);
    }
    let text = device.read_vec(at + HEAD as u64, usize::try_from(length).unwrap_or(0))?;
    if checksum(sequence, &text)[..] != head[28..HEAD] {
        return Ok(Copy::Damaged);
    }
    Ok(Copy::Valid(sequence, text))
}

fn checksum(sequence: u64, text: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(sequence.to_be_bytes()).chain_update(text).finalize().into()
}

impl State {
    /// What the rest relies on. A state with a right checksum can still come from somebody's editor.
    fn check(&self, size: u64) -> std::result::Result<(), &'static str> {
        let profile = &self.profile;
        if !matches!(profile.block_size, 512 | 4096) {
            return Err("block size");
        }
        let layout = Layout::new(profile, size).map_err(|_| "size")?;
        // A file may have grown; the drive has not.
        if self.layout != (Layout { blocks: self.layout.blocks, ..layout }) || self.layout.blocks > layout.blocks {
            return Err("layout");
        }
        if self.locking.ranges.len() != usize::from(profile.ranges) + 1 {
            return Err("number of ranges");
        }
        if self.locking.ranges.iter().any(|range| range.key.bytes().len() != 64) {
            return Err("length of a key");
        }
        let blocks = self.layout.blocks;
        let inside = |range: &Range| range.start.checked_add(range.length).is_some_and(|end| end <= blocks);
        if !self.locking.ranges.iter().all(inside) {
            return Err("a range reaches beyond the end");
        }
        Ok(())
    }
}
