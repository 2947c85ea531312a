//! Apple's containers.

mod apfs;
mod core_storage;

pub use apfs::{Apfs, ApfsVolume};
pub use core_storage::{CoreStorage, FileVault2};

pub(crate) use apfs::recognise as apfs;
pub(crate) use core_storage::recognise as core_storage;
