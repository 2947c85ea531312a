use std::ffi::OsStr;
use std::path::Path;

use blockdev::{Access, Device, FileDevice};
use model::{Control, Signal};

use crate::check::check_ext;
use crate::kinds::ntfs::log_is_emptied;
use crate::tool::Tool;
use crate::{Error, Found, Kind, Result, Trouble, probe};

const RESIZE2FS: Tool = Tool { name: "resize2fs", package: "e2fsprogs" };
const NTFSRESIZE: Tool = Tool { name: "ntfsresize", package: "ntfs-3g" };

/// Makes a file system smaller, so that it needs at most `new_size` bytes, and proves it by reading
/// its superblock again. Returns what lies there afterwards.
///
/// Nobody else may hold the device: whoever has it open exclusively closes it before. A stop is
/// looked for before each program is started, and never during one: a file system that is being
/// moved must not be left alone in the middle. Doing it again after a power cut is safe: ext is
/// checked and repaired first, and what is small enough already is left alone.
///
/// An image file keeps its length.
///
/// NTFS is marked for a check by `ntfsresize`, which Windows runs at its next start. From then on
/// [`Found::clean`] is `Some(false)` with [`Trouble::NotClosed`], and that is as it should be.
///
/// # Errors
/// [`Error::CannotShrink`], [`Error::TooFull`], [`Error::Unclean`], [`Error::HasErrors`],
/// [`Error::ToolMissing`], [`Error::ToolFailed`], [`Error::Unproven`], [`Error::Changed`],
/// [`Error::Stopped`]. With all but the last four nothing has been changed, except that `e2fsck`
/// may have put small things right.
pub fn shrink(path: &Path, found: &Found, new_size: u64, control: &Control) -> Result<Found> {
    shrink_from(Before::Whole, path, found, new_size, control)
}

/// [`shrink`], where an earlier one of the caller's own was cut off: the mark that `ntfsresize` has made is not taken
/// for one that Windows has left. Once it has been used since, it is: `ntfsresize` empties the log, and whoever mounts
/// it writes there.
///
/// # Errors
/// As [`shrink`].
pub fn shrink_again(path: &Path, found: &Found, new_size: u64, control: &Control) -> Result<Found> {
    shrink_from(Before::CutOff, path, found, new_size, control)
}

/// What was done to a file system before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Whole,
    CutOff,
}

fn shrink_from(before: Before, path: &Path, found: &Found, new_size: u64, control: &Control) -> Result<Found> {
    let now = look_again(path, found)?;
    if now.size <= new_size {
        return Ok(now);
    }
    match now.kind {
        Kind::Ext2 | Kind::Ext3 | Kind::Ext4 => {
            go_on(control)?;
            check_ext(path, now.kind)?;
            let needed = minimum_ext(path, &now)?;
            if needed > new_size {
                return Err(Error::TooFull { kind: now.kind, needed, wanted: new_size });
            }
            go_on(control)?;
            let length = FileDevice::open(path, Access::Read)?.size();
            let resized = resize_ext(path, &now, new_size);
            give_back(path, length)?;
            resized?;
        }
        Kind::Ntfs => {
            let marked_by_us = before == Before::CutOff
                && now.trouble == Some(Trouble::NotClosed)
                && log_is_emptied(&FileDevice::open(path, Access::Read)?)?;
            if let Some(trouble) = now.trouble.filter(|_| !marked_by_us) {
                return Err(Error::Unclean { kind: now.kind, trouble });
            }
            go_on(control)?;
            let needed = minimum_ntfs(path)?;
            if needed > new_size {
                return Err(Error::TooFull { kind: now.kind, needed, wanted: new_size });
            }
            go_on(control)?;
            resize_ntfs(path, new_size, true)?;
            go_on(control)?;
            resize_ntfs(path, new_size, false)?;
        }
        kind => return Err(Error::CannotShrink { kind }),
    }
    FileDevice::open(path, Access::Read)?.flush()?;
    let after = look_again(path, found)?;
    if after.size > new_size {
        return Err(Error::Unproven { kind: after.kind, size: after.size, wanted: new_size });
    }
    Ok(after)
}

/// Makes a file system larger again: as large as fits into `size` bytes of its device, which must
/// be there. Returns what lies there afterwards.
///
/// # Errors
/// As [`shrink`], with [`Error::CannotGrow`], and [`Error::Truncated`] if the device is smaller
/// than `size`.
pub fn grow(path: &Path, found: &Found, size: u64, control: &Control) -> Result<Found> {
    let now = look_again(path, found)?;
    let device = FileDevice::open(path, Access::Read)?.size();
    if size > device {
        return Err(Error::Truncated { kind: now.kind, size, device });
    }
    if now.size >= size {
        return Ok(now);
    }
    match now.kind {
        Kind::Ext2 | Kind::Ext3 | Kind::Ext4 => {
            go_on(control)?;
            check_ext(path, now.kind)?;
            go_on(control)?;
            resize_ext(path, &now, size)?;
        }
        Kind::Ntfs => {
            if now.trouble == Some(Trouble::Hibernated) {
                return Err(Error::Unclean { kind: now.kind, trouble: Trouble::Hibernated });
            }
            go_on(control)?;
            resize_ntfs(path, size, true)?;
            go_on(control)?;
            resize_ntfs(path, size, false)?;
        }
        kind => return Err(Error::CannotGrow { kind }),
    }
    FileDevice::open(path, Access::Read)?.flush()?;
    let after = look_again(path, found)?;
    if after.size < now.size || after.size > size {
        return Err(Error::Unproven { kind: after.kind, size: after.size, wanted: size });
    }
    Ok(after)
}

/// The smallest size in bytes that the file system's own tool would go down to. An estimate, which
/// a real resizing may miss by a little; nothing is changed.
///
/// # Errors
/// [`Error::CannotShrink`], [`Error::ToolMissing`], [`Error::ToolFailed`].
pub fn minimum_size(path: &Path, found: &Found) -> Result<u64> {
    match found.kind {
        Kind::Ext2 | Kind::Ext3 | Kind::Ext4 => minimum_ext(path, found),
        Kind::Ntfs => minimum_ntfs(path),
        kind => Err(Error::CannotShrink { kind }),
    }
}

/// What lies there now; an error if it is another file system than before.
fn look_again(path: &Path, before: &Found) -> Result<Found> {
    let dev = FileDevice::open(path, Access::Read)?;
    match probe(&dev)? {
        Some(now) if now.kind == before.kind && now.uuid == before.uuid => Ok(now),
        _ => Err(Error::Changed),
    }
}

fn go_on(control: &Control) -> Result<()> {
    match control.signal() {
        Signal::Stop => Err(Error::Stopped),
        Signal::Run | Signal::Pause => Ok(()),
    }
}

fn resize_ext(path: &Path, found: &Found, size: u64) -> Result<()> {
    // Whole blocks; sizes without a unit would be counted in the file system's own blocks.
    let size = size / u64::from(found.block_size.max(1024)) * u64::from(found.block_size.max(1024));
    let size = format!("{}K", size / 1024);
    RESIZE2FS.run_well(&[path.as_os_str(), size.as_ref()]).map(|_| ())
}

/// resize2fs cuts an image file off behind the file system that it has shrunk. The length is the
/// caller's business, and the room behind the new end is what all this is for, so it is reserved
/// again at once. A block device keeps its size.
fn give_back(path: &Path, length: u64) -> Result<()> {
    let dev = FileDevice::open(path, Access::Read)?;
    if dev.size() >= length {
        return Ok(());
    }
    drop(dev);
    let dev = FileDevice::open(path, Access::Exclusive)?;
    dev.resize(length)?;
    dev.flush()?;
    Ok(())
}

fn minimum_ext(path: &Path, found: &Found) -> Result<u64> {
    let printed = RESIZE2FS.run_well(&["-P".as_ref(), path.as_os_str()])?;
    parse_minimum_ext(&printed.output)
        .and_then(|blocks| blocks.checked_mul(u64::from(found.block_size)))
        .ok_or_else(|| RESIZE2FS.failed("unknown output", &printed.both))
}

fn resize_ntfs(path: &Path, size: u64, dry: bool) -> Result<()> {
    let size = size.to_string();
    let mut arguments: Vec<&OsStr> = vec!["--no-progress-bar".as_ref()];
    if dry {
        arguments.push("--no-action".as_ref());
    }
    // Twice: no question, and also after an earlier resizing has marked it for a check. Whether the
    // mark came from Windows has been looked at before.
    arguments.extend(["--force".as_ref(), "--force".as_ref(), "--size".as_ref(), size.as_ref(), path.as_os_str()]);
    NTFSRESIZE.run_well(&arguments).map(|_| ())
}

pub(crate) fn minimum_ntfs(path: &Path) -> Result<u64> {
    let arguments = ["--info".as_ref(), "--force".as_ref(), "--no-progress-bar".as_ref(), path.as_os_str()];
    let printed = NTFSRESIZE.run_well(&arguments)?;
    parse_minimum_ntfs(&printed.output).ok_or_else(|| NTFSRESIZE.failed("unknown output", &printed.both))
}

/// `Estimated minimum size of the filesystem: 1841`, in blocks.
fn parse_minimum_ext(output: &str) -> Option<u64> {
    let line = output.lines().find(|line| line.contains("minimum size"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

/// `You might resize at 7856128 bytes or 8 MB (freeing 60 MB).`, without the copy of the boot
/// sector; or, for a volume without room, its own size.
fn parse_minimum_ntfs(output: &str) -> Option<u64> {
    let number = |prefix: &str| {
        let line = output.lines().find_map(|line| line.trim_start().strip_prefix(prefix))?;
        line.trim_start_matches([' ', ':']).split(' ').next()?.parse::<u64>().ok()
    };
    let bytes = number("You might resize at").or_else(|| number("Current volume size"))?;
    bytes.checked_add(4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_parsed() {
        let ext = "resize2fs 1.47.0 (5-Feb-2023)\nEstimated minimum size of the filesystem: 1841\n";
        assert_eq!(parse_minimum_ext(ext), Some(1841));
        assert_eq!(parse_minimum_ext("nothing\n"), None);
        let ntfs = "Current volume size: 67105280 bytes (68 MB)\nAccounting clusters ...\n\
            You might resize at 7856128 bytes or 8 MB (freeing 60 MB).\nPlease make\n";
        assert_eq!(parse_minimum_ntfs(ntfs), Some(7_856_128 + 4096));
        assert_eq!(parse_minimum_ntfs("Current volume size: 67105280 bytes (68 MB)\n"), Some(67_105_280 + 4096));
        assert_eq!(parse_minimum_ntfs("ERROR\n"), None);
    }
}
