//! The kernel for 64-bit ARM: the AES and polynomial multiplication instructions of ARMv8, eight
//! blocks at once.

// Loops by index: an iterator over two arrays in step, or a part of one, is not always unrolled, and
// then the registers are kept in memory, at a third of the speed.
#![allow(clippy::needless_range_loop)]
// The text of `in_step!` is a comment, whatever a register is called in it.
#![allow(asm_sub_register)]

use std::arch::aarch64::*;
use std::arch::is_aarch64_feature_detected;

use crate::area::{Area, UNIT};
use crate::in_step::in_step;
use crate::schedule::{KeySize, ROUND_KEYS, Schedules, Steps};
use crate::{Kernel, KeyError};

/// Both keys, for the kernel of this module.
pub(crate) struct Cipher {
    schedules: Box<Schedules>,
}

impl Cipher {
    /// `proof` says that this processor can run it.
    pub(crate) fn new(key: &[u8], proof: Crypto) -> Result<Box<Self>, KeyError> {
        Ok(Box::new(Self { schedules: Schedules::new(key, &proof)? }))
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
            // SAFETY: a `Cipher` is made from the proof that this processor has the instructions.
            unsafe {
                first_tweaks::<ROUNDS>(&self.schedules.tweak, tweaks, units_a_sector);
                self::units::<ROUNDS, DECRYPT>(keys, tweaks, units);
            }
        });
    }
}

/// Proof that this processor has the instructions of the kernel.
#[derive(Clone, Copy)]
pub(crate) struct Crypto(());

impl Crypto {
    /// Nothing if `kernel` is another one, or the processor is without what it needs.
    pub(crate) fn detect(kernel: Kernel) -> Option<Self> {
        let found = is_aarch64_feature_detected!("aes") && is_aarch64_feature_detected!("pmull");
        (kernel == Kernel::ArmCrypto && found).then_some(Self(()))
    }
}

impl Steps for Crypto {
    fn sub_word(&self, word: u32) -> u32 {
        // SAFETY: a `Crypto` exists only where the AES instructions are.
        unsafe { sub_word(word) }
    }

    fn inverse_mix_columns(&self, round_key: u128) -> u128 {
        // SAFETY: a `Crypto` exists only where the AES instructions are.
        unsafe { inverse_mix_columns(round_key) }
    }
}

/// The first half of a round of AES, with a key of zeros, is SubBytes and ShiftRows; the latter changes
/// nothing where the four columns are equal.
#[target_feature(enable = "neon,aes")]
fn sub_word(word: u32) -> u32 {
    let columns = vreinterpretq_u8_u32(vdupq_n_u32(word));
    vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vaeseq_u8(columns, vdupq_n_u8(0))))
}

#[target_feature(enable = "neon,aes")]
fn inverse_mix_columns(round_key: u128) -> u128 {
    number(vaesimcq_u8(vector(round_key)))
}

/// Sectors whose IVs are encrypted together. Few, since a call often has no more of them.
const SECTORS: usize = 4;

/// Turns the IV at the start of each sector's share of `tweaks` into the sector's tweak, and derives
/// the first tweaks of the sector's other units from it.
#[target_feature(enable = "neon,aes")]
fn first_tweaks<const ROUNDS: usize>(keys: &[u128; ROUND_KEYS], tweaks: &mut [u128], units_a_sector: usize) {
    for sectors in tweaks.chunks_mut(SECTORS * units_a_sector) {
        let mut x = [vector(0); SECTORS];
        for (x, sector) in x.iter_mut().zip(sectors.chunks_exact(units_a_sector)) {
            *x = vector(sector[0]);
        }
        for key in &keys[..ROUNDS - 1] {
            in_step!(vreg: x[0], x[1], x[2], x[3]);
            for x in &mut x {
                *x = vaesmcq_u8(vaeseq_u8(*x, vector(*key)));
            }
        }
        for (x, sector) in x.into_iter().zip(sectors.chunks_exact_mut(units_a_sector)) {
            let x = vaeseq_u8(x, vector(keys[ROUNDS - 1]));
            let mut tweak = veorq_u8(x, vector(keys[ROUNDS]));
            for slot in sector {
                *slot = number(tweak);
                // A unit is 32 blocks: times x^32.
                tweak = shift_bytes::<12>(tweak);
            }
        }
    }
}

/// Blocks in flight: a quarter of a unit.
const LANES: usize = 8;

/// Encrypts or decrypts each unit with the tweak of its first block.
#[target_feature(enable = "neon,aes")]
fn units<const ROUNDS: usize, const DECRYPT: bool>(
    keys: &[u128; ROUND_KEYS],
    tweaks: &[u128],
    units: &mut [[u8; UNIT]],
) {
    let mut next = first_quarter(tweaks.first());
    for (i, unit) in units.iter_mut().enumerate() {
        let (quarters, _) = unit.as_chunks_mut::<{ 16 * LANES }>();
        for quarter in &mut quarters[..3] {
            let current = next;
            for tweak in &mut next {
                // Eight blocks on: times x^8.
                *tweak = shift_bytes::<15>(*tweak);
            }
            self::quarter::<ROUNDS, DECRYPT>(keys, current, quarter, &mut next);
        }
        let current = next;
        next = first_quarter(tweaks.get(i + 1));
        quarter::<ROUNDS, DECRYPT>(keys, current, &mut quarters[3], &mut next);
    }
}

/// Eight blocks with their tweaks. `next`, the tweaks of the blocks after them, is only held in its
/// place here: it has to be there when these blocks are done, or the processor waits for it.
#[inline]
#[target_feature(enable = "neon,aes")]
fn quarter<const ROUNDS: usize, const DECRYPT: bool>(
    keys: &[u128; ROUND_KEYS],
    tweaks: [uint8x16_t; LANES],
    blocks: &mut [u8; 16 * LANES],
    next: &mut [uint8x16_t; LANES],
) {
    let (blocks, _) = blocks.as_chunks_mut::<16>();
    let mut x = [vector(0); LANES];
    for i in 0..LANES {
        x[i] = veorq_u8(vector(u128::from_le_bytes(blocks[i])), tweaks[i]);
    }
    for round in 0..ROUNDS - 1 {
        let key = vector(keys[round]);
        in_step!(vreg: x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
        if round == 1 {
            in_step!(vreg: x[0], next[0], next[1], next[2], next[3], next[4], next[5], next[6], next[7]);
        }
        for x in &mut x {
            // Written as a pair: processors run it as one instruction.
            *x = if DECRYPT { vaesimcq_u8(vaesdq_u8(*x, key)) } else { vaesmcq_u8(vaeseq_u8(*x, key)) };
        }
    }
    let key = vector(keys[ROUNDS - 1]);
    let last_key = vector(keys[ROUNDS]);
    for i in 0..LANES {
        x[i] = if DECRYPT { vaesdq_u8(x[i], key) } else { vaeseq_u8(x[i], key) };
        blocks[i] = number(veorq_u8(x[i], veorq_u8(last_key, tweaks[i]))).to_le_bytes();
    }
}

/// The tweaks of the first eight blocks of a unit, from that of its first block.
#[inline]
#[target_feature(enable = "neon,aes")]
fn first_quarter(tweak: Option<&u128>) -> [uint8x16_t; LANES] {
    let first = vector(tweak.copied().unwrap_or(0));
    [
        first,
        shift_bits::<1, 63>(first),
        shift_bits::<2, 62>(first),
        shift_bits::<3, 61>(first),
        shift_bits::<4, 60>(first),
        shift_bits::<5, 59>(first),
        shift_bits::<6, 58>(first),
        shift_bits::<7, 57>(first),
    ]
}

/// Times x^LEFT in GF(2^128), for LEFT below 64; RIGHT is 64 - LEFT.
#[inline]
#[target_feature(enable = "neon,aes")]
fn shift_bits<const LEFT: i32, const RIGHT: i32>(tweak: uint8x16_t) -> uint8x16_t {
    let tweak = vreinterpretq_u64_u8(tweak);
    let carried = vshrq_n_u64::<RIGHT>(tweak);
    let over = vmull_high_p64(vreinterpretq_p64_u64(carried), vreinterpretq_p64_u64(polynomial()));
    let carried_up = vextq_u64::<1>(vdupq_n_u64(0), carried);
    let shifted = veorq_u64(vshlq_n_u64::<LEFT>(tweak), carried_up);
    veorq_u8(vreinterpretq_u8_u64(shifted), vreinterpretq_u8_p128(over))
}

/// Times x^(8 (16 - KEPT)) in GF(2^128), for KEPT from 8: so many bytes stay.
#[inline]
#[target_feature(enable = "neon,aes")]
fn shift_bytes<const KEPT: i32>(tweak: uint8x16_t) -> uint8x16_t {
    let zero = vdupq_n_u8(0);
    // What falls out at the top, in the upper half.
    let over = vextq_u8::<8>(zero, vextq_u8::<KEPT>(tweak, zero));
    let over = vmull_high_p64(vreinterpretq_p64_u8(over), vreinterpretq_p64_u64(polynomial()));
    veorq_u8(vextq_u8::<KEPT>(zero, tweak), vreinterpretq_u8_p128(over))
}

/// What x^128 is equal to, x^7 + x^2 + x + 1, in both halves.
#[inline]
#[target_feature(enable = "neon")]
fn polynomial() -> uint64x2_t {
    vdupq_n_u64(0x87)
}

fn vector(number: u128) -> uint8x16_t {
    // SAFETY: both are 16 bytes, and each pattern of them is a value of either.
    unsafe { std::mem::transmute(number) }
}

fn number(vector: uint8x16_t) -> u128 {
    // SAFETY: both are 16 bytes, and each pattern of them is a value of either.
    unsafe { std::mem::transmute(vector) }
}
