//! The blocks of the drive: each range under its own key, refused where it is locked, and the shadow MBR
//! in front of it all.

use std::sync::Arc;

use blockdev::Device;
use xts::Xts;

use super::state::{Layout, PIECE, State, Written};
use crate::{Error, Result};

/// Why a read or write did not happen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IoError {
    /// The blocks are locked (NVMe: Access Denied).
    #[error("the blocks are locked")]
    Denied,
    /// Beyond the end (NVMe: LBA Out of Range).
    #[error("beyond the end of the drive")]
    OutOfRange,
    /// The drive does nothing until its power was off.
    #[error("the drive does not answer")]
    Dead,
    /// The file under it failed.
    #[error(transparent)]
    Device(#[from] blockdev::Error),
}

/// What reading and writing needs to know, put together anew after each change.
pub(super) struct Media {
    device: Arc<dyn Device>,
    layout: Layout,
    block_size: u64,
    /// In the order of their starts, without the unused ones. Never overlapping.
    ranges: Vec<Extent>,
    global: Extent,
    /// Blocks that are those of the shadow MBR now; 0 when it is not shown.
    shadow: u64,
    mbr: Written,
    pub dead: bool,
}

struct Extent {
    start: u64,
    end: u64,
    denies_reading: bool,
    denies_writing: bool,
    xts: Option<Xts>,
}

impl Media {
    pub fn new(device: Arc<dyn Device>, state: &State, dead: bool) -> Result<Self> {
        let profile = &state.profile;
        let locking = &state.locking;
        let extent = |range: &super::state::Range| -> Result<Extent> {
            let xts = match profile.media_encryption {
                true => {
                    Some(Xts::new(range.key.bytes()).map_err(|error| Error::VirtualDriveDamaged(error.to_string()))?)
                }
                false => None,
            };
            Ok(Extent {
                start: range.start,
                end: range.start + range.length,
                denies_reading: locking.active && range.denies_reading(),
                denies_writing: locking.active && range.denies_writing(),
                xts,
            })
        };
        let Some((global, others)) = locking.ranges.split_first() else {
            return Err(Error::VirtualDriveDamaged("no ranges".into()));
        };
        let used = others.iter().filter(|range| range.length > 0);
        let mut ranges = used.map(extent).collect::<Result<Vec<_>>>()?;
        ranges.sort_by_key(|range| range.start);
        let shown = locking.active && locking.mbr_enabled && !locking.mbr_done && profile.has_shadow_mbr();
        let block_size = u64::from(profile.block_size);
        Ok(Self {
            device,
            layout: state.layout,
            block_size,
            ranges,
            global: extent(global)?,
            shadow: if shown { profile.shadow_mbr_size / block_size } else { 0 },
            mbr: locking.mbr.clone(),
            dead,
        })
    }

    pub fn read(&self, lba: u64, buffer: &mut [u8]) -> std::result::Result<(), IoError> {
        let end = self.check(lba, buffer.len())?;
        if lba < self.shadow {
            // Half of one and half of the other would be neither.
            if end > self.shadow {
                return Err(IoError::Denied);
            }
            return read_table(&*self.device, self.layout.mbr, &self.mbr, lba * self.block_size, buffer);
        }
        if self.pieces(lba, end).any(|(_, _, extent)| extent.denies_reading) {
            return Err(IoError::Denied);
        }
        self.device.read_at(self.layout.data + lba * self.block_size, buffer)?;
        for (from, to, extent) in self.pieces(lba, end) {
            let Some(piece) = buffer.get_mut(self.bytes(from - lba)..self.bytes(to - lba)) else { continue };
            if let Some(xts) = &extent.xts {
                self.decrypt(xts, from, piece);
            }
        }
        Ok(())
    }

    pub fn write(&self, lba: u64, data: &[u8]) -> std::result::Result<(), IoError> {
        let end = self.check(lba, data.len())?;
        self.may_write(lba, end)?;
        let mut encrypted = data.to_vec();
        for (from, to, extent) in self.pieces(lba, end) {
            let Some(piece) = encrypted.get_mut(self.bytes(from - lba)..self.bytes(to - lba)) else { continue };
            if let Some(xts) = &extent.xts {
                // Whole blocks of a size that is 512 or 4096: nothing that it could refuse.
                let _ = xts.encrypt_sectors(piece, self.iv(from), self.bytes(1));
            }
        }
        Ok(self.device.write_at(self.layout.data + lba * self.block_size, &encrypted)?)
    }

    /// Forgets blocks. The file under the drive gives the room back if it can; otherwise they are zeros.
    pub fn trim(&self, lba: u64, blocks: u64) -> std::result::Result<(), IoError> {
        let end = lba.checked_add(blocks).filter(|end| *end <= self.layout.blocks).ok_or(IoError::OutOfRange)?;
        if self.dead {
            return Err(IoError::Dead);
        }
        self.may_write(lba, end)?;
        if self.device.discard(self.layout.data + lba * self.block_size, blocks * self.block_size)? {
            return Ok(());
        }
        let zeros = vec![0; self.bytes(256)];
        let mut at = lba;
        while at < end {
            let count = (end - at).min(256);
            self.device.write_at(self.layout.data + at * self.block_size, &zeros[..self.bytes(count)])?;
            at += count;
        }
        Ok(())
    }

    pub fn flush(&self) -> std::result::Result<(), IoError> {
        Ok(self.device.flush()?)
    }

    fn may_write(&self, lba: u64, end: u64) -> std::result::Result<(), IoError> {
        if lba < self.shadow || self.pieces(lba, end).any(|(_, _, extent)| extent.denies_writing) {
            return Err(IoError::Denied);
        }
        Ok(())
    }

    fn check(&self, lba: u64, bytes: usize) -> std::result::Result<u64, IoError> {
        if self.dead {
            return Err(IoError::Dead);
        }
        let bytes = bytes as u64;
        let end = lba.checked_add(bytes / self.block_size).filter(|end| *end <= self.layout.blocks);
        match end {
            Some(end) if bytes.is_multiple_of(self.block_size) => Ok(end),
            _ => Err(IoError::OutOfRange),
        }
    }

    /// The blocks from `lba` to `end`, cut where another range begins: first block, block behind the
    /// last, range.
    fn pieces(&self, lba: u64, end: u64) -> impl Iterator<Item = (u64, u64, &Extent)> {
        let mut at = lba;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let next = self.ranges.partition_point(|range| range.end <= at);
            let (to, extent) = match self.ranges.get(next) {
                Some(range) if range.start <= at => (range.end.min(end), range),
                Some(range) => (range.start.min(end), &self.global),
                None => (end, &self.global),
            };
            let from = std::mem::replace(&mut at, to);
            Some((from, to, extent))
        })
    }

    /// A block that is stored as zeros was never written, or was trimmed: it reads as zeros. That a
    /// written one is encrypted to zeros does not happen.
    fn decrypt(&self, xts: &Xts, from: u64, piece: &mut [u8]) {
        let size = self.bytes(1);
        let blank = |block: &[u8]| block.iter().all(|byte| *byte == 0);
        if !piece.chunks_exact(size).any(blank) {
            let _ = xts.decrypt_sectors(piece, self.iv(from), size);
            return;
        }
        for (number, block) in piece.chunks_exact_mut(size).enumerate() {
            if !blank(block) {
                let _ = xts.decrypt_sectors(block, self.iv(from + number as u64), size);
            }
        }
    }

    fn iv(&self, lba: u64) -> u64 {
        lba * (self.block_size / 512)
    }

    /// Fits: no more blocks than a buffer has.
    fn bytes(&self, blocks: u64) -> usize {
        usize::try_from(blocks * self.block_size).unwrap_or(usize::MAX)
    }
}

/// Reads from a table of bytes at `base`. What was never written is zero.
pub(super) fn read_table(
    device: &dyn Device,
    base: u64,
    written: &Written,
    offset: u64,
    buffer: &mut [u8],
) -> std::result::Result<(), IoError> {
    let mut at = offset;
    let mut rest = buffer;
    while !rest.is_empty() {
        let piece = at / PIECE;
        let count = usize::try_from((piece + 1) * PIECE - at).unwrap_or(usize::MAX).min(rest.len());
        let (now, later) = rest.split_at_mut(count);
        if written.0.contains(&piece) {
            device.read_at(base + at, now)?;
        } else {
            now.fill(0);
        }
        at += count as u64;
        rest = later;
    }
    Ok(())
}

/// Writes to a table of bytes at `base`, and gives back the pieces that were never written before. They
/// are filled with zeros first, and count only when the state that names them is kept.
pub(super) fn write_table(
    device: &dyn Device,
    base: u64,
    size: u64,
    written: &Written,
    offset: u64,
    data: &[u8],
) -> Result<Vec<u64>> {
    let end = offset + data.len() as u64;
    let new: Vec<u64> = (offset / PIECE..end.div_ceil(PIECE)).filter(|piece| !written.0.contains(piece)).collect();
    for piece in &new {
        let begin = piece * PIECE;
        let count = PIECE.min(size - begin);
        device.write_at(base + begin, &vec![0; usize::try_from(count).unwrap_or(0)])?;
    }
    device.write_at(base + offset, data)?;
    device.flush()?;
    Ok(new)
}
