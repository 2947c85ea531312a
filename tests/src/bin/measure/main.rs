//! `cargo xtask bench convert|disk-guest|yielding|flow|window`: ours beside its peer in one run, in turn, the median of
//! several rounds. Each comparison ends with one line `ratio PEER CASE VALUE`; above 1 we are ahead.

mod convert;
#[cfg(target_os = "linux")]
mod yielding;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use rigs::files;
use rigs::guest::Guest;
use rigs::program::Latchkey;
use rigs::tool::{Error, find, run};

fn main() -> ExitCode {
    let case = std::env::args().nth(1).unwrap_or_default();
    let done = match case.as_str() {
        "convert" => convert::measure(),
        convert::CHILD => convert::as_child(),
        #[cfg(target_os = "linux")]
        "yielding" => yielding::measure(),
        "disk-guest" => disk_in_guest(),
        "flow" => flow(),
        "window" => window(),
        _ => Err(Error::Missing(format!("the case `{case}`"))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("measure: {error}");
            ExitCode::FAILURE
        }
    }
}

const ROUNDS: usize = 5;
const PASSWORD: &str = "levuf guvuf vehul jihec";

fn latchkey() -> Result<Latchkey, Error> {
    Latchkey::find().ok_or_else(|| Error::Missing("latchkey".into()))
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn timed(work: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed().as_secs_f64())
}

fn encrypt(latchkey: &Latchkey, image: &Path, password: &Path, keys: &Path) -> Result<String, Error> {
    let mut command = Command::new(latchkey.path());
    command.arg("encrypt").arg(image).arg("--password-file").arg(password).arg("--recovery-dir").arg(keys);
    run(command.args(["--recovery-dir-is-elsewhere", "--iter-time", "100", "--yes"]).env("LC_ALL", "C.UTF-8"))
}

/// Bytes and requests a second of the guest's drive.
const PACE: (u64, u64) = (250_000_000, 1500);

/// `cargo xtask bench disk` again, in a guest with an emulated processor.
fn disk_in_guest() -> Result<(), Error> {
    let program =
        std::env::var_os("LATCHKEY_BENCH_DISK").ok_or_else(|| Error::Missing("LATCHKEY_BENCH_DISK".into()))?;
    let folder = tempfile::tempdir().map_err(Error::at(&std::env::temp_dir()))?;
    let (programs, drive) = (folder.path().join("programs.img"), folder.path().join("drive.img"));
    files::programs_disk(&programs, &[("disk", Path::new(&program)), ("fio", &find("fio")?)])?;
    let source = folder.path().join("source");
    std::fs::create_dir(&source).map_err(Error::at(&source))?;
    files::ext4(&drive, 512 << 20, &source)?;
    let (bytes, requests) = PACE;
    println!("a drive of {} MB/s and {requests} requests a second", bytes / 1_000_000);
    let guest = Guest::new()?.read_only_disk(&programs);
    let guest = guest.paced_disk(&drive, bytes, requests).patience(Duration::from_mins(30));
    // As after `--`: the tests whose names hold one of these words.
    let words = std::env::var("LATCHKEY_BENCH_TESTS").unwrap_or_default();
    let words: Vec<&str> = words.split_whitespace().filter(|word| word.chars().all(is_of_a_name)).collect();
    let output = guest.run(&format!(
        "mkdir -p /program
         mount -o ro \"$1\" /program
         mount \"$2\" /mnt
         export LD_LIBRARY_PATH=/program/lib PATH=/program:$PATH
         LATCHKEY_BENCH_FOLDER=/mnt LATCHKEY_BENCH_MIB=256 disk --bench {}
         umount /mnt",
        words.join(" ")
    ))?;
    println!("{}", output.lines.join("\n"));
    match output.status {
        0 => Ok(()),
        status => Err(Error::Failed { line: "disk --bench".into(), words: format!("it ended with {status}") }),
    }
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-'
}

/// The practice drive's whole way in the terminal, and `status` beside `cryptsetup luksDump`.
fn flow() -> Result<(), Error> {
    let latchkey = latchkey()?;
    let practice = timed(|| {
        let mut command = Command::new(latchkey.path());
        run(command.args(["practice", "--yes"]).env("LC_ALL", "C.UTF-8")).map(|_| ())
    })?;
    println!("practice: the whole way in {practice:.1} s (to reach: 60 s)");
    println!("ratio target practice {:.2}", 60.0 / practice);

    let folder = tempfile::tempdir().map_err(Error::at(&std::env::temp_dir()))?;
    let (image, password) = (folder.path().join("image"), folder.path().join("password"));
    std::fs::write(&password, PASSWORD).map_err(Error::at(&password))?;
    let source = folder.path().join("source");
    files::write_some(&source, 16 << 20)?;
    files::ext4(&image, 64 << 20, &source)?;
    encrypt(&latchkey, &image, &password, folder.path())?;
    let cryptsetup = find("cryptsetup")?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..4 * ROUNDS {
        ours.push(timed(|| run(Command::new(latchkey.path()).arg("status").arg(&image)).map(|_| ()))?);
        theirs.push(timed(|| run(Command::new(&cryptsetup).arg("luksDump").arg(&image)).map(|_| ()))?);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    println!("status: {:.1} ms (to reach: 50 ms), cryptsetup luksDump {:.1} ms", ours * 1e3, theirs * 1e3);
    println!("ratio target status {:.2}", 0.05 / ours);
    println!("ratio cryptsetup status {:.2}", theirs / ours);
    Ok(())
}

/// From the start of the program to letters on the screen.
#[cfg(target_os = "linux")]
fn window() -> Result<(), Error> {
    use rigs::window::{Desk, colours};

    let program = std::env::var_os("LATCHKEY_WINDOW").map(PathBuf::from).filter(|path| path.is_file());
    let program = program.ok_or_else(|| Error::Missing("the window's program".into()))?;
    let mut all = Vec::new();
    for _ in 0..ROUNDS {
        // A home of its own each time, as on the first start.
        let desk = Desk::bare(&[])?;
        let begun = Instant::now();
        let mut child = desk.command(&program).stdout(Stdio::null()).spawn().map_err(Error::at(&program))?;
        let drawn = loop {
            if colours(desk.display())? > 30 {
                break Ok(begun.elapsed().as_secs_f64());
            }
            if begun.elapsed() > Duration::from_secs(60) {
                break Err(Error::TooLong { seconds: 60, last: "nothing was drawn".into() });
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let _ = child.kill();
        let _ = child.wait();
        all.push(drawn?);
    }
    let seconds = median(all);
    println!("window: drawn after {seconds:.2} s (to reach: 1.5 s)");
    println!("ratio target window {:.2}", 1.5 / seconds);
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn window() -> Result<(), Error> {
    Err(Error::Missing("Xvfb".into()))
}
