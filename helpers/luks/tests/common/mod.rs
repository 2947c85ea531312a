//! What the tests of this crate share.
#![allow(dead_code, missing_docs, clippy::cast_possible_truncation, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use blockdev::{Device, Memory};
use luks::convert::{self, Encryption};
use luks::kdf::Kdf;
use luks::{FormatOptions, Header, Unlocked};
use model::Secret;
use sha2::Digest as _;

pub const MIB: u64 = 1024 * 1024;
pub const PASSWORD: &str = "test-passphrase-1";
pub const RECOVERY: &str = "recovery-key-in-place-of-a-random-one";

/// Bytes that differ everywhere, so that a sector in the wrong place is noticed.
pub fn pattern(size: u64, seed: u64) -> Vec<u8> {
    let mut dice = blockdev::simulated::Dice::new(seed);
    let mut bytes = Vec::with_capacity(size as usize);
    while (bytes.len() as u64) < size {
        bytes.extend_from_slice(&dice.roll().to_le_bytes());
    }
    bytes.truncate(size as usize);
    bytes
}

pub fn options(sector_size: u32) -> FormatOptions {
    FormatOptions { sector_size, data_offset: MIB, digest_iterations: Some(1000), ..FormatOptions::default() }
}

/// A complete header with a password and a recovery key.
pub fn staged(options: &FormatOptions) -> (Memory, Unlocked) {
    let memory = Memory::new(vec![0; options.data_offset as usize]);
    let (mut header, unlocked) = luks::format(&memory, options, &Secret::from(PASSWORD)).unwrap();
    let slot = header.add_key(&memory, &unlocked, &Secret::from(RECOVERY), &Kdf::cheapest()).unwrap();
    header.add_recovery_token(&memory, slot).unwrap();
    (memory, unlocked)
}

/// Plain data with the free room behind it, and the conversion entered.
pub fn begun(device: &dyn Device, data: u64, options: &FormatOptions) {
    let (memory, unlocked) = staged(options);
    let what = Encryption { used: data, original_size: data, grown: true, space: convert::Space::All };
    convert::begin_encrypt(device, &memory, &unlocked, &what).unwrap();
}

/// Changes both copies of the header that lies at `base`, with checksums that fit.
pub fn forge(device: &dyn Device, base: u64, header: &Header, change: impl Fn(&mut serde_json::Value), sequence: u64) {
    let mut json = serde_json::to_value(header.metadata()).unwrap();
    change(&mut json);
    let size = header.copy_size();
    for place in [base, base + size] {
        let mut copy = device.read_vec(place, size as usize).unwrap();
        copy[16..24].copy_from_slice(&sequence.to_be_bytes());
        copy[4096..].fill(0);
        let text = json.to_string();
        copy[4096..4096 + text.len()].copy_from_slice(text.as_bytes());
        copy[448..512].fill(0);
        let sum = sha2::Sha256::digest(&copy);
        copy[448..480].copy_from_slice(&sum);
        device.write_at(place, &copy).unwrap();
    }
}

/// The decrypted data of a volume.
pub fn plain(device: &dyn Device, size: u64) -> Vec<u8> {
    let header = Header::load(device).unwrap().header;
    let unlocked = header.unlock(device, &Secret::from(PASSWORD)).unwrap();
    let view = luks::Plain::new(&header, device, &unlocked).unwrap();
    view.read_vec(0, size as usize).unwrap()
}

/// `../shared/data` beside the checkout. `None`, with a word on why, where there is none.
pub fn data(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("left out: {} is not there", path.display());
    None
}

/// Unpacks an `.xz` file.
pub fn unxz(path: &Path) -> Vec<u8> {
    let output = Command::new("xz").arg("-dc").arg(path).output().expect("xz");
    assert!(output.status.success(), "{}", path.display());
    output.stdout
}

/// Unpacks a `.tar.xz` into a folder.
pub fn untar(path: &Path, folder: &Path) {
    let status = Command::new("tar").arg("-xJf").arg(path).arg("-C").arg(folder).status().expect("tar");
    assert!(status.success(), "{}", path.display());
}

/// Whether the reference tool is on this machine.
pub fn has_cryptsetup() -> bool {
    let found = Command::new("cryptsetup").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("left out: cryptsetup is not installed");
    }
    found
}

/// Runs cryptsetup in a folder of its own, since it leaves temporary headers where it stands.
pub fn cryptsetup(folder: &Path, arguments: &[&str]) -> Output {
    Command::new("cryptsetup").args(arguments).current_dir(folder).env("LC_ALL", "C").output().expect("cryptsetup")
}

#[track_caller]
pub fn cryptsetup_ok(folder: &Path, arguments: &[&str]) -> String {
    let output = cryptsetup(folder, arguments);
    assert!(
        output.status.success(),
        "cryptsetup {}: {}{}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}
