//! Linux swap space (the kernel's include/linux/swap.h, union swap_header).

use blockdev::Device;

use crate::raw::Block;
use crate::{Error, Found, Kind, Result};

pub(crate) fn probe(dev: &dyn Device) -> Result<Option<Found>> {
    // The signature ends the first page, and pages differ by processor.
    for shift in 12..=16 {
        let page = 1_u64 << shift;
        let Some(signature) = Block::read(dev, page - 10, 10)? else { return Ok(None) };
        if signature.has(0, b"SWAP-SPACE") {
            return Ok(Some(old(dev, page)));
        }
        if signature.has(0, b"SWAPSPACE2") {
            return new(dev, page).map(Some);
        }
    }
    Ok(None)
}

/// Version 0 has no header but a bitmap of its pages: how far it reaches is not written down.
fn old(dev: &dyn Device, page: u64) -> Found {
    Found::new(Kind::Swap, dev.size(), u32::try_from(page).unwrap_or(4096))
}

fn new(dev: &dyn Device, page: u64) -> Result<Found> {
    let damaged = |what| Error::Damaged { kind: Kind::Swap, what };
    let header = Block::read(dev, 1024, 44)?.ok_or(damaged("header"))?;
    let last = match (header.le32(0), header.be32(0)) {
        (1, _) => header.le32(4),
        (_, 1) => header.be32(4),
        _ => return Err(damaged("version")),
    };
    if last == 0 {
        return Err(damaged("number of pages"));
    }
    let mut found = Found::new(Kind::Swap, (u64::from(last) + 1) * page, u32::try_from(page).unwrap_or(4096));
    found.uuid = header.uuid(12);
    found.label = header.text(28, 16);
    Ok(found)
}
