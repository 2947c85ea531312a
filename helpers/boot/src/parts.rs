//! The computer's block devices as `lsblk` tells them.

use serde::Deserialize;

use crate::{Error, Result, tool};

/// One block device, and what lies on it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
pub struct Part {
    /// Device node.
    pub name: String,
    /// `disk`, `part`, `lvm`, `crypt`, `raid1`, `loop`, `rom`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Bytes.
    #[serde(default)]
    pub size: u64,
    /// First sector of a partition, in units of 512 bytes.
    #[serde(default)]
    pub start: Option<u64>,
    /// What `blkid` found on it.
    #[serde(default)]
    pub fstype: Option<String>,
    /// The file system's or container's UUID.
    #[serde(default)]
    pub uuid: Option<String>,
    /// The partition's own UUID.
    #[serde(default)]
    pub partuuid: Option<String>,
    /// The partition's type.
    #[serde(default)]
    pub parttype: Option<String>,
    /// Type of the partition table that it is in: `gpt`, `dos`.
    #[serde(default)]
    pub pttype: Option<String>,
    /// Where it is mounted; `[SWAP]` for swap in use.
    #[serde(default)]
    pub mountpoints: Vec<Option<String>>,
    /// What lies on it.
    #[serde(default)]
    pub children: Vec<Part>,
}

#[derive(Deserialize)]
struct Answer {
    blockdevices: Vec<Part>,
}

const COLUMNS: &str = "NAME,TYPE,SIZE,START,FSTYPE,UUID,PARTUUID,PARTTYPE,PTTYPE,MOUNTPOINTS";

/// Asks the system.
///
/// # Errors
/// Those of `lsblk`.
pub fn load() -> Result<Vec<Part>> {
    parse(&tool::run("lsblk", ["--json", "--bytes", "--paths", "--output", COLUMNS])?)
}

/// Reads what `lsblk --json --bytes --paths` printed.
///
/// # Errors
/// [`Error::NotUnderstood`].
pub fn parse(printed: &str) -> Result<Vec<Part>> {
    let answer: Answer = serde_json::from_str(printed).map_err(|error| Error::odd("lsblk", error))?;
    Ok(answer.blockdevices)
}

impl Part {
    /// Whether it is mounted there.
    pub fn is_mounted_at(&self, point: &str) -> bool {
        self.mountpoints.iter().flatten().any(|mounted| mounted == point)
    }

    /// Whether it is swap in use.
    pub fn is_swapped_to(&self) -> bool {
        self.is_mounted_at("[SWAP]")
    }

    /// How fstab may name it.
    pub fn names(&self) -> Vec<String> {
        let uuid = self.uuid.iter().flat_map(|uuid| [format!("UUID={uuid}"), format!("/dev/disk/by-uuid/{uuid}")]);
        let partuuid =
            self.partuuid.iter().flat_map(|uuid| [format!("PARTUUID={uuid}"), format!("/dev/disk/by-partuuid/{uuid}")]);
        std::iter::once(self.name.clone()).chain(uuid).chain(partuuid).collect()
    }

    /// First byte of a partition on its disk.
    pub fn offset(&self) -> Option<u64> {
        self.start?.checked_mul(512)
    }
}

/// The way from a disk down to the device that fits, outermost first.
pub fn path_to<'a>(parts: &'a [Part], fits: &dyn Fn(&Part) -> bool) -> Option<Vec<&'a Part>> {
    for part in parts {
        if fits(part) {
            return Some(vec![part]);
        }
        if let Some(mut below) = path_to(&part.children, fits) {
            below.insert(0, part);
            return Some(below);
        }
    }
    None
}

/// All devices, each before what lies on it.
pub fn all(parts: &[Part]) -> Vec<&Part> {
    parts.iter().flat_map(|part| std::iter::once(part).chain(all(&part.children))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = include_str!("../fixtures/lsblk-installer.json");

    #[test]
    fn the_installers_layout() {
        let parts = parse(PRINTED).unwrap();
        let root = path_to(&parts, &|part| part.is_mounted_at("/")).unwrap();
        assert_eq!(root.iter().map(|part| &*part.name).collect::<Vec<_>>(), ["/dev/vda", "/dev/vda2"]);
        assert_eq!(root[1].fstype.as_deref(), Some("ext4"));
        assert_eq!(root[1].offset(), Some(129 << 20));
        assert!(all(&parts).iter().any(|part| part.is_swapped_to()));
    }

    #[test]
    fn nonsense_is_an_error() {
        for text in ["", "{}", "[]", "{\"blockdevices\":[{\"name\":1}]}"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
