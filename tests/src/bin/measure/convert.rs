//! In-place encryption of an image of 4 GiB: ours, `cryptsetup reencrypt --encrypt`, and a plain pass that
//! reads and writes the same bytes the same way. Without the price of a key derivation: both take PBKDF2
//! with 1000 rounds, the least that there is. All begin with the same bytes, written out and out of the
//! cache of a disk.

use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use blockdev::{Access, Buffer, Device, FileDevice, Memory};
use luks::FormatOptions;
use luks::convert::{self, Conversion, Encryption, Outcome, Space};
use luks::kdf::{Hash, Kdf};
use model::{Control, Secret, Silent};
use nix::sys::resource::{UsageWho, getrusage};
use rigs::files;
use rigs::tool::{Error, find, run};

use crate::median;

/// First word of the children, in which ours and the plain pass run: so that each has its own memory.
pub const CHILD: &str = "convert-child";

const MIB: u64 = 1 << 20;
const SIZE: u64 = 4 << 30;
const SHIFT: u64 = 16 * MIB;
const ROUNDS: usize = 3;
const PASSWORD: &str = "levuf guvuf vehul jihec";

/// The whole comparison.
pub fn measure() -> Result<(), Error> {
    println!("{}", processor());
    for (name, root) in [("tmpfs", "/dev/shm"), ("disk", "/var/tmp")] {
        let folder = tempfile::tempdir_in(root).map_err(Error::at(Path::new(root)))?;
        compare(name, folder.path())?;
    }
    let folder = tempfile::tempdir_in("/var/tmp").map_err(Error::at(Path::new("/var/tmp")))?;
    ten_percent(folder.path())
}

fn compare(name: &str, folder: &Path) -> Result<(), Error> {
    let (image, plain, password) = (folder.join("image"), folder.join("plain"), folder.join("password"));
    std::fs::write(&password, PASSWORD).map_err(Error::at(&password))?;
    noise(&plain, SIZE)?;
    let (mut ours, mut theirs, mut pass) = (Times::default(), Times::default(), Times::default());
    let mut memory = 0;
    for _ in 0..ROUNDS {
        fresh(&plain, &image)?;
        let answer = ours.take(|| child("all", &image))?;
        memory = memory.max(answer.trim().parse().unwrap_or(0));
        fresh(&plain, &image)?;
        theirs.take(|| reencrypt(&image, &password, folder))?;
        fresh(&plain, &image)?;
        pass.take(|| child("plain", &image))?;
    }
    let gib = SIZE as f64 / f64::from(1 << 30);
    let line = |who: &str, times: &Times| {
        let (wall, processor) = (median(times.wall.clone()), median(times.processor.clone()));
        println!(
            "{name}: {who}: {wall:.3} s, {:.2} GB/s, processor {:.2} s/GiB",
            SIZE as f64 / wall / 1e9,
            processor / gib
        );
        wall
    };
    let (ours, theirs, pass) = (line("ours", &ours), line("cryptsetup", &theirs), line("plain pass", &pass));
    println!("{name}: peak memory of ours {:.0} MiB (to reach: 128)", memory as f64 / 1024.0);
    println!("ratio cryptsetup {name} {:.2}", theirs / ours);
    println!("ratio plain {name} {:.2}", pass / ours);
    Ok(())
}

/// A file system that is a tenth full: everything beside what is used.
fn ten_percent(folder: &Path) -> Result<(), Error> {
    let (image, plain, source) = (folder.join("image"), folder.join("plain"), folder.join("source"));
    files::write_some(&source, 360 * MIB)?;
    files::ext4(&plain, SIZE, &source)?;
    // No holes: what is free has been used once.
    let bytes = std::fs::read(&plain).map_err(Error::at(&plain))?;
    noise(&image, SIZE)?;
    let mut filled = std::fs::read(&image).map_err(Error::at(&image))?;
    for (old, new) in filled.chunks_mut(4096).zip(bytes.chunks(4096)) {
        if new.iter().any(|byte| *byte != 0) {
            old.copy_from_slice(new);
        }
    }
    std::fs::write(&plain, filled).map_err(Error::at(&plain))?;
    let (mut all, mut used, mut discarded) = (Times::default(), Times::default(), Times::default());
    for _ in 0..ROUNDS {
        fresh(&plain, &image)?;
        all.take(|| child("all", &image))?;
        fresh(&plain, &image)?;
        used.take(|| child("used-kept", &image))?;
        fresh(&plain, &image)?;
        discarded.take(|| child("used", &image))?;
    }
    let (all, used, discarded) = (median(all.wall), median(used.wall), median(discarded.wall));
    println!("a tenth full: everything {all:.3} s, what is used {used:.3} s: {:.2} of it (to reach: 0.20)", used / all);
    println!("a tenth full, and what is free discarded: {discarded:.3} s; the disk's part: {:.3} s", discarded - used);
    println!("ratio full ten-percent {:.2}", all / used);
    println!("ratio full ten-percent-discarded {:.2}", all / discarded);
    Ok(())
}

#[derive(Default)]
struct Times {
    wall: Vec<f64>,
    processor: Vec<f64>,
}

impl Times {
    fn take(&mut self, work: impl FnOnce() -> Result<String, Error>) -> Result<String, Error> {
        let before = processor_time();
        let begun = Instant::now();
        let answer = work()?;
        self.wall.push(begun.elapsed().as_secs_f64());
        self.processor.push((processor_time() - before).as_secs_f64());
        Ok(answer)
    }
}

/// Of all children that have ended.
fn processor_time() -> Duration {
    let time = |value: nix::sys::time::TimeVal| {
        Duration::from_micros(u64::try_from(value.tv_sec() * 1_000_000 + value.tv_usec()).unwrap_or(0))
    };
    getrusage(UsageWho::RUSAGE_CHILDREN)
        .map_or(Duration::ZERO, |usage| time(usage.user_time()) + time(usage.system_time()))
}

fn child(what: &str, image: &Path) -> Result<String, Error> {
    let program = std::env::current_exe().map_err(Error::at(Path::new("measure")))?;
    run(Command::new(program).arg(CHILD).arg(what).arg(image))
}

fn reencrypt(image: &Path, password: &Path, folder: &Path) -> Result<String, Error> {
    let file = std::fs::OpenOptions::new().write(true).open(image).map_err(Error::at(image))?;
    file.set_len(SIZE + 2 * SHIFT).map_err(Error::at(image))?;
    let words = "reencrypt --encrypt --type luks2 -q --force-offline-reencrypt --reduce-device-size 32M \
                 --sector-size 4096 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --key-file";
    let mut command = Command::new(find("cryptsetup")?);
    run(command.args(words.split_whitespace()).arg(password).arg(image).current_dir(folder))
}

/// The child: does it once, and says the most memory that it took, in KiB.
pub fn as_child() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().collect();
    let (Some(what), Some(image)) = (words.get(2), words.get(3)) else {
        return Err(Error::Missing("what to do".into()));
    };
    once(what, Path::new(image)).map_err(|error| Error::Missing(format!("{what}: {error}")))?;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next());
    println!("{}", peak.unwrap_or("0"));
    Ok(())
}

fn once(what: &str, image: &Path) -> luks::Result<()> {
    let device = FileDevice::open(image, Access::Exclusive)?;
    device.resize(SIZE + 2 * SHIFT)?;
    match what {
        "plain" => Ok(plain_pass(&device)?),
        "used" => encrypt(&device, Space::Used),
        "used-kept" => encrypt(&Kept(device), Space::Used),
        _ => encrypt(&device, Space::All),
    }
}

#[allow(clippy::cast_possible_truncation)] // 16 MiB.
fn encrypt(device: &dyn Device, space: Space) -> luks::Result<()> {
    let secret = Secret::from(PASSWORD);
    let staged = Memory::new(vec![0; SHIFT as usize]);
    let options = FormatOptions {
        data_offset: SHIFT,
        kdf: Kdf::Pbkdf2 { hash: Hash::Sha256, iterations: 1000 },
        digest_iterations: Some(1000),
        ..FormatOptions::default()
    };
    let (_, unlocked) = luks::format(&staged, &options, &secret)?;
    let what = Encryption { used: SIZE, original_size: SIZE, grown: true, space };
    convert::begin_encrypt(device, &staged, &unlocked, &what)?;
    let mut conversion = Conversion::open(device, &secret)?;
    let plain = conversion.plain()?;
    let found = filesystems::probe(&plain).ok().flatten().filter(|_| space != Space::All);
    let free = found.and_then(|found| filesystems::used_map(&plain, &found).ok()?);
    if let Some(free) = &free {
        conversion.leave_out(free);
    }
    match conversion.run(&Control::new(), &mut Silent)? {
        Outcome::Finished => Ok(()),
        Outcome::Stopped => Err(luks::Error::Converting),
    }
}

/// A device that does not hear what is not needed any more: how fast a drive (and the file system that an
/// image lies on) discards says nothing about the conversion.
struct Kept(FileDevice);

impl Device for Kept {
    fn size(&self) -> u64 {
        self.0.size()
    }
    fn logical_sector(&self) -> u32 {
        self.0.logical_sector()
    }
    fn physical_sector(&self) -> u32 {
        self.0.physical_sector()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> blockdev::Result<()> {
        self.0.read_at(offset, buffer)
    }
    fn write_at(&self, offset: u64, data: &[u8]) -> blockdev::Result<()> {
        self.0.write_at(offset, data)
    }
    fn flush(&self) -> blockdev::Result<()> {
        self.0.flush()
    }
    fn resize(&self, size: u64) -> blockdev::Result<()> {
        self.0.resize(size)
    }
    fn resizable(&self) -> bool {
        self.0.resizable()
    }
    fn lump(&self) -> usize {
        self.0.lump()
    }
    fn is_memory(&self) -> bool {
        self.0.is_memory()
    }
    fn prefetch(&self, offset: u64, length: u64) {
        self.0.prefetch(offset, length);
    }
}

#[allow(clippy::cast_possible_truncation)] // 16 MiB.
/// The same bytes read and written at the same places, by the same calls, with one flush at the end.
fn plain_pass(device: &FileDevice) -> blockdev::Result<()> {
    let chunk = SHIFT as usize;
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(1);
        let (back, free) = mpsc::channel();
        for _ in 0..3 {
            let _ = back.send(Buffer::new(chunk));
        }
        scope.spawn(move || {
            for index in (0..SIZE / SHIFT).rev() {
                let Ok(mut buffer) = free.recv() else { return };
                let done = device.read_at(index * SHIFT, &mut buffer).map(|()| (index, buffer));
                if sender.send(done).is_err() {
                    return;
                }
            }
        });
        for done in receiver {
            let (index, buffer) = done?;
            device.write_at((index + 1) * SHIFT, &buffer)?;
            let _ = back.send(buffer);
        }
        device.flush()
    })
}

/// A file that cannot be compressed and has no holes.
pub fn noise(path: &Path, size: u64) -> Result<(), Error> {
    let mut command = Command::new(find("dd")?);
    command.arg("if=/dev/urandom").arg(format!("of={}", path.display())).arg("bs=1M");
    run(command.arg(format!("count={}", size / MIB)).arg("status=none")).map(|_| ())
}

/// The plain file again, on the disk and nowhere else.
pub fn fresh(plain: &Path, image: &Path) -> Result<(), Error> {
    std::fs::copy(plain, image).map_err(Error::at(image))?;
    let file = std::fs::File::open(image).map_err(Error::at(image))?;
    file.sync_all().map_err(Error::at(image))?;
    let mut command = Command::new(find("dd")?);
    command.arg(format!("of={}", image.display())).args([
        "oflag=nocache",
        "conv=notrunc,fdatasync",
        "count=0",
        "status=none",
    ]);
    run(&mut command).map(|_| ())
}

pub fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split(':').nth(1).unwrap_or_default().trim().to_owned()
    };
    let cores = text.lines().filter(|line| line.starts_with("processor")).count();
    format!(
        "processor: {} (family {} model {}), {cores} cores",
        field("model name"),
        field("cpu family"),
        field("model\t")
    )
}
