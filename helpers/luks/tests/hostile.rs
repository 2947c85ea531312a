//! Headers that somebody made to hurt: one test for each thing that fuzzing found.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::cast_possible_truncation)]

mod common;

use std::sync::atomic::{AtomicU32, Ordering};

use blockdev::{Device, Memory};
use common::*;
use luks::convert::{self, Conversion, Decryption, Place};
use luks::{Error, Header};
use model::{Control, Secret, Silent};
use serde_json::Value;

/// A good volume whose JSON area and sequence number were changed, with checksums that fit.
fn forged(change: impl Fn(&mut Value), sequence: u64) -> Memory {
    let (device, _) = staged(&options(512));
    forge(&device, 0, &Header::load(&device).unwrap().header, change, sequence);
    device
}

/// A device that goes away after a number of writes.
struct Dying(Memory, AtomicU32);

impl Device for Dying {
    fn size(&self) -> u64 {
        self.0.size()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> blockdev::Result<()> {
        self.0.read_at(offset, buffer)
    }
    fn write_at(&self, offset: u64, data: &[u8]) -> blockdev::Result<()> {
        let left = self.1.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        if left.is_ok() { self.0.write_at(offset, data) } else { Err(blockdev::Error::Full) }
    }
    fn flush(&self) -> blockdev::Result<()> {
        Ok(())
    }
    fn resize(&self, _: u64) -> blockdev::Result<()> {
        Err(blockdev::Error::FixedSize)
    }
}

#[test]
fn a_keyslot_with_a_key_of_four_gibibytes_is_refused_before_it_is_derived() {
    for size in [0_u64, 1, 48, 96, 0xffff_ffff] {
        let device = forged(|json| json["keyslots"]["0"]["area"]["key_size"] = size.into(), 5);
        let header = Header::load(&device).unwrap().header;
        assert!(
            matches!(header.unlock(&device, &Secret::from("another one")), Err(Error::UnsupportedCipher(_))),
            "{size}"
        );
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

#[test]
fn a_decryption_that_is_taken_up_with_sizes_that_do_not_fit_writes_nothing() {
    let original = pattern(3 * MIB, 1);
    let device = Memory::new(original);
    device.resize(5 * MIB).unwrap();
    begun(&device, 3 * MIB, &options(512));
    let secret = Secret::from(PASSWORD);
    Conversion::open(&device, &secret).unwrap().run(&Control::new(), &mut Silent).unwrap();
    let encrypted = device.snapshot();
    // Cut off when the header has been put aside and the conversion is not entered yet.
    let cut = (1..40).find_map(|writes| {
        let device = Dying(Memory::new(encrypted.clone()), AtomicU32::new(writes));
        let header = Header::load(&device).unwrap().header;
        let unlocked = header.unlock(&device, &secret).unwrap();
        let _ = convert::begin_decrypt(&device, &header, &unlocked, &Decryption { used: 3 * MIB });
        match convert::locate(&device.0) {
            Ok(Place::Back { loaded, offset }) if loaded.header.metadata().reencrypt_keyslot().is_none() => {
                Some((device.0.snapshot(), loaded.header, offset))
            }
            _ => None,
        }
    });
    let (cut, header, offset) = cut.unwrap();
    for size in ["0", "1", "18446744073709551615", "x"] {
        let device = Memory::new(cut.clone());
        let change = |json: &mut Value| {
            for token in json["tokens"].as_object_mut().unwrap().values_mut() {
                if token["type"] == "latchkey" {
                    token["plain_size"] = size.into();
                }
            }
        };
        forge(&device, offset, &header, change, 9);
        let before = device.snapshot();
        let opened = Conversion::open(&device, &secret).map(|_| ());
        assert!(opened.is_err() || size.len() > 2, "{size}");
        assert!(opened.is_ok() || device.snapshot() == before, "{size}: {opened:?}");
    }
    let device = Memory::new(cut);
    Conversion::open(&device, &secret).unwrap().run(&Control::new(), &mut Silent).unwrap();
}

#[test]
fn what_is_done_never_ends_within_the_piece_that_was_moved() {
    let secret = Secret::from(PASSWORD);
    for decrypt in [false, true] {
        let device = Memory::new(pattern(3 * MIB, 1));
        device.resize(5 * MIB).unwrap();
        begun(&device, 3 * MIB, &options(512));
        if decrypt {
            Conversion::open(&device, &secret).unwrap().run(&Control::new(), &mut Silent).unwrap();
            let header = Header::load(&device).unwrap().header;
            let unlocked = header.unlock(&device, &secret).unwrap();
            convert::begin_decrypt(&device, &header, &unlocked, &Decryption { used: 3 * MIB }).unwrap();
        }
        let place = convert::locate(&device).unwrap();
        let base = if let Place::Back { offset, .. } = place { offset } else { 0 };
        let change = |json: &mut Value| {
            let segments = json["segments"].as_object_mut().unwrap();
            if decrypt {
                // The rest that is encrypted begins a page too early.
                let offset: u64 = segments["1"]["offset"].as_str().unwrap().parse().unwrap();
                segments["1"]["offset"] = (offset - 4096).to_string().into();
            } else {
                // Less is plain than what was moved away.
                segments["0"]["size"] = "4096".into();
                segments["1"]["size"] = "4096".into();
            }
        };
        forge(&device, base, place.header(), change, 90);
        let before = device.snapshot();
        let opened = Conversion::open(&device, &secret).map(|_| ());
        assert!(matches!(opened, Err(Error::Invalid(_))), "{decrypt}: {opened:?}");
        assert!(device.snapshot() == before);
    }
}

#[test]
fn a_decryption_without_room_for_its_checksums_is_not_begun() {
    let secret = Secret::from(PASSWORD);
    let device = Memory::new(pattern(3 * MIB, 1));
    device.resize(5 * MIB).unwrap();
    begun(&device, 3 * MIB, &options(512));
    Conversion::open(&device, &secret).unwrap().run(&Control::new(), &mut Silent).unwrap();
    let header = Header::load(&device).unwrap().header;
    let areas = header.metadata().keyslots.values().map(|slot| slot.area.offset.0 + slot.area.size.0);
    let full = areas.max().unwrap() - 2 * header.copy_size();
    forge(&device, 0, &header, |json| json["config"]["keyslots_size"] = full.to_string().into(), 90);
    let before = device.snapshot();
    let header = Header::load(&device).unwrap().header;
    let unlocked = header.unlock(&device, &secret).unwrap();
    convert::begin_decrypt(&device, &header, &unlocked, &Decryption { used: 3 * MIB }).unwrap_err();
    assert!(device.snapshot() == before);
    assert!(matches!(convert::locate(&device), Ok(Place::Front(_))));
}

/// JSON pointers of all numbers, also of those in strings.
fn numbers(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| numbers(field, &format!("{at}/{name}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| numbers(item, &format!("{at}/{index}"), found));
        }
        Value::String(text) if text.parse::<u64>().is_ok() => found.push(at.to_owned()),
        Value::Number(_) => found.push(at.to_owned()),
        _ => {}
    }
}

/// Every number of every state, made extreme: each way in refuses it or does something with it, and none adds it up
/// beyond 64 bits. Sector numbers are whole, so that it is not the alignment that refuses them.
#[test]
fn numbers_at_the_end_of_their_range_are_refused_wherever_they_stand() {
    const EXTREMES: [u64; 8] = [0, 512, 4096, 1 << 22, 1 << 62, i64::MAX as u64 - 511, 1 << 63, u64::MAX - 511];
    let secret = Secret::from(PASSWORD);
    let mut states = Vec::new();
    let device = Memory::new(pattern(3 * MIB, 1));
    device.resize(5 * MIB).unwrap();
    begun(&device, 3 * MIB, &options(512));
    states.push(device.snapshot());
    // With others writing to it: from here on nothing says what the parked copy must hold.
    convert::hand_over(&device).unwrap();
    states.push(device.snapshot());
    for (writes, decrypt) in [(9, false), (u32::MAX, false), (14, true)] {
        let dying = Dying(Memory::new(states[0].clone()), AtomicU32::new(if decrypt { u32::MAX } else { writes }));
        let _ = Conversion::open(&dying, &secret).unwrap().run(&Control::new(), &mut Silent);
        if decrypt {
            let header = Header::load(&dying).unwrap().header;
            let unlocked = header.unlock(&dying, &secret).unwrap();
            dying.1.store(writes, Ordering::Relaxed);
            let _ = convert::begin_decrypt(&dying, &header, &unlocked, &Decryption { used: 3 * MIB });
            let _ = Conversion::open(&dying, &secret).unwrap().run(&Control::new(), &mut Silent);
        }
        states.push(dying.0.snapshot());
    }
    let mut tried = 0;
    for state in states {
        let device = Memory::new(state.clone());
        let place = convert::locate(&device).unwrap();
        let base = if let Place::Back { offset, .. } | Place::Starting { offset, .. } = place { offset } else { 0 };
        let mut pointers = Vec::new();
        numbers(&serde_json::to_value(place.header().metadata()).unwrap(), "", &mut pointers);
        // A derivation that takes for ever is a matter of its own.
        pointers.retain(|pointer| !pointer.contains("kdf") && !pointer.ends_with("iterations"));
        for (pointer, extreme) in pointers.iter().flat_map(|pointer| EXTREMES.map(|extreme| (pointer, extreme))) {
            let forged = || {
                let device = Memory::new(state.clone());
                let change = |json: &mut Value| {
                    let number = json.pointer_mut(pointer).unwrap();
                    *number = if number.is_string() { extreme.to_string().into() } else { extreme.into() };
                };
                forge(&device, base, place.header(), change, 99);
                device
            };
            let device = forged();
            let Ok(place) = convert::locate(&device) else { continue };
            tried += 1;
            let _ = convert::state(&place, device.size());
            let _ = luks::backup(&device).map(|bytes| luks::restore(&device, &bytes, None));
            let _ = convert::undo(&forged());
            let device = forged();
            if let Ok(unlocked) = place.header().unlock(&device, &secret) {
                let what = Decryption { used: 3 * MIB };
                let _ = convert::begin_decrypt(&device, place.header(), &unlocked, &what);
            }
            let device = forged();
            if let Ok(mut conversion) = Conversion::open(&device, &secret) {
                if let Ok(plain) = conversion.plain() {
                    let _ = (plain.read_vec(0, 4096), plain.read_vec(plain.size().saturating_sub(1), 1));
                }
                let _ = conversion.run(&Control::new(), &mut Silent);
            }
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn a_backup_whose_data_begin_within_it_is_not_put_back() {
    let device = forged(|json| json["segments"]["0"]["offset"] = "131072".into(), 9);
    let before = device.snapshot();
    let restored = luks::restore(&Memory::new(vec![0; 4 * MIB as usize]), &before, None);
    assert!(matches!(restored, Err(Error::Damaged(_))), "{restored:?}");
}
