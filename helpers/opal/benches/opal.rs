//! What the drive's own encryption takes: switching the lock on, at any size, looking at eight drives, and
//! reading and writing with the lock on beside the same without.
//! Prints figures; asserts nothing about time.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use blockdev::{Access, FileDevice};
use model::Secret;
use opal::Tper;
use opal::device::{Drive, Local, Options};
use opal::pin::{Cost, WayIn};
use opal::protect::{self, Secrets};

const GIB: u64 = 1 << 30;
const ROUNDS: usize = 5;

fn main() {
    // `cargo test --benches` only wants to know that it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, size) in [("1 GiB", GIB), ("8 TiB", 8 << 40)] {
        match switching_on(folder.path(), size) {
            Some(times) => println!("switch the lock on, {name}: {} (target 3 s)", shown(&times)),
            None => println!("switch the lock on, {name}: left out, no file of that size here"),
        }
    }
    println!("discovery of 8 drives: {} (target 200 ms)", shown(&discovery(folder.path())));
    for (what, ratio) in with_the_lock_on(folder.path()) {
        println!("{what}, lock on : factory = {ratio:.2} (target: no difference, 1.00)");
    }
}

/// Seconds with the lock on (and open) by seconds on a drive as from the factory: two drives, by turns, and the
/// median of the ratios.
fn with_the_lock_on(folder: &Path) -> Vec<(&'static str, f64)> {
    const PIECE: usize = 1 << 20;
    const PIECES: u64 = 64;
    const TURNS: usize = 9;
    let (Some(factory), Some(locking)) = (drive(folder, GIB), drive(folder, GIB)) else { return Vec::new() };
    let (password, recovery) = (Secret::from("password"), Secret::from("recovery"));
    let mut tper = Tper::open(Local(Arc::clone(&locking))).unwrap();
    let cost = Cost { memory_kib: 8, passes: 1, lanes: 1 };
    protect::prepare(&mut tper, Secrets { password: &password, recovery: &recovery }, cost).unwrap();
    protect::switch_on(&mut tper, &password, true).unwrap();
    locking.power_cycle().unwrap();
    protect::open(&mut tper, WayIn::Password, &password).unwrap();
    let blocks = PIECE as u64 / u64::from(factory.block_size());
    let mut piece = vec![0x5a; PIECE];
    let mut write = |drive: &Drive| timed(|| (0..PIECES).for_each(|at| drive.write(at * blocks, &piece).unwrap()));
    let written = ratios(TURNS, &mut write, &factory, &locking);
    let mut read = |drive: &Drive| timed(|| (0..PIECES).for_each(|at| drive.read(at * blocks, &mut piece).unwrap()));
    let read = ratios(TURNS, &mut read, &factory, &locking);
    vec![("writing", written), ("reading", read)]
}

fn ratios(turns: usize, work: &mut dyn FnMut(&Drive) -> Duration, factory: &Drive, locking: &Drive) -> f64 {
    // Once without the clock: the file gets its blocks.
    work(factory);
    work(locking);
    let mut all: Vec<f64> = (0..turns)
        .map(|turn| {
            // Whoever comes second has it a little better.
            let (first, second) = if turn % 2 == 0 { (factory, locking) } else { (locking, factory) };
            let (first, second) = (work(first).as_secs_f64(), work(second).as_secs_f64());
            if turn % 2 == 0 { second / first } else { first / second }
        })
        .collect();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// With the usual costs of the derivation, as after the test start: password typed, lock on, read back.
fn switching_on(folder: &Path, size: u64) -> Option<Vec<Duration>> {
    let drive = drive(folder, size)?;
    let (password, recovery) = (Secret::from("password"), Secret::from("recovery"));
    let mut tper = Tper::open(Local(drive)).unwrap();
    protect::prepare(&mut tper, Secrets { password: &password, recovery: &recovery }, Cost::default()).unwrap();
    let times = (0..ROUNDS).map(|_| {
        protect::switch_on(&mut tper, &password, false).unwrap();
        timed(|| protect::switch_on(&mut tper, &password, true).unwrap())
    });
    Some(times.collect())
}

fn discovery(folder: &Path) -> Vec<Duration> {
    let drives: Vec<_> = (0..8).filter_map(|_| drive(folder, GIB)).collect();
    let all = || {
        for drive in &drives {
            let mut tper = Tper::open(Local(Arc::clone(drive))).unwrap();
            let _ = tper.protocols();
            assert!(!tper.discovery().facts().ssc.is_empty());
        }
    };
    (0..ROUNDS).map(|_| timed(all)).collect()
}

/// A hole of a file: nothing here looks at the data.
fn drive(folder: &Path, size: u64) -> Option<Arc<Drive>> {
    let file = tempfile::NamedTempFile::new_in(folder).unwrap();
    file.as_file().set_len(size).ok()?;
    let device = FileDevice::open(file.path(), Access::Exclusive).unwrap();
    Some(Arc::new(Drive::create(Arc::new(device), Options::default()).unwrap()))
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// The median, with the smallest and the largest.
fn shown(times: &[Duration]) -> String {
    let mut sorted = times.to_vec();
    sorted.sort();
    format!("{:.1?} ({:.1?} to {:.1?})", sorted[sorted.len() / 2], sorted[0], sorted[sorted.len() - 1])
}
