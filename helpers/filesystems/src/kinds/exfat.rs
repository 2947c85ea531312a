//! exFAT (Microsoft's "exFAT file system specification", revision 1.00).

use blockdev::Device;

use crate::raw::Block;
use crate::{Error, Found, Kind, Result, Trouble, UsedMap};

/// What the boot region says, checked.
pub(crate) struct BootSector {
    raw: Block,
    /// Bytes in a sector.
    pub sector: u64,
    /// Bytes in a cluster.
    pub cluster: u64,
    /// Sectors of the file system.
    pub sectors: u64,
    /// Byte offset of the FAT.
    pub fat: u64,
    /// Byte offset of cluster 2.
    pub heap: u64,
    /// Number of clusters.
    pub clusters: u32,
    root: u32,
}

impl BootSector {
    /// Reads and checks it; `None` if this is no exFAT.
    pub fn load(dev: &dyn Device) -> Result<Option<Self>> {
        let Some(raw) = Block::read(dev, 0, 512)? else { return Ok(None) };
        let Some(boot) = Self::parse(raw) else { return Ok(None) };
        if !boot.checksum_fits(dev)? {
            return Err(Error::Damaged { kind: Kind::ExFat, what: "boot region checksum" });
        }
        Ok(Some(boot))
    }

    fn parse(raw: Block) -> Option<Self> {
        if !raw.has(3, b"EXFAT   ") || !raw.is_zero(11, 53) || raw.le16(510) != 0xaa55 {
            return None;
        }
        let (sector_shift, cluster_shift) = (raw.u8(108), raw.u8(109));
        if !(9..=12).contains(&sector_shift) || cluster_shift > 25 - sector_shift || !matches!(raw.u8(110), 1 | 2) {
            return None;
        }
        let sector = 1_u64 << sector_shift;
        let cluster = sector << cluster_shift;
        let sectors = raw.le64(72);
        let (fat, fat_sectors) = (u64::from(raw.le32(80)), u64::from(raw.le32(84)));
        let (heap, clusters) = (u64::from(raw.le32(88)), raw.le32(92));
        let heap_end = heap + (u64::from(clusters) << cluster_shift);
        if sectors.checked_mul(sector).is_none()
            || fat < 24
            || fat + fat_sectors * u64::from(raw.u8(110)) > heap
            || heap_end > sectors
            || clusters == 0
            || clusters > 0xffff_fff5
            || (u64::from(clusters) + 2) * 4 > fat_sectors * sector
            || raw.le32(96) < 2
            || raw.le32(96) - 2 >= clusters
        {
            return None;
        }
        Some(Self {
            sector,
            cluster,
            sectors,
            fat: fat * sector,
            heap: heap * sector,
            clusters,
            root: raw.le32(96),
            raw,
        })
    }

    /// Section 3.4: the sum over the first eleven sectors stands, repeated, in the twelfth.
    fn checksum_fits(&self, dev: &dyn Device) -> Result<bool> {
        let sector = usize::try_from(self.sector).unwrap_or(512);
        let Some(region) = Block::read(dev, 0, 12 * sector)? else { return Ok(false) };
        let mut sum = 0_u32;
        for (index, byte) in region.slice(0, 11 * sector).iter().enumerate() {
            // The flags and the percentage change without a new sum.
            if !matches!(index, 106 | 107 | 112) {
                sum = sum.rotate_right(1).wrapping_add(u32::from(*byte));
            }
        }
        Ok(region.le32(11 * sector) == sum)
    }

    /// The offset of a cluster's bytes.
    fn place(&self, cluster: u32) -> Option<u64> {
        let index = cluster.checked_sub(2).filter(|index| *index < self.clusters)?;
        Some(self.heap + u64::from(index) * self.cluster)
    }

    /// The cluster that the FAT puts behind this one.
    fn next(&self, dev: &dyn Device, cluster: u32) -> Result<Option<u32>> {
        Ok(Block::read(dev, self.fat + u64::from(cluster) * 4, 4)?.map(|entry| entry.le32(0)))
    }

    /// The entries of the root directory, up to its end.
    pub fn root_entries(&self, dev: &dyn Device) -> Result<Vec<Block>> {
        const MOST: usize = 1 << 16;
        let mut entries = Vec::new();
        let mut cluster = self.root;
        // Ends at the latest after MOST entries, so also in a damaged chain that is a loop.
        while entries.len() < MOST {
            let Some(place) = self.place(cluster) else { break };
            // Clusters have up to 32 MiB: read them in pieces.
            for piece in (0..self.cluster).step_by(4096) {
                let length = usize::try_from((self.cluster - piece).min(4096)).unwrap_or(0);
                let Some(bytes) = Block::read(dev, place + piece, length)? else { return Ok(entries) };
                for entry in bytes.bytes().chunks_exact(32) {
                    if entry[0] == 0 || entries.len() >= MOST {
                        return Ok(entries);
                    }
                    entries.push(Block::new(entry.to_vec()));
                }
            }
            match self.next(dev, cluster)? {
                Some(next) => cluster = next,
                None => break,
            }
        }
        Ok(entries)
    }

    /// Reads `length` bytes of the chain that starts at `cluster`; `None` if the chain is broken.
    pub fn chain(&self, dev: &dyn Device, cluster: u32, length: u64) -> Result<Option<Vec<u8>>> {
        if length > u64::from(self.clusters) * self.cluster {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let mut cluster = cluster;
        loop {
            let left = length - bytes.len() as u64;
            let Some(place) = self.place(cluster) else { return Ok(None) };
            let piece = usize::try_from(left.min(self.cluster)).unwrap_or(0);
            let Some(block) = Block::read(dev, place, piece)? else { return Ok(None) };
            bytes.extend_from_slice(block.bytes());
            if bytes.len() as u64 == length {
                return Ok(Some(bytes));
            }
            match self.next(dev, cluster)? {
                Some(next) => cluster = next,
                None => return Ok(None),
            }
        }
    }
}

pub(crate) fn probe(dev: &dyn Device) -> Result<Option<Found>> {
    let Some(boot) = BootSector::load(dev)? else { return Ok(None) };
    let mut found = Found::new(Kind::ExFat, boot.sectors * boot.sector, u32::try_from(boot.sector).unwrap_or(512));
    let serial = boot.raw.le32(100);
    found.uuid = Some(format!("{:04X}-{:04X}", serial >> 16, serial & 0xffff));
    let flags = boot.raw.le16(106);
    found.trouble = match flags {
        _ if flags & 4 != 0 => Some(Trouble::Errors),
        _ if flags & 2 != 0 => Some(Trouble::NotClosed),
        _ => None,
    };
    found.clean = Some(found.trouble.is_none());
    let label = boot.root_entries(dev)?.into_iter().find(|entry| entry.u8(0) == 0x83);
    found.label = label.and_then(|entry| entry.utf16(2, usize::from(entry.u8(1).min(11))));
    let percent = boot.raw.u8(112);
    if percent <= 100 {
        found.used = Some(u64::from(boot.clusters) * boot.cluster / 100 * u64::from(percent));
    }
    Ok(Some(found))
}

/// Which clusters are in use, by the allocation bitmap (section 7.1). A volume with two of them
/// (TexFAT) is not looked into, and a bitmap that has itself or the root directory as free is not
/// believed.
pub(crate) fn used(dev: &dyn Device, size: u64) -> Result<Option<UsedMap>> {
    let Some(boot) = BootSector::load(dev)? else { return Ok(None) };
    let clusters = u64::from(boot.clusters);
    let Some(mut map) = UsedMap::full(boot.heap, boot.cluster, clusters, size) else { return Ok(None) };
    let entries = boot.root_entries(dev)?;
    let mut bitmaps = entries.iter().filter(|entry| entry.u8(0) == 0x81);
    let (Some(entry), None) = (bitmaps.next(), bitmaps.next()) else { return Ok(None) };
    let length = entry.le64(24);
    if length < clusters.div_ceil(8) {
        return Ok(None);
    }
    let Some(bitmap) = boot.chain(dev, entry.le32(20), clusters.div_ceil(8))? else { return Ok(None) };
    map.copy_bits(0, &bitmap, clusters);
    let fits = [boot.root, entry.le32(20)].into_iter().filter_map(|cluster| boot.place(cluster));
    let fits = fits.into_iter().all(|place| map.is_used(place..place + boot.cluster));
    Ok(fits.then_some(map))
}
