//! One copy of the metadata of BitLocker ("FVE metadata block", section 5): a block header of 64
//! bytes, a metadata header of 48, entries, and behind them a checksum over all of it.

use blockdev::{Device, Result};
use filesystems::raw::{Block, crc32};

use super::OEM;

const BLOCK_HEADER: usize = 64;
const METADATA_HEADER: usize = 48;
const ENTRY_HEADER: usize = 8;
/// A copy has 64 KiB on the medium.
const LARGEST: usize = 64 << 10;

/// What the metadata of BitLocker say. No secret is needed to read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fve {
    /// 1: Windows Vista, 2: Windows 7 and later.
    pub version: u16,
    /// What the volume is at the moment.
    pub state: FveState,
    /// What it is going to be.
    pub next: FveState,
    /// How its sectors are encrypted.
    pub method: FveMethod,
    /// What opens it, in the order of the metadata.
    pub protectors: Vec<Protector>,
    /// Bytes of the volume that are encrypted; all of it when the conversion is done.
    pub encrypted: u64,
    /// The volume's identifier.
    pub guid: Option<String>,
    /// The computer's name, the volume's and the date, as Windows wrote it down.
    pub description: Option<String>,
}

impl Fve {
    /// Whether the key lies openly beside the data: protection is suspended, or was never switched on.
    pub fn has_clear_key(&self) -> bool {
        self.protectors.contains(&Protector::ClearKey)
    }

    /// Copies that differ are the trace of an interrupted change. Whoever has the drive takes the one
    /// that opens.
    pub(super) fn take_the_worst_of(&mut self, other: Self) {
        if other.has_clear_key() && !self.has_clear_key() {
            self.protectors.push(Protector::ClearKey);
        }
        if self.state == FveState::Encrypted && other.state != FveState::Encrypted {
            (self.state, self.next, self.encrypted) = (other.state, other.next, other.encrypted);
        }
    }
}

/// What a volume of BitLocker is, or is going to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FveState {
    /// Prepared: the metadata are there and the data are plain.
    Decrypted,
    /// On its way from one to the other.
    Switching,
    /// The same, encrypting what is written first.
    OnWrite,
    /// Encrypted.
    Encrypted,
    /// On its way, and paused.
    Paused,
    /// A number that is not known.
    Other(u16),
}

impl From<u16> for FveState {
    fn from(number: u16) -> Self {
        match number {
            1 => Self::Decrypted,
            2 => Self::Switching,
            3 => Self::OnWrite,
            4 => Self::Encrypted,
            5 => Self::Paused,
            other => Self::Other(other),
        }
    }
}

/// How the sectors of a volume of BitLocker are encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FveMethod {
    /// AES-CBC with 128 bits and the Elephant diffuser.
    Elephant128,
    /// AES-CBC with 256 bits and the Elephant diffuser.
    Elephant256,
    /// AES-CBC with 128 bits.
    Cbc128,
    /// AES-CBC with 256 bits.
    Cbc256,
    /// AES-XTS with 128 bits.
    Xts128,
    /// AES-XTS with 256 bits.
    Xts256,
    /// None of these: the drive itself encrypts, or something newer.
    Other(u16),
}

impl FveMethod {
    /// Its name as other tools spell it: `AES-XTS 128`. `None`: not one that is known.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Elephant128 => "AES-CBC 128 + diffuser",
            Self::Elephant256 => "AES-CBC 256 + diffuser",
            Self::Cbc128 => "AES-CBC 128",
            Self::Cbc256 => "AES-CBC 256",
            Self::Xts128 => "AES-XTS 128",
            Self::Xts256 => "AES-XTS 256",
            Self::Other(_) => return None,
        })
    }
}

impl From<u16> for FveMethod {
    fn from(number: u16) -> Self {
        match number {
            0x8000 => Self::Elephant128,
            0x8001 => Self::Elephant256,
            0x8002 => Self::Cbc128,
            0x8003 => Self::Cbc256,
            0x8004 => Self::Xts128,
            0x8005 => Self::Xts256,
            other => Self::Other(other),
        }
    }
}

/// What opens a volume of BitLocker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protector {
    /// The key in the clear: anybody.
    ClearKey,
    /// The computer's TPM.
    Tpm,
    /// A key file on a stick.
    StartupKey,
    /// The TPM together with a key file.
    TpmAndStartupKey,
    /// The TPM together with a PIN.
    TpmAndPin,
    /// The recovery password of 48 digits.
    RecoveryPassword,
    /// A smart card or a certificate.
    SmartCard,
    /// A password.
    Password,
    /// A number that is not known.
    Other(u16),
}

impl Protector {
    /// A short technical name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClearKey => "clear key",
            Self::Tpm => "TPM",
            Self::StartupKey => "startup key",
            Self::TpmAndStartupKey => "TPM + startup key",
            Self::TpmAndPin => "TPM + PIN",
            Self::RecoveryPassword => "recovery password",
            Self::SmartCard => "smart card",
            Self::Password => "password",
            Self::Other(_) => "other",
        }
    }
}

impl From<u16> for Protector {
    fn from(number: u16) -> Self {
        match number {
            0x0000 => Self::ClearKey,
            0x0100 => Self::Tpm,
            0x0200 => Self::StartupKey,
            0x0300 => Self::TpmAndStartupKey,
            0x0500 => Self::TpmAndPin,
            0x0800 => Self::RecoveryPassword,
            0x1000 => Self::SmartCard,
            0x2000 => Self::Password,
            other => Self::Other(other),
        }
    }
}

/// The copy at `offset`; `None` if none lies there or its checksum does not fit.
pub(super) fn read(dev: &dyn Device, offset: u64) -> Result<Option<Fve>> {
    let Some(head) = Block::read(dev, offset, BLOCK_HEADER + METADATA_HEADER)? else { return Ok(None) };
    let version = head.le16(10);
    if !head.has(0, OEM) || !matches!(version, 1 | 2) {
        return Ok(None);
    }
    // Version 2 counts in units of sixteen bytes.
    let size = usize::from(head.le16(8)) << if version == 2 { 4 } else { 0 };
    if !(BLOCK_HEADER + METADATA_HEADER..=LARGEST).contains(&size) {
        return Ok(None);
    }
    // Behind it: two bytes of size, two of version, four of checksum.
    let Some(whole) = Block::read(dev, offset, size + ENTRY_HEADER)? else { return Ok(None) };
    if crc32(&[whole.slice(0, size)]) != whole.le32(size + 4) {
        return Ok(None);
    }
    Ok(parse(&whole, version, size))
}

fn parse(raw: &Block, version: u16, size: usize) -> Option<Fve> {
    let metadata = usize::try_from(raw.le32(BLOCK_HEADER)).ok()?;
    let header = usize::try_from(raw.le32(BLOCK_HEADER + 8)).ok()?;
    let end = BLOCK_HEADER.checked_add(metadata).filter(|end| *end <= size)?;
    let mut fve = Fve {
        version,
        state: raw.le16(12).into(),
        next: raw.le16(14).into(),
        method: raw.le16(BLOCK_HEADER + 36).into(),
        protectors: Vec::new(),
        encrypted: raw.le64(16),
        guid: raw.guid(BLOCK_HEADER + 16),
        description: None,
    };
    let mut at = BLOCK_HEADER.checked_add(header).filter(|_| header >= METADATA_HEADER)?;
    while at + ENTRY_HEADER <= end {
        let length = usize::from(raw.le16(at));
        if length < ENTRY_HEADER || at + length > end {
            return None;
        }
        match (raw.le16(at + 2), raw.le16(at + 4)) {
            // A volume master key: its identifier, a date, and in the last two bytes what opens it.
            (2, 8) if length >= ENTRY_HEADER + 28 => fve.protectors.push(raw.le16(at + ENTRY_HEADER + 26).into()),
            (7, 2) => fve.description = raw.utf16(at + ENTRY_HEADER, (length - ENTRY_HEADER) / 2),
            _ => {}
        }
        at += length;
    }
    Some(fve)
}
