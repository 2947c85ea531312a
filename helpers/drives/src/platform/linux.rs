//! Linux: sysfs, `/proc` and udev's notes, read under a root that is `/` on a real computer and a
//! folder with a recorded one in the tests.

mod admin;
mod drive;
mod firmware;
mod power;
mod rate;
mod sysfs;
mod tables;
mod udev;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

use blockdev::{Access, Device, FileDevice};
use foreign::Foreign;

use crate::platform::{Platform, Power};
use crate::{DriveFacts, Error, Firmware, Kind, Located, Node, Number, Result, Stack};

/// A Linux computer, read from a root folder.
#[derive(Clone, Debug)]
pub struct Linux {
    root: PathBuf,
}

impl Default for Linux {
    /// The computer that this program runs on.
    fn default() -> Self {
        Self::recorded(Path::new("/"))
    }
}

impl Linux {
    /// The computer whose `sys`, `proc` and `run` lie in this folder.
    pub fn recorded(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    fn is_live(&self) -> bool {
        self.root == Path::new("/")
    }

    fn read(&self, name: &str) -> Result<String> {
        let path = self.root.join(name);
        // A mount point may hold any bytes; what is no UTF-8 is shown with replacement characters.
        match std::fs::read(&path) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(source) => Err(Error::Unreadable { path: path.display().to_string(), source }),
        }
    }

    /// Devices of each mounted btrfs file system, which has a number of its own in the table of mounts.
    fn btrfs(&self, stack: &Stack) -> Vec<BTreeSet<Number>> {
        let mut found = Vec::new();
        for file_system in sysfs::entries(&self.root.join("sys/fs/btrfs")) {
            let devices: BTreeSet<Number> = sysfs::entries(&file_system.join("devices"))
                .iter()
                .filter_map(|path| path.file_name()?.to_str())
                .filter_map(|name| stack.nodes.values().find(|node| node.name == name))
                .map(|node| node.number)
                .collect();
            if !devices.is_empty() {
                found.push(devices);
            }
        }
        found
    }

    /// Ciphers of dm-crypt mappings. sysfs does not tell them; `dmsetup` is asked, by its full path, and
    /// only where there is a mapping that could be one. LVM and multipath never are.
    fn note_ciphers(&self, stack: &mut Stack) {
        let mut table = None;
        for node in stack.nodes.values_mut() {
            if let Kind::Mapping(mapping) = &mut node.kind
                && (mapping.uuid.is_empty() || mapping.is_crypt())
            {
                let table = table.get_or_insert_with(|| self.mapping_table());
                mapping.cipher = tables::cipher_of(table, &mapping.name);
                mapping.encrypts = tables::encrypts(table, &mapping.name);
            }
        }
    }

    /// Members of ZFS pools: the module tells nobody, but each member has the pool's name in its label.
    /// Looked for only where a pool is mounted.
    fn pools(&self, stack: &Stack) -> BTreeMap<String, BTreeSet<Number>> {
        let mut pools: BTreeMap<String, BTreeSet<Number>> = BTreeMap::new();
        if !stack.mounts.iter().any(|mount| mount.file_system == "zfs") {
            return pools;
        }
        for node in stack.nodes.values() {
            let noted = node.noted.label.clone().filter(|_| node.noted.content.as_deref() == Some("zfs_member"));
            let pool = noted.or_else(|| self.pool_of(node));
            if let Some(pool) = pool {
                pools.entry(pool).or_default().insert(node.number);
            }
        }
        pools
    }

    fn pool_of(&self, node: &Node) -> Option<String> {
        if node.size == 0 || matches!(node.kind, Kind::Memory | Kind::Reader | Kind::Opaque) {
            return None;
        }
        let device = self.open(node).ok()?;
        foreign::recognise(&*device).ok()?.into_iter().find_map(|sign| match sign {
            Foreign::Zfs(zfs) => zfs.pool,
            _ => None,
        })
    }

    /// The kernel writes `0:0` where it resumes from nothing.
    fn resume(&self, stack: &Stack) -> Option<Number> {
        let number = self.read("sys/power/resume").ok()?.trim().parse().ok()?;
        stack.nodes.contains_key(&number).then_some(number)
    }

    fn mapping_table(&self) -> String {
        if !self.is_live() {
            return self.read("dmsetup-table").unwrap_or_default();
        }
        ["/usr/sbin/dmsetup", "/sbin/dmsetup"]
            .iter()
            .find_map(|tool| std::process::Command::new(tool).arg("table").env_clear().output().ok())
            .filter(|output| output.status.success())
            .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
            .unwrap_or_default()
    }

    /// The number of a node under `/dev`, where the root has one.
    fn number_of_node(&self, path: &str) -> Option<Number> {
        if !self.is_live() {
            return None;
        }
        let data = std::fs::metadata(path).ok()?;
        data.file_type().is_block_device().then(|| number(data.rdev()))
    }
}

impl Platform for Linux {
    fn stack(&self) -> Result<Stack> {
        let mut stack = Stack { nodes: sysfs::nodes(&self.root), ..Stack::default() };
        for node in stack.nodes.values_mut() {
            node.noted = udev::noted(&self.root, node.number);
        }
        stack.mounts = tables::mounts(&self.read("proc/self/mountinfo")?);
        for mount in &mut stack.mounts {
            // `/dev/disk/by-uuid/…` and other links: the node that they lead to, where they do.
            if mount.number.major == 0
                && mount.source.starts_with("/dev/")
                && let Some(number) = self.number_of_node(&mount.source)
                && let Some(node) = stack.nodes.get(&number)
            {
                mount.source.clone_from(&node.path);
            }
        }
        // A kernel without swap has no such file.
        stack.swaps = self.read("proc/swaps").map(|text| tables::swaps(&text)).unwrap_or_default();
        for swap in &mut stack.swaps {
            if let Some(number) = swap.path.to_str().and_then(|path| self.number_of_node(path))
                && let Some(node) = stack.nodes.get(&number)
            {
                swap.path = PathBuf::from(&node.path);
            }
        }
        stack.btrfs = self.btrfs(&stack);
        self.note_ciphers(&mut stack);
        stack.pools = self.pools(&stack);
        stack.resume = self.resume(&stack);
        stack.settle();
        Ok(stack)
    }

    fn locate(&self, path: &Path, stack: &Stack) -> Result<Located> {
        if !self.is_live() {
            let plain = without_dots(path);
            return Ok(match stack.by_path(&plain.to_string_lossy()) {
                Some(node) => Located::Block(node.number),
                None => Located::File(plain),
            });
        }
        let shown = path.display().to_string();
        let fail = |error| blockdev::Error::from_io(blockdev::Operation::Open, 0, &shown, error);
        let data = std::fs::metadata(path).map_err(fail)?;
        match data.file_type().is_block_device() {
            true => Ok(Located::Block(number(data.rdev()))),
            false => {
                // The kernel knows an image by the path that it was attached by, which may go another
                // way (bind mount, hard link) to the same file.
                let same_file = |file: &&PathBuf| {
                    std::fs::metadata(file).is_ok_and(|other| (other.dev(), other.ino()) == (data.dev(), data.ino()))
                };
                let attached = stack.nodes.values().filter_map(|node| match &node.kind {
                    Kind::Loop { file: Some(file), .. } => Some(file),
                    _ => None,
                });
                match attached.into_iter().find(same_file) {
                    Some(file) => Ok(Located::File(file.clone())),
                    None => Ok(Located::File(std::fs::canonicalize(path).map_err(fail)?)),
                }
            }
        }
    }

    fn open(&self, node: &Node) -> blockdev::Result<Box<dyn Device>> {
        if self.is_live() {
            // The kernel's name always leads there; `/dev/mapper` may lack its links.
            let path = Path::new("/dev").join(node.name.replace('!', "/"));
            return Ok(Box::new(FileDevice::open(&path, Access::Read)?));
        }
        match FileDevice::open(&self.root.join("dev").join(&node.name), Access::Read) {
            Err(blockdev::Error::Missing { .. }) => Err(blockdev::Error::NoRights { path: node.path.clone() }),
            opened => Ok(Box::new(opened?)),
        }
    }

    fn free(&self, folder: &Path) -> Option<u64> {
        let folder = self.root.join(folder.strip_prefix("/").unwrap_or(folder));
        let data = rustix::fs::statvfs(&folder).ok()?;
        data.f_bavail.checked_mul(data.f_frsize)
    }

    fn may_write(&self, path: &Path) -> Option<bool> {
        // Also "no" where the file system is mounted read-only, whoever asks.
        self.is_live().then(|| rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok())
    }

    fn power(&self) -> Power {
        power::source(&self.root)
    }

    fn firmware(&self) -> Firmware {
        firmware::facts(&self.root)
    }

    fn drive_facts(&self, drive: &Node) -> DriveFacts {
        drive::facts(&self.root, drive, self.is_live())
    }

    fn read_rate(&self, located: &Located, stack: &Stack) -> Option<u64> {
        if !self.is_live() {
            return None;
        }
        match located {
            Located::File(path) => rate::of_reading(path),
            Located::Block(number) => {
                let node = stack.nodes.get(number)?;
                rate::of_reading(&Path::new("/dev").join(node.name.replace('!', "/")))
            }
        }
    }
}

fn number(raw: u64) -> Number {
    Number { major: rustix::fs::major(raw), minor: rustix::fs::minor(raw) }
}

/// The path without `.` and `..`, by its letters alone: a recorded machine has no files to follow.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
