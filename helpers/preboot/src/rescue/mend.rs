//! A file system that does not mount, or at which a system stops at its start: its own check, which the stick carries.

use std::path::Path;

use blockdev::{Access, FileDevice};
use filesystems::{Found, Kind};
use model::{Args, Describe, Fault, FaultKind};
use texts::{Key, keys};

use super::desk::Desk;
use super::open;
use super::volumes::Volume;

/// Whether the stick has the program for what lies there, by the catalogue's name.
pub fn is_known(content: &str) -> bool {
    matches!(content, "ext2" | "ext3" | "ext4")
}

/// Opens the volume if it is encrypted, checks its file system and puts it in order, as far as that takes no decision
/// about a file.
pub fn visit(desk: &mut Desk, volume: &Volume) -> Result<Option<Key>, Fault> {
    if !desk.agrees(keys::RESCUE_ASK_MEND) {
        return Ok(None);
    }
    let Some(path) = open::open(desk, volume, false)? else { return Ok(None) };
    let done = mend(desk, &path);
    open::close();
    done
}

fn mend(desk: &mut Desk, path: &Path) -> Result<Option<Key>, Fault> {
    let found = look(path)?;
    desk.wait(keys::RESCUE_MENDING);
    match filesystems::put_in_order(path, &found) {
        Ok(()) => {}
        Err(filesystems::Error::HasErrors { output, .. }) => {
            let args = Args::from([("path".to_owned(), path.display().to_string())]);
            let text = desk.texts.say(keys::RESCUE_NOT_MENDED, &args);
            desk.tell(&format!("{text}\n\n{output}"));
            return Ok(None);
        }
        Err(error) => return Err(error.fault()),
    }
    match look(path)?.clean {
        Some(true) => Ok(Some(keys::RESCUE_MENDED)),
        _ => Err(Fault::new("rescue-differs", FaultKind::Failed)),
    }
}

fn look(path: &Path) -> Result<Found, Fault> {
    let device = FileDevice::open(path, Access::Read).map_err(|error| error.fault())?;
    let found = filesystems::probe(&device).map_err(|error| error.fault())?;
    let known = found.filter(|found| matches!(found.kind, Kind::Ext2 | Kind::Ext3 | Kind::Ext4));
    known.ok_or_else(|| Fault::new("rescue-no-check", FaultKind::Refused))
}
