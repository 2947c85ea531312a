//! What lies on one device, put together from what `luks`, `foreign` and `filesystems` see.

use blockdev::Device;
use filesystems::Found;
use foreign::{Foreign, PartitionTable};
use luks::Damage;
use luks::convert::{self, Mode, Place, State};
use luks::metadata::Metadata;
use model::{Describe, Fault};

use crate::Noted;
use crate::judge::{Conversion, Facts, Format, Health, Sight, Way};

/// What was seen on one device. Nothing has been written.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// As the rules of the verdict want it. Where the device is used is not in it yet.
    pub facts: Facts,
    /// The content's first name, as `model::Content` has it.
    pub content: String,
    /// Its label.
    pub label: Option<String>,
    /// Its UUID.
    pub uuid: Option<String>,
    /// The LUKS2 header that counts, and where it lies.
    pub luks: Option<Place>,
    /// The conversion that is under way.
    pub conversion: Option<State>,
    /// The file system, where nothing lies above it.
    pub file_system: Option<Found>,
    /// Containers and other systems' encryption.
    pub foreign: Vec<Foreign>,
    /// Why something could not be told: a damaged header, an ambiguous file system, an error of the drive.
    pub fault: Option<Fault>,
}

/// Looks at a device.
pub fn look(device: &dyn Device) -> Look {
    let foreign = match foreign::recognise(device) {
        Ok(foreign) => foreign,
        Err(error) => return unseen(&error),
    };
    let others = foreign.iter().find(|sign| !matches!(sign, Foreign::Luks2(_)));
    let mut look = match (luks_on(device), others) {
        (Some(luks), None) if luks.is_leftover_of(device) => file_system_on(device).with_leftover(),
        // Something was written over the first copy of the header (`pvcreate`, a partition tool), and
        // the second one is whole: what counts cannot be told before somebody decides.
        (Some(mut luks), Some(_)) if luks.lost_its_first_copy() => {
            luks.facts.header = Health::Damaged;
            luks
        }
        (Some(luks), _) => luks,
        (None, Some(sign)) => of_foreign(sign),
        (None, None) => file_system_or_remains(device),
    };
    look.foreign = foreign;
    look
}

/// A device that could not be opened or read: what is noted elsewhere names its content and no more.
pub fn unseen(error: &blockdev::Error) -> Look {
    let sight = match error {
        blockdev::Error::NoRights { .. } => Sight::NoRights,
        _ => Sight::Failed,
    };
    Look {
        facts: Facts { sight, ..Facts::default() },
        content: "unknown".to_owned(),
        fault: Some(error.fault()),
        ..Look::default()
    }
}

impl Look {
    /// The table of partitions, if there is one.
    pub fn partitions(&self) -> Option<&PartitionTable> {
        self.foreign.iter().find_map(|sign| match sign {
            Foreign::PartitionTable(table) => Some(table),
            _ => None,
        })
    }

    /// Whether only the second copy of a LUKS2 header is there.
    fn lost_its_first_copy(&self) -> bool {
        matches!(&self.luks, Some(Place::Front(loaded)) if loaded.damage == Some(Damage::Primary))
    }

    /// Whether the header is what a file system that was made later has left of it.
    fn is_leftover_of(&self, device: &dyn Device) -> bool {
        self.lost_its_first_copy() && matches!(filesystems::probe(device), Ok(Some(_)))
    }

    /// The rest of the header is mentioned and not kept: nobody should take it for the volume's own.
    fn with_leftover(mut self) -> Self {
        self.facts.leftover = true;
        self
    }

    /// Fills what could not be read from udev's notes or, where it is mounted, from the table of
    /// mounts. The verdict stays "unknown".
    pub(crate) fn with_notes(mut self, noted: &Noted, mounted_as: Option<&str>) -> Self {
        if self.facts.sight == Sight::Full {
            return self;
        }
        let content = match (noted.content.as_deref(), noted.version.as_deref()) {
            (Some("crypto_LUKS"), Some("1")) => Some("luks1"),
            (Some("crypto_LUKS"), _) => Some("luks2"),
            (Some(other), _) => Some(other),
            (None, _) => mounted_as.or(noted.table.as_ref().map(|_| "partition-table")),
        };
        if let Some(content) = content {
            self.content = content.to_owned();
            self.facts.content = content.to_owned();
        }
        self.label.clone_from(&noted.label);
        self.uuid.clone_from(&noted.uuid);
        self
    }
}

fn luks_on(device: &dyn Device) -> Option<Look> {
    let mut facts = Facts { format: Format::Luks2, content: "luks2".to_owned(), ..Facts::default() };
    let place = match convert::locate(device) {
        Ok(place) => place,
        Err(luks::Error::NotLuks | luks::Error::OtherVersion(1)) => return None,
        Err(luks::Error::Device(error)) => return Some(unseen(&error)),
        Err(error) => {
            // A name of a requirement or a version that is not known is a newer format, not damage.
            facts.header = match &error {
                luks::Error::UnknownRequirement(_) | luks::Error::OtherVersion(_) => Health::Newer,
                _ => Health::Damaged,
            };
            let fault = Some(error.fault());
            return Some(Look { content: facts.content.clone(), facts, fault, ..Look::default() });
        }
    };
    let header = place.header();
    let metadata = header.metadata();
    let conversion = convert::state(&place, device.size());
    let mut fault = None;
    if let Err(error) = metadata.known_requirements() {
        facts.header = Health::Newer;
        fault = Some(error.fault());
    } else if let Place::Front(loaded) | Place::Back { loaded, .. } = &place
        && loaded.damage.is_some()
    {
        facts.header = Health::OneCopy;
    }
    facts.keyslots = Some(header.keyslots().len());
    facts.conversion = conversion.as_ref().map(short);
    facts.cipher = cipher_of_every_part(metadata);
    let label = Some(header.label().to_owned()).filter(|label| !label.is_empty());
    let uuid = Some(header.uuid().to_owned());
    let content = facts.content.clone();
    Some(Look { facts, content, label, uuid, conversion, luks: Some(place), fault, ..Look::default() })
}

/// The cipher, if every part of the data is encrypted; the one that does nothing, if any part has it.
fn cipher_of_every_part(metadata: &Metadata) -> Option<String> {
    let parts: Option<Vec<&String>> = metadata
        .active_segments()
        .map(|(_, segment)| segment.encryption.as_ref().filter(|_| segment.is_crypt()))
        .collect();
    let parts = parts?;
    parts.iter().find(|cipher| cipher.contains("null")).or(parts.first()).map(|cipher| (*cipher).clone())
}

fn short(state: &State) -> Conversion {
    let percent = (u128::from(state.done) * 100).checked_div(u128::from(state.total)).unwrap_or(0).min(100);
    Conversion {
        way: match state.mode {
            Mode::Encrypt => Way::Encrypt,
            Mode::Decrypt => Way::Decrypt,
            _ => Way::Reencrypt,
        },
        // At most 100, so it fits.
        percent: u8::try_from(percent).unwrap_or(100),
        ours: state.ours,
    }
}

/// A LUKS2 header whose binary parts were both written over (`wipefs`, a partition tool) has left its
/// JSON area: the volume looks like nothing at all, and everything on it can still be saved.
fn file_system_or_remains(device: &dyn Device) -> Look {
    let look = file_system_on(device);
    if matches!(look.facts.format, Format::Unknown | Format::Blank) && luks::rebuild(device, None).is_ok() {
        let facts =
            Facts { format: Format::Luks2, content: "luks2".to_owned(), header: Health::Damaged, ..Facts::default() };
        let fault = Some(luks::Error::Damaged("only the JSON area is left".to_owned()).fault());
        return Look { content: facts.content.clone(), facts, fault, ..Look::default() };
    }
    look
}

fn file_system_on(device: &dyn Device) -> Look {
    let mut look = Look::default();
    match filesystems::probe(device) {
        Ok(Some(found)) => {
            look.facts.format = match found.kind.name() {
                "swap" => Format::Swap,
                "bcachefs" => Format::SelfEncrypting,
                _ => Format::FileSystem,
            };
            look.content = found.kind.name().to_owned();
            look.label.clone_from(&found.label);
            look.uuid.clone_from(&found.uuid);
            look.file_system = Some(found);
        }
        Ok(None) => {
            let blank = filesystems::is_blank(device).unwrap_or(false);
            (look.facts.format, look.content) =
                if blank { (Format::Blank, "empty".to_owned()) } else { (Format::Unknown, "unknown".to_owned()) };
            return look;
        }
        Err(filesystems::Error::Device(error)) => return unseen(&error),
        Err(error) => {
            look.fault = Some(error.fault());
            let plain = match &error {
                // Whole and plain, only not ours to convert.
                filesystems::Error::ManyDevices { kind, .. } | filesystems::Error::Truncated { kind, .. } => Some(kind),
                _ => None,
            };
            (look.facts.format, look.content) = match plain {
                Some(kind) => (Format::FileSystem, kind.name().to_owned()),
                None => (Format::Unclear, "unknown".to_owned()),
            };
        }
    }
    look.facts.content.clone_from(&look.content);
    look
}

fn of_foreign(sign: &Foreign) -> Look {
    let content = sign.name().to_owned();
    let mut facts = Facts { content: content.clone(), ..Facts::default() };
    facts.format = match sign {
        Foreign::Luks1(luks) => {
            let named = !luks.cipher.is_empty() && !luks.mode.is_empty();
            facts.cipher = named.then(|| format!("{}-{}", luks.cipher, luks.mode));
            facts.keyslots = usize::try_from(luks.keyslots).ok();
            facts.conversion = luks.converting.then_some(Conversion { way: Way::Reencrypt, percent: 0, ours: false });
            Format::Luks1
        }
        // Its signature without anything that could be loaded.
        Foreign::Luks2(_) => {
            facts.header = Health::Damaged;
            Format::Luks2
        }
        Foreign::BitLocker(_) => Format::BitLocker,
        Foreign::CoreStorage(_) => Format::OtherEncryption,
        Foreign::Apfs(_) | Foreign::Zfs => Format::SelfEncrypting,
        Foreign::Lvm2(_) | Foreign::Raid(_) | Foreign::Bcache(_) => Format::Member,
        Foreign::Suspended => Format::Hibernated,
        Foreign::PartitionTable(_) => Format::Partitions,
        // Integrity, VDO, Stratis, Ceph, firmware RAID: what is made of it decides.
        _ => Format::Member,
    };
    Look { facts, content, uuid: sign.uuid().map(str::to_owned), ..Look::default() }
}
