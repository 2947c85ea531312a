//! A note in the DataStore by which a start proves itself.
//!
//! That a drive can be opened at a start, and that it was really locked then, is believed only when it was
//! seen. Who sees it is the program that opens the drive: it comes before the system. So the wizard leaves
//! a ticket on the drive, whoever opens the drive the next time writes on it how it was found, and the
//! wizard reads that. Everybody may read the ticket; only who has a PIN of the drive can write on it.

use sha2::{Digest, Sha256};

use crate::pin::{RECORD, WayIn};
use crate::protect::{self, authority};
use crate::{Error, Result, Tper, Transport, host, uid};

/// Where it lies in the DataStore, in bytes: behind the record.
const OFFSET: u64 = RECORD as u64;
/// Bytes of a ticket.
const TICKET: usize = 128;
const MAGIC: &[u8; 16] = b"LATCHKEY-START\0\x01";
const SUM: usize = 32;

/// A ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Which start it is for.
    pub nonce: [u8; 16],
    /// What was written on it. `None`: nobody has opened the drive since.
    pub start: Option<Start>,
}

/// How the drive was found when it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The Global Range was locked.
    pub locked: bool,
    /// The shadow MBR stood in the place of the first sectors.
    pub shown: bool,
    /// By which secret it was opened.
    pub way: WayIn,
}

impl Ticket {
    /// A new one.
    ///
    /// # Errors
    /// [`Error::NoRandomness`].
    pub fn new() -> Result<Self> {
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).map_err(|error| Error::NoRandomness(error.to_string()))?;
        Ok(Self { nonce, start: None })
    }

    fn encode(&self) -> [u8; TICKET] {
        let mut bytes = [0; TICKET];
        bytes[..16].copy_from_slice(MAGIC);
        bytes[16..32].copy_from_slice(&self.nonce);
        if let Some(start) = self.start {
            bytes[32] = 1;
            bytes[33] = u8::from(start.locked);
            bytes[34] = u8::from(start.shown);
            bytes[35] = u8::from(start.way == WayIn::Recovery);
        }
        let sum = Sha256::digest(&bytes[..TICKET - SUM]);
        bytes[TICKET - SUM..].copy_from_slice(&sum);
        bytes
    }

    /// `None`: no ticket, or none that is whole. It is a note and no more: without it a start is made again.
    fn decode(bytes: &[u8]) -> Option<Self> {
        let whole = bytes.len() == TICKET
            && bytes[..16] == MAGIC[..]
            && Sha256::digest(&bytes[..TICKET - SUM])[..] == bytes[TICKET - SUM..];
        if !whole {
            return None;
        }
        let way = if bytes[35] == 0 { WayIn::Password } else { WayIn::Recovery };
        let start = Start { locked: bytes[33] != 0, shown: bytes[34] != 0, way };
        Some(Self { nonce: std::array::from_fn(|at| bytes[16 + at]), start: (bytes[32] == 1).then_some(start) })
    }
}

/// Reads the ticket, as nobody in particular. `None`: there is none.
///
/// # Errors
/// The drive does not answer.
pub fn read<T: Transport>(tper: &mut Tper<T>) -> Result<Option<Ticket>> {
    let facts = tper.refresh()?.facts();
    if !facts.locking_enabled || !facts.is_opal() {
        return Ok(None);
    }
    let mut session = host::open(tper, uid::LOCKING_SP, None)?;
    match session.read_bytes(uid::data_store(0), OFFSET, TICKET) {
        Ok(bytes) => Ok(Ticket::decode(&bytes)),
        Err(Error::Status(_) | Error::Garbage(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Leaves a new ticket on the drive, in place of an older one.
///
/// # Errors
/// [`Error::WrongPin`]; [`Error::DataStoreSmall`] on a drive that has no room for one.
pub fn leave<T: Transport>(tper: &mut Tper<T>, way: WayIn, secret: &model::Secret) -> Result<Ticket> {
    let ticket = Ticket::new()?;
    let pin = protect::record(tper)?.pin(way, secret)?;
    write(tper, way, &pin, &ticket)?;
    Ok(ticket)
}

/// Writes on the ticket how the drive was found. A ticket that has been written on stays as it is.
pub(crate) fn punch<T: Transport>(tper: &mut Tper<T>, pin: &model::Secret, start: Start) -> Result<()> {
    match read(tper)? {
        Some(ticket @ Ticket { start: None, .. }) => {
            write(tper, start.way, pin, &Ticket { start: Some(start), ..ticket })
        }
        _ => Ok(()),
    }
}

fn write<T: Transport>(tper: &mut Tper<T>, way: WayIn, pin: &model::Secret, ticket: &Ticket) -> Result<()> {
    let bytes = ticket.encode();
    tper.exchange_properties()?;
    let mut session = host::open(tper, uid::LOCKING_SP, Some((authority(way), pin)))?;
    let size = match session.table_size(uid::data_store(0)) {
        Ok(size) => size.unwrap_or(0),
        Err(Error::Status(_)) => 0,
        Err(error) => return Err(error),
    };
    let needed = OFFSET + TICKET as u64;
    if size < needed {
        return Err(Error::DataStoreSmall { size, needed });
    }
    session.write_bytes(uid::data_store(0), OFFSET, &bytes, &mut |_| {})?;
    let found = session.read_bytes(uid::data_store(0), OFFSET, TICKET)?;
    session.end()?;
    if found[..] == bytes { Ok(()) } else { Err(Error::NotKept { what: "DataStore" }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_read_again_and_a_damaged_one_is_none() {
        let new = Ticket::new().unwrap();
        assert_ne!(new, Ticket::new().unwrap());
        let start = Start { locked: true, shown: false, way: WayIn::Recovery };
        for ticket in [new, Ticket { start: Some(start), ..new }] {
            let bytes = ticket.encode();
            assert_eq!(Ticket::decode(&bytes), Some(ticket));
            for at in 0..TICKET {
                let mut bytes = bytes;
                bytes[at] ^= 1;
                assert_eq!(Ticket::decode(&bytes), None, "{at}");
            }
            assert_eq!(Ticket::decode(&bytes[..TICKET - 1]), None);
        }
        assert_eq!(Ticket::decode(&[]), None);
    }
}
