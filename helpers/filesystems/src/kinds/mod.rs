//! One file for each format.

pub(crate) mod btrfs;
pub(crate) mod exfat;
pub(crate) mod ext;
pub(crate) mod f2fs;
pub(crate) mod fat;
pub(crate) mod ntfs;
pub(crate) mod other;
pub(crate) mod swap;
pub(crate) mod xfs;
