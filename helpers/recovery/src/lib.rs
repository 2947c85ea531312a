//! Recovery keys: making one, writing it down so that a slip of the pen is found, putting it on a
//! stick, and proving the copy.
//!
//! A copy counts only when it has been read back from the medium and what was read has opened the
//! volume (promise 3 of the design). So [`export`] does not end with the writing: it reads past the
//! system's cache, finds the key in what it read as anybody would find it years later
//! ([`read_back`]), and hands it to the caller, who opens the volume with it.
//!
//! The key's form is that of systemd, so that the sheet is worth something without this program.

mod error;
mod export;
mod key;
mod medium;
mod reading;
mod sheet;

pub use error::{Error, Result};
pub use export::{Export, Exported, Form, KeyFile, SameDrive, Text, export, export_through};
pub use key::{GROUP_LETTERS, GROUPS, RecoveryKey, group_check};
pub use medium::{Kind, Medium, Stored, System};
pub use reading::{Verified, decode, read_back, read_whole, uuid_in, verify};
pub use sheet::{Sheet, SheetWords, one_line};
