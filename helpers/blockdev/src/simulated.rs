//! A device with a volatile write cache, whose power can be cut.
//!
//! What was flushed is kept. Of what was written since the last flush, a cut keeps an arbitrary
//! subset of the sectors: lost, kept, in any order, so also the middle of a write without its ends.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::memory::range;
use crate::{Device, Error, Operation, Result};

/// A small, reproducible source of chance (SplitMix64): a failing run is repeated by its seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The sequence that belongs to this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub const fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which must not be 0.
    pub const fn below(&mut self, end: u64) -> u64 {
        self.roll() % end
    }
}

#[derive(Debug)]
struct State {
    stable: Vec<u8>,
    /// Unflushed sectors, every version of each since the last flush, oldest first.
    cache: BTreeMap<u64, Vec<Vec<u8>>>,
    /// Write and flush calls until the power goes; `None`: it stays.
    fuse: Option<u64>,
    off: bool,
    calls: u64,
}

/// See the module's text.
#[derive(Debug)]
pub struct Simulated {
    sector: usize,
    state: Mutex<State>,
}

impl Simulated {
    /// A device that holds `bytes`, all of them safe. `sector` is what a cut never tears.
    pub fn new(bytes: Vec<u8>, sector: u32) -> Self {
        let state = State { stable: bytes, cache: BTreeMap::new(), fuse: None, off: false, calls: 0 };
        Self { sector: sector as usize, state: Mutex::new(state) }
    }

    /// The power goes at the `calls`-th write, flush or resize from now: that call itself is cut too.
    pub fn cut_after(&self, calls: u64) {
        self.lock().fuse = Some(calls);
    }

    /// How many writes, flushes and resizes there have been.
    pub fn calls(&self) -> u64 {
        self.lock().calls
    }

    /// What is on the medium when the power comes back: each unflushed sector is one of its
    /// versions, or what was there before, by the dice.
    pub fn after_cut(&self, dice: &mut Dice) -> Vec<u8> {
        let state = self.lock();
        let mut bytes = state.stable.clone();
        // Some cuts lose everything, some nothing, most something.
        let bias = dice.below(4);
        for (sector, versions) in &state.cache {
            let kept = match bias {
                0 => 0,
                1 => versions.len(),
                _ => usize::try_from(dice.below(versions.len() as u64 + 1)).unwrap_or(0),
            };
            if kept > 0 {
                let start = usize::try_from(*sector).unwrap_or(0) * self.sector;
                let version = &versions[kept - 1];
                if start + version.len() <= bytes.len() {
                    bytes[start..start + version.len()].copy_from_slice(version);
                }
            }
        }
        bytes
    }

    /// What a program sees that reads it now: cache and medium together.
    pub fn snapshot(&self) -> Vec<u8> {
        let state = self.lock();
        let mut bytes = state.stable.clone();
        self.overlay(&state, 0, &mut bytes);
        bytes
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn overlay(&self, state: &State, offset: u64, buffer: &mut [u8]) {
        let size = self.sector as u64;
        let end = offset + buffer.len() as u64;
        for (sector, versions) in state.cache.range(offset / size..end.div_ceil(size)) {
            let Some(newest) = versions.last() else { continue };
            let start = sector * size;
            for (index, byte) in newest.iter().enumerate() {
                let at = start + index as u64;
                if at >= offset && at < end {
                    buffer[usize::try_from(at - offset).unwrap_or(0)] = *byte;
                }
            }
        }
    }

    /// Counts the call; an error if the power is off or goes now.
    fn tick(state: &mut State) -> Result<bool> {
        if state.off {
            return Err(gone());
        }
        state.calls += 1;
        match &mut state.fuse {
            Some(0) => Err(gone()),
            Some(left) => {
                *left -= 1;
                Ok(*left == 0)
            }
            None => Ok(false),
        }
    }
}

fn gone() -> Error {
    Error::Io { operation: Operation::Write, offset: 0, source: std::io::Error::other("the power is off") }
}

impl Device for Simulated {
    fn size(&self) -> u64 {
        self.lock().stable.len() as u64
    }

    fn logical_sector(&self) -> u32 {
        u32::try_from(self.sector).unwrap_or(512)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let state = self.lock();
        if state.off {
            return Err(gone());
        }
        buffer.copy_from_slice(&state.stable[range(offset, buffer.len(), state.stable.len() as u64)?]);
        self.overlay(&state, offset, buffer);
        Ok(())
    }

    fn write_at(&self, offset: u64, data: &[u8]) -> Result<()> {
        let mut state = self.lock();
        range(offset, data.len(), state.stable.len() as u64)?;
        let cut = Self::tick(&mut state)?;
        let size = self.sector as u64;
        let end = offset + data.len() as u64;
        for sector in offset / size..end.div_ceil(size) {
            let start = sector * size;
            let length = size.min(state.stable.len() as u64 - start);
            let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
            let stable = range(start, bytes.len(), state.stable.len() as u64)?;
            bytes.copy_from_slice(&state.stable[stable]);
            self.overlay(&state, start, &mut bytes);
            for (index, byte) in bytes.iter_mut().enumerate() {
                let at = start + index as u64;
                if at >= offset && at < end {
                    *byte = data[usize::try_from(at - offset).unwrap_or(0)];
                }
            }
            state.cache.entry(sector).or_default().push(bytes);
        }
        if cut {
            state.off = true;
            return Err(gone());
        }
        Ok(())
    }

    fn flush(&self) -> Result<()> {
        let mut state = self.lock();
        if Self::tick(&mut state)? {
            state.off = true;
            return Err(gone());
        }
        let cache = std::mem::take(&mut state.cache);
        for (sector, versions) in cache {
            if let Some(newest) = versions.last() {
                let start = usize::try_from(sector).unwrap_or(0) * self.sector;
                state.stable[start..start + newest.len()].copy_from_slice(newest);
            }
        }
        Ok(())
    }

    /// Journalled file systems make a new length last in order; so it is not cached here.
    fn resize(&self, size: u64) -> Result<()> {
        let mut state = self.lock();
        if Self::tick(&mut state)? {
            state.off = true;
            return Err(gone());
        }
        let sector = self.sector as u64;
        state.cache.retain(|index, _| (index + 1) * sector <= size);
        state.stable.resize(usize::try_from(size).map_err(|_| Error::Full)?, 0);
        Ok(())
    }

    fn resizable(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_flushed_survives_and_the_rest_may_not() {
        let device = Simulated::new(vec![0; 4096], 512);
        device.write_at(0, &[1; 512]).unwrap();
        device.flush().unwrap();
        device.write_at(100, &[2; 1000]).unwrap();
        assert_eq!(device.read_vec(99, 2).unwrap(), [1, 2]);
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..64 {
            let bytes = device.after_cut(&mut Dice::new(seed));
            assert_eq!(bytes[0], 1);
            assert_eq!(bytes[2048], 0);
            seen.insert((bytes[200], bytes[600], bytes[1050]));
        }
        assert!(seen.contains(&(1, 0, 0)) && seen.contains(&(2, 2, 2)) && seen.len() > 4, "{seen:?}");
    }

    #[test]
    fn after_the_cut_nothing_works() {
        let device = Simulated::new(vec![0; 4096], 512);
        device.cut_after(2);
        device.write_at(0, &[1; 512]).unwrap();
        assert!(device.flush().is_err());
        assert!(device.read_vec(0, 1).is_err());
        assert!(device.write_at(0, &[1]).is_err());
    }
}
