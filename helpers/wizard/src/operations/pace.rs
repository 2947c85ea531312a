//! Giving way: while others use the same disk, the conversion slows down, and not their work.
//!
//! Two things see to it. The kernel is told that our requests may wait for everybody else's; some of its
//! schedulers heed that and some do not. So we also look ourselves, a few times a second: does anybody
//! else read or write on this disk, and how long does a single small reading take? Where it takes longer
//! than it should, we rest.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use blockdev::FileDevice;
use luks::convert::Pace;

/// How long a small reading may take while somebody else is at work, in relation to the quiet disk.
const TARGET: u32 = 4;
/// And never less than this: nobody feels it.
const UNFELT: Duration = Duration::from_millis(8);
/// Between two looks.
const BETWEEN: Duration = Duration::from_millis(250);
/// Others' bytes in a second that are work, and not a log file being written.
const WORK: u64 = 128 * 1024;
/// The most that we rest, in relation to the time that we work: a tenth of the disk stays ours.
const MOST: f64 = 9.0;

/// See the module's text.
pub(super) struct Courtesy<'a> {
    device: &'a FileDevice,
    state: Mutex<State>,
}

struct State {
    seen: Instant,
    others: u64,
    /// When the last rest ended.
    awake: Instant,
    policy: Policy,
}

impl<'a> Courtesy<'a> {
    /// `None`: on this device it cannot be seen what others do.
    pub(super) fn on(device: &'a FileDevice) -> Option<Self> {
        let others = others(device)?;
        // A quiet disk's answer; the median of a few.
        let mut quiet: Vec<Duration> = (0..5).filter_map(|_| device.response()).collect();
        quiet.sort_unstable();
        let policy = Policy::new(quiet.get(quiet.len() / 2).copied().unwrap_or_default());
        let now = Instant::now();
        Some(Self { device, state: Mutex::new(State { seen: now, others, awake: now, policy }) })
    }
}

impl Pace for Courtesy<'_> {
    fn rest(&self, _bytes: u64) -> Duration {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let passed = now - state.seen;
        if passed >= BETWEEN {
            let others = others(self.device).unwrap_or(state.others);
            let rate = others.saturating_sub(state.others) as f64 / passed.as_secs_f64();
            let busy = rate > WORK as f64;
            let response = if busy { self.device.response() } else { None };
            state.policy.look(busy, response);
            (state.seen, state.others) = (Instant::now(), others);
        }
        let rest = state.policy.rest(now.saturating_duration_since(state.awake));
        state.awake = Instant::now() + rest;
        rest
    }
}

/// Bytes that others have read and written.
fn others(device: &FileDevice) -> Option<u64> {
    let own = device.own_traffic();
    Some(device.traffic()?.bytes.saturating_sub(own))
}

/// How much to rest: falls back at once when it has to, and comes back step by step.
#[derive(Debug)]
struct Policy {
    limit: Duration,
    /// Rest in relation to work.
    share: f64,
}

impl Policy {
    fn new(quiet: Duration) -> Self {
        Self { limit: (quiet * TARGET).max(UNFELT), share: 0.0 }
    }

    /// What a look showed: whether others are at work, and how long a small reading took.
    fn look(&mut self, busy: bool, response: Option<Duration>) {
        self.share = match response {
            _ if !busy => (self.share - 2.0).max(0.0),
            Some(took) if took > self.limit => (self.share * 2.0 + 1.0).min(MOST),
            // Others are at work, and do not wait: try whether a little more hurts.
            _ => (self.share - 0.25).max(0.5),
        };
    }

    fn rest(&self, worked: Duration) -> Duration {
        // A single rest stays short, so that the end of somebody's work is noticed.
        worked.mul_f64(self.share).min(Duration::from_secs(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn nobody_else_means_no_rest() {
        let mut policy = Policy::new(MS);
        for _ in 0..10 {
            policy.look(false, None);
        }
        assert_eq!(policy.rest(100 * MS), Duration::ZERO);
    }

    #[test]
    fn slow_answers_make_it_step_back_and_quiet_brings_it_forth() {
        let mut policy = Policy::new(MS);
        policy.look(true, Some(50 * MS));
        let first = policy.rest(100 * MS);
        for _ in 0..5 {
            policy.look(true, Some(50 * MS));
        }
        let most = policy.rest(100 * MS);
        assert!(first >= 100 * MS && most == 900 * MS, "{first:?} {most:?}");
        // Once they are fast again, a little more is tried each time.
        for _ in 0..100 {
            policy.look(true, Some(2 * MS));
        }
        assert_eq!(policy.rest(100 * MS), 50 * MS);
        policy.look(false, None);
        assert_eq!(policy.rest(100 * MS), Duration::ZERO);
        assert!(policy.rest(Duration::from_secs(60)) <= Duration::from_secs(1));
    }

    #[test]
    fn what_nobody_feels_is_no_reason() {
        let mut policy = Policy::new(Duration::from_micros(80));
        policy.look(true, Some(7 * MS));
        assert!(policy.share <= 0.5);
        // A turning disk answers slowly when it is quiet, too.
        let mut policy = Policy::new(12 * MS);
        policy.look(true, Some(40 * MS));
        assert!(policy.share <= 0.5);
        policy.look(true, Some(60 * MS));
        assert!(policy.share > 1.0);
    }
}
