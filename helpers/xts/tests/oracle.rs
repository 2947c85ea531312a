//! Every kernel of this processor against `xts-mode`: all key sizes, sector sizes, IVs (the wrap at
//! the end of 64 bits included), lengths and alignments.

mod common;

use proptest::prelude::*;
use xts::{AreaError, Kernel, KeyError, Xts};

/// Miri checks each access to memory, and is some thousand times slower.
const CASES: u32 = if cfg!(miri) { 2 } else { 512 };

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_kernel_is_equal_to_xts_mode(
        key in prop_oneof![prop::collection::vec(any::<u8>(), 32), prop::collection::vec(any::<u8>(), 64)],
        first_iv in prop_oneof![any::<u64>(), 0..300_u64, (0..300_u64).prop_map(|before| u64::MAX - before)],
        sector_size in prop_oneof![Just(512_usize), Just(1024), Just(2048), Just(4096)],
        sectors in prop_oneof![4 => 0..12_usize, 1 => 12..140_usize],
        offset in 0..80_usize,
        seed in any::<u64>(),
    ) {
        let plain = common::noise(sectors * sector_size, seed);
        let mut expected = plain.clone();
        common::encrypt_with_oracle(&key, &mut expected, first_iv, sector_size);
        for kernel in Kernel::available() {
            let xts = Xts::with_kernel(&key, kernel).unwrap();
            // The bytes around the sectors must stay as they are.
            let mut buffer = vec![0xa5; offset + plain.len() + 80];
            let end = offset + plain.len();
            buffer[offset..end].copy_from_slice(&plain);
            xts.encrypt_sectors(&mut buffer[offset..end], first_iv, sector_size).unwrap();
            prop_assert!(buffer[offset..end] == expected[..], "{kernel} encrypts differently");
            xts.decrypt_sectors(&mut buffer[offset..end], first_iv, sector_size).unwrap();
            prop_assert!(buffer[offset..end] == plain[..], "{kernel} decrypts differently");
            prop_assert!(buffer[..offset].iter().chain(&buffer[end..]).all(|byte| *byte == 0xa5));
        }
    }

    #[test]
    fn the_parts_of_an_area_are_the_area(
        sector_size in prop_oneof![Just(512_usize), Just(4096)],
        (sectors, cut) in (1..100_usize).prop_flat_map(|sectors| (Just(sectors), 0..=sectors)),
        first_iv in any::<u64>(),
    ) {
        for kernel in Kernel::available() {
            let xts = Xts::with_kernel(&common::noise(64, 1), kernel).unwrap();
            let mut whole = common::noise(sectors * sector_size, 2);
            let mut parts = whole.clone();
            xts.encrypt_sectors(&mut whole, first_iv, sector_size).unwrap();
            let (head, tail) = parts.split_at_mut(cut * sector_size);
            xts.encrypt_sectors(head, first_iv, sector_size).unwrap();
            let tail_iv = first_iv.wrapping_add((cut * sector_size / 512) as u64);
            xts.encrypt_sectors(tail, tail_iv, sector_size).unwrap();
            prop_assert!(whole == parts, "{kernel}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn every_unit_of_a_long_area_is_right() {
    // Longer than any batch inside, and with a rest behind the last whole one.
    for key in [common::noise(32, 3), common::noise(64, 4)] {
        for sector_size in [512, 1024, 2048, 4096] {
            let plain = common::noise(sector_size * 1037, 5);
            let mut expected = plain.clone();
            common::encrypt_with_oracle(&key, &mut expected, u64::MAX - 700, sector_size);
            for kernel in Kernel::available() {
                let xts = Xts::with_kernel(&key, kernel).unwrap();
                let mut data = plain.clone();
                xts.encrypt_sectors(&mut data, u64::MAX - 700, sector_size).unwrap();
                assert!(data == expected, "{kernel} encrypts differently");
                xts.decrypt_sectors(&mut data, u64::MAX - 700, sector_size).unwrap();
                assert!(data == plain, "{kernel} decrypts differently");
            }
        }
    }
}

#[test]
fn a_key_of_another_length_is_refused() {
    for kernel in Kernel::available() {
        for bytes in [0, 1, 16, 24, 31, 33, 48, 63, 65, 128] {
            let refused = Xts::with_kernel(&vec![1; bytes], kernel).map(|_| ());
            assert_eq!(refused, Err(KeyError::Length { bytes }), "{kernel}");
        }
    }
}

#[test]
fn an_area_of_another_shape_is_refused_and_left_alone() {
    for kernel in Kernel::available() {
        let xts = Xts::with_kernel(&[1; 64], kernel).unwrap();
        let mut data = vec![7; 8192];
        for bytes in [0, 1, 16, 256, 511, 513, 520, 1536, 3072, 8192, usize::MAX] {
            let refused = xts.encrypt_sectors(&mut data, 0, bytes);
            assert_eq!(refused, Err(AreaError::SectorSize { bytes }));
            assert_eq!(xts.decrypt_sectors(&mut data, 0, bytes), refused);
        }
        for (bytes, sector_size) in [(1, 512), (511, 512), (513, 512), (4608, 4096), (2048, 4096)] {
            let refused = xts.encrypt_sectors(&mut data[..bytes], 0, sector_size);
            assert_eq!(refused, Err(AreaError::Length { bytes, sector_size }));
            assert_eq!(xts.decrypt_sectors(&mut data[..bytes], 0, sector_size), refused);
        }
        assert!(data.iter().all(|byte| *byte == 7));
    }
}

#[test]
fn what_is_not_available_is_refused() {
    let available = Kernel::available();
    assert!(available.contains(&Kernel::Portable));
    assert!(available.contains(&Kernel::best()));
    for kernel in [Kernel::ArmCrypto, Kernel::AesNi, Kernel::Vaes256, Kernel::Vaes512] {
        let made = Xts::with_kernel(&[1; 64], kernel).map(|xts| xts.kernel());
        let expected = if available.contains(&kernel) { Ok(kernel) } else { Err(KeyError::Unavailable { kernel }) };
        assert_eq!(made, expected);
    }
}

#[test]
fn debug_shows_no_key() {
    let xts = Xts::with_kernel(&[0x5a; 64], Kernel::Portable).unwrap();
    assert_eq!(format!("{xts:?}"), "Xts { kernel: Portable, .. }");
}
