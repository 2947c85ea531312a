use serde::{Deserialize, Serialize};

/// What a store gave for a key that it keeps. No secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The store's host, with its port where one is named.
    pub host: String,
    /// Under what name it lies there.
    pub name: String,
    /// Vault's number of this version of it.
    #[serde(default)]
    pub version: Option<u64>,
    /// When it was taken, by the store's own clock, as the store has it.
    #[serde(default)]
    pub created: Option<String>,
    /// The tag that an HTTPS endpoint gave it.
    #[serde(default)]
    pub etag: Option<String>,
}

impl Receipt {
    /// In a line: what somebody needs who looks for it in the store.
    pub fn line(&self) -> String {
        let mut line = format!("{} {}", self.host, self.name);
        if let Some(version) = self.version {
            line.push_str(&format!(" v{version}"));
        }
        for told in [&self.created, &self.etag].into_iter().flatten() {
            line.push(' ');
            line.push_str(told);
        }
        line
    }
}

/// What a store says of a receipt, if it is short and plain: it is shown in a terminal.
pub(crate) fn plain(text: &str) -> Option<String> {
    let fits = (1..=128).contains(&text.len()) && text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    fits.then(|| text.to_owned())
}
