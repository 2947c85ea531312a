use std::path::Path;

use model::{Describe, Fault};
use texts::keys;
use wizard::engine::Ended;
use wizard::operations::{self, Direction};

use crate::args::checked::{Consent, Shown, Source};
use crate::secrets::with_secret;
use crate::speaker::{Speaker, quoted};
use crate::work::{self, Work};

/// Goes on with a conversion, whichever way it goes and whoever began it.
pub fn resume(speaker: &mut Speaker, target: &Path, secret: &Source, shown: Shown) -> Result<(), Fault> {
    data_on_output(speaker, shown);
    let Some(direction) = operations::is_converting(target).map_err(|error| error.fault())? else {
        return Err(luks::Error::NotConverting.fault());
    };
    let work = Work::on(speaker, target, shown);
    let ended = with_secret(speaker, secret, keys::CLI_ASK_PASSWORD, |secret| {
        let ended = work.run(|control, sink| match direction {
            Direction::Encrypt => operations::resume(target, secret, control, sink).map(|(_, ended)| ended),
            // Also gives a file system back the room that it had.
            Direction::Decrypt => operations::decrypt(target, secret, control, sink),
        });
        ended.map_err(|error| error.fault())
    })?;
    end(speaker, target, direction, ended)
}

/// Takes the encryption away.
pub fn decrypt(
    speaker: &mut Speaker,
    target: &Path,
    secret: &Source,
    shown: Shown,
    consent: Consent,
) -> Result<(), Fault> {
    data_on_output(speaker, shown);
    super::refuse_other_than_luks(target)?;
    speaker.say(keys::CLI_DECRYPT_PLAN, &texts::args([("path", &quoted(target))]));
    work::consent(speaker, consent, keys::CLI_ASK_DECRYPT)?;
    let work = Work::on(speaker, target, shown);
    let ended = with_secret(speaker, secret, keys::CLI_ASK_PASSWORD, |secret| {
        work.run(|control, sink| operations::decrypt(target, secret, control, sink)).map_err(|error| error.fault())
    })?;
    end(speaker, target, Direction::Decrypt, ended)
}

/// With `--progress json` sentences go to standard error.
pub(super) fn data_on_output(speaker: &mut Speaker, shown: Shown) {
    if shown == Shown::Json {
        speaker.output_is_data();
    }
}

fn end(speaker: &Speaker, target: &Path, direction: Direction, ended: Ended) -> Result<(), Fault> {
    if ended == Ended::Stopped {
        return Err(work::stopped(target));
    }
    let args = texts::args([("path", &quoted(target))]);
    match direction {
        Direction::Encrypt => {
            speaker.say(keys::CLI_ENCRYPTED, &args);
            work::say_how_it_stands(speaker, target);
        }
        Direction::Decrypt => speaker.say(keys::CLI_DECRYPTED, &args),
    }
    Ok(())
}
