//! From a file to the key: text as it is, pictures and PDFs through the QR code on them.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};
use image::{GrayImage, ImageReader, Limits, imageops};
use recovery::RecoveryKey;
use rqrr::PreparedImage;
use zeroize::{Zeroize, Zeroizing};

use crate::{Error, Result};

/// Most bytes of a file that are read: a scan of a page or a photo has less.
pub const LARGEST: u64 = 64 << 20;

/// A scanner makes one page of a sheet; somebody may have scanned a few sheets into one file.
const MOST_PAGES: usize = 8;

/// Pixels on the longer side in which a code is looked for, in turn. A code that is blurred or noisy in
/// full size is often found in a smaller picture.
const SIDES: [u32; 4] = [1600, 1000, 2400, 4000];

/// Largest side of a picture that is opened.
const MOST_SIDE: u32 = 20_000;

/// Where the key was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// A text: a sheet, or the key alone.
    Text,
    /// The QR code on a picture or a page.
    Code,
}

/// What a file told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The key. Whether it opens a volume is for the caller to try.
    pub key: RecoveryKey,
    /// UUID of the volume that it was made for, where the sheet says so.
    pub uuid: Option<String>,
    /// Where it was found.
    pub from: From,
}

/// Reads a recovery key from a file: a text sheet or the key alone, a PDF, a scan or a photo (PNG,
/// JPEG).
///
/// # Errors
/// Those of [`recovery::verify`] for text; [`Error::NoCode`], [`Error::Damaged`] and
/// [`Error::TooLarge`] for the others; [`recovery::Error::TwoKeys`] if several codes tell several keys.
pub fn read(path: &Path) -> Result<Found> {
    let mut bytes = Zeroizing::new(Vec::new());
    let read = File::open(path).and_then(|file| {
        // Room for all of it from the start: a vector that grows leaves uncleared copies behind.
        let length = file.metadata()?.len().min(LARGEST + 1);
        bytes.reserve_exact(usize::try_from(length).unwrap_or_default());
        file.take(LARGEST + 1).read_to_end(&mut bytes)
    });
    read.map_err(|error| recovery::Error::unreadable(path, &error))?;
    read_bytes(path, &bytes)
}

/// [`read`] for what has been read already; `path` is what a fault names.
///
/// # Errors
/// As [`read`].
pub fn read_bytes(path: &Path, bytes: &[u8]) -> Result<Found> {
    if bytes.len() as u64 > LARGEST {
        return Err(Error::TooLarge { path: path.to_owned(), most: LARGEST });
    }
    let damaged = |cause: String| Error::Damaged { path: path.to_owned(), cause };
    let texts = if is_pdf(bytes) {
        in_pdf(bytes).map_err(damaged)?
    } else if image::guess_format(bytes).is_ok() {
        in_picture(bytes).map_err(damaged)?
    } else {
        let text = recovery::decode(bytes).ok_or_else(|| recovery::Error::NotText { path: path.to_owned() })?;
        let key = recovery::read_whole(&text)?;
        return Ok(Found { key, uuid: recovery::uuid_in(&text), from: From::Text });
    };
    let mut found: Vec<Found> = Vec::new();
    for text in texts.iter() {
        // Other codes may be on a photo: a parcel label beside the sheet.
        let Ok(key) = recovery::read_whole(text) else { continue };
        if !found.iter().any(|other| other.key == key) {
            found.push(Found { key, uuid: recovery::uuid_in(text), from: From::Code });
        }
    }
    match found.len() {
        0 => Err(Error::NoCode { path: path.to_owned() }),
        1 => Ok(found.remove(0)),
        _ => Err(recovery::Error::TwoKeys.into()),
    }
}

/// Whether these are the bytes of something that is looked at for a code, and not a text.
pub fn is_picture(bytes: &[u8]) -> bool {
    is_pdf(bytes) || image::guess_format(bytes).is_ok()
}

/// The mark may stand behind some bytes of something else (ISO 32000-2, annex I.4 of its older
/// edition: within the first 1024 bytes).
fn is_pdf(bytes: &[u8]) -> bool {
    bytes.iter().take(1024).collect::<Vec<_>>().windows(5).any(|mark| mark.iter().copied().eq(b"%PDF-"))
}

fn in_pdf(bytes: &[u8]) -> std::result::Result<Texts, String> {
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| format!("{error:?}"))?;
    let cache = RenderCache::new();
    let mut texts = Texts::default();
    for page in pdf.pages().iter().take(MOST_PAGES) {
        let (width, height) = page.render_dimensions();
        // An A4 page with 200 dots an inch.
        let scale = 2339.0 / width.max(height);
        // A page without area, or a ribbon, has no code on it.
        if !scale.is_finite() || width.min(height) * scale < 64.0 {
            continue;
        }
        let settings = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
        let mut drawn = render(page, &cache, &InterpreterSettings::default(), &RenderSettings::default(), &settings);
        let (width, height) = (u32::from(drawn.width()), u32::from(drawn.height()));
        let bytes = drawn.data_as_u8_slice_mut();
        let gray = bytes.chunks_exact(4).map(|pixel| luminance(pixel[0], pixel[1], pixel[2])).collect();
        bytes.zeroize();
        if let Some(picture) = GrayImage::from_raw(width, height, gray) {
            texts.look(picture);
        }
    }
    Ok(texts)
}

fn in_picture(bytes: &[u8]) -> std::result::Result<Texts, String> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string())?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_SIDE);
    limits.max_image_height = Some(MOST_SIDE);
    reader.limits(limits);
    let picture = reader.decode().map_err(|error| error.to_string())?;
    let mut texts = Texts::default();
    texts.look(picture.into_luma8());
    Ok(texts)
}

/// Rec. 601, in whole numbers.
fn luminance(red: u8, green: u8, blue: u8) -> u8 {
    let sum = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
    u8::try_from(sum / 1000).unwrap_or(u8::MAX)
}

/// What the codes of a file say. One of it may be a key.
#[derive(Default)]
struct Texts(Vec<Zeroizing<String>>);

impl Texts {
    fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|text| text.as_str())
    }

    /// Looks for codes in a picture, in several sizes until there is one with a key.
    fn look(&mut self, mut picture: GrayImage) {
        let longer = picture.width().max(picture.height());
        // A small picture of a whole page has squares of a few pixels, whose edges are found better between
        // them.
        let larger = (longer < SIDES[0]).then_some(longer.saturating_mul(3));
        let smaller = SIDES.into_iter().filter(|side| *side < longer);
        let found = larger.into_iter().chain(smaller).any(|side| {
            let scaled = |length: u32| {
                let length = u64::from(length) * u64::from(side) / u64::from(longer.max(1));
                u32::try_from(length.max(1)).unwrap_or(side)
            };
            let (width, height) = (scaled(picture.width()), scaled(picture.height()));
            let mut other = imageops::resize(&picture, width, height, imageops::FilterType::Triangle);
            let found = self.look_in(&other);
            other.clear();
            found
        });
        if !found {
            self.look_in(&picture);
        }
        picture.clear();
    }

    /// Whether a key was found.
    fn look_in(&mut self, picture: &GrayImage) -> bool {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let pixels = picture.as_raw();
        let mut prepared = PreparedImage::prepare_from_greyscale(width, height, |x, y| pixels[y * width + x]);
        let mut found = false;
        for grid in prepared.detect_grids() {
            let mut bytes = Zeroizing::new(Vec::with_capacity(rqrr::MAX_PAYLOAD_SIZE));
            if grid.decode_to(&mut *bytes).is_err() {
                continue;
            }
            let Ok(text) = std::str::from_utf8(&bytes) else { continue };
            found |= recovery::read_whole(text).is_ok();
            self.0.push(Zeroizing::new(text.to_owned()));
        }
        found
    }
}

/// A picture of a key is a key.
trait Clear {
    fn clear(&mut self);
}

impl Clear for GrayImage {
    fn clear(&mut self) {
        self.as_flat_samples_mut().samples.zeroize();
    }
}
