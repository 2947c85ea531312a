//! Recorded machines: a text file becomes a folder with `sys`, `proc` and `run`.
//!
//! `path = text` is a small file, `path -> target` a link, `path <<` a file of all lines up to a lone
//! dot, `#` a comment.

#![allow(dead_code)] // Each test program uses its own part.
#![allow(clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.

use std::path::Path;

use drives::platform::Linux;
use drives::{Platform, Stack};
use tempfile::TempDir;

/// A recorded machine that lies in a temp folder as long as this lives.
pub struct Machine {
    folder: TempDir,
}

impl Machine {
    /// The machine of `tests/machines/NAME.txt`.
    pub fn named(name: &str) -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines").join(format!("{name}.txt"));
        Self::from_text(&std::fs::read_to_string(file).unwrap())
    }

    /// A machine written down in the test itself.
    pub fn from_text(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(path) = line.strip_suffix(" <<") {
                let body: Vec<&str> = lines.by_ref().take_while(|line| *line != ".").collect();
                write(folder.path(), path, &format!("{}\n", body.join("\n")));
            } else if let Some((path, target)) = line.split_once(" -> ") {
                let path = folder.path().join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::os::unix::fs::symlink(target, path).unwrap();
            } else {
                let (path, text) = line.split_once(" = ").unwrap_or_else(|| panic!("odd line: {line}"));
                write(folder.path(), path, &format!("{text}\n"));
            }
        }
        Self { folder }
    }

    /// 25 drives with four partitions each, all mounted.
    pub fn with_a_hundred_volumes() -> Self {
        let mut text = String::new();
        let mut mounts = String::from("1 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
        for disk in 0..25 {
            let name = format!("sd{}", char::from(b'a' + disk));
            text += &format!("sys/block/{name}/dev = 8:{}\nsys/block/{name}/size = 8000000\n", u32::from(disk) * 16);
            for part in 1..=4 {
                let number = u32::from(disk) * 16 + part;
                text += &format!("sys/block/{name}/{name}{part}/partition = {part}\n");
                text += &format!("sys/block/{name}/{name}{part}/dev = 8:{number}\n");
                text += &format!("sys/block/{name}/{name}{part}/size = 2000000\n");
                mounts += &format!("{} 1 8:{number} / /m/{number} rw - ext4 /dev/{name}{part} rw\n", number + 1000);
            }
        }
        Self::from_text(&format!("{text}proc/self/mountinfo <<\n{mounts}.\n"))
    }

    /// As the program sees it.
    pub fn linux(&self) -> Linux {
        Linux::recorded(self.folder.path())
    }

    /// Its stack.
    pub fn stack(&self) -> Stack {
        self.linux().stack().unwrap()
    }

    /// Makes a folder on it, for free space.
    pub fn make_folder(&self, path: &str) {
        std::fs::create_dir_all(self.folder.path().join(path.trim_start_matches('/'))).unwrap();
    }

    /// Where it lies.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

impl Machine {
    /// Gives a device of the machine its bytes.
    pub fn give_bytes(&self, name: &str, bytes: &[u8]) {
        let path = self.folder.path().join("dev").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// Bytes of small volumes.
pub mod bytes {
    use blockdev::Memory;
    use luks::FormatOptions;
    use model::Secret;
    use serde_json::{Value, json};
    use sha2::{Digest, Sha256};

    const MIB: usize = 1 << 20;

    /// A LUKS2 volume with one keyslot.
    pub fn luks2() -> Vec<u8> {
        let device = Memory::new(vec![0; 3 * MIB]);
        let options = FormatOptions {
            data_offset: luks::MIN_DATA_OFFSET,
            label: "vault".into(),
            digest_iterations: Some(1000),
            ..FormatOptions::default()
        };
        luks::format(&device, &options, &Secret::from("password")).unwrap();
        device.snapshot()
    }

    /// The same without its keyslot.
    pub fn luks2_without_keyslot() -> Vec<u8> {
        changed(luks2(), |header| {
            header["keyslots"] = json!({});
            header["digests"]["0"]["keyslots"] = json!([]);
        })
    }

    /// The same with a cipher that does nothing.
    pub fn luks2_null_cipher() -> Vec<u8> {
        changed(luks2(), |header| header["segments"]["0"]["encryption"] = json!("cipher_null-ecb"))
    }

    /// The same with a requirement of the future.
    pub fn luks2_newer() -> Vec<u8> {
        changed(luks2(), |header| header["config"]["requirements"] = json!({ "mandatory": ["from-the-future"] }))
    }

    /// The same, encrypted by the drive as well, or by the drive alone, as `cryptsetup --hw-opal` and
    /// `--hw-opal-only` write it.
    pub fn luks2_by_drive(alone: bool) -> Vec<u8> {
        changed(luks2(), |header| {
            header["config"]["requirements"] = json!({ "mandatory": ["opal"] });
            let segment = &mut header["segments"]["0"];
            segment["type"] = json!(if alone { "hw-opal" } else { "hw-opal-crypt" });
            segment["opal_segment_number"] = json!(1);
            segment["opal_key_size"] = json!(32);
            segment["opal_segment_size"] = json!("1048576");
            if alone {
                for name in ["encryption", "sector_size", "iv_tweak"] {
                    segment.as_object_mut().unwrap().remove(name);
                }
            }
        })
    }

    /// The same with a checksum for each sector.
    pub fn luks2_with_integrity() -> Vec<u8> {
        changed(luks2(), |header| {
            header["segments"]["0"]["encryption"] = json!("aegis128-random");
            header["segments"]["0"]["integrity"] =
                json!({ "type": "aead", "journal_encryption": "none", "journal_integrity": "none" });
        })
    }

    /// Writes a changed JSON area with right checksums into both copies (LUKS2 1.1.4, §2.1).
    fn changed(mut bytes: Vec<u8>, change: impl Fn(&mut Value)) -> Vec<u8> {
        let size = usize::try_from(luks::NEW_HEADER_SIZE).unwrap();
        for copy in bytes[..2 * size].chunks_mut(size) {
            let end = copy[4096..].iter().position(|byte| *byte == 0).unwrap();
            let mut header: Value = serde_json::from_slice(&copy[4096..4096 + end]).unwrap();
            change(&mut header);
            let text = header.to_string();
            copy[4096..].fill(0);
            copy[4096..4096 + text.len()].copy_from_slice(text.as_bytes());
            copy[448..512].fill(0);
            let checksum = Sha256::digest(&*copy);
            copy[448..480].copy_from_slice(&checksum);
        }
        bytes
    }

    /// Plain swap of the new kind.
    pub fn swap() -> Vec<u8> {
        let mut bytes = vec![0; MIB];
        bytes[1024..1028].copy_from_slice(&1u32.to_le_bytes());
        bytes[1028..1032].copy_from_slice(&255u32.to_le_bytes());
        bytes[4086..4096].copy_from_slice(b"SWAPSPACE2");
        bytes
    }

    /// A physical volume of LVM, as far as its label goes.
    pub fn lvm_member() -> Vec<u8> {
        let mut bytes = vec![0; MIB];
        bytes[512..520].copy_from_slice(b"LABELONE");
        bytes[520..528].copy_from_slice(&1u64.to_le_bytes());
        bytes[512 + 24..512 + 32].copy_from_slice(b"LVM2 001");
        bytes
    }

    /// The first sector of BitLocker.
    pub fn bitlocker() -> Vec<u8> {
        let mut bytes = vec![0; MIB];
        bytes[..11].copy_from_slice(b"\xeb\x58\x90-FVE-FS-");
        bytes[510..512].copy_from_slice(&[0x55, 0xaa]);
        bytes
    }

    /// Noise: what VeraCrypt and plain dm-crypt look like.
    pub fn noise() -> Vec<u8> {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_be_bytes()[0]
        };
        (0..MIB).map(|_| next()).collect()
    }

    /// A small file system made by the system's own tool. `None` where that is missing.
    pub fn ext4() -> Option<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ext4.img");
        std::fs::File::create(&file).unwrap().set_len(4 << 20).unwrap();
        let done =
            std::process::Command::new("/usr/sbin/mkfs.ext4").args(["-q", "-F", "-L", "my data"]).arg(&file).status();
        match done {
            Ok(status) if status.success() => Some(std::fs::read(&file).unwrap()),
            _ => {
                eprintln!("left out: mkfs.ext4 is not here");
                None
            }
        }
    }
}
