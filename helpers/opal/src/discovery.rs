//! Level 0 discovery (Core 3.3.6): what a drive says about itself before anybody has shown a secret.
//!
//! Everything is walked by the lengths that the drive gives, and nothing is taken for granted: public
//! dumps are often four bytes short, new descriptors appear every few years, and firmware errs. A
//! descriptor that is unknown is kept as bytes, one that was cut off keeps the fields that came.

mod facts;
mod feature;

pub use facts::{Advice, Facts, Ssc};
pub use feature::*;

use serde::{Deserialize, Serialize};

use crate::{Error, Result, bytes::Bytes};

/// Where the discovery is read: security protocol 1 ...
pub const PROTOCOL: u8 = 0x01;
/// ... with this in place of a ComID.
pub const COMID: u16 = 0x0001;
/// Room for every discovery seen, and what the kernel asks for. In bytes.
pub const BUFFER: usize = 2048;

const HEADER: usize = 48;

/// A decoded discovery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discovery {
    /// Bytes that the drive announced, the length field included.
    pub announced: u64,
    /// Version of the data structure, 1 everywhere so far.
    pub revision: u32,
    /// What the vendor may use as it likes.
    pub vendor: Vec<u8>,
    /// The descriptors in their order.
    pub features: Vec<Feature>,
    /// Whether fewer bytes came than were announced, or a descriptor reaches beyond the end.
    pub truncated: bool,
}

/// One descriptor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feature {
    /// Feature code.
    pub code: u16,
    /// Version of the descriptor.
    pub version: u8,
    /// Minor version, where the descriptor has one (the SSCs); elsewhere reserved.
    pub minor: u8,
    /// Length of its payload as announced, in bytes.
    pub length: u8,
    /// Whether less came than was announced.
    pub truncated: bool,
    /// What it says.
    pub content: Content,
}

/// Decodes the answer to a Level 0 discovery. `data` may be longer than what was announced (the rest is
/// ignored) or shorter.
///
/// # Errors
/// [`Error::NoDiscovery`] if nothing was announced, which is how drives and bridges without TCG answer;
/// [`Error::DiscoveryShort`] if not even the header came.
pub fn parse(data: &[u8]) -> Result<Discovery> {
    let bytes = Bytes(data);
    if data.iter().all(|byte| *byte == 0) {
        return Err(Error::NoDiscovery);
    }
    if data.len() < HEADER {
        return Err(Error::DiscoveryShort { bytes: data.len() });
    }
    // The length does not count its own four bytes. Many programs forget that.
    let announced = u64::from(bytes.u32(0)) + 4;
    let end = usize::try_from(announced).unwrap_or(usize::MAX).min(data.len());
    let mut features = Vec::new();
    let mut at = HEADER;
    let mut truncated = announced > data.len() as u64;
    while at + 4 <= end {
        let length = bytes.u8(at + 3);
        let begin = at + 4;
        let next = begin + usize::from(length);
        let payload = &data[begin.min(end)..next.min(end)];
        let code = bytes.u16(at);
        // Zeros behind the last descriptor: some firmware announces its whole buffer.
        if code == 0 && length == 0 {
            at = next;
            continue;
        }
        let cut = next > end;
        truncated |= cut;
        features.push(Feature {
            code,
            version: bytes.u8(at + 2) >> 4,
            minor: bytes.u8(at + 2) & 0x0f,
            length,
            truncated: cut,
            content: Content::decode(code, payload),
        });
        at = next;
    }
    Ok(Discovery { announced, revision: bytes.u32(4), vendor: data[16..HEADER].to_vec(), features, truncated })
}
