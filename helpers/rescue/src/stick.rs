//! Writing an image: into a file, or onto a stick that nothing else lies on.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use blockdev::{Access, Buffer, Device, FileDevice};
use model::{Bus, Drive};

use crate::image::Image;
use crate::{Error, Result};

/// Bytes that are written or read at once.
const PIECE: usize = 4 << 20;

/// A drive that may become a rescue stick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stick {
    /// Its node.
    pub path: PathBuf,
    /// Vendor and model.
    pub name: String,
    /// Bytes.
    pub size: u64,
}

/// That a person has typed the stick's name.
#[derive(Debug)]
pub struct Confirmation(());

impl Stick {
    /// Holds what was typed against the stick's name. Blanks around it and the case of letters do not matter.
    ///
    /// # Errors
    /// [`Error::NotConfirmed`].
    pub fn confirm(&self, typed: &str) -> Result<Confirmation> {
        let same = self.name.trim().to_lowercase() == typed.trim().to_lowercase();
        if same && !typed.trim().is_empty() { Ok(Confirmation(())) } else { Err(Error::NotConfirmed) }
    }
}

/// The sticks of this computer: what can be pulled out, and nothing of it is in use.
///
/// # Errors
/// The system does not list its drives.
pub fn sticks() -> Result<Vec<Stick>> {
    let stick = |drive: Drive| Stick { path: drive.path.into(), name: drive.name, size: drive.size };
    Ok(drives::list()?.into_iter().filter(is_stick).map(stick).collect())
}

fn is_stick(drive: &Drive) -> bool {
    // A disk in a USB case says that it cannot be taken out of the case.
    let can_be_pulled = drive.removable == Some(true) || drive.bus == Bus::Usb;
    let quiet = drive.volumes.iter().all(|volume| !volume.in_use && volume.mounts.is_empty());
    can_be_pulled && drive.bus != Bus::Image && !drive.system && quiet && drive.size > 0
}

/// Writes an image onto a stick and reads every byte of it back from the medium. Whatever lay on the stick
/// is gone. The stick is looked at again first; the kernel refuses if something of it is mounted meanwhile.
///
/// # Errors
/// [`Error::NotAStick`], [`Error::Differs`], and those of the device.
pub fn write_stick(
    stick: &Stick,
    confirmation: Confirmation,
    make: &mut dyn FnMut(u64) -> Result<Image>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<()> {
    write_stick_through(&stick.path, stick, confirmation, make, progress)
}

/// The same through another path to the same device, for whoever holds it open already.
///
/// # Errors
/// As [`write_stick`].
pub fn write_stick_through(
    path: &Path,
    stick: &Stick,
    _: Confirmation,
    make: &mut dyn FnMut(u64) -> Result<Image>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<()> {
    if !sticks()?.contains(stick) {
        return Err(Error::NotAStick { path: stick.path.clone() });
    }
    let device = FileDevice::open(path, Access::Exclusive)?;
    put(&device, &make(device.size())?, progress)
}

/// Head and tail, each read back. The first sector comes last: until then there is no table, and nothing
/// that would start.
fn put(device: &dyn Device, image: &Image, progress: &mut dyn FnMut(u64, u64)) -> Result<()> {
    if image.size > device.size() {
        return Err(Error::TooLarge { needed: image.size, room: device.size() });
    }
    let tail_at = image.size - image.tail.len() as u64;
    let first = image.head.len().min(PIECE);
    let pieces = |bytes: &'_ [u8], at: u64| -> Vec<(u64, Vec<u8>)> {
        bytes
            .chunks(PIECE)
            .scan(at, |at, piece| Some((std::mem::replace(at, *at + piece.len() as u64), piece.to_vec())))
            .collect()
    };
    let mut all = pieces(&image.head[first..], first as u64);
    all.extend(pieces(&image.tail, tail_at));
    all.push((0, image.head[..first].to_vec()));
    let total = 2 * (image.head.len() + image.tail.len()) as u64;
    let mut done = 0;
    for (at, piece) in &all {
        let mut buffer = Buffer::new(piece.len());
        buffer.copy_from_slice(piece);
        if *at == 0 {
            device.flush()?;
        }
        device.write_at(*at, &buffer)?;
        done += piece.len() as u64;
        progress(done, total);
    }
    device.flush()?;
    for (at, piece) in &all {
        let mut buffer = Buffer::new(piece.len());
        device.read_at(*at, &mut buffer)?;
        if buffer[..] != piece[..] {
            return Err(Error::Differs { what: format!("{at}") });
        }
        done += piece.len() as u64;
        progress(done, total);
    }
    Ok(())
}

/// Writes an image into a new file, flushes, and reads it back.
///
/// # Errors
/// [`Error::File`], also where the file is there already; [`Error::Differs`]. Nothing half is left.
pub fn write_file(path: &Path, image: &Image) -> Result<()> {
    let bytes = image.whole();
    let mut file = OpenOptions::new().read(true).write(true).create_new(true).open(path).map_err(Error::at(path))?;
    let written = file.write_all(&bytes).and_then(|()| file.sync_all()).map_err(Error::at(path)).and_then(|()| {
        #[cfg(target_os = "linux")]
        let _ = rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed);
        let mut back = Vec::new();
        std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut back)).map_err(Error::at(path))?;
        if back == bytes { Ok(()) } else { Err(Error::Differs { what: path.display().to_string() }) }
    });
    if written.is_err() {
        let _ = std::fs::remove_file(path);
    }
    written
}

#[cfg(test)]
mod tests {
    use blockdev::Memory;
    use model::{Judged, Reason, Verdict};

    use super::*;

    fn drive(removable: Option<bool>, bus: Bus, system: bool) -> Drive {
        let judged =
            Judged { verdict: Verdict::Unknown, reason: Reason::new("x"), gets: String::new(), next: String::new() };
        Drive {
            path: "/dev/sdz".into(),
            name: "Stick 3000".into(),
            size: 1 << 30,
            bus,
            removable,
            rotational: None,
            system,
            volumes: Vec::new(),
            judged,
        }
    }

    #[test]
    fn only_what_can_be_pulled_out_and_is_not_the_system_is_a_stick() {
        assert!(is_stick(&drive(Some(true), Bus::Usb, false)));
        assert!(is_stick(&drive(Some(false), Bus::Usb, false)));
        assert!(is_stick(&drive(Some(true), Bus::Mmc, false)));
        assert!(!is_stick(&drive(Some(true), Bus::Usb, true)));
        assert!(!is_stick(&drive(Some(false), Bus::Nvme, false)));
        assert!(!is_stick(&drive(None, Bus::Ata, false)));
        assert!(!is_stick(&drive(Some(true), Bus::Image, false)));
        let stick = Stick { path: "/dev/sdz".into(), name: "Stick 3000".into(), size: 1 };
        assert!(stick.confirm(" stick 3000\n").is_ok());
        assert!(stick.confirm("yes").is_err() && stick.confirm("").is_err());
        // Nothing of that name is plugged in here.
        let confirmed = stick.confirm("Stick 3000").unwrap();
        let made = write_stick(&stick, confirmed, &mut |_| panic!("nothing is made"), &mut |_, _| {});
        assert!(matches!(made, Err(Error::NotAStick { .. })));
    }

    #[test]
    fn head_and_tail_are_put_in_their_places() {
        let image = Image { head: vec![1; 5 << 20], tail: vec![2; 1 << 20], size: 32 << 20 };
        let device = Memory::new(vec![9; 33 << 20]);
        put(&device, &image, &mut |_, _| {}).unwrap();
        let bytes = device.snapshot();
        assert!(
            bytes[..5 << 20].iter().all(|byte| *byte == 1) && bytes[31 << 20..32 << 20].iter().all(|byte| *byte == 2)
        );
        assert!(bytes[5 << 20..31 << 20].iter().chain(&bytes[32 << 20..]).all(|byte| *byte == 9));
        assert!(matches!(put(&Memory::new(vec![0; 1 << 20]), &image, &mut |_, _| {}), Err(Error::TooLarge { .. })));
    }
}
