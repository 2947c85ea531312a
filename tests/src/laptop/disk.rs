//! The laptop's disk, and the memory of its firmware: installed once, kept in the cache, copied for each test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Laptop;
use crate::guest::{cache, mirror};
use crate::tool::{Error, find, run};

const INSTALL: &str = include_str!("install.sh");
const SUITE: &str = "trixie";

/// How the disk is laid out.
#[derive(Clone, Copy, Debug)]
pub enum Layout {
    /// As Debian's installer does it: root with `/boot` in it, and a swap partition.
    SwapPartition,
    /// As Ubuntu's does it: root with `/boot` in it, and a swap file.
    SwapFile,
    /// The same on a computer without UEFI.
    SwapFileBios,
}

impl Layout {
    /// Root's size and the swap partition's, in mebibytes, and the folder in the cache.
    fn sizes(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::SwapPartition => ("1200", "768", "guest-laptop"),
            Self::SwapFile => ("1900", "0", "guest-laptop-swap-file"),
            Self::SwapFileBios => ("1900", "0", "guest-laptop-bios"),
        }
    }

    fn has_uefi(self) -> bool {
        !matches!(self, Self::SwapFileBios)
    }
}

/// The firmware's memory with the keys that laptops are sold with.
const VARIABLES: &str = "/usr/share/OVMF/OVMF_VARS_4M.ms.fd";

/// An installed Debian.
pub struct Image {
    folder: PathBuf,
    layout: Layout,
}

impl Image {
    /// The image in the cache, installed anew if it is not of today's recipe. Takes some minutes, and the
    /// administrator's rights: `debootstrap` changes its root.
    ///
    /// # Errors
    /// A program is missing or fails.
    pub fn ready(layout: Layout) -> Result<Self, Error> {
        for name in ["debootstrap", "mcopy", "sfdisk", "mkfs.vfat", "mke2fs", "mkswap"] {
            find(name)?;
        }
        let (root, swap, name) = layout.sizes();
        let folder = cache().with_file_name(name);
        let recipe = format!("{INSTALL}\n{SUITE} {root} {swap}");
        let stamp = folder.join("recipe");
        let this = Self { folder, layout };
        if fs::read_to_string(&stamp).is_ok_and(|made| made == recipe) && this.installed().image.is_file() {
            return Ok(this);
        }
        println!("Debian is installed (once)");
        fs::create_dir_all(&this.folder).map_err(Error::at(&this.folder))?;
        let _ = fs::remove_file(&stamp);
        this.install()?;
        // The stamp is the last that is written: a build that was cut short is no build.
        fs::write(&stamp, recipe).map_err(Error::at(&stamp))?;
        Ok(this)
    }

    fn install(&self) -> Result<(), Error> {
        let (root, swap, _) = self.layout.sizes();
        let script = self.folder.join("install.sh");
        fs::write(&script, INSTALL).map_err(Error::at(&script))?;
        let mut command = Command::new("sh");
        command.arg(&script).arg(&self.folder).arg(mirror()?).arg(SUITE).env("LAPTOP_ROOT_MIB", root);
        command.env("LAPTOP_SWAP_MIB", swap);
        command.env("LAPTOP_FIRMWARE", if self.layout.has_uefi() { "uefi" } else { "bios" });
        run(&mut command)?;
        let disk = self.installed();
        if let Some(variables) = &disk.variables {
            fs::copy(VARIABLES, variables).map_err(Error::at(Path::new(VARIABLES)))?;
        }
        // The installer's last steps are taken in the new system, as its first start.
        let mut laptop = match disk.variables {
            Some(_) => Laptop::on(&disk, None)?,
            // No boot loader is in the disk's first sector yet.
            None => Laptop::with_kernel(&disk, None, &self.folder, "")?,
        };
        if laptop.wait(&["finish-install 0", "finish-install 1", "Kernel panic"])? != 0 {
            return Err(Error::Failed { line: "finish-install".into(), words: laptop.last() });
        }
        let end = std::time::Instant::now() + Duration::from_secs(120);
        while std::time::Instant::now() < end && laptop.emulator.try_wait().is_ok_and(|ended| ended.is_none()) {
            std::thread::sleep(Duration::from_millis(200));
        }
        let _ = fs::remove_dir_all(self.folder.join("root"));
        let _ = fs::remove_file(self.folder.join("bootstrapped"));
        Ok(())
    }

    fn installed(&self) -> Disk {
        let variables = self.layout.has_uefi().then(|| self.folder.join("variables.fd"));
        Disk { image: self.folder.join("disk.img"), variables }
    }

    /// A disk of a test's own, in a folder of its own.
    ///
    /// # Errors
    /// It cannot be copied.
    pub fn disk(&self, folder: &Path) -> Result<Disk, Error> {
        self.installed().copy(folder)
    }
}

/// A disk with the memory of the firmware, where that has one.
pub struct Disk {
    image: PathBuf,
    variables: Option<PathBuf>,
}

impl Disk {
    /// One without a boot loader on it.
    pub(crate) fn without_firmware(image: PathBuf) -> Self {
        Self { image, variables: None }
    }

    /// The disk.
    pub fn image(&self) -> &Path {
        &self.image
    }

    /// The memory of an UEFI; `None`: the computer has a BIOS.
    pub fn variables(&self) -> Option<&Path> {
        self.variables.as_deref()
    }

    /// As it is at the moment, for another test.
    ///
    /// # Errors
    /// It cannot be copied.
    pub fn copy(&self, folder: &Path) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(Error::at(folder))?;
        let variables = self.variables.as_ref().map(|_| folder.join("variables.fd"));
        let copy = Self { image: folder.join("disk.img"), variables };
        // Most of it is empty.
        run(Command::new("cp").arg("--sparse=always").arg(&self.image).arg(&copy.image))?;
        if let (Some(from), Some(to)) = (&self.variables, &copy.variables) {
            fs::copy(from, to).map_err(Error::at(from))?;
        }
        Ok(copy)
    }
}
