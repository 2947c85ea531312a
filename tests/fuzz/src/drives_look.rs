//! What `status` says of a device's bytes: whatever lies on it, alone and together. Green is said only where
//! something is that encrypts; and looking never writes.

use drives::{AtaIdentify, inspect, judge, nvme_takes_security_commands};
use model::Verdict;

use crate::image::Image;
use crate::{foreign, fs_ext, fs_ntfs, fs_other, luks_header, mend, partitions};

/// The seeds of the formats.
pub fn seeds() -> Vec<Vec<u8>> {
    [foreign::seeds, partitions::seeds, luks_header::seeds, fs_ext::seeds, fs_ntfs::seeds, fs_other::seeds]
        .into_iter()
        .flat_map(|seeds| seeds())
        .collect()
}

/// One input.
pub fn run(data: &[u8]) {
    let _ = (AtaIdentify::parse(data), nvme_takes_security_commands(data));
    let mut image = Image::read(data);
    if image.flags & 1 != 0 {
        mend::luks(&mut image);
        mend::gpt(&mut image);
        mend::superblock(&mut image);
    }
    let look = inspect::look(&image);
    let _ = look.partitions();
    let judged = judge::volume(&look.facts);
    let encrypts = look.luks.is_some() || look.foreign.iter().any(|sign| sign.is_encryption() != Some(false));
    assert!(judged.verdict != Verdict::Protected || encrypts, "{judged:?}: {:?}", look.foreign);
    assert!(!judged.reason.code.is_empty());
}
