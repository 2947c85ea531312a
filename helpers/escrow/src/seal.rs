use std::io::Write;

use age::armor::{ArmoredWriter, Format};
use model::Secret;
use serde::Serialize;
use zeroize::Zeroizing;

use crate::policy::Recipient;
use crate::{Error, Result};

/// Version of the document that is sealed.
const VERSION: u32 = 1;

/// A recovery key, and what somebody has to know who is to use it.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The key's short name, or that of its protector.
    pub key_id: &'a str,
    /// UUID of the volume that it opens; what names the lock of a drive that encrypts by itself.
    pub volume: &'a str,
    /// The drive's name for people.
    pub drive: &'a str,
    /// The computer's name.
    pub host: &'a str,
    /// The day, as `2026-12-03`.
    pub date: &'a str,
    /// The recovery key as it is typed.
    pub key: &'a Secret,
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    kind: &'static str,
    key_id: &'a str,
    volume: &'a str,
    drive: &'a str,
    host: &'a str,
    date: &'a str,
    recovery_key: &'a str,
}

/// A sealed recovery key: an age file (age-encryption.org/v1) in ASCII armour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed(String);

impl Sealed {
    /// What is sent, and has to come back.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Encrypts a recovery key to all of these recipients: each of them opens it alone. Two calls give two different texts.
///
/// # Errors
/// [`Error::NotSealed`]: no recipients; a key that is no text.
pub fn seal(entry: &Entry<'_>, recipients: &[Recipient]) -> Result<Sealed> {
    let not_sealed = |cause: &dyn ToString| Error::NotSealed { cause: cause.to_string() };
    let recovery_key = std::str::from_utf8(entry.key.expose()).map_err(|error| not_sealed(&error))?;
    let Entry { key_id, volume, drive, host, date, .. } = *entry;
    let kind = "latchkey-recovery-key";
    let document = Document { version: VERSION, kind, key_id, volume, drive, host, date, recovery_key };
    // With room from the start: a buffer that grows leaves its old place behind as it was.
    let mut plain = Zeroizing::new(Vec::with_capacity(16 << 10));
    serde_json::to_writer_pretty(&mut *plain, &document).map_err(|error| not_sealed(&error))?;

    let recipients = recipients.iter().map(|recipient| recipient.age() as &dyn age::Recipient);
    let encryptor = age::Encryptor::with_recipients(recipients).map_err(|error| not_sealed(&error))?;
    let armour = ArmoredWriter::wrap_output(Vec::new(), Format::AsciiArmor).map_err(|error| not_sealed(&error))?;
    let write = |armour: ArmoredWriter<Vec<u8>>| {
        let mut writer = encryptor.wrap_output(armour)?;
        writer.write_all(&plain)?;
        writer.finish()?.finish()
    };
    let sealed: Vec<u8> = write(armour).map_err(|error: std::io::Error| not_sealed(&error))?;
    String::from_utf8(sealed).map(Sealed).map_err(|error| not_sealed(&error))
}

/// Seals nothing to each recipient by itself: one that cannot be sealed to is not hidden behind another.
///
/// # Errors
/// As [`seal`].
pub(crate) fn trial(recipients: &[Recipient]) -> Result<()> {
    let key = Secret::from("");
    let entry = Entry { key_id: "", volume: "", drive: "", host: "", date: "", key: &key };
    recipients.iter().try_for_each(|recipient| seal(&entry, std::slice::from_ref(recipient)).map(drop))
}
