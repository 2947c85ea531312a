//! What the two images are made of.

use std::path::{Path, PathBuf};

use model::{Describe, Fault};
use opal::preboot::Maker;
use preboot::settings::{HEADERS, Settings};
use texts::Language;

use crate::image::{Contents, Image, Place, build};
use crate::initramfs::Extra;
use crate::keymap::{self, Layout};
use crate::modules::Purpose;
use crate::{Error, Parts, Result, programs};

/// The program that asks.
const PREBOOT: &str = "latchkey-preboot";

/// A stick's image has no more bytes than this.
pub const LARGEST_STICK: u64 = 120 << 20;

/// A header for the stick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackedUp {
    /// The volume's UUID.
    pub uuid: String,
    /// As `cryptsetup luksHeaderBackup` writes it.
    pub bytes: Vec<u8>,
}

/// The image for a drive's shadow MBR, from the system under `root`, with its keyboard layout. `room` is what
/// the drive has for it, in bytes.
///
/// # Errors
/// As [`build`] and [`own`](crate::own).
pub fn preboot_image(root: &Path, language: Language, room: u64) -> Result<Image> {
    let layout = Layout::of_system(root);
    let us = Layout { layout: "us".into(), variant: String::new() };
    let contents = Contents {
        program: programs::own(PREBOOT)?,
        settings: settings(&layout, language),
        keymaps: tables([&layout, &us].into_iter()),
        purpose: Purpose::Preboot,
        more_modules: Vec::new(),
        extra: Vec::new(),
        links: Vec::new(),
        beside: Vec::new(),
        words: String::new(),
    };
    build(&Parts::find(root)?, &contents, Place::Within(room))
}

/// Makes preboot images from the system under a root folder.
#[derive(Clone, Debug)]
pub struct OfSystem {
    /// The system's root folder.
    pub root: PathBuf,
    /// What the image speaks first.
    pub language: Language,
}

impl Maker for OfSystem {
    fn ready(&self) -> std::result::Result<(), Fault> {
        let ready = || {
            // Firmware of the older sort starts no such image.
            if !self.root.join("sys/firmware/efi").is_dir() {
                return Err(Error::NoUefi);
            }
            programs::own(PREBOOT)?;
            Parts::find(&self.root).map(drop)
        };
        ready().map_err(|error| error.fault())
    }

    fn make(&self, room: u64) -> std::result::Result<Vec<u8>, Fault> {
        let image = preboot_image(&self.root, self.language, room).map_err(|error| error.fault())?;
        Ok(image.whole())
    }
}

/// What a rescue stick holds. Header backups lie on the partition, for our program and for any other computer.
/// No recovery key is on it.
///
/// # Errors
/// As [`own`](crate::own) and [`with_libraries`](crate::with_libraries).
pub fn stick_contents(root: &Path, language: Language, headers: &[BackedUp]) -> Result<Contents> {
    let layout = Layout::of_system(root);
    let mut extra = programs::with_libraries(root, "/usr/sbin/cryptsetup", "cryptsetup-bin")?;
    // What an interrupted system needs before its root can be mounted, or made larger again.
    for tool in ["/usr/sbin/e2fsck", "/usr/sbin/resize2fs"] {
        let more = programs::with_libraries(root, tool, "e2fsprogs")?;
        let new = |one: &Extra| !extra.iter().any(|known| known.path == one.path);
        let new: Vec<Extra> = more.into_iter().filter(new).collect();
        extra.extend(new);
    }
    extra.push(Extra { path: "/bin/busybox".into(), ..busybox(root)? });
    let beside =
        headers.iter().map(|header| (format!("{HEADERS}/{}.img", header.uuid), header.bytes.clone())).collect();
    let usual = keymap::usual();
    Ok(Contents {
        program: programs::own("latchkey-rescue")?,
        settings: settings(&layout, language),
        keymaps: tables(usual.iter().chain([&layout])),
        purpose: Purpose::Rescue,
        more_modules: Vec::new(),
        extra,
        links: vec![("/lib".into(), "usr/lib".into())],
        beside,
        words: String::new(),
    })
}

fn busybox(root: &Path) -> Result<Extra> {
    let places = ["/usr/bin/busybox", "/bin/busybox"];
    let found = places.iter().find(|path| root.join(path.trim_start_matches('/')).is_file());
    let mut all = programs::with_libraries(root, found.unwrap_or(&places[0]), "busybox-static")?;
    // One that is linked with libraries has them in the image through cryptsetup.
    let at = all.iter().position(|extra| extra.path.ends_with("/busybox")).unwrap_or(0);
    Ok(all.swap_remove(at))
}

fn settings(layout: &Layout, language: Language) -> Settings {
    Settings { language, keymap: layout.name() }
}

/// Those that this computer can make, each once.
fn tables<'a>(layouts: impl Iterator<Item = &'a Layout>) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = Vec::new();
    for layout in layouts {
        if !all.iter().any(|(name, _)| *name == layout.name())
            && let Some(tables) = layout.tables()
        {
            all.push((layout.name(), tables));
        }
    }
    all
}
