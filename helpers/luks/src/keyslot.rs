//! Keyslots of type `luks2` (specification 1.1.4, §3.2): a volume key, spread by the anti-forensic
//! splitter, encrypted with a key that is derived from a password.

use blockdev::Device;
use model::Secret;
use subtle::ConstantTimeEq;
use xts::Xts;
use zeroize::Zeroizing;

use crate::header::Header;
use crate::kdf::{self, Hash, Kdf};
use crate::metadata::{AES_XTS, Af, Area, Digest, Id, Keyslot, U64};
use crate::{Error, Result};

const STRIPES: u32 = 4000;
const SALT: usize = 32;
/// Keyslot areas count their IV in 512-byte sectors from their own start.
const SECTOR: usize = 512;

/// A volume key with the keyslot that gave it.
#[derive(Clone, Debug)]
pub struct Unlocked {
    /// Which keyslot.
    pub keyslot: u32,
    /// The volume key.
    pub volume_key: Secret,
    /// Number of the digest that recognised it.
    pub(crate) digest: Id,
}

impl Header {
    /// Tries every keyslot, those of high priority first, until one gives a key that a digest
    /// recognises. `device` is what holds the header.
    ///
    /// # Errors
    /// [`Error::WrongSecret`] when none opens; [`Error::UnsupportedCipher`] or
    /// [`Error::UnsupportedKdf`] when none opens and one could not be tried.
    pub fn unlock(&self, device: &dyn Device, secret: &Secret) -> Result<Unlocked> {
        if secret.is_empty() {
            return Err(Error::EmptyPassword);
        }
        let mut slots: Vec<(&Id, &Keyslot)> = self
            .metadata
            .keyslots
            .iter()
            .filter(|(_, slot)| slot.kind == "luks2" && slot.priority != Some(0))
            .collect();
        if slots.is_empty() {
            return Err(Error::NoKeyslot);
        }
        slots.sort_by_key(|(id, slot)| (std::cmp::Reverse(slot.priority.unwrap_or(1)), **id));
        let mut failure = Error::WrongSecret;
        for (id, slot) in slots {
            match self.try_keyslot(device, *id, slot, secret) {
                Ok(Some(unlocked)) => return Ok(unlocked),
                Ok(None) => {}
                Err(error @ Error::Device(_)) => return Err(error),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    fn try_keyslot(&self, device: &dyn Device, id: Id, slot: &Keyslot, secret: &Secret) -> Result<Option<Unlocked>> {
        let key = open(device, slot, secret)?;
        for (digest_id, digest) in &self.metadata.digests {
            // A segment's digest, not that of a conversion, and the key's length has to fit as well.
            if digest.keyslots.contains(&id) && recognises(digest, &key)? {
                let volume_key = Secret::new(key.to_vec());
                return Ok(Some(Unlocked { keyslot: id.0, volume_key, digest: *digest_id }));
            }
        }
        Ok(None)
    }
}

/// Reads a keyslot: with a wrong password the result is a wrong key, which only a digest tells.
fn open(device: &dyn Device, slot: &Keyslot, secret: &Secret) -> Result<Zeroizing<Vec<u8>>> {
    let (record, af) = match (&slot.kdf, &slot.af) {
        (Some(record), Some(af)) if slot.area.kind == "raw" => (record, af),
        _ => return Err(Error::Invalid("keyslot without key derivation or splitter".into())),
    };
    let area_key_size = slot.area.key_size.unwrap_or(0) as usize;
    let encryption = slot.area.encryption.as_deref().unwrap_or("");
    if encryption != AES_XTS {
        return Err(Error::UnsupportedCipher(encryption.to_owned()));
    }
    if af.kind != "luks1" || af.stripes == 0 || af.stripes > 2 * STRIPES || slot.key_size == 0 || slot.key_size > 512 {
        return Err(Error::Invalid("splitter of the keyslot".into()));
    }
    // Before so many bytes are derived.
    if !matches!(area_key_size, 32 | 64) {
        return Err(Error::UnsupportedCipher(format!("{AES_XTS} with {area_key_size} bytes")));
    }
    let hash = Hash::parse(&af.hash)?;
    let (kdf, salt) = Kdf::parse(record)?;
    let length = (slot.key_size as usize * af.stripes as usize).next_multiple_of(SECTOR);
    if length as u64 > slot.area.size.0 {
        return Err(Error::Invalid("area of the keyslot is too small".into()));
    }
    // Before the slow part, so that an unknown cipher is told at once.
    let cipher_key = kdf.derive(secret, &salt, area_key_size)?;
    let cipher = cipher(&cipher_key)?;
    let mut material = Zeroizing::new(vec![0; length]);
    device.read_at(slot.area.offset.0, &mut material)?;
    cipher.decrypt_sectors(&mut material, 0, SECTOR).map_err(|error| Error::Invalid(error.to_string()))?;
    Ok(merge(&material, slot.key_size as usize, af.stripes as usize, hash))
}

/// Writes a keyslot's area and returns its record. `slot` of an existing keyslot is not changed.
pub(crate) fn make(
    device: &dyn Device,
    offset: u64,
    volume_key: &Secret,
    secret: &Secret,
    kdf: &Kdf,
) -> Result<Keyslot> {
    if secret.is_empty() {
        return Err(Error::EmptyPassword);
    }
    let hash = Hash::Sha256;
    let key_size = volume_key.expose().len();
    let salt = random::<SALT>()?;
    let area_key = kdf.derive(secret, &*salt, 64)?;
    let mut material = split(volume_key.expose(), STRIPES as usize, hash)?;
    let padded = material.len().next_multiple_of(SECTOR);
    material.resize(padded, 0);
    cipher(&area_key)?.encrypt_sectors(&mut material, 0, SECTOR).map_err(|error| Error::Invalid(error.to_string()))?;
    device.write_at(offset, &material)?;
    Ok(Keyslot {
        kind: "luks2".into(),
        key_size: u32::try_from(key_size).map_err(|_| Error::Invalid("key size".into()))?,
        priority: None,
        area: Area {
            kind: "raw".into(),
            offset: U64(offset),
            size: U64(area_size(key_size)),
            encryption: Some(AES_XTS.into()),
            key_size: Some(64),
            hash: None,
            sector_size: None,
            shift_size: None,
            other: serde_json::Map::new(),
        },
        kdf: Some(kdf.record(&*salt)),
        af: Some(Af { kind: "luks1".into(), stripes: STRIPES, hash: hash.name().into() }),
        mode: None,
        direction: None,
        other: serde_json::Map::new(),
    })
}

/// Bytes that the area of a keyslot takes.
pub(crate) const fn area_size(key_size: usize) -> u64 {
    (key_size as u64 * STRIPES as u64).next_multiple_of(4096)
}

/// A digest for a volume key, or for the metadata of a conversion.
pub(crate) fn digest_of(data: &[u8], iterations: u32) -> Result<Digest> {
    let hash = Hash::Sha256;
    let salt = random::<SALT>()?;
    let digest = hash.pbkdf2(data, &*salt, iterations, hash.size());
    Ok(Digest {
        kind: "pbkdf2".into(),
        keyslots: Vec::new(),
        segments: Vec::new(),
        hash: hash.name().into(),
        iterations,
        salt: kdf::encode(&*salt),
        digest: kdf::encode(&digest),
        other: serde_json::Map::new(),
    })
}

/// Whether the digest belongs to these bytes, in constant time.
pub(crate) fn recognises(digest: &Digest, data: &[u8]) -> Result<bool> {
    if digest.kind != "pbkdf2" {
        return Err(Error::UnsupportedKdf(digest.kind.clone()));
    }
    let expected = kdf::decode(&digest.digest)?;
    if expected.is_empty() || expected.len() > 64 || digest.iterations == 0 {
        return Err(Error::Invalid("digest".into()));
    }
    let salt = kdf::decode(&digest.salt)?;
    let found = Hash::parse(&digest.hash)?.pbkdf2(data, &salt, digest.iterations, expected.len());
    Ok(found.ct_eq(&expected).into())
}

pub(crate) fn cipher(key: &[u8]) -> Result<Xts> {
    Xts::new(key).map_err(|_| Error::UnsupportedCipher(format!("{AES_XTS} with {} bits", key.len() * 8)))
}

pub(crate) fn random<const N: usize>() -> Result<Zeroizing<[u8; N]>> {
    let mut bytes = Zeroizing::new([0; N]);
    getrandom::fill(&mut *bytes).map_err(|error| Error::NoRandomness(error.to_string()))?;
    Ok(bytes)
}

/// Anti-forensic splitter, TKS1 and §2.4 of the LUKS1 specification: all stripes but the last are
/// random; each is taken into a chain that is diffused by the hash; the last closes it with the key.
fn split(key: &[u8], stripes: usize, hash: Hash) -> Result<Zeroizing<Vec<u8>>> {
    let size = key.len();
    let mut material = Zeroizing::new(vec![0; size * stripes]);
    let (random, last) = material.split_at_mut(size * (stripes - 1));
    getrandom::fill(random).map_err(|error| Error::NoRandomness(error.to_string()))?;
    let chain = chain(random, size, hash);
    for (out, (key, chain)) in last.iter_mut().zip(key.iter().zip(chain.iter())) {
        *out = key ^ chain;
    }
    Ok(material)
}

fn merge(material: &[u8], size: usize, stripes: usize, hash: Hash) -> Zeroizing<Vec<u8>> {
    let (random, last) = material[..size * stripes].split_at(size * (stripes - 1));
    let mut key = chain(random, size, hash);
    for (key, last) in key.iter_mut().zip(last) {
        *key ^= last;
    }
    key
}

fn chain(stripes: &[u8], size: usize, hash: Hash) -> Zeroizing<Vec<u8>> {
    let mut block = Zeroizing::new(vec![0; size]);
    for stripe in stripes.chunks_exact(size) {
        for (block, stripe) in block.iter_mut().zip(stripe) {
            *block ^= stripe;
        }
        for (index, piece) in (0u32..).zip(block.chunks_mut(hash.size())) {
            let digest = hash.digest(&[&index.to_be_bytes(), piece]);
            let length = piece.len();
            piece.copy_from_slice(&digest[..length]);
        }
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_split_is_merged_again() {
        for (size, hash) in [(32, Hash::Sha256), (64, Hash::Sha256), (64, Hash::Sha1), (64, Hash::Sha512)] {
            let key: Vec<u8> = (0..size).collect();
            let material = split(&key, 4000, hash).unwrap();
            assert_eq!(*merge(&material, size.into(), 4000, hash), key);
            let mut damaged = material.clone();
            damaged[12345] ^= 1;
            assert_ne!(*merge(&damaged, size.into(), 4000, hash), key);
        }
    }
}
