//! AES-NI: eight blocks of 128 bits at once, and the tweaks of units for every kernel of x86-64.

// Loops by index: an iterator over two arrays in step, or a part of one, is not always unrolled, and
// then the registers are kept in memory, at a third of the speed.
#![allow(clippy::needless_range_loop)]

use std::arch::x86_64::*;

use super::{number, vector};
use crate::area::UNIT;
use crate::in_step::in_step;
use crate::schedule::ROUND_KEYS;

/// Blocks in flight: a quarter of a unit.
const LANES: usize = 8;

/// Sectors whose IVs are encrypted together. Few, since a call often has no more of them.
const SECTORS: usize = 4;

/// Turns the IV at the start of each sector's share of `tweaks` into the sector's tweak, and derives
/// the first tweaks of the sector's other units from it.
#[target_feature(enable = "aes,pclmulqdq")]
pub(super) fn first_tweaks<const ROUNDS: usize>(keys: &[u128; ROUND_KEYS], tweaks: &mut [u128], units_a_sector: usize) {
    for sectors in tweaks.chunks_mut(SECTORS * units_a_sector) {
        let keys = std::hint::black_box(keys);
        let mut x = [_mm_setzero_si128(); SECTORS];
        for (x, sector) in x.iter_mut().zip(sectors.chunks_exact(units_a_sector)) {
            *x = vector(sector[0] ^ keys[0]);
        }
        for round in 1..ROUNDS {
            in_step!(xmm_reg: x[0], x[1], x[2], x[3]);
            for x in &mut x {
                *x = _mm_aesenc_si128(*x, vector(keys[round]));
            }
        }
        for (x, sector) in x.into_iter().zip(sectors.chunks_exact_mut(units_a_sector)) {
            let mut tweak = _mm_aesenclast_si128(x, vector(keys[ROUNDS]));
            for slot in sector {
                *slot = number(tweak);
                // A unit is 32 blocks: times x^32.
                tweak = shift_bytes::<4, 12>(tweak);
            }
        }
    }
}

/// Encrypts or decrypts each unit with the tweak of its first block.
#[target_feature(enable = "aes,pclmulqdq")]
pub(super) fn units<const ROUNDS: usize, const DECRYPT: bool>(
    keys: &[u128; ROUND_KEYS],
    tweaks: &[u128],
    units: &mut [[u8; UNIT]],
) {
    let mut even = [_mm_setzero_si128(); LANES];
    let mut odd = even;
    let tweak = vector(tweaks.first().copied().unwrap_or(0));
    for i in 0..LANES {
        even[i] = of_first_quarter(i, tweak);
    }
    for (i, unit) in units.iter_mut().enumerate() {
        let (quarters, _) = unit.as_chunks_mut::<{ 16 * LANES }>();
        let none = _mm_setzero_si128();
        quarter::<ROUNDS, DECRYPT, false>(keys, &even, &mut quarters[0], none, &mut odd);
        quarter::<ROUNDS, DECRYPT, false>(keys, &odd, &mut quarters[1], none, &mut even);
        quarter::<ROUNDS, DECRYPT, false>(keys, &even, &mut quarters[2], none, &mut odd);
        let tweak = vector(tweaks.get(i + 1).copied().unwrap_or(0));
        quarter::<ROUNDS, DECRYPT, true>(keys, &odd, &mut quarters[3], tweak, &mut even);
    }
}

/// Eight blocks with their tweaks; and, one a round, the tweaks of the eight after them, which have to
/// be there when these blocks are done, or the processor waits for them. They belong to the next
/// unit, whose first tweak is `next_unit`, if `LAST`, else to the same one.
#[inline]
#[target_feature(enable = "aes,pclmulqdq")]
fn quarter<const ROUNDS: usize, const DECRYPT: bool, const LAST: bool>(
    keys: &[u128; ROUND_KEYS],
    tweaks: &[__m128i; LANES],
    blocks: &mut [u8; 16 * LANES],
    next_unit: __m128i,
    next: &mut [__m128i; LANES],
) {
    // There are too few registers for the keys. Without this the compiler copies them to the stack.
    let keys = std::hint::black_box(keys);
    let (blocks, _) = blocks.as_chunks_mut::<16>();
    let key = vector(keys[0]);
    let mut x = [_mm_setzero_si128(); LANES];
    for i in 0..LANES {
        x[i] = _mm_xor_si128(_mm_xor_si128(vector(u128::from_le_bytes(blocks[i])), key), tweaks[i]);
    }
    for round in 1..ROUNDS {
        let key = vector(keys[round]);
        if round <= LANES {
            let i = round - 1;
            next[i] = if LAST { of_first_quarter(i, next_unit) } else { shift_bytes::<1, 15>(tweaks[i]) };
            in_step!(xmm_reg: x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], next[i]);
        } else {
            in_step!(xmm_reg: x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
        }
        for i in 0..LANES {
            x[i] = if DECRYPT { _mm_aesdec_si128(x[i], key) } else { _mm_aesenc_si128(x[i], key) };
        }
    }
    let key = vector(keys[ROUNDS]);
    for i in 0..LANES {
        let key = _mm_xor_si128(key, tweaks[i]);
        x[i] = if DECRYPT { _mm_aesdeclast_si128(x[i], key) } else { _mm_aesenclast_si128(x[i], key) };
        blocks[i] = number(x[i]).to_le_bytes();
    }
}

/// The tweak of block `i` of a unit, for the first eight, from that of its first one.
#[inline]
#[target_feature(enable = "sse2,pclmulqdq")]
fn of_first_quarter(i: usize, first: __m128i) -> __m128i {
    match i {
        0 => first,
        1 => shift_bits::<1, 63>(first),
        2 => shift_bits::<2, 62>(first),
        3 => shift_bits::<3, 61>(first),
        4 => shift_bits::<4, 60>(first),
        5 => shift_bits::<5, 59>(first),
        6 => shift_bits::<6, 58>(first),
        _ => shift_bits::<7, 57>(first),
    }
}

/// Times x^LEFT in GF(2^128), for LEFT below 64; RIGHT is 64 - LEFT.
#[inline]
#[target_feature(enable = "sse2,pclmulqdq")]
fn shift_bits<const LEFT: i32, const RIGHT: i32>(tweak: __m128i) -> __m128i {
    let carried = _mm_srli_epi64::<RIGHT>(tweak);
    let over = _mm_clmulepi64_si128::<0x01>(carried, polynomial());
    let shifted = _mm_xor_si128(_mm_slli_epi64::<LEFT>(tweak), _mm_slli_si128::<8>(carried));
    _mm_xor_si128(shifted, over)
}

/// Times x^(8 LEFT) in GF(2^128), for LEFT up to 8; RIGHT is 16 - LEFT.
#[inline]
#[target_feature(enable = "sse2,pclmulqdq")]
fn shift_bytes<const LEFT: i32, const RIGHT: i32>(tweak: __m128i) -> __m128i {
    let over = _mm_clmulepi64_si128::<0x00>(_mm_srli_si128::<RIGHT>(tweak), polynomial());
    _mm_xor_si128(_mm_slli_si128::<LEFT>(tweak), over)
}

/// What x^128 is equal to: x^7 + x^2 + x + 1.
#[inline]
fn polynomial() -> __m128i {
    vector(0x87)
}
