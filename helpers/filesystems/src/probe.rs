use blockdev::Device;

use crate::kinds::{btrfs, exfat, ext, f2fs, fat, ntfs, other, swap, xfs};
use crate::raw::Block;
use crate::{Error, Found, Kind, Result};

type Prober = fn(&dyn Device) -> Result<Option<Found>>;

const PROBERS: [Prober; 9] = [
    ext::probe,
    fat::probe,
    exfat::probe,
    ntfs::probe,
    btrfs::probe,
    xfs::probe,
    swap::probe,
    f2fs::probe,
    other::probe,
];

/// Finds the file system on a device. `None`: nothing that is known here. Reads only.
///
/// Containers (LUKS, LVM, a partition table) are the business of `foreign`, which is to be asked
/// first: a file system that was there before may still show below a container's header.
///
/// # Errors
/// [`Error::Damaged`], [`Error::Ambiguous`], [`Error::ManyDevices`], [`Error::Truncated`], and what
/// the device reports.
pub fn probe(dev: &dyn Device) -> Result<Option<Found>> {
    let mut found: Option<Found> = None;
    let mut broken: Option<(Kind, Error)> = None;
    for prober in PROBERS {
        let (kind, error) = match prober(dev) {
            Ok(None) => continue,
            Ok(Some(new)) => match &found {
                None => {
                    found = Some(new);
                    continue;
                }
                Some(old) => return Err(Error::Ambiguous { first: old.kind, second: new.kind }),
            },
            Err(error @ Error::Damaged { kind, .. }) => (kind, error),
            Err(error @ Error::ManyDevices { kind, .. }) => (kind, error),
            Err(error) => return Err(error),
        };
        if let Some((first, _)) = &broken {
            return Err(Error::Ambiguous { first: *first, second: kind });
        }
        broken = Some((kind, error));
    }
    match (found, broken) {
        // A damaged superblock beside a good one: whichever is the leftover, believing the wrong one
        // would cost data.
        (Some(good), Some((bad, _))) => Err(Error::Ambiguous { first: good.kind, second: bad }),
        (None, Some((_, error))) => Err(error),
        (Some(good), None) if good.size > dev.size() => {
            Err(Error::Truncated { kind: good.kind, size: good.size, device: dev.size() })
        }
        (found, None) => Ok(found),
    }
}

/// Whether the first sector is the boot sector of FAT, exFAT or NTFS. Those end with the same two
/// bytes as an MBR, and their boot code lies where an MBR has its partitions.
///
/// # Errors
/// What the device reports.
pub fn starts_with_boot_sector(dev: &dyn Device) -> Result<bool> {
    let named = Block::read(dev, 3, 8)?.is_some_and(|name| name.has(0, b"NTFS    ") || name.has(0, b"EXFAT   "));
    Ok(named || fat::BootSector::load(dev)?.is_some())
}

/// Whether a device holds nothing at all: its first and last mebibyte and samples between them are
/// zero. A device of a few mebibytes is read whole.
///
/// # Errors
/// What the device reports.
pub fn is_blank(dev: &dyn Device) -> Result<bool> {
    const MIB: u64 = 1 << 20;
    const SAMPLES: u64 = 64;
    const SAMPLE: u64 = 4096;
    let size = dev.size();
    if size <= 4 * MIB {
        return is_zero(dev, 0, size);
    }
    if !is_zero(dev, 0, MIB)? || !is_zero(dev, size - MIB, MIB)? {
        return Ok(false);
    }
    let step = (size - 2 * MIB) / (SAMPLES + 1);
    for number in 1..=SAMPLES {
        let offset = (MIB + number * step) / SAMPLE * SAMPLE;
        if !is_zero(dev, offset, SAMPLE)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_zero(dev: &dyn Device, offset: u64, length: u64) -> Result<bool> {
    const PIECE: u64 = 256 << 10;
    let mut done = 0;
    while done < length {
        let piece = PIECE.min(length - done);
        // At most PIECE, so it fits.
        let bytes = dev.read_vec(offset + done, usize::try_from(piece).unwrap_or(0))?;
        if bytes.iter().any(|byte| *byte != 0) {
            return Ok(false);
        }
        done += piece;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use blockdev::Memory;

    use super::*;

    #[test]
    fn zeros_are_blank_and_hold_nothing() {
        for size in [0, 1, 511, 512, 4096, 1 << 20, 9 << 20] {
            let dev = Memory::new(vec![0; size]);
            assert!(is_blank(&dev).unwrap());
            assert_eq!(probe(&dev).unwrap(), None);
        }
    }

    #[test]
    fn one_byte_at_either_end_is_not_blank() {
        for at in [0, (1 << 20) - 1, (9 << 20) - 1, (8 << 20) + 1] {
            let mut bytes = vec![0; 9 << 20];
            bytes[at] = 1;
            assert!(!is_blank(&Memory::new(bytes)).unwrap(), "{at}");
        }
    }
}
