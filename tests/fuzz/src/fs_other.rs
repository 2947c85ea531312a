//! btrfs, XFS, swap, F2FS and what is only named: probing, and a map where there is one.

use crate::image::Image;
use crate::{mend, volume};

/// One of each that can be made.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = volume::made(&[
        ("mkfs.btrfs -q", 112 << 10),
        ("mkfs.xfs -q", 310 << 10),
        ("mkfs.xfs -q -m crc=0", 310 << 10),
        ("mkswap -L label", 1024),
        ("mkfs.f2fs -q -f", 64 << 10),
    ]);
    for (place, signature) in [(0x8001, &b"CD001"[..]), (0, b"hsqs"), (1024, b"H+\0\x04"), (0x10034, b"ReIsErFs")] {
        let mut bytes = vec![0; place];
        bytes.extend(signature);
        seeds.push(Image::seed(0, &bytes, 1 << 20));
    }
    seeds
}

/// One input.
pub fn run(data: &[u8]) {
    let mut image = Image::read(data);
    if image.flags & 1 != 0 {
        mend::superblock(&mut image);
    }
    volume::look(&image, &[], |_, _| Vec::new());
}
