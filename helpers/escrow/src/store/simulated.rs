use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Name, Store};
use crate::{Error, Receipt, Result, Sealed};

/// A store in memory, with faults to order. Clones are the same store.
#[derive(Clone, Default)]
pub struct Simulated(Arc<Mutex<Inside>>);

#[derive(Default)]
struct Inside {
    kept: BTreeMap<String, Vec<String>>,
    fault: Option<Error>,
    lies: bool,
}

impl Simulated {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers everything with this from now on; `None`: works again.
    pub fn fail_with(&self, fault: Option<Error>) {
        self.inside().fault = fault;
    }

    /// Gives back other bytes than it was given.
    pub fn lie(&self, lies: bool) {
        self.inside().lies = lies;
    }

    /// Everything that it keeps, oldest version first.
    pub fn kept(&self) -> BTreeMap<String, Vec<String>> {
        self.inside().kept.clone()
    }

    fn inside(&self) -> std::sync::MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Simulated {
    fn host(&self) -> &str {
        "simulated"
    }

    fn check(&self) -> Result<()> {
        self.inside().fault.clone().map_or(Ok(()), Err)
    }

    fn put(&self, name: &Name, sealed: &Sealed) -> Result<Receipt> {
        self.check()?;
        let mut inside = self.inside();
        let versions = inside.kept.entry(name.text().to_owned()).or_default();
        versions.push(sealed.text().to_owned());
        Ok(Receipt {
            host: self.host().to_owned(),
            name: name.text().to_owned(),
            version: Some(versions.len() as u64),
            created: None,
            etag: None,
        })
    }

    fn get(&self, name: &Name, receipt: &Receipt) -> Result<Option<Vec<u8>>> {
        self.check()?;
        let inside = self.inside();
        let version = receipt.version.and_then(|version| usize::try_from(version.checked_sub(1)?).ok());
        let found = version.and_then(|version| inside.kept.get(name.text())?.get(version));
        Ok(found.map(|text| {
            let mut bytes = text.clone().into_bytes();
            if let (true, Some(last)) = (inside.lies, bytes.last_mut()) {
                *last ^= 1;
            }
            bytes
        }))
    }
}
