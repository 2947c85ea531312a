//! What this computer and this drive can do, condition by condition, each with what it was told by: for
//! the choice between the computer's encryption and the drive's own, and for starting a system that is
//! encrypted.

use std::path::Path;
use std::time::{Duration, Instant};

use model::{Condition, Finding, Outcome, Reason};

use crate::hardware::{self, Decision, DoubtKind, Seen, Ssc};
use crate::inspection::inspect_on;
use crate::machine::{DriveFacts, Firmware, Transport};
use crate::{Kind, Located, Platform, Result};

/// What this computer and this drive can do.
#[derive(Clone, Debug)]
pub struct Capabilities {
    /// The firmware and what starts the system.
    pub firmware: Firmware,
    /// The drive and the way to it. `None`: an image file.
    pub drive: Option<DriveFacts>,
    /// What follows for the drive's own encryption. `None`: an image file.
    pub decision: Option<Decision>,
    /// Bytes a second that one core of this processor encrypts with AES-256-XTS.
    pub cipher_rate: Option<u64>,
    /// Bytes a second that were read from the drive or the image just now.
    pub read_rate: Option<u64>,
    /// Each condition.
    pub conditions: Vec<Condition>,
}

/// Asks the computer and the drive. Reads only; takes up to about a third of a second, because it
/// measures.
///
/// # Errors
/// Those of [`inspect_on`].
pub fn capabilities_on(platform: &dyn Platform, path: &Path) -> Result<Capabilities> {
    let inspection = inspect_on(platform, path)?;
    let stack = match platform.stack() {
        Err(crate::Error::NotYet { .. }) => crate::Stack::default(),
        stack => stack?,
    };
    let node = match &inspection.located {
        Located::Block(number) => stack
            .closure_below([*number])
            .into_iter()
            .filter_map(|lower| stack.nodes.get(&lower))
            .find(|node| matches!(node.kind, Kind::Disk(_))),
        Located::File(_) => None,
    };
    let mut drive = node.map(|node| platform.drive_facts(node));
    let read_rate = platform.read_rate(&inspection.located, &stack);
    if let (Some(drive), Some(rate)) = (&mut drive, read_rate) {
        drive.read_rate = Finding::seen(rate, "measured");
    }
    let firmware = platform.firmware();
    let cipher_rate = cipher_rate();
    let (mut conditions, decision) = match &drive {
        Some(drive) => {
            let (conditions, decision) = of_drive(drive);
            (conditions, Some(decision))
        }
        None => (vec![condition("transport", Outcome::Fail, Reason::new("transport-image"), "")], None),
    };
    conditions.extend(of_firmware(&firmware));
    conditions.push(brake(cipher_rate, read_rate));
    Ok(Capabilities { firmware, drive, decision, cipher_rate, read_rate, conditions })
}

fn condition(code: &str, outcome: Outcome, reason: Reason, evidence: &str) -> Condition {
    Condition { code: code.to_owned(), outcome, reason, evidence: evidence.to_owned() }
}

/// The conditions for the drive's own encryption, in the order in which they are asked, and what follows.
fn of_drive(drive: &DriveFacts) -> (Vec<Condition>, Decision) {
    let mut seen = Seen::from_drive(drive);
    seen.device_block_size = drive.block_size.value;
    let decision = hardware::decide(&seen);
    let mut conditions = vec![transport(drive), security_commands(drive), ata_security(drive)];
    conditions.extend(of_discovery(drive, &seen));
    conditions.push(hardware_encryption(&decision));
    (conditions, decision)
}

fn transport(drive: &DriveFacts) -> Condition {
    let (outcome, code) = match drive.transport.value {
        Some(Transport::Direct) => (Outcome::Pass, "transport-direct"),
        Some(Transport::Network) => (Outcome::Pass, "transport-network"),
        Some(Transport::UsbBridge) => (Outcome::Unknown, "transport-usb"),
        Some(Transport::Raid) => (Outcome::Unknown, "transport-raid"),
        Some(Transport::Virtual) => (Outcome::Unknown, "transport-virtual"),
        None => (Outcome::Unknown, "transport-not-seen"),
    };
    condition("transport", outcome, Reason::new(code), &drive.transport.origin)
}

/// Behind a bridge or a RAID controller a "no" is the controller's and not the drive's.
fn security_commands(drive: &DriveFacts) -> Condition {
    let direct = matches!(drive.transport.value, Some(Transport::Direct | Transport::Network));
    let (outcome, code) = match drive.security_commands.value {
        Some(true) => (Outcome::Pass, "security-commands-there"),
        Some(false) if direct => (Outcome::Fail, "security-commands-missing"),
        Some(false) => (Outcome::Unknown, "security-commands-hidden"),
        None => (Outcome::Unknown, "security-commands-not-seen"),
    };
    condition("security-commands", outcome, Reason::new(code), &evidence(&drive.security_commands))
}

fn ata_security(drive: &DriveFacts) -> Condition {
    let finding = &drive.ata_security;
    let (outcome, code) = match finding.value {
        Some(state) if state.locked => (Outcome::Fail, "ata-security-locked"),
        Some(state) if state.enabled => (Outcome::Fail, "ata-security-enabled"),
        Some(_) => (Outcome::Pass, "ata-security-off"),
        // Only ATA drives have it.
        None if finding.origin.is_empty() => (Outcome::Pass, "ata-security-none"),
        None => (Outcome::Unknown, "ata-security-not-seen"),
    };
    let seen = finding.value.map(|state| format!("{state:?}")).unwrap_or_default();
    condition("ata-security", outcome, Reason::new(code), &with_value(&finding.origin, &seen))
}

/// What only the drive's answer to Level 0 discovery tells, and the list of doubtful drives.
fn of_discovery(drive: &DriveFacts, seen: &Seen) -> Vec<Condition> {
    let told = seen.ssc.is_some();
    let missing = match seen.security_commands {
        Some(false) => "no-security-commands",
        _ if told => "discovery-silent",
        _ => "discovery-not-reached",
    };
    let classes = seen.ssc.iter().flatten().map(|class| class.name()).collect::<Vec<_>>().join(", ");
    let evidence = with_value(&drive.discovery.origin, &classes);
    let of = |code: &str, value: Option<bool>, yes: (Outcome, &str), no: (Outcome, &str)| {
        let (outcome, reason) = match value {
            Some(true) => yes,
            Some(false) => no,
            None => (Outcome::Unknown, missing),
        };
        condition(code, outcome, Reason::new(reason), &evidence)
    };
    use Outcome::{Fail, Pass, Warn};
    let opal_2 = seen.ssc.as_ref().map(|_| seen.is(Ssc::Opal2));
    let geometry = match (seen.geometry_block_size, seen.device_block_size) {
        (Some(security), Some(system)) => Some(security == system),
        _ => None,
    };
    let edrive = seen.edrive_possible();
    vec![
        of("opal-2", opal_2, (Pass, "opal-2-there"), (Fail, "opal-2-missing")),
        of(
            "media-encryption",
            seen.media_encryption,
            (Pass, "media-encryption-there"),
            (Fail, "media-encryption-missing"),
        ),
        of("drive-not-owned", seen.taken().map(|taken| !taken), (Pass, "drive-free"), (Fail, "drive-owned")),
        of("sid-not-blocked", seen.sid_blocked.map(|blocked| !blocked), (Pass, "sid-free"), (Fail, "sid-blocked")),
        of("edrive", edrive.map(|answer| answer != "no"), (Pass, "edrive-possible"), (Warn, "edrive-not")),
        of("geometry", geometry, (Pass, "geometry-fits"), (Fail, "geometry-differs")),
        of("shadow-mbr", seen.mbr_supported, (Pass, "shadow-mbr-there"), (Warn, "shadow-mbr-missing")),
        known_bad(drive, seen),
    ]
}

fn known_bad(drive: &DriveFacts, seen: &Seen) -> Condition {
    let model = with_value(&drive.model.origin, &[seen.model.as_str(), &seen.firmware].join(" "));
    if seen.model.is_empty() {
        return condition("not-known-bad", Outcome::Unknown, Reason::new("model-not-seen"), &model);
    }
    let Some(doubt) = hardware::lookup(&seen.model, &seen.firmware) else {
        return condition("not-known-bad", Outcome::Pass, Reason::new("no-flaw-known"), &model);
    };
    let (outcome, code) = match doubt.kind {
        DoubtKind::Weak => (Outcome::Fail, "drive-weak"),
        _ => (Outcome::Warn, "drive-doubtful"),
    };
    let reason = Reason::new(code).with("drive", &doubt.name).with("flaw", &doubt.flaw);
    condition("not-known-bad", outcome, reason, &with_value(&model, &doubt.sources.join("; ")))
}

/// What follows for the drive's own encryption, and what would have to change for it.
fn hardware_encryption(decision: &Decision) -> Condition {
    let (outcome, code) = match decision.action {
        "offer_hw" | "offer_hw_plus_sw" | "after_revert_power_cycle" => (Outcome::Pass, "hardware-possible"),
        "hw_only_if_lbs_matches" | "auto_align" => (Outcome::Warn, "hardware-blocks"),
        "unblock_sid_then_offer_hw" | "unblock_sid" => (Outcome::Warn, "hardware-blocked"),
        "power_cycle" | "power_cycle_then_psid" | "verify_power_cycle" | "verify_after_write" => {
            (Outcome::Warn, "hardware-power-cycle")
        }
        "unlock_ata_first" | "unlock_first" | "unlock_or_psid" | "not_recoverable_here" => {
            (Outcome::Fail, "hardware-locked")
        }
        "use_bitlocker_or_psid"
        | "manage"
        | "owner_password_or_psid"
        | "find_owner"
        | "save_key_for_resume_or_disable_s3" => (Outcome::Warn, "hardware-taken"),
        "software" => (Outcome::Fail, "hardware-not"),
        _ => (Outcome::Unknown, "hardware-not-known"),
    };
    condition("hardware-encryption", outcome, Reason::new(code), decision.action)
}

/// The conditions for starting an encrypted system.
fn of_firmware(firmware: &Firmware) -> Vec<Condition> {
    let yes_or_no = |code: &str, finding: &Finding<bool>, yes: (Outcome, &str), no: (Outcome, &str), unknown: &str| {
        let (outcome, reason) = match finding.value {
            Some(true) => yes,
            Some(false) => no,
            None => (Outcome::Unknown, unknown),
        };
        condition(code, outcome, Reason::new(reason), &evidence(finding))
    };
    let by_name = |code: &str, finding: &Finding<String>, there: &str, missing: &str, unknown: &str| {
        let (outcome, reason) = match finding.value.as_deref() {
            Some("") => (Outcome::Warn, Reason::new(missing)),
            Some(name) => (Outcome::Pass, Reason::new(there).with("name", name)),
            None => (Outcome::Unknown, Reason::new(unknown)),
        };
        condition(code, outcome, reason, &evidence(finding))
    };
    use Outcome::{Pass, Warn};
    vec![
        yes_or_no("uefi", &firmware.uefi, (Pass, "uefi-there"), (Warn, "uefi-missing"), "uefi-not-seen"),
        by_name(
            "uefi-version",
            &firmware.uefi_version,
            "uefi-version-there",
            "uefi-version-not-seen",
            "uefi-version-not-seen",
        ),
        yes_or_no("csm", &firmware.csm, (Warn, "csm-on"), (Pass, "csm-off"), "csm-not-seen"),
        yes_or_no(
            "secure-boot",
            &firmware.secure_boot,
            (Pass, "secure-boot-on"),
            (Warn, "secure-boot-off"),
            "secure-boot-not-seen",
        ),
        by_name("tpm", &firmware.tpm, "tpm-there", "tpm-missing", "tpm-not-seen"),
        by_name(
            "boot-loader",
            &firmware.boot_loader,
            "boot-loader-there",
            "boot-loader-not-seen",
            "boot-loader-not-seen",
        ),
        by_name("initramfs", &firmware.initramfs, "initramfs-there", "initramfs-not-seen", "initramfs-not-seen"),
    ]
}

/// Which of the two is the brake: the drive, or the cipher on one core.
fn brake(cipher: Option<u64>, drive: Option<u64>) -> Condition {
    let (outcome, reason) = match (cipher, drive) {
        (Some(cipher), Some(drive)) => {
            let (outcome, code) = match cipher {
                _ if cipher >= drive.saturating_mul(2) => (Outcome::Pass, "brake-drive"),
                _ if cipher >= drive => (Outcome::Pass, "brake-both"),
                _ => (Outcome::Warn, "brake-cipher"),
            };
            (outcome, Reason::new(code).with("cipher_rate", cipher).with("drive_rate", drive))
        }
        (Some(cipher), None) => (Outcome::Unknown, Reason::new("brake-not-seen").with("cipher_rate", cipher)),
        (None, _) => (Outcome::Unknown, Reason::new("brake-not-measured")),
    };
    condition("brake", outcome, reason, "")
}

/// How fast one core encrypts, over a few hundredths of a second.
fn cipher_rate() -> Option<u64> {
    const PIECE: usize = 1 << 20;
    const PATIENCE: Duration = Duration::from_millis(40);
    let mut key = [0x5a; 64];
    key[32..].fill(0xa5);
    let xts = xts::Xts::new(&key).ok()?;
    let mut data = vec![0; PIECE];
    // The first time counts the memory and not the cipher.
    xts.encrypt_sectors(&mut data, 0, 4096).ok()?;
    let (mut done, begun) = (0_u64, Instant::now());
    while begun.elapsed() < PATIENCE {
        xts.encrypt_sectors(&mut data, done / 512, 4096).ok()?;
        done += PIECE as u64;
    }
    let micros = u64::try_from(begun.elapsed().as_micros()).ok().filter(|micros| *micros > 0)?;
    Some(done.saturating_mul(1_000_000) / micros)
}

fn evidence<T: std::fmt::Debug>(finding: &Finding<T>) -> String {
    let seen = finding.value.as_ref().map(|value| format!("{value:?}")).unwrap_or_default();
    with_value(&finding.origin, &seen)
}

fn with_value(origin: &str, seen: &str) -> String {
    match (origin, seen) {
        (_, "") => origin.to_owned(),
        ("", _) => seen.to_owned(),
        _ => format!("{origin} = {seen}"),
    }
}
