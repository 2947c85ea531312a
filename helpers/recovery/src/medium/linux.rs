//! Linux: direct reads, renaming without replacing, folders that can be flushed.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{Advice, CWD, OFlags, RenameFlags, fadvise, renameat_with};
use rustix::io::Errno;
use zeroize::Zeroizing;

use super::{Stored, read_to_end};

/// Direct reads want memory and lengths in steps of the drive's sectors; none has larger ones.
const ALIGNMENT: usize = 4096;

pub(super) fn file_system(folder: &Path) -> io::Result<u64> {
    Ok(std::fs::metadata(folder)?.dev())
}

pub(super) fn only_for_the_owner(options: &mut OpenOptions) {
    options.mode(0o600);
}

pub(super) fn rename_to_new(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Some FUSE file systems do not know the flag. The name was looked at a moment ago.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) if !to.exists() => std::fs::rename(from, to),
        result => Ok(result?),
    }
}

pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = File::open(folder)?;
    match rustix::fs::fsync(&folder) {
        // A file system that cannot flush a folder can flush itself.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(rustix::fs::syncfs(&folder)?),
        result => Ok(result?),
    }
}

/// A direct read goes to the medium. Where the file system has none, the cached pages are dropped
/// first; they can be, because the file was flushed.
pub(super) fn read_stored(path: &Path) -> io::Result<Stored> {
    if let Some(bytes) = read_direct(path)? {
        return Ok(Stored { bytes, from_medium: true });
    }
    let file = File::open(path)?;
    let dropped = file.sync_all().is_ok() && fadvise(&file, 0, None, Advice::DontNeed).is_ok();
    Ok(Stored { bytes: read_to_end(&file)?, from_medium: dropped })
}

/// `None`: this file system has no direct reads.
fn read_direct(path: &Path) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let direct = i32::try_from(OFlags::DIRECT.bits()).unwrap_or_default();
    let file = match OpenOptions::new().read(true).custom_flags(direct).open(path) {
        Ok(file) => file,
        Err(error) if is_refused(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    // What another program wrote a moment ago must be on the medium first. Not every file system
    // lets a reader ask for that, and then the read itself takes care of it.
    let _ = file.sync_all();
    let length = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
    let mut room = Zeroizing::new(vec![0; length.next_multiple_of(ALIGNMENT) + 2 * ALIGNMENT]);
    let start = room.as_ptr().align_offset(ALIGNMENT);
    let aligned = &mut room[start..][..length.next_multiple_of(ALIGNMENT) + ALIGNMENT];
    let mut end = 0;
    loop {
        match file.read_at(&mut aligned[end..], end as u64) {
            Ok(0) => break,
            Ok(count) => end += count,
            Err(error) if is_refused(&error) => return Ok(None),
            Err(error) => return Err(error),
        }
        // A length that is not a whole number of sectors is the file's end.
        if end % ALIGNMENT != 0 || end >= aligned.len() {
            break;
        }
    }
    Ok(Some(Zeroizing::new(aligned[..end].to_vec())))
}

fn is_refused(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::INVAL | Errno::OPNOTSUPP))
}
