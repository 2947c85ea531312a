//! The two copies of the binary header of LUKS2, and building them anew from a JSON area that survived.
//! What loads is the same after it was stored.

use luks::Header;
use luks::convert::{locate, state};

use crate::image::Image;
use crate::{mend, wrap};

/// Both copies, one of them, an older one, each in two sizes; and what is left without a binary header.
pub fn seeds() -> Vec<Vec<u8>> {
    let (header, _) = wrap::formatted();
    let mut seeds = Vec::new();
    for size in [0x4000_u64, 0x1_0000] {
        let mut json = wrap::json_of(header);
        json["config"]["json_size"] = (size - 4096).to_string().into();
        let json = json.to_string();
        for (first, second) in [(3, 3), (4, 3), (3, 4), (0, 3), (3, 0)] {
            let mut bytes = vec![0; 0x2_0000];
            for (place, sequence) in [(0, first), (size, second)] {
                if sequence > 0 {
                    let copy = wrap::copy(size, place, sequence, wrap::UUID, json.as_bytes());
                    bytes[place as usize..][..copy.len()].copy_from_slice(&copy);
                }
            }
            let seed = Image::seed(1, &bytes, wrap::MIB);
            Header::load(&Image::read(&seed)).expect("a good header");
            seeds.push(seed);
            bytes[..4096].fill(0);
            bytes[size as usize..][..4096].fill(0);
            seeds.push(Image::seed(1, &bytes, wrap::MIB));
        }
    }
    seeds
}

/// One input.
pub fn run(data: &[u8]) {
    use blockdev::Device;
    let mut image = Image::read(data);
    if image.flags & 1 != 0 {
        mend::luks(&mut image);
    }
    if let Ok(place) = locate(&image) {
        let _ = state(&place, image.size());
    }
    let _ = luks::backup(&image);
    if let Ok(header) = luks::rebuild(&image, Some(wrap::UUID)) {
        wrap::stores_and_loads(&header);
    }
    if let Ok(loaded) = Header::load(&image) {
        wrap::stores_and_loads(&loaded.header);
    }
}
