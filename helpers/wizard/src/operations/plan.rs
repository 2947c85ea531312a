//! How room for the header is made. Pure arithmetic, so that every case can be tried.

use std::path::{Path, PathBuf};

use luks::convert::Space;
use model::{Content, Method, Reason};

use crate::view::{SleepChoice, SleepQuestion};
use crate::{Error, Result};

/// How room for the header is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Room {
    /// What lies there ends far enough before the end of the device.
    Gap {
        /// Bytes behind it.
        free: u64,
    },
    /// The image file is made longer; what lies in it stays as it is.
    Grow {
        /// Bytes that are added.
        by: u64,
    },
    /// None is needed: the drive itself encrypts, and nothing is moved.
    Unneeded,
    /// The file system is made smaller with the system's own tool.
    Shrink {
        /// Bytes that the file system has afterwards, at most.
        to: u64,
    },
}

/// What is going to be done to a volume, checked. Made by [`plan_encrypt`](super::plan_encrypt), and
/// valid as long as nobody else changes the volume; [`begin`](super::begin) looks again while it holds
/// the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(crate) path: PathBuf,
    pub(crate) size: u64,
    pub(crate) content: Content,
    pub(crate) label: Option<String>,
    pub(crate) used: u64,
    pub(crate) room: Room,
    pub(crate) shift: u64,
    pub(crate) sector_size: u32,
    pub(crate) space: Space,
    pub(crate) free: Option<u64>,
    pub(crate) rotational: Option<bool>,
    pub(crate) front_copy: Option<PathBuf>,
    pub(crate) method: Method,
    pub(crate) sleep: Option<SleepQuestion>,
}

impl Plan {
    /// A plan by which the drive itself encrypts.
    pub(crate) fn by_drive(
        path: &Path,
        size: u64,
        content: &str,
        rotational: Option<bool>,
        asks_about_sleep: bool,
    ) -> Self {
        Self {
            path: path.to_owned(),
            size,
            content: Content(content.to_owned()),
            label: None,
            used: size,
            room: Room::Unneeded,
            shift: 0,
            sector_size: 0,
            space: Space::All,
            free: None,
            rotational,
            front_copy: None,
            method: Method::Hardware,
            sleep: asks_about_sleep.then_some(SleepQuestion { chosen: None }),
        }
    }

    /// Who encrypts.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The volume.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the volume as it is now.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// What lies on it now, as `blkid` spells it; `unknown` and `empty` too.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// The file system's label.
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// Bytes from the front that what lies there needs.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// How room for the header is made.
    pub fn room(&self) -> Room {
        self.room
    }

    /// The same for people: `reason-room-…` of the catalogue.
    pub fn room_reason(&self) -> Reason {
        let code = match self.room {
            Room::Unneeded => "room-unneeded",
            Room::Gap { .. } => "room-gap",
            Room::Grow { .. } => "room-grow",
            Room::Shrink { .. } => "room-shrink",
        };
        Reason::new(code).with("needed", 2 * self.shift).with("content", &self.content.0)
    }

    /// Bytes of the header, by which the data move back.
    pub fn shift(&self) -> u64 {
        self.shift
    }

    /// Bytes of an encryption sector.
    pub fn sector_size(&self) -> u32 {
        self.sector_size
    }

    /// Bits of the volume key: AES-256-XTS takes two keys of 256 bits.
    pub fn key_bits(&self) -> u32 {
        512
    }

    /// What of it will be encrypted.
    pub fn space(&self) -> Space {
        self.space
    }

    /// Bytes that its file system does not use. `None`: there is no file system whose map is understood, and
    /// everything is encrypted.
    pub fn free(&self) -> Option<u64> {
        self.free
    }

    /// What somebody who does not know should be given: everything, except on a drive of flash memory, where
    /// writing what is free costs life, and where it is given up at once.
    pub fn advised_space(&self) -> Space {
        match (self.free, self.rotational) {
            (Some(_), Some(false)) => Space::Used,
            _ => Space::All,
        }
    }

    /// The same plan with another choice of what is encrypted.
    ///
    /// # Errors
    /// [`Error::UsedSpaceUnknown`]: nobody knows what is free.
    pub fn with_space(mut self, space: Space) -> Result<Self> {
        if space != Space::All && self.free.is_none() {
            return Err(Error::UsedSpaceUnknown { content: self.content.0 });
        }
        self.space = space;
        Ok(self)
    }

    /// How the computer is to sleep afterwards, where the person has to say so.
    pub fn sleep(&self) -> Option<SleepQuestion> {
        self.sleep
    }

    /// The same plan with what the person chose about sleep; where that was not asked, it is the same.
    #[must_use]
    pub fn with_sleep(mut self, chosen: Option<SleepChoice>) -> Self {
        if let Some(question) = &mut self.sleep {
            question.chosen = chosen;
        }
        self
    }

    /// The same plan, with a copy of the volume's front in this folder before anything is written over it.
    /// The folder lies on another drive. Where it cannot be written, the conversion goes on without.
    #[must_use]
    pub fn with_front_copy(mut self, folder: &Path) -> Self {
        self.front_copy = Some(folder.to_owned());
        self
    }

    /// Whether the two are about the same volume in the same state. How room is made may have another
    /// answer meanwhile: a disk that has filled up, for instance.
    pub fn same_volume(&self, other: &Self) -> bool {
        if self.method == Method::Hardware {
            // What lies on it does not matter, and cannot be read while it is closed.
            return (&self.path, self.size, self.method) == (&other.path, other.size, other.method);
        }
        let facts = |plan: &Self| (plan.path.clone(), plan.size, plan.content.clone(), plan.used, plan.method);
        facts(self) == facts(other)
    }

    /// Bytes that the conversion will go through.
    pub fn work(&self) -> u64 {
        match self.room {
            Room::Unneeded => 0,
            Room::Grow { by } => self.size + by - 2 * self.shift,
            Room::Gap { .. } | Room::Shrink { .. } => self.size.saturating_sub(2 * self.shift),
        }
    }
}

/// What is known about a volume when room has to be found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// Bytes of the device or file.
    pub size: u64,
    /// Bytes from the front that are needed; `None`: nothing is known, so all of them.
    pub used: Option<u64>,
    /// Largest sector that what lies there can stand.
    pub max_sector: u32,
    /// The device's own sector.
    pub logical_sector: u32,
    /// Bytes that the file could still be made longer by; `None`: it is no file.
    pub can_grow: Option<u64>,
    /// Least bytes that the system's tool shrinks the file system to; `None`: it cannot be shrunk.
    pub minimum: Option<u64>,
}

/// Where room comes from, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub room: Room,
    pub shift: u64,
    pub sector_size: u32,
}

const MIB: u64 = 1 << 20;
/// Largest header, and that of normal drives: what cryptsetup makes.
const LARGEST: u64 = 16 * MIB;
/// Smallest header: three keyslots fit, so that a password can still be changed.
const SMALLEST: u64 = MIB;

/// Finds room: an image is made longer, because then what lies in it is not touched; otherwise a gap
/// at the end is used; otherwise the file system is made smaller.
///
/// # Errors
/// [`Error::TooSmall`], [`Error::NoRoom`].
pub(crate) fn layout(facts: &Facts) -> Result<Layout> {
    let least = 2 * SMALLEST;
    let best = preferred_shift(facts.size);
    if facts.size < least {
        return Err(Error::TooSmall { size: facts.size, needed: least });
    }
    grow(facts, best)
        .or_else(|| halves(best).find_map(|shift| gap(facts, shift)))
        .or_else(|| halves(best).find_map(|shift| shrink(facts, shift)))
        .ok_or_else(|| Error::NoRoom { needed: 2 * best })
}

/// A sixteenth of a small volume, in powers of two: the header of a normal drive would be as large as
/// the volume itself.
fn preferred_shift(size: u64) -> u64 {
    halves(LARGEST).find(|shift| shift * 16 <= size).unwrap_or(SMALLEST)
}

fn halves(from: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(from), |shift| Some(shift / 2)).take_while(|shift| *shift >= SMALLEST)
}

fn grow(facts: &Facts, shift: u64) -> Option<Layout> {
    let sector_size = sector_for(facts, facts.size);
    // A file may have any length, and sectors are whole.
    let padded = facts.size.checked_next_multiple_of(u64::from(sector_size))?;
    let by = padded - facts.size + 2 * shift;
    let fits = facts.can_grow.is_some_and(|free| free >= by) && padded >= 2 * shift;
    fits.then_some(Layout { room: Room::Grow { by }, shift, sector_size })
}

fn gap(facts: &Facts, shift: u64) -> Option<Layout> {
    let data = facts.size.checked_sub(2 * shift)?;
    let used = facts.used?;
    (used <= data && data >= 2 * shift && data.is_multiple_of(512)).then(|| Layout {
        room: Room::Gap { free: facts.size - used },
        shift,
        sector_size: sector_for(facts, data),
    })
}

fn shrink(facts: &Facts, shift: u64) -> Option<Layout> {
    let data = facts.size.checked_sub(2 * shift)?;
    let to = shrunk_size(facts.size, shift)?;
    let fits = facts.minimum.is_some_and(|minimum| minimum <= to) && data >= 2 * shift && data.is_multiple_of(512);
    fits.then(|| Layout { room: Room::Shrink { to }, shift, sector_size: sector_for(facts, data) })
}

/// Bytes that a file system is made smaller to on a device of this size. Whole mebibytes are whole blocks
/// of every file system.
pub(crate) fn shrunk_size(size: u64, shift: u64) -> Option<u64> {
    size.checked_sub(2 * shift).map(|data| data / MIB * MIB)
}

/// Sectors of 4096 bytes are faster; they must suit what lies there and divide the data.
fn sector_for(facts: &Facts, data: u64) -> u32 {
    let least = facts.logical_sector.clamp(512, 4096);
    match facts.max_sector >= 4096 && data.is_multiple_of(4096) {
        true => 4096,
        false => least,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FACTS: Facts = Facts {
        size: 1 << 30,
        used: Some(1 << 30),
        max_sector: 4096,
        logical_sector: 512,
        can_grow: None,
        minimum: None,
    };

    #[test]
    fn an_image_is_made_longer() {
        let facts = Facts { can_grow: Some(1 << 40), minimum: Some(0), ..FACTS };
        let expected = Layout { room: Room::Grow { by: 32 * MIB }, shift: 16 * MIB, sector_size: 4096 };
        assert_eq!(layout(&facts).unwrap(), expected);
        let small = layout(&Facts { size: 64 * MIB, ..facts }).unwrap();
        assert_eq!((small.shift, small.room), (4 * MIB, Room::Grow { by: 8 * MIB }));
        let tiny = layout(&Facts { size: 2 * MIB, ..facts }).unwrap();
        assert_eq!(tiny.shift, MIB);
    }

    #[test]
    fn an_image_of_odd_length_is_filled_up() {
        let facts = Facts { size: 10_000_001, can_grow: Some(1 << 40), ..FACTS };
        let Layout { room: Room::Grow { by }, shift, sector_size } = layout(&facts).unwrap() else { panic!() };
        assert_eq!(sector_size, 512);
        assert_eq!((facts.size + by - 2 * shift) % 512, 0);
    }

    #[test]
    fn a_full_disk_leaves_the_other_ways() {
        let facts = Facts { can_grow: Some(MIB), used: Some(900 * MIB), minimum: Some(0), ..FACTS };
        assert_eq!(layout(&facts).unwrap().room, Room::Gap { free: 124 * MIB });
        let full = Facts { used: Some(1 << 30), ..facts };
        assert_eq!(layout(&full).unwrap().room, Room::Shrink { to: 992 * MIB });
    }

    #[test]
    fn a_device_uses_its_gap_and_takes_a_smaller_header_before_it_shrinks() {
        let facts = Facts { used: Some((1 << 30) - 3 * MIB), minimum: Some(0), ..FACTS };
        let found = layout(&facts).unwrap();
        assert_eq!((found.room, found.shift), (Room::Gap { free: 3 * MIB }, MIB));
    }

    #[test]
    fn nothing_known_is_never_shortened() {
        assert!(matches!(layout(&Facts { used: None, ..FACTS }), Err(Error::NoRoom { .. })));
        let image = Facts { used: None, can_grow: Some(1 << 40), ..FACTS };
        assert!(matches!(layout(&image).unwrap().room, Room::Grow { .. }));
    }

    #[test]
    fn too_small() {
        assert!(matches!(layout(&Facts { size: MIB, ..FACTS }), Err(Error::TooSmall { .. })));
        assert!(matches!(layout(&Facts { size: 0, can_grow: Some(1 << 40), ..FACTS }), Err(Error::TooSmall { .. })));
    }

    proptest! {
        #[test]
        fn what_is_used_always_fits_before_the_room(
            size in 0..(1_u64 << 33),
            used in proptest::option::of(0..(1_u64 << 33)),
            can_grow in proptest::option::of(0..(1_u64 << 30)),
            minimum in proptest::option::of(0..(1_u64 << 33)),
            max_sector in prop_oneof![Just(512_u32), Just(4096)],
        ) {
            let used = used.map(|used| used.min(size));
            let facts = Facts { size, used, can_grow, minimum, max_sector, logical_sector: 512 };
            let Ok(found) = layout(&facts) else { return Ok(()) };
            let (whole, needed) = match found.room {
                Room::Unneeded => (0, 0),
                Room::Grow { by } => (size + by, size),
                Room::Gap { .. } => (size, used.unwrap()),
                Room::Shrink { to } => (size, to),
            };
            // What luks::convert asks for.
            prop_assert!(whole >= 4 * found.shift);
            prop_assert!(needed <= whole - 2 * found.shift);
            prop_assert!((whole - 2 * found.shift).is_multiple_of(u64::from(found.sector_size)));
            prop_assert!(found.shift.is_power_of_two() && (SMALLEST..=LARGEST).contains(&found.shift));
            prop_assert!(found.sector_size <= max_sector);
        }
    }
}
