use blockdev::Device;

use super::attribute::{Attributes, Stream};
use crate::Result;
use crate::raw::Block;

/// What the boot sector says, checked.
pub(crate) struct Volume {
    /// Bytes in a sector.
    pub sector: u64,
    /// Bytes in a cluster.
    pub cluster: u64,
    /// Sectors, without the copy of the boot sector behind them.
    pub sectors: u64,
    mft: u64,
    record_size: usize,
}

impl Volume {
    /// Reads and checks the boot sector; `None` if this is no NTFS.
    pub fn load(dev: &dyn Device) -> Result<Option<Self>> {
        Ok(Block::read(dev, 0, 512)?.as_ref().and_then(Self::parse))
    }

    /// `None` if this is no boot sector of NTFS.
    pub fn parse(raw: &Block) -> Option<Self> {
        // Reserved sectors, FATs, root entries and both old sector counts are zero.
        if !raw.has(3, b"NTFS    ") || !raw.is_zero(14, 7) || !raw.is_zero(22, 2) || !raw.is_zero(32, 4) {
            return None;
        }
        let sector = u64::from(raw.le16(11));
        if !matches!(sector, 256 | 512 | 1024 | 2048 | 4096) {
            return None;
        }
        let per_cluster = match raw.u8(13) {
            count @ 1..=128 if count.is_power_of_two() => u64::from(count),
            count @ 244..=255 => 1 << (256 - u32::from(count)),
            _ => return None,
        };
        let cluster = sector * per_cluster;
        if cluster > 2 << 20 {
            return None;
        }
        let sectors = raw.le64(40);
        sectors.checked_add(1)?.checked_mul(sector)?;
        let clusters = sectors / per_cluster;
        let (mft, mirror) = (raw.le64(48), raw.le64(56));
        if clusters == 0 || mft >= clusters || mirror >= clusters {
            return None;
        }
        let record_size = match raw.u8(64) {
            count @ 1..=127 => u64::from(count) * cluster,
            shift @ 241..=247 => 1 << (256 - u32::from(shift)),
            _ => return None,
        };
        if !record_size.is_power_of_two() || !(512..=65536).contains(&record_size) {
            return None;
        }
        Some(Self { sector, cluster, sectors, mft: mft * cluster, record_size: usize::try_from(record_size).ok()? })
    }

    /// Where the first sixteen records of the master file table lie, in bytes.
    pub fn first_records(&self) -> std::ops::Range<u64> {
        self.mft..self.mft.saturating_add(16 * self.record_size as u64)
    }

    /// A record of the master file table; `None` if it is damaged or out of reach.
    pub fn record(&self, dev: &dyn Device, number: u64) -> Result<Option<Attributes>> {
        let size = self.record_size as u64;
        // The first sixteen lie together at the start; later ones anywhere.
        let raw = if number < 16 {
            Block::read(dev, self.mft + number * size, self.record_size)?
        } else {
            let Some(table) = self.record(dev, 0)?.and_then(|table| table.stream(0x80, "")) else { return Ok(None) };
            let Some(offset) = number.checked_mul(size) else { return Ok(None) };
            self.read_stream(dev, &table, offset, self.record_size)?.map(Block::new)
        };
        Ok(raw.and_then(|mut raw| (raw.has(0, b"FILE") && fix_up(&mut raw, 512)).then(|| Attributes::new(raw))))
    }

    /// Reads from a stream that lies in runs of clusters; `None` past its end or in a hole.
    pub fn read_stream(
        &self,
        dev: &dyn Device,
        stream: &Stream,
        offset: u64,
        length: usize,
    ) -> Result<Option<Vec<u8>>> {
        let end = offset.checked_add(length as u64).filter(|end| *end <= stream.size);
        let Some(end) = end else { return Ok(None) };
        let mut bytes = Vec::new();
        let mut at = offset;
        while at < end {
            let Some((place, room)) = stream.place(at, self.cluster) else { return Ok(None) };
            let piece = usize::try_from(room.min(end - at)).unwrap_or(0);
            let Some(block) = Block::read(dev, place, piece)? else { return Ok(None) };
            bytes.extend_from_slice(block.bytes());
            at += piece as u64;
        }
        Ok(Some(bytes))
    }

    /// The number of the record of a file in the root directory, by its name in any case.
    pub fn find_in_root(&self, dev: &dyn Device, name: &str) -> Result<Option<u64>> {
        let Some(root) = self.record(dev, 5)? else { return Ok(None) };
        if let Some(index) = root.resident_named(0x90, "$I30")
            && let Some(number) = find_entry(&index, 16, name)
        {
            return Ok(Some(number));
        }
        let Some(stream) = root.stream(0xa0, "$I30") else { return Ok(None) };
        // Every block of the index, in whatever order: names can be compared without knowing the
        // volume's own table of upper-case letters. The root directory of a system drive has a few.
        const BLOCK: usize = 4096;
        const MOST: u64 = 16 << 20;
        for offset in (0..stream.size.min(MOST)).step_by(BLOCK) {
            let Some(block) = self.read_stream(dev, &stream, offset, BLOCK)? else { continue };
            let mut block = Block::new(block);
            if block.has(0, b"INDX")
                && fix_up(&mut block, 512)
                && let Some(number) = find_entry(&block, 24, name)
            {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}

/// Puts back the last two bytes of each sector of a record, which were replaced by a check number
/// when it was written. False if the numbers differ: then it was written only in part.
pub(super) fn fix_up(record: &mut Block, sector: usize) -> bool {
    let (start, count) = (usize::from(record.le16(4)), usize::from(record.le16(6)));
    let length = record.bytes().len();
    if count < 2 || start + count * 2 > length || (count - 1) * sector > length {
        return false;
    }
    let check = record.le16(start);
    for index in 1..count {
        let place = index * sector - 2;
        let right = record.le16(start + index * 2);
        if record.le16(place) != check {
            return false;
        }
        record.bytes_mut()[place..place + 2].copy_from_slice(&right.to_le_bytes());
    }
    true
}

/// Looks through the entries of an index node whose header stands at `header`.
fn find_entry(node: &Block, header: usize, name: &str) -> Option<u64> {
    let mut at = header.checked_add(usize::try_from(node.le32(header)).ok()?)?;
    let end = header.checked_add(usize::try_from(node.le32(header + 4)).ok()?)?.min(node.bytes().len());
    while at + 16 <= end {
        let length = usize::from(node.le16(at + 8));
        if length < 16 || node.le16(at + 12) & 2 != 0 {
            return None;
        }
        // A file name: its length in units at 0x40 of it, its text at 0x42.
        let key = at + 16;
        let found = node.utf16(key + 0x42, usize::from(node.u8(key + 0x40)));
        if found.is_some_and(|found| found.eq_ignore_ascii_case(name)) {
            return Some(node.le64(at) & 0xffff_ffff_ffff);
        }
        at += length;
    }
    None
}
