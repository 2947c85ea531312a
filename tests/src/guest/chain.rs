//! The signed chain that starts a computer with Secure Boot on, as Debian has it: shim, GRUB, a kernel and its
//! modules, in a folder as an installed system has them.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::apt::{Apt, SUITE};
use super::image::cache;
use crate::tool::{Error, find, run};

/// What a laptop has, not the kernel for the cloud: the keyboards are in it.
const KERNEL: &str = "linux-image-amd64";
const PACKAGES: [&str; 2] = ["shim-signed", "grub-efi-amd64-signed"];
/// What a rescue stick carries of the system, with its libraries.
const PROGRAMS: [&str; 3] = ["busybox-static", "cryptsetup-bin", "e2fsprogs"];

/// The folder, in the cache. Made anew if it is not of today's recipe.
///
/// # Errors
/// As [`Guest::with_opal_judges`](super::Guest::with_opal_judges).
pub fn root() -> Result<PathBuf, Error> {
    let folder = cache().with_file_name("guest-chain");
    let (root, stamp) = (folder.join("root"), folder.join("recipe"));
    let recipe = format!("{SUITE} {KERNEL} {PACKAGES:?} {PROGRAMS:?}");
    if fs::read_to_string(&stamp).is_ok_and(|made| made == recipe) {
        return Ok(root);
    }
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&root).map_err(Error::at(&root))?;
    let work = tempfile::tempdir_in(&folder).map_err(Error::at(&folder))?;
    let apt = Apt::new(work.path())?;
    apt.kernel(KERNEL)?;
    for archive in apt.programs(&PROGRAMS)?.into_iter().chain(apt.download(&PACKAGES)?) {
        run(Command::new("dpkg-deb").arg("-x").arg(&archive).arg(&root))?;
    }
    // What the installation of the package would have done.
    let library = root.join("usr/lib/modules");
    let base = root.join("usr");
    for version in fs::read_dir(&library).map_err(Error::at(&library))?.flatten() {
        run(Command::new(find("depmod")?).arg("-b").arg(&base).arg(version.file_name()))?;
    }
    fs::write(&stamp, recipe).map_err(Error::at(&stamp))?;
    Ok(root)
}
