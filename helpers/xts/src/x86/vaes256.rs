//! VAES with 256-bit registers: sixteen blocks at once.

// Loops by index: an iterator over two arrays in step, or a part of one, is not always unrolled, and
// then the registers are kept in memory, at a third of the speed.
#![allow(clippy::needless_range_loop)]

use std::arch::x86_64::*;

use super::vector;
use crate::area::UNIT;
use crate::in_step::in_step;
use crate::schedule::ROUND_KEYS;

/// Registers in flight, with two blocks in each: half a unit.
const LANES: usize = 8;

/// Encrypts or decrypts each unit with the tweak of its first block.
#[target_feature(enable = "avx2,vaes,vpclmulqdq")]
pub(super) fn units<const ROUNDS: usize, const DECRYPT: bool>(
    keys: &[u128; ROUND_KEYS],
    tweaks: &[u128],
    units: &mut [[u8; UNIT]],
) {
    let mut first = [_mm256_setzero_si256(); LANES];
    let mut second = first;
    let tweak = broadcast(tweaks.first().copied().unwrap_or(0));
    for i in 0..LANES {
        first[i] = of_first_half(i, tweak, &first);
    }
    for (i, unit) in units.iter_mut().enumerate() {
        let (halves, _) = unit.as_chunks_mut::<{ 32 * LANES }>();
        half::<ROUNDS, DECRYPT, true>(keys, &first, &mut halves[0], _mm256_setzero_si256(), &mut second);
        let tweak = broadcast(tweaks.get(i + 1).copied().unwrap_or(0));
        half::<ROUNDS, DECRYPT, false>(keys, &second, &mut halves[1], tweak, &mut first);
    }
}

/// Sixteen blocks with their tweaks; and, a register a round, the tweaks of the sixteen after them,
/// which have to be there when these blocks are done, or the processor waits for them. They belong
/// to the same unit if `FIRST`, else to the next one, whose first tweak is `next_unit`.
#[inline]
#[target_feature(enable = "avx2,vaes,vpclmulqdq")]
fn half<const ROUNDS: usize, const DECRYPT: bool, const FIRST: bool>(
    keys: &[u128; ROUND_KEYS],
    tweaks: &[__m256i; LANES],
    blocks: &mut [u8; 32 * LANES],
    next_unit: __m256i,
    next: &mut [__m256i; LANES],
) {
    // There are too few registers for the keys. Without this the compiler copies them to the stack.
    let keys = std::hint::black_box(keys);
    let (blocks, _) = blocks.as_chunks_mut::<32>();
    let key = broadcast(keys[0]);
    let mut x = [_mm256_setzero_si256(); LANES];
    for i in 0..LANES {
        x[i] = _mm256_xor_si256(_mm256_xor_si256(load(&blocks[i]), key), tweaks[i]);
    }
    for round in 1..ROUNDS {
        let key = broadcast(keys[round]);
        if round <= LANES {
            let i = round - 1;
            next[i] = if FIRST { shift_bytes::<2, 14>(tweaks[i]) } else { of_first_half(i, next_unit, next) };
            in_step!(ymm_reg: x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], next[i]);
        } else {
            in_step!(ymm_reg: x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
        }
        for i in 0..LANES {
            x[i] = if DECRYPT { _mm256_aesdec_epi128(x[i], key) } else { _mm256_aesenc_epi128(x[i], key) };
        }
    }
    let key = broadcast(keys[ROUNDS]);
    for i in 0..LANES {
        let key = _mm256_xor_si256(key, tweaks[i]);
        x[i] = if DECRYPT { _mm256_aesdeclast_epi128(x[i], key) } else { _mm256_aesenclast_epi128(x[i], key) };
        store(&mut blocks[i], x[i]);
    }
}

/// The tweaks of register `i` in the first half of a unit, from the tweak of its first block and those
/// of the registers before.
#[inline]
#[target_feature(enable = "avx2,vpclmulqdq")]
fn of_first_half(i: usize, first: __m256i, before: &[__m256i; LANES]) -> __m256i {
    match i {
        0 => shift_bits(first, 0),
        1 => shift_bits(first, 2),
        2 => shift_bits(first, 4),
        3 => shift_bits(first, 6),
        _ => shift_bytes::<1, 15>(before[i - 4]),
    }
}

/// Times x^left in the lower half and x^(left + 1) in the upper one, in GF(2^128), for `left` below 63.
#[inline]
#[target_feature(enable = "avx2,vpclmulqdq")]
fn shift_bits(tweak: __m256i, left: i64) -> __m256i {
    let lefts = _mm256_setr_epi64x(left, left, left + 1, left + 1);
    let rights = _mm256_sub_epi64(_mm256_set1_epi64x(64), lefts);
    // A shift by 64 gives zero.
    let carried = _mm256_srlv_epi64(tweak, rights);
    let over = _mm256_clmulepi64_epi128::<0x01>(carried, polynomial());
    let shifted = _mm256_xor_si256(_mm256_sllv_epi64(tweak, lefts), _mm256_bslli_epi128::<8>(carried));
    _mm256_xor_si256(shifted, over)
}

/// Times x^(8 LEFT) in GF(2^128), for LEFT up to 8; RIGHT is 16 - LEFT.
#[inline]
#[target_feature(enable = "avx2,vpclmulqdq")]
fn shift_bytes<const LEFT: i32, const RIGHT: i32>(tweak: __m256i) -> __m256i {
    let over = _mm256_clmulepi64_epi128::<0x00>(_mm256_bsrli_epi128::<RIGHT>(tweak), polynomial());
    _mm256_xor_si256(_mm256_bslli_epi128::<LEFT>(tweak), over)
}

/// What x^128 is equal to: x^7 + x^2 + x + 1.
#[inline]
#[target_feature(enable = "avx2")]
fn polynomial() -> __m256i {
    broadcast(0x87)
}

#[inline]
#[target_feature(enable = "avx2")]
fn broadcast(block: u128) -> __m256i {
    _mm256_broadcastsi128_si256(vector(block))
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the reference is good for 32 bytes, and this load asks for no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(bytes: &mut [u8; 32], value: __m256i) {
    // SAFETY: the reference is good for 32 bytes, and this store asks for no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), value) }
}
