//! The binary header and its two copies (specification 1.1.4, §2).

use blockdev::Device;
use sha2::{Digest as _, Sha256, Sha512};

use crate::metadata::Metadata;
use crate::{Error, Result};

/// Bytes of the binary header; its last half is empty.
pub(crate) const BINARY: usize = 4096;
/// Sizes that a header (binary part and JSON area) may have: 16 KiB to 4 MiB, powers of two (§2.1).
pub(crate) const SIZES: [u64; 9] =
    [0x4000, 0x8000, 0x1_0000, 0x2_0000, 0x4_0000, 0x8_0000, 0x10_0000, 0x20_0000, 0x40_0000];
/// Size of each copy in new headers: a partition tool's GPT write (17,408 bytes) then leaves the
/// second copy alone.
pub const NEW_HEADER_SIZE: u64 = 0x1_0000;

const PRIMARY: &[u8; 6] = b"LUKS\xba\xbe";
const SECONDARY: &[u8; 6] = b"SKUL\xba\xbe";

/// A checked header.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Bytes of one copy: 4096 and the JSON area.
    pub(crate) size: u64,
    pub(crate) sequence: u64,
    pub(crate) label: Name,
    pub(crate) subsystem: Name,
    pub(crate) uuid: Name,
    pub(crate) metadata: Metadata,
    /// The second copy on the medium is missing, torn or old: until it has been written, the first one
    /// must not be touched, because nothing else tells the present state.
    pub(crate) only_primary: bool,
}

/// A text of the binary header. Its bytes are kept as they are: other programs write other encodings into it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Name {
    bytes: Vec<u8>,
    shown: String,
}

impl Name {
    fn of(field: &[u8]) -> Self {
        let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
        Self { bytes: field[..end].to_vec(), shown: text_of(field) }
    }
}

impl From<String> for Name {
    fn from(shown: String) -> Self {
        Self { bytes: shown.clone().into_bytes(), shown }
    }
}

/// What is wrong with one of the two copies while the other is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The first copy is gone or torn.
    Primary,
    /// The second copy is gone or torn.
    Secondary,
    /// Both are whole, and the first is newer: an update was cut off between them.
    SecondaryOld,
    /// Both are whole, and the second is newer.
    PrimaryOld,
}

/// A header as it was found. Nothing has been written.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The newest good copy.
    pub header: Header,
    /// What [`Header::repair`] would mend.
    pub damage: Option<Damage>,
}

impl Header {
    /// Reads both copies and takes the newest that is whole. Writes nothing.
    ///
    /// # Errors
    /// [`Error::NotLuks`] when there is no trace of a header, [`Error::OtherVersion`] for LUKS1,
    /// [`Error::Damaged`] when there are traces but no whole copy, [`Error::Invalid`] when a whole
    /// copy breaks the rules; [`Error::Device`] when what could not be read might say something else.
    pub fn load(device: &dyn Device) -> Result<Loaded> {
        let primary = read_copy(device, 0, PRIMARY);
        let secondary = match &primary {
            Ok(header) => read_copy(device, header.size, SECONDARY),
            Err(_) => SIZES
                .iter()
                .map(|offset| read_copy(device, *offset, SECONDARY))
                .filter(|copy| !matches!(copy, Err(Error::NotLuks)))
                // A whole one anywhere, before a bad sector where it could have been.
                .reduce(|found, next| if found.is_err() && next.is_ok() { next } else { found })
                .unwrap_or(Err(Error::NotLuks)),
        };
        let mut loaded = Self::choose(primary, secondary)?;
        loaded.header.only_primary = matches!(loaded.damage, Some(Damage::Secondary | Damage::SecondaryOld));
        Ok(loaded)
    }

    fn choose(primary: Result<Self>, secondary: Result<Self>) -> Result<Loaded> {
        match (primary, secondary) {
            (Ok(first), Ok(second)) if first.uuid != second.uuid => {
                // A leftover of an older volume behind a good first copy.
                Ok(Loaded { header: first, damage: Some(Damage::Secondary) })
            }
            (Ok(first), Ok(second)) => Ok(match first.sequence.cmp(&second.sequence) {
                std::cmp::Ordering::Equal => Loaded { header: first, damage: None },
                std::cmp::Ordering::Greater => Loaded { header: first, damage: Some(Damage::SecondaryOld) },
                std::cmp::Ordering::Less => Loaded { header: second, damage: Some(Damage::PrimaryOld) },
            }),
            (Ok(header), Err(_)) => Ok(Loaded { header, damage: Some(Damage::Secondary) }),
            (Err(Error::OtherVersion(version)), _) => Err(Error::OtherVersion(version)),
            // A first copy that was torn was just being written, and what it announces has not been done.
            // One that is whole and cannot be read may announce what has been done, on the medium, over
            // what the second one still counts on.
            (Err(error @ Error::Device(_)), Ok(header)) if header.metadata.reencrypt_keyslot().is_some() => Err(error),
            (Err(_), Ok(header)) => Ok(Loaded { header, damage: Some(Damage::Primary) }),
            (Err(_), Err(error @ Error::Device(_))) | (Err(Error::NotLuks), Err(error)) | (Err(error), Err(_)) => {
                Err(error)
            }
        }
    }

    /// Volume's UUID.
    pub fn uuid(&self) -> &str {
        &self.uuid.shown
    }

    /// Volume's label, empty if none.
    pub fn label(&self) -> &str {
        &self.label.shown
    }

    /// Counts the header's changes.
    pub const fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The JSON area.
    pub const fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Bytes of one copy.
    pub const fn copy_size(&self) -> u64 {
        self.size
    }

    /// Bytes from the start to the end of the keyslots area.
    pub const fn whole_size(&self) -> u64 {
        2 * self.size + self.metadata.config.keyslots_size.0
    }

    /// Writes the header with a new sequence number: each copy whole and flushed before the other is
    /// touched, and never first the only one that is good, so that at any time one of them is.
    pub fn store(&mut self, device: &dyn Device) -> Result<()> {
        self.sequence = self.sequence.checked_add(1).ok_or_else(|| Error::Invalid("sequence number".into()))?;
        if self.only_primary {
            self.store_secondary(device)?;
            device.flush()?;
            self.store_primary(device)?;
        } else {
            self.store_primary(device)?;
            device.flush()?;
            self.store_secondary(device)?;
        }
        device.flush()?;
        self.only_primary = false;
        Ok(())
    }

    /// Mends the copy that [`Header::load`] found damaged or old, from the good one.
    pub fn repair(&self, device: &dyn Device, damage: Damage) -> Result<()> {
        match damage {
            Damage::Primary | Damage::PrimaryOld => self.store_primary(device)?,
            Damage::Secondary | Damage::SecondaryOld => self.store_secondary(device)?,
        }
        device.flush()?;
        Ok(())
    }

    /// Writes the first copy only, and does not flush.
    pub(crate) fn store_primary(&self, device: &dyn Device) -> Result<()> {
        Ok(device.write_at(0, &self.copy_bytes(0, PRIMARY)?)?)
    }

    /// Writes the second copy only, and does not flush.
    pub(crate) fn store_secondary(&self, device: &dyn Device) -> Result<()> {
        Ok(device.write_at(self.size, &self.copy_bytes(self.size, SECONDARY)?)?)
    }

    /// One copy as bytes.
    fn copy_bytes(&self, offset: u64, magic: &[u8; 6]) -> Result<Vec<u8>> {
        let json = serde_json::to_vec(&self.metadata).map_err(|error| Error::Invalid(error.to_string()))?;
        let size = usize::try_from(self.size).map_err(|_| Error::Invalid("header size".into()))?;
        // The text must end with a NUL inside the area.
        if json.len() + 1 > size - BINARY {
            return Err(Error::KeyslotsFull);
        }
        let mut bytes = vec![0; size];
        bytes[..6].copy_from_slice(magic);
        bytes[6..8].copy_from_slice(&2u16.to_be_bytes());
        bytes[8..16].copy_from_slice(&self.size.to_be_bytes());
        bytes[16..24].copy_from_slice(&self.sequence.to_be_bytes());
        put_text(&mut bytes[24..72], &self.label.bytes);
        put_text(&mut bytes[72..104], b"sha256");
        getrandom::fill(&mut bytes[104..168]).map_err(|error| Error::NoRandomness(error.to_string()))?;
        put_text(&mut bytes[168..208], &self.uuid.bytes);
        put_text(&mut bytes[208..256], &self.subsystem.bytes);
        bytes[256..264].copy_from_slice(&offset.to_be_bytes());
        bytes[BINARY..BINARY + json.len()].copy_from_slice(&json);
        let checksum = Sha256::digest(&bytes);
        bytes[448..480].copy_from_slice(&checksum);
        Ok(bytes)
    }
}

fn put_text(field: &mut [u8], text: &[u8]) {
    // Fields are NUL-terminated; what is too long was refused where it came in.
    let length = text.len().min(field.len() - 1);
    field[..length].copy_from_slice(&text[..length]);
}

fn text_of(field: &[u8]) -> String {
    let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
    String::from_utf8_lossy(&field[..end]).into_owned()
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// Reads one copy. [`Error::NotLuks`] means that not even its magic is there.
fn read_copy(device: &dyn Device, offset: u64, magic: &[u8; 6]) -> Result<Header> {
    if offset + BINARY as u64 > device.size() {
        return Err(Error::NotLuks);
    }
    let binary = device.read_vec(offset, BINARY)?;
    if &binary[..6] != magic {
        return Err(Error::NotLuks);
    }
    let version = u16::from_be_bytes([binary[6], binary[7]]);
    if version != 2 {
        // The second magic exists in version 2 only; version 1 shares the first.
        return Err(if offset == 0 {
            Error::OtherVersion(version)
        } else {
            Error::Damaged(format!("version {version}"))
        });
    }
    let size = number(&binary[8..16]);
    if !SIZES.contains(&size) || number(&binary[256..264]) != offset || (offset != 0 && offset != size) {
        return Err(Error::Damaged(format!("header of {size} bytes at {offset}")));
    }
    if offset + size > device.size() {
        return Err(Error::Damaged("the device ends within the header".into()));
    }
    let length = usize::try_from(size).map_err(|_| Error::Invalid("header size".into()))?;
    let mut bytes = device.read_vec(offset, length)?;
    let found = bytes[448..512].to_vec();
    bytes[448..512].fill(0);
    let algorithm = text_of(&binary[72..104]);
    let good = match algorithm.as_str() {
        "sha256" => Sha256::digest(&bytes)[..] == found[..32],
        "sha512" => Sha512::digest(&bytes)[..] == found[..],
        _ => return Err(Error::Damaged(format!("checksum {algorithm}"))),
    };
    if !good {
        return Err(Error::Damaged(format!("checksum of the copy at {offset}")));
    }
    Ok(Header {
        size,
        sequence: number(&binary[16..24]),
        label: Name::of(&binary[24..72]),
        uuid: Name::of(&binary[168..208]),
        subsystem: Name::of(&binary[208..256]),
        metadata: Metadata::parse(&bytes[BINARY..], size)?,
        only_primary: false,
    })
}
