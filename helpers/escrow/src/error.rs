use std::path::PathBuf;

use model::{Describe, Fault, FaultKind};

/// Result of what is done with an organisation's policy and store.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a recovery key is not kept with the organisation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The policy file is there and cannot be read.
    #[error("escrow-policy-unreadable")]
    PolicyUnreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: String,
    },
    /// The policy is no policy.
    #[error("escrow-policy-damaged")]
    PolicyDamaged {
        /// Where and what, technical.
        cause: String,
    },
    /// The policy is of a version that this program does not know.
    #[error("escrow-policy-newer")]
    PolicyNewer {
        /// Which.
        version: u64,
    },
    /// A field of the policy has a value that it cannot have.
    #[error("escrow-policy-value")]
    PolicyValue {
        /// Its name: `address`, `path`…
        field: &'static str,
        /// What is wrong with it.
        why: Why,
    },
    /// Somebody else than the administrator can write the file, or read one that holds a secret.
    #[error("escrow-file-insecure")]
    FileInsecure {
        /// The file or its folder.
        path: PathBuf,
        /// What is wrong with it.
        why: Why,
    },
    /// A recipient is no public key of age.
    #[error("escrow-recipient")]
    Recipient {
        /// As it is written.
        recipient: String,
    },
    /// A file that the policy names cannot be read.
    #[error("escrow-file-unreadable")]
    FileUnreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: String,
    },
    /// This user may not read a file that the policy names.
    #[error("escrow-file-denied")]
    FileDenied {
        /// The file.
        path: PathBuf,
    },
    /// The token's file holds no token.
    #[error("escrow-token-bad")]
    TokenBad {
        /// The file.
        path: PathBuf,
    },
    /// The file of the certificate authority holds no certificate.
    #[error("escrow-authority-bad")]
    AuthorityBad {
        /// The file.
        path: PathBuf,
    },
    /// The key could not be sealed.
    #[error("escrow-not-sealed")]
    NotSealed {
        /// Why.
        cause: String,
    },
    /// Nobody answers there.
    #[error("escrow-not-reachable")]
    NotReachable {
        /// The store's host.
        host: String,
        /// What the system says.
        cause: String,
    },
    /// The system does not let this process use the network.
    #[error("escrow-no-network")]
    NoNetwork {
        /// What the system says.
        cause: String,
    },
    /// It was reached and did not answer in time, or broke off in the middle.
    #[error("escrow-no-answer")]
    NoAnswer {
        /// The store's host.
        host: String,
        /// What the system says.
        cause: String,
    },
    /// Its certificate is by nobody that this computer trusts, or is another host's.
    #[error("escrow-not-trusted")]
    NotTrusted {
        /// The store's host.
        host: String,
        /// What is wrong with the certificate.
        cause: String,
    },
    /// Its certificate is not valid at this time: it has run out, or this computer's clock is wrong.
    #[error("escrow-clock")]
    Clock {
        /// The store's host.
        host: String,
        /// Today, as this computer has it.
        today: String,
    },
    /// The token is not accepted (401), or does not allow this (403).
    #[error("escrow-refused")]
    Refused {
        /// The store's host.
        host: String,
        /// The status.
        status: u16,
        /// What it said.
        said: String,
    },
    /// There is nothing at this place (404): another mount, another path.
    #[error("escrow-no-place")]
    NoPlace {
        /// The store's host.
        host: String,
        /// What it said.
        said: String,
    },
    /// Vault is sealed (503): somebody has to unseal it.
    #[error("escrow-vault-sealed")]
    VaultSealed {
        /// The store's host.
        host: String,
    },
    /// The store itself failed (5xx).
    #[error("escrow-store-failed")]
    StoreFailed {
        /// The store's host.
        host: String,
        /// The status.
        status: u16,
        /// What it said.
        said: String,
    },
    /// It wants to send this program to another place (3xx); that is not followed.
    #[error("escrow-redirected")]
    Redirected {
        /// The store's host.
        host: String,
        /// The status.
        status: u16,
    },
    /// Another writer was there at the same time (check-and-set).
    #[error("escrow-changed-meanwhile")]
    ChangedMeanwhile {
        /// The store's host.
        host: String,
    },
    /// Another answer than any store of this kind gives: not the right address, perhaps.
    #[error("escrow-strange-answer")]
    StrangeAnswer {
        /// The store's host.
        host: String,
        /// What was strange, technical.
        cause: String,
    },
    /// What the store gave back is not what it was sent.
    #[error("escrow-read-back-differs")]
    ReadBackDiffers {
        /// The store's host.
        host: String,
    },
    /// Encryption waits for a receipt, and there is none of this key.
    #[error("escrow-missing")]
    Missing,
}

/// What is wrong with a value or a file. Its name is part of the fault: the catalogue has words for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// No URL.
    NoUrl,
    /// Not `https`, and not a host of this computer itself.
    NotHttps,
    /// With a name, a password, a query or a fragment in it.
    UrlExtras,
    /// Letters that have no place in it.
    Letters,
    /// Empty, or too long.
    Length,
    /// No whole path.
    NotWhole,
    /// Too many of them, or none.
    Count,
    /// Not the administrator's.
    Owner,
    /// Others may write it.
    Writable,
    /// Others may read it.
    Readable,
    /// No plain file.
    NoFile,
    /// Far too large.
    TooLarge,
}

impl Why {
    /// Its name in the catalogue.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoUrl => "no-url",
            Self::NotHttps => "not-https",
            Self::UrlExtras => "url-extras",
            Self::Letters => "letters",
            Self::Length => "length",
            Self::NotWhole => "not-whole",
            Self::Count => "count",
            Self::Owner => "owner",
            Self::Writable => "writable",
            Self::Readable => "readable",
            Self::NoFile => "no-file",
            Self::TooLarge => "too-large",
        }
    }
}

impl Error {
    /// Whether trying again later may help, with nothing changed: the store, or the way to it, was not there.
    pub const fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::NotReachable { .. }
                | Self::NoAnswer { .. }
                | Self::VaultSealed { .. }
                | Self::StoreFailed { .. }
                | Self::ChangedMeanwhile { .. }
        )
    }

    fn kind(&self) -> FaultKind {
        match self {
            Self::PolicyDamaged { .. } | Self::PolicyNewer { .. } => FaultKind::NewerOrDamaged,
            Self::NotReachable { .. }
            | Self::NoNetwork { .. }
            | Self::NoAnswer { .. }
            | Self::NotTrusted { .. }
            | Self::Clock { .. }
            | Self::VaultSealed { .. }
            | Self::StoreFailed { .. }
            | Self::Redirected { .. }
            | Self::ChangedMeanwhile { .. }
            | Self::StrangeAnswer { .. }
            | Self::ReadBackDiffers { .. }
            | Self::NotSealed { .. } => FaultKind::Failed,
            _ => FaultKind::Refused,
        }
    }
}

impl Describe for Error {
    fn fault(&self) -> Fault {
        let fault = Fault::new(&self.to_string(), self.kind());
        match self {
            Self::PolicyUnreadable { path, cause } | Self::FileUnreadable { path, cause } => {
                fault.with("path", path.display()).because(cause)
            }
            Self::PolicyDamaged { cause } | Self::NotSealed { cause } | Self::NoNetwork { cause } => {
                fault.because(cause)
            }
            Self::PolicyNewer { version } => fault.with("version", version),
            Self::PolicyValue { field, why } => fault.with("field", field).with("why", why.name()),
            Self::FileInsecure { path, why } => fault.with("path", path.display()).with("why", why.name()),
            Self::Recipient { recipient } => fault.with("recipient", recipient),
            Self::FileDenied { path } | Self::TokenBad { path } | Self::AuthorityBad { path } => {
                fault.with("path", path.display())
            }
            Self::NotReachable { host, cause }
            | Self::NoAnswer { host, cause }
            | Self::NotTrusted { host, cause }
            | Self::StrangeAnswer { host, cause } => fault.with("host", host).because(cause),
            Self::Clock { host, today } => fault.with("host", host).with("day", today),
            Self::Refused { host, status, said } | Self::StoreFailed { host, status, said } => {
                fault.with("host", host).with("status", status).because(said)
            }
            Self::NoPlace { host, said } => fault.with("host", host).because(said),
            Self::Redirected { host, status } => fault.with("host", host).with("status", status),
            Self::VaultSealed { host } | Self::ChangedMeanwhile { host } | Self::ReadBackDiffers { host } => {
                fault.with("host", host)
            }
            Self::Missing => fault,
        }
    }
}
