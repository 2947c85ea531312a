//! The shadow MBR: a small read-only disk that a locked drive shows in place of its first sectors.

use model::Secret;

use super::{open, open_admin};
use crate::uid::{self, column};
use crate::{Error, Result, Session, Status, Tper, Transport, Uid};

/// What the shadow MBR is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShadowMbrState {
    /// Bytes that it has.
    pub size: u64,
    /// It is switched on.
    pub enabled: bool,
    /// It has done its work since the last power cycle: the real sectors are seen.
    pub done: bool,
}

/// What the shadow MBR is like.
///
/// # Errors
/// [`Error::NoShadowMbr`] if there is none, whatever the discovery says.
pub fn shadow_mbr<T: Transport>(tper: &mut Tper<T>, pin: &Secret) -> Result<ShadowMbrState> {
    if !tper.refresh()?.facts().mbr_shadow_supported {
        return Err(Error::NoShadowMbr);
    }
    let mut session = open_admin(tper, pin)?;
    let state = read(&mut session)?;
    session.end()?;
    Ok(state)
}

/// How a drive says that there is no such table.
fn absent(error: Error) -> Error {
    match error {
        Error::Status(Status::NotAuthorized | Status::InvalidParameter | Status::Fail | Status::Other(_)) => {
            Error::NoShadowMbr
        }
        error => error,
    }
}

fn read<T: Transport>(session: &mut Session<'_, T>) -> Result<ShadowMbrState> {
    let cells = session.get(uid::MBR_CONTROL, column::MBR_ENABLE..=column::MBR_DONE).map_err(absent)?;
    let truth = |column| cells.get(&column).and_then(crate::token::Value::as_bool);
    let (Some(enabled), Some(done)) = (truth(column::MBR_ENABLE), truth(column::MBR_DONE)) else {
        return Err(Error::NoShadowMbr);
    };
    let size = session.table_size(uid::MBR).map_err(absent)?.unwrap_or(0);
    Ok(ShadowMbrState { size, enabled, done })
}

/// Writes an image into the shadow MBR and reads every byte of it back. It is not switched on by that.
/// `progress` is told how many bytes of twice the image are done.
///
/// # Errors
/// [`Error::NoShadowMbr`], [`Error::ShadowMbrSmall`]; [`Error::NotKept`] if something else is read back.
pub fn load_shadow_mbr<T: Transport>(
    tper: &mut Tper<T>,
    pin: &Secret,
    image: &[u8],
    progress: &mut dyn FnMut(u64),
) -> Result<()> {
    let state = shadow_mbr(tper, pin)?;
    let needed = image.len() as u64;
    if needed > state.size {
        return Err(Error::ShadowMbrSmall { size: state.size, needed });
    }
    // In larger pieces than a drive promises unasked: 128 MiB in pieces of 2 KiB take an hour.
    tper.exchange_properties()?;
    // A session for each piece: some drives end one that lasts for minutes.
    const PIECE: usize = 4 << 20;
    for (number, piece) in image.chunks(PIECE).enumerate() {
        let offset = (number * PIECE) as u64;
        let mut session = open_admin(tper, pin)?;
        session.write_bytes(uid::MBR, offset, piece, &mut |done| progress(offset + done)).map_err(absent)?;
        session.end()?;
    }
    for (number, piece) in image.chunks(PIECE).enumerate() {
        let offset = (number * PIECE) as u64;
        let mut session = open_admin(tper, pin)?;
        let found = session.read_bytes(uid::MBR, offset, piece.len()).map_err(absent)?;
        session.end()?;
        if found[..] != *piece {
            return Err(Error::NotKept { what: "MBR" });
        }
        progress(needed + offset + piece.len() as u64);
    }
    Ok(())
}

/// Switches the shadow MBR on or off. When it is switched on, the real sectors are seen until the next
/// power cycle.
///
/// # Errors
/// [`Error::NoShadowMbr`]; [`Error::NotKept`], for instance on a drive that cannot switch it off.
pub fn set_shadow_mbr<T: Transport>(tper: &mut Tper<T>, pin: &Secret, on: bool) -> Result<()> {
    let mut session = open_admin(tper, pin)?;
    read(&mut session)?;
    if on {
        // Done before it is on: there is a system that reads the real sectors.
        session.set(uid::MBR_CONTROL, vec![(column::MBR_DONE, true.into())]).map_err(absent)?;
    }
    session.set(uid::MBR_CONTROL, vec![(column::MBR_ENABLE, on.into())]).map_err(absent)?;
    let after = read(&mut session)?;
    session.end()?;
    if after.enabled != on || on && !after.done {
        return Err(Error::NotKept { what: "MBRControl.Enable" });
    }
    Ok(())
}

/// Says that the shadow MBR has done its work, or has not: the real sectors are seen, or it is. As
/// `Admin1`, or a user who was allowed to.
///
/// # Errors
/// [`Error::NoShadowMbr`], [`Error::NotKept`].
pub fn shadow_mbr_done<T: Transport>(tper: &mut Tper<T>, who: Uid, pin: &Secret, done: bool) -> Result<()> {
    let mut session = open(tper, uid::LOCKING_SP, Some((who, pin)))?;
    session.set(uid::MBR_CONTROL, vec![(column::MBR_DONE, done.into())]).map_err(absent)?;
    let after = session.get_one(uid::MBR_CONTROL, column::MBR_DONE)?.and_then(|value| value.as_bool());
    session.end()?;
    if after == Some(done) { Ok(()) } else { Err(Error::NotKept { what: "MBRControl.Done" }) }
}
