//! Conversions: the metadata of real ones that were cut off, changed. Looking never writes; with a wrong
//! password, or where it cannot be taken up, nothing is written; and what is taken up ends.

use std::ops::Range;

use blockdev::{Allocation, Device};
use luks::Header;
use luks::convert::{self, Conversion, Decryption};
use model::{Control, Silent};

use crate::cut::{self, State};
use crate::guarded::Guarded;
use crate::script::Script;
use crate::{edits, wrap};

/// Bit 0 and 1: copies that are changed (none: both); 2: wrong password; 3: another size; 4: undo; 5: begin
/// a decryption; 6: leave out what is free, give up what cannot be read.
const WRONG: u8 = 4;
const RESIZED: u8 = 8;
const UNDO: u8 = 16;
const DECRYPT: u8 = 32;
const SPARE: u8 = 64;

/// Every second page is free.
struct Striped;

impl Allocation for Striped {
    fn free_within(&self, bytes: Range<u64>) -> Vec<Range<u64>> {
        let pages = bytes.start / 4096..bytes.end.div_ceil(4096);
        let free = pages.filter(|page| page % 2 == 1).map(|page| page * 4096..(page + 1) * 4096);
        free.map(|page| page.start.max(bytes.start)..page.end.min(bytes.end)).filter(|page| !page.is_empty()).collect()
    }
}

/// Every state as it is, in each way.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (number, state) in cut::states().iter().enumerate() {
        for flags in [0, 1, 2, WRONG, UNDO, DECRYPT, SPARE] {
            seeds.push(vec![u8::try_from(number).unwrap_or(0), 0, flags]);
        }
        unchanged(state);
    }
    assert!(cut::states().len() > 8, "only {} states", cut::states().len());
    println!("{} states", cut::states().len());
    seeds
}

/// Without any change, each of them ends with the data as they were.
fn unchanged(state: &State) {
    let device = Guarded::new(state.bytes.clone());
    device.allow();
    if let Ok(mut conversion) = Conversion::open(&device, &wrap::password()) {
        conversion.run(&Control::new(), &mut Silent).expect("it ends");
    }
    let plain = match Header::load(&device) {
        Ok(loaded) => {
            let unlocked = loaded.header.unlock(&device, &wrap::password()).expect("it opens");
            let plain = luks::Plain::new(&loaded.header, &device, &unlocked).expect("nothing is under way");
            plain.read_vec(0, cut::DATA as usize).expect("all of it")
        }
        Err(_) => device.read_vec(0, cut::DATA as usize).expect("all of it"),
    };
    assert!(plain == cut::pattern(), "the data differ");
}

/// Input: state (16 bits), flags, with [`RESIZED`] by how many sectors (16, signed), then changes.
pub fn run(data: &[u8]) {
    let mut script = Script::new(data);
    let state = script.one(cut::states());
    let flags = script.u8();
    let mut size = state.bytes.len() as u64;
    if flags & RESIZED != 0 {
        size = size.saturating_add_signed(i64::from(script.u16().cast_signed()) * 512).clamp(512, 24 * wrap::MIB);
    }
    let changed = !script.is_empty();
    let mut json = wrap::json_of(&state.header);
    edits::apply(&mut json, &mut script);
    edits::cheapen(&mut json);
    let copies = if flags & 3 == 0 { 3 } else { flags & 3 };
    let bytes = if changed { state.with(&json, size, copies) } else { state.bytes.clone() };

    let device = Guarded::new(bytes);
    let Ok(place) = convert::locate(&device) else { return };
    let _ = convert::state(&place, device.size());
    let header = place.header().clone();
    if flags & WRONG != 0 {
        device.allow();
        drop(Conversion::open(&device, &wrap::wrong_password()));
        assert!(!device.is_changed(), "written to {}", device.end());
        return;
    }
    device.allow();
    if flags & UNDO != 0 {
        let result = convert::undo(&device);
        assert!(result.is_ok() || !device.is_changed(), "undo: {:?}, and something was written", result.err());
        return;
    }
    if flags & DECRYPT != 0 {
        let Ok(unlocked) = header.unlock(&device, &wrap::password()) else { return };
        let result = convert::begin_decrypt(&device, &header, &unlocked, &Decryption { used: cut::DATA });
        assert!(result.is_ok() || !device.is_changed(), "decrypt: {:?}, and something was written", result.err());
        return;
    }
    match Conversion::open(&device, &wrap::password()) {
        Ok(mut conversion) => {
            if let Ok(plain) = conversion.plain() {
                let _ = (plain.read_vec(0, 4096), plain.read_vec(plain.size().saturating_sub(1), 1));
            }
            if flags & SPARE != 0 {
                conversion.leave_out(&Striped);
                conversion.give_up_unreadable(true);
            }
            let _ = (conversion.mode(), conversion.space(), conversion.run(&Control::new(), &mut Silent));
            let _ = convert::locate(&device).map(|place| convert::state(&place, device.size()));
        }
        Err(error) => assert!(!device.is_changed(), "open: {error:?}, and something was written"),
    }
}
