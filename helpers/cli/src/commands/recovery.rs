use std::path::Path;

use model::{Describe, Fault};
use texts::keys;
use wizard::operations;

use crate::args::checked::{Key, Place, Source};
use crate::secrets::{recovery_key, with_key};
use crate::sheet;
use crate::speaker::{Speaker, quoted};

/// Makes a new recovery key. The old one is revoked when a copy of the new one has been proven.
pub fn new(speaker: &Speaker, target: &Path, key: &Key, place: &Place) -> Result<(), Fault> {
    super::refuse_other_than_luks(target)?;
    sheet::refuse_place(target, place)?;
    let exported = with_key(speaker, key, |secret| {
        let mut exported = None;
        let mut keep = |key: &recovery::RecoveryKey, uuid: &str| {
            let mut prove = |secret: &_| proves(target, secret);
            exported = Some(sheet::export(speaker, target, uuid, key, place, &mut prove)?);
            Ok(())
        };
        operations::recovery_new(target, secret, &mut keep).map_err(|error| error.fault())?;
        Ok(exported)
    })?;
    if let Some(exported) = exported {
        sheet::say_exported(speaker, &exported);
    }
    speaker.say(keys::CLI_RECOVERY_OLD_REVOKED, &texts::args([("path", &quoted(target))]));
    Ok(())
}

/// Puts another copy of a recovery key into a folder.
pub fn export(speaker: &Speaker, target: &Path, key: &Source, place: &Place) -> Result<(), Fault> {
    super::refuse_other_than_luks(target)?;
    sheet::refuse_place(target, place)?;
    let key = recovery_key(speaker, key)?;
    let proof = operations::prove(target, &key.secret()).map_err(|error| error.fault())?;
    let mut prove = |secret: &_| proves(target, secret);
    let exported = sheet::export(speaker, target, &proof.uuid, &key, place, &mut prove)?;
    sheet::say_exported(speaker, &exported);
    Ok(())
}

/// Checks that a file holds a whole recovery key and, with a target, that it opens that.
pub fn verify(speaker: &Speaker, file: &Path, target: Option<&Path>) -> Result<(), Fault> {
    let verified = recovery::verify(file).map_err(|error| error.fault())?;
    let args = texts::args([("path", &quoted(file)), ("key_id", &verified.key_id)]);
    let Some(target) = target else {
        speaker.say(keys::CLI_RECOVERY_WHOLE, &args);
        return Ok(());
    };
    proves(target, &verified.key.secret())?;
    speaker.say(keys::CLI_RECOVERY_OPENS, &args);
    Ok(())
}

fn proves(target: &Path, secret: &model::Secret) -> Result<(), Fault> {
    operations::prove(target, secret).map(|_| ()).map_err(|error| error.fault())
}
