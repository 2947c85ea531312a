use std::path::Path;

use model::{Describe, Fault, FaultKind};
use texts::keys;
use wizard::engine::Ended;
use wizard::operations::{self, Direction, Disorder, Resizing, Unreadable};

use crate::args::checked::{Consent, Shown, Source};
use crate::secrets::with_secret;
use crate::speaker::{Speaker, quoted};
use crate::work::{self, Work};

/// Goes on with a conversion, whichever way it goes and whoever began it.
pub fn resume(
    speaker: &mut Speaker,
    target: &Path,
    secret: &Source,
    unreadable: Unreadable,
    shown: Shown,
) -> Result<(), Fault> {
    data_on_output(speaker, shown);
    match operations::disorder(target) {
        Ok(Some(Disorder::Ours(Resizing::Larger))) => return grow_on(speaker, target, shown),
        Ok(Some(Disorder::Ours(Resizing::Smaller))) => {
            return Err(Fault::new("cli-cut-smaller", FaultKind::Refused).with("path", quoted(target)));
        }
        _ => {}
    }
    let Some(direction) = operations::is_converting(target).map_err(|error| error.fault())? else {
        return Err(luks::Error::NotConverting.fault());
    };
    let work = Work::on(speaker, target, shown);
    let resumed = with_secret(speaker, secret, keys::CLI_ASK_PASSWORD, |secret| {
        work.run(|control, sink| operations::resume(target, secret, unreadable, control, sink))
            .map_err(|error| error.fault())
    })?;
    if !resumed.unreadable.is_empty() {
        let sectors = luks::convert::sectors(&resumed.unreadable);
        let size: u64 = resumed.unreadable.iter().map(|range| range.end - range.start).sum();
        speaker.say(keys::CLI_GAVE_UP, &texts::args([("sectors", &sectors as &dyn ToString), ("size", &size)]));
    }
    end(speaker, target, direction, resumed.ended)
}

/// Takes back an encryption of which nothing has been converted.
pub fn undo(speaker: &mut Speaker, target: &Path, consent: Consent) -> Result<(), Fault> {
    let smaller = operations::is_made_smaller(target).map_err(|error| error.fault())?;
    if !smaller && operations::is_converting(target).map_err(|error| error.fault())? != Some(Direction::Encrypt) {
        return Err(luks::Error::NotConverting.fault());
    }
    work::consent(speaker, consent, keys::CLI_ASK_UNDO)?;
    if smaller {
        let work = Work::on(speaker, target, Shown::Human);
        work.run(|control, sink| operations::give_room_back(target, control, sink)).map_err(|error| error.fault())?;
    } else {
        operations::undo(target).map_err(|error| error.fault())?;
    }
    speaker.say(keys::CLI_UNDONE, &texts::args([("path", &quoted(target))]));
    Ok(())
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
    if let Ok(Some(Disorder::Ours(Resizing::Larger))) = operations::disorder(target) {
        return grow_on(speaker, target, shown);
    }
    super::refuse_other_than_luks(target)?;
    speaker.say(keys::CLI_DECRYPT_PLAN, &texts::args([("path", &quoted(target))]));
    work::consent(speaker, consent, keys::CLI_ASK_DECRYPT)?;
    let work = Work::on(speaker, target, shown);
    let ended = with_secret(speaker, secret, keys::CLI_ASK_PASSWORD, |secret| {
        work.run(|control, sink| operations::decrypt(target, secret, control, sink)).map_err(|error| error.fault())
    })?;
    end(speaker, target, Direction::Decrypt, ended)
}

/// All is decrypted; what was cut off is the file system that was getting its room back.
fn grow_on(speaker: &Speaker, target: &Path, shown: Shown) -> Result<(), Fault> {
    let work = Work::on(speaker, target, shown);
    work.run(|control, sink| operations::give_room_back(target, control, sink)).map_err(|error| error.fault())?;
    end(speaker, target, Direction::Decrypt, Ended::Finished)
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
