//! The stack: every block device of the computer, what lies on what, and what is mounted from it.
//!
//! It is plain data, made once by a [`Platform`](crate::Platform) and asked as often as one likes;
//! nothing here touches the system. Edges point downwards: from a partition to its disk, from a
//! mapping, an array or a cache to its members, from a loop device to the devices that hold its file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use model::Bus;

use crate::judge::Facts;

/// A block device's number. The kernel's own name for it, which no renaming changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number {
    /// Which driver.
    pub major: u32,
    /// Which of its devices.
    pub minor: u32,
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

impl std::str::FromStr for Number {
    type Err = ();

    /// Reads `8:1`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (major, minor) = text.trim().split_once(':').ok_or(())?;
        Ok(Self { major: major.parse().map_err(drop)?, minor: minor.parse().map_err(drop)? })
    }
}

/// One block device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its number.
    pub number: Number,
    /// The kernel's name: `sda1`, `dm-0`.
    pub name: String,
    /// Where it is opened: `/dev/sda1`, `/dev/mapper/vault`.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Whether the kernel refuses writing.
    pub read_only: bool,
    /// What sort of device.
    pub kind: Kind,
    /// What it lies on, directly.
    pub below: BTreeSet<Number>,
    /// What the system's own service found on it, where it runs.
    pub noted: Noted,
    /// What the system's own encryption says of it (BitLocker, FileVault). `None`: nothing, or it may not
    /// be asked.
    pub told: Option<Facts>,
}

/// What sort of block device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A drive that stands at the bottom.
    Disk(Disk),
    /// A partition.
    Partition {
        /// Its number in the table, from 1. 0: not to be seen.
        number: u32,
    },
    /// A device-mapper device.
    Mapping(Mapping),
    /// A software array (md).
    Array,
    /// A bcache device.
    Cache,
    /// A file that is used as a block device.
    Loop {
        /// Its file, as the kernel spells the path. `None`: not to be seen.
        file: Option<PathBuf>,
        /// Whether that file is itself a block device: then the loop device is made of it directly.
        direct: bool,
    },
    /// Something at the bottom whose content lies in memory (zram, ram).
    Memory,
    /// A network block device, a ZFS volume and the like: what is beneath cannot be seen here.
    Opaque,
    /// An optical or floppy drive: never a target.
    Reader,
}

impl Kind {
    /// Its name in the words of `lsblk` where that has one.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Disk(_) => "disk",
            Self::Partition { .. } => "part",
            Self::Mapping(mapping) => mapping.name_of_kind(),
            Self::Array => "raid",
            Self::Cache => "cache",
            Self::Loop { .. } => "loop",
            Self::Memory => "memory",
            Self::Opaque => "opaque",
            Self::Reader => "rom",
        }
    }
}

/// What is known about a drive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disk {
    /// How it is connected.
    pub bus: Bus,
    /// Vendor and model; empty where the drive does not say.
    pub title: String,
    /// Whether it can be pulled out. `None`: not to be seen.
    pub removable: Option<bool>,
    /// Whether it turns. `None`: not to be seen.
    pub rotational: Option<bool>,
    /// Names the physical thing: two namespaces of one drive have the same. Empty: not to be seen.
    pub physical: String,
    /// A part that the drive keeps for itself (boot areas of an eMMC, hidden paths of a multipath
    /// NVMe drive): part of the stack, never shown.
    pub hidden: bool,
}

/// A device-mapper device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Its name, unescaped.
    pub name: String,
    /// Its UUID as the tool that made it wrote it (`CRYPT-LUKS2-…`, `LVM-…`, `mpath-…`).
    pub uuid: String,
    /// The cipher of a dm-crypt mapping (`aes-xts-plain64`), by the kernel's own table. `None`: not one,
    /// or not to be seen.
    pub cipher: Option<String>,
    /// Whether the kernel's own table says that it encrypts. `None`: not to be seen.
    pub encrypts: Option<bool>,
}

impl Mapping {
    /// Whether this is dm-crypt without any header on the medium: TrueCrypt and VeraCrypt write no kind
    /// into the UUID, or their own.
    pub fn is_plain_crypt(&self) -> bool {
        const WITHOUT_HEADER: [&str; 2] = ["CRYPT-PLAIN-", "CRYPT-TCRYPT-"];
        WITHOUT_HEADER.iter().any(|kind| self.uuid.starts_with(kind))
            || self.encrypts == Some(true) && !self.uuid.starts_with("CRYPT-")
    }

    /// Whether this encrypts, or belongs to something that does: one of cryptsetup's, or any other whose
    /// table in the kernel says so.
    pub fn is_crypt(&self) -> bool {
        self.uuid.starts_with("CRYPT-") || self.encrypts == Some(true)
    }

    fn name_of_kind(&self) -> &'static str {
        const KINDS: [(&str, &str); 3] = [("LVM-", "lvm"), ("mpath-", "mpath"), ("part", "part")];
        if self.is_crypt() {
            return "crypt";
        }
        KINDS.iter().find(|(start, _)| self.uuid.starts_with(start)).map_or("dm", |(_, name)| name)
    }

    /// Whether nobody can see what it does: whoever made it wrote no UUID, and the kernel's table may not
    /// be read.
    pub fn is_unseen(&self) -> bool {
        self.uuid.is_empty() && self.encrypts.is_none()
    }

    /// Whether this only joins several ways to one drive.
    pub fn is_multipath(&self) -> bool {
        self.uuid.starts_with("mpath-")
    }
}

/// What udev noted about a device the last time it looked: used where reading is not permitted, and
/// always marked so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noted {
    /// `ID_FS_TYPE`, as `blkid` spells it.
    pub content: Option<String>,
    /// `ID_FS_VERSION`.
    pub version: Option<String>,
    /// `ID_FS_LABEL`.
    pub label: Option<String>,
    /// `ID_FS_UUID`.
    pub uuid: Option<String>,
    /// `ID_PART_ENTRY_TYPE`: the partition's type, lower case.
    pub part_type: Option<String>,
    /// `ID_PART_TABLE_TYPE`.
    pub table: Option<String>,
}

/// One line of the table of mounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// Its number in the table.
    pub id: u64,
    /// The mount that it is mounted on.
    pub parent: u64,
    /// The number that files on it report. Major 0: made up by the file system.
    pub number: Number,
    /// Which folder of the file system is shown here (`/` unless bind mount or subvolume).
    pub root: String,
    /// Where.
    pub point: PathBuf,
    /// `ext4`, `fuse.sshfs`.
    pub file_system: String,
    /// What was mounted, in the words of whoever mounted it.
    pub source: String,
    /// Whether it can be written to.
    pub writable: bool,
    /// `upperdir` of an overlay.
    pub upper: Option<PathBuf>,
    /// The block devices that it reads, without going further down. Filled by [`Stack::settle`].
    pub devices: BTreeSet<Number>,
}

/// One area of swap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swap {
    /// Device or file.
    pub path: PathBuf,
    /// Whether it is a file.
    pub file: bool,
}

/// Everything seen at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// All block devices.
    pub nodes: BTreeMap<Number, Node>,
    /// All mounts, in the table's order.
    pub mounts: Vec<Mount>,
    /// Where the running system's own file system is mounted. `None`: at `/`.
    pub root: Option<PathBuf>,
    /// All active swap.
    pub swaps: Vec<Swap>,
    /// Devices of each mounted btrfs file system.
    pub btrfs: Vec<BTreeSet<Number>>,
    /// Members of each ZFS pool, by the pool's name.
    pub pools: BTreeMap<String, BTreeSet<Number>>,
    /// The device that the memory goes to when the computer sleeps without power. `None`: it does not
    /// do that.
    pub resume: Option<Number>,
}

/// What a folder lies on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beneath {
    /// These block devices, down to the drives.
    Devices(BTreeSet<Number>),
    /// The computer's memory: gone at the next power-off. Names the file system.
    Memory(String),
    /// Another computer. Names the file system.
    Network(String),
    /// It cannot be told. Names the file system, empty if not even that is known.
    Unknown(String),
}

/// What holds a device or an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// It, or something on top of it, is mounted at these places.
    Mounted(Vec<String>),
    /// It, or something on top of it, is swap.
    Swap,
    /// A mapping, an array or a loop device is made of it. Its path.
    Holder(String),
}

/// Whether a folder lies on the drive, or in the image, that a secret is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SameDrive {
    /// Yes: whoever loses the one loses the other.
    Yes,
    /// No.
    No,
    /// It cannot be told.
    Unknown,
}

/// What a path turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Located {
    /// A block device.
    Block(Number),
    /// A file or a folder, by its true path.
    File(PathBuf),
}

impl Stack {
    /// Works out once what each mount reads and what each loop device lies on. Whoever fills a stack
    /// calls it last.
    pub fn settle(&mut self) {
        let devices: Vec<BTreeSet<Number>> = self
            .mounts
            .iter()
            .map(|mount| match self.beneath_mount(mount, 0) {
                Beneath::Devices(devices) => devices,
                _ => BTreeSet::new(),
            })
            .collect();
        for (mount, devices) in self.mounts.iter_mut().zip(devices) {
            mount.devices = devices;
        }
        let files: Vec<(Number, PathBuf)> = self
            .nodes
            .values()
            .filter_map(|node| match &node.kind {
                Kind::Loop { file: Some(file), .. } => Some((node.number, file.clone())),
                _ => None,
            })
            .collect();
        for (number, file) in files {
            let device = self.by_path(&file.to_string_lossy()).map(|node| node.number).filter(|other| *other != number);
            let below = match device {
                Some(device) => BTreeSet::from([device]),
                None => self.mount_of(&file).map(|mount| mount.devices.clone()).unwrap_or_default(),
            };
            if let Some(node) = self.nodes.get_mut(&number) {
                node.below = below;
                node.kind = Kind::Loop { file: Some(file), direct: device.is_some() };
            }
        }
    }

    /// `from` and everything under it, down to the drives, through loop devices to the drive that
    /// holds their file.
    pub fn closure_below(&self, from: impl IntoIterator<Item = Number>) -> BTreeSet<Number> {
        self.walk(from, |node| node.below.iter().copied().collect())
    }

    /// `from` and everything that is made of it: partitions, mappings, arrays. Loop devices on files
    /// do not count, since they use a file system and not the device.
    pub fn closure_above(&self, from: Number) -> BTreeSet<Number> {
        self.walk([from], |node| self.directly_above(node.number))
    }

    /// What is made directly of this device.
    pub fn directly_above(&self, number: Number) -> Vec<Number> {
        let made_of_it = |node: &&Node| node.below.contains(&number) && !node.is_image();
        self.nodes.values().filter(made_of_it).map(|node| node.number).collect()
    }

    /// The disk of a partition.
    pub fn disk_of(&self, number: Number) -> Option<&Node> {
        let node = self.nodes.get(&number)?;
        match node.kind {
            Kind::Partition { .. } => node.below.first().and_then(|parent| self.nodes.get(parent)),
            _ => Some(node),
        }
    }

    /// Whether the device, or something made of it, is mounted, is swap, or is held by a mapping.
    pub fn use_of_device(&self, number: Number) -> Option<Use> {
        let above = self.closure_above(number);
        let points = self.mount_points(&above);
        if !points.is_empty() {
            return Some(Use::Mounted(points));
        }
        if self.swaps.iter().any(|swap| self.swap_devices(swap).intersects(&above)) {
            return Some(Use::Swap);
        }
        // A mapping on a whole disk (multipath, firmware RAID) claims its partitions too.
        let disk = self.disk_of(number).map(|disk| disk.number);
        let holders = [Some(number), disk].into_iter().flatten().flat_map(|below| self.directly_above(below));
        holders
            .chain(above.iter().copied().filter(|upper| *upper != number))
            .filter_map(|upper| self.nodes.get(&upper))
            .find(|node| !matches!(node.kind, Kind::Partition { .. }))
            .map(|node| Use::Holder(node.path.clone()))
    }

    /// Whether the image file is attached to a loop device that is mounted or held, or is swap.
    pub fn use_of_file(&self, path: &Path) -> Option<Use> {
        if self.swaps.iter().any(|swap| swap.file && swap.path == path) {
            return Some(Use::Swap);
        }
        let loops: Vec<&Node> = self.loops_on(path).collect();
        loops
            .iter()
            .find_map(|node| self.use_of_device(node.number))
            .or_else(|| loops.first().map(|node| Use::Holder(node.path.clone())))
    }

    /// Where this device, or what is made of it, is mounted.
    pub fn mounts_of_device(&self, number: Number) -> Vec<String> {
        self.mount_points(&self.closure_above(number))
    }

    /// Where the image file is mounted, through loop devices.
    pub fn mounts_of_file(&self, path: &Path) -> Vec<String> {
        let mut points: Vec<String> = self.loops_on(path).flat_map(|node| self.mounts_of_device(node.number)).collect();
        points.dedup();
        points
    }

    /// Whether the running system's own file system is mounted there.
    pub fn is_root(&self, point: &Path) -> bool {
        point == self.root.as_deref().unwrap_or(Path::new("/"))
    }

    /// Whether the running system lies on one of these devices, or starts from it.
    pub fn carries_system(&self, devices: &BTreeSet<Number>) -> bool {
        const OF_THE_SYSTEM: [&str; 6] = ["/", "/usr", "/boot", "/boot/efi", "/efi", "/nix/store"];
        let of_the_system = |mount: &&Mount| {
            self.is_root(&mount.point) || OF_THE_SYSTEM.iter().any(|point| mount.point == Path::new(point))
        };
        let under = self.mounts.iter().filter(of_the_system).flat_map(|mount| mount.devices.iter().copied());
        self.closure_below(under).intersects(devices)
    }

    /// What the folder lies on, all the way down. `folder` must be a true path (no links).
    pub fn beneath_folder(&self, folder: &Path) -> Beneath {
        match self.mount_of(folder) {
            Some(mount) => match self.beneath_mount(mount, 0) {
                Beneath::Devices(devices) => Beneath::Devices(self.closure_below(devices)),
                other => other,
            },
            None => Beneath::Unknown(String::new()),
        }
    }

    /// Whether `folder` lies on the same drive as `target`, or, where the target is an image file,
    /// inside it. An image on the same drive as the folder is no objection: what is going to be
    /// encrypted is the image. Both must be true paths (no links).
    pub fn same_drive(&self, folder: &Path, target: &Located) -> SameDrive {
        let mount = self.mount_of(folder);
        if let (Some(mount), Located::File(image)) = (mount, target)
            && self.mount_of(image).is_some_and(|holds_image| holds_image.number == mount.number)
        {
            // A file system that holds the image cannot lie inside it.
            return SameDrive::No;
        }
        // fuse2fs and the like name the image as their source.
        if let (Some(mount), Located::File(image)) = (mount, target)
            && Path::new(&mount.source) == image.as_path()
        {
            return SameDrive::Yes;
        }
        let under = match self.beneath_folder(folder) {
            Beneath::Devices(devices) => devices,
            Beneath::Memory(_) | Beneath::Network(_) => return SameDrive::No,
            Beneath::Unknown(_) => return SameDrive::Unknown,
        };
        let roots: BTreeSet<Number> = match target {
            Located::Block(number) if self.nodes.contains_key(number) => self.roots(*number),
            Located::Block(_) => return SameDrive::Unknown,
            Located::File(image) => self.loops_on(image).map(|node| node.number).collect(),
        };
        if roots.iter().any(|root| under.contains(root) || self.shares_a_drive(*root, &under)) {
            return SameDrive::Yes;
        }
        let hides = |number: &Number| self.nodes.get(number).is_none_or(|node| node.hides_what_is_beneath());
        if under.iter().any(hides) || roots.iter().any(hides) { SameDrive::Unknown } else { SameDrive::No }
    }

    /// The mount that shows `path`: from the root along the path, always into the mount that covers
    /// the place last, so that what is hidden under a later mount is not found.
    pub fn mount_of(&self, path: &Path) -> Option<&Mount> {
        let root = self.mounts.iter().find(|mount| {
            mount.point == Path::new("/")
                && (mount.parent == mount.id || !self.mounts.iter().any(|other| other.id == mount.parent))
        });
        let Some(mut current) = root else {
            // In a chroot that is no mount point itself only the longest prefix is left to go by.
            return self
                .mounts
                .iter()
                .filter(|mount| path.starts_with(&mount.point))
                .max_by_key(|mount| mount.point.components().count());
        };
        let mut at = PathBuf::new();
        for component in path.components() {
            at.push(component);
            let covers = |below: u64| {
                self.mounts.iter().rfind(|mount| mount.parent == below && mount.id != below && mount.point == at)
            };
            // As many times at most as there are mounts: a damaged table must not make a ring.
            for _ in 0..self.mounts.len() {
                match covers(current.id) {
                    Some(next) => current = next,
                    None => break,
                }
            }
        }
        Some(current)
    }

    /// A device by its path, its kernel name, or the name of its mapping, as `/proc` and `fstab`
    /// spell them.
    pub fn by_path(&self, path: &str) -> Option<&Node> {
        if let Some(node) = self.nodes.values().find(|node| node.path == path) {
            return Some(node);
        }
        let name = path.strip_prefix("/dev/")?;
        let mapped = name.strip_prefix("mapper/");
        // sysfs writes `cciss!c0d0` for /dev/cciss/c0d0.
        let kernel = name.replace('/', "!");
        self.nodes.values().find(|node| match (&node.kind, mapped) {
            (Kind::Mapping(mapping), Some(name)) => mapping.name == name,
            _ => node.name == kernel,
        })
    }

    /// Loop devices on this file.
    pub fn loops_on<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = &'a Node> {
        self.nodes
            .values()
            .filter(move |node| matches!(&node.kind, Kind::Loop { file: Some(file), .. } if file == path))
    }

    fn walk(&self, from: impl IntoIterator<Item = Number>, next: impl Fn(&Node) -> Vec<Number>) -> BTreeSet<Number> {
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<Number> = from.into_iter().collect();
        while let Some(number) = waiting.pop() {
            if seen.insert(number)
                && let Some(node) = self.nodes.get(&number)
            {
                waiting.extend(next(node));
            }
        }
        seen
    }

    fn mount_points(&self, devices: &BTreeSet<Number>) -> Vec<String> {
        let mut points = Vec::new();
        for mount in &self.mounts {
            let point = mount.point.display().to_string();
            if !points.contains(&point) && mount.devices.intersects(devices) {
                points.push(point);
            }
        }
        points
    }

    fn swap_devices(&self, swap: &Swap) -> BTreeSet<Number> {
        if swap.file {
            return BTreeSet::new();
        }
        self.by_path(&swap.path.display().to_string()).map(|node| node.number).into_iter().collect()
    }

    /// `depth` ends a ring of overlays that name each other.
    fn beneath_mount(&self, mount: &Mount, depth: u32) -> Beneath {
        let name = mount.file_system.as_str();
        if depth > 8 {
            return Beneath::Unknown(name.to_owned());
        }
        if mount.number.major != 0 {
            return Beneath::Devices(self.with_siblings([mount.number]));
        }
        // Several devices are written one behind the other (bcachefs).
        let named: Vec<Option<Number>> =
            mount.source.split(':').map(|part| self.by_path(part).map(|node| node.number)).collect();
        if let Some(devices) = named.into_iter().collect::<Option<Vec<Number>>>() {
            return Beneath::Devices(self.with_siblings(devices));
        }
        if name == "zfs"
            && let Some(members) = mount.source.split('/').next().and_then(|pool| self.pools.get(pool))
        {
            return Beneath::Devices(members.clone());
        }
        // A subvolume whose source is written oddly (`/dev/root`, `UUID=…`): if there is only one btrfs,
        // it is that one.
        if let ("btrfs", [only]) = (name, self.btrfs.as_slice()) {
            return Beneath::Devices(only.clone());
        }
        let folder = match name {
            "overlay" => mount.upper.as_deref(),
            // Files encrypted one by one above a folder: their bytes lie where that folder lies.
            "ecryptfs" | "fuse.gocryptfs" | "fuse.encfs" | "fuse.cryfs" => Some(Path::new(&mount.source)),
            _ => None,
        };
        if let Some(under) = folder.filter(|folder| folder.is_absolute()).and_then(|folder| self.mount_of(folder)) {
            return match under.id == mount.id {
                true => Beneath::Unknown(name.to_owned()),
                false => self.beneath_mount(under, depth + 1),
            };
        }
        match name {
            "tmpfs" | "ramfs" | "rootfs" | "devtmpfs" | "hugetlbfs" => Beneath::Memory(name.to_owned()),
            "nfs" | "nfs4" | "cifs" | "smb3" | "smbfs" | "9p" | "ceph" | "afs" | "virtiofs" | "vboxsf"
            | "fuse.sshfs" | "fuse.davfs" | "davfs" => Beneath::Network(name.to_owned()),
            _ => Beneath::Unknown(name.to_owned()),
        }
    }

    /// The devices and, where they belong to a btrfs file system, all others of it.
    fn with_siblings(&self, devices: impl IntoIterator<Item = Number>) -> BTreeSet<Number> {
        let mut all: BTreeSet<Number> = devices.into_iter().collect();
        for group in &self.btrfs {
            if group.intersects(&all) {
                all.extend(group);
            }
        }
        all
    }

    /// The drives under a device. A loop device counts as one: what is going to be encrypted is its
    /// file, not the drive that the file lies on.
    fn roots(&self, number: Number) -> BTreeSet<Number> {
        let under = self.walk([number], |node| match node.is_image() {
            true => Vec::new(),
            false => node.below.iter().copied().collect(),
        });
        let bottom =
            |number: &Number| self.nodes.get(number).is_none_or(|node| node.below.is_empty() || node.is_image());
        under.into_iter().filter(bottom).collect()
    }

    /// Two namespaces of one drive, or the parts of one eMMC.
    fn shares_a_drive(&self, root: Number, under: &BTreeSet<Number>) -> bool {
        let physical = |number: Number| match &self.nodes.get(&number)?.kind {
            Kind::Disk(disk) if !disk.physical.is_empty() => Some(disk.physical.as_str()),
            _ => None,
        };
        physical(root).is_some_and(|mine| under.iter().any(|number| physical(*number) == Some(mine)))
    }
}

impl Node {
    /// Whether this is a file that is used as a block device.
    fn is_image(&self) -> bool {
        matches!(self.kind, Kind::Loop { direct: false, .. })
    }

    pub(crate) fn hides_what_is_beneath(&self) -> bool {
        match self.kind {
            Kind::Opaque => true,
            Kind::Loop { .. } | Kind::Mapping(_) | Kind::Array | Kind::Cache => self.below.is_empty(),
            _ => false,
        }
    }
}

trait Intersects {
    fn intersects(&self, other: &Self) -> bool;
}

impl Intersects for BTreeSet<Number> {
    fn intersects(&self, other: &Self) -> bool {
        !self.is_disjoint(other)
    }
}
