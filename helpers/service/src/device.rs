//! A disk, named by what no other disk ever has, and opened once.
//!
//! The id is the kernel's name and its sequence number, which the kernel gives to no second disk as long as it runs
//! (`/sys/block/NAME/diskseq`): a stick that was pulled out and another one in its place have the same node and
//! another id. The node is opened without following a symbolic link and held against the device number in `/sys`;
//! from then on everything goes through the open file.

use std::fmt;
use std::fs;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use model::{Fault, FaultKind};
use rustix::fs::{FileType, Mode, OFlags, fstat, major, minor, open};

/// Names a disk as long as it is plugged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskId {
    name: String,
    sequence: u64,
}

impl DiskId {
    /// Reads one as it came over the bus.
    ///
    /// # Errors
    /// `service-no-such-device`.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let parsed = text.split_once('@').and_then(|(name, sequence)| {
            let plain = !name.is_empty() && name.len() <= 32 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let digits = sequence.bytes().all(|byte| byte.is_ascii_digit());
            (plain && digits).then(|| Some(Self { name: name.to_owned(), sequence: sequence.parse().ok()? }))?
        });
        parsed.ok_or_else(|| gone(text))
    }

    /// The disk with this node.
    ///
    /// # Errors
    /// `service-no-such-device`.
    pub fn of(node: &Path) -> Result<Self, Fault> {
        Places::system().id(node)
    }
}

impl fmt::Display for DiskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name, self.sequence)
    }
}

/// A disk that is held open: whatever is done to its node, this is the disk that was asked for.
#[derive(Debug)]
pub struct Pinned {
    file: OwnedFd,
    node: PathBuf,
}

impl Pinned {
    /// Opens the disk.
    ///
    /// # Errors
    /// `service-no-such-device`: pulled out, swapped, or its node is not what it should be.
    pub fn open(id: &DiskId) -> Result<Self, Fault> {
        Places::system().open(id)
    }

    /// A path to the open disk, for this process alone.
    pub fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.file.as_raw_fd()).into()
    }

    /// The node that it was opened by, to be named to people and compared with lists.
    pub fn node(&self) -> &Path {
        &self.node
    }
}

/// Where nodes and facts lie.
struct Places {
    nodes: PathBuf,
    facts: PathBuf,
}

impl Places {
    fn system() -> Self {
        Self { nodes: "/dev".into(), facts: "/sys/block".into() }
    }

    fn fact(&self, name: &str, what: &str) -> Option<String> {
        Some(fs::read_to_string(self.facts.join(name).join(what)).ok()?.trim().to_owned())
    }

    fn id(&self, node: &Path) -> Result<DiskId, Fault> {
        let name = node.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let sequence = self.fact(name, "diskseq").ok_or_else(|| gone(name))?;
        DiskId::parse(&format!("{name}@{sequence}"))
    }

    fn open(&self, id: &DiskId) -> Result<Pinned, Fault> {
        let node = self.nodes.join(&id.name);
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        // Looked at before it is opened: some things do something when they are.
        let looked = rustix::fs::lstat(&node).map_err(|error| gone(id).because(error))?;
        if FileType::from_raw_mode(looked.st_mode) != FileType::BlockDevice {
            return Err(gone(id).because("not a block device"));
        }
        let file = open(&node, flags, Mode::empty()).map_err(|error| gone(id).because(error))?;
        let opened = fstat(&file).map_err(|error| gone(id).because(error))?;
        let number = format!("{}:{}", major(opened.st_rdev), minor(opened.st_rdev));
        let is_block = FileType::from_raw_mode(opened.st_mode) == FileType::BlockDevice;
        // Read after it was opened: an open disk keeps its number, and no other one gets it.
        let expected = self.fact(&id.name, "dev").zip(self.fact(&id.name, "diskseq"));
        match expected {
            Some((dev, sequence)) if is_block && dev == number && sequence == id.sequence.to_string() => {
                Ok(Pinned { file, node })
            }
            _ => Err(gone(id).because(format!("device number {number}"))),
        }
    }
}

fn gone(id: impl fmt::Display) -> Fault {
    Fault::new("service-no-such-device", FaultKind::Refused).with("id", id)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn ids_are_no_paths() {
        assert_eq!(DiskId::parse("sdb@17").unwrap().to_string(), "sdb@17");
        for text in [
            "",
            "sdb",
            "/dev/sdb@1",
            "../sda@1",
            "sdb@",
            "sdb@-1",
            "sdb@1 ",
            "@1",
            "s/b@1",
            ".@1",
            "sdb@9999999999999999999999",
        ] {
            assert!(DiskId::parse(text).is_err(), "{text:?}");
        }
    }

    fn places(folder: &Path, dev: &str, sequence: &str) -> Places {
        let places = Places { nodes: folder.join("dev"), facts: folder.join("sys") };
        fs::create_dir_all(&places.nodes).unwrap();
        fs::create_dir_all(places.facts.join("sdx")).unwrap();
        fs::write(places.facts.join("sdx/dev"), dev).unwrap();
        fs::write(places.facts.join("sdx/diskseq"), sequence).unwrap();
        places
    }

    #[test]
    fn a_link_or_a_file_in_the_nodes_place_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path(), "7:0\n", "17\n");
        let id = places.id(Path::new("/dev/sdx")).unwrap();
        assert_eq!(id.to_string(), "sdx@17");
        assert!(places.open(&id).is_err(), "nothing there");
        fs::write(places.nodes.join("sdx"), "a file").unwrap();
        assert!(places.open(&id).is_err(), "a file");
        fs::remove_file(places.nodes.join("sdx")).unwrap();
        symlink("/dev/loop0", places.nodes.join("sdx")).unwrap();
        assert!(places.open(&id).is_err(), "a link");
    }

    /// A node of our own making to a loop device: only the administrator can make one.
    #[test]
    fn a_node_of_another_disk_and_a_swapped_stick_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let number = fs::read_to_string("/sys/block/loop0/dev").unwrap_or_default();
        let places = places(folder.path(), &number, "17\n");
        let id = places.id(Path::new("/dev/sdx")).unwrap();
        let node = places.nodes.join("sdx");
        let made = std::process::Command::new("mknod").arg(&node).args(["b", "7", "0"]).output();
        if number.is_empty() || !made.is_ok_and(|made| made.status.success()) || places.open(&id).is_err() {
            println!("left out: no node of a loop device can be made and opened here");
            return;
        }
        // The disk was pulled out, and another one has its name, its node and its number.
        fs::write(places.facts.join("sdx/diskseq"), "18\n").unwrap();
        assert!(places.open(&id).is_err());
        fs::write(places.facts.join("sdx/diskseq"), "17\n").unwrap();
        // The node is another disk's.
        fs::write(places.facts.join("sdx/dev"), "8:16\n").unwrap();
        assert!(places.open(&id).is_err());
        fs::write(places.facts.join("sdx/dev"), number).unwrap();
        // What is done to the node afterwards changes nothing.
        let pinned = places.open(&id).unwrap();
        fs::remove_file(&node).unwrap();
        symlink("/dev/null", &node).unwrap();
        let shown = fs::metadata(pinned.path()).unwrap();
        assert_eq!(std::os::unix::fs::MetadataExt::rdev(&shown), rustix::fs::makedev(7, 0));
    }
}
