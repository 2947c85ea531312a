//! Formats that are only named: it is enough to know that somebody's data are there.

use blockdev::Device;

use crate::raw::Block;
use crate::{Found, Kind, Result};

/// Name, offset and bytes of each signature. All have at least four bytes: shorter ones turn up by
/// chance.
const SIGNATURES: [(&str, u64, &[u8]); 13] = [
    ("iso9660", 0x8001, b"CD001"),
    ("udf", 0x8001, b"BEA01"),
    ("squashfs", 0, b"hsqs"),
    ("erofs", 1024, &[0xe2, 0xe1, 0xf5, 0xe0]),
    ("hfsplus", 1024, &[b'H', b'+', 0, 4]),
    ("hfsplus", 1024, &[b'H', b'X', 0, 5]),
    ("reiserfs", 0x10034, b"ReIsErFs"),
    ("reiserfs", 0x10034, b"ReIsEr2Fs"),
    ("reiserfs", 0x10034, b"ReIsEr3Fs"),
    ("jfs", 0x8000, b"JFS1"),
    ("ReFS", 3, b"ReFS\0\0\0\0"),
    (
        "bcachefs",
        4096 + 24,
        &[0xc6, 0x85, 0x73, 0xf6, 0x66, 0xce, 0x90, 0xa9, 0xd9, 0x6a, 0x60, 0xcf, 0x80, 0x3d, 0xf7, 0xef],
    ),
    ("zonefs", 0, b"SFOZ"),
];

pub(crate) fn probe(dev: &dyn Device) -> Result<Option<Found>> {
    for (name, offset, signature) in SIGNATURES {
        let there = Block::read(dev, offset, signature.len())?.is_some_and(|block| block.has(0, signature));
        if there {
            return Ok(Some(Found::new(Kind::Other(name), dev.size(), 512)));
        }
    }
    Ok(None)
}
