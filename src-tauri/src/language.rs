//! The language of the window: the person's choice, kept in the state folder, else the system's.

use std::fs;
use std::io;
use std::path::Path;

use texts::Language;

const FILE: &str = "language";

/// The chosen language, or the system's.
pub fn load(state_dir: &Path) -> Language {
    fs::read_to_string(state_dir.join(FILE)).ok().and_then(|tag| parse(tag.trim())).unwrap_or_else(Language::from_env)
}

/// Remembers the choice.
///
/// # Errors
/// What the system says of writing to the folder.
pub fn save(state_dir: &Path, language: Language) -> io::Result<()> {
    fs::create_dir_all(state_dir)?;
    fs::write(state_dir.join(FILE), language.tag())
}

/// The language of a tag of the catalogue: `en`, `de`.
pub fn parse(tag: &str) -> Option<Language> {
    Language::ALL.into_iter().find(|language| language.tag() == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_lasts() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("new");
        for language in Language::ALL {
            save(&state, language).unwrap();
            assert_eq!(load(&state), language);
        }
    }

    #[test]
    fn a_damaged_choice_is_no_choice() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), "klingon").unwrap();
        assert_eq!(load(folder.path()), Language::from_env());
    }
}
