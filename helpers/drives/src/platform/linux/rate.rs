//! How fast a drive is read, for the question which of the two is the brake: the drive or the cipher.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{Advice, fadvise};

const PIECE: usize = 1 << 20;
/// It is a look and no benchmark.
const PATIENCE: Duration = Duration::from_millis(200);
const MOST: u64 = 256 << 20;
/// Less says nothing.
const LEAST: u64 = 8 << 20;

/// Bytes a second of reading in one piece after the other. What the system has in its cache is dropped
/// before, as far as it lets go of it.
pub(super) fn of_reading(path: &Path) -> Option<u64> {
    let file = File::open(path).ok()?;
    fadvise(&file, 0, None, Advice::DontNeed).ok()?;
    let mut buffer = vec![0; PIECE];
    let (mut done, begun) = (0_u64, Instant::now());
    while done < MOST && begun.elapsed() < PATIENCE {
        match file.read_at(&mut buffer, done) {
            Ok(read) if read == PIECE => done += read as u64,
            _ => break,
        }
    }
    let micros = u64::try_from(begun.elapsed().as_micros()).ok().filter(|micros| *micros > 0)?;
    (done >= LEAST).then(|| done.saturating_mul(1_000_000) / micros)
}
