use std::path::Path;
use std::time::Duration;

use model::Fault;
use texts::keys;
use wizard::{operations, running};

use crate::speaker::{Speaker, quoted};

/// A slow drive finishes the piece that it is at within this.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asks the process that converts the target to come to a stop that resumes.
pub fn run(speaker: &Speaker, target: &Path) -> Result<(), Fault> {
    // Its sentences hold commands to be copied.
    running::pause(target, PATIENCE).map_err(|fault| fault.with("path", quoted(target)))?;
    // It may have been at its end at just that moment.
    let half = matches!(operations::is_converting(target), Ok(Some(_)));
    let args = texts::args([("path", &quoted(target))]);
    speaker.say(if half { keys::CLI_PAUSED } else { keys::CLI_FINISHED_MEANWHILE }, &args);
    Ok(())
}
