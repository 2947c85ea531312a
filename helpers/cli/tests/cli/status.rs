use crate::{Desk, content};

#[test]
fn a_plain_image_is_not_protected() {
    let desk = with_file_system();
    let said = desk.run("status image");
    said.exits(10).says("Not protected");
    assert!(!said.all().contains('['), "{}", said.all());
    desk.run_german("status image").exits(10).says("Nicht geschützt");
}

#[test]
fn json_has_facts_verdict_and_sentences() {
    let desk = with_file_system();
    let document = desk.run("status --json image").json();
    let drive = &document["drives"][0];
    assert_eq!(drive["size"], wizard::practice::LEAST_SIZE);
    assert_eq!(drive["bus"], "image");
    assert_eq!(drive["judged"]["verdict"], "not_protected");
    assert!(drive["what"].as_str().unwrap().len() > 10);
    assert_eq!(document["faults"], serde_json::json!([]));
}

#[test]
fn what_cannot_be_told_is_not_green() {
    let desk = Desk::new();
    desk.run("status image").exits(10).says("Unknown");
    assert_eq!(desk.read("image"), content(crate::SIZE));
}

/// The image is a practice drive: a FAT file system with files.
fn with_file_system() -> Desk {
    let desk = Desk::new();
    let folder = desk.path("practice");
    let made = wizard::practice::make(&folder, wizard::practice::LEAST_SIZE, &mut model::Silent).unwrap();
    std::fs::rename(made.path, desk.path("image")).unwrap();
    desk
}

#[test]
fn an_encrypted_image_is_protected() {
    let desk = Desk::encrypted();
    desk.run("status image").exits(0).says("Protected");
    let document = desk.run("status --json image").json();
    assert_eq!(document["drives"][0]["judged"]["verdict"], "protected");
    assert_eq!(document["drives"][0]["volumes"][0]["content"], "luks2");
}

#[test]
fn several_targets_are_all_looked_at() {
    let desk = Desk::new();
    let said = desk.run("status --json image missing");
    let document = said.json();
    said.exits(3);
    assert_eq!(document["drives"].as_array().unwrap().len(), 1);
    assert_eq!(document["faults"][0]["code"], "device-missing");
    assert_eq!(document["faults"][0]["path"], "missing");
    desk.run("status image image").exits(0);
}

#[test]
fn what_is_no_target() {
    let desk = Desk::new();
    desk.write("empty", b"");
    desk.run("status missing").exits(3).says("nothing at missing");
    desk.run_german("status missing").exits(3).says("missing gibt es nichts");
    desk.run("status stick").exits(3).says("neither a drive nor a file");
    let empty = desk.run("status empty");
    assert!([3, 10].contains(&empty.code()), "{}", empty.all());
    let document = desk.run("check --json missing");
    document.exits(3);
    assert_eq!(document.json()["fault"]["code"], "device-missing");
}

#[test]
fn all_drives_can_be_listed_without_rights() {
    let desk = Desk::new();
    let said = desk.run("status --json");
    if cfg!(target_os = "linux") {
        said.exits(0);
        assert!(said.json()["drives"].is_array());
    }
}

#[test]
fn the_computer_as_a_whole_comes_first() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let desk = Desk::new();
    let said = desk.run("status");
    said.exits(0).says("This computer");
    assert!(said.out().starts_with("This computer") && !said.out().contains('['), "{}", said.out());
    assert!(desk.run_german("status").out().starts_with("Dieser Computer"));
    let computer = &desk.run("status --json").json()["computer"];
    assert!(computer["judged"]["verdict"].is_string() && computer["places"].is_array());
    assert!(["what", "gets", "next"].iter().all(|name| computer[*name].as_str().is_some_and(|words| words.len() > 10)));
    let document = desk.run("status --json image").json();
    assert!(document["computer"].is_null() && document["devices"] == serde_json::json!([]));
    let devices = desk.run("status --json").json()["devices"].clone();
    let paths: Vec<&str> = devices.as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect();
    for below in devices.as_array().unwrap().iter().flat_map(|one| one["below"].as_array().unwrap()) {
        assert!(paths.contains(&below.as_str().unwrap()), "{devices:#}");
    }
}

/// Programs of the names that others believe, in front of the search path.
#[test]
#[cfg(unix)]
fn a_spoofed_tool_changes_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::encrypted();
    let folder = desk.path("spoofed");
    std::fs::create_dir(&folder).unwrap();
    let witness = desk.path("was-run");
    for tool in
        ["lsblk", "blkid", "cryptsetup", "dmsetup", "udevadm", "lvm", "mdadm", "manage-bde", "fdesetup", "diskutil"]
    {
        let path = folder.join(tool);
        std::fs::write(&path, format!("#!/bin/sh\necho {tool} >> '{}'\n", witness.display())).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for line in ["status --json", "status --json image", "status image"] {
        let usual = crate::Said::of(desk.command(line).output().unwrap());
        let spoofed = crate::Said::of(desk.command(line).env("PATH", &folder).output().unwrap());
        assert_eq!((usual.code(), usual.out()), (spoofed.code(), spoofed.out()), "{line}");
    }
    desk.command("check --json image").env("PATH", &folder).output().unwrap();
    assert!(!witness.exists(), "{}", std::fs::read_to_string(&witness).unwrap_or_default());
}

#[test]
fn check_shows_conditions_and_method() {
    let desk = Desk::new();
    let said = desk.run("check image");
    said.exits(0).says("Would be encrypted by this computer");
    assert!(!said.all().contains('['), "{}", said.all());
    let document = desk.run("check --json image").json();
    assert_eq!(document["method"], "software");
    assert!(document["conditions"].as_array().unwrap().len() > 5);
    let able = document["capabilities"].as_array().unwrap();
    let brake = able.iter().find(|one| one["code"] == "brake").unwrap();
    assert!(brake["what"].is_string() && brake["why"].is_string());
    assert!(document["cipher_rate"].as_u64() > Some(0));
    assert_eq!(document["conditions"][0]["outcome"], "pass");

    let desk = Desk::encrypted();
    let said = desk.run("check --json image");
    said.exits(3);
    assert!(said.json()["method"].is_null());
}
