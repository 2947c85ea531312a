//! The helper with rights: what the program does when Windows started it for the window.

use std::io::BufReader;
use std::path::Path;

use recovery::SameDrive;

use crate::keys::SheetWords;
use crate::pipe::{HELPER, Listener};
use crate::service::serve;
use crate::{Error, Machine, Real, Result};

/// Whether these arguments ask for the helper: the word, the pipe's name, the session's SID, the window's process.
pub fn is_asked(words: &[String]) -> bool {
    words.first().is_some_and(|word| word == HELPER)
}

/// Serves one window, until it closes the pipe. Everything is asked for and done on this thread.
///
/// # Errors
/// [`Error::BadOrder`] for other arguments; those of the pipe and of [`Real::open`].
pub fn help(words: &[String], sheet: &SheetWords) -> Result<()> {
    let [_, name, sid, window] = words else { return Err(Error::BadOrder) };
    let window = window.parse().map_err(|_| Error::BadOrder)?;
    let pipe = Listener::new(name, sid)?.accept(window)?;
    let mut machine = Real::open()?;
    let rows = machine.volumes()?;
    // The drives are known by their letters. What has none cannot be told apart from the folder's.
    let same_drive = move |folder: &Path, volume: &str| {
        let row = rows.iter().find(|row| row.id == volume || row.letter.as_deref() == Some(volume));
        let Some(letter) = row.and_then(|row| row.letter.as_deref()) else { return SameDrive::Unknown };
        match drives::same_drive(folder, Path::new(letter)) {
            Ok(drives::SameDrive::Yes) => SameDrive::Yes,
            Ok(drives::SameDrive::No) => SameDrive::No,
            _ => SameDrive::Unknown,
        }
    };
    let cause = |error: std::io::Error| Error::NoHelper(error.to_string());
    let mut orders = BufReader::new(pipe.try_clone().map_err(cause)?);
    let mut answers = pipe;
    serve(&mut machine, &mut recovery::System, sheet, &same_drive, &mut orders, &mut answers).map_err(cause)
}
