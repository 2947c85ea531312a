use serde::{Deserialize, Serialize};

use crate::{Error, Machine, Place, Result, VolumeKind};

/// What the policies say for one kind of volume. Numbers as in the policy's own description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policies {
    /// Hardware encryption: 1 allowed. Absent means software always.
    pub hardware: Option<u32>,
    /// 0 forbidden, 1 required, 2 allowed.
    pub tpm: Option<u32>,
    /// The same for the TPM with a PIN.
    pub tpm_pin: Option<u32>,
    /// A start without a TPM is allowed.
    pub without_tpm: bool,
    /// 0 forbidden, 1 required, 2 allowed.
    pub recovery_password: Option<u32>,
    /// 0 whatever, 1 full, 2 used space only.
    pub encryption_type: Option<u32>,
    /// A copy in the directory is required before anything begins.
    pub needs_directory: bool,
    /// Letters in a PIN.
    pub enhanced_pin: bool,
    /// Fewest digits of a PIN.
    pub shortest_pin: u32,
    /// Sticks that are not encrypted are read-only: no copy of a key goes there.
    pub sticks_read_only: bool,
    /// A cipher that is demanded, for software.
    pub cipher: Option<u32>,
}

impl Policies {
    /// Reads them.
    ///
    /// # Errors
    /// Those of [`Machine::policy`].
    pub fn read(machine: &mut dyn Machine, kind: VolumeKind) -> Result<Self> {
        let prefix = kind.policy();
        let mut soft = |name: &str| machine.policy(Place::Software, name);
        let cipher = match kind {
            VolumeKind::System => "EncryptionMethodWithXtsOs",
            VolumeKind::Fixed => "EncryptionMethodWithXtsFdv",
            VolumeKind::Removable => "EncryptionMethodWithXtsRdv",
        };
        let advanced = soft("UseAdvancedStartup")? == Some(1);
        let mut policies = Self {
            hardware: soft(&hardware_name(kind))?,
            tpm: soft("UseTPM")?.filter(|_| advanced),
            tpm_pin: soft("UseTPMPIN")?.filter(|_| advanced),
            without_tpm: advanced && soft("EnableBDEWithNoTPM")? == Some(1),
            recovery_password: soft(&format!("{prefix}RecoveryPassword"))?,
            encryption_type: soft(&format!("{prefix}EncryptionType"))?,
            needs_directory: soft(&format!("{prefix}RequireActiveDirectoryBackup"))? == Some(1),
            enhanced_pin: soft("UseEnhancedPin")? == Some(1),
            shortest_pin: soft("MinimumPIN")?.unwrap_or(6).clamp(4, 20),
            cipher: soft(cipher)?.filter(|number| matches!(number, 3 | 4 | 6 | 7)),
            sticks_read_only: false,
        };
        // The two places where sources say that it lies.
        for place in [Place::Software, Place::System] {
            policies.sticks_read_only |= machine.policy(place, "RDVDenyWriteAccess")? == Some(1);
        }
        Ok(policies)
    }
}

fn hardware_name(kind: VolumeKind) -> String {
    format!("{}HardwareEncryption", kind.policy())
}

/// A policy as it was before, for putting it back. It is written down before anything is changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Former {
    /// Name below the policy key.
    pub name: String,
    /// What stood there. `None`: nothing did.
    pub value: Option<u32>,
}

impl Former {
    /// What stands for hardware encryption of this kind of volume now.
    ///
    /// # Errors
    /// Those of [`Machine::policy`].
    pub fn of_hardware(machine: &mut dyn Machine, kind: VolumeKind) -> Result<Self> {
        let name = hardware_name(kind);
        let value = machine.policy(Place::Software, &name)?;
        Ok(Self { name, value })
    }

    /// Allows hardware encryption, and reads that back.
    ///
    /// # Errors
    /// Those of [`Machine::set_policy`]; [`Error::NotHardware`] if it does not stay.
    pub fn allow(&self, machine: &mut dyn Machine) -> Result<()> {
        machine.set_policy(&self.name, Some(1))?;
        if machine.policy(Place::Software, &self.name)? == Some(1) { Ok(()) } else { Err(Error::NotHardware) }
    }

    /// Puts it back. It may come from a file or a pipe: no other policy is ever touched.
    ///
    /// # Errors
    /// [`Error::BadOrder`] for another policy; those of [`Machine::set_policy`].
    pub fn put_back(&self, machine: &mut dyn Machine) -> Result<()> {
        let known = [VolumeKind::System, VolumeKind::Fixed, VolumeKind::Removable].map(hardware_name);
        if !known.contains(&self.name) || self.value.is_some_and(|value| value > 1) {
            return Err(Error::BadOrder);
        }
        machine.set_policy(&self.name, self.value)
    }
}
