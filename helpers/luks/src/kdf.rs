//! Key derivation: Argon2 (RFC 9106) and PBKDF2 (RFC 8018), and how hard they are made.

use std::time::{Duration, Instant};

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use hmac::Hmac;
use model::Secret;
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};
use zeroize::Zeroizing;

use crate::metadata::KdfRecord;
use crate::{Error, Result};

/// Cryptsetup's limits: never fewer passes, never more lanes, never more than 1 GiB, at least 32 MiB
/// in a calibrated key derivation (`lib/utils_pbkdf.c`, `lib/crypto_backend/pbkdf_check.c`).
const TIME_MIN: u32 = 4;
const CPUS_MAX: u32 = 4;
const MEMORY_MAX_KIB: u32 = 1024 * 1024;
const MEMORY_MIN_KIB: u32 = 32 * 1024;
/// An iteration count below this is refused by cryptsetup.
const PBKDF2_MIN: u32 = 1000;

/// A hash function by its name in the JSON area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// SHA-1: only read and write, for old volumes.
    Sha1,
    /// SHA-224.
    Sha224,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

impl Hash {
    /// By its name in the JSON area.
    pub fn parse(name: &str) -> Result<Self> {
        Ok(match name {
            "sha1" => Self::Sha1,
            "sha224" => Self::Sha224,
            "sha256" => Self::Sha256,
            "sha384" => Self::Sha384,
            "sha512" => Self::Sha512,
            other => return Err(Error::UnsupportedKdf(other.to_owned())),
        })
    }

    /// Its name in the JSON area.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "sha1",
            Self::Sha224 => "sha224",
            Self::Sha256 => "sha256",
            Self::Sha384 => "sha384",
            Self::Sha512 => "sha512",
        }
    }

    /// Bytes of its result.
    pub const fn size(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha224 => 28,
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    /// The hash of all parts, one after another.
    pub fn digest(self, parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
        fn run<D: sha2::Digest>(parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
            let mut hasher = D::new();
            for part in parts {
                hasher.update(part);
            }
            Zeroizing::new(hasher.finalize().to_vec())
        }
        match self {
            Self::Sha1 => run::<Sha1>(parts),
            Self::Sha224 => run::<Sha224>(parts),
            Self::Sha256 => run::<Sha256>(parts),
            Self::Sha384 => run::<Sha384>(parts),
            Self::Sha512 => run::<Sha512>(parts),
        }
    }

    /// PBKDF2 with HMAC of this hash.
    pub fn pbkdf2(self, secret: &[u8], salt: &[u8], iterations: u32, length: usize) -> Zeroizing<Vec<u8>> {
        let mut out = Zeroizing::new(vec![0; length]);
        // HMAC takes keys of any length: this cannot fail.
        let _ = match self {
            Self::Sha1 => pbkdf2::pbkdf2::<Hmac<Sha1>>(secret, salt, iterations, &mut out),
            Self::Sha224 => pbkdf2::pbkdf2::<Hmac<Sha224>>(secret, salt, iterations, &mut out),
            Self::Sha256 => pbkdf2::pbkdf2::<Hmac<Sha256>>(secret, salt, iterations, &mut out),
            Self::Sha384 => pbkdf2::pbkdf2::<Hmac<Sha384>>(secret, salt, iterations, &mut out),
            Self::Sha512 => pbkdf2::pbkdf2::<Hmac<Sha512>>(secret, salt, iterations, &mut out),
        };
        out
    }
}

/// Which key derivation, and how hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kdf {
    /// Argon2id, or Argon2i in old volumes.
    Argon2 {
        /// Argon2i instead of Argon2id.
        argon2i: bool,
        /// Passes.
        time: u32,
        /// KiB.
        memory_kib: u32,
        /// Lanes.
        cpus: u32,
    },
    /// PBKDF2.
    Pbkdf2 {
        /// Hash.
        hash: Hash,
        /// Iterations.
        iterations: u32,
    },
}

impl Kdf {
    /// Argon2id, made as hard as `target` on this machine, as cryptsetup does it: at least four
    /// passes, at most four lanes, memory as large as the time allows up to 1 GiB and half of the
    /// machine's memory; only then more passes.
    pub fn calibrated(target: Duration) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let cpus = u32::try_from(threads).unwrap_or(1).clamp(1, CPUS_MAX);
        let limit = memory_limit_kib();
        let measure = |time, memory_kib| {
            let kdf = Self::Argon2 { argon2i: false, time, memory_kib, cpus };
            let started = Instant::now();
            // An error means that the memory is not there; then this size counts as too slow.
            match kdf.derive(&Secret::from("calibration"), &[0x55; 32], 64) {
                Ok(_) => started.elapsed().as_secs_f64(),
                Err(_) => f64::INFINITY,
            }
        };
        let mut memory = MEMORY_MIN_KIB.min(limit);
        let mut seconds = measure(TIME_MIN, memory);
        // Twice: the first guess is from a size whose time is mostly start-up.
        for _ in 0..2 {
            if !seconds.is_finite() || memory == limit || seconds >= 0.9 * target.as_secs_f64() {
                break;
            }
            memory = scaled(memory, target.as_secs_f64() / seconds).clamp(MEMORY_MIN_KIB.min(limit), limit);
            seconds = measure(TIME_MIN, memory);
        }
        let mut time = TIME_MIN;
        if seconds.is_finite() && seconds > 0.0 {
            let factor = target.as_secs_f64() / seconds;
            if memory >= limit {
                time = scaled(TIME_MIN, factor).max(TIME_MIN);
            } else {
                memory = scaled(memory, factor).clamp(MEMORY_MIN_KIB.min(limit), limit);
            }
        }
        Self::Argon2 { argon2i: false, time, memory_kib: memory, cpus }
    }

    /// The cheapest that cryptsetup accepts. For tests, and for keys that are random themselves.
    pub const fn cheapest() -> Self {
        Self::Argon2 { argon2i: false, time: TIME_MIN, memory_kib: 32, cpus: 1 }
    }

    /// Its name and cost in one line, for `status` and logs: `argon2id time 4 memory 1048576 cpus 4`.
    pub fn summary(&self) -> String {
        match self {
            Self::Argon2 { argon2i, time, memory_kib, cpus } => {
                let name = if *argon2i { "argon2i" } else { "argon2id" };
                format!("{name} time {time} memory {memory_kib} KiB cpus {cpus}")
            }
            Self::Pbkdf2 { hash, iterations } => format!("pbkdf2 {} iterations {iterations}", hash.name()),
        }
    }

    /// Derives a key of `length` bytes.
    ///
    /// # Errors
    /// [`Error::NoMemory`] when Argon2's memory is not to be had, [`Error::UnsupportedKdf`] for costs
    /// that RFC 9106 does not allow.
    pub fn derive(&self, secret: &Secret, salt: &[u8], length: usize) -> Result<Zeroizing<Vec<u8>>> {
        match *self {
            Self::Pbkdf2 { hash, iterations } => Ok(hash.pbkdf2(secret.expose(), salt, iterations, length)),
            Self::Argon2 { argon2i, time, memory_kib, cpus } => {
                let unsupported = |error: argon2::Error| Error::UnsupportedKdf(error.to_string());
                let params = Params::new(memory_kib, time, cpus, Some(length)).map_err(unsupported)?;
                let algorithm = if argon2i { Algorithm::Argon2i } else { Algorithm::Argon2id };
                let mut blocks = Vec::new();
                // Argon2 takes whole gigabytes: an allocation that aborts the process in the middle of
                // a conversion would be worse than an error.
                blocks
                    .try_reserve_exact(params.block_count())
                    .map_err(|_| Error::NoMemory { needed: u64::from(memory_kib) * 1024 })?;
                blocks.resize(params.block_count(), argon2::Block::default());
                let mut blocks = Zeroizing::new(blocks);
                let mut out = Zeroizing::new(vec![0; length]);
                Argon2::new(algorithm, Version::V0x13, params)
                    .hash_password_into_with_memory(secret.expose(), salt, &mut out, blocks.as_mut_slice())
                    .map_err(unsupported)?;
                Ok(out)
            }
        }
    }

    /// From a keyslot, with its salt.
    pub(crate) fn parse(record: &KdfRecord) -> Result<(Self, Vec<u8>)> {
        let salt = decode(&record.salt)?;
        let missing = || Error::Invalid(format!("{} without its costs", record.kind));
        let kdf = match record.kind.as_str() {
            "pbkdf2" => Self::Pbkdf2 {
                hash: Hash::parse(record.hash.as_deref().ok_or_else(missing)?)?,
                iterations: record.iterations.filter(|count| *count > 0).ok_or_else(missing)?,
            },
            kind @ ("argon2i" | "argon2id") => {
                let memory_kib = record.memory.ok_or_else(missing)?;
                // Nobody may be made to take all of the machine's memory by a forged header.
                if memory_kib > 4 * MEMORY_MAX_KIB {
                    return Err(Error::NoMemory { needed: u64::from(memory_kib) * 1024 });
                }
                Self::Argon2 {
                    argon2i: kind == "argon2i",
                    time: record.time.ok_or_else(missing)?,
                    memory_kib,
                    cpus: record.cpus.ok_or_else(missing)?,
                }
            }
            other => return Err(Error::UnsupportedKdf(other.to_owned())),
        };
        Ok((kdf, salt))
    }

    /// As a keyslot holds it.
    pub(crate) fn record(&self, salt: &[u8]) -> KdfRecord {
        let mut record = KdfRecord {
            kind: String::new(),
            salt: BASE64.encode(salt),
            hash: None,
            iterations: None,
            time: None,
            memory: None,
            cpus: None,
            other: serde_json::Map::new(),
        };
        match *self {
            Self::Argon2 { argon2i, time, memory_kib, cpus } => {
                record.kind = if argon2i { "argon2i" } else { "argon2id" }.into();
                (record.time, record.memory, record.cpus) = (Some(time), Some(memory_kib), Some(cpus));
            }
            Self::Pbkdf2 { hash, iterations } => {
                record.kind = "pbkdf2".into();
                (record.hash, record.iterations) = (Some(hash.name().into()), Some(iterations));
            }
        }
        record
    }
}

/// Iterations of PBKDF2 that take `target` here, at least cryptsetup's minimum.
pub fn pbkdf2_iterations(hash: Hash, length: usize, target: Duration) -> u32 {
    let mut iterations = 10_000;
    loop {
        let started = Instant::now();
        hash.pbkdf2(b"calibration", &[0x55; 32], iterations, length);
        let seconds = started.elapsed().as_secs_f64();
        if seconds > 0.02 || iterations > 100_000_000 {
            return scaled(iterations, target.as_secs_f64() / seconds.max(1e-6)).max(PBKDF2_MIN);
        }
        iterations *= 4;
    }
}

pub(crate) fn decode(text: &str) -> Result<Vec<u8>> {
    BASE64.decode(text).map_err(|error| Error::Invalid(format!("Base64: {error}")))
}

pub(crate) fn encode(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Saturates, and both are positive.
fn scaled(value: u32, factor: f64) -> u32 {
    (f64::from(value) * factor.clamp(0.0, 1e6)) as u32
}

/// As cryptsetup: half of the memory; on small machines without swap, half of what is free.
fn memory_limit_kib() -> u32 {
    let Some((total, free, swap)) = memory_kib() else { return MEMORY_MAX_KIB / 4 };
    let half = total / 2;
    let limit = if half < 2 * 1024 * 1024 && swap == 0 && free / 2 > 64 * 1024 { half.min(free / 2) } else { half };
    u32::try_from(limit).unwrap_or(u32::MAX).clamp(MEMORY_MIN_KIB, MEMORY_MAX_KIB)
}

/// Total and available memory and swap in KiB.
fn memory_kib() -> Option<(u64, u64, u64)> {
    let mut system = sysinfo::System::new().ok()?;
    system.refresh_memory();
    let total = system.total_memory() / 1024;
    (total > 128 * 1024).then(|| (total, system.available_memory() / 1024, system.total_swap() / 1024))
}
