use std::net::IpAddr;

use ureq::http::Uri;

use crate::{Error, Result, Why};

/// Where a store answers: over `https`, or over plain `http` on this computer itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Without a slash at its end.
    text: String,
    host: String,
    loopback: bool,
}

impl Address {
    /// Reads the URL of a field of the policy.
    ///
    /// # Errors
    /// [`Error::PolicyValue`].
    pub fn parse(field: &'static str, text: &str) -> Result<Self> {
        let bad = |why| Err(Error::PolicyValue { field, why });
        if text.is_empty() || text.len() > 1024 {
            return bad(Why::Length);
        }
        // `Uri` takes more than a URL of ours may have, and leaves a fragment out without a word.
        if text.contains(['@', '?', '#', '\\', '%']) {
            return bad(Why::UrlExtras);
        }
        if text.split('/').skip(3).any(|part| part == "." || part == "..") {
            return bad(Why::Letters);
        }
        let Ok(uri) = text.parse::<Uri>() else { return bad(Why::NoUrl) };
        let (Some(scheme), Some(name), Some(authority)) = (uri.scheme_str(), uri.host(), uri.authority()) else {
            return bad(Why::NoUrl);
        };
        // What follows the host is a port that there can be, or nothing.
        if name.is_empty() || (authority.as_str() != name && uri.port_u16().is_none()) {
            return bad(Why::NoUrl);
        }
        let loopback = is_loopback(name);
        if scheme != "https" && !(scheme == "http" && loopback) {
            return bad(Why::NotHttps);
        }
        let text = text.trim_end_matches('/').to_owned();
        Ok(Self { text, host: authority.as_str().to_owned(), loopback })
    }

    /// The URL, without a slash at its end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The host, with its port where one is named.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether it is this computer itself.
    pub const fn is_loopback(&self) -> bool {
        self.loopback
    }
}

fn is_loopback(name: &str) -> bool {
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
