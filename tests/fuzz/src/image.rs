use blockdev::{Device, Error, Result};

use crate::script::Script;

/// A large device of which little is not zero, as an input: its size, then pieces. It cannot be written to.
///
/// Input: flags (8 bits), size in bytes (32 bits, little-endian), then pieces, a later one over an
/// earlier: kind (8 bits: even, bytes; odd, one byte repeated), offset (32), length (16), the bytes or
/// the byte.
pub(crate) struct Image {
    /// What the target makes of it; bit 0: checksums are put right.
    pub flags: u8,
    size: u64,
    pieces: Vec<Piece>,
}

enum Piece {
    Bytes(u64, Vec<u8>),
    Fill(u64, u64, u8),
}

/// Nothing here is so large that looking at every block of it takes long.
const LARGEST: u32 = 512 << 20;
/// Longer runs of an image (tables of upper-case letters) are left out of a seed.
const LONGEST: usize = 24 << 10;

impl Image {
    /// From an input.
    pub fn read(data: &[u8]) -> Self {
        let mut script = Script::new(data);
        let flags = script.u8();
        let size = u64::from(script.u32() % LARGEST);
        let mut pieces = Vec::new();
        while !script.is_empty() && pieces.len() < 4096 {
            let (kind, offset, length) = (script.u8(), u64::from(script.u32()), script.u16());
            pieces.push(if kind.is_multiple_of(2) {
                Piece::Bytes(offset, script.bytes(length.into()).to_vec())
            } else {
                Piece::Fill(offset, length.into(), script.u8())
            });
        }
        Self { flags, size, pieces }
    }

    /// The input that gives these bytes, without the longest runs.
    pub fn seed(flags: u8, bytes: &[u8], size: u64) -> Vec<u8> {
        let mut seed = vec![flags];
        seed.extend(u32::try_from(size).unwrap_or(LARGEST - 1).min(LARGEST - 1).to_le_bytes());
        let mut at = 0;
        while let Some(start) = bytes[at..].iter().position(|byte| *byte != 0).map(|zeros| at + zeros) {
            let repeated = bytes[start..].iter().take_while(|byte| **byte == bytes[start]).count();
            if repeated >= 64 {
                for (place, length) in pieces_of(start, repeated) {
                    head(&mut seed, 1, place, length);
                    seed.push(bytes[start]);
                }
                at = start + repeated;
                continue;
            }
            let end = end_of_run(bytes, start);
            if end - start <= LONGEST {
                for (place, length) in pieces_of(start, end - start) {
                    head(&mut seed, 0, place, length);
                    seed.extend(&bytes[place..place + length]);
                }
            }
            at = end;
        }
        seed
    }

    /// Puts these bytes over what is there.
    pub fn put(&mut self, offset: u64, bytes: &[u8]) {
        self.pieces.push(Piece::Bytes(offset, bytes.to_vec()));
    }

    /// The bytes at a place; `None` past the end.
    pub fn get(&self, offset: u64, length: usize) -> Option<Vec<u8>> {
        self.read_vec(offset, length).ok()
    }
}

/// A run ends where 16 zeros begin, or 64 of the same byte.
fn end_of_run(bytes: &[u8], start: usize) -> usize {
    let (mut end, mut same) = (start, 0);
    while end < bytes.len() {
        same = if end > start && bytes[end] == bytes[end - 1] { same + 1 } else { 1 };
        if bytes[end] == 0 && same == 16 {
            return end - 15;
        }
        if same == 64 {
            return end - 63;
        }
        end += 1;
    }
    end
}

fn pieces_of(start: usize, length: usize) -> impl Iterator<Item = (usize, usize)> {
    const MOST: usize = 0xffff;
    (0..length).step_by(MOST).map(move |done| (start + done, MOST.min(length - done)))
}

fn head(seed: &mut Vec<u8>, kind: u8, place: usize, length: usize) {
    seed.push(kind);
    seed.extend(u32::try_from(place).unwrap_or(u32::MAX).to_le_bytes());
    seed.extend(u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes());
}

impl Device for Image {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let length = buffer.len() as u64;
        let end = offset.checked_add(length).filter(|end| *end <= self.size);
        let Some(end) = end else { return Err(Error::OutOfRange { offset, length, size: self.size }) };
        buffer.fill(0);
        let within = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
        for piece in &self.pieces {
            let (start, count) = match piece {
                Piece::Bytes(start, bytes) => (*start, bytes.len() as u64),
                Piece::Fill(start, count, _) => (*start, *count),
            };
            let (from, to) = (start.max(offset), (start + count).min(end));
            if from >= to {
                continue;
            }
            let target = &mut buffer[within(from - offset)..within(to - offset)];
            match piece {
                Piece::Bytes(_, bytes) => target.copy_from_slice(&bytes[within(from - start)..within(to - start)]),
                Piece::Fill(_, _, byte) => target.fill(*byte),
            }
        }
        Ok(())
    }

    fn write_at(&self, offset: u64, _: &[u8]) -> Result<()> {
        panic!("written to at {offset}")
    }

    fn flush(&self) -> Result<()> {
        panic!("flushed")
    }

    fn resize(&self, _: u64) -> Result<()> {
        panic!("resized")
    }
}
