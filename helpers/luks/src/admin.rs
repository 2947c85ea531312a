//! Keys, tokens, backups: what is done to a header that exists.

use blockdev::Device;
use model::Secret;
use serde_json::{Value, json};

use crate::header::{Header, Name};
use crate::kdf::Kdf;
use crate::keyslot::{self, Unlocked};
use crate::metadata::{AES_XTS, Id, Keyslot, Metadata};
use crate::{Error, Result};

/// A keyslot, for people and programs that look at a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyslotInfo {
    /// Its number.
    pub id: u32,
    /// Its key derivation in one line.
    pub kdf: String,
    /// Whether a `systemd-recovery` token says that a recovery key opens it.
    pub recovery: bool,
    /// Type of the token that belongs to it (`systemd-tpm2`, `systemd-fido2`…). `None`: it is opened by what
    /// somebody types.
    pub token: Option<String>,
}

impl Header {
    /// Where the data begin, in bytes.
    pub fn data_offset(&self) -> u64 {
        // In a conversion, the encrypted layout is the new one or the old one.
        let backup = ["backup-final", "backup-previous"]
            .into_iter()
            .find_map(|flag| self.metadata.segment_by_flag(flag).filter(|segment| segment.is_crypt()));
        let segment = backup.or_else(|| self.metadata.segments.values().find(|segment| segment.is_crypt()));
        segment.map_or(0, |segment| segment.offset.0)
    }

    /// Bytes of an encryption sector.
    pub fn sector_size(&self) -> u32 {
        let segment = self.metadata.segments.values().find(|segment| segment.is_crypt());
        segment.and_then(|segment| segment.sector_size).unwrap_or(512)
    }

    /// The cipher of the data, as the format spells it; `None` if nothing is encrypted.
    pub fn cipher(&self) -> Option<&str> {
        self.metadata.segments.values().find_map(|segment| segment.encryption.as_deref())
    }

    /// Bits of the volume key, by the first keyslot.
    pub fn key_bits(&self) -> Option<u32> {
        self.metadata.keyslots.values().find(|slot| slot.kind == "luks2").map(|slot| slot.key_size.saturating_mul(8))
    }

    /// Whether the data's cipher is one that this program can read and write.
    pub fn is_supported(&self) -> bool {
        self.cipher().is_none_or(|cipher| cipher == AES_XTS)
    }

    /// The keyslots that a password or key opens.
    pub fn keyslots(&self) -> Vec<KeyslotInfo> {
        let slots = self.metadata.keyslots.iter().filter(|(_, slot)| slot.kind == "luks2");
        slots
            .map(|(id, slot)| KeyslotInfo {
                id: id.0,
                kdf: slot.kdf.as_ref().map_or_else(String::new, |record| {
                    Kdf::parse(record).map_or(record.kind.clone(), |(kdf, _)| kdf.summary())
                }),
                recovery: self.token_of("systemd-recovery", *id).is_some(),
                token: self.token_types(*id).next().map(str::to_owned),
            })
            .collect()
    }

    /// Adds a keyslot for `secret` and writes the header. Returns the keyslot's number.
    ///
    /// # Errors
    /// [`Error::Converting`] while a conversion is under way; [`Error::KeyslotsFull`].
    pub fn add_key(&mut self, device: &dyn Device, unlocked: &Unlocked, secret: &Secret, kdf: &Kdf) -> Result<u32> {
        self.writable()?;
        self.add_keyslot(device, &unlocked.volume_key, unlocked.digest, secret, kdf)
    }

    pub(crate) fn add_keyslot(
        &mut self,
        device: &dyn Device,
        volume_key: &Secret,
        digest: Id,
        secret: &Secret,
        kdf: &Kdf,
    ) -> Result<u32> {
        let id = Metadata::free_id(&self.metadata.keyslots)?;
        let size = keyslot::area_size(volume_key.expose().len());
        let offset = self.metadata.free_area(self.size, size).ok_or(Error::KeyslotsFull)?;
        let slot = keyslot::make(device, offset, volume_key, secret, kdf)?;
        // The area is safe before the header names it.
        device.flush()?;
        let before = self.metadata.clone();
        self.metadata.keyslots.insert(id, slot);
        if let Some(digest) = self.metadata.digests.get_mut(&digest) {
            digest.keyslots.push(id);
        }
        self.store_or(device, before)?;
        Ok(id.0)
    }

    /// Puts a new keyslot for `new` in the place of the one that `unlocked` came from: the new one is
    /// written, and opened with what was written, before the old one goes. Tokens move with it.
    pub fn change_key(&mut self, device: &dyn Device, unlocked: &Unlocked, new: &Secret, kdf: &Kdf) -> Result<u32> {
        let added = self.add_key(device, unlocked, new, kdf)?;
        let proven = self.unlock(device, new)?;
        if proven.volume_key != unlocked.volume_key {
            return Err(Error::WrongSecret);
        }
        self.move_tokens(unlocked.keyslot, added);
        self.remove_keyslot(device, unlocked.keyslot)?;
        Ok(added)
    }

    /// Removes a keyslot and overwrites its area.
    ///
    /// # Errors
    /// [`Error::LastKeyslot`]: the last one stays. [`Error::NoSuchKeyslot`], [`Error::Converting`].
    pub fn remove_keyslot(&mut self, device: &dyn Device, keyslot: u32) -> Result<()> {
        self.writable()?;
        let id = Id(keyslot);
        let slot: Keyslot = self
            .metadata
            .keyslots
            .get(&id)
            .filter(|slot| slot.kind == "luks2")
            .cloned()
            .ok_or(Error::NoSuchKeyslot(keyslot))?;
        if self.metadata.keyslots.values().filter(|slot| slot.kind == "luks2").count() < 2 {
            return Err(Error::LastKeyslot);
        }
        let before = self.metadata.clone();
        self.metadata.keyslots.remove(&id);
        for digest in self.metadata.digests.values_mut() {
            digest.keyslots.retain(|other| *other != id);
        }
        for token in self.metadata.tokens.values_mut() {
            if let Some(slots) = token.get_mut("keyslots").and_then(Value::as_array_mut) {
                slots.retain(|slot| slot.as_str() != Some(&keyslot.to_string()));
            }
        }
        self.metadata.tokens.retain(|_, token| {
            // A token of systemd without a keyslot would promise a key that opens nothing.
            !token.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("systemd-"))
                || token.get("keyslots").and_then(Value::as_array).is_some_and(|slots| !slots.is_empty())
        });
        self.store_or(device, before)?;
        // From here on nothing refers to the area any more: what is left of the key goes too.
        let mut noise = vec![0; usize::try_from(slot.area.size.0).unwrap_or(0)];
        getrandom::fill(&mut noise).map_err(|error| Error::NoRandomness(error.to_string()))?;
        device.write_at(slot.area.offset.0, &noise)?;
        device.flush()?;
        Ok(())
    }

    /// Adds the token by which systemd knows that a keyslot belongs to a recovery key, and writes the
    /// header.
    pub fn add_recovery_token(&mut self, device: &dyn Device, keyslot: u32) -> Result<()> {
        self.writable()?;
        let before = self.metadata.clone();
        self.put_token(json!({ "type": "systemd-recovery", "keyslots": [keyslot.to_string()] }))?;
        self.store_or(device, before)
    }

    /// The token of this type that names this keyslot.
    pub(crate) fn token_of(&self, kind: &str, keyslot: Id) -> Option<&Value> {
        self.tokens_of(keyslot).find(|token| token.get("type").and_then(Value::as_str) == Some(kind))
    }

    fn token_types(&self, keyslot: Id) -> impl Iterator<Item = &str> {
        self.tokens_of(keyslot).filter_map(|token| token.get("type").and_then(Value::as_str))
    }

    /// The tokens that name this keyslot.
    fn tokens_of(&self, keyslot: Id) -> impl Iterator<Item = &Value> {
        let number = keyslot.0.to_string();
        self.metadata.tokens.values().filter(move |token| {
            let slots = token.get("keyslots").and_then(Value::as_array);
            slots.is_some_and(|slots| slots.iter().any(|slot| slot.as_str() == Some(&number)))
        })
    }

    /// The first token of this type.
    pub(crate) fn token(&self, kind: &str) -> Option<&Value> {
        self.metadata.tokens.values().find(|token| token.get("type").and_then(Value::as_str) == Some(kind))
    }

    /// Adds a token, without writing.
    pub(crate) fn put_token(&mut self, token: Value) -> Result<()> {
        let id = Metadata::free_id(&self.metadata.tokens)?;
        self.metadata.tokens.insert(id, token);
        Ok(())
    }

    /// Removes all tokens of this type, without writing.
    pub(crate) fn drop_tokens(&mut self, kind: &str) {
        self.metadata.tokens.retain(|_, token| token.get("type").and_then(Value::as_str) != Some(kind));
    }

    fn move_tokens(&mut self, from: u32, to: u32) {
        for token in self.metadata.tokens.values_mut() {
            for slot in token.get_mut("keyslots").and_then(Value::as_array_mut).into_iter().flatten() {
                if slot.as_str() == Some(&from.to_string()) {
                    *slot = Value::String(to.to_string());
                }
            }
        }
    }

    /// Whether keyslots may be changed now.
    fn writable(&self) -> Result<()> {
        self.metadata.known_requirements()?;
        if self.metadata.reencrypt_keyslot().is_some() || !self.metadata.requirements().is_empty() {
            return Err(Error::Converting);
        }
        Ok(())
    }

    /// Writes; what could not be written is not believed either.
    fn store_or(&mut self, device: &dyn Device, before: Metadata) -> Result<()> {
        let result = self.store(device);
        if result.is_err() {
            self.metadata = before;
        }
        result
    }
}

/// The header and all keyslots as bytes, in the form of `cryptsetup luksHeaderBackup`.
///
/// # Errors
/// [`Error::Converting`]: a backup from the middle of a conversion would be poison afterwards.
pub fn backup(device: &dyn Device) -> Result<Vec<u8>> {
    let header = Header::load(device)?.header;
    header.writable()?;
    let size = usize::try_from(header.whole_size()).map_err(|_| Error::Invalid("header size".into()))?;
    Ok(device.read_vec(0, size)?)
}

/// Puts a backup back. Unlike `cryptsetup luksHeaderRestore`, it refuses a backup of another volume:
/// `expected` is the UUID that the device had, where its own header does not tell any more.
///
/// # Errors
/// [`Error::OtherVolume`], [`Error::Converting`] when a conversion is under way on the device,
/// [`Error::TooSmall`]; and all errors of [`Header::load`] for the backup itself.
pub fn restore(device: &dyn Device, backup: &[u8], expected: Option<&str>) -> Result<Header> {
    let source = blockdev::Memory::new(backup.to_vec());
    let header = Header::load(&source)?.header;
    header.writable()?;
    let whole = header.whole_size();
    if (backup.len() as u64) < whole {
        return Err(Error::Damaged("the backup is cut short".into()));
    }
    let data = header.data_offset();
    if (1..whole).contains(&data) {
        return Err(Error::Damaged(format!("the backup is of {whole} bytes, and the data begin at {data}")));
    }
    if device.size() <= data {
        return Err(Error::TooSmall { size: device.size(), needed: data });
    }
    let present = Header::load(device).ok().map(|loaded| loaded.header);
    if let Some(present) = &present {
        present.writable()?;
    }
    let found = present.as_ref().map(|header| header.uuid().to_owned()).or_else(|| expected.map(str::to_owned));
    if let Some(found) = found
        && !found.eq_ignore_ascii_case(header.uuid())
    {
        return Err(Error::OtherVolume { found, expected: header.uuid().to_owned() });
    }
    let split = usize::try_from(2 * header.copy_size()).map_err(|_| Error::Invalid("header size".into()))?;
    let end = usize::try_from(whole).map_err(|_| Error::Invalid("header size".into()))?;
    // Keyslots first: the header that names them comes when they are there.
    device.write_at(split as u64, &backup[split..end])?;
    device.flush()?;
    let mut header = header;
    // Not the copy that alone is good, if there is one.
    header.only_primary = present.as_ref().is_some_and(|header| header.only_primary);
    header.sequence = header.sequence.max(present.map_or(0, |header| header.sequence));
    header.store(device)?;
    Ok(header)
}

/// Destroys what opens the volume: keyslots first, then both headers, and says to the device that nothing on
/// it is needed any more. What is encrypted stays as noise that no password opens.
///
/// A flash drive may keep the old sectors where nobody but its maker reaches them; only its own erasing
/// (sanitize, or its own key) is certain there.
///
/// # Errors
/// [`Error::Converting`]: a part is still in plain text, and destroying the header would not hide it. Those of
/// [`Header::load`].
pub fn erase(device: &dyn Device) -> Result<()> {
    let header = Header::load(device)?.header;
    header.writable()?;
    let split = 2 * header.copy_size();
    let end = header.whole_size().max(header.data_offset()).min(device.size());
    // In this order a cut at any moment leaves either all of it or nothing that opens.
    for range in [split..end, 0..split] {
        overwrite(device, range)?;
    }
    device.discard(0, device.size())?;
    Ok(())
}

/// Random bytes from here to there, on the medium when it returns.
fn overwrite(device: &dyn Device, range: std::ops::Range<u64>) -> Result<()> {
    const PIECE: u64 = 1 << 20;
    let mut at = range.start;
    while at < range.end {
        let length = PIECE.min(range.end - at);
        let mut noise = vec![0; usize::try_from(length).unwrap_or_default()];
        getrandom::fill(&mut noise).map_err(|error| Error::NoRandomness(error.to_string()))?;
        device.write_at(at, &noise)?;
        at += length;
    }
    device.flush()?;
    Ok(())
}

/// Builds both binary headers anew from a JSON area that survived, when a partition tool or LVM wrote
/// over them: they hold nothing secret and nothing unique but the UUID, which is `uuid` or a new one.
/// Nothing is written unless the keyslots area is there as well; nobody can see that from outside, so
/// the caller proves it by a password before keeping the result.
///
/// # Errors
/// [`Error::Damaged`] when no JSON area is whole.
pub fn rebuild(device: &dyn Device, uuid: Option<&str>) -> Result<Header> {
    for size in crate::header::SIZES {
        for base in [size, 0] {
            if base + size > device.size() {
                continue;
            }
            if device.read_vec(base + 4096, 1)? != b"{" {
                continue;
            }
            let length = usize::try_from(size).map_err(|_| Error::Invalid("header size".into()))?;
            let bytes = device.read_vec(base + 4096, length - 4096)?;
            if let Ok(metadata) = Metadata::parse(&bytes, size) {
                return Ok(Header {
                    size,
                    // Above any sequence number that the lost headers can have had.
                    sequence: 1000,
                    label: Name::default(),
                    subsystem: Name::default(),
                    only_primary: false,
                    uuid: uuid.map_or_else(|| uuid::Uuid::new_v4().to_string(), str::to_owned).into(),
                    metadata,
                });
            }
        }
    }
    Err(Error::Damaged("no JSON area is whole".into()))
}
