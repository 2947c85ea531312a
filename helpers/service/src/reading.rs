//! How fast a disk reads, past the system's cache. Nothing is written, so that it may be in use.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use blockdev::Buffer;

use crate::Reading;

const MIB: usize = 1 << 20;
const PAGE: usize = 4096;
/// For each of the two tests.
const TIME: Duration = Duration::from_secs(2);

/// Measures for about four seconds.
///
/// # Errors
/// Those of the disk; one that is too small to say anything.
pub fn measure(path: &Path) -> io::Result<Reading> {
    let direct = i32::try_from(rustix::fs::OFlags::DIRECT.bits()).map_err(io::Error::other)?;
    let file = File::options().read(true).custom_flags(direct).open(path)?;
    let size = io::Seek::seek(&mut &file, io::SeekFrom::End(0))?;
    let (pieces, pages) = (size / MIB as u64, size / PAGE as u64);
    if pieces == 0 {
        return Err(io::Error::other("too small"));
    }
    let mut buffer = Buffer::new(MIB);
    let mut chance = u64::from(std::process::id()) | 1;
    // Not always the same place: drives remember what they gave last.
    let first = next(&mut chance) % pieces;
    let begun = Instant::now();
    let mut read = 0;
    while begun.elapsed() < TIME {
        file.read_exact_at(&mut buffer, (first + read) % pieces * MIB as u64)?;
        read += 1;
    }
    let sequential = float(read) * f64::from(1 << 20) / begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let mut took = Vec::new();
    while begun.elapsed() < TIME {
        let one = Instant::now();
        file.read_exact_at(&mut buffer[..PAGE], next(&mut chance) % pages * PAGE as u64)?;
        took.push(one.elapsed().as_secs_f64() * 1e6);
    }
    took.sort_by(f64::total_cmp);
    let at = |percent: usize| took[(took.len() * percent / 100).min(took.len() - 1)];
    Ok(Reading { sequential, median_us: at(50), p95_us: at(95) })
}

fn float(count: u64) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

/// Xorshift: good enough to find another place.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_and_one_without_room_is_an_error() {
        // Not among the temporary files: those may lie in memory, which has no way past the cache.
        let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let path = folder.path().join("disk");
        std::fs::write(&path, vec![7; 8 * MIB]).unwrap();
        match measure(&path) {
            Ok(reading) => {
                assert!(reading.sequential > 0.0 && reading.median_us > 0.0 && reading.p95_us >= reading.median_us);
            }
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => println!("left out: no direct reads here"),
            Err(error) => panic!("{error}"),
        }
        std::fs::write(&path, "small").unwrap();
        assert!(measure(&path).is_err());
    }
}
