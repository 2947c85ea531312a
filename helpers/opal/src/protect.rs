//! The whole hardware way for one drive, with the secrets that people have: a password and a recovery key.
//!
//! ```text
//! prepare        owned, awake, two ways in, both proven          nothing locked, undone by give_back
//! load_image     the preboot program in the shadow MBR           (system drives only)
//! show_image     the shadow MBR on                               the next start asks for the password
//! switch_on      the Global Range locks itself at power-off      takes no time, whatever the size
//! open, close    at each start
//! change_password, give_back
//! ```
//!
//! No step changes data, and each can be repeated: after a cut, whoever comes back begins with the same
//! secrets again. How PINs come from secrets is told in [`pin`](crate::pin).

use model::Secret;

use crate::host::{self, Access};
use crate::pin::{Cost, RECORD, Record, WayIn};
use crate::token::Value;
use crate::uid::{self, ace, column};
use crate::{Error, Result, Tper, Transport, Uid};

/// The administrator of the Locking SP that has the recovery key's PIN.
const RECOVERY_ADMIN: u16 = 2;

/// Both secrets.
#[derive(Clone, Copy)]
pub struct Secrets<'a> {
    /// What is typed every day.
    pub password: &'a Secret,
    /// What lies in a drawer.
    pub recovery: &'a Secret,
}

/// Where the record could be put. On a drive with neither, the costs must be the usual ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// At the beginning of the DataStore, for everybody to read.
    pub data_store: bool,
    /// At the end of the shadow MBR.
    pub shadow_mbr: bool,
}

/// Takes the drive, wakes its Locking SP, makes both ways in, notes how, and proves each: the password opens,
/// the recovery key opens, and the recovery key gives the password's PIN back. Nothing is locked.
///
/// # Errors
/// Those of [`host::take_ownership`]; [`Error::NotKept`] if a way in was not proven;
/// [`Error::RecordDamaged`] if the drive has no room for the record and the costs are not the usual ones.
pub fn prepare<T: Transport>(tper: &mut Tper<T>, secrets: Secrets<'_>, cost: Cost) -> Result<Places> {
    // What is noted already was made by an earlier try, whose PINs may be set.
    let record = match note(tper)? {
        Some(record) => record,
        None => Record::of_drive(&host::read_msid(tper)?, cost),
    };
    let pin = record.pin(WayIn::Password, secrets.password)?;
    let recovery = record.pin(WayIn::Recovery, secrets.recovery)?;
    host::set_up(tper, &pin)?;
    host::add_admin(tper, &pin, RECOVERY_ADMIN, &recovery)?;
    let record = record.with_escrow(&pin, Some(secrets.recovery))?;
    let places = keep(tper, &pin, &record)?;
    if !places.data_store && !places.shadow_mbr && record.cost != Cost::default() {
        return Err(Error::RecordDamaged);
    }
    prove(tper, secrets)?;
    Ok(places)
}

/// Tries both secrets, from what the drive itself shows.
///
/// # Errors
/// [`Error::NotKept`] if one does not open.
pub fn prove<T: Transport>(tper: &mut Tper<T>, secrets: Secrets<'_>) -> Result<()> {
    let record = record(tper)?;
    for (way, secret) in [(WayIn::Password, secrets.password), (WayIn::Recovery, secrets.recovery)] {
        if !host::proves(tper, authority(way), &record.pin(way, secret)?)? {
            return Err(Error::NotKept { what: "C_PIN" });
        }
    }
    match record.escrowed(secrets.recovery)? {
        Some(pin) if !host::proves(tper, uid::admin(1), &pin)? => Err(Error::NotKept { what: "DataStore" }),
        _ => Ok(()),
    }
}

/// How the PINs of this drive come about: what is noted on it, or what holds for every drive.
///
/// # Errors
/// [`Error::RecordDamaged`]; the drive does not answer.
pub fn record<T: Transport>(tper: &mut Tper<T>) -> Result<Record> {
    match note(tper)? {
        Some(record) => Ok(record),
        None => usual_record(tper),
    }
}

/// What holds for every drive without a note.
pub(crate) fn usual_record<T: Transport>(tper: &mut Tper<T>) -> Result<Record> {
    Ok(Record::of_drive(&host::read_msid(tper)?, Cost::default()))
}

/// What is noted on the drive, read as nobody in particular. `None`: nothing.
///
/// # Errors
/// [`Error::RecordDamaged`]; the drive does not answer.
pub fn note<T: Transport>(tper: &mut Tper<T>) -> Result<Option<Record>> {
    let facts = tper.refresh()?.facts();
    if !facts.locking_enabled || !facts.is_opal() {
        return Ok(None);
    }
    let mut session = host::open(tper, uid::LOCKING_SP, None)?;
    let mut damaged = false;
    for table in [uid::data_store(0), uid::MBR] {
        let offset = match table {
            uid::MBR => match session.table_size(uid::MBR) {
                Ok(Some(size)) if size >= RECORD as u64 => size - RECORD as u64,
                Ok(_) | Err(Error::Status(_)) => continue,
                Err(error) => return Err(error),
            },
            _ => 0,
        };
        match session.read_bytes(table, offset, RECORD) {
            Ok(bytes) => match Record::decode(&bytes) {
                Ok(None) => {}
                Ok(found) => return Ok(found),
                Err(_) => damaged = true,
            },
            // Not there, or not for everybody.
            Err(Error::Status(_) | Error::Garbage(_)) => {}
            Err(error) => return Err(error),
        }
    }
    session.end()?;
    if damaged { Err(Error::RecordDamaged) } else { Ok(None) }
}

/// Notes the record wherever the drive lets us, and reads it back.
fn keep<T: Transport>(tper: &mut Tper<T>, pin: &Secret, record: &Record) -> Result<Places> {
    let bytes = record.encode();
    let refused = |error: &Error| {
        matches!(error, Error::Status(_) | Error::DataStoreSmall { .. } | Error::NoShadowMbr | Error::NotKept { .. })
    };
    let data_store = match store(tper, pin, &bytes) {
        Ok(()) => true,
        Err(error) if refused(&error) => false,
        Err(error) => return Err(error),
    };
    let shadow_mbr = match at_the_end_of_the_image(tper, pin, &bytes) {
        Ok(()) => true,
        Err(error) if refused(&error) => false,
        Err(error) => return Err(error),
    };
    Ok(Places { data_store, shadow_mbr })
}

fn store<T: Transport>(tper: &mut Tper<T>, pin: &Secret, bytes: &[u8]) -> Result<()> {
    host::write_store(tper, pin, 0, bytes)?;
    let anybody = Value::Named(Box::new(Value::bytes(&uid::half::AUTHORITY)), Box::new(uid::ANYBODY.into()));
    let mut session = host::open(tper, uid::LOCKING_SP, Some((uid::admin(1), pin)))?;
    session.set(ace::DATA_STORE_GET, vec![(column::BOOLEAN_EXPR, Value::List(vec![anybody]))])?;
    session.end()
}

fn at_the_end_of_the_image<T: Transport>(tper: &mut Tper<T>, pin: &Secret, bytes: &[u8]) -> Result<()> {
    tper.exchange_properties()?;
    let size = host::shadow_mbr(tper, pin)?.size;
    let offset = size.checked_sub(RECORD as u64).ok_or(Error::NoShadowMbr)?;
    let mut session = host::open(tper, uid::LOCKING_SP, Some((uid::admin(1), pin)))?;
    session.write_bytes(uid::MBR, offset, bytes, &mut |_| {})?;
    let found = session.read_bytes(uid::MBR, offset, bytes.len())?;
    session.end()?;
    if found[..] == *bytes { Ok(()) } else { Err(Error::NotKept { what: "MBR" }) }
}

/// Bytes that a preboot image may have: the shadow MBR without the record behind it.
///
/// # Errors
/// [`Error::NoShadowMbr`], [`Error::WrongPin`].
pub fn room_for_image<T: Transport>(tper: &mut Tper<T>, password: &Secret) -> Result<u64> {
    let pin = record(tper)?.pin(WayIn::Password, password)?;
    Ok(host::shadow_mbr(tper, &pin)?.size.saturating_sub(RECORD as u64))
}

/// Puts the preboot image into the shadow MBR, and reads every byte back. It is not shown yet. `progress`
/// is told how many bytes of twice the image are done.
///
/// # Errors
/// [`Error::NoShadowMbr`], [`Error::ShadowMbrSmall`], [`Error::NotKept`].
pub fn load_image<T: Transport>(
    tper: &mut Tper<T>,
    password: &Secret,
    image: &[u8],
    progress: &mut dyn FnMut(u64),
) -> Result<()> {
    let record = record(tper)?;
    let pin = record.pin(WayIn::Password, password)?;
    let size = host::shadow_mbr(tper, &pin)?.size.saturating_sub(RECORD as u64);
    if image.len() as u64 > size {
        return Err(Error::ShadowMbrSmall { size, needed: image.len() as u64 });
    }
    host::load_shadow_mbr(tper, &pin, image, progress)
}

/// Shows the preboot image from the next start on, or no longer.
///
/// # Errors
/// As [`host::set_shadow_mbr`].
pub fn show_image<T: Transport>(tper: &mut Tper<T>, password: &Secret, on: bool) -> Result<()> {
    let pin = record(tper)?.pin(WayIn::Password, password)?;
    host::set_shadow_mbr(tper, &pin, on)
}

/// Makes the Global Range lock itself at each power-off from now on, or no longer.
///
/// # Errors
/// As [`host::locking`].
pub fn switch_on<T: Transport>(tper: &mut Tper<T>, password: &Secret, on: bool) -> Result<()> {
    let pin = record(tper)?.pin(WayIn::Password, password)?;
    host::locking(tper, &pin, 0, on)
}

/// Opens the drive until its power is off, with either secret. The real sectors are shown instead of the
/// preboot image.
///
/// # Errors
/// [`Error::WrongPin`], which counts at the drive; [`Error::LockedOut`]; [`Error::NotActivated`].
pub fn open<T: Transport>(tper: &mut Tper<T>, way: WayIn, secret: &Secret) -> Result<()> {
    let pin = record(tper)?.pin(way, secret)?;
    host::lock_with(tper, authority(way), &pin, 0, Access::ReadWrite)?;
    if tper.refresh()?.facts().mbr_shadow_active {
        host::shadow_mbr_done(tper, authority(way), &pin, true)?;
    }
    Ok(())
}

/// Locks the drive now.
///
/// # Errors
/// As [`host::lock`].
pub fn close<T: Transport>(tper: &mut Tper<T>, way: WayIn, secret: &Secret) -> Result<()> {
    let pin = record(tper)?.pin(way, secret)?;
    host::lock_with(tper, authority(way), &pin, 0, Access::Locked)
}

/// Changes the password. With the recovery key beside it (which must be right), that goes on to give the
/// drive back as a whole; without, it is a way in from then on, and no more.
///
/// # Errors
/// [`Error::WrongPin`]; as [`host::change_pins`].
pub fn change_password<T: Transport>(
    tper: &mut Tper<T>,
    old: &Secret,
    new: &Secret,
    recovery: Option<&Secret>,
) -> Result<()> {
    let record = record(tper)?;
    if let Some(recovery) = recovery {
        let pin = record.pin(WayIn::Recovery, recovery)?;
        if !host::proves(tper, authority(WayIn::Recovery), &pin)? {
            return Err(Error::WrongPin);
        }
    }
    let (old, new) = (record.pin(WayIn::Password, old)?, record.pin(WayIn::Password, new)?);
    host::change_pins(tper, &old, &new)?;
    keep(tper, &new, &record.with_escrow(&new, recovery)?).map(|_| ())
}

/// Gives the drive a new password by its recovery key.
///
/// # Errors
/// [`Error::WrongPin`] if the recovery key is wrong; [`Error::NoSuchAuthority`] if the drive does not hold the
/// old PIN under it: it can be opened by the recovery key, and the data taken off it.
pub fn reset_password<T: Transport>(tper: &mut Tper<T>, recovery: &Secret, new: &Secret) -> Result<()> {
    let record = record(tper)?;
    let ours = record.pin(WayIn::Recovery, recovery)?;
    if !host::proves(tper, authority(WayIn::Recovery), &ours)? {
        return Err(Error::WrongPin);
    }
    let old = record.escrowed(recovery)?.ok_or(Error::NoSuchAuthority)?;
    let new = record.pin(WayIn::Password, new)?;
    host::change_pins(tper, &old, &new)?;
    keep(tper, &new, &record.with_escrow(&new, Some(recovery))?).map(|_| ())
}

/// Undoes it all and keeps the data. A locked drive is opened for it. With either secret, as far as the
/// recovery key can ([`reset_password`]).
///
/// # Errors
/// As [`host::revert_keeping_data`].
pub fn give_back<T: Transport>(tper: &mut Tper<T>, way: WayIn, secret: &Secret) -> Result<()> {
    let record = record(tper)?;
    give_back_by(tper, &record, way, secret)
}

/// As [`give_back`], for a drive without a note, whose costs are known to whoever began: it was cut off
/// before the note was made, or when it was gone already.
///
/// # Errors
/// As [`give_back`].
pub fn give_back_with<T: Transport>(tper: &mut Tper<T>, way: WayIn, secret: &Secret, cost: Cost) -> Result<()> {
    let record = Record::of_drive(&host::read_msid(tper)?, cost);
    give_back_by(tper, &record, way, secret)
}

fn give_back_by<T: Transport>(tper: &mut Tper<T>, record: &Record, way: WayIn, secret: &Secret) -> Result<()> {
    let pin = match way {
        WayIn::Password => record.pin(way, secret)?,
        WayIn::Recovery => {
            let ours = record.pin(way, secret)?;
            if !host::proves(tper, authority(way), &ours)? {
                return Err(Error::WrongPin);
            }
            record.escrowed(secret)?.ok_or(Error::NoSuchAuthority)?
        }
    };
    if tper.refresh()?.facts().locked {
        host::unlock(tper, &pin, 0)?;
    }
    host::revert_keeping_data(tper, &pin)
}

/// Who opens the Locking SP by this way in.
pub const fn authority(way: WayIn) -> Uid {
    match way {
        WayIn::Password => uid::admin(1),
        WayIn::Recovery => uid::admin(RECOVERY_ADMIN),
    }
}
