//! In-place conversion on devices in memory: there and back, cut off anywhere.
#![allow(missing_docs, clippy::cast_possible_truncation, clippy::unwrap_used, clippy::panic)]

mod common;

use blockdev::simulated::{Dice, Simulated};
use blockdev::{Device, Memory};
use common::*;
use luks::convert::{self, Conversion, Decryption, Encryption, Mode, Outcome, Place};
use luks::{Error, FormatOptions, Header};
use model::{Control, Progress, Secret, Silent};
use sha2::Digest as _;

fn finish(device: &dyn Device) {
    let mut conversion = Conversion::open(device, &Secret::from(PASSWORD)).unwrap();
    assert_eq!(conversion.run(&Control::new(), &mut Silent).unwrap(), Outcome::Finished);
}

fn begin_back(device: &dyn Device, used: u64) {
    let header = Header::load(device).unwrap().header;
    let unlocked = header.unlock(device, &Secret::from(PASSWORD)).unwrap();
    convert::begin_decrypt(device, &header, &unlocked, &Decryption { used }).unwrap();
}

#[test]
fn there_and_back_is_the_same_to_the_last_byte() {
    for (data, sector) in [(2 * MIB, 512), (3 * MIB + 8192, 4096), (5 * MIB, 4096), (5 * MIB + 512, 512)] {
        let original = pattern(data, data);
        let device = Memory::new(original.clone());
        device.resize(data + 2 * MIB).unwrap();
        begun(&device, data, &options(sector));
        finish(&device);
        assert_eq!(plain(&device, data), original);
        let bytes = device.snapshot();
        let sectors: std::collections::HashSet<&[u8]> = original.chunks(512).collect();
        assert!(!bytes.chunks(512).any(|sector| sectors.contains(sector)), "plain text is left");
        begin_back(&device, data);
        finish(&device);
        assert_eq!(device.snapshot(), original, "{data} {sector}");
    }
}

#[test]
fn recovery_key_goes_on_as_well() {
    let original = pattern(4 * MIB, 1);
    let device = Memory::new(original.clone());
    device.resize(6 * MIB).unwrap();
    begun(&device, 4 * MIB, &options(4096));
    let mut conversion = Conversion::open(&device, &Secret::from(RECOVERY)).unwrap();
    assert_eq!(conversion.mode(), Mode::Encrypt);
    conversion.run(&Control::new(), &mut Silent).unwrap();
    assert_eq!(plain(&device, 4 * MIB), original);
}

#[test]
fn undo_gives_back_everything_before_the_first_chunk_and_nothing_after() {
    let original = pattern(4 * MIB, 2);
    let device = Memory::new(original.clone());
    device.resize(6 * MIB).unwrap();
    begun(&device, 4 * MIB, &options(4096));
    assert_eq!(convert::undo(&device).unwrap(), 4 * MIB);
    assert_eq!(device.snapshot(), original);
    assert!(matches!(convert::undo(&device), Err(Error::NotLuks)));

    device.resize(6 * MIB).unwrap();
    begun(&device, 4 * MIB, &options(4096));
    let control = Control::new();
    let stop = control.clone();
    let mut sink = move |progress: &Progress| {
        if progress.done > 0 {
            stop.stop();
        }
    };
    let mut conversion = Conversion::open(&device, &Secret::from(PASSWORD)).unwrap();
    let outcome = conversion.run(&control, &mut sink).unwrap();
    if outcome == Outcome::Stopped {
        assert!(matches!(convert::undo(&device), Err(Error::Converting)));
        finish(&device);
    }
    assert_eq!(plain(&device, 4 * MIB), original);
}

/// A start that was cut off before it touched anything, and a volume that has been in use since: the
/// copy of the front is old by then and must never be put back.
#[test]
fn a_start_that_was_given_up_is_forgotten_when_the_volume_changes() {
    let original = pattern(4 * MIB, 12);
    let device = Memory::new(original.clone());
    device.resize(6 * MIB).unwrap();
    begun(&device, 4 * MIB, &options(4096));
    // As after a cut behind the first step: everything is put aside, the front is untouched.
    device.write_at(0, &original[..MIB as usize]).unwrap();
    assert!(matches!(convert::locate(&device), Ok(Place::Starting { .. })));
    let untouched = device.snapshot();
    device.write_at(1024, b"a newer superblock").unwrap();
    let changed = device.snapshot();
    assert!(matches!(convert::locate(&device), Err(Error::NotLuks)));
    assert!(matches!(Conversion::open(&device, &Secret::from(PASSWORD)), Err(Error::NotLuks)));
    assert!(device.snapshot() == changed);
    let device = Memory::new(untouched);
    finish(&device);
    assert!(plain(&device, 4 * MIB) == original);
}

#[test]
fn refusals_leave_the_device_as_it_was() {
    let original = pattern(6 * MIB, 3);
    let device = Memory::new(original.clone());
    let (staged, unlocked) = staged(&options(4096));
    let what = Encryption { used: 4 * MIB + 4096, original_size: 6 * MIB, grown: false };
    assert!(matches!(convert::begin_encrypt(&device, &staged, &unlocked, &what), Err(Error::NoRoom { .. })));
    let small = Memory::new(vec![1; 3 * MIB as usize]);
    let what = Encryption { used: MIB, original_size: 3 * MIB, grown: false };
    assert!(matches!(convert::begin_encrypt(&small, &staged, &unlocked, &what), Err(Error::TooSmall { .. })));
    assert_eq!(device.snapshot(), original);
    let what = Encryption { used: 4 * MIB, original_size: 6 * MIB, grown: false };
    convert::begin_encrypt(&device, &staged, &unlocked, &what).unwrap();
    assert!(matches!(convert::begin_encrypt(&device, &staged, &unlocked, &what), Err(Error::AlreadyLuks)));
    assert!(matches!(Conversion::open(&device, &Secret::from("wrong")), Err(Error::WrongSecret)));
    assert!(matches!(Conversion::open(&device, &Secret::from("")), Err(Error::EmptyPassword)));
    finish(&device);
    assert!(matches!(Conversion::open(&device, &Secret::from(PASSWORD)), Err(Error::NotConverting)));
}

#[test]
fn forged_progress_is_not_believed() {
    let device = Memory::new(pattern(4 * MIB, 4));
    device.resize(6 * MIB).unwrap();
    begun(&device, 4 * MIB, &options(4096));
    // Without the copy that was put aside, which would heal it.
    device.write_at(4 * MIB, &vec![0; MIB as usize]).unwrap();
    // Somebody without the key claims another old layout, with checksums that fit.
    for copy in [0, luks::NEW_HEADER_SIZE] {
        let mut bytes = device.read_vec(copy, luks::NEW_HEADER_SIZE as usize).unwrap();
        let text = String::from_utf8_lossy(&bytes[4096..]).into_owned();
        let forged = text.replacen(
            r#""size":"4194304","flags":["backup-previous"]"#,
            r#""size":"4198400","flags":["backup-previous"]"#,
            1,
        );
        assert!(text != forged);
        bytes[4096..4096 + forged.len()].copy_from_slice(forged.as_bytes());
        bytes[448..512].fill(0);
        let checksum = sha2::Sha256::digest(&bytes);
        bytes[448..480].copy_from_slice(&checksum);
        device.write_at(copy, &bytes).unwrap();
    }
    assert!(matches!(Conversion::open(&device, &Secret::from(PASSWORD)), Err(Error::ConversionForged)));
}

#[test]
fn pause_waits_and_stop_comes_to_a_clean_state() {
    let original = pattern(8 * MIB, 5);
    let device = Memory::new(original.clone());
    device.resize(10 * MIB).unwrap();
    begun(&device, 8 * MIB, &options(4096));
    let control = Control::new();
    control.pause();
    std::thread::scope(|scope| {
        let worker = control.clone();
        let device = &device;
        let handle = scope.spawn(move || {
            let mut conversion = Conversion::open(device, &Secret::from(PASSWORD)).unwrap();
            conversion.run(&worker, &mut Silent).unwrap()
        });
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(!handle.is_finished(), "a paused job went on");
        control.stop();
        assert_eq!(handle.join().unwrap(), Outcome::Stopped);
    });
    let place = convert::locate(&device).unwrap();
    let state = convert::state(&place, device.size()).unwrap();
    assert!(!state.cut_off && state.ours && state.mode == Mode::Encrypt, "{state:?}");
    finish(&device);
    assert_eq!(plain(&device, 8 * MIB), original);
}

/// What comes back after a cut at the `call`-th write or flush.
fn cut(bytes: Vec<u8>, call: u64, dice: &mut Dice, work: &dyn Fn(&dyn Device) -> luks::Result<()>) -> (Vec<u8>, bool) {
    let device = Simulated::new(bytes, 512);
    device.cut_after(call);
    match work(&device) {
        Ok(()) => (device.snapshot(), true),
        Err(error) => {
            assert!(call < u64::MAX, "failed without a cut: {error}");
            (device.after_cut(dice), false)
        }
    }
}

fn resume(device: &dyn Device) -> luks::Result<()> {
    Conversion::open(device, &Secret::from(PASSWORD))?.run(&Control::new(), &mut Silent).map(|_| ())
}

/// One whole life with cuts: encrypt, cut off again and again, then decrypt, cut off again and again.
fn life(seed: u64, original: &[u8], header: &Memory, unlocked: &luks::Unlocked) {
    let data = original.len() as u64;
    let mut dice = Dice::new(seed);
    let what = Encryption { used: data, original_size: data, grown: true };
    let begin = |device: &dyn Device| convert::begin_encrypt(device, header, unlocked, &what);
    let mut bytes = original.to_vec();
    bytes.resize((data + 2 * MIB) as usize, 0);
    let blank = bytes.clone();

    let call = 1 + dice.below(60);
    let (after, begun) = cut(bytes, call, &mut dice, &begin);
    bytes = after;
    let device = Memory::new(bytes.clone());
    match convert::locate(&device) {
        // Cut before anything happened to the front.
        Err(Error::NotLuks) => {
            assert!(!begun, "seed {seed}");
            assert_eq!(bytes[..data as usize], *original, "seed {seed}: touched before the point of no return");
            bytes = blank;
            let (after, done) = cut(bytes, u64::MAX, &mut dice, &begin);
            assert!(done, "seed {seed}");
            bytes = after;
        }
        Ok(Place::Starting { .. } | Place::Front(_)) => {}
        other => panic!("seed {seed}: {other:?}"),
    }
    // Undo is safe as well.
    if dice.below(8) == 0 {
        let call = 1 + dice.below(12);
        let (after, done) = cut(bytes.clone(), call, &mut dice, &|device| convert::undo(device).map(|_| ()));
        let device = Memory::new(after);
        if !done && !matches!(convert::locate(&device), Err(Error::NotLuks)) {
            convert::undo(&device).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        }
        assert_eq!(device.snapshot()[..data as usize], *original, "seed {seed}: undo");
        if dice.below(2) == 0 {
            return;
        }
    }
    bytes = to_the_end(seed, bytes, &mut dice, &resume);
    assert_eq!(plain(&Memory::new(bytes.clone()), data), original, "seed {seed}: encrypted");

    let back = |device: &dyn Device| {
        let header = Header::load(device)?.header;
        let unlocked = header.unlock(device, &Secret::from(PASSWORD))?;
        convert::begin_decrypt(device, &header, &unlocked, &Decryption { used: data })
    };
    let call = 1 + dice.below(14);
    let (after, _) = cut(bytes, call, &mut dice, &back);
    bytes = after;
    let device = Memory::new(bytes.clone());
    if !matches!(convert::locate(&device), Ok(Place::Back { .. })) {
        let (after, done) = cut(bytes, u64::MAX, &mut dice, &back);
        assert!(done, "seed {seed}");
        bytes = after;
    }
    bytes = to_the_end(seed, bytes, &mut dice, &resume);
    assert_eq!(bytes[..data as usize], *original, "seed {seed}: decrypted");
    assert_eq!(bytes.len(), original.len(), "seed {seed}: length");
}

fn to_the_end(
    seed: u64,
    mut bytes: Vec<u8>,
    dice: &mut Dice,
    work: &dyn Fn(&dyn Device) -> luks::Result<()>,
) -> Vec<u8> {
    for round in 0..40 {
        let calls = if round < 6 { 1 + dice.below(50) } else { u64::MAX };
        if std::env::var_os("LATCHKEY_TRACE").is_some() {
            let device = Memory::new(bytes.clone());
            let place = convert::locate(&device);
            let state = place.as_ref().map(|place| convert::state(place, device.size()));
            let place = place.as_ref().map(|place| match place {
                Place::Front(loaded) => format!("front {:?} {}", loaded.damage, loaded.header.sequence()),
                Place::Starting { .. } => "starting".into(),
                Place::Back { .. } => "back".into(),
            });
            eprintln!("round {round} calls {calls}: {place:?} {state:?}");
        }
        let (after, done) = cut(bytes, calls, dice, work);
        bytes = after;
        if done {
            return bytes;
        }
        let device = Memory::new(bytes.clone());
        if std::env::var_os("LATCHKEY_TRACE").is_some() {
            let front = Header::load(&device).map(|loaded| (loaded.damage, loaded.header.sequence()));
            let end = blockdev::Part::new(&device, device.size() - MIB, MIB).unwrap();
            let end = Header::load(&end).map(|loaded| (loaded.damage, loaded.header.sequence()));
            eprintln!("cut: round front {front:?} end {end:?}");
        }
        match convert::locate(&device) {
            // Decryption came to its end and the cut took only the tidying up.
            Err(Error::NotLuks) => return bytes,
            Ok(place) if convert::state(&place, device.size()).is_none() => return bytes,
            Ok(_) => {}
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    panic!("seed {seed}: never comes to an end");
}

/// `LATCHKEY_CUTS` lives (default 120, each with several cuts), beginning at `LATCHKEY_SEED`.
#[test]
fn no_cut_loses_a_byte() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let count = number("LATCHKEY_CUTS", 120);
    let first = number("LATCHKEY_SEED", 0);
    let options: FormatOptions = options(512);
    let (header, unlocked) = staged(&options);
    for seed in first..first + count {
        let size = [2 * MIB, 2 * MIB + 512, 3 * MIB + 4096, 4 * MIB][seed as usize % 4];
        let original = pattern(size, seed);
        let _named = Named(seed);
        life(seed, &original, &header, &unlocked);
    }
}

/// Says which seed it was, wherever it failed.
struct Named(u64);

impl Drop for Named {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("run again with LATCHKEY_SEED={} LATCHKEY_CUTS=1", self.0);
        }
    }
}
