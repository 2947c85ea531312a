//! VAES with 512-bit registers: sixteen blocks at once.

// Loops by index: an iterator over two arrays in step, or a part of one, is not always unrolled, and
// then the registers are kept in memory, at a third of the speed.
#![allow(clippy::needless_range_loop)]

use std::arch::x86_64::*;

use super::vector;
use crate::area::UNIT;
use crate::in_step::in_step;
use crate::schedule::ROUND_KEYS;

/// Registers in flight, with four blocks in each: half a unit. They hide the latency of an AES round
/// already; with more of them, the processor would look at the next blocks too late. With their tweaks,
/// the next tweaks and the round keys they fill the registers, so that no key is copied to the stack.
const LANES: usize = 4;

/// Encrypts or decrypts each unit with the tweak of its first block.
#[target_feature(enable = "avx512f,avx512bw,vaes,vpclmulqdq")]
pub(super) fn units<const ROUNDS: usize, const DECRYPT: bool>(
    keys: &[u128; ROUND_KEYS],
    tweaks: &[u128],
    units: &mut [[u8; UNIT]],
) {
    let mut next = first_half(tweaks.first());
    for (i, unit) in units.iter_mut().enumerate() {
        let (halves, _) = unit.as_chunks_mut::<{ 64 * LANES }>();
        let current = next;
        next = second_half(current);
        half::<ROUNDS, DECRYPT>(keys, current, &mut halves[0], &mut next);
        let current = next;
        next = first_half(tweaks.get(i + 1));
        half::<ROUNDS, DECRYPT>(keys, current, &mut halves[1], &mut next);
    }
}

/// Sixteen blocks with their tweaks. `next`, the tweaks of the blocks after them, is only held in
/// its place here: it has to be in the works before these blocks are, or the processor gets to it
/// when it is already waiting for it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vaes,vpclmulqdq")]
fn half<const ROUNDS: usize, const DECRYPT: bool>(
    keys: &[u128; ROUND_KEYS],
    tweaks: [__m512i; LANES],
    blocks: &mut [u8; 64 * LANES],
    next: &mut [__m512i; LANES],
) {
    let (blocks, _) = blocks.as_chunks_mut::<64>();
    let key = _mm512_broadcast_i32x4(vector(keys[0]));
    let mut x = [_mm512_setzero_si512(); LANES];
    for i in 0..LANES {
        x[i] = _mm512_xor_si512(_mm512_xor_si512(load(&blocks[i]), tweaks[i]), key);
    }
    for round in 1..ROUNDS {
        let key = _mm512_broadcast_i32x4(vector(keys[round]));
        if round == 2 {
            in_step!(zmm_reg: x[0], x[1], x[2], x[3], next[0], next[1], next[2], next[3]);
        } else {
            in_step!(zmm_reg: x[0], x[1], x[2], x[3]);
        }
        for i in 0..LANES {
            x[i] = if DECRYPT { _mm512_aesdec_epi128(x[i], key) } else { _mm512_aesenc_epi128(x[i], key) };
        }
    }
    let key = _mm512_broadcast_i32x4(vector(keys[ROUNDS]));
    for i in 0..LANES {
        let key = _mm512_xor_si512(key, tweaks[i]);
        x[i] = if DECRYPT { _mm512_aesdeclast_epi128(x[i], key) } else { _mm512_aesenclast_epi128(x[i], key) };
        store(&mut blocks[i], x[i]);
    }
}

/// The tweaks of the first sixteen blocks of a unit, from that of its first block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
fn first_half(tweak: Option<&u128>) -> [__m512i; LANES] {
    let first = _mm512_broadcast_i32x4(vector(tweak.copied().unwrap_or(0)));
    let (a, b) = (shift_bits(first, 0), shift_bits(first, 4));
    [a, b, shift_bytes::<1, 15>(a), shift_bytes::<1, 15>(b)]
}

/// The tweaks of the other sixteen blocks: times x^16.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
fn second_half(first: [__m512i; LANES]) -> [__m512i; LANES] {
    let mut second = first;
    for tweak in &mut second {
        *tweak = shift_bytes::<2, 14>(*tweak);
    }
    second
}

/// Times x^left to x^(left + 3) in the four quarters, in GF(2^128), for `left` below 61.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
fn shift_bits(tweak: __m512i, left: i64) -> __m512i {
    let lefts = _mm512_setr_epi64(left, left, left + 1, left + 1, left + 2, left + 2, left + 3, left + 3);
    let rights = _mm512_sub_epi64(_mm512_set1_epi64(64), lefts);
    // A shift by 64 gives zero.
    let carried = _mm512_srlv_epi64(tweak, rights);
    let over = _mm512_clmulepi64_epi128::<0x01>(carried, polynomial());
    let shifted = _mm512_xor_si512(_mm512_sllv_epi64(tweak, lefts), _mm512_bslli_epi128::<8>(carried));
    _mm512_xor_si512(shifted, over)
}

/// Times x^(8 LEFT) in GF(2^128), for LEFT up to 8; RIGHT is 16 - LEFT.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
fn shift_bytes<const LEFT: i32, const RIGHT: i32>(tweak: __m512i) -> __m512i {
    let over = _mm512_clmulepi64_epi128::<0x00>(_mm512_bsrli_epi128::<RIGHT>(tweak), polynomial());
    _mm512_xor_si512(_mm512_bslli_epi128::<LEFT>(tweak), over)
}

/// What x^128 is equal to: x^7 + x^2 + x + 1.
#[inline]
#[target_feature(enable = "avx512f")]
fn polynomial() -> __m512i {
    _mm512_broadcast_i32x4(vector(0x87))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the reference is good for 64 bytes, and this load asks for no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(bytes: &mut [u8; 64], value: __m512i) {
    // SAFETY: the reference is good for 64 bytes, and this store asks for no alignment.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), value) }
}
