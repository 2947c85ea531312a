//! The power goes while a file system is being made smaller or larger: the next command goes on, or gives the room
//! back, and every file is what it was.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Desk, content, has};

const MIB: u64 = 1 << 20;
const SMALL: u64 = 40 * MIB;
const WHOLE: u64 = 64 * MIB;
const UUID: &str = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
const DECRYPT: &str = "decrypt image --password-file password --yes";
const TRIES: usize = 8;

/// The program itself, without the wrappers of a test.
fn tool(name: &str) -> PathBuf {
    let paths = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"].map(|folder| Path::new(folder).join(name));
    paths.into_iter().find(|path| path.is_file()).unwrap_or_else(|| name.into())
}

#[track_caller]
fn must(name: &str, words: &[&str], target: &Path) -> Vec<u8> {
    let output = Command::new(tool(name)).args(words).arg(target).env("LC_ALL", "C").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{name} {words:?}: {said}");
    output.stdout
}

/// An ext4 whose files lie at its end and in many folders, so that making it smaller moves them.
struct Disk {
    desk: Desk,
    names: Vec<(String, Vec<u8>)>,
}

impl Disk {
    /// `None`: a tool is missing.
    fn new(size: u64) -> Option<Self> {
        if !["mkfs.ext4", "e2fsck", "resize2fs", "debugfs", "strace"].into_iter().all(has) {
            return None;
        }
        let desk = Desk::new();
        std::fs::create_dir(desk.path("files")).unwrap();
        for number in 0..24_u8 {
            std::fs::create_dir(desk.path(&format!("files/{number}"))).unwrap();
            let bytes: Vec<u8> =
                content(1_000_000 + usize::from(number) * 77).iter().map(|byte| byte ^ number).collect();
            desk.write(&format!("files/{number}/letter"), &bytes);
        }
        desk.write("image", &[]);
        std::fs::File::options().write(true).open(desk.path("image")).unwrap().set_len(size).unwrap();
        let from = desk.path("files").display().to_string();
        must("mkfs.ext4", &["-q", "-F", "-b", "1024", "-U", UUID, "-d", &from], &desk.path("image"));
        // What is left lies at the end and has to move.
        for number in 0..12 {
            must("debugfs", &["-w", "-R", &format!("rm {number}/letter")], &desk.path("image"));
        }
        must("e2fsck", &["-f", "-p"], &desk.path("image"));
        let names = (12..24).map(|number| format!("{number}/letter"));
        let names = names.map(|name| (name.clone(), std::fs::read(desk.path("files").join(&name)).unwrap())).collect();
        std::fs::copy(desk.path("image"), desk.path("before")).unwrap();
        Some(Self { desk, names })
    }

    /// As it was before, and then resized to so many bytes until the power goes at write number `when`. Whether it
    /// came to its end before that.
    fn resized_before(&self, when: usize, size: u64) -> bool {
        std::fs::copy(self.desk.path("before"), self.desk.path("image")).unwrap();
        let inject = format!("inject=pwrite64:signal=KILL:when={when}");
        let mut command = Command::new(tool("strace"));
        command.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64", "-e", &inject]).arg(tool("resize2fs"));
        command.arg(self.desk.path("image")).arg(format!("{}K", size / 1024));
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
    }

    /// Numbers of writes, spread over all that this resizing does.
    fn cuts(&self, size: u64) -> Vec<usize> {
        let all = (1..20_000).step_by(16).find(|when| self.resized_before(*when, size));
        let all = all.expect("resize2fs comes to its end");
        (1..all).step_by(all.div_ceil(TRIES)).collect()
    }

    /// The note that is made before a resizing, which a test below sees made.
    fn note(&self, way: &str, size: u64) {
        std::fs::create_dir_all(self.desk.path("state")).unwrap();
        let text = format!(
            "{{\"way\":\"{way}\",\"filesystem\":\"ext4\",\"uuid\":\"{UUID}\",\"last_mounted\":0,\"size\":{size}}}"
        );
        self.desk.write(&note(), text.as_bytes());
    }

    #[track_caller]
    fn is_whole(&self, at: &Path, when: usize) {
        must("e2fsck", &["-f", "-n"], at);
        for (name, bytes) in &self.names {
            let found = must("debugfs", &["-R", &format!("cat {name}")], at);
            assert!(found == *bytes, "write {when}: {name}");
        }
    }

    /// `e2fsck` by itself, as a computer calls it at its start, would stop here.
    fn is_in_disorder(&self) -> bool {
        let state = must("debugfs", &["-R", "show_super_stats -h"], &self.desk.path("image"));
        String::from_utf8_lossy(&state).lines().any(|line| line.contains("Filesystem state:") && line.contains("error"))
    }
}

fn note() -> String {
    format!("state/resizing-{UUID}.json")
}

fn encrypt(target: &str, more: &str) -> String {
    format!("encrypt {target} --password-file password --recovery-dir stick --iter-time 100 {more}")
}

#[test]
fn an_encryption_of_ours_goes_on() {
    let Some(disk) = Disk::new(WHOLE) else { return };
    let desk = &disk.desk;
    let mut seen = 0;
    for when in disk.cuts(SMALL) {
        disk.resized_before(when, SMALL);
        disk.note("smaller", SMALL);
        if disk.is_in_disorder() {
            seen += 1;
            desk.run("status image").exits(10).says("latchkey undo").says("no file is lost");
            assert_eq!(desk.run("status --json image").json()["drives"][0]["resizing"], "smaller");
            let left = desk.read("image");
            desk.run("check image").exits(0).says("puts it in order and goes on");
            assert!(desk.read("image") == left, "write {when}: looking has changed it");
            desk.run("resume image --password-file password").exits(3).says("latchkey encrypt");
            desk.run(&encrypt("image", "--yes")).exits(0).says("puts it in order and goes on").says("is encrypted");
        } else {
            desk.run(&encrypt("image", "--yes")).exits(0);
        }
        assert!(!desk.path(&note()).exists());
        desk.run("status --json image").exits(0);
        desk.run(DECRYPT).exits(0);
        disk.is_whole(&desk.path("image"), when);
        assert_eq!(desk.read("image").len() as u64, WHOLE);
    }
    assert!(seen > TRIES / 2, "{seen}");
}

#[test]
fn an_encryption_of_ours_goes_back() {
    let Some(disk) = Disk::new(WHOLE) else { return };
    let desk = &disk.desk;
    for when in disk.cuts(SMALL) {
        disk.resized_before(when, SMALL);
        disk.note("smaller", SMALL);
        if disk.is_in_disorder() {
            desk.run("undo image").exits(2).says("--yes");
            desk.run("undo image --yes").exits(0).says("as it was before");
            assert!(!desk.path(&note()).exists());
            assert!(size_of(&desk.path("image")) == WHOLE);
        }
        disk.is_whole(&desk.path("image"), when);
    }
    desk.run("undo image --yes").exits(3);
}

#[test]
fn a_decryption_of_ours_goes_on() {
    let Some(disk) = Disk::new(SMALL) else { return };
    let desk = &disk.desk;
    std::fs::File::options().write(true).open(desk.path("before")).unwrap().set_len(WHOLE).unwrap();
    for (number, when) in disk.cuts(WHOLE).into_iter().enumerate() {
        disk.resized_before(when, WHOLE);
        disk.note("larger", SMALL);
        desk.run("status image").exits(10).says("latchkey resume");
        assert_eq!(desk.run("status --json image").json()["drives"][0]["resizing"], "larger");
        desk.run("check image").exits(0).says("puts it in order first");
        let line = if number % 2 == 0 { "resume image --password-file password" } else { DECRYPT };
        desk.run(line).exits(0).says("no longer encrypted");
        assert!(!desk.path(&note()).exists());
        assert!(size_of(&desk.path("image")) == WHOLE);
        disk.is_whole(&desk.path("image"), when);
    }
}

#[test]
fn what_another_has_left_is_put_in_order_when_the_person_agrees() {
    let Some(disk) = Disk::new(WHOLE) else { return };
    let desk = &disk.desk;
    let when = disk.cuts(SMALL).into_iter().nth(TRIES / 2).unwrap();
    disk.resized_before(when, SMALL);
    assert!(disk.is_in_disorder());
    let left = desk.read("image");
    desk.run("status image").exits(10);
    assert!(desk.run("status --json image").json()["drives"][0]["resizing"].is_null());
    desk.run("check image").exits(3).says("latchkey encrypt");
    // That they agree to encrypting says nothing about this.
    desk.run(&encrypt("image", "--yes")).exits(3).says("--mend-file-system");
    desk.run_german(&encrypt("image", "--yes")).exits(3).says("--mend-file-system");
    desk.run("undo image --yes").exits(3);
    // A note for it as it was before somebody mounted it is none.
    disk.note("smaller", SMALL);
    let text = std::fs::read_to_string(desk.path(&note())).unwrap().replace("\"last_mounted\":0", "\"last_mounted\":7");
    desk.write(&note(), text.as_bytes());
    desk.run(&encrypt("image", "--yes")).exits(3).says("--mend-file-system");
    assert!(desk.read("image") == left && desk.sheets().is_empty());
    // The folder for the key is looked at first.
    desk.run(&encrypt("image", "--yes --mend-file-system").replace("stick", "missing")).exits(3);
    assert!(desk.read("image") == left);
    desk.run(&encrypt("image", "--yes --mend-file-system")).exits(0).says("is in order").says("is encrypted");
    desk.run(DECRYPT).exits(0);
    disk.is_whole(&desk.path("image"), when);
}

#[test]
fn damage_that_takes_decisions_is_left_to_the_person() {
    let Some(disk) = Disk::new(WHOLE) else { return };
    let desk = &disk.desk;
    for request in ["unlink 20/letter", "set_super_value state 2"] {
        must("debugfs", &["-w", "-R", request], &desk.path("image"));
    }
    for ours in [false, true] {
        if ours {
            disk.note("smaller", SMALL);
        }
        desk.run(&encrypt("image", "--yes --mend-file-system")).exits(3).says("answer its questions");
        let found = must("debugfs", &["-R", "cat 21/letter"], &desk.path("image"));
        assert!(found == disk.names[9].1);
    }
    assert!(desk.sheets().is_empty());
}

/// Bytes of the file system, as its own tool tells.
fn size_of(image: &Path) -> u64 {
    let said = String::from_utf8(must("debugfs", &["-R", "show_super_stats -h"], image)).unwrap();
    let number =
        |name: &str| -> u64 { said.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().parse().unwrap() };
    number("Block count:") * number("Block size:")
}

/// The whole way on a block device, where it is this program that makes the file system smaller: the note is made
/// before, and the same command again goes on.
#[test]
fn a_drive_goes_on_after_a_cut_at_a_write() {
    if std::env::var_os("LATCHKEY_TEST_DEVICES").is_none() {
        return println!("left out: LATCHKEY_TEST_DEVICES is not set");
    }
    let Some(disk) = Disk::new(256 * MIB) else { return };
    let desk = &disk.desk;
    let mut seen = 0;
    for when in (2..400).step_by(40) {
        std::fs::copy(desk.path("before"), desk.path("image")).unwrap();
        let device = Loop::new(&desk.path("image"));
        let target = device.0.display().to_string();
        // Counted in each process for itself: e2fsck, resize2fs, and the program, which has not written so often.
        let inject = format!("inject=pwrite64:signal=KILL:when={when}");
        let line = encrypt(&target, "--yes");
        let mut traced = Command::new(tool("strace"));
        let program = desk.command(&line);
        traced.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64", "-e", &inject]);
        traced.arg(program.get_program()).args(program.get_args()).current_dir(desk.path("")).stdin(Stdio::null());
        traced.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let ended = traced.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        if desk.path(&note()).exists() {
            seen += 1;
            assert!(!ended.success());
            desk.run(&line).exits(0).says("is encrypted");
        } else if !ended.success() {
            // Cut in the conversion itself.
            let resumed = desk.run(&format!("resume {target} --password-file password"));
            assert!([0, 3].contains(&resumed.code()), "{}", resumed.all());
        }
        assert!(!desk.path(&note()).exists());
        desk.run(&format!("status {target}")).exits(0);
        desk.run(&format!("decrypt {target} --password-file password --yes")).exits(0);
        disk.is_whole(&device.0, when);
        assert_eq!(size_of(&device.0), 256 * MIB);
    }
    assert!(seen > 2, "{seen}");
}

/// A loop device, gone when dropped.
struct Loop(PathBuf);

impl Loop {
    fn new(file: &Path) -> Self {
        let said = String::from_utf8(must("losetup", &["--find", "--show"], file)).unwrap();
        Self(said.trim().into())
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = Command::new(tool("losetup")).arg("--detach").arg(&self.0).status();
    }
}
