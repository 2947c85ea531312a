//! The kernel for every processor: a batched loop over the `aes` crate, which is constant-time in
//! software too and uses the processor's AES instructions where it knows them.

use aes::cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128Dec, Aes128Enc, Aes256Dec, Aes256Enc, Block};

use crate::KeyError;
use crate::area::{Area, UNIT};

/// Both keys, expanded by the `aes` crate, which clears them when they are dropped.
pub(crate) enum Cipher {
    Aes128 { encrypt: Aes128Enc, decrypt: Aes128Dec, tweak: Aes128Enc },
    Aes256 { encrypt: Aes256Enc, decrypt: Aes256Dec, tweak: Aes256Enc },
}

impl Cipher {
    pub(crate) fn new(key: &[u8]) -> Result<Self, KeyError> {
        let length = |_| KeyError::Length { bytes: key.len() };
        let (data, tweak) = key.split_at(key.len() / 2);
        match key.len() {
            32 => Ok(Self::Aes128 {
                encrypt: Aes128Enc::new_from_slice(data).map_err(length)?,
                decrypt: Aes128Dec::new_from_slice(data).map_err(length)?,
                tweak: Aes128Enc::new_from_slice(tweak).map_err(length)?,
            }),
            64 => Ok(Self::Aes256 {
                encrypt: Aes256Enc::new_from_slice(data).map_err(length)?,
                decrypt: Aes256Dec::new_from_slice(data).map_err(length)?,
                tweak: Aes256Enc::new_from_slice(tweak).map_err(length)?,
            }),
            bytes => Err(KeyError::Length { bytes }),
        }
    }

    pub(crate) fn encrypt(&self, area: Area<'_>) {
        match self {
            Self::Aes128 { encrypt, tweak, .. } => run(area, tweak, |blocks| encrypt.encrypt_blocks(blocks)),
            Self::Aes256 { encrypt, tweak, .. } => run(area, tweak, |blocks| encrypt.encrypt_blocks(blocks)),
        }
    }

    pub(crate) fn decrypt(&self, area: Area<'_>) {
        match self {
            Self::Aes128 { decrypt, tweak, .. } => run(area, tweak, |blocks| decrypt.decrypt_blocks(blocks)),
            Self::Aes256 { decrypt, tweak, .. } => run(area, tweak, |blocks| decrypt.decrypt_blocks(blocks)),
        }
    }
}

/// Sectors whose first tweaks are encrypted together.
const BATCH: usize = 16;

fn run(
    area: Area<'_>,
    tweak_cipher: &impl BlockCipherEncrypt<BlockSize = aes::cipher::consts::U16>,
    transform: impl Fn(&mut [Block]),
) {
    let (mut iv, iv_step, sector_size) = (area.first_iv, area.iv_step(), area.sector_size);
    for batch in area.data.chunks_mut(BATCH * sector_size) {
        let mut tweaks = [Block::default(); BATCH];
        for tweak in &mut tweaks {
            *tweak = Array(u128::from(iv).to_le_bytes());
            iv = iv.wrapping_add(iv_step);
        }
        tweak_cipher.encrypt_blocks(&mut tweaks[..batch.len() / sector_size]);
        for (sector, tweak) in batch.chunks_exact_mut(sector_size).zip(tweaks) {
            run_sector(sector, u128::from_le_bytes(tweak.0), &transform);
        }
    }
}

fn run_sector(sector: &mut [u8], mut tweak: u128, transform: impl Fn(&mut [Block])) {
    for unit in sector.chunks_exact_mut(UNIT) {
        let mut tweaks = [0; UNIT / 16];
        for slot in &mut tweaks {
            *slot = tweak;
            tweak = double(tweak);
        }
        // The remainder is empty: a unit is 32 blocks.
        let (blocks, _) = Array::slice_as_chunks_mut(unit);
        xor(blocks, &tweaks);
        transform(blocks);
        xor(blocks, &tweaks);
    }
}

fn xor(blocks: &mut [Block], tweaks: &[u128]) {
    for (block, tweak) in blocks.iter_mut().zip(tweaks) {
        block.0 = (u128::from_le_bytes(block.0) ^ tweak).to_le_bytes();
    }
}

/// Times x in GF(2^128) modulo x^128 + x^7 + x^2 + x + 1, without a branch on the value
/// (IEEE 1619-2018, 5.2).
fn double(tweak: u128) -> u128 {
    (tweak << 1) ^ (0x87 * (tweak >> 127))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expanded_keys_are_of_types_that_clear_themselves() {
        fn clears<T: zeroize::ZeroizeOnDrop>() {}
        clears::<Aes128Enc>();
        clears::<Aes128Dec>();
        clears::<Aes256Enc>();
        clears::<Aes256Dec>();
    }

    #[test]
    fn doubling_wraps_at_the_polynomial() {
        assert_eq!(double(1), 2);
        assert_eq!(double(1 << 127), 0x87);
        assert_eq!(double(u128::MAX), (u128::MAX << 1) ^ 0x87);
    }
}
