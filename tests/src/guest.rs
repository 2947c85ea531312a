//! A small Linux in an emulator: the distribution's own kernel, its own `cryptsetup` and tools of the
//! file systems, and nothing of ours. It is the judge of what we made, and it has what a test on this
//! computer may not touch: device-mapper and mounting.
//!
//! It has no disk of its own. Kernel and tools are taken from this computer's packages into an
//! initramfs, so that it is up in seconds even where the processor is emulated in software.

mod apt;
pub mod chain;
mod image;
mod judges;

pub(crate) use apt::{SUITE, mirror};
pub(crate) use image::cache;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::tool::{Error, find};

/// A guest that is ready to start.
pub struct Guest {
    image: image::Image,
    disks: Vec<Disk>,
    memory_mib: u32,
    patience: Duration,
    network: bool,
}

struct Disk {
    path: PathBuf,
    read_only: bool,
    /// Bytes and requests a second.
    pace: Option<(u64, u64)>,
}

/// What a script did in the guest.
#[derive(Clone, Debug)]
pub struct Output {
    /// What it printed, standard error included.
    pub lines: Vec<String>,
    /// Its exit code.
    pub status: i32,
    /// From the start of the emulator to its end.
    pub time: Duration,
}

impl Guest {
    /// Builds the image, if it is not there or something that it is made of has changed.
    ///
    /// # Errors
    /// A program or a package is missing.
    pub fn new() -> Result<Self, Error> {
        find("qemu-system-x86_64")?;
        let image = image::Image::ready()?;
        Ok(Self { image, disks: Vec::new(), memory_mib: 2560, patience: Duration::from_secs(600), network: false })
    }

    /// A newer Linux with the judges of drives that encrypt by themselves: a kernel with `sed-opal`,
    /// cryptsetup 2.7, sedutil and nvme-cli, and a network on which this computer is `10.0.2.2`.
    ///
    /// # Errors
    /// As [`Guest::new`].
    pub fn with_opal_judges() -> Result<Self, Error> {
        find("qemu-system-x86_64")?;
        let image = judges::ready()?;
        Ok(Self { image, disks: Vec::new(), memory_mib: 1536, patience: Duration::from_secs(900), network: true })
    }

    /// Adds a disk. The first one is `/dev/vdb` in the guest, the next one `/dev/vdc`; `$1` and `$2` of
    /// the script are these names.
    #[must_use]
    pub fn disk(mut self, path: &Path) -> Self {
        self.disks.push(Disk { path: path.to_owned(), read_only: false, pace: None });
        self
    }

    /// Adds a disk that is no faster than so many bytes and so many requests a second. In a guest the processor is
    /// emulated and a disk of memory outruns it; at the pace of a real one the disk is what is measured.
    #[must_use]
    pub fn paced_disk(mut self, path: &Path, bytes: u64, requests: u64) -> Self {
        self.disks.push(Disk { path: path.to_owned(), read_only: false, pace: Some((bytes, requests)) });
        self
    }

    /// Adds a disk that the guest cannot write to.
    #[must_use]
    pub fn read_only_disk(mut self, path: &Path) -> Self {
        self.disks.push(Disk { path: path.to_owned(), read_only: true, pace: None });
        self
    }

    /// How long a run may take, 600 s if nothing is said.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Starts, runs a shell script with `set -eu`, and ends. The disks are flushed when it returns.
    ///
    /// # Errors
    /// The emulator does not start, or no end was seen in time.
    pub fn run(&self, script: &str) -> Result<Output, Error> {
        let folder = tempfile::tempdir().map_err(Error::at(&std::env::temp_dir()))?;
        let job = folder.path().join("job");
        fs::write(&job, padded(script)).map_err(Error::at(&job))?;
        let (console, results) = (folder.path().join("console"), folder.path().join("results"));

        let begun = Instant::now();
        let mut emulator = self.start(&job, &console, &results)?;
        let ended = wait(&mut emulator, self.patience);
        let time = begun.elapsed();
        let printed = String::from_utf8_lossy(&fs::read(&results).unwrap_or_default()).replace('\r', "");
        if !ended {
            let last = [last_lines(&console), printed].join("\n");
            return Err(Error::TooLong { seconds: self.patience.as_secs(), last });
        }
        let mut lines: Vec<String> = printed.lines().map(str::to_owned).collect();
        let status = lines.pop().and_then(|line| line.strip_prefix(STATUS)?.trim().parse().ok());
        let Some(status) = status else {
            return Err(Error::Failed { line: "guest".into(), words: [last_lines(&console), printed].join("\n") });
        };
        Ok(Output { lines, status, time })
    }

    fn start(&self, job: &Path, console: &Path, results: &Path) -> Result<Child, Error> {
        let mut command = Command::new(find("qemu-system-x86_64")?);
        // Software emulation: it is slower than the processor's own virtualisation, and it is there and
        // the same everywhere. A computer that is a guest itself often offers a KVM that hangs.
        let accelerator = std::env::var("LATCHKEY_GUEST_ACCEL").unwrap_or_else(|_| "tcg".into());
        command.args(["-accel", &accelerator, "-cpu", "max", "-smp", "2", "-m"]).arg(format!("{}M", self.memory_mib));
        command.args(["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]);
        command.arg("-kernel").arg(&self.image.kernel).arg("-initrd").arg(&self.image.initramfs);
        command.args(["-append", "console=ttyS0 quiet panic=-1 random.trust_cpu=on"]);
        command.arg("-serial").arg(format!("file:{}", console.display()));
        command.arg("-serial").arg(format!("file:{}", results.display()));
        let job = Disk { path: job.to_owned(), read_only: true, pace: None };
        for disk in std::iter::once(&job).chain(&self.disks) {
            let access = if disk.read_only { "on" } else { "off" };
            // A comma in a path is written twice in this notation.
            let path = disk.path.display().to_string().replace(',', ",,");
            let pace = disk.pace.map_or_else(String::new, |(bytes, requests)| {
                format!(",throttling.bps-total={bytes},throttling.iops-total={requests}")
            });
            command
                .arg("-drive")
                .arg(format!("if=virtio,format=raw,cache=unsafe,discard=unmap,readonly={access}{pace},file={path}"));
        }
        if self.network {
            command.args(["-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net,romfile="]);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map_err(Error::at(&self.image.kernel))
    }
}

/// What the guest's first program prints before the script's exit code.
const STATUS: &str = "latchkey-guest-status ";

/// A disk is made of sectors; the guest cuts the zeros off again.
fn padded(script: &str) -> Vec<u8> {
    let mut bytes = script.as_bytes().to_vec();
    bytes.resize(bytes.len().next_multiple_of(4096).max(4096), 0);
    bytes
}

/// Whether it ended by itself. One that does not is ended.
fn wait(child: &mut Child, patience: Duration) -> bool {
    let end = Instant::now() + patience;
    while Instant::now() < end {
        if let Ok(Some(_)) = child.try_wait() {
            return true;
        }
        thread::sleep(Duration::from_millis(50));
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

fn last_lines(path: &Path) -> String {
    let text = String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(40)..].join("\n")
}
