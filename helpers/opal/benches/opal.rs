//! What the drive's own encryption takes: switching the lock on, at any size, and looking at eight drives.
//! Prints figures; asserts nothing about time.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use blockdev::{Access, FileDevice};
use model::Secret;
use opal::Tper;
use opal::device::{Drive, Local, Options};
use opal::pin::Cost;
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
