//! Headers and states that were made by other programs: compatibility images, damaged and hostile
//! headers, interrupted conversions.
#![allow(missing_docs, clippy::cast_possible_truncation, clippy::unwrap_used, clippy::panic)]

mod common;

use blockdev::{Device, Memory};
use common::*;
use luks::convert::{self, Conversion};
use luks::{Damage, Error, Header};
use model::{Control, Secret, Silent};

fn archive(name: &str) -> Option<Memory> {
    data(&format!("luks/archives/{name}")).map(|path| Memory::new(unxz(&path)))
}

/// Every size of JSON area there is.
#[test]
fn all_header_sizes_open() {
    let Some(path) = data("luks/archives/luks2_mda_images.tar.xz") else { return };
    let folder = tempfile::tempdir().unwrap();
    untar(&path, folder.path());
    let mut seen = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let device = Memory::new(std::fs::read(&path).unwrap());
        let loaded = Header::load(&device).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        loaded.header.unlock(&device, &Secret::from("Qx3qn46vq0v")).unwrap();
        seen.insert(loaded.header.copy_size());
    }
    assert_eq!(seen.len(), 9, "{seen:?}");
}

#[test]
fn compatibility_images_open() {
    if let Some(device) = archive("compatimage2.img.xz") {
        let header = Header::load(&device).unwrap().header;
        // Made with a cipher that we do not have: said so, not taken for a wrong password.
        let result = header.unlock(&device, &Secret::from("compatkey"));
        assert!(matches!(&result, Err(Error::UnsupportedCipher(name)) if name == "aes-cbc-essiv:sha256"), "{result:?}");
    }
    if let Some(device) = archive("luks2_keyslot_unassigned.img.xz") {
        let header = Header::load(&device).unwrap().header;
        // The key is right, but it belongs to no segment: cryptsetup opens it as an unbound key.
        let _ = header.unlock(&device, &Secret::from("compatkey")).unwrap();
    }
    for name in ["compatimage.img.xz", "compatv10image.img.xz"] {
        if let Some(device) = archive(name) {
            assert!(matches!(Header::load(&device), Err(Error::OtherVersion(1))), "{name}");
        }
    }
}

#[test]
fn what_is_not_known_is_named_and_not_touched() {
    if let Some(device) = archive("luks2_invalid_cipher.img.xz") {
        let loaded = Header::load(&device).unwrap();
        assert!(!loaded.header.is_supported());
        // The keyslots can be read all the same (cryptsetup issue 820), the data cannot.
        let unlocked = loaded.header.unlock(&device, &Secret::from("93R4P4pIqAH8")).unwrap();
        assert!(matches!(luks::Plain::new(&loaded.header, &device, &unlocked), Err(Error::UnsupportedCipher(_))));
    }
    let Some(path) = data("luks/archives/luks2_header_requirements.tar.xz") else { return };
    let folder = tempfile::tempdir().unwrap();
    untar(&path, folder.path());
    let mut refused = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let before = std::fs::read(&path).unwrap();
        let device = Memory::new(before.clone());
        let mut header = Header::load(&device).unwrap().header;
        if header.metadata().known_requirements().is_ok() {
            continue;
        }
        refused += 1;
        assert!(matches!(Conversion::open(&device, &Secret::from("blablabl")), Err(Error::UnknownRequirement(_))));
        assert!(matches!(header.remove_keyslot(&device, 0), Err(Error::UnknownRequirement(_))));
        assert!(matches!(luks::backup(&device), Err(Error::UnknownRequirement(_))));
        assert_eq!(device.snapshot(), before);
    }
    assert_eq!(refused, 1);
}

#[test]
fn hostile_headers_are_refused() {
    for name in [
        "evil_hdr-keyslot_overlap.xz",
        "evil_hdr-luks_hdr_damage.xz",
        "evil_hdr-payload_overwrite.xz",
        "evil_hdr-small_luks_device.xz",
        "evil_hdr-stripes_payload_dmg.xz",
    ] {
        let Some(device) = archive(name) else { return };
        let before = device.snapshot();
        let result = Header::load(&device);
        assert!(result.is_err(), "{name}: {result:?}");
        let target = Memory::new(vec![0; 4 * MIB as usize]);
        assert!(luks::restore(&target, &before, None).is_err(), "{name}");
        assert!(target.snapshot().iter().all(|byte| *byte == 0), "{name}");
    }
}

fn damaged(name: &str) -> Option<Memory> {
    data(&format!("luks/header-damage/images/{name}.img.xz")).map(|path| Memory::new(unxz(&path)))
}

#[test]
fn damaged_headers_are_mended_from_what_is_left() {
    let password = Secret::from(PASSWORD);
    let Some(good) = damaged("h00-good") else { return };
    let uuid = Header::load(&good).unwrap().header.uuid().to_owned();
    let bytes = good.snapshot();
    let with = |from: usize, what: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[from..from + what.len()].copy_from_slice(what);
        Memory::new(bytes)
    };
    // One copy gone: the other one mends it.
    for (device, expected) in [(with(0, &[0; 16384]), Damage::Primary), (with(16384, &[0; 16384]), Damage::Secondary)] {
        let before = device.snapshot();
        let loaded = Header::load(&device).unwrap();
        assert_eq!(loaded.damage, Some(expected));
        loaded.header.unlock(&device, &password).unwrap();
        assert_eq!(device.snapshot(), before, "reading wrote something");
        loaded.header.repair(&device, expected).unwrap();
        assert_eq!(Header::load(&device).unwrap().damage, None);
    }
    // Both binary headers gone (wipefs, GPT, pvcreate), a JSON area left: rebuilt, proven by the password.
    let mut wiped = bytes.clone();
    wiped[..6].fill(0);
    wiped[16384..16390].fill(0);
    for device in [Some(Memory::new(wiped)), damaged("h04-gpt-34-sectors")].into_iter().flatten() {
        assert!(Header::load(&device).is_err());
        let mut header = luks::rebuild(&device, Some(&uuid)).unwrap();
        header.unlock(&device, &password).unwrap();
        header.store(&device).unwrap();
        let again = Header::load(&device).unwrap();
        assert!(again.damage.is_none() && again.header.uuid() == uuid);
        again.header.unlock(&device, &password).unwrap();
    }
    // All metadata gone: nothing to rebuild from, and it says so.
    let mut noise = bytes.clone();
    noise[..32768].copy_from_slice(&pattern(32768, 1));
    assert!(matches!(luks::rebuild(&Memory::new(noise), None), Err(Error::Damaged(_))));
    // Eight bytes in a keyslot: the header is whole, and no password opens.
    if let Some(device) = damaged("h06-keyslot-8-bytes") {
        let loaded = Header::load(&device).unwrap();
        assert!(matches!(loaded.header.unlock(&device, &password), Err(Error::WrongSecret)));
        let backup = luks::backup(&good).unwrap();
        luks::restore(&device, &backup, None).unwrap();
        Header::load(&device).unwrap().header.unlock(&device, &password).unwrap();
    }
    // 64 KiB metadata areas, as we make them: a GPT write leaves the second copy alone.
    if let Some(device) = damaged("m04-gpt-34-sectors") {
        let loaded = Header::load(&device).unwrap();
        assert_eq!(loaded.damage, Some(Damage::Primary));
        loaded.header.unlock(&device, &password).unwrap();
    }
    if let Some(device) = archive("blkid-luks2-pv.img.xz") {
        assert!(matches!(Header::load(&device), Ok(loaded) if loaded.damage == Some(Damage::Primary)));
    }
}

fn state(name: &str) -> Option<Vec<u8>> {
    data(&format!("luks/reencrypt-states/images/{name}.xz")).map(|path| unxz(&path))
}

/// Interrupted by `kill -9` or torn writes, all by stock cryptsetup.
#[test]
fn every_state_that_cryptsetup_leaves_is_finished() {
    let Some(original) = state("plain.img") else { return };
    let password = Secret::from(PASSWORD);
    for name in [
        "s01-init-only.img",
        "s04-torn-secondary-hdr.img",
        "s05-hot-committed-no-data.img",
        "s06-data-written-uncommitted.img",
        "s10-moved-seg-hot-no-data.img",
        "s13-torn-data-chunk1.img",
    ] {
        let device = Memory::new(state(name).unwrap());
        let place = convert::locate(&device).unwrap();
        assert!(convert::state(&place, device.size()).is_some_and(|state| !state.ours), "{name}");
        let mut conversion = Conversion::open(&device, &password).unwrap_or_else(|error| panic!("{name}: {error}"));
        conversion.run(&Control::new(), &mut Silent).unwrap();
        assert!(plain(&device, 3 * MIB) == original[..3 * MIB as usize], "{name}");
        assert!(Header::load(&device).unwrap().damage.is_none(), "{name}");
    }
}

#[test]
fn detached_states_are_finished() {
    let (Some(original), Some(image), Some(header)) =
        (state("plain4k.img"), state("d-checksum-4096.img"), state("d-checksum-4096.hdr"))
    else {
        return;
    };
    // Torn data as well: the first sectors of the chunk are plain again.
    let mut torn = image.clone();
    for index in (0..256usize).step_by(2) {
        let at = MIB as usize + index * 4096;
        torn[at..at + 4096].copy_from_slice(&original[at..at + 4096]);
    }
    for bytes in [image, torn] {
        let (data, meta) = (Memory::new(bytes), Memory::new(header.clone()));
        let mut conversion = Conversion::open_detached(&meta, &data, &Secret::from(PASSWORD)).unwrap();
        conversion.run(&Control::new(), &mut Silent).unwrap();
        let header = Header::load(&meta).unwrap().header;
        let unlocked = header.unlock(&meta, &Secret::from(PASSWORD)).unwrap();
        let view = luks::Plain::new(&header, &data, &unlocked).unwrap();
        assert!(view.read_vec(0, original.len()).unwrap() == original);
    }
}

/// The moment in which cryptsetup itself is not safe: parked, and no header yet.
#[test]
fn a_start_without_a_header_is_no_luks() {
    let Some(bytes) = state("i1-init-moved-no-header.img") else { return };
    assert!(matches!(convert::locate(&Memory::new(bytes)), Err(Error::NotLuks)));
}

/// A header with whatever an attacker writes into it, and a checksum that fits.
fn hostile(base: &[u8], edit: impl FnOnce(&mut String)) -> Memory {
    use sha2::Digest as _;
    let mut bytes = base.to_vec();
    let size = luks::NEW_HEADER_SIZE as usize;
    for copy in [0, size] {
        bytes[copy + 448..copy + 512].fill(0);
    }
    let end = bytes[4096..size].iter().position(|byte| *byte == 0).unwrap();
    let mut text = String::from_utf8(bytes[4096..4096 + end].to_vec()).unwrap();
    edit(&mut text);
    text.truncate(size - 4097);
    for copy in [0, size] {
        bytes[copy + 4096..copy + size].fill(0);
        bytes[copy + 4096..copy + 4096 + text.len()].copy_from_slice(text.as_bytes());
        let checksum = sha2::Sha256::digest(&bytes[copy..copy + size]);
        bytes[copy + 448..copy + 480].copy_from_slice(&checksum);
    }
    Memory::new(bytes)
}

/// Everything that reads a header, on it; nothing may panic, and nothing may be written.
fn read_all(device: &Memory) {
    let before = device.snapshot();
    if let Ok(place) = convert::locate(device) {
        let header = place.header();
        let _ = convert::state(&place, device.size());
        let _ = (header.data_offset(), header.keyslots(), header.cipher(), header.key_bits(), header.whole_size());
        let _ = header.origin();
    }
    let _ = luks::backup(device);
    let _ = luks::rebuild(device, None);
    assert!(device.snapshot() == before, "reading wrote something");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

    /// Numbers of the JSON area replaced by extremes, pieces of it cut out or doubled.
    #[test]
    fn hostile_metadata_never_panic(
        place in 0usize..4000,
        what in 0usize..9,
        length in 1usize..60,
        converting in proptest::bool::ANY,
    ) {
        let device = Memory::new(pattern(4 * MIB, 1));
        device.resize(6 * MIB).unwrap();
        begun(&device, 4 * MIB, &options(4096));
        if !converting {
            let mut conversion = Conversion::open(&device, &Secret::from(PASSWORD)).unwrap();
            conversion.run(&Control::new(), &mut Silent).unwrap();
        }
        let device = hostile(&device.snapshot(), |text| {
            let at = place % text.len();
            let end = (at + length).min(text.len());
            match what {
                0 => text.replace_range(at..end, ""),
                1 => {
                    let piece = text[at..end].to_owned();
                    text.insert_str(at, &piece);
                }
                _ => {
                    // The next number after `at` becomes an extreme one.
                    let numbers = ["0", "1", "18446744073709551615", "9223372036854775808", "4294967295", "-1", "512"];
                    let digits: Vec<usize> =
                        text[at..].char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(i, _)| at + i).collect();
                    if let Some(first) = digits.first() {
                        let stop = text[*first..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |i| first + i);
                        text.replace_range(*first..stop, numbers[(what - 2) % numbers.len()]);
                    }
                }
            }
        });
        read_all(&device);
    }
}
