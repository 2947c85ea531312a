//! What lies in a piece that was cut off in the middle of being written over its own place.
//!
//! A checksum of each block's old bytes says whether the block is old still. A block may be larger than
//! what a drive writes at once: then a cut leaves some of its 512-byte parts old and some new, and the
//! checksum fits neither. But in XTS each 16 bytes stand for themselves; so every part can be taken back by
//! itself, and the checksum tells which of the few mixtures is the old block. Nothing is taken for old or
//! new that its checksum does not prove.

use std::ops::Range;

use sha2::{Digest as _, Sha256};
use xts::Xts;

use super::geometry::{Geometry, Mode};
use super::length;
use crate::Result;

/// Bytes of a checksum (SHA-256).
pub(super) const SUM: usize = 32;
/// The smallest part that a drive writes whole.
const PART: usize = 512;

/// Checksums of `bytes`, block by block.
pub(super) fn sums(bytes: &[u8], block: usize) -> Vec<u8> {
    bytes.chunks(block).flat_map(|block| Sha256::digest(block).to_vec()).collect()
}

/// Makes the old bytes of what may be old, new, or a mixture. Returns what is none of these, as ranges
/// within `bytes`.
pub(super) fn take_back(
    bytes: &mut [u8],
    sums: &[u8],
    block: usize,
    geometry: &Geometry,
    cipher: &Xts,
    iv: u64,
) -> Result<Vec<Range<u64>>> {
    let mut strange: Vec<Range<u64>> = Vec::new();
    for (index, (bytes, sum)) in bytes.chunks_mut(block).zip(sums.chunks(SUM)).enumerate() {
        if is(bytes, sum) {
            continue;
        }
        let mut back = bytes.to_vec();
        let at = (index * block) as u64;
        reverse(geometry, cipher, &mut back, iv + at / 512)?;
        let found = mixtures(bytes, &back).find(|old| is(old, sum));
        match (found, strange.last_mut()) {
            (Some(old), _) => bytes.copy_from_slice(&old),
            (None, Some(last)) if last.end == at => last.end += bytes.len() as u64,
            (None, _) => strange.push(at..at + bytes.len() as u64),
        }
    }
    Ok(strange)
}

fn is(bytes: &[u8], sum: &[u8]) -> bool {
    Sha256::digest(bytes)[..] == *sum
}

/// All that is new taken back first, which is nearly always it; then every choice of parts.
fn mixtures<'a>(now: &'a [u8], back: &'a [u8]) -> impl Iterator<Item = Vec<u8>> + 'a {
    let parts = now.len() / PART;
    // Blocks of more parts than this do not exist.
    let choices = if parts <= 8 { 1u32 << parts } else { 1 };
    std::iter::once(u32::MAX).chain(1..choices.saturating_sub(1)).map(move |choice| {
        let mut old = now.to_vec();
        for part in (0..parts).filter(|part| choice >> (*part).min(31) & 1 == 1) {
            old[part * PART..(part + 1) * PART].copy_from_slice(&back[part * PART..(part + 1) * PART]);
        }
        old
    })
}

/// From new to old.
fn reverse(geometry: &Geometry, cipher: &Xts, bytes: &mut [u8], iv: u64) -> Result<()> {
    let sector = length(u64::from(geometry.sector_size))?;
    let done = match geometry.mode {
        Mode::Encrypt => cipher.decrypt_sectors(bytes, iv, sector),
        _ => cipher.encrypt_sectors(bytes, iv, sector),
    };
    done.map_err(|error| crate::Error::Invalid(error.to_string()))
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation)] // Small numbers.
mod tests {
    use super::*;
    use crate::convert::geometry::Resilience;
    use crate::convert::reading::transform;

    #[test]
    fn every_mixture_is_taken_back_and_rubbish_is_named() {
        for mode in [Mode::Encrypt, Mode::Decrypt] {
            let geometry = Geometry {
                mode,
                resilience: Resilience::Checksum,
                shift: 0,
                total: 1 << 20,
                moved: (0, 0),
                sector_size: 4096,
                dynamic: false,
            };
            let cipher = Xts::new(&(0..64).collect::<Vec<u8>>()).unwrap();
            let old: Vec<u8> = (0..5 * 4096u32).map(|index| (index % 251) as u8).collect();
            let sums = sums(&old, 4096);
            let mut new = old.clone();
            transform(&geometry, &cipher, &mut new, 8).unwrap();
            for choice in 0..256u32 {
                let mut found = old.clone();
                for part in 0..40 {
                    // Another mixture in each block.
                    if choice.rotate_left(part / 8) >> (part % 8) & 1 == 1 {
                        let range = part as usize * 512..(part as usize + 1) * 512;
                        found[range.clone()].copy_from_slice(&new[range]);
                    }
                }
                let strange = take_back(&mut found, &sums, 4096, &geometry, &cipher, 8).unwrap();
                assert!(strange.is_empty() && found == old, "{mode:?} {choice}");
            }
            let mut found = new.clone();
            found[4096] ^= 1;
            found[9000] ^= 1;
            let strange = take_back(&mut found, &sums, 4096, &geometry, &cipher, 8).unwrap();
            assert!(matches!(&strange[..], [one] if *one == (4096..12288)));
        }
    }
}
