//! The disk: GPT, one FAT32 partition for UEFI, and on it the signed chain and our initramfs.
//!
//! ```text
//! EFI/BOOT/BOOTX64.EFI   shim: what firmware starts from any drive that it has no entry for
//! EFI/BOOT/grubx64.efi   what shim starts from its own folder
//! EFI/debian/grub.cfg    where this GRUB looks
//! linux, initrd          the kernel, and our program
//! ```

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use gpt::GptConfig;
use gpt::disk::LogicalBlockSize;
use gpt::mbr::ProtectiveMBR;
use gpt::partition_types::EFI;
use preboot::settings::Settings;

use crate::disk::Disk;
use crate::initramfs::{self, Extra};
use crate::manifest::{MANIFEST, Manifest};
use crate::modules::Purpose;
use crate::volume::{read_file, read_partition, volume};
use crate::{Error, Parts, Result};

const MIB: u64 = 1 << 20;
const SECTOR: u64 = 512;
/// Where the partition begins.
const START: u64 = MIB;
/// Behind the partition: the second GPT, in whole mebibytes.
const END: u64 = MIB;
/// A FAT32 has at least 65,525 clusters (Microsoft's specification, "FAT type determination"), here of
/// 512 bytes, and its two tables.
const SMALLEST: u64 = 34 * MIB;

/// What an image is to hold beside the signed chain.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The first process, linked statically.
    pub program: Vec<u8>,
    /// What it reads first.
    pub settings: Settings,
    /// Keyboard tables with their names.
    pub keymaps: Vec<(String, Vec<u8>)>,
    /// Which modules.
    pub purpose: Purpose,
    /// Modules beside these.
    pub more_modules: Vec<String>,
    /// Files of the first root beside these, with full paths.
    pub extra: Vec<Extra>,
    /// Links of the first root: where, and to what.
    pub links: Vec<(String, String)>,
    /// Files on the partition, for anybody to read.
    pub beside: Vec<(String, Vec<u8>)>,
    /// More words for the kernel.
    pub words: String,
}

/// Where the image goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// No larger than it must be, and with so many bytes at most.
    Within(u64),
    /// A disk of so many bytes, of which the partition takes only what it needs.
    Disk(u64),
}

/// A disk's first and last bytes; everything between is nobody's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// From the first byte on.
    pub head: Vec<u8>,
    /// Up to the last byte.
    pub tail: Vec<u8>,
    /// Bytes of the whole disk.
    pub size: u64,
}

impl Image {
    /// The whole, for a disk that is no larger than the image.
    pub fn whole(&self) -> Vec<u8> {
        let gap = usize::try_from(self.size).unwrap_or(0).saturating_sub(self.head.len() + self.tail.len());
        [self.head.as_slice(), &vec![0; gap], &self.tail].concat()
    }
}

/// Makes an image, reads everything in it back, as firmware would, and compares.
///
/// # Errors
/// [`Error::TooLarge`], [`Error::File`], [`Error::Module`], [`Error::Differs`].
pub fn build(parts: &Parts, contents: &Contents, place: Place) -> Result<Image> {
    let files = files(parts, contents)?;
    // Each file may waste a cluster; folders and tables take some more.
    let bytes: u64 = files.iter().map(|(_, bytes)| bytes.len() as u64 + 4096).sum();
    let partition = (bytes + bytes / 50 + MIB).next_multiple_of(MIB).max(SMALLEST);
    let needed = START + partition + END;
    let (size, room) = match place {
        Place::Within(room) => (needed, room),
        Place::Disk(size) => (size / SECTOR * SECTOR, size),
    };
    if needed > room {
        return Err(Error::TooLarge { needed, room });
    }
    let mut disk = lay_out(&files, partition, size).map_err(Error::Layout)?;
    check(&mut disk, &files)?;
    Ok(Image { head: disk.head, tail: disk.tail, size })
}

fn files(parts: &Parts, contents: &Contents) -> Result<Vec<(String, Vec<u8>)>> {
    let read = |path: &Path| fs::read(path).map_err(Error::at(path));
    let words = format!("quiet loglevel=1 panic=30 {}", contents.words);
    let settings = format!("set timeout=0\nlinux /linux {}\ninitrd /initrd\nboot\n", words.trim_end());
    let mut files = vec![
        ("EFI/BOOT/BOOTX64.EFI".to_owned(), read(&parts.shim)?),
        ("EFI/BOOT/grubx64.efi".to_owned(), read(&parts.grub)?),
        (format!("{}/grub.cfg", parts.grub_folder), settings.into_bytes()),
        ("linux".to_owned(), read(&parts.kernel)?),
        ("initrd".to_owned(), initramfs::pack(parts, contents)?),
    ];
    files.extend(contents.beside.iter().cloned());
    let manifest = Manifest::of(&files, &parts.version);
    files.push((MANIFEST.to_owned(), manifest.to_bytes()));
    Ok(files)
}

fn lay_out(files: &[(String, Vec<u8>)], partition: u64, size: u64) -> std::io::Result<Disk> {
    let mut disk = Disk::new(START + partition, END, size)?;
    let sectors = u32::try_from(size / SECTOR - 1).unwrap_or(u32::MAX);
    ProtectiveMBR::with_lb_size(sectors).overwrite_lba0(&mut disk).map_err(std::io::Error::other)?;
    let config = GptConfig::new().writable(true).logical_block_size(LogicalBlockSize::Lb512);
    let mut table = config.create_from_device(disk, None).map_err(std::io::Error::other)?;
    table.add_partition("LATCHKEY", partition, EFI, 0, Some(MIB / SECTOR)).map_err(std::io::Error::other)?;
    let mut disk = table.write().map_err(std::io::Error::other)?;
    let volume = volume(files, partition)?;
    disk.seek(SeekFrom::Start(START))?;
    disk.write_all(&volume)?;
    Ok(disk)
}

/// Compares each byte of each file.
fn check(disk: &mut Disk, files: &[(String, Vec<u8>)]) -> Result<()> {
    let differs = |what: &str| Error::Differs { what: what.to_owned() };
    let volume = read_partition(disk).ok_or_else(|| differs("GPT"))?;
    for (path, bytes) in files {
        if read_file(&volume, path).is_none_or(|found| found != *bytes) {
            return Err(differs(path));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn parts(root: &Path) -> Parts {
        for (path, bytes) in
            [("shim", &b"shim"[..]), ("grub", b"grub"), ("kernel", &[5; 100_000]), ("modules.dep", b"")]
        {
            fs::write(root.join(path), bytes).unwrap();
        }
        Parts {
            shim: root.join("shim"),
            grub: root.join("grub"),
            grub_folder: "EFI/debian".into(),
            kernel: root.join("kernel"),
            version: "6".into(),
            modules: root.to_owned(),
        }
    }

    fn contents() -> Contents {
        Contents {
            program: vec![1; 5000],
            settings: Settings::default(),
            keymaps: vec![("de".into(), vec![2; 10])],
            purpose: Purpose::Preboot,
            more_modules: Vec::new(),
            extra: vec![Extra { path: "/usr/bin/x".into(), executable: true, bytes: vec![3; 9] }],
            links: vec![("/bin".into(), "usr/bin".into())],
            beside: vec![("headers/a.img".into(), vec![4; 70_000])],
            words: String::new(),
        }
    }

    #[test]
    fn is_laid_out_and_the_same_parts_fill_a_disk_of_any_size() {
        let folder = tempfile::tempdir().unwrap();
        let parts = parts(folder.path());
        let image = build(&parts, &contents(), Place::Within(128 * MIB)).unwrap();
        assert_eq!(image.size, image.whole().len() as u64);
        assert!(image.size <= 40 * MIB, "{}", image.size);
        let stick = build(&parts, &contents(), Place::Disk(64_000_000_000)).unwrap();
        assert_eq!(stick.size, 64_000_000_000 / SECTOR * SECTOR);
        assert_eq!(stick.tail[stick.tail.len() - 512..][..8], *b"EFI PART");
        assert!(matches!(
            build(&parts, &contents(), Place::Within(20 * MIB)),
            Err(Error::TooLarge { room, .. }) if room == 20 * MIB
        ));
        assert!(matches!(build(&parts, &contents(), Place::Disk(MIB)), Err(Error::TooLarge { .. })));
    }

    #[test]
    fn stock_tools_find_nothing_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let image = build(&parts(folder.path()), &contents(), Place::Within(128 * MIB)).unwrap();
        let (whole, volume) = (folder.path().join("whole"), folder.path().join("volume"));
        fs::write(&whole, image.whole()).unwrap();
        fs::write(&volume, &image.head[usize::try_from(START).unwrap()..]).unwrap();
        for (program, words, path) in [("sfdisk", ["--verify"].as_slice(), &whole), ("fsck.vfat", &["-n"], &volume)] {
            let Ok(output) = Command::new(program).args(words).arg(path).output() else {
                println!("left out: {program} is not here");
                continue;
            };
            let said = [output.stdout, output.stderr].concat();
            assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&said));
        }
    }
}
