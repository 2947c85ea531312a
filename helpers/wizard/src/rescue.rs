//! The rescue image: a small FAT image with a copy of the volume's header and the facts about it.
//! It does not start a computer; a stick that does is a later version.

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use blockdev::Memory;
use luks::Header;
use model::{Meter, Secret, Sink, StepId, Unit};
use recovery::{Medium, System};

use crate::{Error, Result};

/// The header in it, in the form of `cryptsetup luksHeaderBackup`.
const HEADER: &str = "header.img";
/// The facts in it.
const FACTS: &str = "facts.txt";

/// Writes `latchkey-rescue-UUID.img` into a folder, flushes, reads every byte back from the medium, and
/// opens the header that was read with the secret. An earlier one of the same volume is replaced when
/// the new one is whole. Returns the file.
///
/// # Errors
/// [`Error::FolderFull`], [`Error::FolderReadOnly`], [`Error::FolderMissing`],
/// [`Error::ReadBackDiffers`], `luks-wrong-secret`. Nothing half is left.
pub(crate) fn write(folder: &Path, header: &[u8], secret: &Secret, sink: &mut dyn Sink) -> Result<PathBuf> {
    let loaded = Header::load(&Memory::new(header.to_vec()))?.header;
    let facts = facts(&loaded);
    let image = image(&[(HEADER, header), (FACTS, facts.as_bytes())]).map_err(|error| Error::folder(folder, error))?;
    store(folder, &format!("rescue-{}", loaded.uuid()), &image, sink, &mut |stored| opens(stored, secret))
}

/// Writes `latchkey-NAME.img` into a folder, flushes, reads every byte back from the medium, and shows what
/// was read to `check`. An earlier one is replaced when the new one is whole. Returns the file.
///
/// # Errors
/// As [`write`], and those of `check`.
pub(crate) fn store(
    folder: &Path,
    name: &str,
    image: &[u8],
    sink: &mut dyn Sink,
    check: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<PathBuf> {
    let fail = |error| Error::folder(folder, error);
    let path = folder.join(format!("latchkey-{name}.img"));
    let unfinished = folder.join(format!(".latchkey-{name}.part"));
    let mut meter = Meter::new(sink, StepId::Write, 3, Unit::Steps);
    meter.at(0);
    let mut medium = System;
    // What an earlier try left behind.
    let _ = medium.remove(&unfinished);
    let result = (|| {
        medium.write_new(&unfinished, image).map_err(fail)?;
        meter.at(1);
        let stored = read_from_medium(&unfinished).map_err(fail)?;
        if stored != image {
            return Err(Error::ReadBackDiffers { path: path.display().to_string() });
        }
        meter.at(2);
        check(&stored)?;
        let _ = medium.remove(&path);
        medium.rename(&unfinished, &path).map_err(fail)
    })();
    if result.is_err() {
        let _ = medium.remove(&unfinished);
    }
    result?;
    meter.at(3);
    Ok(path)
}

/// Reads a file that was flushed, after the system was asked to forget what it keeps of it in memory.
fn read_from_medium(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = std::fs::File::open(path)?;
    #[cfg(target_os = "linux")]
    rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Finds the header in an image as anybody would find it years later, and opens it.
fn opens(image: &[u8], secret: &Secret) -> Result<()> {
    let differs = || Error::ReadBackDiffers { path: HEADER.to_owned() };
    let mut copy = Cursor::new(image.to_vec());
    let mut header = Vec::new();
    {
        let system = fatfs::FileSystem::new(&mut copy, fatfs::FsOptions::new()).map_err(|_| differs())?;
        let mut file = system.root_dir().open_file(HEADER).map_err(|_| differs())?;
        file.read_to_end(&mut header).map_err(|_| differs())?;
    }
    let device = Memory::new(header);
    Header::load(&device)?.header.unlock(&device, secret)?;
    Ok(())
}

/// A FAT image with these files.
pub(crate) fn image(files: &[(&str, &[u8])]) -> std::io::Result<Vec<u8>> {
    const MIB: usize = 1 << 20;
    let content: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    let size = (content + MIB).next_multiple_of(MIB);
    let mut image = Cursor::new(vec![0; size]);
    fatfs::format_volume(&mut image, fatfs::FormatVolumeOptions::new().volume_label(*b"RESCUE     "))?;
    {
        let system = fatfs::FileSystem::new(&mut image, fatfs::FsOptions::new())?;
        let root = system.root_dir();
        for (name, bytes) in files {
            root.create_file(name)?.write_all(bytes)?;
        }
    }
    Ok(image.into_inner())
}

/// What somebody needs who has the drive, this file and any Linux: names and values, one a line.
fn facts(header: &Header) -> String {
    let mut lines = vec![
        "format = LUKS2".to_owned(),
        format!("uuid = {}", header.uuid()),
        format!("label = {}", header.label()),
        format!("cipher = {}", header.cipher().unwrap_or_default()),
        format!("key_bits = {}", header.key_bits().unwrap_or(0)),
        format!("sector_size = {}", header.sector_size()),
        format!("data_offset = {}", header.data_offset()),
    ];
    for slot in header.keyslots() {
        let kind = if slot.recovery { "recovery key" } else { "password" };
        lines.push(format!("keyslot {} = {kind}, {}", slot.id, slot.kdf));
    }
    lines.push(format!("made_by = latchkey {}", env!("CARGO_PKG_VERSION")));
    lines.push(format!("open = cryptsetup open --header {HEADER} DRIVE NAME"));
    lines.push(format!("restore = cryptsetup luksHeaderRestore --header-backup-file {HEADER} DRIVE"));
    // Windows editors of long ago want both.
    lines.join("\r\n") + "\r\n"
}

#[cfg(test)]
mod tests {
    use luks::FormatOptions;
    use luks::kdf::Kdf;
    use model::Silent;

    use super::*;

    fn header(secret: &Secret) -> Vec<u8> {
        let device = Memory::new(vec![0; 1 << 20]);
        let options = FormatOptions {
            data_offset: 1 << 20,
            kdf: Kdf::cheapest(),
            digest_iterations: Some(1000),
            ..FormatOptions::default()
        };
        luks::format(&device, &options, secret).unwrap();
        device.snapshot()
    }

    #[test]
    fn is_written_read_back_and_opened() {
        let folder = tempfile::tempdir().unwrap();
        let secret = Secret::from("lutin dehig");
        let header = header(&secret);
        let first = write(folder.path(), &header, &secret, &mut Silent).unwrap();
        let again = write(folder.path(), &header, &secret, &mut Silent).unwrap();
        assert_eq!(first, again);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let image = std::fs::read(&again).unwrap();
        opens(&image, &secret).unwrap();
        if let Ok(checked) = std::process::Command::new("fsck.vfat").arg("-n").arg(&again).output() {
            assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
        }
    }

    #[test]
    fn what_does_not_open_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let header = header(&Secret::from("lutin dehig"));
        write(folder.path(), &header, &Secret::from("other"), &mut Silent).unwrap_err();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let missing = folder.path().join("pulled out");
        let error = write(&missing, &header, &Secret::from("lutin dehig"), &mut Silent).unwrap_err();
        assert!(matches!(error, Error::FolderMissing { .. }), "{error:?}");
    }
}
