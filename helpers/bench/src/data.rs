//! What is written: made anew for each block, so that no drive finds it again.

/// Of each 4096 bytes of soft data so many are random; the others are zero. Controllers that compress
/// make about a quarter of it.
const RANDOM_OF_SOFT: usize = 1024;

/// Fills a block: with data that cannot be compressed, or with soft data that can.
pub(crate) fn fill(block: &mut [u8], soft: bool, random: &mut fastrand::Rng) {
    if !soft {
        return random.fill(block);
    }
    for page in block.chunks_mut(4096) {
        let (noise, silence) = page.split_at_mut(RANDOM_OF_SOFT.min(page.len()));
        random.fill(noise);
        silence.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// What a controller that compresses would make of it.
    fn packed(soft: bool) -> usize {
        let mut block = vec![0; 1 << 20];
        fill(&mut block, soft, &mut fastrand::Rng::new());
        let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&block).unwrap();
        packer.finish().unwrap().len()
    }

    #[test]
    fn hard_data_cannot_be_packed_and_soft_data_can() {
        assert!(packed(false) >= 1 << 20);
        assert!(packed(true) < (1 << 20) * 3 / 10);
    }
}
