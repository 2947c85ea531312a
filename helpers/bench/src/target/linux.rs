//! Linux: a file without a name, direct input and output, io_uring where the kernel allows it.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;

use blockdev::Buffer;
use rustix::fs::{
    Advice, AtFlags, CWD, FileType, Mode, OFlags, fadvise, fcntl_getfl, fcntl_setfl, fstat, fstatfs, openat, unlinkat,
};
use rustix::io::Errno;

use super::Queue;
use super::file::name;
use super::pool::Pool;
use super::ring::Ring;
use crate::Access;

/// `f_type` of file systems that live in memory (`statfs(2)`).
const TMPFS: u64 = 0x0102_1994;
const RAMFS: u64 = 0x8584_58f6;

/// Readable and writable for the owner alone.
const OWNER: Mode = Mode::RUSR.union(Mode::WUSR);

/// An empty file that never has a name, or loses it at once.
pub(super) fn create(folder: &Path) -> io::Result<(File, Access)> {
    let file = without_name(folder)?;
    // Some file systems accept the flag and refuse the first block: it is tried, not believed.
    let direct = set_direct(&file).is_ok() && file.write_all_at(&Buffer::new(4096), 0).is_ok();
    if !direct {
        clear_direct(&file)?;
    }
    let access = access(&file, direct)?;
    Ok((file, access))
}

/// Something that exists.
pub(super) fn open(path: &Path, write: bool) -> io::Result<(File, Access)> {
    let file = File::options().read(true).write(write).open(path)?;
    let direct = set_direct(&file).is_ok() && file.read_at(&mut Buffer::new(4096), 0).is_ok();
    if !direct {
        clear_direct(&file)?;
    }
    let access = access(&file, direct)?;
    Ok((file, access))
}

pub(super) fn queue(file: &File) -> io::Result<Box<dyn Queue>> {
    let file = file.try_clone()?;
    // Containers and hardened systems forbid io_uring; threads are slower, and always there.
    Ok(match Ring::new(file.try_clone()?) {
        Ok(ring) => Box::new(ring),
        Err(_) => Box::new(Pool::new(file)),
    })
}

pub(super) fn length(mut file: &File) -> io::Result<u64> {
    file.seek(SeekFrom::End(0))
}

/// Makes the system forget what it has of this file, and not read ahead: that would answer later
/// blocks from the cache.
pub(super) fn forget(file: &File) {
    let _ = fadvise(file, 0, None, Advice::Random);
    let _ = fadvise(file, 0, None, Advice::DontNeed);
}

fn access(file: &File, direct: bool) -> io::Result<Access> {
    let is_file = FileType::from_raw_mode(fstat(file)?.st_mode) == FileType::RegularFile;
    // The type's width and sign differ between architectures; its 32 bits do not.
    #[allow(clippy::cast_sign_loss, clippy::unnecessary_cast)]
    let kind = fstatfs(file)?.f_type as u64 & 0xffff_ffff;
    Ok(match (is_file && [TMPFS, RAMFS].contains(&kind), direct) {
        (true, _) => Access::Memory,
        (false, true) => Access::Direct,
        (false, false) => Access::Buffered,
    })
}

fn without_name(folder: &Path) -> io::Result<File> {
    match openat(CWD, folder, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, OWNER) {
        Ok(file) => Ok(file.into()),
        // File systems without files that have no name (FAT, exFAT, NTFS, many over FUSE).
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => that_loses_its_name(folder),
        Err(error) => Err(error.into()),
    }
}

fn that_loses_its_name(folder: &Path) -> io::Result<File> {
    let folder = openat(CWD, folder, OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let name = name()?;
    let file = openat(&folder, &name, OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC, OWNER)?;
    unlinkat(&folder, &name, AtFlags::empty())?;
    Ok(file.into())
}

fn set_direct(file: &File) -> io::Result<()> {
    Ok(fcntl_setfl(file, fcntl_getfl(file)? | OFlags::DIRECT)?)
}

fn clear_direct(file: &File) -> io::Result<()> {
    Ok(fcntl_setfl(file, fcntl_getfl(file)? - OFlags::DIRECT)?)
}

#[cfg(test)]
mod tests {
    use super::super::Way;
    use super::*;

    #[test]
    fn a_file_with_a_name_loses_it_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = that_loses_its_name(folder.path()).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        file.write_all_at(&[7; 4096], 4096).unwrap();
        forget(&file);
        let mut block = [0; 4096];
        file.read_exact_at(&mut block, 4096).unwrap();
        assert_eq!(block, [7; 4096]);
        assert_eq!(length(&file).unwrap(), 8192);
    }

    /// The ring and the threads pass one suite.
    #[test]
    fn both_queues_move_the_right_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let (file, access) = create(folder.path()).unwrap();
        println!("{access:?}");
        let mut queues: Vec<Box<dyn Queue>> = vec![Box::new(Pool::new(file.try_clone().unwrap()))];
        match Ring::new(file.try_clone().unwrap()) {
            Ok(ring) => queues.push(Box::new(ring)),
            Err(error) => println!("left out: no io_uring here ({error})"),
        }
        for (round, queue) in (1_u8..).zip(&mut queues) {
            for (slots, block) in [(32, 4096), (8, 1 << 20), (1, 4096)] {
                queue.prepare(slots, block).unwrap();
                let each = |queue: &mut dyn Queue, way: Way| {
                    for slot in 0..slots {
                        queue.start(slot, way, (slot * block) as u64).unwrap();
                    }
                    let mut done = Vec::new();
                    while done.len() < slots {
                        queue.wait(&mut done).unwrap();
                    }
                    done.sort_unstable();
                    assert!(done.into_iter().eq(0..slots));
                };
                let mark = |slot: usize| u8::try_from(slot).unwrap() ^ round;
                (0..slots).for_each(|slot| queue.block(slot).fill(mark(slot)));
                each(queue.as_mut(), Way::Write);
                (0..slots).for_each(|slot| queue.block(slot).fill(0xee));
                each(queue.as_mut(), Way::Read);
                for slot in 0..slots {
                    assert!(queue.block(slot).iter().all(|byte| *byte == mark(slot)), "{slot}");
                }
            }
            // Behind the end of the file.
            queue.prepare(1, 4096).unwrap();
            queue.start(0, Way::Read, 1 << 30).unwrap();
            assert_eq!(queue.wait(&mut Vec::new()).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        }
    }
}
