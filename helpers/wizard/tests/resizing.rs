//! A file system whose resizing by us was cut off: looking changes nothing, and encrypting puts it in order.

#![allow(clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.

use std::path::Path;
use std::process::Command;

use model::{Control, Outcome, Secret, Silent};
use recovery::RecoveryKey;
use wizard::engine::Ended;
use wizard::operations::{self, EncryptRequest, KdfWish};

const UUID: &str = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
/// Where the other half of the test finds what the first has made.
const FOLDER: &str = "LATCHKEY_TEST_RESIZING";

/// `false`: the tool is not here.
#[track_caller]
fn must(tool: &str, words: &[&str], image: &Path) -> bool {
    let Ok(output) = Command::new(tool).args(words).arg(image).env("LC_ALL", "C").output() else {
        println!("left out: {tool} is not here");
        return false;
    };
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    true
}

/// The state folder is named by the environment, so the half that needs it runs as a program of its own.
#[test]
fn what_we_cut_off_is_put_in_order_by_encrypting_and_not_by_looking() {
    let folder = tempfile::tempdir().unwrap();
    let (image, state) = (folder.path().join("image"), folder.path().join("state"));
    std::fs::File::create(&image).unwrap().set_len(32 << 20).unwrap();
    if !must("mkfs.ext4", &["-q", "-F", "-U", UUID], &image) {
        return;
    }
    std::fs::create_dir(&state).unwrap();
    // What a cut leaves at the least: the mark, and a count that does not fit.
    for request in ["set_super_value free_blocks_count 5", "set_super_value state 2"] {
        assert!(must("debugfs", &["-w", "-R", request], &image));
    }
    let before = std::fs::read(&image).unwrap();
    for way in ["smaller", "larger"] {
        std::fs::write(&image, &before).unwrap();
        let note = state.join(format!("resizing-{UUID}.json"));
        let text =
            format!(r#"{{"way":"{way}","filesystem":"ext4","uuid":"{UUID}","last_mounted":0,"size":{}}}"#, 24 << 20);
        std::fs::write(&note, text).unwrap();
        let half = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "the_half_with_a_state_folder", "--nocapture"])
            .env(FOLDER, folder.path())
            .env("LATCHKEY_STATE_DIR", &state)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&half.stdout).into_owned() + &String::from_utf8_lossy(&half.stderr);
        assert!(half.status.success() && said.contains("encrypted and decrypted"), "{way}: {said}");
        assert!(!note.exists(), "{way}: the header tells how far it is");
        assert!(must("e2fsck", &["-f", "-n"], &image));
    }
}

#[test]
fn the_half_with_a_state_folder() {
    let Some(folder) = std::env::var_os(FOLDER).map(std::path::PathBuf::from) else {
        return println!("the other test of this file runs this one, in a folder that it has made");
    };
    let (image, staged) = (folder.join("image"), folder.join("staged"));
    let before = std::fs::read(&image).unwrap();
    let checked = operations::check(&image, &EncryptRequest::default()).unwrap();
    let clean = checked.check.conditions.iter().find(|condition| condition.code == "file-system-clean").unwrap();
    assert_eq!(clean.outcome, Outcome::Warn);
    assert!(clean.reason.code.starts_with("file-system-cut-"), "{}", clean.reason.code);
    let plan = checked.plan.unwrap();
    assert!(std::fs::read(&image).unwrap() == before, "looking has changed it");

    let (password, key) = (Secret::from("lutin dehig becur"), RecoveryKey::generate().unwrap());
    operations::stage(&plan, &password, &key, KdfWish::CheapestForTests, &staged, &mut Silent).unwrap();
    let ended = operations::encrypt(&plan, &staged, &password, &Control::new(), &mut Silent).unwrap();
    assert_eq!(ended, Ended::Finished);
    let ended = operations::decrypt(&image, &password, &Control::new(), &mut Silent).unwrap();
    assert_eq!(ended, Ended::Finished);
    println!("encrypted and decrypted");
}
