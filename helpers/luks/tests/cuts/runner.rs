//! Lives on all cores, until there were cuts enough.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::life::{Life, Trouble};

struct Orders {
    cuts: u64,
    first: u64,
    time: Option<Duration>,
    progress: bool,
}

impl Orders {
    fn from_environment(cuts: u64) -> Self {
        let number = |name: &str| {
            let text = std::env::var(name).ok()?;
            Some(text.parse::<u64>().unwrap_or_else(|_| panic!("{name}={text} is no number")))
        };
        Self {
            cuts: number("LATCHKEY_CUTS").unwrap_or(cuts),
            first: number("LATCHKEY_SEED").unwrap_or(0),
            time: number("LATCHKEY_MINUTES").map(|minutes| Duration::from_secs(60 * minutes)),
            progress: number("LATCHKEY_PROGRESS").is_some_and(|number| number > 0),
        }
    }
}

/// What was seen so far.
#[derive(Default)]
struct Tally {
    lives: u64,
    cuts: BTreeMap<&'static str, u64>,
    failed: Option<u64>,
}

impl Tally {
    fn total(&self) -> u64 {
        self.cuts.values().sum()
    }
}

/// Lives one life after another, each with the next seed, until there were so many cuts, or as the
/// environment says. Panics with the seed of one that failed. `test` is the name of the file.
pub fn run(test: &str, trouble: Trouble, cuts: u64, live: impl Fn(&mut Life) + Sync) {
    let orders = Orders::from_environment(cuts);
    let begun = Instant::now();
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(orders.first);
    let over = AtomicBool::new(false);
    let woken = (Mutex::new(()), Condvar::new());
    // One life alone is what somebody wants to look at.
    let threads = if orders.cuts == 1 { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let worker = || {
        while !over.load(Ordering::Relaxed) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let mut life = Life::new(seed, trouble);
            let failed = catch_unwind(AssertUnwindSafe(|| live(&mut life))).is_err();
            let mut tally = tally.lock().unwrap();
            tally.lives += 1;
            for (what, count) in life.cuts {
                *tally.cuts.entry(what).or_default() += count;
            }
            if failed {
                eprintln!("failed: seed {seed}");
                tally.failed = Some(tally.failed.map_or(seed, |other| other.min(seed)));
            }
            let enough = match orders.time {
                Some(time) => begun.elapsed() >= time,
                None => tally.total() >= orders.cuts,
            };
            if failed || enough {
                over.store(true, Ordering::Relaxed);
                woken.1.notify_all();
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(worker);
        }
        while orders.progress && !over.load(Ordering::Relaxed) {
            let guard = woken.0.lock().unwrap();
            drop(woken.1.wait_timeout(guard, Duration::from_secs(10)).unwrap());
            let tally = tally.lock().unwrap();
            eprintln!("{} cuts in {} lives, {} s", tally.total(), tally.lives, begun.elapsed().as_secs());
        }
    });
    let tally = tally.into_inner().unwrap();
    let kinds: Vec<String> = tally.cuts.iter().map(|(what, count)| format!("{what} {count}")).collect();
    eprintln!(
        "{test}: {}{} in {} lives ({}); seeds from {}; {:.0} s; {}",
        tally.total(),
        if trouble == Trouble::Cuts { String::new() } else { format!(" of {trouble:?}") },
        tally.lives,
        kinds.join(", "),
        orders.first,
        begun.elapsed().as_secs_f64(),
        if tally.failed.is_some() { "FAILED" } else { "no difference" },
    );
    if let Some(seed) = tally.failed {
        panic!("{}", again(test, trouble, seed));
    }
}

fn again(test: &str, trouble: Trouble, seed: u64) -> String {
    let name = format!("{trouble:?}").to_lowercase();
    format!("seed {seed}; again with: LATCHKEY_SEED={seed} LATCHKEY_CUTS=1 cargo test -p luks --test {test} {name}")
}
