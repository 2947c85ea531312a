//! Encrypting while people work: stock `cryptsetup reencrypt` on the mapping that the root is mounted from.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use model::{Control, Meter, Secret, Signal, Sink, StepId, Unit};

use crate::facts::Facts;
use crate::job::Job;
use crate::state::{OnDisk, on_disk};
use crate::{Error, Result, password, swap, tool};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All is encrypted.
    Finished,
    /// It was asked to stop, and resumes.
    Stopped,
}

/// How often the state on the disk is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// Encrypts to the end, or until it is asked to stop. The password is the one that was typed at this start.
///
/// # Errors
/// [`Error::PasswordNeeded`], and those of cryptsetup. The state on the disk resumes.
pub fn run(job: &Job, control: &Control, sink: &mut dyn Sink) -> Result<Ended> {
    let version = tool::run("cryptsetup", ["--version"])?;
    if crate::version::Version::parse(&version).is_none_or(|version| !version.is_safe_online()) {
        // It may have been changed since the preflight.
        crate::preflight::refuse(&crate::preflight::check(&Facts::load()?))?;
    }
    // What the person has open must not lie in plain beside the volume. Where it does not fit into memory, it lies
    // there as before; the password is in none of it.
    let _ = swap::turn_off_plain();
    let mut child = start(job, &password::kept(job).ok_or(Error::PasswordNeeded)?)?;
    let mut meter = Meter::new(sink, StepId::Encrypt, job.size - 2 * job.shift, Unit::Bytes);
    let mut asked = false;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| tool::failed("cryptsetup", "wait", error))? {
            break status;
        }
        if control.signal() == Signal::Stop && !asked {
            asked = true;
            ask_to_stop(&child);
        }
        // A header that is being written just now does not read: the next look will.
        if let Ok(OnDisk::Converting { done, .. }) = on_disk(job) {
            meter.at(done);
        }
        std::thread::sleep(LOOK);
    };
    match on_disk(job)? {
        OnDisk::Encrypted => {
            meter.at(job.size - 2 * job.shift);
            Ok(Ended::Finished)
        }
        _ if asked => Ok(Ended::Stopped),
        _ => {
            let mut words = String::new();
            if let Some(mut errors) = child.stderr.take() {
                use std::io::Read;
                let _ = errors.read_to_string(&mut words);
            }
            Err(tool::failed("cryptsetup", status, words.trim()))
        }
    }
}

fn start(job: &Job, secret: &Secret) -> Result<Child> {
    let words = ["reencrypt", "--resume-only", "--batch-mode", "--key-file", "-", "--active-name", &job.mapping];
    let mut command = tool::command("cryptsetup", words)?;
    // Not on the root: it writes nothing, and the root may stand still for a moment.
    command.current_dir(Path::new("/run"));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| tool::failed("cryptsetup", "start", error))?;
    tool::give(&mut child, secret);
    Ok(child)
}

/// Politely: killed, it would leave a mapping that stands still, and with it the whole system.
fn ask_to_stop(child: &Child) {
    let id = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(id) = id {
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
    }
}
