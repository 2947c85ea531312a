//! The whole way on a practice Windows: a simulated computer in a file, whose BitLocker behaves as Microsoft
//! documents it. The test start is its restart.

use model::{Control, Describe, Fault};
use texts::keys;
use wizard::native::{CopyTo, Ended, Native, Practice, Simulated, Wish};

use super::Folder;
use crate::args::checked::{self, Shown};
use crate::commands::native;
use crate::speaker::{Speaker, quoted};
use crate::{progress, secrets, stop};

/// The file's name.
const FILE: &str = "practice-windows.json";

/// Goes all the way, and back again unless it is to be kept.
pub fn run(speaker: &Speaker, asked: &checked::Practice, folder: Folder) -> Result<(), Fault> {
    let file = folder.path().join(FILE);
    Practice::make(&file, Simulated::laptop()).map_err(|error| error.fault())?;
    let shown = quoted(&file);
    speaker.say(keys::CLI_PRACTICE_WINDOWS_BEGIN, &texts::args([("path", &shown)]));
    let Some(computer) = native::of(speaker, &file) else { return Err(wizard::Error::NotNow.fault()) };
    let mut computer = computer?;
    let control = stop::control();

    speaker.line("");
    native::show(speaker, &computer.check(Wish::default())?);
    speaker.line("");
    let copy = CopyTo { folder: folder.stick(), elsewhere: false };
    let (ended, copies) =
        work(speaker, &control, |control, sink| computer.encrypt(Wish::default(), None, &copy, control, sink))?;
    for (id, path) in &copies.saved {
        speaker.say(keys::CLI_RECOVERY_EXPORTED, &texts::args([("path", &quoted(path)), ("key_id", id)]));
    }
    if ended == Ended::Restart {
        speaker.line(&speaker.texts.plain(keys::CLI_PRACTICE_WINDOWS_RESTART));
        work(speaker, &control, |control, sink| computer.resume(control, sink))?;
    }
    stands(speaker, &mut *computer)?;
    for (_, path) in &copies.saved {
        computer.prove(&secrets::read_file(path)?)?;
        speaker.say(keys::CLI_NATIVE_KEY_OPENS, &texts::args([("path", &shown)]));
    }
    if asked.keep {
        let kept = folder.temporary.keep();
        let (file, folder) = (kept.join(FILE), kept);
        speaker.say(
            keys::CLI_PRACTICE_WINDOWS_KEPT,
            &texts::args([("path", &quoted(&file)), ("folder", &folder.display())]),
        );
        return Ok(());
    }
    speaker.line("");
    speaker.line(&speaker.texts.plain(keys::CLI_PRACTICE_WINDOWS_BACK));
    work(speaker, &control, |control, sink| computer.decrypt(None, control, sink))?;
    stands(speaker, &mut *computer)?;
    speaker.line(&speaker.texts.plain(keys::CLI_PRACTICE_WINDOWS_CLEANED));
    Ok(())
}

fn work<T>(
    speaker: &Speaker,
    control: &Control,
    work: impl FnOnce(&Control, &mut dyn model::Sink) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let mut sink = progress::sink(speaker, Shown::Human);
    work(control, &mut *sink)
}

fn stands(speaker: &Speaker, computer: &mut dyn Native) -> Result<(), Fault> {
    let judged = computer.standing()?.judged;
    let args = texts::args([
        ("verdict", &speaker.texts.verdict(judged.verdict)),
        ("reason", &speaker.texts.judged(&judged).what),
    ]);
    speaker.say(keys::CLI_STANDS, &args);
    Ok(())
}
