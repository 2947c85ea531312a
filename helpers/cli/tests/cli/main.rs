//! The program as a script sees it: exit codes, JSON, sentences, and what is left on the medium.

// A panic is how a test says what is wrong, also in the helpers of a test.
#![allow(clippy::unwrap_used, clippy::panic)]

mod bench;
mod convert;
#[cfg(target_os = "linux")]
mod cut;
mod explain;
#[cfg(unix)]
mod header;
#[cfg(unix)]
mod keys;
mod native;
mod opal;
mod practice;
mod recordings;
mod refusals;
mod secrets;
mod status;
mod terminal;
mod watch;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The password of most tests.
const PASSWORD: &str = "lutin dehig becur";

/// Bytes of most images: enough for a header, few enough to be quick.
const SIZE: usize = 6 << 20;

/// A folder with an image, a password and a place for recovery keys.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        desk.write("image", &content(SIZE));
        desk.write("password", PASSWORD.as_bytes());
        std::fs::create_dir(desk.path("stick")).unwrap();
        desk
    }

    /// With the image encrypted already.
    fn encrypted() -> Self {
        let desk = Self::new();
        assert_eq!(desk.run(ENCRYPT).code(), 0);
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        std::fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// The program in this folder, in English.
    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_latchkey"));
        command
            .args(line.split_whitespace())
            .current_dir(self.folder.path())
            .env("LC_ALL", "C")
            .env("LATCHKEY_RUNTIME_DIR", self.path("runtime"))
            .env("LATCHKEY_STATE_DIR", self.path("state"))
            .env("TMPDIR", self.folder.path())
            .stdin(Stdio::null());
        command
    }

    fn run(&self, line: &str) -> Said {
        Said::of(self.command(line).output().unwrap())
    }

    fn run_german(&self, line: &str) -> Said {
        Said::of(self.command(line).env("LC_ALL", "de_DE.UTF-8").output().unwrap())
    }

    /// With something on standard input.
    fn run_with(&self, line: &str, input: &[u8]) -> Said {
        let mut child =
            self.command(line).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program that refuses before it reads closes the pipe.
        let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input);
        Said::of(child.wait_with_output().unwrap())
    }

    /// The one sheet on the stick.
    fn sheet(&self) -> PathBuf {
        let sheets = self.sheets();
        assert_eq!(sheets.len(), 1, "{sheets:?}");
        sheets.into_iter().next().unwrap()
    }

    fn sheets(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.path("stick")).unwrap().map(|entry| entry.unwrap().path());
        // Beside them, a copy of the drive's front as long as a conversion is under way.
        files.filter(|path| path.extension().is_none_or(|kind| kind != "luks")).collect()
    }
}

const ENCRYPT: &str = "encrypt image --password-file password --recovery-dir stick --yes --iter-time 100";

/// What a run of the program left.
struct Said {
    output: Output,
}

impl Said {
    fn of(output: Output) -> Self {
        Self { output }
    }

    #[track_caller]
    fn code(&self) -> i32 {
        self.output.status.code().unwrap_or_else(|| panic!("no exit code: {}", self.all()))
    }

    /// Checks the exit code, and shows everything where it is another.
    #[track_caller]
    fn exits(&self, code: i32) -> &Self {
        assert_eq!(self.code(), code, "{}", self.all());
        self
    }

    #[track_caller]
    fn says(&self, part: &str) -> &Self {
        assert!(self.all().contains(part), "{part:?} is not in:\n{}", self.all());
        self
    }

    fn out(&self) -> String {
        String::from_utf8(self.output.stdout.clone()).unwrap()
    }

    fn all(&self) -> String {
        format!("{}{}", self.out(), String::from_utf8_lossy(&self.output.stderr))
    }

    #[track_caller]
    fn json(&self) -> serde_json::Value {
        self.json_of(1)
    }

    /// The document, in this version of its form.
    fn json_of(&self, version: u32) -> serde_json::Value {
        let document: serde_json::Value =
            serde_json::from_str(&self.out()).unwrap_or_else(|_| panic!("{}", self.all()));
        assert_eq!(document["version"], version);
        document
    }

    /// JSON lines, each checked against the contract.
    fn lines(&self) -> Vec<serde_json::Value> {
        let lines: Vec<serde_json::Value> =
            self.out().lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect();
        for line in &lines {
            assert_eq!(line["version"], 1);
            assert!(line["step"].is_string() && line["unit"].is_string(), "{line}");
            assert!(line["done"].as_u64() <= line["total"].as_u64(), "{line}");
            assert!(line.get("eta_s").is_some(), "{line}");
        }
        lines
    }
}

/// Bytes that no file system begins with.
fn content(size: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut bytes: Vec<u8> = (0..size / 8)
        .flat_map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        })
        .collect();
    bytes[..4096].fill(0x41);
    bytes
}

/// Whether a tool of the system is here; says so where a test is left out for it.
fn has(tool: &str) -> bool {
    let found = std::env::var_os("PATH").is_some_and(|paths| {
        std::env::split_paths(&paths).chain(["/usr/sbin".into(), "/sbin".into()]).any(|path| path.join(tool).is_file())
    });
    if !found {
        println!("left out: {tool} is not here");
    }
    found
}

/// Recorded inputs beside the repository; says so where a test is left out without them.
fn recorded(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    println!("left out: ../shared/data/{name} is not here");
    None
}
