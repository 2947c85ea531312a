//! A shell, and the system's own tools that put its start right.

use std::path::Path;
use std::process::{Command, Stdio};

use model::{Fault, FaultKind};
use rustix::mount::{MountFlags, UnmountFlags, mount_bind_recursive, unmount};
use texts::{Key, keys};

use super::desk::Desk;
use super::open::{self, PLACE};
use super::volumes::Volume;

/// A shell on the consoles' first one, until it is left.
pub fn shell(desk: &mut Desk) {
    desk.wait(keys::RESCUE_SHELL_HOW);
    desk.console.run(Command::new("/bin/busybox").arg("sh").env("PATH", "/bin:/usr/sbin:/usr/bin").env("HOME", "/"));
}

/// Mounts the system with its own `/boot`, and has it make its initramfs and boot entry anew.
pub fn repair_start(desk: &mut Desk, volume: &Volume) -> Result<Option<Key>, Fault> {
    if !desk.agrees(keys::RESCUE_ASK_START) || !open::mount_volume(desk, volume, MountFlags::empty())? {
        return Ok(None);
    }
    let done = in_system(desk);
    for (_, place) in open::inner().iter().rev() {
        let _ = unmount(place, UnmountFlags::DETACH);
    }
    open::close();
    done
}

fn in_system(desk: &mut Desk) -> Result<Option<Key>, Fault> {
    if !Path::new(PLACE).join("etc/fstab").is_file() {
        return Err(Fault::new("rescue-no-system", FaultKind::Refused));
    }
    for (from, place) in open::inner() {
        mount_bind_recursive(&from, &place).map_err(|error| open::io(error.into()))?;
    }
    desk.wait(keys::RESCUE_REPAIRING_START);
    // The system's own `/boot` and EFI partition, by its own table; then what its distribution has for it.
    let steps: [&[&str]; 3] = [
        &["mount -a -O no_netdev || true"],
        &["update-initramfs -u -k all", "dracut --regenerate-all --force", "mkinitcpio -P"],
        &["grub-install && update-grub", "bootctl install", "true"],
    ];
    for ways in steps {
        if !ways.iter().any(|way| chroot(way)) {
            return Err(Fault::new("rescue-start", FaultKind::Failed).because(ways.join(" / ")));
        }
    }
    chroot("umount -a -t ext4,vfat || true");
    Ok(Some(keys::RESCUE_START_REPAIRED))
}

fn chroot(line: &str) -> bool {
    let mut command = Command::new("/bin/busybox");
    command.args(["chroot", PLACE, "/bin/sh", "-c", line]);
    command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").stdin(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
