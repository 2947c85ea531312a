//! Encryption by the drive itself (eDrive): when it is offered, and when it must be left.

use drives::hardware;
use model::{Condition, Outcome, Reason};

use crate::{Cipher, DriveFacts, Facts, Policies, State};

/// Each condition for encryption by the drive, with what was seen. `consent`: the person lets the policy be
/// set, which Windows wants before it uses such a drive.
pub fn hardware_conditions(facts: &Facts, drive: &DriveFacts, policies: &Policies, consent: bool) -> Vec<Condition> {
    let clean = facts.upgraded.map(|upgraded| !upgraded);
    let direct = drive.raid.map(|raid| !raid);
    let policy = match policies.hardware {
        Some(1) => Outcome::Pass,
        Some(_) => Outcome::Fail,
        None if consent => Outcome::Pass,
        None => Outcome::Fail,
    };
    let evidence = format!("{} {}", drive.model, drive.firmware).trim().to_owned();
    let trusted = match known_bad(drive) {
        None => Outcome::Unknown,
        Some(true) => Outcome::Fail,
        Some(false) => Outcome::Pass,
    };
    vec![
        condition("bitlocker-edrive-opal", seen(drive.opal2), &evidence),
        condition("bitlocker-edrive-1667", seen(drive.edrive), "IOCTL_EHSTOR_BANDMGMT_QUERY_CAPABILITIES"),
        condition("bitlocker-edrive-uefi", seen(facts.uefi), "GetFirmwareType"),
        condition("bitlocker-edrive-clean-install", seen(clean), r"HKLM\SYSTEM\Setup"),
        condition("bitlocker-edrive-direct", seen(direct), "STORAGE_ADAPTER_DESCRIPTOR"),
        condition("bitlocker-edrive-trusted", trusted, &evidence),
        condition("bitlocker-edrive-policy", policy, "HardwareEncryption"),
    ]
}

/// Whether a volume is encrypted by a drive that is known not to keep its word: then the way to software is
/// offered.
pub fn must_leave_hardware(state: &State, drive: &DriveFacts) -> bool {
    matches!(state, State::Protected { cipher: Cipher::Hardware, .. }) && known_bad(drive) == Some(true)
}

/// `None`: the drive does not say what it is.
fn known_bad(drive: &DriveFacts) -> Option<bool> {
    (!drive.model.is_empty()).then(|| hardware::lookup(&drive.model, &drive.firmware).is_some())
}

fn seen(value: Option<bool>) -> Outcome {
    match value {
        Some(true) => Outcome::Pass,
        Some(false) => Outcome::Fail,
        None => Outcome::Unknown,
    }
}

/// Conditions that stop somebody who can do something about it: the reason says what (`reason-CODE-not-met`).
pub const WITH_A_WAY_OUT: [&str; 6] = [
    "bitlocker-state-known",
    "bitlocker-edition",
    "bitlocker-recovery-allowed",
    "bitlocker-tpm",
    "bitlocker-uefi",
    "bitlocker-unlock-allowed",
];

/// A condition, and how it turned out.
pub(crate) fn condition(code: &str, outcome: Outcome, evidence: &str) -> Condition {
    let reason = match outcome {
        Outcome::Fail if WITH_A_WAY_OUT.contains(&code) => format!("{code}-not-met"),
        Outcome::Pass => "bitlocker-condition-met".to_owned(),
        Outcome::Fail => "bitlocker-condition-not-met".to_owned(),
        Outcome::Warn => "bitlocker-condition-not-ideal".to_owned(),
        Outcome::Unknown => "bitlocker-condition-not-seen".to_owned(),
    };
    Condition { code: code.to_owned(), outcome, reason: Reason::new(&reason), evidence: evidence.to_owned() }
}
