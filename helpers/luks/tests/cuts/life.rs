//! A device that lives through cuts and faults, and the dice that say when.

use std::collections::BTreeMap;

use blockdev::Device;
use blockdev::simulated::{Dice, Fault, Image, Simulated, Times};
use luks::Error;

/// What befalls a life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Power cuts.
    Cuts,
    /// Sectors that cannot be read: for good, a few times, or until they are written.
    Reads,
    /// Sectors that cannot be written: for good or a few times.
    Writes,
    /// A write that is cut short.
    Short,
    /// No space left.
    Full,
    /// A flush that fails, with the cache kept or forgotten.
    Flushes,
    /// A device that vanishes, and comes back with its cache or without.
    Gone,
    /// An error, after which the same conversion is run again.
    Again,
    /// A device that says that it has flushed.
    Lies,
    /// Sectors of the data that cannot be read.
    Unreadable,
    /// A device that vanishes for a moment.
    Vanished,
    /// A header of which the newer copy cannot be read.
    Older,
}

/// One life, told by its seed.
pub struct Life {
    pub dice: Dice,
    /// How many cuts or faults there were, by what they hit.
    pub cuts: BTreeMap<&'static str, u64>,
    trouble: Trouble,
    /// Whether its devices are behind the system's cache. No dice: a seed's other fortunes stay the same.
    memory: bool,
    trace: bool,
}

/// How work on a device ended.
pub enum End<T> {
    Done(T),
    Cut,
}

impl<T> End<T> {
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Done(_))
    }
}

impl Life {
    pub fn new(seed: u64, trouble: Trouble) -> Self {
        let trace = std::env::var_os("LATCHKEY_TRACE").is_some();
        let memory = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 1;
        Self { dice: Dice::new(seed), cuts: BTreeMap::new(), trouble, memory, trace }
    }

    /// A number from 1 to `most`.
    pub fn up_to(&mut self, most: u64) -> u64 {
        1 + self.dice.below(most)
    }

    /// Whether a copy of the header may be there and not be read.
    pub fn hides_copies(&self) -> bool {
        matches!(self.trouble, Trouble::Reads | Trouble::Gone)
    }

    /// Does the work on a device whose power goes at the `call`-th write, flush or resize, or which has a
    /// fault from about then on, and leaves in `image` what is there afterwards. `None`: all goes well.
    pub fn cut<T>(
        &mut self,
        what: &'static str,
        (image, tear): (&mut Image, u32),
        fixed: bool,
        call: Option<u64>,
        work: impl FnOnce(&dyn Device) -> luks::Result<T>,
    ) -> End<T> {
        let mut device = Simulated::new(image.clone(), tear);
        if fixed {
            device = device.fixed();
        }
        if self.memory {
            device = device.in_memory();
        }
        let mut fault = None;
        match call {
            Some(call) if self.trouble == Trouble::Cuts => device.cut_after(call),
            Some(call) => {
                let chosen = self.fault(call, image.len() as u64, u64::from(tear));
                device.fail(chosen.clone());
                fault = Some(chosen);
            }
            None => {}
        }
        let result = work(&device);
        if self.trace {
            let how = result.as_ref().map_or_else(ToString::to_string, |_| "done".into());
            eprintln!("{what}: {how} at call {} ({call:?} {fault:?})", device.calls());
        }
        let troubled = device.is_off() || device.failures() > 0;
        if troubled {
            *self.cuts.entry(what).or_default() += 1;
        }
        match result {
            // What a fault left unharmed, since it hit only what there is a second time, may go on; but not
            // without power.
            Ok(value) => {
                assert!(!device.is_off(), "{what}: a call that failed was passed over");
                *image = device.snapshot();
                End::Done(value)
            }
            Err(error) => {
                assert!(troubled, "{what}: failed without a cause: {error}");
                // What lies at the end is looked at only where the front says nothing: a device that vanishes
                // for just that moment is taken for one on which nothing was put aside.
                let named = matches!(error, Error::Device(_) | Error::Unreadable { .. } | Error::Damaged(_));
                let overlooked = matches!(error, Error::NotConverting) && what == "decryption";
                assert!(named || overlooked || device.is_off(), "{what}: an error of the device is told as {error:?}");
                let restarted = device.is_off() || self.dice.below(2) == 0;
                *image = if restarted { device.after_cut(&mut self.dice) } else { device.snapshot() };
                End::Cut
            }
        }
    }

    /// A fault of the kind that this life has.
    fn fault(&mut self, call: u64, size: u64, sector: u64) -> Fault {
        let times = match self.dice.below(3) {
            0 => Times::Always,
            _ => Times::Count(1 + self.dice.below(3)),
        };
        let bytes = {
            // The copies of the header, the keyslots, what was put aside at the end, or anywhere.
            let (from, to) = match self.dice.below(6) {
                0 => (0, 0x1_0000),
                1 => (0x1_0000, 0x2_0000),
                2 => (0x2_0000, 0xa_0000),
                3 => (size.saturating_sub(0x20_0000), size),
                _ => (0, size),
            };
            let to = to.min(size).max(1);
            let first = (from.min(to - 1) + self.dice.below(to - from.min(to - 1))) / sector * sector;
            first..first + sector * (1 + self.dice.below(8))
        };
        let seed = (self.dice.below(2) == 0).then(|| self.dice.roll());
        match self.trouble {
            Trouble::Cuts | Trouble::Reads if self.dice.below(3) == 0 => {
                Fault::Read { bytes, times: Times::UntilWritten }
            }
            Trouble::Cuts | Trouble::Reads => Fault::Read { bytes, times },
            Trouble::Writes => Fault::Write { bytes, times },
            Trouble::Short => Fault::Short { call: 1 + call / 2 },
            Trouble::Full => Fault::Full { call: 1 + call / 2, times },
            Trouble::Flushes => Fault::Flush { call: 1 + call / 3, forgets: seed },
            // Reads count as calls here.
            Trouble::Gone => Fault::Gone { call: self.up_to(4 * call), times, loses: seed },
            other => unreachable!("{other:?} has lives of its own"),
        }
    }
}
