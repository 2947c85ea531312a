//! The signed chain of an installed system.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Where the parts of the chain lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The first program, signed by Microsoft.
    pub shim: PathBuf,
    /// The boot loader, signed by the distribution.
    pub grub: PathBuf,
    /// Where GRUB looks for its settings: `EFI/debian`.
    pub grub_folder: String,
    /// The kernel, signed by the distribution.
    pub kernel: PathBuf,
    /// Its version, as `uname -r` has it.
    pub version: String,
    /// The folder of its modules.
    pub modules: PathBuf,
}

const SHIM: &str = "usr/lib/shim/shimx64.efi.signed";
const GRUB: &str = "usr/lib/grub/x86_64-efi-signed/grubx64.efi.signed";

impl Parts {
    /// Looks in a system's root folder, with the newest kernel that has its modules.
    ///
    /// # Errors
    /// [`Error::PartMissing`], [`Error::GrubUnknown`], [`Error::File`].
    pub fn find(root: &Path) -> Result<Self> {
        let part = |path: &str, package| {
            // Ubuntu's shim comes in two; the newer one has "latest" in its name.
            let places = [root.join(path), root.join(format!("{path}.latest"))];
            places.into_iter().find(|path| path.is_file()).ok_or(Error::PartMissing { package, path: root.join(path) })
        };
        let shim = part(SHIM, "shim-signed")?;
        let grub = part(GRUB, "grub-efi-amd64-signed")?;
        let bytes = fs::read(&grub).map_err(Error::at(&grub))?;
        let grub_folder = grub_folder(&bytes).ok_or_else(|| Error::GrubUnknown { path: grub.clone() })?;
        let (kernel, version, modules) = kernel(root)?;
        Ok(Self { shim, grub, grub_folder, kernel, version, modules })
    }
}

/// The newest kernel whose modules are there.
fn kernel(root: &Path) -> Result<(PathBuf, String, PathBuf)> {
    let boot = root.join("boot");
    let missing = || Error::PartMissing { package: "linux-image-amd64", path: boot.clone() };
    let names = fs::read_dir(&boot).map_err(|_| missing())?.flatten();
    let mut found: Vec<_> = names
        .filter_map(|entry| Some(entry.file_name().to_str()?.strip_prefix("vmlinuz-")?.to_owned()))
        .filter_map(|version| {
            let folders = ["usr/lib/modules", "lib/modules"].map(|folder| root.join(folder).join(&version));
            let modules = folders.into_iter().find(|folder| folder.join("modules.dep").is_file())?;
            Some((root.join("boot").join(format!("vmlinuz-{version}")), version, modules))
        })
        .collect();
    found.sort_by_key(|(_, version, _)| numbers(version));
    found.pop().ok_or_else(missing)
}

/// The numbers in a version, to be compared as numbers.
fn numbers(version: &str) -> Vec<u64> {
    version.split(|letter: char| !letter.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

/// The folder that was compiled into GRUB: `/EFI/` and the distribution's name, with a zero behind it.
fn grub_folder(bytes: &[u8]) -> Option<String> {
    const BEGIN: &[u8] = b"/EFI/";
    let starts = bytes.windows(BEGIN.len()).enumerate().filter(|(_, window)| *window == BEGIN);
    starts.map(|(at, _)| &bytes[at + 1..]).find_map(|rest| {
        let end = rest.iter().take(64).position(|byte| *byte == 0)?;
        let name = std::str::from_utf8(&rest[4..end]).ok()?;
        let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
        plain.then(|| format!("EFI/{name}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, path: &str, bytes: &[u8]) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    #[test]
    fn the_newest_kernel_with_modules_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert!(matches!(Parts::find(root), Err(Error::PartMissing { package: "shim-signed", .. })));
        put(root, SHIM, b"shim");
        put(root, GRUB, b"...prefix\0/EFI/\0 /EFI/debian\0");
        assert!(matches!(Parts::find(root), Err(Error::PartMissing { package: "linux-image-amd64", .. })));
        for version in ["6.9.1-amd64", "6.12.2-amd64", "6.20.0-amd64"] {
            put(root, &format!("boot/vmlinuz-{version}"), b"kernel");
        }
        for version in ["6.9.1-amd64", "6.12.2-amd64"] {
            put(root, &format!("lib/modules/{version}/modules.dep"), b"");
        }
        let parts = Parts::find(root).unwrap();
        assert_eq!((parts.version.as_str(), parts.grub_folder.as_str()), ("6.12.2-amd64", "EFI/debian"));
        put(root, GRUB, b"nothing in it");
        assert!(matches!(Parts::find(root), Err(Error::GrubUnknown { .. })));
    }
}
