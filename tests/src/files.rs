//! File systems with real files on them, and their hashes.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::tool::{Error, find, run};

/// Files that look like somebody's: many small ones, some large ones, folders in folders, names that
/// are not ASCII, an empty file and a hole. About half of `room` bytes.
///
/// # Errors
/// They cannot be written.
pub fn write_some(folder: &Path, room: u64) -> Result<(), Error> {
    let mut noise = Noise(0x1234_5678_9abc_def1);
    for number in 0..200_u64 {
        let place = folder.join(format!("letters/{}/Brief an Jürgen {number}.txt", number % 7));
        write(&place, &mut noise, 100 + number * 97)?;
    }
    for number in 0..8_u64 {
        write(&folder.join(format!("pictures/{number}.jpg")), &mut noise, room / 20)?;
    }
    write(&folder.join("empty"), &mut noise, 0)?;
    let hole = folder.join("hole");
    let file = File::create(&hole).map_err(Error::at(&hole))?;
    file.set_len(room / 4).map_err(Error::at(&hole))
}

/// Makes an image with an ext4 file system that holds what lies in the folder.
///
/// # Errors
/// `mke2fs` is missing or fails.
pub fn ext4(image: &Path, size: u64, folder: &Path) -> Result<(), Error> {
    let file = File::create(image).map_err(Error::at(image))?;
    file.set_len(size).map_err(Error::at(image))?;
    run(Command::new(find("mke2fs")?).args(["-q", "-F", "-t", "ext4", "-L", "files", "-d"]).arg(folder).arg(image))
        .map(|_| ())
}

/// Makes an ext4 image with a program, as `run`, and, in `lib`, everything that it is linked with.
///
/// # Errors
/// `mke2fs` or `ldd` is missing or fails.
pub fn program_disk(image: &Path, program: &Path) -> Result<PathBuf, Error> {
    programs_disk(image, &[("run", program)])
}

/// The same with several programs, each by its name there.
///
/// # Errors
/// Those of [`program_disk`].
pub fn programs_disk(image: &Path, programs: &[(&str, &Path)]) -> Result<PathBuf, Error> {
    let folder = tempfile::tempdir().map_err(Error::at(image))?;
    let libraries = folder.path().join("lib");
    fs::create_dir(&libraries).map_err(Error::at(&libraries))?;
    let copy = |from: &Path, to: &Path| fs::copy(from, to).map_err(Error::at(from));
    let mut size = 0;
    for (name, program) in programs {
        size += copy(program, &folder.path().join(name))?;
        let linked = run(Command::new("ldd").arg(program))?;
        for library in linked.lines().filter_map(|line| line.split_whitespace().find(|word| word.starts_with('/'))) {
            let library = Path::new(library);
            size += copy(library, &libraries.join(library.file_name().unwrap_or_default()))?;
        }
    }
    ext4(image, (size + size / 4 + (32 << 20)).next_multiple_of(4096), folder.path())?;
    Ok(image.to_owned())
}

/// Makes an image with a GPT and partitions of these sizes, in mebibytes.
///
/// # Errors
/// `sfdisk` is missing or fails.
pub fn partitioned(image: &Path, sizes: &[u64]) -> Result<(), Error> {
    let file = File::create(image).map_err(Error::at(image))?;
    file.set_len((sizes.iter().sum::<u64>() + 4) << 20).map_err(Error::at(image))?;
    let script = image.with_extension("sfdisk");
    let lines: String = sizes.iter().map(|size| format!("size={size}MiB\n")).collect();
    fs::write(&script, format!("label: gpt\n{lines}")).map_err(Error::at(&script))?;
    let input = File::open(&script).map_err(Error::at(&script))?;
    let status = Command::new(find("sfdisk")?).arg("-q").arg(image).stdin(input).status().map_err(Error::at(image))?;
    match status.success() {
        true => Ok(()),
        false => Err(Error::Failed { line: format!("sfdisk {}", image.display()), words: lines }),
    }
}

/// The hash of each file under a folder, by its path from there.
///
/// # Errors
/// One cannot be read.
pub fn hashes(folder: &Path) -> Result<BTreeMap<String, String>, Error> {
    let mut found = BTreeMap::new();
    for path in walk(folder) {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        found.insert(name, hash(&path)?);
    }
    Ok(found)
}

/// The hashes that `sha256sum` printed for paths that begin with `./`, in the same form.
pub fn hashes_of_lines(lines: &[String]) -> BTreeMap<String, String> {
    let parts = lines.iter().filter_map(|line| line.split_once("  ./"));
    parts.filter(|(hash, _)| hash.len() == 64).map(|(hash, name)| (name.to_owned(), hash.to_owned())).collect()
}

/// SHA-256 of a file, in hexadecimal.
///
/// # Errors
/// It cannot be read.
pub fn hash(path: &Path) -> Result<String, Error> {
    let mut file = File::open(path).map_err(Error::at(path))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer).map_err(Error::at(path))?;
        if read == 0 {
            break;
        }
        hasher.update(&buffer[..read]);
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// All files under a folder.
pub fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

fn write(path: &Path, noise: &mut Noise, length: u64) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Error::at(folder))?;
    }
    let mut file = File::create(path).map_err(Error::at(path))?;
    let mut left = usize::try_from(length).unwrap_or(0);
    let mut buffer = vec![0; 1 << 16];
    while left > 0 {
        let part = left.min(buffer.len());
        noise.fill(&mut buffer[..part]);
        file.write_all(&buffer[..part]).map_err(Error::at(path))?;
        left -= part;
    }
    Ok(())
}

/// Bytes that are the same in every run and that nothing can compress (xorshift64).
struct Noise(u64);

impl Noise {
    fn fill(&mut self, bytes: &mut [u8]) {
        for part in bytes.chunks_mut(8) {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            part.copy_from_slice(&self.0.to_le_bytes()[..part.len()]);
        }
    }
}
