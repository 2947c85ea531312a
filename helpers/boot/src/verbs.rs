//! What can be asked for, by ids and never by paths: for the command line now, and for a service that listens to
//! others later. Every verb looks at the system again; nothing that a caller says about it is believed.

use std::path::Path;

pub use model::system::{Phase, Undone};
use model::{Condition, Control, Fault, Secret, Sink, VolumeId};
use serde::{Deserialize, Serialize};

use crate::facts::Facts;
use crate::job::{FOLDER, Job, Way};
use crate::start::{self, LastStart};
use crate::state::{OnDisk, on_disk};
use crate::{Error, Request, Result, Staged, end, files, online, password, preflight, room, service, split, stage};

/// Where the running encryption says how far it is, at most five times a second.
pub const PROGRESS: &str = "/run/latchkey/progress.json";

/// How the system drive stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The volume.
    pub id: VolumeId,
    /// How far it is.
    pub phase: Phase,
    /// What happened at the start that this system came from.
    pub last_start: Option<LastStart>,
}

/// The volume that the running system's root lies on: its partition's UUID.
///
/// # Errors
/// Those of looking at the system.
pub fn system() -> Result<VolumeId> {
    crate::facts::system()?.ok_or_else(|| Error::NotTheSystem { id: "/".into() })
}

/// Judges whether it can be encrypted.
///
/// # Errors
/// [`Error::NotTheSystem`].
pub fn check(id: &VolumeId) -> Result<Vec<Condition>> {
    Ok(preflight::check(&facts(id)?))
}

/// Stages the test start. Nothing on the root changes.
///
/// # Errors
/// [`Error::NeedsRoot`], [`Error::NotTheSystem`], [`Error::Condition`], [`Error::AlreadyStaged`], and those of the
/// system's programs.
pub fn stage(
    id: &VolumeId,
    request: &Request<'_>,
    proven: &mut dyn FnMut(&Path, &str) -> std::result::Result<(), Fault>,
    sink: &mut dyn Sink,
) -> Result<Staged> {
    need_root()?;
    stage::stage(&facts(id)?, request, proven, sink)
}

/// How it stands.
///
/// # Errors
/// [`Error::NotTheSystem`], those of the device.
pub fn status(id: &VolumeId) -> Result<Status> {
    must_be_the_system(id)?;
    let phase = match Job::load(Path::new(FOLDER))? {
        None if end::report().is_some() => Phase::Proven,
        None => Phase::Untouched,
        Some(job) if job.way == Way::Decrypt => match on_disk(&job)? {
            OnDisk::Plain => Phase::Decrypted,
            _ => Phase::ToBeDecrypted,
        },
        Some(job) => match on_disk(&job)? {
            OnDisk::Plain | OnDisk::Foreign => match &job.room {
                Some(room) if room::is_made(&job, room)? => Phase::RoomMade,
                Some(_) => Phase::RoomStaged,
                // The job is noted before the initramfs that carries it out is made.
                None if job.split_boot.is_some() && service::is_active() && !start::is_armed(&job) => Phase::RoomMade,
                None => Phase::Staged,
            },
            OnDisk::Placed => Phase::Placed,
            OnDisk::Converting { done, total, .. } => Phase::Encrypting { done, total, running: service::is_active() },
            OnDisk::Encrypted if end::made().is_some() => Phase::ToBeProven,
            OnDisk::Encrypted => Phase::Ending,
        },
    };
    Ok(Status { id: id.clone(), phase, last_start: start::last() })
}

/// Goes on after a pause, in the background. The password is needed where this start has not seen it.
///
/// # Errors
/// [`Error::NothingStaged`], [`Error::WrongState`], [`Error::PasswordNeeded`], `luks-wrong-secret`.
pub fn resume(id: &VolumeId, secret: Option<&Secret>) -> Result<()> {
    need_root()?;
    must_be_the_system(id)?;
    let job = staged()?;
    if let Some(secret) = secret {
        opens(&job, secret)?;
        password::keep(&job, secret)?;
    }
    match on_disk(&job)? {
        OnDisk::Converting { .. } | OnDisk::Placed if password::kept(&job).is_none() => {
            return Err(Error::PasswordNeeded);
        }
        OnDisk::Plain => return Err(Error::WrongState { state: "staged" }),
        _ => {}
    }
    files::remove(&paused())?;
    service::start()
}

/// Comes to a stop that resumes, and stays there until [`resume`], also at the next start.
///
/// # Errors
/// [`Error::NothingStaged`], and those of systemd.
pub fn pause(id: &VolumeId) -> Result<()> {
    need_root()?;
    must_be_the_system(id)?;
    let job = staged()?;
    if !matches!(on_disk(&job)?, OnDisk::Converting { .. } | OnDisk::Placed) {
        return Err(Error::WrongState { state: "not encrypting" });
    }
    files::replace(&paused(), b"", 0o600)?;
    service::stop()
}

/// Takes back what can be taken back at once: a test start that has not happened, at once; a header that is in
/// place, at the next start, which finds that nothing has been encrypted.
///
/// # Errors
/// [`Error::NothingStaged`]; [`Error::AlreadyEncrypting`]: the way back is to decrypt.
pub fn undo(id: &VolumeId) -> Result<Undone> {
    need_root()?;
    must_be_the_system(id)?;
    let job = staged()?;
    match on_disk(&job)? {
        OnDisk::Plain if job.way == Way::Encrypt => stage::take_back().map(|()| Undone::Now),
        OnDisk::Encrypted if job.way == Way::Decrypt => stage::take_back().map(|()| Undone::Now),
        OnDisk::Placed => {
            files::replace(&paused(), b"", 0o600)?;
            service::stop()?;
            // It may have begun just now.
            match on_disk(&job)? {
                OnDisk::Placed => Ok(Undone::AtNextStart),
                _ => {
                    files::remove(&paused())?;
                    service::start()?;
                    Err(Error::AlreadyEncrypting)
                }
            }
        }
        _ => Err(Error::AlreadyEncrypting),
    }
}

/// Prepares the way back: the next start asks for the password and decrypts everything before the system is up. Every
/// file stays. [`undo`] takes the preparation back.
///
/// # Errors
/// [`Error::WrongState`] where not all is encrypted; `luks-wrong-secret`; those of the system's programs.
pub fn decrypt(id: &VolumeId, secret: &Secret, program: &Path) -> Result<()> {
    need_root()?;
    let facts = facts(id)?;
    // An end that waits for its proof has been proven by this start, or is not proven at all.
    if let (Some(job), Some(made)) = (Job::load(Path::new(FOLDER))?, end::made()) {
        end::prove(&job, &made)?;
    }
    let job = stage::job_back(&facts)?;
    opens(&job, secret)?;
    stage::stage_back(&facts, &job, program)
}

/// Has the service of systemd take up again what is unfinished, unless somebody has paused it or its password is not
/// known in this start. Whether there was anything. It does so by itself at each start; this is for one that was
/// killed.
///
/// # Errors
/// Those of the device and of systemd.
pub fn take_up() -> Result<bool> {
    need_root()?;
    split::mend(Path::new(FOLDER))?;
    let Some(job) = Job::load(Path::new(FOLDER))?.filter(|job| job.way == Way::Encrypt) else { return Ok(false) };
    let unfinished = match on_disk(&job)? {
        OnDisk::Placed | OnDisk::Converting { .. } => !paused().exists() && password::kept(&job).is_some(),
        OnDisk::Encrypted => true,
        OnDisk::Plain => job.room.as_ref().map_or(Ok(false), |room| room::is_made(&job, room))?,
        OnDisk::Foreign => false,
    };
    if !unfinished || service::is_active() {
        return Ok(false);
    }
    service::start().map(|()| true)
}

/// The file or partition with the header of the system's volume: staged, or in place. `None`: there is none.
///
/// # Errors
/// Those of looking at the system.
pub fn header() -> Result<Option<std::path::PathBuf>> {
    let staged = crate::job::header_file(Path::new(FOLDER));
    if staged.exists() {
        return Ok(Some(staged));
    }
    let facts = Facts::load()?;
    let part = facts.root.iter().rev().find(|part| part.fstype.as_deref() == Some("crypto_LUKS"));
    Ok(part.map(|part| (&*part.name).into()))
}

/// The service's work at one start: encrypts, makes the end, or proves it, whatever is to be done. What `hold_up`
/// returns lives while a cut would give the next start something to mend.
///
/// # Errors
/// Those of each.
pub fn serve<T>(control: &Control, sink: &mut dyn Sink, hold_up: impl Fn() -> T) -> Result<()> {
    need_root()?;
    let Some(job) = Job::load(Path::new(FOLDER))? else { return Ok(()) };
    loop {
        match on_disk(&job)? {
            OnDisk::Plain if job.way == Way::Decrypt => {
                let _held_up = hold_up();
                return end::make_plain(&job);
            }
            _ if job.way == Way::Decrypt => return Ok(()),
            OnDisk::Plain if job.room.as_ref().map_or(Ok(false), |room| room::is_made(&job, room))? => {
                let _held_up = hold_up();
                return stage::after_room(&job).inspect_err(|error| {
                    // What was staged is of no use without its test start.
                    start::fail(&job, error);
                    let _ = stage::take_back();
                });
            }
            OnDisk::Plain | OnDisk::Foreign => {
                // A test start that failed or was taken back is not tried again by itself.
                if !start::was_tried(&job)? {
                    return Ok(());
                }
                let _held_up = hold_up();
                return stage::take_back();
            }
            OnDisk::Placed | OnDisk::Converting { .. } => {
                if paused().exists() {
                    return Ok(());
                }
                if online::run(&job, control, sink)? == online::Ended::Stopped {
                    return Ok(());
                }
            }
            OnDisk::Encrypted => {
                let _held_up = hold_up();
                return match end::made() {
                    None => end::make(&job),
                    Some(made) => end::prove(&job, &made).map(|_| ()),
                };
            }
        }
    }
}

fn facts(id: &VolumeId) -> Result<Facts> {
    let facts = Facts::load()?;
    if facts.id().as_ref() == Some(id) { Ok(facts) } else { Err(Error::NotTheSystem { id: id.0.clone() }) }
}

fn must_be_the_system(id: &VolumeId) -> Result<()> {
    if system()? == *id { Ok(()) } else { Err(Error::NotTheSystem { id: id.0.clone() }) }
}

fn staged() -> Result<Job> {
    Job::load(Path::new(FOLDER))?.ok_or(Error::NothingStaged)
}

fn paused() -> std::path::PathBuf {
    Path::new(FOLDER).join("paused")
}

fn need_root() -> Result<()> {
    if rustix::process::geteuid().is_root() { Ok(()) } else { Err(Error::NeedsRoot) }
}

/// Whether the password opens the volume as it lies there now. Writes nothing.
fn opens(job: &Job, secret: &Secret) -> Result<()> {
    use blockdev::{Access, Device, FileDevice, Part};
    use luks::convert::{self, Place};
    let device = FileDevice::open(&job.device(), Access::Read)?;
    let place = convert::locate(&device)?;
    match &place {
        Place::Front(loaded) => loaded.header.unlock(&device, secret)?,
        Place::Starting { loaded, offset } | Place::Back { loaded, offset } => {
            loaded.header.unlock(&Part::new(&device, *offset, device.size() - offset)?, secret)?
        }
    };
    Ok(())
}
