//! Recovery keys on their way to a folder.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use model::{Describe, Fault, Secret};
use paper::Paper;
use recovery::{Export, Exported, Form, RecoveryKey, SameDrive, Sheet, SheetWords};
use texts::keys;

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
        date: today(),
        words: SheetWords::look_up(|key| speaker.texts.by_id(key)),
    }
}

/// Says where the copy is, and that it was tried.
pub fn say_exported(speaker: &Speaker, exported: &Exported) {
    let args = texts::args([("path", &quoted(&exported.path)), ("key_id", &exported.key_id)]);
    speaker.say(keys::CLI_RECOVERY_EXPORTED, &args);
    if !exported.from_medium {
        speaker.note(keys::CLI_RECOVERY_NOT_FROM_MEDIUM, &args);
    }
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

/// Today, by the clock of the world (UTC).
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// The date so many days after 1 January 1970 in the Gregorian calendar (the algorithm "civil from
/// days": years begin in March, so that the day that comes and goes is the last).
fn date(days: u64) -> String {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..10 => (era * 400 + year_of_era, month + 3),
        _ => (era * 400 + year_of_era + 1, month - 9),
    };
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_789, "2026-12-02"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
