//! The day after: what is shown of a protected drive, and what can be done with it.

use model::{Progress, Reason};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{RecoveryCopy, RecoveryPlace, Target, Typed};
use crate::operations::Chip;

/// A protected drive, looked after. It holds no secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ManageState {
    /// The drive.
    pub target: Target,
    /// Its UUID.
    pub uuid: String,
    /// What opened it in this visit. `None`: a password or the recovery key has to be typed before anything
    /// can be changed.
    pub opened: Option<KeySeen>,
    /// All ways into it.
    pub keys: Vec<KeySeen>,
    /// Copies of its recovery key that this computer knows of.
    pub copies: Vec<CopySeen>,
    /// Short name of the recovery key that was proven in this visit: of that one more copies can be made.
    pub key_id: Option<String>,
    /// Sticks that are not the drive itself.
    pub places: Vec<RecoveryPlace>,
    /// Chips that this computer has a tool for.
    pub chips: Vec<Chip>,
    /// Turning the encryption off was begun: only that can be gone on with.
    pub turning_off: Option<Progress>,
}

/// A way into a drive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KeySeen {
    /// Number of its keyslot.
    pub keyslot: u32,
    /// What opens it (`key-kind-…`).
    pub kind: String,
}

/// A copy of a recovery key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CopySeen {
    /// The key's short name.
    pub key_id: String,
    /// Where it is.
    pub copy: RecoveryCopy,
    /// When it was made, as `2026-12-02`.
    pub made: String,
    /// When it last opened the drive.
    pub proven: String,
    /// What to be reminded of (`reason-copy-…`).
    pub remind: Option<Reason>,
}

/// What can be done with a protected drive. All but checking a key and erasing want it opened before.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "what")]
pub enum Care {
    /// Show that a password or the recovery key opens it.
    Open {
        /// As typed.
        #[ts(type = "string")]
        secret: Typed,
    },
    /// Another password in place of the one that opened it. Whoever opened it with the recovery key gets a
    /// password beside those that there are.
    ChangePassword {
        /// Twice the same.
        #[ts(type = "string")]
        password: Typed,
        /// See `password`.
        #[ts(type = "string")]
        repeated: Typed,
    },
    /// A second person's password.
    AddPassword {
        /// Twice the same.
        #[ts(type = "string")]
        password: Typed,
        /// See `password`.
        #[ts(type = "string")]
        repeated: Typed,
    },
    /// Take a way in away.
    RemoveKey {
        /// Its keyslot.
        keyslot: u32,
    },
    /// A new recovery key, onto a medium, proven; then the old one is revoked.
    NewRecovery {
        /// A folder that is not on the drive.
        folder: String,
        /// As a page for paper.
        page: bool,
    },
    /// Does the key on paper open it?
    CheckTyped {
        /// 64 letters, groups and case as they come, with or without check letters.
        #[ts(type = "string")]
        key: Typed,
    },
    /// Does the key in this file, scan or photo open it?
    CheckSheet {
        /// The file.
        file: String,
    },
    /// Another copy of the recovery key that was proven in this visit.
    CopyRecovery {
        /// A folder that is not on the drive.
        folder: String,
        /// As a page for paper.
        page: bool,
    },
    /// A copy of the header.
    BackupHeader {
        /// A folder that is not on the drive.
        folder: String,
    },
    /// Tie it to a chip of this computer or to a security key.
    Enroll {
        /// Which.
        chip: Chip,
    },
    /// Take the encryption away again, or go on with that.
    TurnOff,
    /// Destroy all ways in, for ever.
    Erase {
        /// The drive's name, typed.
        name: String,
    },
}
