//! The long work of each step.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use model::{Control, Describe, FaultKind, Method, Progress, Reason, Sink, StepId, Unit};
use paper::From;
use recovery::{Form, RecoveryKey};

use super::state::{Running, State};
use super::{Event, Inner};
use crate::engine::{CheckWish, Checked, Ended, Found, HeaderFacts};
use crate::hardware::{self, Trial};
use crate::journal::StagedRecord;
use crate::practice::{self, PracticeFile};
use crate::view::{FilesCheck, RecoveryCopy, Report, Step, Target, Typed};
use crate::{Error, Result, journal, operations};

/// A change to the state, made when the work is done.
pub(super) type Change = Box<dyn FnOnce(&Inner, &mut State) + Send>;

/// The work itself, without a lock held.
type Work = Box<dyn FnOnce(&Arc<Inner>, &Control, &mut dyn Sink) -> Result<Change> + Send>;

/// Long work and how it is shown.
pub(super) struct Job {
    step: StepId,
    pub(super) can_pause: bool,
    work: Work,
}

impl Job {
    pub(super) fn new(
        step: StepId,
        work: impl FnOnce(&Arc<Inner>, &Control, &mut dyn Sink) -> Result<Change> + Send + 'static,
    ) -> Self {
        Self { step, can_pause: false, work: Box::new(work) }
    }

    /// Is done only if the volume with this UUID lies there still: what was plugged in meanwhile may have the same
    /// node.
    pub(super) fn only_on(self, path: PathBuf, uuid: String) -> Self {
        let work = self.work;
        let same = move |inner: &Arc<Inner>, control: &Control, sink: &mut dyn Sink| {
            if operations::uuid(&path)? != uuid {
                return Err(Error::TargetChanged);
            }
            work(inner, control, sink)
        };
        Self { work: Box::new(same), ..self }
    }
}

pub(super) fn change(change: impl FnOnce(&Inner, &mut State) + Send + 'static) -> Result<Change> {
    Ok(Box::new(change))
}

/// What a service says of a preparation that is not there any more.
pub(super) const EXPIRED: [&str; 2] = ["service-no-such-ticket", "service-given-up"];

/// How often the time worked is put down while the conversion runs.
const BETWEEN_NOTES: Duration = Duration::from_secs(5);

impl Inner {
    /// Starts a job on its own thread.
    pub(super) fn start(self: &Arc<Self>, state: &mut State, job: Job) -> JoinHandle<()> {
        let control = Control::new();
        let progress = nothing_yet(job.step);
        state.turn += 1;
        state.job = Some(Running { control: control.clone(), progress, can_pause: job.can_pause, step: job.step });
        let inner = Arc::clone(self);
        std::thread::spawn(move || {
            let mut sink = |progress: &Progress| inner.took(progress);
            let result = catch_unwind(AssertUnwindSafe(|| (job.work)(&inner, &control, &mut sink)));
            inner.end(result.unwrap_or(Err(Error::JobBrokeOff)));
        })
    }

    fn took(&self, progress: &Progress) {
        {
            let mut state = self.state();
            if let Some(job) = &mut state.job {
                job.progress = progress.clone();
            }
            if progress.step == StepId::Encrypt {
                state.progress = Some(progress.clone());
            }
        }
        self.tell(|| Event::Progress(progress.clone()));
    }

    fn end(&self, result: Result<Change>) {
        {
            let mut state = self.state();
            match result {
                Ok(change) => change(self, &mut state),
                // The notice says it in words that fit the step.
                Err(error) if EXPIRED.contains(&&*error.fault().code) && state.for_system() => self.expired(&mut state),
                Err(error) => state.fault = Some(error.fault()),
            }
        }
        // The journal first: whoever waited for the job may close the program at once.
        self.save();
        self.state().job = None;
        self.changed.notify_all();
        self.publish();
    }

    pub(super) fn choose(&self, path: PathBuf) -> Job {
        Job::new(StepId::Check, move |inner, _, _| inner.looked_at(path, None))
    }

    /// Waits for the person's answer to the system's own dialog.
    pub(super) fn ask_for_rights(&self) -> Job {
        Job::new(StepId::Check, |inner, _, _| {
            inner.engine().ask_for_rights()?;
            change(|_, state| state.look_again = true)
        })
    }

    pub(super) fn practice(&self) -> Job {
        Job::new(StepId::Write, move |inner, _, sink| {
            let made = practice::make(&inner.practice_dir, inner.options.practice_size, sink)?;
            inner.looked_at(made.path, Some(made.files))
        })
    }

    pub(super) fn practice_by_drive(&self) -> Job {
        Job::new(StepId::Write, move |inner, _, sink| {
            inner.engine().let_go(&practice::by_drive_path(&inner.practice_dir));
            let options = &inner.options;
            let made =
                practice::make_by_drive(&inner.practice_dir, options.practice_size, &options.practice_profile, sink)?;
            inner.looked_at(made.path, Some(made.files))
        })
    }

    /// Checks anew for another method.
    pub(super) fn choose_method(&self, state: &State, method: Method) -> Result<Job> {
        if !state.offered.contains(&method) {
            return Err(Error::NotNow);
        }
        let target = state.target_path()?;
        let wish = CheckWish { method: Some(method), ..state.wish() };
        Ok(Job::new(StepId::Check, move |inner, _, _| {
            let checked = inner.engine().check(&target, wish)?;
            change(move |inner, state| {
                if state.method() != Some(method) && !state.journal.preparing {
                    inner.forget_staged(state);
                }
                state.journal.method = Some(method);
                state.checked(checked);
            })
        }))
    }

    /// Gives the drive back as it was. All that was done for it is over then.
    pub(super) fn give_back(&self, state: &State, typed: Option<Typed>) -> Result<Job> {
        let by_drive = state.journal.preparing || state.method() == Some(Method::Hardware);
        if !by_drive || !(state.journal.preparing || state.is_staged() || state.journal.encrypt.begun) {
            return Err(Error::NotNow);
        }
        let typed = typed.filter(|typed| !typed.expose().is_empty()).map(|typed| typed.secret());
        let secret = typed.or_else(|| state.password.clone()).ok_or(Error::PasswordNeeded)?;
        let target = state.target_path()?;
        Ok(Job::new(StepId::Decrypt, move |inner, _, _| match inner.engine().give_back(&target, &secret) {
            Ok(()) => change(|inner, state| {
                let job = state.job.take();
                inner.start_over(state);
                state.job = job;
                state.notice = Some(Reason::new("notice-given-back"));
            }),
            Err(error) => wrong_or(error),
        }))
    }

    /// Looks at a target and checks it. `files`: it is the practice drive, just made.
    pub(super) fn looked_at(&self, path: PathBuf, files: Option<Vec<PracticeFile>>) -> Result<Change> {
        let engine = self.engine();
        let found = engine.look(&path)?;
        let target = target_of(&found, files.is_some())?;
        let converting = found.header.as_ref().and_then(|header| header.converting);
        let interrupted = found.header.as_ref().filter(|_| converting.is_some_and(|state| state.encrypting));
        let resume = interrupted.map(|header| header.uuid.clone());
        if converting.is_some_and(|state| !state.encrypting) {
            // Somebody was turning it off.
            return self.managed(&found, path, files.is_some());
        }
        let (checked, conditions, places) = match resume {
            Some(_) => (None, Vec::new(), Vec::new()),
            None => (Some(engine.check(&path, CheckWish::default())?), engine.before(&path), engine.places(&path)),
        };
        change(move |inner, state| {
            inner.forget_staged(state);
            let fault = state.fault.take();
            let job = state.job.take();
            state.restart();
            state.fault = fault;
            state.job = job;
            state.journal.target = Some(target);
            state.journal.practice_files = files.unwrap_or_default();
            state.conditions = conditions;
            state.places = places;
            if let Some(checked) = checked {
                state.checked(checked);
            }
            if let Some((uuid, converting)) = resume.zip(converting) {
                state.journal.encrypt.begun = true;
                state.journal.encrypt.uuid = Some(uuid);
                state.journal.encrypt.bytes = converting.total;
                state.progress = Some(far(converting.done, converting.total));
                state.notice = Some(Reason::new("notice-interrupted"));
            }
        })
    }

    /// Makes the header with both keyslots. The step is left when it is there.
    pub(super) fn stage(&self, state: &State) -> Result<Job> {
        let plan = state.plan.clone().ok_or(Error::NotNow)?;
        let password = state.password.clone().ok_or(Error::PasswordNeeded)?;
        let former = state.former.clone();
        Ok(Job::new(StepId::DeriveKey, move |inner, _, sink| {
            let key = RecoveryKey::generate().map_err(|error| Error::Below(error.fault()))?;
            if plan.method() == Method::Hardware {
                // A drive whose owner is not known any more would look like somebody else's.
                inner.state().journal.preparing = true;
                inner.save();
            }
            let uuid = inner.engine().stage(&plan, &password, &key, former.as_ref(), &inner.staged, sink)?;
            let places = inner.engine().places(plan.path());
            change(move |_, state| {
                let method = plan.method();
                state.former = None;
                state.journal.staged = Some(StagedRecord { uuid, key_id: key.key_id(), method });
                state.journal.copies.clear();
                state.journal.test_start_passed = false;
                state.key = Some(key);
                state.places = places;
                state.step_on();
            })
        }))
    }

    pub(super) fn export_recovery(
        &self,
        state: &State,
        form: Arc<dyn Form + Send + Sync>,
        folder: PathBuf,
    ) -> Result<Job> {
        // After reopening the key is gone, but a copy of it was proven before.
        let key = state.key.clone().ok_or(Error::KeyGone)?;
        let target = state.journal.target.clone().ok_or(Error::NotNow)?;
        let uuid = state.journal.staged.as_ref().ok_or(Error::NotNow)?.uuid.clone();
        let ticket = state.system.ticket.clone();
        Ok(Job::new(StepId::Write, move |inner, _, _| {
            inner.must_be_a_stick(&target, &folder)?;
            let mut prove =
                |secret: &model::Secret| inner.prove(ticket.as_deref(), secret).map_err(|error| error.fault());
            let copy = inner.engine().export_recovery(&target, &uuid, &key, &*form, &folder, &mut prove)?;
            change(move |_, state| state.proven(copy))
        }))
    }

    pub(super) fn type_recovery(&self, state: &State, typed: &Typed) -> Result<Job> {
        let typed = RecoveryKey::parse(typed.expose()).map_err(|error| Error::Below(error.fault()))?;
        if let Some(key) = &state.key {
            let (typed, right) = (typed.groups(), key.groups());
            let groups: Vec<usize> = (1..=right.len()).filter(|n| typed[n - 1] != right[n - 1]).collect();
            if !groups.is_empty() {
                return Err(Error::RecoveryTypedWrong { groups });
            }
        }
        let ticket = state.system.ticket.clone();
        Ok(Job::new(StepId::DeriveKey, move |inner, _, _| {
            inner.prove(ticket.as_deref(), &typed.secret())?;
            let copy = RecoveryCopy { kind: "paper".into(), place: String::new() };
            change(move |_, state| state.proven(copy))
        }))
    }

    /// From a scan or a photo of the sheet. Only the key of this run counts: an older sheet does not open the
    /// header.
    pub(super) fn read_recovery(&self, state: &State, file: PathBuf) -> Result<Job> {
        let expected = state.journal.staged.as_ref().map(|staged| staged.key_id.clone());
        let ticket = state.system.ticket.clone();
        Ok(Job::new(StepId::Verify, move |inner, _, _| {
            let found = paper::read(&file).map_err(|error| Error::Below(error.fault()))?;
            if expected.is_some_and(|key_id| key_id != found.key.key_id()) {
                return Err(Error::OtherKey { key_id: found.key.key_id() });
            }
            inner.prove(ticket.as_deref(), &found.key.secret())?;
            let kind = if found.from == From::Code { "scan" } else { "file" };
            let copy = RecoveryCopy { kind: kind.into(), place: file.display().to_string() };
            change(move |_, state| state.proven(copy))
        }))
    }

    pub(super) fn write_rescue(&self, state: &State, folder: PathBuf) -> Result<Job> {
        let secret = state.password.clone().ok_or(Error::PasswordNeeded)?;
        let target = state.target_path()?;
        Ok(Job::new(StepId::Write, move |inner, _, sink| {
            let file = inner.engine().write_rescue(&target, &inner.staged, &secret, &folder, sink)?;
            change(move |_, state| {
                state.journal.rescue.written = Some(file.display().to_string());
                state.journal.rescue.verified = true;
                state.journal.rescue.skipped = false;
            })
        }))
    }

    pub(super) fn measure(&self, state: &State) -> Result<Job> {
        let target = state.target_path()?;
        let before = state.journal.step == Step::BenchBefore;
        let by_drive = state.method() == Some(model::Method::Hardware);
        Ok(Job::new(StepId::Benchmark, move |inner, control, sink| {
            let measured = inner.engine().measure(&target, control, sink);
            // Broken off by "without measuring": no figures, and no fault either.
            if control.signal() == model::Signal::Stop {
                return change(|_, _| {});
            }
            let mut figures = measured?;
            if let Some(report) = &mut figures.report {
                if by_drive {
                    report.prediction = Some(bench::Prediction::new(report, &bench::Cost::of_the_drive()));
                }
                // For a third run a year later. That it cannot be kept is no reason to lose the figures.
                let _ = bench::reports::keep(&inner.reports(), report);
            }
            change(move |_, state| state.measured(before, figures))
        }))
    }

    pub(super) fn test_start(&self, state: &State, typed: Typed) -> Result<Job> {
        let target = state.target_path()?;
        Ok(Job::new(StepId::DeriveKey, move |inner, _, sink| {
            let secret = typed.secret();
            match inner.engine().test_start(&target, &inner.staged, &secret, sink) {
                Ok(trial) => change(move |_, state| {
                    state.journal.test_start_passed = trial == Trial::Passed;
                    state.journal.power_off = trial == Trial::PowerOff;
                    state.notice = (trial == Trial::PowerOff).then(|| Reason::new("notice-power-off-test-start"));
                    state.wrong = 0;
                    state.password = Some(secret);
                }),
                Err(error) => wrong_or(error),
            }
        }))
    }

    pub(super) fn encrypt(&self, state: &State, typed: Option<Typed>) -> Result<Job> {
        if state.journal.encrypt.finished || !(state.journal.encrypt.begun || state.may_begin()) {
            return Err(Error::NotNow);
        }
        let typed = typed.filter(|typed| !typed.expose().is_empty()).map(|typed| typed.secret());
        let secret = typed.or_else(|| state.password.clone()).ok_or(Error::PasswordNeeded)?;
        let target = state.target_path()?;
        let files = state.journal.practice_files.clone();
        let mut job = Job::new(StepId::Encrypt, move |inner, control, sink| {
            let begun = inner.state().journal.encrypt.begun;
            let ready = if begun { Ok(()) } else { inner.begin(&target, &secret, sink) };
            if let Err(error) = ready {
                return wrong_or(error);
            }
            // It may have ended on the target while this program was killed before it noted so.
            let (ended, wrote) = match begun.then(|| inner.size_if_converted(&target)).flatten() {
                Some(size) => (Ok(Ended::Finished), size),
                None => inner.convert(&target, &secret, control, sink),
            };
            let ended = match ended {
                Ok(ended) => ended,
                // A wrong password after reopening. Otherwise what was done so far is safe.
                Err(error) => return wrong_or(error),
            };
            if ended == Ended::Stopped {
                return change(move |_, state| {
                    // Nothing in the window stops it, but for closing it.
                    state.notice = (!state.closing).then(|| Reason::new("notice-paused-outside"));
                    state.password = Some(secret);
                    state.wrong = 0;
                });
            }
            if ended == Ended::PowerOff {
                return change(move |_, state| {
                    state.journal.power_off = true;
                    state.notice = Some(Reason::new("notice-power-off"));
                    state.password = Some(secret);
                    state.wrong = 0;
                });
            }
            let checked = match inner.compare_files(&target, &secret, &files) {
                Err(error) if error.fault().kind == FaultKind::WrongSecret => return wrong_or(error),
                checked => checked,
            };
            change(move |inner, state| {
                inner.converted(state);
                state.journal.power_off = false;
                state.journal.encrypt.bytes = wrote;
                state.password = None;
                state.key = None;
                state.wrong = 0;
                match checked {
                    Ok(files) => state.journal.encrypt.files = files,
                    Err(error) => state.fault = Some(error.fault()),
                }
            })
        });
        job.can_pause = true;
        Ok(job)
    }

    /// Checks once more and puts the header in place. The password must open the staged header: a
    /// conversion is not begun with one that was mistyped.
    fn begin(&self, target: &std::path::Path, secret: &model::Secret, sink: &mut dyn Sink) -> Result<()> {
        let wish = self.state().wish();
        let Checked { plan, fault, .. } = self.engine().check(target, wish)?;
        let Some(now) = plan else {
            return Err(fault.map_or(Error::TargetChanged, Error::Below));
        };
        // The plan that the header was staged for is the one that is carried out.
        let plan = self.state().plan.clone().ok_or(Error::TargetChanged)?;
        if !now.same_volume(&plan) {
            return Err(Error::TargetChanged);
        }
        let plan = match self.state().rescue_folder() {
            Some(folder) => plan.with_front_copy(&folder),
            None => plan,
        };
        self.engine().begin(&plan, &self.staged, secret, sink)?;
        {
            let mut state = self.state();
            state.journal.encrypt.begun = true;
            state.journal.encrypt.uuid = state.journal.staged.as_ref().map(|staged| staged.uuid.clone());
        }
        self.save();
        self.remember_copies();
        self.publish();
        Ok(())
    }

    /// From here on the copies of the recovery key are worth something.
    fn remember_copies(&self) {
        let (staged, copies) = {
            let state = self.state();
            (state.journal.staged.clone(), state.journal.copies.clone())
        };
        let Some(staged) = staged else { return };
        for copy in copies {
            // What cannot be noted is no reason not to encrypt.
            let _ = self.copies.proven(&staged.uuid, &staged.key_id, &copy.kept());
        }
    }

    /// Runs the conversion and counts the seconds of work. Returns how it ended and the bytes of the
    /// whole.
    fn convert(
        self: &Arc<Self>,
        target: &std::path::Path,
        secret: &model::Secret,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> (Result<Ended>, u64) {
        let before = self.state().journal.encrypt.seconds;
        let mut total = self.state().journal.encrypt.bytes;
        // Begins with the first report: before that the key is derived, and nothing is converted.
        let mut clock = None;
        let mut noted = Instant::now();
        let ended = {
            let mut counting = |progress: &Progress| {
                total = progress.total;
                clock.get_or_insert_with(Clock::new).tick(progress.paused);
                if noted.elapsed() >= BETWEEN_NOTES {
                    noted = Instant::now();
                    self.state().journal.encrypt.seconds = before + clock.as_ref().map_or(0.0, |clock| clock.seconds);
                    self.save();
                }
                sink.report(progress);
            };
            self.engine().convert(target, secret, control, &mut counting)
        };
        let mut clock = clock.unwrap_or_else(Clock::new);
        clock.tick(false);
        let mut state = self.state();
        state.journal.encrypt.seconds = before + clock.seconds;
        state.journal.encrypt.bytes = total;
        (ended, total)
    }

    /// The bytes of the target when our header is on it and nothing is left to convert.
    fn size_if_converted(&self, target: &std::path::Path) -> Option<u64> {
        let found = self.engine().look(target).ok()?;
        let uuid = self.state().journal.encrypt.uuid.clone();
        let header = found.header.filter(|header| Some(&header.uuid) == uuid.as_ref())?;
        let size = found.drive.volumes.first().map_or(found.drive.size, |volume| volume.size);
        header.converting.is_none().then_some(size)
    }

    /// All is encrypted: what was kept for the time before is taken away.
    pub(super) fn converted(&self, state: &mut State) {
        // The header is on the target now, and this copy of it would go stale.
        journal::erase(&self.staged);
        if let (Some(folder), Some(uuid)) = (state.rescue_folder(), &state.journal.encrypt.uuid) {
            // It was for the time in which nothing was encrypted yet, and would be wrong from now on.
            let _ = std::fs::remove_file(operations::front_copy_path(&folder, uuid));
        }
        state.journal.encrypt.finished = true;
    }

    fn compare_files(
        &self,
        target: &std::path::Path,
        secret: &model::Secret,
        files: &[PracticeFile],
    ) -> Result<Option<FilesCheck>> {
        if files.is_empty() {
            return Ok(None);
        }
        let mut checked = None;
        self.engine().read_plain(target, secret, &mut |plain| {
            checked = Some(practice::compare(plain, files)?);
            Ok(())
        })?;
        Ok(checked)
    }

    /// The report says what is on the medium now, not what was meant to be.
    pub(super) fn report(&self, state: &State) -> Result<Job> {
        let path = state.target_path()?;
        Ok(Job::new(StepId::Verify, move |inner, _, _| {
            let found = inner.engine().look(&path)?;
            let told = found.drive.volumes.into_iter().next().map_or(found.drive.judged, |volume| volume.judged);
            let (header, judged) = match (found.header, found.lock) {
                (Some(header), _) => (header, told),
                (None, Some(lock)) => {
                    let judged = if lock.locked { hardware::judged_at_end(&lock) } else { told };
                    (by_drive(lock.id.ok_or(Error::TargetChanged)?), judged)
                }
                _ => return Err(Error::TargetChanged),
            };
            change(move |_, state| {
                let method = state.method().unwrap_or(Method::Software);
                let encrypt = &state.journal.encrypt;
                if let Some(target) = &mut state.journal.target {
                    target.judged = judged.clone();
                }
                state.journal.report = Some(Report {
                    judged,
                    method,
                    cipher: header.cipher,
                    key_bits: header.key_bits,
                    sector_size: header.sector_size,
                    seconds: encrypt.seconds,
                    bytes: encrypt.bytes,
                    key_id: state.journal.staged.as_ref().map(|staged| staged.key_id.clone()).unwrap_or_default(),
                    copies: state.journal.copies.clone(),
                    rescue: state.journal.rescue.written.clone(),
                    uuid: header.uuid,
                    files: encrypt.files,
                });
                state.step_on();
            })
        }))
    }
}

/// How the drive encrypts, it does not tell.
fn by_drive(uuid: String) -> HeaderFacts {
    HeaderFacts { uuid, cipher: String::new(), key_bits: 0, sector_size: 0, converting: None }
}

/// A wrong secret is counted and said; anything else is a fault as it is.
pub(super) fn wrong_or(error: Error) -> Result<Change> {
    if error.fault().kind != FaultKind::WrongSecret {
        return Err(error);
    }
    change(|_, state| {
        state.wrong += 1;
        state.fault = Some(Error::PasswordWrong { tries: state.wrong }.fault());
    })
}

pub(super) fn target_of(found: &Found, practice: bool) -> Result<Target> {
    // An engine that finds a target without a volume has found nothing.
    let volume = found.drive.volumes.first().ok_or(Error::TargetChanged)?;
    Ok(Target {
        id: volume.id.clone(),
        name: found.drive.name.clone(),
        size: volume.size,
        content: volume.content.0.clone(),
        practice,
        system: false,
        judged: volume.judged.clone(),
    })
}

fn nothing_yet(step: StepId) -> Progress {
    Progress { version: 1, step, done: 0, total: 0, unit: Unit::Steps, rate: None, eta_s: None, paused: false }
}

/// How far a conversion is that does not run now.
pub(super) fn far(done: u64, total: u64) -> Progress {
    Progress {
        version: 1,
        step: StepId::Encrypt,
        done,
        total,
        unit: Unit::Bytes,
        rate: None,
        eta_s: None,
        paused: true,
    }
}

/// Counts seconds, but for those that were paused.
struct Clock {
    seconds: f64,
    last: Instant,
    paused: bool,
}

impl Clock {
    fn new() -> Self {
        Self { seconds: 0.0, last: Instant::now(), paused: false }
    }

    fn tick(&mut self, paused: bool) {
        let now = Instant::now();
        if !self.paused {
            self.seconds += (now - self.last).as_secs_f64();
        }
        self.last = now;
        self.paused = paused;
    }
}
