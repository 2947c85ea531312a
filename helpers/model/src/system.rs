//! How the drive that the running system lies on stands: the same for whoever carries it out, for the service that
//! passes it on, and for the window that shows it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Fault;

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "phase")]
pub enum Phase {
    /// Nothing was staged.
    Untouched,
    /// The first of two starts is prepared: it makes room for a separate `/boot`.
    RoomStaged,
    /// The room is made, and the test start is being prepared. A restart has to wait.
    RoomMade,
    /// The test start is prepared.
    Staged,
    /// The system runs through the volume, and nothing is encrypted yet.
    Placed,
    /// A part is encrypted.
    Encrypting {
        /// Bytes.
        #[ts(type = "number")]
        done: u64,
        /// Bytes in all.
        #[ts(type = "number")]
        total: u64,
        /// Whether it goes on at the moment.
        running: bool,
    },
    /// All is encrypted, and the system is made ready for its next start.
    Ending,
    /// All is done; the next start proves it.
    ToBeProven,
    /// A start after the end was seen.
    Proven,
    /// The way back is prepared: the next start decrypts.
    ToBeDecrypted,
    /// All is plain again.
    Decrypted,
}

impl Phase {
    /// Whether one click takes back what was done so far.
    pub fn can_be_undone(self) -> bool {
        matches!(self, Self::RoomStaged | Self::Staged | Self::Placed | Self::ToBeDecrypted)
    }
}

/// What happened at a start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LastStart {
    /// Names the try.
    pub id: String,
    /// What it came to.
    pub outcome: StartOutcome,
    /// Why, where it failed.
    pub fault: Option<Fault>,
}

/// What a start came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum StartOutcome {
    /// Nothing was to be done, or nobody asked for the test.
    Plain,
    /// The test: the password was right.
    Passed,
    /// Begun before: the password was right.
    Opened,
    /// The test: three wrong passwords. Nothing was changed.
    WrongPassword,
    /// The test: nobody typed anything. Nothing was changed.
    NothingTyped,
    /// The start before this one did not get to its end, and all was put back.
    TakenBack,
    /// Something went wrong.
    Failed,
    /// All is encrypted: the system's own prompt has asked.
    Finished,
    /// All is plain again.
    Decrypted,
    /// There is room for a separate `/boot`. Nothing is encrypted.
    RoomMade,
}

impl StartOutcome {
    /// Whether a test start came to nothing: all is as it was before it.
    pub fn came_to_nothing(self) -> bool {
        matches!(self, Self::WrongPassword | Self::NothingTyped | Self::TakenBack | Self::Failed)
    }
}

/// When something is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Undone {
    /// It is.
    Now,
    /// By the next start.
    AtNextStart,
}
