//! What an organisation wants, from a file that only the administrator writes. Reading the text and reading the file
//! are two things: every parser runs on a text.

mod address;
mod load;
#[cfg(unix)]
#[path = "policy/owner_unix.rs"]
mod owner;
#[cfg(windows)]
#[path = "policy/owner_windows.rs"]
mod owner;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::Deserialize;

pub(crate) use address::Address;
pub use load::POLICY_VARIABLE;
pub(crate) use load::{certificates, token};

use crate::{Error, Result, Why};

/// Version of the file that this program knows.
const VERSION: u64 = 1;

/// Largest number of recipients.
const MOST_RECIPIENTS: usize = 16;

/// A checked policy.
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) recipients: Vec<Recipient>,
    pub(crate) store: StoreAt,
    pub(crate) required: bool,
    pub(crate) organisation: Option<String>,
    /// Where it was read; empty for one that was not read from a file.
    pub(crate) path: PathBuf,
}

/// Who can open what is sealed: a public key of age (`age1…`, X25519).
#[derive(Clone)]
pub struct Recipient {
    written: String,
    key: age::x25519::Recipient,
}

/// Where sealed keys are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreAt {
    /// HashiCorp Vault or OpenBao, the KV secrets engine of version 2.
    Vault(Vault),
    /// Anything that takes `PUT` and gives back with `GET`.
    Https(Https),
}

/// A place in a KV store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vault {
    pub(crate) address: Address,
    pub(crate) mount: String,
    pub(crate) path: String,
    pub(crate) token_file: PathBuf,
    pub(crate) namespace: Option<String>,
    pub(crate) ca_file: Option<PathBuf>,
}

/// A place on a web server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Https {
    pub(crate) url: Address,
    pub(crate) token_file: Option<PathBuf>,
    pub(crate) ca_file: Option<PathBuf>,
}

impl Policy {
    /// Reads a policy's text.
    ///
    /// # Errors
    /// [`Error::PolicyDamaged`], [`Error::PolicyNewer`], [`Error::PolicyValue`], [`Error::Recipient`].
    pub fn parse(text: &[u8]) -> Result<Self> {
        let damaged = |error: serde_json::Error| Error::PolicyDamaged { cause: error.to_string() };
        // A newer one may have other fields: that is said, and not that they are unknown.
        let Versioned { version } = serde_json::from_slice(text).map_err(damaged)?;
        if version != VERSION {
            return Err(match version {
                0 => Error::PolicyDamaged { cause: "version 0".to_owned() },
                version => Error::PolicyNewer { version },
            });
        }
        let raw: Raw = serde_json::from_slice(text).map_err(damaged)?;
        if raw.recipients.is_empty() || raw.recipients.len() > MOST_RECIPIENTS {
            return Err(Error::PolicyValue { field: "recipients", why: Why::Count });
        }
        if let Some(name) = &raw.organisation {
            let plain = !name.trim().is_empty() && name.chars().count() <= 80 && !name.chars().any(char::is_control);
            if !plain {
                return Err(Error::PolicyValue { field: "organisation", why: Why::Length });
            }
        }
        Ok(Self {
            recipients: raw.recipients.iter().map(|text| text.parse()).collect::<Result<_>>()?,
            store: raw.store.checked()?,
            required: raw.required,
            organisation: raw.organisation,
            path: PathBuf::new(),
        })
    }

    /// The file that it was read from; empty if there was none.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Who can open what is sealed.
    pub fn recipients(&self) -> &[Recipient] {
        &self.recipients
    }

    /// Where it is kept.
    pub fn store(&self) -> &StoreAt {
        &self.store
    }

    /// Whether nothing is encrypted before the key is kept.
    pub fn is_required(&self) -> bool {
        self.required
    }

    /// The organisation's name, where the policy has it.
    pub fn organisation(&self) -> Option<&str> {
        self.organisation.as_deref()
    }
}

impl StoreAt {
    /// `vault` or `https`, as in the file.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Vault(_) => "vault",
            Self::Https(_) => "https",
        }
    }

    /// The host, with its port where one is named.
    pub fn host(&self) -> &str {
        match self {
            Self::Vault(vault) => vault.address.host(),
            Self::Https(https) => https.url.host(),
        }
    }

    /// Where in the store: mount and path, or the URL.
    pub fn place(&self) -> String {
        match self {
            Self::Vault(vault) => format!("{}/{}", vault.mount, vault.path),
            Self::Https(https) => https.url.text().to_owned(),
        }
    }
}

impl Recipient {
    /// As it is written.
    pub fn text(&self) -> &str {
        &self.written
    }

    pub(crate) fn age(&self) -> &age::x25519::Recipient {
        &self.key
    }
}

impl std::fmt::Debug for Recipient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.written)
    }
}

impl FromStr for Recipient {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let key = age::x25519::Recipient::from_str(text);
        match key {
            Ok(key) => Ok(Self { written: text.to_owned(), key }),
            // Whoever has put the secret key there by mistake must not see it again in a log.
            Err(_) if text.to_ascii_uppercase().contains("SECRET") => {
                Err(Error::Recipient { recipient: "AGE-SECRET-KEY-\u{2026}".to_owned() })
            }
            Err(_) => Err(Error::Recipient { recipient: text.chars().filter(|c| !c.is_control()).take(80).collect() }),
        }
    }
}

#[derive(Deserialize)]
struct Versioned {
    version: u64,
}

/// As it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(rename = "version")]
    _version: u64,
    required: bool,
    recipients: Vec<String>,
    store: RawStore,
    #[serde(default)]
    organisation: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawStore {
    Vault(RawVault),
    Https(RawHttps),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawVault {
    address: String,
    mount: String,
    path: String,
    token_file: PathBuf,
    #[serde(default)]
    namespace: Option<String>,
    #[serde(default)]
    ca_file: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawHttps {
    url: String,
    #[serde(default)]
    token_file: Option<PathBuf>,
    #[serde(default)]
    ca_file: Option<PathBuf>,
}

impl RawStore {
    fn checked(self) -> Result<StoreAt> {
        Ok(match self {
            Self::Vault(raw) => StoreAt::Vault(Vault {
                address: Address::parse("address", &raw.address)?,
                mount: segments("mount", raw.mount)?,
                path: segments("path", raw.path)?,
                token_file: whole("token_file", raw.token_file)?,
                namespace: raw.namespace.map(|name| segments("namespace", name)).transpose()?,
                ca_file: raw.ca_file.map(|file| whole("ca_file", file)).transpose()?,
            }),
            Self::Https(raw) => StoreAt::Https(Https {
                url: Address::parse("url", &raw.url)?,
                token_file: raw.token_file.map(|file| whole("token_file", file)).transpose()?,
                ca_file: raw.ca_file.map(|file| whole("ca_file", file)).transpose()?,
            }),
        })
    }
}

/// Names with slashes between them, of letters that mean nothing else in a URL.
fn segments(field: &'static str, text: String) -> Result<String> {
    let bad = |why| Err(Error::PolicyValue { field, why });
    if text.is_empty() || text.len() > 256 {
        return bad(Why::Length);
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let fine = |part: &str| !part.is_empty() && part != "." && part != ".." && part.bytes().all(plain);
    if text.split('/').all(fine) { Ok(text) } else { bad(Why::Letters) }
}

fn whole(field: &'static str, path: PathBuf) -> Result<PathBuf> {
    if path.is_absolute() { Ok(path) } else { Err(Error::PolicyValue { field, why: Why::NotWhole }) }
}

#[cfg(test)]
mod tests;
