//! What happens in the initramfs, before the root is mounted. Whatever goes wrong, the system starts as ever.

mod back;
mod prompt;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use blockdev::{Access, Device, FileDevice};
use luks::Header;
use luks::convert::{self, Encryption, Mode, Space};
pub use model::system::{LastStart, StartOutcome as Outcome};
use model::{Control, Describe};

use crate::job::{IN_INITRAMFS, Job, Way, header_file};
use crate::state::{OnDisk, look};
use crate::{Error, Result, files, password, tool};

/// Where the running system finds what happened. It lies in memory and lives as long as the start does.
pub const LAST: &str = "/run/latchkey/start.json";
/// How often a password may be typed.
const TRIES: u32 = 3;
/// How long the device is waited for.
const DEVICE: Duration = Duration::from_secs(30);

/// Whoever sits in front of it.
pub trait Person {
    /// The words of the prompt, as the distribution writes them.
    fn prompt(&self, mapping: &str) -> String;
    /// A password did not open it.
    fn wrong(&mut self);
    /// The file system is being checked and made smaller, and the header put in place.
    fn working(&mut self);
    /// The file system is being checked and made smaller, and its partition divided.
    fn making_room(&mut self);
    /// That much has been decrypted, in percent.
    fn decrypting(&mut self, percent: u64);
}

/// What happened at this start. `None`: nothing of ours.
pub fn last() -> Option<LastStart> {
    serde_json::from_str(&fs::read_to_string(LAST).ok()?).ok()
}

/// Whether this start was the test, or one that had something to take back. A test in which our script did not run,
/// because somebody has made the initramfs anew without it, is noted as a failure.
///
/// # Errors
/// [`Error::File`].
pub(crate) fn was_tried(job: &Job) -> Result<bool> {
    match last() {
        Some(last) if last.id == job.id && last.outcome != Outcome::Plain => Ok(true),
        None if asked_for(job)? => {
            let missing =
                Error::NotInInitramfs { image: "initramfs".into(), what: "scripts/local-top/latchkey".into() };
            fail(job, &missing);
            Ok(true)
        }
        // Nothing asks for it any more, and it left no word: it hung, or the power went, or another entry was chosen.
        _ if !is_armed(job) => {
            fail(job, &Error::TestCutOff);
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// What cannot be asked counts as armed: then the person is told to restart, and that shows it.
pub(crate) fn is_armed(job: &Job) -> bool {
    crate::loader::named(&job.loader).is_none_or(|loader| loader.is_armed().unwrap_or(true))
}

/// This start has failed.
pub(crate) fn fail(job: &Job, error: &Error) {
    note(&LastStart { id: job.id.clone(), outcome: Outcome::Failed, fault: Some(error.fault()) });
}

fn note(last: &LastStart) {
    if let Ok(text) = serde_json::to_vec(last) {
        let _ = files::replace(Path::new(LAST), &text, 0o600);
    }
}

/// A new try has been staged.
pub(crate) fn forget_last() {
    let _ = fs::remove_file(LAST);
}

/// Does what is to be done at this start. `None`: nothing was staged.
pub fn run(person: &mut dyn Person) -> Option<LastStart> {
    let folder = Path::new(IN_INITRAMFS);
    let job = Job::load(folder).ok().flatten()?;
    let done = at_device(&job, person);
    let (outcome, fault) = match done {
        Ok(outcome) => (outcome, None),
        Err(error) => (Outcome::Failed, Some(error.fault())),
    };
    if !matches!(outcome, Outcome::Passed | Outcome::Opened | Outcome::Finished) && is_plain(&job) {
        // Otherwise the system's own prompt would wait for a volume that is not there.
        forget_entry(&job);
    }
    let last = LastStart { id: job.id.clone(), outcome, fault };
    note(&last);
    Some(last)
}

fn is_plain(job: &Job) -> bool {
    matches!(crate::state::on_disk(job), Ok(OnDisk::Plain))
}

fn at_device(job: &Job, person: &mut dyn Person) -> Result<Outcome> {
    let path = wait_for(&job.device())?;
    let device = FileDevice::open(&path, Access::Read)?;
    let state = look(&device, job)?;
    drop(device);
    match state {
        OnDisk::Plain if asked_for(job)? => match &job.room {
            Some(room) => {
                person.making_room();
                crate::room::make(job, &path, room).map(|()| Outcome::RoomMade)
            }
            None => test(job, &path, person),
        },
        OnDisk::Plain => mend(job, &path).map(|()| Outcome::Plain),
        OnDisk::Placed => take_back(job, &path, person),
        OnDisk::Converting { mode: Mode::Encrypt, .. } => open(job, &path, person),
        // By us, since the system was running: it is not started before it is plain.
        OnDisk::Converting { .. } => back::decrypt(job, &path, person, None),
        OnDisk::Encrypted if job.way == Way::Decrypt => back::decrypt(job, &path, person, Some(TRIES)),
        OnDisk::Encrypted => Ok(Outcome::Finished),
        OnDisk::Foreign => Err(Error::WrongState { state: "foreign" }),
    }
}

fn asked_for(job: &Job) -> Result<bool> {
    let line = files::text_or_empty(Path::new("/proc/cmdline"))?;
    Ok(line.split_whitespace().any(|word| word == job.word()))
}

fn wait_for(path: &Path) -> Result<std::path::PathBuf> {
    let end = Instant::now() + DEVICE;
    loop {
        match fs::canonicalize(path) {
            Ok(found) => return Ok(found),
            Err(error) if Instant::now() > end => return Err(Error::at(path)(error)),
            Err(_) => std::thread::sleep(Duration::from_millis(200)),
        }
    }
}

/// The test itself. Until the password has opened the staged header, nothing is written.
fn test(job: &Job, path: &Path, person: &mut dyn Person) -> Result<Outcome> {
    let staged = FileDevice::open(&header_file(Path::new(IN_INITRAMFS)), Access::Read)?;
    let header = Header::load(&staged)?.header;
    let mut tries = 0;
    let (secret, unlocked) = loop {
        let Some(secret) = prompt::ask(job, person)? else {
            return Ok(if tries == 0 { Outcome::NothingTyped } else { Outcome::WrongPassword });
        };
        match header.unlock(&staged, &secret) {
            Ok(unlocked) => break (secret, unlocked),
            Err(error) if prompt::is_slip(&error) => {
                person.wrong();
                tries += 1;
                if tries == TRIES {
                    return Ok(Outcome::WrongPassword);
                }
            }
            Err(error) => return Err(error.into()),
        }
    };
    person.working();
    let found = make_small(job, path, job.size)?;
    let device = FileDevice::open(path, Access::Exclusive)?;
    let what = Encryption { used: found.size, original_size: job.size, grown: false, space: Space::All };
    convert::begin_encrypt(&device, &staged, &unlocked, &what)?;
    convert::hand_over(&device)?;
    drop(device);
    if let Err(error) = tool::run_with("cryptsetup", open_words(job, path), &secret) {
        // What could not be opened now would not open later: back, before anything has changed.
        undo(path)?;
        return Err(error);
    }
    password::keep(job, &secret)?;
    Ok(Outcome::Passed)
}

/// The power may have gone while the file system was made smaller. The distribution's own check would stop there and
/// ask for a person who knows what to do.
fn mend(job: &Job, path: &Path) -> Result<()> {
    let found = filesystems::probe(&FileDevice::open(path, Access::Read)?)?;
    match found.filter(|found| found.uuid.as_deref() == Some(&*job.filesystem)) {
        Some(found) if found.trouble == Some(filesystems::Trouble::Errors) => {
            Ok(filesystems::put_in_order(path, &found)?)
        }
        _ => Ok(()),
    }
}

/// Checks the file system and makes it small enough for a partition of `size` bytes with the header before it and
/// beside it: one that is small enough is left alone.
pub(crate) fn make_small(job: &Job, path: &Path, size: u64) -> Result<filesystems::Found> {
    let device = FileDevice::open(path, Access::Read)?;
    let found = filesystems::probe(&device)?.filter(|found| found.uuid.as_deref() == Some(&*job.filesystem));
    let found = found.ok_or(filesystems::Error::Changed)?;
    if ![job.size, size].contains(&device.size()) || found.max_sector_size() < 4096 {
        return Err(filesystems::Error::Changed.into());
    }
    drop(device);
    const MIB: u64 = 1 << 20;
    let size = (size - 2 * job.shift) / MIB * MIB;
    Ok(filesystems::shrink(path, &found, size, &Control::new())?)
}

/// A started encryption: the password opens it, and what a cut has left is recovered by that.
fn open(job: &Job, path: &Path, person: &mut dyn Person) -> Result<Outcome> {
    for _ in 0..TRIES {
        let Some(secret) = prompt::ask(job, person)? else { break };
        match tool::run_with("cryptsetup", open_words(job, path), &secret) {
            Ok(_) => {
                password::keep(job, &secret)?;
                return Ok(Outcome::Opened);
            }
            // cryptsetup's exit code for a key that does not fit.
            Err(Error::ToolFailed { status, .. }) if status.ends_with(" 2") => person.wrong(),
            Err(error) => return Err(error),
        }
    }
    Ok(Outcome::WrongPassword)
}

fn open_words(job: &Job, path: &Path) -> [String; 7] {
    let path = path.display().to_string();
    ["open", "--type", "luks2", "--key-file", "-", &path, &job.mapping].map(str::to_owned)
}

/// The header is in place and nothing is encrypted, at the beginning of a start: the start in which it was put there
/// did not get as far as encrypting. What was there before comes back, with all that has been written since.
fn take_back(_: &Job, path: &Path, person: &mut dyn Person) -> Result<Outcome> {
    person.working();
    undo(path)?;
    Ok(Outcome::TakenBack)
}

fn undo(path: &Path) -> Result<()> {
    let device = FileDevice::open(path, Access::Exclusive)?;
    convert::undo(&device)?;
    Ok(())
}

/// The initramfs lies in memory: what is taken out of it is there again at the next start.
fn forget_entry(job: &Job) {
    let path = Path::new("/cryptroot/crypttab");
    if let Ok(text) = files::text_or_empty(path) {
        let mut table = crate::fstab::Table::parse(&text);
        table.remove(0, &job.mapping);
        let _ = files::replace(path, table.text().as_bytes(), 0o600);
    }
}
