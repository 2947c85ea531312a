//! The decrypted view of a volume, to read only: what the mapping would show.

use blockdev::{Device, Part};
use xts::Xts;

use crate::header::Header;
use crate::keyslot::{self, Unlocked};
use crate::metadata::Segment;
use crate::{Error, Result};

/// Reads through the active segments, decrypting those that are encrypted. It cannot be written.
pub struct Plain<'a> {
    data: &'a dyn Device,
    cipher: Xts,
    /// Logical start, length, segment.
    segments: Vec<(u64, u64, Segment)>,
    size: u64,
}

impl<'a> Plain<'a> {
    /// The view of `data` that `header` describes.
    ///
    /// # Errors
    /// [`Error::Converting`] when a chunk is being converted: only after it has been recovered is
    /// it one thing or the other.
    pub fn new(header: &Header, data: &'a dyn Device, unlocked: &Unlocked) -> Result<Self> {
        let mut at = 0u64;
        let mut segments = Vec::new();
        for (_, segment) in header.metadata.active_segments() {
            if segment.has("in-reencryption") {
                return Err(Error::Converting);
            }
            if segment.is_crypt() && segment.encryption.as_deref() != Some(crate::metadata::AES_XTS) {
                return Err(Error::UnsupportedCipher(segment.encryption.clone().unwrap_or_default()));
            }
            let length = segment.length(data.size());
            segments.push((at, length, segment.clone()));
            at = at.checked_add(length).ok_or_else(|| Error::Invalid("sizes of the segments".into()))?;
        }
        Ok(Self { data, cipher: keyslot::cipher(unlocked.volume_key.expose())?, segments, size: at })
    }

    fn read_piece(&self, segment: &Segment, within: u64, buffer: &mut [u8]) -> blockdev::Result<()> {
        if !segment.is_crypt() {
            return self.data.read_at(segment.offset.0 + within, buffer);
        }
        let sector = u64::from(segment.sector_size.unwrap_or(512));
        let start = within / sector * sector;
        let end = (within + buffer.len() as u64).next_multiple_of(sector);
        let mut sectors = zeroize::Zeroizing::new(
            self.data.read_vec(segment.offset.0 + start, usize::try_from(end - start).unwrap_or(0))?,
        );
        let iv = segment.iv_tweak.map_or(0, |tweak| tweak.0) + start / 512;
        // Whole sectors of a checked size: this cannot fail.
        let _ = self.cipher.decrypt_sectors(&mut sectors, iv, usize::try_from(sector).unwrap_or(512));
        let skip = usize::try_from(within - start).unwrap_or(0);
        buffer.copy_from_slice(&sectors[skip..skip + buffer.len()]);
        Ok(())
    }
}

impl Device for Plain<'_> {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> blockdev::Result<()> {
        let end = offset.checked_add(buffer.len() as u64).filter(|end| *end <= self.size);
        let Some(end) = end else {
            return Err(blockdev::Error::OutOfRange { offset, length: buffer.len() as u64, size: self.size });
        };
        for (start, length, segment) in &self.segments {
            let from = offset.max(*start);
            let to = end.min(start + length);
            if from < to {
                let range = usize::try_from(from - offset).unwrap_or(0)..usize::try_from(to - offset).unwrap_or(0);
                self.read_piece(segment, from - start, &mut buffer[range])?;
            }
        }
        Ok(())
    }

    fn write_at(&self, _: u64, _: &[u8]) -> blockdev::Result<()> {
        Err(blockdev::Error::ReadOnly { path: String::new() })
    }

    fn flush(&self) -> blockdev::Result<()> {
        Ok(())
    }

    fn resize(&self, _: u64) -> blockdev::Result<()> {
        Err(blockdev::Error::FixedSize)
    }
}

impl Header {
    /// Encrypts `bytes` and writes them at `offset` of the data (bytes, whole sectors), for a volume that this
    /// header describes and that is not in conversion. `bytes` are encrypted afterwards.
    ///
    /// # Errors
    /// [`Error::Converting`], [`Error::UnsupportedCipher`], [`Error::Invalid`] for a piece of a sector.
    pub fn write_plain(&self, data: &dyn Device, unlocked: &Unlocked, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let mut segments = self.metadata.active_segments();
        let (Some((_, segment)), None) = (segments.next(), segments.next()) else { return Err(Error::Converting) };
        if self.metadata.reencrypt_keyslot().is_some() {
            return Err(Error::Converting);
        }
        if segment.encryption.as_deref() != Some(crate::metadata::AES_XTS) {
            return Err(Error::UnsupportedCipher(segment.encryption.clone().unwrap_or_default()));
        }
        let sector = segment.sector_size.unwrap_or(512);
        if !offset.is_multiple_of(u64::from(sector)) {
            return Err(Error::Invalid(format!("{offset} is no place of a sector")));
        }
        let iv = segment.iv_tweak.map_or(0, |tweak| tweak.0) + offset / 512;
        keyslot::cipher(unlocked.volume_key.expose())?
            .encrypt_sectors(bytes, iv, sector as usize)
            .map_err(|error| Error::Invalid(error.to_string()))?;
        Ok(data.write_at(segment.offset.0 + offset, bytes)?)
    }
}

/// The part of a device that holds a header of `size` bytes at `offset`.
pub(crate) fn part(device: &dyn Device, offset: u64, size: u64) -> Result<Part<'_>> {
    Ok(Part::new(device, offset, size)?)
}
