//! All drives of the computer with what lies on them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use model::{Bus, Content, Drive, Finding, Judged, Verdict, Volume, VolumeId};

use crate::inspect::{Look, look, unseen};
use crate::judge::{self, Format};
use crate::{Disk, Kind, Mount, Node, Number, Platform, Result, Stack, Use};

/// All drives of the computer, the system's first. Every device is opened read-only; what may not be
/// read is "unknown", with what udev noted about it.
///
/// # Errors
/// Those of [`Platform::stack`].
pub fn list_on(platform: &dyn Platform) -> Result<Vec<Drive>> {
    let stack = platform.stack()?;
    Ok(Eyes::new(platform, &stack).drives())
}

/// A drive that stands for itself: with a medium, not kept hidden, and not the second path to a drive
/// that is shown already.
fn is_shown(stack: &Stack, node: &Node) -> bool {
    let Kind::Disk(disk) = &node.kind else { return false };
    if disk.hidden || node.size == 0 {
        return false;
    }
    let paths = stack
        .directly_above(node.number)
        .into_iter()
        .filter_map(|upper| stack.nodes.get(&upper))
        .find(|upper| matches!(&upper.kind, Kind::Mapping(mapping) if mapping.is_multipath()));
    paths.is_none_or(|map| map.below.first() == Some(&node.number))
}

/// Looks at devices, each once.
pub(crate) struct Eyes<'a> {
    platform: &'a dyn Platform,
    stack: &'a Stack,
    seen: BTreeMap<Number, (Look, Judged)>,
    /// Devices that are being looked at, so that a ring in the stack ends.
    entered: BTreeSet<Number>,
}

impl<'a> Eyes<'a> {
    pub(crate) fn new(platform: &'a dyn Platform, stack: &'a Stack) -> Self {
        Self { platform, stack, seen: BTreeMap::new(), entered: BTreeSet::new() }
    }

    /// All drives that stand for themselves, the system's first.
    pub(crate) fn drives(&mut self) -> Vec<Drive> {
        let shown: Vec<&Node> = self.stack.nodes.values().filter(|node| is_shown(self.stack, node)).collect();
        let mut drives: Vec<Drive> = shown.into_iter().map(|node| self.drive(node)).collect();
        drives.sort_by_key(|drive| (!drive.system, drive.removable == Some(true)));
        drives
    }

    /// A drive with its partitions, or with itself where it has none.
    pub(crate) fn drive(&mut self, node: &Node) -> Drive {
        let parts = self.partitions(node.number);
        let volumes: Vec<&Node> = if parts.is_empty() { vec![node] } else { parts };
        self.drive_of(node, &volumes)
    }

    /// A drive that shows only one of its volumes, or a device that is no drive as one of its own.
    pub(crate) fn alone(&mut self, node: &Node) -> Drive {
        self.drive_of(node, &[node])
    }

    fn drive_of(&mut self, node: &Node, volumes: &[&Node]) -> Drive {
        let disk = match self.stack.disk_of(node.number).map(|disk| &disk.kind) {
            Some(Kind::Disk(disk)) => Some(disk),
            _ => None,
        };
        let judged: Vec<(Volume, bool)> =
            volumes.iter().map(|volume| (self.volume(volume), self.is_for_starting(volume))).collect();
        let verdicts: Vec<(Judged, bool)> =
            judged.iter().map(|(volume, starting)| (volume.judged.clone(), *starting)).collect();
        let mut all: BTreeSet<Number> = volumes.iter().map(|volume| volume.number).collect();
        all.insert(node.number);
        Drive {
            path: node.path.clone(),
            name: disk
                .map(|disk| disk.title.clone())
                .filter(|title| !title.is_empty())
                .unwrap_or_else(|| node.name.clone()),
            size: node.size,
            bus: disk.map_or(Bus::Unknown, |disk: &Disk| disk.bus),
            removable: disk.and_then(|disk| disk.removable),
            rotational: disk.and_then(|disk| disk.rotational),
            system: self.stack.carries_system(&all),
            judged: judge::drive(&verdicts),
            volumes: judged.into_iter().map(|(volume, _)| volume).collect(),
        }
    }

    fn volume(&mut self, node: &Node) -> Volume {
        let (look, judged) = self.look_at(node.number);
        Volume {
            id: VolumeId(node.path.clone()),
            size: node.size,
            content: Content(look.content),
            label: look.label,
            uuid: look.uuid,
            mounts: self.stack.mounts_of_device(node.number),
            in_use: self.stack.use_of_device(node.number).is_some(),
            judged,
            facts: look.details,
        }
    }

    /// What lies on a device, and the verdict.
    pub(crate) fn look_at(&mut self, number: Number) -> (Look, Judged) {
        if let Some(known) = self.seen.get(&number) {
            return known.clone();
        }
        let (look, judged) = self.look_new(number);
        self.seen.insert(number, (look.clone(), judged.clone()));
        (look, judged)
    }

    fn look_new(&mut self, number: Number) -> (Look, Judged) {
        let Some(node) = self.stack.nodes.get(&number) else {
            let look = Look::default();
            let judged = judge::volume(&look.facts);
            return (look, judged);
        };
        let for_starting = self.is_for_starting(node);
        let mut look = match self.platform.open(node) {
            Ok(device) => look(&*device),
            Err(error) => unseen(&error),
        }
        .with_notes(&node.noted, self.mounted_as(number))
        .with_told(node.told.as_ref());
        let facts = &mut look.facts;
        facts.in_use = self.stack.use_of_device(number).is_some();
        facts.system = self.stack.carries_system(&BTreeSet::from([number]));
        facts.for_starting = for_starting;
        let above = self.made_of(number);
        let opened = above.iter().find_map(|upper| match &upper.kind {
            Kind::Mapping(mapping) if mapping.is_crypt() => Some(mapping),
            _ => None,
        });
        let nameless = matches!(facts.format, Format::Unknown | Format::Blank);
        if let Some(mapping) = opened.filter(|mapping| mapping.is_plain_crypt() || nameless) {
            // Whatever its first bytes look like: it is open, so this is what they are.
            facts.opened_plain = mapping.is_plain_crypt();
            facts.opened_detached = !facts.opened_plain;
            facts.cipher.clone_from(&mapping.cipher);
            if let Some(cipher) = &mapping.cipher {
                look.details.insert("cipher".to_owned(), Finding::seen(cipher.clone(), "the kernel's table"));
            }
        } else if matches!(facts.format, Format::Member | Format::Unknown | Format::Blank) && !above.is_empty() {
            // Whatever its own first bytes are: it is a part of something that is active.
            facts.format = Format::Member;
            facts.inside = self.verdicts_of(number, &above);
        }
        let judged = judge::volume(&look.facts);
        (look, judged)
    }

    /// What encrypts each path from a device down to the drives; `None` for a path that nothing encrypts.
    pub(crate) fn beneath(&mut self, number: Number) -> Vec<Option<Judged>> {
        let mut found = Vec::new();
        self.beneath_into(number, &mut BTreeSet::new(), &mut found);
        found
    }

    fn beneath_into(&mut self, number: Number, entered: &mut BTreeSet<Number>, found: &mut Vec<Option<Judged>>) {
        let Some(node) = self.stack.nodes.get(&number) else { return found.push(None) };
        if !entered.insert(number) {
            return;
        }
        if matches!(&node.kind, Kind::Mapping(mapping) if mapping.is_crypt()) {
            // Integrity and the like lie between the mapping and the header.
            for lower in node.below.clone() {
                let helper = self.stack.nodes.get(&lower).is_some_and(
                    |node| matches!(&node.kind, Kind::Mapping(mapping) if mapping.uuid.starts_with("CRYPT-SUBDEV-") || mapping.uuid.starts_with("CRYPT-INTEGRITY-")),
                );
                match helper {
                    true => self.beneath_into(lower, entered, found),
                    false => found.push(Some(self.look_at(lower).1)),
                }
            }
            if node.below.is_empty() {
                found.push(Some(self.look_at(number).1));
            }
            return;
        }
        let unseen = matches!(&node.kind, Kind::Mapping(mapping) if mapping.is_unseen());
        if unseen || node.hides_what_is_beneath() {
            // Its own bytes are what is seen through it, which says nothing of what it lies on.
            return found.push(Some(judge::hidden_beneath()));
        }
        if node.below.is_empty() {
            return found.push(None);
        }
        for lower in node.below.clone() {
            self.beneath_into(lower, entered, found);
        }
    }

    fn verdicts_of(&mut self, number: Number, above: &[&Node]) -> Vec<Verdict> {
        if !self.entered.insert(number) {
            return vec![Verdict::Unknown];
        }
        let mut verdicts = Vec::new();
        for upper in above {
            let parts = self.partitions(upper.number);
            let counted = if parts.is_empty() { vec![*upper] } else { parts };
            verdicts.extend(counted.iter().map(|node| self.look_at(node.number).1.verdict));
        }
        self.entered.remove(&number);
        verdicts
    }

    /// Partitions that can hold something, in their order on the drive's list.
    fn partitions(&self, number: Number) -> Vec<&'a Node> {
        // An extended partition shows as two sectors: a frame for others, no volume.
        const FRAME: u64 = 1024;
        let parts = self.stack.directly_above(number).into_iter().filter_map(|upper| self.stack.nodes.get(&upper));
        parts.filter(|node| matches!(node.kind, Kind::Partition { .. }) && node.size > FRAME).collect()
    }

    /// The file system as which a device itself is mounted, or swap.
    fn mounted_as(&self, number: Number) -> Option<&'a str> {
        let mount = self
            .stack
            .mounts
            .iter()
            .find(|mount| mount.number == number || mount.devices.len() == 1 && mount.devices.contains(&number));
        let swap = || matches!(self.stack.use_of_device(number), Some(Use::Swap)).then_some("swap");
        match mount {
            Some(mount) => Some(mount.file_system.as_str()),
            None if self.made_of(number).is_empty() && self.partitions(number).is_empty() => swap(),
            None => None,
        }
    }

    /// Whether a partition is only there for starting the computer and holds nobody's data: by its
    /// type, in the drive's own table or as udev noted it, or by where it is mounted.
    pub(crate) fn is_for_starting(&mut self, node: &Node) -> bool {
        let Kind::Partition { number } = node.kind else { return false };
        if node.noted.part_type.as_deref().is_some_and(is_starting_type) || is_mounted_for_starting(self.stack, node) {
            return true;
        }
        let Some(disk) = node.below.first() else { return false };
        let (look, _) = self.look_at(*disk);
        let mut parts = look.partitions().into_iter().flat_map(|table| &table.partitions);
        parts.find(|part| part.number == number).is_some_and(|part| is_starting_type(&part.kind))
    }

    /// Mappings, arrays and caches that are made of a device.
    fn made_of(&self, number: Number) -> Vec<&'a Node> {
        let above = self.stack.directly_above(number).into_iter().filter_map(|upper| self.stack.nodes.get(&upper));
        above.filter(|node| matches!(node.kind, Kind::Mapping(_) | Kind::Array | Kind::Cache)).collect()
    }
}

/// Types of partitions that are only there for starting the computer.
const FOR_STARTING: [&str; 6] = [
    "c12a7328-f81f-11d2-ba4b-00a0c93ec93b", // EFI system partition
    "ef",                                   // the same in an MBR
    "21686148-6449-6e6f-744e-656564454649", // BIOS boot
    "bc13c2ff-59e6-4262-a352-b275fd6f7172", // extended boot loader partition
    "e3c9e316-0b5c-4db8-817d-f92df00215ae", // Microsoft reserved
    "de94bba4-06d1-4d40-a16a-bfd50179d6ac", // Windows recovery tools
];

pub(crate) fn is_starting_type(kind: &str) -> bool {
    let kind = kind.to_ascii_lowercase();
    FOR_STARTING.contains(&kind.strip_prefix("0x").unwrap_or(&kind))
}

/// Whether a device is mounted where systems keep what they start from, and nowhere else: a `/boot`
/// that is only a folder of the root's own file system does not count.
pub(crate) fn is_mounted_for_starting(stack: &Stack, node: &Node) -> bool {
    let number = BTreeSet::from([node.number]);
    let mut mounts = stack.mounts.iter().filter(|mount| mount.devices == number).peekable();
    let starts = |mount: &Mount| ["/boot", "/boot/efi", "/efi"].iter().any(|at| mount.point == Path::new(at));
    mounts.peek().is_some() && mounts.all(starts)
}
