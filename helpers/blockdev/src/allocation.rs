use std::ops::Range;

/// Which bytes of a device hold something, by the word of whoever manages them.
pub trait Allocation: Sync {
    /// The parts of `range` (bytes of the device) that hold nothing, in order and apart from each other.
    /// What is not known is used.
    fn free_within(&self, range: Range<u64>) -> Vec<Range<u64>>;
}
