//! The archive that the kernel unpacks as its first root: "new ASCII" cpio (kernel documentation,
//! `driver-api/early-userspace/buffer-format`). Everything belongs to root and has no date, so that the same
//! parts give the same bytes.

/// An archive that is being written.
pub struct Archive {
    bytes: Vec<u8>,
    inode: u32,
}

const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
const DEVICE: u32 = 0o020_000;
const LINK: u32 = 0o120_000;

impl Archive {
    /// An empty one.
    pub fn new() -> Self {
        Self { bytes: Vec::new(), inode: 0 }
    }

    /// Adds a folder. Those above it must be there.
    pub fn folder(&mut self, path: &str) {
        self.entry(path, FOLDER | 0o755, (0, 0), &[]);
    }

    /// Adds a file.
    pub fn file(&mut self, path: &str, permissions: u32, contents: &[u8]) {
        self.entry(path, FILE | permissions, (0, 0), contents);
    }

    /// Adds a symbolic link.
    pub fn link(&mut self, path: &str, to: &str) {
        self.entry(path, LINK | 0o777, (0, 0), to.as_bytes());
    }

    /// Adds a character device.
    pub fn device(&mut self, path: &str, major: u32, minor: u32) {
        self.entry(path, DEVICE | 0o600, (major, minor), &[]);
    }

    /// The archive with its end.
    pub fn finish(mut self) -> Vec<u8> {
        self.entry("TRAILER!!!", 0, (0, 0), &[]);
        self.bytes
    }

    fn entry(&mut self, path: &str, mode: u32, device: (u32, u32), contents: &[u8]) {
        let path = path.trim_start_matches('/');
        self.inode += 1;
        // A file of more than 4 GiB cannot be in it, nor in an initramfs.
        let length = u32::try_from(contents.len()).unwrap_or(u32::MAX);
        let name = u32::try_from(path.len() + 1).unwrap_or(u32::MAX);
        let fields = [self.inode, mode, 0, 0, 1, 0, length, 0, 0, device.0, device.1, name, 0];
        self.bytes.extend(b"070701");
        for field in fields {
            self.bytes.extend(format!("{field:08x}").bytes());
        }
        self.bytes.extend(path.bytes().chain([0]));
        self.align();
        self.bytes.extend(contents);
        self.align();
    }

    fn align(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn stock_cpio_lists_what_is_in_it() {
        let mut archive = Archive::new();
        archive.folder("/etc");
        archive.file("/etc/odd", 0o644, b"12345");
        archive.link("bin", "usr/bin");
        archive.file("init", 0o755, &[7; 4096]);
        let bytes = archive.finish();
        assert_eq!(bytes.len() % 4, 0);
        let started = Command::new("busybox").args(["cpio", "-t"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut child) = started else { return println!("left out: busybox is not here") };
        child.stdin.take().unwrap().write_all(&bytes).unwrap();
        let listed = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        assert_eq!(listed.lines().collect::<Vec<_>>(), ["etc", "etc/odd", "bin", "init"]);
    }
}
