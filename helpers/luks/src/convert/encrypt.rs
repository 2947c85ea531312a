//! The first moments of an encryption: the only time at which the front of the volume is neither
//! plain nor behind a complete header.
//!
//! 1. Into the free room at the end: the parked copy of the front, and a copy of the whole new header
//!    with its keyslots, flush; that copy's header, flush. The volume itself is still as it was.
//! 2. The first copy of the header goes to the front, flush; then the rest of the header, flush.
//!
//! A cut in step 2 leaves the header in the free room, which is found ([`super::locate`]) and put in
//! place again. The first chunk writes over it.

use blockdev::{Device, Memory};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::record::{Backups, Job};
use super::{Place, TOKEN, copy, length, number, overwrite};
use crate::header::Header;
use crate::keyslot::Unlocked;
use crate::metadata::{AES_XTS, Length, ONLINE_REENCRYPT_V2, Segment};
use crate::{Error, Result, plain};

/// What is going to be encrypted, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Encryption {
    /// Bytes that the data themselves need, from the front: a file system's own size. They must end
    /// before the free room: two data offsets at the end of the device.
    pub used: u64,
    /// Bytes of the file or device before room was made; kept, so that decryption can give it back.
    pub original_size: u64,
    /// Whether the file was made larger to have room.
    pub grown: bool,
}

/// Puts `staged`, a complete header made by [`crate::format()`], onto `device` and enters the
/// conversion into it. Nothing is encrypted yet, and [`undo`] gives back what was there.
///
/// # Errors
/// [`Error::NoRoom`] when the data reach into the free room, [`Error::TooSmall`],
/// [`Error::AlreadyLuks`]. With each of these the device is untouched. After an error of the device
/// itself it is either untouched or resumes.
pub fn begin(device: &dyn Device, staged: &dyn Device, unlocked: &Unlocked, what: &Encryption) -> Result<()> {
    let mut header = Header::load(staged)?.header;
    let shift = header.data_offset();
    let sector = header.sector_size();
    if header.cipher() != Some(AES_XTS) || header.metadata.reencrypt_keyslot().is_some() {
        return Err(Error::Converting);
    }
    let size = device.size();
    let needed = 4 * shift;
    if size < needed {
        return Err(Error::TooSmall { size, needed });
    }
    let data = size - 2 * shift;
    if what.used > data {
        return Err(Error::NoRoom { used: what.used, limit: data });
    }
    if !data.is_multiple_of(u64::from(sector)) {
        return Err(Error::Invalid(format!("{data} bytes of data, sectors of {sector}")));
    }
    if Header::load(device).is_ok() {
        return Err(Error::AlreadyLuks);
    }
    let parked = size - shift;
    header.enter(
        unlocked,
        &Job {
            mode: "encrypt",
            direction: "backward",
            resilience: "datashift",
            shift,
            sector_size: sector,
            requirement: ONLINE_REENCRYPT_V2,
        },
        vec![Segment::linear(parked, Length::Bytes(shift)), Segment::linear(shift, Length::Bytes(data - shift))],
        Backups {
            moved: Segment::linear(parked, Length::Bytes(shift)),
            previous: Segment::linear(0, Length::Bytes(data)),
            last: Segment::crypt(shift, Length::Dynamic, 0, sector),
        },
    )?;
    let front = hash(device, 0, shift)?;
    header.drop_tokens(TOKEN);
    header.put_token(json!({
        "type": TOKEN,
        "keyslots": [],
        "state": "start",
        "original_size": what.original_size.to_string(),
        "grown": what.grown,
        "aside_of": size.to_string(),
        "front_sha256": front,
    }))?;
    // The whole new front, put together in memory: 16 MiB at most.
    let image = Memory::new(staged.read_vec(0, length(shift)?)?);
    header.store(&image)?;

    // The copy's own header comes last: where it is whole, all that it names is there too.
    let image = image.snapshot();
    let first = length(2 * header.copy_size())?;
    copy(device, 0, parked, shift)?;
    device.write_at(data + first as u64, &image[first..])?;
    device.flush()?;
    device.write_at(data, &image[..first])?;
    device.flush()?;
    if hash(device, parked, shift)? != front {
        return Err(Error::Damaged("the parked copy does not read back".into()));
    }
    place(device, data, &header, shift)
}

/// Step 2, also when it was cut off: from the copy at `aside` to the front.
pub(super) fn place(device: &dyn Device, aside: u64, header: &Header, shift: u64) -> Result<()> {
    let first = header.copy_size();
    copy(device, aside, 0, first)?;
    device.flush()?;
    copy(device, aside + first, first, shift - first)?;
    device.flush()?;
    Ok(())
}

/// Whether the front is still the one that was parked, or a mixture of it and of the header that goes
/// there: each sector one or the other. If it is neither, somebody has gone on using the plain volume
/// since a start that was cut off before it touched anything; putting the header in place now would
/// bring back an old front.
pub(super) fn front_is_ours(device: &dyn Device, aside: u64, header: &Header) -> Result<bool> {
    let shift = header.data_offset();
    let Some(parked) = device.size().checked_sub(shift).filter(|parked| shift > 0 && *parked >= aside) else {
        return Ok(false);
    };
    let mut at = 0;
    while at < shift {
        let piece = length((shift - at).min(super::COPY))?;
        let front = device.read_vec(at, piece)?;
        let old = device.read_vec(parked + at, piece)?;
        let new = device.read_vec(aside + at, piece)?;
        let mut sectors = front.chunks(512).zip(old.chunks(512).zip(new.chunks(512)));
        if !sectors.all(|(front, (old, new))| front == old || front == new) {
            return Ok(false);
        }
        at += piece as u64;
    }
    Ok(true)
}

/// The header that was put aside belongs to this front: it is put in place again, so that a cut in
/// the middle of step 2 is mended. Does nothing when something is encrypted already, or when another
/// program began.
pub(super) fn complete(device: &dyn Device, header: &Header) -> Result<()> {
    let shift = header.data_offset();
    let Some(aside) = device.size().checked_sub(2 * shift) else { return Ok(()) };
    let part = plain::part(device, aside, shift)?;
    match Header::load(&part) {
        Ok(copy) if copy.header.uuid == header.uuid && copy.header.sequence == header.sequence => {
            place(device, aside, &copy.header, shift)
        }
        _ => Ok(()),
    }
}

/// Gives back what was there before [`begin`]: works as long as nothing is encrypted, also for an
/// encryption that `cryptsetup reencrypt --encrypt --init-only` began. Cuts back a file that was made
/// larger. Returns the size of the file or device.
///
/// # Errors
/// [`Error::NotConverting`], and [`Error::Converting`] when something has been encrypted already: then
/// the way back is to finish and to decrypt.
pub fn undo(device: &dyn Device) -> Result<u64> {
    let place = super::locate(device)?;
    let header = place.header().clone();
    let (geometry, position) = super::Geometry::read(&header, device.size())?;
    if geometry.mode != super::Mode::Encrypt || position.hot.is_some() || position.at != geometry.total {
        return Err(Error::Converting);
    }
    let (parked, size) = geometry.moved;
    let token = header.token(TOKEN).cloned();
    let expected = token.as_ref().and_then(|token| token.get("front_sha256")?.as_str().map(str::to_owned));
    if expected.is_some_and(|expected| hash(device, parked, size).is_ok_and(|found| found != expected)) {
        return Err(Error::Damaged("the parked copy has changed".into()));
    }
    // The header's first copy goes last: until then the state is found and undo can be done again.
    let first = header.copy_size().min(size);
    copy(device, parked + first, first, size - first)?;
    device.flush()?;
    copy(device, parked, 0, first)?;
    device.flush()?;
    if let Place::Starting { .. } | Place::Front(_) = place
        && let Some(aside) = device.size().checked_sub(2 * size)
        && Header::load(&plain::part(device, aside, size)?).is_ok()
    {
        overwrite(device, aside, 2 * header.copy_size())?;
        device.flush()?;
    }
    let original = token.as_ref().and_then(|token| number(token, "original_size"));
    let grown = token.as_ref().and_then(|token| token.get("grown")?.as_bool()).unwrap_or(false);
    if let Some(original) = original.filter(|_| grown && device.resizable()) {
        device.resize(original)?;
        device.flush()?;
    }
    Ok(device.size())
}

fn hash(device: &dyn Device, from: u64, size: u64) -> Result<String> {
    let mut hasher = Sha256::new();
    let mut at = 0;
    while at < size {
        let piece = (size - at).min(1024 * 1024);
        hasher.update(device.read_vec(from + at, length(piece)?)?);
        at += piece;
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
