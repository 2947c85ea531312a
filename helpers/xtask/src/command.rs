//! Other programs, run in one way: what is run is said, and a failure names it.

use std::fmt;
use std::io;
use std::process::{Command, Stdio};

/// Why a task did not get to its end.
#[derive(Debug)]
pub enum Trouble {
    /// A program ended with a failure; its own words stand above.
    Command(String),
    /// A program could not be started.
    Start(String, io::Error),
    /// A file could not be read or written.
    File(std::path::PathBuf, io::Error),
    /// Anything else, as a sentence.
    Because(String),
    /// It has been said already.
    Shown,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(line) => write!(f, "this failed: {line}"),
            Self::Start(line, error) => write!(f, "this could not be started: {line} ({error})"),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Because(sentence) => f.write_str(sentence),
            Self::Shown => Ok(()),
        }
    }
}

/// Says what is run, runs it with this terminal, and waits.
///
/// # Errors
/// It cannot be started or ends with a failure.
pub fn run(command: &mut Command) -> Result<(), Trouble> {
    let line = line(command);
    println!("$ {line}");
    let status = command.status().map_err(|error| Trouble::Start(line.clone(), error))?;
    if status.success() { Ok(()) } else { Err(Trouble::Command(line)) }
}

/// Runs quietly and returns what it printed, without the white space around it; `None` if it is not
/// there or ends with a failure.
pub fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Whether a program of this name can be started.
pub fn exists(program: &str) -> bool {
    let Some(path) = std::env::var_os("PATH") else { return false };
    // The administrator's tools are not on everybody's path, and are run by their full one.
    std::env::split_paths(&path)
        .chain(["/usr/sbin".into(), "/sbin".into()])
        .any(|folder| folder.join(program).is_file())
}

/// The command as a person would type it.
pub fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Cargo as it was called, at the repository's root, building into the place for it.
pub fn cargo(words: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(words).current_dir(crate::places::root()).env("CARGO_TARGET_DIR", crate::places::target());
    // Set for this program by the cargo that runs it; they would have the crates built anew.
    for variable in ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_PKG_NAME", "CARGO_PKG_VERSION"] {
        command.env_remove(variable);
    }
    command
}
