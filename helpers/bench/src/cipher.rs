use std::time::{Duration, Instant};

use luks::kdf::{Hash, Kdf, pbkdf2_iterations};
use model::{Control, Meter, Secret, Signal, Sink, StepId, Unit};
use serde::{Deserialize, Serialize};
use xts::{Kernel, Xts};

use crate::statistics::{median, sorted};
use crate::{Error, Result};

/// Memory that is encrypted again and again; it stays in the processor's cache, as a block does that
/// is on its way to a drive.
const AREA: usize = 256 * 1024;

/// Turns of each direction; the median counts.
const TURNS: u32 = 5;

/// Key lengths in bytes with their names: both halves together, as `cryptsetup` counts.
const KEYS: [usize; 2] = [32, 64];

/// How the processor is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CipherOptions {
    /// The time that opening with a password shall take: what Argon2id is made as hard as. LUKS2
    /// volumes are made with two seconds.
    pub kdf_target: Duration,
    /// Time for each line of the cipher table.
    pub each: Duration,
}

impl Default for CipherOptions {
    /// Takes about ten seconds, nearly all of it for Argon2id.
    fn default() -> Self {
        Self { kdf_target: Duration::from_secs(2), each: Duration::from_millis(120) }
    }
}

/// What this processor can do. The table of `cryptsetup benchmark`, for the code of this program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CipherFigures {
    /// Version of this structure: 1.
    pub version: u32,
    /// Key derivations.
    pub kdfs: Vec<KdfFigure>,
    /// AES-XTS, the best way of this processor first.
    pub ciphers: Vec<CipherFigure>,
    /// The ciphers of the kernel, as `cryptsetup benchmark` lists them. Empty: it cannot be asked.
    #[serde(default)]
    pub kernel: Vec<CipherFigure>,
    /// Why the kernel was not asked.
    #[serde(default)]
    pub kernel_missing: Option<String>,
}

impl CipherFigures {
    /// The slower direction of AES-XTS as new volumes have it (512-bit key, sectors of 4096 bytes),
    /// in bytes a second on one processor core.
    pub fn rate(&self) -> f64 {
        let usual = self.ciphers.iter().find(|figure| figure.key_bits == 512 && figure.sector_size == 4096);
        usual.map_or(0.0, |figure| figure.encrypt.min(figure.decrypt))
    }

    /// Seconds that opening with a password takes here.
    pub fn kdf_seconds(&self) -> Option<f64> {
        self.kdfs.iter().find_map(|kdf| match kdf {
            KdfFigure::Argon2id { seconds, .. } => Some(*seconds),
            KdfFigure::Pbkdf2 { .. } => None,
        })
    }
}

/// One way from a password to a key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kdf")]
pub enum KdfFigure {
    /// PBKDF2 (RFC 8018) for a 256-bit key.
    Pbkdf2 {
        /// `sha256` and so on.
        hash: String,
        /// Iterations in a second.
        iterations_per_second: u32,
    },
    /// Argon2id (RFC 9106), made as hard as the target time allows on this machine.
    Argon2id {
        /// Passes.
        time: u32,
        /// KiB.
        memory_kib: u32,
        /// Lanes.
        cpus: u32,
        /// Seconds that it really took afterwards.
        seconds: f64,
    },
}

/// One line of the cipher table. Rates are in bytes a second, on one processor core, in memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CipherFigure {
    /// `aes-xts-plain64`.
    pub cipher: String,
    /// Bits of the key, both halves together.
    pub key_bits: u32,
    /// Bytes of a sector.
    pub sector_size: u32,
    /// Which code did it: `portable`, `aes-ni`, `vaes-256`...
    pub kernel: String,
    /// Encrypting.
    pub encrypt: f64,
    /// Decrypting.
    pub decrypt: f64,
}

/// Measures key derivations and AES-XTS, the latter by the best code for this processor and by the
/// portable one.
///
/// # Errors
/// [`Error::Stopped`]; [`Error::Kdf`] if there is no memory for Argon2id.
pub fn cipher(options: &CipherOptions, control: &Control, sink: &mut dyn Sink) -> Result<CipherFigures> {
    let hashes = [Hash::Sha1, Hash::Sha256, Hash::Sha512];
    let lines = lines();
    // Argon2id takes about as long as everything else, twice.
    let slow = 4;
    let total = hashes.len() + lines.len() + slow;
    let mut meter = Meter::new(sink, StepId::Benchmark, total as u64, Unit::Steps);
    let mut done = 0;
    let mut step = |count: usize| {
        done += count as u64;
        meter.at(done);
        // Nothing here is half done when it waits, so a pause has no place of its own.
        if control.signal() == Signal::Stop { Err(Error::Stopped) } else { Ok(()) }
    };
    step(0)?;
    let mut ciphers = Vec::new();
    for (kernel, key, sector_size) in lines {
        ciphers.extend(measure(kernel, key, sector_size, options.each));
        step(1)?;
    }
    let mut kdfs = Vec::new();
    for hash in hashes {
        let iterations_per_second = pbkdf2_iterations(hash, 32, Duration::from_secs(1));
        kdfs.push(KdfFigure::Pbkdf2 { hash: hash.name().to_owned(), iterations_per_second });
        step(1)?;
    }
    let kdf = Kdf::calibrated(options.kdf_target);
    step(slow / 2)?;
    if let Kdf::Argon2 { time, memory_kib, cpus, .. } = kdf {
        kdfs.push(KdfFigure::Argon2id { time, memory_kib, cpus, seconds: unlock_seconds(&kdf)? });
    }
    step(slow / 2)?;
    let (kernel, kernel_missing) = match of_the_kernel(options.each) {
        Ok(lines) => (lines, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    Ok(CipherFigures { version: 1, kdfs, ciphers, kernel, kernel_missing })
}

/// Seconds that one derivation takes here: what a person waits after typing the password.
///
/// # Errors
/// [`Error::Kdf`] if there is no memory for it, or its costs make no sense.
pub fn unlock_seconds(kdf: &Kdf) -> Result<f64> {
    let began = Instant::now();
    kdf.derive(&Secret::from("benchmark"), &[0x55; 32], 64).map_err(Error::Kdf)?;
    Ok(began.elapsed().as_secs_f64())
}

/// AES-XTS as new volumes have it, by the best code: bytes a second of the slower direction. A short
/// form of [`cipher`] for the wizard, done in a quarter of a second.
pub fn xts_rate() -> f64 {
    let figure = measure(Kernel::best(), 64, 4096, Duration::from_millis(250));
    figure.map_or(0.0, |figure| figure.encrypt.min(figure.decrypt))
}

#[cfg(target_os = "linux")]
fn of_the_kernel(each: Duration) -> std::io::Result<Vec<CipherFigure>> {
    crate::afalg::table(each)
}

/// Only Linux lends its ciphers.
#[cfg(not(target_os = "linux"))]
fn of_the_kernel(_: Duration) -> std::io::Result<Vec<CipherFigure>> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Kernel, bytes of the key, bytes of a sector.
fn lines() -> Vec<(Kernel, usize, u32)> {
    let mut kernels = vec![Kernel::best()];
    if kernels != [Kernel::Portable] {
        kernels.push(Kernel::Portable);
    }
    let each = |kernel| KEYS.into_iter().flat_map(move |key| [4096, 512].map(|sector_size| (kernel, key, sector_size)));
    kernels.into_iter().flat_map(each).collect()
}

/// `None` if this kernel does not run here.
fn measure(kernel: Kernel, key: usize, sector_size: u32, time: Duration) -> Option<CipherFigure> {
    let key_bytes: Vec<u8> = (0..key).map(|_| fastrand::u8(..)).collect();
    let xts = Xts::with_kernel(&key_bytes, kernel).ok()?;
    let mut area = vec![0x5a; AREA];
    let turn = time / (2 * TURNS);
    let (mut encrypt, mut decrypt) = (Vec::new(), Vec::new());
    // In turns: a processor that changes its clock meanwhile does so for both.
    for _ in 0..TURNS {
        encrypt.push(rate(turn, || xts.encrypt_sectors(&mut area, 0, sector_size as usize).is_ok())?);
        decrypt.push(rate(turn, || xts.decrypt_sectors(&mut area, 0, sector_size as usize).is_ok())?);
    }
    Some(CipherFigure {
        cipher: "aes-xts-plain64".to_owned(),
        key_bits: u32::try_from(key * 8).ok()?,
        sector_size,
        kernel: kernel.name().to_owned(),
        encrypt: median(&sorted(&encrypt)),
        decrypt: median(&sorted(&decrypt)),
    })
}

/// Bytes a second over about `time`, at least one pass over the area.
fn rate(time: Duration, mut pass: impl FnMut() -> bool) -> Option<f64> {
    let began = Instant::now();
    let mut passes = 0.0;
    loop {
        if !pass() {
            return None;
        }
        passes += 1.0;
        let spent = began.elapsed();
        if spent >= time {
            return Some(passes * AREA as f64 / spent.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use model::{Progress, Silent};

    use super::*;

    fn quick() -> CipherOptions {
        CipherOptions { kdf_target: Duration::from_millis(50), each: Duration::from_millis(10) }
    }

    #[test]
    fn the_table_is_whole() {
        let mut last = None;
        let mut sink = |progress: &Progress| last = Some((progress.done, progress.total));
        let figures = cipher(&quick(), &Control::new(), &mut sink).unwrap();
        let names = figures.kdfs.iter().map(|kdf| match kdf {
            KdfFigure::Pbkdf2 { hash, iterations_per_second } => {
                assert!(*iterations_per_second > 1000);
                hash.as_str()
            }
            KdfFigure::Argon2id { memory_kib, time, .. } => {
                assert!(*memory_kib >= 32 * 1024 && *time >= 4);
                "argon2id"
            }
        });
        assert_eq!(names.collect::<Vec<_>>(), ["sha1", "sha256", "sha512", "argon2id"]);
        assert!(figures.kdf_seconds().is_some_and(|seconds| seconds > 0.0));
        assert!(figures.ciphers.iter().all(|figure| figure.encrypt > 1e6 && figure.decrypt > 1e6));
        assert!(figures.ciphers.iter().any(|figure| figure.kernel == "portable"));
        assert_eq!(figures.kernel.is_empty(), figures.kernel_missing.is_some());
        assert_eq!(figures.ciphers[0].kernel, Kernel::best().name());
        assert!(figures.rate() > 1e6);
        let (done, total) = last.unwrap();
        assert_eq!(done, total);
        let text = serde_json::to_string(&figures).unwrap();
        assert_eq!(serde_json::from_str::<CipherFigures>(&text).unwrap().kdfs.len(), 4);
    }

    #[test]
    fn it_can_be_stopped() {
        let control = Control::new();
        control.stop();
        assert!(matches!(cipher(&quick(), &control, &mut Silent), Err(Error::Stopped)));
    }

    #[test]
    fn the_short_form() {
        assert!(xts_rate() > 1e6);
    }
}
