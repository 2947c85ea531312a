//! The commands that carry IF-SEND and IF-RECV, as bytes: the same on every system.

use crate::Error;

/// How long a drive may take for one, in milliseconds.
pub const TIMEOUT_MS: u32 = 60_000;
/// The largest transfer that every way takes, in bytes.
pub const LARGEST: usize = 61_440;
/// NVMe admin commands (NVMe base specification 2.0, 5.24 and 5.25).
pub const NVME_SEND: u8 = 0x81;
/// See [`NVME_SEND`].
pub const NVME_RECEIVE: u8 = 0x82;
/// Of an NVMe status: "more" and "do not retry" say nothing about what happened.
pub const NVME_STATUS: u32 = 0x7ff;
/// Of a SCSI drive's sense: the command is not known to it (ILLEGAL REQUEST, INVALID COMMAND OPERATION CODE).
pub const UNKNOWN_COMMAND: u32 = 0x05_2000;

/// Dwords 10 and 11 of an NVMe security command.
pub fn nvme_dwords(protocol: u8, specific: u16, length: u32) -> (u32, u32) {
    (u32::from(protocol) << 24 | u32::from(specific) << 8, length)
}

/// Which way the data go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// IF-SEND.
    ToDrive,
    /// IF-RECV.
    FromDrive,
}

/// SCSI status: there is sense to be read.
pub const CHECK_CONDITION: u8 = 0x02;

/// SPC-4 6.30 and 6.31, in units of 512 bytes.
pub fn security_protocol(way: Way, protocol: u8, specific: u16, blocks: u32) -> [u8; 12] {
    let [high, low] = specific.to_be_bytes();
    let [a, b, c, d] = blocks.to_be_bytes();
    let code = if way == Way::ToDrive { 0xb5 } else { 0xa2 };
    [code, protocol, high, low, 0x80, 0, a, b, c, d, 0, 0]
}

/// Sense key, code and qualifier, in either form (SPC-4 4.5).
pub fn sense_code(sense: &[u8]) -> u32 {
    let at = |index: usize| u32::from(sense.get(index).copied().unwrap_or(0));
    match at(0) & 0x7f {
        0x72 | 0x73 => (at(1) & 0x0f) << 16 | at(2) << 8 | at(3),
        _ => (at(2) & 0x0f) << 16 | at(12) << 8 | at(13),
    }
}

/// More than is sent at once, or not in whole blocks.
pub fn too_large(bytes: usize) -> Error {
    Error::TooLarge { bytes, limit: LARGEST }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_of_scsi() {
        let receive = security_protocol(Way::FromDrive, 1, 0x1004, 4);
        assert_eq!(receive, [0xa2, 1, 0x10, 0x04, 0x80, 0, 0, 0, 0, 4, 0, 0]);
        assert_eq!(security_protocol(Way::ToDrive, 2, 4, 1)[0], 0xb5);
    }

    #[test]
    fn sense_in_both_forms() {
        let mut fixed = [0; 18];
        (fixed[0], fixed[2], fixed[12], fixed[13]) = (0x70, 5, 0x24, 1);
        assert_eq!(sense_code(&fixed), 0x05_2401);
        assert_eq!(sense_code(&[0x72, 5, 0x20, 0]), 0x05_2000);
        assert_eq!(sense_code(&[]), 0);
    }
}
