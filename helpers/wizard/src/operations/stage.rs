use std::path::Path;
use std::time::Duration;

use blockdev::{Access, Device, FileDevice, Memory};
use luks::kdf::Kdf;
use luks::{FormatOptions, Header};
use model::{Meter, Secret, Sink, StepId, Unit};
use recovery::RecoveryKey;

use super::Plan;
use crate::{Error, Result, journal};

/// How hard the password's key derivation is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KdfWish {
    /// As hard as takes this long on this machine.
    Calibrated(Duration),
    /// Exactly this one, which was calibrated before.
    Known(Kdf),
    /// The cheapest that stock tools accept. It protects nothing and is for tests alone: it has to be
    /// asked for by name, and nothing but tests does.
    CheapestForTests,
}

impl Default for KdfWish {
    /// Two seconds, as cryptsetup does it.
    fn default() -> Self {
        Self::Calibrated(Duration::from_secs(2))
    }
}

impl KdfWish {
    pub(super) fn kdf(self) -> Kdf {
        match self {
            Self::Calibrated(target) => Kdf::calibrated(target),
            Self::Known(kdf) => kdf,
            Self::CheapestForTests => Kdf::cheapest(),
        }
    }

    fn digest_iterations(self) -> Option<u32> {
        match self {
            Self::Calibrated(_) | Self::Known(_) => None,
            Self::CheapestForTests => Some(1000),
        }
    }
}

/// A header that was made and proven, in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staged {
    /// The new volume's UUID.
    pub uuid: String,
    /// The password's keyslot.
    pub password_keyslot: u32,
    /// The recovery key's keyslot.
    pub recovery_keyslot: u32,
}

/// Makes the header that the volume will get, in `file`, which only this user can read. It holds no
/// secret that is not behind the password or the recovery key. Both keyslots are opened with what was
/// written before this returns.
///
/// The recovery key's keyslot has a cheap key derivation: 256 random bits are not guessed, however
/// fast each guess is. Its token is the one by which systemd knows recovery keys.
///
/// # Errors
/// [`Error::Folder`] and its like for the file, and those of key derivation.
pub fn stage(
    plan: &Plan,
    password: &Secret,
    key: &RecoveryKey,
    kdf: KdfWish,
    file: &Path,
    sink: &mut dyn Sink,
) -> Result<Staged> {
    let mut meter = Meter::new(sink, StepId::DeriveKey, 4, Unit::Steps);
    meter.at(0);
    let cost = kdf.kdf();
    meter.at(1);
    let size = usize::try_from(plan.shift()).map_err(|_| Error::TargetChanged)?;
    let image = Memory::new(vec![0; size]);
    let options = FormatOptions {
        key_bits: plan.key_bits(),
        sector_size: plan.sector_size(),
        data_offset: plan.shift(),
        label: plan.label().filter(|label| label.len() <= 47).unwrap_or_default().to_owned(),
        uuid: None,
        kdf: cost,
        digest_iterations: kdf.digest_iterations(),
    };
    let (mut header, unlocked) = luks::format(&image, &options, password)?;
    meter.at(2);
    let recovery_keyslot = header.add_key(&image, &unlocked, &key.secret(), &Kdf::cheapest())?;
    header.add_recovery_token(&image, recovery_keyslot)?;
    let bytes = image.snapshot();
    journal::replace(file, &bytes).map_err(|error| Error::folder(file, error))?;
    meter.at(3);

    let written = FileDevice::open(file, Access::Read)?;
    if written.read_vec(0, size)? != bytes {
        return Err(Error::ReadBackDiffers { path: file.display().to_string() });
    }
    let header = Header::load(&written)?.header;
    let by_password = header.unlock(&written, password)?;
    let by_key = header.unlock(&written, &key.secret())?;
    if by_password.volume_key != unlocked.volume_key || by_key.volume_key != unlocked.volume_key {
        return Err(Error::ReadBackDiffers { path: file.display().to_string() });
    }
    meter.at(4);
    Ok(Staged {
        uuid: header.uuid().to_owned(),
        password_keyslot: by_password.keyslot,
        recovery_keyslot: by_key.keyslot,
    })
}
