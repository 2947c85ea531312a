use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::Why;

/// Whose a file has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The administrator's, and its folder as well.
    Administrators,
    /// That, or of whoever runs this program.
    OrMine,
}

/// Where this computer's policy lies.
#[allow(clippy::unnecessary_wraps)]
pub fn policy_path() -> Option<PathBuf> {
    let path = match cfg!(target_os = "macos") {
        true => "/Library/Application Support/Latchkey/policy.json",
        false => "/etc/latchkey/policy.json",
    };
    Some(PathBuf::from(path))
}

/// What is wrong with an open file, if anything is.
pub fn wrong_with(path: &Path, file: &File, whose: Whose) -> Option<Why> {
    let Ok(data) = file.metadata() else { return Some(Why::Owner) };
    let mine = whose == Whose::OrMine && data.uid() == own_uid();
    if data.uid() != 0 && !mine {
        return Some(Why::Owner);
    }
    // Whoever can write the folder can put another file of the administrator's in its place.
    let folder = path.parent().filter(|_| whose == Whose::Administrators);
    let folder = folder.map(|folder| folder.metadata().is_ok_and(|folder| folder.uid() == 0 && !others_write(&folder)));
    (others_write(&data) || folder == Some(false)).then_some(Why::Writable)
}

/// What is wrong with an open file that holds a secret.
pub fn wrong_with_secret(file: &File) -> Option<Why> {
    let Ok(data) = file.metadata() else { return Some(Why::Owner) };
    if data.uid() != 0 && data.uid() != own_uid() {
        return Some(Why::Owner);
    }
    (data.mode() & 0o077 != 0).then_some(Why::Readable)
}

fn others_write(data: &Metadata) -> bool {
    data.mode() & 0o022 != 0
}

fn own_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}
