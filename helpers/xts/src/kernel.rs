/// A way to compute AES-XTS. All give the same bytes and none looks anything up in a table.
///
/// The names exist on every processor, so that a report can be read anywhere;
/// [`Kernel::is_available`] says whether this processor has what one needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// A batched loop over the `aes` crate, on every processor.
    Portable,
    /// Eight 128-bit blocks at once with the AES instructions of ARMv8.
    ArmCrypto,
    /// Eight 128-bit blocks at once with AES-NI (x86-64 since 2010).
    AesNi,
    /// Eight 256-bit registers, sixteen blocks, at once with VAES (since Zen 3, Ice Lake and Alder
    /// Lake).
    Vaes256,
    /// Four 512-bit registers, sixteen blocks, at once with VAES and AVX-512 (since Zen 4 and Ice Lake).
    Vaes512,
}

impl Kernel {
    /// The kernels that this processor can run, the slowest first.
    pub fn available() -> Vec<Self> {
        ALL.into_iter().filter(|kernel| kernel.is_available()).collect()
    }

    /// The kernel to use on this processor: the widest, except that 512-bit registers are left alone
    /// where using them makes the processor lower the clock of everything else that runs on it.
    pub fn best() -> Self {
        let usable =
            |kernel: &Self| kernel.is_available() && !(*kernel == Self::Vaes512 && lowers_clock_for_512_bits());
        ALL.into_iter().rfind(usable).unwrap_or(Self::Portable)
    }

    /// A short name that does not change: for reports and benchmarks.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::ArmCrypto => "arm-crypto",
            Self::AesNi => "aes-ni",
            Self::Vaes256 => "vaes-256",
            Self::Vaes512 => "vaes-512",
        }
    }

    /// Whether this processor, and this build of the program, can run it.
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Self::ArmCrypto => crate::arm::Crypto::detect(self).is_some(),
            #[cfg(not(all(target_arch = "aarch64", target_endian = "little")))]
            Self::ArmCrypto => false,
            #[cfg(target_arch = "x86_64")]
            Self::AesNi | Self::Vaes256 | Self::Vaes512 => crate::x86::Level::detect(self).is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::AesNi | Self::Vaes256 | Self::Vaes512 => false,
        }
    }
}

impl std::fmt::Display for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// From the slowest to the fastest.
const ALL: [Kernel; 5] = [Kernel::Portable, Kernel::ArmCrypto, Kernel::AesNi, Kernel::Vaes256, Kernel::Vaes512];

#[cfg(target_arch = "x86_64")]
fn lowers_clock_for_512_bits() -> bool {
    crate::x86::lowers_clock_for_512_bits()
}

#[cfg(not(target_arch = "x86_64"))]
fn lowers_clock_for_512_bits() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        let names: std::collections::HashSet<_> = ALL.iter().map(|kernel| kernel.name()).collect();
        assert_eq!(names.len(), ALL.len());
    }

    #[test]
    fn the_best_kernel_is_the_widest_that_keeps_the_clock() {
        let best = *Kernel::available().last().unwrap();
        if best == Kernel::Vaes512 && lowers_clock_for_512_bits() {
            assert_eq!(Kernel::best(), Kernel::Vaes256);
        } else {
            assert_eq!(Kernel::best(), best);
        }
    }
}
