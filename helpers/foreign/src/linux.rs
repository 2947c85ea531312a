//! What Linux puts below its file systems.

use blockdev::{Device, Result};
use filesystems::raw::Block;

/// A physical volume of LVM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lvm2 {
    /// Its UUID in LVM's own spelling.
    pub uuid: Option<String>,
    /// Its size in bytes.
    pub size: u64,
    /// Whether the label's checksum fits.
    pub intact: bool,
}

/// A device of bcache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bcache {
    /// Its UUID.
    pub uuid: Option<String>,
    /// Whether it is the fast device that caches, not the slow one behind it.
    pub is_cache: bool,
}

/// LVM2, lib/format_text/layout.h and lib/label/label.h: the label lies in one of the first four sectors.
pub(crate) fn lvm2(dev: &dyn Device) -> Result<Option<Lvm2>> {
    for sector in 0..4_u64 {
        let Some(raw) = Block::read(dev, sector * 512, 512)? else { return Ok(None) };
        if !raw.has(0, b"LABELONE") || !raw.has(24, b"LVM2 001") || raw.le64(8) != sector {
            continue;
        }
        let header = usize::try_from(raw.le32(20)).unwrap_or(usize::MAX);
        let uuid = raw.text(header, 32).filter(|uuid| uuid.len() == 32 && uuid.is_ascii());
        let uuid = uuid.map(|uuid| {
            // Six characters, five groups of four, six characters.
            let groups = [0..6, 6..10, 10..14, 14..18, 18..22, 22..26, 26..32];
            groups.map(|group| uuid[group].to_owned()).join("-")
        });
        let intact = lvm_checksum(raw.slice(20, 492)) == raw.le32(16);
        return Ok(Some(Lvm2 { uuid, size: raw.le64(header.saturating_add(32)), intact }));
    }
    Ok(None)
}

/// LVM2, lib/misc/crc.c: the usual polynomial with a start of its own and no inversion.
fn lvm_checksum(bytes: &[u8]) -> u32 {
    const LVM: crc::Algorithm<u32> = crc::Algorithm {
        init: 0xf597_a6cf_u32.reverse_bits(),
        xorout: 0,
        check: 0,
        residue: 0,
        ..crc::CRC_32_ISO_HDLC
    };
    const TABLE: crc::Crc<u32> = crc::Crc::<u32>::new(&LVM);
    TABLE.checksum(bytes)
}

/// The kernel's include/uapi/linux/bcache.h, struct cache_sb_disk.
pub(crate) fn bcache(dev: &dyn Device) -> Result<Option<Bcache>> {
    const MAGIC: [u8; 16] =
        [0xc6, 0x85, 0x73, 0xf6, 0x4e, 0x1a, 0x45, 0xca, 0x82, 0x65, 0xf5, 0x7f, 0x48, 0xba, 0x6d, 0x81];
    let Some(raw) = Block::read(dev, 4096, 512)? else { return Ok(None) };
    if !raw.has(24, &MAGIC) || raw.le64(8) != 8 {
        return Ok(None);
    }
    // Versions 1, 4 and 6 are backing devices.
    Ok(Some(Bcache { uuid: raw.uuid(40), is_cache: !matches!(raw.le64(16), 1 | 4 | 6) }))
}

/// The kernel's kernel/power/swap.c, and what uswsusp and TuxOnIce write: another signature in place of
/// that of swap space.
pub(crate) fn suspended(dev: &dyn Device) -> Result<bool> {
    const SIGNATURES: [&[u8]; 5] =
        [b"S1SUSPEND", b"S2SUSPEND", b"ULSUSPEND", b"LINHIB0001", &[0xed, 0xc3, 0x02, 0xe9, 0x98, 0x56, 0xe5, 0x0c]];
    for shift in 12..=16 {
        let Some(raw) = Block::read(dev, (1 << shift) - 10, 10)? else { return Ok(false) };
        if SIGNATURES.iter().any(|signature| raw.has(0, signature)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Formats that are only named.
pub(crate) fn other(dev: &dyn Device) -> Result<Option<&'static str>> {
    const AT_START: [(&str, u64, &[u8]); 5] = [
        ("DM_integrity", 0, b"integrt\0"),
        ("DM_verity_hash", 0, b"verity\0\0"),
        ("vdo", 0, b"dmvdo001"),
        ("ceph_bluestore", 0, b"bluestore block device"),
        ("stratis", 512 + 4, b"!Stra0tis\x86\xff\x02^\x41rh"),
    ];
    for (name, offset, signature) in AT_START {
        if Block::read(dev, offset, signature.len())?.is_some_and(|raw| raw.has(0, signature)) {
            return Ok(Some(name));
        }
    }
    // Firmware RAID of Intel: the last sector but one.
    const INTEL: &[u8] = b"Intel Raid ISM Cfg Sig. ";
    let Some(place) = (dev.size() / 512).checked_sub(2) else { return Ok(None) };
    let there = Block::read(dev, place * 512, INTEL.len())?.is_some_and(|raw| raw.has(0, INTEL));
    Ok(there.then_some("isw_raid_member"))
}
