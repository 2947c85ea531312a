//! Where each chunk comes from and goes to, and how the segments look before, during and after it.
//! Pure arithmetic: nothing here reads or writes.

use crate::header::Header;
use crate::metadata::{Length, Segment};
use crate::{Error, Result};

/// Which way a conversion goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// From plain to encrypted.
    Encrypt,
    /// From encrypted to plain.
    Decrypt,
    /// From one key to another; only cryptsetup does it.
    Reencrypt,
}

/// How a chunk that was cut off is mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resilience {
    /// Its source is untouched: do it again. The piece that was moved first is protected by a journal or by
    /// checksums in the other direction.
    Shift,
    /// Checksums of the old sectors tell which of them are old still.
    Checksum,
    /// The old sectors are kept in the keyslot's area.
    Journal,
}

/// What stays the same during the whole conversion.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Geometry {
    pub mode: Mode,
    pub resilience: Resilience,
    /// By how much the data move; 0 in place.
    pub shift: u64,
    /// Logical bytes of the data.
    pub total: u64,
    /// Where the piece that was moved first lies, and how long it is; (0, 0) if there is none.
    pub moved: (u64, u64),
    pub sector_size: u32,
    /// Whether the last segment ends with the device (then `total` is not in the metadata).
    pub dynamic: bool,
}

/// How far it is: logical bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// Encrypting with data shift: plain bytes left, counted from the front. Otherwise: bytes done from
    /// the front.
    pub at: u64,
    /// The chunk that the header announces.
    pub hot: Option<Chunk>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Logical offset.
    pub at: u64,
    /// Bytes.
    pub length: u64,
    /// Device offset that is read.
    pub source: u64,
    /// Device offset that is written.
    pub dest: u64,
    /// Whether it is the piece that was moved first, which comes last.
    pub moved: bool,
}

impl Chunk {
    /// Sector number for the IV, in 512-byte units.
    pub const fn iv(&self) -> u64 {
        self.at / 512
    }
}

impl Geometry {
    /// From a header, on a data device of this size.
    pub fn read(header: &Header, data_size: u64) -> Result<(Self, Position)> {
        let metadata = &header.metadata;
        let (_, slot) = metadata.reencrypt_keyslot().ok_or(Error::NotConverting)?;
        let foreign = |what: &str| Error::ConversionForeign(what.to_owned());
        let mode = match slot.mode.as_deref() {
            Some("encrypt") => Mode::Encrypt,
            Some("decrypt") => Mode::Decrypt,
            _ => return Err(foreign("from one key to another")),
        };
        let forward = slot.direction.as_deref() == Some("forward");
        let resilience = match (slot.area.kind.as_str(), mode, forward) {
            ("datashift", Mode::Encrypt, false) | ("datashift-checksum" | "datashift-journal", Mode::Decrypt, true) => {
                Resilience::Shift
            }
            ("checksum", _, true) => Resilience::Checksum,
            ("journal", _, true) => Resilience::Journal,
            ("none", _, _) => return Err(Error::ConversionUnprotected),
            (kind, ..) => return Err(foreign(kind)),
        };
        let shift = slot.area.shift_size.map_or(0, |size| size.0);
        let moved = metadata
            .segment_by_flag("backup-moved-segment")
            .map_or((0, 0), |segment| (segment.offset.0, segment.length(data_size)));
        if resilience == Resilience::Shift && (shift == 0 || moved.1 == 0 || moved.1 > shift) {
            return Err(foreign("data shift without a moved segment"));
        }
        let previous = metadata.segment_by_flag("backup-previous").ok_or_else(|| foreign("no old layout"))?;
        let last = metadata.segment_by_flag("backup-final").ok_or_else(|| foreign("no new layout"))?;
        let crypt = if mode == Mode::Encrypt { last } else { previous };
        if crypt.encryption.as_deref() != Some(crate::metadata::AES_XTS) {
            return Err(Error::UnsupportedCipher(crypt.encryption.clone().unwrap_or_default()));
        }
        if crypt.iv_tweak.is_some_and(|tweak| tweak.0 != 0) {
            return Err(foreign("IV offset"));
        }
        let (mut total, dynamic) = match previous.size {
            Length::Bytes(bytes) => (bytes, false),
            Length::Dynamic => (data_size.saturating_sub(previous.offset.0), true),
        };
        // Behind what we decrypt lies the header that was put aside; the metadata say "to the end".
        if mode == Mode::Decrypt
            && let Some(plain) = header.token(super::TOKEN).and_then(|token| super::number(token, "plain_size"))
        {
            total = total.min(plain);
        }
        let sector_size = crypt.sector_size.unwrap_or(512);
        let geometry = Self { mode, resilience, shift, total, moved, sector_size, dynamic };
        let position = geometry
            .position(header, data_size)?
            .filter(|position| geometry.fits(position, data_size))
            .ok_or_else(|| Error::Invalid("segments of the conversion".into()))?;
        Ok((geometry, position))
    }

    /// Whether everything lies on the device and within the data. The active segments are under no
    /// digest: whoever can write to the drive can make them say anything.
    fn fits(&self, position: &Position, data_size: u64) -> bool {
        let on_device = |offset: u64, length: u64| offset.checked_add(length).is_some_and(|end| end <= data_size);
        let aligned = |value: u64| value.is_multiple_of(u64::from(self.sector_size.max(512)));
        let whole = self.total > 0
            && aligned(self.total)
            && aligned(self.shift)
            && aligned(self.moved.1)
            && self.moved.1 <= self.total
            && on_device(self.shift, self.total)
            && on_device(self.moved.0, self.moved.1)
            // What was moved out of the way lies behind all that is written until its turn comes.
            && (!self.encrypt_shift() || self.moved.0 >= self.shift + self.total)
            && position.at <= self.total
            && aligned(position.at)
            // The piece that was moved is converted last, and in one go.
            && (self.resilience != Resilience::Shift
                || position.at >= self.moved.1
                || (self.mode == Mode::Encrypt && position.at == 0));
        let Some(hot) = &position.hot else { return whole };
        whole
            && hot.length > 0
            && aligned(hot.at)
            && aligned(hot.length)
            && hot.at.checked_add(hot.length).is_some_and(|end| end <= self.total)
            && on_device(hot.source, hot.length)
            && on_device(hot.dest, hot.length)
            && (!self.encrypt_shift()
                || if hot.moved { position.at == self.moved.1 } else { position.at >= self.moved.1 + hot.length })
    }

    /// Whether the data are encrypted with their own offset moved up by `shift`.
    fn encrypt_shift(&self) -> bool {
        self.mode == Mode::Encrypt && self.resilience == Resilience::Shift
    }

    /// `None` where the segments make no sense.
    fn position(&self, header: &Header, data_size: u64) -> Result<Option<Position>> {
        let active: Vec<&Segment> = header.metadata.active_segments().map(|(_, segment)| segment).collect();
        let hot_index = active.iter().position(|segment| segment.has("in-reencryption"));
        let size = |segment: &Segment| segment.length(data_size);
        if self.encrypt_shift() {
            let plain = active
                .iter()
                .filter(|segment| !segment.is_crypt())
                .try_fold(0u64, |sum, segment| sum.checked_add(size(segment)));
            let Some(plain) = plain else { return Ok(None) };
            let Some(index) = hot_index else {
                return Ok(Some(Position { at: plain, hot: None }));
            };
            let hot = active[index];
            let at = hot.offset.0.checked_sub(self.shift);
            let (Some(at), Some(left)) = (at, plain.checked_add(size(hot))) else { return Ok(None) };
            let chunk = if index == 0 { Some(self.moved_chunk()) } else { self.chunk(at, size(hot)) };
            return Ok(chunk.map(|chunk| Position { at: left, hot: Some(chunk) }));
        }
        let Some(index) = hot_index else {
            return Ok(Some(Position { at: self.front(&active, data_size), hot: None }));
        };
        let hot = active[index];
        if self.moved.1 > 0 && index == 0 {
            return Ok(Some(Position { at: self.total, hot: Some(self.moved_chunk()) }));
        }
        let at = hot.offset.0;
        Ok(self.chunk(at, size(hot)).map(|chunk| Position { at, hot: Some(chunk) }))
    }

    /// Bytes done from the front, where nothing is hot.
    fn front(&self, active: &[&Segment], data_size: u64) -> u64 {
        let old_is_crypt = self.mode == Mode::Decrypt;
        let done = active.iter().enumerate().find(|(index, segment)| {
            // The moved piece lies in front and is still old.
            !(self.moved.1 > 0 && *index == 0) && segment.is_crypt() == old_is_crypt
        });
        match done {
            Some((_, old)) => old.offset.0.saturating_sub(self.shift),
            None => {
                let moved_only = self.moved.1 > 0 && active.len() == 1 && active[0].length(data_size) == self.moved.1;
                if moved_only && self.total > self.moved.1 { self.moved.1 } else { self.total }
            }
        }
    }

    /// `None` where it would lie beyond all numbers.
    fn chunk(&self, at: u64, length: u64) -> Option<Chunk> {
        let moved = at.checked_add(self.shift)?;
        let (source, dest) = if self.mode == Mode::Encrypt { (at, moved) } else { (moved, at) };
        Some(Chunk { at, length, source, dest, moved: false })
    }

    fn moved_chunk(&self) -> Chunk {
        let dest = if self.mode == Mode::Encrypt { self.shift } else { self.moved.0 };
        Chunk { at: 0, length: self.moved.1, source: self.moved.0, dest, moved: true }
    }

    /// Where to begin when nothing is done yet.
    #[cfg(test)]
    pub const fn start(&self) -> u64 {
        match (self.mode, self.resilience) {
            (Mode::Encrypt, Resilience::Shift) => self.total,
            _ => self.moved.1,
        }
    }

    /// The step from here; `None` when all is done. `at` is [`Position::at`].
    pub fn next(&self, at: u64, limit: u64) -> Option<Chunk> {
        if self.encrypt_shift() {
            if at == 0 {
                return None;
            }
            if at <= self.moved.1 {
                return Some(self.moved_chunk());
            }
            // Without the parked piece, this much is left in the middle.
            let middle = at - self.moved.1;
            let (offset, length) = if middle < self.shift { (self.shift, middle) } else { (middle, self.shift) };
            return self.chunk(offset, length);
        }
        if at < self.total {
            let most = if self.shift > 0 { self.shift } else { limit };
            return self.chunk(at, most.min(self.total - at));
        }
        // The moved piece comes last.
        (self.moved.1 > 0).then(|| self.moved_chunk())
    }

    /// [`Position::at`] after this chunk; the moved piece leaves 0 when encrypting.
    pub const fn after(&self, at: u64, chunk: &Chunk) -> u64 {
        match (self.mode, self.resilience) {
            (Mode::Encrypt, Resilience::Shift) => at - chunk.length,
            _ if chunk.moved => at,
            _ => chunk.at + chunk.length,
        }
    }

    /// Bytes that are converted.
    pub fn done(&self, position: &Position) -> u64 {
        if self.encrypt_shift() {
            return self.total.saturating_sub(position.at);
        }
        position.at.saturating_sub(self.moved.1)
    }

    /// Active segments while `chunk` is being converted.
    pub fn hot(&self, at: u64, chunk: &Chunk) -> Vec<Segment> {
        match (self.mode, self.resilience) {
            (Mode::Encrypt, Resilience::Shift) => self.hot_encrypt(at, chunk),
            (Mode::Decrypt, Resilience::Shift) => self.hot_decrypt(chunk),
            _ => self.layout_in_place(chunk, true),
        }
    }

    /// Active segments when `chunk` is done, for conversions in place.
    pub fn post(&self, chunk: &Chunk) -> Vec<Segment> {
        self.layout_in_place(chunk, false)
    }

    /// Active segments between two chunks of a conversion with data shift. [`Position::at`] is `at`, and the
    /// piece that was moved first is not done.
    pub fn settled(&self, at: u64) -> Vec<Segment> {
        let (place, moved) = self.moved;
        let (mut segments, rest) = match self.mode {
            Mode::Encrypt => {
                let mut segments = vec![Segment::linear(place, Length::Bytes(moved))];
                if at > moved {
                    segments.push(Segment::linear(self.shift, Length::Bytes(at - moved)));
                }
                (segments, Length::Bytes(self.total - at))
            }
            _ => {
                let mut segments = vec![self.crypt(0, Length::Bytes(moved), 0)];
                let size = if at == self.total { Length::Dynamic } else { Length::Bytes(at - moved) };
                if at > moved {
                    segments.push(Segment::linear(moved, size));
                }
                (segments, Length::Dynamic)
            }
        };
        if at < self.total {
            segments.push(self.crypt(at + self.shift, rest, at));
        }
        segments
    }

    /// Active segments when everything is done.
    pub fn end(&self) -> Vec<Segment> {
        match self.mode {
            Mode::Encrypt => vec![self.crypt(self.shift, Length::Dynamic, 0)],
            _ => vec![Segment::linear(0, Length::Dynamic)],
        }
    }

    fn crypt(&self, offset: u64, size: Length, at: u64) -> Segment {
        Segment::crypt(offset, size, at / 512, self.sector_size)
    }

    fn hot_encrypt(&self, left: u64, chunk: &Chunk) -> Vec<Segment> {
        let mut segments = Vec::new();
        let behind = chunk.at + chunk.length;
        if !chunk.moved {
            segments.push(Segment::linear(self.moved.0, Length::Bytes(self.moved.1)));
            let middle = left - self.moved.1 - chunk.length;
            if middle > 0 {
                segments.push(Segment::linear(self.shift, Length::Bytes(middle)));
            }
        }
        segments.push(self.crypt(chunk.dest, Length::Bytes(chunk.length), chunk.at).flagged("in-reencryption"));
        if behind < self.total {
            segments.push(self.crypt(self.shift + behind, Length::Bytes(self.total - behind), behind));
        }
        segments
    }

    fn hot_decrypt(&self, chunk: &Chunk) -> Vec<Segment> {
        let (_, moved) = self.moved;
        let behind = chunk.at + chunk.length;
        let mut segments = Vec::new();
        if chunk.moved {
            segments.push(Segment::linear(0, Length::Bytes(moved)).flagged("in-reencryption"));
            if self.total > moved {
                segments.push(Segment::linear(moved, Length::Dynamic));
            }
            return segments;
        }
        segments.push(self.crypt(0, Length::Bytes(moved), 0));
        if chunk.at > moved {
            segments.push(Segment::linear(moved, Length::Bytes(chunk.at - moved)));
        }
        segments.push(Segment::linear(chunk.at, Length::Bytes(chunk.length)).flagged("in-reencryption"));
        if behind < self.total {
            segments.push(self.crypt(behind + self.shift, Length::Dynamic, behind));
        }
        segments
    }

    fn layout_in_place(&self, chunk: &Chunk, hot: bool) -> Vec<Segment> {
        let new = |offset: u64, size| match self.mode {
            Mode::Encrypt => self.crypt(offset, size, offset),
            _ => Segment::linear(offset, size),
        };
        let old = |offset: u64| {
            let size = if self.dynamic { Length::Dynamic } else { Length::Bytes(self.total - offset) };
            match self.mode {
                Mode::Encrypt => Segment::linear(offset, size),
                _ => self.crypt(offset, size, offset),
            }
        };
        let behind = chunk.at + chunk.length;
        let mut segments = Vec::new();
        if hot {
            if chunk.at > 0 {
                segments.push(new(0, Length::Bytes(chunk.at)));
            }
            segments.push(new(chunk.at, Length::Bytes(chunk.length)).flagged("in-reencryption"));
        } else {
            segments.push(new(0, if behind < self.total { Length::Bytes(behind) } else { Length::Dynamic }));
        }
        if behind < self.total {
            segments.push(old(behind));
        }
        segments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(geometry: &Geometry) -> Vec<Chunk> {
        let mut at = geometry.start();
        let mut chunks = Vec::new();
        while let Some(chunk) = geometry.next(at, 1 << 20) {
            at = geometry.after(at, &chunk);
            let last = chunk.moved;
            chunks.push(chunk);
            if last {
                break;
            }
        }
        chunks
    }

    /// Every byte once, and no chunk writes over the source of itself or of one that is still to come.
    #[test]
    fn every_byte_is_converted_once_and_no_source_is_lost() {
        const M: u64 = 1 << 20;
        for mode in [Mode::Encrypt, Mode::Decrypt] {
            for total in [M, M + 4096, 2 * M, 2 * M + 512, 3 * M, 5 * M + 8192, 8 * M - 512] {
                let moved = if mode == Mode::Encrypt { (total + M, M.min(total)) } else { (0, M.min(total)) };
                let geometry = Geometry {
                    mode,
                    resilience: Resilience::Shift,
                    shift: M,
                    total,
                    moved,
                    sector_size: 512,
                    dynamic: false,
                };
                let chunks = walk(&geometry);
                let mut covered: Vec<(u64, u64)> = chunks.iter().map(|chunk| (chunk.at, chunk.length)).collect();
                covered.sort_unstable();
                let mut end = 0;
                for (at, length) in covered {
                    assert_eq!(at, end, "{mode:?} {total}");
                    end = at + length;
                }
                assert_eq!(end, total, "{mode:?} {total}");
                for (index, chunk) in chunks.iter().enumerate() {
                    for later in &chunks[index..] {
                        if later.moved && mode == Mode::Decrypt {
                            continue;
                        }
                        let apart =
                            chunk.dest + chunk.length <= later.source || later.source + later.length <= chunk.dest;
                        assert!(apart, "{mode:?} {total}: {chunk:?} overwrites the source of {later:?}");
                    }
                }
            }
        }
    }
}
