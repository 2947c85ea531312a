//! Keyslots, key derivations and digests: a good volume whose records were changed is opened. Nothing is
//! written; and if it opens, it is by the key that it was made with.

use luks::Header;

use crate::guarded::Guarded;
use crate::script::Script;
use crate::{edits, wrap};

/// Nothing changed, and a change of each kind.
pub fn seeds() -> Vec<Vec<u8>> {
    let (header, bytes) = wrap::formatted();
    header.unlock(&Guarded::new(bytes.clone()), &wrap::password()).expect("it opens");
    std::iter::once(Vec::new())
        .chain((0..200_u8).map(|place| vec![0, 0, place, 0, place % 9, place, place % 5]))
        .collect()
}

/// Input: two bytes that are put somewhere into the area of the keyslot, then changes to the JSON area.
pub fn run(data: &[u8]) {
    let (header, bytes) = wrap::formatted();
    let mut script = Script::new(data);
    let mut bytes = bytes.clone();
    let damage = script.u16();
    if damage > 0 {
        let place = usize::try_from(2 * header.copy_size()).unwrap_or(0) + usize::from(damage);
        bytes[place] ^= 1;
    }
    let mut json = wrap::json_of(header);
    edits::apply(&mut json, &mut script);
    edits::cheapen(&mut json);
    let text = json.to_string();
    let size = header.copy_size();
    for place in [0, size] {
        let copy = wrap::copy(size, place, 9, wrap::UUID, text.as_bytes());
        bytes[usize::try_from(place).unwrap_or(0)..][..copy.len()].copy_from_slice(&copy);
    }
    let device = Guarded::new(bytes);
    let Ok(loaded) = Header::load(&device) else { return };
    let _ = loaded.header.keyslots();
    let first = header.unlock(&device, &wrap::password());
    if let Ok(unlocked) = loaded.header.unlock(&device, &wrap::password()) {
        // The digest may have been changed to recognise another key; but then the old header gives it too.
        if let Ok(first) = first {
            assert!(unlocked.volume_key == first.volume_key || data.len() > 2);
        }
    }
}
