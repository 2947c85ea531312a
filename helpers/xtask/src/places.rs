//! Folders.

use std::env;
use std::path::{Path, PathBuf};

/// The repository's root.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// What can be fetched and built again: `latchkey` in the system's cache folder (XDG Base Directory
/// Specification, `XDG_CACHE_HOME`).
pub fn cache() -> PathBuf {
    let base = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    base.or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))
        .unwrap_or_else(env::temp_dir)
        .join("latchkey")
}

/// Where cargo builds: where it was told to; on a build server in the cache, because there every run
/// has a new clone; else `target`.
pub fn target() -> PathBuf {
    if let Some(told) = env::var_os("CARGO_TARGET_DIR") {
        return root().join(told);
    }
    if on_build_server() { cache().join("target") } else { root().join("target") }
}

/// Whether nobody is there to be asked: `CI=true`.
pub fn on_build_server() -> bool {
    env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

/// Whether there is a display to open a window on.
pub fn has_display() -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
