//! A second process that looks at everything with the rights of an administrator, and tells the window
//! what it saw. It takes no orders: it reads, says what it saw whenever that changes, and ends when the
//! pipe to it is closed, as it is when the window's program ends, however that ends.
//!
//! The person is asked once, by the system's own dialog; the password goes to the system and never
//! through here.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Seen;
use crate::{Error, Result};

#[cfg_attr(target_os = "linux", path = "administrator/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "administrator/other.rs")]
mod platform;

/// Whether there is somebody to ask, and a program that may be trusted with the answer.
pub(super) fn can_be_asked() -> bool {
    platform::command().is_some()
}

/// What looks with rights, as long as this value lives.
#[derive(Debug)]
pub(super) struct Administrator {
    latest: Arc<Mutex<Latest>>,
    /// The process ends when this is closed.
    _orders: Option<ChildStdin>,
}

/// What was told last.
#[derive(Debug, Default)]
struct Latest {
    /// `None`: the process has ended, and nothing is known any more.
    seen: Option<Seen>,
    /// Counts what was told.
    count: u64,
}

impl Administrator {
    /// Asks the person, and waits for the first look.
    ///
    /// # Errors
    /// [`Error::RightsUnavailable`], [`Error::RightsRefused`].
    pub fn ask() -> Result<Self> {
        Self::start(platform::command().ok_or(Error::RightsUnavailable)?)
    }

    fn start(mut command: Command) -> Result<Self> {
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = spawned.map_err(|_| Error::RightsUnavailable)?;
        let (orders, told) = (child.stdin.take(), child.stdout.take());
        let mut told = BufReader::new(told.ok_or(Error::RightsUnavailable)?);
        let Some(first) = next(&mut told) else { return Err(refused(child)) };
        let latest = Arc::new(Mutex::new(Latest { seen: Some(first), count: 1 }));
        let shared = Arc::clone(&latest);
        std::thread::spawn(move || {
            while let Some(seen) = next(&mut told) {
                let mut latest = lock(&shared);
                latest.seen = Some(seen);
                latest.count += 1;
            }
            let mut latest = lock(&shared);
            latest.seen = None;
            latest.count += 1;
            drop(latest);
            let _ = child.wait();
        });
        Ok(Self { latest, _orders: orders })
    }

    /// What it saw last. `None`: it has ended.
    pub fn seen(&self) -> Option<Seen> {
        lock(&self.latest).seen.clone()
    }

    /// A number that changes whenever something new was told.
    pub fn count(&self) -> u64 {
        lock(&self.latest).count
    }
}

/// The next line that can be understood. `None`: there is no more.
fn next(told: &mut impl BufRead) -> Option<Seen> {
    let mut line = String::new();
    while told.read_line(&mut line).ok()? > 0 {
        if let Ok(seen) = serde_json::from_str(&line) {
            return Some(seen);
        }
        line.clear();
    }
    None
}

/// Why it ended without a word: pkexec(1) says 126 when the person thought better of it, and 127 when
/// the system refuses.
fn refused(mut child: Child) -> Error {
    match child.wait().ok().and_then(|status| status.code()) {
        Some(126 | 127) => Error::RightsRefused,
        _ => Error::RightsUnavailable,
    }
}

fn lock(latest: &Mutex<Latest>) -> MutexGuard<'_, Latest> {
    latest.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    const NOTHING: &str = r#"{"drives":[],"computer":null}"#;

    fn comes_about(what: impl Fn() -> bool) -> bool {
        (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(5));
            what()
        })
    }

    #[test]
    fn each_line_is_a_look_and_the_end_of_it_is_noticed() {
        let script = format!("echo warming up; echo '{NOTHING}'; sleep 0.1; echo '{NOTHING}'; read line");
        let administrator = Administrator::start(shell(&script)).unwrap();
        assert_eq!(administrator.seen(), Some(Seen::default()));
        assert!(comes_about(|| administrator.count() == 2));
        let ended = Administrator::start(shell(&format!("echo '{NOTHING}'"))).unwrap();
        assert!(comes_about(|| ended.seen().is_none()));
    }

    #[test]
    fn it_ends_when_nobody_listens_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let note = folder.path().join("ended");
        let script = format!("echo '{NOTHING}'; cat > /dev/null; echo > '{}'", note.display());
        drop(Administrator::start(shell(&script)).unwrap());
        assert!(comes_about(|| note.exists()));
    }

    #[test]
    fn a_refusal_is_told_from_something_broken() {
        assert!(matches!(Administrator::start(shell("exit 126")), Err(Error::RightsRefused)));
        assert!(matches!(Administrator::start(shell("exit 127")), Err(Error::RightsRefused)));
        assert!(matches!(Administrator::start(shell("exit 1")), Err(Error::RightsUnavailable)));
        assert!(matches!(Administrator::start(Command::new("/not/there")), Err(Error::RightsUnavailable)));
    }
}
