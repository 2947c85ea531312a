use std::path::Path;

use model::{Describe, Fault};
use texts::keys;
use wizard::operations;

use crate::args::checked::Key;
use crate::secrets::with_key;
use crate::speaker::{Speaker, quoted};

/// Tries whether a password or recovery key opens a volume. Reads only.
pub fn run(speaker: &Speaker, target: &Path, key: &Key) -> Result<(), Fault> {
    // What is not there is said before anybody types a password.
    super::refuse_other_than_luks(target)?;
    let proof = with_key(speaker, key, |secret| operations::prove(target, secret).map_err(|error| error.fault()))?;
    let args = texts::args([("path", &quoted(target)), ("keyslot", &proof.keyslot)]);
    speaker.say(if proof.recovery { keys::CLI_PROVEN_RECOVERY } else { keys::CLI_PROVEN }, &args);
    Ok(())
}
