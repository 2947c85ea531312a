//! What the wizard remembers when it is closed: a file without secrets, replaced in one piece.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use model::Method;
use serde::{Deserialize, Serialize};

use crate::native::By;
use crate::practice::PracticeFile;
use crate::view::{BenchFigures, NativeWish, RecoveryCopy, Report, RescueState, SleepChoice, Space, Step, Target};
use crate::{Error, Result};

/// Version of the file. A higher one is not read.
const VERSION: u32 = 1;
const FILE_NAME: &str = "journal.json";
const LOCK_NAME: &str = "wizard.lock";

/// How long a lock that is held is waited for.
const LOCK_PATIENCE: Duration = Duration::from_millis(1000);

/// Everything that lasts. It holds no password, no recovery key and no volume key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Journal {
    pub version: u32,
    pub step: Step,
    pub target: Option<Target>,
    /// What is on the practice drive.
    #[serde(default)]
    pub practice_files: Vec<PracticeFile>,
    /// What the person chose to be encrypted; `None`: what the program advises.
    #[serde(default)]
    pub space: Option<Space>,
    /// How the computer is to sleep, as the person chose.
    #[serde(default)]
    pub sleep: Option<SleepChoice>,
    /// The method that the person chose; `None`: what fits.
    #[serde(default)]
    pub method: Option<Method>,
    /// The drive's own encryption was begun to be prepared.
    #[serde(default)]
    pub preparing: bool,
    /// The computer is to be switched off and on for the test start, or for the power-off test.
    #[serde(default)]
    pub power_off: bool,
    pub backup_confirmed: bool,
    /// What is remembered of the way for the running system's own drive, where that is the target.
    #[serde(default)]
    pub system: Option<SystemRecord>,
    /// The header that was staged, once it is there.
    pub staged: Option<StagedRecord>,
    pub copies: Vec<RecoveryCopy>,
    pub rescue: RescueState,
    pub bench_before: Option<BenchFigures>,
    pub bench_before_skipped: bool,
    pub test_start_passed: bool,
    pub encrypt: EncryptRecord,
    pub bench_after: Option<BenchFigures>,
    pub bench_after_skipped: bool,
    pub report: Option<Report>,
    /// The system's own encryption, while its page is open or what was begun there is not at its end.
    #[serde(default)]
    pub native: Option<NativeRecord>,
}

/// About the system's own encryption. How it stands, the system itself says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NativeRecord {
    pub path: PathBuf,
    pub by: By,
    #[serde(default)]
    pub practice: bool,
    #[serde(default)]
    pub wish: NativeWish,
    /// Of the recovery key.
    #[serde(default)]
    pub copies: Vec<RecoveryCopy>,
    /// Where the last copy lies.
    #[serde(default)]
    pub folder: Option<PathBuf>,
    /// A recovery key was made for a beginning that has not come yet.
    #[serde(default)]
    pub made: bool,
}

/// About the staged header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StagedRecord {
    pub uuid: String,
    pub key_id: String,
    #[serde(default = "software")]
    pub method: Method,
}

/// About the running system's own drive. How it stands, the drive itself says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SystemRecord {
    /// Codes of the warnings that the person has read and accepted.
    pub accepted: Vec<String>,
    /// The test start was prepared from here.
    pub begun: bool,
    /// The next start puts everything back, as the person wished.
    pub undone: bool,
}

/// What journals were about before there was a choice.
const fn software() -> Method {
    Method::Software
}

/// About the conversion. Whether it has begun and how far it is, the target itself says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct EncryptRecord {
    pub begun: bool,
    pub finished: bool,
    /// UUID of the volume that is being made.
    pub uuid: Option<String>,
    /// Seconds of work, without pauses.
    pub seconds: f64,
    /// Bytes of the whole.
    pub bytes: u64,
    pub files: Option<crate::view::FilesCheck>,
}

impl Default for Journal {
    fn default() -> Self {
        Self {
            version: VERSION,
            step: Step::Drives,
            target: None,
            practice_files: Vec::new(),
            space: None,
            sleep: None,
            method: None,
            preparing: false,
            power_off: false,
            backup_confirmed: false,
            system: None,
            staged: None,
            copies: Vec::new(),
            rescue: RescueState::default(),
            bench_before: None,
            bench_before_skipped: false,
            test_start_passed: false,
            encrypt: EncryptRecord::default(),
            bench_after: None,
            bench_after_skipped: false,
            report: None,
            native: None,
        }
    }
}

/// The state folder, held by one wizard at a time.
#[derive(Debug)]
pub(crate) struct Store {
    folder: PathBuf,
    /// Holds the lock for as long as it is open.
    _lock: File,
    /// What was written last, so that nothing is written twice.
    written: Vec<u8>,
}

impl Store {
    /// Takes the folder, which is made if it is missing, readable by this user only.
    ///
    /// # Errors
    /// [`Error::AlreadyRunning`] if another wizard holds it, and what the system says of the folder.
    pub fn open(folder: &Path) -> Result<Self> {
        make_private_folder(folder).map_err(|error| Error::folder(folder, error))?;
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(folder.join(LOCK_NAME))
            .map_err(|error| Error::folder(folder, error))?;
        let given_up = Instant::now() + LOCK_PATIENCE;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(Self { folder: folder.to_owned(), _lock: lock, written: Vec::new() }),
                // A program that another thread is just starting has a copy of an old lock, until it runs.
                Err(std::fs::TryLockError::WouldBlock) if Instant::now() < given_up => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(std::fs::TryLockError::WouldBlock) => return Err(Error::AlreadyRunning),
                Err(std::fs::TryLockError::Error(error)) => return Err(Error::folder(folder, error)),
            }
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Reads the journal; a new one if there is none. One that cannot be read is set aside, and a new
    /// one is given with what happened.
    pub fn load(&mut self) -> (Journal, Option<Error>) {
        let path = self.folder.join(FILE_NAME);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return (Journal::default(), None),
            Err(error) => return (Journal::default(), Some(Error::folder(&path, error))),
        };
        match parse(&bytes) {
            Ok(journal) => {
                self.written = bytes;
                (journal, None)
            }
            Err(Unreadable::Damaged) => {
                let kept = self.set_aside(&path, "damaged");
                (Journal::default(), Some(Error::JournalDamaged { kept }))
            }
            Err(Unreadable::Newer) => {
                let kept = self.set_aside(&path, "newer");
                (Journal::default(), Some(Error::JournalNewer { kept }))
            }
        }
    }

    /// Writes the journal, if it changed, so that after a power cut the old or the new one is there.
    pub fn save(&mut self, bytes: Vec<u8>) -> Result<()> {
        if bytes == self.written {
            return Ok(());
        }
        replace(&self.folder.join(FILE_NAME), &bytes).map_err(|error| Error::folder(&self.folder, error))?;
        self.written = bytes;
        Ok(())
    }

    /// Gives the file another name that is still free, and says which.
    fn set_aside(&self, path: &Path, why: &str) -> String {
        let free = (1..1000).map(|n| self.folder.join(format!("journal-{why}-{n}.json"))).find(|name| !name.exists());
        let kept = free.unwrap_or_else(|| self.folder.join(format!("journal-{why}.json")));
        let _ = std::fs::rename(path, &kept);
        kept.display().to_string()
    }
}

impl Journal {
    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Plain data with string keys cannot fail to become JSON.
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }
}

/// Replaces a file in one piece, readable by this user only: temporary file, flush, rename, flush of
/// the folder.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let unfinished = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.create(true).truncate(true).write(true);
    private(&mut options);
    let mut file = options.open(&unfinished)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    std::fs::rename(&unfinished, path)?;
    flush_folder(path.parent().unwrap_or(Path::new(".")))
}

/// Overwrites a file and removes it. An old copy of a header would still open with an old password;
/// where the drive keeps copies of what was overwritten, this can do nothing about it.
pub(crate) fn erase(path: &Path) {
    let overwritten = (|| {
        let length = usize::try_from(std::fs::metadata(path)?.len()).unwrap_or(0);
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.write_all(&vec![0; length])?;
        file.sync_all()
    })();
    // Removed in any case; a file that is not there is just as well.
    let _ = overwritten.and_then(|()| std::fs::remove_file(path)).or_else(|_| std::fs::remove_file(path));
}

pub(crate) enum Unreadable {
    Damaged,
    Newer,
}

pub(crate) fn parse(bytes: &[u8]) -> std::result::Result<Journal, Unreadable> {
    #[derive(Deserialize)]
    struct Version {
        version: u64,
    }
    let Version { version } = serde_json::from_slice(bytes).map_err(|_| Unreadable::Damaged)?;
    if version > u64::from(VERSION) {
        return Err(Unreadable::Newer);
    }
    serde_json::from_slice(bytes).map_err(|_| Unreadable::Damaged)
}

#[cfg(unix)]
pub(crate) fn make_private_folder(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
pub(crate) fn make_private_folder(folder: &Path) -> std::io::Result<()> {
    // The user's own data folder is private on Windows.
    std::fs::create_dir_all(folder)
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600);
}

#[cfg(not(unix))]
fn private(_: &mut OpenOptions) {}

#[cfg(unix)]
fn flush_folder(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn flush_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal { step: Step::Rescue, backup_confirmed: true, ..Journal::default() };
        Store::open(folder.path()).unwrap().save(journal.to_bytes()).unwrap();
        let (read, fault) = Store::open(folder.path()).unwrap().load();
        assert_eq!(read, journal);
        assert!(fault.is_none());
    }

    #[test]
    fn a_damaged_journal_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        for (n, text) in ["", "{", "[]", "{\"version\":1}", "\u{0}\u{0}", "{\"version\":-1}"].iter().enumerate() {
            std::fs::write(folder.path().join(FILE_NAME), text).unwrap();
            let (read, fault) = Store::open(folder.path()).unwrap().load();
            assert_eq!(read, Journal::default());
            assert!(matches!(fault, Some(Error::JournalDamaged { .. })));
            let kept = folder.path().join(format!("journal-damaged-{}.json", n + 1));
            assert_eq!(std::fs::read_to_string(kept).unwrap(), *text);
        }
    }

    #[test]
    fn a_newer_journal_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE_NAME), "{\"version\":2,\"step\":\"somewhere\"}").unwrap();
        let (_, fault) = Store::open(folder.path()).unwrap().load();
        assert!(matches!(fault, Some(Error::JournalNewer { .. })));
        assert!(!folder.path().join(FILE_NAME).exists());
    }

    #[test]
    fn only_one_wizard_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = Store::open(folder.path()).unwrap();
        assert!(matches!(Store::open(folder.path()), Err(Error::AlreadyRunning)));
        drop(first);
        Store::open(folder.path()).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        Store::open(&state).unwrap().save(Journal::default().to_bytes()).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&state), 0o700);
        assert_eq!(mode(&state.join(FILE_NAME)), 0o600);
    }
}
