use std::ops::Range;
use std::path::Path;

use blockdev::{Access, Device, FileDevice};
use filesystems::{Found, UsedMap};
use luks::convert::{Conversion, Decryption, Encryption, Mode, Outcome, Place, Space};
use luks::{Header, Plain};
use model::{Control, Meter, Secret, Sink, StepId, Unit};

use super::pace::Courtesy;
use super::resizing::{self, Disorder, Note, Resizing};
use super::{EncryptRequest, Plan, Room, front, plan, plan_encrypt};
use crate::engine::Ended;
use crate::{Error, Result};

/// Which way a conversion goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From plain to encrypted.
    Encrypt,
    /// From encrypted to plain.
    Decrypt,
}

/// Makes room and puts the staged header in place. Nothing is encrypted yet: [`undo`] gives back what
/// was there. The secret must open the staged header.
///
/// # Errors
/// [`Error::TargetChanged`] if the volume or the staged header is not what the plan is about, and all
/// that [`plan_encrypt`] refuses; then the volume is as it was. After an error of the device it is as
/// it was or resumes.
pub fn begin(plan: &Plan, staged: &Path, secret: &Secret, control: &Control, sink: &mut dyn Sink) -> Result<()> {
    if plan.method() != model::Method::Software {
        return Err(Error::TargetChanged);
    }
    if let Some(Disorder::Ours(_)) = resizing::disorder(plan.path())? {
        resizing::mend(plan.path())?;
    }
    // How room is made may have another answer by now; the one that was agreed to counts.
    if !plan_encrypt(plan.path(), &EncryptRequest::default())?.same_volume(plan) {
        return Err(Error::TargetChanged);
    }
    let staged = FileDevice::open(staged, Access::Read)?;
    let header = Header::load(&staged)?.header;
    if header.data_offset() != plan.shift() || header.sector_size() != plan.sector_size() {
        return Err(Error::TargetChanged);
    }
    let unlocked = header.unlock(&staged, secret)?;
    let mut meter = Meter::new(sink, StepId::MakeRoom, 2, Unit::Steps);
    meter.at(0);
    // The tool opens the device itself, so it is not held here yet.
    let found = filesystems::probe(&FileDevice::open(plan.path(), Access::Read)?).ok().flatten();
    let used = match plan.room() {
        Room::Shrink { to } => shrink(plan, found.as_ref().ok_or(Error::TargetChanged)?, to, control)?,
        Room::Gap { .. } | Room::Grow { .. } | Room::Unneeded => plan.used(),
    };
    meter.at(1);
    let device = FileDevice::open(plan.path(), Access::Exclusive)?;
    if device.size() != plan.size() {
        return Err(Error::TargetChanged);
    }
    let grown = match plan.room() {
        Room::Grow { by } => {
            device.resize(plan.size() + by)?;
            device.flush()?;
            true
        }
        Room::Gap { .. } | Room::Shrink { .. } | Room::Unneeded => false,
    };
    if let Some(folder) = &plan.front_copy {
        // Beside the two copies on the drive itself; no reason not to begin.
        let _ = front::write(plan, &staged, &unlocked, &device, folder);
    }
    let what = Encryption { used, original_size: plan.size(), grown, space: plan.space() };
    let begun = luks::convert::begin_encrypt(&device, &staged, &unlocked, &what);
    if begun.is_err() && grown && luks::convert::locate(&device).is_err() {
        // Nothing was begun: the file gets its old length back.
        device.resize(plan.size())?;
        device.flush()?;
    }
    begun?;
    if let Some(found) = &found {
        // From here on the header tells how far it is.
        Note::forget(found);
    }
    meter.at(2);
    Ok(())
}

/// Bytes that the file system needs afterwards.
fn shrink(plan: &Plan, found: &Found, to: u64, control: &Control) -> Result<u64> {
    let again = Note::of(found).is_some();
    Note::keep(found, Resizing::Smaller, to);
    let shrink = if again { filesystems::shrink_again } else { filesystems::shrink };
    let shrunk = shrink(plan.path(), found, to, control);
    let refused = matches!(
        shrunk,
        Err(filesystems::Error::TooFull { .. }
            | filesystems::Error::Unclean { .. }
            | filesystems::Error::HasErrors { .. }
            | filesystems::Error::ToolMissing { .. })
    );
    if refused && !again {
        // Nothing was begun.
        Note::forget(found);
    }
    Ok(shrunk?.size)
}

/// [`begin`], then [`resume`] to the end.
///
/// # Errors
/// Those of both.
pub fn encrypt(plan: &Plan, staged: &Path, secret: &Secret, control: &Control, sink: &mut dyn Sink) -> Result<Ended> {
    begin(plan, staged, secret, control, sink)?;
    resume(plan.path(), secret, Unreadable::Stop, control, sink).map(|resumed| resumed.ended)
}

/// What to do about sectors that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Stop before them, in a state that opens; all else can be read.
    Stop,
    /// Put zeros in their place and go on.
    GiveUp,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resumed {
    /// Which way it went.
    pub direction: Direction,
    /// How it ended.
    pub ended: Ended,
    /// What could not be read and was given up: bytes of the volume as it was before.
    pub unreadable: Vec<Range<u64>>,
}

/// Goes on with an interrupted conversion, whichever way it goes and whoever began it, until it ends
/// or is stopped.
///
/// # Errors
/// `luks-not-converting`, `luks-wrong-secret`, `luks-unreadable`, and those of the device; its state resumes.
pub fn resume(
    path: &Path,
    secret: &Secret,
    unreadable: Unreadable,
    control: &Control,
    sink: &mut dyn Sink,
) -> Result<Resumed> {
    let device = FileDevice::open(path, Access::Exclusive)?;
    let courtesy = Courtesy::on(&device);
    let _idle = blockdev::Idle::begin();
    let mut conversion = Conversion::open(&device, secret)?;
    conversion.give_up_unreadable(unreadable == Unreadable::GiveUp);
    let free = free_space(&conversion);
    if let Some(free) = &free {
        conversion.leave_out(free);
    }
    if let Some(courtesy) = &courtesy {
        conversion.give_way(courtesy);
    }
    let direction = if conversion.mode() == Mode::Decrypt { Direction::Decrypt } else { Direction::Encrypt };
    // While it decrypts, the header names the place where the data were under this flag.
    let before = conversion.header().metadata().segment_by_flag("backup-previous");
    let shift = before.map_or(0, |segment| segment.offset.0);
    let ended = match conversion.run(control, sink)? {
        Outcome::Stopped => Ended::Stopped,
        Outcome::Finished => Ended::Finished,
    };
    let resumed = Resumed { direction, ended, unreadable: conversion.unreadable().to_vec() };
    drop(conversion);
    drop(device);
    if direction == Direction::Decrypt && ended == Ended::Finished {
        grow_back(path, shift, control, sink)?;
    }
    Ok(resumed)
}

/// What is free, where the person chose to leave it out. It is read through the conversion, however far that
/// is: nobody has written to the file system since, so its map is the same each time.
fn free_space(conversion: &Conversion<'_>) -> Option<UsedMap> {
    if conversion.space() == Space::All || conversion.mode() != Mode::Encrypt {
        return None;
    }
    let plain = conversion.plain().ok()?;
    let found = filesystems::probe(&plain).ok()??;
    filesystems::used_map(&plain, &found).ok()?
}

/// Which way a conversion goes that is under way on a volume; `None`: none is.
///
/// # Errors
/// Those of the device and of its header, `luks-not-luks` among them.
pub fn is_converting(path: &Path) -> Result<Option<Direction>> {
    let device = FileDevice::open(path, Access::Read)?;
    let place = luks::convert::locate(&device)?;
    Ok(luks::convert::state(&place, device.size()).map(|state| match state.mode {
        Mode::Decrypt => Direction::Decrypt,
        Mode::Encrypt | Mode::Reencrypt => Direction::Encrypt,
    }))
}

/// Begins the way back to plain: the header is put aside into the room at the end.
///
/// # Errors
/// `luks-converting` when a conversion is under way, `luks-no-room`, `luks-wrong-secret`; then the
/// volume is as it was.
pub fn begin_decrypt(path: &Path, secret: &Secret, sink: &mut dyn Sink) -> Result<()> {
    let device = FileDevice::open(path, Access::Exclusive)?;
    let Place::Front(loaded) = luks::convert::locate(&device)? else {
        return Err(luks::Error::Converting.into());
    };
    let header = loaded.header;
    if luks::convert::state(&Place::Front(luks::Loaded { header: header.clone(), damage: None }), device.size())
        .is_some()
    {
        return Err(luks::Error::Converting.into());
    }
    let mut meter = Meter::new(sink, StepId::DeriveKey, 1, Unit::Steps);
    let unlocked = header.unlock(&device, secret)?;
    meter.at(1);
    // Nothing is written before the password has opened the volume.
    if let Some(damage) = loaded.damage {
        header.repair(&device, damage)?;
    }
    let used = used_inside(&header, &Plain::new(&header, &device, &unlocked)?)?;
    luks::convert::begin_decrypt(&device, &header, &unlocked, &Decryption { used })?;
    Ok(())
}

/// Bytes that what lies in the volume needs: by the file system's own word, and never less than there
/// was before we made an image longer.
fn used_inside(header: &Header, plain: &dyn Device) -> Result<u64> {
    let before = header.origin().filter(|origin| origin.grown).and_then(|origin| origin.original_size);
    let needed = match filesystems::probe(plain) {
        Ok(Some(found)) => Some(found.size),
        // A damaged file system is no reason to keep it encrypted, but nothing of it may be lost.
        Ok(None) | Err(_) => None,
    };
    Ok(match (needed, before) {
        (Some(needed), before) => needed.max(before.unwrap_or(0)),
        (None, Some(before)) => before,
        (None, None) => plain.size(),
    })
}

/// Decrypts a volume to the end or until it is stopped; goes on with a decryption that was begun. An
/// image that was made longer gets its old length back, and is byte for byte what it was; a file system
/// that was made smaller is made larger again.
///
/// # Errors
/// Those of [`begin_decrypt`] and [`resume`].
pub fn decrypt(path: &Path, secret: &Secret, control: &Control, sink: &mut dyn Sink) -> Result<Ended> {
    match is_converting(path)? {
        Some(Direction::Decrypt) => {}
        Some(Direction::Encrypt) => return Err(luks::Error::Converting.into()),
        None => begin_decrypt(path, secret, sink)?,
    }
    resume(path, secret, Unreadable::Stop, control, sink).map(|resumed| resumed.ended)
}

/// Gives a file system that was made smaller its device back. What does not grow here stays as it is:
/// nothing is lost by it.
///
/// That it was made smaller is told by its size: it ends exactly where [`begin`] would have made it end.
/// One that ended elsewhere keeps its size to the byte.
fn grow_back(path: &Path, shift: u64, control: &Control, sink: &mut dyn Sink) -> Result<()> {
    let device = FileDevice::open(path, Access::Read)?;
    let size = device.size();
    let Ok(Some(found)) = filesystems::probe(&device) else { return Ok(()) };
    drop(device);
    let made_smaller = plan::shrunk_size(size, shift).is_some_and(|to| {
        // NTFS ends a few clusters earlier than it was asked to.
        found.size <= to && to - found.size < 1 << 20
    });
    if !found.kind.can_shrink() || !made_smaller {
        return Ok(());
    }
    let mut meter = Meter::new(sink, StepId::MakeRoom, 1, Unit::Steps);
    meter.at(0);
    Note::keep(&found, Resizing::Larger, found.size);
    if filesystems::grow(path, &found, size, control).is_ok() {
        Note::forget(&found);
        meter.at(1);
    }
    Ok(())
}

/// Takes back an encryption of which nothing has been converted yet.
///
/// # Errors
/// `luks-converting` when something has been: then the way back is to finish and to [`decrypt`].
pub fn undo(path: &Path) -> Result<()> {
    let device = FileDevice::open(path, Access::Exclusive)?;
    luks::convert::undo(&device)?;
    Ok(())
}

/// Shows what an encrypted volume holds to `look`, to be read only.
///
/// # Errors
/// Those of opening it, and of `look`.
pub fn with_plain(path: &Path, secret: &Secret, look: &mut dyn FnMut(&dyn Device) -> Result<()>) -> Result<()> {
    let device = FileDevice::open(path, Access::Read)?;
    let header = Header::load(&device)?.header;
    let unlocked = header.unlock(&device, secret)?;
    look(&Plain::new(&header, &device, &unlocked)?)
}
