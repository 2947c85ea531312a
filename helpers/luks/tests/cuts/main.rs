//! Power cuts at random moments, also while it recovers from the cut before: no byte is lost, and no key.
//!
//! What is cut is a *life*: a volume that is begun, given up, encrypted, used, decrypted, or that gets
//! other keys. Its seed says all that happens in it. The environment says how much:
//!
//! * `LATCHKEY_CUTS`: how many cuts (default 20,000); `LATCHKEY_MINUTES`: for how long instead;
//! * `LATCHKEY_SEED`: the first life's seed (default 0). With `LATCHKEY_CUTS=1` it is the only one;
//! * `LATCHKEY_PROGRESS=1`: a line every ten seconds.
//!
//! `cargo xtask soak` does it by the million.
#![allow(missing_docs, clippy::cast_possible_truncation, clippy::unwrap_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
mod conversions;
mod foreign;
mod keys;
#[allow(dead_code, reason = "faults are the business of the test beside this one")]
mod life;
mod lives;
mod runner;
#[allow(dead_code, reason = "as above")]
mod volumes;

use life::Trouble;

#[test]
fn no_byte_and_no_key_is_lost_by_cuts() {
    runner::run("cuts", Trouble::Cuts, 20_000, lives::any);
}
