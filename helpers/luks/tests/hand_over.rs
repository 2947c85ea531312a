//! A volume that others are going to use while nothing of it is encrypted yet: power cuts at every write of it.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod common;

use blockdev::simulated::{Dice, Simulated};
use blockdev::{Device, Memory};
use common::{MIB, PASSWORD};
use luks::convert::{self, Conversion, Outcome};
use model::{Control, Secret, Silent};

const DATA: u64 = 4 * MIB;
const SIZE: u64 = DATA + 2 * MIB;

/// The data of a plain volume, and the volume after [`convert::begin_encrypt`].
fn begun() -> (Vec<u8>, Vec<u8>) {
    let data = common::pattern(DATA, 1);
    let device = Memory::new(data.clone());
    device.resize(SIZE).unwrap();
    common::begun(&device, DATA, &common::options(512));
    (data, device.snapshot())
}

#[test]
fn a_cut_at_any_write_leaves_what_can_be_taken_back_and_what_goes_on() {
    let secret = Secret::from(PASSWORD);
    let (data, begun) = begun();
    let whole = Simulated::new(begun.clone(), 512);
    convert::hand_over(&whole).unwrap();
    let calls = whole.calls();
    assert!(calls >= 4);
    for call in 1..=calls {
        for seed in 0..20 {
            let device = Simulated::new(begun.clone(), 512);
            device.cut_after(call);
            assert!(convert::hand_over(&device).is_err());
            let image = device.after_cut(&mut Dice::new(seed));
            let back = Simulated::new(image.clone(), 512);
            assert_eq!(convert::undo(&back).unwrap(), DATA);
            assert!(back.read_vec(0, data.len()).unwrap() == data, "call {call}, seed {seed}: taken back");
            let on = Simulated::new(image, 512);
            let ended = Conversion::open(&on, &secret).unwrap().run(&Control::new(), &mut Silent).unwrap();
            assert_eq!(ended, Outcome::Finished, "call {call}, seed {seed}");
            assert!(common::plain(&on, DATA) == data, "call {call}, seed {seed}: gone on");
        }
    }
}

#[test]
fn what_others_have_written_goes_on_and_is_no_lost_write() {
    let secret = Secret::from(PASSWORD);
    let (mut data, begun) = begun();
    let device = Memory::new(begun.clone());
    // The first mebibyte lies at the end now. Without a word, a change of it is what a drive that lost writes shows.
    device.write_at(SIZE - MIB, &[7; 4096]).unwrap();
    assert!(matches!(Conversion::open(&device, &secret), Err(luks::Error::LostWrites(_))));
    let device = Memory::new(begun);
    convert::hand_over(&device).unwrap();
    device.write_at(SIZE - MIB, &[7; 4096]).unwrap();
    data[..4096].fill(7);
    let mut conversion = Conversion::open(&device, &secret).unwrap();
    conversion.run(&Control::new(), &mut Silent).unwrap();
    assert!(common::plain(&device, DATA) == data);
}
