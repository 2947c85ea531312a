//! BitLocker: its boot sectors and its metadata (libbde, "BitLocker Drive Encryption (BDE) format
//! specification", sections 4 and 5).

mod metadata;

use blockdev::{Device, Result};
use filesystems::raw::Block;

pub use metadata::{Fve, FveMethod, FveState, Protector};

const OEM: &[u8] = b"-FVE-FS-";
const GUID: &str = "4967d63b-2e29-4ad8-8399-f6a339e3d001";
/// Encrypt-on-write: used by conversions that encrypt new data first.
const GUID_ON_WRITE: &str = "92a84d3b-dd80-4d0e-9e4e-b1e3284eaed8";

/// A volume of BitLocker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitLocker {
    /// Which kind of boot sector.
    pub shape: BitLockerShape,
    /// Byte offsets of the three copies of its metadata, as the boot sector has them.
    pub metadata: Vec<u64>,
    /// Whether at least one of the copies is where the boot sector says.
    pub metadata_found: bool,
    /// What the metadata say. `None`: no copy has a checksum that fits.
    pub fve: Option<Fve>,
}

/// The kinds of boot sectors of BitLocker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitLockerShape {
    /// Windows Vista.
    Vista,
    /// Windows 7 and later.
    Fixed,
    /// Windows 7 and later, while encrypt-on-write is under way.
    OnWrite,
    /// A removable drive, whose boot sector looks like FAT32 to other systems.
    ToGo,
}

pub(crate) fn recognise(dev: &dyn Device) -> Result<Option<BitLocker>> {
    let Some(boot) = Block::read(dev, 0, 512)? else { return Ok(None) };
    let guid = |at: usize| boot.guid(at).unwrap_or_default();
    let (shape, metadata) = if boot.has(3, OEM) {
        match guid(160) {
            guid if guid == GUID => (BitLockerShape::Fixed, offsets(&boot, 176)),
            guid if guid == GUID_ON_WRITE => (BitLockerShape::OnWrite, offsets(&boot, 176)),
            _ => (BitLockerShape::Vista, vista_offset(&boot).into_iter().collect()),
        }
    } else if guid(424) == GUID {
        (BitLockerShape::ToGo, offsets(&boot, 440))
    } else {
        return Ok(None);
    };
    let mut metadata_found = false;
    let mut fve: Option<Fve> = None;
    for offset in &metadata {
        let there = Block::read(dev, *offset, OEM.len())?.is_some_and(|block| block.has(0, OEM));
        metadata_found |= there;
        if let Some(copy) = metadata::read(dev, *offset)? {
            match &mut fve {
                None => fve = Some(copy),
                Some(first) => first.take_the_worst_of(copy),
            }
        }
    }
    Ok(Some(BitLocker { shape, metadata, metadata_found, fve }))
}

fn offsets(boot: &Block, at: usize) -> Vec<u64> {
    (0..3).map(|copy| boot.le64(at + copy * 8)).filter(|offset| *offset != 0).collect()
}

/// Vista has the first copy's cluster where NTFS has its mirror's.
fn vista_offset(boot: &Block) -> Option<u64> {
    let cluster = u64::from(boot.le16(11)).checked_mul(u64::from(boot.u8(13)))?;
    boot.le64(56).checked_mul(cluster).filter(|offset| *offset != 0)
}
