//! What the running system is made of, as far as it matters here. Gathered once; the judgement is [`crate::preflight`].

use std::fs;
use std::path::{Path, PathBuf};

use model::VolumeId;

use crate::fstab::Table;
use crate::job::FOLDER;
use crate::parts::{self, Part};
use crate::split::{self, Split};
use crate::version::Version;
use crate::{Error, Result, files, initramfs, loader, tool};

/// The running system.
#[derive(Clone, Debug)]
pub struct Facts {
    /// All block devices.
    pub parts: Vec<Part>,
    /// From the disk to what the root file system lies on.
    pub root: Vec<Part>,
    /// Bytes of the root file system that are in use.
    pub root_used: u64,
    /// Bytes of the root file system's blocks.
    pub root_block: u64,
    /// A package is being installed, or its installation was cut off.
    pub packages_unfinished: bool,
    /// Errors that ext4 has counted, where it counts them.
    pub root_errors: Option<u64>,
    /// What the drive says of its own health; `None`: it was not asked.
    pub healthy: Option<bool>,
    /// What `/boot` lies on, if it is a file system of its own.
    pub boot: Option<Part>,
    /// Bytes that are in `/boot`, without the EFI system partition.
    pub boot_used: u64,
    /// Bytes that are free in `/boot`.
    pub boot_free: u64,
    /// `/etc/fstab`.
    pub fstab: Table,
    /// `/etc/crypttab`.
    pub crypttab: Table,
    /// `/proc/cmdline`.
    pub cmdline: String,
    /// Where the system would wake up from.
    pub resume: Option<String>,
    /// Names in `/proc/swaps`.
    pub swaps: Vec<String>,
    /// A division of a swap partition that was begun.
    pub divided: Option<Split>,
    /// Version of cryptsetup; `None`: not installed.
    pub cryptsetup: Option<Version>,
    /// Programs and files that are missing, with the package that has them.
    pub missing: Vec<&'static str>,
    /// What makes the initramfs.
    pub initramfs: Option<&'static str>,
    /// How an entry is started once.
    pub loader: Option<&'static str>,
    /// How the computer is fed.
    pub power: Power,
    /// The keyboard's layout, where it is not the American one.
    pub layout: Option<String>,
    /// The year by the clock.
    pub year: u32,
    /// Versions of the kernel that have an initramfs.
    pub kernels: Vec<String>,
    /// Version of the kernel that runs.
    pub kernel: String,
    /// Whether systemd has started it.
    pub systemd: bool,
}

/// How the computer is fed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Power {
    /// Percent of the fullest battery; `None`: there is none.
    pub battery: Option<u32>,
    /// Whether the mains are plugged in; `None`: not to be seen.
    pub mains: Option<bool>,
}

/// Smallest piece of the system's parts that must be there, and the Debian package that has it.
const NEEDED: [(&str, &str); 6] = [
    ("/usr/sbin/cryptsetup", "cryptsetup-bin"),
    ("/usr/lib/cryptsetup/askpass", "cryptsetup"),
    ("/usr/sbin/e2fsck", "e2fsprogs"),
    ("/usr/sbin/resize2fs", "e2fsprogs"),
    ("/usr/sbin/sfdisk", "fdisk"),
    ("/usr/sbin/dmsetup", "dmsetup"),
];

impl Facts {
    /// Looks at the running system.
    ///
    /// # Errors
    /// [`Error::NotTheSystem`] where no root can be found, and those of the programs that are asked.
    pub fn load() -> Result<Self> {
        let parts = parts::load()?;
        let root = root(&parts);
        let Some(device) = root.last() else { return Err(Error::NotTheSystem { id: "/".into() }) };
        let boot = parts::path_to(&parts, &|part| part.is_mounted_at("/boot"))
            .and_then(|path| path.last().map(|part| (*part).clone()));
        let text = |path: &str| files::text_or_empty(Path::new(path));
        let cmdline = text("/proc/cmdline")?.trim().to_owned();
        let space = |path: &str| rustix::fs::statvfs(path).map_err(|error| Error::at(Path::new(path))(error.into()));
        let (whole, boot_space) = (space("/")?, space("/boot")?);
        let swaps = text("/proc/swaps")?;
        let layout = layout(&text("/etc/default/keyboard")?);
        let initramfs = initramfs::used();
        let mut missing: Vec<&'static str> =
            NEEDED.iter().filter(|(path, _)| !Path::new(path).exists()).map(|(_, package)| *package).collect();
        if let Some(builder) = &initramfs {
            missing.extend(builder.missing());
        }
        if layout.is_some() && !Path::new("/usr/bin/setupcon").exists() && !Path::new("/bin/setupcon").exists() {
            missing.push("console-setup");
        }
        // Who opens the swap partition at each start.
        let opener = Path::new("/usr/lib/systemd/system-generators/systemd-cryptsetup-generator");
        if plain_swaps(&parts).next().is_some() && !opener.exists() {
            missing.push("systemd-cryptsetup");
        }
        missing.sort_unstable();
        missing.dedup();
        Ok(Self {
            root_used: (whole.f_blocks - whole.f_bfree) * whole.f_frsize,
            root_block: whole.f_frsize,
            packages_unfinished: unfinished(Path::new("/var/lib/dpkg/updates")),
            root_errors: ext_errors(device),
            healthy: healthy(&root[0]),
            boot_used: size_of(Path::new("/boot")),
            boot_free: boot_space.f_bavail * boot_space.f_frsize,
            boot,
            fstab: Table::parse(&text("/etc/fstab")?),
            crypttab: Table::parse(&text("/etc/crypttab")?),
            resume: resume(&cmdline, &text("/etc/initramfs-tools/conf.d/resume")?),
            cmdline,
            swaps: swaps.lines().skip(1).filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect(),
            divided: split::divided(Path::new(FOLDER))?,
            cryptsetup: tool::run("cryptsetup", ["--version"]).ok().and_then(|printed| Version::parse(&printed)),
            missing,
            initramfs: initramfs.map(|builder| builder.name()),
            loader: loader::usable().map(|loader| loader.name()),
            power: power(Path::new("/sys/class/power_supply")),
            layout,
            year: year(),
            kernels: kernels(Path::new("/boot")),
            kernel: text("/proc/sys/kernel/osrelease")?.trim().to_owned(),
            systemd: Path::new("/run/systemd/system").is_dir(),
            root,
            parts,
        })
    }

    /// What the root file system lies on.
    pub fn device(&self) -> &Part {
        // `load` makes none without it.
        &self.root[self.root.len() - 1]
    }

    /// Names the volume for [`crate::verbs`].
    pub fn id(&self) -> Option<VolumeId> {
        id(&self.root)
    }

    /// Swap partitions that somebody could read.
    pub fn plain_swaps(&self) -> impl Iterator<Item = &Part> {
        plain_swaps(&self.parts)
    }

    /// Those of them that this system uses. The others may be another system's, which may lie in them, asleep.
    pub fn own_swaps(&self) -> impl Iterator<Item = &Part> {
        let named = |part: &Part| {
            let mut rows = self.fstab.rows().filter(|row| row.get(2) == Some(&"swap"));
            rows.any(|row| part.names().iter().any(|name| name == row[0]))
        };
        self.plain_swaps().filter(move |part| self.swaps.contains(&part.name) || named(part))
    }
}

/// The same without looking at anything else: how it stands is asked for often, and by slow computers.
///
/// # Errors
/// Those of `lsblk`.
pub fn system() -> Result<Option<VolumeId>> {
    Ok(id(&root(&parts::load()?)))
}

fn id(root: &[Part]) -> Option<VolumeId> {
    root.iter().rev().find_map(|part| part.partuuid.clone()).map(VolumeId)
}

/// From the disk to what the root file system lies on.
pub(crate) fn root(parts: &[Part]) -> Vec<Part> {
    parts::path_to(parts, &|part| part.is_mounted_at("/")).into_iter().flatten().cloned().collect()
}

fn plain_swaps(parts: &[Part]) -> impl Iterator<Item = &Part> {
    parts::all(parts).into_iter().filter(|part| part.kind == "part" && part.fstype.as_deref() == Some("swap"))
}

fn resume(cmdline: &str, configured: &str) -> Option<String> {
    let on_line = cmdline.split_whitespace().rev().find_map(|word| word.strip_prefix("resume="));
    let in_file = configured.lines().rev().find_map(|line| line.trim().strip_prefix("RESUME="));
    let place = on_line.or(in_file)?.trim_matches(['"', '\'']);
    (!place.is_empty() && place != "none").then(|| place.to_owned())
}

/// The layout of the console's keyboard, if it is not the one that the kernel has anyway.
fn layout(settings: &str) -> Option<String> {
    let line = settings.lines().find_map(|line| line.trim().strip_prefix("XKBLAYOUT="))?;
    let layout = line.trim_matches(['"', '\'']).trim();
    (!layout.is_empty() && layout != "us").then(|| layout.to_owned())
}

fn ext_errors(device: &Part) -> Option<u64> {
    let name = Path::new(&device.name).file_name()?.to_owned();
    let count = fs::read_to_string(Path::new("/sys/fs/ext4").join(name).join("errors_count")).ok()?;
    count.trim().parse().ok()
}

/// dpkg notes here what it has begun, and clears the folder when it is done.
fn unfinished(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

/// What the drive itself says (SMART), where the program that asks it is there.
fn healthy(disk: &Part) -> Option<bool> {
    tool::find("smartctl").ok()?;
    // Its exit code has a bit for everything that it wants to say.
    let output = tool::command("smartctl", ["--json", "--health", &disk.name]).ok()?.output().ok()?;
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    answer.get("smart_status")?.get("passed")?.as_bool()
}

fn power(folder: &Path) -> Power {
    let mut found = Power { battery: None, mains: None };
    let supplies = fs::read_dir(folder).into_iter().flatten().flatten();
    for supply in supplies {
        let read = |name: &str| fs::read_to_string(supply.path().join(name)).unwrap_or_default().trim().to_owned();
        match read("type").as_str() {
            "Battery" if read("scope") != "Device" => {
                let percent = read("capacity").parse().ok();
                found.battery = found.battery.max(percent);
            }
            "Mains" | "USB" => found.mains = Some(found.mains.unwrap_or(false) || read("online") == "1"),
            _ => {}
        }
    }
    found
}

fn year() -> u32 {
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    u32::try_from(1970 + seconds / 31_556_952).unwrap_or(u32::MAX)
}

/// The versions of which there is a kernel.
pub(crate) fn kernels(boot: &Path) -> Vec<String> {
    let names = fs::read_dir(boot).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let versions = names.filter_map(|name| name.to_str()?.strip_prefix("vmlinuz-").map(str::to_owned));
    let mut versions: Vec<String> = versions.collect();
    versions.sort();
    versions
}

/// Bytes of the files in a folder, without what is mounted in it.
fn size_of(folder: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let Ok(device) = fs::metadata(folder).map(|data| data.dev()) else { return 0 };
    let mut open: Vec<PathBuf> = vec![folder.to_owned()];
    let mut size = 0;
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(data) = entry.path().symlink_metadata() else { continue };
            if data.is_dir() && data.dev() == device {
                open.push(entry.path());
            } else if data.is_file() {
                size += data.len();
            }
        }
    }
    size
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The installer's layout, in order.
    pub(crate) fn facts() -> Facts {
        let parts = parts::parse(include_str!("../fixtures/lsblk-installer.json")).unwrap();
        let root = parts::path_to(&parts, &|part| part.is_mounted_at("/")).unwrap();
        Facts {
            root: root.into_iter().cloned().collect(),
            root_used: 343 << 20,
            root_block: 4096,
            packages_unfinished: false,
            root_errors: Some(0),
            healthy: None,
            boot: None,
            boot_used: 51 << 20,
            boot_free: 727 << 20,
            fstab: Table::parse(
                "UUID=7a6f2c52-61b1-4a1f-9e0c-3f5c5a8d1e01 / ext4 errors=remount-ro 0 1\n\
                 UUID=1B0D-93AA /boot/efi vfat umask=0077 0 1\n\
                 UUID=7a6f2c52-61b1-4a1f-9e0c-3f5c5a8d1e02 none swap sw 0 0\n",
            ),
            crypttab: Table::parse(""),
            cmdline: "BOOT_IMAGE=/boot/vmlinuz root=UUID=7a6f2c52-61b1-4a1f-9e0c-3f5c5a8d1e01 ro quiet".into(),
            resume: None,
            swaps: vec!["/dev/vda3".into()],
            divided: None,
            cryptsetup: Some(Version(2, 7, 5)),
            missing: vec![],
            initramfs: Some("initramfs-tools"),
            loader: Some("grub"),
            power: Power { battery: None, mains: None },
            layout: None,
            year: 2026,
            kernels: vec!["6.12".into()],
            kernel: "6.12".into(),
            systemd: true,
            parts,
        }
    }

    #[test]
    fn the_place_to_wake_up_from() {
        assert_eq!(resume("a resume=UUID=1 b", ""), Some("UUID=1".into()));
        assert_eq!(resume("a", "RESUME=UUID=2\n"), Some("UUID=2".into()));
        assert_eq!(resume("a", "RESUME=none\n"), None);
        assert_eq!(resume("", ""), None);
    }

    #[test]
    fn a_package_that_is_being_installed() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!unfinished(folder.path()) && !unfinished(&folder.path().join("not there")));
        fs::write(folder.path().join("0001"), "").unwrap();
        assert!(unfinished(folder.path()));
    }

    #[test]
    fn the_keyboard() {
        assert_eq!(layout("XKBLAYOUT=\"de\"\n"), Some("de".into()));
        assert_eq!(layout("XKBLAYOUT=\"us\"\n"), None);
        assert_eq!(layout(""), None);
    }

    #[test]
    fn batteries_and_mains() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(power(folder.path()), Power { battery: None, mains: None });
        for (name, entries) in [
            ("BAT0", vec![("type", "Battery"), ("capacity", "37\n")]),
            ("hid", vec![("type", "Battery"), ("scope", "Device"), ("capacity", "99")]),
            ("AC", vec![("type", "Mains\n"), ("online", "0\n")]),
        ] {
            let supply = folder.path().join(name);
            fs::create_dir(&supply).unwrap();
            for (name, value) in entries {
                fs::write(supply.join(name), value).unwrap();
            }
        }
        assert_eq!(power(folder.path()), Power { battery: Some(37), mains: Some(false) });
    }
}
