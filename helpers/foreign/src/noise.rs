//! Whether bytes look like noise. TrueCrypt, VeraCrypt and plain dm-crypt leave no signature, so this is
//! the only trace of them; but compressed data and a wiped drive look the same. It is a hint and never
//! a verdict.

use blockdev::{Device, Result};
use filesystems::raw::Block;

const SAMPLE: usize = 512;
const SAMPLES: u64 = 64;

/// Whether the first sector and every other sampled sector that is not blank look like noise. A device
/// of less than one sector does not.
///
/// # Errors
/// What the device reports.
pub fn looks_like_noise(dev: &dyn Device) -> Result<bool> {
    let sectors = dev.size() / SAMPLE as u64;
    let Some(first) = Block::read(dev, 0, SAMPLE)? else { return Ok(false) };
    if !is_noise(first.bytes()) {
        return Ok(false);
    }
    let step = (sectors / SAMPLES).max(1);
    for number in (step..sectors).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
        let Some(sample) = Block::read(dev, number * SAMPLE as u64, SAMPLE)? else { break };
        if !sample.is_zero(0, SAMPLE) && !is_noise(sample.bytes()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The chi-squared test against bytes that are all equally likely: for 512 bytes of noise the sum has a
/// mean of 255 and a deviation of 23, and one piece in many thousands goes beyond 420. Texts, programs
/// and tables have thousands.
fn is_noise(bytes: &[u8]) -> bool {
    const MOST: f64 = 420.0;
    let mut counts = [0_u32; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let expected = f64::from(u32::try_from(bytes.len()).unwrap_or(u32::MAX)) / 256.0;
    let sum: f64 = counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
    sum < MOST
}
