//! Checking file systems, and putting ext in order where that takes no decision about anybody's files.

use std::collections::BTreeSet;
use std::path::Path;

use blockdev::{Access, FileDevice};

use crate::kinds::ext::{Doubles, doubles};
use crate::resize::minimum_ntfs;
use crate::tool::{Tool, status};
use crate::{Error, Found, Kind, Result};

const E2FSCK: Tool = Tool { name: "e2fsck", package: "e2fsprogs" };

/// What is wrong with an ext file system whose making smaller was cut off, besides what every power cut leaves: what
/// e2fsck says of each, without the numbers. No file is lost by mending any of them: counts and maps are made anew
/// from the files.
const LEFT_BY_RESIZING: [&str; 21] = [
    "Resize inode not valid",
    "Block bitmap differences",
    "Inode bitmap differences",
    "Free blocks count wrong",
    "Free inodes count wrong",
    "Directories count wrong",
    "Padding at end of",
    "i_blocks is ",
    "in use but group is marked BLOCK_UNINIT",
    "bitmap does not match checksum",
    // An inode that was moved: its folder's own entries, how often it is named, and checksums with its number in them.
    "Invalid inode number for '.' in directory",
    "Entry '.' in ",
    "'..' in ",
    "ref count is ",
    "directory passes checks but fails checksum",
    "extent block passes checks, but checksum does not match extent",
    "(logical block ",
    // Inode 7 keeps room for growing, and no file.
    "Inode 7 has illegal block(s)",
    "in inode 7.",
    "Clear inode? no",
    // After "Too many illegal blocks in inode 7."
    "Suppress messages? no",
];

/// How often inodes are looked for that are there twice.
const ROUNDS: usize = 3;

/// Checks an ext file system that is not mounted and puts it in order. The journal is replayed by that too. What a
/// cut in [`shrink`](crate::shrink) or [`grow`](crate::grow) has left is mended as well, of which e2fsck by itself
/// (`-p`, as every start of a computer calls it) says "run fsck manually".
///
/// NTFS is only looked at: whether its map of what is used fits its files. That a cut has left another map is for
/// Windows to mend; nothing on other systems does. The rest is left as it is.
///
/// # Errors
/// [`Error::HasErrors`]: somebody has to decide; [`Error::ToolMissing`], [`Error::ToolFailed`].
pub fn put_in_order(path: &Path, found: &Found) -> Result<()> {
    match found.kind {
        Kind::Ext2 | Kind::Ext3 | Kind::Ext4 => check_ext(path, found.kind),
        Kind::Ntfs => match minimum_ntfs(path) {
            Err(Error::ToolFailed { output, .. }) => Err(Error::HasErrors { kind: found.kind, output }),
            other => other.map(drop),
        },
        _ => Ok(()),
    }
}

pub(crate) fn check_ext(path: &Path, kind: Kind) -> Result<()> {
    let checked = E2FSCK.run(&["-f".as_ref(), "-p".as_ref(), path.as_os_str()])?;
    match checked.code {
        // 0: in order. 1: was put in order (e2fsck(8), "EXIT CODE").
        Some(0 | 1) => Ok(()),
        // 4: errors left uncorrected.
        Some(code) if code & 4 != 0 => {
            for round in 1.. {
                let listed = E2FSCK.run(&["-f".as_ref(), "-n".as_ref(), path.as_os_str()])?;
                if listed.code == Some(0) || is_left_by_resizing(&listed.output) {
                    break;
                }
                let (without_name, beyond) = (without_name(&listed.output), named_beyond(&listed.output));
                let found = match round < ROUNDS && !without_name.is_empty() {
                    true => doubles(&FileDevice::open(path, Access::Read)?, &without_name, &beyond)?,
                    false => Doubles::default(),
                };
                // What lies in a folder that is one of those beyond is seen as nameless until e2fsck counts that.
                let all = if beyond.is_empty() { found.len() == without_name.len() } else { found.len() > 0 };
                if found.len() > 0 && all {
                    found.clear(&FileDevice::open(path, Access::Exclusive)?)?;
                } else if !beyond.is_empty() && is_left_by_resizing(&without_beyond(&listed.output, &beyond)) {
                    break;
                } else {
                    return Err(Error::HasErrors { kind, output: checked.both });
                }
            }
            let mended = E2FSCK.run(&["-f".as_ref(), "-y".as_ref(), path.as_os_str()])?;
            match mended.code {
                Some(0 | 1) => Ok(()),
                _ => Err(Error::HasErrors { kind, output: mended.both }),
            }
        }
        code => Err(E2FSCK.failed(&status(code), &checked.both)),
    }
}

/// The inodes that have no name, by what `e2fsck -f -n` has listed.
fn without_name(listed: &str) -> BTreeSet<u64> {
    let after = |line: &str| {
        let rest = line.strip_prefix("Unattached inode ").or_else(|| line.strip_prefix("Unconnected directory inode "));
        rest?.split(' ').next()?.parse().ok()
    };
    listed.lines().filter_map(after).collect()
}

/// The inodes that have a name, and that a group's descriptor takes for never used.
fn named_beyond(listed: &str) -> BTreeSet<u64> {
    let number = |line: &str| {
        let (before, _) =
            line.split_once(" found in group ").filter(|(_, after)| after.contains("unused inodes area"))?;
        before.rsplit(' ').next()?.parse().ok()
    };
    listed.lines().filter_map(number).collect()
}

/// What is left of a list when those are counted as used, as `e2fsck -y` does: what is in them has its name then. It
/// looks at names once before that, so a file may get a second one in lost+found.
fn without_beyond(listed: &str, beyond: &BTreeSet<u64>) -> String {
    let follows = |line: &str| {
        let is_one_of_them = || {
            let number = line.split_once("has deleted/unused inode ")?.1.split('.').next()?;
            Some(beyond.contains(&number.parse().ok()?))
        };
        line.contains("unused inodes area")
            || is_one_of_them() == Some(true)
            || line.starts_with("Entry ") && line.contains("has an incorrect filetype (was 2, should be 0)")
            || ["Unattached inode ", "Unconnected directory inode ", "Connect to /lost+found? no"]
                .iter()
                .any(|begin| line.starts_with(begin))
    };
    listed.lines().filter(|line| !follows(line.trim())).map(|line| format!("{line}\n")).collect()
}

/// Whether what `e2fsck -f -n` has listed is what a cut in the middle of resize2fs leaves, and nothing else.
fn is_left_by_resizing(listed: &str) -> bool {
    let is_said_always = |line: &str| {
        let passes = ["Pass ", "e2fsck ", "Fix? ", "IGNORED", "Warning: "].iter().any(|begin| line.starts_with(begin));
        // The rest of a difference that other lines have come into.
        let is_of_numbers = line.chars().all(|letter| letter.is_ascii_digit() || " +-()".contains(letter));
        passes || is_of_numbers || line.contains("**********") || line.ends_with(" blocks") && line.contains(" files (")
    };
    let mut problems =
        listed.lines().map(str::trim).filter(|line| !line.is_empty() && !is_said_always(line)).peekable();
    problems.peek().is_some() && problems.all(|line| LEFT_BY_RESIZING.iter().any(|known| line.contains(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUT_OFF: &str = "Resize inode not valid.  Recreate? no\n\n\
        Pass 1: Checking inodes, blocks, and sizes\n\
        Inode 12, i_blocks is 16, should be 24.  Fix? no\n\n\
        Pass 5: Checking group summary information\n\
        Block bitmap differences:  +(4139--11405) -(30000--32298)\n\
        Fix? no\n\n\
        Free blocks count wrong for group #0 (12756, counted=7789).\n\
        Fix? no\n\n\n\
        image: ********** WARNING: Filesystem still has errors **********\n\n\
        image: 403/65536 files (0.2% non-contiguous), 25013/65536 blocks\n";

    #[test]
    fn what_a_cut_leaves_is_told_from_real_damage() {
        assert!(is_left_by_resizing(CUT_OFF));
        for other in [
            "Inode 14 has illegal block(s).  Clear? no",
            "Too many illegal blocks in inode 17.\nClear inode? no\n\nSuppress messages? no",
            "Entry 'letter' in /home (12) has deleted/unused inode 15.  Clear? no",
            "Multiply-claimed block(s) in inode 21: 8193",
            "Unattached inode 12",
            "Unconnected directory inode 12 (was in /)",
        ] {
            assert!(!is_left_by_resizing(&CUT_OFF.replace("Pass 5", &format!("{other}\n\nPass 5"))), "{other}");
        }
        assert!(!is_left_by_resizing(""));
    }

    #[test]
    fn inodes_without_a_name_are_told_once() {
        let listed = "Unconnected directory inode 14 (was in /)\nConnect to /lost+found? no\n\n\
            Unattached inode 14\nConnect to /lost+found? no\n\nUnattached inode 2000\n";
        assert_eq!(without_name(listed), BTreeSet::from([14, 2000]));
    }
}
