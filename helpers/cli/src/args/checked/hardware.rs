//! `latchkey opal`: drives that encrypt by themselves.

use std::path::PathBuf;

use model::Fault;
use opal::pin::Cost;
use wizard::view::SleepChoice;

use super::{Consent, Key, Source, consent, key_of, raw, size_between, sleep, source, usage};

/// A FAT file system needs some room to be one.
const LEAST_ROOM: u64 = 1 << 20;
/// More than any drive has for it.
const LARGEST_ROOM: u64 = 1 << 30;

/// Who opens a data drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpensAtStart {
    /// As fits the computer.
    Fits,
    /// It asks.
    Asks,
}

/// What [`raw::Opal`] asks for.
#[derive(Debug)]
pub enum Opal {
    /// See [`raw::Opal::Discover`].
    Discover {
        /// As JSON.
        json: bool,
        /// Empty: all drives.
        drives: Vec<PathBuf>,
    },
    /// See [`raw::Opal::Pin`].
    Pin {
        /// Where salt and costs come from.
        from: PinFrom,
        /// Password or recovery key.
        key: Key,
    },
    /// See [`raw::Opal::Image`].
    Image {
        /// The new file.
        file: PathBuf,
        /// Bytes that the drive has for it.
        room: u64,
    },
    /// See [`raw::Opal::Lock`].
    Lock {
        /// The drive.
        drive: PathBuf,
        /// Password or recovery key.
        key: Key,
    },
    /// See [`raw::Opal::Unlock`].
    Unlock {
        /// Empty: all that are ours.
        drives: Vec<PathBuf>,
        /// Password or recovery key.
        key: Key,
    },
    /// See [`raw::Opal::GiveBack`].
    GiveBack {
        /// The drive.
        drive: PathBuf,
        /// Password or recovery key.
        key: Key,
        /// Whether to ask.
        consent: Consent,
    },
    /// See [`raw::Opal::Revert`].
    Revert {
        /// The drive.
        drive: PathBuf,
        /// The PSID.
        psid: Source,
        /// What was typed for the drive's name on the command line.
        confirmation: Option<String>,
    },
    /// See [`raw::Opal::AtStart`].
    AtStart {
        /// The drive.
        drive: PathBuf,
        /// `None`: nobody opens it from now on.
        by: Option<OpensAtStart>,
        /// How the computer is to sleep; `None`: nothing was said.
        sleep: Option<SleepChoice>,
        /// The password.
        key: Key,
    },
    /// See [`raw::Opal::SaveForSleep`].
    SaveForSleep {
        /// The drive.
        drive: PathBuf,
        /// The password.
        key: Key,
    },
}

/// Where salt and costs of a PIN come from.
#[derive(Debug)]
pub enum PinFrom {
    /// The drive itself.
    Drive(PathBuf),
    /// A rescue image or a preboot image.
    Image(PathBuf),
    /// What holds for every drive with this MSID.
    Msid(String, Cost),
    /// A salt, whatever it comes from.
    Salt(String, Cost),
}

pub(super) fn checked(command: raw::Opal) -> Result<Opal, Fault> {
    let with_file = |file: Option<PathBuf>, key| match file {
        Some(file) => Key::Password(source(Some(file))),
        None => key_of(key),
    };
    Ok(match command {
        raw::Opal::Discover { json, drives } => Opal::Discover { json, drives },
        raw::Opal::Pin { drive, image, msid, salt, memory, passes, lanes, key } => {
            let usual = Cost::default();
            let cost = Cost {
                memory_kib: memory.unwrap_or(usual.memory_kib),
                passes: passes.unwrap_or(usual.passes),
                lanes: lanes.unwrap_or(usual.lanes),
            };
            let from = match (drive, image, msid, salt) {
                (Some(drive), ..) => PinFrom::Drive(drive),
                (_, Some(image), ..) => PinFrom::Image(image),
                (_, _, Some(msid), _) => PinFrom::Msid(msid, cost),
                (.., Some(salt)) => PinFrom::Salt(salt, cost),
                // Refused by clap.
                (None, None, None, None) => return Err(usage("cli-no-note")),
            };
            Opal::Pin { from, key: key_of(key) }
        }
        raw::Opal::Image { file, size } => Opal::Image { file, room: size_between(&size, LEAST_ROOM..=LARGEST_ROOM)? },
        raw::Opal::Lock { drive, key } => Opal::Lock { drive, key: key_of(key) },
        raw::Opal::Unlock { drives, key_file, key } => Opal::Unlock { drives, key: with_file(key_file, key) },
        raw::Opal::GiveBack { drive, key, yes } => Opal::GiveBack { drive, key: key_of(key), consent: consent(yes) },
        raw::Opal::Revert { drive, psid_file, erase_drive_named } => {
            Opal::Revert { drive, psid: source(Some(psid_file)), confirmation: erase_drive_named }
        }
        raw::Opal::AtStart { drive, ask, off, sleep: how, key } => {
            let by = if ask { OpensAtStart::Asks } else { OpensAtStart::Fits };
            Opal::AtStart { drive, by: (!off).then_some(by), sleep: how.map(sleep), key: key_of(key) }
        }
        raw::Opal::SaveForSleep { drive, key_file, key } => Opal::SaveForSleep { drive, key: with_file(key_file, key) },
    })
}
