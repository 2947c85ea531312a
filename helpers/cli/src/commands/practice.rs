//! The whole way on a practice drive, by the same steps and the same code as in the window, and then
//! back again, to show that every byte is what it was.

mod by_drive;
mod windows;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use model::{Args, Control, Describe, Fault, FaultKind, Outcome, Progress, Signal};
use sha2::{Digest, Sha256};
use texts::{Key, keys};
use wizard::engine::{Real, RealOptions};
use wizard::view::{Action, BenchFigures, Step, Typed, View};
use wizard::{Event, Options, Wizard, operations};
use zeroize::Zeroizing;

use super::check::show_condition;
use crate::args::checked::{self, Consent, Shown};
use crate::speaker::{Speaker, somebody_is_there};
use crate::{progress, sheet, stop};

/// How often somebody may mistype a password.
const TRIES: u32 = 3;

/// Goes all the way. Where nobody is at the terminal it is a demonstration: a password is made up and
/// shown, and nothing is asked.
pub fn run(speaker: &Speaker, asked: &checked::Practice) -> Result<(), Fault> {
    let folder = Folder::make(asked)?;
    if asked.windows {
        return windows::run(speaker, asked, folder);
    }
    let interactive = asked.consent == Consent::Ask && somebody_is_there();
    let mut run = Run::begin(speaker, asked, &folder, interactive)?;
    speaker.say(keys::CLI_PRACTICE_BEGIN, &texts::args([("path", &folder.path().display()), ("size", &asked.size)]));

    let before = run.all_steps(&folder)?;
    let password = run.password.clone();
    let control = run.control.clone();
    let by_drive = asked.by_drive.is_some();
    // The wizard lets go of everything before the drive is taken by somebody else.
    drop(run);
    if asked.keep {
        folder.keep(speaker);
        return Ok(());
    }
    match by_drive {
        true => by_drive::take_back(speaker, &folder, &password, &before),
        false => take_back(speaker, &folder, &password, &before, &control),
    }
}

/// Decrypts the practice drive and holds it against what it was.
fn take_back(
    speaker: &Speaker,
    folder: &Folder,
    password: &Typed,
    before: &[u8],
    control: &Control,
) -> Result<(), Fault> {
    speaker.line("");
    speaker.say(keys::CLI_PRACTICE_BACK, &Args::new());
    let image = folder.image();
    let mut sink = progress::sink(speaker, Shown::Human);
    let ended = operations::decrypt(&image, &password.secret(), control, &mut *sink);
    drop(sink);
    if ended.map_err(|error| error.fault())? == wizard::engine::Ended::Stopped {
        return Err(stopped());
    }
    if hash(&image)? != before {
        return Err(Fault::new("cli-practice-differs", FaultKind::Failed));
    }
    speaker.say(keys::CLI_PRACTICE_SAME, &Args::new());
    speaker.say(keys::CLI_PRACTICE_CLEANED, &Args::new());
    Ok(())
}

/// The folder of one practice run: removed at the end, also after an error.
struct Folder {
    temporary: tempfile::TempDir,
}

impl Folder {
    fn make(asked: &checked::Practice) -> Result<Self, Fault> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("latchkey-practice-");
        let made = match &asked.dir {
            Some(dir) => std::fs::create_dir_all(dir).and_then(|()| builder.tempdir_in(dir)),
            None => builder.tempdir(),
        };
        let folder = made.and_then(|temporary| {
            std::fs::create_dir(temporary.path().join("stick"))?;
            Ok(Self { temporary })
        });
        folder.map_err(|error| match &asked.dir {
            Some(dir) => {
                Fault::new("cli-practice-folder", FaultKind::Failed).with("path", dir.display()).because(error)
            }
            None => Fault::new("cli-no-temporary-folder", FaultKind::Failed).because(error),
        })
    }

    fn path(&self) -> &Path {
        self.temporary.path()
    }

    fn state(&self) -> PathBuf {
        self.path().join("state")
    }

    /// Stands for the stick that takes the recovery key and the rescue copy.
    fn stick(&self) -> PathBuf {
        self.path().join("stick")
    }

    fn image(&self) -> PathBuf {
        let by_drive = wizard::practice::by_drive_path(self.path());
        if by_drive.exists() { by_drive } else { self.path().join(wizard::practice::FILE_NAME) }
    }

    fn keep(self, speaker: &Speaker) {
        let image = self.image();
        let path = self.temporary.keep();
        let _ = std::fs::remove_dir_all(path.join("state"));
        speaker.line("");
        speaker.say(keys::CLI_PRACTICE_KEPT, &texts::args([("path", &image.display()), ("folder", &path.display())]));
    }
}

/// A run through the wizard's steps.
struct Run<'a> {
    speaker: &'a Speaker,
    wizard: Wizard,
    progress: Receiver<Progress>,
    control: Control,
    interactive: bool,
    password: Typed,
    engine: Arc<Real>,
    by_drive: bool,
}

impl<'a> Run<'a> {
    fn begin(
        speaker: &'a Speaker,
        asked: &checked::Practice,
        folder: &Folder,
        interactive: bool,
    ) -> Result<Self, Fault> {
        let words = recovery::SheetWords::look_up(|key| speaker.texts.by_id(key));
        let mut real = RealOptions::new(words, sheet::computer());
        real.kdf = asked.kdf;
        real.language = speaker.texts.language();
        // Long enough to see something, short enough to be watched twice.
        real.disk.budget = Duration::from_secs(3);
        real.pin_cost = by_drive::COST;
        let engine = Arc::new(Real::new(real));
        let mut options = Options::new(engine.clone());
        options.practice_profile = asked.by_drive.clone().unwrap_or_default();
        options.practice_dir = Some(folder.path().to_owned());
        options.practice_size = asked.size;
        let wizard = Wizard::open(&folder.state(), options).map_err(|error| error.fault())?;
        let (sender, progress) = mpsc::channel();
        wizard.subscribe(Box::new(move |event| {
            if let Event::Progress(progress) = event {
                let _ = sender.send(progress);
            }
        }));
        let (by_drive, password) = (asked.by_drive.is_some(), Typed::from(""));
        Ok(Self { speaker, wizard, progress, control: stop::control(), interactive, password, engine, by_drive })
    }

    /// Returns the hash of the practice drive before it was encrypted.
    fn all_steps(&mut self, folder: &Folder) -> Result<Vec<u8>, Fault> {
        let stick = folder.stick().display().to_string();

        self.heading(Step::Drives, keys::WINDOW_DRIVES_LEAD);
        let view = self.act(if self.by_drive { Action::PracticeHardware } else { Action::Practice })?;
        let before = match self.by_drive {
            true => by_drive::hash(&*self.engine, &folder.image())?,
            false => hash(&folder.image())?,
        };
        if let Some(target) = &view.target {
            let args = texts::args([("name", &target.name), ("size", &target.size)]);
            self.speaker.say(keys::CLI_PRACTICE_MADE, &args);
            let judged = &target.judged;
            let verdict = self.speaker.texts.verdict(judged.verdict);
            self.speaker.line(&format!("{verdict}: {}", self.speaker.texts.judged(judged).what));
        }
        self.next()?;

        self.heading(Step::Check, keys::WINDOW_CHECK_LEAD);
        self.show_check();
        self.next()?;

        self.heading(Step::Before, keys::WINDOW_BEFORE_LEAD);
        let view = self.act(Action::ConfirmBackup { confirmed: true })?;
        view.before.conditions.iter().for_each(|condition| show_condition(self.speaker, condition));
        self.speaker.say(keys::CLI_PRACTICE_BACKUP, &Args::new());
        self.next()?;

        self.heading(Step::Password, keys::WINDOW_PASSWORD_LEAD);
        self.choose_password()?;
        self.next()?;

        self.heading(Step::Recovery, keys::WINDOW_RECOVERY_LEAD);
        let view = self.act(Action::ExportRecovery { folder: stick.clone() })?;
        let key_id = view.recovery.key_id.clone().unwrap_or_default();
        self.speaker.say(keys::CLI_PRACTICE_RECOVERY, &texts::args([("key_id", &key_id), ("folder", &stick)]));
        self.next()?;

        self.heading(Step::Rescue, keys::WINDOW_RESCUE_LEAD);
        let view = self.act(Action::WriteRescue { folder: stick })?;
        let path = view.rescue.written.clone().unwrap_or_default();
        self.speaker.say(keys::CLI_PRACTICE_RESCUE, &texts::args([("path", &path)]));
        if !self.by_drive {
            self.speaker.say(keys::WINDOW_RESCUE_LATER, &Args::new());
        }
        self.next()?;

        self.heading(Step::BenchBefore, keys::WINDOW_BENCH_BEFORE_LEAD);
        let view = self.act(Action::Measure)?;
        self.show_figures(view.bench_before.as_ref());
        self.next()?;

        let lead = if self.by_drive { keys::CLI_PRACTICE_OPAL_TEST } else { keys::WINDOW_TEST_LEAD };
        self.heading(Step::TestStart, lead);
        self.test_start()?;
        self.next()?;

        let lead = if self.by_drive { keys::CLI_PRACTICE_OPAL_ENCRYPT } else { keys::CLI_PRACTICE_ENCRYPT };
        self.heading(Step::Encrypt, lead);
        self.act(Action::Encrypt { password: None })?;
        let done = match self.by_drive {
            true => keys::WINDOW_ENCRYPT_LEAD_FINISHED_BY_DRIVE,
            false => keys::WINDOW_ENCRYPT_LEAD_FINISHED,
        };
        self.speaker.say(done, &Args::new());
        self.next()?;

        self.heading(Step::BenchAfter, keys::WINDOW_BENCH_AFTER_LEAD);
        let view = self.act(Action::Measure)?;
        self.show_figures(view.bench_after.as_ref());
        let view = self.next()?;

        self.heading(Step::Report, keys::CLI_PRACTICE_REPORT);
        self.show_report(&view)?;
        Ok(before)
    }

    /// "Step 3 of 11: Before you start", and what it is about.
    fn heading(&self, step: Step, lead: Key) {
        let (number, name) = match step {
            Step::Drives => (1, keys::WINDOW_STEP_DRIVES),
            Step::Check => (2, keys::WINDOW_STEP_CHECK),
            Step::Before => (3, keys::WINDOW_STEP_BEFORE),
            Step::Password => (4, keys::WINDOW_STEP_PASSWORD),
            Step::Recovery => (5, keys::WINDOW_STEP_RECOVERY),
            Step::Rescue => (6, keys::WINDOW_STEP_RESCUE),
            Step::BenchBefore => (7, keys::WINDOW_STEP_BENCH_BEFORE),
            Step::TestStart => (8, keys::WINDOW_STEP_TEST_START),
            Step::Encrypt => (9, keys::WINDOW_STEP_ENCRYPT),
            Step::BenchAfter => (10, keys::WINDOW_STEP_BENCH_AFTER),
            Step::Report => (11, keys::WINDOW_STEP_REPORT),
        };
        let args = texts::args([("number", &number), ("total-steps", &11), ("name", &self.speaker.texts.plain(name))]);
        let heading = self.speaker.texts.say(keys::WINDOW_STEP_OF, &args);
        self.speaker.line("");
        self.speaker.line(&heading);
        self.speaker.line(&"-".repeat(heading.chars().count()));
        self.speaker.say(lead, &Args::new());
    }

    /// Does it, shows its progress, and waits for its end.
    fn act(&self, action: Action) -> Result<View, Fault> {
        self.wizard.act(action);
        let mut sink = progress::sink(self.speaker, Shown::Human);
        while self.wizard.view().job.is_some() {
            match self.progress.recv_timeout(Duration::from_millis(50)) {
                Ok(progress) => sink.report(&progress),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            self.go_on()?;
        }
        drop(sink);
        // What came in after the end belongs to no later piece of work.
        while self.progress.try_recv().is_ok() {}
        self.go_on()?;
        let view = self.wizard.view();
        match &view.fault {
            Some(fault) => Err(fault.clone()),
            None => Ok(view),
        }
    }

    /// Waits for the person, then goes to the next step.
    fn next(&self) -> Result<View, Fault> {
        if self.interactive {
            self.prompt(keys::CLI_PRACTICE_ENTER)?;
        }
        self.act(Action::Next)
    }

    fn go_on(&self) -> Result<(), Fault> {
        if self.control.signal() == Signal::Stop { Err(stopped()) } else { Ok(()) }
    }

    /// Waits for a line. The end of the input is the end of the run.
    fn prompt(&self, key: Key) -> Result<(), Fault> {
        let _ = write!(std::io::stderr(), "{} ", self.speaker.texts.plain(key));
        let mut line = String::new();
        match std::io::stdin().read_line(&mut line) {
            Ok(length) if length > 0 => self.go_on(),
            _ => Err(stopped()),
        }
    }

    fn choose_password(&mut self) -> Result<(), Fault> {
        let suggestion = wizard::password::suggest()
            .map_err(|error| Fault::new("cli-no-randomness", FaultKind::Failed).because(error))?;
        self.speaker.say(keys::CLI_PRACTICE_SUGGESTION, &texts::args([("password", &*suggestion)]));
        if !self.interactive {
            return self.set_password(Typed::from(suggestion.as_str()), Typed::from(suggestion.as_str()));
        }
        self.speaker.say(keys::CLI_PRACTICE_EMPTY_TAKES_IT, &Args::new());
        for tries in 1.. {
            let typed = self.typed(keys::CLI_ASK_NEW_PASSWORD)?;
            let result = if typed.expose().is_empty() {
                self.set_password(Typed::from(suggestion.as_str()), Typed::from(suggestion.as_str()))
            } else {
                let repeated = self.typed(keys::CLI_ASK_NEW_PASSWORD_AGAIN)?;
                self.set_password(typed, repeated)
            };
            match result {
                Err(fault) if fault.kind != FaultKind::Stopped && tries < TRIES => self.speaker.fault(&fault),
                other => return other,
            }
        }
        Ok(())
    }

    fn set_password(&mut self, password: Typed, repeated: Typed) -> Result<(), Fault> {
        self.password = password.clone();
        self.act(Action::SetPassword { password, repeated }).map(drop)
    }

    fn test_start(&self) -> Result<(), Fault> {
        for tries in 1.. {
            let password = if self.interactive { self.typed(keys::CLI_ASK_PASSWORD)? } else { self.password.clone() };
            match self.act(Action::TestStart { password }) {
                Err(fault) if self.interactive && fault.kind == FaultKind::WrongSecret && tries < TRIES => {
                    self.speaker.fault(&fault);
                }
                other => {
                    other?;
                    break;
                }
            }
        }
        let passed = match self.by_drive {
            true => keys::WINDOW_TEST_LEAD_PASSED_BY_DRIVE,
            false => keys::WINDOW_TEST_LEAD_PASSED,
        };
        self.speaker.say(passed, &Args::new());
        Ok(())
    }

    fn typed(&self, key: Key) -> Result<Typed, Fault> {
        let prompt = format!("{} ", self.speaker.texts.plain(key));
        let typed = stop::asking(|| rpassword::prompt_password(prompt)).map_err(|_| stopped())?;
        self.go_on()?;
        Ok(Typed::from(Zeroizing::new(typed).as_str()))
    }

    fn show_check(&self) {
        let view = self.wizard.view();
        let Some(check) = &view.check else { return };
        check
            .conditions
            .iter()
            .filter(|condition| condition.outcome != Outcome::Unknown)
            .for_each(|condition| show_condition(self.speaker, condition));
        if let Some(method) = check.method {
            let args = texts::args([("method", &self.speaker.texts.method(method))]);
            self.speaker.say(keys::CLI_CHECK_METHOD, &args);
        }
        self.speaker.line(&self.speaker.texts.reason(&check.room));
    }

    fn show_figures(&self, figures: Option<&BenchFigures>) {
        let Some(figures) = figures else { return };
        for figure in &figures.tests {
            let args = texts::args([
                ("test", &self.speaker.texts.by_id(&format!("bench-{}", figure.name))),
                ("rate", &figure.rate),
                ("low_rate", &figure.low),
                ("high_rate", &figure.high),
            ]);
            self.speaker.say(keys::CLI_BENCH_DISK, &args);
        }
        self.speaker.say(keys::WINDOW_BENCH_CIPHER, &texts::args([("rate", &figures.cipher_rate)]));
    }

    fn show_report(&self, view: &View) -> Result<(), Fault> {
        let Some(report) = &view.report else {
            return Err(Fault::new("cli-practice-no-report", FaultKind::Failed));
        };
        let verdict = self.speaker.texts.verdict(report.judged.verdict);
        self.speaker.line(&format!("{verdict}: {}", self.speaker.texts.judged(&report.judged).what));
        if let Some(files) = report.files {
            let args = texts::args([("total-files", &files.total), ("same", &files.same)]);
            let all = files.same == files.total;
            self.speaker.say(if all { keys::WINDOW_REPORT_FILES } else { keys::WINDOW_REPORT_FILES_MISSING }, &args);
            if !all {
                return Err(Fault::new("cli-practice-differs", FaultKind::Failed));
            }
        }
        if self.by_drive {
            // Whole seconds, and never none: it is the size that does not matter.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let seconds = report.seconds.ceil().clamp(1.0, 3600.0) as u64;
            let args = texts::args([("size", &report.bytes), ("seconds", &seconds), ("id", &report.uuid)]);
            self.speaker.say(keys::CLI_PRACTICE_OPAL_FACTS, &args);
            return Ok(());
        }
        let args = texts::args([
            ("size", &report.bytes),
            ("cipher", &report.cipher),
            ("bits", &report.key_bits),
            ("sector", &report.sector_size),
            ("uuid", &report.uuid),
        ]);
        self.speaker.say(keys::CLI_PRACTICE_FACTS, &args);
        Ok(())
    }
}

fn stopped() -> Fault {
    Fault::new("cli-practice-stopped", FaultKind::Stopped)
}

/// SHA-256 of a file.
fn hash(path: &Path) -> Result<Vec<u8>, Fault> {
    let mut hash = Sha256::new();
    let read = std::fs::File::open(path).and_then(|mut file| {
        let mut buffer = vec![0; 1 << 20];
        loop {
            match std::io::Read::read(&mut file, &mut buffer)? {
                0 => return Ok(()),
                length => hash.update(&buffer[..length]),
            }
        }
    });
    read.map_err(|error| Fault::new("cli-file-read", FaultKind::Failed).with("path", path.display()).because(error))?;
    Ok(hash.finalize().to_vec())
}
