use std::time::Duration;

use zeroize::Zeroizing;

use super::{Name, Store};
use crate::http::{Client, Header};
use crate::policy::{Https, token};
use crate::{Receipt, Result, Sealed};

/// The media type of age files has no registration; this is what they are otherwise.
const ARMOUR: &str = "application/octet-stream";

/// A place on a web server that takes `PUT` and gives back with `GET`.
pub struct Endpoint {
    client: Client,
    base: String,
    /// The whole of the header: `Bearer TOKEN` (RFC 6750, section 2.1).
    bearer: Option<Zeroizing<String>>,
}

impl Endpoint {
    pub fn open(at: &Https, patience: Duration) -> Result<Self> {
        let token = at.token_file.as_deref().map(token).transpose()?;
        Ok(Self {
            client: Client::new(&at.url, at.ca_file.as_deref(), patience)?,
            base: at.url.text().to_owned(),
            bearer: token.map(|token| Zeroizing::new(format!("Bearer {}", *token))),
        })
    }

    fn headers(&self) -> Vec<Header<'_>> {
        self.bearer.iter().map(|bearer| ("Authorization", bearer)).collect()
    }

    fn url(&self, name: &Name) -> String {
        format!("{}/{}", self.base, name.text())
    }
}

impl Store for Endpoint {
    fn host(&self) -> &str {
        self.client.host()
    }

    fn check(&self) -> Result<()> {
        let answer = self.client.get(&self.url(&Name::of_check()), &self.headers())?;
        match answer.status {
            200..=299 | 404 => Ok(()),
            _ => Err(self.client.refused(&answer)),
        }
    }

    fn put(&self, name: &Name, sealed: &Sealed) -> Result<Receipt> {
        let answer = self.client.put(&self.url(name), &self.headers(), ARMOUR, sealed.text())?;
        if !(200..=299).contains(&answer.status) {
            return Err(self.client.refused(&answer));
        }
        Ok(Receipt {
            host: self.host().to_owned(),
            name: name.text().to_owned(),
            version: None,
            created: None,
            etag: answer.etag,
        })
    }

    fn get(&self, name: &Name, _: &Receipt) -> Result<Option<Vec<u8>>> {
        let answer = self.client.get(&self.url(name), &self.headers())?;
        match answer.status {
            200 => Ok(Some(answer.body)),
            404 => Ok(None),
            _ => Err(self.client.refused(&answer)),
        }
    }
}
