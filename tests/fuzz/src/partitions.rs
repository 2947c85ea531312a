//! Partition tables: GPT with checksums that fit, MBR. No partition ends beyond all numbers.

use foreign::{Foreign, recognise};

use crate::image::Image;
use crate::mend;

/// GPT in both sector sizes, with both copies and with the second alone; MBR.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = [(512, true), (4096, true), (512, false)]
        .into_iter()
        .map(|(sector, both)| Image::seed(1, &gpt(sector, both), 1 << 20))
        .collect();
    let mut mbr = vec![0; 512];
    mbr[440..444].copy_from_slice(&[1, 2, 3, 4]);
    mbr[446..462].copy_from_slice(&[0x80, 0, 2, 0, 0x83, 0, 0, 0, 8, 0, 0, 0, 0, 4, 0, 0]);
    mbr[462..478].copy_from_slice(&[0, 0, 2, 0, 0x07, 0, 0, 0, 8, 4, 0, 0, 0, 3, 0, 0]);
    mbr[510..].copy_from_slice(&[0x55, 0xaa]);
    seeds.push(Image::seed(0, &mbr, 1 << 20));
    for seed in &seeds {
        let mut image = Image::read(seed);
        mend::gpt(&mut image);
        let found = recognise(&image);
        let whole = found
            .as_ref()
            .is_ok_and(|found| matches!(&found[..], [Foreign::PartitionTable(table)] if table.partitions.len() == 2));
        assert!(whole, "{found:?}");
    }
    seeds
}

/// A mebibyte with two partitions. Its checksums are put right by whoever reads it.
fn gpt(sector: usize, both: bool) -> Vec<u8> {
    let mut bytes = vec![0; 1 << 20];
    let last = bytes.len() / sector - 1;
    let room = (4 * 128_usize).div_ceil(sector);
    for (place, other, entries) in [(1, last, 2), (last, 1, last - room)] {
        if place == 1 && !both {
            continue;
        }
        let header = &mut bytes[place * sector..][..512];
        header[..8].copy_from_slice(b"EFI PART");
        header[10] = 1;
        header[12] = 92;
        for (at, value) in [(24, place), (32, other), (40, 2 + room), (48, last - room - 1), (72, entries)] {
            header[at..at + 8].copy_from_slice(&(value as u64).to_le_bytes());
        }
        header[56..72].copy_from_slice(&[9; 16]);
        header[80] = 4;
        header[84] = 128;
        for (number, from, to) in [(0, 8, 15), (1, 16, 31)] {
            let entry = &mut bytes[entries * sector + number * 128..][..128];
            entry[..32].copy_from_slice(&[5; 32]);
            entry[32] = from;
            entry[40] = to;
            entry[56] = b'a';
        }
    }
    bytes
}

/// One input.
pub fn run(data: &[u8]) {
    let mut image = Image::read(data);
    if image.flags & 1 != 0 {
        mend::gpt(&mut image);
    }
    let Ok(found) = recognise(&image) else { return };
    for one in &found {
        let Foreign::PartitionTable(table) = one else { continue };
        for partition in &table.partitions {
            assert!(partition.start.checked_add(partition.size).is_some(), "{partition:?}");
            assert!(partition.number > 0);
        }
    }
}
