use model::{Judged, Reason, Verdict};
use opal::pin::{Record, WayIn};
use opal::{Tper, Transport, protect, ticket};

use crate::Result;

/// What a drive shows of its own lock without any secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockFacts {
    /// The name of our note on it. `None`: it has none.
    pub id: Option<String>,
    /// Somebody has taken it. `None`: it does not tell.
    pub owned: Option<bool>,
    /// It is locked now.
    pub locked: bool,
    /// The shadow MBR stands in the place of the first sectors.
    pub shown: bool,
    /// It was opened at a start, from the image that it shows.
    pub started: bool,
    /// It was found locked at a start since it was last switched on.
    pub seen_locked: bool,
}

/// The name of a note: it differs from drive to drive, and everybody may know it.
pub(super) fn id(record: &Record) -> String {
    record.salt(WayIn::Password).to_owned()
}

/// Looks at a drive. Nothing counts at it.
///
/// # Errors
/// The drive does not answer.
pub fn look<T: Transport>(tper: &mut Tper<T>) -> Result<LockFacts> {
    let facts = tper.refresh()?.facts();
    let noted = match protect::note(tper) {
        Ok(noted) => noted,
        Err(opal::Error::RecordDamaged) => None,
        Err(error) => return Err(error.into()),
    };
    let start = ticket::read(tper)?.and_then(|ticket| ticket.start);
    Ok(LockFacts {
        id: noted.as_ref().map(id),
        owned: facts.owned,
        locked: facts.locked,
        shown: facts.mbr_shadow_active,
        started: start.is_some_and(|start| start.shown),
        seen_locked: start.is_some_and(|start| start.locked),
    })
}

/// The same at the end of the way, where a drive of ours that is closed was off since it was last opened: there is
/// no better proof.
pub fn judged_at_end(lock: &LockFacts) -> Judged {
    match lock {
        LockFacts { id: Some(_), locked: true, .. } => {
            judged(&LockFacts { locked: false, seen_locked: true, ..lock.clone() })
        }
        _ => judged(lock),
    }
}

/// Whether the drive's own lock protects it. Green is only what was seen: locked at a start.
pub fn judged(lock: &LockFacts) -> Judged {
    let (verdict, reason, gets, next) = match lock {
        LockFacts { locked: true, .. } => (Verdict::Locked, "own-lock-closed", "unknown", "own-lock-open-it"),
        LockFacts { seen_locked: true, id: Some(_), .. } => {
            (Verdict::Protected, "own-lock-seen", "nothing-by-drive", "keep-key")
        }
        LockFacts { id: Some(_), .. } => (Verdict::NotProtected, "own-lock-prepared", "everything", "own-lock-go-on"),
        LockFacts { owned: Some(true), .. } => (Verdict::Unknown, "own-lock-open", "unknown", "power-off-test"),
        _ => (Verdict::NotProtected, "own-lock-unused", "everything", "own-lock-or-software"),
    };
    Judged { verdict, reason: Reason::new(reason), gets: gets.into(), next: next.into() }
}
