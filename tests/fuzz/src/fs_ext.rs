//! ext2, ext3, ext4: probing and the map. The superblock and the descriptors behind it are never free.

use filesystems::{Found, Kind};

use crate::image::Image;
use crate::{mend, volume};

/// One of each layout.
pub fn seeds() -> Vec<Vec<u8>> {
    volume::made(&[
        ("mkfs.ext4 -q -F -b 1024 -L x", 3072),
        ("mkfs.ext4 -q -F -b 4096 -O ^metadata_csum,^has_journal", 2048),
        ("mkfs.ext4 -q -F -b 1024 -O meta_bg,^resize_inode,^has_journal", 40960),
        ("mkfs.ext4 -q -F -b 4096 -O bigalloc,^has_journal -C 16384", 40960),
        ("mkfs.ext4 -q -F -b 1024 -O ^64bit,^metadata_csum,uninit_bg,^has_journal", 20480),
        ("mkfs.ext4 -q -F -b 1024 -O sparse_super2,^resize_inode,^has_journal", 40960),
        ("mkfs.ext2 -q -F -b 1024", 3072),
        ("mkfs.ext2 -q -F -O ^sparse_super,^resize_inode -b 1024", 20480),
    ])
}

/// One input.
pub fn run(data: &[u8]) {
    let mut image = Image::read(data);
    if image.flags & 1 != 0 {
        mend::ext(&mut image);
    }
    volume::look(&image, &[Kind::Ext2, Kind::Ext3, Kind::Ext4], metadata);
}

fn metadata(image: &Image, _: &Found) -> Vec<(u64, u64)> {
    let block = 1024 << volume::number(image, 1024 + 0x18, 4).min(6);
    let first = volume::number(image, 1024 + 0x14, 4);
    // The superblock's block and the first block of descriptors.
    vec![(0, 2048), (first * block, (first + 2) * block)]
}
