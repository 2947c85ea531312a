//! What a conversion costs somebody who works on the same disk meanwhile: small random readings, one after
//! the other, past the cache, alone, beside `latchkey resume` and beside `cryptsetup reencrypt
//! --resume-only`. And how soon `latchkey pause` is obeyed.

use std::fs::OpenOptions;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use blockdev::{Access, Buffer, FileDevice};
use nix::fcntl::OFlag;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rigs::program::Latchkey;
use rigs::tool::{Error, find, run};

use crate::convert::{fresh, noise, processor};
use crate::{PASSWORD, latchkey, median};

const SIZE: u64 = 4 << 30;
const OTHERS: u64 = 1 << 30;
const PAGE: usize = 4096;
const ROUNDS: usize = 3;
/// How long somebody works.
const WORK: Duration = Duration::from_secs(4);
/// Before that: whoever converts has opened the volume by then, and has seen that the disk was quiet.
const BEGUN: Duration = Duration::from_millis(700);

/// The whole comparison.
pub fn measure() -> Result<(), Error> {
    println!("{}", processor());
    let folder = tempfile::tempdir_in("/var/tmp").map_err(Error::at(Path::new("/var/tmp")))?;
    let [begun, image, others, password] =
        ["begun", "image", "others", "password"].map(|name| folder.path().join(name));
    std::fs::write(&password, PASSWORD).map_err(Error::at(&password))?;
    noise(&others, OTHERS)?;
    noise(&begun, SIZE)?;
    begin(&begun, &password)?;
    let latchkey = latchkey()?;
    let mut table = [Row::new("alone"), Row::new("latchkey"), Row::new("cryptsetup")];
    for round in 0..ROUNDS {
        for (who, row) in table.iter_mut().enumerate() {
            fresh(&begun, &image)?;
            let mut converting = match who {
                0 => None,
                1 => Some(ours(&latchkey, &image, &password)?),
                _ => Some(theirs(&image, &password)?),
            };
            std::thread::sleep(BEGUN);
            let before = done(&image);
            row.latencies.push(read_small(&others, round as u64)?);
            if let Some(child) = &mut converting {
                let converted = done(&image).saturating_sub(before);
                if converted == 0 {
                    return Err(Error::Missing(format!("a conversion by {}", row.who)));
                }
                row.converted.push(converted as f64 / WORK.as_secs_f64());
                end(child)?;
            }
        }
    }
    let [alone, ours, theirs] = table.map(|row| row.print());
    println!("ratio cryptsetup yielding-p95 {:.2}", theirs / ours);
    println!("ratio alone yielding-p95 {:.2}", alone / ours);
    pause(&latchkey, &begun, &image, &password)
}

struct Row {
    who: &'static str,
    latencies: Vec<Vec<f64>>,
    /// Bytes a second.
    converted: Vec<f64>,
}

impl Row {
    const fn new(who: &'static str) -> Self {
        Self { who, latencies: Vec::new(), converted: Vec::new() }
    }

    /// The median of the rounds' 95 % quantiles, in seconds.
    fn print(self) -> f64 {
        let quantile = |hundredth: usize| {
            median(self.latencies.iter().map(|all| all[all.len() * hundredth / 100]).collect::<Vec<_>>())
        };
        let (p50, p95, p99) = (quantile(50), quantile(95), quantile(99));
        let a_second = median(self.latencies.iter().map(|all| all.len() as f64 / WORK.as_secs_f64()).collect());
        print!(
            "{}: {a_second:.0} readings a second; p50 {:.3} ms, p95 {:.3} ms, p99 {:.3} ms",
            self.who,
            p50 * 1e3,
            p95 * 1e3,
            p99 * 1e3
        );
        if self.converted.is_empty() {
            println!();
        } else {
            println!("; converted meanwhile at {:.2} GB/s", median(self.converted) / 1e9);
        }
        p95
    }
}

/// Begun by cryptsetup, and nothing converted yet.
fn begin(image: &Path, password: &Path) -> Result<(), Error> {
    let file = OpenOptions::new().write(true).open(image).map_err(Error::at(image))?;
    file.set_len(SIZE + (32 << 20)).map_err(Error::at(image))?;
    let words = "reencrypt --encrypt --init-only --type luks2 -q --force-offline-reencrypt --reduce-device-size 32M \
                 --sector-size 4096 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --key-file";
    run(Command::new(find("cryptsetup")?).args(words.split_whitespace()).arg(password).arg(image)).map(|_| ())
}

fn ours(latchkey: &Latchkey, image: &Path, password: &Path) -> Result<Child, Error> {
    let mut command = Command::new(latchkey.path());
    start(command.arg("resume").arg(image).arg("--password-file").arg(password))
}

fn theirs(image: &Path, password: &Path) -> Result<Child, Error> {
    let mut command = Command::new(find("cryptsetup")?);
    start(
        command
            .args(["reencrypt", "--resume-only", "--force-offline-reencrypt", "-q", "--key-file"])
            .arg(password)
            .arg(image),
    )
}

fn start(command: &mut Command) -> Result<Child, Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(|_| Error::Missing(name))
}

/// Bytes that are converted, by what stands in the header.
fn done(image: &Path) -> u64 {
    let Ok(device) = FileDevice::open(image, Access::Read) else { return 0 };
    let place = luks::convert::locate(&device).ok();
    // Without a conversion in it: finished.
    place.and_then(|place| luks::convert::state(&place, SIZE + (32 << 20))).map_or(SIZE, |state| state.done)
}

fn end(child: &mut Child) -> Result<(), Error> {
    let name = Path::new("the conversion");
    let number = i32::try_from(child.id()).map_err(|_| Error::Missing("its number".into()))?;
    let _ = kill(Pid::from_raw(number), Signal::SIGTERM);
    child.wait().map(|_| ()).map_err(Error::at(name))
}

/// Seconds that each reading took, in order of size.
fn read_small(path: &Path, seed: u64) -> Result<Vec<f64>, Error> {
    let file =
        OpenOptions::new().read(true).custom_flags(OFlag::O_DIRECT.bits()).open(path).map_err(Error::at(path))?;
    let mut buffer = Buffer::new(PAGE);
    let mut place = 0x9e37_79b9_7f4a_7c15 ^ (seed + 1);
    let mut all = Vec::new();
    let begun = Instant::now();
    while begun.elapsed() < WORK {
        place ^= place << 13;
        place ^= place >> 7;
        place ^= place << 17;
        let before = Instant::now();
        file.read_exact_at(&mut buffer, place % (OTHERS / PAGE as u64) * PAGE as u64).map_err(Error::at(path))?;
        all.push(before.elapsed().as_secs_f64());
    }
    all.sort_by(f64::total_cmp);
    Ok(all)
}

/// From `latchkey pause` until the conversion has come to its end.
fn pause(latchkey: &Latchkey, begun: &Path, image: &Path, password: &Path) -> Result<(), Error> {
    let mut all = Vec::new();
    for _ in 0..ROUNDS {
        fresh(begun, image)?;
        let mut child = ours(latchkey, image, password)?;
        std::thread::sleep(2 * BEGUN);
        let asked = Instant::now();
        run(Command::new(latchkey.path()).arg("pause").arg(image).env("LC_ALL", "C.UTF-8"))?;
        child.wait().map_err(Error::at(image))?;
        all.push(asked.elapsed().as_secs_f64());
    }
    let seconds = median(all);
    println!("pause: obeyed after {seconds:.2} s (to reach: 1 s)");
    println!("ratio target pause {:.2}", 1.0 / seconds);
    Ok(())
}
