use std::path::Path;

use blockdev::{Access, FileDevice};
use luks::convert::Place;
use luks::kdf::Kdf;
use luks::{Header, Unlocked};
use model::{Describe, FaultKind, Secret};
use recovery::RecoveryKey;

use super::KdfWish;
use crate::{Error, Result};

/// A secret has opened a volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The volume's UUID.
    pub uuid: String,
    /// The keyslot that opened.
    pub keyslot: u32,
    /// Whether it is the recovery key's.
    pub recovery: bool,
}

/// Does this secret open this volume, image or header file? Writes nothing.
///
/// # Errors
/// `luks-wrong-secret`, `luks-not-luks`, and those of the device.
pub fn prove(path: &Path, secret: &Secret) -> Result<Proof> {
    let device = FileDevice::open(path, Access::Read)?;
    let place = luks::convert::locate(&device)?;
    let header = place.header();
    let unlocked = match &place {
        Place::Front(_) => header.unlock(&device, secret)?,
        Place::Starting { offset, .. } | Place::Back { offset, .. } => {
            let size = blockdev::Device::size(&device) - offset;
            header.unlock(&blockdev::Part::new(&device, *offset, size)?, secret)?
        }
    };
    let recovery = header.keyslots().into_iter().any(|slot| slot.id == unlocked.keyslot && slot.recovery);
    Ok(Proof { uuid: header.uuid().to_owned(), keyslot: unlocked.keyslot, recovery })
}

/// Does this recovery key open this volume? One that does not is named: too old, or another volume's, by
/// what its sheet says it was `made_for`. Writes nothing.
///
/// # Errors
/// [`Error::OldKey`], [`Error::KeyOfOther`]; those of [`prove`].
pub fn check_key(path: &Path, key: &RecoveryKey, made_for: Option<&str>) -> Result<Proof> {
    let wrong = match prove(path, &key.secret()) {
        Err(error) if error.fault().kind == FaultKind::WrongSecret => error,
        other => return other,
    };
    let Some(made_for) = made_for else { return Err(wrong) };
    let (found, key_id) = (uuid(path)?, key.key_id());
    let path = path.display().to_string();
    if found.eq_ignore_ascii_case(made_for) {
        return Err(Error::OldKey { path, key_id });
    }
    Err(Error::KeyOfOther { path, key_id, uuid: made_for.to_owned(), found })
}

/// The UUID of a volume, image or header file. Writes nothing.
///
/// # Errors
/// `luks-not-luks`, and those of the device.
pub fn uuid(path: &Path) -> Result<String> {
    let device = FileDevice::open(path, Access::Read)?;
    Ok(luks::convert::locate(&device)?.header().uuid().to_owned())
}

/// Changes the password. The old one goes when the new one has opened the volume.
///
/// # Errors
/// `luks-wrong-secret`, `luks-converting`, [`Error::IsRecoveryKey`] when the old secret is the recovery
/// key: that one is not replaced by a password.
pub fn passwd(path: &Path, old: &Secret, new: &Secret, kdf: KdfWish) -> Result<()> {
    let (device, mut header, unlocked) = open(path, old)?;
    if header.keyslots().iter().any(|slot| slot.id == unlocked.keyslot && slot.recovery) {
        return Err(Error::IsRecoveryKey);
    }
    header.change_key(&device, &unlocked, new, &kdf.kdf())?;
    Ok(())
}

/// Makes a new recovery key. The old ones are revoked when the new one has opened the volume and
/// `keep` has put a proven copy of it somewhere; if that fails, the old ones stay and the new one goes.
///
/// # Errors
/// `luks-wrong-secret`, `luks-converting`, and those of `keep`.
pub fn recovery_new(
    path: &Path,
    secret: &Secret,
    keep: &mut dyn FnMut(&RecoveryKey, &str) -> Result<()>,
) -> Result<RecoveryKey> {
    let (device, mut header, unlocked) = open(path, secret)?;
    let old: Vec<u32> = header.keyslots().into_iter().filter(|slot| slot.recovery).map(|slot| slot.id).collect();
    let key = RecoveryKey::generate()?;
    // 256 random bits need no slow key derivation.
    let added = header.add_key(&device, &unlocked, &key.secret(), &Kdf::cheapest())?;
    let uuid = header.uuid().to_owned();
    let kept = prove_key(&device, &key, added).and_then(|()| keep(&key, &uuid));
    if let Err(error) = kept {
        header.remove_keyslot(&device, added)?;
        return Err(error);
    }
    header.add_recovery_token(&device, added)?;
    for keyslot in old {
        header.remove_keyslot(&device, keyslot)?;
    }
    Ok(key)
}

fn prove_key(device: &FileDevice, key: &RecoveryKey, keyslot: u32) -> Result<()> {
    let header = Header::load(device)?.header;
    let opened = header.unlock(device, &key.secret())?;
    if opened.keyslot == keyslot { Ok(()) } else { Err(luks::Error::WrongSecret.into()) }
}

pub(super) fn open(path: &Path, secret: &Secret) -> Result<(FileDevice, Header, Unlocked)> {
    let device = FileDevice::open(path, Access::Exclusive)?;
    let loaded = Header::load(&device)?;
    let unlocked = loaded.header.unlock(&device, secret)?;
    // Nothing is written before the password has opened the volume.
    if let Some(damage) = loaded.damage {
        loaded.header.repair(&device, damage)?;
    }
    Ok((device, loaded.header, unlocked))
}
