//! What a program wants of a drive: take it, lock it, open it, give it back.
//!
//! Each operation reads back what it changed, can be repeated after a cut at any point, and ends its
//! session whatever happens. What destroys data takes a [`Confirmation`].
//!
//! Whose PIN is whose: SID owns the drive, `Admin1` manages its locking; both have the PIN that comes
//! from the password and are changed together. `Admin2` has the one that comes from the recovery key.

mod ownership;
mod psid;
mod ranges;
mod revert;
mod shadow_mbr;
mod store;
mod users;

pub use ownership::{Ownership, activate, change_pins, ownership, read_msid, set_up, take_ownership};
pub use psid::Psid;
pub use ranges::{
    Access, Alignment, RangeState, gen_key, lock, lock_with, locking, place_range, range, ranges, unlock,
};
pub use revert::{revert_erasing, revert_keeping_data, revert_with_psid};
pub use shadow_mbr::{ShadowMbrState, load_shadow_mbr, set_shadow_mbr, shadow_mbr, shadow_mbr_done};
pub use store::{read_store, store_size, write_store};
pub use users::{add_admin, add_user, change_own_pin, proves};

use model::Secret;

use crate::discovery::Facts;
use crate::packet::Numbers;
use crate::uid;
use crate::{Error, Result, Session, Status, Tper, Transport, Uid};

/// That a person has typed the name of the drive whose data will be destroyed.
#[derive(Debug)]
pub struct Confirmation(());

impl Confirmation {
    /// Holds what was typed against the drive's name. Blanks around it and the case of letters do not
    /// matter.
    ///
    /// # Errors
    /// [`Error::NotConfirmed`] if it is another name, or none.
    pub fn typed(name: &str, typed: &str) -> Result<Self> {
        let same = name.trim().to_lowercase() == typed.trim().to_lowercase();
        if same && !name.trim().is_empty() { Ok(Self(())) } else { Err(Error::NotConfirmed) }
    }
}

/// The longest PIN that a drive takes (Opal 4.2.1.8), in bytes.
pub const LONGEST_PIN: usize = 32;

fn check_pin(pin: &Secret) -> Result<()> {
    let bytes = pin.expose().len();
    if (1..=LONGEST_PIN).contains(&bytes) { Ok(()) } else { Err(Error::PinLength { bytes }) }
}

/// Whether the drive is one that this program sets up.
fn check_usable(facts: &Facts) -> Result<()> {
    if !facts.locking_supported || facts.ssc.is_empty() {
        return Err(Error::NotSupported);
    }
    if !facts.media_encryption {
        return Err(Error::NoEncryption);
    }
    if facts.is_opal() && facts.sync { Ok(()) } else { Err(Error::NotSupported) }
}

/// Opens a session as somebody, and says why if it cannot.
///
/// Another program of ours is waited for, whatever it does; a session of somebody else's as long as an answer would
/// be. One that is still there then belongs to a program that died: it is ended.
pub(crate) fn open<'a, T: Transport>(
    tper: &'a mut Tper<T>,
    sp: Uid,
    who: Option<(Uid, &Secret)>,
) -> Result<Session<'a, T>> {
    // Enterprise and its like have the same words for other things. Only what sets a drive back is the same on all.
    let by_label = matches!(who, Some((uid::PSID, _)));
    if !by_label && !tper.discovery().facts().is_opal() {
        return Err(Error::NotSupported);
    }
    tper.hold()?;
    match start(tper, sp, who) {
        Ok(numbers) => Ok(tper.attach(numbers)),
        Err(error) => {
            tper.release();
            Err(explain(tper, sp, who.map(|(authority, _)| authority), error))
        }
    }
}

fn start<T: Transport>(tper: &mut Tper<T>, sp: Uid, who: Option<(Uid, &Secret)>) -> Result<Numbers> {
    let patience = tper.patience();
    let mut result = tper.start(sp, who);
    for _ in 0..patience.looks {
        if !matches!(result, Err(Error::Busy)) {
            return result;
        }
        std::thread::sleep(patience.pause);
        result = tper.start(sp, who);
    }
    if matches!(result, Err(Error::Busy)) && tper.reset_stack().is_ok() {
        result = tper.start(sp, who);
    }
    result
}

/// Why a session was refused. The drive itself says no more than "not authorized".
fn explain<T: Transport>(tper: &mut Tper<T>, sp: Uid, who: Option<Uid>, error: Error) -> Error {
    let Error::Status(status) = error else { return error };
    let Ok(facts) = tper.refresh().map(crate::discovery::Discovery::facts) else { return error };
    if sp == uid::LOCKING_SP && !facts.locking_enabled {
        return Error::NotActivated;
    }
    match (status, who) {
        (Status::NotAuthorized, Some(uid::SID)) if facts.sid_blocked => {
            Error::SidBlocked { hardware_reset: facts.block_cleared_by_hardware_reset }
        }
        (Status::NotAuthorized, Some(uid::PSID)) => Error::WrongPsid,
        (Status::NotAuthorized, Some(_)) => Error::WrongPin,
        // There is no PSID on older Enterprise drives, for instance.
        (Status::InvalidParameter | Status::Other(_), Some(_)) => Error::NoSuchAuthority,
        _ => error,
    }
}

fn open_admin<'a, T: Transport>(tper: &'a mut Tper<T>, pin: &Secret) -> Result<Session<'a, T>> {
    open(tper, uid::LOCKING_SP, Some((uid::admin(1), pin)))
}

fn open_owner<'a, T: Transport>(tper: &'a mut Tper<T>, pin: &Secret) -> Result<Session<'a, T>> {
    open(tper, uid::ADMIN_SP, Some((uid::SID, pin)))
}
