use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Content, Judged, VolumeId};

/// The computer as a whole: the verdict, and every place where a person's data can lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Computer {
    /// Is it protected, as a whole?
    pub judged: Judged,
    /// Each place with its own verdict, the system's first.
    pub places: Vec<DataPlace>,
}

/// A place where a person's data can lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DataPlace {
    /// What sort of place. The catalogue has its name (`place-…`).
    pub kind: PlaceKind,
    /// Where it is mounted; the device or the file where it is not mounted.
    pub place: String,
    /// What lies there.
    pub content: Content,
    /// The volumes of the drives that it lies on. Empty: not to be seen.
    pub volumes: Vec<VolumeId>,
    /// Is it protected?
    pub judged: Judged,
}

/// What sort of place data lie at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PlaceKind {
    /// The running system's own file system.
    System,
    /// Another mounted file system.
    Data,
    /// Swap, which holds pieces of everything that was open.
    Swap,
    /// Where the memory goes when the computer sleeps without power.
    Hibernation,
    /// A volume that is not mounted.
    Closed,
    /// A drive that can be pulled out: a stick, a backup.
    Removable,
    /// What the computer starts from. It is readable as it must be, and whoever has the computer can
    /// change it.
    Start,
}

impl PlaceKind {
    /// Its name in JSON and in the catalogue.
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Data => "data",
            Self::Swap => "swap",
            Self::Hibernation => "hibernation",
            Self::Closed => "closed",
            Self::Removable => "removable",
            Self::Start => "start",
        }
    }
}
