//! How `latchkey pause` finds a conversion that runs in another process, in a terminal or behind the
//! window, without a daemon.
//!
//! A process that converts holds a lock on `NAME.running` in a folder of its user, and looks twenty
//! times a second for `NAME.pause` beside it. Whoever wants it to come to a stop makes that file and
//! waits for the lock to be free. The lock is the system's: it goes with the process however that
//! ends, so a file that was left behind tells nobody anything and is used again.
//!
//! NAME comes from the target itself (device and inode numbers), so that another path to the same
//! image or drive finds it too. The folder is `/run/latchkey` for root, `$XDG_RUNTIME_DIR/latchkey`
//! for others, and a private folder among the temporary files where there is neither;
//! `$LATCHKEY_RUNTIME_DIR` goes before all of them.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use model::{Control, Fault, FaultKind};

#[cfg_attr(unix, path = "running/unix.rs")]
#[cfg_attr(not(unix), path = "running/other.rs")]
mod platform;

const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// A conversion that can be found by `latchkey pause`, as long as this value lives.
#[derive(Debug)]
pub struct Running {
    files: Files,
    _lock: File,
    ended: Arc<AtomicBool>,
    watch: Option<JoinHandle<()>>,
}

impl Running {
    /// Announces that this process converts `target` and stops `control` when it is asked to.
    /// `None` where no folder can be used: then it cannot be paused from outside, which is no reason
    /// not to convert.
    pub fn announce(target: &Path, control: &Control) -> Option<Self> {
        Self::announce_in(&platform::folder().ok()?, target, control).ok()
    }

    fn announce_in(folder: &Path, target: &Path, control: &Control) -> io::Result<Self> {
        let files = Files::of(folder, target)?;
        let mut lock = open(&files.running)?;
        take(&lock)?;
        // A request that nobody took back was meant for an earlier process.
        let _ = fs::remove_file(&files.pause);
        lock.set_len(0)?;
        // For people who look into the folder; only the lock counts.
        writeln!(lock, "{}", std::process::id())?;

        let ended = Arc::new(AtomicBool::new(false));
        let (control, request, over) = (control.clone(), files.pause.clone(), Arc::clone(&ended));
        let watch = std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                if request.exists() {
                    control.stop();
                    return;
                }
                std::thread::park_timeout(BETWEEN_LOOKS);
            }
        });
        Ok(Self { files, _lock: lock, ended, watch: Some(watch) })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(watch) = self.watch.take() {
            watch.thread().unpark();
            let _ = watch.join();
        }
        let _ = fs::remove_file(&self.files.pause);
        // The lock file stays: removing it would let a third process lock a file without a name.
    }
}

/// Asks the process that converts `target` to come to a stop that resumes, and waits until it has.
///
/// # Errors
/// `running-nothing` when no such process runs; `running-not-stopped` when it did not stop in time.
pub fn pause(target: &Path, patience: Duration) -> Result<(), Fault> {
    let folder = platform::folder().map_err(|error| unusable(&error))?;
    pause_in(&folder, target, patience)
}

fn pause_in(folder: &Path, target: &Path, patience: Duration) -> Result<(), Fault> {
    let files = Files::of(folder, target).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Fault::new("device-missing", FaultKind::Refused).with("path", target.display()),
        _ => unusable(&error),
    })?;
    let nobody = || Fault::new("running-nothing", FaultKind::Refused).with("path", target.display());
    if !files.running.exists() {
        return Err(nobody());
    }
    let lock = open(&files.running).map_err(|error| unusable(&error))?;
    if is_free(&lock).map_err(|error| unusable(&error))? {
        return Err(nobody());
    }
    File::create(&files.pause).map_err(|error| unusable(&error))?;
    let begun = Instant::now();
    while begun.elapsed() < patience {
        std::thread::sleep(BETWEEN_LOOKS);
        if is_free(&lock).map_err(|error| unusable(&error))? {
            return Ok(());
        }
    }
    Err(Fault::new("running-not-stopped", FaultKind::Failed).with("path", target.display()))
}

/// Takes the lock. Somebody who only looks whether it is free holds it for a moment.
fn take(lock: &File) -> io::Result<()> {
    const LOOKS: u32 = 10;
    for _ in 0..LOOKS {
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN_LOOKS),
            other => return other.map_err(io::Error::from),
        }
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

/// Whether nobody holds the lock.
fn is_free(lock: &File) -> io::Result<bool> {
    // Shared, so that two who ask at the same time do not take each other for the converting process.
    match lock.try_lock_shared() {
        Ok(()) => lock.unlock().map(|()| true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[derive(Debug)]
struct Files {
    running: PathBuf,
    pause: PathBuf,
}

impl Files {
    fn of(folder: &Path, target: &Path) -> io::Result<Self> {
        let name = platform::name(target)?;
        Ok(Self { running: folder.join(format!("{name}.running")), pause: folder.join(format!("{name}.pause")) })
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

fn unusable(error: &io::Error) -> Fault {
    Fault::new("running-unusable", FaultKind::Failed).because(error)
}

#[cfg(test)]
mod tests {
    use model::Signal;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    fn place() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("image");
        fs::write(&target, "x").unwrap();
        (folder, target)
    }

    #[test]
    fn a_conversion_is_found_and_stops() {
        let (folder, target) = place();
        let control = Control::new();
        let running = Running::announce_in(folder.path(), &target, &control).unwrap();
        let worker = std::thread::spawn({
            let control = control.clone();
            move || {
                while control.signal() == Signal::Run {
                    std::thread::sleep(Duration::from_millis(5));
                }
                drop(running);
            }
        });
        pause_in(folder.path(), &target, PATIENCE).unwrap();
        worker.join().unwrap();
        assert_eq!(control.signal(), Signal::Stop);
        let fault = pause_in(folder.path(), &target, PATIENCE).unwrap_err();
        assert_eq!(fault.code, "running-nothing");
    }

    #[test]
    fn what_a_killed_process_left_behind_is_recognised() {
        let (folder, target) = place();
        let files = Files::of(folder.path(), &target).unwrap();
        fs::write(&files.running, "1\n").unwrap();
        fs::write(&files.pause, "").unwrap();
        assert_eq!(pause_in(folder.path(), &target, PATIENCE).unwrap_err().code, "running-nothing");
        let control = Control::new();
        let running = Running::announce_in(folder.path(), &target, &control).unwrap();
        std::thread::sleep(BETWEEN_LOOKS * 2);
        assert_eq!(control.signal(), Signal::Run);
        drop(running);
    }

    #[test]
    fn one_that_does_not_stop_is_named() {
        let (folder, target) = place();
        let _running = Running::announce_in(folder.path(), &target, &Control::new()).unwrap();
        let fault = pause_in(folder.path(), &target, Duration::from_millis(300)).unwrap_err();
        assert_eq!(fault.code, "running-not-stopped");
    }

    #[test]
    fn a_target_that_is_not_there() {
        let (folder, target) = place();
        fs::remove_file(&target).unwrap();
        assert_eq!(pause_in(folder.path(), &target, PATIENCE).unwrap_err().code, "device-missing");
    }

    #[cfg(unix)]
    #[test]
    fn another_path_is_the_same_target() {
        let (folder, target) = place();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert_eq!(platform::name(&target).unwrap(), platform::name(&link).unwrap());
    }
}
