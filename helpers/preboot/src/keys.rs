//! From the bytes of a terminal to keys.

/// What somebody pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A letter, a digit, a sign.
    Letter(char),
    /// Enter.
    Enter,
    /// Backspace.
    Back,
    /// Everything away (Ctrl-U, or Escape twice).
    Clear,
    /// A function key, F1 to F5.
    Function(u8),
    /// Up.
    Up,
    /// Down.
    Down,
}

/// Puts bytes together: UTF-8, and the sequences that function keys send.
#[derive(Debug, Default)]
pub struct Decoder {
    pending: Vec<u8>,
}

impl Decoder {
    /// Takes the next byte.
    pub fn push(&mut self, byte: u8) -> Option<Key> {
        self.pending.push(byte);
        let (key, done) = decode(&self.pending);
        if done {
            use zeroize::Zeroize;
            self.pending.zeroize();
        }
        key
    }
}

/// The key, and whether the bytes are used up.
fn decode(bytes: &[u8]) -> (Option<Key>, bool) {
    match bytes {
        [b'\r' | b'\n'] => (Some(Key::Enter), true),
        [0x08 | 0x7f] => (Some(Key::Back), true),
        [0x15] | [0x1b, 0x1b] => (Some(Key::Clear), true),
        [0x1b, rest @ ..] => sequence(rest),
        [0..0x20] => (None, true),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => (text.chars().next().map(Key::Letter), true),
            // The rest of the letter is on its way.
            Err(error) if error.error_len().is_none() && bytes.len() < 4 => (None, false),
            Err(_) => (None, true),
        },
    }
}

/// Behind an Escape: what Linux consoles, `xterm` and their like send.
fn sequence(rest: &[u8]) -> (Option<Key>, bool) {
    match rest {
        [] | [b'[' | b'O'] | [b'[', b'['] => (None, false),
        [b'[', b'[', letter @ b'A'..=b'E'] => (Some(Key::Function(letter - b'A' + 1)), true),
        [b'O', letter @ b'P'..=b'S'] => (Some(Key::Function(letter - b'P' + 1)), true),
        [b'[', b'1', digit @ b'1'..=b'5', b'~'] => (Some(Key::Function(digit - b'0')), true),
        [b'[' | b'O', b'A'] => (Some(Key::Up), true),
        [b'[' | b'O', b'B'] => (Some(Key::Down), true),
        // Digits and semicolons go on, a letter or a tilde ends; too long is no key.
        [b'[', parameters @ ..] => {
            let goes_on = parameters.iter().all(|byte| matches!(byte, b'0'..=b'9' | b';')) && parameters.len() < 8;
            (None, !goes_on)
        }
        _ => (None, true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(bytes: &[u8]) -> Vec<Key> {
        let mut decoder = Decoder::default();
        bytes.iter().filter_map(|byte| decoder.push(*byte)).collect()
    }

    #[test]
    fn letters_of_any_length_and_function_keys() {
        assert_eq!(keys("zä€😀\r".as_bytes()).len(), 5);
        assert_eq!(keys("ä".as_bytes()), [Key::Letter('ä')]);
        assert_eq!(keys(b"\x1b[[B\x1bOQ\x1b[12~"), [Key::Function(2); 3]);
        assert_eq!(keys(b"a\x7f\x15\x1b[A"), [Key::Letter('a'), Key::Back, Key::Clear, Key::Up]);
    }

    #[test]
    fn nonsense_is_passed_over_and_does_not_stick() {
        for bytes in [&b"\xff\xfe\x80"[..], b"\xc3\x28", b"\x1b[1;5C", b"\x1b[99999999999~", b"\x00\x01", b"\x1bx"] {
            let mut all = bytes.to_vec();
            all.extend(b"\rz");
            assert_eq!(keys(&all).last(), Some(&Key::Letter('z')), "{bytes:02x?}");
        }
    }
}
