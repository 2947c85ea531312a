//! Numbers out of bytes that somebody else wrote.

use blockdev::Device;

/// A piece of a device. What lies past its end reads as zero, so that no field of a short block can
/// be an accident.
#[derive(Clone, Debug)]
pub struct Block(Vec<u8>);

impl Block {
    /// Reads `length` bytes at `offset`; `None` if the device ends before.
    ///
    /// # Errors
    /// What the device reports.
    pub fn read(dev: &dyn Device, offset: u64, length: usize) -> blockdev::Result<Option<Self>> {
        match offset.checked_add(length as u64) {
            Some(end) if end <= dev.size() => Ok(Some(Self(dev.read_vec(offset, length)?))),
            _ => Ok(None),
        }
    }

    /// Bytes that are already in memory.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// All of it.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// All of it, to be changed.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    /// `length` bytes at `at`; as many as there are.
    pub fn slice(&self, at: usize, length: usize) -> &[u8] {
        let end = at.saturating_add(length).min(self.0.len());
        self.0.get(at..end).unwrap_or_default()
    }

    /// Whether `what` stands at `at`.
    pub fn has(&self, at: usize, what: &[u8]) -> bool {
        self.slice(at, what.len()) == what
    }

    /// Whether the `length` bytes at `at` are all zero.
    pub fn is_zero(&self, at: usize, length: usize) -> bool {
        self.slice(at, length).iter().all(|byte| *byte == 0)
    }

    fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        self.slice(at, N).try_into().unwrap_or([0; N])
    }

    /// One byte.
    pub fn u8(&self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// A little-endian number of 16 bits.
    pub fn le16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.array(at))
    }

    /// A little-endian number of 32 bits.
    pub fn le32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    /// A little-endian number of 64 bits.
    pub fn le64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.array(at))
    }

    /// A big-endian number of 16 bits.
    pub fn be16(&self, at: usize) -> u16 {
        u16::from_be_bytes(self.array(at))
    }

    /// A big-endian number of 32 bits.
    pub fn be32(&self, at: usize) -> u32 {
        u32::from_be_bytes(self.array(at))
    }

    /// A big-endian number of 64 bits.
    pub fn be64(&self, at: usize) -> u64 {
        u64::from_be_bytes(self.array(at))
    }

    /// The text in a field that is filled up with zeros; `None` if it is empty.
    pub fn text(&self, at: usize, length: usize) -> Option<String> {
        let field = self.slice(at, length);
        let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
        let text = String::from_utf8_lossy(&field[..end]).trim_end().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// The text of `units` UTF-16 (little-endian) units; `None` if it is empty.
    pub fn utf16(&self, at: usize, units: usize) -> Option<String> {
        let units: Vec<u16> = self
            .slice(at, units.saturating_mul(2))
            .chunks_exact(2)
            .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
            .take_while(|unit| *unit != 0)
            .collect();
        let text = String::from_utf16_lossy(&units);
        (!text.is_empty()).then_some(text)
    }

    /// Sixteen bytes as a UUID in the usual spelling; `None` if they are all zero.
    pub fn uuid(&self, at: usize) -> Option<String> {
        let field: [u8; 16] = self.array(at);
        if field == [0; 16] {
            return None;
        }
        let hex: Vec<String> = field.iter().map(|byte| format!("{byte:02x}")).collect();
        Some([&hex[..4], &hex[4..6], &hex[6..8], &hex[8..10], &hex[10..]].map(|group| group.concat()).join("-"))
    }

    /// Sixteen bytes as a GUID of the Windows and UEFI world, whose first three groups are
    /// little-endian; `None` if they are all zero.
    pub fn guid(&self, at: usize) -> Option<String> {
        let mut field: [u8; 16] = self.array(at);
        field[..4].reverse();
        field[4..6].reverse();
        field[6..8].reverse();
        Self(field.to_vec()).uuid(0)
    }
}

/// The checksum of iSCSI, ext4, btrfs and XFS, as those write it.
pub fn crc32c(parts: &[&[u8]]) -> u32 {
    const TABLE: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI);
    let mut digest = TABLE.digest();
    for part in parts {
        digest.update(part);
    }
    digest.finalize()
}

/// The checksum of Ethernet, zip and GPT.
pub fn crc32(parts: &[&[u8]]) -> u32 {
    const TABLE: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
    let mut digest = TABLE.digest();
    for part in parts {
        digest.update(part);
    }
    digest.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_the_catalogued_ones() {
        assert_eq!(crc32c(&[b"1234", b"56789"]), 0xe306_9283);
        assert_eq!(crc32(&[b"123456789"]), 0xcbf4_3926);
    }

    #[test]
    fn past_the_end_is_zero() {
        let block = Block::new(vec![0xff; 6]);
        assert_eq!((block.u8(5), block.u8(6), block.le16(4), block.le32(4)), (0xff, 0, 0xffff, 0));
        assert!(block.has(4, &[0xff, 0xff]) && !block.has(4, &[0xff; 3]));
        assert!(block.slice(usize::MAX, 4).is_empty());
    }

    #[test]
    fn uuids_are_spelled_as_usual() {
        let block = Block::new((0..16).collect());
        assert_eq!(block.uuid(0).unwrap(), "00010203-0405-0607-0809-0a0b0c0d0e0f");
        assert_eq!(block.guid(0).unwrap(), "03020100-0504-0706-0809-0a0b0c0d0e0f");
        assert_eq!(Block::new(vec![0; 16]).uuid(0), None);
    }
}
