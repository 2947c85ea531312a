//! Making a new header.

use std::time::Duration;

use blockdev::Device;
use model::Secret;

use crate::header::{Header, NEW_HEADER_SIZE};
use crate::kdf::{Hash, Kdf};
use crate::keyslot::{self, Unlocked};
use crate::metadata::{Config, Id, Length, Metadata, Segment, U64};
use crate::{Error, Result, kdf};

/// The smallest data offset: two copies of the header, three keyslots and a page to spare.
pub const MIN_DATA_OFFSET: u64 = 1024 * 1024;
/// The data offset that cryptsetup gives new volumes; room for all 32 keyslots.
pub const DEFAULT_DATA_OFFSET: u64 = 16 * 1024 * 1024;

/// How a new volume is made.
#[derive(Clone, Debug)]
pub struct FormatOptions {
    /// Bits of the volume key: 512 (AES-256-XTS) or 256 (AES-128-XTS).
    pub key_bits: u32,
    /// Bytes of an encryption sector: 512 to 4096, a power of two.
    pub sector_size: u32,
    /// Where the data begin, in bytes: at least [`MIN_DATA_OFFSET`], a multiple of 1 MiB.
    pub data_offset: u64,
    /// Label, at most 47 bytes.
    pub label: String,
    /// UUID; `None`: a new one.
    pub uuid: Option<String>,
    /// Key derivation of the first keyslot.
    pub kdf: Kdf,
    /// Iterations of the digest; `None`: an eighth of a second, as cryptsetup does it.
    pub digest_iterations: Option<u32>,
}

impl Default for FormatOptions {
    fn default() -> Self {
        Self {
            key_bits: 512,
            sector_size: 4096,
            data_offset: DEFAULT_DATA_OFFSET,
            label: String::new(),
            uuid: None,
            kdf: Kdf::cheapest(),
            digest_iterations: None,
        }
    }
}

/// Writes a new header with one keyslot to the first `data_offset` bytes of `device`, which may be a
/// file that holds nothing but the header. What was there is overwritten.
///
/// # Errors
/// [`Error::TooSmall`], [`Error::EmptyPassword`], [`Error::Invalid`] for options that break the rules.
pub fn format(device: &dyn Device, options: &FormatOptions, secret: &Secret) -> Result<(Header, Unlocked)> {
    check(device, options)?;
    let mut volume_key = zeroize::Zeroizing::new(vec![0; options.key_bits as usize / 8]);
    getrandom::fill(&mut volume_key).map_err(|error| Error::NoRandomness(error.to_string()))?;
    let volume_key = Secret::new(volume_key.to_vec());
    let iterations = options
        .digest_iterations
        .unwrap_or_else(|| kdf::pbkdf2_iterations(Hash::Sha256, 32, Duration::from_millis(125)));
    let metadata = Metadata {
        keyslots: Default::default(),
        tokens: Default::default(),
        segments: [(Id(0), Segment::crypt(options.data_offset, Length::Dynamic, 0, options.sector_size))].into(),
        digests: Default::default(),
        config: Config {
            json_size: U64(NEW_HEADER_SIZE - 4096),
            keyslots_size: U64(options.data_offset - 2 * NEW_HEADER_SIZE),
            flags: Vec::new(),
            requirements: None,
            other: serde_json::Map::new(),
        },
    };
    let mut header = Header {
        size: NEW_HEADER_SIZE,
        sequence: 0,
        label: options.label.clone().into(),
        subsystem: Default::default(),
        only_primary: false,
        uuid: options.uuid.clone().unwrap_or_else(|| uuid::Uuid::new_v4().to_string()).into(),
        metadata,
    };
    let mut digest = keyslot::digest_of(volume_key.expose(), iterations)?;
    digest.segments.push(Id(0));
    header.metadata.digests.insert(Id(0), digest);
    wipe(device, options.data_offset)?;
    header.add_keyslot(device, &volume_key, Id(0), secret, &options.kdf)?;
    Ok((header, Unlocked { keyslot: 0, volume_key, digest: Id(0) }))
}

fn check(device: &dyn Device, options: &FormatOptions) -> Result<()> {
    if device.size() < options.data_offset {
        return Err(Error::TooSmall { size: device.size(), needed: options.data_offset });
    }
    if options.data_offset < MIN_DATA_OFFSET || !options.data_offset.is_multiple_of(1024 * 1024) {
        return Err(Error::Invalid(format!("data offset {}", options.data_offset)));
    }
    if ![256, 512].contains(&options.key_bits) {
        return Err(Error::UnsupportedCipher(format!("{} bits", options.key_bits)));
    }
    if ![512, 1024, 2048, 4096].contains(&options.sector_size) {
        return Err(Error::Invalid(format!("sector size {}", options.sector_size)));
    }
    if options.label.len() > 47 || options.uuid.as_ref().is_some_and(|uuid| uuid.len() > 39) {
        return Err(Error::Invalid("label or UUID is too long".into()));
    }
    Ok(())
}

/// Nothing of what was there may be taken for a keyslot or an older header.
fn wipe(device: &dyn Device, length: u64) -> Result<()> {
    let zeros = vec![0; 1024 * 1024];
    let mut at = 0;
    while at < length {
        let size = usize::try_from((length - at).min(zeros.len() as u64)).unwrap_or(zeros.len());
        device.write_at(at, &zeros[..size])?;
        at += size as u64;
    }
    Ok(())
}
