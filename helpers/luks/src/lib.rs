//! LUKS2 (on-disk format specification 1.1.4): headers, keyslots, digests, tokens, and the in-place
//! conversion of a volume and back.
//!
//! What is made here opens with `cryptsetup`, and what `cryptsetup` makes opens here. A conversion's
//! state on disk is that of `cryptsetup reencrypt`, so that either can finish what the other began.
//!
//! The layers: [`metadata`] is the JSON area, [`Header`] the two copies of it, [`kdf`] and the
//! keyslots turn a password into the volume key, [`format()`] makes a header, [`convert`] moves data.

mod admin;
pub mod convert;
mod error;
mod format;
mod header;
pub mod kdf;
mod keyslot;
pub mod metadata;
mod plain;

pub use admin::{KeyslotInfo, backup, erase, rebuild, restore};
pub use error::{Error, Result};
pub use format::{DEFAULT_DATA_OFFSET, FormatOptions, MIN_DATA_OFFSET, format};
pub use header::{Damage, Header, Loaded, NEW_HEADER_SIZE};
pub use keyslot::Unlocked;
pub use plain::Plain;
