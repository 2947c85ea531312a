//! Folder and names on Linux and macOS.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The folder of this user, which nobody else can write to.
pub(super) fn folder() -> io::Result<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let named = std::env::var_os("LATCHKEY_RUNTIME_DIR").map(PathBuf::from);
    let folder = match (named, runtime) {
        (Some(named), _) => named,
        _ if user == 0 && Path::new("/run").is_dir() => PathBuf::from("/run/latchkey"),
        (None, Some(runtime)) if user != 0 => runtime.join("latchkey"),
        _ => std::env::temp_dir().join(format!("latchkey-{user}")),
    };
    match DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    // Among the temporary files anybody could have made it first.
    let data = std::fs::symlink_metadata(&folder)?;
    if !data.is_dir() || data.uid() != user || data.mode() & 0o022 != 0 {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    Ok(folder)
}

/// A name for the target that every path to it shares.
pub(super) fn name(target: &Path) -> io::Result<String> {
    let data = std::fs::metadata(target)?;
    Ok(if data.file_type().is_block_device() {
        format!("device-{:x}", data.rdev())
    } else {
        format!("file-{:x}-{:x}", data.dev(), data.ino())
    })
}
