//! File systems made by the reference tools, in files of a temp folder.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use blockdev::{Access, FileDevice};

pub const MIB: u64 = 1 << 20;

/// A folder for one test's images.
pub struct Bench(pub tempfile::TempDir);

impl Bench {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// An empty sparse file.
    pub fn file(&self, name: &str, size: u64) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::File::create(&path).unwrap().set_len(size).unwrap();
        path
    }

    /// A file made by a `mkfs`; `None`, with a line that says so, where the tool is missing.
    pub fn made(&self, name: &str, size: u64, command: &str) -> Option<PathBuf> {
        let path = self.file(name, size);
        run(&format!("{command} {}", path.display())).map(|_| path)
    }
}

/// Runs a line of words; `None`, with a line that says so, where the tool is missing. Fails the test
/// if the tool fails.
pub fn run(line: &str) -> Option<String> {
    let (code, output) = run_any(line)?;
    assert_eq!(code, 0, "{line}\n{output}");
    Some(output)
}

/// The same for any exit code.
pub fn run_any(line: &str) -> Option<(i32, String)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let program = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"]
        .iter()
        .map(|folder| Path::new(folder).join(words[0]))
        .find(|path| path.exists());
    let Some(program) = program else {
        eprintln!("left out: {} is not installed", words[0]);
        return None;
    };
    let finished = Command::new(program).args(&words[1..]).env("LC_ALL", "C").output().unwrap();
    let output = String::from_utf8_lossy(&finished.stdout).into_owned() + &String::from_utf8_lossy(&finished.stderr);
    Some((finished.status.code().unwrap_or(-1), output))
}

pub fn open(path: &Path) -> FileDevice {
    FileDevice::open(path, Access::Read).unwrap()
}

/// What `blkid` finds by looking at the file itself.
pub fn blkid(path: &Path) -> Option<BTreeMap<String, String>> {
    let (_, output) = run_any(&format!("blkid -p -o export {}", path.display()))?;
    let unescape = |value: &str| value.replace('\\', "");
    Some(output.lines().filter_map(|line| line.split_once('=')).map(|(k, v)| (k.to_owned(), unescape(v))).collect())
}

/// A recorded image of `../shared/data` beside the repository, unpacked; `None`, with a line that
/// says so, where it is missing.
pub fn recorded(bench: &Bench, name: &str) -> Option<PathBuf> {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/luks").join(name);
    if !packed.exists() {
        eprintln!("left out: no recorded image {name}");
        return None;
    }
    let path = bench.0.path().join(packed.file_stem().unwrap());
    let output = std::fs::File::create(&path).unwrap();
    let status = Command::new("xz").arg("-dc").arg(&packed).stdout(output).status().unwrap();
    assert!(status.success(), "xz -dc {}", packed.display());
    Some(path)
}
