//! Running the system's own programs.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{Error, Result};

/// Where programs are looked for: never along `PATH`, which belongs to whoever started us.
const FOLDERS: [&str; 4] = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"];

/// How a program ended.
pub(crate) struct Finished {
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// What it wrote to its standard output.
    pub output: String,
    /// What it wrote to both, for the details of an error.
    pub both: String,
}

/// A program of the system.
#[derive(Clone, Copy)]
pub(crate) struct Tool {
    /// Its name.
    pub name: &'static str,
    /// The package that has it (Debian's name).
    pub package: &'static str,
}

impl Tool {
    /// Runs it to its end, whatever happens to us meanwhile: in a process group of its own, so that
    /// a ctrl-C in the terminal does not hit it in the middle of moving somebody's data.
    ///
    /// # Errors
    /// [`Error::ToolMissing`], and [`Error::ToolFailed`] if it could not be started. A bad exit code
    /// is for the caller to judge.
    pub fn run(self, arguments: &[&std::ffi::OsStr]) -> Result<Finished> {
        let program = self.find()?;
        let mut command = Command::new(&program);
        command
            .args(arguments)
            .env_clear()
            .env("LC_ALL", "C")
            // mke2fs and friends ask no questions when their standard input is no terminal.
            .stdin(Stdio::null());
        own_group(&mut command);
        let finished = command.output().map_err(|error| self.failed("start", &error.to_string()))?;
        let output = String::from_utf8_lossy(&finished.stdout).into_owned();
        let errors = String::from_utf8_lossy(&finished.stderr);
        let both = format!("{}\n{}", errors.trim(), last_lines(&output)).trim().to_owned();
        Ok(Finished { code: finished.status.code(), output, both })
    }

    /// The same, where any exit code but 0 is an error.
    pub fn run_well(self, arguments: &[&std::ffi::OsStr]) -> Result<Finished> {
        let finished = self.run(arguments)?;
        match finished.code {
            Some(0) => Ok(finished),
            code => Err(self.failed(&status(code), &finished.both)),
        }
    }

    /// The error for a bad end.
    pub fn failed(self, status: &str, output: &str) -> Error {
        Error::ToolFailed { tool: self.name, status: status.to_owned(), output: output.to_owned() }
    }

    fn find(self) -> Result<PathBuf> {
        FOLDERS
            .iter()
            .map(|folder| PathBuf::from(folder).join(self.name))
            .find(|path| path.is_file())
            .ok_or(Error::ToolMissing { tool: self.name, package: self.package })
    }
}

/// An exit code in words for the details.
pub(crate) fn status(code: Option<i32>) -> String {
    code.map_or_else(|| "ended by a signal".to_owned(), |code| format!("exit code {code}"))
}

/// The end of a long output: that is where programs say why they stopped.
fn last_lines(text: &str) -> String {
    const MOST: usize = 20;
    // Progress bars come back to the start of their line again and again.
    let lines: Vec<&str> = text.lines().map(|line| line.rsplit('\r').next().unwrap_or(line).trim_end()).collect();
    lines[lines.len().saturating_sub(MOST)..].join("\n")
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}
