//! The header backups that the stick carries.

use std::fs;
use std::path::{Path, PathBuf};

use blockdev::{Access, FileDevice, Memory};
use luks::Header;
use rustix::mount::{MountFlags, mount};

use super::volumes::{self, State, Volume};
use crate::settings::{HEADERS, STICK};

/// A backup and whose it is.
pub struct Backup {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    pub uuid: String,
}

/// Mounts the stick, found by its label, to be read only. It may take a moment to be there.
pub fn mount_stick() {
    let _ = fs::create_dir_all(STICK);
    for _ in 0..20 {
        if let Some(path) = volumes::this_stick()
            && mount(&path, STICK, "vfat", MountFlags::RDONLY, None).is_ok()
        {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(250));
    }
}

/// All that can be read.
pub fn all() -> Vec<Backup> {
    let entries = fs::read_dir(Path::new(STICK).join(HEADERS)).into_iter().flatten().flatten();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).ok()?;
        let header = Header::load(&Memory::new(bytes.clone())).ok()?.header;
        Some(Backup { path, uuid: header.uuid().to_owned(), bytes })
    };
    entries.filter_map(|entry| read(entry.path())).collect()
}

/// Those that are this volume's: by its UUID or, where that is gone, by the digests of its keys. A volume
/// of which nothing is left to tell may be anybody's; there the person decides.
pub fn fitting(volume: &Volume) -> Vec<Backup> {
    let mut backups = all();
    match (&volume.uuid, volume.state) {
        (Some(uuid), _) => backups.retain(|backup| backup.uuid.eq_ignore_ascii_case(uuid)),
        (None, State::Lost) => {
            let device = FileDevice::open(&volume.path, Access::Read).ok();
            let left = device.and_then(|device| volumes::header(&device));
            backups.retain(|backup| {
                let theirs = Header::load(&Memory::new(backup.bytes.clone())).ok().map(|loaded| loaded.header);
                match (&left, &theirs) {
                    (Some(left), Some(theirs)) => left.metadata().digests == theirs.metadata().digests,
                    _ => false,
                }
            });
        }
        _ => {}
    }
    backups
}
