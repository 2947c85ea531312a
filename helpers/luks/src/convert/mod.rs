//! In-place conversion: a plain volume becomes a LUKS2 volume, and back, without a second drive.
//!
//! **Encrypting.** The device is `[data D][2 S free]`. The first `S` bytes of the data are parked at
//! the very end, the header takes their place, and the data move up by `S` while they are encrypted,
//! from the end towards the front, `S` bytes at a time. The source of a chunk is not touched before
//! the next chunk, so a chunk that was cut off is simply done again. It is the layout of
//! `cryptsetup reencrypt --encrypt --reduce-device-size 2S`, and its metadata are the same.
//!
//! **Decrypting** is the way of `cryptsetup reencrypt --decrypt --header FILE`: the data move down by
//! `S` from the front towards the end. The header, which cannot stay at the front, lies in the last
//! `T` bytes of the device, which are free; `losetup` with that offset shows it to cryptsetup.
//!
//! **Order.** What a header says is always already on the medium. A chunk takes two flushes: one
//! after the header that announces it, one after its data. While the first copy of the header is
//! written, the second one still tells the state before, which is a valid state too.

mod checksums;
mod decrypt;
mod encrypt;
mod ending;
mod geometry;
mod in_place;
mod moved;
mod reading;
mod record;
mod run;
mod space;
mod verify;
mod writing;

pub use decrypt::{Decryption, begin as begin_decrypt};
pub use encrypt::{Encryption, begin as begin_encrypt, hand_over, undo};
pub use geometry::Mode;
pub use run::{Conversion, Outcome, Pace};
pub use space::Space;

use std::ops::Range;

use blockdev::{Buffer, Device};
use serde_json::Value;

use crate::header::{Header, Loaded};
use crate::metadata::FARTHEST;
use crate::{Error, Result};
use geometry::Geometry;

/// Type of the token in which we note what a volume was before. Other programs keep it and ignore it.
pub(crate) const TOKEN: &str = "latchkey";

/// Sizes of the free room at the end where a header may have been put aside: powers of two.
const ASIDE: [u64; 9] = {
    let mut sizes = [0; 9];
    let mut index = 0;
    while index < 9 {
        sizes[index] = (1024 * 1024) << index;
        index += 1;
    }
    sizes
};

/// What our token says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Bytes of the file or device before room was made; `None` where the token does not tell.
    pub original_size: Option<u64>,
    /// Whether the file was made larger to have room, so that it can be cut back.
    pub grown: bool,
}

/// How far a conversion is, for `status`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Which way.
    pub mode: Mode,
    /// Bytes that are converted.
    pub done: u64,
    /// Bytes in all.
    pub total: u64,
    /// Whether this program began it.
    pub ours: bool,
    /// A chunk was cut off in the middle and will be done again.
    pub cut_off: bool,
}

/// Where the header that counts lies.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// At the front, as always.
    Front(Loaded),
    /// The first moments of an encryption were cut off: the whole new header lies at this offset, the
    /// front may be torn, and the parked copy of the front is whole.
    Starting {
        /// The header that was put aside, and what is wrong with one of its copies.
        loaded: Loaded,
        /// Where it lies, in bytes.
        offset: u64,
    },
    /// A decryption is under way: the header lies in the last bytes of the device.
    Back {
        /// That header, and what is wrong with one of its copies.
        loaded: Loaded,
        /// Where it lies, in bytes.
        offset: u64,
    },
}

impl Place {
    /// The header itself.
    pub fn header(&self) -> &Header {
        match self {
            Self::Front(loaded) | Self::Back { loaded, .. } | Self::Starting { loaded, .. } => &loaded.header,
        }
    }
}

/// Finds the header that counts, also when a conversion put it aside. Writes nothing.
///
/// # Errors
/// Those of [`Header::load`] for the front, when nothing was put aside; an error of the device where
/// something may have been put aside and cannot be read.
pub fn locate(device: &dyn Device) -> Result<Place> {
    let front = Header::load(device);
    let mut unread = None;
    for size in ASIDE {
        let Some(offset) = device.size().checked_sub(size).filter(|offset| *offset >= size) else { break };
        let Ok(part) = crate::plain::part(device, offset, size) else { continue };
        let loaded = match Header::load(&part) {
            Ok(loaded) => loaded,
            Err(error @ Error::Device(_)) => {
                unread = unread.or(Some(error));
                continue;
            }
            Err(_) => continue,
        };
        let Some(token) = loaded.header.token(TOKEN) else { continue };
        let fits = number(token, "aside_of").is_some_and(|whole| whole == device.size());
        let same = front.as_ref().map_or(true, |front| front.header.uuid == loaded.header.uuid);
        match token.get("state").and_then(Value::as_str) {
            Some("decrypt") if fits && same => return Ok(Place::Back { loaded, offset }),
            Some(encrypt::STARTED)
                if fits && front.is_err() && encrypt::front_is_ours(device, offset, &loaded.header)? =>
            {
                return Ok(Place::Starting { loaded, offset });
            }
            _ => {}
        }
    }
    match (front, unread) {
        // What lies at the front may be anything, for all that can be seen.
        (Err(_), Some(error)) => Err(error),
        (front, _) => front.map(Place::Front),
    }
}

/// How far a conversion is. `None`: none is under way.
pub fn state(place: &Place, data_size: u64) -> Option<State> {
    let header = place.header();
    let ours = header.token(TOKEN).is_some();
    if let Place::Starting { .. } = place {
        let total = Geometry::read(header, data_size).map_or(data_size, |(geometry, _)| geometry.total);
        return Some(State { mode: Mode::Encrypt, done: 0, total, ours, cut_off: true });
    }
    let converting = header.metadata.reencrypt_keyslot().is_some();
    if !converting {
        if matches!(place, Place::Front(_)) && parked(header, data_size).is_some() {
            let total = data_size - 2 * header.data_offset();
            return Some(State { mode: Mode::Encrypt, done: total, total, ours, cut_off: true });
        }
        let back = matches!(place, Place::Back { .. });
        // Put aside and not yet begun, or finished and not yet cleared away.
        return back.then(|| {
            let done = header.metadata.segments.values().all(|segment| !segment.is_crypt());
            let total = data_size;
            State { mode: Mode::Decrypt, done: if done { total } else { 0 }, total, ours, cut_off: true }
        });
    }
    match Geometry::read(header, data_size) {
        Ok((geometry, position)) => Some(State {
            mode: geometry.mode,
            done: geometry.done(&position),
            total: geometry.total,
            ours,
            cut_off: position.hot.is_some(),
        }),
        // Under way in a manner that only cryptsetup knows.
        Err(_) => Some(State { mode: Mode::Reencrypt, done: 0, total: data_size, ours, cut_off: false }),
    }
}

impl Header {
    /// What the volume was before we encrypted it, if we did.
    pub fn origin(&self) -> Option<Origin> {
        let token = self.token(TOKEN)?;
        Some(Origin {
            original_size: number(token, "original_size"),
            grown: token.get("grown").and_then(Value::as_bool).unwrap_or(false),
        })
    }
}

/// Everything is encrypted, but the plain copy of the front that was parked at the end has not been
/// overwritten: where it lies and how long it is.
fn parked(header: &Header, data_size: u64) -> Option<(u64, u64)> {
    if header.metadata.reencrypt_keyslot().is_some() {
        return None;
    }
    let offset = number(header.token(TOKEN)?, "parked")?;
    let size = header.data_offset();
    // Nowhere else but where a parked copy lies: the token is not under any digest.
    (size > 0 && offset >= size && offset.checked_add(size) == Some(data_size)).then_some((offset, size))
}

/// A number of bytes in a token: a decimal string, as everywhere in the format.
fn number(token: &Value, name: &str) -> Option<u64> {
    token.get(name)?.as_str()?.parse().ok().filter(|bytes| *bytes <= FARTHEST)
}

/// Converts between sizes of memory and of devices.
fn length(bytes: u64) -> Result<usize> {
    usize::try_from(bytes).map_err(|_| Error::Invalid(format!("{bytes} bytes at once")))
}

/// Bytes at once where the metadata leave it to us.
const STEP: u64 = 16 * 1024 * 1024;

/// Sectors of 512 bytes in a form for people, the first few of them: `100-107, 4711`.
pub fn sectors(ranges: &[Range<u64>]) -> String {
    const SHOWN: usize = 8;
    let one = |range: &Range<u64>| match (range.start / 512, range.end.div_ceil(512) - 1) {
        (first, last) if first >= last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    };
    let mut text = ranges.iter().take(SHOWN).map(one).collect::<Vec<_>>().join(", ");
    if ranges.len() > SHOWN {
        text.push_str(", …");
    }
    text
}

/// Bytes at once where whole areas are copied, compared or overwritten.
const COPY: u64 = 4 * 1024 * 1024;

/// Goes through an area in large pieces, with memory that is used again: `(offset within, bytes)`.
fn through(size: u64, mut work: impl FnMut(u64, &mut [u8]) -> Result<()>) -> Result<()> {
    let mut buffer = Buffer::new(length(size.min(COPY))?);
    let mut at = 0;
    while at < size {
        let piece = (size - at).min(COPY);
        work(at, &mut buffer[..length(piece)?])?;
        at += piece;
    }
    Ok(())
}

/// Copies within a device, a piece at a time; the ranges do not overlap.
fn copy(device: &dyn Device, from: u64, to: u64, size: u64) -> Result<()> {
    copy_between(device, from, device, to, size)
}

/// Copies from one device to another.
fn copy_between(source: &dyn Device, from: u64, dest: &dyn Device, to: u64, size: u64) -> Result<()> {
    through(size, |at, bytes| {
        source.read_at(from + at, bytes)?;
        Ok(dest.write_at(to + at, bytes)?)
    })
}

/// Overwrites with what nobody can tell from noise: zeros, encrypted with a key that is thrown away.
fn overwrite(device: &dyn Device, from: u64, size: u64) -> Result<()> {
    let cipher = crate::keyslot::cipher(&*crate::keyslot::random::<64>()?)?;
    through(size, |at, bytes| {
        bytes.fill(0);
        let whole = bytes.len() / 512 * 512;
        // A size is never anything but whole sectors; what is not stays zero.
        cipher
            .encrypt_sectors(&mut bytes[..whole], at / 512, 512)
            .map_err(|error| Error::Invalid(error.to_string()))?;
        Ok(device.write_at(from + at, bytes)?)
    })
}
