mod https;
mod simulated;
mod vault;

use std::time::Duration;

pub use simulated::Simulated;

use crate::policy::StoreAt;
use crate::{Receipt, Result, Sealed};

/// Where sealed keys are kept.
pub trait Store: Send + Sync {
    /// Its host, for people.
    fn host(&self) -> &str;

    /// Looks whether it is there and lets this computer in. Stores nothing.
    ///
    /// # Errors
    /// See the crate's errors.
    fn check(&self) -> Result<()>;

    /// Keeps what is sealed under a name. What was there under it before is not lost where the store keeps versions.
    ///
    /// # Errors
    /// See the crate's errors. It may be kept all the same when the answer is lost.
    fn put(&self, name: &Name, sealed: &Sealed) -> Result<Receipt>;

    /// Gives back what the receipt is for, byte for byte. `None`: there is nothing of that name and version.
    ///
    /// # Errors
    /// See the crate's errors.
    fn get(&self, name: &Name, receipt: &Receipt) -> Result<Option<Vec<u8>>>;
}

/// The name of a key in a store: `laptop-7_1b4e28ba-2fa1-11d2-883f-0016d3cca427_K3JH2.age`. Whoever looks for the key of
/// a computer finds it by what it is called, of a drive by its UUID, of a sheet by its key ID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// For a computer, a volume and a key. What has no place in a URL is left out.
    pub fn new(host: &str, volume: &str, key_id: &str) -> Self {
        let plain = |text: &str, most: usize| -> String {
            let plain = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '-';
            text.chars().filter(plain).take(most).collect()
        };
        let host = plain(&host.to_ascii_lowercase(), 63);
        let host = if host.is_empty() { "computer".to_owned() } else { host };
        Self(format!("{host}_{}_{}.age", plain(&volume.to_ascii_lowercase(), 64), plain(key_id, 64)))
    }

    /// What is asked for when nothing is wanted.
    pub(crate) fn of_check() -> Self {
        Self("latchkey-check".to_owned())
    }

    /// The name itself: letters, digits, `-`, `_` and `.`.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// The store of a policy.
///
/// # Errors
/// Those of the files that the policy names.
pub(crate) fn open(at: &StoreAt, patience: Duration) -> Result<Box<dyn Store>> {
    Ok(match at {
        StoreAt::Vault(at) => Box::new(vault::Kv::open(at, patience)?),
        StoreAt::Https(at) => Box::new(https::Endpoint::open(at, patience)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_never_a_path() {
        for (host, volume, key, name) in [
            ("Laptop-7", "1B4E28BA-2FA1", "K3JH2", "laptop-7_1b4e28ba-2fa1_K3JH2.age"),
            ("../../etc", "a/b", "..", "etc_ab_.age"),
            ("", "{4D36-E96}", "x\n?#%", "computer_4d36-e96_x.age"),
            ("R\u{e4}chner", "u", "k", "rchner_u_k.age"),
        ] {
            assert_eq!(Name::new(host, volume, key).text(), name);
        }
    }
}
