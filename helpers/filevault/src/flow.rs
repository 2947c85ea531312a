use std::path::Path;

use model::Secret;
use plist::{Dictionary, Value};
use recovery::{Kind, Medium, SameDrive};
use zeroize::Zeroizing;

use crate::status::{dictionary, status};
use crate::{DISKUTIL, Error, FDESETUP, Output, PersonalKey, Result, SYSADMINCTL, State, Tools};

/// An account of this Mac, and its password.
pub struct Login<'a> {
    /// Short name.
    pub user: &'a str,
    /// Password.
    pub password: &'a Secret,
}

/// FileVault is on, or begins to encrypt.
#[derive(Debug)]
pub struct Enabled {
    /// The key that macOS itself has taken.
    pub key: PersonalKey,
    /// The file that holds it and was read back.
    pub file: std::path::PathBuf,
}

/// Switches FileVault on for an account, and saves the personal key: printed, taken by macOS
/// (`validaterecovery`), written, read back, and taken once more. Wants the administrator.
///
/// # Errors
/// [`Error::NotNow`] if it is not off; [`Error::NoSecureToken`]; [`Error::NoNewKey`] where FileVault is on and
/// an older key stays the key: [`change_key`] then makes one that can be saved.
pub fn enable(
    tools: &mut dyn Tools,
    login: &Login<'_>,
    folder: &Path,
    same: SameDrive,
    medium: &mut dyn Medium,
) -> Result<Enabled> {
    usable(folder, same, medium)?;
    if !matches!(status(tools)?.state, State::Off | State::Deferred { .. }) {
        return Err(Error::NotNow);
    }
    if !secure_token(tools, login.user)? {
        return Err(Error::NoSecureToken { user: login.user.to_owned() });
    }
    let answer = tools.run(FDESETUP, &["enable", "-inputplist", "-outputplist"], Some(&input(login)?))?;
    let key = match printed(&answer) {
        Some(key) => key,
        None => {
            ended(&answer)?;
            return Err(Error::NoNewKey);
        }
    };
    let key = PersonalKey::parse(&key)?;
    keep(tools, key, folder, medium)
}

/// Makes a new personal key and saves it; the old one opens nothing any more. A tool that prints the key and
/// then hangs has made it: what was printed counts.
///
/// # Errors
/// [`Error::KeyLost`] if the old one is void and none was printed.
pub fn change_key(
    tools: &mut dyn Tools,
    login: &Login<'_>,
    folder: &Path,
    same: SameDrive,
    medium: &mut dyn Medium,
) -> Result<Enabled> {
    usable(folder, same, medium)?;
    let words = ["changerecovery", "-personal", "-inputplist", "-outputplist"];
    let answer = tools.run(FDESETUP, &words, Some(&input(login)?))?;
    match printed(&answer) {
        Some(key) => keep(tools, PersonalKey::parse(&key)?, folder, medium),
        None if answer.code == Some(0) || answer.code.is_none() => Err(Error::KeyLost),
        None => Err(Error::of_fdesetup(answer.code.unwrap_or(99))),
    }
}

/// Proves, writes, reads back, proves what was read. The key is handed out on failure, too, by being on the
/// medium: a copy that is not proven is never removed, as it may be the only one.
fn keep(tools: &mut dyn Tools, key: PersonalKey, folder: &Path, medium: &mut dyn Medium) -> Result<Enabled> {
    let fail = |error: std::io::Error| Error::Copy(recovery::Error::ended(&error, folder, None));
    let text = Zeroizing::new(format!("FileVault\r\n\r\n\t{}\r\n", key.expose()));
    let mut free = (1..=99).map(|number| folder.join(format!("FileVault {number}.txt")));
    let file = free.find(|path| matches!(medium.kind(path), Ok(Kind::Missing)));
    let file = file.ok_or_else(|| fail(std::io::ErrorKind::AlreadyExists.into()))?;
    medium.write_new(&file, text.as_bytes()).map_err(fail)?;
    let stored = medium.read_stored(&file).map_err(fail)?;
    let read = Zeroizing::new(String::from_utf8_lossy(&stored.bytes).into_owned());
    let read = read.split_whitespace().find_map(|word| PersonalKey::parse(word).ok()).ok_or(Error::BadKey)?;
    prove_key(tools, &read)?;
    if read == key { Ok(Enabled { key, file }) } else { Err(Error::KeyNotProven) }
}

/// Whether macOS takes a personal key (`fdesetup validaterecovery`).
///
/// # Errors
/// [`Error::KeyNotProven`] if it does not.
pub fn prove_key(tools: &mut dyn Tools, key: &PersonalKey) -> Result<()> {
    let mut list = Dictionary::new();
    list.insert("Password".to_owned(), Value::from(key.expose()));
    let answer = tools.run(FDESETUP, &["validaterecovery", "-inputplist"], Some(&xml(list)?))?;
    match answer.text().trim() {
        "true" => Ok(()),
        _ => Err(Error::KeyNotProven),
    }
}

/// Lets macOS ask the account's owner at their next login. The key is then shown by macOS alone; no file with
/// it is left behind.
///
/// # Errors
/// Those of `fdesetup`.
pub fn defer(tools: &mut dyn Tools, user: &str) -> Result<()> {
    let user = name(user)?;
    let words = ["enable", "-user", user, "-defer", "-", "-showrecoverykey", "-dontaskatlogout", "-forceatlogin", "0"];
    ended(&tools.run(FDESETUP, &words, None)?)
}

/// Switches FileVault off.
///
/// # Errors
/// Those of `fdesetup`.
pub fn disable(tools: &mut dyn Tools, login: &Login<'_>) -> Result<()> {
    ended(&tools.run(FDESETUP, &["disable", "-inputplist"], Some(&input(login)?))?)
}

/// Encrypts a volume of APFS that macOS does not run from, as of an external drive, with a password.
///
/// # Errors
/// [`Error::BadName`]; [`Error::Unsupported`] if it is not APFS.
pub fn encrypt_volume(tools: &mut dyn Tools, volume: &str, password: &Secret) -> Result<()> {
    match volume_is_encrypted(tools, volume)? {
        Some(false) => {}
        Some(true) => return Err(Error::NotNow),
        None => return Err(Error::Unsupported),
    }
    let words = ["apfs", "encryptVolume", volume, "-user", "disk", "-stdinpassphrase"];
    let answer = tools.run(DISKUTIL, &words, Some(password.expose()))?;
    match answer.code {
        Some(0) => Ok(()),
        Some(code) => Err(Error::Refused { code }),
        None => Err(Error::NoAnswer(DISKUTIL.to_owned())),
    }
}

/// Whether a volume of APFS is encrypted, by `diskutil`. `None`: it is not APFS, or it is not said.
///
/// # Errors
/// [`Error::BadName`] for a name that is not like `disk4s1`; [`Error::Strange`].
pub fn volume_is_encrypted(tools: &mut dyn Tools, volume: &str) -> Result<Option<bool>> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts = volume.strip_prefix("disk").and_then(|rest| rest.split_once('s'));
    if !parts.is_some_and(|(disk, slice)| digits(disk) && digits(slice)) {
        return Err(Error::BadName);
    }
    let info = tools.run(DISKUTIL, &["info", "-plist", volume], None)?;
    let info = dictionary(&info.out).ok_or_else(|| Error::Strange("diskutil info".to_owned()))?;
    if info.get("FilesystemType").and_then(Value::as_string) != Some("apfs") {
        return Ok(None);
    }
    Ok(info.get("FileVault").and_then(Value::as_boolean))
}

/// Whether an account has a secure token. It is said on standard error.
///
/// # Errors
/// [`Error::BadName`], [`Error::Strange`].
pub fn secure_token(tools: &mut dyn Tools, user: &str) -> Result<bool> {
    let answer = tools.run(SYSADMINCTL, &["-secureTokenStatus", name(user)?], None)?;
    match (answer.err.contains("is ENABLED"), answer.err.contains("is DISABLED")) {
        (true, false) => Ok(true),
        (false, true) => Ok(false),
        _ => Err(Error::Strange(SYSADMINCTL.to_owned())),
    }
}

fn usable(folder: &Path, same: SameDrive, medium: &mut dyn Medium) -> Result<()> {
    let own = folder.to_owned();
    match (same, medium.kind(folder)) {
        (SameDrive::Yes, _) => Err(recovery::Error::SameDrive { folder: own }.into()),
        (SameDrive::Unknown, _) => Err(recovery::Error::MaybeSameDrive { folder: own }.into()),
        (_, Ok(Kind::Folder)) => Ok(()),
        (_, Ok(Kind::Missing)) => Err(recovery::Error::FolderMissing { folder: own }.into()),
        (_, Ok(_)) => Err(recovery::Error::NotAFolder { folder: own }.into()),
        (_, Err(error)) => Err(recovery::Error::ended(&error, folder, None).into()),
    }
}

/// A short name, which is no option.
fn name(user: &str) -> Result<&str> {
    let fits = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '.' | '-');
    let good = !user.is_empty() && user.len() <= 255 && !user.starts_with('-') && user.chars().all(fits);
    if good { Ok(user) } else { Err(Error::BadName) }
}

fn input(login: &Login<'_>) -> Result<Zeroizing<Vec<u8>>> {
    let password = std::str::from_utf8(login.password.expose()).map_err(|_| Error::WrongPassword)?;
    let mut list = Dictionary::new();
    list.insert("Username".to_owned(), Value::from(name(login.user)?));
    list.insert("Password".to_owned(), Value::from(password));
    xml(list)
}

fn xml(list: Dictionary) -> Result<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(4096));
    let written = Value::Dictionary(list).to_writer_xml(&mut *bytes);
    written.map(|()| bytes).map_err(|error| Error::Strange(error.to_string()))
}

/// The key in what a tool printed, also where it did not end well.
fn printed(answer: &Output) -> Option<Zeroizing<String>> {
    let list = dictionary(&answer.out)?;
    list.get("RecoveryKey").and_then(Value::as_string).map(|key| Zeroizing::new(key.to_owned()))
}

fn ended(answer: &Output) -> Result<()> {
    match answer.code {
        Some(0) => Ok(()),
        Some(_) if answer.err.contains("must be run as root") => Err(Error::NoRights),
        Some(code) => Err(Error::of_fdesetup(code)),
        None => Err(Error::NoAnswer(FDESETUP.to_owned())),
    }
}
