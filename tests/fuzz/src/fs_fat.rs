//! FAT12, FAT16, FAT32: probing and the map. Everything before the data, and the root directory, is never free.

use filesystems::{Found, Kind};

use crate::image::Image;
use crate::volume;

/// One of each width.
pub fn seeds() -> Vec<Vec<u8>> {
    volume::made(&[
        ("mkfs.vfat -F 12 -n LABEL", 1024),
        ("mkfs.vfat -F 16 -s 1 -n LABEL", 3072),
        ("mkfs.vfat -F 32 -s 1 -n LABEL", 3072),
        ("mkfs.vfat -F 32 -S 4096 -s 1", 300 << 10),
    ])
}

/// One input.
pub fn run(data: &[u8]) {
    volume::look(&Image::read(data), &[Kind::Fat12, Kind::Fat16, Kind::Fat32], metadata);
}

fn metadata(image: &Image, found: &Found) -> Vec<(u64, u64)> {
    let number = |at, bytes| volume::number(image, at, bytes);
    let sector = number(11, 2);
    let fat = match number(22, 2) {
        0 => number(36, 4),
        short => short,
    };
    let data = (number(14, 2) + number(16, 1) * fat) * sector + number(17, 2) * 32;
    let mut places = vec![(0, data)];
    if found.kind == Kind::Fat32 {
        let cluster = number(13, 1) * sector;
        let data = (data).next_multiple_of(sector);
        if let Some(root) = number(44, 4).checked_sub(2) {
            places.push((data + root * cluster, data + (root + 1) * cluster));
        }
    }
    places
}
