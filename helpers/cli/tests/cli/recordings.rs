//! Recorded images, damaged ones among them: every command answers, and nothing is written before
//! somebody has agreed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Desk, has, recorded};

#[test]
fn every_damaged_header_is_answered() {
    all_of("luks/header-damage/images", Some("luks/header-damage/images/passphrase.txt"));
}

#[test]
fn every_interrupted_conversion_is_answered() {
    all_of("luks/reencrypt-states/images", Some("luks/reencrypt-states/images/passphrase.txt"));
}

#[test]
fn every_archived_image_is_answered() {
    all_of("luks/archives", None);
}

#[test]
fn what_cryptsetup_was_stopped_at_is_finished() {
    let Some(folder) = recorded("luks/reencrypt-states/images") else { return };
    let desk = Desk::new();
    std::fs::copy(folder.join("passphrase.txt"), desk.path("password")).unwrap();
    for image in packed(&folder).iter().filter(|path| path.file_name().unwrap().to_string_lossy().starts_with('s')) {
        let Some(bytes) = unpacked(image) else { return };
        desk.write("image", &bytes);
        desk.run("status image").exits(10).says("Half done");
        desk.run("resume image --password-file password").exits(0);
        desk.run("status image").exits(0);
        desk.run("prove image --password-file password").exits(0);
        if has("cryptsetup") {
            let opened = Command::new("cryptsetup")
                .args(["open", "--test-passphrase", "--key-file"])
                .args([desk.path("password"), desk.path("image")])
                .status();
            assert!(opened.unwrap().success(), "{image:?}");
        }
    }
}

fn all_of(folder: &str, password: Option<&str>) {
    let Some(folder) = recorded(folder) else { return };
    let desk = Desk::new();
    if let Some(password) = password.and_then(recorded) {
        std::fs::copy(password, desk.path("password")).unwrap();
    }
    for image in packed(&folder) {
        let Some(bytes) = unpacked(&image) else { return };
        desk.write("image", &bytes);
        for line in [
            "status image",
            "status --json image",
            "check image",
            "prove image --password-file password",
            "encrypt image --password-file password --recovery-dir stick",
            "decrypt image --password-file password",
            "passwd image --password-file stick --new-password-file password",
            "header repair image --password-file password",
        ] {
            let said = desk.run(line);
            let known = [0, 1, 2, 3, 4, 5, 10].contains(&said.code());
            assert!(known && !said.all().contains("panicked"), "{image:?} {line}: {}", said.all());
            assert!(line.contains("json") || !said.all().contains('['), "{image:?} {line}: {}", said.all());
        }
        assert!(desk.read("image") == bytes, "{image:?} was changed without consent");
    }
}

fn packed(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|end| end == "xz") && !path.to_string_lossy().contains(".tar."))
        .collect();
    files.sort();
    files
}

fn unpacked(path: &Path) -> Option<Vec<u8>> {
    if !has("xz") {
        return None;
    }
    Some(Command::new("xz").arg("-dc").arg(path).output().unwrap().stdout)
}
