//! The image with the judges of drives that encrypt by themselves. They are newer than what a long-lived
//! distribution has, so they come from Debian 13, whatever this computer runs (see [`Apt`]).

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use super::apt::{Apt, SUITE};
use super::image::{INIT, Image, cache, find_kernel, modules, pack};
use crate::tool::{Error, find, run};

const KERNEL: &str = "linux-image-cloud-amd64";
const PACKAGES: [&str; 6] = ["busybox-static", "bsdutils", "cryptsetup-bin", "sedutil", "nvme-cli", "e2fsprogs"];
const MODULES: [&str; 16] = [
    "virtio_pci",
    "virtio_blk",
    "virtio_net",
    "nvme_fabrics",
    "nvme_tcp",
    "dm_mod",
    "dm_crypt",
    "loop",
    "xts",
    "aesni_intel",
    "af_alg",
    "algif_skcipher",
    "algif_hash",
    "sha256_generic",
    "ext4",
    "crc32c_generic",
];

/// What nobody needs in a guest that lives for two minutes.
const LEFT_OUT: [&str; 8] = [
    "usr/share",
    "usr/lib/systemd",
    "usr/lib/x86_64-linux-gnu/systemd",
    "usr/lib/x86_64-linux-gnu/gconv",
    "usr/lib/x86_64-linux-gnu/perl-base",
    "usr/lib/x86_64-linux-gnu/security",
    "usr/lib/locale",
    "usr/lib/udev",
];

/// The image in the cache, made anew if it is not of today's recipe.
pub fn ready() -> Result<Image, Error> {
    let folder = cache().with_file_name("guest-opal");
    let recipe = format!("{INIT}\n{SUITE} {KERNEL} {PACKAGES:?} {MODULES:?} {LEFT_OUT:?}");
    let (stamp, kernel, initramfs) = (folder.join("recipe"), folder.join("kernel"), folder.join("initramfs"));
    if fs::read_to_string(&stamp).is_ok_and(|made| made == recipe) && kernel.is_file() && initramfs.is_file() {
        return Ok(Image { kernel, initramfs });
    }
    fs::create_dir_all(&folder).map_err(Error::at(&folder))?;
    // The stamp is the last that is written: a build that was cut short is no build.
    let _ = fs::remove_file(&stamp);
    let work = tempfile::tempdir_in(&folder).map_err(Error::at(&folder))?;
    let (unpacked, root) = (work.path().join("kernel"), work.path().join("root"));
    let apt = Apt::new(work.path())?;
    for archive in apt.kernel(KERNEL)? {
        run(Command::new("dpkg-deb").arg("-x").arg(&archive).arg(&unpacked))?;
    }
    fs::copy(find_kernel(&unpacked)?, &kernel).map_err(Error::at(&kernel))?;
    lay_out(&root)?;
    for archive in apt.programs(&PACKAGES)? {
        run(Command::new("dpkg-deb").arg("-x").arg(&archive).arg(&root))?;
    }
    finish(&root)?;
    modules(&unpacked, &root, &MODULES)?;
    pack(&root, &initramfs)?;
    fs::write(&stamp, recipe).map_err(Error::at(&stamp))?;
    Ok(Image { kernel, initramfs })
}

/// The folders of a merged `/usr`, as Debian's own base has them.
fn lay_out(root: &Path) -> Result<(), Error> {
    for name in
        ["usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "dev", "proc", "sys", "run", "tmp", "mnt", "root", "etc"]
    {
        let path = root.join(name);
        fs::create_dir_all(&path).map_err(Error::at(&path))?;
    }
    for name in ["bin", "sbin", "lib", "lib64"] {
        let path = root.join(name);
        symlink(format!("usr/{name}"), &path).map_err(Error::at(&path))?;
    }
    Ok(())
}

/// Takes out what is not needed, and puts in busybox for all that is small.
fn finish(root: &Path) -> Result<(), Error> {
    for name in LEFT_OUT {
        let _ = fs::remove_dir_all(root.join(name));
    }
    let busybox = root.join("usr/bin/busybox");
    for applet in run(Command::new(&busybox).arg("--list"))?.lines() {
        let taken = ["usr/bin", "usr/sbin"].iter().any(|folder| root.join(folder).join(applet).exists());
        if !taken {
            let path = root.join("usr/bin").join(applet);
            symlink("/usr/bin/busybox", &path).map_err(Error::at(&path))?;
        }
    }
    // The kernel calls this path when it needs a module.
    let modprobe = root.join("usr/sbin/modprobe");
    if !modprobe.exists() {
        symlink("/usr/bin/busybox", &modprobe).map_err(Error::at(&modprobe))?;
    }
    // Libraries are found without the index that a package's installation would have made.
    let index = root.join("etc/ld.so.conf");
    fs::write(&index, "/usr/lib/x86_64-linux-gnu\n").map_err(Error::at(&index))?;
    for (name, text) in [("passwd", "root:x:0:0:root:/root:/bin/sh\n"), ("group", "root:x:0:\n")] {
        let path = root.join("etc").join(name);
        fs::write(&path, text).map_err(Error::at(&path))?;
    }
    let init = root.join("init");
    fs::write(&init, INIT).map_err(Error::at(&init))?;
    find("busybox").map(|_| ())?;
    fs::set_permissions(&init, fs::Permissions::from_mode(0o755)).map_err(Error::at(&init))
}
