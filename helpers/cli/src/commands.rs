//! One file for each command.

mod bench;
mod check;
mod convert;
mod encrypt;
mod explain;
mod header;
mod key;
mod native;
mod opal;
mod passwd;
mod pause;
mod practice;
#[cfg(target_os = "linux")]
mod prompt;
#[cfg(not(target_os = "linux"))]
#[path = "commands/prompt_elsewhere.rs"]
mod prompt;
mod prove;
mod recovery;
mod rescue;
mod status;
#[cfg(target_os = "linux")]
mod system;
#[cfg(not(target_os = "linux"))]
#[path = "commands/system_elsewhere.rs"]
mod system;
mod watch;

use std::io;
use std::path::Path;

use model::{Describe, Fault, FaultKind};
use wizard::operations;

use crate::args::checked::Command;
use crate::sheet;
use crate::speaker::{Speaker, quoted};

/// Carries out a command and returns its exit code.
///
/// # Errors
/// What went wrong; its kind is the exit code.
pub fn run(speaker: &mut Speaker, command: Command) -> Result<u8, Fault> {
    if let Some(done) = system::take(speaker, &command) {
        return done;
    }
    if let Some(done) = native::take(speaker, &command) {
        return done;
    }
    match command {
        Command::Status { json, targets } => return status::run(speaker, json, &targets),
        Command::Check { json, target } => return check::run(speaker, json, &target),
        Command::Explain { json, files } => return explain::run(speaker, json, &files),
        Command::Encrypt(encrypt) => encrypt::run(speaker, &encrypt),
        Command::Resume { target, secret, unreadable, progress } => {
            convert::resume(speaker, &target, &secret, unreadable, progress)
        }
        Command::Undo { target, consent } => convert::undo(speaker, &target, consent),
        Command::Watch => watch::run(),
        Command::Pause { target } => pause::run(speaker, &target),
        Command::Decrypt { target, secret, progress, consent } => {
            convert::decrypt(speaker, &target, &secret, progress, consent)
        }
        Command::Prove { target, key } => prove::run(speaker, &target, &key),
        Command::Passwd { target, old, new, kdf } => passwd::run(speaker, &target, &old, &new, kdf),
        Command::KeyList { target, json } => key::list(speaker, &target, json),
        Command::KeyAdd { target, key, new, kdf } => key::add(speaker, &target, &key, &new, kdf),
        Command::KeyRemove { target, key, keyslot } => key::remove(speaker, &target, &key, keyslot),
        Command::KeyEnroll { target, key, chip, pin } => key::enroll(speaker, &target, &key, chip, pin),
        Command::Erase { target, confirmation } => key::erase(speaker, &target, confirmation.as_deref()),
        Command::RecoveryNew { target, key, place } => recovery::new(speaker, &target, &key, &place),
        Command::RecoveryExport { target, key, form, place } => {
            recovery::export(speaker, &target, &key, sheet::form(form).as_ref(), &place)
        }
        Command::RecoveryPaper { target, key, file, size, forced } => {
            recovery::paper(speaker, &target, &key, file.as_deref(), size, forced)
        }
        Command::RecoveryList { target, json } => recovery::list(speaker, target.as_deref(), json),
        Command::RecoveryVerify { file, target } => recovery::verify(speaker, &file, target.as_deref()),
        Command::HeaderBackup { target, file } => header::backup(speaker, &target, &file),
        Command::HeaderRestore { target, file, uuid, consent } => {
            header::restore(speaker, &target, &file, uuid.as_deref(), consent)
        }
        Command::HeaderRepair { target, secret, uuid, consent } => {
            header::repair(speaker, &target, &secret, uuid.as_deref(), consent)
        }
        Command::Bench(what) => bench::run(speaker, what),
        // Taken above, on every system that has it.
        Command::System(_) => Err(system::not_here()),
        Command::Prompt(what) => prompt::run(speaker, &what),
        Command::Rescue(what) => rescue::run(speaker, &what),
        Command::Opal(command) => opal::run(speaker, command),
        Command::Practice(practice) => practice::run(speaker, &practice),
    }
    .map(|()| 0)
}

/// Refuses a target without a LUKS2 header before anybody has typed a password. Reads only.
///
/// # Errors
/// `device-…`, `luks-not-luks` and the other faults of reading a header.
fn refuse_other_than_luks(target: &Path) -> Result<(), Fault> {
    operations::is_converting(target).map(|_| ()).map_err(|error| error.fault())
}

/// Writes a file that was not there, for this user alone, and reads it back.
///
/// # Errors
/// `cli-file-exists`, `cli-file-write`; nothing is left behind.
fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let fault = |code, kind| Fault::new(code, kind).with("path", quoted(path));
    operations::write_new(path, bytes).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => fault("cli-file-exists", FaultKind::Refused),
        _ => fault("cli-file-write", FaultKind::Failed).because(error),
    })
}
