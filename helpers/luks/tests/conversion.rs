//! In-place conversion on devices in memory, there and back. What a cut does is in `cuts`.
#![allow(missing_docs, clippy::cast_possible_truncation, clippy::unwrap_used, clippy::panic)]

mod common;

use blockdev::{Device, Memory};
use common::*;
use luks::convert::{self, Conversion, Decryption, Encryption, Mode, Outcome, Place};
use luks::{Error, Header};
use model::{Control, Progress, Secret, Silent};
use serde_json::Value;

fn finish(device: &dyn Device) {
    let mut conversion = Conversion::open(device, &Secret::from(PASSWORD)).unwrap();
    assert_eq!(conversion.run(&Control::new(), &mut Silent).unwrap(), Outcome::Finished);
}

fn begin_back(device: &dyn Device, used: u64) {
    let header = Header::load(device).unwrap().header;
    let unlocked = header.unlock(device, &Secret::from(PASSWORD)).unwrap();
    convert::begin_decrypt(device, &header, &unlocked, &Decryption { used }).unwrap();
}

#[test]
fn there_and_back_is_the_same_to_the_last_byte() {
    for (data, sector) in [(2 * MIB, 512), (3 * MIB + 8192, 4096), (5 * MIB, 4096), (5 * MIB + 512, 512)] {
        let original = pattern(data, data);
        let device = Memory::new(original.clone());
        device.resize(data + 2 * MIB).unwrap();
        begun(&device, data, &options(sector));
        finish(&device);
        assert_eq!(plain(&device, data), original);
        let bytes = device.snapshot();
        let sectors: std::collections::HashSet<&[u8]> = original.chunks(512).collect();
        assert!(!bytes.chunks(512).any(|sector| sectors.contains(sector)), "plain text is left");
        begin_back(&device, data);
        finish(&device);
        assert_eq!(device.snapshot(), original, "{data} {sector}");
    }
}

#[test]
fn recovery_key_goes_on_as_well() {
    let original = pattern(4 * MIB, 1);
    let device = Memory::new(original.clone());
    device.resize(6 * MIB).unwrap();
    begun(&device, 4 * MIB, &options(4096));
    let mut conversion = Conversion::open(&device, &Secret::from(RECOVERY)).unwrap();
    assert_eq!(conversion.mode(), Mode::Encrypt);
    conversion.run(&Control::new(), &mut Silent).unwrap();
    assert_eq!(plain(&device, 4 * MIB), original);
}

#[test]
fn undo_gives_back_everything_before_the_first_chunk_and_nothing_after() {
    let original = pattern(4 * MIB, 2);
    let device = Memory::new(original.clone());
    device.resize(6 * MIB).unwrap();
    begun(&device, 4 * MIB, &options(4096));
    assert_eq!(convert::undo(&device).unwrap(), 4 * MIB);
    assert_eq!(device.snapshot(), original);
    assert!(matches!(convert::undo(&device), Err(Error::NotLuks)));

    device.resize(6 * MIB).unwrap();
    begun(&device, 4 * MIB, &options(4096));
    let control = Control::new();
    let stop = control.clone();
    let mut sink = move |progress: &Progress| {
        if progress.done > 0 {
            stop.stop();
        }
    };
    let mut conversion = Conversion::open(&device, &Secret::from(PASSWORD)).unwrap();
    let outcome = conversion.run(&control, &mut sink).unwrap();
    if outcome == Outcome::Stopped {
        assert!(matches!(convert::undo(&device), Err(Error::Converting)));
        finish(&device);
    }
    assert_eq!(plain(&device, 4 * MIB), original);
}

/// A start that was cut off before it touched anything, and a volume that has been in use since: the
/// copy of the front is old by then and must never be put back.
#[test]
fn a_start_that_was_given_up_is_forgotten_when_the_volume_changes() {
    let original = pattern(4 * MIB, 12);
    let device = Memory::new(original.clone());
    device.resize(6 * MIB).unwrap();
    begun(&device, 4 * MIB, &options(4096));
    // As after a cut behind the first step: everything is put aside, the front is untouched.
    device.write_at(0, &original[..MIB as usize]).unwrap();
    assert!(matches!(convert::locate(&device), Ok(Place::Starting { .. })));
    let untouched = device.snapshot();
    device.write_at(1024, b"a newer superblock").unwrap();
    let changed = device.snapshot();
    assert!(matches!(convert::locate(&device), Err(Error::NotLuks)));
    assert!(matches!(Conversion::open(&device, &Secret::from(PASSWORD)), Err(Error::NotLuks)));
    assert!(device.snapshot() == changed);
    let device = Memory::new(untouched);
    finish(&device);
    assert!(plain(&device, 4 * MIB) == original);
}

#[test]
fn refusals_leave_the_device_as_it_was() {
    let original = pattern(6 * MIB, 3);
    let device = Memory::new(original.clone());
    let (staged, unlocked) = staged(&options(4096));
    let what = Encryption { used: 4 * MIB + 4096, original_size: 6 * MIB, grown: false, space: convert::Space::All };
    assert!(matches!(convert::begin_encrypt(&device, &staged, &unlocked, &what), Err(Error::NoRoom { .. })));
    let small = Memory::new(vec![1; 3 * MIB as usize]);
    let what = Encryption { used: MIB, original_size: 3 * MIB, grown: false, space: convert::Space::All };
    assert!(matches!(convert::begin_encrypt(&small, &staged, &unlocked, &what), Err(Error::TooSmall { .. })));
    assert_eq!(device.snapshot(), original);
    let what = Encryption { used: 4 * MIB, original_size: 6 * MIB, grown: false, space: convert::Space::All };
    convert::begin_encrypt(&device, &staged, &unlocked, &what).unwrap();
    assert!(matches!(convert::begin_encrypt(&device, &staged, &unlocked, &what), Err(Error::AlreadyLuks)));
    assert!(matches!(Conversion::open(&device, &Secret::from("wrong")), Err(Error::WrongSecret)));
    assert!(matches!(Conversion::open(&device, &Secret::from("")), Err(Error::EmptyPassword)));
    finish(&device);
    assert!(matches!(Conversion::open(&device, &Secret::from(PASSWORD)), Err(Error::NotConverting)));
}

#[test]
fn forged_progress_is_not_believed() {
    let device = Memory::new(pattern(4 * MIB, 4));
    device.resize(6 * MIB).unwrap();
    begun(&device, 4 * MIB, &options(4096));
    // Without the copy that was put aside, which would heal it.
    device.write_at(4 * MIB, &vec![0; MIB as usize]).unwrap();
    // Somebody without the key claims another layout, with checksums that fit.
    let header = Header::load(&device).unwrap().header;
    let claimed = |flag: &str, name: &str, value: Value| {
        let forged = Memory::new(device.snapshot());
        let change = |json: &mut Value| {
            let is_flagged = |segment: &&mut Value| segment["flags"][0] == flag;
            json["segments"].as_object_mut().unwrap().values_mut().find(is_flagged).unwrap()[name] = value.clone();
            // Nobody looks for the copy that was put aside, once a chunk has been announced.
            let is_ours = |token: &&mut Value| token["type"] == "latchkey";
            json["tokens"].as_object_mut().unwrap().values_mut().find(is_ours).unwrap()["state"] = "begun".into();
        };
        forge(&forged, 0, &header, change, 99);
        Conversion::open(&forged, &Secret::from(PASSWORD)).map(drop)
    };
    let layout = claimed("backup-final", "sector_size", 512.into());
    assert!(matches!(layout, Err(Error::ConversionForged)), "{layout:?}");
    // More data than there are before the piece that was moved would be written over it.
    let layout = claimed("backup-previous", "size", "4198400".into());
    assert!(matches!(layout, Err(Error::Invalid(_))), "{layout:?}");
}

#[test]
fn pause_waits_and_stop_comes_to_a_clean_state() {
    let original = pattern(8 * MIB, 5);
    let device = Memory::new(original.clone());
    device.resize(10 * MIB).unwrap();
    begun(&device, 8 * MIB, &options(4096));
    let control = Control::new();
    control.pause();
    std::thread::scope(|scope| {
        let worker = control.clone();
        let device = &device;
        let handle = scope.spawn(move || {
            let mut conversion = Conversion::open(device, &Secret::from(PASSWORD)).unwrap();
            conversion.run(&worker, &mut Silent).unwrap()
        });
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(!handle.is_finished(), "a paused job went on");
        control.stop();
        assert_eq!(handle.join().unwrap(), Outcome::Stopped);
    });
    let place = convert::locate(&device).unwrap();
    let state = convert::state(&place, device.size()).unwrap();
    assert!(!state.cut_off && state.ours && state.mode == Mode::Encrypt, "{state:?}");
    finish(&device);
    assert_eq!(plain(&device, 8 * MIB), original);
}
