//! The wizard behind the window, from opening to a clean end.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use model::{Describe, Fault, FaultKind};
use recovery::SheetWords;
use tauri::{AppHandle, Emitter};
use texts::{Language, Texts};
use wizard::engine::{Real, RealOptions};
use wizard::native::ThisComputer;
use wizard::{Event, Options, Wizard};

use crate::{WINDOW, language, place, system};

/// What every command reaches.
pub struct Running {
    state_dir: PathBuf,
    language: Arc<Mutex<Language>>,
    engine: Arc<Real>,
    door: Arc<Door>,
}

/// Behind it is the wizard, once it is open.
#[derive(Default)]
pub struct Door {
    wizard: Mutex<Option<Result<Arc<Wizard>, Fault>>>,
    opened: Condvar,
}

impl Door {
    /// The wizard, or why there is none. Waits while it is being opened: not to be called where the
    /// window is drawn.
    pub fn wizard(&self) -> Result<Arc<Wizard>, Fault> {
        let mut wizard = lock(&self.wizard);
        loop {
            match &*wizard {
                Some(wizard) => return wizard.clone(),
                None => wizard = self.opened.wait(wizard).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Puts a wizard behind the door, or the reason why there is none any more. Returns what was there.
    fn put(&self, wizard: Result<Arc<Wizard>, Fault>) -> Option<Result<Arc<Wizard>, Fault>> {
        let before = lock(&self.wizard).replace(wizard);
        self.opened.notify_all();
        before
    }
}

impl Running {
    /// Opens the wizard where it was closed, beside the window: looking at its drive may take a moment,
    /// and the window does not wait for it. If it fails, the window opens all the same and every command
    /// answers with the reason, so that the person reads it where they look.
    pub fn open(app: &AppHandle) -> Self {
        let state_dir = place::state_dir();
        let language = language::load(&state_dir);
        let spoken = Arc::new(Mutex::new(language));
        let computer = computer();
        let mut real = RealOptions::new(sheet_words(language), computer.clone());
        real.recorded = place::recorded_computer();
        real.language = language;
        real.preboot = Some(Arc::new(rescue::OfSystem { root: "/".into(), language }));
        let engine = Arc::new(Real::new(real));
        let mut options = Options::new(engine.clone());
        options.words = guesses(computer);
        options.system = system::drive(language);
        options.native = Arc::new(native(Arc::clone(&spoken)));
        let door = Arc::new(Door::default());
        let (behind, folder, app) = (Arc::clone(&door), state_dir.clone(), app.clone());
        thread::spawn(move || {
            let wizard = Wizard::open(&folder, options).map_err(|error| error.fault());
            if let Ok(wizard) = &wizard {
                watch(wizard, app);
            }
            behind.put(wizard.map(Arc::new));
        });
        Self { state_dir, language: spoken, engine, door }
    }

    /// Where the wizard is.
    pub fn door(&self) -> Arc<Door> {
        Arc::clone(&self.door)
    }

    /// The person's language.
    pub fn language(&self) -> Language {
        *lock(&self.language)
    }

    /// Speaks this language from now on, on the sheets of recovery keys too, and remembers it.
    ///
    /// # Errors
    /// It could not be written down; it is spoken all the same.
    pub fn speak(&self, language: Language) -> Result<(), Fault> {
        *lock(&self.language) = language;
        self.engine.speak(sheet_words(language));
        language::save(&self.state_dir, language)
            .map_err(|error| Fault::new("desktop-language-kept", FaultKind::Failed).because(error))
    }

    /// Lets go of the wizard, which stops a running job at a place that it can go on from and waits
    /// for it.
    pub fn close(&self) {
        // One that is being opened is waited for: it may have begun to write.
        if self.door.wizard().is_err() {
            return;
        }
        let closed = Err(Fault::new("desktop-closing", FaultKind::Stopped));
        let Some(Ok(mut wizard)) = self.door.put(closed) else { return };
        // A command that still runs has a share; the last one to let go ends it. None takes longer
        // than an action does, and the conversion itself survives even the loss of power.
        let patience = Instant::now() + PATIENCE;
        while Instant::now() < patience {
            match Arc::try_unwrap(wizard) {
                Ok(last) => return drop(last),
                Err(shared) => wizard = shared,
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

const PATIENCE: Duration = Duration::from_secs(10);

/// Passes everything on to the window.
fn watch(wizard: &Wizard, app: AppHandle) {
    wizard.subscribe(Box::new(move |event| {
        // It fails only while the window is closing, when nobody is there to see it.
        let _ = match event {
            Event::View(view) => {
                system::follow(&view);
                app.emit_to(WINDOW, "view", view)
            }
            Event::Progress(progress) => app.emit_to(WINDOW, "progress", progress),
        };
    }));
}

/// The system's own encryption. Where it takes rights that this process has not, this program is started with them.
fn native(language: Arc<Mutex<Language>>) -> ThisComputer {
    let text = move |key: &'static str| Texts::new(*lock(&language)).by_id(key);
    // Where it cannot be told, nothing can be started with more rights either.
    ThisComputer { text: Box::new(text), program: std::env::current_exe().unwrap_or_default() }
}

fn sheet_words(language: Language) -> SheetWords {
    let texts = Texts::new(language);
    SheetWords::look_up(|key| texts.by_id(key))
}

/// What somebody who knows this computer would try first as its password.
fn guesses(computer: String) -> Vec<String> {
    let names = ["USER", "USERNAME", "LOGNAME"].into_iter().filter_map(|name| std::env::var(name).ok());
    let mut words: Vec<String> = names.chain([computer]).filter(|word| !word.is_empty()).collect();
    words.sort();
    words.dedup();
    words
}

#[cfg(unix)]
fn computer() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(windows)]
fn computer() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is behind these locks is whole at every moment, also after a panic elsewhere.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
