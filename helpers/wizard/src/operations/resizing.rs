//! A file system whose resizing was cut off: how it is known as ours, and how it goes on.
//!
//! Before a file system is made smaller or larger, a note of it goes into the state folder, which lies on another
//! drive. It is taken back when the header is in place, or when the file system has its old size. Whatever comes in
//! between (the power goes, the program is killed), the next command or look that is about this file system finds
//! the note, and does not leave somebody with "run fsck manually" who has done nothing wrong.
//!
//! A note counts for one file system, by its UUID, and only until that is mounted: what breaks later is not ours, and
//! is mended when the person agrees to it.

use std::fs;
use std::path::{Path, PathBuf};

use blockdev::{Access, Device, FileDevice};
use filesystems::{Found, Kind, Trouble};
use model::{Control, Meter, Sink, StepId, Unit};
use serde::{Deserialize, Serialize};

use super::check::refuse_in_use;
use crate::{Error, Result, journal, place};

/// Which way a file system was being resized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resizing {
    /// To make room for a header.
    Smaller,
    /// Into the room that a header had.
    Larger,
}

/// Why a file system is not in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disorder {
    /// A resizing of ours was cut off.
    Ours(Resizing),
    /// Something else; its own program may put it in order, if the person agrees.
    Others(Kind),
}

/// Whether the file system of a volume is in order, and if not, whose doing it is. Reads only.
///
/// # Errors
/// Those of the device.
pub fn disorder(path: &Path) -> Result<Option<Disorder>> {
    let device = FileDevice::open(path, Access::Read)?;
    // What cannot be told is told by whoever looks at the volume as a whole.
    let Ok(Some(found)) = filesystems::probe(&device) else { return Ok(None) };
    if let Some(note) = Note::of(&found).filter(|note| note.is_open(&found, device.size())) {
        return Ok(Some(Disorder::Ours(note.way)));
    }
    let can_be_mended = matches!(found.kind, Kind::Ext2 | Kind::Ext3 | Kind::Ext4);
    Ok((can_be_mended && found.trouble.is_some()).then_some(Disorder::Others(found.kind)))
}

/// Puts a file system in order: one that we cut off ourselves, or one that the person wants to be put in order. Its
/// size stays as it is.
///
/// # Errors
/// [`Error::Mounted`] and its like; `filesystem-has-errors`, when that takes decisions about files, and the others of
/// [`filesystems::put_in_order`].
pub fn mend(path: &Path) -> Result<()> {
    let found = free_and_found(path)?.ok_or(Error::TargetChanged)?;
    Ok(filesystems::put_in_order(path, &found)?)
}

/// Whether a file system was made smaller, or begun to be, for an encryption that has not begun.
///
/// # Errors
/// Those of the device.
pub fn is_made_smaller(path: &Path) -> Result<bool> {
    let device = FileDevice::open(path, Access::Read)?;
    let found = filesystems::probe(&device).ok().flatten();
    let note = found.as_ref().and_then(|found| Some((Note::of(found)?, found)));
    Ok(note.is_some_and(|(note, found)| {
        note.way == Resizing::Smaller && (note.is_open(found, device.size()) || found.size < device.size())
    }))
}

/// Puts a file system in order and makes it as large as its volume again.
///
/// # Errors
/// As [`mend`], and those of growing; a further try goes on.
pub fn give_room_back(path: &Path, control: &Control, sink: &mut dyn Sink) -> Result<()> {
    let found = free_and_found(path)?.ok_or(Error::TargetChanged)?;
    let mut meter = Meter::new(sink, StepId::MakeRoom, 1, Unit::Steps);
    meter.at(0);
    filesystems::put_in_order(path, &found)?;
    let size = FileDevice::open(path, Access::Read)?.size();
    filesystems::grow(path, &found, size, control)?;
    Note::forget(&found);
    meter.at(1);
    Ok(())
}

/// What lies on a volume that nobody uses.
fn free_and_found(path: &Path) -> Result<Option<Found>> {
    refuse_in_use(path, &drives::inspect(path)?)?;
    let device = FileDevice::open(path, Access::Exclusive)?;
    Ok(filesystems::probe(&device)?)
}

/// What is remembered of a resizing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) way: Resizing,
    /// As `blkid` spells it.
    filesystem: String,
    uuid: String,
    /// When it was last mounted; `None`: it does not say.
    last_mounted: Option<u32>,
    /// Bytes of the smaller one of its two sizes.
    pub(super) size: u64,
}

impl Note {
    /// The note of a file system, if there is one that still counts.
    pub(super) fn of(found: &Found) -> Option<Self> {
        Self::read(&place::state_dir(), found)
    }

    fn read(folder: &Path, found: &Found) -> Option<Self> {
        let note: Self = serde_json::from_slice(&fs::read(Self::file(folder, found)?).ok()?).ok()?;
        let fits = note.filesystem == found.kind.name()
            && Some(&note.uuid) == found.uuid.as_ref()
            && note.last_mounted == found.last_mounted;
        fits.then_some(note)
    }

    /// Notes that a file system is going to be resized. Where that cannot be written, the person is asked after a
    /// cut, instead of being told: no reason not to begin.
    pub(super) fn keep(found: &Found, way: Resizing, size: u64) {
        let _ = Self::write(&place::state_dir(), found, way, size);
    }

    fn write(folder: &Path, found: &Found, way: Resizing, size: u64) -> std::io::Result<()> {
        let (Some(file), Some(uuid)) = (Self::file(folder, found), found.uuid.clone()) else { return Ok(()) };
        let (filesystem, last_mounted) = (found.kind.name().to_owned(), found.last_mounted);
        let note = Self { way, filesystem, uuid, last_mounted, size };
        journal::make_private_folder(folder)?;
        journal::replace(&file, &serde_json::to_vec(&note)?)
    }

    /// The resizing came to its end, or was never begun.
    pub(super) fn forget(found: &Found) {
        if let Some(file) = Self::file(&place::state_dir(), found) {
            let _ = fs::remove_file(file);
        }
    }

    /// Whether something is left to do, on a volume of so many bytes.
    pub(super) fn is_open(&self, found: &Found, volume: u64) -> bool {
        let in_disorder = found.trouble.is_some_and(|trouble| trouble != Trouble::Hibernated);
        in_disorder || self.way == Resizing::Larger && found.size <= self.size && self.size < volume
    }

    /// UUIDs are hexadecimal digits and dashes; what is not is not made a name of.
    fn file(folder: &Path, found: &Found) -> Option<PathBuf> {
        let uuid = found.uuid.as_deref()?;
        let is_name = !uuid.is_empty() && uuid.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
        is_name.then(|| folder.join(format!("resizing-{uuid}.json")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An ext4 of 64 MiB as its superblock tells of it.
    fn found(folder: &Path) -> Option<Found> {
        let image = folder.join("image");
        fs::File::create(&image).unwrap().set_len(64 << 20).unwrap();
        if std::process::Command::new("mkfs.ext4").args(["-q", "-F"]).arg(&image).status().is_err() {
            println!("left out: mkfs.ext4 is not here");
            return None;
        }
        filesystems::probe(&FileDevice::open(&image, Access::Read).unwrap()).unwrap()
    }

    #[test]
    fn a_note_counts_for_its_file_system_until_that_is_mounted() {
        let folder = tempfile::tempdir().unwrap();
        let Some(found) = found(folder.path()) else { return };
        let read = |found: &Found| Note::read(folder.path(), found);
        assert_eq!(read(&found), None);
        Note::write(folder.path(), &found, Resizing::Smaller, 1 << 20).unwrap();
        let note = read(&found).unwrap();
        assert_eq!((note.way, note.size), (Resizing::Smaller, 1 << 20));
        let cut = Found { clean: Some(false), trouble: Some(Trouble::Errors), ..found.clone() };
        assert_eq!(read(&cut), Some(note.clone()));
        assert!(note.is_open(&cut, found.size) && !note.is_open(&found, found.size));
        // Mounted since, made anew, or another sort under the same name.
        assert_eq!(read(&Found { last_mounted: Some(7), ..found.clone() }), None);
        assert_eq!(read(&Found { uuid: Some("ab-cd".into()), ..found.clone() }), None);
        assert_eq!(read(&Found { kind: Kind::Ntfs, ..found.clone() }), None);
        // Nobody's name for a file.
        let odd = Found { uuid: Some("../../x".into()), ..found.clone() };
        Note::write(folder.path(), &odd, Resizing::Smaller, 1).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_was_to_become_larger_is_open_until_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let Some(found) = found(folder.path()) else { return };
        Note::write(folder.path(), &found, Resizing::Larger, found.size).unwrap();
        let note = Note::read(folder.path(), &found).unwrap();
        assert!(note.is_open(&found, found.size + (8 << 20)));
        assert!(!note.is_open(&Found { size: found.size + (8 << 20), ..found.clone() }, found.size + (8 << 20)));
        // A volume that has no more room than that.
        assert!(!note.is_open(&found, found.size));
    }
}
