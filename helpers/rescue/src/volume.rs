//! The EFI partition: made, found again, read.

use std::io::{Cursor, Read, Seek, SeekFrom, Write};

use fatfs::{FatType, FileSystem, FormatVolumeOptions, FsOptions};
use gpt::GptConfig;
use gpt::disk::LogicalBlockSize;
use gpt::partition_types::EFI;

/// Bytes of a cluster.
const CLUSTER: usize = 512;

/// A FAT32 with these files.
pub fn volume(files: &[(String, Vec<u8>)], size: u64) -> std::io::Result<Vec<u8>> {
    let mut volume = Cursor::new(vec![0; usize::try_from(size).map_err(std::io::Error::other)?]);
    let options = FormatVolumeOptions::new().fat_type(FatType::Fat32).bytes_per_cluster(512);
    fatfs::format_volume(&mut volume, options.volume_label(*b"LATCHKEY   "))?;
    {
        let system = FileSystem::new(&mut volume, FsOptions::new())?;
        for (path, bytes) in files {
            let mut folder = system.root_dir();
            let mut names = path.split('/').peekable();
            while let Some(name) = names.next() {
                if names.peek().is_some() {
                    folder = folder.create_dir(name)?;
                } else {
                    folder.create_file(name)?.write_all(bytes)?;
                }
            }
        }
        system.unmount()?;
    }
    let mut volume = volume.into_inner();
    volume.chunks_exact_mut(CLUSTER).for_each(dots_first);
    Ok(volume)
}

/// The library writes a long name before each of a folder's two entries for itself and the one above. They
/// must be its first two (Microsoft's FAT specification, "Directory Structure"): they are moved there, and
/// their old places are marked as free. What else might look like it is compared afterwards.
fn dots_first(cluster: &mut [u8]) {
    const ENTRY: usize = 32;
    const LONG: u8 = 0x0f;
    const FOLDER: u8 = 0x10;
    const FREE: u8 = 0xe5;
    let is = |at: usize, name: &[u8], attributes| {
        cluster[at * ENTRY..].starts_with(name) && cluster[at * ENTRY + 11] == attributes
    };
    let own = b".          ";
    if is(0, b"A.\0", LONG) && is(1, own, FOLDER) && is(2, b"A.\0", LONG) && is(3, b"..         ", FOLDER) {
        cluster.copy_within(ENTRY..2 * ENTRY, 0);
        cluster.copy_within(3 * ENTRY..4 * ENTRY, ENTRY);
        // The root above is not named by its cluster, but by zero.
        if cluster[ENTRY + 20..ENTRY + 22] == [0, 0] && cluster[ENTRY + 26..ENTRY + 28] == [2, 0] {
            cluster[ENTRY + 26] = 0;
        }
        cluster[2 * ENTRY] = FREE;
        cluster[3 * ENTRY] = FREE;
    }
}

/// The EFI partition, found by the table. `None`: there is none, or one that is larger than any of ours.
pub fn read_partition<D: Read + Write + Seek + std::fmt::Debug>(disk: &mut D) -> Option<Vec<u8>> {
    const LARGEST: u64 = 1 << 30;
    let config = GptConfig::new().writable(false).logical_block_size(LogicalBlockSize::Lb512);
    let table = config.open_from_device(&mut *disk).ok()?;
    let found = table.partitions().values().find(|partition| partition.part_type_guid == EFI)?;
    let place = found.bytes_start(LogicalBlockSize::Lb512).ok()?;
    let length = found.bytes_len(LogicalBlockSize::Lb512).ok().filter(|length| *length <= LARGEST)?;
    drop(table);
    let mut volume = vec![0; usize::try_from(length).ok()?];
    disk.seek(SeekFrom::Start(place)).ok()?;
    disk.read_exact(&mut volume).ok()?;
    Some(volume)
}

/// A file of that partition, found by the file system.
pub fn read_file(volume: &[u8], path: &str) -> Option<Vec<u8>> {
    let system = FileSystem::new(Frozen(Cursor::new(volume)), FsOptions::new()).ok()?;
    let mut found = Vec::new();
    system.root_dir().open_file(path).ok()?.read_to_end(&mut found).ok()?;
    Some(found)
}

/// Bytes that are read as a disk, and that nobody writes to.
struct Frozen<'a>(Cursor<&'a [u8]>);

impl Read for Frozen<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for Frozen<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}

impl Write for Frozen<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        // The library notes that the volume is in use. It is not.
        self.0.seek(SeekFrom::Current(i64::try_from(bytes.len()).unwrap_or(0)))?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
