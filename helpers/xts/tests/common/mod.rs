//! What more than one test needs.

#![allow(clippy::unwrap_used, reason = "a panic is how a test says what is wrong")]

use aes::cipher::{Array, KeyInit};
use aes::{Aes128, Aes256};
use xts_mode::Xts128;

/// Encrypts with `xts-mode`, whose sectors are numbered by the 512-byte units of plain64 here.
#[allow(dead_code, reason = "not every test that shares this file uses each part of it")]
pub fn encrypt_with_oracle(key: &[u8], data: &mut [u8], first_iv: u64, sector_size: usize) {
    let (data_key, tweak_key) = key.split_at(key.len() / 2);
    for (i, sector) in data.chunks_exact_mut(sector_size).enumerate() {
        let iv = first_iv.wrapping_add((i * sector_size / 512) as u64);
        let tweak = Array(u128::from(iv).to_le_bytes());
        if key.len() == 32 {
            let cipher = |key| Aes128::new_from_slice(key).unwrap();
            Xts128::new(cipher(data_key), cipher(tweak_key)).encrypt_sector(sector, tweak);
        } else {
            let cipher = |key| Aes256::new_from_slice(key).unwrap();
            Xts128::new(cipher(data_key), cipher(tweak_key)).encrypt_sector(sector, tweak);
        }
    }
}

/// Bytes without a pattern, the same for the same seed (xorshift64*).
#[allow(dead_code, reason = "not every test that shares this file uses each part of it")]
pub fn noise(bytes: usize, seed: u64) -> Vec<u8> {
    let mut state = seed | 1;
    let mut next = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d).to_le_bytes()
    };
    let mut noise: Vec<u8> = std::iter::repeat_with(&mut next).take(bytes.div_ceil(8)).flatten().collect();
    noise.truncate(bytes);
    noise
}
