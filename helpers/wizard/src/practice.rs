//! The practice drive: a file with a real file system and real files on it.
//!
//! FAT32, because it can be made on every system without rights and without a tool. The checksum of
//! each file is kept, so that the report can say how many are still there, read back through the
//! encryption.

use std::io::{Error as IoError, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use blockdev::{Access, Device, FileDevice};
use model::{Meter, Sink, StepId, Unit};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::view::FilesCheck;
use crate::{Error, Result};

/// The file's name in the practice folder.
pub const FILE_NAME: &str = "practice-drive.img";

/// Usual size in bytes: large enough that there is progress to watch, small enough that it is done in
/// seconds.
pub const SIZE: u64 = 64 << 20;

/// Least size in bytes. FAT32 needs 65 525 clusters, which are of 512 bytes here, and its tables.
pub const LEAST_SIZE: u64 = 40 << 20;

/// A file on the practice drive, as it was when it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PracticeFile {
    /// Its name in the root folder.
    pub name: String,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

/// A practice drive that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The image.
    pub path: PathBuf,
    /// What is on it.
    pub files: Vec<PracticeFile>,
}

/// Makes a practice drive of `size` bytes in `folder`, in place of an earlier one. The room is really
/// reserved, and the file appears under its name when it is whole.
///
/// # Errors
/// The folder cannot be written or is full; an earlier practice drive is in use.
pub fn make(folder: &Path, size: u64, sink: &mut dyn Sink) -> Result<Made> {
    let size = size.max(LEAST_SIZE);
    std::fs::create_dir_all(folder).map_err(|error| Error::folder(folder, error))?;
    let path = folder.join(FILE_NAME);
    let _held = match path.exists() {
        true => Some(FileDevice::open(&path, Access::Exclusive)?),
        false => None,
    };
    let (image, files) = format(size).map_err(|error| Error::folder(folder, error))?;

    let unfinished = folder.join(format!("{FILE_NAME}.new"));
    std::fs::File::create(&unfinished).map_err(|error| Error::folder(folder, error))?;
    let written = write(&unfinished, &image, sink);
    if let Err(error) = written {
        let _ = std::fs::remove_file(&unfinished);
        return Err(error);
    }
    std::fs::rename(&unfinished, &path).map_err(|error| Error::folder(folder, error))?;
    Ok(Made { path, files })
}

/// The file's name of a practice drive that encrypts by itself.
const BY_DRIVE_NAME: &str = "practice-drive.opal";

/// Where in a folder a practice drive that encrypts by itself lies.
pub fn by_drive_path(folder: &Path) -> PathBuf {
    folder.join(BY_DRIVE_NAME)
}

/// Makes a practice drive that encrypts by itself, with the same files on it: a virtual drive in a file, as
/// from the factory, with `size` bytes for data.
///
/// # Errors
/// As [`make`].
pub fn make_by_drive(folder: &Path, size: u64, profile: &opal::device::Profile, sink: &mut dyn Sink) -> Result<Made> {
    use opal::device::{Blocks, Drive};
    let size = size.max(LEAST_SIZE);
    std::fs::create_dir_all(folder).map_err(|error| Error::folder(folder, error))?;
    let path = by_drive_path(folder);
    let _held = match path.exists() {
        true => Some(FileDevice::open(&path, Access::Exclusive)?),
        false => None,
    };
    let (image, files) = format(size).map_err(|error| Error::folder(folder, error))?;
    let unfinished = folder.join(format!("{BY_DRIVE_NAME}.new"));
    std::fs::File::create(&unfinished).map_err(|error| Error::folder(folder, error))?;
    let written = (|| {
        // A hole: the room for the shadow MBR and the DataStore is written only as far as it is used.
        let whole = Drive::overhead(profile) + size;
        std::fs::OpenOptions::new()
            .write(true)
            .open(&unfinished)
            .and_then(|file| file.set_len(whole))
            .map_err(|error| Error::folder(folder, error))?;
        let file = FileDevice::open(&unfinished, Access::Exclusive)?;
        let options = opal::device::Options { profile: profile.clone(), serial: String::new() };
        let drive = Blocks(std::sync::Arc::new(Drive::create(std::sync::Arc::new(file), options)?));
        fill(&drive, &image, sink)
    })();
    if let Err(error) = written {
        let _ = std::fs::remove_file(&unfinished);
        return Err(error);
    }
    std::fs::rename(&unfinished, &path).map_err(|error| Error::folder(folder, error))?;
    Ok(Made { path, files })
}

/// Reads the files back from an open practice drive and counts those that are what they were.
///
/// # Errors
/// Only when the device cannot be read. A file system that is no longer one counts as no file.
pub fn compare(device: &dyn Device, files: &[PracticeFile]) -> Result<FilesCheck> {
    // What cannot be read at all is an error of the device and no statement about the files.
    device.read_vec(0, 512)?;
    let same = match fatfs::FileSystem::new(Stream::new(device), fatfs::FsOptions::new()) {
        Ok(system) => files.iter().filter(|file| hash_of(&system, &file.name) == Some(file.sha256.clone())).count(),
        Err(_) => 0,
    };
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Ok(FilesCheck { total: count(files.len()), same: count(same) })
}

fn hash_of(system: &fatfs::FileSystem<Stream<'_>>, name: &str) -> Option<String> {
    let mut file = system.root_dir().open_file(name).ok()?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(hex(&hash.finalize())),
            length => hash.update(&buffer[..length]),
        }
    }
}

fn write(path: &Path, image: &[u8], sink: &mut dyn Sink) -> Result<()> {
    let device = FileDevice::open(path, Access::Exclusive)?;
    device.resize(image.len() as u64)?;
    fill(&device, image, sink)
}

/// Writes the image to a device that reads as zeros.
fn fill(device: &dyn Device, image: &[u8], sink: &mut dyn Sink) -> Result<()> {
    const PIECE: usize = 1 << 20;
    let total = image.len() as u64;
    let mut meter = Meter::new(sink, StepId::Write, total, Unit::Bytes);
    for (number, piece) in image.chunks(PIECE).enumerate() {
        let offset = (number * PIECE) as u64;
        // The new file reads as zeros already.
        if piece.iter().any(|byte| *byte != 0) {
            device.write_at(offset, piece)?;
        }
        meter.at(offset + piece.len() as u64);
    }
    device.flush()?;
    Ok(())
}

/// The whole image, put together in memory.
fn format(size: u64) -> std::io::Result<(Vec<u8>, Vec<PracticeFile>)> {
    let size = usize::try_from(size).map_err(|_| IoError::from(ErrorKind::OutOfMemory))?;
    let mut serial = [0; 4];
    getrandom::fill(&mut serial).map_err(|_| IoError::from(ErrorKind::Other))?;
    let mut image = std::io::Cursor::new(vec![0; size]);
    let options = fatfs::FormatVolumeOptions::new()
        .fat_type(fatfs::FatType::Fat32)
        .bytes_per_cluster(512)
        .volume_id(u32::from_le_bytes(serial))
        .volume_label(*b"PRACTICE   ");
    fatfs::format_volume(&mut image, options)?;
    image.set_position(0);
    let mut files = Vec::new();
    {
        let system = fatfs::FileSystem::new(&mut image, fatfs::FsOptions::new())?;
        let root = system.root_dir();
        // All in the root: fsck.vfat finds fault with the `.` and `..` that fatfs 0.3 writes.
        let letters = (1..=12).map(|n| (format!("letter-{n:02}.txt"), letter(n)));
        let pictures = (1..=8).map(|n| (format!("picture-{n:02}.bmp"), picture(n)));
        for (name, content) in letters.chain(pictures) {
            root.create_file(&name)?.write_all(&content)?;
            files.push(PracticeFile { name, sha256: hex(&Sha256::digest(&content)) });
        }
    }
    Ok((image.into_inner(), files))
}

/// A page of the words that printers have filled empty pages with for five hundred years.
fn letter(number: usize) -> Vec<u8> {
    const WORDS: [&str; 19] = [
        "lorem",
        "ipsum",
        "dolor",
        "sit",
        "amet",
        "consectetur",
        "adipiscing",
        "elit",
        "sed",
        "do",
        "eiusmod",
        "tempor",
        "incididunt",
        "ut",
        "labore",
        "et",
        "dolore",
        "magna",
        "aliqua",
    ];
    let mut text = format!("{number}.\n\n");
    for word in 0..number * 60 {
        text.push_str(WORDS[(word * (number + 2) + number) % WORDS.len()]);
        text.push(if word % 11 == 10 { '\n' } else { ' ' });
    }
    text.push('\n');
    text.into_bytes()
}

/// A colour picture of 480 by 320 points in the BMP format, which every system shows.
fn picture(number: u32) -> Vec<u8> {
    const WIDTH: u32 = 480;
    const HEIGHT: u32 = 320;
    const HEADERS: u32 = 54;
    const PIXELS: u32 = WIDTH * HEIGHT * 3;
    let mut bytes = b"BM".to_vec();
    for field in [HEADERS + PIXELS, 0, HEADERS, 40, WIDTH, HEIGHT] {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
    // One plane of 24 bits, not compressed, 72 dots an inch.
    bytes.extend_from_slice(&[1, 0, 24, 0]);
    for field in [0, PIXELS, 2835, 2835, 0, 0] {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            // A sky that gets darker, a sun whose place tells the pictures apart, and hills.
            let sun = x.abs_diff(40 * number + 50).pow(2) + y.abs_diff(230).pow(2) < 32 * 32;
            let hill = y < 60 + (x * number / 7) % 90;
            let [blue, green, red] = match (sun, hill) {
                (_, true) => [40 + y / 2, 110 + y / 2, 60 + number * 9],
                (true, _) => [60, 200, 250],
                _ => [250 - y / 4, 150 + y / 5, 90 + number * 10],
            };
            // Blue, green, red, each the lowest byte of its number.
            bytes.extend([blue, green, red].map(|colour| colour.to_le_bytes()[0]));
        }
    }
    bytes
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A device as a stream of bytes that can be read and not written.
struct Stream<'a> {
    device: &'a dyn Device,
    at: u64,
}

impl<'a> Stream<'a> {
    fn new(device: &'a dyn Device) -> Self {
        Self { device, at: 0 }
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let left = usize::try_from(self.device.size().saturating_sub(self.at)).unwrap_or(usize::MAX);
        let length = buffer.len().min(left);
        self.device.read_at(self.at, &mut buffer[..length]).map_err(IoError::other)?;
        self.at += length as u64;
        Ok(length)
    }
}

impl Write for Stream<'_> {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(ErrorKind::ReadOnlyFilesystem.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Seek for Stream<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let place = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(offset) => self.device.size().checked_add_signed(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
        };
        self.at = place.ok_or(IoError::from(ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use blockdev::Memory;
    use model::Silent;

    use super::*;

    #[test]
    fn a_practice_drive_has_files_that_can_be_told_from_damaged_ones() {
        let folder = tempfile::tempdir().unwrap();
        let made = make(folder.path(), LEAST_SIZE, &mut Silent).unwrap();
        assert_eq!(std::fs::metadata(&made.path).unwrap().len(), LEAST_SIZE);
        let image = FileDevice::open(&made.path, Access::Read).unwrap();
        let all = u32::try_from(made.files.len()).unwrap();
        assert_eq!(compare(&image, &made.files).unwrap(), FilesCheck { total: all, same: all });

        let mut bytes = std::fs::read(&made.path).unwrap();
        let place = bytes.windows(6).position(|window| window == b"ipsum ").unwrap();
        bytes[place] ^= 1;
        let damaged = compare(&Memory::new(bytes), &made.files).unwrap();
        assert_eq!(damaged, FilesCheck { total: all, same: all - 1 });
        let empty = compare(&Memory::new(vec![0; 1 << 20]), &made.files).unwrap();
        assert_eq!(empty, FilesCheck { total: all, same: 0 });
    }

    #[test]
    fn a_practice_drive_in_use_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let made = make(folder.path(), LEAST_SIZE, &mut Silent).unwrap();
        let _held = FileDevice::open(&made.path, Access::Exclusive).unwrap();
        let error = make(folder.path(), LEAST_SIZE, &mut Silent).unwrap_err();
        assert!(matches!(error, Error::Device(blockdev::Error::InUse { .. })), "{error:?}");
    }

    #[test]
    fn the_system_finds_nothing_wrong_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let made = make(folder.path(), SIZE, &mut Silent).unwrap();
        let Ok(checked) = std::process::Command::new("fsck.vfat").arg("-n").arg(&made.path).output() else {
            println!("left out: fsck.vfat is not here");
            return;
        };
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    }
}
