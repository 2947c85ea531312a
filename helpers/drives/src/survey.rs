//! The computer as a whole: its drives, every place where a person's data can lie, and the one verdict
//! that follows.

use std::collections::{BTreeMap, BTreeSet};

use model::{Computer, Content, DataPlace, Drive, Judged, PlaceKind, Verdict, Volume, VolumeId};

use crate::judge;
use crate::list::{Eyes, is_mounted_for_starting};
use crate::{Beneath, Kind, Mount, Node, Number, Platform, Result, Stack};

/// Everything that was seen at one moment.
#[derive(Clone, Debug)]
pub struct Survey {
    /// All drives, the system's first.
    pub drives: Vec<Drive>,
    /// The verdict on the whole, and the places that it follows from.
    pub computer: Computer,
    /// Every block device, what lies on what, and what is mounted from it.
    pub stack: Stack,
}

/// Looks at all drives, and at every place where data can lie. See [`list_on`](crate::list_on).
///
/// # Errors
/// Those of [`Platform::stack`].
pub fn survey_on(platform: &dyn Platform) -> Result<Survey> {
    let stack = platform.stack()?;
    let mut eyes = Eyes::new(platform, &stack);
    let drives = eyes.drives();
    let by_path: BTreeMap<&str, Number> = stack.nodes.values().map(|node| (node.path.as_str(), node.number)).collect();
    let volumes = drives.iter().flat_map(|drive| &drive.volumes);
    let volumes = volumes.filter_map(|volume| Some((volume.id.clone(), *by_path.get(volume.id.0.as_str())?))).collect();
    let mut coverage =
        Coverage { stack: &stack, eyes, drives: &drives, volumes, covered: BTreeSet::new(), places: Vec::new() };
    coverage.mounts();
    coverage.swaps();
    coverage.hibernation();
    coverage.closed();
    let mut places = coverage.places;
    places.sort_by_key(|place| place.kind);
    let judged: Vec<(PlaceKind, &Judged)> = places.iter().map(|place| (place.kind, &place.judged)).collect();
    let judged = judge::computer(&judged);
    Ok(Survey { computer: Computer { judged, places }, drives, stack })
}

struct Coverage<'a> {
    stack: &'a Stack,
    eyes: Eyes<'a>,
    drives: &'a [Drive],
    /// Each volume of the drives with its device.
    volumes: Vec<(VolumeId, Number)>,
    /// Volumes of the drives that some place lies on.
    covered: BTreeSet<VolumeId>,
    places: Vec<DataPlace>,
}

impl Coverage<'_> {
    /// Every mounted file system once. Of several places the root of the whole is named, or the one that
    /// was mounted first.
    fn mounts(&mut self) {
        let mut mounts: Vec<&Mount> = self.stack.mounts.iter().collect();
        mounts.sort_by_key(|mount| (!self.stack.is_root(&mount.point), mount.root != "/"));
        let mut seen = BTreeSet::new();
        for mount in mounts {
            let layer = Layer::of(mount);
            // A subvolume or a bind mount shows the same file system once more.
            let number = Some(mount.number).filter(|_| mount.devices.is_empty() || layer == Layer::Encrypting);
            let left_out = layer == Layer::Showing || self.is_system_image(mount);
            if left_out || !seen.insert((number, mount.devices.clone())) {
                continue;
            }
            if mount.devices.is_empty() {
                self.unseen_mount(mount);
                continue;
            }
            let (kind, judged) = match layer {
                Layer::Encrypting => {
                    (PlaceKind::Data, judge::encrypted_folder(&self.judged(&mount.devices), &mount.file_system))
                }
                _ => (self.kind_of(mount), self.judged(&mount.devices)),
            };
            self.put(kind, mount.point.display().to_string(), &mount.file_system, &mount.devices, judged);
        }
    }

    /// A file system whose devices cannot be told. One in memory or on another computer is no place
    /// here, and most of the kernel's own hold no data.
    fn unseen_mount(&mut self, mount: &Mount) {
        let holds_data = matches!(mount.file_system.as_str(), "zfs" | "btrfs" | "bcachefs" | "fuseblk");
        if !holds_data || !matches!(self.stack.beneath_folder(&mount.point), Beneath::Unknown(_)) {
            return;
        }
        let judged = judge::unseen_beneath(&mount.file_system);
        let kind = if self.stack.is_root(&mount.point) { PlaceKind::System } else { PlaceKind::Data };
        self.put(kind, mount.point.display().to_string(), &mount.file_system, &BTreeSet::new(), judged);
    }

    fn swaps(&mut self) {
        for swap in &self.stack.swaps {
            let mut place = swap.path.display().to_string();
            let devices = match (swap.file, self.stack.by_path(&place)) {
                (true, _) => self.stack.mount_of(&swap.path).map(|mount| mount.devices.clone()).unwrap_or_default(),
                (false, Some(node)) => {
                    place.clone_from(&node.path);
                    BTreeSet::from([node.number])
                }
                (false, None) => BTreeSet::new(),
            };
            // Compressed memory is gone at the next power-off, unless it writes to a device.
            let devices: BTreeSet<Number> = devices.iter().filter_map(|number| self.medium_of(*number)).collect();
            if devices.is_empty() {
                continue;
            }
            // A file in a file system that encrypts itself is as safe as that is.
            let own = devices.first().map(|number| self.eyes.look_at(*number).1);
            let plain = match own.filter(|own| swap.file && own.verdict != Verdict::NotProtected) {
                Some(own) => own,
                None => judge::plain_swap(),
            };
            let judged = self.judged_as(&devices, &plain);
            self.put(PlaceKind::Swap, place, "swap", &devices, judged);
        }
    }

    /// Where the memory goes when the computer sleeps without power.
    fn hibernation(&mut self) {
        let Some(number) = self.stack.resume else { return };
        let Some(node) = self.stack.nodes.get(&number) else { return };
        let devices = BTreeSet::from([number]);
        let judged = self.judged_as(&devices, &judge::plain_hibernation());
        self.put(PlaceKind::Hibernation, node.path.clone(), "swap", &devices, judged);
    }

    /// Volumes of the drives that no place lies on.
    fn closed(&mut self) {
        for drive in self.drives {
            for volume in &drive.volumes {
                let left_out = self.covered.contains(&volume.id)
                    || matches!(volume.judged.reason.code.as_str(), "for-starting" | "blank" | "partitions")
                    || self.is_for_starting(volume);
                if left_out {
                    continue;
                }
                let removable = drive.removable == Some(true) && !drive.system;
                let kind = match volume.content.0.as_str() {
                    _ if removable => PlaceKind::Removable,
                    "swap" => PlaceKind::Swap,
                    "swsuspend" => PlaceKind::Hibernation,
                    _ => PlaceKind::Closed,
                };
                self.places.push(DataPlace {
                    kind,
                    place: volume.id.0.clone(),
                    content: volume.content.clone(),
                    volumes: vec![volume.id.clone()],
                    judged: volume.judged.clone(),
                });
            }
        }
    }

    fn is_for_starting(&mut self, volume: &Volume) -> bool {
        match self.stack.by_path(&volume.id.0) {
            Some(node) => self.eyes.is_for_starting(node),
            None => false,
        }
    }

    fn put(&mut self, kind: PlaceKind, place: String, content: &str, devices: &BTreeSet<Number>, judged: Judged) {
        let below = self.stack.closure_below(devices.iter().copied());
        let volumes = self.volumes.iter().filter(|(_, number)| below.contains(number));
        let volumes: Vec<VolumeId> = volumes.map(|(id, _)| id.clone()).collect();
        self.covered.extend(volumes.iter().cloned());
        self.places.push(DataPlace { kind, place, content: Content(content.to_owned()), volumes, judged });
    }

    /// The verdict on what lies on these devices, by what encrypts them all the way down.
    fn judged(&mut self, devices: &BTreeSet<Number>) -> Judged {
        let Some(first) = devices.first() else { return judge::unseen_beneath("") };
        let plain = self.eyes.look_at(*first).1;
        self.judged_as(devices, &plain)
    }

    fn judged_as(&mut self, devices: &BTreeSet<Number>, plain: &Judged) -> Judged {
        let beneath: Vec<Option<Judged>> = devices.iter().flat_map(|number| self.eyes.beneath(*number)).collect();
        if beneath.iter().all(Option::is_none) {
            // What could not be read may be encrypted by something that was not seen.
            let own: Vec<Judged> = devices.iter().map(|number| self.eyes.look_at(*number).1).collect();
            if let Some(unseen) = own.into_iter().find(is_unseen) {
                return unseen;
            }
        }
        judge::place(&beneath, plain)
    }

    fn kind_of(&self, mount: &Mount) -> PlaceKind {
        if self.stack.is_root(&mount.point) {
            return PlaceKind::System;
        }
        let for_starting = |number: &Number| {
            self.stack.nodes.get(number).is_some_and(|node| is_mounted_for_starting(self.stack, node))
        };
        if mount.devices.iter().all(for_starting) {
            return PlaceKind::Start;
        }
        let below = self.stack.closure_below(mount.devices.iter().copied());
        let disks: Vec<&Node> = below.iter().filter_map(|number| self.stack.nodes.get(number)).collect();
        let mut disks = disks
            .into_iter()
            .filter_map(|node| match &node.kind {
                Kind::Disk(disk) => Some(disk.removable == Some(true)),
                _ => None,
            })
            .peekable();
        let removable = disks.peek().is_some() && disks.all(|removable| removable);
        match removable && !self.stack.carries_system(&mount.devices) {
            true => PlaceKind::Removable,
            false => PlaceKind::Data,
        }
    }

    /// A read-only image that a program was installed from (snap and the like): nobody's data.
    fn is_system_image(&self, mount: &Mount) -> bool {
        let image = |number: &Number| {
            matches!(
                self.stack.nodes.get(number).map(|node| &node.kind),
                Some(Kind::Loop { direct: false, .. } | Kind::Reader)
            )
        };
        let kind = matches!(mount.file_system.as_str(), "squashfs" | "erofs" | "iso9660" | "udf");
        kind && !mount.devices.is_empty() && mount.devices.iter().all(image)
    }

    /// A device whose content outlives power; `None` for compressed memory without a device behind it.
    fn medium_of(&self, number: Number) -> Option<Number> {
        let node = self.stack.nodes.get(&number)?;
        match node.kind {
            Kind::Memory => node.below.first().copied(),
            _ => Some(number),
        }
    }
}

/// What a file system adds to what it lies on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layer {
    /// It lies on devices.
    None,
    /// It shows the folders of another one, whose place counts itself.
    Showing,
    /// It encrypts files one by one, and keeps them in the folder of another one.
    Encrypting,
}

impl Layer {
    fn of(mount: &Mount) -> Self {
        match mount.file_system.as_str() {
            "ecryptfs" | "fuse.gocryptfs" | "fuse.encfs" | "fuse.cryfs" => Self::Encrypting,
            "overlay" => Self::Showing,
            name if name.starts_with("fuse.") => Self::Showing,
            _ => Self::None,
        }
    }
}

fn is_unseen(judged: &Judged) -> bool {
    judged.verdict == Verdict::Unknown
        && (judged.reason.code.starts_with("needs-rights") || judged.reason.code == "not-readable")
}
