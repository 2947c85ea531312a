//! A device that says that it has flushed, and has not.

use blockdev::Device as _;
use blockdev::simulated::{Fault, Image, Simulated};
use luks::convert;

use crate::life::Trouble;
use crate::volumes::Volume;
use crate::{FAULTS, runner};

/// Until the first chunk everything is there a second time, or has a checksum: what was lost is told.
#[test]
fn lies_at_the_start_are_noticed() {
    runner::run("faults", Trouble::Lies, FAULTS, |life| {
        let volume = Volume::any(life);
        let device = Simulated::new(volume.before.clone(), volume.tear);
        device.fail(Fault::Lies);
        if life.dice.below(2) == 0 {
            device.cut_after(life.up_to(volume.begin_calls));
        }
        let _ = volume.begin(&device);
        let end = resumed(volume, device.after_cut(&mut life.dice));
        assert!(end != "NOT TOLD", "gone on with, and something was lost");
        *life.cuts.entry(end).or_default() += 1;
    });
}

/// What is lost later cannot always be noticed (the crate's README says what); but nothing panics.
#[test]
fn lies_on_the_way_never_panic() {
    runner::run("faults", Trouble::Lies, FAULTS, |life| {
        let volume = Volume::any(life);
        let device = Simulated::new(volume.begun.clone(), volume.tear);
        device.fail(Fault::Lies);
        device.cut_after(life.up_to(volume.run_calls));
        let _ = volume.resume(&device);
        let end = resumed(volume, device.after_cut(&mut life.dice));
        *life.cuts.entry(end).or_default() += 1;
    });
}

/// What becomes of it on an honest device.
fn resumed(volume: &Volume, image: Image) -> &'static str {
    let state = convert::locate(&image).ok().map(|place| convert::state(&place, image.size()));
    let before = image.clone();
    let device = Simulated::new(image, volume.tear);
    match volume.resume(&device) {
        Err(_) if state.is_none() && before.begins_with(&volume.original) => "untouched",
        Err(_) if state.is_none() => "the header is gone",
        Err(_) if state == Some(None) => "finished",
        Err(_) => "told",
        Ok(()) if volume.plain(&device) == volume.original => "unharmed",
        Ok(()) => "NOT TOLD",
    }
}
