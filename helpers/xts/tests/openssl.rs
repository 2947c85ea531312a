//! Every kernel of this processor against the system's OpenSSL.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says what is wrong")]
#![cfg(all(target_os = "linux", not(miri)))]

mod common;

use openssl::symm::{Cipher, Crypter, Mode};
use xts::{Kernel, Xts};

#[test]
fn every_kernel_is_equal_to_openssl() {
    for (cipher, key) in
        [(Cipher::aes_128_xts(), common::noise(32, 11)), (Cipher::aes_256_xts(), common::noise(64, 12))]
    {
        for sector_size in [512, 1024, 2048, 4096] {
            for first_iv in [0, 1, 0x0123_4567_89ab_cdef, u64::MAX - 40] {
                let plain = common::noise(67 * sector_size, first_iv);
                let mut expected = plain.clone();
                encrypt_with_openssl(cipher, &key, &mut expected, first_iv, sector_size);
                for kernel in Kernel::available() {
                    let xts = Xts::with_kernel(&key, kernel).unwrap();
                    let mut data = plain.clone();
                    xts.encrypt_sectors(&mut data, first_iv, sector_size).unwrap();
                    assert!(data == expected, "{kernel} encrypts differently");
                    xts.decrypt_sectors(&mut data, first_iv, sector_size).unwrap();
                    assert!(data == plain, "{kernel} decrypts differently");
                }
            }
        }
    }
}

fn encrypt_with_openssl(cipher: Cipher, key: &[u8], data: &mut [u8], first_iv: u64, sector_size: usize) {
    for (i, sector) in data.chunks_exact_mut(sector_size).enumerate() {
        let iv = u128::from(first_iv.wrapping_add((i * sector_size / 512) as u64)).to_le_bytes();
        let mut output = vec![0; sector_size + 16];
        let mut crypter = Crypter::new(cipher, Mode::Encrypt, key, Some(&iv)).unwrap();
        let written = crypter.update(sector, &mut output).unwrap();
        assert_eq!(written, sector_size);
        sector.copy_from_slice(&output[..sector_size]);
    }
}
