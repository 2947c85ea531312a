//! Which bytes of a volume hold something.
//!
//! A map may say "used" of what is free, never the other way round: what it calls free is going to be
//! skipped and thrown away. So whatever cannot be read, does not add up or is not understood is used.

use std::ops::Range;

use blockdev::{Allocation, Device};

use crate::kinds::{exfat, ext, fat, ntfs};
use crate::{Found, Kind, Result};

/// Which bytes of a volume a file system uses, in units of its own allocation (blocks or clusters).
#[derive(Clone, PartialEq, Eq)]
pub struct UsedMap {
    /// Byte offset of the first unit; everything before is used.
    start: u64,
    /// Bytes in a unit.
    unit: u64,
    /// How many units there are; everything behind the last one, up to `size`, is used.
    units: u64,
    /// Bytes of the file system.
    size: u64,
    /// A bit for each unit, 1 for used.
    bits: Vec<u8>,
}

/// Reads which bytes a file system uses. `None`: this kind's map is not understood, or the file system is
/// not clean, so that its map may be behind what is really there.
///
/// The map holds one bit for each block or cluster: 32 MiB for a tebibyte of 4 KiB blocks.
///
/// # Errors
/// What the device reports.
pub fn used_map(dev: &dyn Device, found: &Found) -> Result<Option<UsedMap>> {
    if found.trouble.is_some() || found.size > dev.size() {
        return Ok(None);
    }
    match found.kind {
        Kind::Ext2 | Kind::Ext3 | Kind::Ext4 => ext::used(dev, found.size),
        Kind::Fat12 | Kind::Fat16 | Kind::Fat32 => fat::used(dev, found.size),
        Kind::ExFat => exfat::used(dev, found.size),
        Kind::Ntfs => ntfs::used(dev, found.size),
        _ => Ok(None),
    }
}

impl UsedMap {
    /// A map in which everything is used. `None` if the units do not fit into `size`.
    pub(crate) fn full(start: u64, unit: u64, units: u64, size: u64) -> Option<Self> {
        let end = units.checked_mul(unit)?.checked_add(start)?;
        if unit == 0 || end > size {
            return None;
        }
        let bits = vec![0xff; usize::try_from(units.div_ceil(8)).ok()?];
        Some(Self { start, unit, units, size, bits })
    }

    /// The same with a bitmap that has its lowest bit first and 1 for used. What the bitmap does not
    /// reach stays used.
    pub(crate) fn copy_bits(&mut self, first: u64, bitmap: &[u8], count: u64) {
        for index in 0..count.min(bitmap.len() as u64 * 8) {
            // Within the bitmap, whose length fits.
            let byte = bitmap[usize::try_from(index / 8).unwrap_or(0)];
            self.set(first + index, byte & (1 << (index % 8)) != 0);
        }
    }

    /// Notes whether a unit is used. One that is out of range is left alone.
    pub(crate) fn set(&mut self, unit: u64, used: bool) {
        if unit >= self.units {
            return;
        }
        if let Some(byte) = usize::try_from(unit / 8).ok().and_then(|index| self.bits.get_mut(index)) {
            let bit = 1 << (unit % 8);
            *byte = if used { *byte | bit } else { *byte & !bit };
        }
    }

    /// Whether a unit is used.
    pub(crate) fn is_set(&self, unit: u64) -> bool {
        let byte = usize::try_from(unit / 8).ok().and_then(|index| self.bits.get(index));
        unit >= self.units || byte.is_none_or(|byte| byte & (1 << (unit % 8)) != 0)
    }

    /// Whether all of these bytes are used. A map that calls the file system's own tables free is not
    /// to be believed.
    pub(crate) fn is_used(&self, bytes: Range<u64>) -> bool {
        let end = bytes.end.min(self.start + self.units * self.unit);
        if bytes.start.max(self.start) >= end {
            return true;
        }
        let first = bytes.start.saturating_sub(self.start) / self.unit;
        let last = (end - 1 - self.start) / self.unit;
        (first..=last).all(|unit| self.is_set(unit))
    }

    /// Bytes of the file system: the map says nothing about what lies behind.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Bytes in the smallest piece that is free or used.
    pub fn unit(&self) -> u64 {
        self.unit
    }

    /// How many bytes are used.
    pub fn used(&self) -> u64 {
        self.size - self.free()
    }

    /// How many bytes are free.
    pub fn free(&self) -> u64 {
        let whole: u64 = self.bits.iter().map(|byte| u64::from(byte.count_zeros())).sum();
        // The last byte's bits past the last unit are never cleared.
        whole * self.unit
    }

    /// Whether none of these bytes is used.
    pub fn is_free(&self, bytes: Range<u64>) -> bool {
        if bytes.is_empty() {
            return true;
        }
        if bytes.start < self.start || bytes.end > self.start + self.units * self.unit {
            return false;
        }
        let first = (bytes.start - self.start) / self.unit;
        let last = (bytes.end - 1 - self.start) / self.unit;
        (first..=last).all(|unit| !self.is_set(unit))
    }

    /// The used bytes in order, neighbours joined: from 0 to [`size`](Self::size) with gaps where it is free.
    pub fn extents(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        let mut unit = 0;
        let mut begin = Some(0);
        std::iter::from_fn(move || {
            loop {
                if unit > self.units {
                    return None;
                }
                if unit == self.units {
                    unit += 1;
                    // Behind the last unit everything is used again.
                    let begin = begin.take().unwrap_or(self.start + self.units * self.unit);
                    return (begin < self.size).then_some(begin..self.size);
                }
                let place = self.start + unit * self.unit;
                let used = self.is_set(unit);
                unit += 1;
                match begin {
                    Some(start) if !used => {
                        begin = None;
                        if start < place {
                            return Some(start..place);
                        }
                    }
                    None if used => begin = Some(place),
                    _ => {}
                }
            }
        })
    }
}

impl Allocation for UsedMap {
    fn free_within(&self, bytes: Range<u64>) -> Vec<Range<u64>> {
        let mut free: Vec<Range<u64>> = Vec::new();
        let known = self.start..self.start + self.units * self.unit;
        let bytes = bytes.start.max(known.start)..bytes.end.min(known.end);
        if bytes.is_empty() {
            return free;
        }
        for unit in (bytes.start - self.start) / self.unit..(bytes.end - self.start).div_ceil(self.unit) {
            if self.is_set(unit) {
                continue;
            }
            let place = self.start + unit * self.unit;
            let (start, end) = (place.max(bytes.start), (place + self.unit).min(bytes.end));
            match free.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ => free.push(start..end),
            }
        }
        free
    }
}

impl std::fmt::Debug for UsedMap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UsedMap")
            .field("size", &self.size)
            .field("unit", &self.unit)
            .field("used", &self.used())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_cover_what_is_used_and_nothing_else() {
        let mut map = UsedMap::full(100, 10, 12, 230).unwrap();
        assert!(map.extents().eq(std::iter::once(0..230)));
        for unit in [0, 1, 5, 11] {
            map.set(unit, false);
        }
        assert_eq!(map.extents().collect::<Vec<_>>(), [0..100, 120..150, 160..210, 220..230]);
        assert_eq!((map.free(), map.used()), (40, 190));
        assert!(map.is_free(100..120) && map.is_free(103..104) && map.is_free(210..220));
        assert!(map.is_used(0..100) && map.is_used(120..150) && map.is_used(220..500) && map.is_used(7..7));
        assert!(!map.is_used(0..101) && !map.is_used(119..121) && !map.is_used(215..500) && !map.is_used(0..230));
        assert!(!map.is_free(99..101) && !map.is_free(119..121) && !map.is_free(219..221) && !map.is_free(225..226));
        for unit in 0..12 {
            map.set(unit, false);
        }
        assert_eq!(map.extents().collect::<Vec<_>>(), [0..100, 220..230]);
        assert_eq!(UsedMap::full(0, 10, 3, 29), None);
        let mut whole = UsedMap::full(0, 10, 3, 30).unwrap();
        whole.copy_bits(0, &[0b010], 3);
        assert!(whole.extents().eq(std::iter::once(10..20)));
    }
}
