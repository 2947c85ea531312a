//! Who owns the drive, and bringing its Locking SP to life.

use model::Secret;

use super::{check_pin, check_usable, open, open_admin, open_owner};
use crate::token::Value;
use crate::uid::{self, column, life_cycle, method};
use crate::{Error, Result, Tper, Transport};

/// Whose drive it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ownership {
    /// Nobody's: SID has the PIN from the factory.
    Free,
    /// Ours: SID has our PIN.
    Ours,
    /// Somebody's.
    Other,
    /// Somebody's, and it looks like Windows: Single User Mode, nothing locked.
    Windows,
    /// It cannot be told, because SID is blocked until the next power cycle.
    Blocked,
}

/// The PIN that SID has from the factory.
///
/// # Errors
/// [`Error::EmptyReply`] on drives that do not answer; [`Error::NoSuchAuthority`] where it is not shown.
pub fn read_msid<T: Transport>(tper: &mut Tper<T>) -> Result<Secret> {
    let mut session = open(tper, uid::ADMIN_SP, None)?;
    let pin = session.get_one(uid::C_PIN_MSID, column::PIN)?;
    session.end()?;
    match pin.as_ref().and_then(Value::as_bytes) {
        Some(pin) if !pin.is_empty() => Ok(Secret::new(pin.to_vec())),
        _ => Err(Error::NoSuchAuthority),
    }
}

/// Finds out whose drive it is. Each try that fails counts at the drive, and it counts only to five or
/// so: at most two are made.
///
/// # Errors
/// [`Error::LockedOut`], or the drive does not answer.
pub fn ownership<T: Transport>(tper: &mut Tper<T>, ours: Option<&Secret>) -> Result<Ownership> {
    let facts = tper.refresh()?.facts();
    // A Locking SP that is awake was woken by an owner: the factory's PIN need not be tried.
    let free = match facts.owned {
        Some(true) => false,
        _ => {
            let msid = read_msid(tper)?;
            match opens(tper, &msid) {
                Err(Error::SidBlocked { .. }) => return Ok(Ownership::Blocked),
                result => result?,
            }
        }
    };
    if free {
        return Ok(Ownership::Free);
    }
    if let Some(pin) = ours {
        match opens(tper, pin) {
            Ok(true) => return Ok(Ownership::Ours),
            Ok(false) => {}
            Err(Error::SidBlocked { .. }) => return Ok(Ownership::Blocked),
            Err(error) => return Err(error),
        }
    }
    Ok(if facts.sum_active && !facts.locked { Ownership::Windows } else { Ownership::Other })
}

/// Whether SID has this PIN.
fn opens<T: Transport>(tper: &mut Tper<T>, pin: &Secret) -> Result<bool> {
    match open_owner(tper, pin) {
        Ok(session) => session.end().map(|()| true),
        Err(Error::WrongPin) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Gives SID a PIN of ours. Nothing is locked by it, and no data change.
///
/// # Errors
/// [`Error::SidBlocked`], [`Error::OwnedByOther`], [`Error::TakenByWindows`], [`Error::AlreadyOurs`];
/// [`Error::NoEncryption`] and [`Error::NotSupported`]; [`Error::NotKept`] if the new PIN does not open.
pub fn take_ownership<T: Transport>(tper: &mut Tper<T>, pin: &Secret) -> Result<()> {
    check_pin(pin)?;
    check_usable(&tper.refresh()?.facts())?;
    match ownership(tper, Some(pin))? {
        Ownership::Free => {}
        Ownership::Ours => return Err(Error::AlreadyOurs),
        Ownership::Other => return Err(Error::OwnedByOther),
        Ownership::Windows => return Err(Error::TakenByWindows),
        Ownership::Blocked => {
            let hardware_reset = tper.discovery().facts().block_cleared_by_hardware_reset;
            return Err(Error::SidBlocked { hardware_reset });
        }
    }
    let msid = read_msid(tper)?;
    set_sid(tper, &msid, pin)
}

/// Changes SID's PIN, and tries the new one.
pub(super) fn set_sid<T: Transport>(tper: &mut Tper<T>, old: &Secret, new: &Secret) -> Result<()> {
    let mut session = open_owner(tper, old)?;
    session.set(uid::C_PIN_SID, vec![(column::PIN, Value::bytes(new.expose()))])?;
    session.end()?;
    if opens(tper, new)? { Ok(()) } else { Err(Error::NotKept { what: "C_PIN_SID" }) }
}

/// Wakes the Locking SP. `Admin1` gets the PIN that SID has now. The keys stay, and with them the data.
/// Done already is done.
///
/// # Errors
/// [`Error::WrongPin`]; [`Error::NotKept`] if the SP still sleeps afterwards.
pub fn activate<T: Transport>(tper: &mut Tper<T>, pin: &Secret) -> Result<()> {
    let mut session = open_owner(tper, pin)?;
    let cycle = session.get_one(uid::LOCKING_SP, column::LIFE_CYCLE)?.and_then(|value| value.as_uint());
    if cycle == Some(life_cycle::MANUFACTURED_INACTIVE) {
        session.call(uid::LOCKING_SP, method::ACTIVATE, Vec::new())?;
    }
    let cycle = session.get_one(uid::LOCKING_SP, column::LIFE_CYCLE)?.and_then(|value| value.as_uint());
    session.end()?;
    if cycle != Some(life_cycle::MANUFACTURED) {
        return Err(Error::NotKept { what: "LifeCycle" });
    }
    if !tper.refresh()?.facts().locking_enabled {
        return Err(Error::NotKept { what: "LockingEnabled" });
    }
    open_admin(tper, pin)?.end()
}

/// Takes the drive and wakes its Locking SP, from wherever an earlier try has left it. Nothing is locked
/// and no data change.
///
/// # Errors
/// As [`take_ownership`] and [`activate`], without [`Error::AlreadyOurs`].
pub fn set_up<T: Transport>(tper: &mut Tper<T>, pin: &Secret) -> Result<()> {
    match take_ownership(tper, pin) {
        Ok(()) | Err(Error::AlreadyOurs) => activate(tper, pin),
        Err(error) => Err(error),
    }
}

/// Changes the PINs of SID and `Admin1` together. If the second one cannot be changed, the first one is
/// set back. After a cut between the two, calling it again with the same PINs finishes it.
///
/// # Errors
/// [`Error::WrongPin`] if neither the old nor the new PIN is right.
pub fn change_pins<T: Transport>(tper: &mut Tper<T>, old: &Secret, new: &Secret) -> Result<()> {
    check_pin(new)?;
    let changed_before = match open_admin(tper, old) {
        Ok(mut session) => {
            session.set(uid::c_pin(uid::admin(1)), vec![(column::PIN, Value::bytes(new.expose()))])?;
            session.end()?;
            false
        }
        // Cut off between the two the last time.
        Err(Error::WrongPin) => true,
        Err(error) => return Err(error),
    };
    match open_admin(tper, new) {
        Ok(session) => session.end()?,
        Err(Error::WrongPin) if !changed_before => return Err(Error::NotKept { what: "C_PIN_Admin1" }),
        Err(error) => return Err(error),
    }
    if changed_before && opens(tper, new)? {
        return Ok(());
    }
    let result = set_sid(tper, old, new);
    if result.is_err() && !changed_before {
        // Two PINs that differ are worse than the old one: what fails here is told by the first error.
        if let Ok(mut session) = open_admin(tper, new) {
            let _ = session.set(uid::c_pin(uid::admin(1)), vec![(column::PIN, Value::bytes(old.expose()))]);
        }
    }
    result
}
