//! What the fuzz targets share, and a module for each of them: `seeds` makes the inputs to begin with,
//! by our own code or by the system's `mkfs`, and `run` is given one input and panics if a promise is
//! broken.
//!
//! Beyond "nothing panics": looking never writes (a device of these targets panics when it is written
//! to without leave), nobody makes us ask for a great deal of memory at once ([`allocation`]), nothing
//! takes for ever (the fuzzer's own limit), and what each target says of itself.

pub mod allocation;
mod cut;
mod edits;
mod guarded;
mod image;
mod mend;
mod script;
mod volume;
mod wrap;

pub mod drives_look;
pub mod explain;
pub mod foreign;
pub mod fs_exfat;
pub mod fs_ext;
pub mod fs_fat;
pub mod fs_ntfs;
pub mod fs_other;
pub mod luks_convert;
pub mod luks_header;
pub mod luks_json;
pub mod luks_keyslot;
pub mod luks_restore;
pub mod opal_discovery;
pub mod opal_drive;
pub mod opal_host;
pub mod opal_message;
pub mod partitions;
pub mod recovery_export;
pub mod recovery_key;
pub mod recovery_sheet;
pub mod wizard_journal;

use std::path::PathBuf;

#[doc(hidden)]
pub use libfuzzer_sys;

/// The program of one target: the module of that name here.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        use fuzz::libfuzzer_sys;
        libfuzzer_sys::fuzz_target!(
            init: fuzz::begin(fuzz::$name::seeds, fuzz::$name::run),
            |data: &[u8]| fuzz::$name::run(data)
        );
    };
}

/// Called once before the first input. Where `LATCHKEY_FUZZ_SEEDS` names a folder, the inputs to begin
/// with are written there, each is tried, and that is all.
///
/// # Panics
/// If they cannot be made or one of them is a finding.
pub fn begin(seeds: fn() -> Vec<Vec<u8>>, run: fn(&[u8])) {
    let Some(folder) = std::env::var_os("LATCHKEY_FUZZ_SEEDS").map(PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).expect("a folder for the seeds");
    for (number, seed) in seeds().iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{number:03}")), seed).expect("a seed is written");
        run(seed);
    }
    std::process::exit(0);
}

/// A folder of this process, in memory where the system has a place for that. What an earlier process of this
/// number left is removed.
fn scratch() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let base = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let folder = base.join(format!("latchkey-fuzz-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder in memory");
    folder
}
