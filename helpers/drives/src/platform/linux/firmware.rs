//! The firmware and what starts the system: efivars, the TPM's class, files of boot loaders.

use std::path::Path;

use model::Finding;

use super::sysfs::{entries, text};
use crate::Firmware;

/// The GUID of the variables that the UEFI specification itself defines (section 3.3).
const GLOBAL: &str = "8be4df61-93ca-11d2-aa0d-00e098032b8c";
/// The GUID of the Boot Loader Interface of systemd.
const LOADER: &str = "4a67b082-0a4c-41cf-b6c7-440b29bb8c4f";

pub(super) fn facts(root: &Path) -> Firmware {
    let uefi = root.join("sys/firmware/efi").is_dir();
    let known = root.join("sys/firmware").is_dir();
    let seen =
        |value| if known { Finding::seen(value, "/sys/firmware/efi") } else { Finding::unknown("/sys/firmware") };
    Firmware {
        uefi: seen(uefi),
        // The kernel prints it once at the start and keeps it nowhere.
        uefi_version: Finding::unknown("/sys/firmware/efi"),
        csm: csm(root, known, uefi),
        secure_boot: secure_boot(root, known, uefi),
        tpm: tpm(root),
        version: version(root),
        boot_loader: boot_loader(root),
        initramfs: initramfs(root),
    }
}

/// SMBIOS 3.7, section 7.1.2.2: bit 3 of the second extension byte says that the firmware can do UEFI.
fn csm(root: &Path, known: bool, uefi: bool) -> Finding<bool> {
    const TABLE: &str = "/sys/firmware/dmi/entries/0-0/raw";
    if uefi {
        return Finding::seen(false, "/sys/firmware/efi");
    }
    let extension = std::fs::read(root.join(&TABLE[1..])).ok().and_then(|raw| raw.get(0x13).copied());
    match extension {
        Some(bits) if known => Finding::seen(bits & 8 != 0, TABLE),
        _ => Finding::unknown(TABLE),
    }
}

fn secure_boot(root: &Path, known: bool, uefi: bool) -> Finding<bool> {
    if known && !uefi {
        return Finding::seen(false, "/sys/firmware/efi");
    }
    let name = format!("SecureBoot-{GLOBAL}");
    match variable(root, &name).as_deref() {
        Some([value, ..]) => Finding::seen(*value == 1, format!("efivars/{name}")),
        _ => Finding::unknown(format!("efivars/{name}")),
    }
}

fn tpm(root: &Path) -> Finding<String> {
    const CLASS: &str = "/sys/class/tpm";
    let folder = root.join(&CLASS[1..]);
    // A kernel without the class may have a TPM that nobody drives.
    if !folder.is_dir() {
        return Finding::unknown(CLASS);
    }
    let Some(chip) = entries(&folder).into_iter().find(|chip| chip.file_name().is_some_and(|name| name != "tpmrm0"))
    else {
        return Finding::seen(String::new(), CLASS);
    };
    match text(&chip.join("tpm_version_major")).as_deref() {
        Some("2") => Finding::seen("2.0".to_owned(), format!("{CLASS}/tpm0/tpm_version_major")),
        Some("1") => Finding::seen("1.2".to_owned(), format!("{CLASS}/tpm0/tpm_version_major")),
        _ => Finding::unknown(format!("{CLASS}/tpm0/tpm_version_major")),
    }
}

/// SMBIOS 3.7, section 7.1: version and release date of the firmware.
fn version(root: &Path) -> Finding<String> {
    const FOLDER: &str = "/sys/class/dmi/id";
    let folder = root.join(&FOLDER[1..]);
    let told: Vec<String> = ["bios_version", "bios_date"].iter().filter_map(|name| text(&folder.join(name))).collect();
    if told.is_empty() { Finding::unknown(FOLDER) } else { Finding::seen(told.join(" "), FOLDER) }
}

/// Who loaded this kernel says so itself where it follows the Boot Loader Interface; otherwise its files
/// tell.
fn boot_loader(root: &Path) -> Finding<String> {
    let name = format!("LoaderInfo-{LOADER}");
    if let Some(bytes) = variable(root, &name) {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        let said = String::from_utf16_lossy(&units);
        let said = said.trim_end_matches('\0').trim();
        if !said.is_empty() {
            return Finding::seen(said.to_owned(), format!("efivars/{name}"));
        }
    }
    const FILES: [(&str, &str); 8] = [
        ("boot/grub/grub.cfg", "GRUB"),
        ("boot/grub2/grub.cfg", "GRUB"),
        ("boot/efi/loader/loader.conf", "systemd-boot"),
        ("boot/loader/loader.conf", "systemd-boot"),
        ("efi/loader/loader.conf", "systemd-boot"),
        ("boot/efi/EFI/refind/refind.conf", "rEFInd"),
        ("boot/limine.conf", "Limine"),
        ("boot/extlinux/extlinux.conf", "extlinux"),
    ];
    first_file(root, &FILES)
}

fn initramfs(root: &Path) -> Finding<String> {
    const FILES: [(&str, &str); 6] = [
        ("usr/bin/mkinitcpio", "mkinitcpio"),
        ("usr/bin/booster", "booster"),
        // Debian installs either; where both are, dracut has taken over.
        ("usr/bin/dracut", "dracut"),
        ("usr/sbin/dracut", "dracut"),
        ("usr/sbin/update-initramfs", "initramfs-tools"),
        ("sbin/update-initramfs", "initramfs-tools"),
    ];
    first_file(root, &FILES)
}

fn first_file(root: &Path, files: &[(&str, &str)]) -> Finding<String> {
    match files.iter().find(|(path, _)| root.join(path).exists()) {
        Some((path, name)) => Finding::seen((*name).to_owned(), format!("/{path}")),
        None => Finding::unknown(files.iter().map(|(path, _)| format!("/{path}")).collect::<Vec<_>>().join(", ")),
    }
}

/// A UEFI variable without the four bytes of attributes that come first.
fn variable(root: &Path, name: &str) -> Option<Vec<u8>> {
    let bytes = std::fs::read(root.join("sys/firmware/efi/efivars").join(name)).ok()?;
    bytes.get(4..).map(<[u8]>::to_vec)
}
