//! A device that says that it has flushed, and has not.

use blockdev::Device as _;
use blockdev::simulated::{Fault, Simulated};
use luks::convert;

use crate::life::{Life, Trouble};
use crate::volumes::Volume;
use crate::{FAULTS, runner};

/// What such a device loses cannot always be noticed (the crate's README says what); but nothing panics, and
/// what was never whole is not gone on with: until the first chunk, everything is there a second time.
#[test]
fn lies() {
    runner::run("faults", Trouble::Lies, FAULTS, |life: &mut Life| {
        let volume = Volume::any(life);
        let device = Simulated::new(volume.before.clone(), volume.tear);
        if life.dice.below(2) == 0 {
            device.fail(Fault::Lies);
        }
        let begun = volume.begin(&device).is_ok();
        if begun {
            device.fail(Fault::Lies);
            device.cut_after(life.up_to(volume.run_calls));
            let _ = volume.resume(&device);
        }
        let image = device.after_cut(&mut life.dice);
        let state = convert::locate(&image).ok().map(|place| convert::state(&place, image.size()));
        let stage = match state {
            None => "no header",
            Some(None) => "finished",
            Some(Some(state)) if state.done == 0 && !state.cut_off => "begun",
            Some(Some(_)) => "midway",
        };
        let device = Simulated::new(image, volume.tear);
        let end = match volume.resume(&device) {
            Err(_) if stage == "no header" => "the header is gone",
            Err(_) if stage == "finished" => "finished",
            Err(_) => "told",
            Ok(()) if volume.plain(&device) == volume.original => "unharmed",
            Ok(()) if stage == "begun" => "begun, not told",
            Ok(()) => "midway, not told",
        };
        *life.cuts.entry(end).or_default() += 1;
    });
}
