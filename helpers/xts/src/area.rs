/// The bytes between two values of a plain64 IV, and the piece that every kernel works in: each
/// sector size is a multiple of it.
pub(crate) const UNIT: usize = 512;

/// Sectors to encrypt or decrypt, checked: the kernels rely on what this type says.
pub(crate) struct Area<'a> {
    /// A whole number of sectors.
    pub(crate) data: &'a mut [u8],
    /// The IV of the first sector, in units of 512 bytes.
    pub(crate) first_iv: u64,
    /// 512, 1024, 2048 or 4096.
    pub(crate) sector_size: usize,
}

impl<'a> Area<'a> {
    pub(crate) fn new(data: &'a mut [u8], first_iv: u64, sector_size: usize) -> Result<Self, AreaError> {
        if !sector_size.is_power_of_two() || !SECTOR_SIZES.contains(&sector_size) {
            return Err(AreaError::SectorSize { bytes: sector_size });
        }
        if !data.len().is_multiple_of(sector_size) {
            return Err(AreaError::Length { bytes: data.len(), sector_size });
        }
        Ok(Self { data, first_iv, sector_size })
    }

    /// How far the IV moves from one sector to the next.
    pub(crate) fn iv_step(&self) -> u64 {
        // At most 8.
        (self.sector_size / UNIT) as u64
    }

    /// The area in pieces of at most 32 units, for the kernels that work in units: `work` is given the
    /// units of some whole sectors; a place for the tweak of each unit, with the IV of the sector in
    /// the place of its first unit; and the number of units in a sector.
    #[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
    pub(crate) fn in_batches(self, work: impl Fn(&mut [[u8; UNIT]], &mut [u128], usize)) {
        use zeroize::Zeroize;

        /// A multiple of the units in a sector.
        const BATCH: usize = 32;

        let iv_step = self.iv_step();
        let units_a_sector = self.sector_size / UNIT;
        let mut iv = self.first_iv;
        let mut tweaks = [0_u128; BATCH];
        // The remainder is empty: each sector size is a multiple of a unit.
        for units in self.data.as_chunks_mut::<UNIT>().0.chunks_mut(BATCH) {
            let tweaks = &mut tweaks[..units.len()];
            for sector in tweaks.chunks_exact_mut(units_a_sector) {
                sector[0] = u128::from(iv);
                iv = iv.wrapping_add(iv_step);
            }
            work(units, tweaks, units_a_sector);
            tweaks.zeroize();
        }
    }
}

const SECTOR_SIZES: std::ops::RangeInclusive<usize> = UNIT..=4096;

/// Why an area cannot be encrypted or decrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AreaError {
    /// The sector size is not 512, 1024, 2048 or 4096 bytes.
    #[error("xts-sector-size")]
    SectorSize {
        /// What was given, in bytes.
        bytes: usize,
    },
    /// The data is not a whole number of sectors.
    #[error("xts-data-length")]
    Length {
        /// The length of the data, in bytes.
        bytes: usize,
        /// The sector size, in bytes.
        sector_size: usize,
    },
}
