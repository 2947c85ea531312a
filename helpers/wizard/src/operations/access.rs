//! Who gets in: the passwords and keys of a volume, one more, one less, none.

use std::path::Path;

use blockdev::{Access, FileDevice};
use luks::{Header, KeyslotInfo};
use model::Secret;

use super::KdfWish;
use super::keys::open;
use crate::{Error, Result};

/// What opens a keyslot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// What somebody remembers.
    Password,
    /// A recovery key, by its `systemd-recovery` token.
    Recovery,
    /// This computer's TPM (`systemd-tpm2`).
    Tpm2,
    /// A FIDO2 stick (`systemd-fido2`).
    Fido2,
    /// A smart card (`systemd-pkcs11`).
    SmartCard,
    /// Something that this program does not know.
    Other,
}

impl KeyKind {
    /// Its name in JSON and in the catalogue (`key-kind-…`).
    pub const fn name(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Recovery => "recovery",
            Self::Tpm2 => "tpm2",
            Self::Fido2 => "fido2",
            Self::SmartCard => "smart-card",
            Self::Other => "other",
        }
    }

    fn of(slot: &KeyslotInfo) -> Self {
        match slot.token.as_deref() {
            _ if slot.recovery => Self::Recovery,
            None => Self::Password,
            Some("systemd-tpm2") => Self::Tpm2,
            Some("systemd-fido2") => Self::Fido2,
            Some("systemd-pkcs11") => Self::SmartCard,
            Some(_) => Self::Other,
        }
    }
}

/// One way into a volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyInfo {
    /// Number of the keyslot.
    pub keyslot: u32,
    /// What opens it.
    pub kind: KeyKind,
    /// Its key derivation in one line.
    pub kdf: String,
}

/// All ways into a volume. Needs no password and writes nothing.
///
/// # Errors
/// `luks-not-luks`, and those of the device.
pub fn keys(path: &Path) -> Result<Vec<KeyInfo>> {
    let device = FileDevice::open(path, Access::Read)?;
    let place = luks::convert::locate(&device)?;
    let slots = place.header().keyslots();
    Ok(slots.into_iter().map(|slot| KeyInfo { keyslot: slot.id, kind: KeyKind::of(&slot), kdf: slot.kdf }).collect())
}

/// Lets somebody else in as well, with a password of their own. It counts when it has opened the volume;
/// if it does not, it goes again. Returns the keyslot.
///
/// # Errors
/// `luks-wrong-secret`, `luks-keyslots-full`, `luks-converting`; [`Error::AlreadyOpens`] if the new password
/// opens the volume already.
pub fn add_password(path: &Path, secret: &Secret, new: &Secret, kdf: KdfWish) -> Result<u32> {
    let (device, mut header, unlocked) = open(path, secret)?;
    if header.unlock(&device, new).is_ok() {
        return Err(Error::AlreadyOpens);
    }
    let added = header.add_key(&device, &unlocked, new, &kdf.kdf())?;
    let proven = Header::load(&device).and_then(|loaded| loaded.header.unlock(&device, new));
    match proven {
        Ok(proven) if proven.keyslot == added && proven.volume_key == unlocked.volume_key => Ok(added),
        other => {
            header.remove_keyslot(&device, added)?;
            Err(other.err().unwrap_or(luks::Error::WrongSecret).into())
        }
    }
}

/// Takes a way in away. Whoever does it has shown that another one opens the volume.
///
/// # Errors
/// `luks-wrong-secret`, `luks-no-such-keyslot`, `luks-converting`; [`Error::OwnKeyslot`] if `secret` is what
/// opens this keyslot.
pub fn remove_key(path: &Path, secret: &Secret, keyslot: u32) -> Result<()> {
    let (device, mut header, unlocked) = open(path, secret)?;
    if unlocked.keyslot == keyslot {
        return Err(Error::OwnKeyslot);
    }
    header.remove_keyslot(&device, keyslot)?;
    Ok(())
}

/// Destroys all ways into a volume, for ever: before it is sold or thrown away. Needs no password.
///
/// # Errors
/// `luks-not-luks`, `luks-converting`; what the device says, for instance that it is mounted;
/// [`Error::TargetChanged`]: another volume lies there than the one with this UUID.
pub fn erase(path: &Path, uuid: &str) -> Result<()> {
    let device = FileDevice::open(path, Access::Exclusive)?;
    if Header::load(&device)?.header.uuid() != uuid {
        return Err(Error::TargetChanged);
    }
    luks::erase(&device)?;
    // What is left is looked at, not assumed.
    match Header::load(&device) {
        Ok(_) => Err(Error::ReadBackDiffers { path: path.display().to_string() }),
        Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use luks::kdf::Kdf;
    use luks::{FormatOptions, format};

    use super::*;
    use crate::operations::{prove, recovery_new};

    fn volume(folder: &Path) -> std::path::PathBuf {
        let path = folder.join("volume");
        std::fs::File::create(&path).unwrap().set_len(20 << 20).unwrap();
        let device = FileDevice::open(&path, Access::Exclusive).unwrap();
        let options = FormatOptions { kdf: Kdf::cheapest(), ..FormatOptions::default() };
        format(&device, &options, &Secret::from("first")).unwrap();
        path
    }

    const CHEAP: fn() -> KdfWish = || KdfWish::Known(Kdf::cheapest());

    #[test]
    fn somebody_else_is_let_in_and_out_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = volume(folder.path());
        let (first, second) = (Secret::from("first"), Secret::from("second"));
        let added = add_password(&path, &first, &second, CHEAP()).unwrap();
        assert!(matches!(add_password(&path, &first, &second, CHEAP()), Err(Error::AlreadyOpens)));
        assert_eq!(prove(&path, &second).unwrap().keyslot, added);
        recovery_new(&path, &first, &mut |_, _| Ok(())).unwrap();
        let kinds: Vec<KeyKind> = keys(&path).unwrap().iter().map(|key| key.kind).collect();
        assert_eq!(kinds, [KeyKind::Password, KeyKind::Password, KeyKind::Recovery]);
        assert!(matches!(remove_key(&path, &second, added), Err(Error::OwnKeyslot)));
        assert!(remove_key(&path, &Secret::from("third"), added).is_err());
        remove_key(&path, &first, added).unwrap();
        assert!(prove(&path, &second).is_err() && prove(&path, &first).is_ok());
        assert!(remove_key(&path, &first, added).is_err());
    }

    #[test]
    fn what_is_erased_opens_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let path = volume(folder.path());
        let before = std::fs::read(&path).unwrap();
        let uuid = crate::operations::uuid(&path).unwrap();
        let other = "3b7f3f3e-0000-4000-8000-000000000000";
        assert!(matches!(erase(&path, other), Err(Error::TargetChanged)));
        assert_eq!(std::fs::read(&path).unwrap(), before);
        erase(&path, &uuid).unwrap();
        assert!(prove(&path, &Secret::from("first")).is_err() && keys(&path).is_err());
        assert!(erase(&path, &uuid).is_err());
        let after = std::fs::read(&path).unwrap();
        assert_eq!(after.len(), before.len());
        // Nothing of header and keyslots is where it was.
        for (at, piece) in before.chunks_exact(512).enumerate() {
            let was = piece.iter().any(|byte| *byte != 0);
            assert!(!was || after[at * 512..][..512] != *piece, "sector {at}");
        }
    }
}
