//! Whether a drive has kept what it reported as safe, as far as a chunk that was cut off can tell.

use blockdev::Buffer;
use xts::Xts;

use super::geometry::{Chunk, Geometry, Mode};
use super::length;
use super::run::Conversion;
use super::space::Space;
use crate::{Error, Result};

/// What no drive tears.
const SECTOR: usize = 512;

impl Conversion<'_> {
    /// The chunk that was cut off is going to be done again from its source. What lies at its destination must
    /// be, sector for sector, either what the chunk puts there or what was there before: the source of the
    /// chunk that was done last. Anything else means that the drive has lost what it had flushed.
    ///
    /// # Errors
    /// [`Error::LostWrites`], and those of the device.
    pub(super) fn verify_cut_off(&self, geometry: &Geometry, at: u64, hot: &Chunk) -> Result<()> {
        // What is free may hold anything.
        if geometry.mode != Mode::Encrypt || self.space() != Space::All {
            return Ok(());
        }
        // Behind the last of the data lay the header that was put aside.
        let behind = hot.at + hot.length;
        if at > geometry.total || behind + hot.length > geometry.total || behind != hot.at + geometry.shift {
            return Ok(());
        }
        let cipher = self.cipher()?;
        let sector = geometry.sector_size as usize;
        const PIECE: u64 = 1 << 20;
        let size = length(hot.length.min(PIECE))?;
        let (mut now, mut new, mut old) = (Buffer::new(size), Buffer::new(size), Buffer::new(size));
        let mut done = 0;
        while done < hot.length {
            let piece = length((hot.length - done).min(PIECE))?;
            let (now, new, old) = (&mut now[..piece], &mut new[..piece], &mut old[..piece]);
            // A sector that cannot be read is found when it is needed.
            let read = self.data.read_at(hot.dest + done, now).is_ok()
                && self.data.read_at(hot.source + done, new).is_ok()
                && self.data.read_at(hot.dest + geometry.shift + done, old).is_ok();
            if read {
                apply(&cipher, true, new, (hot.at + done) / 512, sector)?;
                apply(&cipher, false, old, (behind + done) / 512, sector)?;
                let mut sectors = now.chunks(SECTOR).zip(new.chunks(SECTOR).zip(old.chunks(SECTOR)));
                if !sectors.all(|(now, (new, old))| now == new || now == old) {
                    return Err(Error::LostWrites("the chunk before the one that was cut off"));
                }
            }
            done += piece as u64;
        }
        Ok(())
    }
}

fn apply(cipher: &Xts, encrypt: bool, bytes: &mut [u8], iv: u64, sector: usize) -> Result<()> {
    let done = match encrypt {
        true => cipher.encrypt_sectors(bytes, iv, sector),
        false => cipher.decrypt_sectors(bytes, iv, sector),
    };
    done.map_err(|error| Error::Invalid(error.to_string()))
}
