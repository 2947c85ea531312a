use std::path::Path;

use model::{Describe, Fault};
use texts::keys;
use wizard::operations::{self, KdfWish};

use crate::args::checked::Source;
use crate::secrets::{new_password, with_secret};
use crate::speaker::{Speaker, quoted};

/// Changes the password. The old one opens the volume until the new one has.
pub fn run(speaker: &Speaker, target: &Path, old: &Source, new: &Source, kdf: KdfWish) -> Result<(), Fault> {
    super::refuse_other_than_luks(target)?;
    let old = with_secret(speaker, old, keys::CLI_ASK_PASSWORD, |secret| {
        operations::prove(target, secret).map(|_| secret.clone()).map_err(|error| error.fault())
    })?;
    let new = new_password(speaker, new)?;
    operations::passwd(target, &old, &new, kdf).map_err(|error| error.fault())?;
    speaker.say(keys::CLI_PASSWORD_CHANGED, &texts::args([("path", &quoted(target))]));
    Ok(())
}
