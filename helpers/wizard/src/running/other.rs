//! Folder and names where files have no numbers that the standard library shows.

use std::io;
use std::path::{Path, PathBuf};

/// The folder of this user.
pub(super) fn folder() -> io::Result<PathBuf> {
    // On Windows this lies in the user's own profile.
    let folder = std::env::temp_dir().join("latchkey");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A name for the target made of its full path: the FNV-1a hash, which stays the same from one
/// version of this program to the next.
pub(super) fn name(target: &Path) -> io::Result<String> {
    let path = std::fs::canonicalize(target)?;
    let hash = path
        .as_os_str()
        .as_encoded_bytes()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    Ok(format!("path-{hash:016x}"))
}
