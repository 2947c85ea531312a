//! The passwords and keys of a volume: which there are, one more, one less, none.

use std::path::Path;

use model::{Describe, Fault, FaultKind, Secret};
use serde::Serialize;
use texts::keys;
use wizard::operations::{self, KdfWish, KeyInfo, Pin};

use crate::args::checked::{Chip, Key, Source};
use crate::secrets::{new_password, with_key};
use crate::sheet;
use crate::speaker::{Speaker, quoted};
use crate::work;

/// All ways into a volume.
pub fn list(speaker: &Speaker, target: &Path, json: bool) -> Result<(), Fault> {
    let found = operations::keys(target).map_err(|error| error.fault())?;
    if json {
        speaker.document(&Document { version: 1, keys: found.iter().map(Entry::from).collect() });
        return Ok(());
    }
    for key in &found {
        let kind = speaker.texts.by_id(&format!("key-kind-{}", key.kind.name()));
        speaker.say(keys::CLI_KEY_LINE, &texts::args([("keyslot", &key.keyslot), ("kind", &kind), ("kdf", &key.kdf)]));
    }
    Ok(())
}

#[derive(Serialize)]
struct Document {
    version: u32,
    keys: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    keyslot: u32,
    kind: &'static str,
    kdf: String,
}

impl From<&KeyInfo> for Entry {
    fn from(key: &KeyInfo) -> Self {
        Self { keyslot: key.keyslot, kind: key.kind.name(), kdf: key.kdf.clone() }
    }
}

/// A second person's password.
pub fn add(speaker: &Speaker, target: &Path, key: &Key, new: &Source, kdf: KdfWish) -> Result<(), Fault> {
    let secret = opens(speaker, target, key)?;
    let new = new_password(speaker, new)?;
    let keyslot = operations::add_password(target, &secret, &new, kdf).map_err(|error| error.fault())?;
    speaker.say(keys::CLI_KEY_ADDED, &texts::args([("path", &quoted(target)), ("keyslot", &keyslot)]));
    Ok(())
}

/// Takes one away; another one has to open the volume.
pub fn remove(speaker: &Speaker, target: &Path, key: &Key, keyslot: u32) -> Result<(), Fault> {
    let secret = opens(speaker, target, key)?;
    operations::remove_key(target, &secret, keyslot).map_err(|error| error.fault())?;
    speaker.say(keys::CLI_KEY_REMOVED, &texts::args([("path", &quoted(target)), ("keyslot", &keyslot)]));
    Ok(())
}

/// Lets systemd tie the volume to a chip, and looks whether it did.
pub fn enroll(speaker: &Speaker, target: &Path, key: &Key, chip: Chip, pin: bool) -> Result<(), Fault> {
    if !operations::can_enroll() {
        return Err(Fault::new("wizard-enroll-missing", FaultKind::Refused));
    }
    let secret = opens(speaker, target, key)?;
    let chip = match chip {
        Chip::Tpm2 => operations::Chip::Tpm2,
        Chip::Fido2 => operations::Chip::Fido2,
    };
    let pin = if pin { Pin::Asked } else { Pin::Usual };
    let keyslot = operations::enroll(target, &secret, chip, pin).map_err(|error| error.fault())?;
    let kind = speaker.texts.by_id(&format!("key-kind-{}", chip.kind().name()));
    speaker
        .say(keys::CLI_KEY_ENROLLED, &texts::args([("path", &quoted(target)), ("kind", &kind), ("keyslot", &keyslot)]));
    Ok(())
}

/// Destroys all of them: before a drive is sold or thrown away.
pub fn erase(speaker: &Speaker, target: &Path, confirmation: Option<&str>) -> Result<(), Fault> {
    let uuid = operations::uuid(target).map_err(|error| error.fault())?;
    let name = target.display().to_string();
    speaker.say(keys::CLI_ERASE_PLAN, &texts::args([("path", &name)]));
    let typed = match confirmation {
        Some(typed) => typed.to_owned(),
        None => work::typed_line(speaker, keys::CLI_ASK_ERASE)?,
    };
    if typed.trim() != name {
        return Err(Fault::new("cli-erase-name", FaultKind::Refused));
    }
    operations::erase(target, &uuid).map_err(|error| error.fault())?;
    sheet::forget(&uuid, None);
    speaker.say(keys::CLI_ERASED, &texts::args([("path", &name)]));
    speaker.note(keys::CLI_ERASED_FLASH, &model::Args::new());
    Ok(())
}

/// The password or key, once it has opened the volume: nobody is asked for a new one in vain.
fn opens(speaker: &Speaker, target: &Path, key: &Key) -> Result<Secret, Fault> {
    super::refuse_other_than_luks(target)?;
    with_key(speaker, key, |secret| {
        operations::prove(target, secret).map(|_| secret.clone()).map_err(|error| error.fault())
    })
}
