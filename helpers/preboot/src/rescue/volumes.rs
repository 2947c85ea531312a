//! The volumes of this computer, and how their headers are.

use std::fs;
use std::path::{Path, PathBuf};

use blockdev::{Access, Device, FileDevice};
use luks::Header;
use luks::convert::{self, Place};

/// A partition, or a drive without partitions.
#[derive(Clone, Debug)]
pub struct Volume {
    /// Its node.
    pub path: PathBuf,
    /// Bytes.
    pub size: u64,
    /// What lies on it, by the catalogue's name.
    pub content: String,
    /// How its header is.
    pub state: State,
    /// The UUID of a LUKS volume that tells it.
    pub uuid: Option<String>,
}

/// How a volume's header is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Both copies are good.
    Whole,
    /// One copy is good.
    Damaged,
    /// Both are gone, and what is behind them is there.
    Lost,
    /// Half encrypted or half decrypted.
    Converting {
        /// Bytes that are done.
        done: u64,
        /// Bytes in all.
        total: u64,
    },
    /// A file system that is not encrypted.
    Plain,
    /// Nothing that is known.
    Unknown,
}

/// All of them, without those of this stick.
pub fn all() -> Vec<Volume> {
    let left_out = ["loop", "ram", "zram", "sr", "fd", "dm-", "md"];
    let mut names = names();
    names.retain(|name| !left_out.iter().any(|prefix| name.starts_with(prefix)));
    let looked = names.iter().filter_map(|name| Some((has_partitions(name), look(&Path::new("/dev").join(name))?)));
    // A table of partitions that was written over a volume: what lies behind it is what counts, and its
    // partitions do not.
    let counts = |(partitions, volume): &(bool, Volume)| !partitions || volume.content == "luks2";
    let found: Vec<(bool, Volume)> = looked.filter(counts).collect();
    let written_over: Vec<PathBuf> =
        found.iter().filter(|(partitions, _)| *partitions).map(|(_, volume)| volume.path.clone()).collect();
    let of_those = |path: &Path| {
        let path = path.to_string_lossy();
        written_over
            .iter()
            .any(|disk| path.len() > disk.as_os_str().len() && path.starts_with(&*disk.to_string_lossy()))
    };
    found.into_iter().map(|(_, volume)| volume).filter(|volume| !of_those(&volume.path)).collect()
}

/// The partition of this stick.
pub fn this_stick() -> Option<PathBuf> {
    let paths = names().into_iter().map(|name| Path::new("/dev").join(name));
    paths.into_iter().find(|path| FileDevice::open(path, Access::Read).is_ok_and(|device| is_this_stick(&device)))
}

fn names() -> Vec<String> {
    let entries = fs::read_dir("/sys/class/block").into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

fn has_partitions(name: &str) -> bool {
    let entries = fs::read_dir(Path::new("/sys/class/block").join(name)).into_iter().flatten().flatten();
    let mut entries = entries;
    entries.any(|entry| entry.path().join("partition").is_file())
}

/// `None`: it cannot be read, is empty, or is this stick.
pub fn look(path: &Path) -> Option<Volume> {
    let device = FileDevice::open(path, Access::Read).ok()?;
    let size = device.size();
    if size < 1 << 20 || is_this_stick(&device) {
        return None;
    }
    let volume =
        |content: &str, state, uuid| Volume { path: path.to_owned(), size, content: content.into(), state, uuid };
    if let Ok(place) = convert::locate(&device) {
        let uuid = Some(place.header().uuid().to_owned());
        let state = match (convert::state(&place, size), &place) {
            (Some(state), _) => State::Converting { done: state.done, total: state.total },
            (None, Place::Front(loaded)) if loaded.damage.is_none() => State::Whole,
            (None, _) => State::Damaged,
        };
        return Some(volume("luks2", state, uuid));
    }
    if luks::rebuild(&device, None).is_ok() {
        return Some(volume("luks2", State::Lost, None));
    }
    Some(match filesystems::probe(&device) {
        Ok(Some(found)) => volume(found.kind.name(), State::Plain, None),
        _ => volume("unknown", State::Unknown, None),
    })
}

/// The label that the builder of images gives.
fn is_this_stick(device: &dyn Device) -> bool {
    // FAT32's label in the boot sector (Microsoft's specification, BS_VolLab).
    device.read_vec(0, 512).is_ok_and(|sector| sector[71..82] == *b"LATCHKEY   ")
}

/// The header that lies on a volume, as far as it is there.
pub fn header(device: &dyn Device) -> Option<Header> {
    convert::locate(device).ok().map(|place| place.header().clone()).or_else(|| luks::rebuild(device, None).ok())
}
