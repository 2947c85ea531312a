//! What a drive says about itself before anybody has shown a secret: Level 0 discovery and the list of
//! security protocols. Nothing is found that was not sent.

use opal::discovery::{self, Advice};
use opal::protocols;

/// Discoveries with every descriptor that is known, one by one and together; lists of protocols.
pub fn seeds() -> Vec<Vec<u8>> {
    let codes = [
        0x0001, 0x0002, 0x0003, 0x0004, 0x0005, 0x0100, 0x0200, 0x0201, 0x0202, 0x0203, 0x0301, 0x0302, 0x0303, 0x0304,
        0x0305, 0x0401, 0x0402, 0x0403, 0x0404, 0x0405, 0x0406, 0x0407, 0xc001,
    ];
    let all: Vec<u8> = codes.into_iter().flat_map(descriptor).collect();
    let mut seeds: Vec<Vec<u8>> = codes.into_iter().map(|code| wrapped(&descriptor(code))).collect();
    seeds.push(wrapped(&all));
    seeds.push(wrapped(&[descriptor(1), descriptor(2), descriptor(0x203)].concat()));
    seeds.push(vec![0, 0, 0, 0, 0, 0, 0, 3, 0, 1, 2]);
    for seed in &seeds[..seeds.len() - 1] {
        assert!(discovery::parse(seed).is_ok_and(|found| !found.truncated && !found.features.is_empty()));
    }
    seeds
}

/// A descriptor with a ComID, one administrator and a few bits.
pub(crate) fn descriptor(code: u16) -> Vec<u8> {
    let length = if code == 3 || code == 0x405 { 28 } else { 16 };
    let mut bytes = code.to_be_bytes().to_vec();
    bytes.extend([0x10, length, 0x07, 0xfe, 0, 1, 0, 0, 4, 0, 8, 0, 0]);
    bytes.resize(4 + usize::from(length), 0);
    bytes
}

/// A discovery of these descriptors.
pub(crate) fn wrapped(descriptors: &[u8]) -> Vec<u8> {
    let mut bytes = u32::try_from(descriptors.len() + 44).unwrap_or(0).to_be_bytes().to_vec();
    bytes.extend([0, 0, 0, 1]);
    bytes.resize(48, 0);
    bytes.extend(descriptors);
    bytes
}

/// One input.
pub fn run(data: &[u8]) {
    if let Ok(list) = protocols::parse(data) {
        assert!(list.all.len() + 8 <= data.len());
        let _ = (list.tcg(), list.comid_management(), list.ieee1667(), list.ata_security());
    }
    let Ok(found) = discovery::parse(data) else { return };
    assert!(found.features.len() * 4 + 48 <= data.len());
    assert!(found.truncated || found.announced <= data.len() as u64);
    let facts = found.facts();
    for kept in [None, Some(0), Some(u32::MAX)] {
        let _: Advice = facts.advice(kept);
    }
    let _ = (found.comid(), format!("{found:?} {facts:?}"));
    // As it stands in a report.
    let text = serde_json::to_string(&found).expect("it is plain data");
    assert_eq!(serde_json::from_str::<discovery::Discovery>(&text).ok(), Some(found));
}
