//! Discoveries that were put together by hand: what no recording has, what is cut off, what lies.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use common::hex;
use opal::Error;
use opal::discovery::{self, Advice, Content, Ssc};
use proptest::prelude::*;

fn discovery(descriptors: &str) -> Vec<u8> {
    let body = hex(descriptors);
    let mut bytes = u32::try_from(body.len() + 44).unwrap().to_be_bytes().to_vec();
    bytes.extend([0, 0, 0, 1]);
    bytes.resize(48, 0);
    bytes.extend(body);
    bytes
}

const TPER: &str = "0001100c 110000000000000000000000";
const LOCKING_ON: &str = "0002100c 0b0000000000000000000000";
const LOCKING_OFF: &str = "0002100c 090000000000000000000000";
const OPAL2: &str = "02031010 07fe 0001 00 0004 0009 00 00 0000000000";

fn content(descriptors: &str) -> Content {
    discovery::parse(&discovery(descriptors)).unwrap().features.remove(0).content
}

#[test]
fn enterprise_is_enabled_from_the_factory_and_nobody_can_tell_who_owns_it() {
    let raw = discovery(&format!("{TPER} {LOCKING_ON} 01001010 07fe 0002 00 0000000000 000000 000000"));
    let facts = discovery::parse(&raw).unwrap().facts();
    assert_eq!((facts.ssc.as_slice(), facts.comid), (&[Ssc::Enterprise][..], Some(0x07fe)));
    assert_eq!(facts.owned, None);
    assert_eq!(facts.granularity, 1);
    assert_eq!(facts.advice(None), Advice::NotSupported);
}

#[test]
fn descriptors_that_no_recording_has() {
    let Content::Pyrite2(pyrite) = content("03031010 0888 0002 0000000000 ff 00 0000000000") else { panic!() };
    assert_eq!((pyrite.base_comid, pyrite.comids, pyrite.initial_pin, pyrite.reverted_pin), (0x888, 2, 0xff, 0));
    let Content::Opalite(opalite) = content("03011010 07fe 0001 0000000000 00 00 0000000000") else { panic!() };
    assert_eq!(opalite.base_comid, 0x07fe);
    let Content::Opal1(opal) = content("0200100c 0800 0001 01 00000000000000") else { panic!() };
    assert!(opal.range_crossing);
    let Content::Siis(siis) = content("0005100c 020000000000000000000000") else { panic!() };
    assert_eq!(siis.revision, 2);
    let Content::KeyPerIo(key) = content("0305100c 1000 0003 0000000000000000") else { panic!() };
    assert_eq!((key.base_comid, key.comids), (0x1000, 3));
    let Content::Ruby(ruby) = content("03041010 2000 0002 00 0004 00c0 00 ff 0000000000") else { panic!() };
    assert_eq!((ruby.admins, ruby.users, ruby.reverted_pin), (4, 192, 0xff));
    let Content::BlockSid(block) = content("0402100c 0f 01 00000000000000000000") else { panic!() };
    assert!(block.sid_differs && block.blocked && block.freeze_supported && block.frozen);
    let geometry = "0405101c 01 00000000000000 00001000 0000000000000008 0000000000000002";
    let Content::NamespaceGeometry(geometry) = content(geometry) else { panic!() };
    assert_eq!((geometry.logical_block_size, geometry.granularity, geometry.lowest_aligned_lba), (4096, 8, 2));
    assert_eq!(content("0407100c 000000000000000000000000"), Content::NamespaceShadowMbr);
    assert_eq!(content("0004100c 000000000000000000000000"), Content::SecureMessaging);
    let Content::Unknown { payload } = content("c0011004 deadbeef") else { panic!() };
    assert_eq!(payload, [0xde, 0xad, 0xbe, 0xef]);
    let Content::LockingLba(lba) = content("0401100c 000000000000000000000001") else { panic!() };
    assert_eq!(lba.controls.len(), 12);
}

#[test]
fn the_ways_of_removing_data_and_how_long_they_take() {
    let raw = "04041020 00 03 27 02 0002 0003 0001 00000000 0005 00000000000000000000000000000000";
    let Content::DataRemoval(removal) = content(raw) else { panic!() };
    assert!(removal.processing && removal.interrupted);
    assert!(removal.overwrite && removal.block_erase && removal.crypto_erase && removal.vendor);
    assert!(!removal.unmap && !removal.reset_write_pointers);
    // Twice the value; the second one is in minutes.
    assert_eq!(removal.seconds, [4, 360, 2, 10]);
}

#[test]
fn an_owner_is_seen_before_anything_is_locked() {
    let raw = discovery(&format!("{TPER} {LOCKING_OFF} {OPAL2} 0402100c 010000000000000000000000"));
    let facts = discovery::parse(&raw).unwrap().facts();
    assert_eq!(facts.owned, Some(true));
    assert_eq!(facts.advice(None), Advice::OwnedNotLocking);
    let raw = discovery(&format!("{TPER} {LOCKING_ON} {OPAL2}"));
    assert_eq!(discovery::parse(&raw).unwrap().facts().advice(None), Advice::Manage);
}

#[test]
fn a_drive_that_does_not_answer_one_by_one_is_not_offered() {
    let raw = discovery(&format!("0001100c 020000000000000000000000 {LOCKING_OFF} {OPAL2}"));
    assert_eq!(discovery::parse(&raw).unwrap().facts().advice(None), Advice::NotSupported);
}

#[test]
fn opal_2_is_talked_to_where_there_are_several() {
    let raw = discovery(&format!("{TPER} {LOCKING_OFF} 0200100c 0801 0001 00 00000000000000 {OPAL2}"));
    let facts = discovery::parse(&raw).unwrap().facts();
    assert_eq!(facts.ssc, [Ssc::Opal1, Ssc::Opal2]);
    assert_eq!(facts.comid, Some(0x07fe));
}

#[test]
fn nothing_and_too_little_are_told_apart() {
    assert!(matches!(discovery::parse(&[]), Err(Error::NoDiscovery)));
    assert!(matches!(discovery::parse(&[0; 2048]), Err(Error::NoDiscovery)));
    assert!(matches!(discovery::parse(&[0, 0, 0, 9]), Err(Error::DiscoveryShort { bytes: 4 })));
    // A header and nothing else is a drive without a function.
    let alone = discovery::parse(&discovery("")).unwrap();
    assert!(alone.features.is_empty() && !alone.truncated);
    assert_eq!(alone.facts().advice(None), Advice::None);
}

#[test]
fn what_comes_behind_the_announced_end_does_not_count() {
    let mut raw = discovery(TPER);
    raw.extend(hex(LOCKING_ON));
    let decoded = discovery::parse(&raw).unwrap();
    assert_eq!(decoded.features.len(), 1);
    assert!(!decoded.truncated);
}

#[test]
fn an_announced_length_beyond_every_buffer_is_cut() {
    let mut raw = discovery(&format!("{TPER} {OPAL2}"));
    raw[..4].copy_from_slice(&[0xff; 4]);
    raw.resize(2048, 0);
    let decoded = discovery::parse(&raw).unwrap();
    assert_eq!(decoded.features.len(), 2);
    assert!(decoded.truncated);
}

proptest! {
    #[test]
    fn no_bytes_are_too_bad(mut bytes in proptest::collection::vec(any::<u8>(), 0..600), shift in 0u8..8) {
        // Half of the cases have a length that can be true.
        if shift > 3 && bytes.len() > 4 {
            let length = u32::try_from(bytes.len() - 4).unwrap();
            bytes[..4].copy_from_slice(&length.to_be_bytes());
        }
        if let Ok(decoded) = discovery::parse(&bytes) {
            let _ = decoded.facts().advice(Some(512));
            prop_assert!(decoded.features.len() <= bytes.len() / 4);
        }
        let _ = opal::protocols::parse(&bytes);
    }

    #[test]
    fn every_cut_keeps_what_came_before_it(cut in 48usize..250) {
        let whole = discovery(&format!("{TPER} {LOCKING_OFF} {OPAL2} 0402100c 020100000000000000000000"));
        let cut = cut.min(whole.len());
        let decoded = discovery::parse(&whole[..cut]).unwrap();
        let full = discovery::parse(&whole).unwrap();
        prop_assert_eq!(decoded.truncated, cut < whole.len());
        for (ours, theirs) in decoded.features.iter().zip(&full.features) {
            if !ours.truncated {
                prop_assert_eq!(ours, theirs);
            }
        }
    }
}
