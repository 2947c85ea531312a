//! What the kernel's own table says about its encryption.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A dm-crypt mapping, by its line of `dmsetup table` (the kernel's
/// `Documentation/admin-guide/device-mapper/dm-crypt.rst`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Crypt {
    /// Name of the mapping.
    pub name: String,
    /// `aes-xts-plain64`.
    pub cipher: String,
    /// Bits of the key, both halves together.
    #[ts(type = "number")]
    pub key_bits: u64,
    /// Bytes.
    #[ts(type = "number")]
    pub sector_size: u64,
    /// Bytes before the encrypted area on the device beneath.
    #[ts(type = "number")]
    pub offset: u64,
    /// `no_read_workqueue`, `allow_discards` and so on, as the kernel names them.
    pub flags: Vec<String>,
    /// Path of the device beneath.
    pub below: Option<String>,
}

impl Crypt {
    /// The line of this mapping. `None`: it has none, or it is no dm-crypt. The name may hold spaces.
    pub fn parse(table: &str, name: &str) -> Option<Self> {
        let line = table.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        // start, length, "crypt", cipher, key, IV offset, device, offset, number of flags, flags
        let &[_, _, "crypt", cipher, key, _, _, offset, ref rest @ ..] = words.as_slice() else { return None };
        let flags: Vec<String> = rest.iter().skip(1).map(|flag| (*flag).to_owned()).collect();
        let sector_size = flags.iter().find_map(|flag| flag.strip_prefix("sector_size:")?.parse().ok()).unwrap_or(512);
        Some(Self {
            name: name.to_owned(),
            cipher: cipher.to_owned(),
            key_bits: key_bits(key)?,
            sector_size,
            offset: offset.parse::<u64>().ok()?.checked_mul(512)?,
            flags: flags.into_iter().filter(|flag| !flag.starts_with("sector_size:")).collect(),
            below: None,
        })
    }
}

/// `:64:logon:…` names a key in the kernel's keyring; otherwise it is written out, or zeros for it.
fn key_bits(key: &str) -> Option<u64> {
    match key.strip_prefix(':') {
        Some(rest) => rest.split(':').next()?.parse::<u64>().ok().map(|bytes| bytes * 8),
        None => Some(key.len() as u64 * 4),
    }
}

/// What `dmsetup table` prints; empty where it may not be asked, or is not there.
pub(crate) fn table() -> String {
    let ask = |tool: &&str| std::process::Command::new(tool).arg("table").env_clear().output().ok();
    let output = ["/usr/sbin/dmsetup", "/sbin/dmsetup"].iter().find_map(ask);
    let output = output.filter(|output| output.status.success());
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

/// The dm-crypt mapping of this name, with the device beneath it. `None`: there is none, or it may not
/// be seen.
#[cfg(target_os = "linux")]
pub fn mapping(name: &str) -> Option<Crypt> {
    let stack = stack()?;
    let below = node_of(&stack, name)?.below.first().and_then(|number| stack.nodes.get(number))?;
    Crypt::parse(&table(), name).map(|crypt| Crypt { below: Some(below.path.clone()), ..crypt })
}

/// Where the mapping of this name, or what is made of it, is mounted.
#[cfg(target_os = "linux")]
pub(crate) fn mounted_at(name: &str) -> Option<std::path::PathBuf> {
    let stack = stack()?;
    stack.mounts_of_device(node_of(&stack, name)?.number).first().map(Into::into)
}

#[cfg(target_os = "linux")]
fn stack() -> Option<drives::Stack> {
    drives::Platform::stack(&drives::This::default()).ok()
}

#[cfg(target_os = "linux")]
fn node_of<'a>(stack: &'a drives::Stack, name: &str) -> Option<&'a drives::Node> {
    let is_it = |node: &&drives::Node| matches!(&node.kind, drives::Kind::Mapping(mapping) if mapping.name == name);
    stack.nodes.values().find(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
cr #1: 0 409600 crypt aes-xts-plain64 :64:logon:cryptsetup:8c9f6c1c-d0 0 7:0 32768 3 allow_discards sector_size:4096 no_read_workqueue
cr: 0 100 linear 7:0 0
old: 0 2097152 crypt aes-cbc-essiv:sha256 0000000000000000000000000000000000000000000000000000000000000000 0 8:3 4096
fast: 0 1 crypt aes-xts-plain64 :32:user:k 0 8:1 0 2 no_read_workqueue no_write_workqueue
";

    #[test]
    fn a_line_of_the_kernel() {
        let crypt = Crypt::parse(TABLE, "cr #1").unwrap();
        assert_eq!((crypt.cipher.as_str(), crypt.key_bits, crypt.sector_size), ("aes-xts-plain64", 512, 4096));
        assert_eq!(crypt.offset, 16 << 20);
        assert_eq!(crypt.flags, ["allow_discards", "no_read_workqueue"]);
        let old = Crypt::parse(TABLE, "old").unwrap();
        assert_eq!((old.key_bits, old.sector_size, old.flags.len()), (256, 512, 0));
        for name in ["cr", "missing", ""] {
            assert_eq!(Crypt::parse(TABLE, name), None, "{name}");
        }
    }
}
