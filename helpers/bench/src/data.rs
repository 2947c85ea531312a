//! What is written: made anew for each block, so that no drive finds it again.
//!
//! It has to be made faster than any drive takes it, or it would be measured instead. So each block is another
//! piece of a store of random words, each of them changed by a number that is drawn for the block: no byte of it
//! was there before, and it costs no more than copying it.

/// Of each 4096 bytes of soft data so many are random; the others are zero. Controllers that compress
/// make about a quarter of it.
const RANDOM_OF_SOFT: usize = 1024;
/// So many words of eight bytes are random. A larger store would not stay in the processor's cache.
const WORDS: usize = 1 << 16;
const WORD: usize = size_of::<u64>();

/// Makes what is written.
#[derive(Default)]
pub(crate) struct Noise {
    /// Empty until something is to be written: many measurements only read.
    store: Vec<u64>,
    random: fastrand::Rng,
}

impl Noise {
    /// Fills a block: with data that cannot be compressed, or with soft data that can.
    pub(crate) fn fill(&mut self, block: &mut [u8], soft: bool) {
        if self.store.is_empty() {
            self.store.extend(std::iter::repeat_with(|| self.random.u64(..)).take(WORDS));
        }
        if !soft {
            return self.hard(block);
        }
        for page in block.chunks_mut(4096) {
            let (noise, silence) = page.split_at_mut(RANDOM_OF_SOFT.min(page.len()));
            self.hard(noise);
            silence.fill(0);
        }
    }

    fn hard(&mut self, block: &mut [u8]) {
        for piece in block.chunks_mut(WORDS / 2 * WORD) {
            let change = self.random.u64(..);
            let from = &self.store[self.random.usize(..=WORDS - piece.len().div_ceil(WORD))..];
            let (words, rest) = piece.as_chunks_mut::<WORD>();
            for (place, word) in words.iter_mut().zip(from) {
                *place = (word ^ change).to_ne_bytes();
            }
            let length = rest.len();
            rest.copy_from_slice(&self.random.u64(..).to_ne_bytes()[..length]);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::io::Write;

    use super::*;

    /// What a controller that compresses would make of a few blocks.
    fn packed(soft: bool) -> f64 {
        let mut noise = Noise::default();
        let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        let mut block = vec![0; 1 << 20];
        for _ in 0..3 {
            noise.fill(&mut block, soft);
            packer.write_all(&block).unwrap();
        }
        packer.finish().unwrap().len() as f64 / (3 << 20) as f64
    }

    #[test]
    fn hard_data_cannot_be_packed_and_soft_data_can() {
        assert!(packed(false) >= 1.0);
        assert!(packed(true) < 0.3);
    }

    /// A drive that keeps what is equal once would find nothing, whatever it takes for a piece.
    #[test]
    fn no_piece_comes_twice() {
        let mut noise = Noise::default();
        let (mut seen, mut pieces) = (HashSet::new(), 0);
        for size in [4096, 1 << 20, 4096, 512, 1 << 20] {
            let mut block = vec![0; size];
            noise.fill(&mut block, false);
            pieces += size / 64;
            seen.extend(block.chunks(64).map(<[u8]>::to_vec));
        }
        assert_eq!(seen.len(), pieces);
    }

    #[test]
    fn blocks_of_any_size_are_filled_to_their_end() {
        let mut noise = Noise::default();
        for size in [0, 1, 7, 8, 4095, WORDS * WORD, WORDS * WORD + 3] {
            let mut block = vec![0_u8; size];
            let mut touched = vec![false; size];
            for _ in 0..20 {
                noise.fill(&mut block, false);
                touched.iter_mut().zip(&block).for_each(|(touched, byte)| *touched |= *byte != 0);
            }
            assert!(touched.iter().all(|touched| *touched), "{size}");
        }
    }
}
