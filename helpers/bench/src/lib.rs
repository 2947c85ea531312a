//! "Will it make my computer slow?" Two measurements, and a comparison that does not see differences
//! where there are none.
//!
//! * [`disk`] works on a file on the volume that will be (or was) encrypted, past the system's cache
//!   where the file system allows it, with data that cannot be compressed. The tests carry the names
//!   of CrystalDiskMark. They run in turns, a slice of each in every round, so that a drive that
//!   slows down or a computer that gets busy meets all of them alike.
//! * [`cipher`] needs no drive: how fast this processor encrypts, and how long a password takes.
//! * [`compare`] sets two runs beside each other and calls a difference one only where the scatter
//!   of the rounds cannot explain it.

mod cipher;
mod compare;
mod disk;
mod error;
mod figures;
mod target;

pub use cipher::{CipherFigure, CipherFigures, CipherOptions, KdfFigure, cipher, unlock_seconds, xts_rate};
pub use compare::{Change, Comparison, compare};
pub use disk::{DiskOptions, Layer, Stop, disk, measure};
pub use error::{Error, Result};
pub use figures::{Access, Figures, Latency, Test, TestFigure};
pub use target::{Target, TestFile};
