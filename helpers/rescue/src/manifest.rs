//! The list that lies on each image: what is on it, so that anybody can see later whether it is still whole, and
//! whether the header backups on it are still those of the volumes.

use std::fs::File;
use std::path::Path;

use blockdev::{Access, FileDevice, Memory};
use luks::Header;
use preboot::settings::HEADERS;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::volume::{read_file, read_partition};
use crate::{Error, Result};

/// Where the list lies.
pub(crate) const MANIFEST: &str = "latchkey.json";
/// The largest list that is read, in bytes.
const LARGEST: usize = 1 << 20;

/// What is on an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this list: 1.
    pub version: u32,
    /// Who made it.
    pub made_by: String,
    /// The kernel's version.
    pub kernel: String,
    /// Every file but this one.
    pub files: Vec<Stored>,
}

/// A file of an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// Its path on the partition.
    pub path: String,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// What a look at an image has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The list.
    pub manifest: Manifest,
    /// UUIDs of the volumes whose headers are on it.
    pub headers: Vec<String>,
    /// Of the volumes that were asked about: those whose header is not on it.
    pub missing: Vec<String>,
    /// And those whose password or keys were changed since.
    pub stale: Vec<String>,
}

impl Manifest {
    pub(crate) fn of(files: &[(String, Vec<u8>)], kernel: &str) -> Self {
        let stored = |(path, bytes): &(String, Vec<u8>)| Stored { path: path.clone(), sha256: hash(bytes) };
        Self {
            version: 1,
            made_by: format!("latchkey {}", env!("CARGO_PKG_VERSION")),
            kernel: kernel.to_owned(),
            files: files.iter().map(stored).collect(),
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        // Plain strings cannot fail to be written.
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }
}

/// Reads an image or a stick, compares every file with the list, and the headers with those of `volumes`.
///
/// # Errors
/// [`Error::NoImage`], [`Error::Differs`]; a volume that cannot be read.
pub fn verify(path: &Path, volumes: &[&Path]) -> Result<Verified> {
    let no_image = || Error::NoImage { path: path.to_owned() };
    let mut file = File::open(path).map_err(Error::at(path))?;
    #[cfg(unix)]
    forget(&file);
    let volume = read_partition(&mut file).ok_or_else(no_image)?;
    let list = read_file(&volume, MANIFEST).filter(|list| list.len() <= LARGEST).ok_or_else(no_image)?;
    let manifest: Manifest = serde_json::from_slice(&list).map_err(|_| no_image())?;
    if manifest.version != 1 {
        return Err(no_image());
    }
    let mut headers = Vec::new();
    for stored in &manifest.files {
        let bytes = read_file(&volume, &stored.path);
        let bytes = bytes.filter(|bytes| hash(bytes) == stored.sha256);
        let bytes = bytes.ok_or_else(|| Error::Differs { what: stored.path.clone() })?;
        if Path::new(&stored.path).starts_with(HEADERS) {
            headers.push(Header::load(&Memory::new(bytes))?.header);
        }
    }
    let (mut missing, mut stale) = (Vec::new(), Vec::new());
    for path in volumes {
        let device = FileDevice::open(path, Access::Read)?;
        let now = luks::convert::locate(&device)?.header().clone();
        match headers.iter().find(|header| header.uuid() == now.uuid()) {
            None => missing.push(now.uuid().to_owned()),
            Some(then) if same_keys(then, &now) => {}
            Some(_) => stale.push(now.uuid().to_owned()),
        }
    }
    let headers = headers.iter().map(|header| header.uuid().to_owned()).collect();
    Ok(Verified { manifest, headers, missing, stale })
}

/// The same ways in, and the same place of the data. A header that was only written again is no other one.
fn same_keys(then: &Header, now: &Header) -> bool {
    let (then, now) = (then.metadata(), now.metadata());
    then.keyslots == now.keyslots && then.digests == now.digests && then.segments == now.segments
}

/// The system is asked to forget what it keeps of it in memory: the medium is to be read.
#[cfg(unix)]
fn forget(file: &File) {
    #[cfg(target_os = "linux")]
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed);
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
