//! The answers to Identify (NVMe Base 1.4 §5.15), with the values that the Linux host insists on.

use sha2::{Digest, Sha256};

use super::Subsystem;
use super::pdu::IN_CAPSULE;

/// NVMe 1.4.
pub const VERSION: u32 = 0x0001_0400;
const LENGTH: usize = 4096;

/// CNS 01.
pub fn controller(id: u16, subsystem: &Subsystem) -> Vec<u8> {
    let label = subsystem.drive.label();
    let mut data = vec![0; LENGTH];
    text(&mut data[4..24], &label.serial);
    text(&mut data[24..64], &label.model);
    text(&mut data[64..72], env!("CARGO_PKG_VERSION"));
    // MDTS: 2^5 pages of 4 KiB.
    data[77] = 5;
    data[78..80].copy_from_slice(&id.to_le_bytes());
    data[80..84].copy_from_slice(&VERSION.to_le_bytes());
    // An I/O controller.
    data[111] = 1;
    // OACS: Security Send and Receive. Without it the kernel sees no Opal.
    data[256] = 1;
    // KAS: keep-alive in steps of a second.
    data[320] = 10;
    data[512] = 0x66;
    data[513] = 0x44;
    data[514] = 128;
    data[516] = 1;
    // ONCS: Dataset Management, by which blocks are trimmed.
    data[520] = 0x04;
    // A volatile write cache is there: Flush means something.
    data[525] = 1;
    // SGLs, and data in the capsule.
    data[536..540].copy_from_slice(&0x0010_0001_u32.to_le_bytes());
    let nqn = subsystem.nqn.as_bytes();
    data[768..768 + nqn.len().min(255)].copy_from_slice(&nqn[..nqn.len().min(255)]);
    // In units of 16 bytes: a command and the data beside it, a completion.
    data[1792..1796].copy_from_slice(&((64 + IN_CAPSULE) / 16).to_le_bytes());
    data[1796] = 1;
    data[1803] = 1;
    data
}

/// CNS 00.
pub fn namespace(subsystem: &Subsystem) -> Vec<u8> {
    let mut data = vec![0; LENGTH];
    let blocks = subsystem.drive.blocks().to_le_bytes();
    for at in [0, 8, 16] {
        data[at..at + 8].copy_from_slice(&blocks);
    }
    data[130] = if subsystem.drive.block_size() == 4096 { 12 } else { 9 };
    data
}

/// CNS 02.
pub fn namespaces() -> Vec<u8> {
    let mut data = vec![0; LENGTH];
    data[0] = 1;
    data
}

/// CNS 03: a UUID that stays the same for a drive.
pub fn descriptors(subsystem: &Subsystem) -> Vec<u8> {
    let mut data = vec![0; LENGTH];
    let hash = Sha256::digest(subsystem.drive.label().serial.as_bytes());
    data[..2].copy_from_slice(&[3, 16]);
    data[4..20].copy_from_slice(&hash[..16]);
    data[10] = data[10] & 0x0f | 0x80;
    data[12] = data[12] & 0x3f | 0x80;
    data
}

fn text(field: &mut [u8], text: &str) {
    field.fill(b' ');
    let length = text.len().min(field.len());
    field[..length].copy_from_slice(&text.as_bytes()[..length]);
}
