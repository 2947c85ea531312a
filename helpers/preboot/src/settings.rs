//! What the builder of the image decided: `NAME=VALUE` lines in [`PLACE`]. Unknown names are passed over, so
//! that an older program reads a newer file.

use texts::Language;

/// Where the settings lie in the initramfs.
pub const PLACE: &str = "/etc/latchkey";
/// Where the keyboard tables lie, one file each, by the layout's name.
pub const KEYMAPS: &str = "/keymaps";
/// Where the stick itself is mounted, to be read only.
pub const STICK: &str = "/mnt/stick";
/// The folder of the stick with the backups of headers, one file each.
pub const HEADERS: &str = "headers";
/// Where the modules lie, named in the order in which they are loaded.
pub const MODULES: &str = "/modules";

/// What the builder of the image decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The language of the first page.
    pub language: Language,
    /// The layout that is loaded first; empty for the kernel's own, which is the American one.
    pub keymap: String,
}

impl Settings {
    /// Reads the lines.
    pub fn parse(text: &str) -> Self {
        let mut settings = Self::default();
        for (name, value) in text.lines().filter_map(|line| line.split_once('=')) {
            match name.trim() {
                "language" => settings.language = Language::from_locale(value.trim()),
                // A file's name, and nothing that leads out of the folder.
                "keymap" if !value.contains('/') => settings.keymap = value.trim().to_owned(),
                _ => {}
            }
        }
        settings
    }

    /// The settings of this image.
    pub fn load() -> Self {
        std::fs::read_to_string(PLACE).map(|text| Self::parse(&text)).unwrap_or_default()
    }

    /// As [`Settings::parse`] reads it.
    pub fn to_text(&self) -> String {
        format!("language={}\nkeymap={}\n", self.language.tag(), self.keymap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_read_as_they_were_written() {
        let settings = Settings { language: Language::German, keymap: "de".into() };
        assert_eq!(Settings::parse(&settings.to_text()), settings);
        assert_eq!(Settings::parse("keymap=../etc\nnew=1\n=\nx"), Settings::default());
    }
}
