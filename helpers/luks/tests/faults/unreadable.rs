//! Sectors that cannot be read: which they are is told, the rest is reached, and they can be given up.

use std::ops::Range;

use blockdev::Device;
use blockdev::simulated::{Fault, Image, Simulated, Times};
use luks::convert::{self, Conversion, Outcome};
use luks::{Error, Header};
use model::{Control, Secret, Silent};

use crate::common::PASSWORD;
use crate::life::{Life, Trouble};
use crate::midway::{finish, midway};
use crate::volumes::Volume;
use crate::{FAULTS, runner};

/// A drive cannot be read in smaller pieces than this, and does not say which of them it was.
const GRAIN: u64 = 4096;

/// Sectors of the data go bad before or during a conversion. It stops and says which; what it has come to
/// opens as it is; and when they are given up it goes on to the end, and only they are different.
#[test]
fn unreadable_sectors_are_told_and_can_be_given_up() {
    runner::run("faults", Trouble::Unreadable, FAULTS, |life| {
        let (volume, image, _) = midway(life);
        let Ok(place) = convert::locate(&image) else { return };
        if convert::state(&place, image.size()).is_none() {
            return;
        }
        let bad = sectors(life, volume, image.len() as u64);
        let device = Simulated::new(image, volume.tear);
        device.fail(Fault::Read { bytes: bad.clone(), times: Times::UntilWritten });
        let Ok(mut conversion) = Conversion::open(&device, &Secret::from(PASSWORD)) else { return };
        let found = match conversion.run(&Control::new(), &mut Silent) {
            // It was not needed any more, or written over before it was read.
            Ok(outcome) => {
                assert_eq!(outcome, Outcome::Finished);
                return finish(volume, device.snapshot());
            }
            Err(Error::Unreadable(found)) => found,
            // Of the header, the keyslots, or the place of the checksums nothing can be given up.
            Err(Error::Device(_)) => return,
            Err(error) => panic!("{error}"),
        };
        *life.cuts.entry("told").or_default() += 1;
        assert_near(&found, &bad);
        // It stopped between two chunks: any program opens what is there, all but those sectors.
        let place = convert::locate(&device).unwrap();
        let state = convert::state(&place, device.size()).unwrap();
        assert!(!state.cut_off, "{state:?}");
        let plain = luks::Plain::new(place.header(), &device, &volume.unlocked).unwrap();
        let mut lost = 0;
        for (index, piece) in volume.original.chunks(512).enumerate() {
            match plain.read_vec(index as u64 * 512, piece.len()) {
                Ok(_) if volume.is_free(index as u64 * 512) => {}
                Ok(read) => assert!(read == piece, "sector {index} differs"),
                Err(_) => lost += 512,
            }
        }
        assert!(lost > 0 && lost <= bad.end - bad.start + 2 * GRAIN, "{lost} bytes cannot be read");

        // A cut on the way, sometimes; what was given up before it stays given up.
        let mut given_up: Vec<Range<u64>> = Vec::new();
        for round in 0..3 {
            if round < 2 && life.dice.below(2) == 0 {
                device.cut_after(life.up_to(volume.run_calls));
            }
            let mut conversion = match Conversion::open(&device, &Secret::from(PASSWORD)) {
                Ok(conversion) => conversion,
                Err(Error::NotConverting | Error::NotLuks) => break,
                Err(_) if device.is_off() => {
                    device.restart(&mut life.dice);
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            conversion.give_up_unreadable(true);
            let result = conversion.run(&Control::new(), &mut Silent);
            given_up.extend_from_slice(conversion.unreadable());
            match result {
                Ok(outcome) => {
                    assert_eq!(outcome, Outcome::Finished);
                    break;
                }
                Err(_) if device.is_off() => device.restart(&mut life.dice),
                Err(error) => panic!("{error}"),
            }
        }
        given_up.iter().for_each(|range| assert_near(std::slice::from_ref(range), &bad));
        device.mend();
        let found = volume.contents(&device);
        let mut zeros = 0;
        for (found, original) in found.chunks(512).zip(volume.original.chunks(512)) {
            if found != original {
                assert!(found.iter().all(|byte| *byte == 0), "neither the data nor zeros");
                zeros += 512;
            }
        }
        assert!(zeros <= bad.end - bad.start + 2 * GRAIN, "{zeros} bytes were given up");
        *life.cuts.entry("given up").or_default() += 1;
    });
}

/// A sector that can be read at the second trial costs nothing.
#[test]
fn a_second_reading_may_succeed() {
    runner::run("faults", Trouble::Unreadable, FAULTS / 4, |life| {
        let volume = Volume::any(life);
        let bad = sectors(life, volume, volume.begun.len() as u64);
        let device = Simulated::new(volume.begun.clone(), volume.tear);
        let mut conversion = Conversion::open(&device, &Secret::from(PASSWORD)).unwrap();
        device.fail(Fault::Read { bytes: bad, times: Times::Count(1) });
        match conversion.run(&Control::new(), &mut Silent) {
            Ok(_) => *life.cuts.entry("read again").or_default() += 1,
            Err(Error::Device(_)) => *life.cuts.entry("told").or_default() += 1,
            Err(error) => panic!("{error}"),
        }
        finish(volume, device.snapshot());
    });
}

/// A drive that was pulled out for a moment has no bad sectors, and nothing of it is given up.
#[test]
fn nothing_is_given_up_of_a_drive_that_has_vanished() {
    runner::run("faults", Trouble::Vanished, FAULTS, |life| {
        let (volume, image, calls) = midway(life);
        let device = Simulated::new(image, volume.tear);
        let Ok(mut conversion) = Conversion::open(&device, &Secret::from(PASSWORD)) else { return };
        conversion.give_up_unreadable(true);
        let times = Times::Count(life.up_to(12));
        let loses = (life.dice.below(2) == 0).then(|| life.dice.roll());
        device.fail(Fault::Gone { call: life.up_to(3 * calls), times, loses });
        if conversion.run(&Control::new(), &mut Silent).is_err() {
            *life.cuts.entry("vanished").or_default() += 1;
        }
        assert_eq!(conversion.unreadable(), &[], "given up, and it was only away");
        device.plug_in(Some(&mut life.dice));
        finish(volume, device.snapshot());
    });
}

/// One sector of a header that cannot be read does not make an encrypted volume a plain one.
#[test]
fn an_unreadable_header_is_not_none() {
    let volume = Volume::any(&mut Life::new(1, Trouble::Reads));
    for image in [&volume.encrypted, &volume.begun] {
        for times in [Times::Count(1), Times::Always] {
            for copy in [0, luks::NEW_HEADER_SIZE] {
                assert_refused(volume, image, copy..copy + 512, times);
            }
        }
    }
    // Both copies: nobody can tell what it is.
    let both = 0..2 * luks::NEW_HEADER_SIZE;
    assert_refused(volume, &volume.encrypted, both.clone(), Times::Always);
    let device = Simulated::new(volume.encrypted.clone(), volume.tear);
    device.fail(Fault::Read { bytes: both, times: Times::Always });
    assert!(matches!(convert::locate(&device), Err(Error::Device(_))));
    assert!(matches!(Header::load(&device), Err(Error::Device(_))));
}

/// A conversion is not begun over what may be one, and nothing is written.
fn assert_refused(volume: &Volume, image: &Image, bytes: Range<u64>, times: Times) {
    let device = Simulated::new(image.clone(), volume.tear);
    device.fail(Fault::Read { bytes, times });
    assert!(volume.begin(&device).is_err());
    assert_eq!(device.calls(), 0, "something was written");
}

/// The first copy announces a chunk that has been begun; while it cannot be read, the second one, which does
/// not know of it, must not be gone by.
#[test]
fn the_older_header_does_not_count_while_the_newer_one_cannot_be_read() {
    runner::run("faults", Trouble::Older, FAULTS, |life| {
        let (volume, image, _) = midway(life);
        let device = Simulated::new(image.clone(), volume.tear);
        let back = matches!(convert::locate(&device), Ok(convert::Place::Back { .. }));
        let at = if back { device.size() - 0x10_0000 } else { 0 };
        let times = if life.dice.below(2) == 0 { Times::Always } else { Times::Count(life.up_to(3)) };
        device.fail(Fault::Read { bytes: at..at + 512 * life.up_to(8), times });
        if volume.resume(&device).is_err() {
            *life.cuts.entry("told").or_default() += 1;
        }
        device.mend();
        finish(volume, device.snapshot());
    });
}

/// Some sectors anywhere behind the header.
fn sectors(life: &mut Life, volume: &Volume, size: u64) -> Range<u64> {
    let tear = u64::from(volume.tear);
    let first = (0x10_0000 + life.dice.below(size - 0x10_0000 - 8 * tear)) / tear * tear;
    first..first + tear * life.up_to(8)
}

/// What is told is what is bad, in the pieces in which a drive is read.
fn assert_near(found: &[Range<u64>], bad: &Range<u64>) {
    assert!(!found.is_empty());
    for range in found {
        assert!(range.start < bad.end && bad.start < range.end, "{range:?}, and {bad:?} are bad");
        let near = range.start + GRAIN > bad.start && range.end < bad.end + GRAIN;
        assert!(near, "{range:?}, and only {bad:?} are bad");
    }
}
