use std::env;

/// A language of the catalogue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English, also for whoever speaks a language that is not here.
    #[default]
    English,
    /// German.
    German,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// The language of messages as the system was told: the first of `LC_ALL`, `LC_MESSAGES` and
    /// `LANG` that is set (POSIX, "Internationalization Variables").
    pub fn from_env() -> Self {
        ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .filter_map(|name| env::var(name).ok())
            .find(|value| !value.is_empty())
            .map_or_else(Self::default, |value| Self::from_locale(&value))
    }

    /// The language of a locale's name: `de_AT.UTF-8`, `de-CH`, `de`.
    pub fn from_locale(locale: &str) -> Self {
        let language = locale.split(['_', '-', '.', '@']).next().unwrap_or_default();
        if language.eq_ignore_ascii_case("de") { Self::German } else { Self::English }
    }

    /// Its tag: `en`, `de`.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales() {
        for german in ["de", "de_DE.UTF-8", "de_AT", "de-CH", "DE", "de@euro"] {
            assert_eq!(Language::from_locale(german), Language::German, "{german}");
        }
        for english in ["C", "", "POSIX", "en_GB.UTF-8", "del", "fr_FR"] {
            assert_eq!(Language::from_locale(english), Language::English, "{english}");
        }
    }
}
