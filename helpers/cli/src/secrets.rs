//! Passwords and recovery keys: from a file, from standard input, or typed without echo.
//!
//! As with a person's password for `cryptsetup`, one line break at the end (`\n` or `\r\n`) is not
//! part of the password; every other byte is. A recovery key is recognised in any of its written
//! forms, also as a whole sheet, and is handed on in the form that the keyslot was made with.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use model::{Fault, FaultKind, Reason, Secret};
use texts::{Key, keys};
use zeroize::Zeroizing;

use crate::args::checked::{self, Source};
use crate::speaker::{Speaker, somebody_is_there};
use crate::stop;

/// Longest new password in bytes: `cryptsetup` takes no more when it asks at a terminal.
const LONGEST_NEW: usize = wizard::password::LONGEST;

/// Longest secret that is read at all: the largest key file that `cryptsetup` takes.
const LONGEST: u64 = 8 << 20;

/// How often a wrong password is asked for again.
const TRIES: u32 = 3;

/// Does `work` with the password or recovery key from `source`. A wrong one is asked for again
/// where somebody types, three times in all.
///
/// # Errors
/// What `work` says, and what is wrong with the source.
pub fn with_secret<T>(
    speaker: &Speaker,
    source: &Source,
    prompt: Key,
    mut work: impl FnMut(&Secret) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let mut tries = 1;
    loop {
        let secret = existing(speaker, source, prompt)?;
        match work(&secret) {
            Err(fault) if fault.kind == FaultKind::WrongSecret && *source == Source::Terminal && tries < TRIES => {
                speaker.fault(&fault);
                tries += 1;
            }
            result => return result,
        }
    }
}

/// [`with_secret`] for whichever of the two was named on the command line.
///
/// # Errors
/// As [`with_secret`].
pub fn with_key<T>(
    speaker: &Speaker,
    key: &checked::Key,
    mut work: impl FnMut(&Secret) -> Result<T, Fault>,
) -> Result<T, Fault> {
    match key {
        checked::Key::Password(source) => with_secret(speaker, source, keys::CLI_ASK_PASSWORD, work),
        checked::Key::Recovery(source) => work(&recovery_key(speaker, source)?.secret()),
    }
}

/// A recovery key from a sheet or alone, in any written form.
///
/// # Errors
/// `recovery-…` with the group that is wrong, or what is wrong with the source.
pub fn recovery_key(speaker: &Speaker, source: &Source) -> Result<recovery::RecoveryKey, Fault> {
    use model::Describe;
    let bytes = read(speaker, source, keys::CLI_ASK_RECOVERY_KEY)?;
    if paper::is_picture(&bytes) {
        let path = match source {
            Source::File(path) => path,
            Source::Stdin | Source::Terminal => Path::new("-"),
        };
        return paper::read_bytes(path, &bytes).map(|found| found.key).map_err(|error| error.fault());
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| Fault::new("cli-secret-not-text", FaultKind::Usage))?;
    recovery::read_back(text).map_err(|error| error.fault())
}

/// A short text that is secret as well: the PSID on a label.
///
/// # Errors
/// What is wrong with the source.
pub fn text(speaker: &Speaker, source: &Source) -> Result<Zeroizing<String>, Fault> {
    let bytes = read(speaker, source, keys::CLI_ASK_PASSWORD)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| Fault::new("cli-secret-not-text", FaultKind::Usage))?;
    Ok(Zeroizing::new(text.to_owned()))
}

/// A new password, which must be one that stock tools and a start-up prompt can take. Typed ones
/// are asked for twice.
///
/// # Errors
/// `cli-password-…` of the kind [`FaultKind::Refused`].
pub fn new_password(speaker: &Speaker, source: &Source) -> Result<Secret, Fault> {
    let bytes = read(speaker, source, keys::CLI_ASK_NEW_PASSWORD)?;
    refuse_unusable(&bytes)?;
    if *source == Source::Terminal {
        let repeated = read(speaker, source, keys::CLI_ASK_NEW_PASSWORD_AGAIN)?;
        if *repeated != *bytes {
            return Err(Fault::new("cli-password-differs", FaultKind::Usage));
        }
    }
    remarks(speaker, &bytes);
    Ok(Secret::new(bytes.to_vec()))
}

fn existing(speaker: &Speaker, source: &Source, prompt: Key) -> Result<Secret, Fault> {
    let bytes = read(speaker, source, prompt)?;
    if bytes.is_empty() {
        return Err(Fault::new("cli-password-empty", FaultKind::Refused));
    }
    // Nobody has a recovery key's form as a password by chance.
    let text = std::str::from_utf8(&bytes).ok();
    if let Some(key) = text.and_then(|text| recovery::read_back(text).ok()) {
        return Ok(key.secret());
    }
    Ok(Secret::new(bytes.to_vec()))
}

fn refuse_unusable(bytes: &[u8]) -> Result<(), Fault> {
    let refused = |code| Err(Fault::new(code, FaultKind::Refused));
    if bytes.is_empty() {
        return refused("cli-password-empty");
    }
    if bytes.len() > LONGEST_NEW {
        return Err(Fault::new("cli-password-too-long", FaultKind::Refused)
            .with("length", bytes.len())
            .with("most_length", LONGEST_NEW));
    }
    // A line break or a NUL ends what a prompt reads.
    if bytes.iter().any(|byte| byte.is_ascii_control()) {
        return refused("cli-password-control");
    }
    Ok(())
}

/// What somebody should know about the new password, though it is taken.
fn remarks(speaker: &Speaker, bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return speaker.warn(&Reason::new("cli-password-bytes"));
    };
    if !text.is_ascii() {
        speaker.warn(&Reason::new("cli-password-non-ascii"));
    }
    if text.starts_with(' ') || text.ends_with(' ') {
        speaker.warn(&Reason::new("cli-password-edge-space"));
    }
    if !wizard::password::rate(text, &[]).acceptable {
        speaker.warn(&Reason::new("cli-password-weak"));
    }
}

fn read(speaker: &Speaker, source: &Source, prompt: Key) -> Result<Zeroizing<Vec<u8>>, Fault> {
    let mut bytes = match source {
        Source::File(path) => read_file(path)?,
        Source::Stdin => read_stdin().map_err(|error| unreadable("-", &error))?,
        Source::Terminal => {
            if !somebody_is_there() {
                return Err(Fault::new("cli-nobody-to-ask", FaultKind::Usage));
            }
            let prompt = format!("{} ", speaker.texts.plain(prompt));
            let typed = stop::asking(|| rpassword::prompt_password(prompt)).map_err(|error| match error.kind() {
                io::ErrorKind::Interrupted => Fault::new("cli-declined", FaultKind::Stopped),
                _ => unreadable("-", &error),
            })?;
            Zeroizing::new(typed.into_bytes())
        }
    };
    if bytes.len() as u64 > LONGEST {
        return Err(Fault::new("cli-secret-too-large", FaultKind::Usage).with("most_size", LONGEST));
    }
    if *source != Source::Terminal {
        strip_line_break(&mut bytes);
    }
    Ok(bytes)
}

/// A file's bytes as they are.
///
/// # Errors
/// `cli-secret-file-…`.
pub fn read_file(path: &Path) -> Result<Zeroizing<Vec<u8>>, Fault> {
    File::open(path).and_then(read_all).map_err(|error| unreadable(&path.display().to_string(), &error))
}

/// Past the standard library's own buffer, which nobody clears.
#[cfg(unix)]
fn read_stdin() -> io::Result<Zeroizing<Vec<u8>>> {
    use std::os::fd::AsFd;
    read_all(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
fn read_stdin() -> io::Result<Zeroizing<Vec<u8>>> {
    read_all(io::stdin().lock())
}

/// Reads to the end, into a buffer that never moves: what a growing one leaves behind is not cleared.
fn read_all(source: impl Read) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut source = source.take(LONGEST + 1);
    let mut bytes = Zeroizing::new(Vec::with_capacity(4096));
    loop {
        if bytes.len() == bytes.capacity() {
            let mut larger = Zeroizing::new(Vec::with_capacity(bytes.capacity() * 8));
            larger.extend_from_slice(&bytes);
            bytes = larger;
        }
        let filled = bytes.len();
        let room = bytes.capacity();
        bytes.resize(room, 0);
        match source.read(&mut bytes[filled..]) {
            Ok(0) => {
                bytes.truncate(filled);
                return Ok(bytes);
            }
            Ok(length) => bytes.truncate(filled + length),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => bytes.truncate(filled),
            Err(error) => return Err(error),
        }
    }
}

fn strip_line_break(bytes: &mut Vec<u8>) {
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
    }
}

fn unreadable(path: &str, error: &io::Error) -> Fault {
    let code = match error.kind() {
        io::ErrorKind::NotFound => "cli-secret-file-missing",
        _ => "cli-secret-file-unreadable",
    };
    let kind = if code == "cli-secret-file-missing" { FaultKind::Refused } else { FaultKind::Failed };
    Fault::new(code, kind).with("path", path).because(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(text: &str) -> Vec<u8> {
        let mut bytes = text.as_bytes().to_vec();
        strip_line_break(&mut bytes);
        bytes
    }

    #[test]
    fn one_line_break_goes_and_no_more() {
        for (text, password) in [
            ("secret", "secret"),
            ("secret\n", "secret"),
            ("secret\r\n", "secret"),
            ("secret\n\n", "secret\n"),
            ("secret \n", "secret "),
            ("secret\r", "secret\r"),
            ("\n", ""),
            ("", ""),
        ] {
            assert_eq!(stripped(text), password.as_bytes(), "{text:?}");
        }
    }

    #[test]
    fn reading_keeps_every_byte() {
        for length in [0_usize, 1, 4095, 4096, 4097, 100_000] {
            let bytes: Vec<u8> = (0..=250).cycle().take(length).collect();
            assert_eq!(*read_all(bytes.as_slice()).unwrap(), bytes);
        }
    }

    #[test]
    fn passwords_that_no_prompt_could_take_are_refused() {
        let code = |bytes: &[u8]| refuse_unusable(bytes).err().map(|fault| fault.code);
        assert_eq!(code(b""), Some("cli-password-empty".to_owned()));
        assert_eq!(code(&[b'a'; 513]), Some("cli-password-too-long".to_owned()));
        assert_eq!(code(b"two\nlines"), Some("cli-password-control".to_owned()));
        assert_eq!(code(&[b'a'; 512]), None);
        assert_eq!(code("schlüssel 🔑".as_bytes()), None);
    }
}
