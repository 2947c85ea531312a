//! The conditions under which a running system may be encrypted: pure judgement of [`Facts`], each with its reason.

use model::{Condition, Outcome, Reason};

use crate::facts::{Facts, Power};
use crate::{Error, Result, parts, room, split};

const MIB: u64 = 1 << 20;
/// Bytes of the header, by which the data move back: what cryptsetup makes.
pub const SHIFT: u64 = 16 * MIB;
/// Bytes of the volume's sectors.
const SECTOR: u64 = 4096;
/// Smallest root that makes sense.
const LEAST: u64 = 256 * MIB;
/// Percent of the battery that get through a test start and a pause in the mains.
const BATTERY: u32 = 50;
/// What an initramfs grows by, and room for a second one while it is written.
pub const BOOT_NEEDED: u64 = 96 * MIB;

/// Judges everything, in the order in which people are shown it.
pub fn check(facts: &Facts) -> Vec<Condition> {
    let all = [
        root(facts),
        clean(facts),
        room(facts),
        health(facts),
        blocks(facts),
        cryptsetup(facts),
        packages(facts),
        package_work(facts),
        initramfs(facts),
        loader(facts),
        separate_boot(facts),
        boot_room(facts),
        kernel(facts),
        by_uuid(facts),
        twin(facts),
        swap(facts),
        hibernation(facts),
        power(facts.power),
        clock(facts),
        keyboard(facts),
        other_systems(facts),
    ];
    all.into()
}

/// The first condition that forbids it.
///
/// # Errors
/// [`Error::Condition`].
pub fn refuse(conditions: &[Condition]) -> Result<()> {
    match conditions.iter().find(|condition| condition.outcome == Outcome::Fail) {
        Some(condition) => Err(Error::Condition(Box::new(condition.clone()))),
        None => Ok(()),
    }
}

fn judged(code: &str, outcome: Outcome, reason: Reason) -> Condition {
    Condition { code: code.to_owned(), outcome, reason, evidence: String::new() }
}

fn pass(code: &str) -> Condition {
    judged(code, Outcome::Pass, Reason::new("boot-in-order"))
}

fn fail(code: &str, reason: Reason) -> Condition {
    judged(code, Outcome::Fail, reason)
}

fn warn(code: &str, reason: Reason) -> Condition {
    judged(code, Outcome::Warn, reason)
}

fn root(facts: &Facts) -> Condition {
    const CODE: &str = "boot-root";
    let device = facts.device();
    let content = device.fstype.clone().unwrap_or_else(|| "unknown".into());
    if let Some(below) = facts.root.iter().find(|part| part.kind == "crypt") {
        return fail(CODE, Reason::new("boot-root-encrypted").with("path", &below.name));
    }
    if device.kind != "part" || facts.root.len() != 2 || device.partuuid.is_none() {
        return fail(CODE, Reason::new("boot-root-device").with("kind", &device.kind));
    }
    if content != "ext4" {
        return fail(CODE, Reason::new("boot-root-file-system").with("content", &content));
    }
    if device.size < LEAST {
        return fail(CODE, Reason::new("boot-root-small").with("size", device.size).with("needed", LEAST));
    }
    pass(CODE)
}

fn clean(facts: &Facts) -> Condition {
    const CODE: &str = "boot-clean";
    match facts.root_errors {
        Some(0) => pass(CODE),
        Some(count) => fail(CODE, Reason::new("boot-errors").with("count", count)),
        None => judged(CODE, Outcome::Unknown, Reason::new("boot-errors-unseen")),
    }
}

/// resize2fs needs room to move things into: a root that is full to the last is not shrunk.
fn room(facts: &Facts) -> Condition {
    const CODE: &str = "boot-room";
    let size = facts.device().size;
    let needed = 2 * SHIFT + size / 100 + 64 * MIB;
    let free = size.saturating_sub(facts.root_used);
    if free < needed {
        return fail(CODE, Reason::new("boot-no-room").with("free", free).with("needed", needed));
    }
    pass(CODE)
}

/// The volume's sectors have 4096 bytes; the test start could not go on with smaller blocks.
fn blocks(facts: &Facts) -> Condition {
    const CODE: &str = "boot-blocks";
    let size = facts.device().size;
    if facts.root_block < SECTOR {
        return fail(CODE, Reason::new("boot-small-blocks").with("block", facts.root_block));
    }
    if !size.is_multiple_of(SECTOR) {
        return fail(CODE, Reason::new("boot-odd-size").with("path", &facts.device().name));
    }
    pass(CODE)
}

/// Two that make an initramfs at the same time leave one that nobody has looked at.
fn package_work(facts: &Facts) -> Condition {
    const CODE: &str = "boot-package-work";
    if facts.packages_unfinished {
        return fail(CODE, Reason::new("boot-packages-unfinished"));
    }
    pass(CODE)
}

fn health(facts: &Facts) -> Condition {
    const CODE: &str = "boot-health";
    match facts.healthy {
        Some(true) => pass(CODE),
        Some(false) => fail(CODE, Reason::new("boot-drive-failing")),
        None => judged(CODE, Outcome::Unknown, Reason::new("boot-health-unseen")),
    }
}

fn cryptsetup(facts: &Facts) -> Condition {
    const CODE: &str = "boot-cryptsetup";
    match facts.cryptsetup {
        Some(version) if version.is_safe_online() => pass(CODE),
        Some(version) => fail(CODE, Reason::new("boot-cryptsetup-damages").with("version", version)),
        None => fail(CODE, Reason::new("boot-packages-missing").with("packages", "cryptsetup")),
    }
}

fn packages(facts: &Facts) -> Condition {
    const CODE: &str = "boot-packages";
    if facts.missing.is_empty() {
        return pass(CODE);
    }
    fail(CODE, Reason::new("boot-packages-missing").with("packages", facts.missing.join(" ")))
}

fn initramfs(facts: &Facts) -> Condition {
    const CODE: &str = "boot-initramfs";
    match facts.initramfs {
        Some("initramfs-tools") => pass(CODE),
        Some(name) => fail(CODE, Reason::new("boot-initramfs-other").with("name", name)),
        None => fail(CODE, Reason::new("boot-initramfs-unknown")),
    }
}

fn loader(facts: &Facts) -> Condition {
    const CODE: &str = "boot-once";
    if !facts.systemd {
        return fail(CODE, Reason::new("boot-no-systemd"));
    }
    match facts.loader {
        Some(_) => pass(CODE),
        None => fail(CODE, Reason::new("boot-loader-none")),
    }
}

fn separate_boot(facts: &Facts) -> Condition {
    const CODE: &str = "boot-separate";
    match &facts.boot {
        Some(part) if part.kind == "part" => pass(CODE),
        Some(part) => fail(CODE, Reason::new("boot-boot-device").with("kind", &part.kind)),
        None => match split::plan(facts) {
            Some(plan) => {
                warn(CODE, Reason::new("boot-will-be-split").with("path", &plan.swap).with("size", plan.boot_size))
            }
            None => match room::plan(facts) {
                Some(room) => warn(CODE, Reason::new("boot-room-from-root").with("size", room.boot_size)),
                None => {
                    let needed = room::needed(split::needed(facts.boot_used), facts.device().size);
                    fail(CODE, Reason::new("boot-inside-root").with("needed", needed))
                }
            },
        },
    }
}

fn boot_room(facts: &Facts) -> Condition {
    const CODE: &str = "boot-boot-room";
    // A new one is made as large as it has to be.
    if facts.boot.is_some() && facts.boot_free < BOOT_NEEDED {
        return fail(CODE, Reason::new("boot-boot-full").with("free", facts.boot_free).with("needed", BOOT_NEEDED));
    }
    pass(CODE)
}

/// The kernel that runs must be one that the test entry can start.
fn kernel(facts: &Facts) -> Condition {
    const CODE: &str = "boot-kernel";
    if facts.kernels.contains(&facts.kernel) {
        return pass(CODE);
    }
    fail(CODE, Reason::new("boot-kernel-gone").with("version", &facts.kernel))
}

fn by_uuid(facts: &Facts) -> Condition {
    const CODE: &str = "boot-by-uuid";
    let uuid = facts.device().uuid.as_deref().unwrap_or_default();
    let right = format!("UUID={uuid}");
    let on_line = facts.cmdline.split_whitespace().rev().find_map(|word| word.strip_prefix("root="));
    if on_line.is_some_and(|root| root != right) {
        return fail(CODE, Reason::new("boot-root-by-name").with("name", on_line.unwrap_or_default()));
    }
    match facts.fstab.row(1, "/") {
        Some(row) if row[0].trim_matches('"') == right || row[0].ends_with(&format!("/by-uuid/{uuid}")) => pass(CODE),
        Some(row) => fail(CODE, Reason::new("boot-fstab-by-name").with("name", row[0])),
        None => fail(CODE, Reason::new("boot-fstab-by-name").with("name", "-")),
    }
}

/// A copy of the root, or of its partition's entry, would be taken for the root.
fn twin(facts: &Facts) -> Condition {
    const CODE: &str = "boot-twin";
    let own = facts.device();
    let same = |one: &Option<String>, other: &Option<String>| one.is_some() && one == other;
    let twin = parts::all(&facts.parts)
        .into_iter()
        .find(|part| part.name != own.name && (same(&part.uuid, &own.uuid) || same(&part.partuuid, &own.partuuid)));
    match twin {
        Some(part) => fail(CODE, Reason::new("boot-root-twin").with("path", &part.name)),
        None => pass(CODE),
    }
}

fn swap(facts: &Facts) -> Condition {
    const CODE: &str = "boot-swap";
    match facts.plain_swaps().next() {
        Some(part) => warn(CODE, Reason::new("boot-swap-plain").with("path", &part.name)),
        None => pass(CODE),
    }
}

fn hibernation(facts: &Facts) -> Condition {
    const CODE: &str = "boot-hibernation";
    match &facts.resume {
        Some(place) => warn(CODE, Reason::new("boot-no-hibernation").with("place", place)),
        None => pass(CODE),
    }
}

fn power(power: Power) -> Condition {
    const CODE: &str = "boot-power";
    match (power.battery, power.mains) {
        (None, _) | (Some(_), Some(true)) => pass(CODE),
        (Some(percent), Some(false)) if percent < BATTERY => {
            fail(CODE, Reason::new("boot-battery-low").with("percent", percent).with("needed", BATTERY))
        }
        (Some(percent), _) => warn(CODE, Reason::new("boot-on-battery").with("percent", percent)),
    }
}

fn clock(facts: &Facts) -> Condition {
    const CODE: &str = "boot-clock";
    if (2025..2100).contains(&facts.year) {
        return pass(CODE);
    }
    warn(CODE, Reason::new("boot-clock-wrong").with("year", facts.year))
}

fn keyboard(facts: &Facts) -> Condition {
    const CODE: &str = "boot-keyboard";
    match &facts.layout {
        Some(layout) => warn(CODE, Reason::new("boot-keyboard-layout").with("layout", layout)),
        None => pass(CODE),
    }
}

fn other_systems(facts: &Facts) -> Condition {
    const CODE: &str = "boot-other-systems";
    const DATA: [&str; 8] = ["ext4", "ext3", "ext2", "btrfs", "xfs", "ntfs", "apfs", "BitLocker"];
    let disk = facts.root.first();
    let others: Vec<&str> = disk
        .into_iter()
        .flat_map(|disk| &disk.children)
        .filter(|part| part.name != facts.device().name && !part.is_mounted_at("/boot"))
        .filter(|part| part.fstype.as_deref().is_some_and(|kind| DATA.contains(&kind)))
        .map(|part| &*part.name)
        .collect();
    if others.is_empty() {
        return pass(CODE);
    }
    warn(CODE, Reason::new("boot-stays-plain").with("paths", others.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::tests::facts;
    use crate::fstab::Table;
    use crate::version::Version;

    fn refusal(change: impl FnOnce(&mut Facts)) -> Option<String> {
        let mut facts = facts();
        change(&mut facts);
        match refuse(&check(&facts)) {
            Err(Error::Condition(condition)) => Some(condition.reason.code),
            Err(error) => panic!("{error}"),
            Ok(()) => None,
        }
    }

    #[test]
    fn the_installers_layout_passes() {
        assert_eq!(refusal(|_| {}), None);
        let warned: Vec<String> = check(&facts())
            .into_iter()
            .filter(|condition| condition.outcome == Outcome::Warn)
            .map(|condition| condition.reason.code)
            .collect();
        assert_eq!(warned, ["boot-will-be-split", "boot-swap-plain"]);
    }

    #[test]
    fn each_condition_refuses() {
        let last = |facts: &mut Facts, change: fn(&mut parts::Part)| change(facts.root.last_mut().unwrap());
        let refused = |change: &dyn Fn(&mut Facts)| refusal(change).unwrap_or_default();
        assert_eq!(refused(&|f| last(f, |part| part.fstype = Some("xfs".into()))), "boot-root-file-system");
        assert_eq!(refused(&|f| last(f, |part| part.kind = "lvm".into())), "boot-root-device");
        assert_eq!(refused(&|f| last(f, |part| part.kind = "crypt".into())), "boot-root-encrypted");
        assert_eq!(refused(&|f| last(f, |part| part.partuuid = None)), "boot-root-device");
        assert_eq!(refused(&|f| f.root_errors = Some(3)), "boot-errors");
        assert_eq!(refused(&|f| f.root_used = f.device().size - (90 << 20)), "boot-no-room");
        assert_eq!(refused(&|f| f.healthy = Some(false)), "boot-drive-failing");
        assert_eq!(refused(&|f| f.cryptsetup = Some(Version(2, 7, 3))), "boot-cryptsetup-damages");
        assert_eq!(refused(&|f| f.cryptsetup = None), "boot-packages-missing");
        assert_eq!(refused(&|f| f.missing = vec!["fdisk"]), "boot-packages-missing");
        assert_eq!(refused(&|f| f.initramfs = Some("dracut")), "boot-initramfs-other");
        assert_eq!(refused(&|f| f.initramfs = None), "boot-initramfs-unknown");
        assert_eq!(refused(&|f| f.loader = None), "boot-loader-none");
        assert_eq!(refused(&|f| f.systemd = false), "boot-no-systemd");
        assert_eq!(refused(&|f| f.kernels.clear()), "boot-kernel-gone");
        assert_eq!(refused(&|f| f.fstab = Table::parse("/dev/vda2 / ext4 defaults 0 1")), "boot-fstab-by-name");
        assert_eq!(refused(&|f| f.cmdline = "root=/dev/vda2 ro".into()), "boot-root-by-name");
        let low = Power { battery: Some(20), mains: Some(false) };
        assert_eq!(refused(&|f| f.power = low), "boot-battery-low");
        assert_eq!(refused(&|f| f.root_block = 1024), "boot-small-blocks");
        assert_eq!(refused(&|f| last(f, |part| part.size += 512)), "boot-odd-size");
        assert_eq!(refused(&|f| f.packages_unfinished = true), "boot-packages-unfinished");
        // Nowhere to take a separate /boot from: no swap partition, and the root is too full for it.
        let full = |f: &mut Facts| {
            f.root[0].children[2].fstype = None;
            f.root_used = f.device().size - (200 << 20);
        };
        assert_eq!(refused(&full), "boot-inside-root");
    }
    /// It could be found first at the next start, and be written.
    #[test]
    fn a_twin_of_the_partition_is_refused() {
        let own = facts().device().clone();
        let other = Some("other".to_owned());
        for (uuid, partuuid, refused) in [
            (own.uuid.clone(), own.partuuid.clone(), true),
            (own.uuid.clone(), other.clone(), true),
            (other.clone(), own.partuuid.clone(), true),
            (other, None, false),
        ] {
            let twin = parts::Part { name: "/dev/vdb1".into(), uuid, partuuid, ..own.clone() };
            let code = refusal(|facts| facts.parts.push(twin));
            assert_eq!(code.as_deref(), refused.then_some("boot-root-twin"));
        }
    }
}
