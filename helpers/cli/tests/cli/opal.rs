use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use blockdev::{Access, Device, FileDevice};
use opal::device::{Blocks, Drive, Options, Profile};

use crate::{Desk, PASSWORD};

const LINE: &str = "encrypt drive --password-file password --recovery-dir stick --yes --iter-time 100";

/// A drive in a file, small in everything but what it does.
fn drive(desk: &Desk, name: &str) -> PathBuf {
    let profile = Profile { shadow_mbr_size: 1 << 20, data_store_size: 64 << 10, ..Profile::named(name).unwrap() };
    let path = desk.write("drive", b"");
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(Drive::overhead(&profile) + (4 << 20)).unwrap();
    let drive = Arc::new(open(&path, |file| Drive::create(file, Options { profile, serial: String::new() })));
    Blocks(drive).write_at(0, &content()).unwrap();
    path
}

fn open(path: &std::path::Path, how: impl FnOnce(Arc<dyn Device>) -> opal::Result<Drive>) -> Drive {
    how(Arc::new(FileDevice::open(path, Access::Exclusive).unwrap())).unwrap()
}

fn content() -> Vec<u8> {
    crate::content(256 << 10)
}

/// What the computer sees of it after a power-on.
fn seen(path: &std::path::Path) -> Option<Vec<u8>> {
    let drive = Arc::new(open(path, Drive::open));
    Blocks(drive).read_vec(2 << 20, 512).ok()?;
    let drive = Arc::new(open_again(path));
    Blocks(drive).read_vec(0, content().len()).ok()
}

fn open_again(path: &std::path::Path) -> Drive {
    open(path, Drive::open)
}

#[test]
fn a_drive_is_locked_opened_by_stock_means_and_given_back() {
    let desk = Desk::new();
    let path = drive(&desk, "default");
    desk.run("opal discover drive").exits(0).says("ssc = opal2").says("owned = no");
    desk.run(&format!("{LINE} --method hardware")).exits(0).says("encrypted");
    assert_eq!(seen(&path), None);
    desk.run("opal discover drive").exits(0).says("locked = yes").says("seen_locked = yes");

    // The PIN is what it is documented to be, and opens the drive by plain methods.
    let said = desk.run("opal pin drive --password-file password");
    said.exits(0);
    let pin = said.all().trim().to_owned();
    assert_eq!(pin.len(), 32);
    let msid = open(&path, Drive::open).label().msid;
    let by_msid = desk.run(&format!("opal pin --msid {msid} --memory 32768 --passes 2 --password-file password"));
    assert_eq!(by_msid.all().trim(), pin);
    reference(&msid, &pin);
    let sheet = desk.sheet();
    let recovery = desk.run(&format!("opal pin drive --recovery-file {}", sheet.display()));
    assert_ne!(recovery.all().trim(), pin);

    desk.run("opal unlock drive --key-file password").exits(0).says("is open");
    desk.write("wrong", b"wrong");
    desk.run("opal unlock drive --key-file wrong").exits(4);
    desk.run(&format!("opal unlock drive --recovery-file {}", sheet.display())).exits(0);
    desk.run("opal give-back drive --password-file wrong --yes").exits(4);
    desk.run("opal give-back drive --password-file password").exits(2);
    desk.run("opal give-back drive --password-file password --yes").exits(0);
    assert_eq!(seen(&path), Some(content()));
    desk.run("opal discover drive").exits(0).says("owned = no");
}

/// As anybody would do it with the reference program, by the documentation.
fn reference(msid: &str, pin: &str) {
    let script = format!(
        "S=$(printf %s 'latchkey opal password {msid}' | sha256sum | cut -c 1-32); \
         printf %s '{PASSWORD}' | argon2 \"$S\" -id -v 13 -t 2 -k 32768 -p 4 -l 16 -r"
    );
    if Command::new("argon2").arg("-h").output().is_err() {
        println!("left out: argon2 is not there");
        return;
    }
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), pin);
}

/// What destroys takes the drive's name, typed, and the number on its label; `--yes` is not known there.
#[test]
fn erasing_takes_the_drives_name() {
    let desk = Desk::new();
    let path = drive(&desk, "default");
    desk.run(&format!("{LINE} --method hardware")).exits(0);
    let label = open(&path, Drive::open).label();
    desk.write("psid", label.psid.to_lowercase().as_bytes());
    let command = |name: &str| {
        let mut command = desk.command("opal revert drive --psid-file psid");
        command.args(["--erase-drive-named", name]);
        command.output().unwrap().status.code()
    };
    desk.run("opal revert drive --psid-file psid").exits(2);
    desk.run("opal revert drive --psid-file psid --yes").exits(2);
    assert_eq!(command("another drive"), Some(3));
    desk.run("opal unlock drive --key-file password").exits(0);
    desk.write("psid", b"ABCD1234EFGH5678IJKL9012MNOP3456");
    assert_eq!(command(&label.model), Some(4));
    desk.write("psid", b"too short");
    assert_eq!(command(&label.model), Some(2));
    desk.write("psid", label.psid.to_lowercase().as_bytes());
    assert_eq!(command(&label.model), Some(0));
    assert_ne!(seen(&path), Some(content()));
    desk.run("opal discover drive").exits(0).says("owned = no");
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    for (name, code) in [("pyrite", 3), ("enterprise", 3), ("block-size-520", 3), ("sid-blocked", 3)] {
        let desk = Desk::new();
        let path = drive(&desk, name);
        desk.run(&format!("{LINE} --method hardware")).exits(code);
        desk.run(&format!("{LINE} --method both")).exits(3);
        desk.run(&format!("{LINE} --method software")).exits(3);
        assert_eq!(seen(&path), Some(content()), "{name}");
        assert!(desk.sheets().is_empty());
    }
    let desk = Desk::new();
    desk.run("opal discover image").exits(3);
    desk.run("opal discover nothing-here").exits(1);
    desk.run("opal pin --image image --password-file password").exits(3);
    desk.run("opal pin").exits(2);
}

#[test]
fn a_drive_without_a_shadow_mbr_is_opened_by_the_running_system() {
    let desk = Desk::new();
    let path = drive(&desk, "no-shadow-mbr");
    desk.run(LINE).exits(0);
    assert_eq!(seen(&path), None);
    desk.run("opal unlock drive --key-file password").exits(0).says("is open");
}

/// What it makes where all parts are there is looked at by the package's test, in a guest.
#[test]
fn a_start_image_is_never_written_over_and_never_half_there() {
    let desk = Desk::new();
    for size in ["12", "2T", "much"] {
        desk.run(&format!("opal image start.img --size {size}")).exits(2);
    }
    let said = desk.run("opal image start.img");
    // A part of the signed chain, or one of our own programs, is missing on most computers that build this.
    assert!(matches!(said.code(), 0 | 3), "{}", said.all());
    assert_eq!(said.code() == 0, desk.path("start.img").exists());
    desk.write("mine", b"mine");
    desk.run("opal image mine").exits(3);
    assert_eq!(desk.read("mine"), b"mine");
}
