use std::time::Duration;

use crate::{Entry, Error, Name, Policy, Receipt, Result, Store, http, seal, store};

/// Whoever looks after this computer: a policy, and the store that it names.
pub struct Organisation {
    policy: Policy,
    store: Box<dyn Store>,
}

impl Organisation {
    /// That of this computer. `None`: it has no policy.
    ///
    /// # Errors
    /// The policy is there and cannot be relied on; a file that it names cannot be read.
    pub fn of_this_computer() -> Result<Option<Self>> {
        Policy::of_this_computer()?.map(Self::new).transpose()
    }

    /// By this policy.
    ///
    /// # Errors
    /// A file that the policy names cannot be read.
    pub fn new(policy: Policy) -> Result<Self> {
        Self::with_patience(policy, http::PATIENCE)
    }

    /// By this policy, with another time that one answer of the store may take.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_patience(policy: Policy, patience: Duration) -> Result<Self> {
        let store = store::open(&policy.store, patience)?;
        Ok(Self { policy, store })
    }

    /// By this policy, with another store than the one that it names.
    pub fn with_store(policy: Policy, store: impl Store + 'static) -> Self {
        Self { policy, store: Box::new(store) }
    }

    /// What it wants.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Where it keeps keys.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Looks whether everything is there that is needed to keep a key, and keeps none.
    ///
    /// # Errors
    /// What is missing.
    pub fn check(&self) -> Result<()> {
        seal::trial(&self.policy.recipients)?;
        self.store.check()
    }

    /// Seals a key, has it kept, and reads back what is kept. It counts when the very bytes came back that were sent:
    /// nobody here could open them.
    ///
    /// # Errors
    /// [`Error::ReadBackDiffers`]; those of sealing and of the store. What was put there and does not count stays
    /// there: it is sealed, and of use to the recipients alone.
    pub fn keep(&self, entry: &Entry<'_>) -> Result<Receipt> {
        let sealed = seal(entry, &self.policy.recipients)?;
        let name = Name::new(entry.host, entry.volume, entry.key_id);
        let receipt = self.store.put(&name, &sealed)?;
        let back = self.store.get(&name, &receipt)?;
        if back.as_deref() != Some(sealed.text().as_bytes()) {
            return Err(Error::ReadBackDiffers { host: self.store.host().to_owned() });
        }
        Ok(receipt)
    }
}
