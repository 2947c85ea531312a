//! What lies on one device, put together from what `luks`, `foreign` and `filesystems` see.

use std::collections::BTreeMap;

use blockdev::Device;
use filesystems::{Found, Trouble};
use foreign::{Apfs, BitLocker, BitLockerShape, CoreStorage, Foreign, FveState, Luks1, PartitionTable};
use luks::Damage;
use luks::convert::{self, Mode, Place, State};
use luks::metadata::Metadata;
use model::{Describe, Fault, Finding};

use crate::Noted;
use crate::judge::{ByDrive, Conversion, Facts, Format, Health, Own, Sight, Way};

/// What was seen on one device. Nothing has been written.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// As the rules of the verdict want it. Where the device is used is not in it yet.
    pub facts: Facts,
    /// The content's first name, as `model::Content` has it.
    pub content: String,
    /// Its label.
    pub label: Option<String>,
    /// Its UUID.
    pub uuid: Option<String>,
    /// The LUKS2 header that counts, and where it lies.
    pub luks: Option<Place>,
    /// The conversion that is under way.
    pub conversion: Option<State>,
    /// The file system, where nothing lies above it.
    pub file_system: Option<Found>,
    /// Containers and other systems' encryption.
    pub foreign: Vec<Foreign>,
    /// What was read, by its technical name, with its origin.
    pub details: BTreeMap<String, Finding<String>>,
    /// Why something could not be told: a damaged header, an ambiguous file system, an error of the drive.
    pub fault: Option<Fault>,
}

/// Looks at a device.
pub fn look(device: &dyn Device) -> Look {
    let foreign = match foreign::recognise(device) {
        Ok(foreign) => foreign,
        Err(error) => return unseen(&error),
    };
    let others = foreign.iter().find(|sign| !matches!(sign, Foreign::Luks2(_)));
    let mut look = match (luks_on(device), others) {
        (Some(luks), None) if luks.is_leftover_of(device) => file_system_on(device).with_leftover(),
        // Something was written over the first copy of the header (`pvcreate`, a partition tool), and
        // the second one is whole: what counts cannot be told before somebody decides.
        (Some(mut luks), Some(_)) if luks.lost_its_first_copy() => {
            luks.facts.header = Health::Damaged;
            luks
        }
        (Some(luks), _) => luks,
        (None, Some(Foreign::Luks1(_))) if is_live(device) => file_system_on(device).with_leftover(),
        (None, Some(sign)) => of_foreign(sign, device.size()),
        (None, None) => file_system_or_remains(device),
    };
    // The signature alone, with nothing behind it that could be a header.
    if look.facts.format == Format::FileSystem && starts_like_luks(device) {
        look = look.with_leftover();
    }
    look.foreign = foreign;
    look.note("content", look.content.clone());
    look
}

/// Whether the first bytes are LUKS's, whatever follows.
fn starts_like_luks(device: &dyn Device) -> bool {
    device.size() >= 6 && device.read_vec(0, 6).is_ok_and(|start| start == b"LUKS\xba\xbe")
}

/// Whether a file system lies here that is in use by its own tables, and not only a superblock that
/// somebody left: what was written over it since would have destroyed them.
fn is_live(device: &dyn Device) -> bool {
    let Ok(Some(found)) = filesystems::probe(device) else { return false };
    // A damaged group counts as full, so a table that has anything free was read and fits.
    matches!(filesystems::used_map(device, &found), Ok(Some(map)) if map.free() > 0)
}

/// A device that could not be opened or read: what is noted elsewhere names its content and no more.
pub fn unseen(error: &blockdev::Error) -> Look {
    let sight = match error {
        blockdev::Error::NoRights { .. } => Sight::NoRights,
        _ => Sight::Failed,
    };
    Look {
        facts: Facts { sight, ..Facts::default() },
        content: "unknown".to_owned(),
        fault: Some(error.fault()),
        ..Look::default()
    }
}

impl Look {
    /// The table of partitions, if there is one.
    pub fn partitions(&self) -> Option<&PartitionTable> {
        self.foreign.iter().find_map(|sign| match sign {
            Foreign::PartitionTable(table) => Some(table),
            _ => None,
        })
    }

    /// Whether only the second copy of a LUKS2 header is there.
    fn lost_its_first_copy(&self) -> bool {
        matches!(&self.luks, Some(Place::Front(loaded)) if loaded.damage == Some(Damage::Primary))
    }

    /// Whether the header is what a file system that was made later has left of it.
    fn is_leftover_of(&self, device: &dyn Device) -> bool {
        let in_part = self.lost_its_first_copy() || self.facts.header == Health::Damaged;
        in_part && matches!(filesystems::probe(device), Ok(Some(_))) || self.luks.is_none() && is_live(device)
    }

    /// Takes note of something that was read on the medium itself.
    fn note(&mut self, name: &str, value: impl Into<String>) {
        const ON_THE_MEDIUM: &str = "read on the medium";
        let value = value.into();
        let finding = match self.facts.sight {
            Sight::Full if !value.is_empty() => Finding::seen(value, ON_THE_MEDIUM),
            _ => Finding::unknown(ON_THE_MEDIUM),
        };
        self.details.insert(name.to_owned(), finding);
    }

    /// The rest of the header is mentioned and not kept: nobody should take it for the volume's own.
    fn with_leftover(mut self) -> Self {
        self.facts.leftover = true;
        self
    }

    /// Fills what could not be read from udev's notes or, where it is mounted, from the table of
    /// mounts. The verdict stays "unknown".
    pub(crate) fn with_notes(mut self, noted: &Noted, mounted_as: Option<&str>) -> Self {
        if self.facts.sight == Sight::Full {
            return self;
        }
        let content = match (noted.content.as_deref(), noted.version.as_deref()) {
            (Some("crypto_LUKS"), Some("1")) => Some("luks1"),
            (Some("crypto_LUKS"), _) => Some("luks2"),
            (Some(other), _) => Some(other),
            (None, _) => mounted_as.or(noted.table.as_ref().map(|_| "partition-table")),
        };
        if let Some(content) = content {
            let origin = if noted.content.is_some() || mounted_as.is_none() { "noted by udev" } else { "mounts" };
            self.content = content.to_owned();
            self.facts.content = content.to_owned();
            self.details.insert("content".to_owned(), Finding::seen(content.to_owned(), origin));
        }
        self.label.clone_from(&noted.label);
        self.uuid.clone_from(&noted.uuid);
        self
    }
}

impl Look {
    /// What the system's own encryption says counts where nothing could be read, and where the bytes alone
    /// do not tell whether a secret is needed.
    pub(crate) fn with_told(mut self, told: Option<&Facts>) -> Self {
        let open = matches!(self.facts.format, Format::SelfEncrypting | Format::BitLocker | Format::OtherEncryption);
        let Some(told) = told.filter(|_| self.facts.sight != Sight::Full || open) else { return self };
        const BY_SYSTEM: &str = "said by the system";
        if self.content == "unknown" {
            self.content.clone_from(&told.content);
        }
        self.facts = told.clone();
        self.fault = None;
        if let Some(cipher) = &told.cipher {
            self.details.insert("cipher".to_owned(), Finding::seen(cipher.clone(), BY_SYSTEM));
        }
        self.details.insert("content".to_owned(), Finding::seen(self.content.clone(), BY_SYSTEM));
        self
    }
}

fn luks_on(device: &dyn Device) -> Option<Look> {
    let mut facts = Facts { format: Format::Luks2, content: "luks2".to_owned(), ..Facts::default() };
    let place = match convert::locate(device) {
        Ok(place) => place,
        Err(luks::Error::NotLuks | luks::Error::OtherVersion(1)) => return None,
        Err(luks::Error::Device(error)) => return Some(unseen(&error)),
        Err(error) => {
            // A name of a requirement or a version that is not known is a newer format, not damage.
            facts.header = match &error {
                luks::Error::UnknownRequirement(_) | luks::Error::OtherVersion(_) => Health::Newer,
                _ => Health::Damaged,
            };
            let fault = Some(error.fault());
            return Some(Look { content: facts.content.clone(), facts, fault, ..Look::default() });
        }
    };
    let header = place.header();
    let metadata = header.metadata();
    let conversion = convert::state(&place, device.size());
    let mut fault = None;
    // Opal is a requirement that this program reads and does not write.
    let unknown = metadata.known_requirements().err().filter(|_| {
        metadata.requirements().iter().any(|name| !matches!(name.as_str(), "opal" | "opal-v2"))
            || by_drive(metadata).is_none()
    });
    if let Some(error) = unknown {
        facts.header = Health::Newer;
        fault = Some(error.fault());
    } else if let Place::Front(loaded) | Place::Back { loaded, .. } = &place
        && loaded.damage.is_some()
    {
        facts.header = Health::OneCopy;
    }
    facts.keyslots = Some(header.keyslots().len());
    facts.conversion = conversion.as_ref().map(short);
    facts.cipher = cipher_of_every_part(metadata);
    facts.by_drive = by_drive(metadata);
    // A mapping that begins where the device ends: a header that was kept in a file of its own.
    let start = metadata.active_segments().map(|(_, segment)| segment.offset.0).min();
    facts.header_only = matches!(place, Place::Front(_)) && start.is_some_and(|start| start >= device.size());
    let label = Some(header.label().to_owned()).filter(|label| !label.is_empty());
    let uuid = Some(header.uuid().to_owned());
    let content = facts.content.clone();
    let integrity =
        metadata.active_segments().find_map(|(_, segment)| segment.other.get("integrity")?.get("type")?.as_str());
    let integrity = integrity.unwrap_or_default().to_owned();
    let keyslots = header.keyslots().len().to_string();
    let requirements = metadata.requirements().join(", ");
    let cipher = facts.cipher.clone().unwrap_or_default();
    let mut look = Look { facts, content, label, uuid, conversion, luks: Some(place), fault, ..Look::default() };
    look.note("cipher", cipher);
    look.note("keyslots", keyslots);
    if !integrity.is_empty() {
        look.note("integrity", integrity);
    }
    if !requirements.is_empty() {
        look.note("requirements", requirements);
    }
    Some(look)
}

/// Segments that the drive encrypts (cryptsetup's `hw-opal`, `hw-opal-crypt`).
fn by_drive(metadata: &Metadata) -> Option<ByDrive> {
    let mut kinds = metadata.active_segments().map(|(_, segment)| segment.kind.as_str()).peekable();
    kinds.peek()?;
    let kinds: Vec<&str> = kinds.collect();
    if kinds.iter().all(|kind| *kind == "hw-opal") {
        Some(ByDrive::Alone)
    } else if kinds.iter().all(|kind| *kind == "hw-opal-crypt") {
        Some(ByDrive::Also)
    } else {
        None
    }
}

/// The cipher, if every part of the data is encrypted; the one that does nothing, if any part has it.
fn cipher_of_every_part(metadata: &Metadata) -> Option<String> {
    let parts: Option<Vec<&String>> = metadata
        .active_segments()
        .map(|(_, segment)| {
            segment.encryption.as_ref().filter(|_| segment.is_crypt() || segment.kind == "hw-opal-crypt")
        })
        .collect();
    let parts = parts?;
    parts.iter().find(|cipher| cipher.contains("null")).or(parts.first()).map(|cipher| (*cipher).clone())
}

fn short(state: &State) -> Conversion {
    let percent = (u128::from(state.done) * 100).checked_div(u128::from(state.total)).unwrap_or(0).min(100);
    Conversion {
        way: match state.mode {
            Mode::Encrypt => Way::Encrypt,
            Mode::Decrypt => Way::Decrypt,
            _ => Way::Reencrypt,
        },
        // At most 100, so it fits.
        percent: Some(u8::try_from(percent).unwrap_or(100)),
        ours: state.ours,
    }
}

/// A LUKS2 header whose binary parts were both written over (`wipefs`, a partition tool) has left its
/// JSON area: the volume looks like nothing at all, and everything on it can still be saved.
fn file_system_or_remains(device: &dyn Device) -> Look {
    let look = file_system_on(device);
    if matches!(look.facts.format, Format::Unknown | Format::Blank) && luks::rebuild(device, None).is_ok() {
        let facts =
            Facts { format: Format::Luks2, content: "luks2".to_owned(), header: Health::Damaged, ..Facts::default() };
        let fault = Some(luks::Error::Damaged("only the JSON area is left".to_owned()).fault());
        return Look { content: facts.content.clone(), facts, fault, ..Look::default() };
    }
    look
}

fn file_system_on(device: &dyn Device) -> Look {
    let mut look = Look::default();
    match filesystems::probe(device) {
        Ok(Some(found)) => {
            look.facts.format = match found.kind.name() {
                "swap" => Format::Swap,
                "bcachefs" => Format::SelfEncrypting,
                _ => Format::FileSystem,
            };
            look.facts.windows_sleeps = found.trouble == Some(Trouble::Hibernated);
            if foreign::encrypts_folders(device).unwrap_or(false) {
                look.facts.own = Some(Own::Folders);
                look.note("fscrypt", "possible");
            }
            look.content = found.kind.name().to_owned();
            look.label.clone_from(&found.label);
            look.uuid.clone_from(&found.uuid);
            look.file_system = Some(found);
        }
        Ok(None) => {
            let blank = filesystems::is_blank(device).unwrap_or(false);
            (look.facts.format, look.content) =
                if blank { (Format::Blank, "empty".to_owned()) } else { (Format::Unknown, "unknown".to_owned()) };
            look.facts.looks_random = !blank && foreign::looks_like_noise(device).unwrap_or(false);
            if look.facts.looks_random {
                look.note("entropy", "looks like noise");
            }
            return look;
        }
        Err(filesystems::Error::Device(error)) => return unseen(&error),
        Err(error) => {
            look.fault = Some(error.fault());
            let plain = match &error {
                // Whole and plain, only not ours to convert.
                filesystems::Error::ManyDevices { kind, .. } | filesystems::Error::Truncated { kind, .. } => Some(kind),
                _ => None,
            };
            (look.facts.format, look.content) = match plain {
                Some(kind) => (Format::FileSystem, kind.name().to_owned()),
                None => (Format::Unclear, "unknown".to_owned()),
            };
        }
    }
    look.facts.content.clone_from(&look.content);
    look
}

fn of_foreign(sign: &Foreign, size: u64) -> Look {
    let content = sign.name().to_owned();
    let facts = Facts { content: content.clone(), ..Facts::default() };
    let mut look = Look { facts, content, uuid: sign.uuid().map(str::to_owned), ..Look::default() };
    look.facts.format = match sign {
        Foreign::Luks1(_) => Format::Luks1,
        Foreign::Luks2(_) => Format::Luks2,
        Foreign::BitLocker(_) => Format::BitLocker,
        Foreign::CoreStorage(_) => Format::OtherEncryption,
        Foreign::Apfs(_) | Foreign::Zfs(_) => Format::SelfEncrypting,
        Foreign::Suspended => Format::Hibernated,
        Foreign::PartitionTable(_) => Format::Partitions,
        // LVM, arrays, caches, integrity, VDO, Stratis, Ceph, firmware RAID: what is made of it decides.
        _ => Format::Member,
    };
    match sign {
        Foreign::Luks1(luks) => look.of_luks1(luks, size),
        // Its signature without anything that could be loaded.
        Foreign::Luks2(_) => look.facts.header = Health::Damaged,
        Foreign::BitLocker(bitlocker) => look.of_bitlocker(bitlocker),
        Foreign::CoreStorage(storage) => look.of_core_storage(storage),
        Foreign::Apfs(apfs) => look.of_apfs(apfs),
        Foreign::Zfs(zfs) => look.label.clone_from(&zfs.pool),
        _ => {}
    }
    look
}

impl Look {
    fn of_luks1(&mut self, luks: &Luks1, size: u64) {
        let named = !luks.cipher.is_empty() && !luks.mode.is_empty();
        self.facts.cipher = named.then(|| format!("{}-{}", luks.cipher, luks.mode));
        self.facts.keyslots = usize::try_from(luks.keyslots).ok();
        self.facts.conversion =
            luks.converting.then_some(Conversion { way: Way::Reencrypt, percent: None, ours: false });
        self.facts.header_only = luks.payload_offset >= size || luks.payload_offset == 0;
        if !luks.sound {
            self.facts.header = Health::Damaged;
        }
        self.note("cipher", self.facts.cipher.clone().unwrap_or_default());
        self.note("keyslots", luks.keyslots.to_string());
        self.note("hash", luks.hash.clone());
    }

    fn of_bitlocker(&mut self, bitlocker: &BitLocker) {
        let Some(fve) = &bitlocker.fve else { return };
        let way = if fve.next == FveState::Decrypted { Way::Decrypt } else { Way::Encrypt };
        let under_way = matches!(fve.state, FveState::Switching | FveState::OnWrite | FveState::Paused);
        if under_way || bitlocker.shape == BitLockerShape::OnWrite {
            self.facts.conversion = Some(Conversion { way, percent: None, ours: false });
        }
        let (state, next) = (fve.state, fve.next);
        self.facts.whole = match (state, next) {
            _ if self.facts.conversion.is_some() => None,
            (FveState::Encrypted, FveState::Encrypted) if !fve.protectors.is_empty() => Some(true),
            (FveState::Decrypted, _) => Some(false),
            _ => None,
        };
        self.facts.clear_key = Some(fve.has_clear_key());
        self.facts.cipher = fve.method.name().map(str::to_owned);
        let protectors: Vec<&str> = fve.protectors.iter().map(|one| one.name()).collect();
        self.facts.protectors = protectors.join(", ");
        self.note("cipher", fve.method.name().unwrap_or_default());
        self.note("protectors", protectors.join(", "));
        self.note("state", format!("{state:?}").to_lowercase());
        self.note("encrypted-bytes", fve.encrypted.to_string());
        if let Some(description) = &fve.description {
            self.note("description", description.clone());
        }
    }

    fn of_core_storage(&mut self, storage: &CoreStorage) {
        let Some(vault) = &storage.vault else { return };
        let complete = vault.conversion.as_deref() == Some("Complete");
        let encrypts = vault.cipher == "AES-XTS" && vault.users > 0;
        self.facts.whole = match (encrypts, complete) {
            (true, true) => Some(true),
            (false, true) if vault.cipher == "None" || vault.cipher.is_empty() => Some(false),
            _ => None,
        };
        if encrypts && !complete && vault.conversion.is_some() {
            self.facts.conversion = Some(Conversion { way: Way::Encrypt, percent: None, ours: false });
        }
        self.facts.cipher = encrypts.then(|| vault.cipher.clone());
        self.note("cipher", vault.cipher.clone());
        self.note("users", vault.users.to_string());
        self.note("conversion", vault.conversion.clone().unwrap_or_default());
    }

    fn of_apfs(&mut self, apfs: &Apfs) {
        let data: Vec<_> = apfs.volumes.iter().filter(|volume| volume.holds_data()).collect();
        let encrypted = data.iter().filter(|volume| volume.encrypted).count();
        // What could not be followed to its end is not judged.
        self.facts.own = match apfs.complete && !data.is_empty() {
            false => None,
            true if data.iter().any(|volume| volume.converting) => Some(Own::Converting),
            true if encrypted == data.len() => Some(Own::All),
            true if encrypted > 0 => Some(Own::Some),
            true => Some(Own::Nothing),
        };
        for volume in &apfs.volumes {
            let name = volume.name.clone().unwrap_or_else(|| format!("role {:#x}", volume.role));
            self.note(&format!("volume {name}"), if volume.encrypted { "encrypted" } else { "not encrypted" });
        }
        self.note("keybag", if apfs.keybag { "yes" } else { "no" });
        self.label = data.first().and_then(|volume| volume.name.clone());
    }
}
