use std::path::Path;

use blockdev::{Access, Device, FileDevice};
use drives::judge::{Format, Sight};
use drives::{Inspection, Platform, Use};
use filesystems::{Found, Trouble};
use luks::convert::{Mode, Space};
use model::Content;

use super::plan::{Facts, Plan, layout};
use super::resizing::Note;
use crate::{Error, Result};

/// What somebody asked for, as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EncryptRequest {
    /// What is encrypted.
    pub space: Space,
}

/// Which method was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MethodWish {
    /// The program chooses.
    #[default]
    Auto,
    /// By the processor.
    Software,
    /// By the drive itself.
    Hardware,
    /// Both.
    Both,
}

impl MethodWish {
    /// Whether the processor alone may do it.
    pub const fn allows_software(self) -> bool {
        matches!(self, Self::Auto | Self::Software)
    }
}

/// Looks at a volume and says how it can be encrypted. Writes nothing.
///
/// # Errors
/// What stands in the way, named: [`Error::Mounted`], [`Error::UsedAsSwap`], [`Error::HeldBy`],
/// [`Error::HasPartitions`], [`Error::AlreadyEncrypted`], [`Error::Interrupted`],
/// [`Error::MemberOf`], [`Error::Hibernated`], [`Error::External`], [`Error::TooSmall`], [`Error::NoRoom`],
/// [`Error::UsedSpaceUnknown`]; the file system's own (unclean, damaged, spread over several devices);
/// the device's own (missing, no rights, read-only, in use).
pub fn plan_encrypt(path: &Path, request: &EncryptRequest) -> Result<Plan> {
    plan_encrypt_on(&drives::This::default(), path, request)
}

/// Whether the last bytes, as many as the largest header ever takes at the end, are all zero.
fn ends_blank(device: &FileDevice) -> Result<bool> {
    const PIECE: u64 = 1 << 20;
    let mut at = device.size().saturating_sub(32 * PIECE);
    while at < device.size() {
        let length = usize::try_from((device.size() - at).min(PIECE)).unwrap_or(0);
        if device.read_vec(at, length)?.iter().any(|byte| *byte != 0) {
            return Ok(false);
        }
        at += length as u64;
    }
    Ok(true)
}

/// As [`plan_encrypt`], on another computer than this one.
///
/// # Errors
/// As [`plan_encrypt`].
pub fn plan_encrypt_on(platform: &dyn Platform, path: &Path, request: &EncryptRequest) -> Result<Plan> {
    let seen = drives::inspect_on(platform, path)?;
    // In use comes first: what is mounted is neither clean nor quiet.
    refuse_in_use(path, &seen)?;
    refuse_format(&seen)?;
    let found = seen.look.file_system.as_ref();
    // What we cut off ourselves is put in order by `begin`.
    let note = found.and_then(|found| Note::of(found).filter(|note| note.is_open(found, seen.drive.size)));
    if let Some(found) = found {
        refuse_state(found, note.is_some())?;
    }
    // Opened for writing, and nothing is written: the system says now what it would say later.
    let device = FileDevice::open(path, Access::Exclusive)?;
    let used = match (found, seen.look.facts.format) {
        (Some(found), _) => Some(found.size),
        // "Blank" is told by samples; the room at the end must really hold nothing.
        (None, Format::Blank) if device.resizable() || ends_blank(&device)? => Some(0),
        (None, _) => None,
    };
    let facts = Facts {
        size: device.size(),
        used,
        // Of what is not known, nothing is known about its blocks either.
        max_sector: found.map_or(if used.is_some() { 4096 } else { 512 }, Found::max_sector_size),
        logical_sector: device.logical_sector(),
        can_grow: device.resizable().then(|| free_beside(platform, &seen)),
        minimum: None,
    };
    let map = found.and_then(|found| filesystems::used_map(&device, found).ok().flatten());
    drop(device);
    let layout = match layout(&facts) {
        // The tool is asked only when nothing else helps: it takes seconds on a large drive.
        Err(Error::NoRoom { needed }) => match found.filter(|found| found.kind.can_shrink()) {
            Some(found) => {
                // It was asked before, and has no answer for what is not in order.
                let minimum = note.map_or_else(|| filesystems::minimum_size(path, found), |note| Ok(note.size))?;
                layout(&Facts { minimum: Some(minimum), ..facts })?
            }
            None => return Err(Error::NoRoom { needed }),
        },
        other => other?,
    };
    let plan = Plan {
        path: path.to_owned(),
        size: facts.size,
        content: Content(seen.look.content.clone()),
        label: seen.look.label.clone(),
        used: used.unwrap_or(facts.size),
        room: layout.room,
        shift: layout.shift,
        sector_size: layout.sector_size,
        space: Space::All,
        free: map.map(|map| map.free()),
        rotational: seen.drive.rotational,
        front_copy: None,
        method: model::Method::Software,
        sleep: None,
    };
    plan.with_space(request.space)
}

/// Mounted, swap, or a piece of something larger.
pub(super) fn refuse_in_use(path: &Path, seen: &Inspection) -> Result<()> {
    let path = path.display().to_string();
    match &seen.in_use {
        None => Ok(()),
        Some(Use::Mounted(mounts)) => Err(Error::Mounted { path, mounts: mounts.clone() }),
        Some(Use::Swap) => Err(Error::UsedAsSwap { path }),
        Some(Use::Holder(by)) => Err(Error::HeldBy { path, by: by.clone() }),
    }
}

/// Encrypted, or not one volume, or not understood.
fn refuse_format(seen: &Inspection) -> Result<()> {
    let look = &seen.look;
    let encrypted = || Error::AlreadyEncrypted { format: look.content.clone() };
    let unclear = || look.fault.clone().map_or(Ok(()), |fault| Err(Error::Below(fault)));
    if look.facts.sight != Sight::Full {
        return unclear();
    }
    match look.facts.format {
        _ if look.facts.opened_plain => Err(encrypted()),
        Format::Luks2 => match look.conversion.as_ref().map(|state| state.mode) {
            Some(Mode::Encrypt) => Err(Error::Interrupted { way: "encrypt" }),
            Some(Mode::Decrypt) => Err(Error::Interrupted { way: "decrypt" }),
            Some(Mode::Reencrypt) => Err(Error::Interrupted { way: "reencrypt" }),
            // Remains of a header are a reason to think, and not one to write over them.
            None => unclear().and(Err(encrypted())),
        },
        Format::Luks1 | Format::BitLocker | Format::OtherEncryption => Err(encrypted()),
        Format::Hibernated => Err(Error::Hibernated),
        Format::Partitions => Err(Error::HasPartitions),
        Format::Member => Err(Error::MemberOf { format: look.content.clone() }),
        Format::FileSystem
        | Format::SelfEncrypting
        | Format::Swap
        | Format::Unclear
        | Format::Blank
        | Format::Unknown => unclear(),
    }
}

fn refuse_state(found: &Found, ours: bool) -> Result<()> {
    if found.external.is_some() {
        return Err(Error::External { content: found.kind.name().into() });
    }
    let trouble = found.trouble.or((found.clean == Some(false)).then_some(Trouble::NotClosed));
    match trouble {
        Some(Trouble::NotClosed | Trouble::JournalPending | Trouble::Errors) if ours => Ok(()),
        Some(trouble) => Err(filesystems::Error::Unclean { kind: found.kind, trouble }.into()),
        None => Ok(()),
    }
}

/// Bytes free where an image lies. What cannot be seen is tried: growing reserves the room before
/// anything else happens.
fn free_beside(platform: &dyn Platform, seen: &Inspection) -> u64 {
    seen.image_folder().and_then(|folder| platform.free(folder)).unwrap_or(u64::MAX)
}
