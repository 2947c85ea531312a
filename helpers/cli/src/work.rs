//! What all long work shares: ctrl-C, `latchkey pause`, progress.

use std::path::Path;

use model::{Control, Fault, FaultKind, Signal, Sink};

use crate::args::checked::{Consent, Shown};
use crate::speaker::{Speaker, quoted, somebody_is_there};
use crate::{progress, stop};
use texts::{Key, keys};
use wizard::running::Running;
use wizard::view::SleepChoice;

/// A switch that ctrl-C and `latchkey pause TARGET` turn to "stop".
pub struct Work<'a> {
    speaker: &'a Speaker,
    shown: Shown,
    control: Control,
    _running: Option<Running>,
}

impl<'a> Work<'a> {
    /// From now on ctrl-C stops the work and not the program.
    pub fn on(speaker: &'a Speaker, target: &Path, shown: Shown) -> Self {
        let control = stop::control();
        let running = Running::announce(target, &control);
        Self { speaker, shown, control, _running: running }
    }

    /// Whether the person has asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.control.signal() == Signal::Stop
    }

    /// Does a piece of work and shows its progress.
    pub fn run<T>(&self, work: impl FnOnce(&Control, &mut dyn Sink) -> T) -> T {
        let mut sink = progress::sink(self.speaker, self.shown);
        work(&self.control, &mut *sink)
    }
}

/// Asks before something is changed, unless `--yes` was given.
///
/// # Errors
/// `cli-needs-yes` when nobody is there to be asked; `cli-declined` when the answer is no.
pub fn consent(speaker: &Speaker, consent: Consent, question: Key) -> Result<(), Fault> {
    if consent == Consent::Given {
        return Ok(());
    }
    if !somebody_is_there() {
        return Err(Fault::new("cli-needs-yes", FaultKind::Usage));
    }
    if speaker.ask(question) { Ok(()) } else { Err(Fault::new("cli-declined", FaultKind::Refused)) }
}

/// How the computer is to sleep with a drive that deep sleep would lock: as was said, or as the person answers.
/// `asks`: it has to be said. What was said and is not needed is left out.
///
/// # Errors
/// `cli-needs-sleep` when nobody is there to be asked, which `--yes` does not stand for; `cli-declined` when the
/// computer is to sleep as it does.
pub fn sleep(speaker: &Speaker, asks: bool, said: Option<SleepChoice>) -> Result<Option<SleepChoice>, Fault> {
    match (asks, said) {
        (false, _) => return Ok(None),
        (true, Some(said)) => return Ok(Some(said)),
        (true, None) if !somebody_is_there() => return Err(Fault::new("cli-needs-sleep", FaultKind::Usage)),
        (true, None) => {}
    }
    speaker.say(keys::CLI_SLEEP_WHY, &texts::args([]));
    match typed_line(speaker, keys::CLI_ASK_SLEEP)?.trim() {
        "1" => Ok(Some(SleepChoice::Light)),
        "2" => Ok(Some(SleepChoice::Never)),
        _ => Err(Fault::new("cli-declined", FaultKind::Refused)),
    }
}

/// Asks for a line at the terminal: what is destroyed is named by whoever wants it.
///
/// # Errors
/// `cli-nobody-to-ask`; `cli-declined` at the end of the input.
pub fn typed_line(speaker: &Speaker, question: Key) -> Result<String, Fault> {
    use std::io::Write;
    if !somebody_is_there() {
        return Err(Fault::new("cli-nobody-to-ask", FaultKind::Usage));
    }
    let _ = write!(std::io::stderr(), "{} ", speaker.texts.plain(question));
    let mut line = String::new();
    match std::io::stdin().read_line(&mut line) {
        Ok(length) if length > 0 => Ok(line),
        _ => Err(Fault::new("cli-declined", FaultKind::Stopped)),
    }
}

/// The conversion was stopped and resumes.
pub fn stopped(target: &Path) -> Fault {
    Fault::new("cli-stopped", FaultKind::Stopped).with("path", quoted(target))
}

/// Says of the target what a new look at it shows.
pub fn say_how_it_stands(speaker: &Speaker, target: &Path) {
    if let Ok(seen) = drives::inspect(target) {
        let judged = &seen.drive.judged;
        let args = texts::args([
            ("verdict", &speaker.texts.verdict(judged.verdict)),
            ("reason", &speaker.texts.judged(judged).what),
        ]);
        speaker.say(keys::CLI_STANDS, &args);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tests' own terminal is nobody's.
    #[test]
    fn sleep_is_the_persons_to_say_and_only_where_it_has_to_be() {
        let speaker = Speaker::new();
        for said in [None, Some(SleepChoice::Light), Some(SleepChoice::Never)] {
            assert_eq!(sleep(&speaker, false, said).unwrap(), None);
            if said.is_some() {
                assert_eq!(sleep(&speaker, true, said).unwrap(), said);
            }
        }
        if !somebody_is_there() {
            assert_eq!(sleep(&speaker, true, None).unwrap_err().code, "cli-needs-sleep");
        }
    }
}
