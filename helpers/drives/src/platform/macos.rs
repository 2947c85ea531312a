//! macOS: the property lists of its own `diskutil`, called by its full path and with nothing of the
//! caller's environment. None of them needs rights.

use std::path::Path;
use std::process::Command;

use blockdev::Device;

use super::diskutil::{self, Lists};
use super::{free_of, open_whole};
use crate::platform::{Platform, Power};
use crate::{Error, Located, Node, Result, Stack};

const DISKUTIL: &str = "/usr/sbin/diskutil";

/// The system that this program runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct This;

impl Platform for This {
    fn stack(&self) -> Result<Stack> {
        let unreadable = |source| Error::Unreadable { path: DISKUTIL.to_owned(), source };
        let list = ask(&["list", "-plist"]).map_err(unreadable)?;
        let mut lists = Lists { list, ..Lists::default() };
        // Without APFS there is no such list; what it would have said stays unknown.
        lists.apfs = ask(&["apfs", "list", "-plist"]).unwrap_or_default();
        for disk in diskutil::whole_disks(&lists.list) {
            if let Ok(info) = ask(&["info", "-plist", &disk]) {
                lists.info.insert(disk, info);
            }
        }
        diskutil::stack(&lists).ok_or_else(|| unreadable(std::io::ErrorKind::InvalidData.into()))
    }

    fn locate(&self, path: &Path, stack: &Stack) -> Result<Located> {
        let shown = path.display().to_string();
        // `/dev/rdisk2` is the same drive without the cache in between.
        let usual = shown.replacen("/dev/rdisk", "/dev/disk", 1);
        if let Some(node) = stack.by_path(&usual) {
            return Ok(Located::Block(node.number));
        }
        let fail = |error| blockdev::Error::from_io(blockdev::Operation::Open, 0, &shown, error);
        Ok(Located::File(std::fs::canonicalize(path).map_err(fail)?))
    }

    fn open(&self, node: &Node) -> blockdev::Result<Box<dyn Device>> {
        open_whole(node)
    }

    fn free(&self, folder: &Path) -> Option<u64> {
        free_of(folder)
    }

    fn may_write(&self, path: &Path) -> Option<bool> {
        Some(rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok())
    }

    fn power(&self) -> Power {
        Power::Unknown
    }
}

/// What `diskutil` prints. It puts its errors there, too, which then are no list.
fn ask(words: &[&str]) -> std::io::Result<Vec<u8>> {
    Ok(Command::new(DISKUTIL).args(words).env_clear().output()?.stdout)
}
