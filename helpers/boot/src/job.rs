//! What was staged: written once, before the test start, and read in the initramfs and by the running system.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::room::Room;
use crate::{Error, Result, files};

/// Where the running system keeps what belongs to it.
pub const FOLDER: &str = "/var/lib/latchkey/system";
/// The program that the initramfs and the service start: not wherever somebody has unpacked it.
pub const PROGRAM: &str = "/usr/local/lib/latchkey/latchkey";
/// The same folder inside the initramfs.
pub const IN_INITRAMFS: &str = "/etc/latchkey";

/// What is going to be done to which device, by names that no restart changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Version of this structure: 1.
    pub version: u32,
    /// Names this try; the test entry's kernel command line carries it.
    pub id: String,
    /// The partition that the root file system lies on.
    pub partuuid: String,
    /// The root file system's UUID.
    pub filesystem: String,
    /// UUID that the volume will have.
    pub volume: String,
    /// Name under `/dev/mapper`.
    pub mapping: String,
    /// Bytes of the partition.
    pub size: u64,
    /// Bytes of the header; twice as many are left free at the end.
    pub shift: u64,
    /// The loader's entry can be chosen for one start by this means.
    pub loader: String,
    /// `/boot` was moved out of the root by us, to the partition with this file system.
    #[serde(default)]
    pub split_boot: Option<String>,
    /// Which way it goes. Encrypting if nothing is said.
    #[serde(default)]
    pub way: Way,
    /// The next start is not the test: it makes room for a separate `/boot`.
    #[serde(default)]
    pub room: Option<Room>,
}

/// Which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// From plain to encrypted.
    #[default]
    Encrypt,
    /// And back.
    Decrypt,
}

impl Job {
    /// What was staged, if anything.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::NotUnderstood`].
    pub fn load(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join("job.json");
        let text = files::text_or_empty(&path)?;
        if text.is_empty() {
            return Ok(None);
        }
        Self::parse(&text).map(Some).map_err(|error| Error::odd(path.display(), error))
    }

    fn parse(text: &str) -> std::result::Result<Self, String> {
        let job: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if job.version != 1 {
            return Err(format!("version {}", job.version));
        }
        // They become parts of paths and of a shell's file.
        let plain = |text: &str| {
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        let names = [&job.id, &job.partuuid, &job.filesystem, &job.volume, &job.mapping];
        if let Some(name) = names.into_iter().find(|name| !plain(name) || name.starts_with('.')) {
            return Err(format!("{name:?} is no name"));
        }
        Ok(job)
    }

    /// Writes it, so that a cut leaves the old or the new one.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn save(&self, folder: &Path) -> Result<()> {
        let text = serde_json::to_vec_pretty(self).map_err(|error| Error::odd("job", error))?;
        files::replace(&folder.join("job.json"), &text, 0o600)
    }

    /// The partition's node.
    pub fn device(&self) -> PathBuf {
        Path::new("/dev/disk/by-partuuid").join(&self.partuuid)
    }

    /// The node of the encrypted volume.
    pub fn mapped(&self) -> PathBuf {
        Path::new("/dev/mapper").join(&self.mapping)
    }

    /// The word on the kernel's command line that asks for the test.
    pub fn word(&self) -> String {
        format!("latchkey.test={}", self.id)
    }

    /// The line of crypttab, as Debian's installer writes it.
    pub fn crypttab_line(&self) -> String {
        format!("{} UUID={} none luks,discard", self.mapping, self.volume)
    }
}

/// The staged header.
pub fn header_file(folder: &Path) -> PathBuf {
    folder.join("header.img")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn job() -> Job {
        Job {
            version: 1,
            id: "5f0e".into(),
            partuuid: "bdceb69e-8608-324f-b3df-2a424f83c5bc".into(),
            filesystem: "7a6f2c52-61b1-4a1f-9e0c-3f5c5a8d1e01".into(),
            volume: "3c1b4f0e-0000-4000-8000-000000000001".into(),
            mapping: "vda2_crypt".into(),
            size: 1 << 30,
            shift: 16 << 20,
            loader: "grub".into(),
            split_boot: None,
            way: Way::Encrypt,
            room: None,
        }
    }

    #[test]
    fn it_is_read_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Job::load(folder.path()).unwrap(), None);
        job().save(folder.path()).unwrap();
        assert_eq!(Job::load(folder.path()).unwrap(), Some(job()));
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for name in ["../sda", "", "a b", "x;reboot", "$(x)", ".."] {
            let text = serde_json::to_string(&Job { mapping: name.into(), ..job() }).unwrap();
            assert!(Job::parse(&text).is_err(), "{name}");
        }
        let newer = serde_json::to_string(&Job { version: 2, ..job() }).unwrap();
        assert!(Job::parse(&newer).is_err());
    }
}
