//! Programs for an image: our own, linked statically, and the system's with the libraries that they need.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use goblin::elf::Elf;

use crate::{Error, Extra, Result};

/// Where installed systems have libraries.
const LIBRARIES: [&str; 5] = ["usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu", "usr/lib64", "lib64", "usr/lib"];
/// Loaded by the C library when a thread ends, and named by nobody.
const UNNAMED: &str = "libgcc_s.so.1";

/// One of our own programs: beside this one, or where it was installed. `LATCHKEY_IMAGE_PROGRAMS` names
/// another folder.
///
/// # Errors
/// [`Error::ProgramMissing`]; [`Error::ProgramUnfit`] if it is not linked statically: alone in an image, it
/// would not start.
pub fn own(name: &str) -> Result<Vec<u8>> {
    let beside = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.to_owned()));
    let told = std::env::var_os("LATCHKEY_IMAGE_PROGRAMS").map(PathBuf::from);
    let folders = told.into_iter().chain(beside).chain([PathBuf::from("/usr/lib/latchkey")]);
    let mut paths = folders.map(|folder| folder.join(name));
    let path = paths.find(|path| path.is_file());
    let path = path.ok_or_else(|| Error::ProgramMissing { path: Path::new("/usr/lib/latchkey").join(name) })?;
    let bytes = fs::read(&path).map_err(Error::at(&path))?;
    let unfit = |what: String| Error::ProgramUnfit { path: path.clone(), what };
    let elf = Elf::parse(&bytes).map_err(|error| unfit(error.to_string()))?;
    match (elf.interpreter, elf.libraries.first()) {
        (None, None) => Ok(bytes),
        (interpreter, library) => Err(unfit(library.or(interpreter.as_ref()).unwrap_or(&"").to_string())),
    }
}

/// A program of the system, and all that it is linked with.
///
/// # Errors
/// [`Error::PartMissing`], [`Error::ProgramUnfit`].
pub fn with_libraries(root: &Path, path: &str, package: &'static str) -> Result<Vec<Extra>> {
    let place = root.join(path.trim_start_matches('/'));
    if !place.is_file() {
        return Err(Error::PartMissing { package, path: place });
    }
    let mut all = BTreeMap::new();
    add(root, path, &place, &mut all)?;
    if let Some(found) = library(root, UNNAMED) {
        add(root, &format!("/usr/lib/x86_64-linux-gnu/{UNNAMED}"), &found, &mut all)?;
    }
    Ok(all.into_values().collect())
}

fn add(root: &Path, path: &str, place: &Path, all: &mut BTreeMap<String, Extra>) -> Result<()> {
    if all.contains_key(path) {
        return Ok(());
    }
    let bytes = fs::read(place).map_err(Error::at(place))?;
    let unfit = |what: String| Error::ProgramUnfit { path: place.to_owned(), what };
    let elf = Elf::parse(&bytes).map_err(|error| unfit(error.to_string()))?;
    let needs: Vec<String> = elf.libraries.iter().map(|name| (*name).to_owned()).collect();
    let loader = elf.interpreter.map(str::to_owned);
    drop(elf);
    all.insert(path.to_owned(), Extra { path: path.to_owned(), executable: true, bytes });
    if let Some(loader) = loader {
        let name = loader.rsplit('/').next().unwrap_or(&loader);
        let found = library(root, name).ok_or_else(|| unfit(loader.clone()))?;
        add(root, &loader, &found, all)?;
    }
    for name in needs.iter().filter(|name| !name.contains('/')) {
        let found = library(root, name).ok_or_else(|| unfit(name.clone()))?;
        let path = if name.starts_with("ld-linux") {
            format!("/lib64/{name}")
        } else {
            format!("/usr/lib/x86_64-linux-gnu/{name}")
        };
        add(root, &path, &found, all)?;
    }
    Ok(())
}

fn library(root: &Path, name: &str) -> Option<PathBuf> {
    LIBRARIES.iter().map(|folder| root.join(folder).join(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_comes_with_all_that_it_is_linked_with() {
        let Ok(all) = with_libraries(Path::new("/"), "/bin/ls", "coreutils") else {
            return println!("left out: this system has other places for libraries");
        };
        let paths: Vec<&str> = all.iter().map(|extra| extra.path.as_str()).collect();
        assert!(paths.iter().any(|path| path.ends_with("/libc.so.6")), "{paths:?}");
        assert!(paths.iter().any(|path| path.starts_with("/lib64/ld-linux")), "{paths:?}");
        assert!(matches!(with_libraries(Path::new("/"), "/no/such", "none"), Err(Error::PartMissing { .. })));
    }
}
