//! A drive that does not exist, with a clock of its own: its figures are known, and a run of a minute
//! takes a moment. It keeps no data.

use std::io;
use std::time::Duration;

use crate::Access;
use crate::target::{Queue, Target, Way};

/// How it behaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nature {
    /// Time until a block that is read arrives, beside its transfer.
    pub read_latency: Duration,
    /// The same for one that is written behind the cache.
    pub write_latency: Duration,
    /// Bytes a second that pass at most.
    pub rate: f64,
    /// Bytes that it takes at once, until it is flushed or overtaken: its writing cache.
    pub cache: u64,
    /// Bytes after which it gets too hot.
    pub hot_after: u64,
    /// What is left of its speed then: 1 is all.
    pub hot: f64,
    /// How much each turn scatters, as a part of it: the standard deviation.
    pub scatter: f64,
    /// Blocks that are written without an error; and the system's number of the error after that.
    pub good: (u64, i32),
}

impl Default for Nature {
    /// A good drive without moods: 100 µs, 20 µs, 2 GB/s.
    fn default() -> Self {
        Self {
            read_latency: Duration::from_micros(100),
            write_latency: Duration::from_micros(20),
            rate: 2e9,
            cache: 0,
            hot_after: u64::MAX,
            hot: 1.0,
            scatter: 0.0,
            good: (u64::MAX, 5),
        }
    }
}

/// The drive.
pub struct Simulated {
    nature: Nature,
    clock: Duration,
    /// When the last transfer ends.
    bus: Duration,
    cached: u64,
    moved: u64,
    writes: u64,
    /// What this turn is slower by.
    mood: f64,
    random: fastrand::Rng,
    memory: Vec<u8>,
    block: usize,
    on_their_way: Vec<(Duration, usize)>,
    failed: bool,
}

impl Simulated {
    /// The same seed gives the same scatter.
    pub fn new(nature: Nature, seed: u64) -> Self {
        Self {
            nature,
            clock: Duration::ZERO,
            bus: Duration::ZERO,
            cached: 0,
            moved: 0,
            writes: 0,
            mood: 1.0,
            random: fastrand::Rng::with_seed(seed),
            memory: Vec::new(),
            block: 0,
            on_their_way: Vec::new(),
            failed: false,
        }
    }

    fn slowness(&self) -> f64 {
        let hot = if self.moved >= self.nature.hot_after { self.nature.hot } else { 1.0 };
        self.mood / hot
    }
}

impl Queue for Simulated {
    fn prepare(&mut self, _: usize, block: usize) -> io::Result<()> {
        self.block = block;
        // About a normal distribution.
        let even = (0..12).map(|_| self.random.f64()).sum::<f64>() - 6.0;
        self.mood = (1.0 + self.nature.scatter * even).max(0.1);
        Ok(())
    }

    fn block(&mut self, _: usize) -> &mut [u8] {
        self.memory.resize(self.block, 0);
        &mut self.memory
    }

    fn start(&mut self, slot: usize, way: Way, _: u64) -> io::Result<()> {
        let bytes = self.block as u64;
        let latency = match way {
            Way::Read => self.nature.read_latency,
            Way::Write if self.cached + bytes <= self.nature.cache => Duration::ZERO,
            Way::Write => self.nature.write_latency,
        };
        if way == Way::Write {
            self.cached += bytes;
            self.writes += 1;
            self.failed |= self.writes > self.nature.good.0;
        }
        self.moved += bytes;
        let slowness = self.slowness();
        let transfer = Duration::from_secs_f64(bytes as f64 / self.nature.rate * slowness);
        self.bus = self.bus.max(self.clock) + transfer;
        self.on_their_way.push(((self.bus + latency.mul_f64(slowness)), slot));
        Ok(())
    }

    fn wait(&mut self, done: &mut Vec<usize>) -> io::Result<()> {
        if self.failed {
            return Err(io::Error::from_raw_os_error(self.nature.good.1));
        }
        let Some(first) = self.on_their_way.iter().map(|(at, _)| *at).min() else { return Ok(()) };
        self.clock = self.clock.max(first);
        let clock = self.clock;
        self.on_their_way.retain(|(at, slot)| {
            let arrived = *at <= clock;
            if arrived {
                done.push(*slot);
            }
            !arrived
        });
        Ok(())
    }
}

impl Target for Simulated {
    fn flush(&mut self) -> io::Result<()> {
        // What lies in the cache goes behind it now.
        let late = self.cached.min(self.nature.cache) as f64 / self.nature.rate / 2.0;
        self.clock += Duration::from_secs_f64(late * self.slowness());
        self.cached = 0;
        Ok(())
    }

    fn forget(&mut self) {}

    fn access(&self) -> Access {
        Access::Direct
    }

    fn now(&self) -> Duration {
        self.clock
    }

    fn keeps_data(&self) -> bool {
        false
    }
}
