//! Small questions about files.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::command::Trouble;

/// When something under `path` was last changed; `None` if there is nothing. Folders whose name
/// begins with a dot, `node_modules` and `dist` do not count.
pub fn newest(path: &Path) -> Option<SystemTime> {
    let about = fs::metadata(path).ok()?;
    if about.is_file() {
        return about.modified().ok();
    }
    let entries = fs::read_dir(path).ok()?.flatten();
    entries
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            !name.starts_with('.') && name != "node_modules" && name != "dist"
        })
        .filter_map(|entry| newest(&entry.path()))
        .max()
}

/// Whether two files are there and the same.
pub fn same(one: &Path, other: &Path) -> bool {
    matches!((fs::read(one), fs::read(other)), (Ok(one), Ok(other)) if one == other)
}

/// Copies a file.
///
/// # Errors
/// What the system says, with the place that was to be written.
pub fn copy(from: &Path, to: &Path) -> Result<(), Trouble> {
    fs::copy(from, to).map(|_| ()).map_err(|error| Trouble::File(to.to_owned(), error))
}

/// Makes a folder and those above it.
///
/// # Errors
/// What the system says, with the folder.
pub fn folder(path: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(path).map_err(|error| Trouble::File(path.to_owned(), error))
}

/// All files under a folder, in the order of their names.
pub fn under(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { under(&path) } else { vec![path] }).collect()
}
