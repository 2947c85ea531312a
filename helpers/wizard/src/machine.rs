//! The steps, their order, and what each of them needs before it can be left.
//!
//! Long work runs on a thread of its own and holds no lock. It ends by handing back a change to the
//! state, so that the state is touched in one place.

mod jobs;
mod manage;
mod native;
mod reopen;
mod reread;
mod state;
mod system;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use model::{Describe, Fault, FaultKind, Progress, Secret};
use paper::Paper;

use crate::copies::Copies;
use crate::engine::{Engine, Seen};
use crate::journal::Store;
use crate::native::{Opener, ThisComputer};
use crate::system::{Ending, SystemDrive};
use crate::view::{Action, BenchFigures, RescueState, Step, Strength, Typed, View};
use crate::{Error, Result, journal, overview, password, practice, watch};
#[doc(hidden)]
pub use reread::reread;
use state::State;

/// What a wizard needs from whoever opens it.
pub struct Options {
    /// What does the work.
    pub engine: Arc<dyn Engine>,
    /// Who may change the running system's own drive. `None`: nobody here, and it is not offered.
    pub system: Option<Arc<dyn SystemDrive>>,
    /// Who opens the systems' own encryption.
    pub native: Arc<dyn Opener>,
    /// Where the practice drive is made; `None`: in the state folder.
    pub practice_dir: Option<PathBuf>,
    /// Bytes of the practice drive.
    pub practice_size: u64,
    /// What sort of drive a practice drive is that encrypts by itself.
    pub practice_profile: opal::device::Profile,
    /// What an attacker would try first as a password: names of the computer and of its user.
    pub words: Vec<String>,
}

impl Options {
    /// The usual options for an engine.
    pub fn new(engine: Arc<dyn Engine>) -> Self {
        Self {
            engine,
            system: None,
            native: Arc::new(ThisComputer { text: Box::new(english), program: PathBuf::new() }),
            practice_dir: None,
            practice_size: practice::SIZE,
            practice_profile: opal::device::Profile::default(),
            words: Vec::new(),
        }
    }
}

/// The sentences of whoever says no language.
fn english(key: &'static str) -> String {
    texts::Texts::new(texts::Language::English).by_id(key)
}

/// What the wizard tells those who watch it.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Something changed.
    View(Box<View>),
    /// The running job got on. At most five times a second.
    Progress(Progress),
}

/// The wizard. Its state lasts in a folder and survives closing and reopening at every step.
pub struct Wizard {
    inner: Arc<Inner>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Wizard {
    /// Opens the wizard on its state folder and goes on where it was closed. What the target itself
    /// says goes before what the journal says.
    ///
    /// # Errors
    /// [`Error::AlreadyRunning`], and what the system says of the folder. A damaged or newer journal
    /// is no error: it is set aside, and the view's fault says so.
    pub fn open(state_dir: &Path, options: Options) -> Result<Self> {
        let mut store = Store::open(state_dir)?;
        let (journal, fault) = store.load();
        let mut state = State::new(journal);
        state.fault = fault.map(|fault| fault.fault());
        state.bench_writes = options.engine.bench_writes();
        let inner = Arc::new(Inner {
            staged: store.folder().join("staged-header.img"),
            copies: Copies::at(store.folder()),
            practice_dir: options.practice_dir.clone().unwrap_or_else(|| store.folder().join("practice")),
            state: Mutex::new(state),
            changed: Condvar::new(),
            store: Mutex::new(store),
            watchers: Mutex::new(Vec::new()),
            stale: Mutex::default(),
            giving_up: Mutex::default(),
            options,
        });
        inner.reconcile();
        inner.save();
        let wizard = Self { inner, threads: Mutex::new(Vec::new()) };
        let inner = Arc::clone(&wizard.inner);
        wizard.keep(std::thread::spawn(move || inner.watch_surroundings()));
        Ok(wizard)
    }

    /// What is to be shown now.
    pub fn view(&self) -> View {
        self.inner.state().view()
    }

    /// Does what the person asked for and returns what is to be shown. Never waits for long work: that
    /// runs on as the view's `job`.
    pub fn act(&self, action: Action) -> View {
        if matches!(action, Action::Refresh) {
            self.inner.state().look_again = true;
            self.inner.changed.notify_all();
            return self.view();
        }
        let spawned = {
            let mut state = self.inner.state();
            state.fault = None;
            state.notice = None;
            match self.inner.handle(&mut state, action) {
                Ok(None) => None,
                Ok(Some(job)) => Some(self.inner.start(&mut state, job)),
                Err(error) => {
                    state.fault = Some(error.fault());
                    None
                }
            }
        };
        if let Some(thread) = spawned {
            self.keep(thread);
        }
        self.inner.save();
        self.inner.publish();
        self.view()
    }

    /// Calls `watcher` with every event from now on, from the thread that it happens on. It must
    /// return at once and must not call the wizard.
    pub fn subscribe(&self, watcher: Box<dyn Fn(Event) + Send>) {
        self.inner.watchers.lock().unwrap_or_else(PoisonError::into_inner).push(watcher);
    }

    /// Rates a password with the words that this wizard knows about its person.
    pub fn rate(&self, password: &Typed) -> Strength {
        let words: Vec<&str> = self.inner.options.words.iter().map(String::as_str).collect();
        password::rate(password.expose(), &words)
    }

    /// Waits until no job runs, and returns what is to be shown then. For the terminal and tests.
    pub fn wait(&self) -> View {
        let mut state = self.inner.state();
        while state.job.is_some() {
            let waited = self.inner.changed.wait_timeout(state, Duration::from_secs(1));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.view()
    }

    fn keep(&self, thread: JoinHandle<()>) {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        threads.retain(|thread| !thread.is_finished());
        threads.push(thread);
    }
}

impl Drop for Wizard {
    /// Brings a running job to a state that resumes, and waits for it.
    fn drop(&mut self) {
        {
            let mut state = self.inner.state();
            state.closing = true;
            if let Some(job) = &state.job {
                job.control.stop();
            }
        }
        self.inner.changed.notify_all();
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            let _ = thread.join();
        }
        self.inner.save();
    }
}

/// When the drives were looked at, and what the system's lists said then.
#[derive(Default)]
struct LastLook {
    pulse: Option<u64>,
    /// `None`: a new look is wanted.
    at: Option<Instant>,
    converting: bool,
}

impl LastLook {
    /// Whether there may be something new to be seen.
    fn is_over(&self, engine: &dyn Engine) -> bool {
        let Some(at) = self.at else { return true };
        let pulse = engine.pulse();
        // A system that tells nothing is looked at now and then.
        let now_and_then = (pulse.is_none() || self.converting) && at.elapsed() >= watch::EVERY_WHILE_CONVERTING;
        pulse != self.pulse || now_and_then
    }
}

/// What the wizard and its threads share.
struct Inner {
    options: Options,
    staged: PathBuf,
    copies: Copies,
    practice_dir: PathBuf,
    state: Mutex<State>,
    /// Told when a job has ended, and when the wizard closes.
    changed: Condvar,
    store: Mutex<Store>,
    #[allow(clippy::type_complexity)] // Said in full, once, is clearer than a name for it.
    watchers: Mutex<Vec<Box<dyn Fn(Event) + Send>>>,
    /// Tickets of what was prepared for the system's drive and is not wanted any more.
    stale: Mutex<Vec<String>>,
    /// Held while they are given back.
    giving_up: Mutex<()>,
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        // A panic of a job is caught before it could leave the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn engine(&self) -> &dyn Engine {
        &*self.options.engine
    }

    /// Keeps up with what is plugged in and pulled out until the wizard closes. The first look is made
    /// here too, so that the window is there before it.
    fn watch_surroundings(&self) {
        const EVERY: Duration = Duration::from_secs(2);
        self.look_around();
        let mut drives = LastLook::default();
        let mut around = Instant::now();
        let mut asked = system::LastAsked::default();
        let mut polled = native::LastPolled::default();
        loop {
            let step = {
                let mut state = self.state();
                if state.closing {
                    return;
                }
                if std::mem::take(&mut state.look_again) {
                    drives = LastLook::default();
                }
                state.journal.step
            };
            if step == Step::Drives && drives.is_over(self.engine()) {
                drives = self.look_at_drives();
            }
            if around.elapsed() >= EVERY {
                let steps = [Step::Before, Step::Recovery, Step::Rescue];
                if self.look_for_places() || steps.contains(&step) && self.look_around() {
                    self.publish();
                }
                around = Instant::now();
            }
            self.watch_system(&mut asked);
            self.watch_native(&mut polled);
            let state = self.state();
            if !state.closing && !state.look_again {
                // It is also woken by the ends of jobs, which does no harm.
                let _ = self.changed.wait_timeout(state, watch::EVERY);
            }
        }
    }

    /// Looks at all drives. What cannot be seen without rights is "unknown", and the rest is shown.
    fn look_at_drives(&self) -> LastLook {
        // Before the look: what changes meanwhile is seen by the next one.
        let mut look = LastLook { pulse: self.engine().pulse(), at: Some(Instant::now()), converting: false };
        let seen = self.engine().survey();
        look.converting = seen.as_ref().is_ok_and(Seen::is_converting);
        let mut overview = match seen {
            Ok(seen) => overview::overview(seen, self.may(), &|path| self.options.native.fits(Path::new(path))),
            Err(error) => overview::unreadable(error.fault()),
        };
        overview.remind(&self.copies.known());
        let is_new = self.state().overview.replace(overview.clone()) != Some(overview);
        if is_new {
            self.publish();
        }
        look
    }

    fn may(&self) -> overview::May {
        overview::May {
            ask: self.engine().can_ask_for_rights(),
            look: self.engine().has_rights(),
            encrypt_system: self.options.system.is_some(),
        }
    }

    /// Looks at sticks and at the power. Returns whether something is different.
    fn look_around(&self) -> bool {
        let Ok(path) = self.state().target_path() else { return false };
        let (conditions, places) = (self.engine().before(&path), self.engine().places(&path));
        let mut state = self.state();
        // Another target may have been chosen meanwhile.
        if state.journal.encrypt.begun || state.target_path().is_ok_and(|now| now != path) {
            return false;
        }
        let different = state.conditions != conditions || state.places != places;
        state.conditions = conditions;
        state.places = places;
        different
    }

    /// Looks at sticks for the drive that is looked after. Returns whether something is different.
    fn look_for_places(&self) -> bool {
        let path = {
            let state = self.state();
            let managed = state.manage.as_ref().map(|managed| managed.path().to_owned());
            managed.or_else(|| state.native.as_ref().map(|native| native.path.clone()))
        };
        let Some(path) = path else { return false };
        let places = self.engine().places(&path);
        let mut state = self.state();
        let State { manage, native, .. } = &mut *state;
        let managed = manage.as_mut().map(|managed| &mut managed.places);
        let Some(shown) = managed.or_else(|| native.as_mut().map(|native| &mut native.places)) else { return false };
        let different = *shown != places;
        *shown = places;
        different
    }

    /// Writes the journal. The state is not locked while the disk works.
    fn save(&self) {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = self.state().journal.to_bytes();
        if let Err(error) = store.save(bytes) {
            self.state().fault.get_or_insert(error.fault());
        }
    }

    /// Tells the view as it is when the watchers' turn comes, so that no older view follows a newer
    /// one.
    fn publish(&self) {
        self.tell(|| Event::View(Box::new(self.state().view())));
    }

    fn tell(&self, event: impl FnOnce() -> Event) {
        let watchers = self.watchers.lock().unwrap_or_else(PoisonError::into_inner);
        let event = event();
        for watcher in watchers.iter() {
            watcher(event.clone());
        }
    }

    /// What an action does at once, or the job that it needs.
    fn handle(&self, state: &mut State, action: Action) -> Result<Option<jobs::Job>> {
        match action {
            Action::Pause | Action::Resume if state.for_system() && state.job.is_none() => {
                state.only_at(&[Step::Encrypt])?;
                let pauses = matches!(action, Action::Pause);
                return Ok(Some(if pauses { self.pause_system() } else { self.resume_system(None) }));
            }
            Action::Pause => return state.pausable().map(|job| job.control.pause()).map(|()| None),
            Action::Resume => return state.pausable().map(|job| job.control.resume()).map(|()| None),
            Action::SkipMeasure => return state.skip_measure().map(|()| None),
            _ if state.job.is_some() => return Err(Error::Busy),
            Action::Care { care } => return self.care(state, care).map(Some),
            Action::Native { native } => return self.native(state, native).map(Some),
            Action::Leave if state.native.is_some() => return Ok(self.leave_native(state)),
            Action::Leave => {
                state.manage = None;
                return Ok(None);
            }
            // The step is behind the page.
            _ if state.manage.is_some() || state.native.is_some() => return Err(Error::NotNow),
            _ => {}
        }
        match action {
            Action::LookAsAdministrator => state.only_at(&[Step::Drives]).map(|()| Some(self.ask_for_rights())),
            Action::Choose { path } => {
                state.only_at(&[Step::Drives])?;
                let path = PathBuf::from(path);
                if crate::native::Practice::is(&path) {
                    return Ok(Some(self.open_native(path)));
                }
                Ok(Some(match self.system_target(state, &path) {
                    Some(target) => self.choose_system(target),
                    None => self.choose(path),
                }))
            }
            Action::Practice => state.only_at(&[Step::Drives]).map(|()| Some(self.practice())),
            Action::PracticeHardware => state.only_at(&[Step::Drives]).map(|()| Some(self.practice_by_drive())),
            Action::PracticeNative => state.only_at(&[Step::Drives]).map(|()| Some(self.practice_native())),
            Action::OpenNative { path } => {
                state.only_at(&[Step::Drives])?;
                let path = PathBuf::from(path);
                if self.options.native.fits(&path) { Ok(Some(self.open_native(path))) } else { Err(Error::NotNow) }
            }
            Action::ChooseMethod { method } => {
                state.only_at(&[Step::Check])?;
                self.choose_method(state, method).map(Some)
            }
            Action::GiveBack { password } => self.give_back(state, password).map(Some),
            Action::Back => state.go_back().map(|()| None),
            Action::Next => self.go_on(state),
            Action::ChooseSpace { space } => {
                state.only_at(&[Step::Check])?;
                state.choose_space(space).map(|()| None)
            }
            Action::ChooseSleep { sleep } => {
                state.only_at(&[Step::Check])?;
                state.choose_sleep(sleep).map(|()| None)
            }
            Action::ConfirmBackup { confirmed } => {
                state.only_at(&[Step::Before])?;
                state.journal.backup_confirmed = confirmed;
                Ok(None)
            }
            Action::Accept { code, accepted } => {
                state.only_at(&[Step::Before])?;
                state.accept(code, accepted).map(|()| None)
            }
            Action::AskAgain => self.ask_again(state).map(Some),
            Action::SetPassword { password, repeated } => {
                state.only_at(&[Step::Password])?;
                self.set_password(state, &password, &repeated).map(|()| None)
            }
            Action::ExportRecovery { folder } => {
                state.only_at(&[Step::Recovery])?;
                self.export_recovery(state, Arc::new(recovery::Text), PathBuf::from(folder)).map(Some)
            }
            Action::ExportPage { folder } => {
                state.only_at(&[Step::Recovery])?;
                self.export_recovery(state, Arc::new(Paper::default()), PathBuf::from(folder)).map(Some)
            }
            Action::ReadRecovery { file } => {
                state.only_at(&[Step::Recovery])?;
                self.read_recovery(state, PathBuf::from(file)).map(Some)
            }
            Action::TypeRecovery { key } => {
                state.only_at(&[Step::Recovery])?;
                self.type_recovery(state, &key).map(Some)
            }
            Action::WriteStick { stick, typed } => {
                state.only_at(&[Step::Rescue])?;
                self.write_stick(state, stick, typed).map(Some)
            }
            Action::WriteRescue { folder } => {
                state.only_at(&[Step::Rescue])?;
                self.write_rescue(state, PathBuf::from(folder)).map(Some)
            }
            Action::SkipRescue => {
                state.only_at(&[Step::Rescue])?;
                state.journal.rescue.skipped = true;
                Ok(None)
            }
            Action::Measure => {
                state.only_at(&[Step::BenchBefore, Step::BenchAfter])?;
                self.measure(state).map(Some)
            }
            Action::SaveBench { folder } => {
                state.only_at(&[Step::BenchBefore, Step::BenchAfter, Step::Report])?;
                self.save_bench(state, Path::new(&folder)).map(|()| None)
            }
            Action::TestStart { password } => {
                state.only_at(&[Step::TestStart])?;
                self.test_start(state, password).map(Some)
            }
            Action::Encrypt { password } => {
                state.only_at(&[Step::Encrypt])?;
                if state.for_system() {
                    return Ok(Some(self.resume_system(password)));
                }
                self.encrypt(state, password).map(Some)
            }
            Action::Restart => self.end_session(state, Ending::Restart).map(Some),
            Action::PowerOff => self.end_session(state, Ending::PowerOff).map(Some),
            Action::TakeBack => self.take_back(state).map(Some),
            Action::Decrypt { password } => {
                state.only_at(&[Step::Report])?;
                self.decrypt_system(state, &password).map(Some)
            }
            Action::StartOver if state.for_system() && !state.system_may_be_left() => Err(Error::NotNow),
            Action::StartOver => {
                if state.journal.encrypt.begun && !state.journal.encrypt.finished {
                    return Err(Error::NotNow);
                }
                self.start_over(state);
                Ok(None)
            }
            Action::Manage { path } => {
                state.only_at(&[Step::Drives, Step::Check, Step::Report])?;
                let path = PathBuf::from(path);
                let practice =
                    state.journal.target.as_ref().is_some_and(|target| {
                        target.practice && state.target_path().is_ok_and(|target| target == path)
                    });
                Ok(Some(self.manage(path, practice)))
            }
            // Answered above.
            Action::Refresh
            | Action::Pause
            | Action::Resume
            | Action::SkipMeasure
            | Action::Care { .. }
            | Action::Native { .. }
            | Action::Leave => Ok(None),
        }
    }

    /// "Next". The reason that blocks it is in the view, and it is the same function that says so.
    fn go_on(&self, state: &mut State) -> Result<Option<jobs::Job>> {
        if state.blocked().is_some() {
            return Err(Error::NotNow);
        }
        match state.journal.step {
            Step::TestStart if state.for_system() => {
                self.try_again(state);
                Ok(None)
            }
            Step::Password if !state.is_staged() && state.for_system() => self.prepare_system(state).map(Some),
            Step::Recovery if state.for_system() => self.begin_system(state).map(Some),
            Step::Password if !state.is_staged() => self.stage(state).map(Some),
            Step::BenchAfter => self.report(state).map(Some),
            _ => {
                state.step_on();
                Ok(None)
            }
        }
    }

    /// A new password, typed twice, that can be used and is good enough.
    fn accepted(&self, typed: &Typed, repeated: &Typed) -> Result<Secret> {
        if let Some(reason) = password::unusable(typed.expose()) {
            return Err(Error::PasswordRefused { reason: reason.code });
        }
        if typed.expose() != repeated.expose() {
            return Err(Error::PasswordDiffers);
        }
        let words: Vec<&str> = self.options.words.iter().map(String::as_str).collect();
        if !password::rate(typed.expose(), &words).acceptable {
            return Err(Error::PasswordRefused { reason: "password-weak".into() });
        }
        Ok(typed.secret())
    }

    fn set_password(&self, state: &mut State, typed: &Typed, repeated: &Typed) -> Result<()> {
        let secret = self.accepted(typed, repeated)?;
        if state.password.as_ref() != Some(&secret) {
            let former = state.former.take().or_else(|| state.password.take());
            self.forget_staged(state);
            state.former = former;
        }
        state.password = Some(secret);
        Ok(())
    }

    /// The staged header, its recovery key and all that was proven with it are worth nothing any more.
    fn forget_staged(&self, state: &mut State) {
        journal::erase(&self.staged);
        self.stale.lock().unwrap_or_else(PoisonError::into_inner).extend(state.system.ticket.take());
        state.key = None;
        state.password = None;
        state.wrong = 0;
        state.journal.staged = None;
        state.journal.copies.clear();
        state.journal.rescue = RescueState::default();
        state.journal.test_start_passed = false;
    }

    /// Where reports of measurements are kept.
    fn reports(&self) -> PathBuf {
        crate::place::benchmarks(self.staged.parent().unwrap_or(Path::new(".")))
    }

    /// Writes the page and, beside it, the data of each measurement.
    fn save_bench(&self, state: &mut State, folder: &Path) -> Result<()> {
        let report = |figures: &Option<BenchFigures>| figures.as_ref()?.report.clone();
        let both = (report(&state.journal.bench_before), report(&state.journal.bench_after));
        let (first, second) = match both {
            (Some(before), after) => (before, after),
            (None, Some(after)) => (after, None),
            (None, None) => return Err(Error::NotNow),
        };
        let failed = |error: std::io::Error| {
            let fault = Fault::new("bench-save", FaultKind::Failed).with("folder", folder.display());
            Error::Below(fault.because(error))
        };
        let latest = second.as_ref().unwrap_or(&first);
        let day = bench::reports::day(latest.conditions.when.unwrap_or_default());
        let path = folder.join(format!("latchkey-bench-{day}.html"));
        std::fs::write(&path, self.engine().bench_page(&first, second.as_ref())).map_err(failed)?;
        for figures in [Some(&first), second.as_ref()].into_iter().flatten() {
            bench::reports::keep(folder, figures).map_err(failed)?;
        }
        state.bench_saved = Some(path.display().to_string());
        Ok(())
    }

    fn start_over(&self, state: &mut State) {
        self.forget_staged(state);
        state.restart();
    }
}
