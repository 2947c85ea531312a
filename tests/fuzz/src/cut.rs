//! Volumes in the middle of a conversion: real ones, cut off after each of their writes.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use blockdev::{Device, Error, Memory, Result};
use luks::Header;
use luks::convert::{self, Conversion, Decryption, Encryption, Place, Space};
use model::{Control, Silent};

use crate::wrap::{self, MIB};

/// Bytes of data of each volume.
pub(crate) const DATA: u64 = 3 * MIB;

/// One state.
pub(crate) struct State {
    /// The whole device.
    pub bytes: Vec<u8>,
    /// The header that counts.
    pub header: Header,
    /// Where it lies: bytes from the end of the device, or at the front.
    pub from_end: Option<u64>,
}

/// What the data are.
pub(crate) fn pattern() -> Vec<u8> {
    let mut dice = blockdev::simulated::Dice::new(7);
    (0..DATA / 8).flat_map(|_| dice.roll().to_le_bytes()).collect()
}

/// All that differ: a finished volume first, then encryptions, whole and of what is used, then decryptions.
pub(crate) fn states() -> &'static Vec<State> {
    static STATES: OnceLock<Vec<State>> = OnceLock::new();
    STATES.get_or_init(|| {
        let encrypted = encrypt(u32::MAX, Space::All).bytes();
        let mut states: Vec<State> = State::of(encrypted.clone()).into_iter().collect();
        let mut seen = Vec::new();
        let ways: [&dyn Fn(u32) -> Dying; 3] =
            [&|writes| encrypt(writes, Space::All), &|writes| encrypt(writes, Space::Used), &|writes| {
                decrypt(&encrypted, writes)
            }];
        for way in ways {
            for writes in 1..100 {
                let device = way(writes);
                let finished = device.is_alive();
                let state = State::of(device.bytes());
                if let Some(state) = state.filter(|state| !seen.contains(&state.kind())) {
                    seen.push(state.kind());
                    states.push(state);
                }
                if finished {
                    break;
                }
            }
        }
        states
    })
}

fn encrypt(writes: u32, space: Space) -> Dying {
    let mut bytes = pattern();
    bytes.resize((DATA + 2 * MIB) as usize, 0);
    let device = Dying::new(bytes, writes);
    let staged = Memory::new(vec![0; MIB as usize]);
    let (_, unlocked) = luks::format(&staged, &wrap::options(512), &wrap::password()).expect("a header");
    let what = Encryption { used: DATA, original_size: DATA, grown: true, space };
    if convert::begin_encrypt(&device, &staged, &unlocked, &what).is_ok() {
        go_on(&device);
    }
    device
}

fn decrypt(encrypted: &[u8], writes: u32) -> Dying {
    let device = Dying::new(encrypted.to_vec(), writes);
    let header = Header::load(&device).expect("encrypted").header;
    let unlocked = header.unlock(&device, &wrap::password()).expect("it opens");
    if convert::begin_decrypt(&device, &header, &unlocked, &Decryption { used: DATA }).is_ok() {
        go_on(&device);
    }
    device
}

fn go_on(device: &Dying) {
    if let Ok(mut conversion) = Conversion::open(device, &wrap::password()) {
        let _ = conversion.run(&Control::new(), &mut Silent);
    }
}

impl State {
    fn of(bytes: Vec<u8>) -> Option<Self> {
        let memory = Memory::new(bytes);
        let place = convert::locate(&memory).ok()?;
        let header = place.header().clone();
        let from_end = match &place {
            Place::Front(_) => None,
            Place::Starting { offset, .. } | Place::Back { offset, .. } => Some(memory.size() - offset),
        };
        Some(Self { bytes: memory.snapshot(), header, from_end })
    }

    fn kind(&self) -> String {
        let memory = Memory::new(self.bytes.clone());
        let place = convert::locate(&memory).expect("it was there");
        let damage = match &place {
            Place::Front(loaded) | Place::Back { loaded, .. } => loaded.damage,
            Place::Starting { .. } => None,
        };
        let space: Vec<_> = self.header.metadata().tokens.values().filter_map(|token| token.get("space")).collect();
        format!("{:?} {:?} {damage:?} {space:?}", self.from_end, convert::state(&place, memory.size()))
    }

    /// The device with another JSON area: `copies` says which copies get it (bit 0 the first, bit 1 the
    /// second).
    pub fn with(&self, json: &serde_json::Value, size: u64, copies: u8) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes.resize(size as usize, 0);
        let at = match self.from_end {
            None => 0,
            Some(from_end) => size.saturating_sub(from_end),
        };
        let (copy_size, text) = (self.header.copy_size(), json.to_string());
        for (bit, place) in [(1, 0), (2, copy_size)] {
            if copies & bit != 0 {
                let copy = wrap::copy(copy_size, place, self.header.sequence() + 1, wrap::UUID, text.as_bytes());
                if let Some(target) = bytes.get_mut((at + place) as usize..).filter(|target| target.len() >= copy.len())
                {
                    target[..copy.len()].copy_from_slice(&copy);
                }
            }
        }
        bytes
    }
}

/// A device that goes away after a number of writes.
struct Dying {
    memory: Memory,
    left: AtomicU32,
}

impl Dying {
    fn new(bytes: Vec<u8>, writes: u32) -> Self {
        Self { memory: Memory::new(bytes), left: AtomicU32::new(writes) }
    }

    fn bytes(&self) -> Vec<u8> {
        self.memory.snapshot()
    }

    /// Whether it has had enough writes for everything.
    fn is_alive(&self) -> bool {
        self.left.load(Ordering::Relaxed) > 0
    }
}

impl Device for Dying {
    fn size(&self) -> u64 {
        self.memory.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.memory.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, data: &[u8]) -> Result<()> {
        if self.left.load(Ordering::Relaxed) == 0 {
            return Err(Error::Full);
        }
        self.left.fetch_sub(1, Ordering::Relaxed);
        self.memory.write_at(offset, data)
    }

    fn flush(&self) -> Result<()> {
        Ok(())
    }

    fn resize(&self, size: u64) -> Result<()> {
        self.memory.resize(size)
    }

    fn resizable(&self) -> bool {
        true
    }
}
