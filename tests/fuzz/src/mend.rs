//! Checksums that are put right after a mutation, so that what lies behind them is reached.

use blockdev::Device;
use filesystems::raw::{crc32, crc32c};
use sha2::{Digest, Sha256, Sha512};

use crate::image::Image;

/// ext4: the superblock's, where it has one.
pub(crate) fn ext(image: &mut Image) {
    let Some(raw) = image.get(1024, 1024) else { return };
    image.put(1024 + 0x3fc, &(!crc32c(&[&raw[..0x3fc]])).to_le_bytes());
}

/// exFAT: the sum over the boot region.
pub(crate) fn exfat(image: &mut Image) {
    let sector = match image.get(108, 1) {
        Some(shift) if (9..=12).contains(&shift[0]) => 1_usize << shift[0],
        _ => return,
    };
    let Some(region) = image.get(0, 11 * sector) else { return };
    let mut sum = 0_u32;
    for (index, byte) in region.iter().enumerate() {
        if !matches!(index, 106 | 107 | 112) {
            sum = sum.rotate_right(1).wrapping_add(u32::from(*byte));
        }
    }
    image.put(11 * sector as u64, &sum.to_le_bytes());
}

/// btrfs and XFS, whichever is there.
pub(crate) fn superblock(image: &mut Image) {
    if let Some(raw) = image.get(64 << 10, 4096)
        && raw[0x40..0x48] == *b"_BHRfS_M"
    {
        image.put((64 << 10) + 0xc4, &[0, 0]);
        let body = image.get((64 << 10) + 0x20, 4096 - 0x20).unwrap_or_default();
        image.put(64 << 10, &crc32c(&[&body]).to_le_bytes());
    }
    if let Some(raw) = image.get(0, 512)
        && raw[..4] == *b"XFSB"
    {
        let sector = usize::from(u16::from_be_bytes([raw[102], raw[103]]));
        if let Some(raw) = image.get(0, sector.max(512)).filter(|_| sector <= 32768) {
            image.put(224, &crc32c(&[&raw[..224], &[0; 4], &raw[228..]]).to_le_bytes());
        }
    }
}

/// GPT: both headers and their entries, in sectors of 512 and of 4096 bytes.
pub(crate) fn gpt(image: &mut Image) {
    for sector in [512_u64, 4096] {
        for place in [Some(1), (image.size() / sector).checked_sub(1)].into_iter().flatten() {
            let Some(raw) = image.get(place * sector, 512).filter(|raw| raw[..8] == *b"EFI PART") else { continue };
            let number = |at: usize| u32::from_le_bytes([raw[at], raw[at + 1], raw[at + 2], raw[at + 3]]);
            let length = number(12) as usize;
            let size = (u64::from(number(80)) * u64::from(number(84))).min(1 << 20);
            let entries = u64::from(number(72)) * sector;
            if let Some(entries) = image.get(entries, usize::try_from(size).unwrap_or(0)) {
                image.put(place * sector + 88, &crc32(&[&entries]).to_le_bytes());
            }
            image.put(place * sector + 16, &[0; 4]);
            if let Some(raw) = image.get(place * sector, length.min(512)) {
                image.put(place * sector + 16, &crc32(&[&raw]).to_le_bytes());
            }
        }
    }
}

/// LUKS2: every copy of the binary header that says where it is and how long.
pub(crate) fn luks(image: &mut Image) {
    for place in std::iter::once(0).chain((14..=22).map(|shift| 1_u64 << shift)) {
        let Some(raw) = image.get(place, 512) else { continue };
        let magic: &[u8] = if place == 0 { b"LUKS\xba\xbe" } else { b"SKUL\xba\xbe" };
        if &raw[..6] != magic {
            continue;
        }
        let size = raw[8..16].iter().fold(0_u64, |size, byte| size << 8 | u64::from(*byte));
        if size > 4 << 20 {
            continue;
        }
        image.put(place + 448, &[0; 64]);
        let Some(bytes) = image.get(place, usize::try_from(size).unwrap_or(0)) else { continue };
        if raw[72..79] == *b"sha512\0" {
            image.put(place + 448, &Sha512::digest(&bytes));
        } else {
            image.put(place + 448, &Sha256::digest(&bytes));
        }
    }
}
