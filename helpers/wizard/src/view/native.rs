//! The system's own encryption, BitLocker and FileVault: what is shown of it, and what can be done with it.

use model::{Condition, Judged, Method, Reason};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{RecoveryCopy, RecoveryPlace, Typed};
use crate::native::{Ask, By, Stand};

/// A volume that its own system encrypts. It holds no secret but the recovery key, while that is to be written down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct NativeState {
    /// What a person knows it by: `C:`.
    pub name: String,
    /// What encrypts.
    pub by: By,
    /// Whether it is a practice computer.
    pub practice: bool,
    /// How it stands. `None`: nobody has looked since the program was started, because that may take rights:
    /// [`NativeAction::Look`].
    pub seen: Option<NativeSeen>,
    /// What the person chose.
    pub wish: NativeWish,
    /// The recovery key, while it is to be written down.
    pub key: Option<NativeKey>,
    /// Whether it is proven that somebody has the recovery key: without that nothing is begun where there is one.
    pub proven: bool,
    /// Its copies, as far as they were made or proven on this way.
    pub copies: Vec<RecoveryCopy>,
    /// Sticks where a copy can be put.
    pub places: Vec<RecoveryPlace>,
}

/// How it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct NativeSeen {
    /// Verdict, reason, next step.
    pub judged: Judged,
    /// What can be done with it.
    pub stand: Stand,
    /// Of a million, while it is converted and where that is told.
    pub share: Option<u32>,
    /// Conditions for encrypting it; empty where there is nothing to be begun.
    pub conditions: Vec<Condition>,
    /// What the drive can do by itself. None of it stands in the way.
    pub able: Vec<Condition>,
    /// Why this method.
    pub reasons: Vec<Reason>,
    /// By whom; `None`: a condition is not met, or there is nothing to be begun.
    pub method: Option<Method>,
    /// Whether the drive could encrypt by itself, if a policy of the system is set for it.
    pub hardware: bool,
    /// What has to be given to begin.
    pub asks: Ask,
    /// What has to be given to turn it off.
    pub asks_off: Ask,
    /// Whether a conversion can be stopped for now.
    pub can_pause: bool,
    /// Whether the computer can be restarted from here.
    pub can_restart: bool,
}

/// What the person chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NativeWish {
    /// A PIN is asked for before the system starts.
    pub pin: bool,
    /// Only what is in use is encrypted.
    pub used_space_only: bool,
    /// The drive encrypts by itself, and a policy of the system is set for that.
    pub hardware: bool,
}

/// A recovery key, to be written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NativeKey {
    /// What Windows shows beside the question for it.
    pub id: String,
    /// Its eight groups of six digits.
    pub groups: Vec<String>,
}

/// What can be done.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "what")]
pub enum NativeAction {
    /// Look at it, after the program was started anew or has lost sight of it. May ask for rights.
    Look,
    /// Choose.
    Wish {
        /// What.
        wish: NativeWish,
    },
    /// Show the recovery key that it will have, to be written down.
    ShowKey,
    /// Save the recovery key, and read it back.
    SaveKey {
        /// A folder that is not on the drive.
        folder: String,
    },
    /// The recovery key as typed back from paper.
    TypeKey {
        /// 48 digits, in groups or not.
        #[ts(type = "string")]
        digits: Typed,
    },
    /// Begin to encrypt, or finish what stands open. Windows' system drive is tried by a restart first.
    Begin {
        /// A new PIN or password, or the one for logging in; see `asks`.
        #[ts(type = "string | null")]
        secret: Option<Typed>,
        /// A new one twice.
        #[ts(type = "string | null")]
        repeated: Option<Typed>,
        /// Where the recovery key goes, if it is made only now.
        folder: Option<String>,
    },
    /// Restart the computer.
    Restart,
    /// Stop the conversion for now.
    Pause,
    /// Let it go on, or switch the protection on again.
    Resume,
    /// Does the key in this file open it?
    CheckSheet {
        /// The file.
        file: String,
    },
    /// A new recovery key, onto a medium. The old one opens nothing any more.
    NewKey {
        /// The password for logging in.
        #[ts(type = "string")]
        secret: Typed,
        /// A folder that is not on the drive.
        folder: String,
    },
    /// Take the encryption away, or what was prepared for it.
    TurnOff {
        /// See `asks_off`.
        #[ts(type = "string | null")]
        secret: Option<Typed>,
    },
}
