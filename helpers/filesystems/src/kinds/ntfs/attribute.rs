use crate::raw::Block;

/// The attributes of one record of the master file table.
pub(crate) struct Attributes(Block);

/// An attribute whose bytes lie in runs of clusters.
pub(crate) struct Stream {
    /// Bytes in it.
    pub size: u64,
    /// Runs: the first cluster (`None`: a hole) and how many there are.
    pub runs: Vec<(Option<u64>, u64)>,
}

impl Attributes {
    pub(super) fn new(record: Block) -> Self {
        Self(record)
    }

    /// The bytes of an attribute without a name that lies in the record itself.
    pub fn resident(&self, kind: u32) -> Option<Block> {
        self.resident_named(kind, "")
    }

    /// The bytes of a named attribute that lies in the record itself.
    pub fn resident_named(&self, kind: u32, name: &str) -> Option<Block> {
        let at = self.find(kind, name).filter(|at| self.0.u8(at + 8) == 0)?;
        let length = usize::try_from(self.0.le32(at + 16)).ok()?;
        let value = self.0.slice(at + usize::from(self.0.le16(at + 20)), length);
        (value.len() == length).then(|| Block::new(value.to_vec()))
    }

    /// Where the bytes of an attribute lie. `None` if it is not here, lies in the record itself, is
    /// compressed or encrypted, or goes on in another record.
    pub fn stream(&self, kind: u32, name: &str) -> Option<Stream> {
        let at = self.find(kind, name).filter(|at| self.0.u8(at + 8) == 1)?;
        let (first, last) = (self.0.le64(at + 16), self.0.le64(at + 24));
        if first != 0 || self.0.le16(at + 12) & 0x40ff != 0 {
            return None;
        }
        let length = usize::try_from(self.0.le32(at + 4)).ok()?;
        let pairs = usize::from(self.0.le16(at + 32));
        let runs = decode(self.0.slice(at + pairs, length.checked_sub(pairs)?))?;
        let clusters = runs.iter().try_fold(0_u64, |sum, (_, count)| sum.checked_add(*count))?;
        // The last cluster's number is -1 for an empty attribute.
        (clusters == last.wrapping_add(1)).then_some(Stream { size: self.0.le64(at + 48), runs })
    }

    fn find(&self, kind: u32, name: &str) -> Option<usize> {
        let mut at = usize::from(self.0.le16(20));
        while at + 24 <= self.0.bytes().len() && self.0.le32(at) != 0xffff_ffff {
            let length = usize::try_from(self.0.le32(at + 4)).ok()?;
            if length < 24 {
                return None;
            }
            let units = usize::from(self.0.u8(at + 9));
            let its_name = self.0.utf16(at + usize::from(self.0.le16(at + 10)), units).unwrap_or_default();
            if self.0.le32(at) == kind && its_name == name {
                return Some(at);
            }
            at = at.checked_add(length)?;
        }
        None
    }
}

impl Stream {
    /// Where a byte lies on the device, and how many follow it there. `None` in a hole and past the
    /// end.
    pub fn place(&self, offset: u64, cluster: u64) -> Option<(u64, u64)> {
        let mut left = offset;
        for (start, count) in &self.runs {
            let bytes = count.checked_mul(cluster)?;
            if left < bytes {
                let place = start.as_ref()?.checked_mul(cluster)?.checked_add(left)?;
                return Some((place, bytes - left));
            }
            left -= bytes;
        }
        None
    }
}

/// Mapping pairs: each has a byte with two lengths, a count of that many bytes, and a signed
/// distance to the run before.
fn decode(pairs: &[u8]) -> Option<Vec<(Option<u64>, u64)>> {
    let mut runs = Vec::new();
    let mut start = 0_i64;
    let mut at = 0;
    loop {
        let head = *pairs.get(at)?;
        if head == 0 {
            return Some(runs);
        }
        let (count_size, distance_size) = (usize::from(head & 15), usize::from(head >> 4));
        let count = signed(pairs.get(at + 1..at + 1 + count_size)?)?;
        let distance = signed(pairs.get(at + 1 + count_size..at + 1 + count_size + distance_size)?)?;
        let count = u64::try_from(count).ok().filter(|count| *count > 0)?;
        if distance_size == 0 {
            runs.push((None, count));
        } else {
            start = start.checked_add(distance)?;
            runs.push((Some(u64::try_from(start).ok()?), count));
        }
        at += 1 + count_size + distance_size;
    }
}

/// A little-endian number of up to eight bytes whose highest bit is its sign.
fn signed(bytes: &[u8]) -> Option<i64> {
    if bytes.len() > 8 {
        return None;
    }
    let fill = if bytes.last().is_some_and(|byte| byte & 0x80 != 0) { 0xff } else { 0 };
    let mut whole = [fill; 8];
    whole[..bytes.len()].copy_from_slice(bytes);
    Some(i64::from_le_bytes(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_decoded() {
        // The example of the Linux-NTFS documentation: 0x38 clusters at 0x342573, 0x114 at
        // 0x363758, 0x42 at 0x393802.
        let pairs = [0x31, 0x38, 0x73, 0x25, 0x34, 0x32, 0x14, 0x01, 0xe5, 0x11, 0x02, 0x31, 0x42, 0xaa, 0x00, 0x03, 0];
        let runs = decode(&pairs).unwrap();
        assert_eq!(runs, [(Some(0x34_2573), 0x38), (Some(0x36_3758), 0x114), (Some(0x39_3802), 0x42)]);
        assert_eq!(decode(&[0x01, 0x05, 0]).unwrap(), [(None, 5)]);
        assert_eq!(decode(&[0x11, 0x05, 0xff, 0]), None);
        assert_eq!(decode(&[0xff, 1]), None);
    }
}
