//! `latchkey` from beginning to end on images, beside stock `cryptsetup`.

// A test says what is wrong by a panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::process::Command;

use rigs::files;
use rigs::program::latchkey;
use rigs::tool::{find, output};

#[test]
fn the_practice_run_goes_all_the_way_without_a_terminal() {
    let Some(latchkey) = latchkey() else { return };
    let begun = std::time::Instant::now();
    let done = latchkey.run(["practice", "--yes"]).unwrap();
    let seconds = begun.elapsed().as_secs_f64();
    println!("the practice run took {seconds:.1} s");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(!said.contains("[cli-") && !said.contains("[reason-"), "a sentence is missing:\n{said}");
}

#[test]
fn what_latchkey_encrypts_stock_cryptsetup_opens_and_decrypting_is_exact() {
    let Some(latchkey) = latchkey() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (image, keys, password) =
        (folder.path().join("drive.img"), folder.path().join("keys"), folder.path().join("password"));
    fs::create_dir(&keys).unwrap();
    fs::write(&password, "levuf guvuf vehul").unwrap();
    let source = folder.path().join("source");
    files::write_some(&source, 32 << 20).unwrap();
    files::ext4(&image, 64 << 20, &source).unwrap();
    let before = files::hash(&image).unwrap();

    let [image_text, keys_text, password_text] = [&image, &keys, &password].map(|path| path.to_str().unwrap());
    let encrypt = latchkey
        .run([
            "encrypt",
            image_text,
            "--password-file",
            password_text,
            "--recovery-dir",
            keys_text,
            "--recovery-dir-is-elsewhere",
            "--iter-time",
            "200",
            "--yes",
        ])
        .unwrap();
    assert!(encrypt.status.success(), "{}", String::from_utf8_lossy(&encrypt.stderr));

    let status = latchkey.run(["status", "--json", image_text]).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    assert!(document["version"].is_number(), "{document}");

    let cryptsetup = find("cryptsetup").unwrap();
    let opened =
        output(Command::new(&cryptsetup).args(["open", "--test-passphrase", "--key-file"]).arg(&password).arg(&image))
            .unwrap();
    assert!(opened.status.success(), "{}", String::from_utf8_lossy(&opened.stderr));

    let wrong = folder.path().join("wrong");
    fs::write(&wrong, "not this one").unwrap();
    let refused = latchkey.run(["prove", image_text, "--password-file", wrong.to_str().unwrap()]).unwrap();
    assert_eq!(refused.status.code(), Some(4));

    let decrypt = latchkey.run(["decrypt", image_text, "--password-file", password_text, "--yes"]).unwrap();
    assert!(decrypt.status.success(), "{}", String::from_utf8_lossy(&decrypt.stderr));
    assert_eq!(files::hash(&image).unwrap(), before, "decrypting is not exact");
}
