//! The vectors of IEEE 1619-2018, Annex B, on every kernel of this processor.
//!
//! Vectors 15 to 19 are about ciphertext stealing, which whole sectors do not need.

#![allow(clippy::unwrap_used, reason = "a panic is how a test says what is wrong")]

use xts::{Kernel, Xts};

#[test]
fn every_vector_comes_out_on_every_kernel() {
    let vectors = parse(include_str!("ieee1619.txt"));
    assert_eq!(vectors.iter().map(|vector| vector.number).collect::<Vec<_>>(), (1..=14).collect::<Vec<_>>());
    for Vector { number, key, unit, plain, cipher } in vectors {
        assert_eq!(plain.len(), cipher.len());
        for kernel in Kernel::available() {
            let xts = Xts::with_kernel(&key, kernel).unwrap();
            // Vectors 1 to 3 are 32 bytes long. The blocks of XTS do not depend on those behind them, so
            // that they are the beginning of a longer sector.
            let mut data = plain.clone();
            data.resize(512, 0);
            let padded = data.clone();
            xts.encrypt_sectors(&mut data, unit, 512).unwrap();
            assert!(data[..cipher.len()] == cipher[..], "vector {number}, {kernel}");
            xts.decrypt_sectors(&mut data, unit, 512).unwrap();
            assert!(data == padded, "vector {number} back, {kernel}");
        }
    }
}

struct Vector {
    number: u32,
    key: Vec<u8>,
    unit: u64,
    plain: Vec<u8>,
    cipher: Vec<u8>,
}

fn parse(text: &str) -> Vec<Vector> {
    let paragraphs = text.split("\n\n").filter(|paragraph| paragraph.starts_with("vector"));
    paragraphs
        .map(|paragraph| {
            let field = |name: &str| paragraph.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim();
            Vector {
                number: field("vector").parse().unwrap(),
                key: bytes(field("key")),
                unit: u64::from_str_radix(field("unit"), 16).unwrap(),
                plain: bytes(field("plain")),
                cipher: bytes(field("cipher")),
            }
        })
        .collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    hex.as_bytes().chunks(2).map(|digits| u8::from_str_radix(str::from_utf8(digits).unwrap(), 16).unwrap()).collect()
}
