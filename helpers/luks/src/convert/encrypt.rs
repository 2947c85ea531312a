//! The first moments of an encryption: the only time at which the front of the volume is neither
//! plain nor behind a complete header.
//!
//! 1. Into the free room at the end: the parked copy of the front, and a copy of the whole new header
//!    with its keyslots, flush; that copy's header, flush. The volume itself is still as it was.
//! 2. The first copy of the header goes to the front, flush; then the rest of the header, flush.
//!
//! A cut in step 2 leaves the header in the free room, which is found ([`super::locate`]) and put in
//! place again. The first chunk writes over it.

use blockdev::{Buffer, Device};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::record::{Backups, Job};
use super::space::Space;
use super::{Place, TOKEN, copy, copy_between, length, number, overwrite};
use crate::header::{Header, Loaded};
use crate::keyslot::Unlocked;
use crate::metadata::{AES_XTS, Length, ONLINE_REENCRYPT_V2, Segment};
use crate::{Error, Result, plain};

/// State of our token from the start on, until the first chunk.
pub(super) const STARTED: &str = "start";

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
    /// What is encrypted.
    pub space: Space,
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
    match Header::load(device) {
        Err(Error::NotLuks) => {}
        Ok(_) | Err(Error::OtherVersion(_)) => return Err(Error::AlreadyLuks),
        // Damaged, or not to be read: it may be anything.
        Err(error) => return Err(error),
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
    // Nobody knows yet of what lies in the free room.
    let (front, copied) = rayon::join(|| hash(device, 0, shift), || copy(device, 0, parked, shift));
    let front = front?;
    copied?;
    header.drop_tokens(TOKEN);
    let mut token = json!({
        "type": TOKEN,
        "keyslots": [],
        "state": STARTED,
        "original_size": what.original_size.to_string(),
        "grown": what.grown,
        "aside_of": size.to_string(),
        "front_sha256": front,
    });
    what.space.enter(&mut token, header.uuid(), unlocked)?;
    header.put_token(token)?;
    // The copy's own header comes last: where it is whole, all that it names is there too.
    let first = 2 * header.copy_size();
    copy_between(staged, first, device, data + first, shift - first)?;
    device.flush()?;
    header.store(&plain::part(device, data, shift)?)?;
    if hash(device, parked, shift)? != front {
        return Err(Error::Damaged("the parked copy does not read back".into()));
    }
    place(device, data, &header, shift)
}

/// Step 2, also when it was cut off: from the copy at `aside` to the front.
fn place(device: &dyn Device, aside: u64, header: &Header, shift: u64) -> Result<()> {
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
    let piece = length(shift.min(super::COPY))?;
    let (mut old, mut new) = (Buffer::new(piece), Buffer::new(piece));
    let mut ours = true;
    super::through(shift, |at, front| {
        let (old, new) = (&mut old[..front.len()], &mut new[..front.len()]);
        device.read_at(at, front)?;
        device.read_at(parked + at, old)?;
        device.read_at(aside + at, new)?;
        let mut sectors = front.chunks(512).zip(old.chunks(512).zip(new.chunks(512)));
        ours &= sectors.all(|(front, (old, new))| front == old || front == new);
        Ok(())
    })?;
    Ok(ours)
}

/// The header that was put aside for this front, as long as it is there: a cut in the middle of step 2 is
/// mended from it. To be called while nothing is encrypted. Writes nothing.
///
/// # Errors
/// [`Error::LostWrites`]: what was flushed before the header went to the front is not there.
pub(super) fn aside(device: &dyn Device, header: &Header) -> Result<Option<Loaded>> {
    let shift = header.data_offset();
    let Some(aside) = device.size().checked_sub(2 * shift) else { return Ok(None) };
    let front = header.token(TOKEN).and_then(|token| token.get("front_sha256")?.as_str());
    if let Some(front) = front
        && let Some(parked) = header.metadata().segment_by_flag("backup-moved-segment")
        && hash(device, parked.offset.0, shift)? != front
    {
        return Err(Error::LostWrites("the parked copy of the front"));
    }
    match Header::load(&plain::part(device, aside, shift)?) {
        Ok(copy) if copy.header.uuid == header.uuid => {
            // Another program may have written to the one at the front since.
            Ok(Some(copy).filter(|copy| copy.header.sequence == header.sequence))
        }
        Err(error @ Error::Device(_)) => Err(error),
        // The first chunk would have overwritten it, and none has been announced.
        _ if is_untouched(header) => Err(Error::LostWrites("the header that was put aside")),
        _ => Ok(None),
    }
}

/// Step 2 again, from a header that was put aside; each of its copies is whole first.
pub(super) fn place_again(device: &dyn Device, offset: u64, aside: &Loaded) -> Result<()> {
    let shift = aside.header.data_offset();
    if let Some(damage) = aside.damage {
        aside.header.repair(&plain::part(device, offset, shift)?, damage)?;
    }
    place(device, offset, &aside.header, shift)
}

/// Whether, by our token, no chunk has ever been announced.
fn is_untouched(header: &Header) -> bool {
    header.token(TOKEN).is_some_and(|token| token.get("state").and_then(Value::as_str) == Some(STARTED))
}

/// The first chunk is going to be announced: it overwrites the header that was put aside.
pub(super) fn leave_start(header: &mut Header) {
    for token in header.metadata.tokens.values_mut() {
        let ours = token.get("type").and_then(Value::as_str) == Some(TOKEN);
        if ours && token.get("state").and_then(Value::as_str) == Some(STARTED) {
            token["state"] = "begun".into();
        }
    }
}

/// Others are going to use the volume while nothing is encrypted yet, through the kernel's mapping: from now on the
/// parked copy changes as they write, and [`undo`] gives back what they have written. Looks at the parked copy one
/// last time.
///
/// # Errors
/// [`Error::NotConverting`]; [`Error::LostWrites`], and then nothing is changed; those of the device, after which
/// [`undo`] works.
pub fn hand_over(device: &dyn Device) -> Result<()> {
    let place = super::locate(device)?;
    let (header, damage) = match &place {
        Place::Front(loaded) => (&loaded.header, loaded.damage),
        _ => return Err(Error::NotConverting),
    };
    aside(device, header)?;
    let mut header = header.clone();
    let Some(mut token) = header.token(TOKEN).cloned() else { return Err(Error::NotConverting) };
    if let Some(damage) = damage {
        header.repair(device, damage)?;
    }
    if let Some(fields) = token.as_object_mut() {
        fields.remove("front_sha256");
    }
    header.drop_tokens(TOKEN);
    header.put_token(token)?;
    header.store(device)
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
    if let Some(expected) = expected
        && hash(device, parked, size)? != expected
    {
        return Err(Error::Damaged("the parked copy has changed".into()));
    }
    if let Place::Front(_) = place {
        put_aside(device, &header, geometry.total, parked, size)?;
    }
    // The header's first copy goes last: until then the state is found and undo can be done again.
    let first = header.copy_size().min(size);
    copy(device, parked + first, first, size - first)?;
    device.flush()?;
    copy(device, parked, 0, first)?;
    device.flush()?;
    // What finds this state goes last, and at once: by the file's old length, or by the copy of the header.
    let original = token.as_ref().and_then(|token| number(token, "original_size"));
    let grown = token.as_ref().and_then(|token| token.get("grown")?.as_bool()).unwrap_or(false);
    if let Some(original) = original.filter(|original| grown && device.resizable() && *original <= parked - size) {
        device.resize(original)?;
    } else if let Some(aside) = device.size().checked_sub(2 * size) {
        match Header::load(&plain::part(device, aside, size)?) {
            Ok(_) => overwrite(device, aside, 2 * header.copy_size())?,
            Err(error @ Error::Device(_)) => return Err(error),
            Err(_) => {}
        }
    }
    device.flush()?;
    Ok(device.size())
}

/// Sees to it that the header lies in the free room as well as at the front, as [`begin`] leaves it: a cut while
/// the front is given back would otherwise leave nothing that tells where the parked copy is. It is missing
/// where another program began, and where the first chunk was begun and taken back.
fn put_aside(device: &dyn Device, header: &Header, data: u64, parked: u64, shift: u64) -> Result<()> {
    let Some(aside) = parked.checked_sub(shift).filter(|aside| *aside >= data && header.whole_size() <= shift) else {
        return Ok(());
    };
    let part = plain::part(device, aside, shift)?;
    match Header::load(&part) {
        Ok(copy) if copy.header.uuid == header.uuid && copy.header.sequence == header.sequence => return Ok(()),
        Err(error @ Error::Device(_)) => return Err(error),
        Ok(_) | Err(_) => {}
    }
    let mut header = header.clone();
    let mut token = header.token(TOKEN).cloned().unwrap_or_else(|| json!({ "type": TOKEN, "keyslots": [] }));
    token["state"] = STARTED.into();
    token["aside_of"] = device.size().to_string().into();
    token["front_sha256"] = hash(device, parked, shift)?.into();
    header.drop_tokens(TOKEN);
    header.put_token(token)?;
    header.only_primary = false;
    let first = 2 * header.copy_size();
    copy(device, first, aside + first, shift - first)?;
    device.flush()?;
    header.store(&part)?;
    place(device, aside, &header, shift)
}

fn hash(device: &dyn Device, from: u64, size: u64) -> Result<String> {
    let mut hasher = Sha256::new();
    super::through(size, |at, bytes| {
        device.read_at(from + at, bytes)?;
        hasher.update(&*bytes);
        Ok(())
    })?;
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
