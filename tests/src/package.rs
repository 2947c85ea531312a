//! A Debian in an emulator that has what our package depends on, so that its own apt can install and remove it there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::files;
use crate::guest::{SUITE, cache, mirror};
use crate::laptop::{Disk, Laptop};
use crate::tool::{Error, find, run};

const INSTALL: &str = include_str!("package/install.sh");

/// A shell for the test on the first serial port, and nothing that works in the background of its own accord.
const LINE: &str = "quiet systemd.show_status=no systemd.debug_shell=ttyS0 systemd.mask=serial-getty@ttyS0.service \
    systemd.mask=apt-daily.timer systemd.mask=apt-daily-upgrade.timer systemd.mask=e2scrub_all.timer \
    systemd.mask=fstrim.timer systemd.mask=dpkg-db-backup.timer systemd.mask=man-db.timer \
    systemd.mask=systemd-tmpfiles-clean.timer";

/// The folder of its disk.
const COMPUTER: &str = "computer";
/// Where `install.sh` lays the root, in bytes.
const ROOT_STARTS: u64 = 2 << 20;

/// A `.deb`.
pub struct Package {
    path: PathBuf,
}

impl Package {
    /// The one that `cargo xtask test` has built: `LATCHKEY_PACKAGE`; `None` with a word about it if there is none.
    pub fn find() -> Option<Self> {
        let path = std::env::var_os("LATCHKEY_PACKAGE").map(PathBuf::from).filter(|path| path.is_file());
        if path.is_none() {
            println!("left out: `cargo xtask test --only package` builds the package and says where it is");
        }
        path.map(|path| Self { path })
    }

    /// A field of its description, as `Version`.
    ///
    /// # Errors
    /// It is no package.
    pub fn field(&self, name: &str) -> Result<String, Error> {
        Ok(run(Command::new("dpkg-deb").arg("--field").arg(&self.path).arg(name))?.trim().to_owned())
    }

    /// Unpacks what it installs.
    ///
    /// # Errors
    /// It is no package, or the folder cannot be written.
    pub fn unpack(&self, folder: &Path) -> Result<(), Error> {
        run(Command::new("dpkg-deb").arg("--extract").arg(&self.path).arg(folder)).map(|_| ())
    }

    /// Switches a computer on that could have it, with the package on its stick, `/dev/vdb`. It is there when this
    /// returns, and everything has been started.
    ///
    /// # Errors
    /// A program is missing, or it does not start.
    pub fn computer(&self, work: &Path) -> Result<Laptop, Error> {
        let folder = self.ready()?;
        let disk = Disk::without_firmware(folder.join("disk.img")).copy(&work.join(COMPUTER))?;
        let content = work.join("content");
        fs::create_dir_all(&content).map_err(Error::at(&content))?;
        fs::copy(&self.path, content.join("latchkey.deb")).map_err(Error::at(&self.path))?;
        let stick = work.join("stick.img");
        let size = fs::metadata(&self.path).map_err(Error::at(&self.path))?.len();
        files::ext4(&stick, (size + (32 << 20)).next_multiple_of(4096), &content)?;
        let mut laptop = Laptop::with_kernel(&disk, Some(&stick), &folder, LINE)?;
        // That shell edits its line, and writes what a terminal needs for it between the words.
        laptop.wait(&["# "])?;
        laptop.type_line("exec sh")?;
        laptop.prompt()?;
        laptop.run("systemctl is-system-running --wait")?;
        laptop.must("export HOME=/root DEBIAN_FRONTEND=noninteractive; mount -o ro /dev/vdb /media")?;
        Ok(laptop)
    }

    /// Takes a file off the disk of a computer that is off.
    ///
    /// # Errors
    /// There is no such file.
    pub fn taken_out(work: &Path, inside: &str, to: &Path) -> Result<(), Error> {
        let disk = format!("{}?offset={ROOT_STARTS}", work.join(COMPUTER).join("disk.img").display());
        let dump = format!("dump {inside} {}", to.display());
        // It says what is wrong and ends well.
        let said = run(Command::new(find("debugfs")?).args(["-R", &dump, &disk]))?;
        if to.is_file() { Ok(()) } else { Err(Error::Missing(format!("{inside}: {said}"))) }
    }

    /// The disk in the cache, made anew if this package depends on something else than the last one. Takes some
    /// minutes, and the administrator's rights.
    fn ready(&self) -> Result<PathBuf, Error> {
        for name in ["debootstrap", "unshare", "sfdisk", "mke2fs"] {
            find(name)?;
        }
        let folder = cache().with_file_name("guest-package");
        let recipe = format!("{INSTALL}\n{SUITE} {}", self.field("Depends")?);
        let stamp = folder.join("recipe");
        if fs::read_to_string(&stamp).is_ok_and(|made| made == recipe) && folder.join("disk.img").is_file() {
            return Ok(folder);
        }
        println!("A Debian is made that has what the package depends on (once)");
        fs::create_dir_all(&folder).map_err(Error::at(&folder))?;
        let _ = fs::remove_file(&stamp);
        let script = folder.join("install.sh");
        fs::write(&script, INSTALL).map_err(Error::at(&script))?;
        run(Command::new("sh").arg(&script).arg(&folder).arg(mirror()?).arg(SUITE).arg(&self.path))?;
        // The stamp is the last that is written: a build that was cut short is no build.
        fs::write(&stamp, recipe).map_err(Error::at(&stamp))?;
        Ok(folder)
    }
}
