//! Partition tables: GPT (UEFI specification 2.10, section 5.3) and MBR (section 5.2).

use blockdev::{Device, Result};
use filesystems::raw::{Block, crc32};

/// The partitions of a drive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionTable {
    /// Which format, and how much of it is there.
    pub kind: TableKind,
    /// Bytes in a sector of the table.
    pub sector_size: u32,
    /// The drive's GUID (GPT) or signature (MBR).
    pub uuid: Option<String>,
    /// What is in it. Empty if it is a table without partitions.
    pub partitions: Vec<Partition>,
}

/// The format of a partition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// GPT.
    Gpt {
        /// The copy at the start is intact.
        primary: bool,
        /// The copy at the end is intact.
        backup: bool,
    },
    /// MBR; logical partitions are not listed.
    Mbr,
}

/// One partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Its number, from 1.
    pub number: u32,
    /// Where it begins, in bytes.
    pub start: u64,
    /// Bytes in it.
    pub size: u64,
    /// Its type: a GUID (GPT) or two hexadecimal digits (MBR).
    pub kind: String,
    /// Its own GUID (GPT).
    pub uuid: Option<String>,
    /// Its name (GPT).
    pub name: Option<String>,
}

pub(crate) fn recognise(dev: &dyn Device) -> Result<Option<PartitionTable>> {
    for sector in [512, 4096] {
        if let Some(table) = gpt(dev, sector)? {
            return Ok(Some(table));
        }
    }
    mbr(dev)
}

fn gpt(dev: &dyn Device, sector: u32) -> Result<Option<PartitionTable>> {
    let primary = gpt_copy(dev, sector, 1)?;
    let last = (dev.size() / u64::from(sector)).checked_sub(1).filter(|last| *last > 1);
    let backup = match last {
        Some(last) => gpt_copy(dev, sector, last)?,
        None => None,
    };
    let kind = TableKind::Gpt { primary: primary.is_some(), backup: backup.is_some() };
    Ok(primary.or(backup).map(|table| PartitionTable { kind, ..table }))
}

/// One copy whose checksums both fit.
fn gpt_copy(dev: &dyn Device, sector: u32, place: u64) -> Result<Option<PartitionTable>> {
    let bytes = u64::from(sector);
    let Some(offset) = place.checked_mul(bytes) else { return Ok(None) };
    let Some(raw) = Block::read(dev, offset, 512)? else { return Ok(None) };
    let length = usize::try_from(raw.le32(12)).unwrap_or(0);
    if !raw.has(0, b"EFI PART") || !(92..=512).contains(&length) || raw.le64(24) != place {
        return Ok(None);
    }
    if crc32(&[raw.slice(0, 16), &[0; 4], raw.slice(20, length - 20)]) != raw.le32(16) {
        return Ok(None);
    }
    let (count, entry) = (raw.le32(80), raw.le32(84));
    // 128 entries of 128 bytes are usual, 16 KiB; a mebibyte is generous.
    let size = u64::from(count) * u64::from(entry);
    if entry < 128 || !entry.is_power_of_two() || size > 1 << 20 {
        return Ok(None);
    }
    let Some(entries_at) = raw.le64(72).checked_mul(bytes) else { return Ok(None) };
    let Some(entries) = Block::read(dev, entries_at, usize::try_from(size).unwrap_or(0))? else { return Ok(None) };
    if crc32(&[entries.bytes()]) != raw.le32(88) {
        return Ok(None);
    }
    let partitions = (0..count).filter_map(|index| gpt_entry(&entries, index, entry, bytes)).collect();
    let kind = TableKind::Gpt { primary: false, backup: false };
    Ok(Some(PartitionTable { kind, sector_size: sector, uuid: raw.guid(56), partitions }))
}

fn gpt_entry(entries: &Block, index: u32, size: u32, sector: u64) -> Option<Partition> {
    let at = usize::try_from(u64::from(index) * u64::from(size)).ok()?;
    let kind = entries.guid(at)?;
    let (first, last) = (entries.le64(at + 32), entries.le64(at + 40));
    let count = last.checked_sub(first)?.checked_add(1)?;
    let (start, size) = (first.checked_mul(sector)?, count.checked_mul(sector)?);
    // Whoever adds the two need not look again.
    start.checked_add(size)?;
    Some(Partition {
        number: index + 1,
        start,
        size,
        kind,
        uuid: entries.guid(at + 16),
        name: entries.utf16(at + 56, 36),
    })
}

/// A real MBR: something is in it, and every entry makes sense. Boot sectors of file systems end
/// with the same two bytes and have code in that place, so they must pass more: no partition crosses
/// another or the end of the drive. None begins at sector 0, as in the imitation that `mkfs.fat` puts
/// into the boot sector of a drive without partitions.
fn mbr(dev: &dyn Device) -> Result<Option<PartitionTable>> {
    let Some(raw) = Block::read(dev, 0, 512)? else { return Ok(None) };
    if raw.le16(510) != 0xaa55 {
        return Ok(None);
    }
    let sector = u64::from(dev.logical_sector());
    let mut partitions: Vec<Partition> = Vec::new();
    for number in 1..=4_u8 {
        let at = 446 + 16 * usize::from(number - 1);
        let (flag, kind) = (raw.u8(at), raw.u8(at + 4));
        let (first, count) = (u64::from(raw.le32(at + 8)), u64::from(raw.le32(at + 12)));
        if kind == 0 && first == 0 && count == 0 {
            continue;
        }
        if !matches!(flag, 0 | 0x80) || kind == 0 || first == 0 || count == 0 {
            return Ok(None);
        }
        partitions.push(Partition {
            number: u32::from(number),
            // 32 bits of sectors of at most a few thousand bytes.
            start: first * sector,
            size: count * sector,
            kind: format!("{kind:02x}"),
            uuid: None,
            name: None,
        });
    }
    if partitions.is_empty()
        || (filesystems::starts_with_boot_sector(dev).unwrap_or(true) && !is_tidy(&partitions, dev))
    {
        return Ok(None);
    }
    let signature = raw.le32(440);
    let uuid = (signature != 0).then(|| format!("{signature:08x}"));
    Ok(Some(PartitionTable { kind: TableKind::Mbr, sector_size: dev.logical_sector(), uuid, partitions }))
}

fn is_tidy(partitions: &[Partition], dev: &dyn Device) -> bool {
    let overlap = partitions.iter().enumerate().any(|(index, one)| {
        partitions[..index].iter().any(|two| one.start < two.start + two.size && two.start < one.start + one.size)
    });
    !overlap && partitions.iter().all(|one| one.start + one.size <= dev.size())
}
