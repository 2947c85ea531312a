use std::path::PathBuf;

use model::{Condition, Outcome, Reason, Secret};
use serde::{Deserialize, Serialize};

use crate::edrive::{condition, hardware_conditions};
use crate::{
    Cipher, DriveFacts, Edition, Error, Facts, Machine, Numbers, Policies, Result, Row, State, Step, Volume, VolumeKind,
};

/// How the volume is to be opened in everyday life.
#[derive(Clone, Debug)]
pub enum Unlock {
    /// By the TPM, which asks nobody.
    Tpm,
    /// By the TPM, which asks for a PIN.
    TpmPin(Secret),
    /// By a password.
    Password(Secret),
    /// By a file on a stick, whose folder this is.
    StartupKey(PathBuf),
}

/// The same without the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnlockKind {
    /// [`Unlock::Tpm`]
    Tpm,
    /// [`Unlock::TpmPin`]
    TpmPin,
    /// [`Unlock::Password`]
    Password,
    /// [`Unlock::StartupKey`]
    StartupKey,
}

impl Unlock {
    /// Which it is.
    pub const fn kind(&self) -> UnlockKind {
        match self {
            Self::Tpm => UnlockKind::Tpm,
            Self::TpmPin(_) => UnlockKind::TpmPin,
            Self::Password(_) => UnlockKind::Password,
            Self::StartupKey(_) => UnlockKind::StartupKey,
        }
    }
}

/// What the person wishes. `None`: what fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// By Windows or by the drive.
    pub method: Option<Cipher>,
    /// How it is opened.
    pub unlock: Option<UnlockKind>,
    /// Only what is in use. Right for a new drive; on a used one old files stay readable in the gaps.
    pub used_space_only: bool,
    /// The policy for encryption by the drive may be set.
    pub consent: bool,
}

/// What can be carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The volume.
    pub row: Row,
    /// What it is for.
    pub kind: VolumeKind,
    /// By whom.
    pub method: Cipher,
    /// Windows' number of the software cipher; 0 for the drive's own.
    pub cipher: u32,
    /// Whether Windows has to be told which of the two: the drive could do either.
    pub force: bool,
    /// How it is opened.
    pub unlock: UnlockKind,
    /// Only what is in use.
    pub used_space_only: bool,
}

/// The conditions, and a plan if they are met.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The volume.
    pub row: Row,
    /// How it stands.
    pub state: State,
    /// Conditions of any encryption.
    pub conditions: Vec<Condition>,
    /// Conditions of encryption by the drive.
    pub hardware: Vec<Condition>,
    /// Why this method.
    pub reasons: Vec<Reason>,
    /// What can be carried out. `None`: a condition is not met, or there is nothing to begin.
    pub plan: Option<Plan>,
}

impl Checked {
    /// The plan, or what stands in its way.
    ///
    /// # Errors
    /// [`Error::NotPossible`], [`Error::NotNow`].
    pub fn plan(&self) -> Result<&Plan> {
        let failed = self.conditions.iter().find(|one| one.outcome == Outcome::Fail);
        self.plan.as_ref().ok_or_else(|| match failed {
            Some(one) => Error::NotPossible { condition: one.code.clone() },
            None => Error::NotNow,
        })
    }
}

/// Looks at a volume and at the computer, and changes nothing.
///
/// # Errors
/// [`Error::NotThere`], [`Error::NoRights`].
pub fn check(machine: &mut dyn Machine, volume: &str, wish: Wish) -> Result<Checked> {
    let facts = machine.facts();
    let mut own = Volume::find(machine, volume)?;
    let (row, numbers) = (own.row().clone(), own.numbers());
    let state = State::of(&numbers);
    // Without knowing what it is for, nothing is begun on it.
    let kind = row.kind.unwrap_or(VolumeKind::System);
    let drive = machine.drive(&row.id);
    let policies = Policies::read(machine, kind)?;
    let unlock = wish.unlock.unwrap_or_else(|| usual_unlock(&facts, &policies, kind));
    let conditions = conditions(&facts, &policies, kind, unlock, &state);
    let hardware = hardware_conditions(&facts, &drive, &policies, wish.consent);
    let possible = hardware.iter().all(|one| one.outcome == Outcome::Pass);
    let method = match wish.method {
        Some(Cipher::Software) => Cipher::Software,
        _ if possible => Cipher::Hardware,
        _ => Cipher::Software,
    };
    // Who wishes for the drive's own gets it or nothing.
    let refused = wish.method == Some(Cipher::Hardware) && !possible;
    let met = conditions.iter().all(|one| one.outcome != Outcome::Fail) && row.kind.is_some() && !refused;
    let plan = (met && state.step() == Step::Begin)
        .then(|| make_plan(&row, kind, method, unlock, &policies, &drive, wish.used_space_only));
    Ok(Checked { row, reasons: reasons(&state, &numbers, method), state, conditions, hardware, plan })
}

fn make_plan(
    row: &Row,
    kind: VolumeKind,
    method: Cipher,
    unlock: UnlockKind,
    policies: &Policies,
    drive: &DriveFacts,
    used: bool,
) -> Plan {
    // Windows' own choices; sticks get what an older Windows reads, too.
    let usual = if kind == VolumeKind::Removable { 3 } else { 6 };
    let cipher = if method == Cipher::Hardware { 0 } else { policies.cipher.unwrap_or(usual) };
    let used_space_only = match policies.encryption_type {
        Some(1) => false,
        Some(2) => true,
        _ => used,
    };
    let force = method == Cipher::Hardware || drive.edrive == Some(true);
    Plan { row: row.clone(), kind, method, cipher, force, unlock, used_space_only }
}

fn usual_unlock(facts: &Facts, policies: &Policies, kind: VolumeKind) -> UnlockKind {
    let ready = matches!(&facts.tpm, Some(Some(tpm)) if tpm.ready);
    match kind {
        VolumeKind::System if ready && (policies.tpm == Some(0) || policies.tpm_pin == Some(1)) => UnlockKind::TpmPin,
        VolumeKind::System if ready => UnlockKind::Tpm,
        _ => UnlockKind::Password,
    }
}

fn conditions(
    facts: &Facts,
    policies: &Policies,
    kind: VolumeKind,
    unlock: UnlockKind,
    state: &State,
) -> Vec<Condition> {
    let edition = match (facts.edition, state) {
        (Some(Edition::Full), _) => Outcome::Pass,
        // Home has device encryption: what Windows began there can be finished, not begun.
        (Some(Edition::Home), State::ClearKey | State::Suspended { .. } | State::Protected { .. }) => Outcome::Pass,
        (Some(Edition::Home), _) => Outcome::Fail,
        (None, _) => Outcome::Unknown,
    };
    let known = if matches!(state, State::Unknown | State::Locked) { Outcome::Fail } else { Outcome::Pass };
    let recovery = if policies.recovery_password == Some(0) { Outcome::Fail } else { Outcome::Pass };
    let warn = |bad: bool| if bad { Outcome::Warn } else { Outcome::Pass };
    let mut all = vec![
        condition("bitlocker-state-known", known, "Win32_EncryptableVolume"),
        condition("bitlocker-edition", edition, "OperatingSystemSKU"),
        condition("bitlocker-recovery-allowed", recovery, &format!("{}RecoveryPassword", kind.policy())),
        condition("bitlocker-directory", warn(policies.needs_directory), "RequireActiveDirectoryBackup"),
        condition("bitlocker-sticks-writable", warn(policies.sticks_read_only), "RDVDenyWriteAccess"),
    ];
    if kind == VolumeKind::System {
        all.extend(of_the_start(facts, policies, unlock));
    }
    all
}

fn of_the_start(facts: &Facts, policies: &Policies, unlock: UnlockKind) -> Vec<Condition> {
    let by_tpm = matches!(unlock, UnlockKind::Tpm | UnlockKind::TpmPin);
    let tpm = match &facts.tpm {
        None => Outcome::Unknown,
        Some(None) if by_tpm || !policies.without_tpm => Outcome::Fail,
        Some(None) => Outcome::Warn,
        Some(Some(tpm)) if by_tpm && (!tpm.ready || tpm.locked_out == Some(true)) => Outcome::Fail,
        Some(Some(_)) => Outcome::Pass,
    };
    let new = matches!(&facts.tpm, Some(Some(tpm)) if tpm.version.starts_with('2'));
    let uefi = match facts.uefi {
        None => Outcome::Unknown,
        Some(true) => Outcome::Pass,
        // A TPM 2.0 measures nothing that BitLocker can use unless UEFI starts the computer.
        Some(false) if by_tpm && new => Outcome::Fail,
        Some(false) => Outcome::Warn,
    };
    let secure = match facts.secure_boot {
        None => Outcome::Unknown,
        Some(on) => {
            if on {
                Outcome::Pass
            } else {
                Outcome::Warn
            }
        }
    };
    let forbidden = match unlock {
        UnlockKind::Tpm => policies.tpm == Some(0) || policies.tpm_pin == Some(1),
        UnlockKind::TpmPin => policies.tpm_pin == Some(0) || policies.tpm == Some(1),
        UnlockKind::Password | UnlockKind::StartupKey => !policies.without_tpm,
    };
    let allowed = if forbidden { Outcome::Fail } else { Outcome::Pass };
    vec![
        condition("bitlocker-tpm", tpm, "Win32_Tpm"),
        condition("bitlocker-uefi", uefi, "GetFirmwareType"),
        condition("bitlocker-secure-boot", secure, "UEFISecureBootEnabled"),
        condition("bitlocker-unlock-allowed", allowed, "UseAdvancedStartup"),
    ]
}

fn reasons(state: &State, numbers: &Numbers, method: Cipher) -> Vec<Reason> {
    let mut reasons = vec![state.judged().reason];
    if method == Cipher::Hardware {
        reasons.push(Reason::new("bitlocker-hardware-not-audited"));
        reasons.push(Reason::new("bitlocker-hardware-upgrades"));
    }
    if numbers.flags.is_some_and(|flags| flags & 1 != 0) && matches!(state, State::Protected { .. }) {
        reasons.push(Reason::new("bitlocker-used-space-only"));
    }
    reasons
}
