//! What `latchkey watch` does: it looks at the computer, says what it saw, and says it again whenever
//! something is different. The window starts it where looking needs the rights of an administrator.

use std::time::Duration;

use crate::Result;
use crate::engine::{self, Seen};

/// How often the system's lists are compared.
pub(crate) const EVERY: Duration = Duration::from_secs(1);

/// A conversion goes on without changing any list.
pub(crate) const EVERY_WHILE_CONVERTING: Duration = Duration::from_secs(5);

/// Looks, and calls `tell` with what was seen, for as long as it returns `true`.
///
/// # Errors
/// The system's list cannot be read.
pub fn follow(tell: &mut dyn FnMut(&Seen) -> bool) -> Result<()> {
    let mut last = None;
    loop {
        let pulse = engine::pulse(None);
        let seen = engine::look_around(None)?;
        if last.as_ref() != Some(&seen) && !tell(&seen) {
            return Ok(());
        }
        let patience = if pulse.is_none() || seen.is_converting() { EVERY_WHILE_CONVERTING } else { Duration::MAX };
        last = Some(seen);
        let mut waited = Duration::ZERO;
        while engine::pulse(None) == pulse && waited < patience {
            std::thread::sleep(EVERY);
            waited += EVERY;
        }
    }
}
