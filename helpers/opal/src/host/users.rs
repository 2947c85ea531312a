//! Further ways in: administrators and users of the Locking SP.

use model::Secret;

use super::{check_pin, open, open_admin};
use crate::token::Value;
use crate::uid::{self, ace, column, half};
use crate::{Error, Result, Session, Tper, Transport, Uid};

/// Makes administrator `number` (from 2) and gives it a PIN: a second way in, for the recovery key. It
/// may do all that `Admin1` may, and knows nothing of the password. Proven by opening a session with it.
///
/// # Errors
/// [`Error::NoSuchAuthority`] if the drive has not so many; [`Error::NotKept`] if it does not open.
pub fn add_admin<T: Transport>(tper: &mut Tper<T>, pin: &Secret, number: u16, theirs: &Secret) -> Result<()> {
    check_pin(theirs)?;
    if number < 2 {
        return Err(Error::NoSuchAuthority);
    }
    let authority = uid::admin(number);
    let mut session = open_admin(tper, pin)?;
    enable(&mut session, authority, theirs)?;
    session.end()?;
    prove(tper, authority, theirs)
}

/// Makes user `number` (from 1), who may lock and open these ranges, and say that the shadow MBR has done
/// its work. Proven by opening a session as that user.
///
/// # Errors
/// [`Error::NoSuchAuthority`], [`Error::NotKept`].
pub fn add_user<T: Transport>(
    tper: &mut Tper<T>,
    pin: &Secret,
    number: u16,
    theirs: &Secret,
    ranges: &[u16],
) -> Result<()> {
    check_pin(theirs)?;
    let authority = uid::user(number);
    let shadow_mbr = tper.refresh()?.facts().mbr_shadow_supported;
    let mut session = open_admin(tper, pin)?;
    enable(&mut session, authority, theirs)?;
    for range in ranges {
        for element in [ace::range_get(*range), ace::read_locked(*range), ace::write_locked(*range)] {
            allow(&mut session, element, authority)?;
        }
    }
    if shadow_mbr {
        // Drives that claim a shadow MBR and have none have not got this element either.
        match allow(&mut session, ace::MBR_DONE, authority) {
            Ok(()) | Err(Error::Status(_)) => {}
            Err(error) => return Err(error),
        }
    }
    session.end()?;
    prove(tper, authority, theirs)
}

fn enable<T: Transport>(session: &mut Session<'_, T>, authority: Uid, pin: &Secret) -> Result<()> {
    let absent = |error| match error {
        Error::Status(_) => Error::NoSuchAuthority,
        error => error,
    };
    // The PIN first: a user without one could be anybody.
    session.set(uid::c_pin(authority), vec![(column::PIN, Value::bytes(pin.expose()))]).map_err(absent)?;
    session.set(authority, vec![(column::ENABLED, true.into())]).map_err(absent)?;
    match session.get_one(authority, column::ENABLED)?.and_then(|value| value.as_bool()) {
        Some(true) => Ok(()),
        _ => Err(Error::NotKept { what: "Authority.Enabled" }),
    }
}

/// Adds somebody to an access control element. Who was allowed before stays so.
pub(super) fn allow<T: Transport>(session: &mut Session<'_, T>, element: Uid, authority: Uid) -> Result<()> {
    let named = |kind: [u8; 4], value: Value| Value::Named(Box::new(Value::bytes(&kind)), Box::new(value));
    let now = session.get_one(element, column::BOOLEAN_EXPR)?;
    let mut terms = match now.as_ref().and_then(Value::as_list) {
        Some(terms) if !terms.is_empty() => terms.to_vec(),
        _ => vec![named(half::AUTHORITY, uid::ADMINS.into())],
    };
    let theirs = named(half::AUTHORITY, authority.into());
    if terms.contains(&theirs) {
        return Ok(());
    }
    terms.extend([theirs.clone(), named(half::BOOLEAN, Value::Uint(1))]);
    session.set(element, vec![(column::BOOLEAN_EXPR, Value::List(terms))])?;
    let after = session.get_one(element, column::BOOLEAN_EXPR)?;
    match after.as_ref().and_then(Value::as_list) {
        Some(terms) if terms.contains(&theirs) => Ok(()),
        // Not every drive shows it. Whether it works is seen when it is used.
        None => Ok(()),
        Some(_) => Err(Error::NotKept { what: "ACE.BooleanExpr" }),
    }
}

fn prove<T: Transport>(tper: &mut Tper<T>, authority: Uid, pin: &Secret) -> Result<()> {
    if proves(tper, authority, pin)? { Ok(()) } else { Err(Error::NotKept { what: "C_PIN" }) }
}

/// Whether the PIN opens the Locking SP as this authority. A wrong one counts at the drive.
///
/// # Errors
/// [`Error::LockedOut`], [`Error::NotActivated`].
pub fn proves<T: Transport>(tper: &mut Tper<T>, authority: Uid, pin: &Secret) -> Result<bool> {
    match open(tper, uid::LOCKING_SP, Some((authority, pin))) {
        Ok(session) => session.end().map(|()| true),
        Err(Error::WrongPin) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Changes the PIN of an authority of the Locking SP by itself, as a user changes their own or `Admin2`
/// its. For `Admin1` there is [`change_pins`](super::change_pins), which keeps SID beside it.
///
/// # Errors
/// [`Error::WrongPin`], [`Error::NotKept`].
pub fn change_own_pin<T: Transport>(tper: &mut Tper<T>, who: Uid, old: &Secret, new: &Secret) -> Result<()> {
    check_pin(new)?;
    let mut session = open(tper, uid::LOCKING_SP, Some((who, old)))?;
    session.set(uid::c_pin(who), vec![(column::PIN, Value::bytes(new.expose()))])?;
    session.end()?;
    prove(tper, who, new)
}
