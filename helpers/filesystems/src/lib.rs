//! What lies on a volume: which file system, how many bytes it needs, whether it is in order, and
//! resizing it by the system's own tools.
//!
//! The file system's size always comes from its own superblock, never from the volume's: a volume is
//! made ready for encryption by shrinking what is on it, and a program that only believes that
//! somebody has shrunk it destroys the end of the data.
//!
//! Nothing that is read here is believed. A superblock counts when its checksum fits (where the
//! format has one) and when its numbers make sense together; two that both count are an error.

mod check;
mod error;
mod found;
mod kinds;
mod probe;
pub mod raw;
mod resize;
mod tool;
mod used;

pub use check::put_in_order;
pub use error::{Error, Result};
pub use found::{External, Found, Kind, Trouble};
pub use probe::{is_blank, probe, starts_with_boot_sector};
pub use resize::{grow, minimum_size, shrink, shrink_again};
pub use used::{UsedMap, used_map};
