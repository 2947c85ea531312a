use qrcode::{Color, EcLevel, QrCode};
use recovery::RecoveryKey;
use zeroize::{Zeroize, Zeroizing};

use crate::{Error, Result};

/// What the QR code says: text that a person can read as well, with the key on a line of its own, so
/// that any scanner is of use. `uuid` is the volume's.
pub fn content(key: &RecoveryKey, uuid: &str) -> Zeroizing<String> {
    let mut text = Zeroizing::new(String::with_capacity(256));
    for part in ["LATCHKEY 1\n", &key.text(), "\nUUID ", &recovery::one_line(uuid)] {
        text.push_str(part);
    }
    text
}

/// A QR code (ISO/IEC 18004) as squares. It holds the key, and is cleared when dropped.
#[derive(Clone)]
pub struct Code {
    width: usize,
    dark: Zeroizing<Vec<bool>>,
}

impl Code {
    /// The code of a key. A quarter of it may be dirty, torn or crumpled (error correction level Q).
    ///
    /// # Errors
    /// [`Error::Code`]: the text is too long. A UUID never is.
    pub fn new(key: &RecoveryKey, uuid: &str) -> Result<Self> {
        let content = content(key, uuid);
        let code = QrCode::with_error_correction_level(content.as_bytes(), EcLevel::Q)
            .map_err(|error| Error::Code(error.to_string()))?;
        let width = code.width();
        let mut colors = code.into_colors();
        let dark = Zeroizing::new(colors.iter().map(|color| *color == Color::Dark).collect());
        colors.fill(Color::Light);
        Ok(Self { width, dark })
    }

    /// Squares on a side, without the quiet zone.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The dark squares as rows that belong together: column, row, squares.
    pub fn runs(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        self.dark.chunks_exact(self.width).enumerate().flat_map(|(row, squares)| {
            let mut at = 0;
            std::iter::from_fn(move || {
                let start = at + squares[at..].iter().position(|dark| *dark)?;
                let length = squares[start..].iter().take_while(|dark| **dark).count();
                at = start + length;
                Some((start, row, length))
            })
        })
    }

    /// The dark squares as the path of an SVG whose unit is a square.
    pub fn svg_path(&self) -> Zeroizing<String> {
        use std::fmt::Write;
        let mut path = Zeroizing::new(String::with_capacity(self.width * self.width * 8));
        for (column, row, length) in self.runs() {
            // Writing to a string does not fail.
            let _ = write!(path, "M{column} {row}h{length}v1h-{length}z");
        }
        path
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        self.dark.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_is_read_as_a_key() {
        let key = RecoveryKey::generate().unwrap();
        let text = content(&key, "0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f");
        assert_eq!(recovery::read_back(&text), Ok(key));
        assert_eq!(recovery::uuid_in(&text).as_deref(), Some("0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f"));
    }

    #[test]
    fn the_runs_are_the_dark_squares() {
        let code = Code::new(&RecoveryKey::generate().unwrap(), "").unwrap();
        let mut seen = vec![false; code.width() * code.width()];
        for (column, row, length) in code.runs() {
            seen[row * code.width() + column..][..length].fill(true);
        }
        assert_eq!(*seen, **code.dark);
    }
}
