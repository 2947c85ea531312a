use model::{Describe, Fault, FaultKind};
use texts::keys;
use wizard::operations::{self, Disorder};

use crate::args::checked::{Consent, Encrypt};
use crate::sheet;
use crate::speaker::{Speaker, quoted, somebody_is_there};

/// Puts the file system in order where it is not. What an encryption of ours has left that was cut off in the middle
/// goes on by itself; anything else is left alone until the person agrees.
///
/// # Errors
/// `cli-not-in-order` when nobody has agreed and nobody can be asked; `cli-declined`; those of the file system's own
/// program.
pub fn put(speaker: &Speaker, asked: &Encrypt) -> Result<(), Fault> {
    let target = &asked.target;
    let args = texts::args([("path", &quoted(target))]);
    // What cannot be looked at is told of in the order of all that can be in the way.
    let Ok(Some(disorder)) = operations::disorder(target) else { return Ok(()) };
    if drives::inspect(target).is_ok_and(|seen| seen.in_use.is_some()) {
        return Ok(());
    }
    sheet::refuse_place(target, &asked.place)?;
    match disorder {
        Disorder::Ours(_) => {
            speaker.say(keys::CLI_MENDS_OWN, &args);
        }
        Disorder::Others(kind) => {
            let args = texts::args([("path", &quoted(target) as &dyn ToString), ("filesystem", &kind)]);
            match asked.mend {
                Consent::Given => {}
                Consent::Ask if somebody_is_there() => {
                    speaker.say(keys::CLI_NOT_IN_ORDER, &args);
                    if !speaker.ask(keys::CLI_ASK_MEND) {
                        return Err(Fault::new("cli-declined", FaultKind::Refused));
                    }
                }
                Consent::Ask => {
                    return Err(Fault::new("cli-not-in-order", FaultKind::Refused)
                        .with("path", quoted(target))
                        .with("filesystem", kind));
                }
            }
            speaker.say(keys::CLI_MENDS, &args);
        }
    }
    operations::mend(target).map_err(|error| error.fault())?;
    speaker.say(keys::CLI_MENDED, &args);
    Ok(())
}
