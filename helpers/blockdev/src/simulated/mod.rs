//! A device with a volatile write cache, whose power can be cut, and which can fail in the ways in
//! which devices fail.
//!
//! What was flushed is kept. Of what was written since the last flush, a cut keeps an arbitrary
//! subset of the sectors: lost, kept, in any order, so also the middle of a write without its ends. A
//! sector that was written more than once may come back as any of its versions. A new length that was
//! not flushed may be the old one again.

mod dice;
mod faults;
mod image;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::memory::range;
use crate::{Device, Error, Operation, Result};
use faults::Faults;

pub use dice::Dice;
pub use faults::{Fault, Times};
pub use image::Image;

/// See the module's text.
#[derive(Debug)]
pub struct Simulated {
    sector: usize,
    /// A partition cannot change its size, a file can.
    resizable: bool,
    /// As [`Device::is_memory`].
    memory: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// What is safe.
    medium: Image,
    /// What a program reads: cache and medium together.
    now: Image,
    /// One bit a sector: written since the last flush.
    dirty: Vec<u64>,
    /// Of sectors that were written more than once since the last flush: all versions but the newest,
    /// oldest first.
    older: BTreeMap<usize, Vec<Box<[u8]>>>,
    /// Lengths since the last flush.
    lengths: Vec<usize>,
    /// The medium lacks something that is read as if it were there, and is not dirty either.
    diverged: bool,
    /// Write, flush and resize calls until the power goes; `None`: it stays.
    fuse: Option<u64>,
    off: bool,
    calls: u64,
    faults: Faults,
}

impl Simulated {
    /// A device that holds `bytes`, all of them safe. `sector` is what a cut never tears.
    pub fn new(bytes: impl Into<Image>, sector: u32) -> Self {
        let medium: Image = bytes.into();
        let sector = sector as usize;
        let state = State {
            now: medium.clone(),
            dirty: vec![0; medium.len().div_ceil(sector).div_ceil(64)],
            medium,
            older: BTreeMap::new(),
            lengths: Vec::new(),
            diverged: false,
            fuse: None,
            off: false,
            calls: 0,
            faults: Faults::default(),
        };
        Self { sector, resizable: true, memory: false, state: Mutex::new(state) }
    }

    /// The same device, of a size that cannot be changed, as a partition is.
    pub fn fixed(self) -> Self {
        Self { resizable: false, ..self }
    }

    /// The same device, behind the system's cache.
    pub fn in_memory(self) -> Self {
        Self { memory: true, ..self }
    }

    /// The power goes at the `calls`-th write, flush or resize from now: that call itself is cut too.
    pub fn cut_after(&self, calls: u64) {
        self.lock().fuse = Some(calls);
    }

    /// Whether the power went.
    pub fn is_off(&self) -> bool {
        self.lock().off
    }

    /// How many writes, flushes and resizes there have been.
    pub fn calls(&self) -> u64 {
        self.lock().calls
    }

    /// What is on the medium when the power comes back: each unflushed sector is one of its
    /// versions, or what was there before, by the dice.
    pub fn after_cut(&self, dice: &mut Dice) -> Image {
        self.lock().after_cut(self.sector, dice)
    }

    /// What a program sees that reads it now: cache and medium together.
    pub fn snapshot(&self) -> Image {
        self.lock().now.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Counts the call; an error if the power is off or goes now, which a write may still have reached.
    fn tick(&mut self) -> Result<bool> {
        if self.off {
            return Err(gone());
        }
        self.calls += 1;
        match &mut self.fuse {
            Some(0) => Err(gone()),
            Some(left) => {
                *left -= 1;
                Ok(*left == 0)
            }
            None => Ok(false),
        }
    }

    fn write(&mut self, sector: usize, offset: usize, data: &[u8]) {
        for index in offset / sector..(offset + data.len()).div_ceil(sector) {
            if self.is_dirty(index) {
                let mut version = vec![0; sector.min(self.now.len() - index * sector)];
                self.now.read(index * sector, &mut version);
                self.older.entry(index).or_default().push(version.into());
            }
            self.dirty[index / 64] |= 1 << (index % 64);
        }
        self.now.write(offset, data);
    }

    fn flush(&mut self, sector: usize) {
        if self.diverged {
            self.medium.set_len(self.now.len());
            let mut bytes = vec![0; sector];
            for index in 0..self.now.len().div_ceil(sector) {
                if !self.is_dirty(index) {
                    continue;
                }
                let length = sector.min(self.now.len() - index * sector);
                self.now.read(index * sector, &mut bytes[..length]);
                self.medium.write(index * sector, &bytes[..length]);
            }
        } else {
            self.medium = self.now.clone();
        }
        self.clean();
    }

    fn is_dirty(&self, index: usize) -> bool {
        self.dirty[index / 64] & (1 << (index % 64)) != 0
    }

    fn clean(&mut self) {
        self.dirty.fill(0);
        self.older.clear();
        self.lengths.clear();
    }

    fn resize(&mut self, sector: usize, size: usize) {
        self.now.set_len(size);
        self.lengths.push(size);
        // What lay behind the end is gone, also where the file grows again.
        let whole = size / sector;
        self.older.retain(|index, _| *index < whole);
        self.dirty.resize(size.div_ceil(sector).div_ceil(64), 0);
        if let Some(last) = self.dirty.last_mut() {
            *last &= u64::MAX >> (63 - (size.div_ceil(sector).max(1) - 1) % 64);
        }
    }

    fn after_cut(&self, sector: usize, dice: &mut Dice) -> Image {
        let mut chance = Chance::new(dice);
        let mut image = self.medium.clone();
        let lengths = usize::try_from(dice.below(self.lengths.len() as u64 + 1)).unwrap_or(0);
        for length in &self.lengths[..lengths] {
            image.set_len(*length);
        }
        let none = Vec::new();
        let mut bytes = vec![0; sector];
        for (word, bits) in self.dirty.iter().enumerate() {
            let mut left = *bits;
            while left != 0 {
                let index = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let older = self.older.get(&index).unwrap_or(&none);
                let kept = chance.kept(1 + older.len(), dice);
                let start = index * sector;
                let version = match kept {
                    0 => continue,
                    kept if kept <= older.len() => &older[kept - 1],
                    _ => {
                        let length = sector.min(self.now.len() - start);
                        self.now.read(start, &mut bytes[..length]);
                        &bytes[..length]
                    }
                };
                if start + version.len() <= image.len() {
                    image.write(start, version);
                }
            }
        }
        image
    }
}

/// How much a cut loses: some cuts lose everything, some nothing, most something, and most of those
/// either single sectors or whole stretches.
enum Chance {
    Nothing,
    Everything,
    /// Each sector by itself; one in `u64` is of the rarer kind, which is kept (`true`) or lost.
    Single(u64, bool),
    /// In stretches of up to this many sectors: sectors left, whether they are kept.
    Stretch(u64, u64, bool),
}

impl Chance {
    fn new(dice: &mut Dice) -> Self {
        match dice.below(8) {
            0 => Self::Nothing,
            1 => Self::Everything,
            2 => Self::Single(64, true),
            3 => Self::Single(64, false),
            4 => Self::Stretch(1 + dice.below(512), 0, false),
            5 => Self::Stretch(1 + dice.below(16), 0, false),
            _ => Self::Single(2, true),
        }
    }

    /// How many of the versions of the next sector: 0 keeps what was flushed last.
    fn kept(&mut self, versions: usize, dice: &mut Dice) -> usize {
        let keep = match self {
            Self::Nothing => false,
            Self::Everything => return versions,
            Self::Single(rarity, kept) => (dice.below(*rarity) == 0) == *kept,
            Self::Stretch(longest, left, keep) => {
                if *left == 0 {
                    *left = 1 + dice.below(*longest);
                    *keep = dice.below(2) == 0;
                }
                *left -= 1;
                *keep
            }
        };
        match (keep, versions) {
            (false, _) => 0,
            (true, 1) => 1,
            (true, _) => usize::try_from(1 + dice.below(versions as u64)).unwrap_or(1),
        }
    }
}

fn gone() -> Error {
    Error::Io { operation: Operation::Write, offset: 0, source: std::io::Error::other("the power is off") }
}

impl Device for Simulated {
    fn size(&self) -> u64 {
        self.lock().now.len() as u64
    }

    fn logical_sector(&self) -> u32 {
        u32::try_from(self.sector).unwrap_or(512)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let mut state = self.lock();
        if state.off {
            return Err(gone());
        }
        let range = range(offset, buffer.len(), state.now.len() as u64)?;
        state.before_read(self.sector, &range)?;
        state.now.read(range.start, buffer);
        Ok(())
    }

    fn write_at(&self, offset: u64, data: &[u8]) -> Result<()> {
        let mut state = self.lock();
        let range = range(offset, data.len(), state.now.len() as u64)?;
        let cut = state.tick()?;
        let (length, failure) = state.before_write(self.sector, &range);
        state.write(self.sector, range.start, &data[..length]);
        if cut {
            state.off = true;
            return Err(gone());
        }
        failure.map_or(Ok(()), Err)
    }

    fn flush(&self) -> Result<()> {
        let mut state = self.lock();
        if state.tick()? {
            state.off = true;
            return Err(gone());
        }
        if state.before_flush(self.sector)? {
            state.flush(self.sector);
        }
        Ok(())
    }

    fn resize(&self, size: u64) -> Result<()> {
        if !self.resizable {
            return Err(Error::FixedSize);
        }
        let mut state = self.lock();
        let cut = state.tick()?;
        let size = usize::try_from(size).map_err(|_| Error::Full)?;
        state.before_resize(self.sector, size)?;
        state.resize(self.sector, size);
        if cut {
            state.off = true;
            return Err(gone());
        }
        Ok(())
    }

    fn resizable(&self) -> bool {
        self.resizable
    }

    fn is_memory(&self) -> bool {
        self.memory
    }

    /// What was given up reads as something that it never was.
    fn discard(&self, offset: u64, length: u64) -> Result<bool> {
        let mut state = self.lock();
        let range = range(offset, usize::try_from(length).unwrap_or(usize::MAX), state.now.len() as u64)?;
        let cut = state.tick()?;
        state.before_discard(self.sector, &range)?;
        let rubbish: Vec<u8> = range.clone().map(|at| (at / self.sector * 37 + at).to_le_bytes()[0] ^ 0x5a).collect();
        state.write(self.sector, range.start, &rubbish);
        if cut {
            state.off = true;
            return Err(gone());
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
