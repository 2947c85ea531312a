//! Recovery keys on their way to a folder.

use std::path::Path;

use model::{Day, Describe, Fault, Secret};
use paper::Paper;
use recovery::{Export, Exported, Form, RecoveryKey, SameDrive, Sheet, SheetWords};
use texts::keys;
use wizard::copies::Copies;
use wizard::view::RecoveryCopy;

use crate::args::checked::{CopyForm, Place};
use crate::speaker::{Speaker, quoted};

/// Refuses a folder that cannot take the key, before anybody has typed anything.
///
/// # Errors
/// `recovery-folder-missing`, `recovery-not-a-folder`, `recovery-same-drive`,
/// `recovery-maybe-same-drive`.
pub fn refuse_place(target: &Path, place: &Place) -> Result<(), Fault> {
    let folder = place.folder.clone();
    let error = match std::fs::metadata(&folder) {
        Err(_) => recovery::Error::FolderMissing { folder },
        Ok(data) if !data.is_dir() => recovery::Error::NotAFolder { folder },
        Ok(_) => match same_drive(target, &folder) {
            SameDrive::Yes => recovery::Error::SameDrive { folder },
            SameDrive::Unknown if !place.forced => recovery::Error::MaybeSameDrive { folder },
            SameDrive::Unknown | SameDrive::No => return Ok(()),
        },
    };
    Err(error.fault())
}

/// Writes the key's sheet to a folder, reads it back, and opens the volume with what was read.
///
/// # Errors
/// `recovery-…`; nothing is left behind, or the fault says what.
pub fn export(
    speaker: &Speaker,
    target: &Path,
    uuid: &str,
    key: &RecoveryKey,
    place: &Place,
    prove: &mut dyn FnMut(&Secret) -> Result<(), Fault>,
) -> Result<Exported, Fault> {
    export_as(&recovery::Text, speaker, target, uuid, key, place, prove)
}

/// [`export`] as another sort of file.
///
/// # Errors
/// As [`export`].
pub fn export_as(
    form: &dyn Form,
    speaker: &Speaker,
    target: &Path,
    uuid: &str,
    key: &RecoveryKey,
    place: &Place,
    prove: &mut dyn FnMut(&Secret) -> Result<(), Fault>,
) -> Result<Exported, Fault> {
    let sheet = of(speaker, target, uuid);
    let export = Export {
        folder: &place.folder,
        form,
        sheet: &sheet,
        key,
        same_drive: same_drive(target, &place.folder),
        forced: place.forced,
    };
    recovery::export(&export, prove).map_err(|error| error.fault())
}

/// What the sheet of a volume says.
pub fn of(speaker: &Speaker, target: &Path, uuid: &str) -> Sheet {
    Sheet {
        computer: computer(),
        volume: target.file_name().unwrap_or(target.as_os_str()).to_string_lossy().into_owned(),
        uuid: uuid.to_owned(),
        date: Day::today().to_string(),
        words: SheetWords::look_up(|key| speaker.texts.by_id(key)),
    }
}

/// Says where the copy is, and that it was tried, and remembers it.
pub fn say_exported(speaker: &Speaker, target: &Path, uuid: &str, exported: &Exported) {
    let args = texts::args([("path", &quoted(&exported.path)), ("key_id", &exported.key_id)]);
    speaker.say(keys::CLI_RECOVERY_EXPORTED, &args);
    if !exported.from_medium {
        speaker.note(keys::CLI_RECOVERY_NOT_FROM_MEDIUM, &args);
    }
    remember(speaker, target, uuid, &exported.key_id, &exported.path);
}

/// Notes that this copy of a key has just opened the volume. That it cannot be noted is said, and is no
/// reason to fail.
pub fn remember(speaker: &Speaker, target: &Path, uuid: &str, key_id: &str, file: &Path) {
    let whole = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let folder = whole.parent().unwrap_or(Path::new("."));
    let copy = RecoveryCopy::in_folder(folder, &wizard::copies::places(target));
    if let Err(error) = book().proven(uuid, key_id, &copy) {
        speaker.note(keys::CLI_COPIES_NOT_KEPT, &texts::args([("cause", &error)]));
    }
}

/// Of this volume only the copies of this key count from now on. An old line in the book does no harm.
pub fn forget(uuid: &str, key_id: Option<&str>) {
    let _ = book().keep_only(uuid, key_id);
}

/// Where copies are remembered: the same for the window and the terminal.
pub fn book() -> Copies {
    Copies::at(&wizard::place::state_dir())
}

fn same_drive(target: &Path, folder: &Path) -> SameDrive {
    match drives::same_drive(folder, target) {
        Ok(drives::SameDrive::Yes) => SameDrive::Yes,
        Ok(drives::SameDrive::No) => SameDrive::No,
        Ok(drives::SameDrive::Unknown) | Err(_) => SameDrive::Unknown,
    }
}

/// The name of this computer, for the sheet.
pub fn computer() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    name
}

/// The form of a copy.
pub fn form(form: CopyForm) -> Box<dyn Form> {
    match form {
        CopyForm::Sheet => Box::new(recovery::Text),
        CopyForm::KeyFile => Box::new(recovery::KeyFile),
        CopyForm::Page => Box::new(usual_paper()),
    }
}

/// Letter for the countries whose locale says so in glibc (`paper.height`), A4 for all others.
pub fn usual_paper() -> Paper {
    const LETTER: [&str; 12] = ["US", "CA", "MX", "PH", "CL", "CO", "CR", "GT", "NI", "PA", "SV", "VE"];
    let locale = ["LC_ALL", "LC_PAPER", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    let country = locale.as_deref().and_then(|locale| locale.split(['_', '.', '@']).nth(1)).unwrap_or_default();
    if LETTER.contains(&country) { Paper::Letter } else { Paper::A4 }
}
