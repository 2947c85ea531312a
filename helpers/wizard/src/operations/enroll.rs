//! TPM and FIDO2: systemd's own tool ties the volume to a chip, and what it did is looked at.

use std::path::Path;

use model::{Fault, FaultKind, Secret};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{KeyInfo, KeyKind, keys};
use crate::{Result, program};

const PROGRAM: &str = "systemd-cryptenroll";

/// What a volume can be tied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Chip {
    /// The computer's TPM.
    Tpm2,
    /// A FIDO2 stick.
    Fido2,
}

impl Chip {
    /// The sort of keyslot that it makes.
    pub const fn kind(self) -> KeyKind {
        match self {
            Self::Tpm2 => KeyKind::Tpm2,
            Self::Fido2 => KeyKind::Fido2,
        }
    }
}

/// What is asked for beside the chip itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    /// Whatever the tool does if it is not told.
    Usual,
    /// A PIN beside the TPM. The tool asks for it in the terminal.
    Asked,
    /// None: there is nobody who could be asked in a terminal.
    Never,
}

/// Whether systemd's tool is on this computer.
pub fn can_enroll() -> bool {
    program::find(PROGRAM).is_some()
}

/// Ties the volume to a chip, and looks whether that was done. Returns the new keyslot.
///
/// # Errors
/// `wizard-enroll-missing` without the tool, `wizard-enroll-failed` with what it said; those of [`keys`].
pub fn enroll(path: &Path, secret: &Secret, chip: Chip, pin: Pin) -> Result<u32> {
    let program = program::find(PROGRAM).ok_or_else(|| Fault::new("wizard-enroll-missing", FaultKind::Refused))?;
    let before = keys(path)?;
    let mut arguments = vec!["--unlock-key-file=/dev/stdin"];
    arguments.extend(match (chip, pin) {
        (Chip::Tpm2, Pin::Asked) => ["--tpm2-device=auto", "--tpm2-with-pin=yes"].as_slice(),
        (Chip::Tpm2, Pin::Usual | Pin::Never) => &["--tpm2-device=auto"],
        (Chip::Fido2, Pin::Never) => &["--fido2-device=auto", "--fido2-with-client-pin=no"],
        (Chip::Fido2, Pin::Usual | Pin::Asked) => &["--fido2-device=auto"],
    });
    let ended = program::run_with(&program, &arguments, path, secret);
    let after = keys(path)?;
    let is_new = |key: &&KeyInfo| key.kind == chip.kind() && !before.iter().any(|old| old.keyslot == key.keyslot);
    match (ended, after.iter().find(is_new)) {
        (Ok(_), Some(new)) => Ok(new.keyslot),
        (ended, _) => {
            let said = ended.unwrap_or_else(|said| said);
            let fault = Fault::new("wizard-enroll-failed", FaultKind::Failed);
            Err(fault.with("path", path.display()).because(said.trim()).into())
        }
    }
}
