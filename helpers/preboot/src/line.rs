//! A line that is being typed, of which nobody sees more than its length.

use model::Secret;
use zeroize::{Zeroize, Zeroizing};

use crate::keys::Key;

/// The longest secret in bytes. All the room is taken at once: a buffer that grows leaves copies behind.
const LONGEST: usize = 1024;

/// What has been typed.
pub struct Line {
    text: Zeroizing<String>,
}

impl Default for Line {
    fn default() -> Self {
        Self { text: Zeroizing::new(String::with_capacity(LONGEST)) }
    }
}

impl Line {
    /// Takes a key. Other keys than letters and the ones that take letters away do nothing.
    pub fn take(&mut self, key: Key) {
        match key {
            Key::Letter(letter) if self.text.len() + letter.len_utf8() <= LONGEST => self.text.push(letter),
            Key::Back => drop(self.text.pop()),
            Key::Clear => self.text.zeroize(),
            _ => {}
        }
    }

    /// Letters in it.
    pub fn letters(&self) -> usize {
        self.text.chars().count()
    }

    /// Takes what was typed out of it.
    pub fn finish(&mut self) -> Secret {
        let secret = Secret::from(self.text.as_str());
        *self = Self::default();
        secret
    }

    /// What was typed, where it is no secret.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_typed_corrected_and_taken() {
        let mut line = Line::default();
        "paß".chars().chain(['x']).for_each(|letter| line.take(Key::Letter(letter)));
        line.take(Key::Back);
        assert_eq!(line.letters(), 3);
        assert_eq!(line.finish().expose(), "paß".as_bytes());
        assert_eq!(line.letters(), 0);
        (0..5000).for_each(|_| line.take(Key::Letter('ä')));
        assert!(line.text().len() <= LONGEST);
        line.take(Key::Clear);
        assert!(line.finish().is_empty());
    }
}
