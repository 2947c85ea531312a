//! Headers of LUKS2 around a JSON area, and volumes of our own making.

use std::sync::OnceLock;

use blockdev::{Device, Memory};
use luks::{FormatOptions, Header};
use model::Secret;
use sha2::{Digest, Sha256};

pub(crate) const MIB: u64 = 1 << 20;
pub(crate) const UUID: &str = "0a1b2c3d-0a1b-4a1b-8a1b-0a1b2c3d4e5f";

/// The password of every volume that is made here.
pub(crate) fn password() -> Secret {
    Secret::from("test-passphrase-1")
}

/// A password that opens none of them.
pub(crate) fn wrong_password() -> Secret {
    Secret::from("another one")
}

/// One copy of a header: 4096 bytes and the JSON area, whose text is cut where it does not fit.
pub(crate) fn copy(size: u64, offset: u64, sequence: u64, uuid: &str, json: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(size).expect("sizes of headers fit")];
    bytes[..6].copy_from_slice(if offset == 0 { b"LUKS\xba\xbe" } else { b"SKUL\xba\xbe" });
    bytes[7] = 2;
    bytes[8..16].copy_from_slice(&size.to_be_bytes());
    bytes[16..24].copy_from_slice(&sequence.to_be_bytes());
    bytes[72..78].copy_from_slice(b"sha256");
    bytes[168..168 + uuid.len()].copy_from_slice(uuid.as_bytes());
    bytes[256..264].copy_from_slice(&offset.to_be_bytes());
    let room = bytes.len() - 4096;
    let length = json.len().min(room);
    bytes[4096..4096 + length].copy_from_slice(&json[..length]);
    let sum = Sha256::digest(&bytes);
    bytes[448..480].copy_from_slice(&sum);
    bytes
}

/// How the volumes are made.
pub(crate) fn options(sector_size: u32) -> FormatOptions {
    FormatOptions {
        sector_size,
        data_offset: MIB,
        digest_iterations: Some(1000),
        uuid: Some(UUID.into()),
        label: "label".into(),
        ..FormatOptions::default()
    }
}

/// A new header with one keyslot, in a mebibyte.
pub(crate) fn formatted() -> &'static (Header, Vec<u8>) {
    static MADE: OnceLock<(Header, Vec<u8>)> = OnceLock::new();
    MADE.get_or_init(|| {
        let memory = Memory::new(vec![0; MIB as usize]);
        let (mut header, unlocked) = luks::format(&memory, &options(512), &password()).expect("it is made");
        header.add_recovery_token(&memory, unlocked.keyslot).expect("a token");
        (header, memory.snapshot())
    })
}

/// A header's JSON area.
pub(crate) fn json_of(header: &Header) -> serde_json::Value {
    serde_json::to_value(header.metadata()).expect("metadata are JSON")
}

/// What is stored is what is loaded, and asking a header about itself breaks nothing.
pub(crate) fn stores_and_loads(header: &Header) {
    let _ = (header.data_offset(), header.sector_size(), header.cipher(), header.key_bits(), header.keyslots());
    let _ = (header.is_supported(), header.origin(), header.label(), header.whole_size());
    let memory = Memory::new(vec![0; usize::try_from(2 * header.copy_size()).expect("sizes of headers fit")]);
    let mut stored = header.clone();
    if stored.store(&memory).is_err() {
        assert!(memory.snapshot().iter().all(|byte| *byte == 0), "written, and an error");
        return;
    }
    let loaded = Header::load(&memory).expect("what was stored loads");
    assert_eq!(loaded.damage, None);
    // A name that fills its field has no room for the end that belongs behind it.
    if header.uuid().len() < 40 && header.label().len() < 48 {
        assert_eq!((loaded.header.uuid(), loaded.header.label()), (stored.uuid(), stored.label()));
    }
    assert_eq!(loaded.header.metadata(), header.metadata());
    assert!(loaded.header.sequence() > header.sequence());
    assert_eq!(memory.size(), 2 * header.copy_size());
}
