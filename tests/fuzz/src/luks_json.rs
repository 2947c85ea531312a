//! The JSON area of LUKS2, as text, in a binary header whose checksum fits. What loads is the same after
//! it was stored.

use blockdev::{Device, Memory};
use luks::Header;
use luks::convert::{locate, state};

use crate::{cut, wrap};

const SIZE: u64 = luks::NEW_HEADER_SIZE;

/// The areas of a new volume and of conversions that were cut off.
pub fn seeds() -> Vec<Vec<u8>> {
    let headers = std::iter::once(&wrap::formatted().0).chain(cut::states().iter().map(|state| &state.header));
    headers
        .map(|header| {
            let seed = wrap::json_of(header).to_string().into_bytes();
            Header::load(&device(&seed)).expect("a good header");
            seed
        })
        .collect()
}

/// One input.
pub fn run(data: &[u8]) {
    let device = device(data);
    if let Ok(place) = locate(&device) {
        let _ = state(&place, device.size());
    }
    if let Ok(loaded) = Header::load(&device) {
        wrap::stores_and_loads(&loaded.header);
    }
}

fn device(json: &[u8]) -> Memory {
    let mut bytes = wrap::copy(SIZE, 0, 1, wrap::UUID, json);
    bytes.extend(wrap::copy(SIZE, SIZE, 1, wrap::UUID, json));
    Memory::new(bytes)
}
