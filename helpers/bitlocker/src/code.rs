use std::fmt;

use serde::{Deserialize, Serialize};

/// What a method of `Win32_EncryptableVolume` returns: an HRESULT. 0: done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Code(pub u32);

impl Code {
    /// Done.
    pub const OK: Self = Self(0);
    /// The policy does not allow a back-up: not done, though it looks like a success.
    pub const S_FALSE: Self = Self(1);
    /// `WBEM_E_ACCESS_DENIED`
    pub const WBEM_ACCESS_DENIED: Self = Self(0x8004_1003);
    /// `E_ACCESSDENIED`
    pub const ACCESS_DENIED: Self = Self(0x8007_0005);
    /// `ERROR_NOT_SUPPORTED`
    pub const NOT_SUPPORTED: Self = Self(0x8007_0032);
    /// `FVE_E_LOCKED_VOLUME`
    pub const LOCKED: Self = Self(0x8031_0000);
    /// `FVE_E_NOT_ACTIVATED`: no protectors yet, which is an answer and no trouble.
    pub const NOT_ACTIVATED: Self = Self(0x8031_0008);
    /// `FVE_E_KEY_REQUIRED`: the last protector of a volume that is encrypted.
    pub const KEY_REQUIRED: Self = Self(0x8031_001D);
    /// `FVE_E_NOT_OS_VOLUME`
    pub const NOT_OS_VOLUME: Self = Self(0x8031_0028);
    /// `FVE_E_AUTOUNLOCK_ENABLED`: keys of other volumes are kept on this one.
    pub const AUTO_UNLOCK: Self = Self(0x8031_0029);
    /// `FVE_E_PROTECTOR_EXISTS`
    pub const PROTECTOR_EXISTS: Self = Self(0x8031_0031);
    /// `FVE_E_PROTECTOR_NOT_FOUND`
    pub const PROTECTOR_NOT_FOUND: Self = Self(0x8031_0033);
    /// `FVE_E_INVALID_PASSWORD_FORMAT`
    pub const BAD_RECOVERY_PASSWORD: Self = Self(0x8031_0035);
    /// `FVE_E_NOT_DECRYPTED`
    pub const NOT_DECRYPTED: Self = Self(0x8031_0039);
    /// `FVE_E_BOOTABLE_CDDVD`
    pub const BOOTABLE_CD: Self = Self(0x8031_0030);
    /// `FVE_E_NO_PROTECTORS_TO_TEST`
    pub const NO_PROTECTORS_TO_TEST: Self = Self(0x8031_003B);
    /// `FVE_E_FOREIGN_VOLUME`: a protector by the TPM on a volume that does not start this computer.
    pub const FOREIGN_VOLUME: Self = Self(0x8031_0023);
    /// `FVE_E_POLICY_RECOVERY_PASSWORD_NOT_ALLOWED`
    pub const RECOVERY_PASSWORD_FORBIDDEN: Self = Self(0x8031_005C);
    /// `FVE_E_POLICY_INVALID_PIN_LENGTH`
    pub const PIN_LENGTH: Self = Self(0x8031_0068);
    /// `FVE_E_POLICY_PASSPHRASE_NOT_ALLOWED`
    pub const PASSPHRASE_FORBIDDEN: Self = Self(0x8031_006A);
    /// `FVE_E_INVALID_PIN_CHARS`
    pub const PIN_SIGNS: Self = Self(0x8031_009A);
    /// `FVE_E_POLICY_INVALID_PASSPHRASE_LENGTH`
    pub const PASSPHRASE_LENGTH: Self = Self(0x8031_0080);
    /// `FVE_E_EDRIVE_NO_FAILOVER_TO_SW`
    pub const NO_FAILOVER: Self = Self(0x8031_00AF);
    /// `FVE_E_EDRIVE_DISALLOWED_BY_GP`
    pub const EDRIVE_FORBIDDEN: Self = Self(0x8031_00B1);
    /// `TBS_E_TPM_NOT_FOUND`
    pub const TPM_NOT_FOUND: Self = Self(0x8028_400F);
    /// `TBS_E_SERVICE_NOT_RUNNING`
    pub const TPM_SERVICE_OFF: Self = Self(0x8028_4008);
    /// `TPM_E_DEFEND_LOCK_RUNNING`
    pub const TPM_LOCKED_OUT: Self = Self(0x8028_0803);

    /// Whether it was done.
    pub const fn is_ok(self) -> bool {
        self.0 == 0
    }

    /// Which sentence says it: the code of the catalogue without `fault-`. Never by the words of a message,
    /// which are in the language of the computer.
    pub const fn sentence(self) -> &'static str {
        match self.0 {
            0x8004_1003 | 0x8007_0005 => "bitlocker-no-rights",
            0x8031_0000 => "bitlocker-locked",
            0x8031_0029 => "bitlocker-auto-unlock",
            0x8031_0030 => "bitlocker-bootable-disc",
            0x8031_0039 => "bitlocker-not-plain",
            0x8031_0031 | 0x8031_006C | 0x8031_00AB | 0x8031_00AC => "bitlocker-protector-exists",
            0x8031_0068 | 0x8031_009A => "bitlocker-pin",
            0x8031_0080..=0x8031_0082 => "bitlocker-password",
            0x8031_00B5 | 0x8031_00B6 => "bitlocker-no-keyboard",
            0x8031_00BA | 0x8031_00BB => "bitlocker-secure-boot",
            0x8031_004E => "bitlocker-restart-first",
            0x8031_0037 => "bitlocker-fips",
            0x8031_00A5 => "bitlocker-thin-drive",
            0x8031_00A7 | 0x8031_00AF..=0x8031_00B2 | 0x8031_00BC | 0x8031_00BF => "bitlocker-hardware-refused",
            0x8031_00C5..=0x8031_00D3 => "bitlocker-device-encryption",
            0x8031_0060..=0x8031_006B | 0x8031_0091 | 0x8031_00DA..=0x8031_00DC => "bitlocker-policy",
            0x8031_002C | 0x8031_005B..=0x8031_005F => "bitlocker-policy",
            0x8028_0803 => "bitlocker-tpm-locked-out",
            0x8028_0000..=0x8029_FFFF => "bitlocker-no-tpm",
            _ => "bitlocker-failed",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}
