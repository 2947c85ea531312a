//! Conversions with a detached header, which cryptsetup began: the data stay where they are, and a
//! checksum or a journal protects the chunk that is being written.

use model::{Control, Meter};

use super::checksums::{SUM, sums};
use super::geometry::{Geometry, Position, Resilience};
use super::reading::{blank, read, transform};
use super::run::{Conversion, Outcome, waited};
use super::{STEP, length};
use crate::{Error, Result};

impl Conversion<'_> {
    /// Checksum or journal, without data shift: conversions that cryptsetup began with a detached
    /// header.
    pub(super) fn run_in_place(
        &mut self,
        geometry: &Geometry,
        position: Position,
        control: &Control,
        meter: &mut Meter<'_>,
    ) -> Result<Outcome> {
        let (_, slot) = self.header.metadata.reencrypt_keyslot().ok_or(Error::NotConverting)?;
        let area = slot.area.clone();
        let block = u64::from(area.sector_size.unwrap_or(geometry.sector_size)).max(512);
        let journal = geometry.resilience == Resilience::Journal;
        if !journal && area.hash.as_deref() != Some("sha256") {
            return Err(Error::ConversionForeign("checksums by another hash".into()));
        }
        let room = if journal { area.size.0 } else { area.size.0 / SUM as u64 * block };
        let limit = room.min(STEP) / block * block;
        if limit == 0 {
            return Err(Error::ConversionForeign("no room for the journal".into()));
        }
        let cipher = self.cipher()?;
        let mut at = position.at;
        let mut hot = position.hot;
        loop {
            let crashed = hot.take();
            let chunk = match crashed.clone().or_else(|| geometry.next(at, limit)) {
                Some(chunk) => chunk,
                None => break,
            };
            let done = geometry.done(&Position { at, hot: None });
            if crashed.is_none() && !waited(control, meter, done) {
                return Ok(Outcome::Stopped);
            }
            let mut bytes = vec![0; length(chunk.length)?];
            // After a crash, what cannot be read may be old or new: nobody can tell.
            let lost = read(self.data, chunk.source, &mut bytes, self.give_up && crashed.is_none())?;
            let block = length(block)?;
            match (&crashed, journal) {
                (Some(_), true) => self.meta().read_at(area.offset.0, &mut bytes)?,
                (Some(_), false) => {
                    let sums = self.meta().read_vec(area.offset.0, bytes.len() / block * SUM)?;
                    self.take_back(geometry, &chunk, &mut bytes, &sums, block)?;
                }
                (None, true) => self.meta().write_at(area.offset.0, &bytes)?,
                (None, false) => self.meta().write_at(area.offset.0, &sums(&bytes, block))?,
            }
            if crashed.is_none() {
                self.flush()?;
                self.announce(geometry, at, &chunk)?;
            }
            transform(geometry, &cipher, &mut bytes, chunk.iv())?;
            blank(geometry, &mut bytes, chunk.source, &lost);
            self.lost.extend(lost);
            self.data.write_at(chunk.dest, &bytes)?;
            self.flush()?;
            self.header.advance(self.key()?.digest, geometry.post(&chunk));
            self.store()?;
            at = geometry.after(at, &chunk);
            meter.at(geometry.done(&Position { at, hot: None }));
        }
        let digest = self.key()?.digest;
        self.header.leave(digest, geometry.end());
        self.store()?;
        meter.at(geometry.total);
        Ok(Outcome::Finished)
    }
}
