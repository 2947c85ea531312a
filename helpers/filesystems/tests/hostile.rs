//! Bytes that somebody made to hurt: nothing panics, nothing runs for ever.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test says what is wrong")]

mod common;

use std::sync::OnceLock;

use blockdev::{Device, Memory};
use common::{Bench, MIB};
use filesystems::{is_blank, probe, used_map};
use proptest::prelude::*;

/// Each kind of file system: whole where it can be small, otherwise the part that has every superblock.
fn samples() -> &'static Vec<Vec<u8>> {
    static SAMPLES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        [
            ("mkfs.ext4 -q -F -b 1024 -L x", 3 * MIB),
            ("mkfs.ext4 -q -F -b 4096 -O ^metadata_csum,^has_journal", 2 * MIB),
            ("mkfs.ext2 -q -F -b 1024", 3 * MIB),
            ("mkfs.vfat -F 12 -n LABEL", MIB),
            ("mkfs.vfat -F 16 -s 1 -n LABEL", 3 * MIB),
            ("mkfs.vfat -F 32 -s 1 -n LABEL", 3 * MIB),
            ("mkfs.exfat -L label -b 64K", 3 * MIB),
            ("mkntfs -F -Q -q -L label", 2 * MIB),
            ("mkfs.btrfs -q", 128 * MIB),
            ("mkfs.xfs -q", 320 * MIB),
            ("mkfs.xfs -q -m crc=0", 320 * MIB),
            ("mkswap -L label", MIB),
            ("mkfs.f2fs -q -f", 64 * MIB),
        ]
        .into_iter()
        .filter_map(|(mkfs, size)| {
            let bench = Bench::new();
            let path = bench.made("image", size, mkfs)?;
            let mut bytes = std::fs::read(path).unwrap();
            bytes.truncate(3 << 20);
            Some(bytes)
        })
        .collect()
    })
}

fn look(bytes: Vec<u8>) {
    let dev = Memory::new(bytes);
    let _ = is_blank(&dev);
    if let Ok(Some(found)) = probe(&dev) {
        assert!(found.size <= dev.size());
        assert!(found.block_size >= 256);
        let _ = found.max_sector_size();
        let _ = used_map(&dev, &found);
    }
}

#[test]
fn every_length_of_every_sample() {
    for sample in samples() {
        for length in
            [0, 1, 3, 510, 511, 512, 513, 1023, 1024, 1536, 2047, 2048, 4095, 4096, 65535, 65536, 66000, 69632]
        {
            look(sample[..length.min(sample.len())].to_vec());
        }
    }
}

#[test]
fn every_field_of_every_superblock_at_its_extremes() {
    for sample in samples() {
        let length = sample.len();
        let dev = Memory::new(sample.clone());
        for start in [0, 1024, 65536] {
            for at in (start..start + 512).step_by(2).filter(|at| at + 4 <= length) {
                let old = dev.read_vec(at as u64, 4).unwrap();
                for value in [0_u32, u32::MAX, 0x8000_0000, 1] {
                    dev.write_at(at as u64, &value.to_le_bytes()).unwrap();
                    if let Ok(Some(found)) = probe(&dev) {
                        let _ = used_map(&dev, &found);
                    }
                }
                dev.write_at(at as u64, &old).unwrap();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..80_000)) {
        look(bytes);
    }

    #[test]
    fn mutated_superblocks(
        which in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_usize), 1..12),
    ) {
        if samples().is_empty() {
            return Ok(());
        }
        let mut bytes = which.get(samples()).clone();
        for (index, value, place) in changes {
            // Mostly where the superblocks are.
            let start = [0, 1024, 65536][place];
            if start + 1024 <= bytes.len() {
                bytes[start + index.index(1024)] = value;
            }
        }
        look(bytes);
    }

    #[test]
    fn mutated_anywhere(
        which in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<[u8; 8]>()), 1..40),
    ) {
        if samples().is_empty() {
            return Ok(());
        }
        let mut bytes = which.get(samples()).clone();
        for (index, value) in changes {
            let at = index.index(bytes.len() - 8);
            bytes[at..at + 8].copy_from_slice(&value);
        }
        look(bytes);
    }
}

#[test]
fn the_samples_are_what_they_should_be() {
    let maps = samples().iter().filter_map(|sample| {
        let dev = Memory::new(sample.clone());
        let found = probe(&dev).ok()??;
        used_map(&dev, &found).unwrap()
    });
    // All but btrfs, XFS, swap and F2FS, if every tool is there.
    assert!(samples().len() < 13 || maps.count() == 8);
}
