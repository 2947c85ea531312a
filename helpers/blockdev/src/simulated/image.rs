use std::sync::Arc;

use crate::memory::range;
use crate::{Device, Error, Result};

const PAGE: usize = 32 * 1024;

/// The bytes of a device in pages that copies share until one of them writes: thousands of lives of one
/// volume, and the two sides of a cache, cost what they change.
///
/// As a [`Device`] it can only be read.
#[derive(Clone, Debug)]
pub struct Image {
    /// Each of [`PAGE`] bytes; what lies behind `size` in the last one is zero.
    pages: Vec<Arc<[u8]>>,
    size: usize,
}

impl From<&[u8]> for Image {
    fn from(bytes: &[u8]) -> Self {
        let mut pages: Vec<Arc<[u8]>> = bytes.chunks(PAGE).map(Arc::from).collect();
        if let Some(last) = pages.last_mut().filter(|last| last.len() < PAGE) {
            let mut whole = last.to_vec();
            whole.resize(PAGE, 0);
            *last = whole.into();
        }
        Self { pages, size: bytes.len() }
    }
}

impl From<Vec<u8>> for Image {
    fn from(bytes: Vec<u8>) -> Self {
        bytes.as_slice().into()
    }
}

impl PartialEq for Image {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
            && self.pages.iter().zip(&other.pages).all(|(mine, theirs)| Arc::ptr_eq(mine, theirs) || mine == theirs)
    }
}

impl PartialEq<[u8]> for Image {
    fn eq(&self, bytes: &[u8]) -> bool {
        self.size == bytes.len() && self.begins_with(bytes)
    }
}

impl Image {
    /// Bytes of it.
    pub const fn len(&self) -> usize {
        self.size
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Whether its first bytes are these.
    pub fn begins_with(&self, bytes: &[u8]) -> bool {
        bytes.len() <= self.size
            && bytes.chunks(PAGE).zip(&self.pages).all(|(wanted, page)| wanted == &page[..wanted.len()])
    }

    /// All bytes in one piece.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut bytes = self.pages.concat();
        bytes.truncate(self.size);
        bytes
    }

    /// Grows with zeros, or cuts.
    pub fn set_len(&mut self, size: usize) {
        let pages = size.div_ceil(PAGE);
        if size < self.size && !size.is_multiple_of(PAGE) {
            Arc::make_mut(&mut self.pages[pages - 1])[size % PAGE..].fill(0);
        }
        if pages > self.pages.len() {
            let zeros: Arc<[u8]> = vec![0; PAGE].into();
            self.pages.resize(pages, zeros);
        }
        self.pages.truncate(pages);
        self.size = size;
    }

    /// Changes bytes; the range lies within it.
    pub(super) fn write(&mut self, offset: usize, data: &[u8]) {
        for (index, within, piece) in pieces(offset, data.len()) {
            let page = &mut self.pages[index];
            if piece.len() == PAGE && Arc::get_mut(page).is_none() {
                // A whole page needs no copy of what was in it.
                *page = data[piece].into();
            } else {
                Arc::make_mut(page)[within..within + piece.len()].copy_from_slice(&data[piece]);
            }
        }
    }

    /// Fills the buffer; the range lies within it.
    pub(super) fn read(&self, offset: usize, buffer: &mut [u8]) {
        for (index, within, piece) in pieces(offset, buffer.len()) {
            let length = piece.len();
            buffer[piece].copy_from_slice(&self.pages[index][within..within + length]);
        }
    }
}

/// The pages that a range touches: which page, where in it, and which part of the range.
fn pieces(offset: usize, length: usize) -> impl Iterator<Item = (usize, usize, std::ops::Range<usize>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at == length {
            return None;
        }
        let (index, within) = ((offset + at) / PAGE, (offset + at) % PAGE);
        let piece = at..length.min(at + PAGE - within);
        at = piece.end;
        Some((index, within, piece))
    })
}

impl Device for Image {
    fn size(&self) -> u64 {
        self.size as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let range = range(offset, buffer.len(), self.size as u64)?;
        self.read(range.start, buffer);
        Ok(())
    }

    fn write_at(&self, _: u64, _: &[u8]) -> Result<()> {
        Err(Error::ReadOnly { path: String::new() })
    }

    fn flush(&self) -> Result<()> {
        Ok(())
    }

    fn resize(&self, _: u64) -> Result<()> {
        Err(Error::FixedSize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulated::Dice;

    #[test]
    fn is_a_vector_of_bytes() {
        let mut dice = Dice::new(1);
        let mut plain: Vec<u8> = (0..3 * PAGE + 100).map(|_| dice.roll().to_le_bytes()[0]).collect();
        let mut image = Image::from(plain.clone());
        for round in 0..2000 {
            let before = (image.clone(), plain.clone());
            if dice.below(10) == 0 {
                let size = usize::try_from(dice.below(5 * PAGE as u64)).unwrap();
                image.set_len(size);
                plain.resize(size, 0);
            } else if !plain.is_empty() {
                let offset = usize::try_from(dice.below(plain.len() as u64)).unwrap();
                let length = usize::try_from(dice.below((plain.len() - offset) as u64 + 1)).unwrap();
                let data = vec![dice.roll().to_le_bytes()[3]; length];
                image.write(offset, &data);
                plain[offset..offset + length].copy_from_slice(&data);
                assert_eq!(image.read_vec(offset as u64, length).unwrap(), data);
            }
            assert!(image == *plain.as_slice() && image.to_vec() == plain && image == Image::from(plain.clone()));
            assert!(before.0 == *before.1.as_slice(), "{round}: a copy changed with it");
        }
    }
}
