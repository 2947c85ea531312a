use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Finding, Judged};

/// How a drive is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Bus {
    /// NVM Express.
    Nvme,
    /// Serial or parallel ATA.
    Ata,
    /// USB.
    Usb,
    /// SD or MMC.
    Mmc,
    /// A virtual machine's drive.
    Virtual,
    /// A file that is treated as a drive.
    Image,
    /// Anything else, or not to be seen.
    Unknown,
}

/// What lies on a volume, by its first name: `ext4`, `luks2`, `swap`, `partition-table`, `empty`,
/// `unknown`. The spelling is that of `blkid` where `blkid` knows the thing.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub struct Content(pub String);

/// Names a volume for as long as the computer runs: the device node's path or an image's path.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
pub struct VolumeId(pub String);

/// A drive, or an image file treated as one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Drive {
    /// Device node or file.
    pub path: String,
    /// Vendor and model as a person knows it; the file's name for an image.
    pub name: String,
    /// Bytes.
    #[ts(type = "number")]
    pub size: u64,
    /// How it is connected.
    pub bus: Bus,
    /// Whether it can be pulled out. `None`: not to be seen.
    pub removable: Option<bool>,
    /// Whether it turns. `None`: not to be seen.
    pub rotational: Option<bool>,
    /// Whether the running system starts from it or lies on it.
    pub system: bool,
    /// What is on it, the drive itself where it has no partitions.
    pub volumes: Vec<Volume>,
    /// Is it protected, as a whole?
    pub judged: Judged,
}

/// A partition, a whole drive without partitions, or an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Volume {
    /// Its name while the computer runs.
    pub id: VolumeId,
    /// Bytes.
    #[ts(type = "number")]
    pub size: u64,
    /// What lies on it.
    pub content: Content,
    /// The file system's or container's label.
    pub label: Option<String>,
    /// Its UUID in the format's own spelling.
    pub uuid: Option<String>,
    /// Where it is mounted, also through what lies on top of it.
    pub mounts: Vec<String>,
    /// Whether anything holds it: a mount, swap, a mapping above it.
    pub in_use: bool,
    /// Is it protected?
    pub judged: Judged,
    /// What was seen, by its technical name (`cipher`, `protectors`), with its origin.
    #[serde(default)]
    #[ts(as = "Option<BTreeMap<String, Finding<String>>>", optional)]
    pub facts: BTreeMap<String, Finding<String>>,
}

impl Volume {
    /// Whether the running system's root is mounted from it, or from what lies on top of it.
    pub fn is_root(&self) -> bool {
        self.mounts.iter().any(|mount| mount == "/")
    }
}
