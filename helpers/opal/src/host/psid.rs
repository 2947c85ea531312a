//! What is printed on the label.

use model::Secret;

use crate::{Error, Result};

/// A PSID in the form that the drive takes: 32 letters and digits.
#[derive(Clone, Debug)]
pub struct Psid(Secret);

impl Psid {
    /// From what somebody has read off a label: blanks and dashes do not count, and small letters are
    /// capital ones, unless both are there.
    ///
    /// # Errors
    /// [`Error::PsidForm`] with the number of letters and digits, if it is not 32 or something else
    /// stands between them.
    pub fn parse(text: &str) -> Result<Self> {
        let separator = |c: char| c.is_whitespace() || matches!(c, '-' | '_' | '.' | ':' | '\u{2010}'..='\u{2015}');
        let mut characters: Vec<char> = text.chars().filter(|c| !separator(*c)).collect();
        let plain = characters.iter().all(char::is_ascii_alphanumeric);
        if !plain || characters.len() != 32 {
            let count = characters.iter().filter(|c| c.is_ascii_alphanumeric()).count();
            return Err(Error::PsidForm { characters: count });
        }
        if !characters.iter().any(char::is_ascii_uppercase) {
            characters.iter_mut().for_each(|c| c.make_ascii_uppercase());
        }
        Ok(Self(Secret::new(characters.iter().map(|c| u8::try_from(*c).unwrap_or(b'?')).collect())))
    }

    pub(super) fn secret(&self) -> &Secret {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_from_a_label() {
        let plain = "ABCD1234EFGH5678IJKL9012MNOP3456";
        for text in [
            plain,
            " abcd1234-efgh5678-ijkl9012-mnop3456 ",
            "ABCD 1234 EFGH 5678\nIJKL 9012 MNOP 3456",
            "ABCD1234\u{2013}EFGH5678IJKL9012MNOP3456",
        ] {
            assert_eq!(Psid::parse(text).unwrap().secret().expose(), plain.as_bytes(), "{text}");
        }
        // Both cases: somebody looked closely.
        let mixed = "aBCD1234EFGH5678IJKL9012MNOP3456";
        assert_eq!(Psid::parse(mixed).unwrap().secret().expose(), mixed.as_bytes());
        for (text, count) in
            [("", 0), (&plain[1..], 31), (&format!("{plain}7"), 33), (&format!("ä{}", &plain[1..]), 31)]
        {
            assert!(matches!(Psid::parse(text), Err(Error::PsidForm { characters }) if characters == count), "{text}");
        }
    }
}
