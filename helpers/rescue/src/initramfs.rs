//! The first root: our program, its settings, modules, keyboards.

use std::collections::BTreeSet;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use preboot::settings::{KEYMAPS, MODULES, PLACE};

use crate::cpio::Archive;
use crate::image::Contents;
use crate::{Error, Parts, Result, modules};

/// One more file of the first root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extra {
    /// Its full path in the image.
    pub path: String,
    /// A program.
    pub executable: bool,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// The archive, compressed with gzip, which every kernel unpacks.
pub fn pack(parts: &Parts, contents: &Contents) -> Result<Vec<u8>> {
    let mut archive = Archive::new();
    for folder in ["dev", "proc", "sys", "run", "etc", "tmp", "mnt"] {
        archive.folder(folder);
    }
    archive.folder(MODULES);
    archive.folder(KEYMAPS);
    // The first process has these open before it can mount anything.
    archive.device("dev/console", 5, 1);
    archive.device("dev/null", 1, 3);
    archive.file("init", 0o755, &contents.program);
    archive.file(PLACE, 0o644, contents.settings.to_text().as_bytes());
    for (name, tables) in &contents.keymaps {
        archive.file(&format!("{KEYMAPS}/{name}"), 0o644, tables);
    }
    let modules = modules::collect(&parts.modules, contents.purpose, &contents.more_modules)?;
    for (number, (name, bytes)) in modules.iter().enumerate() {
        archive.file(&format!("{MODULES}/{number:03}-{name}.ko"), 0o644, bytes);
    }
    let mut folders: BTreeSet<&str> =
        ["/dev", "/proc", "/sys", "/run", "/etc", "/tmp", "/mnt", MODULES, KEYMAPS].into();
    for extra in &contents.extra {
        for (at, _) in extra.path.match_indices('/').skip(1) {
            if folders.insert(&extra.path[..at]) {
                archive.folder(&extra.path[..at]);
            }
        }
        archive.file(&extra.path, if extra.executable { 0o755 } else { 0o644 }, &extra.bytes);
    }
    for (path, to) in &contents.links {
        archive.link(path, to);
    }
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(&archive.finish()).and_then(|()| packer.finish()).map_err(Error::Layout)
}
