//! Other programs, run quietly; their words come with the error.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Why a rig does not do what it should.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A program is not on this computer. `cargo xtask setup` installs all of them.
    #[error("{0} is missing; `cargo xtask setup` installs it")]
    Missing(String),
    /// A program ended with a failure.
    #[error("{line}: {words}")]
    Failed {
        /// What was run.
        line: String,
        /// What it said.
        words: String,
    },
    /// It took longer than it may.
    #[error("no end after {seconds} s; the last that was seen:\n{last}")]
    TooLong {
        /// How long it was waited for.
        seconds: u64,
        /// The end of what it printed.
        last: String,
    },
    /// A file.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The window's driver.
    #[error("{0}")]
    Window(String),
}

impl Error {
    /// For `map_err`: what happened to this file.
    pub fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::File { path, error }
    }
}

/// Runs a program to its end and returns what it printed.
///
/// # Errors
/// It is missing, or it ends with a failure.
pub fn run(command: &mut Command) -> Result<String, Error> {
    let output = output(command)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let words = [&*String::from_utf8_lossy(&output.stdout), &*String::from_utf8_lossy(&output.stderr)].concat();
    Err(Error::Failed { line: line(command), words: words.trim().to_owned() })
}

/// Runs a program to its end, whatever that is.
///
/// # Errors
/// It is missing.
pub fn output(command: &mut Command) -> Result<Output, Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).output().map_err(|_| Error::Missing(name))
}

/// A program by its name, also where only the administrator's path has it.
///
/// # Errors
/// It is missing.
pub fn find(name: &str) -> Result<PathBuf, Error> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin", "/sbin", "/usr/bin", "/bin"].map(PathBuf::from));
    folders.map(|folder| folder.join(name)).find(|path| path.is_file()).ok_or_else(|| Error::Missing(name.to_owned()))
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Whether this runs with the administrator's rights.
pub fn is_administrator() -> bool {
    run(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}
