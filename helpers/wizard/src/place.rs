//! Where the program keeps what it remembers, the same for the window and the terminal.

use std::env;
use std::path::{Path, PathBuf};

/// The state folder: `LATCHKEY_STATE_DIR`, else `latchkey` in the place that the system has for state
/// (XDG Base Directory Specification 0.8, `XDG_STATE_HOME`). Without a home it is in the folder for
/// temporary files, where it lasts at least until the next start of the computer.
pub fn state_dir() -> PathBuf {
    if let Some(chosen) = folder("LATCHKEY_STATE_DIR") {
        return chosen;
    }
    system().unwrap_or_else(env::temp_dir).join("latchkey")
}

/// Where in the state folder the reports of the benchmark are kept.
pub fn benchmarks(state_dir: &Path) -> PathBuf {
    state_dir.join("benchmarks")
}

#[cfg(target_os = "linux")]
fn system() -> Option<PathBuf> {
    // The specification: a path that is not absolute is to be ignored.
    folder("XDG_STATE_HOME")
        .filter(|path| path.is_absolute())
        .or_else(|| folder("HOME").map(|home| home.join(".local/state")))
}

#[cfg(target_os = "macos")]
fn system() -> Option<PathBuf> {
    folder("HOME").map(|home| home.join("Library/Application Support"))
}

#[cfg(windows)]
fn system() -> Option<PathBuf> {
    folder("LOCALAPPDATA")
}

fn folder(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}
