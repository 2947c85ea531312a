//! Which kernel modules an image carries, and what they need in turn.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Error, Result, unpack};

/// What the image is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To open the drives, and no more.
    Preboot,
    /// To repair.
    Rescue,
}

/// Drives and the ways to them, keyboards and the ways to them, and a picture where the firmware's is not enough.
const ALWAYS: [&str; 24] = [
    "nvme",
    "vmd",
    "ahci",
    "ata_piix",
    "sd_mod",
    "uas",
    "usb_storage",
    "xhci_pci",
    "ehci_pci",
    "uhci_hcd",
    "ohci_pci",
    "usbhid",
    "hid_generic",
    "hid_apple",
    "hid_logitech_dj",
    "hid_microsoft",
    "hid_multitouch",
    "i2c_hid_acpi",
    "i2c_designware_pci",
    "i2c_designware_platform",
    "intel_lpss_pci",
    "surface_hid",
    "virtio_pci",
    "mmc_block",
];

/// File systems, and what opens an encrypted volume.
const FOR_RESCUE: [&str; 34] = [
    "sdhci_pci",
    "sdhci_acpi",
    "virtio_blk",
    "virtio_scsi",
    "dm_mod",
    "dm_crypt",
    "loop",
    "xts",
    "cbc",
    "ecb",
    "essiv",
    "aesni_intel",
    "cryptd",
    "sha256_generic",
    "sha512_generic",
    "algif_skcipher",
    "algif_hash",
    "crc32c_generic",
    "ext4",
    "btrfs",
    "xfs",
    "vfat",
    "exfat",
    "ntfs3",
    "iso9660",
    "isofs",
    "efivarfs",
    "nls_cp437",
    "nls_ascii",
    "nls_utf8",
    "nls_iso8859_1",
    "raid1",
    "md_mod",
    "fuse",
];

impl Purpose {
    fn names(self) -> Vec<&'static str> {
        match self {
            Self::Preboot => ALWAYS.to_vec(),
            Self::Rescue => ALWAYS.iter().chain(&FOR_RESCUE).copied().collect(),
        }
    }
}

/// The modules, unpacked, in an order in which each comes after those that it needs.
///
/// A name that is not there is built into this kernel, or this kernel does without.
pub fn collect(folder: &Path, purpose: Purpose, more: &[String]) -> Result<Vec<(String, Vec<u8>)>> {
    let index = folder.join("modules.dep");
    let index = fs::read_to_string(&index).map_err(Error::at(&index))?;
    let order = order(&index, purpose.names().into_iter().chain(more.iter().map(String::as_str)));
    let load = |path: PathBuf| {
        let name = module_name(&path.to_string_lossy());
        unpack::module(&folder.join(path)).map(|bytes| (name, bytes))
    };
    order.into_iter().map(load).collect()
}

/// Paths in the index, each after what it needs. In `modules.dep` (`man 5 modules.dep`) what a module needs
/// stands behind it, the deepest last.
fn order<'a>(index: &str, names: impl Iterator<Item = &'a str>) -> Vec<PathBuf> {
    let lines = index.lines().filter_map(|line| line.split_once(':'));
    let index: HashMap<String, (&str, &str)> = lines.map(|(path, needs)| (module_name(path), (path, needs))).collect();
    let mut order: Vec<PathBuf> = Vec::new();
    for (path, needs) in names.filter_map(|name| index.get(name)) {
        for one in needs.split_whitespace().rev().chain([*path]).map(PathBuf::from) {
            // A path of the index leads nowhere else.
            if !order.contains(&one) && !one.is_absolute() && !one.to_string_lossy().contains("..") {
                order.push(one);
            }
        }
    }
    order
}

/// `kernel/drivers/hid/hid-generic.ko.xz` is `hid_generic`.
fn module_name(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.split(".ko").next().unwrap_or(file).replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_module_comes_after_what_it_needs_and_once() {
        let index = "kernel/a-b.ko.xz: kernel/c.ko.xz kernel/d.ko.xz\nkernel/c.ko.xz: kernel/d.ko.xz\n\
                     kernel/d.ko.xz:\n../../etc/x.ko:\n/etc/y.ko:\n";
        let paths = order(index, ["a_b", "not_there", "c", "x", "y"].into_iter());
        assert_eq!(paths, ["kernel/d.ko.xz", "kernel/c.ko.xz", "kernel/a-b.ko.xz"].map(PathBuf::from));
    }
}
