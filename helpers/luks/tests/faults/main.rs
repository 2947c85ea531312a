//! Devices that fail, at random moments of everything that changes a volume: each time the work stops with
//! the device's error, nothing panics, and when the fault is over it goes on and no byte is different.
//!
//! The lives are those of `cuts`, and the environment says the same here.
#![allow(missing_docs, clippy::cast_possible_truncation, clippy::unwrap_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../cuts/conversions.rs"]
mod conversions;
#[path = "../cuts/foreign.rs"]
mod foreign;
#[path = "../cuts/keys.rs"]
mod keys;
mod lies;
#[path = "../cuts/life.rs"]
mod life;
#[path = "../cuts/lives.rs"]
mod lives;
mod midway;
#[path = "../cuts/runner.rs"]
mod runner;
mod unreadable;
#[path = "../cuts/volumes.rs"]
mod volumes;

use life::Trouble;

/// Faults of each kind.
const FAULTS: u64 = 400;

#[test]
fn reads() {
    runner::run("faults", Trouble::Reads, FAULTS, lives::any);
}

#[test]
fn writes() {
    runner::run("faults", Trouble::Writes, FAULTS, lives::any);
}

#[test]
fn short() {
    runner::run("faults", Trouble::Short, FAULTS, lives::any);
}

#[test]
fn full() {
    runner::run("faults", Trouble::Full, FAULTS, lives::any);
}

#[test]
fn flushes() {
    runner::run("faults", Trouble::Flushes, FAULTS, lives::any);
}

#[test]
fn gone() {
    runner::run("faults", Trouble::Gone, FAULTS, lives::any);
}
