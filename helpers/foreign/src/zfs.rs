//! Members of ZFS pools (ZFS On-Disk Specification, chapter 1): four labels of 256 KiB, two at each
//! end. The second half of each is a ring of uberblocks; 16 KiB from its start lies a list of names and
//! values in XDR.

use blockdev::{Device, Result};
use filesystems::raw::Block;

const LABEL: u64 = 256 << 10;
const HALF: usize = 128 << 10;

/// A member of a ZFS pool. Which of its file systems are encrypted does not stand in the labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zfs {
    /// The pool's name.
    pub pool: Option<String>,
    /// The pool's identifier.
    pub guid: Option<u64>,
}

/// A single uberblock is a leftover; a pool fills the ring within seconds.
pub(crate) fn recognise(dev: &dyn Device) -> Result<Option<Zfs>> {
    const ENOUGH: usize = 4;
    let end = dev.size() / LABEL * LABEL;
    let mut seen = 0;
    let mut found = Zfs::default();
    for label in [Some(0), Some(LABEL), end.checked_sub(2 * LABEL), end.checked_sub(LABEL)].into_iter().flatten() {
        let Some(raw) = Block::read(dev, label, 2 * HALF)? else { continue };
        let magic = |at: &usize| raw.le64(*at) == 0x00ba_b10c || raw.be64(*at) == 0x00ba_b10c;
        seen += (HALF..2 * HALF).step_by(1024).filter(magic).count();
        if found.pool.is_none() {
            found = parse(&raw);
        }
    }
    Ok((seen >= ENOUGH).then_some(found))
}

/// The pairs of the outermost list: size, size when unpacked, name, type, count, value.
fn parse(raw: &Block) -> Zfs {
    const LIST: usize = 16 << 10;
    const UINT64: u32 = 8;
    const STRING: u32 = 9;
    let mut found = Zfs::default();
    // 1: XDR, the only encoding that is written.
    if raw.u8(LIST) != 1 {
        return found;
    }
    let mut at = LIST + 12;
    while at + 20 <= HALF {
        let size = usize::try_from(raw.be32(at)).unwrap_or(0);
        let length = usize::try_from(raw.be32(at + 8)).unwrap_or(usize::MAX);
        if size < 20 || length > size {
            break;
        }
        let name = raw.text(at + 12, length);
        let kind = at + 12 + length.next_multiple_of(4);
        let value = kind + 8;
        match (name.as_deref(), raw.be32(kind)) {
            (Some("name"), STRING) => {
                let length = usize::try_from(raw.be32(value)).unwrap_or(0).min(256);
                found.pool = raw.text(value + 4, length);
            }
            (Some("pool_guid"), UINT64) => found.guid = Some(raw.be64(value)),
            _ => {}
        }
        at += size;
    }
    found
}
