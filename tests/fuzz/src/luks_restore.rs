//! Putting a backup of a header back, whatever is in the file and on the device. What is refused leaves the
//! device as it was; what is put back is what was in the backup, and ends before the data begin.

use blockdev::{Device, Memory};
use luks::Header;

use crate::guarded::Guarded;
use crate::script::Script;
use crate::{cut, edits, wrap};

/// Onto itself, onto an empty device, onto one in the middle of a conversion; whole and cut short.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for target in 0..5 {
        for missing in [0, 1] {
            seeds.push(vec![target, missing]);
        }
    }
    seeds
}

/// Input: device, how many KiB of the backup are missing (its size is 1 MiB), a place and value of one byte, then
/// changes to the JSON area.
pub fn run(data: &[u8]) {
    let (header, template) = wrap::formatted();
    let mut script = Script::new(data);
    let target = script.u8();
    let length = template.len().saturating_sub(usize::from(script.u8()) * 4096);
    let (place, value) = (script.u32() as usize, script.u8());
    let mut json = wrap::json_of(header);
    let mut backup = template.clone();
    if !script.is_empty() {
        edits::apply(&mut json, &mut script);
        let size = header.copy_size();
        for offset in [0, size] {
            let copy = wrap::copy(size, offset, header.sequence(), wrap::UUID, json.to_string().as_bytes());
            backup[offset as usize..][..copy.len()].copy_from_slice(&copy);
        }
    }
    backup.truncate(length);
    if let Some(byte) = backup.get_mut(place).filter(|_| place > 0) {
        *byte = value;
    }

    let states = cut::states();
    let bytes = match target % 5 {
        0 => vec![0; 3 << 20],
        1 => template.iter().copied().chain(std::iter::repeat_n(7, 1 << 20)).collect(),
        2 => vec![0; 64 << 10],
        3 => states[0].bytes.clone(),
        _ => states[usize::from(target) / 5 % states.len()].bytes.clone(),
    };
    let device = Guarded::new(bytes);
    device.allow();
    match luks::restore(&device, &backup, Some(wrap::UUID)) {
        Ok(restored) => {
            let source = Header::load(&Memory::new(backup)).expect("it was restored").header;
            let loaded = Header::load(&device).expect("a header was put back");
            assert_eq!(loaded.damage, None);
            assert_eq!(loaded.header, restored);
            assert_eq!(loaded.header.metadata(), source.metadata());
            let data = source.data_offset();
            assert!(data == 0 || device.end() <= data, "written to {} with data at {data}", device.end());
            assert!(device.end() <= device.size());
        }
        Err(error) => assert!(!device.is_changed(), "{error:?}, and something was written"),
    }
}
