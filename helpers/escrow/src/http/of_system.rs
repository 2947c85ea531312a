//! What the system has for TLS: Schannel, Secure Transport.

use std::io;

use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};

use super::Wrong;

/// The system's certificates and `more`.
pub fn config(more: Vec<Certificate<'static>>) -> TlsConfig {
    let roots = match more.is_empty() {
        // The system itself looks, and finds what it has not fetched yet.
        true => RootCerts::PlatformVerifier,
        false => {
            let own = rustls_native_certs::load_native_certs().certs;
            let own = own.iter().map(|der| Certificate::from_der(der.as_ref()).to_owned());
            RootCerts::from(own.chain(more).collect::<Vec<_>>().into_iter())
        }
    };
    TlsConfig::builder().provider(TlsProvider::NativeTls).root_certs(roots).build()
}

/// What is wrong with a certificate, if the error is about one. The system does not say whether it is the time.
pub fn wrong_with(error: &ureq::Error) -> Option<Wrong> {
    match error {
        ureq::Error::NativeTls(error) => Some(Wrong::Other(error.to_string())),
        _ => None,
    }
}

/// The same of an error that comes while the two ends greet each other.
pub fn wrong_with_io(_: &io::Error) -> Option<Wrong> {
    None
}
