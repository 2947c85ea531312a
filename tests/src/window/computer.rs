//! A computer that is not there: its `sys`, `proc` and drives in a folder, which the window shows on its
//! first page. So the page is tried with drives that are plugged in and pulled out, on any computer.

use std::fs;
use std::path::Path;
use std::process::Command;

use model::Secret;

use crate::tool::{Error, find, run};

/// A laptop with a system that is not encrypted, a backup that is, and a portable drive that is not.
pub struct Computer {
    folder: tempfile::TempDir,
}

const PCI: &str = "sys/devices/pci0000:00";

/// Name, number, make, 512-byte units, label of the file system.
const STICK: (&str, u32, &str, u64, &str) = ("sdc", 32, "Kingston DataTraveler", 30_277_632, "KINGSTON");

impl Computer {
    /// Puts it together.
    ///
    /// # Errors
    /// The folder cannot be written; `mkfs.ext4` is missing.
    pub fn build() -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(Error::at(&std::env::temp_dir()))?;
        let computer = Self { folder };
        let nvme = format!("{PCI}/0000:00:1d.0/nvme/nvme0");
        computer.write(&format!("{nvme}/model"), "Samsung SSD 990 PRO 1TB")?;
        let disk = format!("{nvme}/nvme0n1");
        computer.device(&disk, "259:0", 1_953_525_168)?;
        computer.write(&format!("{disk}/queue/rotational"), "0")?;
        computer.link(&format!("{disk}/device"), "../../nvme0")?;
        computer.link("sys/block/nvme0n1", "../devices/pci0000:00/0000:00:1d.0/nvme/nvme0/nvme0n1")?;
        computer.partition(&format!("{disk}/nvme0n1p1"), 1, "259:1", 1_048_576)?;
        computer.partition(&format!("{disk}/nvme0n1p2"), 2, "259:2", 1_952_473_088)?;
        computer.write("run/udev/data/b259:1", "E:ID_PART_ENTRY_TYPE=c12a7328-f81f-11d2-ba4b-00a0c93ec93b")?;
        computer.bytes("nvme0n1", &[0; 4096])?;
        computer.fat("nvme0n1p1", "EFI")?;
        computer.file_system("nvme0n1p2", "")?;

        computer.usb(("sda", 0, "SanDisk Extreme Portable", 976_773_168, ""))?;
        computer.partition(&format!("{}/sda1", usb_folder("sda")), 1, "8:1", 976_771_072)?;
        computer.file_system("sda1", "Photos")?;
        computer.usb(("sdb", 16, "WD My Passport", 3_906_963_456, ""))?;
        let container = blockdev::Memory::new(vec![0; 3 << 20]);
        let options = luks::FormatOptions {
            data_offset: luks::MIN_DATA_OFFSET,
            digest_iterations: Some(1000),
            ..Default::default()
        };
        let made = luks::format(&container, &options, &Secret::from("lutin dehig becur"));
        made.map_err(|error| Error::Window(format!("no LUKS2 volume: {error}")))?;
        computer.bytes("sdb", &container.snapshot())?;

        computer.write(
            "proc/self/mountinfo",
            "28 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw\n\
             31 28 259:1 / /boot/efi rw,relatime shared:30 - vfat /dev/nvme0n1p1 rw,utf8",
        )?;
        computer.write("proc/swaps", "Filename\tType\tSize\tUsed\tPriority")?;
        computer.changed()?;
        Ok(computer)
    }

    /// Where it lies.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Plugs a stick in.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn plug_in(&self) -> Result<(), Error> {
        self.usb(STICK)?;
        self.file_system(STICK.0, STICK.4)?;
        self.changed()
    }

    /// Pulls it out again.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn pull_out(&self) -> Result<(), Error> {
        let link = self.root().join("sys/block").join(STICK.0);
        fs::remove_file(&link).map_err(Error::at(&link))?;
        self.changed()
    }

    /// The kernel's list of devices is what the window looks at every second.
    fn changed(&self) -> Result<(), Error> {
        let folder = self.root().join("sys/block");
        let list = fs::read_dir(&folder).map_err(Error::at(&folder))?;
        let mut names: Vec<String> =
            list.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned())).collect();
        names.sort();
        self.write("proc/partitions", &names.join("\n"))
    }

    fn usb(&self, (name, minor, make, units, _): (&str, u32, &str, u64, &str)) -> Result<(), Error> {
        let folder = usb_folder(name);
        self.device(&folder, &format!("8:{minor}"), units)?;
        self.write(&format!("{folder}/queue/rotational"), "0")?;
        self.write(&format!("{folder}/../../model"), make)?;
        self.link(&format!("{folder}/device"), "../..")?;
        self.link(&format!("sys/block/{name}"), &format!("../../{folder}"))
    }

    fn device(&self, folder: &str, number: &str, units: u64) -> Result<(), Error> {
        self.write(&format!("{folder}/dev"), number)?;
        self.write(&format!("{folder}/size"), &units.to_string())
    }

    fn partition(&self, folder: &str, place: u32, number: &str, units: u64) -> Result<(), Error> {
        self.device(folder, number, units)?;
        self.write(&format!("{folder}/partition"), &place.to_string())
    }

    fn fat(&self, name: &str, label: &str) -> Result<(), Error> {
        self.made(name, Command::new(find("mkfs.vfat")?).args(["-n", label]))
    }

    fn file_system(&self, name: &str, label: &str) -> Result<(), Error> {
        self.made(name, Command::new(find("mkfs.ext4")?).args(["-q", "-F", "-L", label]))
    }

    /// A file system as the bytes of a device.
    fn made(&self, name: &str, tool: &mut Command) -> Result<(), Error> {
        self.bytes(name, &[])?;
        let path = self.root().join("dev").join(name);
        let file = fs::OpenOptions::new().write(true).open(&path).map_err(Error::at(&path))?;
        file.set_len(8 << 20).map_err(Error::at(&path))?;
        run(tool.arg(&path)).map(drop)
    }

    fn bytes(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.put(&format!("dev/{name}"), bytes)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        self.put(name, format!("{text}\n").as_bytes())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.root().join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Error::at(folder))?;
        }
        fs::write(&path, bytes).map_err(Error::at(&path))
    }

    fn link(&self, name: &str, target: &str) -> Result<(), Error> {
        let path = self.root().join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Error::at(folder))?;
        }
        if path.is_symlink() {
            return Ok(());
        }
        std::os::unix::fs::symlink(target, &path).map_err(Error::at(&path))
    }
}

fn usb_folder(name: &str) -> String {
    format!("{PCI}/0000:00:14.0/usb2/2-1/2-1:1.0/host-{name}/0:0:0:0/block/{name}")
}
