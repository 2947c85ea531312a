//! The piece that was moved first, which comes last.

use blockdev::Buffer;

use super::checksums::{self, SUM, sums};
use super::geometry::{Chunk, Geometry};
use super::length;
use super::reading::{blank, read, transform};
use super::run::Conversion;
use crate::{Error, Result};

impl Conversion<'_> {
    pub(super) fn encrypt_moved(&mut self, geometry: &Geometry, at: u64, chunk: &Chunk) -> Result<()> {
        let mut bytes = Buffer::new(length(chunk.length)?);
        let lost = read(self.data, chunk.source, &mut bytes, self.give_up)?;
        self.lost.extend(lost);
        transform(geometry, &self.cipher()?, &mut bytes, chunk.iv())?;
        self.announce(geometry, at, chunk)?;
        self.data.write_at(chunk.dest, &bytes)?;
        self.flush()
    }

    /// The first piece lies encrypted at the very place where it has to lie plain: checksums tell, after a cut,
    /// what is encrypted still.
    pub(super) fn decrypt_moved(&mut self, geometry: &Geometry, at: u64, chunk: &Chunk, hot: bool) -> Result<()> {
        let (_, slot) = self.header.metadata.reencrypt_keyslot().ok_or(Error::NotConverting)?;
        let area = slot.area.clone();
        if area.kind == "datashift-journal" {
            return self.decrypt_moved_by_journal(geometry, at, chunk, hot, area.offset.0);
        }
        let block = length(u64::from(area.sector_size.unwrap_or(512)).max(512))?;
        let mut bytes = vec![0; length(chunk.length)?];
        let lost = read(self.data, chunk.dest, &mut bytes, self.give_up && !hot)?;
        let size = bytes.len() / block * SUM;
        if size as u64 > area.size.0 || area.hash.as_deref() != Some("sha256") {
            return Err(Error::ConversionForeign("checksums of the moved segment".into()));
        }
        if hot {
            let sums = self.meta().read_vec(area.offset.0, size)?;
            self.take_back(geometry, chunk, &mut bytes, &sums, block)?;
        } else {
            self.meta().write_at(area.offset.0, &sums(&bytes, block))?;
            self.flush()?;
            self.announce(geometry, at, chunk)?;
        }
        transform(geometry, &self.cipher()?, &mut bytes, chunk.iv())?;
        blank(geometry, &mut bytes, chunk.dest, &lost);
        self.lost.extend(lost);
        self.data.write_at(chunk.dest, &bytes)?;
        self.flush()
    }

    /// Makes the old bytes of a chunk that was cut off, by its checksums.
    pub(super) fn take_back(
        &mut self,
        geometry: &Geometry,
        chunk: &Chunk,
        bytes: &mut [u8],
        sums: &[u8],
        block: usize,
    ) -> Result<()> {
        let strange = checksums::take_back(bytes, sums, block, geometry, &self.cipher()?, chunk.iv())?;
        let strange = strange.into_iter().map(|range| chunk.dest + range.start..chunk.dest + range.end);
        if self.give_up {
            self.lost.extend(strange);
            return Ok(());
        }
        let strange: Vec<_> = strange.collect();
        if strange.is_empty() { Ok(()) } else { Err(Error::Unreadable(strange)) }
    }

    fn decrypt_moved_by_journal(
        &mut self,
        geometry: &Geometry,
        at: u64,
        chunk: &Chunk,
        hot: bool,
        area: u64,
    ) -> Result<()> {
        let mut bytes = vec![0; length(chunk.length)?];
        let mut lost = Vec::new();
        if hot {
            self.meta().read_at(area, &mut bytes)?;
        } else {
            lost = read(self.data, chunk.dest, &mut bytes, self.give_up)?;
            self.meta().write_at(area, &bytes)?;
            self.flush()?;
            self.announce(geometry, at, chunk)?;
        }
        transform(geometry, &self.cipher()?, &mut bytes, chunk.iv())?;
        blank(geometry, &mut bytes, chunk.dest, &lost);
        self.lost.extend(lost);
        self.data.write_at(chunk.dest, &bytes)?;
        self.flush()
    }
}
