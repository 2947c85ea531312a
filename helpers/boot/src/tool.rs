//! Running the system's own programs.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use model::Secret;

use crate::{Error, Result};

/// Where programs are looked for: never along `PATH`, which belongs to whoever started us.
const FOLDERS: [&str; 5] = ["/usr/sbin", "/sbin", "/usr/bin", "/bin", "/usr/lib/cryptsetup"];

/// Where a program is.
///
/// # Errors
/// [`Error::ToolMissing`].
pub fn find(name: &str) -> Result<PathBuf> {
    let mut places = FOLDERS.iter().map(|folder| Path::new(folder).join(name));
    places.find(|path| path.is_file()).ok_or_else(|| Error::ToolMissing { tool: name.to_owned() })
}

/// A program with its arguments, in the C locale.
///
/// # Errors
/// [`Error::ToolMissing`].
pub fn command<S: AsRef<OsStr>>(name: &str, arguments: impl IntoIterator<Item = S>) -> Result<Command> {
    let mut command = Command::new(find(name)?);
    command
        .args(arguments)
        .env_clear()
        .env("LC_ALL", "C")
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .stdin(Stdio::null());
    Ok(command)
}

/// Runs a program to its end and returns what it printed.
///
/// # Errors
/// [`Error::ToolMissing`], [`Error::ToolFailed`] for any exit code but 0.
pub fn run<S: AsRef<OsStr>>(name: &str, arguments: impl IntoIterator<Item = S>) -> Result<String> {
    let output = command(name, arguments)?.output().map_err(|error| failed(name, "start", error))?;
    judged(name, &output)
}

/// The same, with a secret or a text on its standard input.
///
/// # Errors
/// As [`run`].
pub fn run_with<S: AsRef<OsStr>>(name: &str, arguments: impl IntoIterator<Item = S>, input: &Secret) -> Result<String> {
    let mut command = command(name, arguments)?;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed(name, "start", error))?;
    give(&mut child, input);
    let output = child.wait_with_output().map_err(|error| failed(name, "wait", error))?;
    judged(name, &output)
}

/// Writes the secret to the program and closes its standard input.
pub fn give(child: &mut std::process::Child, input: &Secret) {
    if let Some(mut pipe) = child.stdin.take() {
        // A program that has ended already says by its exit code what was wrong.
        let _ = pipe.write_all(input.expose());
    }
}

/// The error for a bad end.
pub fn failed(name: &str, status: impl ToString, output: impl ToString) -> Error {
    Error::ToolFailed { tool: name.to_owned(), status: status.to_string(), output: output.to_string() }
}

fn judged(name: &str, output: &Output) -> Result<String> {
    let printed = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        return Ok(printed.into_owned());
    }
    let words = format!("{}\n{}", String::from_utf8_lossy(&output.stderr).trim(), last_lines(&printed));
    Err(failed(name, output.status, words.trim()))
}

fn last_lines(text: &str) -> String {
    const MOST: usize = 20;
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(MOST)..].join("\n")
}
