use std::path::Path;

use drives::hardware::{self as own, Seen};
use model::{Condition, Outcome, Reason};
use opal::discovery::{Facts, Ssc};
use opal::preboot::Maker;
use opal::protect;
use opal::system::Sleep;

use super::{AtStart, Opens, Powered};
use crate::{Error, Result};

/// Whether a drive can be encrypted by itself, and why.
#[derive(Clone, Debug)]
pub struct Able {
    /// Each condition.
    pub conditions: Vec<Condition>,
    /// It can, and nothing is known against it.
    pub possible: bool,
    /// It can, and the processor should encrypt as well: something about it is doubtful.
    pub doubtful: bool,
    /// It was prepared by this program before.
    pub ours: bool,
    /// It shows an image while it is locked.
    pub shadow_mbr: bool,
    /// The person has to say how the computer sleeps with it.
    pub asks_about_sleep: bool,
    /// The first condition that is not met.
    pub refusal: Option<Reason>,
}

/// How a drive is opened at each start.
#[derive(Clone, Copy, Debug)]
pub enum Opening<'a> {
    /// The running system lies on it, so a program asks before the system is there. `None`: nobody makes one.
    BeforeSystem(Option<&'a dyn Maker>),
    /// The running system opens it.
    BySystem,
}

impl Opening<'_> {
    /// Who opens it then.
    fn opens(self) -> Opens {
        match self {
            Self::BeforeSystem(_) => Opens::BeforeSystem,
            Self::BySystem => Opens::by_this_system(),
        }
    }
}

/// Looks at a drive's own encryption, on a system that sleeps as it does. `system` is `None` for a drive that is no
/// part of a computer: one in a file. `begun`: the journal says that we began to prepare it, and its note may
/// not be there yet.
///
/// # Errors
/// The drive does not answer, is gone, or may not be asked.
pub fn check(powered: &Powered, path: &Path, by: Opening<'_>, system: Option<&AtStart>, begun: bool) -> Result<Able> {
    let mut drive = powered.open(path)?;
    let asks_about_sleep = system.is_some_and(|system| asks(system, by));
    let facts = drive.tper.refresh()?.facts();
    let mut seen = Seen::from_discovery(drive.tper.discovery());
    if let Some(device) = &drive.device {
        seen.model = device.label().model;
        seen.device_block_size = Some(device.block_size());
    } else if let Ok(able) = drives::capabilities(path)
        && let Some(told) = &able.drive
    {
        let known = Seen::from_drive(told);
        (seen.model, seen.firmware, seen.device_block_size) = (known.model, known.firmware, told.block_size.value);
    }
    let ours = begun || protect::note(&mut drive.tper).is_ok_and(|note| note.is_some());
    if ours {
        // By our note, which goes before what the table says of a drive that somebody has taken.
        (seen.owned, seen.locked, seen.locking_enabled) = (Some(false), Some(false), Some(false));
        (seen.mbr_enabled, seen.mbr_done) = (Some(false), Some(false));
    }
    let decision = own::decide(&seen);
    let mut conditions = vec![
        line("opal-2", seen.is_opal(), "opal-2-there", class_missing(&facts)),
        line("media-encryption", facts.media_encryption, "media-encryption-there", "media-encryption-missing"),
        line("drive-not-owned", ours || seen.taken() != Some(true), "drive-free", "drive-owned"),
        line("sid-not-blocked", ours || !facts.sid_blocked, "sid-free", "sid-blocked"),
        line(
            "geometry",
            seen.geometry_block_size.is_none_or(|size| seen.device_block_size.is_none_or(|device| device == size)),
            "geometry-fits",
            "geometry-differs",
        ),
        line("not-known-bad", decision.known_bad != Some(true), "no-flaw-known", "hardware-not"),
        opening(facts.mbr_shadow_supported, by),
        sleep(system, asks_about_sleep),
    ];
    if let Opening::BeforeSystem(maker) = by {
        conditions.push(start_program(maker));
    }
    let fits = matches!(decision.action, "offer_hw" | "offer_hw_plus_sw" | "after_revert_power_cycle");
    if !fits && conditions.iter().all(|condition| condition.outcome != Outcome::Fail) {
        conditions.push(line("hardware-encryption", false, "hardware-possible", "hardware-not"));
    }
    let failed = conditions.iter().find(|condition| condition.outcome == Outcome::Fail);
    Ok(Able {
        possible: failed.is_none(),
        doubtful: decision.action == "offer_hw_plus_sw",
        ours,
        shadow_mbr: facts.mbr_shadow_supported,
        asks_about_sleep,
        refusal: failed.map(|condition| condition.reason.clone()),
        conditions,
    })
}

/// Why it is none of ours.
fn class_missing(facts: &Facts) -> &'static str {
    if facts.ssc.contains(&Ssc::Enterprise) { "opal-2-enterprise" } else { "opal-2-missing" }
}

fn line(code: &str, met: bool, yes: &str, no: &str) -> Condition {
    let (outcome, reason) = if met { (Outcome::Pass, yes) } else { (Outcome::Fail, no) };
    Condition { code: code.into(), outcome, reason: Reason::new(reason), evidence: String::new() }
}

/// How it is opened at each start. The drive that the system lies on must ask before the system is there;
/// others are opened by the running system.
fn opening(shadow_mbr: bool, by: Opening<'_>) -> Condition {
    match (shadow_mbr, by) {
        (true, _) => line("shadow-mbr", true, "shadow-mbr-there", "shadow-mbr-missing"),
        (false, Opening::BeforeSystem(_)) => line("shadow-mbr", false, "shadow-mbr-there", "own-lock-no-start"),
        (false, Opening::BySystem) => line("shadow-mbr", true, "own-lock-by-service", "shadow-mbr-missing"),
    }
}

/// Whether the program that asks before the system can be put together here.
fn start_program(maker: Option<&dyn Maker>) -> Condition {
    let ready = maker.map(|maker| maker.ready());
    let met = matches!(ready, Some(Ok(())));
    // What is missing, by its technical name.
    let evidence = ready.and_then(std::result::Result::err).map_or_else(String::new, |fault| {
        let values: Vec<&str> = fault.args.values().map(String::as_str).collect();
        format!("{} {}", fault.code, values.join(" ")).trim_end().to_owned()
    });
    Condition { evidence, ..line("start-program", met, "start-program-there", "start-program-missing") }
}

/// Whether the person is asked. The drives of this computer are looked at only where it depends on them.
fn asks(system: &AtStart, by: Opening<'_>) -> bool {
    match system.sleep() {
        Sleep::Deep => true,
        Sleep::KernelKeeps => system.asks(by.opens()),
        Sleep::Shallow | Sleep::Unknown => false,
    }
}

/// What becomes of the drive while the computer sleeps with its memory powered (S3): the drive's power is
/// gone then, and it locks itself.
fn sleep(system: Option<&AtStart>, asks: bool) -> Condition {
    let (outcome, reason) = match (asks, system.map(AtStart::sleep)) {
        (_, None) => (Outcome::Pass, "sleep-virtual"),
        // The program that opened it was gone before this kernel began, or asks anew.
        (true, _) => (Outcome::Warn, "sleep-asks"),
        (_, Some(Sleep::Shallow)) => (Outcome::Pass, "sleep-shallow"),
        // The service that opens it gives the kernel the key as well.
        (_, Some(Sleep::KernelKeeps)) => (Outcome::Pass, "sleep-kernel"),
        (_, Some(Sleep::Deep | Sleep::Unknown)) => (Outcome::Unknown, "sleep-unknown"),
    };
    Condition { code: "drive-sleep".into(), outcome, reason: Reason::new(reason), evidence: String::new() }
}

impl Able {
    /// It, if it is possible.
    ///
    /// # Errors
    /// [`Error::HardwareRefused`] with the condition that is not met.
    pub fn or_refuse(self) -> Result<Self> {
        match &self.refusal {
            None => Ok(self),
            Some(reason) => Err(Error::HardwareRefused { reason: reason.code.clone() }),
        }
    }
}
