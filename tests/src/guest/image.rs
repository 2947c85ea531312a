//! The guest's kernel and initramfs, made of this computer's packages and kept in the cache.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::tool::{Error, find, run};

/// A kernel and what it starts with.
pub struct Image {
    pub kernel: PathBuf,
    pub initramfs: PathBuf,
}

/// Programs without which there is no guest.
const NEEDED: [&str; 8] = ["mount", "umount", "cryptsetup", "dmsetup", "e2fsck", "mke2fs", "resize2fs", "blkid"];

/// Programs for the file systems; a test that needs one looks whether it is there.
const WELCOME: [&str; 20] = [
    "dumpe2fs",
    "debugfs",
    "tune2fs",
    "mkfs.vfat",
    "fsck.vfat",
    "mkfs.exfat",
    "fsck.exfat",
    "mkntfs",
    "ntfsfix",
    "ntfsresize",
    "ntfs-3g",
    "ntfscluster",
    "mkfs.btrfs",
    "btrfs",
    "mkfs.xfs",
    "xfs_repair",
    "mkswap",
    "lsblk",
    "lvm",
    "mdadm",
];

/// Kernel modules, with what they need in turn.
const MODULES: [&str; 27] = [
    "virtio_pci",
    "virtio_blk",
    "dm_mod",
    "dm_crypt",
    "dm_integrity",
    "raid1",
    "loop",
    "xts",
    "cbc",
    "ecb",
    "essiv",
    "aesni_intel",
    "sha256_generic",
    "sha512_generic",
    "algif_skcipher",
    "algif_hash",
    "ext4",
    "crc32c_generic",
    "vfat",
    "exfat",
    "ntfs3",
    "btrfs",
    "xfs",
    "fuse",
    "nls_cp437",
    "nls_ascii",
    "nls_utf8",
];

pub(super) const INIT: &str = include_str!("init.sh");

impl Image {
    /// The image in the cache, made anew if it is not of today's recipe.
    pub fn ready() -> Result<Self, Error> {
        let folder = cache();
        let recipe = recipe()?;
        let (stamp, kernel, initramfs) = (folder.join("recipe"), folder.join("kernel"), folder.join("initramfs"));
        if fs::read_to_string(&stamp).is_ok_and(|made| made == recipe) && kernel.is_file() && initramfs.is_file() {
            return Ok(Self { kernel, initramfs });
        }
        fs::create_dir_all(&folder).map_err(Error::at(&folder))?;
        // The stamp is the last that is written: a build that was cut short is no build.
        let _ = fs::remove_file(&stamp);
        let work = tempfile::tempdir_in(&folder).map_err(Error::at(&folder))?;
        let unpacked = fetch_kernel(work.path())?;
        fs::copy(find_kernel(&unpacked)?, &kernel).map_err(Error::at(&kernel))?;
        let root = work.path().join("root");
        programs(&root)?;
        modules(&unpacked, &root, &MODULES)?;
        pack(&root, &initramfs)?;
        fs::write(&stamp, recipe).map_err(Error::at(&stamp))?;
        Ok(Self { kernel, initramfs })
    }
}

pub(crate) fn cache() -> PathBuf {
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    base.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
        .join("latchkey/guest")
}

/// Everything that the image depends on, as text: if it differs, the image is made anew. The kernel is
/// the exception: a newer one of the same series is no reason, because each is as good a judge.
fn recipe() -> Result<String, Error> {
    let mut text = format!("{INIT}\n{MODULES:?}\n");
    for name in NEEDED.iter().chain(&WELCOME).chain(&["busybox", "dash"]) {
        let Ok(path) = find(name) else { continue };
        let about = fs::metadata(&path).map_err(Error::at(&path))?;
        let _ = writeln!(text, "{name} {} {:?}", about.len(), about.modified().ok());
    }
    Ok(text)
}

/// Downloads the distribution's kernel and unpacks it. It is not installed: this computer keeps its own.
fn fetch_kernel(work: &Path) -> Result<PathBuf, Error> {
    // Debian's name, then Ubuntu's.
    let packages = ["linux-image-amd64", "linux-image-virtual"].into_iter().find_map(kernel_packages);
    let packages = packages.ok_or_else(|| Error::Missing("a kernel among the system's packages".into()))?;
    run(Command::new("apt-get").args(["-q", "download"]).args(packages).current_dir(work))?;
    let unpacked = work.join("unpacked");
    for entry in fs::read_dir(work).map_err(Error::at(work))?.flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "deb") {
            run(Command::new("dpkg-deb").arg("-x").arg(entry.path()).arg(&unpacked))?;
        }
    }
    Ok(unpacked)
}

/// The packages behind the name that always means the newest kernel: the image itself and, where they
/// are apart, its modules.
fn kernel_packages(name: &str) -> Option<Vec<String>> {
    let text = run(Command::new("apt-cache").args(["depends", "--no-recommends", "--no-suggests", name])).ok()?;
    let packages: Vec<String> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Depends: "))
        .filter(|package| package.starts_with("linux-image-") || package.starts_with("linux-modules-"))
        .map(str::to_owned)
        .collect();
    let with_modules = packages.iter().filter_map(|image| image.strip_prefix("linux-image-"));
    let modules: Vec<String> = with_modules
        .map(|version| format!("linux-modules-{version}"))
        .filter(|package| run(Command::new("apt-cache").args(["show", package])).is_ok_and(|text| !text.is_empty()))
        .collect();
    (!packages.is_empty()).then(|| packages.into_iter().chain(modules).collect())
}

pub(super) fn find_kernel(unpacked: &Path) -> Result<PathBuf, Error> {
    let boot = unpacked.join("boot");
    let mut files = fs::read_dir(&boot).map_err(Error::at(&boot))?.flatten().map(|entry| entry.path());
    files
        .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("vmlinuz")))
        .ok_or_else(|| Error::Missing("the kernel in its package".into()))
}

/// Lays out the guest's root: busybox, the tools, and every library that they are linked with.
fn programs(root: &Path) -> Result<(), Error> {
    for folder in
        ["bin", "sbin", "usr/bin", "usr/sbin", "dev", "proc", "sys", "run", "tmp", "mnt", "root", "etc", "var/lock"]
    {
        let path = root.join(folder);
        fs::create_dir_all(&path).map_err(Error::at(&path))?;
    }
    let busybox = find("busybox")?;
    copy(&busybox, &root.join("bin/busybox"))?;
    for applet in run(Command::new(&busybox).arg("--list"))?.lines() {
        let path = root.join("bin").join(applet);
        if applet != "busybox" {
            symlink("/bin/busybox", &path).map_err(Error::at(&path))?;
        }
    }
    // The kernel calls this path when it needs a module.
    let modprobe = root.join("sbin/modprobe");
    symlink("/bin/busybox", &modprobe).map_err(Error::at(&modprobe))?;

    let mut libraries = BTreeSet::new();
    // A shell that looks for programs where the path says: the one in busybox takes its own small
    // `mke2fs` before the real one.
    let shell = root.join("bin/sh");
    fs::remove_file(&shell).map_err(Error::at(&shell))?;
    let dash = find("dash")?;
    copy(&dash, &shell)?;
    libraries.extend(linked(&dash)?);
    let needed = NEEDED.iter().map(|name| find(name)).collect::<Result<Vec<_>, _>>()?;
    let welcome = WELCOME.iter().filter_map(|name| find(name).ok());
    for program in needed.into_iter().chain(welcome) {
        let Some(name) = program.file_name() else { continue };
        let place = root.join("sbin").join(name);
        // A tool's own goes before the small one of busybox, and `sbin` comes later in the path.
        let _ = fs::remove_file(root.join("bin").join(name));
        copy(&program, &place)?;
        libraries.extend(linked(&program)?);
    }
    // Loaded by the C library when a thread ends, and named by nobody.
    libraries.extend(loaded("libgcc_s.so.1"));
    for library in libraries {
        copy(&library, &root.join(library.strip_prefix("/").unwrap_or(&library)))?;
    }
    let settings = Path::new("/etc/mke2fs.conf");
    if settings.is_file() {
        copy(settings, &root.join("etc/mke2fs.conf"))?;
    }
    let init = root.join("init");
    fs::write(&init, INIT).map_err(Error::at(&init))?;
    fs::set_permissions(&init, fs::Permissions::from_mode(0o755)).map_err(Error::at(&init))
}

/// The libraries that a program is linked with, by their full paths.
fn linked(program: &Path) -> Result<Vec<PathBuf>, Error> {
    let text = run(Command::new("ldd").arg(program))?;
    let paths = text.lines().filter_map(|line| line.split_whitespace().find(|word| word.starts_with('/')));
    Ok(paths.map(PathBuf::from).collect())
}

/// A library by its name, as the loader would find it.
fn loaded(name: &str) -> Option<PathBuf> {
    let text = run(Command::new(find("ldconfig").ok()?).arg("-p")).ok()?;
    let line = text.lines().find(|line| line.trim_start().starts_with(name) && line.contains("x86-64"))?;
    line.split_whitespace().last().map(PathBuf::from)
}

/// Copies the modules and what they need, and writes their index.
pub(super) fn modules(unpacked: &Path, root: &Path, names: &[&str]) -> Result<(), Error> {
    let library =
        [unpacked.join("lib/modules"), unpacked.join("usr/lib/modules")].into_iter().find(|path| path.is_dir());
    let library = library.ok_or_else(|| Error::Missing("modules in the kernel's package".into()))?;
    let version = fs::read_dir(&library).map_err(Error::at(&library))?.flatten().map(|entry| entry.file_name()).next();
    let version = version.ok_or_else(|| Error::Missing("modules in the kernel's package".into()))?;
    let base = library.ancestors().nth(2).unwrap_or(&library).to_owned();
    run(Command::new(find("depmod")?).arg("-b").arg(&base).arg(&version))?;

    let from = library.join(&version);
    let index = from.join("modules.dep");
    let index = fs::read_to_string(&index).map_err(Error::at(&index))?;
    let index: HashMap<String, Vec<&str>> = index
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(module, needs)| (module_name(module), std::iter::once(module).chain(needs.split_whitespace()).collect()))
        .collect();
    let to = root.join("lib/modules").join(&version);
    // A name that is not there is built into this kernel, or this kernel does without.
    for path in names.iter().filter_map(|name| index.get(*name)).flatten() {
        copy_module(&from.join(path), &to.join(path))?;
    }
    for name in ["modules.builtin", "modules.order", "modules.builtin.modinfo"] {
        if from.join(name).is_file() {
            copy(&from.join(name), &to.join(name))?;
        }
    }
    run(Command::new(find("depmod")?).arg("-b").arg(root).arg(&version)).map(|_| ())
}

/// `kernel/drivers/md/dm-crypt.ko.xz` is `dm_crypt`.
fn module_name(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.split(".ko").next().unwrap_or(file).replace('-', "_")
}

/// Copies a module as it is loaded: not compressed, under the name that says so.
fn copy_module(from: &Path, to: &Path) -> Result<(), Error> {
    let unpack = match from.extension().and_then(|extension| extension.to_str()) {
        Some("xz") => "xz",
        Some("zst") => "zstd",
        _ => return copy(from, to),
    };
    let to = to.with_extension("");
    copy(from, &to)?;
    let file = File::create(&to).map_err(Error::at(&to))?;
    let status = Command::new(find(unpack)?).args(["-q", "-d", "-c"]).arg(from).stdout(file).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Error::Failed { line: format!("{unpack} -d {}", from.display()), words: String::new() }),
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(Error::at(folder))?;
    }
    fs::copy(from, to).map(|_| ()).map_err(Error::at(from))
}

/// Packs the root as the kernel unpacks it (`cpio`, new ASCII format). Not compressed: an emulated
/// processor takes longer to unpack it than to read it.
pub(super) fn pack(root: &Path, to: &Path) -> Result<(), Error> {
    let names = root.with_extension("names");
    let list = run(Command::new("find").arg(".").current_dir(root))?;
    fs::write(&names, list).map_err(Error::at(&names))?;
    let input = File::open(&names).map_err(Error::at(&names))?;
    let output = File::create(to).map_err(Error::at(to))?;
    let mut cpio = Command::new(find("busybox")?);
    cpio.args(["cpio", "-o", "-H", "newc", "-R", "0:0"])
        .current_dir(root)
        .stdin(input)
        .stdout(output)
        .stderr(Stdio::null());
    match cpio.status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Error::Failed { line: "busybox cpio".into(), words: String::new() }),
    }
}
