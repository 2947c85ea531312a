//! What the tests of this crate share.
#![allow(dead_code, missing_docs, clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

/// `../shared/data` beside the checkout. `None`, with a word on why, where there is none.
pub fn data(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("left out: {} is not there", path.display());
    None
}

/// Bytes from hexadecimal digits with any blanks between them.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits.chunks_exact(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

use std::sync::Arc;
use std::time::Duration;

use blockdev::{Device, Memory};
use model::Secret;
use opal::device::{Drive, Local, Options, Profile};
use opal::token::Value;
use opal::uid::{self, column, method};
use opal::{Error, Patience, Result, Session, Tper, Transport};

pub const MIB: u64 = 1 << 20;
pub const PIN: &str = "owner";

/// Small tables: what the tests look at does not depend on their size.
pub fn small(profile: Profile) -> Profile {
    Profile { shadow_mbr_size: MIB, data_store_size: 256 << 10, ..profile }
}

pub fn memory(profile: &Profile, data: u64) -> Arc<Memory> {
    let size = Drive::overhead(profile) + data;
    Arc::new(Memory::new(vec![0; usize::try_from(size).unwrap()]))
}

pub fn drive_of(profile: Profile) -> Arc<Drive> {
    let profile = small(profile);
    let device = memory(&profile, 4 * MIB);
    Arc::new(Drive::create(device, Options { profile, serial: "TEST0001".into() }).unwrap())
}

pub fn drive() -> Arc<Drive> {
    drive_of(Profile::default())
}

pub fn tper(drive: &Arc<Drive>) -> Tper<Local> {
    let patience = Patience { pause: Duration::ZERO, looks: 50 };
    Tper::open_with(Local(Arc::clone(drive)), patience).unwrap()
}

pub fn secret(text: &str) -> Secret {
    Secret::from(text)
}

pub fn session<'a>(tper: &'a mut Tper<Local>, sp: opal::Uid, who: opal::Uid, pin: &str) -> Result<Session<'a, Local>> {
    tper.session(sp, Some((who, &secret(pin))))
}

/// Takes ownership and activates, in plain methods.
pub fn owned(drive: &Arc<Drive>) -> Tper<Local> {
    let mut tper = tper(drive);
    let msid = drive.label().msid;
    let mut sid = session(&mut tper, uid::ADMIN_SP, uid::SID, &msid).unwrap();
    sid.set(uid::C_PIN_SID, vec![(column::PIN, Value::bytes(PIN.as_bytes()))]).unwrap();
    sid.end().unwrap();
    let mut sid = session(&mut tper, uid::ADMIN_SP, uid::SID, PIN).unwrap();
    sid.call(uid::LOCKING_SP, method::ACTIVATE, Vec::new()).unwrap();
    sid.end().unwrap();
    tper
}

pub fn admin<'a>(tper: &'a mut Tper<Local>) -> Session<'a, Local> {
    session(tper, uid::LOCKING_SP, uid::admin(1), PIN).unwrap()
}

/// Bytes that differ everywhere, so that a sector in the wrong place is noticed.
pub fn pattern(size: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut bytes = Vec::with_capacity(size);
    while bytes.len() < size {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend(state.to_le_bytes());
    }
    bytes.truncate(size);
    bytes
}

pub fn read(drive: &Drive, lba: u64, blocks: usize) -> std::result::Result<Vec<u8>, opal::device::IoError> {
    let mut buffer = vec![0; blocks * drive.block_size() as usize];
    drive.read(lba, &mut buffer)?;
    Ok(buffer)
}

pub fn snapshot(device: &Memory) -> Vec<u8> {
    device.read_vec(0, usize::try_from(device.size()).unwrap()).unwrap()
}

/// A way to the drive that ends after so many commands.
pub struct Ends {
    pub inner: Local,
    pub left: u32,
}

impl Ends {
    fn step(&mut self) -> Result<()> {
        self.left = self.left.checked_sub(1).ok_or(Error::DriveGone)?;
        Ok(())
    }
}

impl Transport for Ends {
    fn send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> Result<()> {
        self.step()?;
        self.inner.send(protocol, specific, data)
    }
    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> Result<()> {
        self.step()?;
        self.inner.receive(protocol, specific, buffer)
    }
}
