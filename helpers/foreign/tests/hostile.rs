//! Bytes that somebody made to hurt: one test for each thing that fuzzing found.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use blockdev::Memory;
use filesystems::raw::crc32;
use foreign::{Foreign, recognise};

/// A GPT with checksums that fit, whose entries begin and end at these sectors.
fn gpt(entries: &[(u64, u64)]) -> Memory {
    let mut bytes = vec![0; 1 << 20];
    for (index, (first, last)) in entries.iter().enumerate() {
        let entry = &mut bytes[1024 + index * 128..][..128];
        entry[..32].fill(5);
        entry[32..40].copy_from_slice(&first.to_le_bytes());
        entry[40..48].copy_from_slice(&last.to_le_bytes());
    }
    let sum = crc32(&[&bytes[1024..1024 + 4 * 128]]);
    let header = &mut bytes[512..1024];
    header[..8].copy_from_slice(b"EFI PART");
    for (at, value) in [(12, 92_u32), (24, 1), (72, 2), (80, 4), (84, 128), (88, sum)] {
        header[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    let sum = crc32(&[&header[..92]]);
    header[16..20].copy_from_slice(&sum.to_le_bytes());
    Memory::new(bytes)
}

#[test]
fn no_partition_ends_beyond_all_numbers() {
    let sectors = u64::MAX / 512;
    let device = gpt(&[(8, 15), (sectors - 8, sectors), (16, sectors), (9, 8)]);
    let found = recognise(&device).unwrap();
    let [Foreign::PartitionTable(table)] = &found[..] else { panic!("{found:?}") };
    assert_eq!(table.partitions.iter().map(|one| one.number).collect::<Vec<_>>(), [1]);
}
