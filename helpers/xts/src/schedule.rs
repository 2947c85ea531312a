use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::KeyError;

/// The round keys of both halves of an XTS key, ready for the AES instructions of a processor.
///
/// A round key is its 16 bytes read as a little-endian number: as they lie in memory.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(crate) struct Schedules {
    /// Of the key for blocks, to encrypt.
    pub(crate) encrypt: [u128; ROUND_KEYS],
    /// Of the key for blocks, to decrypt with the equivalent inverse cipher (FIPS 197, 5.3.5).
    pub(crate) decrypt: [u128; ROUND_KEYS],
    /// Of the key for tweaks, which are always encrypted.
    pub(crate) tweak: [u128; ROUND_KEYS],
    /// The length of both keys.
    #[zeroize(skip)]
    pub(crate) size: KeySize,
}

/// Round keys of AES-256, in the order of their use. AES-128 uses the first 11 places.
pub(crate) const ROUND_KEYS: usize = 15;

/// Which AES it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeySize {
    /// 10 rounds.
    Aes128,
    /// 14 rounds.
    Aes256,
}

/// The two steps of key expansion for which a processor has an instruction, and which would need
/// a table without it.
pub(crate) trait Steps {
    /// SubWord of FIPS 197, 5.2: the S-box on each byte.
    fn sub_word(&self, word: u32) -> u32;
    /// InvMixColumns of FIPS 197, 5.3.3.
    fn inverse_mix_columns(&self, round_key: u128) -> u128;
}

impl Schedules {
    /// Expands both halves of an XTS key of 32 or 64 bytes.
    pub(crate) fn new(key: &[u8], steps: &impl Steps) -> Result<Box<Self>, KeyError> {
        let size = match key.len() {
            32 => KeySize::Aes128,
            64 => KeySize::Aes256,
            bytes => return Err(KeyError::Length { bytes }),
        };
        let (data, tweak) = key.split_at(key.len() / 2);
        // Filled in place: a value that is built first and moved to the heap leaves a copy behind.
        let mut schedules =
            Box::new(Self { encrypt: [0; ROUND_KEYS], decrypt: [0; ROUND_KEYS], tweak: [0; ROUND_KEYS], size });
        expand(data, steps, &mut schedules.encrypt);
        expand(tweak, steps, &mut schedules.tweak);
        let rounds = size.rounds();
        for round in 0..=rounds {
            let round_key = schedules.encrypt[rounds - round];
            let outer = round == 0 || round == rounds;
            schedules.decrypt[round] = if outer { round_key } else { steps.inverse_mix_columns(round_key) };
        }
        Ok(schedules)
    }
}

impl KeySize {
    const fn rounds(self) -> usize {
        match self {
            Self::Aes128 => 10,
            Self::Aes256 => 14,
        }
    }
}

/// KeyExpansion of FIPS 197, 5.2, for a key of 16 or 32 bytes. The words are little-endian, so that
/// RotWord turns to the right and the round constant lies in the lowest byte.
fn expand(key: &[u8], steps: &impl Steps, round_keys: &mut [u128; ROUND_KEYS]) {
    let mut words = Zeroizing::new([0_u32; 60]);
    let (key_words, _) = key.as_chunks::<4>();
    for (word, bytes) in words.iter_mut().zip(key_words) {
        *word = u32::from_le_bytes(*bytes);
    }
    let mut round_constant = 1_u32;
    for i in key_words.len()..words.len() {
        let mut word = words[i - 1];
        if i.is_multiple_of(key_words.len()) {
            word = steps.sub_word(word.rotate_right(8)) ^ round_constant;
            // Times x in GF(2^8); the constants are public.
            round_constant = (round_constant << 1) ^ (0x11b * (round_constant >> 7));
        } else if key_words.len() == 8 && i % 8 == 4 {
            word = steps.sub_word(word);
        }
        words[i] = words[i - key_words.len()] ^ word;
    }
    for (round_key, [a, b, c, d]) in round_keys.iter_mut().zip(words.as_chunks::<4>().0) {
        *round_key = u128::from(*a) | u128::from(*b) << 32 | u128::from(*c) << 64 | u128::from(*d) << 96;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expanded_keys_are_of_a_type_that_clears_itself() {
        fn clears<T: ZeroizeOnDrop>() {}
        clears::<Schedules>();
    }
}
