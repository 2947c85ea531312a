//! LUKS1 (LUKS On-Disk Format Specification 1.2.3) and the signature of LUKS2 (specification 1.1.4,
//! section 2.1).

use blockdev::{Device, Result};
use filesystems::raw::Block;

const MAGIC: &[u8] = b"LUKS\xba\xbe";
/// What cryptsetup-reencrypt writes in place of the signature while it converts LUKS1.
const MAGIC_CONVERTING: &[u8] = b"LUKS\xde\xad";
const MAGIC_SECOND: &[u8] = b"SKUL\xba\xbe";

/// A header of LUKS1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Luks1 {
    /// Its UUID.
    pub uuid: Option<String>,
    /// The cipher as the header names it: `aes`.
    pub cipher: String,
    /// The mode as the header names it: `xts-plain64`.
    pub mode: String,
    /// The hash of its key derivation: `sha256`.
    pub hash: String,
    /// Where the data begin, in bytes.
    pub payload_offset: u64,
    /// Bytes of the volume key.
    pub key_bytes: u32,
    /// How many of the eight keyslots are in use.
    pub keyslots: u32,
    /// Whether its numbers make sense together: keyslots that end before the data and do not overlap.
    pub sound: bool,
    /// An offline reencryption with the old `cryptsetup-reencrypt` was interrupted.
    pub converting: bool,
}

/// That there is a header of LUKS2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Luks2 {
    /// The first copy's signature is there.
    pub primary: bool,
    /// Where the second copy's signature is, in bytes.
    pub secondary: Option<u64>,
    /// Its UUID, of whichever copy is there. Not checked.
    pub uuid: Option<String>,
    /// Its label, likewise.
    pub label: Option<String>,
}

pub(crate) fn luks1(dev: &dyn Device) -> Result<Option<Luks1>> {
    let Some(raw) = Block::read(dev, 0, 592)? else { return Ok(None) };
    let converting = raw.has(0, MAGIC_CONVERTING);
    if !(converting || raw.has(0, MAGIC)) || raw.be16(6) != 1 {
        return Ok(None);
    }
    let active = (0..8).filter(|slot| raw.be32(208 + slot * 48) == 0x00ac_71f3).count();
    Ok(Some(Luks1 {
        uuid: raw.text(168, 40),
        cipher: raw.text(8, 32).unwrap_or_default(),
        mode: raw.text(40, 32).unwrap_or_default(),
        hash: raw.text(72, 32).unwrap_or_default(),
        payload_offset: u64::from(raw.be32(104)) * 512,
        key_bytes: raw.be32(108),
        keyslots: u32::try_from(active).unwrap_or(0),
        sound: is_sound(&raw),
        converting,
    }))
}

/// Each keyslot says how it is used in one of two ways, has the usual number of stripes, and its material
/// lies between the header and the data, apart from that of the others (the damage that cryptsetup
/// refuses, too).
fn is_sound(raw: &Block) -> bool {
    const ACTIVE: u32 = 0x00ac_71f3;
    const FREE: u32 = 0x0000_dead;
    const STRIPES: u32 = 4000;
    const HEADER: u64 = 592;
    let (key, payload) = (u64::from(raw.be32(108)), u64::from(raw.be32(104)) * 512);
    if key == 0 || key > 512 {
        return false;
    }
    let length = (key * u64::from(STRIPES)).next_multiple_of(512);
    let mut starts = Vec::new();
    for slot in (0..8).map(|slot| 208 + slot * 48) {
        if !matches!(raw.be32(slot), ACTIVE | FREE) || raw.be32(slot + 44) != STRIPES {
            return false;
        }
        starts.push(u64::from(raw.be32(slot + 40)) * 512);
    }
    starts.sort_unstable();
    let apart = starts.windows(2).all(|pair| pair[0] + length <= pair[1]);
    // No payload offset: the data lie on another device.
    let before_data = payload == 0 || starts.last().is_some_and(|last| last + length <= payload);
    apart && starts[0] >= HEADER && before_data
}

pub(crate) fn luks2(dev: &dyn Device) -> Result<Option<Luks2>> {
    let first = Block::read(dev, 0, 512)?.filter(|raw| raw.has(0, MAGIC) && raw.be16(6) == 2);
    let mut second = None;
    // The second copy follows the first, whose size is one of nine.
    for shift in 14..=22 {
        let offset = 1_u64 << shift;
        let copy = Block::read(dev, offset, 512)?;
        second = copy.filter(|raw| raw.has(0, MAGIC_SECOND) && raw.be16(6) == 2 && raw.be64(256) == offset);
        if second.is_some() {
            break;
        }
    }
    let Some(raw) = first.as_ref().or(second.as_ref()) else { return Ok(None) };
    Ok(Some(Luks2 {
        primary: first.is_some(),
        secondary: second.as_ref().map(|raw| raw.be64(256)),
        uuid: raw.text(168, 40),
        label: raw.text(24, 48),
    }))
}
