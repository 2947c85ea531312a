//! Reports that are kept, so that a third run a year later can be compared with them.

use std::io;
use std::path::{Path, PathBuf};

use crate::Figures;

const BEGINS: &str = "bench-";
const ENDS: &str = ".json";

/// Keeps a report in a folder, under the moment that it was made. Nothing that is there is replaced.
///
/// # Errors
/// As the system has them.
pub fn keep(folder: &Path, figures: &Figures) -> io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let name = moment(figures.conditions.when.unwrap_or_default());
    let text = serde_json::to_vec_pretty(figures).map_err(io::Error::other)?;
    for again in 0..100 {
        let number = if again == 0 { String::new() } else { format!("-{again}") };
        let path = folder.join(format!("{BEGINS}{name}{number}{ENDS}"));
        match std::fs::File::create_new(&path) {
            Ok(mut file) => {
                return io::Write::write_all(&mut file, &text).and_then(|()| file.sync_all()).map(|()| path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The reports in a folder, the oldest first.
///
/// # Errors
/// As the system has them; a folder that is not there has none.
pub fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut reports: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with(BEGINS) && name.ends_with(ENDS))
        })
        .collect();
    reports.sort();
    Ok(reports)
}

/// Reads a report.
///
/// # Errors
/// As the system has them; [`io::ErrorKind::InvalidData`] for what is no report, or of a newer version.
pub fn read(path: &Path) -> io::Result<Figures> {
    let invalid = |cause: String| io::Error::new(io::ErrorKind::InvalidData, cause);
    let figures: Figures = serde_json::from_slice(&std::fs::read(path)?).map_err(|error| invalid(error.to_string()))?;
    match figures.version {
        1 | 2 => Ok(figures),
        version => Err(invalid(format!("version {version}"))),
    }
}

/// The day of a moment (seconds since 1 January 1970, UTC) as `2026-12-02`.
pub fn day(seconds: u64) -> String {
    model::Day::of(seconds).to_string()
}

/// `2026-12-02-184501`.
fn moment(seconds: u64) -> String {
    let of_day = seconds % 86_400;
    format!("{}-{:02}{:02}{:02}", day(seconds), of_day / 3600, of_day / 60 % 60, of_day % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        assert_eq!(moment(0), "1970-01-01-000000");
        assert_eq!(moment(951_782_400 + 3661), "2000-02-29-010101");
        assert_eq!(day(1_796_169_600), "2026-12-02");
    }

    #[test]
    fn kept_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("kept");
        assert!(list(&kept).unwrap().is_empty());
        let mut figures = crate::figures_for_tests(&[1.0, 2.0, 3.0]);
        figures.conditions.when = Some(1_796_169_600);
        let first = keep(&kept, &figures).unwrap();
        let second = keep(&kept, &figures).unwrap();
        assert!(first.ends_with("bench-2026-12-02-000000.json"), "{first:?}");
        std::fs::write(kept.join("note.txt"), "").unwrap();
        let found = list(&kept).unwrap();
        assert!(found.len() == 2 && found.contains(&first) && found.contains(&second));
        assert_eq!(read(&first).unwrap(), figures);
    }

    #[test]
    fn what_is_none_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bench-x.json");
        let figures = crate::figures_for_tests(&[1.0]);
        let newer = serde_json::to_string(&crate::Figures { version: 3, ..figures }).unwrap();
        for text in ["", "{}", &newer] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(read(&path).unwrap_err().kind(), io::ErrorKind::InvalidData);
        }
    }
}
