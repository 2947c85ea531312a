//! NTFS: probing and the map. The boot sector and the first records of the master file table are never free.

use filesystems::{Found, Kind};

use crate::image::Image;
use crate::volume;

/// Three sizes of cluster.
pub fn seeds() -> Vec<Vec<u8>> {
    volume::made(&[
        ("mkntfs -F -Q -q -L label", 2048),
        ("mkntfs -F -Q -q -c 512", 3072),
        ("mkntfs -F -Q -q -c 65536", 65536),
    ])
}

/// One input.
pub fn run(data: &[u8]) {
    volume::look(&Image::read(data), &[Kind::Ntfs], metadata);
}

fn metadata(image: &Image, _: &Found) -> Vec<(u64, u64)> {
    let number = |at, bytes| volume::number(image, at, bytes);
    let sector = number(11, 2);
    let cluster = match number(13, 1) {
        count @ 0..=128 => count * sector,
        shift => sector << (256 - shift).min(12),
    };
    let table = number(48, 8) * cluster;
    vec![(0, 512), (table, table + 16 * 512)]
}
