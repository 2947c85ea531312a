//! BitLocker's way on the practice Windows: the program is started anew for each step, as a person would.

use std::path::PathBuf;

use crate::Desk;

/// A practice computer that is protected, and its recovery key.
fn kept(desk: &Desk) -> (PathBuf, PathBuf) {
    desk.run("practice --windows --dir here --keep").exits(0).says("Protected");
    let folder = std::fs::read_dir(desk.path("here")).unwrap().next().unwrap().unwrap().path();
    let sheet = std::fs::read_dir(folder.join("stick")).unwrap().next().unwrap().unwrap().path();
    (folder.join("practice-windows.json"), sheet)
}

#[test]
fn there_and_back_and_nothing_is_left() {
    let desk = Desk::new();
    let said = desk.run("practice --windows --dir here");
    said.exits(0).says("Not protected").says("restarted").says("BitLocker protects it").says("opens");
    assert!(!said.all().contains("bitlocker-"), "a sentence is missing: {}", said.all());
    assert_eq!(std::fs::read_dir(desk.path("here")).unwrap().count(), 0);
    desk.run_german("practice --windows --dir here").exits(0).says("Teststart");
}

#[test]
fn each_step_by_its_own_command() {
    let desk = Desk::new();
    let (file, sheet) = kept(&desk);
    let file = file.display();
    desk.run(&format!("status {file}")).exits(0).says("BitLocker protects it");
    desk.run(&format!("check {file}")).exits(3);
    // Names with blanks in them cannot be typed into this line.
    std::fs::copy(&sheet, desk.path("sheet")).unwrap();
    desk.run(&format!("prove {file} --recovery-file sheet")).exits(0);
    desk.run(&format!("recovery verify sheet {file}")).exits(0);
    desk.run(&format!("decrypt {file} --yes")).exits(0);
    desk.run(&format!("status {file}")).exits(10).says("BitLocker is off");
    desk.run(&format!("prove {file} --recovery-file sheet")).exits(4).says("opens nothing any more");
    desk.run(&format!("check {file}")).exits(0).says("TPM");
    desk.run(&format!("encrypt {file} --recovery-dir stick --yes")).exits(0).says("Restart the computer");
    desk.run(&format!("status {file}")).exits(10).says("waits for a restart");
    // Coming back to a practice computer is its restart.
    desk.run(&format!("resume {file}")).exits(0).says("Protected");
    desk.run(&format!("resume {file}")).exits(3);
    desk.run(&format!("pause {file}")).exits(3);
    std::fs::create_dir(desk.path("other")).unwrap();
    desk.run(&format!("recovery export {file} --recovery-dir other")).exits(0);
    assert_eq!(std::fs::read_dir(desk.path("other")).unwrap().count(), 1);
    desk.run(&format!("passwd {file} --password-file password")).exits(3).says("The system encrypts");
}

/// A file that Windows' own dialog wrote is UTF-16.
#[test]
fn a_key_file_of_windows_itself() {
    let desk = Desk::new();
    let (file, sheet) = kept(&desk);
    let text = std::fs::read_to_string(sheet).unwrap();
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    desk.write("sheet", &utf16);
    desk.run(&format!("prove {} --recovery-file sheet", file.display())).exits(0);
    desk.write("sheet", b"123456-123456");
    desk.run(&format!("prove {} --recovery-file sheet", file.display())).exits(4);
}

#[test]
fn programs_read_documents() {
    let desk = Desk::new();
    let (file, _) = kept(&desk);
    let said = desk.run(&format!("status --json {}", file.display()));
    let told: serde_json::Value = serde_json::from_str(&said.all()).unwrap();
    assert_eq!((told["version"].as_u64(), told["judged"]["verdict"].as_str()), (Some(1), Some("protected")));
    let said = desk.run(&format!("check --json {}", file.display()));
    let told: serde_json::Value = serde_json::from_str(&said.all()).unwrap();
    assert!(told["conditions"].as_array().unwrap().len() > 10 && told["method"].is_null());
}

#[test]
fn what_cannot_be_done_leaves_all_as_it_was() {
    let desk = Desk::new();
    let (file, _) = kept(&desk);
    desk.run(&format!("decrypt {} --yes", file.display())).exits(0);
    // How often it was asked is counted, too; what counts here is what was changed.
    let state = || {
        let kept: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        (kept["machine"]["volumes"].clone(), kept["machine"]["policies"].clone())
    };
    let before = state();
    assert!(before.0.is_array() && before.1.is_array());
    for (line, code) in [
        ("encrypt FILE --recovery-dir stick --method both --yes", 3),
        ("encrypt FILE --recovery-dir stick --method hardware --yes", 3),
        ("encrypt FILE --recovery-dir nowhere --yes", 3),
        ("encrypt FILE --recovery-dir stick", 2),
    ] {
        desk.run(&line.replace("FILE", &file.display().to_string())).exits(code);
        assert_eq!(state(), before, "{line}");
    }
    let mut damaged = std::fs::read(&file).unwrap();
    damaged.truncate(damaged.len() / 2);
    std::fs::write(&file, damaged).unwrap();
    desk.run(&format!("status {}", file.display())).exits(5).says("practice computer is damaged");
}
