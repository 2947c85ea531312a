//! The partition table on the disk, by `sfdisk`. The kernel's view of it may be older: it is told of changes, and
//! that can fail.

use std::fs;
use std::path::Path;

use blockdev::{Access, FileDevice};
use filesystems::probe;
use model::Secret;
use serde::Deserialize;

use crate::{Error, Result, parts, tool};

/// Makes a partition smaller and enters a new one behind it; places in units of 512 bytes. Can be done again.
///
/// # Errors
/// Those of `sfdisk`.
pub(crate) fn divide(disk: &str, number: u32, start: u64, left: u64, boot_size: u64) -> Result<()> {
    let line = format!("start={}, size={}\n", in_sectors(disk, start * 512)?, in_sectors(disk, left)?);
    change(disk, &["-N", &number.to_string(), disk], &line)?;
    append(disk, start + left / 512, boot_size)
}

/// Enters a new partition that begins there, in units of 512 bytes.
///
/// # Errors
/// Those of `sfdisk`.
pub(crate) fn append(disk: &str, at: u64, size: u64) -> Result<()> {
    let line = format!("start={}, size={}, type=linux\n", in_sectors(disk, at * 512)?, in_sectors(disk, size)?);
    change(disk, &["--append", disk], &line)
}

/// Changes the table. It may be in use; the kernel is told of what has changed alone.
fn change(disk: &str, words: &[&str], line: &str) -> Result<()> {
    let words = ["--quiet", "--force", "--no-reread", "--no-tell-kernel"].iter().chain(words);
    tool::run_with("sfdisk", words, &Secret::from(line))?;
    tool::run("partx", ["--update", disk])?;
    tool::run("udevadm", ["settle", "--timeout=30"]).map(|_| ())
}

/// Bytes as what the table counts in: the drive's logical sectors, 512 or 4096 bytes.
fn in_sectors(disk: &str, bytes: u64) -> Result<u64> {
    let name = disk.rsplit('/').next().unwrap_or_default();
    let said = fs::read_to_string(format!("/sys/class/block/{name}/queue/logical_block_size"));
    let sector = said.ok().and_then(|text| text.trim().parse().ok()).unwrap_or(512);
    match bytes.checked_rem(sector) {
        Some(0) => Ok(bytes / sector),
        _ => Err(Error::odd(disk, format!("{bytes} bytes are no whole sectors of {sector}"))),
    }
}

/// Bytes that the table on the disk gives to the partition that begins there, in units of 512 bytes. `None`: it has
/// none.
///
/// # Errors
/// Those of `sfdisk`.
pub(crate) fn size_on_disk(disk: &str, start: u64) -> Result<Option<u64>> {
    let printed = tool::run("sfdisk", ["--json", disk])?;
    let Printed { partitiontable: table } =
        serde_json::from_str(&printed).map_err(|error| Error::odd("sfdisk", error))?;
    let is_it = |entry: &&Entry| entry.start.checked_mul(table.sectorsize) == start.checked_mul(512);
    Ok(table.partitions.iter().find(is_it).and_then(|entry| entry.size.checked_mul(table.sectorsize)))
}

#[derive(Deserialize)]
struct Printed {
    partitiontable: Table,
}

#[derive(Deserialize)]
struct Table {
    // Not printed before util-linux 2.35.
    #[serde(default = "usual")]
    sectorsize: u64,
    #[serde(default)]
    partitions: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    start: u64,
    size: u64,
}

fn usual() -> u64 {
    512
}

/// The partition of the disk that begins at this place, in units of 512 bytes, and has this size.
///
/// # Errors
/// Those of `lsblk`; [`Error::PartitionTaken`] for one that begins there with another size.
pub(crate) fn partition_at(disk: &str, start: u64, size: u64) -> Result<Option<String>> {
    let disk = parts::load()?.into_iter().find(|part| part.name == disk);
    let mut children = disk.into_iter().flat_map(|disk| disk.children);
    match children.find(|part| part.start == Some(start)) {
        Some(part) if part.size != size => Err(Error::PartitionTaken { path: part.name }),
        found => Ok(found.map(|part| part.name)),
    }
}

/// The UUID of a file system that may be made there: a new one where there is none, and `noted` where that one was
/// begun by us and cut off.
///
/// # Errors
/// [`Error::PartitionTaken`]: another one lies there; those of the device.
pub(crate) fn uuid_for(device: &Path, noted: Option<&str>) -> Result<String> {
    let taken = || Error::PartitionTaken { path: device.display().to_string() };
    let opened = FileDevice::open(device, Access::Read)?;
    // What is no file system: LUKS, LVM, RAID, a table of partitions.
    if !foreign::recognise(&opened)?.is_empty() {
        return Err(taken());
    }
    match probe(&opened)? {
        None => Ok(uuid::Uuid::new_v4().to_string()),
        Some(found) => found.uuid.filter(|uuid| Some(uuid.as_str()) == noted).ok_or_else(taken),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::process::Command;

    use super::*;

    fn run(name: &str, words: &[&str]) {
        let output = Command::new(tool::find(name).unwrap()).args(words).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }

    #[test]
    fn sizes_are_those_on_the_disk() {
        if tool::find("sfdisk").is_err() {
            println!("left out: sfdisk is not installed");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let image = folder.path().join("disk");
        File::create(&image).unwrap().set_len(64 << 20).unwrap();
        let disk = image.display().to_string();
        let table = "label: gpt\nstart=2048, size=8192\nstart=10240, size=65536\n";
        tool::run_with("sfdisk", ["--quiet", &disk], &Secret::from(table)).unwrap();
        assert_eq!(size_on_disk(&disk, 2048).unwrap(), Some(4 << 20));
        assert_eq!(size_on_disk(&disk, 10240).unwrap(), Some(32 << 20));
        assert_eq!(size_on_disk(&disk, 4096).unwrap(), None);
        // What a later start would find, whatever a kernel has in mind.
        let line = "start=10240, size=32768\n";
        tool::run_with("sfdisk", ["--quiet", "--no-reread", "--no-tell-kernel", "-N", "2", &disk], &Secret::from(line))
            .unwrap();
        assert_eq!(size_on_disk(&disk, 10240).unwrap(), Some(16 << 20));
        std::fs::write(&image, [0; 4096]).unwrap();
        assert!(size_on_disk(&disk, 2048).is_err());
    }

    #[test]
    fn sectors_of_both_sizes() {
        let of = |printed: &str| serde_json::from_str::<Printed>(printed).unwrap().partitiontable;
        let large = of(r#"{"partitiontable":{"sectorsize":4096,"partitions":[{"node":"a","start":256,"size":512}]}}"#);
        assert_eq!((large.sectorsize, large.partitions[0].start), (4096, 256));
        let old = of(r#"{"partitiontable":{"label":"gpt","unit":"sectors"}}"#);
        assert_eq!((old.sectorsize, old.partitions.len()), (512, 0));
        assert_eq!(in_sectors("/dev/no-such-disk", 1 << 20).unwrap(), 2048);
        assert!(in_sectors("/dev/no-such-disk", 513).is_err());
    }

    #[test]
    fn only_an_empty_partition_or_our_own_is_taken() {
        if tool::find("mkfs.ext4").is_err() {
            println!("left out: e2fsprogs is not installed");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let image = folder.path().join("partition");
        File::create(&image).unwrap().set_len(16 << 20).unwrap();
        let ours = "3b7f3f3e-1111-4222-8333-444455556666";
        // A name that is noted may be in use elsewhere: nothing lies here, so this gets its own.
        assert_ne!(uuid_for(&image, Some(ours)).unwrap(), ours);
        run("mkfs.ext4", &["-q", "-F", "-U", ours, image.to_str().unwrap()]);
        assert_eq!(uuid_for(&image, Some(ours)).unwrap(), ours);
        let other = "3b7f3f3e-1111-4222-8333-444455556667";
        let is_taken = |noted| matches!(uuid_for(&image, noted), Err(Error::PartitionTaken { .. }));
        assert!(is_taken(Some(other)) && is_taken(None));
        // What is no file system is somebody's all the same.
        let zeros = vec![0; 16 << 20];
        std::fs::write(&image, &zeros).unwrap();
        let options = luks::FormatOptions { kdf: luks::kdf::Kdf::cheapest(), ..luks::FormatOptions::default() };
        let opened = FileDevice::open(&image, Access::Exclusive).unwrap();
        luks::format(&opened, &options, &Secret::from("first")).unwrap();
        drop(opened);
        assert!(is_taken(None) && is_taken(Some(ours)));
        let mut volume = zeros.clone();
        // pvcreate: the label in the second sector, of type LVM2.
        volume[512..520].copy_from_slice(b"LABELONE");
        volume[520] = 1;
        volume[536..544].copy_from_slice(b"LVM2 001");
        std::fs::write(&image, &volume).unwrap();
        assert!(is_taken(None), "an LVM volume");
    }
}
