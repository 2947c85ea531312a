//! What must be so before a volume can be encrypted, one by one, with why.

use std::path::Path;

use filesystems::{Found, Trouble};
use model::{Condition, Method, Outcome, Reason};

use crate::inspection::{Inspection, inspect_on};
use crate::judge::{Format, Health, Sight};
use crate::platform::Power;
use crate::{Platform, Result, SystemFacts, Use, system_facts};

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
/// Below this the charge does not last for sure.
const ENOUGH_CHARGE: u8 = 50;

/// The smallest volume that can be converted.
const SMALLEST: u64 = 2 * MIB;

/// Bytes that are wanted behind the data of a volume of this size: for the parked front and for the
/// shift by which the data move. A small volume gets a small header.
pub fn room_for(size: u64) -> u64 {
    let shifts = [16 * MIB, 8 * MIB, 4 * MIB, 2 * MIB, MIB];
    2 * shifts.into_iter().find(|shift| shift * 16 <= size).unwrap_or(MIB)
}

/// The checklist and the choice that follows from it.
#[derive(Clone, Debug)]
pub struct Check {
    /// What was seen.
    pub inspection: Inspection,
    /// Each condition.
    pub conditions: Vec<Condition>,
    /// The method. `None`: a condition that is needed is not met.
    pub method: Option<Method>,
    /// Why this one.
    pub reasons: Vec<Reason>,
    /// How room for the header is made.
    pub room: Reason,
}

impl Check {
    /// The first condition that is not met.
    pub fn refusal(&self) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.outcome == Outcome::Fail)
    }
}

/// Looks at a device or an image and goes through all conditions. Reads only.
///
/// # Errors
/// Those of [`inspect_on`].
pub fn check_on(platform: &dyn Platform, path: &Path) -> Result<Check> {
    let inspection = inspect_on(platform, path)?;
    let system = system_facts();
    let room = room(platform, &inspection);
    let conditions = vec![
        readable(&inspection),
        not_in_use(&inspection),
        not_read_only(&inspection),
        no_partitions(&inspection),
        not_encrypted(&inspection),
        file_system_known(&inspection),
        file_system_clean(&inspection),
        large_enough(&inspection),
        room.clone(),
        aes_instructions(&system),
        memory(&system),
        power(platform.power()),
        // Asking a drive for its own encryption is not built yet, and what was not asked is not "no".
        condition("hardware-encryption", Outcome::Unknown, Reason::new("hardware-not-asked")),
    ];
    let refused = conditions.iter().any(|condition| condition.outcome == Outcome::Fail);
    let mut reasons = vec![Reason::new("software-everywhere")];
    if system.aes == Some(true) {
        reasons.push(Reason::new("software-fast").with("processor", &system.processor));
    }
    reasons.push(Reason::new("hardware-not-asked"));
    Ok(Check {
        inspection,
        method: (!refused).then_some(Method::Software),
        reasons: if refused { Vec::new() } else { reasons },
        room: room.reason,
        conditions,
    })
}

fn condition(code: &str, outcome: Outcome, reason: Reason) -> Condition {
    Condition { code: code.to_owned(), outcome, reason, evidence: String::new() }
}

fn readable(seen: &Inspection) -> Condition {
    let (outcome, reason) = match seen.look.facts.sight {
        Sight::Full => (Outcome::Pass, Reason::new("can-be-read")),
        Sight::NoRights => (Outcome::Fail, Reason::new("needs-rights")),
        Sight::Failed => (Outcome::Fail, Reason::new("not-readable")),
    };
    condition("readable", outcome, reason)
}

fn not_in_use(seen: &Inspection) -> Condition {
    let reason = match &seen.in_use {
        None => return condition("not-in-use", Outcome::Pass, Reason::new("free")),
        Some(_) if seen.drive.system => Reason::new("used-by-system"),
        Some(Use::Mounted(places)) => Reason::new("mounted").with("place", places.join(", ")),
        Some(Use::Swap) => Reason::new("used-as-swap"),
        Some(Use::Holder(holder)) => Reason::new("held").with("holder", holder),
    };
    condition("not-in-use", Outcome::Fail, reason)
}

fn not_read_only(seen: &Inspection) -> Condition {
    let (outcome, reason) = match seen.read_only {
        false => (Outcome::Pass, Reason::new("can-be-written")),
        true => (Outcome::Fail, Reason::new("read-only")),
    };
    condition("writable", outcome, reason)
}

fn no_partitions(seen: &Inspection) -> Condition {
    let parts = seen.drive.volumes.len();
    let (outcome, reason) = match seen.look.facts.format {
        _ if parts > 1 => (Outcome::Fail, Reason::new("partitions")),
        Format::Partitions => (Outcome::Fail, Reason::new("partitions")),
        _ if seen.look.facts.sight != Sight::Full => (Outcome::Unknown, Reason::new("could-not-look")),
        Format::Member => (Outcome::Fail, Reason::new("member").with("content", &seen.look.content)),
        // A header at the very front of a drive without partitions looks like "not initialised" to other
        // systems, which offer to write a partition table over it.
        _ if seen.whole_drive => (Outcome::Warn, Reason::new("whole-drive")),
        _ => (Outcome::Pass, Reason::new("one-volume")),
    };
    condition("one-volume", outcome, reason)
}

/// Whether what lies there is something that could be encrypted in place at all.
const fn is_convertible(format: Format) -> bool {
    matches!(
        format,
        Format::FileSystem | Format::SelfEncrypting | Format::Swap | Format::Unclear | Format::Blank | Format::Unknown
    )
}

fn not_encrypted(seen: &Inspection) -> Condition {
    let facts = &seen.look.facts;
    let named = |code: &str| Reason::new(code).with("content", &seen.look.content);
    let (outcome, reason) = match facts.format {
        Format::Luks2 if facts.header == Health::Damaged => (Outcome::Fail, Reason::new("luks-damaged")),
        Format::Luks2 if facts.conversion.is_some() => (Outcome::Fail, Reason::new("conversion-begun")),
        Format::Luks2 | Format::Luks1 | Format::BitLocker | Format::OtherEncryption => {
            (Outcome::Fail, named("encrypted-already"))
        }
        _ if facts.opened_plain => (Outcome::Fail, named("encrypted-already")),
        _ if facts.leftover => (Outcome::Fail, Reason::new("leftover-header")),
        Format::SelfEncrypting => (Outcome::Warn, named("self-encrypting")),
        _ => match facts.sight {
            Sight::Full => (Outcome::Pass, Reason::new("no-encryption-found")),
            _ => (Outcome::Unknown, Reason::new("could-not-look")),
        },
    };
    condition("not-encrypted", outcome, reason)
}

fn file_system_known(seen: &Inspection) -> Condition {
    let named = |code: &str| Reason::new(code).with("content", &seen.look.content);
    let (outcome, reason) = match (&seen.look.file_system, seen.look.facts.format) {
        (Some(found), _) if found.external.is_some() => (Outcome::Fail, named("file-system-elsewhere")),
        (Some(_), _) => (Outcome::Pass, named("file-system-known")),
        (None, Format::Blank) => (Outcome::Pass, Reason::new("nothing-to-keep")),
        (None, format) if !is_convertible(format) && format != Format::Hibernated => {
            (Outcome::Unknown, Reason::new("does-not-matter"))
        }
        (None, Format::Hibernated) => (Outcome::Fail, Reason::new("hibernated")),
        (None, Format::Unclear) => (Outcome::Fail, Reason::new("unclear")),
        // A file system of which this is only a part, or whose end is missing.
        (None, Format::FileSystem) => (Outcome::Fail, named("file-system-not-whole")),
        // Its size is not known, so the whole volume counts as data.
        (None, Format::Unknown) if seen.look.facts.sight == Sight::Full => {
            (Outcome::Warn, Reason::new("file-system-unknown"))
        }
        (None, _) => (Outcome::Unknown, Reason::new("could-not-look")),
    };
    condition("file-system-known", outcome, reason)
}

fn file_system_clean(seen: &Inspection) -> Condition {
    let named = |code: &str| Reason::new(code).with("content", &seen.look.content);
    let facts = &seen.look.facts;
    let (outcome, reason) = match &seen.look.file_system {
        _ if facts.sight != Sight::Full => (Outcome::Unknown, Reason::new("could-not-look")),
        _ if !is_convertible(facts.format) => (Outcome::Unknown, Reason::new("does-not-matter")),
        None if facts.format == Format::Blank => (Outcome::Pass, Reason::new("nothing-to-keep")),
        None => (Outcome::Unknown, Reason::new("no-file-system")),
        Some(Found { trouble: Some(trouble), .. }) => match trouble {
            Trouble::Hibernated => (Outcome::Fail, Reason::new("windows-sleeps")),
            Trouble::Errors => (Outcome::Fail, named("file-system-errors")),
            _ if seen.in_use.is_some() => (Outcome::Warn, named("file-system-mounted")),
            _ => (Outcome::Fail, named("file-system-not-closed")),
        },
        Some(Found { clean: Some(true), .. }) => (Outcome::Pass, named("file-system-clean")),
        Some(Found { clean: Some(false), .. }) => (Outcome::Fail, named("file-system-not-closed")),
        Some(Found { clean: None, .. }) => (Outcome::Unknown, named("file-system-silent")),
    };
    condition("file-system-clean", outcome, reason)
}

fn large_enough(seen: &Inspection) -> Condition {
    let reason = |code: &str| Reason::new(code).with("size", seen.drive.size).with("needed", SMALLEST);
    let (outcome, reason) = match seen.drive.size {
        size if size < SMALLEST => (Outcome::Fail, reason("too-small")),
        _ => (Outcome::Pass, reason("large-enough")),
    };
    condition("large-enough", outcome, reason)
}

/// How the header gets its place: a gap behind the data, a larger image, a smaller file system.
fn room(platform: &dyn Platform, seen: &Inspection) -> Condition {
    let facts = &seen.look.facts;
    let size = seen.drive.size;
    let needed = room_for(size);
    let reason = |code: &str| Reason::new(code).with("needed", needed).with("content", &seen.look.content);
    let found = seen.look.file_system.as_ref();
    let data = match (found, facts.format) {
        (Some(found), _) => found.size,
        (None, Format::Blank) => 0,
        _ => size,
    };
    let (outcome, reason) = if facts.sight != Sight::Full {
        (Outcome::Unknown, Reason::new("could-not-look"))
    } else if !is_convertible(facts.format) {
        (Outcome::Unknown, Reason::new("does-not-matter"))
    } else if size.saturating_sub(data) >= needed {
        (Outcome::Pass, reason("room-gap"))
    } else if let Some(folder) = seen.image_folder() {
        match platform.free(folder) {
            Some(free) if free < needed => (Outcome::Fail, reason("room-disk-full").with("free", free)),
            _ => (Outcome::Pass, reason("room-grow")),
        }
    } else {
        match found {
            Some(found) if found.kind.can_shrink() => match found.used {
                // A file system needs some air: a tenth of what it holds, as well as what is taken away.
                Some(used) if used + used / 10 + needed > size => {
                    (Outcome::Warn, reason("room-tight").with("used_size", used))
                }
                _ => (Outcome::Pass, reason("room-shrink")),
            },
            Some(_) => (Outcome::Fail, reason("room-cannot-shrink")),
            None => (Outcome::Fail, reason("room-not-known")),
        }
    };
    condition("room", outcome, reason)
}

fn aes_instructions(system: &SystemFacts) -> Condition {
    let reason = |code: &str| Reason::new(code).with("processor", &system.processor);
    let (outcome, reason) = match system.aes {
        Some(true) => (Outcome::Pass, reason("aes-there")),
        Some(false) => (Outcome::Warn, reason("aes-missing")),
        None => (Outcome::Unknown, reason("aes-not-seen")),
    };
    condition("aes-instructions", outcome, reason)
}

fn memory(system: &SystemFacts) -> Condition {
    let reason = |code: &str| Reason::new(code).with("size", system.memory);
    let (outcome, reason) = match system.memory {
        0 => (Outcome::Unknown, Reason::new("memory-not-seen")),
        // Argon2id takes up to half of the memory, at most one gibibyte.
        size if size < 2 * GIB => (Outcome::Warn, reason("memory-small")),
        _ => (Outcome::Pass, reason("memory-enough")),
    };
    condition("memory", outcome, reason)
}

fn power(power: Power) -> Condition {
    let (outcome, reason) = match power {
        Power::Mains => (Outcome::Pass, Reason::new("power-mains")),
        Power::NoBattery => (Outcome::Pass, Reason::new("power-no-battery")),
        Power::Battery { percent: Some(percent) } => {
            let enough = percent >= ENOUGH_CHARGE;
            let code = if enough { "power-battery" } else { "power-battery-low" };
            (Outcome::Warn, Reason::new(code).with("percent", percent))
        }
        Power::Battery { percent: None } => (Outcome::Warn, Reason::new("power-battery-unknown")),
        Power::Unknown => (Outcome::Unknown, Reason::new("power-not-seen")),
    };
    condition("power", outcome, reason)
}
