//! The reading half of a conversion: chunks are read and put through the cipher ahead of the writer.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::{Duration, Instant};

use blockdev::{Allocation, Buffer, Device, Operation};
use model::{Control, Signal};
use rayon::prelude::*;
use xts::Xts;

use super::geometry::{Chunk, Geometry, Mode};
use super::space::{self, Piece, Space};
use super::{STEP, length};
use crate::{Error, Result};

/// Buffers in use: one is read, one waits, one is written.
pub(super) const BUFFERS: usize = 3;

/// A chunk that is ready to be written.
pub(super) struct Ready {
    pub chunk: Chunk,
    /// What to write; nothing where all of the chunk is free.
    pub pieces: Vec<Piece>,
    /// The chunk's bytes from its start; those outside of `pieces` are undefined. `None`: they are made while
    /// they are written.
    pub buffer: Option<Buffer>,
    /// What could not be read and was given up: device bytes.
    pub lost: Vec<Range<u64>>,
}

/// Everything that the reader needs.
pub(super) struct Reader<'a> {
    pub data: &'a dyn Device,
    pub geometry: &'a Geometry,
    pub cipher: &'a Xts,
    pub space: Space,
    pub allocation: Option<&'a dyn Allocation>,
    pub give_up: bool,
    pub control: &'a Control,
    /// The writer has gone.
    pub quit: &'a AtomicBool,
}

impl Reader<'_> {
    /// All chunks but the one that was moved first, in order, until the end, an error, or a stop.
    pub(super) fn run(
        &self,
        mut at: u64,
        mut hot: Option<Chunk>,
        free: &Receiver<Buffer>,
        sender: &SyncSender<Result<Ready>>,
    ) {
        let mut stride = Stride::default();
        loop {
            let Some(chunk) = hot.take().or_else(|| self.geometry.next(at, STEP)) else { return };
            if chunk.moved {
                return;
            }
            let pieces = space::pieces(&chunk, self.geometry, self.space, self.allocation);
            at = self.geometry.after(at, &chunk);
            let item = if pieces.is_empty() {
                Ok(Some(Ready { chunk, pieces, buffer: None, lost: Vec::new() }))
            } else if self.data.is_memory() {
                self.data.prefetch(chunk.source, chunk.length);
                Ok(Some(Ready { chunk, pieces, buffer: None, lost: Vec::new() }))
            } else {
                // The writer has gone: it was asked to stop, or it failed.
                let Ok(buffer) = free.recv() else { return };
                self.chunk(chunk, pieces, buffer, &mut stride)
            };
            let Some(item) = item.transpose() else { return };
            let failed = item.is_err();
            if sender.send(item).is_err() || failed {
                return;
            }
        }
    }

    /// `None`: stopped.
    fn chunk(
        &self,
        chunk: Chunk,
        pieces: Vec<Piece>,
        mut buffer: Buffer,
        stride: &mut Stride,
    ) -> Result<Option<Ready>> {
        let mut lost = Vec::new();
        buffer.resize(length(chunk.length)?);
        for piece in &pieces {
            let mut from = piece.range.start;
            while from < piece.range.end {
                if !self.goes_on() {
                    return Ok(None);
                }
                let to = piece.range.end.min(from + stride.bytes() as u64);
                let begun = Instant::now();
                let bytes = &mut buffer[length(from - chunk.at)?..length(to - chunk.at)?];
                lost.extend(self.make(&chunk, from, piece.moved, bytes)?);
                stride.took(begun.elapsed());
                from = to;
            }
        }
        Ok(Some(Ready { chunk, pieces, buffer: Some(buffer), lost }))
    }

    /// The new bytes of a chunk from the logical byte `at` on: read and converted, or zeros where nothing is
    /// `moved`. Returns what could not be read and was given up.
    pub(super) fn make(&self, chunk: &Chunk, at: u64, moved: bool, bytes: &mut [u8]) -> Result<Vec<Range<u64>>> {
        let source = chunk.source + (at - chunk.at);
        let lost = if moved {
            read(self.data, source, bytes, self.give_up)?
        } else {
            bytes.fill(0);
            Vec::new()
        };
        transform(self.geometry, self.cipher, bytes, at / 512)?;
        blank(self.geometry, bytes, source, &lost);
        Ok(lost)
    }

    /// Waits while the switch says pause. `false`: stop.
    fn goes_on(&self) -> bool {
        while self.control.signal() == Signal::Pause && !self.quit.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(20));
        }
        self.control.signal() != Signal::Stop && !self.quit.load(Ordering::Relaxed)
    }
}

/// Bytes to read or write before the switch is looked at again: about a quarter of a second of the
/// drive's own speed, so that "pause" is obeyed within one, by a slow stick as well.
pub(super) struct Stride {
    bytes: usize,
    flushes: bool,
}

impl Default for Stride {
    fn default() -> Self {
        Self { bytes: 1 << 20, flushes: false }
    }
}

impl Stride {
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// How long that many bytes took.
    pub(super) fn took(&mut self, time: Duration) {
        self.bytes = match time.as_millis() {
            0..=99 => (self.bytes * 2).min(16 << 20),
            100..=249 => self.bytes,
            _ => (self.bytes / 2).max(64 << 10),
        };
    }

    /// Whether each piece is made to last before the next one: where the system's cache takes in all of a
    /// chunk at once, the flush at its end would otherwise take seconds in which nobody can stop it.
    pub(super) const fn flushes(&self) -> bool {
        self.flushes
    }

    /// How long the flush at the end of a chunk took.
    pub(super) fn flush_took(&mut self, time: Duration) {
        self.flushes |= time > Duration::from_millis(250);
    }
}

/// Puts bytes through the cipher, on all of the processor's cores.
pub(super) fn transform(geometry: &Geometry, cipher: &Xts, bytes: &mut [u8], iv: u64) -> Result<()> {
    /// Bytes for one core at a time: about as much as its own cache holds.
    const SHARE: usize = 512 * 1024;
    let sector = geometry.sector_size as usize;
    let work = |bytes: &mut [u8], iv: u64| {
        let done = match geometry.mode {
            Mode::Encrypt => cipher.encrypt_sectors(bytes, iv, sector),
            _ => cipher.decrypt_sectors(bytes, iv, sector),
        };
        done.map_err(|error| Error::Invalid(error.to_string()))
    };
    if bytes.len() < 2 * SHARE {
        return work(bytes, iv);
    }
    bytes
        .par_chunks_mut(SHARE)
        .enumerate()
        .try_for_each(|(index, share)| work(share, iv + (index * SHARE / 512) as u64))
}

/// What was given up of a decryption is zero as well, and not what the cipher makes of zeros. `bytes` come
/// from `offset` of the device.
pub(super) fn blank(geometry: &Geometry, bytes: &mut [u8], offset: u64, lost: &[Range<u64>]) {
    if geometry.mode == Mode::Encrypt {
        return;
    }
    for range in lost {
        let place = |at: u64| usize::try_from(at.saturating_sub(offset)).unwrap_or(usize::MAX).min(bytes.len());
        let (start, end) = (place(range.start), place(range.end));
        bytes[start..end].fill(0);
    }
}

/// Reads; where that fails, finds out which sectors cannot be read. They are an error, or with `give_up`
/// zeros and in the answer (device bytes).
pub(super) fn read(data: &dyn Device, offset: u64, buffer: &mut [u8], give_up: bool) -> Result<Vec<Range<u64>>> {
    let Err(error) = data.read_at(offset, buffer) else { return Ok(Vec::new()) };
    let failed = matches!(&error, blockdev::Error::Io { operation: Operation::Read, .. });
    if !failed || !is_there(data, offset, buffer.len()) {
        return Err(error.into());
    }
    let mut bad = Vec::new();
    search(data, offset, buffer, &mut bad);
    // A second reading may succeed where the first one did not.
    if bad.is_empty() || give_up { Ok(bad) } else { Err(Error::Unreadable(bad)) }
}

/// Halves until the bad sectors are found; a healthy half costs one reading.
fn search(data: &dyn Device, offset: u64, buffer: &mut [u8], bad: &mut Vec<Range<u64>>) {
    if data.read_at(offset, buffer).is_ok() {
        return;
    }
    let sector = data.logical_sector() as usize;
    if buffer.len() <= sector {
        buffer.fill(0);
        let end = offset + buffer.len() as u64;
        match bad.last_mut() {
            Some(last) if last.end == offset => last.end = end,
            _ => bad.push(offset..end),
        }
        return;
    }
    let half = (buffer.len() / 2).next_multiple_of(sector);
    let (first, second) = buffer.split_at_mut(half);
    search(data, offset, first, bad);
    search(data, offset + half as u64, second, bad);
}

/// Whether the device answers anywhere but there: a drive that was pulled out has no bad sectors.
fn is_there(data: &dyn Device, offset: u64, size: usize) -> bool {
    const LOOK: u64 = 256 * 1024;
    const PAGE: u64 = 4096;
    let end = offset + size as u64;
    let mut buffer = Buffer::new(0);
    [0, data.size() / 2, data.size().saturating_sub(LOOK)].into_iter().any(|at| {
        let at = at / PAGE * PAGE;
        let piece = LOOK.min(data.size() - at);
        // Large enough to be read from the medium and not from a cache.
        buffer.resize(usize::try_from(piece).unwrap_or(0));
        (at + piece <= offset || at >= end) && piece > 0 && data.read_at(at, &mut buffer).is_ok()
    })
}
