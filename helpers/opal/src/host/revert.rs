//! Giving the drive back: with its data, or without them.

use model::Secret;

use super::ownership::{read_msid, set_sid};
use super::{Confirmation, Psid, open, open_admin, open_owner, ranges};
use crate::token::Value;
use crate::uid::{self, method};
use crate::{Error, Result, Status, Tper, Transport};

/// `KeepGlobalRangeKey`.
const KEEP: u64 = 0x06_0000;

/// Undoes [`set_up`](super::set_up) and all that came after it, **and keeps the data** of the Global
/// Range. From wherever an earlier try has left it.
///
/// The Locking SP is set back with the key of the Global Range kept; then SID gets the PIN from the
/// factory again. The Admin SP is not reverted: that could touch keys, and is not needed.
///
/// # Errors
/// [`Error::RangeLocked`] if the Global Range is locked; [`Error::NoSuchRange`] if another range is in use,
/// whose data would be lost; [`Error::WrongPin`], [`Error::NotKept`]. Nothing has changed then.
pub fn revert_keeping_data<T: Transport>(tper: &mut Tper<T>, pin: &Secret) -> Result<()> {
    if tper.refresh()?.facts().locking_enabled {
        let all = ranges::ranges(tper, pin)?;
        if let Some(other) = all.iter().find(|range| range.number > 0 && range.in_use()) {
            return Err(Error::NoSuchRange(other.number));
        }
        let locked = |range: &super::RangeState| {
            range.read_lock_enabled && range.read_locked || range.write_lock_enabled && range.write_locked
        };
        if all.iter().any(locked) {
            return Err(Error::RangeLocked);
        }
        // Whether SID will be ours is found out before anything is changed.
        open_owner(tper, pin)?.end()?;
        let session = open_admin(tper, pin)?;
        match session.last_call(uid::THIS_SP, method::REVERT_SP, vec![Value::named(KEEP, true)]) {
            Err(Error::Status(Status::Fail)) => return Err(Error::RangeLocked),
            result => result?,
        }
        if tper.refresh()?.facts().locking_enabled {
            return Err(Error::NotKept { what: "LockingEnabled" });
        }
    }
    // What SID gets is read twice: after a wrong byte nobody would own the drive any more.
    let msid = read_msid(tper)?;
    if read_msid(tper)? != msid {
        return Err(Error::Garbage(crate::Garbage::Unexpected));
    }
    match set_sid(tper, pin, &msid) {
        // Cut off behind the last step the last time.
        Err(Error::WrongPin) if open_owner(tper, &msid).is_ok() => return Ok(()),
        result => result?,
    }
    if tper.refresh()?.facts().owned == Some(true) {
        set_sid(tper, &msid, pin)?;
        return Err(Error::NotKept { what: "C_PIN_SID" });
    }
    Ok(())
}

/// Sets the whole drive back as its owner. **All data are destroyed.**
///
/// # Errors
/// [`Error::WrongPin`], [`Error::SidBlocked`]; [`Error::NotKept`] if the drive is not as from the factory
/// afterwards.
pub fn revert_erasing<T: Transport>(tper: &mut Tper<T>, pin: &Secret, _: &Confirmation) -> Result<()> {
    open_owner(tper, pin)?.last_call(uid::ADMIN_SP, method::REVERT, Vec::new())?;
    verify(tper)
}

/// Sets the whole drive back as whoever holds it in their hands. **All data are destroyed.** Afterwards the
/// drive's power should be taken away: some can do nothing until then.
///
/// # Errors
/// [`Error::WrongPsid`], which counts at the drive; [`Error::NoSuchAuthority`] where there is no PSID;
/// [`Error::NotKept`].
pub fn revert_with_psid<T: Transport>(tper: &mut Tper<T>, psid: &Psid, _: &Confirmation) -> Result<()> {
    let session = open(tper, uid::ADMIN_SP, Some((uid::PSID, psid.secret())))?;
    session.last_call(uid::ADMIN_SP, method::REVERT, Vec::new())?;
    verify(tper)
}

fn verify<T: Transport>(tper: &mut Tper<T>) -> Result<()> {
    let facts = tper.refresh()?.facts();
    if facts.locking_enabled || facts.locked {
        return Err(Error::NotKept { what: "LockingEnabled" });
    }
    if facts.owned == Some(true) { Err(Error::NotKept { what: "C_PIN_SID" }) } else { Ok(()) }
}
