//! The helper with rights: what the program does when Windows started it for the window.

use std::path::Path;

use recovery::SameDrive;

use crate::keys::SheetWords;
use crate::pipe::{HELPER, Listener};
use crate::service::{Here, Orders, Remote, SameDriveAs, serve};
use crate::{Error, Machine, Real, Result, Row};

/// Whether these arguments ask for the helper: the word, the pipe's name, the session's SID, the window's process.
pub fn is_asked(words: &[String]) -> bool {
    words.first().is_some_and(|word| word == HELPER)
}

/// Serves one window, until it closes the pipe. Everything is asked for and done on this thread.
///
/// # Errors
/// [`Error::BadOrder`] for other arguments; those of the pipe and of [`Real::open`].
pub fn help(words: &[String], sheet: SheetWords) -> Result<()> {
    let [_, name, sid, window] = words else { return Err(Error::BadOrder) };
    let window = window.parse().map_err(|_| Error::BadOrder)?;
    let pipe = Listener::new(name, sid)?.accept(window)?;
    let mut here = here(sheet)?;
    let cause = |error: std::io::Error| Error::NoHelper(error.to_string());
    let mut orders = std::io::BufReader::new(pipe.try_clone().map_err(cause)?);
    let mut answers = pipe;
    serve(&mut here, &mut orders, &mut answers).map_err(cause)
}

/// Who carries out orders on this computer: this process if it has the rights, and otherwise `program`, which
/// Windows starts with them after asking the person.
///
/// # Errors
/// [`Error::NotThere`] on a Windows without BitLocker; [`Error::RightsRefused`], [`Error::NoHelper`].
pub fn orders(program: &Path, sheet: SheetWords) -> Result<Box<dyn Orders>> {
    match here(sheet) {
        Ok(here) => Ok(Box::new(here)),
        Err(Error::NoRights) => {
            let pipe = crate::pipe::start(program)?;
            let other = pipe.try_clone().map_err(|error| Error::NoHelper(error.to_string()))?;
            Ok(Box::new(Remote::new(pipe, other)))
        }
        Err(error) => Err(error),
    }
}

/// This process, if it has the rights. Nobody is asked for anything.
///
/// # Errors
/// [`Error::NotThere`] on a Windows without BitLocker; [`Error::NoRights`].
pub fn here(words: SheetWords) -> Result<Here> {
    let mut machine = Real::open()?;
    let same_drive = same_drive(machine.volumes()?);
    Ok(Here { machine: Box::new(machine), medium: Box::new(recovery::System), words, same_drive })
}

/// The drives are known by their letters. What has none cannot be told apart from the folder's.
fn same_drive(rows: Vec<Row>) -> SameDriveAs {
    Box::new(move |folder, volume| {
        let row = rows.iter().find(|row| row.id == volume || row.letter.as_deref() == Some(volume));
        let Some(letter) = row.and_then(|row| row.letter.as_deref()) else { return SameDrive::Unknown };
        match drives::same_drive(folder, Path::new(letter)) {
            Ok(drives::SameDrive::Yes) => SameDrive::Yes,
            Ok(drives::SameDrive::No) => SameDrive::No,
            _ => SameDrive::Unknown,
        }
    })
}
