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
        let Some(before) = convert::state(&place, image.size()) else { return };
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
        let state = convert::state(&convert::locate(&device).unwrap(), device.size()).unwrap();
        if state.cut_off {
            // Only the piece that was moved first, and was being written at the cut, may stay so.
            let last = state.done + 0x10_0000 >= state.total;
            assert!(before.cut_off && before.done == state.done && last, "{state:?}");
        } else {
            assert_opens(volume, &device, &bad);
        }
        give_up(life, volume, &device, &bad);
        device.mend();
        let zeros = volume.contents(&device);
        let zeros = zeros.chunks(512).zip(volume.original.chunks(512)).filter(|(found, original)| found != original);
        let zeros = zeros.inspect(|(found, _)| assert!(found.iter().all(|byte| *byte == 0), "no data and no zeros"));
        assert!(zeros.count() as u64 * 512 <= bad.end - bad.start + 2 * GRAIN, "too much was given up");
        *life.cuts.entry("given up").or_default() += 1;
    });
}

/// It stopped between two chunks: any program opens what is there, all but the bad sectors.
fn assert_opens(volume: &Volume, device: &dyn Device, bad: &Range<u64>) {
    let place = convert::locate(device).unwrap();
    let plain = luks::Plain::new(place.header(), device, &volume.unlocked).unwrap();
    let mut lost = 0;
    for (at, piece) in (0..).step_by(512).zip(volume.original.chunks(512)) {
        match plain.read_vec(at, piece.len()) {
            Ok(read) => assert!(volume.is_free(at) || read == piece, "byte {at} differs"),
            Err(_) => lost += 512,
        }
    }
    assert!(lost > 0 && lost <= bad.end - bad.start + 2 * GRAIN, "{lost} bytes cannot be read");
}

/// Goes on to the end without the bad sectors, sometimes through a cut or two.
fn give_up(life: &mut Life, volume: &Volume, device: &Simulated, bad: &Range<u64>) {
    for round in 0.. {
        if round < 2 && life.dice.below(2) == 0 {
            device.cut_after(life.up_to(volume.run_calls));
        }
        let ended = Conversion::open(device, &Secret::from(PASSWORD)).and_then(|mut conversion| {
            conversion.give_up_unreadable(true);
            let outcome = conversion.run(&Control::new(), &mut Silent);
            conversion.unreadable().iter().for_each(|range| assert_near(std::slice::from_ref(range), bad));
            outcome
        });
        match ended {
            Ok(Outcome::Finished) | Err(Error::NotConverting | Error::NotLuks) => return,
            Err(_) if device.is_off() => device.restart(&mut life.dice),
            other => panic!("{other:?}"),
        }
    }
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
    runner::run("faults", Trouble::Vanished, FAULTS / 2, |life| {
        let (volume, image, calls) = midway(life);
        let device = Simulated::new(image, volume.tear);
        let Ok(mut conversion) = Conversion::open(&device, &Secret::from(PASSWORD)) else { return };
        conversion.give_up_unreadable(true);
        let times = Times::Count(life.up_to(12));
        let loses = (life.dice.below(2) == 0).then(|| life.dice.roll());
        device.fail(Fault::Gone { call: life.up_to(calls), times, loses });
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
    runner::run("faults", Trouble::Older, FAULTS / 4, |life| {
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
