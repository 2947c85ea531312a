//! rustls with the certificates of the system.

use std::io;
use std::sync::Arc;

use rustls::CertificateError;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};

use super::Wrong;

/// The system's certificates and `more`.
pub fn config(more: Vec<Certificate<'static>>) -> TlsConfig {
    // Some that cannot be read are no reason to trust none: without the right one there is an error all the same.
    let own = rustls_native_certs::load_native_certs().certs;
    let own = own.iter().map(|der| Certificate::from_der(der.as_ref()).to_owned());
    let roots: Vec<Certificate<'static>> = own.chain(more).collect();
    TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .root_certs(RootCerts::from(roots.into_iter()))
        .build()
}

/// What is wrong with a certificate, if the error is about one.
pub fn wrong_with(error: &ureq::Error) -> Option<Wrong> {
    match error {
        ureq::Error::Rustls(error) => Some(of(error)),
        _ => None,
    }
}

/// The same of an error that comes while the two ends greet each other.
pub fn wrong_with_io(error: &io::Error) -> Option<Wrong> {
    error.get_ref()?.downcast_ref::<rustls::Error>().map(of)
}

fn of(error: &rustls::Error) -> Wrong {
    match error {
        rustls::Error::InvalidCertificate(
            CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. },
        ) => Wrong::Time,
        error => Wrong::Other(error.to_string()),
    }
}
