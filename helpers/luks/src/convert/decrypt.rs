//! The first moments of a decryption.
//!
//! 1. The header and its keyslots are copied into the free room at the end of the device. Flush. From
//!    here on that copy counts; the front may go.
//! 2. The first piece of the encrypted data is copied to the front, over the old header. Flush.
//! 3. The conversion is entered into the header at the end.
//!
//! A cut before 3 is mended by doing 2 and 3 again.

use blockdev::Device;
use serde_json::json;

use super::record::{Backups, Job};
use super::{TOKEN, copy};
use crate::header::Header;
use crate::keyslot::Unlocked;
use crate::metadata::{AES_XTS, Length, ONLINE_REENCRYPT_V3, Segment};
use crate::{Error, Result, plain};

/// What is going to be decrypted.
#[derive(Clone, Copy, Debug)]
pub struct Decryption {
    /// Bytes that the data themselves need: a file system's own size. Behind them, at the end of the
    /// device, must be room for the header.
    pub used: u64,
}

/// Bytes at the end of the device that the header takes: the smallest power of two of at least 1 MiB
/// that holds it.
pub(super) fn aside_size(header: &Header) -> u64 {
    header.whole_size().next_power_of_two().max(1024 * 1024)
}

/// Puts the header aside and enters the conversion. `header` is the volume's own, whole and not in
/// conversion. A file is made larger where there is no room; a device is not.
///
/// # Errors
/// [`Error::NoRoom`] when the data reach into the room at the end and the device cannot grow;
/// [`Error::Converting`]; [`Error::UnsupportedCipher`]. With each of these the device is untouched.
pub fn begin(device: &dyn Device, header: &Header, unlocked: &Unlocked, what: &Decryption) -> Result<()> {
    header.metadata.known_requirements()?;
    if header.metadata.reencrypt_keyslot().is_some() {
        return Err(Error::Converting);
    }
    let segments: Vec<&Segment> = header.metadata.segments.values().collect();
    let [segment] = segments[..] else {
        return Err(Error::ConversionForeign("more than one segment".into()));
    };
    if segment.encryption.as_deref() != Some(AES_XTS) || segment.iv_tweak.is_some_and(|tweak| tweak.0 != 0) {
        return Err(Error::UnsupportedCipher(segment.encryption.clone().unwrap_or_default()));
    }
    let shift = segment.offset.0;
    let aside = aside_size(header);
    let sector = u64::from(header.sector_size());
    let used = what.used.next_multiple_of(sector);
    if segment.size != Length::Dynamic || shift < header.whole_size() || shift == 0 {
        return Err(Error::ConversionForeign("data before or far behind the header".into()));
    }
    if aside > super::ASIDE[super::ASIDE.len() - 1] {
        return Err(Error::ConversionForeign("a very large header".into()));
    }
    if moved_size(header, shift, used.max(sector)) == 0 {
        return Err(Error::KeyslotsFull);
    }
    let before = device.size();
    let inside = shift.checked_add(used).is_some_and(|end| end <= before);
    if !inside {
        return Err(Error::ConversionForeign("data that reach beyond the device".into()));
    }
    let needed = shift + used + aside;
    let grow = needed > before;
    if grow && !device.resizable() {
        return Err(Error::NoRoom { used, limit: before.saturating_sub(shift + aside) });
    }
    let size = before.max(needed);
    // Bytes of data: everything up to the room at the end, not only what the file system uses.
    let total = (size - aside - shift) / sector * sector;
    let mut header = header.clone();
    let origin = header.origin().unwrap_or_default();
    // Somebody may have let the file system grow into the room that we had made: then this stays.
    let original = origin.original_size.unwrap_or(before).max(what.used);
    header.drop_tokens(TOKEN);
    header.put_token(json!({
        "type": TOKEN,
        "keyslots": [],
        "state": "decrypt",
        "original_size": original.to_string(),
        "grown": origin.grown,
        "encrypted_size": before.to_string(),
        "aside_of": size.to_string(),
        "plain_size": total.to_string(),
    }))?;
    // Nothing is written for a conversion that could not be entered: with keyslots that leave no room for
    // checksums, for instance.
    let mut trial = header.clone();
    prepare(&mut trial, unlocked, size)?;
    if grow {
        device.resize(needed)?;
        device.flush()?;
    }
    let part = plain::part(device, size - aside, aside)?;
    // Keyslots first, then the header that names them.
    let first = 2 * header.copy_size();
    copy(device, first, size - aside + first, header.whole_size() - first)?;
    device.flush()?;
    header.store(&part)?;
    // What was copied opens: nothing of the front has been touched yet.
    let proof = Header::load(&part)?.header;
    if proof != header {
        return Err(Error::Damaged("the header at the end does not read back".into()));
    }
    enter(device, &part, &mut header, unlocked)
}

/// Steps 2 and 3, also when they were cut off.
pub(super) fn enter(device: &dyn Device, part: &dyn Device, header: &mut Header, unlocked: &Unlocked) -> Result<()> {
    let shift = header.data_offset();
    // The sizes come from a token that is under no digest: nothing is copied by them before they fit.
    let moved = prepare(header, unlocked, device.size())?;
    copy(device, shift, 0, moved)?;
    device.flush()?;
    header.store(part)
}

/// The conversion in the header, without writing. Returns how many bytes are moved first.
fn prepare(header: &mut Header, unlocked: &Unlocked, size: u64) -> Result<u64> {
    let shift = header.data_offset();
    let sector = header.sector_size();
    let total = header.token(TOKEN).and_then(|token| super::number(token, "plain_size")).unwrap_or(0);
    let moved = moved_size(header, shift, total);
    let mut active = vec![Segment::crypt(0, Length::Bytes(moved), 0, sector)];
    if total > moved {
        active.push(Segment::crypt(shift + moved, Length::Dynamic, moved / 512, sector));
    }
    header.enter(
        unlocked,
        &Job {
            mode: "decrypt",
            direction: "forward",
            resilience: "datashift-checksum",
            shift,
            sector_size: sector,
            requirement: ONLINE_REENCRYPT_V3,
        },
        active,
        Backups {
            moved: Segment::crypt(0, Length::Bytes(moved), 0, sector),
            previous: Segment::crypt(shift, Length::Dynamic, 0, sector),
            last: Segment::linear(0, Length::Dynamic),
        },
    )?;
    super::Geometry::read(header, size)?;
    Ok(moved)
}

/// As much as the shift, as the data, and as the room for checksums allows. cryptsetup 2.7 does not resume
/// every state of a piece that is smaller than the shift: there is room for it in every header that we make.
fn moved_size(header: &Header, shift: u64, total: u64) -> u64 {
    let sector = u64::from(header.sector_size());
    let room = header.metadata.largest_gap(header.size).map_or(0, |(_, size)| size);
    shift.min(total).min(room / 32 * sector) / sector * sector
}
