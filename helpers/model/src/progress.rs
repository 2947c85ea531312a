use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Which piece of work a [`Progress`] is about. The catalogue has its name (`step-…`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StepId {
    /// Reading what lies on the target and checking the conditions.
    Check,
    /// Checking and shrinking the file system, or growing the image.
    MakeRoom,
    /// Deriving the key from the password (Argon2id).
    DeriveKey,
    /// Putting the header in place.
    Header,
    /// The conversion from plain to encrypted.
    Encrypt,
    /// The conversion from encrypted to plain.
    Decrypt,
    /// Measuring.
    Benchmark,
    /// Writing to a stick.
    Write,
    /// Reading back what was written.
    Verify,
}

/// What `done` and `total` count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Bytes of the volume.
    Bytes,
    /// Parts of the job.
    Steps,
}

/// How far a job is. One JSON line of `--progress json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Progress {
    /// Version of this structure: 1.
    pub version: u32,
    /// Which piece of work.
    pub step: StepId,
    /// How much of `total` is done and safe on the medium.
    #[ts(type = "number")]
    pub done: u64,
    /// The whole.
    #[ts(type = "number")]
    pub total: u64,
    /// What the two count.
    pub unit: Unit,
    /// Units a second over the last seconds, where it can be told.
    pub rate: Option<f64>,
    /// Seconds left, where it can be told.
    #[ts(type = "number | null")]
    pub eta_s: Option<u64>,
    /// Whether the job waits because a person paused it.
    pub paused: bool,
}

/// Where progress goes: a bar, JSON lines, a window.
pub trait Sink {
    /// Takes note. Must return at once: the job waits for it.
    fn report(&mut self, progress: &Progress);
}

/// For jobs that nobody watches.
pub struct Silent;

impl Sink for Silent {
    fn report(&mut self, _: &Progress) {}
}

impl<F: FnMut(&Progress)> Sink for F {
    fn report(&mut self, progress: &Progress) {
        self(progress);
    }
}

/// Makes [`Progress`] of a counter: at most five reports a second, and a rate over the last ten
/// seconds rather than since the start, so that the time left follows the drive's real speed.
pub struct Meter<'a> {
    sink: &'a mut dyn Sink,
    step: StepId,
    total: u64,
    unit: Unit,
    history: std::collections::VecDeque<(Instant, u64)>,
    last: Option<Instant>,
}

const BETWEEN_REPORTS: Duration = Duration::from_millis(200);
const WINDOW: Duration = Duration::from_secs(10);

impl<'a> Meter<'a> {
    /// A meter for one step.
    pub fn new(sink: &'a mut dyn Sink, step: StepId, total: u64, unit: Unit) -> Self {
        Self { sink, step, total, unit, history: Default::default(), last: None }
    }

    /// `done` of the total is safe now. Reported if the last report is long enough ago, or if this
    /// is the end.
    pub fn at(&mut self, done: u64) {
        let now = Instant::now();
        self.history.push_back((now, done));
        while self.history.len() > 2 && now - self.history[0].0 > WINDOW {
            self.history.pop_front();
        }
        let due = self.last.is_none_or(|last| now - last >= BETWEEN_REPORTS);
        if due || done >= self.total {
            self.last = Some(now);
            self.send(done, false);
        }
    }

    /// The job waits at `done`.
    pub fn paused(&mut self, done: u64) {
        self.history.clear();
        self.send(done, true);
    }

    fn send(&mut self, done: u64, paused: bool) {
        let rate = self.rate();
        let left = self.total.saturating_sub(done);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        // Seconds left: positive, and rounding is wanted.
        let eta_s = rate.filter(|rate| *rate > 0.0).map(|rate| (left as f64 / rate).ceil() as u64);
        self.sink.report(&Progress {
            version: 1,
            step: self.step,
            done,
            total: self.total,
            unit: self.unit,
            rate,
            eta_s: if left == 0 { Some(0) } else { eta_s },
            paused,
        });
    }

    fn rate(&self) -> Option<f64> {
        let (first, last) = (self.history.front()?, self.history.back()?);
        let seconds = (last.0 - first.0).as_secs_f64();
        (seconds > 0.05).then(|| (last.1.saturating_sub(first.1)) as f64 / seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_at_most_five_a_second_but_always_the_end() {
        let mut seen = Vec::new();
        let mut sink = |progress: &Progress| seen.push(progress.done);
        let mut meter = Meter::new(&mut sink, StepId::Encrypt, 1000, Unit::Bytes);
        for done in 0..=1000 {
            meter.at(done);
        }
        assert!(seen.len() <= 3, "{seen:?}");
        assert_eq!(seen.last(), Some(&1000));
    }
}
