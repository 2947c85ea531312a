use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ureq::tls::{Certificate, PemItem, parse_pem};
use zeroize::Zeroizing;

use super::{Policy, owner};
use crate::{Error, Result, Why};

/// Names another policy file, for trying one out. Only where the computer has none: nobody gets around that one.
pub const POLICY_VARIABLE: &str = "LATCHKEY_POLICY";

/// Longest policy, in bytes.
const LONGEST_POLICY: u64 = 64 << 10;
/// Longest token.
const LONGEST_TOKEN: u64 = 8 << 10;
/// Longest file of certificates.
const LONGEST_AUTHORITY: u64 = 1 << 20;

impl Policy {
    /// The policy of this computer. `None`: it has none.
    ///
    /// # Errors
    /// Those of [`load`](Self::load).
    pub fn of_this_computer() -> Result<Option<Self>> {
        let own = owner::policy_path();
        let found = own.map(|path| Self::load(&path)).transpose()?.flatten();
        if found.is_some() {
            return Ok(found);
        }
        let named = env::var_os(POLICY_VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        match named {
            None => Ok(None),
            Some(path) => match read(&path, LONGEST_POLICY, owner::Whose::OrMine)? {
                Some(text) => Self::parse(&text).map(|policy| Some(Self { path, ..policy })),
                None => Err(unreadable(path, &io::Error::from(io::ErrorKind::NotFound))),
            },
        }
    }

    /// The policy in a file of the administrator's. `None`: there is no such file.
    ///
    /// # Errors
    /// [`Error::FileInsecure`] for a file that others can write; [`Error::PolicyUnreadable`]; those of
    /// [`parse`](Self::parse).
    pub fn load(path: &Path) -> Result<Option<Self>> {
        let Some(text) = read(path, LONGEST_POLICY, owner::Whose::Administrators)? else { return Ok(None) };
        Self::parse(&text).map(|policy| Some(Self { path: path.to_owned(), ..policy }))
    }
}

/// What a file of the policy's owner holds, after a look at the open file: its name may lead elsewhere a moment later.
fn read(path: &Path, longest: u64, whose: owner::Whose) -> Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        opened => opened.map_err(|error| unreadable(path.to_owned(), &error))?,
    };
    let insecure = |why| Err(Error::FileInsecure { path: path.to_owned(), why });
    if !file.metadata().is_ok_and(|data| data.is_file()) {
        return insecure(Why::NoFile);
    }
    if let Some(why) = owner::wrong_with(path, &file, whose) {
        return insecure(why);
    }
    let mut text = Vec::new();
    let read = file.take(longest + 1).read_to_end(&mut text);
    read.map_err(|error| unreadable(path.to_owned(), &error))?;
    if text.len() as u64 > longest {
        return insecure(Why::TooLarge);
    }
    Ok(Some(text))
}

fn unreadable(path: PathBuf, error: &io::Error) -> Error {
    Error::PolicyUnreadable { path, cause: error.to_string() }
}

/// The token in a file that only its owner reads: one line of plain letters.
///
/// # Errors
/// [`Error::FileDenied`], [`Error::FileUnreadable`], [`Error::FileInsecure`], [`Error::TokenBad`].
pub(crate) fn token(path: &Path) -> Result<Zeroizing<String>> {
    let file = open(path)?;
    if let Some(why) = owner::wrong_with_secret(&file) {
        return Err(Error::FileInsecure { path: path.to_owned(), why });
    }
    let bad = || Error::TokenBad { path: path.to_owned() };
    let mut text = Zeroizing::new(String::with_capacity(9 << 10));
    file.take(LONGEST_TOKEN + 1).read_to_string(&mut text).map_err(|_| bad())?;
    let token = text.trim_end_matches(['\n', '\r']);
    let plain = token.bytes().all(|byte| byte.is_ascii_graphic());
    if token.is_empty() || !plain || text.len() as u64 > LONGEST_TOKEN {
        return Err(bad());
    }
    Ok(Zeroizing::new(token.to_owned()))
}

/// The certificates of an authority, in PEM.
///
/// # Errors
/// [`Error::FileDenied`], [`Error::FileUnreadable`], [`Error::AuthorityBad`].
pub(crate) fn certificates(path: &Path) -> Result<Vec<Certificate<'static>>> {
    let bad = || Error::AuthorityBad { path: path.to_owned() };
    let mut text = Vec::new();
    open(path)?.take(LONGEST_AUTHORITY + 1).read_to_end(&mut text).map_err(|_| bad())?;
    if text.len() as u64 > LONGEST_AUTHORITY {
        return Err(bad());
    }
    let mut found = Vec::new();
    for item in parse_pem(&text) {
        if let PemItem::Certificate(certificate) = item.map_err(|_| bad())? {
            found.push(certificate);
        }
    }
    if found.is_empty() { Err(bad()) } else { Ok(found) }
}

fn open(path: &Path) -> Result<File> {
    let path = || path.to_owned();
    let file = File::open(path()).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => Error::FileDenied { path: path() },
        _ => Error::FileUnreadable { path: path(), cause: error.to_string() },
    })?;
    match fs::File::metadata(&file) {
        Ok(data) if data.is_file() => Ok(file),
        _ => Err(Error::FileInsecure { path: path(), why: Why::NoFile }),
    }
}
