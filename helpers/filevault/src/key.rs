use zeroize::Zeroizing;

use crate::{Error, Result};

/// The personal recovery key: six groups of four capitals and digits.
#[derive(Clone, PartialEq, Eq)]
pub struct PersonalKey(Zeroizing<String>);

impl std::fmt::Debug for PersonalKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PersonalKey(..)")
    }
}

impl PersonalKey {
    /// Reads `ABCD-…`. macOS has shown a placeholder of four groups where a key was to be; it is none.
    ///
    /// # Errors
    /// [`Error::BadKey`].
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        let groups: Vec<&str> = text.split('-').collect();
        let fits = |group: &&str| {
            group.len() == 4 && group.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        };
        if groups.len() != 6 || !groups.iter().all(fits) || text.starts_with("WWWW-XXXX-YYYY") {
            return Err(Error::BadKey);
        }
        Ok(Self(Zeroizing::new(text.to_owned())))
    }

    /// The letters.
    pub fn expose(&self) -> &str {
        &self.0
    }
}
