//! Which security protocols a drive speaks: security protocol 0 (SPC-4 7.7.1, SFSC 5.1).

use serde::{Deserialize, Serialize};

use crate::{Error, Result, bytes::Bytes};

/// Where the list is read: protocol 0, protocol-specific field 0.
pub const PROTOCOL: u8 = 0x00;

/// The protocols that a drive names. Whatever it names beyond these is kept in `all`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protocols {
    /// Every number of the list, in its order.
    pub all: Vec<u8>,
}

impl Protocols {
    /// TCG (01: ComIDs of the SSC; 02: ComID management).
    pub fn tcg(&self) -> bool {
        self.has(0x01)
    }

    /// ComID management and the TPer reset.
    pub fn comid_management(&self) -> bool {
        self.has(0x02)
    }

    /// IEEE 1667, without which Windows does not take a drive for an encrypted one.
    pub fn ieee1667(&self) -> bool {
        self.has(0xee)
    }

    /// ATA security through the security protocols.
    pub fn ata_security(&self) -> bool {
        self.has(0xef)
    }

    /// Whether the list names this number.
    pub fn has(&self, protocol: u8) -> bool {
        self.all.contains(&protocol)
    }
}

/// Decodes the answer to security protocol 0: six reserved bytes, a length, one byte for each protocol.
/// A list that was cut off is taken as far as it came.
///
/// # Errors
/// [`Error::ProtocolsDamaged`] if there is no list: fewer than eight bytes, or an announced length of
/// none (every drive that answers has at least protocol 0 itself).
pub fn parse(data: &[u8]) -> Result<Protocols> {
    let length = usize::from(Bytes(data).u16(6));
    let list = data.get(8..).ok_or(Error::ProtocolsDamaged)?;
    if length == 0 {
        return Err(Error::ProtocolsDamaged);
    }
    Ok(Protocols { all: list[..length.min(list.len())].to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_a_dell_7600p() {
        let list = parse(&[0, 0, 0, 0, 0, 0, 0, 3, 0, 1, 2, 0, 0, 0]).unwrap();
        assert_eq!(list.all, [0, 1, 2]);
        assert!(list.tcg() && list.comid_management() && !list.ieee1667() && !list.ata_security());
    }

    #[test]
    fn a_list_that_lies_about_its_length_is_cut_and_none_is_refused() {
        assert_eq!(parse(&[0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 1]).unwrap().all, [0, 1]);
        assert!(matches!(parse(&[0; 512]), Err(Error::ProtocolsDamaged)));
        assert!(matches!(parse(&[0, 0, 0, 0, 0, 0, 0]), Err(Error::ProtocolsDamaged)));
        assert!(matches!(parse(&[]), Err(Error::ProtocolsDamaged)));
    }
}
