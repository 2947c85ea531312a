//! The way to a store. No redirect is followed: a token goes to the host that the policy names, and to no other.

#[cfg(not(target_os = "linux"))]
#[path = "http/of_system.rs"]
mod trust;
#[cfg(target_os = "linux")]
#[path = "http/rustls.rs"]
mod trust;

use std::io;
use std::path::Path;
use std::time::Duration;

use model::Day;
use ureq::Agent;
use ureq::http::{HeaderMap, Response};
use ureq::{Body, Proxy};
use zeroize::Zeroizing;

use crate::policy::{Address, certificates};
use crate::{Error, Result, receipt};

/// Longest answer, in bytes. A sealed key has about one kilobyte.
const LONGEST: u64 = 256 << 10;

/// How long the whole of one question may take.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A connection to a store.
pub struct Client {
    agent: Agent,
    host: String,
}

/// What came back.
pub struct Answer {
    pub status: u16,
    pub etag: Option<String>,
    pub body: Vec<u8>,
}

/// A header of a question. Its value may be a secret.
pub type Header<'a> = (&'static str, &'a Zeroizing<String>);

impl Client {
    /// To this host. The certificates in `authority` count beside the system's.
    ///
    /// # Errors
    /// Those of the file of the authority.
    pub fn new(address: &Address, authority: Option<&Path>, patience: Duration) -> Result<Self> {
        let more = authority.map(certificates).transpose()?.unwrap_or_default();
        // What the environment says of proxies is not about this computer itself.
        let proxy = if address.is_loopback() { None } else { Proxy::try_from_env() };
        let config = Agent::config_builder()
            .tls_config(trust::config(more))
            .proxy(proxy)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(patience.min(Duration::from_secs(10))))
            .timeout_global(Some(patience))
            .max_response_header_size(16 << 10)
            .user_agent(concat!("latchkey/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Self { agent: config.into(), host: address.host().to_owned() })
    }

    /// The host, with its port where one is named.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// # Errors
    /// Nobody answers, or not in time, or not somebody who is trusted.
    pub fn get(&self, url: &str, headers: &[Header<'_>]) -> Result<Answer> {
        let asked =
            headers.iter().fold(self.agent.get(url), |asked, (name, value)| asked.header(*name, value.as_str()));
        self.answer(asked.call())
    }

    /// # Errors
    /// As [`get`](Self::get).
    pub fn post(&self, url: &str, headers: &[Header<'_>], kind: &str, body: &str) -> Result<Answer> {
        let asked =
            headers.iter().fold(self.agent.post(url), |asked, (name, value)| asked.header(*name, value.as_str()));
        self.answer(asked.content_type(kind).send(body))
    }

    /// # Errors
    /// As [`get`](Self::get).
    pub fn put(&self, url: &str, headers: &[Header<'_>], kind: &str, body: &str) -> Result<Answer> {
        let asked =
            headers.iter().fold(self.agent.put(url), |asked, (name, value)| asked.header(*name, value.as_str()));
        self.answer(asked.content_type(kind).send(body))
    }

    fn answer(&self, told: std::result::Result<Response<Body>, ureq::Error>) -> Result<Answer> {
        let mut told = told.map_err(|error| self.failed(error))?;
        let status = told.status().as_u16();
        let etag = etag(told.headers());
        let body = told.body_mut().with_config().limit(LONGEST).read_to_vec();
        let body = body.map_err(|error| match error {
            ureq::Error::BodyExceedsLimit(limit) => self.strange(format!("more than {limit} bytes")),
            error => self.failed(error),
        })?;
        Ok(Answer { status, etag, body })
    }

    /// An answer that no store gives.
    pub fn strange(&self, cause: impl ToString) -> Error {
        Error::StrangeAnswer { host: self.host.clone(), cause: cause.to_string() }
    }

    /// What a status other than success means, and 404 where the question was about a place.
    pub fn refused(&self, answer: &Answer) -> Error {
        let (host, status) = (self.host.clone(), answer.status);
        let said = said(&answer.body);
        match status {
            300..=399 => Error::Redirected { host, status },
            401 | 403 => Error::Refused { host, status, said },
            404 | 405 => Error::NoPlace { host, said },
            500..=599 | 408 | 425 | 429 => Error::StoreFailed { host, status, said },
            _ => self.strange(format!("status {status}: {said}")),
        }
    }

    fn failed(&self, error: ureq::Error) -> Error {
        let host = self.host.clone();
        let cause = error.to_string();
        match error {
            ureq::Error::HostNotFound | ureq::Error::ConnectionFailed | ureq::Error::InvalidProxyUrl => {
                Error::NotReachable { host, cause }
            }
            ureq::Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {
                Error::NotReachable { host, cause }
            }
            ureq::Error::Timeout(_) => Error::NoAnswer { host, cause },
            ureq::Error::ConnectProxyFailed(_) => Error::NotReachable { host, cause },
            ureq::Error::Protocol(_) | ureq::Error::LargeResponseHeader(..) | ureq::Error::Http(_) => {
                Error::StrangeAnswer { host, cause }
            }
            ureq::Error::Io(error) => self.broke(&error),
            error => {
                trust::wrong_with(&error).map_or(Error::NotTrusted { host, cause }, |wrong| self.not_trusted(wrong))
            }
        }
    }

    fn broke(&self, error: &io::Error) -> Error {
        use io::ErrorKind as Kind;
        let (host, cause) = (self.host.clone(), error.to_string());
        if let Some(wrong) = trust::wrong_with_io(error) {
            return self.not_trusted(wrong);
        }
        match error.kind() {
            // A rule of the system about this process, and not the network's own.
            Kind::PermissionDenied => Error::NoNetwork { cause },
            _ if is_no_family(error) => Error::NoNetwork { cause },
            Kind::ConnectionRefused
            | Kind::HostUnreachable
            | Kind::NetworkUnreachable
            | Kind::NetworkDown
            | Kind::AddrNotAvailable
            | Kind::NotConnected => Error::NotReachable { host, cause },
            Kind::TimedOut
            | Kind::WouldBlock
            | Kind::UnexpectedEof
            | Kind::ConnectionReset
            | Kind::ConnectionAborted
            | Kind::BrokenPipe => Error::NoAnswer { host, cause },
            Kind::InvalidData => Error::StrangeAnswer { host, cause },
            _ => Error::NotReachable { host, cause },
        }
    }

    fn not_trusted(&self, wrong: Wrong) -> Error {
        let host = self.host.clone();
        match wrong {
            Wrong::Time => Error::Clock { host, today: Day::today().to_string() },
            Wrong::Other(cause) => Error::NotTrusted { host, cause },
        }
    }
}

/// What is wrong with the certificate of a host.
pub enum Wrong {
    /// It is not valid now.
    Time,
    /// Anything else.
    Other(String),
}

/// The system has no Internet for this process: `RestrictAddressFamilies=` of systemd.
#[cfg(unix)]
fn is_no_family(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::AFNOSUPPORT.raw_os_error())
}

#[cfg(not(unix))]
fn is_no_family(_: &io::Error) -> bool {
    false
}

fn etag(headers: &HeaderMap) -> Option<String> {
    receipt::plain(headers.get("etag")?.to_str().ok()?)
}

/// The beginning of what a store said, for "Details".
fn said(body: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(body).chars().filter(|letter| !letter.is_control()).take(200).collect();
    text.trim().to_owned()
}
