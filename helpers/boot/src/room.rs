//! Room for a separate `/boot` at the end of the root's own partition, where no swap partition can give it: as most
//! laptops are laid out that have a swap file.
//!
//! A mounted file system cannot be made smaller, so this takes a start of its own before the test start: no password
//! is asked for, nothing is encrypted, and whatever goes wrong, the system starts as ever. After it the running
//! system moves `/boot` ([`crate::split`]) and prepares the test start.

use std::fs;
use std::path::{Path, PathBuf};

use blockdev::{Access, Device, FileDevice};
use serde::{Deserialize, Serialize};

use crate::facts::Facts;
use crate::job::Job;
use crate::preflight::SHIFT;
use crate::{Error, Result, files, split, start, table, tool};

const MIB: u64 = 1 << 20;

/// How the root's partition is divided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Room {
    /// Bytes that the root's partition has afterwards.
    pub left: u64,
    /// Bytes of the new partition behind it.
    pub boot_size: u64,
}

/// Bytes that have to be free in the root for this to succeed: the new partition, the header twice, and what
/// `resize2fs` needs to move things into.
pub fn needed(boot_size: u64, size: u64) -> u64 {
    boot_size + 2 * SHIFT + size / 100 + 64 * MIB
}

/// Finds the room in the root's partition: one of a GPT, with ext4, and enough of it free.
pub fn plan(facts: &Facts) -> Option<Room> {
    let part = facts.device();
    let fits = part.kind == "part" && part.pttype.as_deref() == Some("gpt") && part.fstype.as_deref() == Some("ext4");
    let boot_size = split::needed(facts.boot_used);
    // What leaves the root is as much as its files in /boot take, and those move out of it later.
    let free = part.size.saturating_sub(facts.root_used);
    if !fits || free < needed(boot_size, part.size) {
        return None;
    }
    // The new partition begins at a whole mebibyte of the disk.
    let begin = part.offset()?;
    let at = (begin + part.size - boot_size) / MIB * MIB;
    Some(Room { left: at - begin, boot_size: begin + part.size - at })
}

/// What a partition is by what the kernel says of it.
struct Place {
    disk: PathBuf,
    number: u32,
    /// First sector of 512 bytes.
    start: u64,
}

impl Place {
    fn of(node: &Path) -> Result<Self> {
        let name = node.file_name().unwrap_or_default();
        let entry = Path::new("/sys/class/block").join(name);
        let entry = fs::canonicalize(&entry).map_err(Error::at(&entry))?;
        let number = |file: &str| -> Result<u64> {
            let path = entry.join(file);
            let text = fs::read_to_string(&path).map_err(Error::at(&path))?;
            text.trim().parse().map_err(|error| Error::odd(path.display(), error))
        };
        let disk =
            entry.parent().and_then(Path::file_name).ok_or_else(|| Error::odd(node.display(), "no partition"))?;
        let count = number("partition")?;
        Ok(Self {
            disk: Path::new("/dev").join(disk),
            number: u32::try_from(count).map_err(|error| Error::odd(node.display(), error))?,
            start: number("start")?,
        })
    }

    /// The first sector of the new partition.
    fn behind(&self, room: &Room) -> u64 {
        self.start + room.left / 512
    }
}

/// In the initramfs, before the root is mounted: the file system is checked and made smaller, then its partition,
/// and the new partition comes behind it. Each step can be done again.
///
/// # Errors
/// Those of the file system and of `sfdisk`; the system starts all the same.
pub(crate) fn make(job: &Job, node: &Path, room: &Room) -> Result<()> {
    // Also the room that the header needs, so that the test start has nothing to move any more.
    start::make_small(job, node, room.left)?;
    let place = Place::of(node)?;
    table::divide(&place.disk.display().to_string(), place.number, place.start, room.left, room.boot_size)
}

/// Whether the root's partition has been made smaller.
///
/// # Errors
/// Those of the device.
pub fn is_made(job: &Job, room: &Room) -> Result<bool> {
    Ok(FileDevice::open(&job.device(), Access::Read)?.size() == room.left)
}

/// In the running system: the new partition's node and its disk's. It is entered into the table if a cut came before
/// that.
///
/// # Errors
/// Those of `lsblk` and `sfdisk`.
pub(crate) fn partition(job: &Job, room: &Room) -> Result<(String, String)> {
    let node = fs::canonicalize(job.device()).map_err(Error::at(&job.device()))?;
    let place = Place::of(&node)?;
    let disk = place.disk.display().to_string();
    let at = place.behind(room);
    let find = || table::partition_at(&disk, at, room.boot_size);
    let found = match find()? {
        Some(found) => Some(found),
        None => {
            table::append(&disk, at, room.boot_size)?;
            find()?
        }
    };
    found.map(|found| (found, disk)).ok_or_else(|| Error::odd("sfdisk", "the new partition is not there"))
}

/// What was taken back leaves a file system that is smaller than its partition: it gets the rest again, mounted as it
/// is. One that fills its partition is left alone by `resize2fs` itself.
///
/// # Errors
/// Those of `sfdisk` and `resize2fs`.
pub(crate) fn give_back() -> Result<()> {
    let facts = Facts::load()?;
    if let Some(size) = may_have(&facts, table::size_on_disk)? {
        tool::run("resize2fs", [&facts.device().name, &format!("{}K", size / 1024)])?;
    }
    Ok(())
}

/// Bytes that the root's file system may have: its partition's, by the kernel and by the table on the disk. Where the
/// kernel could not be told of a smaller one, it would let the file system grow over the next partition. `None`: it is
/// no partition of that table, or no file system that grows.
fn may_have(facts: &Facts, on_disk: impl Fn(&str, u64) -> Result<Option<u64>>) -> Result<Option<u64>> {
    let [.., disk, part] = &facts.root[..] else { return Ok(None) };
    let (true, Some(start)) = (part.kind == "part" && part.fstype.as_deref() == Some("ext4"), part.start) else {
        return Ok(None);
    };
    Ok(on_disk(&disk.name, start)?.map(|size| size.min(part.size)))
}

/// What the initramfs needs beside what the test start needs.
pub(crate) const PROGRAMS: [&str; 2] = ["usr/sbin/sfdisk", "usr/bin/partx"];

/// Tells the hook that they are needed.
///
/// # Errors
/// [`Error::File`].
pub(crate) fn tell_hook(folder: &Path, needed: bool) -> Result<()> {
    let path = folder.join("makes-room");
    if needed { files::replace(&path, b"", 0o600) } else { files::remove(&path) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::tests::facts;

    /// The installer's layout with a swap file.
    fn with_swap_file() -> Facts {
        let mut facts = facts();
        facts.root[0].children.truncate(2);
        facts.parts[0].children.truncate(2);
        facts.swaps = vec!["/swapfile".into()];
        let last = facts.root.len() - 1;
        facts.root[last].size = 4 << 30;
        facts
    }

    #[test]
    fn the_end_of_the_root_becomes_boot() {
        let facts = with_swap_file();
        let room = plan(&facts).unwrap();
        assert_eq!(room, Room { left: (4 << 30) - (512 << 20), boot_size: 512 << 20 });
        assert!((facts.device().offset().unwrap() + room.left).is_multiple_of(MIB));
    }

    #[test]
    fn a_partition_that_begins_at_an_odd_place_is_divided_at_a_whole_mebibyte() {
        let mut facts = with_swap_file();
        let last = facts.root.len() - 1;
        facts.root[last].start = Some(63);
        let room = plan(&facts).unwrap();
        assert!((63 * 512 + room.left).is_multiple_of(MIB) && room.boot_size >= 512 << 20);
        assert_eq!(room.left + room.boot_size, 4 << 30);
    }

    #[test]
    fn what_is_given_back_is_what_kernel_and_table_both_say() {
        let facts = with_swap_file();
        let start = facts.device().start.unwrap();
        let on_disk = |size: Option<u64>| {
            may_have(&facts, |disk, at| {
                assert_eq!((disk, at), ("/dev/vda", start));
                Ok(size)
            })
            .unwrap()
        };
        // sfdisk has written a smaller entry, and the kernel was never told.
        assert_eq!(on_disk(Some(3 << 30)), Some(3 << 30));
        assert_eq!(on_disk(Some(4 << 30)), Some(4 << 30));
        assert_eq!(on_disk(Some(5 << 30)), Some(4 << 30));
        assert_eq!(on_disk(None), None);
        let mut other = facts.clone();
        let last = other.root.len() - 1;
        other.root[last].fstype = Some("btrfs".into());
        assert_eq!(may_have(&other, |_, _| panic!("nobody asks")).unwrap(), None);
    }

    #[test]
    fn too_full_or_another_table_gives_none() {
        let mut facts = with_swap_file();
        facts.root_used = (4 << 30) - (600 << 20);
        assert_eq!(plan(&facts), None);
        let mut facts = with_swap_file();
        let last = facts.root.len() - 1;
        facts.root[last].pttype = Some("dos".into());
        assert_eq!(plan(&facts), None);
    }
}
