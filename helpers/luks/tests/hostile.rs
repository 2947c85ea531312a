//! Headers that somebody made to hurt: one test for each thing that fuzzing found.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::cast_possible_truncation)]

mod common;

use blockdev::{Device, Memory};
use common::*;
use luks::{Error, Header};
use model::Secret;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// A good volume whose JSON area and sequence number were changed, with checksums that fit.
fn forged(change: impl Fn(&mut Value), sequence: u64) -> Memory {
    let (device, _) = staged(&options(512));
    let header = Header::load(&device).unwrap().header;
    let mut json = serde_json::to_value(header.metadata()).unwrap();
    change(&mut json);
    let size = header.copy_size();
    for place in [0, size] {
        let mut copy = device.read_vec(place, size as usize).unwrap();
        copy[16..24].copy_from_slice(&sequence.to_be_bytes());
        copy[4096..].fill(0);
        let text = json.to_string();
        copy[4096..4096 + text.len()].copy_from_slice(text.as_bytes());
        copy[448..512].fill(0);
        let sum = Sha256::digest(&copy);
        copy[448..480].copy_from_slice(&sum);
        device.write_at(place, &copy).unwrap();
    }
    device
}

#[test]
fn a_keyslot_with_a_key_of_four_gibibytes_is_refused_before_it_is_derived() {
    for size in [0_u64, 1, 48, 96, 0xffff_ffff] {
        let device = forged(|json| json["keyslots"]["0"]["area"]["key_size"] = size.into(), 5);
        let header = Header::load(&device).unwrap().header;
        assert!(matches!(header.unlock(&device, &Secret::from("another one")), Err(Error::UnsupportedCipher(_))), "{size}");
        // The second keyslot still opens.
        assert!(header.unlock(&device, &Secret::from(RECOVERY)).is_ok());
    }
}

#[test]
fn the_last_sequence_number_of_all_is_not_counted_on() {
    let device = forged(|_| {}, u64::MAX);
    let mut header = Header::load(&device).unwrap().header;
    let before = device.snapshot();
    assert!(matches!(header.store(&device), Err(Error::Invalid(_))));
    assert_eq!(device.snapshot(), before);
}
