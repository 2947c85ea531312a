//! The reference tool opens what we make, and we open what it makes; each finishes what the other
//! began.
#![allow(missing_docs, clippy::cast_possible_truncation, clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::Path;

use blockdev::{Access, Device, FileDevice, Memory};
use common::*;
use luks::convert::{self, Conversion, Decryption, Outcome};
use luks::kdf::{Hash, Kdf};
use luks::{Header, Plain};
use model::{Control, Secret, Silent};

const FAST: [&str; 4] = ["--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000"];

fn put(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

fn open(path: &str) -> FileDevice {
    FileDevice::open(Path::new(path), Access::Exclusive).unwrap()
}

#[test]
fn cryptsetup_opens_and_changes_what_we_make() {
    if !has_cryptsetup() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (key_bits, sector_size, kdf) in [
        (512, 4096, Kdf::cheapest()),
        (256, 512, Kdf::Pbkdf2 { hash: Hash::Sha512, iterations: 1000 }),
        (512, 1024, Kdf::Argon2 { argon2i: true, time: 4, memory_kib: 64, cpus: 2 }),
    ] {
        let mut options = options(sector_size);
        options.key_bits = key_bits;
        options.kdf = kdf;
        options.label = "Ümlaut".into();
        let (memory, unlocked) = staged(&options);
        memory.resize(4 * MIB).unwrap();
        let image = put(at, "ours.img", &memory.snapshot());
        let password = put(at, "password", PASSWORD.as_bytes());
        let recovery = put(at, "recovery", RECOVERY.as_bytes());
        let dump = cryptsetup_ok(at, &["luksDump", &image]);
        assert!(dump.contains("systemd-recovery") && dump.contains("Ümlaut"), "{dump}");
        assert!(dump.contains(&format!("sector: {sector_size} [bytes]")), "{dump}");
        for key in [&password, &recovery] {
            cryptsetup_ok(at, &["open", "--test-passphrase", "--key-file", key, &image]);
        }
        let wrong = put(at, "wrong", b"wrong");
        assert!(!cryptsetup(at, &["open", "--test-passphrase", "--key-file", &wrong, &image]).status.success());

        // It adds a key to our header, and we read it.
        let added = put(at, "added", "Größer 🔑".as_bytes());
        let mut add = vec!["luksAddKey", "-q", "--key-file", &password, &image, &added];
        add.extend(FAST);
        cryptsetup_ok(at, &add);
        let device = open(&image);
        let mut header = Header::load(&device).unwrap().header;
        let third = header.unlock(&device, &Secret::from("Größer 🔑")).unwrap();
        assert_eq!(third.volume_key, unlocked.volume_key);
        // We remove a key and change one, and it reads that. Three keyslots fill a header of 1 MiB.
        header.remove_keyslot(&device, 0).unwrap();
        header.change_key(&device, &third, &Secret::from("new"), &Kdf::cheapest()).unwrap();
        drop(device);
        let new = put(at, "new", b"new");
        cryptsetup_ok(at, &["open", "--test-passphrase", "--key-file", &new, &image]);
        for gone in [&added, &password] {
            assert!(!cryptsetup(at, &["open", "--test-passphrase", "--key-file", gone, &image]).status.success());
        }
        cryptsetup_ok(at, &["repair", "-q", &image]);
    }
}

#[test]
fn we_open_what_cryptsetup_makes() {
    if !has_cryptsetup() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let password = put(at, "password", PASSWORD.as_bytes());
    for (index, extra) in [
        &["--pbkdf", "argon2id", "--pbkdf-force-iterations", "4", "--pbkdf-memory", "64"][..],
        &["--pbkdf", "argon2i", "--pbkdf-force-iterations", "4", "--pbkdf-memory", "64", "--pbkdf-parallel", "2"],
        &["--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000", "--hash", "sha1", "--key-size", "256"],
        &["--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000", "--hash", "sha512", "--sector-size", "4096"],
        &["--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000", "--luks2-metadata-size", "128k", "--label", "x"],
    ]
    .iter()
    .enumerate()
    {
        let image = put(at, &format!("theirs{index}.img"), &vec![0; 20 * MIB as usize]);
        let mut arguments = vec!["luksFormat", "-q", "--type", "luks2", "--key-file", &password];
        arguments.extend(*extra);
        arguments.push(&image);
        cryptsetup_ok(at, &arguments);
        let device = open(&image);
        let loaded = Header::load(&device).unwrap();
        assert_eq!(loaded.damage, None);
        loaded.header.unlock(&device, &Secret::from(PASSWORD)).unwrap();
        assert!(matches!(loaded.header.unlock(&device, &Secret::from("no")), Err(luks::Error::WrongSecret)));
        // Our lock is one that cryptsetup waits for.
        drop(device);
        assert_eq!(loaded.header.uuid(), cryptsetup_ok(at, &["luksUUID", &image]).trim());
    }
}

#[test]
fn header_backups_are_interchangeable_and_bound_to_their_volume() {
    if !has_cryptsetup() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let password = put(at, "password", PASSWORD.as_bytes());
    let (memory, _) = staged(&options(4096));
    memory.resize(4 * MIB).unwrap();
    let image = put(at, "a.img", &memory.snapshot());
    cryptsetup_ok(at, &["luksHeaderBackup", &image, "--header-backup-file", "theirs.bin"]);
    let device = open(&image);
    let ours = luks::backup(&device).unwrap();
    assert_eq!(ours, std::fs::read(at.join("theirs.bin")).unwrap());
    // Both headers and the first keyslot gone: their backup brings them back here.
    device.write_at(0, &vec![0; 512 * 1024]).unwrap();
    luks::restore(&device, &std::fs::read(at.join("theirs.bin")).unwrap(), None).unwrap();
    drop(device);
    cryptsetup_ok(at, &["open", "--test-passphrase", "--key-file", &password, &image]);
    // And ours there.
    let ours = put(at, "ours.bin", &ours);
    cryptsetup_ok(at, &["luksHeaderRestore", "-q", &image, "--header-backup-file", &ours]);

    let (other, _) = staged(&options(4096));
    other.resize(4 * MIB).unwrap();
    let before = other.snapshot();
    let backup = std::fs::read(&ours).unwrap();
    assert!(matches!(luks::restore(&other, &backup, None), Err(luks::Error::OtherVolume { .. })));
    other.write_at(0, &vec![0; 256 * 1024]).unwrap();
    let uuid = Header::load(&Memory::new(before)).unwrap().header.uuid().to_owned();
    assert!(matches!(luks::restore(&other, &backup, Some(&uuid)), Err(luks::Error::OtherVolume { .. })));
}

/// A device whose writes stop working after a while, like a process that was killed.
struct Killed<'a>(&'a dyn Device, std::sync::atomic::AtomicI64);

impl Killed<'_> {
    fn step(&self) -> blockdev::Result<()> {
        if self.1.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) > 0 {
            return Ok(());
        }
        Err(blockdev::Error::Full)
    }
}

impl Device for Killed<'_> {
    fn size(&self) -> u64 {
        self.0.size()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> blockdev::Result<()> {
        self.0.read_at(offset, buffer)
    }
    fn write_at(&self, offset: u64, data: &[u8]) -> blockdev::Result<()> {
        self.step()?;
        self.0.write_at(offset, data)
    }
    fn flush(&self) -> blockdev::Result<()> {
        self.0.flush()
    }
    fn resize(&self, size: u64) -> blockdev::Result<()> {
        self.0.resize(size)
    }
    fn resizable(&self) -> bool {
        self.0.resizable()
    }
}

fn killed_after(device: &dyn Device, writes: i64) -> bool {
    let killed = Killed(device, writes.into());
    let result = Conversion::open(&killed, &Secret::from(PASSWORD))
        .and_then(|mut conversion| conversion.run(&Control::new(), &mut Silent));
    matches!(result, Ok(Outcome::Finished))
}

#[test]
fn cryptsetup_finishes_what_we_began() {
    if !has_cryptsetup() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let password = put(at, "password", PASSWORD.as_bytes());
    let data = 4 * MIB + 8192;
    let original = pattern(data, 7);
    // Three writes a chunk, and some before and after: every kind of state is met.
    for writes in 0..26 {
        for sector in [512, 4096] {
            let mut bytes = original.clone();
            bytes.resize((data + 2 * MIB) as usize, 0);
            let image = put(at, "half.img", &bytes);
            let device = open(&image);
            begun(&device, data, &options(sector));
            let finished = killed_after(&device, writes);
            drop(device);
            if !finished {
                let key = ["--key-file", &password];
                cryptsetup_ok(at, &[&["repair", "-q"][..], &key, &[&image]].concat());
                // What is left to do after a repair in the last step: nothing.
                let resume = [&["reencrypt", "-q", "--resume-only", "--force-offline-reencrypt"][..], &key, &[&image]];
                let output = cryptsetup(at, &resume.concat());
                let dump = cryptsetup_ok(at, &["luksDump", &image]);
                if dump.contains("reencrypt") {
                    let json = cryptsetup_ok(at, &["luksDump", "--dump-json-metadata", &image]);
                    panic!("{writes} {sector}: {output:?} {}", &json[json.find("\"segments\"").unwrap()..]);
                }
            }
            let device = open(&image);
            assert!(plain(&device, data) == original, "{writes} writes, sector {sector}");
        }
    }
}

#[test]
fn we_finish_what_cryptsetup_began() {
    if !has_cryptsetup() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let password = put(at, "password", PASSWORD.as_bytes());
    let data = 6 * MIB;
    let original = pattern(data, 8);
    for sector in ["512", "4096"] {
        let mut bytes = original.clone();
        bytes.resize(8 * MIB as usize, 0);
        let image = put(at, "theirs.img", &bytes);
        let mut init = vec!["reencrypt", "--encrypt", "--type", "luks2", "-q", "--force-offline-reencrypt"];
        init.extend(["--reduce-device-size", "2M", "--init-only", "--key-file", &password, "--sector-size", sector]);
        init.extend(FAST);
        init.push(&image);
        cryptsetup_ok(at, &init);
        let device = open(&image);
        let state = convert::state(&convert::locate(&device).unwrap(), device.size()).unwrap();
        assert!(!state.ours && state.done == 0 && state.total == data, "{state:?}");
        // Cut off twice on the way, so that we also take up our own states of their conversion.
        killed_after(&device, 5);
        killed_after(&device, 4);
        assert!(killed_after(&device, i64::MAX));
        assert!(plain(&device, data) == original, "sector {sector}");
        drop(device);
        cryptsetup_ok(at, &["open", "--test-passphrase", "--key-file", &password, &image]);
    }
}

#[test]
fn cryptsetup_finishes_our_decryption() {
    if !has_cryptsetup() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let password = put(at, "password", PASSWORD.as_bytes());
    let data = 4 * MIB;
    let original = pattern(data, 9);
    for writes in 0..24 {
        let device = Memory::new(original.clone());
        device.resize(data + 2 * MIB).unwrap();
        begun(&device, data, &options(4096));
        assert!(killed_after(&device, i64::MAX));
        let header = Header::load(&device).unwrap().header;
        let unlocked = header.unlock(&device, &Secret::from(PASSWORD)).unwrap();
        convert::begin_decrypt(&device, &header, &unlocked, &Decryption { used: data }).unwrap();
        if killed_after(&device, writes) {
            assert!(device.snapshot() == original);
            break;
        }
        let bytes = device.snapshot();
        if matches!(convert::locate(&device), Ok(place) if convert::state(&place, device.size()).is_none_or(|state| state.done == state.total && !place.header().metadata().segments.values().any(luks::metadata::Segment::is_crypt)))
        {
            // Converted; only the tidying up was cut off.
            assert!(bytes[..data as usize] == original, "{writes}");
            continue;
        }
        // The header that was put aside is what `losetup` with an offset would show.
        let aside = bytes.len() - MIB as usize;
        let image = put(at, "half.img", &bytes);
        let detached = put(at, "half.hdr", &bytes[aside..]);
        let key = ["--key-file", &password, "--header", &detached];
        cryptsetup_ok(at, &[&["repair", "-q"][..], &key, &[&image]].concat());
        let resume = [&["reencrypt", "-q", "--resume-only", "--force-offline-reencrypt"][..], &key, &[&image]];
        cryptsetup(at, &resume.concat());
        let now = std::fs::read(&image).unwrap();
        assert!(now[..data as usize] == original, "{writes} writes");
    }
}

#[test]
fn the_view_is_what_is_inside() {
    let data = 3 * MIB;
    let original = pattern(data, 10);
    let device = Memory::new(original.clone());
    device.resize(data + 2 * MIB).unwrap();
    begun(&device, data, &options(4096));
    assert!(killed_after(&device, i64::MAX));
    let header = Header::load(&device).unwrap().header;
    let unlocked = header.unlock(&device, &Secret::from(RECOVERY)).unwrap();
    let view = Plain::new(&header, &device, &unlocked).unwrap();
    for (offset, length) in [(0, 1), (511, 2), (4095, 4097), (data - 3, 3), (12345, 70000)] {
        let piece = view.read_vec(offset, length).unwrap();
        assert_eq!(piece, original[offset as usize..offset as usize + length]);
    }
    assert!(view.read_vec(view.size() - 1, 2).is_err());
    assert!(view.write_at(0, &[1]).is_err());
}
