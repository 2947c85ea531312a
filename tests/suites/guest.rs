//! The kernel and stock tools open, mount and check what we made.

// A test says what is wrong by a panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;

use rigs::files;
use rigs::guest::Guest;
use rigs::program::latchkey;
use rigs::tier::Tier;
use rigs::tool::{Error, find, run};

#[test]
fn the_guest_opens_what_stock_cryptsetup_made() {
    let Some(guest) = guest() else { return };
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("stock.img");
    let file = std::fs::File::create(&image).unwrap();
    file.set_len(64 << 20).unwrap();
    let key = folder.path().join("key");
    std::fs::write(&key, "correct horse").unwrap();
    run(Command::new(find("cryptsetup").unwrap())
        .args(["luksFormat", "--batch-mode", "--pbkdf-memory", "65536", "--pbkdf-force-iterations", "4"])
        .arg(&image)
        .arg(&key))
    .unwrap();

    let output = guest
        .disk(&image)
        .run(
            "printf 'correct horse' | cryptsetup open --key-file - \"$1\" plain
             mke2fs -q -t ext4 /dev/mapper/plain
             mount /dev/mapper/plain /mnt
             echo hello > /mnt/file
             umount /mnt
             e2fsck -f -n /dev/mapper/plain
             mount /dev/mapper/plain /mnt
             sha256sum /mnt/file
             umount /mnt
             cryptsetup close plain",
        )
        .unwrap();
    println!("the guest took {:.1} s", output.time.as_secs_f64());
    assert_eq!(output.status, 0, "{:#?}", output.lines);
    let hash = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    assert!(output.lines.iter().any(|line| line.starts_with(hash)), "{:#?}", output.lines);
}

/// The guest, or `None` where it cannot be: then the test says so and is left out. Where the whole is
/// tested that is no excuse.
fn guest() -> Option<Guest> {
    match Guest::new() {
        Ok(guest) => Some(guest),
        Err(error @ Error::Missing(_)) if Tier::now() == Tier::Quick => {
            println!("left out: {error}");
            None
        }
        Err(error) => panic!("the guest cannot be made: {error}"),
    }
}

#[test]
fn the_guest_opens_what_latchkey_encrypted_and_decrypting_is_exact() {
    let (Some(latchkey), Some(guest)) = (latchkey(), guest()) else { return };
    let size = match Tier::now() {
        Tier::Quick => 96 << 20,
        Tier::Usual => 256 << 20,
        Tier::Full => 1 << 30,
    };
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (image, keys, password, source) = (place("drive.img"), place("keys"), place("password"), place("source"));
    fs::create_dir(&keys).unwrap();
    fs::write(&password, PASSWORD).unwrap();
    files::write_some(source.as_ref(), size / 2).unwrap();
    files::ext4(image.as_ref(), size, source.as_ref()).unwrap();
    let before = files::hash(image.as_ref()).unwrap();

    let encrypt = latchkey
        .run([
            "encrypt",
            &image,
            "--password-file",
            &password,
            "--recovery-dir",
            &keys,
            "--recovery-dir-is-elsewhere",
            "--yes",
        ])
        .unwrap();
    assert!(encrypt.status.success(), "{}", String::from_utf8_lossy(&encrypt.stderr));

    // The guest gets a copy: mounting writes to a file system even where nobody writes a file.
    let copy = place("copy.img");
    fs::copy(&image, &copy).unwrap();
    let script = format!(
        "printf %s '{}' | cryptsetup open --key-file - \"$1\" by-key
         cryptsetup close by-key
         printf %s '{PASSWORD}' | cryptsetup open --key-file - \"$1\" plain
         e2fsck -f -n /dev/mapper/plain
         mount /dev/mapper/plain /mnt
         cd /mnt
         find . -type f -exec sha256sum {{}} +
         cd /
         umount /mnt
         cryptsetup close plain",
        recovery_key(keys.as_ref())
    );
    let output = guest.disk(copy.as_ref()).run(&script).unwrap();
    println!("the guest took {:.1} s for {} MiB", output.time.as_secs_f64(), size >> 20);
    assert_eq!(output.status, 0, "{:#?}", output.lines);
    assert_eq!(files::hashes_of_lines(&output.lines), files::hashes(source.as_ref()).unwrap());

    let decrypt = latchkey.run(["decrypt", &image, "--password-file", &password, "--yes"]).unwrap();
    assert!(decrypt.status.success(), "{}", String::from_utf8_lossy(&decrypt.stderr));
    assert_eq!(files::hash(image.as_ref()).unwrap(), before, "decrypting is not exact");
}

const PASSWORD: &str = "levuf guvuf vehul jihec";

/// The key as it stands on the sheet: eight groups of eight letters with hyphens, which is how stock
/// tools take it.
fn recovery_key(folder: &Path) -> String {
    let texts = files::walk(folder).into_iter().filter_map(|path| fs::read_to_string(path).ok());
    let is_key =
        |word: &&str| word.len() == 71 && word.split('-').count() == 8 && word.split('-').all(|group| group.len() == 8);
    texts
        .flat_map(|text| text.split_whitespace().find(is_key).map(str::to_owned))
        .next()
        .expect("no recovery key on the sheet")
}
