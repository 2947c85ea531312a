//! The system's packages: which are missing, what each is for, and installing them.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::process::Command;

use crate::command::{Trouble, answer, exists, run};
use crate::places;

/// What something is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Building anything.
    Build,
    /// The window.
    Window,
    /// Making room on a volume, and the file systems of the tests.
    FileSystems,
    /// Holding our volumes against the reference.
    Judges,
    /// Driving the window without a display.
    WindowTest,
    /// The guest in which stock tools open what we made.
    Guest,
    /// The laptop in an emulator whose own system is encrypted.
    Laptop,
    /// Packing for Debian and Fedora, and those who judge that.
    Package,
    /// Building for Windows and running that.
    Cross,
}

impl Need {
    /// All that a usual test needs. What only the full tier has use for installs itself.
    pub const ALL: [Self; 7] =
        [Self::Build, Self::Window, Self::FileSystems, Self::Judges, Self::WindowTest, Self::Guest, Self::Laptop];

    fn why(self) -> &'static str {
        match self {
            Self::Build => "to build anything",
            Self::Window => "to build and open the window",
            Self::FileSystems => "to check and shrink file systems, and to make those of the tests",
            Self::Judges => "to hold what we make against the reference, on a bus of its own",
            Self::WindowTest => "to test the window without a display",
            Self::Guest => "to start the small guest in which stock tools open what we made",
            Self::Laptop => "to install a Debian in an emulator and encrypt it while it runs",
            Self::Package => "to make the packages and to judge them",
            Self::Cross => "to build the program for Windows and to run it",
        }
    }

    /// Package, and a program that shows that it is there where it did not come from a package.
    fn packages(self) -> &'static [(&'static str, Option<&'static str>)] {
        match self {
            Self::Build => &[("build-essential", Some("cc"))],
            Self::Window => &[("pkg-config", Some("pkg-config")), ("libwebkit2gtk-4.1-dev", None)],
            Self::FileSystems => &[
                ("e2fsprogs", Some("resize2fs")),
                ("dosfstools", Some("mkfs.vfat")),
                ("ntfs-3g", Some("ntfsresize")),
                ("exfatprogs", Some("mkfs.exfat")),
                ("btrfs-progs", Some("mkfs.btrfs")),
                ("xfsprogs", Some("mkfs.xfs")),
                ("strace", Some("strace")),
            ],
            Self::Judges => &[
                ("dbus", Some("dbus-daemon")),
                ("cryptsetup-bin", Some("cryptsetup")),
                ("openssl", Some("openssl")),
                ("libssl-dev", None),
                ("pkg-config", Some("pkg-config")),
                ("xz-utils", Some("xz")),
                ("fio", Some("fio")),
                ("poppler-utils", Some("pdftoppm")),
                ("zbar-tools", Some("zbarimg")),
            ],
            Self::WindowTest => &[
                ("xvfb", Some("Xvfb")),
                ("webkit2gtk-driver", Some("WebKitWebDriver")),
                ("dbus", Some("dbus-daemon")),
                ("fonts-dejavu-core", None),
            ],
            Self::Guest => &[
                ("qemu-system-x86", Some("qemu-system-x86_64")),
                ("busybox-static", None),
                ("kmod", Some("depmod")),
                ("xz-utils", Some("xz")),
                ("zstd", Some("zstd")),
                ("lvm2", Some("lvm")),
                ("mdadm", Some("mdadm")),
                ("btrfs-progs", Some("mkfs.btrfs")),
                ("fdisk", Some("sfdisk")),
                ("ovmf", None),
                ("kbd", Some("loadkeys")),
                ("console-setup", Some("ckbcomp")),
                ("dosfstools", Some("fsck.vfat")),
            ],
            Self::Laptop => &[
                ("qemu-system-x86", Some("qemu-system-x86_64")),
                ("ovmf", None),
                ("debootstrap", Some("debootstrap")),
                ("mtools", Some("mcopy")),
                ("dosfstools", Some("mkfs.vfat")),
                ("fdisk", Some("sfdisk")),
                ("binutils", Some("strip")),
            ],
            Self::Package => &[
                ("dpkg-dev", Some("dpkg-shlibdeps")),
                ("lintian", Some("lintian")),
                ("desktop-file-utils", Some("desktop-file-validate")),
                ("appstream", Some("appstreamcli")),
                ("rpm", Some("rpm")),
            ],
            Self::Cross => &[
                ("gcc-mingw-w64-x86-64", Some("x86_64-w64-mingw32-gcc")),
                ("wine64", None),
                ("dosfstools", Some("mkfs.vfat")),
                ("cryptsetup-bin", Some("cryptsetup")),
            ],
        }
    }
}

/// Installs what is missing for these needs. It says what and why first; where somebody is there to be
/// asked, it asks.
///
/// # Errors
/// The person says no, or a package cannot be installed.
pub fn install(needs: &[Need]) -> Result<(), Trouble> {
    let missing = missing(needs);
    if missing.is_empty() {
        return Ok(());
    }
    println!("These packages are missing:");
    for (need, packages) in group(&missing) {
        println!("  {packages}\n      {need}");
    }
    if !exists("apt-get") {
        println!(
            "They have Debian's names. This system has another package manager: please install what they are called there."
        );
        return Ok(());
    }
    agree()?;
    // A fresh system has no list of packages yet, and an old list names files that are gone.
    run(apt()?.args(["-q", "update"]))?;
    let names = missing.iter().map(|(_, package)| *package);
    run(apt()?.args(["-q", "-y", "--no-install-recommends", "install"]).args(names))
}

/// Whether nothing is missing for these needs.
pub fn there(needs: &[Need]) -> bool {
    missing(needs).is_empty()
}

/// Installs packages by name, for what has been said already.
///
/// # Errors
/// A package cannot be installed.
pub fn install_named(names: &[&str]) -> Result<(), Trouble> {
    agree()?;
    run(apt()?.args(["-q", "update"]))?;
    run(apt()?.args(["-q", "-y", "--no-install-recommends", "install"]).args(names))
}

fn missing(needs: &[Need]) -> Vec<(Need, &'static str)> {
    if !cfg!(target_os = "linux") {
        return Vec::new();
    }
    let of = |need: &Need| need.packages().iter().map(move |package| (*need, *package)).collect::<Vec<_>>();
    needs
        .iter()
        .flat_map(of)
        .filter(|(_, (package, program))| !program.is_some_and(exists) && !is_installed(package))
        .map(|(need, (package, _))| (need, package))
        .collect()
}

fn is_installed(package: &str) -> bool {
    let status = answer(Command::new("dpkg-query").args(["-W", "-f", "${db:Status-Status}", package]));
    status.is_some_and(|status| status == "installed")
}

fn group(missing: &[(Need, &'static str)]) -> Vec<(&'static str, String)> {
    let mut groups: BTreeMap<&'static str, Vec<&'static str>> = BTreeMap::new();
    for (need, package) in missing {
        groups.entry(need.why()).or_default().push(package);
    }
    groups.into_iter().map(|(why, packages)| (why, packages.join(", "))).collect()
}

/// Asks, where there is somebody to ask.
fn agree() -> Result<(), Trouble> {
    if places::on_build_server() || !io::stdin().is_terminal() {
        return Ok(());
    }
    if !is_root() {
        println!("Installing them needs administrator rights; `sudo` may ask for your password.");
    }
    print!("Install them now? [Y/n] ");
    let _ = io::stdout().flush();
    let mut reply = String::new();
    io::stdin().read_line(&mut reply).map_err(|error| Trouble::Because(error.to_string()))?;
    match reply.trim().to_lowercase().as_str() {
        "" | "y" | "yes" | "j" | "ja" => Ok(()),
        _ => Err(Trouble::Because("nothing was installed. Install them yourself and start again.".into())),
    }
}

/// `apt-get` with the rights that it needs, waiting for whoever else installs something.
fn apt() -> Result<Command, Trouble> {
    let mut command = match (is_root(), exists("sudo")) {
        (true, _) => Command::new("env"),
        (false, true) => {
            let mut sudo = Command::new("sudo");
            if places::on_build_server() || !io::stdin().is_terminal() {
                sudo.arg("-n");
            }
            sudo.arg("env");
            sudo
        }
        (false, false) => {
            let sentence = "administrator rights are needed, and there is no `sudo`. Install the packages as root, then start again.";
            return Err(Trouble::Because(sentence.into()));
        }
    };
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=600"]);
    Ok(command)
}

fn is_root() -> bool {
    answer(Command::new("id").arg("-u")).is_some_and(|id| id == "0")
}
