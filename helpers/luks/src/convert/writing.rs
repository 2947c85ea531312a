//! The writing half of a conversion: a chunk is announced, written and made to last.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use blockdev::Buffer;
use model::{Control, Signal};
use rayon::prelude::*;

use super::geometry::Geometry;
use super::reading::{Reader, Ready, Stride};
use super::run::Conversion;
use super::{encrypt, length, space};
use crate::Result;

/// How far the writing half is.
pub(super) struct Writing {
    /// [`Position::at`](super::geometry::Position::at).
    pub at: u64,
    /// The header says that a chunk is being converted, or is behind.
    pub unsettled: bool,
    pub stopped: bool,
    stride: Stride,
}

impl Writing {
    pub(super) fn from(at: u64, unsettled: bool) -> Self {
        Self { at, unsettled, stopped: false, stride: Stride::default() }
    }
}

impl Conversion<'_> {
    /// One chunk. `false`: asked to pause or stop in the middle of it; its source is whole.
    pub(super) fn write(
        &mut self,
        geometry: &Geometry,
        writing: &mut Writing,
        ready: &mut Ready,
        reader: &Reader<'_>,
        back: &SyncSender<Buffer>,
    ) -> Result<bool> {
        if reader.control.signal() != Signal::Run {
            return Ok(false);
        }
        let digest = self.key()?.digest;
        writing.unsettled = true;
        encrypt::leave_start(&mut self.header);
        self.header.advance(digest, geometry.hot(writing.at, &ready.chunk));
        if self.header.only_primary {
            self.store()?;
        } else {
            self.header.sequence += 1;
            self.header.store_primary(self.meta())?;
            self.flush()?;
        }
        // From here on the second copy tells a state that is not true any more.
        self.header.only_primary = true;
        let done = match &ready.buffer {
            Some(buffer) => self.write_ready(&mut writing.stride, ready, buffer, reader)?,
            None => self.write_at_once(&mut writing.stride, ready, reader)?,
        };
        let Some(lost) = done else { return Ok(false) };
        self.lost.extend(lost);
        // Given back before the flush, so that the medium has something to read meanwhile.
        if let Some(buffer) = ready.buffer.take() {
            let _ = back.try_send(buffer);
        }
        self.header.store_secondary(self.meta())?;
        let begun = Instant::now();
        self.flush()?;
        writing.stride.flush_took(begun.elapsed());
        self.header.only_primary = false;
        Ok(true)
    }

    /// What the reading half has made. `None`: asked to pause or stop.
    fn write_ready(
        &self,
        stride: &mut Stride,
        ready: &Ready,
        buffer: &Buffer,
        reader: &Reader<'_>,
    ) -> Result<Option<Vec<Range<u64>>>> {
        let chunk = &ready.chunk;
        self.in_strides(stride, space::runs(&ready.pieces), reader.control, |range| {
            let bytes = &buffer[length(range.start - chunk.at)?..length(range.end - chunk.at)?];
            self.data.write_at(chunk.dest + (range.start - chunk.at), bytes)?;
            Ok(Vec::new())
        })
    }

    /// Reads, converts and writes each lump at once, on all cores, while it is in the processor's cache: where
    /// the medium is memory anyway, handing it from thread to thread costs more than it saves. The source of a
    /// chunk and its destination never overlap.
    fn write_at_once(
        &self,
        stride: &mut Stride,
        ready: &Ready,
        reader: &Reader<'_>,
    ) -> Result<Option<Vec<Range<u64>>>> {
        let chunk = &ready.chunk;
        let lump = self.data.lump() as u64;
        let mut lost = Vec::new();
        for piece in &ready.pieces {
            let done = self.in_strides(stride, vec![piece.range.clone()], reader.control, |range| {
                let next = AtomicU64::new(range.start);
                // One buffer for each core.
                let worker = |_| {
                    let (mut buffer, mut lost) = (Buffer::default(), Vec::new());
                    loop {
                        let from = next.fetch_add(lump, Ordering::Relaxed);
                        if from >= range.end {
                            return Ok(lost);
                        }
                        buffer.resize(length(lump.min(range.end - from))?);
                        lost.extend(reader.make(chunk, from, piece.moved, &mut buffer)?);
                        self.data.write_at(chunk.dest + (from - chunk.at), &buffer)?;
                    }
                };
                let lost: Result<Vec<Vec<_>>> = (0..rayon::current_num_threads()).into_par_iter().map(worker).collect();
                let mut lost = lost?.concat();
                lost.sort_by_key(|range| range.start);
                Ok(lost)
            })?;
            let Some(more) = done else { return Ok(None) };
            lost.extend(more);
        }
        Ok(Some(lost))
    }

    /// Cuts ranges into pieces after each of which the switch is looked at. `None`: asked to pause or stop.
    fn in_strides(
        &self,
        stride: &mut Stride,
        ranges: Vec<Range<u64>>,
        control: &Control,
        mut work: impl FnMut(Range<u64>) -> Result<Vec<Range<u64>>>,
    ) -> Result<Option<Vec<Range<u64>>>> {
        let mut lost = Vec::new();
        for range in ranges {
            let mut from = range.start;
            while from < range.end {
                if control.signal() != Signal::Run {
                    return Ok(None);
                }
                let to = range.end.min(from + stride.bytes() as u64);
                let begun = Instant::now();
                lost.extend(work(from..to)?);
                if stride.flushes() {
                    self.data.flush()?;
                }
                stride.took(begun.elapsed());
                self.rest(to - from, control);
                from = to;
            }
        }
        Ok(Some(lost))
    }

    fn rest(&self, bytes: u64, control: &Control) {
        let Some(pace) = self.pace else { return };
        let until = Instant::now() + pace.rest(bytes);
        while control.signal() == Signal::Run {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
    }
}
