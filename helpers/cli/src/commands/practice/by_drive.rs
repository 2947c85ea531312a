//! What is different with a practice drive that encrypts by itself.

use std::path::Path;

use model::{Args, Describe, Fault, FaultKind, Secret};
use opal::pin::{Cost, WayIn};
use opal::protect;
use sha2::{Digest, Sha256};
use texts::keys;
use wizard::engine::Engine;
use wizard::hardware::{self, Powered};
use wizard::view::Typed;

use super::Folder;
use crate::speaker::Speaker;

/// What a PIN costs here. The password of a practice drive is nobody's secret, and its PINs are derived a dozen
/// times in a minute.
pub const COST: Cost = Cost { memory_kib: 32 << 10, passes: 2, lanes: 4 };

/// The drive after its power was off: seen locked, opened with the recovery key as it lies on the stick, and
/// given back. Every byte is what it was.
pub fn take_back(speaker: &Speaker, folder: &Folder, password: &Typed, before: &[u8]) -> Result<(), Fault> {
    let image = folder.image();
    let key = recovery_key(&folder.stick())?;
    speaker.line("");
    let powered = Powered::default();
    let mut own = powered.open(&image).map_err(|error| error.fault())?;
    if !hardware::look(&mut own.tper).map_err(|error| error.fault())?.locked {
        return Err(Fault::new("hardware-not-seen", FaultKind::Failed));
    }
    speaker.say(keys::CLI_PRACTICE_OPAL_LOCKED, &Args::new());
    protect::open(&mut own.tper, WayIn::Recovery, &key).map_err(|error| error.fault())?;
    if hash_of(&own.blocks().map_err(|error| error.fault())?)? != before {
        return Err(Fault::new("cli-practice-differs", FaultKind::Failed));
    }
    speaker.say(keys::CLI_PRACTICE_OPAL_RECOVERY, &Args::new());
    speaker.say(keys::CLI_PRACTICE_OPAL_BACK, &Args::new());
    hardware::give_back(&mut own, WayIn::Password, &password.secret(), COST).map_err(|error| error.fault())?;
    // Open without anything, and after the next power-off, too.
    drop(own);
    powered.let_go(&image);
    let own = powered.open(&image).map_err(|error| error.fault())?;
    if hash_of(&own.blocks().map_err(|error| error.fault())?)? != before {
        return Err(Fault::new("cli-practice-differs", FaultKind::Failed));
    }
    speaker.say(keys::CLI_PRACTICE_SAME, &Args::new());
    speaker.say(keys::CLI_PRACTICE_CLEANED, &Args::new());
    Ok(())
}

/// The key on the one sheet that lies there.
fn recovery_key(stick: &Path) -> Result<Secret, Fault> {
    let missing = || Fault::new("cli-practice-differs", FaultKind::Failed);
    let files = std::fs::read_dir(stick).map_err(|_| missing())?.flatten();
    let texts = files.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
    let key = texts.into_iter().find_map(|text| recovery::read_back(&text).ok());
    Ok(key.ok_or_else(missing)?.secret())
}

/// SHA-256 of what the computer sees of the drive.
pub fn hash(engine: &dyn Engine, image: &Path) -> Result<Vec<u8>, Fault> {
    let mut hash = Err(Fault::new("cli-practice-differs", FaultKind::Failed));
    engine
        .read_plain(image, &Secret::from(""), &mut |device| {
            hash = hash_of(device);
            Ok(())
        })
        .map_err(|error| error.fault())?;
    hash
}

fn hash_of(device: &dyn blockdev::Device) -> Result<Vec<u8>, Fault> {
    const PIECE: u64 = 1 << 20;
    let mut hash = Sha256::new();
    let mut at = 0;
    while at < device.size() {
        let length = usize::try_from(PIECE.min(device.size() - at)).unwrap_or(0);
        hash.update(device.read_vec(at, length).map_err(|error| error.fault())?);
        at += length as u64;
    }
    Ok(hash.finalize().to_vec())
}
