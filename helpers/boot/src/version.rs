//! Versions of cryptsetup, and which of them damage data.

/// A version: `2.7.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// Reads what `cryptsetup --version` prints.
    pub fn parse(printed: &str) -> Option<Self> {
        let mut words = printed.split_whitespace();
        let number = words.find(|word| word.starts_with(|first: char| first.is_ascii_digit()))?;
        // `2.8.0-rc1` counts as 2.8.0.
        let number = number.split(|c: char| c != '.' && !c.is_ascii_digit()).next()?;
        let mut parts = number.split('.').map(str::parse);
        let (major, minor) = (parts.next()?.ok()?, parts.next()?.ok()?);
        Some(Self(major, minor, parts.next().and_then(Result::ok).unwrap_or(0)))
    }

    /// Whether it may encrypt a volume that is in use. From 2.7.0 to 2.7.4 data are damaged by that (release notes
    /// of 2.7.5); before 2.4.3 the state on disk is not protected (CVE-2021-4122).
    pub fn is_safe_online(self) -> bool {
        self >= Self(2, 4, 3) && !(Self(2, 7, 0)..=Self(2, 7, 4)).contains(&self)
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_damage_data_are_refused() {
        for (printed, version, safe) in [
            ("cryptsetup 2.7.5 flags: UDEV BLKID KEYRING", Version(2, 7, 5), true),
            ("cryptsetup 2.7.0", Version(2, 7, 0), false),
            ("cryptsetup 2.7.4\n", Version(2, 7, 4), false),
            ("cryptsetup 2.6.1", Version(2, 6, 1), true),
            ("cryptsetup 2.4.2", Version(2, 4, 2), false),
            ("cryptsetup 2.8.7-rc1", Version(2, 8, 7), true),
            ("cryptsetup 2.8", Version(2, 8, 0), true),
        ] {
            assert_eq!(Version::parse(printed), Some(version), "{printed}");
            assert_eq!(version.is_safe_online(), safe, "{printed}");
        }
        assert_eq!(Version::parse("cryptsetup"), None);
        assert_eq!(Version::parse(""), None);
    }
}
