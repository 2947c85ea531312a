//! ComPacket, Packet and data SubPacket (Core 3.2.3): the envelopes around tokens.

use zeroize::Zeroizing;

use crate::{Garbage, Result, bytes::Bytes};

/// Length of the three headers together, in bytes.
pub const HEADERS: usize = COM_PACKET + PACKET + SUB_PACKET;

const COM_PACKET: usize = 20;
const PACKET: usize = 24;
const SUB_PACKET: usize = 12;

/// The numbers of a session: the drive's and the host's. Both zero outside of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// The drive's (TSN).
    pub tper: u32,
    /// The host's (HSN).
    pub host: u32,
}

/// Puts tokens into their envelopes, padded with zeros to a multiple of `unit` bytes.
pub fn wrap(comid: u16, numbers: Numbers, tokens: &[u8], unit: usize) -> Zeroizing<Vec<u8>> {
    let padded = tokens.len().next_multiple_of(4);
    let mut packet = Zeroizing::new(Vec::with_capacity((HEADERS + padded).next_multiple_of(unit.max(1))));
    packet.extend([0; 4]);
    packet.extend(comid.to_be_bytes());
    packet.extend([0; 10]);
    packet.extend(length(PACKET + SUB_PACKET + padded));
    packet.extend(numbers.tper.to_be_bytes());
    packet.extend(numbers.host.to_be_bytes());
    packet.extend([0; 12]);
    packet.extend(length(SUB_PACKET + padded));
    packet.extend([0; 8]);
    packet.extend(length(tokens.len()));
    packet.extend(tokens);
    packet.resize((HEADERS + padded).next_multiple_of(unit.max(1)), 0);
    packet
}

/// The answer that there is no answer: nothing in the ComPacket, and how much waits.
pub fn empty(comid: u16, outstanding: u32, min_transfer: u32) -> Vec<u8> {
    let mut packet = vec![0; 4];
    packet.extend(comid.to_be_bytes());
    packet.extend([0; 2]);
    packet.extend(outstanding.to_be_bytes());
    packet.extend(min_transfer.to_be_bytes());
    packet.extend([0; 4]);
    packet
}

/// Lengths stay far below 4 GiB: what is sent is bounded by the drive's buffers.
fn length(bytes: usize) -> [u8; 4] {
    u32::try_from(bytes).unwrap_or(u32::MAX).to_be_bytes()
}

/// What came in a ComPacket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwrapped<'a> {
    /// The ComID that it names.
    pub comid: u16,
    /// Bytes that the drive still holds.
    pub outstanding: u32,
    /// Bytes that must be asked for to get the next piece.
    pub min_transfer: u32,
    /// Session and tokens of the first packet that has any. `None`: nothing yet, or not for us.
    pub content: Option<(Numbers, &'a [u8])>,
}

/// Takes tokens out of their envelopes. Every length is held against what is really there.
///
/// # Errors
/// [`Garbage`] where a length reaches beyond what it lies in.
pub fn unwrap(data: &[u8]) -> Result<Unwrapped<'_>> {
    if data.len() < COM_PACKET {
        return Err(Garbage::Short.into());
    }
    let head = Bytes(data);
    let mut unwrapped =
        Unwrapped { comid: head.u16(4), outstanding: head.u32(8), min_transfer: head.u32(12), content: None };
    let mut packets = within(&data[COM_PACKET..], head.u32(16))?;
    while unwrapped.content.is_none() && !packets.is_empty() {
        if packets.len() < PACKET {
            return Err(Garbage::Length.into());
        }
        let head = Bytes(packets);
        let numbers = Numbers { tper: head.u32(0), host: head.u32(4) };
        let mut subs = within(&packets[PACKET..], head.u32(20))?;
        packets = &packets[PACKET + subs.len()..];
        while subs.len() >= SUB_PACKET {
            let head = Bytes(subs);
            let tokens = within(&subs[SUB_PACKET..], head.u32(8))?;
            // Kind 0 is data; 8001 is about buffers, which nobody manages.
            if head.u16(6) == 0 && !tokens.is_empty() {
                unwrapped.content = Some((numbers, tokens));
                break;
            }
            let step = SUB_PACKET + tokens.len().next_multiple_of(4);
            subs = subs.get(step..).unwrap_or(&[]);
        }
    }
    Ok(unwrapped)
}

fn within(data: &[u8], length: u32) -> Result<&[u8]> {
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    data.get(..length).ok_or_else(|| Garbage::Length.into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_bytes_of_an_end_of_session() {
        let packet = wrap(0x07fe, Numbers { tper: 0x1000, host: 0x41 }, &[0xfa], 512);
        assert_eq!(packet.len(), 512);
        assert_eq!(packet[..20], [0, 0, 0, 0, 7, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40]);
        assert_eq!(packet[20..28], [0, 0, 0x10, 0, 0, 0, 0, 0x41]);
        assert_eq!(packet[40..44], [0, 0, 0, 16]);
        assert_eq!(packet[52..57], [0, 0, 0, 1, 0xfa]);
        assert!(packet[57..].iter().all(|byte| *byte == 0));
    }

    #[test]
    fn nothing_yet_is_told_from_garbage() {
        let nothing = unwrap(&[0; 512]).unwrap();
        assert_eq!((nothing.content, nothing.outstanding), (None, 0));
        let later = empty(0x1000, 700, 1024);
        let later = unwrap(&later).unwrap();
        assert_eq!((later.comid, later.outstanding, later.min_transfer), (0x1000, 700, 1024));
        assert!(unwrap(&[0; 19]).is_err());
    }

    #[test]
    fn a_length_that_lies_is_refused() {
        for at in [16, 40, 52] {
            let mut packet = wrap(1, Numbers::default(), &[1, 2, 3], 1);
            packet[at..at + 4].copy_from_slice(&[0, 0, 1, 0]);
            assert!(unwrap(&packet).is_err(), "{at}");
            packet[at] = 0xff;
            assert!(unwrap(&packet).is_err(), "{at}");
        }
    }

    proptest! {
        #[test]
        fn what_is_wrapped_is_unwrapped(
            comid: u16, tper: u32, host: u32, unit in 1usize..600, tokens in proptest::collection::vec(any::<u8>(), 1..300),
        ) {
            let numbers = Numbers { tper, host };
            let packet = wrap(comid, numbers, &tokens, unit);
            prop_assert_eq!(packet.len() % unit, 0);
            let unwrapped = unwrap(&packet).unwrap();
            prop_assert_eq!(unwrapped.content, Some((numbers, &tokens[..])));
            prop_assert_eq!(unwrapped.comid, comid);
        }

        #[test]
        fn no_bytes_are_too_bad(
            mut packet in proptest::collection::vec(any::<u8>(), 0..200), small: bool,
        ) {
            // Small lengths come further.
            if small {
                for at in [16, 40, 52] {
                    if let Some(length) = packet.get_mut(at..at + 3) {
                        length.fill(0);
                    }
                }
            }
            let _ = unwrap(&packet);
        }
    }
}
