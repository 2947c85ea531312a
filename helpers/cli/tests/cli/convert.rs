use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::{Desk, ENCRYPT, PASSWORD, SIZE, Said, content, has};

const DECRYPT: &str = "decrypt image --password-file password --yes";

#[test]
fn there_and_back_again() {
    let desk = Desk::new();
    let said = desk.run(ENCRYPT);
    said.exits(0).says("is encrypted").says("Protected").says("What is going to happen");
    assert!(!said.all().contains('['), "{}", said.all());
    assert_ne!(desk.read("image"), content(SIZE));

    desk.run("prove image --password-file password").exits(0).says("The password opens");
    let sheet = desk.sheet();
    desk.run(&format!("prove image --recovery-file {}", sheet.display())).exits(0).says("The recovery key opens");
    // The sheet is recognised where a password file is asked for.
    desk.run(&format!("prove image --password-file {}", sheet.display())).exits(0);

    desk.run(DECRYPT).exits(0).says("no longer encrypted");
    assert_eq!(desk.read("image"), content(SIZE));
    desk.run("status image").exits(10);
}

#[test]
fn stock_cryptsetup_opens_it() {
    if !has("cryptsetup") {
        return;
    }
    let desk = Desk::encrypted();
    let sheet = std::fs::read_to_string(desk.sheet()).unwrap();
    let key = sheet.split_whitespace().find(|word| word.len() == 71).unwrap();
    for secret in [PASSWORD, key] {
        let mut child = Command::new("cryptsetup")
            .args(["open", "--test-passphrase", "--key-file", "-"])
            .arg(desk.path("image"))
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), secret.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn progress_lines_keep_the_contract() {
    let desk = Desk::new();
    let said = desk.run(&format!("{ENCRYPT} --progress json"));
    said.exits(0);
    let lines = said.lines();
    let last = lines.last().unwrap();
    assert_eq!((&last["step"], &last["done"]), (&"encrypt".into(), &last["total"]));
    let lines = desk.run(&format!("{DECRYPT} --progress json")).lines();
    assert_eq!(lines.last().unwrap()["step"], "decrypt");
}

#[test]
fn the_password_may_come_through_standard_input() {
    let desk = Desk::new();
    let line = "encrypt image --password-file - --recovery-dir stick --yes --iter-time 100";
    desk.run_with(line, format!("{PASSWORD}\n").as_bytes()).exits(0);
    desk.run_with("prove image --password-file -", PASSWORD.as_bytes()).exits(0);
    desk.run_with("prove image --password-file -", b"something else\n").exits(4);
}

/// Bytes of an image that takes long enough to be stopped in the middle.
const LARGE: u64 = 512 << 20;

/// The program at work on a large image.
fn at_work(desk: &Desk) -> Child {
    std::fs::File::options().write(true).open(desk.path("image")).unwrap().set_len(LARGE).unwrap();
    let mut child = desk
        .command(&format!("{ENCRYPT} --progress json"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    while !lines.next().expect("the conversion begins").unwrap().contains("\"encrypt\"") {}
    child
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").arg(format!("-{name}")).arg(child.id().to_string()).status();
    assert!(sent.unwrap().success());
}

fn goes_on_to_the_end(desk: &Desk) {
    let status = desk.run("status --json image");
    status.exits(10);
    assert_eq!(status.json()["drives"][0]["judged"]["verdict"], "converting");
    assert_eq!(status.json()["drives"][0]["conversion"]["mode"], "encrypt");
    desk.run("encrypt image --password-file password --recovery-dir stick --yes").exits(3);
    desk.run_with("resume image --password-file -", b"wrong").exits(4);
    desk.run("resume image --password-file password").exits(0).says("is encrypted");
    desk.run("resume image --password-file password").exits(3);
    desk.run(DECRYPT).exits(0);
    let (beginning, end) = (content(SIZE), desk.read("image"));
    assert_eq!(end.len() as u64, LARGE);
    assert!(end[..SIZE] == beginning[..] && end[SIZE..].iter().all(|byte| *byte == 0), "the bytes differ");
}

#[cfg(unix)]
#[test]
fn ctrl_c_comes_to_a_stop_that_resumes() {
    let desk = Desk::new();
    let child = at_work(&desk);
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let said = Said::of(child.wait_with_output().unwrap());
    said.exits(130).says("latchkey resume image");
    goes_on_to_the_end(&desk);
}

#[test]
fn pause_from_another_process() {
    let desk = Desk::new();
    let child = at_work(&desk);
    // Held still while others look at it: a fast computer would be done before they have.
    signal(&child, "STOP");
    desk.run("status image").exits(10).says("Half done");
    desk.run("resume image --password-file password").exits(3).says("in use");
    let pause = desk.command("pause image").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(200));
    signal(&child, "CONT");
    Said::of(pause.wait_with_output().unwrap()).exits(0).says("latchkey resume image");
    Said::of(child.wait_with_output().unwrap()).exits(130);
    desk.run("pause image").exits(3).says("No conversion of image is running");
    goes_on_to_the_end(&desk);
}

#[test]
fn a_killed_conversion_resumes() {
    let desk = Desk::new();
    let mut child = at_work(&desk);
    child.kill().unwrap();
    child.wait().unwrap();
    desk.run("pause image").exits(3);
    goes_on_to_the_end(&desk);
}

#[test]
fn an_ext4_image_keeps_its_files() {
    if !has("mkfs.ext4") || !has("fsck.ext4") {
        return;
    }
    let desk = Desk::new();
    std::fs::create_dir(desk.path("files")).unwrap();
    desk.write("files/letter.txt", &content(300_000));
    desk.write("image", &[]);
    std::fs::File::options().write(true).open(desk.path("image")).unwrap().set_len(40 << 20).unwrap();
    let made = Command::new("mkfs.ext4").args(["-q", "-d"]).arg(desk.path("files")).arg(desk.path("image")).status();
    assert!(made.unwrap().success());
    let before = desk.read("image");
    desk.run(ENCRYPT).exits(0).says("ext4");
    desk.run(DECRYPT).exits(0);
    assert!(desk.read("image") == before, "the bytes differ");
    let checked = Command::new("fsck.ext4").args(["-f", "-n"]).arg(desk.path("image")).status();
    assert!(checked.unwrap().success());
}

#[test]
fn only_what_is_used_if_that_is_asked_for() {
    if !has("mkfs.ext4") || !has("e2fsck") {
        return;
    }
    let desk = Desk::new();
    desk.write("image", &content(24 << 20));
    let tool = |name: &str, words: &[&str]| {
        let status = Command::new(name).args(words).arg(desk.path("image")).stdout(Stdio::null()).status().unwrap();
        assert!(status.success(), "{name}");
    };
    tool("mkfs.ext4", &["-q", "-F", "-E", "nodiscard"]);
    for option in ["--used-space-only", "--overwrite-free-space"] {
        desk.run(&format!("{ENCRYPT} {option}")).exits(0).says("is encrypted");
        desk.run("prove image --password-file password").exits(0);
        desk.run(DECRYPT).exits(0);
        tool("e2fsck", &["-fn"]);
    }
    let said = desk.run(&format!("{ENCRYPT} --used-space-only"));
    said.exits(0).says("Left out").says("may still lie there");
    desk.run(&format!("{ENCRYPT} --used-space-only --overwrite-free-space")).exits(2);
    let noise = Desk::new();
    noise.run(&format!("{ENCRYPT} --used-space-only")).exits(3).says("free cannot be told");
    assert!(noise.read("image") == content(SIZE));
}

#[test]
fn a_start_can_be_taken_back() {
    let desk = Desk::new();
    desk.run("undo image --yes").exits(3);
    assert!(desk.read("image") == content(SIZE));
    if !has("cryptsetup") {
        return;
    }
    let mut grown = content(SIZE);
    grown.resize(SIZE + (4 << 20), 0);
    desk.write("image", &grown);
    let words = "reencrypt --encrypt --type luks2 -q --force-offline-reencrypt --reduce-device-size 4M --init-only \
                 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --key-file password image";
    let mut init = Command::new("cryptsetup");
    assert!(init.args(words.split_whitespace()).current_dir(desk.path("")).status().unwrap().success());
    desk.run("undo image").exits(2).says("--yes");
    desk.run("undo image --yes").exits(0).says("as it was before");
    assert!(desk.read("image")[..SIZE] == content(SIZE));
    desk.run("undo image --yes").exits(3);
}
