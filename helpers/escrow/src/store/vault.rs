use std::time::Duration;

use serde::Serialize;
use zeroize::Zeroizing;

use super::{Name, Store};
use crate::answers::{read_answer, written_answer};
use crate::http::{Answer, Client, Header};
use crate::policy::{Vault, token};
use crate::{Error, Receipt, Result, Sealed};

const JSON: &str = "application/json";

/// The KV secrets engine, version 2.
pub struct Kv {
    client: Client,
    /// `https://vault/v1/MOUNT/data/PATH`
    base: String,
    token: Zeroizing<String>,
    namespace: Option<Zeroizing<String>>,
}

#[derive(Serialize)]
struct Write<'a> {
    options: Options,
    data: Data<'a>,
}

#[derive(Serialize)]
struct Options {
    /// Check-and-set: it is written only if this is the newest version. 0: there is none.
    cas: u64,
}

#[derive(Serialize)]
struct Data<'a> {
    age: &'a str,
}

impl Kv {
    pub fn open(at: &Vault, patience: Duration) -> Result<Self> {
        Ok(Self {
            client: Client::new(&at.address, at.ca_file.as_deref(), patience)?,
            base: format!("{}/v1/{}/data/{}", at.address.text(), at.mount, at.path),
            token: token(&at.token_file)?,
            namespace: at.namespace.clone().map(Zeroizing::new),
        })
    }

    fn headers(&self) -> Vec<Header<'_>> {
        let namespace = self.namespace.as_ref().map(|namespace| ("X-Vault-Namespace", namespace));
        std::iter::once(("X-Vault-Token", &self.token)).chain(namespace).collect()
    }

    fn url(&self, name: &Name) -> String {
        format!("{}/{}", self.base, name.text())
    }

    fn refused(&self, answer: &Answer) -> Error {
        let host = || self.client.host().to_owned();
        let says = |words: &str| String::from_utf8_lossy(&answer.body).contains(words);
        match answer.status {
            503 if says("sealed") => Error::VaultSealed { host: host() },
            400 if says("check-and-set") => Error::ChangedMeanwhile { host: host() },
            _ => self.client.refused(answer),
        }
    }

    /// The newest version of a name, also one that was deleted; 0: there is none.
    fn newest(&self, name: &Name) -> Result<u64> {
        let answer = self.client.get(&self.url(name), &self.headers())?;
        match (answer.status, read_answer(&answer.body)) {
            (200 | 404, Some(read)) => Ok(read.version),
            (404, None) if is_nothing(&answer.body) => Ok(0),
            (200, None) => Err(self.client.strange("no version in the answer to a read")),
            _ => Err(self.refused(&answer)),
        }
    }
}

/// `{"errors":[]}`: the place is there, and nothing of this name. A mount that is not there has something to say.
fn is_nothing(body: &[u8]) -> bool {
    let read: Option<serde_json::Value> = serde_json::from_slice(body).ok();
    read.is_some_and(|answer| answer["errors"].as_array().is_some_and(Vec::is_empty))
}

impl Store for Kv {
    fn host(&self) -> &str {
        self.client.host()
    }

    fn check(&self) -> Result<()> {
        self.newest(&Name::of_check()).map(drop)
    }

    fn put(&self, name: &Name, sealed: &Sealed) -> Result<Receipt> {
        let body = Write { options: Options { cas: self.newest(name)? }, data: Data { age: sealed.text() } };
        let body = serde_json::to_string(&body).map_err(|error| Error::NotSealed { cause: error.to_string() })?;
        let answer = self.client.post(&self.url(name), &self.headers(), JSON, &body)?;
        if answer.status != 200 {
            return Err(match answer.status {
                // What a KV store of version 1 says: it has taken it under another name.
                204 => self.client.strange("no version in the answer to a write: KV version 1?"),
                _ => self.refused(&answer),
            });
        }
        let written = written_answer(&answer.body);
        let written = written.ok_or_else(|| self.client.strange("no version in the answer to a write"))?;
        Ok(Receipt {
            host: self.host().to_owned(),
            name: name.text().to_owned(),
            version: Some(written.version),
            created: written.created,
            etag: None,
        })
    }

    fn get(&self, name: &Name, receipt: &Receipt) -> Result<Option<Vec<u8>>> {
        let Some(version) = receipt.version else { return Ok(None) };
        let answer = self.client.get(&format!("{}?version={version}", self.url(name)), &self.headers())?;
        match answer.status {
            200 => {
                let read = read_answer(&answer.body);
                let read = read.ok_or_else(|| self.client.strange("no version in the answer to a read"))?;
                // Another version than the one that was asked for is none.
                Ok(read.sealed.filter(|_| read.version == version).map(String::into_bytes))
            }
            404 => Ok(None),
            _ => Err(self.refused(&answer)),
        }
    }
}
