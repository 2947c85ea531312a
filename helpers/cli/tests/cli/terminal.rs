//! What is asked at a terminal. `script` makes one.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{Desk, PASSWORD, Said, has};

/// Types each line when there has been time to ask for it. `None` where there is no `script`.
fn typed(desk: &Desk, line: &str, answers: &[&str]) -> Option<Said> {
    if !has("script") {
        return None;
    }
    let command = format!("{} {line}", env!("CARGO_BIN_EXE_latchkey"));
    let mut child = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .current_dir(desk.folder.path())
        .env("LC_ALL", "C")
        .env("TERM", "xterm")
        .env("TMPDIR", desk.folder.path())
        .env("LATCHKEY_RUNTIME_DIR", desk.path("runtime"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for answer in answers {
        std::thread::sleep(Duration::from_secs(2));
        // A program that has said no already reads no more.
        let _ = writeln!(input, "{answer}");
    }
    let output = child.wait_with_output().unwrap();
    drop(input);
    Some(Said::of(output))
}

#[test]
fn the_password_is_asked_for_twice_and_not_shown() {
    let desk = Desk::new();
    let line = "encrypt image --recovery-dir stick --iter-time 100";
    let Some(said) = typed(&desk, line, &["y", PASSWORD, PASSWORD]) else { return };
    said.exits(0).says("Begin to encrypt?").says("New password:").says("is encrypted");
    assert!(!said.all().contains(PASSWORD), "{}", said.all());
    desk.run("prove image --password-file password").exits(0);
}

#[test]
fn no_is_no() {
    let desk = Desk::new();
    let Some(said) = typed(&desk, "encrypt image --recovery-dir stick", &["n"]) else { return };
    said.exits(3).says("Nothing was changed");
    assert!(desk.read("image") == crate::content(crate::SIZE));
}

#[test]
fn a_wrong_password_may_be_typed_three_times() {
    let desk = Desk::encrypted();
    let Some(said) = typed(&desk, "prove image", &["one", "two", PASSWORD]) else { return };
    said.exits(0).says("does not open it").says("The password opens image");
    let Some(said) = typed(&desk, "prove image", &["one", "two", "three"]) else { return };
    said.exits(4);
}

#[test]
fn ctrl_c_at_a_prompt_changes_nothing() {
    let desk = Desk::encrypted();
    let before = desk.read("image");
    let Some(said) = typed(&desk, "decrypt image", &["y", "\u{3}"]) else { return };
    said.exits(130).says("Nothing was changed");
    assert!(desk.read("image") == before);
}
