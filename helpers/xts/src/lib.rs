//! AES-XTS (IEEE 1619-2018) over whole sectors, the way dm-crypt's `aes-xts-plain64` does it.
//!
//! The work is done by a [`Kernel`], chosen when the program runs: hand-written loops for the
//! vector instructions of the processor, or a portable loop over the `aes` crate. All of them give
//! the same bytes; the tests hold each one against `xts-mode`, OpenSSL and the vectors of the
//! standard.
//!
//! Ciphertext stealing is left out on purpose: a sector is always a whole number of blocks.
//!
//! ```
//! let xts = xts::Xts::new(&[7; 64])?;
//! let mut sectors = vec![0; 8 * 4096];
//! xts.encrypt_sectors(&mut sectors, 0, 4096)?;
//! xts.decrypt_sectors(&mut sectors, 0, 4096)?;
//! assert!(sectors.iter().all(|byte| *byte == 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How a hand-written kernel works
//! Everything is cut into units of 512 bytes, since each sector size is a multiple of that. First
//! the tweak of each unit is found for up to 32 units at once, so that the tweaks of small sectors
//! are encrypted side by side. Then each unit derives the tweaks of its 32 blocks from its first one
//! by shifts and carry-less multiplications that do not wait for each other, and encrypts as many
//! blocks at once as the registers hold. Both steps are without tables and without a branch on data.

// The instructions that make this fast exist as `unsafe` functions only: this crate is where the
// workspace keeps them. What is unsafe is loading and storing whole arrays through the vector
// types, and entering a function that needs an instruction set; each place says why it is sound.
#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod area;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod arm;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
mod in_step;
mod kernel;
mod portable;
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
mod schedule;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use area::AreaError;
pub use kernel::Kernel;

use area::Area;

/// Both keys of AES-XTS, expanded for one kernel. Cleared when dropped.
pub struct Xts {
    kernel: Kernel,
    cipher: Cipher,
}

impl Xts {
    /// Expands `key` for the fastest kernel of this processor.
    ///
    /// 32 bytes are AES-128-XTS, 64 bytes AES-256-XTS; the first half encrypts the blocks, the
    /// second half the tweaks. Equal halves are accepted, as dm-crypt accepts them.
    ///
    /// # Errors
    /// [`KeyError::Length`] for any other length.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        Self::with_kernel(key, Kernel::best())
    }

    /// Expands `key` for the kernel named.
    ///
    /// # Errors
    /// [`KeyError::Length`] as for [`Xts::new`]; [`KeyError::Unavailable`] if this processor lacks
    /// what the kernel needs.
    pub fn with_kernel(key: &[u8], kernel: Kernel) -> Result<Self, KeyError> {
        Ok(Self { kernel, cipher: Cipher::new(key, kernel)? })
    }

    /// The kernel that does the work.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Encrypts whole sectors in place.
    ///
    /// `first_iv` is the plain64 IV of the first sector. It counts units of **512 bytes, whatever
    /// the sector size** (the rule of dm-crypt and LUKS2), so it grows by `sector_size / 512` from
    /// sector to sector, and wraps after `u64::MAX` as dm-crypt's does. `data` may lie at any address.
    ///
    /// # Errors
    /// [`AreaError`] if `sector_size` is not 512, 1024, 2048 or 4096, or `data` is not a whole number
    /// of sectors. `data` is unchanged then.
    pub fn encrypt_sectors(&self, data: &mut [u8], first_iv: u64, sector_size: usize) -> Result<(), AreaError> {
        self.cipher.encrypt(Area::new(data, first_iv, sector_size)?);
        Ok(())
    }

    /// Decrypts whole sectors in place; the reverse of [`Xts::encrypt_sectors`], with its rules.
    ///
    /// # Errors
    /// As [`Xts::encrypt_sectors`].
    pub fn decrypt_sectors(&self, data: &mut [u8], first_iv: u64, sector_size: usize) -> Result<(), AreaError> {
        self.cipher.decrypt(Area::new(data, first_iv, sector_size)?);
        Ok(())
    }
}

impl std::fmt::Debug for Xts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Xts").field("kernel", &self.kernel).finish_non_exhaustive()
    }
}

/// Why a key cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The key is neither 32 nor 64 bytes long.
    #[error("xts-key-length")]
    Length {
        /// What was given, in bytes.
        bytes: usize,
    },
    /// This processor lacks the instructions of the kernel that was asked for.
    #[error("xts-kernel-unavailable")]
    Unavailable {
        /// The kernel asked for.
        kernel: Kernel,
    },
}

/// The expanded keys in the form that their kernel wants. On the heap, so that moving an [`Xts`]
/// leaves no copy of a key behind.
enum Cipher {
    Portable(Box<portable::Cipher>),
    #[cfg(target_arch = "x86_64")]
    X86(Box<x86::Cipher>),
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    Arm(Box<arm::Cipher>),
}

impl Cipher {
    fn new(key: &[u8], kernel: Kernel) -> Result<Self, KeyError> {
        if kernel == Kernel::Portable {
            return Ok(Self::Portable(Box::new(portable::Cipher::new(key)?)));
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(level) = x86::Level::detect(kernel) {
            return Ok(Self::X86(x86::Cipher::new(key, level)?));
        }
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        if let Some(crypto) = arm::Crypto::detect(kernel) {
            return Ok(Self::Arm(arm::Cipher::new(key, crypto)?));
        }
        Err(KeyError::Unavailable { kernel })
    }

    fn encrypt(&self, area: Area<'_>) {
        match self {
            Self::Portable(cipher) => cipher.encrypt(area),
            #[cfg(target_arch = "x86_64")]
            Self::X86(cipher) => cipher.encrypt(area),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Self::Arm(cipher) => cipher.encrypt(area),
        }
    }

    fn decrypt(&self, area: Area<'_>) {
        match self {
            Self::Portable(cipher) => cipher.decrypt(area),
            #[cfg(target_arch = "x86_64")]
            Self::X86(cipher) => cipher.decrypt(area),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Self::Arm(cipher) => cipher.decrypt(area),
        }
    }
}
