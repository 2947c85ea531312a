//! Reads what public tools print about encryption, and says the verdict.
//!
//! One file for each tool; each of them looks for its own output anywhere in a text, so that a file may
//! hold the answers of several tools. What does not fit is left alone, and a text in which nothing fits
//! is `unknown`. The verdicts are those of the rules in `drives::judge`; nothing here decides what is
//! green.
//!
//! Nothing is written, no program is run, and the text is nobody's order: it is only read.

mod apfs;
mod bitlocker;
mod diskutil_apfs_text;
mod diskutil_plist;
mod documents;
mod drive;
mod fdesetup;
mod get_bitlocker_volume;
mod hdparm;
mod item;
mod level0;
mod linux;
mod manage_bde;
mod nvme_sed;
mod pairs;
mod recognise;
mod reported;
mod sedutil;
mod text;
mod wmi;

pub use item::Item;
pub use recognise::{LARGEST, explain};
