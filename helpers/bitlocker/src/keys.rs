//! The recovery password: 48 digits of Windows' own, on a medium that is not the drive, read back.

use std::path::{Path, PathBuf};

use recovery::{Kind, Medium, SameDrive};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::{Error, Machine, ProtectorKind, Result, Volume};

/// 48 digits in eight groups, each divisible by 11 and below 720896 (a 16-bit number times 11).
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Zeroizing<String>")]
pub struct RecoveryPassword(Zeroizing<String>);

impl TryFrom<Zeroizing<String>> for RecoveryPassword {
    type Error = Error;

    fn try_from(text: Zeroizing<String>) -> Result<Self> {
        Self::parse(&text)
    }
}

impl std::fmt::Debug for RecoveryPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RecoveryPassword(..)")
    }
}

impl RecoveryPassword {
    /// Reads `123456-…`.
    ///
    /// # Errors
    /// [`Error::BadRecoveryPassword`].
    pub fn parse(text: &str) -> Result<Self> {
        let groups: Vec<&str> = text.trim().split('-').collect();
        let fits = |group: &&str| {
            let digits = group.len() == 6 && group.bytes().all(|byte| byte.is_ascii_digit());
            digits && group.parse::<u32>().is_ok_and(|number| number % 11 == 0 && number < 720_896)
        };
        if groups.len() == 8 && groups.iter().all(fits) {
            return Ok(Self(Zeroizing::new(text.trim().to_owned())));
        }
        Err(Error::BadRecoveryPassword)
    }

    /// The digits.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// What a file with a recovery password holds, whoever wrote it, in whatever language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    /// The protector's ID, without braces, in capitals.
    pub id: String,
    /// The digits.
    pub password: RecoveryPassword,
}

/// Sentences of the file, in the person's language.
#[derive(Clone, Debug, Default)]
pub struct SheetWords {
    /// What it is, and what it is for; the lines above the key.
    pub above: String,
    /// Before the ID.
    pub id: String,
    /// Before the digits.
    pub key: String,
}

impl SheetWords {
    /// Their keys in the catalogue.
    pub fn look_up(mut text: impl FnMut(&'static str) -> String) -> Self {
        Self { above: text("bitlocker-sheet-above"), id: text("bitlocker-sheet-id"), key: text("bitlocker-sheet-key") }
    }
}

impl Sheet {
    /// A file's text. Windows writes UTF-16 with a mark; so may others.
    ///
    /// # Errors
    /// [`Error::BadRecoveryPassword`] if there is not exactly one key with its ID.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let text = Zeroizing::new(match bytes {
            [0xff, 0xfe, rest @ ..] => {
                let units: Zeroizing<Vec<u16>> =
                    Zeroizing::new(rest.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect());
                String::from_utf16_lossy(&units)
            }
            bytes => String::from_utf8_lossy(bytes).into_owned(),
        });
        let words = || text.split(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '-'));
        let mut passwords = words().filter_map(|word| RecoveryPassword::parse(word).ok());
        let mut ids = words().filter(|word| is_guid(word)).map(str::to_ascii_uppercase);
        match (ids.next(), passwords.next()) {
            (Some(id), Some(password)) if ids.all(|other| other == id) && passwords.all(|other| other == password) => {
                Ok(Self { id, password })
            }
            _ => Err(Error::BadRecoveryPassword),
        }
    }

    /// The text of the file: Windows' own form, so that other programs find the key in it, too.
    pub fn text(&self, words: &SheetWords) -> Zeroizing<String> {
        let SheetWords { above, id, key } = words;
        let (own, password) = (&self.id, self.password.expose());
        Zeroizing::new(format!("{above}\r\n\r\n{id}\r\n\r\n\t{own}\r\n\r\n{key}\r\n\r\n\t{password}\r\n"))
    }
}

fn is_guid(word: &str) -> bool {
    let lengths = [8, 4, 4, 4, 12];
    let parts: Vec<&str> = word.split('-').collect();
    parts.len() == 5
        && parts.iter().zip(lengths).all(|(part, length)| part.len() == length)
        && word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// `{…}` without its braces, in capitals.
pub fn bare(id: &str) -> String {
    id.trim_matches(['{', '}']).to_ascii_uppercase()
}

/// A copy that was read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The protector's ID.
    pub id: String,
    /// The file.
    pub path: PathBuf,
    /// Whether it was read past the system's cache for certain.
    pub from_medium: bool,
}

/// Writes one protector's recovery password to a folder, reads it back, and holds it against what the drive
/// says, asked again. A file that is there is never replaced and never removed.
///
/// # Errors
/// [`Error::Copy`], [`Error::Refused`], [`Error::OtherRecoveryPassword`].
pub fn save(
    volume: &mut Volume<'_>,
    id: &str,
    folder: &Path,
    same_drive: SameDrive,
    words: &SheetWords,
    medium: &mut dyn Medium,
) -> Result<Saved> {
    usable(folder, same_drive, medium)?;
    let sheet = Sheet { id: bare(id), password: volume.recovery_password(id)? };
    let text = sheet.text(words);
    let path = write(medium, folder, &sheet.id, text.as_bytes())?;
    let stored = medium.read_stored(&path).map_err(|error| unfinished(&error, folder, Some(&path)))?;
    // Not what was to be written counts, but what somebody finds there in years.
    let found = Sheet::read(&stored.bytes).ok();
    if found.as_ref() != Some(&sheet) || volume.recovery_password(id)? != sheet.password {
        return Err(Error::OtherRecoveryPassword);
    }
    Ok(Saved { id: sheet.id, path, from_medium: stored.from_medium })
}

/// Refuses a folder that no copy may go to.
///
/// # Errors
/// [`Error::Copy`].
pub fn usable(folder: &Path, same_drive: SameDrive, medium: &mut dyn Medium) -> Result<()> {
    let own = || folder.to_owned();
    match same_drive {
        SameDrive::Yes => return Err(recovery::Error::SameDrive { folder: own() }.into()),
        SameDrive::Unknown => return Err(recovery::Error::MaybeSameDrive { folder: own() }.into()),
        SameDrive::No => {}
    }
    match medium.kind(folder) {
        Ok(Kind::Folder) => {}
        Ok(Kind::Missing) => return Err(recovery::Error::FolderMissing { folder: own() }.into()),
        Ok(_) => return Err(recovery::Error::NotAFolder { folder: own() }.into()),
        Err(error) => return Err(unfinished(&error, folder, None)),
    }
    Ok(())
}

/// Another file for each text, and none replaced; written beside and renamed when it is whole.
fn write(medium: &mut dyn Medium, folder: &Path, id: &str, text: &[u8]) -> Result<PathBuf> {
    for number in 1..=99 {
        let name = if number == 1 { format!("BitLocker {id}.txt") } else { format!("BitLocker {id} ({number}).txt") };
        let path = folder.join(name);
        match medium.kind(&path) {
            Ok(Kind::Missing) => {}
            Ok(Kind::File) if medium.read_stored(&path).is_ok_and(|there| *there.bytes == *text) => return Ok(path),
            Ok(_) => continue,
            Err(error) => return Err(unfinished(&error, folder, None)),
        }
        let begun = folder.join(format!("BitLocker {id}.new"));
        if medium.kind(&begun).is_ok_and(|kind| kind == Kind::File) {
            // Our own, of a try that was cut off.
            medium.remove(&begun).map_err(|error| unfinished(&error, folder, Some(&begun)))?;
        }
        let written = medium.write_new(&begun, text).and_then(|()| medium.rename(&begun, &path));
        return match written {
            Ok(()) => Ok(path),
            Err(error) => {
                let left =
                    medium.remove(&begun).is_err() && medium.kind(&begun).is_ok_and(|kind| kind != Kind::Missing);
                Err(unfinished(&error, folder, left.then_some(&begun)))
            }
        };
    }
    Err(unfinished(&std::io::ErrorKind::AlreadyExists.into(), folder, None))
}

fn unfinished(error: &std::io::Error, folder: &Path, left: Option<&PathBuf>) -> Error {
    Error::Copy(recovery::Error::ended(error, folder, left.cloned()))
}

/// Saves every recovery password of every volume that is open.
///
/// # Errors
/// Of the machine as a whole; what one volume refuses is its own entry's.
pub fn save_all(
    machine: &mut dyn Machine,
    folder: &Path,
    same_drive: &mut dyn FnMut(&str) -> SameDrive,
    words: &SheetWords,
    medium: &mut dyn Medium,
) -> Result<Vec<(String, Result<Saved>)>> {
    let mut all = Vec::new();
    for row in machine.volumes()? {
        let mut volume = Volume::find(machine, &row.id)?;
        let name = row.letter.clone().unwrap_or_else(|| row.id.clone());
        let protectors = match volume.protectors() {
            Ok(list) => list,
            Err(error) => {
                all.push((name, Err(error)));
                continue;
            }
        };
        for one in protectors.iter().filter(|one| one.kind == ProtectorKind::RecoveryPassword) {
            let saved = save(&mut volume, &one.id, folder, same_drive(&name), words, medium);
            all.push((name.clone(), saved));
        }
    }
    Ok(all)
}

/// Whether a sheet still opens a volume: its ID is one of the volume's protectors, and the digits are its.
///
/// # Errors
/// [`Error::StaleKey`] if the protector is gone, [`Error::OtherRecoveryPassword`] if it has other digits.
pub fn compare(volume: &mut Volume<'_>, sheet: &Sheet) -> Result<()> {
    let protectors = volume.protectors()?;
    let found = protectors.iter().find(|one| bare(&one.id) == sheet.id);
    let one = found.ok_or_else(|| Error::StaleKey { id: sheet.id.clone() })?;
    match volume.recovery_password(&one.id) {
        Ok(own) if own == sheet.password => Ok(()),
        Ok(_) => Err(Error::OtherRecoveryPassword),
        Err(error) => Err(error),
    }
}
