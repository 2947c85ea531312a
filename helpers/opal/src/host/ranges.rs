//! Ranges: what is locked, and what can be.

use std::collections::BTreeMap;

use model::Secret;

use super::users::allow;
use super::{Confirmation, open, open_admin};
use crate::discovery::Facts;
use crate::token::Value;
use crate::uid::{self, ace, column, method};
use crate::{Error, Result, Session, Status, Tper, Transport, Uid};

/// What may be done with a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everything.
    ReadWrite,
    /// Reading.
    ReadOnly,
    /// Nothing.
    Locked,
}

impl Access {
    const fn locks(self) -> (bool, bool) {
        match self {
            Self::ReadWrite => (false, false),
            Self::ReadOnly => (false, true),
            Self::Locked => (true, true),
        }
    }
}

/// The row of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeState {
    /// 0 is the Global Range.
    pub number: u16,
    /// First block; 0 for the Global Range.
    pub start: u64,
    /// Blocks; 0 for the Global Range, and for a range that is not in use.
    pub length: u64,
    /// Reading can be locked.
    pub read_lock_enabled: bool,
    /// Writing can be locked.
    pub write_lock_enabled: bool,
    /// Reading is locked, if it can be.
    pub read_locked: bool,
    /// Writing is locked, if it can be.
    pub write_locked: bool,
    /// A power cycle locks it.
    pub locks_at_power_off: bool,
}

impl RangeState {
    fn from_cells(number: u16, cells: &BTreeMap<u64, Value>) -> Result<Self> {
        let uint = |column| cells.get(&column).and_then(Value::as_uint);
        let truth = |column| cells.get(&column).and_then(Value::as_bool);
        // Only those who may see it get the cells.
        let missing = Error::Status(Status::NotAuthorized);
        let (Some(start), Some(length), Some(read_lock_enabled), Some(write_lock_enabled)) = (
            uint(column::RANGE_START),
            uint(column::RANGE_LENGTH),
            truth(column::READ_LOCK_ENABLED),
            truth(column::WRITE_LOCK_ENABLED),
        ) else {
            return Err(missing);
        };
        let (Some(read_locked), Some(write_locked)) = (truth(column::READ_LOCKED), truth(column::WRITE_LOCKED)) else {
            return Err(missing);
        };
        let resets = cells.get(&column::LOCK_ON_RESET).and_then(Value::as_list);
        let locks_at_power_off = resets.is_some_and(|resets| resets.iter().any(|reset| reset.as_uint() == Some(0)));
        Ok(Self {
            number,
            start,
            length,
            read_lock_enabled,
            write_lock_enabled,
            read_locked,
            write_locked,
            locks_at_power_off,
        })
    }

    /// Whether anything is there to lock.
    pub fn in_use(&self) -> bool {
        self.number == 0 || self.length > 0
    }
}

/// Where ranges may begin and end, in logical blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alignment {
    granularity: u64,
    lowest: u64,
}

impl Alignment {
    /// As the drive wants it.
    pub fn of(facts: &Facts) -> Self {
        Self { granularity: facts.granularity.max(1), lowest: facts.lowest_aligned_lba }
    }

    /// Whether the drive will take it (Opal 4.3.5.2.1).
    pub fn fits(self, start: u64, length: u64) -> bool {
        let aligned = |lba: u64| lba >= self.lowest && (lba - self.lowest).is_multiple_of(self.granularity);
        let starts = start == 0 || aligned(start);
        let ends = if start == 0 { aligned(length) } else { length.is_multiple_of(self.granularity) };
        starts && ends && length > 0 && start.checked_add(length).is_some()
    }

    /// The largest aligned piece inside of `start` and `length`. `None` if there is none.
    pub fn shrink(self, start: u64, length: u64) -> Option<(u64, u64)> {
        let end = start.checked_add(length)?;
        let up = |lba: u64| match lba.checked_sub(self.lowest) {
            None => Some(self.lowest),
            Some(above) => above.checked_next_multiple_of(self.granularity)?.checked_add(self.lowest),
        };
        let begin = if start == 0 { 0 } else { up(start)? };
        let base = if begin == 0 { self.lowest } else { begin };
        let length = end.checked_sub(base)? / self.granularity * self.granularity;
        let length = if begin == 0 { base + length } else { length };
        (length > 0 && begin.checked_add(length)? <= end).then_some((begin, length))
    }
}

/// Every range that the drive has, the Global Range first.
///
/// # Errors
/// [`Error::WrongPin`], [`Error::NotActivated`].
pub fn ranges<T: Transport>(tper: &mut Tper<T>, pin: &Secret) -> Result<Vec<RangeState>> {
    let mut session = open_admin(tper, pin)?;
    let most = session.get_one(uid::LOCKING_INFO, column::MAX_RANGES)?.and_then(|value| value.as_uint());
    // A drive that does not say has what Opal demands. One that says more than there can be is not believed.
    let most = u16::try_from(most.unwrap_or(8)).unwrap_or(1024).min(1024);
    let mut all = Vec::new();
    for number in 0..=most {
        match read_range(&mut session, number) {
            Ok(state) => all.push(state),
            // Not there, though it was counted. One behind it may be.
            Err(Error::NoSuchRange(_)) if number > 0 => {}
            Err(error) => return Err(error),
        }
    }
    session.end()?;
    Ok(all)
}

/// One range.
///
/// # Errors
/// [`Error::WrongPin`], [`Error::NotActivated`], [`Error::NoSuchRange`].
pub fn range<T: Transport>(tper: &mut Tper<T>, pin: &Secret, number: u16) -> Result<RangeState> {
    let mut session = open_admin(tper, pin)?;
    let state = read_range(&mut session, number)?;
    session.end()?;
    Ok(state)
}

fn read_range<T: Transport>(session: &mut Session<'_, T>, number: u16) -> Result<RangeState> {
    let cells = session.get(uid::range(number), column::RANGE_START..=column::LOCK_ON_RESET);
    match cells {
        Ok(cells) => RangeState::from_cells(number, &cells),
        Err(Error::Status(Status::NotAuthorized | Status::InvalidParameter | Status::Other(_))) => {
            Err(Error::NoSuchRange(number))
        }
        Err(error) => Err(error),
    }
}

/// Switches locking of a range on or off. On: reading and writing can be locked, and a power cycle locks.
/// It is not locked by that. No data change; for the Global Range this takes the same short time whatever
/// the size of the drive.
///
/// # Errors
/// [`Error::NotKept`] if what is read back is something else; [`Error::NoSuchRange`] for a range that is
/// not in use.
pub fn locking<T: Transport>(tper: &mut Tper<T>, pin: &Secret, number: u16, on: bool) -> Result<()> {
    let mut session = open_admin(tper, pin)?;
    let before = read_range(&mut session, number)?;
    if !before.in_use() {
        return Err(Error::NoSuchRange(number));
    }
    let object = uid::range(number);
    if on {
        let resets = Value::List(vec![Value::Uint(0)]);
        let open = vec![(column::READ_LOCKED, false.into()), (column::WRITE_LOCKED, false.into())];
        // Opened before it can be locked: the system may be running from it.
        session.set(object, open)?;
        if !before.locks_at_power_off {
            session.set(object, vec![(column::LOCK_ON_RESET, resets)])?;
        }
    }
    session.set(object, vec![(column::READ_LOCK_ENABLED, on.into()), (column::WRITE_LOCK_ENABLED, on.into())])?;
    let after = read_range(&mut session, number)?;
    session.end()?;
    if after.read_lock_enabled != on || after.write_lock_enabled != on {
        return Err(Error::NotKept { what: "ReadLockEnabled" });
    }
    if on && !after.locks_at_power_off {
        return Err(Error::NotKept { what: "LockOnReset" });
    }
    if on && (after.read_locked || after.write_locked) {
        return Err(Error::NotKept { what: "ReadLocked" });
    }
    Ok(())
}

/// Locks a range now, as `Admin1`.
///
/// # Errors
/// As [`lock_with`].
pub fn lock<T: Transport>(tper: &mut Tper<T>, pin: &Secret, number: u16) -> Result<()> {
    lock_with(tper, uid::admin(1), pin, number, Access::Locked)
}

/// Opens a range until it is locked again, as `Admin1`.
///
/// # Errors
/// As [`lock_with`].
pub fn unlock<T: Transport>(tper: &mut Tper<T>, pin: &Secret, number: u16) -> Result<()> {
    lock_with(tper, uid::admin(1), pin, number, Access::ReadWrite)
}

/// Locks or opens a range as somebody who may.
///
/// # Errors
/// [`Error::WrongPin`], [`Error::NoSuchRange`]; [`Error::NotKept`] if the drive says yes and does not do
/// it, which some do for a range that is not in use or whose locking is not switched on.
///
/// An administrator who is not allowed to (cryptsetup leaves ranges to their users) allows it to all
/// administrators first.
pub fn lock_with<T: Transport>(tper: &mut Tper<T>, who: Uid, pin: &Secret, number: u16, access: Access) -> Result<()> {
    let mut session = open(tper, uid::LOCKING_SP, Some((who, pin)))?;
    let (reading, writing) = access.locks();
    let before = read_range(&mut session, number)?;
    if !before.in_use() {
        return Err(Error::NoSuchRange(number));
    }
    if (reading && !before.read_lock_enabled) || (writing && !before.write_lock_enabled) {
        return Err(Error::NotKept { what: "ReadLockEnabled" });
    }
    let cells = vec![(column::READ_LOCKED, reading.into()), (column::WRITE_LOCKED, writing.into())];
    let administrator = who.row() & 0xffff_0000 == uid::admin(0).row();
    match session.set(uid::range(number), cells.clone()) {
        // cryptsetup leaves its ranges to their users alone. An administrator can put that right.
        Err(Error::Status(Status::NotAuthorized)) if administrator => {
            allow(&mut session, ace::read_locked(number), uid::ADMINS)?;
            allow(&mut session, ace::write_locked(number), uid::ADMINS)?;
            session.set(uid::range(number), cells)?;
        }
        result => result?,
    }
    let after = read_range(&mut session, number)?;
    session.end()?;
    if (after.read_locked, after.write_locked) != (reading, writing) {
        return Err(Error::NotKept { what: "ReadLocked" });
    }
    Ok(())
}

/// Puts a range somewhere else. **What lies there is destroyed**: it is under another key from then on;
/// and what lay in the range before is, too.
///
/// # Errors
/// [`Error::RangeNotAligned`], [`Error::NoSuchRange`]; [`Error::NotKept`].
pub fn place_range<T: Transport>(
    tper: &mut Tper<T>,
    pin: &Secret,
    number: u16,
    start: u64,
    length: u64,
    _: &Confirmation,
) -> Result<()> {
    let facts = tper.refresh()?.facts();
    let alignment = Alignment::of(&facts);
    if number == 0 {
        return Err(Error::NoSuchRange(0));
    }
    let empty = start == 0 && length == 0;
    if !empty && !alignment.fits(start, length) {
        return Err(Error::RangeNotAligned { granularity: alignment.granularity });
    }
    let mut session = open_admin(tper, pin)?;
    read_range(&mut session, number)?;
    let cells = vec![(column::RANGE_START, start.into()), (column::RANGE_LENGTH, length.into())];
    match session.set(uid::range(number), cells) {
        Err(Error::Status(Status::InvalidParameter)) => {
            return Err(Error::RangeNotAligned { granularity: alignment.granularity });
        }
        result => result?,
    }
    let after = read_range(&mut session, number)?;
    session.end()?;
    if (after.start, after.length) != (start, length) {
        return Err(Error::NotKept { what: "RangeStart" });
    }
    Ok(())
}

/// Gives a range a new key. **What lies in it is destroyed.**
///
/// # Errors
/// [`Error::NoSuchRange`], [`Error::WrongPin`].
pub fn gen_key<T: Transport>(tper: &mut Tper<T>, pin: &Secret, number: u16, _: &Confirmation) -> Result<()> {
    let mut session = open_admin(tper, pin)?;
    read_range(&mut session, number)?;
    let key = session.get_one(uid::range(number), column::ACTIVE_KEY)?.and_then(|key| key.as_uid());
    session.call(key.unwrap_or(uid::key(number)), method::GEN_KEY, Vec::new())?;
    session.end()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_shrunk_fits_and_is_the_largest(
            granularity in 1u64..33, lowest in 0u64..9, start in 0u64..300, length in 0u64..300,
        ) {
            let alignment = Alignment { granularity, lowest: lowest % granularity };
            let all = (start..start + length)
                .flat_map(|begin| (begin..=start + length).map(move |end| (begin, end - begin)))
                .filter(|(begin, length)| alignment.fits(*begin, *length))
                .map(|(_, length)| length)
                .max();
            match alignment.shrink(start, length) {
                Some((begin, size)) => {
                    prop_assert!(alignment.fits(begin, size));
                    prop_assert!(begin >= start && begin + size <= start + length);
                    prop_assert_eq!(Some(size), all);
                }
                None => prop_assert_eq!(all, None),
            }
        }

        #[test]
        fn no_numbers_are_too_large(granularity: u64, lowest: u64, start: u64, length: u64) {
            let alignment = Alignment { granularity: granularity.max(1), lowest };
            let _ = alignment.fits(start, length);
            let _ = alignment.shrink(start, length);
        }
    }
}
