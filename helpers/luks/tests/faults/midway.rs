//! A conversion that was cut somewhere, and what befalls it then.

use blockdev::simulated::{Fault, Image, Simulated, Times};
use luks::Error;
use luks::convert::Conversion;
use model::{Control, Secret, Silent};

use crate::common::PASSWORD;
use crate::life::{Life, Trouble};
use crate::volumes::{Volume, begin_back};
use crate::{FAULTS, runner};

/// A conversion under way, there or back, and how many calls its rest takes at most.
pub fn midway(life: &mut Life) -> (&'static Volume, Image, u64) {
    let volume = Volume::any(life);
    let mut image = volume.begun.clone();
    if life.dice.below(2) == 0 {
        let device = Simulated::new(volume.encrypted.clone(), volume.tear);
        begin_back(&device, volume.size()).unwrap();
        image = device.snapshot();
    }
    let device = Simulated::new(image, volume.tear);
    device.cut_after(life.up_to(volume.run_calls));
    let _ = volume.resume(&device);
    (volume, device.after_cut(&mut life.dice), volume.run_calls)
}

/// Whatever state it is in, it gets to the end and nothing differs.
pub fn finish(volume: &Volume, image: Image) {
    let device = Simulated::new(image, volume.tear);
    match volume.resume(&device) {
        Ok(()) | Err(Error::NotConverting | Error::NotLuks) => {}
        Err(error) => panic!("{error}"),
    }
    assert!(volume.contents(&device) == volume.original);
}

/// Somebody tries again with the same [`Conversion`] after an error, and then the power goes.
#[test]
fn trying_again_without_opening_again() {
    runner::run("faults", Trouble::Again, FAULTS, |life| {
        let (volume, image, calls) = midway(life);
        let device = Simulated::new(image, volume.tear);
        let Ok(mut conversion) = Conversion::open(&device, &Secret::from(PASSWORD)) else { return };
        let call = life.up_to(calls);
        let loses = (life.dice.below(2) == 0).then(|| life.dice.roll());
        device.fail(match life.dice.below(4) {
            0 => Fault::Gone { call: life.up_to(2 * calls), times: Times::Count(1), loses },
            1 => Fault::Flush { call: 1 + call / 3, forgets: loses },
            _ => Fault::Short { call: 1 + call / 2 },
        });
        if conversion.run(&Control::new(), &mut Silent).is_err() {
            device.mend();
            *life.cuts.entry("fault").or_default() += 1;
            device.cut_after(life.up_to(calls));
            if conversion.run(&Control::new(), &mut Silent).is_err() {
                *life.cuts.entry("cut").or_default() += 1;
            }
        }
        finish(volume, device.after_cut(&mut life.dice));
    });
}
