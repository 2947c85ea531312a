//! Big-endian numbers from bytes that may end too early.

/// What a descriptor still has to say. Behind its end everything is zero, because a field that was not
/// sent is a field of an older version or of a cut-off dump.
#[derive(Clone, Copy)]
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    pub fn u8(self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    pub fn u16(self, at: usize) -> u16 {
        u16::from_be_bytes(self.array(at))
    }

    pub fn u32(self, at: usize) -> u32 {
        u32::from_be_bytes(self.array(at))
    }

    pub fn u64(self, at: usize) -> u64 {
        u64::from_be_bytes(self.array(at))
    }

    pub fn bit(self, at: usize, bit: u8) -> bool {
        self.u8(at) >> bit & 1 == 1
    }

    fn array<const N: usize>(self, at: usize) -> [u8; N] {
        std::array::from_fn(|index| self.u8(at.saturating_add(index)))
    }
}
