//! FAT12, FAT16 and FAT32 (Microsoft's "FAT: General Overview of On-Disk Format" 1.03).

use blockdev::Device;

use crate::raw::Block;
use crate::{Found, Kind, Result, Trouble, UsedMap};

/// `4967d63b-2e29-4ad8-8399-f6a339e3d001`, which BitLocker To Go writes into a boot sector that
/// otherwise looks like FAT32.
const BITLOCKER_TO_GO: [u8; 16] =
    [0x3b, 0xd6, 0x67, 0x49, 0x29, 0x2e, 0xd8, 0x4a, 0x83, 0x99, 0xf6, 0xa3, 0x39, 0xe3, 0xd0, 0x01];

/// What the boot sector says, checked.
pub(crate) struct BootSector {
    raw: Block,
    pub kind: Kind,
    /// Bytes in a sector.
    pub sector: u64,
    /// Bytes in a cluster.
    pub cluster: u64,
    /// Sectors of the file system.
    pub sectors: u64,
    /// Byte offset of the first FAT.
    pub fat: u64,
    /// Byte offset of the root directory (FAT12 and FAT16).
    pub root: u64,
    /// Bytes of the root directory (FAT12 and FAT16).
    pub root_size: u64,
    /// First cluster of the root directory (FAT32).
    root_cluster: u32,
    /// Byte offset of cluster 2.
    pub data: u64,
    /// Number of clusters.
    pub clusters: u32,
}

impl BootSector {
    /// Reads and checks it; `None` if this is no FAT.
    pub fn load(dev: &dyn Device) -> Result<Option<Self>> {
        Ok(Block::read(dev, 0, 512)?.and_then(Self::parse))
    }

    fn parse(raw: Block) -> Option<Self> {
        if raw.le16(510) != 0xaa55 || raw.has(3, b"-FVE-FS-") || raw.has(0x1a8, &BITLOCKER_TO_GO) {
            return None;
        }
        let named =
            raw.has(0x36, b"FAT") || raw.has(0x36, b"MSDOS") || raw.has(0x52, b"FAT32") || raw.has(0x52, b"MSWIN");
        if !named && !matches!(raw.u8(0), 0xeb | 0xe9) {
            return None;
        }
        let sector = u64::from(raw.le16(11));
        let per_cluster = u64::from(raw.u8(13));
        let reserved = u64::from(raw.le16(14));
        let fats = u64::from(raw.u8(16));
        let entries = u64::from(raw.le16(17));
        let media = raw.u8(21);
        if !matches!(sector, 512 | 1024 | 2048 | 4096)
            || !per_cluster.is_power_of_two()
            || reserved == 0
            || !(1..=4).contains(&fats)
            || !(media == 0xf0 || media >= 0xf8)
        {
            return None;
        }
        let sectors = match raw.le16(19) {
            0 => u64::from(raw.le32(32)),
            short => u64::from(short),
        };
        let wide = raw.le16(22) == 0;
        let fat_sectors = if wide { u64::from(raw.le32(36)) } else { u64::from(raw.le16(22)) };
        let root_sectors = (entries * 32).div_ceil(sector);
        let data_sector = reserved + fats * fat_sectors + root_sectors;
        let clusters = sectors.checked_sub(data_sector)? / per_cluster;
        if fat_sectors == 0 || clusters == 0 || (!wide && entries == 0) {
            return None;
        }
        let (kind, entry_bits) = match clusters {
            _ if wide => (Kind::Fat32, 32),
            ..=4084 => (Kind::Fat12, 12),
            4085..=65524 => (Kind::Fat16, 16),
            _ => return None,
        };
        // The FAT must have an entry for each cluster, and two more.
        if clusters > 0x0fff_fff5 || (clusters + 2) * entry_bits > fat_sectors * sector * 8 {
            return None;
        }
        Some(Self {
            kind,
            sector,
            cluster: sector * per_cluster,
            sectors,
            fat: reserved * sector,
            root: (reserved + fats * fat_sectors) * sector,
            root_size: root_sectors * sector,
            root_cluster: raw.le32(44),
            data: data_sector * sector,
            clusters: u32::try_from(clusters).ok()?,
            raw,
        })
    }

    /// The FAT's entry for a cluster; `None` if there is no such cluster.
    pub fn entry(&self, dev: &dyn Device, cluster: u32) -> Result<Option<u32>> {
        if cluster >= self.clusters + 2 {
            return Ok(None);
        }
        let number = u64::from(cluster);
        let entry = match self.kind {
            Kind::Fat12 => {
                let Some(raw) = Block::read(dev, self.fat + number * 3 / 2, 2)? else { return Ok(None) };
                let pair = u32::from(raw.le16(0));
                if cluster.is_multiple_of(2) { pair & 0xfff } else { pair >> 4 }
            }
            Kind::Fat16 => {
                let Some(raw) = Block::read(dev, self.fat + number * 2, 2)? else { return Ok(None) };
                u32::from(raw.le16(0))
            }
            _ => {
                let Some(raw) = Block::read(dev, self.fat + number * 4, 4)? else { return Ok(None) };
                raw.le32(0)
            }
        };
        Ok(Some(entry))
    }

    /// The offset of a cluster's bytes.
    fn place(&self, cluster: u32) -> Option<u64> {
        let index = cluster.checked_sub(2).filter(|index| *index < self.clusters)?;
        Some(self.data + u64::from(index) * self.cluster)
    }

    /// The volume's name: the entry in the root directory, which is what systems show and change,
    /// or else the boot sector's copy.
    fn label(&self, dev: &dyn Device) -> Result<Option<String>> {
        if self.kind != Kind::Fat32 {
            return match label_in(dev, self.root, self.root_size)? {
                Searched::Found(label) => Ok(Some(label)),
                _ => Ok(self.label_in_boot_sector(38, 43)),
            };
        }
        let mut cluster = self.root_cluster & 0x0fff_ffff;
        // A directory has at most 65536 entries; a loop in a damaged chain ends here too.
        let longest = (65536 * 32 / self.cluster).max(1);
        for _ in 0..longest {
            let Some(place) = self.place(cluster) else { break };
            match label_in(dev, place, self.cluster)? {
                Searched::Found(label) => return Ok(Some(label)),
                Searched::End => break,
                Searched::NotHere => {}
            }
            match self.entry(dev, cluster)? {
                Some(next) => cluster = next & 0x0fff_ffff,
                None => break,
            }
        }
        Ok(self.label_in_boot_sector(66, 71))
    }

    fn label_in_boot_sector(&self, signature: usize, at: usize) -> Option<String> {
        if self.raw.u8(signature) != 0x29 {
            return None;
        }
        oem_text(self.raw.slice(at, 11)).filter(|label| label != "NO NAME")
    }

    fn serial(&self) -> Option<String> {
        let signature = if self.kind == Kind::Fat32 { 66 } else { 38 };
        matches!(self.raw.u8(signature), 0x28 | 0x29)
            .then(|| self.raw.le32(signature + 1))
            .filter(|serial| *serial != 0)
            .map(|serial| format!("{:04X}-{:04X}", serial >> 16, serial & 0xffff))
    }

    /// The two places where systems note that they are writing: a bit in the FAT (Windows) and one
    /// in the boot sector (Linux, Windows). `None` for FAT12, which has only the second, if that is not set.
    fn clean(&self, dev: &dyn Device) -> Result<(Option<bool>, Option<Trouble>)> {
        let state = self.raw.u8(if self.kind == Kind::Fat32 { 65 } else { 37 });
        if state & 1 != 0 {
            return Ok((Some(false), Some(Trouble::NotClosed)));
        }
        let (closed, sound) = match self.kind {
            Kind::Fat32 => (1 << 27, 1 << 26),
            Kind::Fat16 => (1 << 15, 1 << 14),
            _ => return Ok((None, None)),
        };
        let Some(entry) = self.entry(dev, 1)? else { return Ok((None, None)) };
        Ok(if entry & sound == 0 {
            (Some(false), Some(Trouble::Errors))
        } else if entry & closed == 0 {
            (Some(false), Some(Trouble::NotClosed))
        } else {
            (Some(true), None)
        })
    }
}

pub(crate) fn probe(dev: &dyn Device) -> Result<Option<Found>> {
    let Some(boot) = BootSector::load(dev)? else { return Ok(None) };
    // 512 to 4096, and at most 2^32 sectors of them.
    let mut found = Found::new(boot.kind, boot.sectors * boot.sector, u32::try_from(boot.sector).unwrap_or(512));
    found.label = boot.label(dev)?;
    found.uuid = boot.serial();
    (found.clean, found.trouble) = boot.clean(dev)?;
    Ok(Some(found))
}

/// Which clusters are in use: those whose entry is not 0, bad ones among them. `None` if the root
/// directory is not among them.
pub(crate) fn used(dev: &dyn Device, size: u64) -> Result<Option<UsedMap>> {
    let Some(boot) = BootSector::load(dev)? else { return Ok(None) };
    let Some(mut map) = UsedMap::full(boot.data, boot.cluster, u64::from(boot.clusters), size) else { return Ok(None) };
    let entries = u64::from(boot.clusters) + 2;
    if boot.kind == Kind::Fat12 {
        for cluster in 0..boot.clusters {
            map.set(u64::from(cluster), boot.entry(dev, cluster + 2)? != Some(0));
        }
        return Ok(Some(map));
    }
    let width: u64 = if boot.kind == Kind::Fat16 { 2 } else { 4 };
    const PIECE: u64 = 64 << 10;
    for first in (0..entries).step_by(usize::try_from(PIECE / width).unwrap_or(1)) {
        let count = (entries - first).min(PIECE / width);
        let length = usize::try_from(count * width).unwrap_or(0);
        let Some(piece) = Block::read(dev, boot.fat + first * width, length)? else { return Ok(None) };
        for index in 0..count {
            let at = usize::try_from(index * width).unwrap_or(0);
            // The upper four bits of FAT32 belong to nobody and are kept as they are.
            let entry = if width == 2 { u32::from(piece.le16(at)) } else { piece.le32(at) & 0x0fff_ffff };
            if let Some(cluster) = (first + index).checked_sub(2) {
                map.set(cluster, entry != 0);
            }
        }
    }
    // Only FAT32 has its root directory in clusters.
    let root = u64::from(boot.root_cluster.saturating_sub(2)) * boot.cluster + boot.data;
    let fits = boot.kind != Kind::Fat32 || boot.root_cluster < 2 || map.is_used(root..root + boot.cluster);
    Ok(fits.then_some(map))
}

enum Searched {
    Found(String),
    NotHere,
    /// The directory ends here.
    End,
}

fn label_in(dev: &dyn Device, offset: u64, size: u64) -> Result<Searched> {
    let Some(directory) = Block::read(dev, offset, usize::try_from(size).unwrap_or(0))? else {
        return Ok(Searched::End);
    };
    for entry in directory.bytes().chunks_exact(32) {
        match entry[0] {
            0 => return Ok(Searched::End),
            0xe5 => continue,
            _ => {}
        }
        // The volume's name; a piece of a long file name has more bits set.
        if entry[11] & 0x0f != 0x0f && entry[11] & 0x18 == 0x08 {
            let mut name = entry[..11].to_vec();
            if name[0] == 0x05 {
                name[0] = 0xe5;
            }
            return Ok(oem_text(&name).map_or(Searched::NotHere, Searched::Found));
        }
    }
    Ok(Searched::NotHere)
}

/// The code page is not recorded anywhere, so only ASCII is sure.
fn oem_text(bytes: &[u8]) -> Option<String> {
    let text: String = bytes
        .iter()
        .map(|byte| if byte.is_ascii() { char::from(*byte) } else { char::REPLACEMENT_CHARACTER })
        .collect();
    let text = text.trim_end_matches([' ', '\0']).to_owned();
    (!text.is_empty()).then_some(text)
}
