//! Ctrl-C: once to come to a stop that resumes, twice to end at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use model::{Control, FaultKind};
use texts::{Language, Texts, keys};

/// Whether a password is being typed. Then there is nothing that has to come to a stop.
static ASKING: AtomicBool = AtomicBool::new(false);

/// A switch that ctrl-C, the end of the terminal and a polite `kill` turn to "stop". The second
/// time the program ends at once: the volume resumes from that, too, as from a power cut.
///
/// There is one in a run, because the system has one handler.
pub fn control() -> Control {
    static CONTROL: OnceLock<Control> = OnceLock::new();
    let install = || {
        let control = Control::new();
        let switch = control.clone();
        // Without a handler ctrl-C ends the program as a power cut would.
        let _ = ctrlc::set_handler(move || asked_to_stop(&switch));
        control
    };
    CONTROL.get_or_init(install).clone()
}

/// Asks for a password. Ctrl-C makes the prompt fail with [`std::io::ErrorKind::Interrupted`], and
/// the terminal is as it was: without a handler it would be left without its echo.
///
/// # Errors
/// Those of the prompt.
pub fn asking<T>(prompt: impl FnOnce() -> std::io::Result<T>) -> std::io::Result<T> {
    control();
    ASKING.store(true, Ordering::Relaxed);
    let answer = prompt();
    // The signal of an interrupted prompt may arrive a little later.
    let interrupted = answer.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::Interrupted);
    ASKING.store(interrupted, Ordering::Relaxed);
    answer
}

fn asked_to_stop(switch: &Control) {
    static ASKED: AtomicBool = AtomicBool::new(false);
    const FOR_THE_PROMPT_TO_END: Duration = Duration::from_millis(500);
    if ASKING.load(Ordering::Relaxed) {
        switch.stop();
        std::thread::sleep(FOR_THE_PROMPT_TO_END);
        std::process::exit(i32::from(FaultKind::Stopped.exit_code()));
    }
    if ASKED.swap(true, Ordering::Relaxed) {
        std::process::exit(i32::from(FaultKind::Stopped.exit_code()));
    }
    switch.stop();
    // A new catalogue: the one that is in use may be locked by whoever speaks now.
    eprintln!("\n{}", Texts::new(Language::from_env()).plain(keys::CLI_STOPPING));
}
