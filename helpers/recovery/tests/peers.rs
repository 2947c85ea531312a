//! Stock tools on this computer: our key opens with `cryptsetup`, systemd's key is read by us.
#![cfg(target_os = "linux")]
// A panic is how a test says what is wrong; clippy looks for that in test functions only.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use recovery::{RecoveryKey, read_back};

/// A volume with the password "password" and derivation parameters that cost no time. `None`: no
/// cryptsetup here.
fn volume(folder: &Path) -> Option<std::path::PathBuf> {
    let image = folder.join("volume");
    std::fs::File::create(&image).unwrap().set_len(20 << 20).unwrap();
    let format = ["luksFormat", "-q", "--type", "luks2", "--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000"];
    let Some(output) = with_input(Command::new("cryptsetup").args(format).arg(&image), b"password") else {
        println!("left out: no cryptsetup");
        return None;
    };
    assert!(output.status.success(), "{output:?}");
    Some(image)
}

fn with_input(command: &mut Command, input: &[u8]) -> Option<Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().ok()?;
    child.stdin.take()?.write_all(input).unwrap();
    child.wait_with_output().ok()
}

fn opens(image: &Path, typed: &str) -> bool {
    let test = ["open", "--test-passphrase", "--type", "luks2"];
    with_input(Command::new("cryptsetup").args(test).arg(image), typed.as_bytes()).unwrap().status.success()
}

#[test]
fn plain_cryptsetup_opens_with_the_key_as_it_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let Some(image) = volume(folder.path()) else { return };
    let key = RecoveryKey::generate().unwrap();
    let file = folder.path().join("new");
    std::fs::write(&file, key.secret().expose()).unwrap();
    let add = ["luksAddKey", "-q", "--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000"];
    let added = with_input(Command::new("cryptsetup").args(add).args([&image, &file]), b"password").unwrap();
    assert!(added.status.success(), "{added:?}");
    // At its prompt cryptsetup takes a line; so does systemd.
    assert!(opens(&image, &format!("{}\n", *key.text())));
    assert!(!opens(&image, &format!("{}\n", *RecoveryKey::generate().unwrap().text())));
}

#[test]
fn the_key_that_systemd_makes_is_read_and_opens() {
    let folder = tempfile::tempdir().unwrap();
    let Some(image) = volume(folder.path()) else { return };
    let enrolled =
        Command::new("systemd-cryptenroll").arg("--recovery-key").arg(&image).env("PASSWORD", "password").output();
    let output = match enrolled {
        Ok(output) if output.status.success() => output,
        other => {
            println!("left out: systemd-cryptenroll: {other:?}");
            return;
        }
    };
    let printed = String::from_utf8(output.stdout).unwrap();
    let key = read_back(&printed).unwrap();
    assert_eq!(printed.trim(), key.text().as_str());
    assert!(opens(&image, &format!("{}\n", *key.text())));
}
