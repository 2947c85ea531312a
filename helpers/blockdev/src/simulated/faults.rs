//! What can go wrong with a device besides its power.

use std::ops::Range;

use super::{Dice, Image, Simulated, State};
use crate::{Error, Operation, Result};

/// How long a fault lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// Until [`Simulated::mend`].
    Always,
    /// As often as this.
    Count(u64),
    /// Until the sectors are written: what a drive does with sectors that it cannot read any more.
    UntilWritten,
}

/// A way of failing. Calls are counted from now, the first is 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A read that touches one of these bytes fails; as on a real system the error does not tell which
    /// of them it was.
    Read {
        /// Where, in bytes.
        bytes: Range<u64>,
        /// How often.
        times: Times,
    },
    /// A write that touches one of these bytes fails: the sectors before them are written.
    Write {
        /// Where, in bytes.
        bytes: Range<u64>,
        /// How often.
        times: Times,
    },
    /// The `call`-th write takes only its first half of sectors and then fails.
    Short {
        /// Which write.
        call: u64,
    },
    /// From the `call`-th write or resize on there is no space left: of a write, the first half is
    /// written.
    Full {
        /// Which write or resize.
        call: u64,
        /// How often.
        times: Times,
    },
    /// A flush fails.
    Flush {
        /// Which flush.
        call: u64,
        /// What becomes of the cache. `None`: it stays. A seed of dice: some of it is safe, and the rest
        /// will never be, though it is read as if it were there and the next flush succeeds: what a
        /// system's page cache does with pages that could not be written.
        forgets: Option<u64>,
    },
    /// From the `call`-th call on, reads among them, the device has vanished.
    Gone {
        /// Which call.
        call: u64,
        /// It comes back by itself after so many calls that failed; [`Times::Always`]: when
        /// [`Simulated::plug_in`] says so.
        times: Times,
        /// What it makes of its cache when it comes back by itself: the seed of the dice that say which
        /// sectors of it are lost; `None`: it keeps all of it.
        loses: Option<u64>,
    },
    /// A flush says that it is done, and is not: everything stays in the volatile cache.
    Lies,
}

#[derive(Debug, Default)]
pub(super) struct Faults {
    list: Vec<Fault>,
    /// Calls that failed.
    failures: u64,
}

impl Simulated {
    /// Adds a fault to those that there are.
    pub fn fail(&self, fault: Fault) {
        self.lock().faults.list.push(fault);
    }

    /// Takes all faults away, and leaves the cache as it is.
    pub fn mend(&self) {
        self.lock().faults.list.clear();
    }

    /// The device comes back after it had vanished, or its power after a cut: all faults are over. With
    /// dice, its cache was lost, as at a cut; without, nothing was.
    pub fn plug_in(&self, loses: Option<&mut Dice>) {
        let mut state = self.lock();
        state.faults.list.clear();
        state.off = false;
        state.fuse = None;
        if let Some(dice) = loses {
            state.lose_cache(self.sector, dice);
        }
    }

    /// The power comes back after a cut, and the sectors that are bad stay so.
    pub fn restart(&self, dice: &mut Dice) {
        let mut state = self.lock();
        state.off = false;
        state.fuse = None;
        state.lose_cache(self.sector, dice);
    }

    /// How many calls have failed, and how many flushes have lied.
    pub fn failures(&self) -> u64 {
        self.lock().faults.failures
    }

    /// What is safe: what was there at the last flush.
    pub fn medium(&self) -> Image {
        self.lock().medium.clone()
    }
}

impl State {
    fn lose_cache(&mut self, sector: usize, dice: &mut Dice) {
        self.medium = self.after_cut(sector, dice);
        self.now = self.medium.clone();
        self.dirty = vec![0; self.now.len().div_ceil(sector).div_ceil(64)];
        self.clean();
        self.diverged = false;
    }

    /// An error if the device has vanished.
    fn present(&mut self, sector: usize, operation: Operation, offset: usize) -> Result<()> {
        let mut back = None;
        let mut here = true;
        self.faults.list.retain_mut(|fault| {
            let Fault::Gone { call, times, loses } = fault else { return true };
            if *call > 1 {
                *call -= 1;
                return true;
            }
            if spent(times) {
                back = back.or(*loses);
                return false;
            }
            here = false;
            true
        });
        if let Some(seed) = back {
            self.lose_cache(sector, &mut Dice::new(seed));
        }
        if here {
            return Ok(());
        }
        self.faults.failures += 1;
        Err(failed(operation, offset, "no such device"))
    }

    pub(super) fn before_read(&mut self, sector: usize, range: &Range<usize>) -> Result<()> {
        self.present(sector, Operation::Read, range.start)?;
        let mut result = Ok(());
        self.faults.list.retain_mut(|fault| {
            let Fault::Read { bytes, times } = fault else { return true };
            if !touches(bytes, range) {
                return true;
            }
            if spent(times) {
                return false;
            }
            result = Err(failed(Operation::Read, range.start, "the medium cannot be read here"));
            true
        });
        self.faults.failures += u64::from(result.is_err());
        result
    }

    /// How many bytes of the write reach the device, and with which error the call ends.
    pub(super) fn before_write(&mut self, sector: usize, range: &Range<usize>) -> (usize, Option<Error>) {
        if let Err(error) = self.present(sector, Operation::Write, range.start) {
            return (0, Some(error));
        }
        let length = range.len();
        let mut result = (length, None);
        let mut stop = |at: usize, error: Error| {
            if at < result.0 || result.1.is_none() {
                result = (at.min(result.0), Some(error));
            }
        };
        self.faults.list.retain_mut(|fault| match fault {
            Fault::Write { bytes, times } if touches(bytes, range) => {
                if spent(times) {
                    return false;
                }
                let first = usize::try_from(bytes.start).unwrap_or(usize::MAX).max(range.start);
                let whole = (first / sector * sector).max(range.start);
                stop(whole - range.start, failed(Operation::Write, range.start, "the medium cannot be written here"));
                true
            }
            Fault::Short { call } => {
                *call -= 1;
                if *call == 0 {
                    stop(length / 2 / sector * sector, failed(Operation::Write, range.start, "a short write"));
                }
                *call > 0
            }
            Fault::Full { call, times } => {
                if *call > 1 {
                    *call -= 1;
                    return true;
                }
                if spent(times) {
                    return false;
                }
                stop(length / 2 / sector * sector, Error::Full);
                true
            }
            _ => true,
        });
        self.faults.failures += u64::from(result.1.is_some());
        self.heal(range.start as u64..(range.start + result.0) as u64);
        result
    }

    fn heal(&mut self, written: Range<u64>) {
        let mut rest = Vec::new();
        self.faults.list.retain(|fault| {
            let Fault::Read { bytes, times: times @ Times::UntilWritten } = fault else { return true };
            if written.end <= bytes.start || bytes.end <= written.start {
                return true;
            }
            let parts = [bytes.start..written.start, written.end..bytes.end];
            rest.extend(
                parts.into_iter().filter(|part| !part.is_empty()).map(|bytes| Fault::Read { bytes, times: *times }),
            );
            false
        });
        self.faults.list.extend(rest);
    }

    /// Whether the flush keeps what it says.
    pub(super) fn before_flush(&mut self, sector: usize) -> Result<bool> {
        self.present(sector, Operation::Flush, 0)?;
        let mut result = Ok(true);
        let mut forgotten = None;
        self.faults.list.retain_mut(|fault| match fault {
            Fault::Flush { call, forgets } => {
                *call -= 1;
                if *call == 0 {
                    result = Err(failed(Operation::Flush, 0, "the medium did not take the cache"));
                    forgotten = *forgets;
                }
                *call > 0
            }
            Fault::Lies => {
                if let Ok(keeps) = &mut result {
                    *keeps = false;
                }
                true
            }
            _ => true,
        });
        if let Some(seed) = forgotten {
            self.medium = self.after_cut(sector, &mut Dice::new(seed));
            self.clean();
            self.diverged = true;
        }
        self.faults.failures += u64::from(!matches!(result, Ok(true)));
        result
    }

    pub(super) fn before_discard(&mut self, sector: usize, range: &Range<usize>) -> Result<()> {
        self.present(sector, Operation::Discard, range.start)
    }

    pub(super) fn before_resize(&mut self, sector: usize, size: usize) -> Result<()> {
        self.present(sector, Operation::Resize, size)?;
        let mut result = Ok(());
        self.faults.list.retain_mut(|fault| {
            let Fault::Full { call, times } = fault else { return true };
            if *call > 1 {
                *call -= 1;
                return true;
            }
            if spent(times) {
                return false;
            }
            result = Err(Error::Full);
            true
        });
        self.faults.failures += u64::from(result.is_err());
        result
    }
}

fn touches(bytes: &Range<u64>, range: &Range<usize>) -> bool {
    bytes.start < range.end as u64 && (range.start as u64) < bytes.end
}

/// Whether the fault is over; counts it otherwise.
fn spent(times: &mut Times) -> bool {
    match times {
        Times::Count(0) => true,
        Times::Count(left) => {
            *left -= 1;
            false
        }
        Times::Always | Times::UntilWritten => false,
    }
}

fn failed(operation: Operation, offset: usize, why: &'static str) -> Error {
    Error::Io { operation, offset: offset as u64, source: std::io::Error::other(why) }
}
