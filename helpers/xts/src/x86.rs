//! The kernels for x86-64.

mod aesni;
mod vaes256;
mod vaes512;

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{
    __cpuid, __m128i, _mm_aesenclast_si128, _mm_aesimc_si128, _mm_cvtsi128_si32, _mm_set1_epi32, _mm_setzero_si128,
};

use crate::area::Area;
use crate::schedule::{KeySize, ROUND_KEYS, Schedules, Steps};
use crate::{Kernel, KeyError};

/// Both keys, for one of the kernels of this module.
pub(crate) struct Cipher {
    level: Level,
    schedules: Box<Schedules>,
}

impl Cipher {
    pub(crate) fn new(key: &[u8], level: Level) -> Result<Box<Self>, KeyError> {
        Ok(Box::new(Self { level, schedules: Schedules::new(key, &level)? }))
    }

    pub(crate) fn encrypt(&self, area: Area<'_>) {
        match self.schedules.size {
            KeySize::Aes128 => self.run::<10, false>(area, &self.schedules.encrypt),
            KeySize::Aes256 => self.run::<14, false>(area, &self.schedules.encrypt),
        }
    }

    pub(crate) fn decrypt(&self, area: Area<'_>) {
        match self.schedules.size {
            KeySize::Aes128 => self.run::<10, true>(area, &self.schedules.decrypt),
            KeySize::Aes256 => self.run::<14, true>(area, &self.schedules.decrypt),
        }
    }

    fn run<const ROUNDS: usize, const DECRYPT: bool>(&self, area: Area<'_>, keys: &[u128; ROUND_KEYS]) {
        area.in_batches(|units, tweaks, units_a_sector| {
            // SAFETY: `Level` exists only for instructions that were found on this processor, and
            // the features that these functions are compiled for are those that it looks for.
            unsafe {
                aesni::first_tweaks::<ROUNDS>(&self.schedules.tweak, tweaks, units_a_sector);
                match self.level.0 {
                    Width::Bits128 => aesni::units::<ROUNDS, DECRYPT>(keys, tweaks, units),
                    Width::Bits256 => vaes256::units::<ROUNDS, DECRYPT>(keys, tweaks, units),
                    Width::Bits512 => vaes512::units::<ROUNDS, DECRYPT>(keys, tweaks, units),
                }
            }
        });
    }
}

/// Proof that this processor has the instructions of a kernel.
#[derive(Clone, Copy)]
pub(crate) struct Level(Width);

#[derive(Clone, Copy)]
enum Width {
    Bits128,
    Bits256,
    Bits512,
}

impl Level {
    /// Nothing if `kernel` is not of this module, or the processor or the system is without what it
    /// needs (the macro also asks whether the system saves the wide registers).
    pub(crate) fn detect(kernel: Kernel) -> Option<Self> {
        let bits_128 = is_x86_feature_detected!("aes") && is_x86_feature_detected!("pclmulqdq");
        let bits_256 = bits_128
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("vaes")
            && is_x86_feature_detected!("vpclmulqdq");
        let bits_512 = bits_256 && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        match kernel {
            Kernel::AesNi if bits_128 => Some(Self(Width::Bits128)),
            Kernel::Vaes256 if bits_256 => Some(Self(Width::Bits256)),
            Kernel::Vaes512 if bits_512 => Some(Self(Width::Bits512)),
            _ => None,
        }
    }
}

impl Steps for Level {
    fn sub_word(&self, word: u32) -> u32 {
        // SAFETY: every `Level` has AES-NI.
        unsafe { sub_word(word) }
    }

    fn inverse_mix_columns(&self, round_key: u128) -> u128 {
        // SAFETY: every `Level` has AES-NI.
        unsafe { inverse_mix_columns(round_key) }
    }
}

/// The last round of AES without a key is SubBytes and ShiftRows; the latter changes nothing where
/// the four columns are equal.
#[target_feature(enable = "aes")]
fn sub_word(word: u32) -> u32 {
    let columns = _mm_set1_epi32(word.cast_signed());
    _mm_cvtsi128_si32(_mm_aesenclast_si128(columns, _mm_setzero_si128())).cast_unsigned()
}

#[target_feature(enable = "aes")]
fn inverse_mix_columns(round_key: u128) -> u128 {
    number(_mm_aesimc_si128(vector(round_key)))
}

fn vector(number: u128) -> __m128i {
    // SAFETY: both are 16 bytes, and each pattern of them is a value of either.
    unsafe { std::mem::transmute(number) }
}

fn number(vector: __m128i) -> u128 {
    // SAFETY: both are 16 bytes, and each pattern of them is a value of either.
    unsafe { std::mem::transmute(vector) }
}

/// Whether this is an Intel core of the Skylake to Tiger Lake line, which runs everything slower
/// for a while after 512-bit instructions. Linux keeps the same list for its own AES-XTS
/// (`zmm_exclusion_list` in `arch/x86/crypto/aesni-intel_glue.c`).
pub(crate) fn lowers_clock_for_512_bits() -> bool {
    const FAMILY_6: u32 = 6;
    // Skylake-X, Ice Lake (X, D, client, low power, NNPI), Tiger Lake (low power, client).
    const MODELS: [u32; 8] = [0x55, 0x6a, 0x6c, 0x7d, 0x7e, 0x9d, 0x8c, 0x8d];

    let vendor = __cpuid(0);
    let is_intel = (vendor.ebx, vendor.edx, vendor.ecx)
        == (u32::from_le_bytes(*b"Genu"), u32::from_le_bytes(*b"ineI"), u32::from_le_bytes(*b"ntel"));
    let signature = __cpuid(1).eax;
    let family = (signature >> 8) & 0xf;
    let model = ((signature >> 4) & 0xf) | ((signature >> 12) & 0xf0);
    is_intel && family == FAMILY_6 && MODELS.contains(&model)
}
