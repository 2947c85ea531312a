//! Protocol data units of NVMe/TCP. All numbers are little-endian.

use std::io::{self, Read, Write};

pub const IC_REQUEST: u8 = 0x00;
pub const IC_RESPONSE: u8 = 0x01;
pub const COMMAND: u8 = 0x04;
pub const RESPONSE: u8 = 0x05;
pub const DATA_TO_CONTROLLER: u8 = 0x06;
pub const DATA_TO_HOST: u8 = 0x07;
pub const READY_TO_TRANSFER: u8 = 0x09;

/// Bytes in one H2CData.
pub const MAX_DATA: u32 = 131_072;
/// Bytes in one command's data, which MDTS = 5 announces.
pub const MAX_TRANSFER: u32 = 131_072;
/// Bytes that come with a command.
pub const IN_CAPSULE: u32 = 8192;

const LAST: u8 = 0x04;

/// What came.
pub struct Pdu {
    pub kind: u8,
    /// The header without its first eight bytes.
    pub header: Vec<u8>,
    pub data: Vec<u8>,
}

/// Reads one. Lengths that no PDU of ours has end the connection before anything is allocated.
pub fn read(stream: &mut impl Read) -> io::Result<Pdu> {
    let mut common = [0; 8];
    stream.read_exact(&mut common)?;
    let [kind, _, header, offset, length @ ..] = common;
    let (header, offset) = (usize::from(header), usize::from(offset));
    let length = u32::from_le_bytes(length);
    if length > MAX_DATA + 256 || header < 8 {
        return Err(bad());
    }
    let length = usize::try_from(length).map_err(|_| bad())?;
    let begin = if offset == 0 { header } else { offset };
    if begin < header || length < begin && length != header {
        return Err(bad());
    }
    let mut rest = vec![0; length - 8];
    stream.read_exact(&mut rest)?;
    let data = rest.get(begin - 8..).unwrap_or(&[]).to_vec();
    rest.truncate(header - 8);
    Ok(Pdu { kind, header: rest, data })
}

pub fn bad() -> io::Error {
    io::Error::from(io::ErrorKind::InvalidData)
}

/// A number in the header of a PDU or in a command. Behind the end everything is zero.
pub fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(array(bytes, at))
}

/// As [`u16_at`].
pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array(bytes, at))
}

/// As [`u16_at`].
pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array(bytes, at))
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|index| bytes.get(at + index).copied().unwrap_or(0))
}

fn common(kind: u8, flags: u8, header: u8, offset: u8, length: usize) -> Vec<u8> {
    let mut pdu = vec![kind, flags, header, offset];
    pdu.extend(u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
    pdu
}

/// No digests, no padding.
pub fn write_ic_response(stream: &mut impl Write) -> io::Result<()> {
    let mut pdu = common(IC_RESPONSE, 0, 128, 0, 128);
    pdu.extend([0; 4]);
    pdu.extend(MAX_DATA.to_le_bytes());
    pdu.resize(128, 0);
    stream.write_all(&pdu)
}

/// The completion of a command: its dword 0 and 1, and the status without the phase bit.
pub fn write_response(stream: &mut impl Write, command: u16, value: u64, status: u16) -> io::Result<()> {
    let mut pdu = common(RESPONSE, 0, 24, 0, 24);
    pdu.extend(value.to_le_bytes());
    pdu.extend([0; 4]);
    pdu.extend(command.to_le_bytes());
    pdu.extend((status << 1).to_le_bytes());
    stream.write_all(&pdu)
}

/// All data of a command at once.
pub fn write_data(stream: &mut impl Write, command: u16, data: &[u8]) -> io::Result<()> {
    let mut pdu = common(DATA_TO_HOST, LAST, 24, 24, 24 + data.len());
    pdu.extend(command.to_le_bytes());
    pdu.extend([0; 6]);
    pdu.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_le_bytes());
    pdu.extend([0; 4]);
    pdu.extend(data);
    stream.write_all(&pdu)
}

/// Asks for all data of a command at once.
pub fn write_ready(stream: &mut impl Write, command: u16, tag: u16, length: u32) -> io::Result<()> {
    let mut pdu = common(READY_TO_TRANSFER, 0, 24, 0, 24);
    pdu.extend(command.to_le_bytes());
    pdu.extend(tag.to_le_bytes());
    pdu.extend([0; 4]);
    pdu.extend(length.to_le_bytes());
    pdu.extend([0; 4]);
    stream.write_all(&pdu)
}
