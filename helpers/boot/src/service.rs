//! The unit that encrypts while people work.

use std::path::Path;

use crate::{Result, files, tool};

/// Its file's text.
pub const UNIT: &str = include_str!("assets/latchkey-system.service");
/// Its name.
pub const NAME: &str = "latchkey-system.service";
const PATH: &str = "/etc/systemd/system/latchkey-system.service";

/// Installs it, so that each start takes up what is unfinished.
///
/// # Errors
/// Those of systemd.
pub fn install() -> Result<()> {
    files::replace(Path::new(PATH), UNIT.as_bytes(), 0o644)?;
    tool::run("systemctl", ["daemon-reload"])?;
    tool::run("systemctl", ["--quiet", "enable", NAME]).map(|_| ())
}

/// Removes it. One that runs runs on to its end.
///
/// # Errors
/// Those of systemd.
pub fn uninstall() -> Result<()> {
    if Path::new(PATH).exists() {
        tool::run("systemctl", ["--quiet", "disable", NAME])?;
        files::remove(Path::new(PATH))?;
        tool::run("systemctl", ["daemon-reload"])?;
    }
    Ok(())
}

/// Starts it and does not wait for its end.
///
/// # Errors
/// Those of systemd.
pub fn start() -> Result<()> {
    tool::run("systemctl", ["start", NAME]).map(|_| ())
}

/// Stops it and waits until the conversion has come to a stop that resumes.
///
/// # Errors
/// Those of systemd.
pub fn stop() -> Result<()> {
    tool::run("systemctl", ["stop", NAME]).map(|_| ())
}

/// Whether it runs.
pub fn is_active() -> bool {
    tool::run("systemctl", ["is-active", NAME]).is_ok()
}
