//! What is kept on the rescue medium for a drive that encrypts by itself: the note by which PINs are derived,
//! should the drive's own copies be lost, and the facts that somebody needs years later.

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use model::{Secret, Sink};
use opal::pin::{Record, WayIn};
use opal::{host, protect};

use super::{OwnDrive, look};
use crate::rescue::{image, store};
use crate::{Error, Result};

/// The note in it.
const NOTE: &str = "note.bin";
/// The facts in it.
const FACTS: &str = "facts.txt";

/// Writes `latchkey-rescue-ID.img` into a folder, reads it back, and opens the drive with the PIN that the
/// password gives by the note that was read.
///
/// # Errors
/// Those of the folder; `opal-wrong-pin`. Nothing half is left.
pub(crate) fn write(own: &mut OwnDrive, password: &Secret, folder: &Path, sink: &mut dyn Sink) -> Result<PathBuf> {
    let record = protect::record(&mut own.tper)?;
    let facts = facts(&record);
    let files = [(NOTE, &record.encode()[..]), (FACTS, facts.as_bytes())];
    let bytes = image(&files).map_err(|error| Error::folder(folder, error))?;
    let name = format!("rescue-{}", look::id(&record));
    store(folder, &name, &bytes, sink, &mut |stored| {
        let pin = read(stored)?.pin(WayIn::Password, password)?;
        match host::proves(&mut own.tper, protect::authority(WayIn::Password), &pin)? {
            true => Ok(()),
            false => Err(opal::Error::WrongPin.into()),
        }
    })
}

/// Finds the note as anybody would find it.
fn read(image: &[u8]) -> Result<Record> {
    let differs = || Error::ReadBackDiffers { path: NOTE.to_owned() };
    let mut copy = Cursor::new(image.to_vec());
    let system = fatfs::FileSystem::new(&mut copy, fatfs::FsOptions::new()).map_err(|_| differs())?;
    let mut bytes = Vec::new();
    let mut file = system.root_dir().open_file(NOTE).map_err(|_| differs())?;
    file.read_to_end(&mut bytes).map_err(|_| differs())?;
    Record::decode(&bytes)?.ok_or_else(differs)
}

/// Names and values, one a line. None of them is secret.
fn facts(record: &Record) -> String {
    let cost = record.cost;
    let derive = |way| {
        format!(
            "argon2 {} -id -v 13 -t {} -k {} -p {} -l 16 -r",
            record.salt(way),
            cost.passes,
            cost.memory_kib,
            cost.lanes
        )
    };
    let lines = [
        "format = TCG Opal".to_owned(),
        format!("id = {}", look::id(record)),
        format!("pin_of_password = {} (Admin1, SID)", derive(WayIn::Password)),
        format!("pin_of_recovery_key = {} (Admin2)", derive(WayIn::Recovery)),
        format!("made_by = latchkey {}", env!("CARGO_PKG_VERSION")),
        "open = sedutil-cli -n --setLockingRange 0 RW PIN DRIVE; sedutil-cli -n --setMBRDone on PIN DRIVE".to_owned(),
        "undo = latchkey opal give-back DRIVE".to_owned(),
    ];
    lines.join("\r\n") + "\r\n"
}
