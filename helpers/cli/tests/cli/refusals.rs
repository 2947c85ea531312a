use crate::{Desk, ENCRYPT, SIZE, content};

/// The image is what it was, and no key lies about that opens nothing.
#[track_caller]
fn untouched(desk: &Desk) {
    assert!(desk.read("image") == content(SIZE), "the image was changed");
    assert!(desk.sheets().is_empty(), "{:?}", desk.sheets());
}

#[test]
fn without_yes_nobody_agreed() {
    let desk = Desk::new();
    let line = "encrypt image --password-file password --recovery-dir stick";
    desk.run(line).exits(2).says("--yes").says("What is going to happen");
    desk.run_german(line).exits(2).says("Das wird geschehen");
    desk.run_with(line, b"y\n").exits(2);
    untouched(&desk);
    let desk = Desk::encrypted();
    let before = desk.read("image");
    desk.run("decrypt image --password-file password").exits(2).says("--yes");
    assert!(desk.read("image") == before);
}

#[test]
fn wrong_usage() {
    let desk = Desk::new();
    for line in ["", "encrypt image", "encrypt image --password-file password --yes", "fly image", "status --jsn"] {
        desk.run(line).exits(2);
    }
    untouched(&desk);
}

/// Before anything is looked at in the running system.
#[test]
#[cfg(target_os = "linux")]
fn words_that_no_prompt_can_say() {
    let desk = Desk::new();
    for line in ["prompt set", "prompt set --text a --decoy no-system", "prompt set --default --silent --yes"] {
        desk.run(line).exits(2);
    }
    desk.run("prompt set --text a\\nb --yes").exits(2).says("Nothing was changed");
    desk.run_german("prompt set --text Ключ --yes").exits(2).says("Es wurde nichts geändert");
    let long = "x".repeat(80);
    desk.run(&format!("prompt set --text {long} --yes")).exits(2).says("has room for 79");
}

#[test]
fn an_image_encrypts_nothing_by_itself() {
    let desk = Desk::new();
    for option in ["--method hardware", "--method both"] {
        desk.run(&format!("{ENCRYPT} {option}")).exits(3);
    }
    untouched(&desk);
}

#[test]
fn targets_that_cannot_be_encrypted() {
    let desk = Desk::new();
    desk.write("empty", b"");
    desk.write("tiny", &[0x41; 5000]);
    for (target, sentence) in
        [("missing", "nothing at missing"), ("stick", "neither a drive nor a file"), ("empty", ""), ("tiny", "")]
    {
        let line = ENCRYPT.replace("image", target);
        let said = desk.run(&line);
        said.exits(3).says(sentence);
        assert!(!said.all().contains('['), "{}", said.all());
    }
    untouched(&desk);
}

#[test]
fn what_is_encrypted_already() {
    let desk = Desk::encrypted();
    let before = desk.read("image");
    let said = desk.run(ENCRYPT);
    said.exits(3);
    assert!(!said.all().contains('['), "{}", said.all());
    assert!(desk.read("image") == before);
    assert_eq!(desk.sheets().len(), 1);
}

#[test]
fn commands_for_encrypted_volumes_refuse_a_plain_one() {
    let desk = Desk::new();
    for line in [
        "prove image --password-file password",
        "decrypt image --password-file password --yes",
        "resume image --password-file password",
        "passwd image --password-file password --new-password-file password",
        "recovery new image --password-file password --recovery-dir stick",
        "header backup image backup",
        "pause image",
    ] {
        let said = desk.run(line);
        said.exits(3);
        assert!(!said.all().contains('['), "{line}: {}", said.all());
    }
    untouched(&desk);
    assert!(!desk.path("backup").exists());
}

#[test]
fn folders_that_cannot_take_the_key() {
    let desk = Desk::new();
    desk.run(&ENCRYPT.replace("stick", "missing")).exits(3).says("no folder missing");
    desk.run(&ENCRYPT.replace("stick", "password")).exits(3).says("password is not a folder");
    untouched(&desk);
}

/// The program with a file system of its own mounted over the stick, in a mount namespace that goes
/// with it. `None` where the system does not let this user have one.
#[cfg(target_os = "linux")]
fn with_stick(desk: &Desk, options: &str, prepare: &str, line: &str) -> Option<crate::Said> {
    let script = format!("mount -t tmpfs -o {options} tmpfs stick && {prepare} || exit 77; exec \"$0\" {line}");
    let mut command = std::process::Command::new("unshare");
    command
        .args(["--map-root-user", "--mount", "sh", "-c", &script, env!("CARGO_BIN_EXE_latchkey")])
        .current_dir(desk.folder.path())
        .env("LC_ALL", "C")
        .env("TMPDIR", desk.folder.path())
        .env("LATCHKEY_RUNTIME_DIR", desk.path("runtime"));
    match command.output().map(crate::Said::of) {
        Ok(said) if said.output.status.code() != Some(77) && !said.all().contains("unshare:") => Some(said),
        _ => {
            println!("left out: no mount namespaces here");
            None
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_stick_stops_it_before_anything_changes() {
    let desk = Desk::new();
    let fill = "head -c 4096 /dev/zero > stick/full";
    let Some(said) = with_stick(&desk, "size=4k", fill, ENCRYPT) else { return };
    said.exits(1).says("no room left in stick");
    untouched(&desk);
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_stick_stops_it_before_anything_changes() {
    let desk = Desk::new();
    let Some(said) = with_stick(&desk, "ro", "true", ENCRYPT) else { return };
    assert!([1, 3].contains(&said.code()), "{}", said.all());
    said.says("write-protected");
    untouched(&desk);
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_stops_it_before_anything_changes() {
    use std::os::unix::fs::PermissionsExt;
    if rustix::process::geteuid().is_root() {
        println!("left out: root writes to read-only folders");
        return;
    }
    let desk = Desk::new();
    std::fs::set_permissions(desk.path("stick"), std::fs::Permissions::from_mode(0o555)).unwrap();
    let said = desk.run(ENCRYPT);
    assert!([1, 3].contains(&said.code()), "{}", said.all());
    untouched(&desk);
}
