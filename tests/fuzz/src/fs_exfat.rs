//! exFAT: probing and the map. The boot regions, the FAT and the root directory are never free.

use filesystems::{Found, Kind};

use crate::image::Image;
use crate::{mend, volume};

/// Two layouts.
pub fn seeds() -> Vec<Vec<u8>> {
    volume::made(&[
        ("mkfs.exfat -L label -b 64K", 3072),
        ("mkfs.exfat -b 64K -c 512", 3072),
        ("mkfs.exfat -c 128K", 65536),
    ])
}

/// One input.
pub fn run(data: &[u8]) {
    let mut image = Image::read(data);
    if image.flags & 1 != 0 {
        mend::exfat(&mut image);
    }
    volume::look(&image, &[Kind::ExFat], metadata);
}

fn metadata(image: &Image, _: &Found) -> Vec<(u64, u64)> {
    let number = |at, bytes| volume::number(image, at, bytes);
    let sector = 1 << number(108, 1).min(12);
    let cluster = sector << number(109, 1).min(25);
    let heap = number(88, 4) * sector;
    let root = heap + number(96, 4).saturating_sub(2) * cluster;
    vec![(0, heap), (root, root + cluster)]
}
