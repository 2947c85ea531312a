//! The computer that the first page shows, and whether something was plugged in, pulled out, mounted or
//! written anew since the last look. One file for each system; none of them needs rights.
//!
//! It is this computer, or a recorded one in a folder: so that the page can be tried, and its pictures
//! taken, with drives that are not there.

use std::path::Path;

use super::Seen;
use crate::Result;

#[cfg_attr(target_os = "linux", path = "pulse/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "pulse/other.rs")]
mod platform;

/// A number that changes when the system's own lists do. `None`: this system does not tell.
pub(crate) fn pulse(recorded: Option<&Path>) -> Option<u64> {
    platform::pulse(recorded)
}

/// Looks at the computer as far as this process may.
pub(crate) fn look_around(recorded: Option<&Path>) -> Result<Seen> {
    match platform::survey(recorded) {
        // There are image files and the practice drive on every system.
        Err(drives::Error::NotYet { .. }) => Ok(Seen::default()),
        seen => Ok(seen.map(|seen| Seen { drives: seen.drives, computer: Some(seen.computer) })?),
    }
}
