//! "Will it make my computer slow?" Two measurements, and a comparison that does not see differences
//! where there are none.
//!
//! * [`disk`] works on a file on the volume that will be (or was) encrypted, past the system's cache
//!   where the file system allows it, with data made anew for each block. The tests carry the names
//!   of CrystalDiskMark. They run in turns, a slice of each in every round, so that a drive that
//!   slows down or a computer that gets busy meets all of them alike, until the figures are sure
//!   enough or the time is over.
//! * [`Prediction`] says before what encryption is going to cost.
//! * [`cipher`] needs no drive: how fast this processor encrypts, and how long a password takes.
//! * [`compare`] sets two runs beside each other and calls a difference one only where the scatter
//!   of the rounds cannot explain it. [`side_by_side`] measures both in one run.
//!
//! The engine drives a [`Target`]: a file through io_uring, overlapped requests or threads, or a
//! [`simulated`] drive whose figures are known.

#[cfg(target_os = "linux")]
mod afalg;
mod cipher;
mod compare;
mod conditions;
mod costs;
mod crypt;
mod curve;
mod data;
mod disk;
mod error;
mod figures;
mod idle;
pub mod page;
mod pair;
mod predict;
pub mod reports;
pub mod simulated;
mod statistics;
mod target;
#[cfg(target_os = "linux")]
pub mod tune;

pub use cipher::{CipherFigure, CipherFigures, CipherOptions, KdfFigure, cipher, unlock_seconds, xts_rate};
pub use compare::{Change, Compared, Comparison, compare, compressing, overall};
pub use conditions::{Conditions, Difference};
pub use crypt::Crypt;
#[cfg(target_os = "linux")]
pub use crypt::mapping;
pub use curve::{curve, curve_of};
pub use disk::{DiskOptions, Form, Layer, Stop, disk, measure, once, read_only};
pub use error::{Error, Result};
pub use figures::{Access, CurvePoint, Dot, Figures, Latency, Test, TestFigure};
pub use pair::{Switch, TriedOut, Tuned, side_by_side, try_out};
pub use predict::{Brake, Cost, Predicted, Prediction};
pub use target::{Queue, Target, TestFile, Way};

#[cfg(test)]
fn figures_for_tests(rounds: &[f64]) -> Figures {
    Figures {
        version: 2,
        access: Access::Direct,
        encrypted: false,
        file_size: 1 << 26,
        written: 1 << 27,
        seconds: 6.0,
        tests: vec![TestFigure::new(Test::Seq1mQ1t1Read, rounds.to_vec(), vec![1000])],
        conditions: Conditions::default(),
        dots: Vec::new(),
        curve: Vec::new(),
        cipher_rate: None,
        prediction: None,
    }
}
