//! The distribution's own prompt.

use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

use model::Secret;

use super::Person;
use crate::job::Job;
use crate::{Result, tool};

/// How long a password is waited for: a computer that was restarted with nobody in front of it starts as ever.
const PATIENCE: Duration = Duration::from_secs(600);

/// Asks with the distribution's own program, which also knows of a splash screen. `None`: nobody typed anything.
pub fn ask(job: &Job, person: &dyn Person) -> Result<Option<Secret>> {
    let mut command = tool::command("askpass", [person.prompt(&job.mapping)])?;
    command.stdin(Stdio::inherit()).stderr(Stdio::inherit()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| tool::failed("askpass", "start", error))?;
    let end = Instant::now() + PATIENCE;
    loop {
        match child.try_wait().map_err(|error| tool::failed("askpass", "wait", error))? {
            Some(status) if status.success() => break,
            Some(_) => return Ok(None),
            None if Instant::now() > end => {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(None);
            }
            None => std::thread::sleep(Duration::from_millis(50)),
        }
    }
    let mut typed = zeroize::Zeroizing::new(Vec::with_capacity(1024));
    if let Some(mut output) = child.stdout.take() {
        output.read_to_end(&mut typed).map_err(|error| tool::failed("askpass", "read", error))?;
    }
    Ok(Some(Secret::new(typed.to_vec())))
}

/// Whether that is a slip of the finger, after which one may try again: the wrong password, or none at all.
pub const fn is_slip(error: &luks::Error) -> bool {
    matches!(error, luks::Error::WrongSecret | luks::Error::EmptyPassword)
}
