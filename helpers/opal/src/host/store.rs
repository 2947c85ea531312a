//! The DataStore: a few mebibytes on the drive that belong to whoever owns it.

use model::Secret;
use zeroize::Zeroizing;

use super::open_admin;
use crate::uid;
use crate::{Error, Result, Tper, Transport};

/// How many bytes the DataStore has; 0 where there is none.
///
/// # Errors
/// [`Error::WrongPin`], [`Error::NotActivated`].
pub fn store_size<T: Transport>(tper: &mut Tper<T>, pin: &Secret) -> Result<u64> {
    let mut session = open_admin(tper, pin)?;
    let size = match session.table_size(uid::data_store(0)) {
        Ok(size) => size.unwrap_or(0),
        Err(Error::Status(_)) => 0,
        Err(error) => return Err(error),
    };
    session.end()?;
    Ok(size)
}

/// Reads bytes of the DataStore.
///
/// # Errors
/// [`Error::WrongPin`]; a status if they are not all there.
pub fn read_store<T: Transport>(
    tper: &mut Tper<T>,
    pin: &Secret,
    offset: u64,
    length: usize,
) -> Result<Zeroizing<Vec<u8>>> {
    let mut session = open_admin(tper, pin)?;
    let bytes = session.read_bytes(uid::data_store(0), offset, length)?;
    session.end()?;
    Ok(bytes)
}

/// Writes bytes into the DataStore and reads them back.
///
/// # Errors
/// [`Error::DataStoreSmall`], [`Error::NotKept`].
pub fn write_store<T: Transport>(tper: &mut Tper<T>, pin: &Secret, offset: u64, bytes: &[u8]) -> Result<()> {
    // A drive that wants whole units may want larger ones than it promises to take unasked.
    tper.exchange_properties()?;
    let size = store_size(tper, pin)?;
    let needed = offset.saturating_add(bytes.len() as u64);
    if needed > size {
        return Err(Error::DataStoreSmall { size, needed });
    }
    let mut session = open_admin(tper, pin)?;
    session.write_bytes(uid::data_store(0), offset, bytes, &mut |_| {})?;
    let found = session.read_bytes(uid::data_store(0), offset, bytes.len())?;
    session.end()?;
    if found[..] == *bytes { Ok(()) } else { Err(Error::NotKept { what: "DataStore" }) }
}
