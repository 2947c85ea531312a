//! One device or image, looked at on its own.

use std::path::{Path, PathBuf};

use blockdev::{Access, Device, FileDevice, Part};
use foreign::PartitionTable;
use model::{Bus, Content, Drive, Judged, Volume, VolumeId};

use crate::inspect::{Look, look, unseen};
use crate::judge::{self, Format};
use crate::list::{Eyes, is_starting_type};
use crate::{Error, Located, Platform, Result, SameDrive, Stack, Use};

/// What was found on one device or image. Nothing was written.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// What it is: a device by its number or a file by its true path.
    pub located: Located,
    /// The drive, or the volume alone as if it were one.
    pub drive: Drive,
    /// What lies on it, in the words of each format.
    pub look: Look,
    /// What holds it.
    pub in_use: Option<Use>,
    /// Whether it cannot be written to.
    pub read_only: bool,
    /// Whether it is a whole drive, and not a partition or an image.
    pub whole_drive: bool,
}

impl Inspection {
    /// The folder of an image file. `None` for a device.
    pub fn image_folder(&self) -> Option<&Path> {
        match &self.located {
            Located::File(path) => path.parent(),
            Located::Block(_) => None,
        }
    }
}

/// Looks at one image, partition or drive.
///
/// Without the right to read it the result is "unknown" with the reason, not an error.
///
/// # Errors
/// [`blockdev::Error::Missing`] and [`blockdev::Error::WrongKind`] about the path,
/// [`Error::UnknownDevice`], and those of [`Platform::stack`] for a device.
pub fn inspect_on(platform: &dyn Platform, path: &Path) -> Result<Inspection> {
    let (stack, located) = located(platform, path)?;
    match &located {
        Located::File(file) => image(platform, &stack, file),
        Located::Block(number) => {
            let Some(node) = stack.nodes.get(number) else {
                return Err(Error::UnknownDevice { path: path.display().to_string() });
            };
            let mut eyes = Eyes::new(platform, &stack);
            let is_disk = matches!(node.kind, crate::Kind::Disk(_));
            let drive = if is_disk { eyes.drive(node) } else { eyes.alone(node) };
            let (mut look, _) = eyes.look_at(*number);
            if drive.volumes.len() > 1 || drive.volumes.first().is_some_and(|volume| volume.id.0 != drive.path) {
                look.facts.format = Format::Partitions;
                look.content = "partition-table".to_owned();
            }
            Ok(Inspection {
                in_use: stack.use_of_device(*number),
                read_only: node.read_only,
                whole_drive: is_disk,
                located,
                drive,
                look,
            })
        }
    }
}

/// What holds a device or an image. `None`: nothing that can be seen.
///
/// # Errors
/// As [`inspect_on`].
pub fn in_use_on(platform: &dyn Platform, path: &Path) -> Result<Option<Use>> {
    let (stack, located) = located(platform, path)?;
    Ok(match &located {
        Located::Block(number) => stack.use_of_device(*number),
        Located::File(file) => stack.use_of_file(file),
    })
}

/// What a folder lies on. A folder that is not there yet lies where it would be made.
///
/// # Errors
/// [`blockdev::Error`] about the path, and those of [`Platform::stack`].
pub fn beneath_on(platform: &dyn Platform, folder: &Path) -> Result<crate::Beneath> {
    let stack = platform.stack()?;
    Ok(stack.beneath_folder(&true_folder(platform, &stack, folder)?))
}

/// Whether `folder` lies on the drive, or in the image, that `target` names. See
/// [`Stack::same_drive`]. "Unknown" on systems whose drives cannot be looked at yet.
///
/// # Errors
/// [`blockdev::Error`] about one of the paths, and those of [`Platform::stack`].
pub fn same_drive_on(platform: &dyn Platform, folder: &Path, target: &Path) -> Result<SameDrive> {
    let stack = match platform.stack() {
        Err(Error::NotYet { .. }) => return Ok(SameDrive::Unknown),
        stack => stack?,
    };
    let target = platform.locate(target, &stack)?;
    Ok(stack.same_drive(&true_folder(platform, &stack, folder)?, &target))
}

/// The stack and what the path is. An image file can be looked at on every system.
fn located(platform: &dyn Platform, path: &Path) -> Result<(Stack, Located)> {
    let stack = match platform.stack() {
        Err(Error::NotYet { .. }) => Stack::default(),
        stack => stack?,
    };
    let located = platform.locate(path, &stack)?;
    Ok((stack, located))
}

fn true_folder(platform: &dyn Platform, stack: &Stack, folder: &Path) -> Result<PathBuf> {
    let mut at = folder;
    loop {
        match platform.locate(at, stack) {
            Ok(Located::File(path)) => return Ok(path),
            Ok(Located::Block(_)) => {
                return Err(blockdev::Error::WrongKind { path: folder.display().to_string() }.into());
            }
            Err(Error::Device(blockdev::Error::Missing { path })) => match at.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => at = parent,
                _ if at.is_relative() => at = Path::new("."),
                _ => return Err(blockdev::Error::Missing { path }.into()),
            },
            Err(error) => return Err(error),
        }
    }
}

fn image(platform: &dyn Platform, stack: &Stack, path: &Path) -> Result<Inspection> {
    let shown = path.display().to_string();
    let mut parts = Vec::new();
    let (size, mut look) = match FileDevice::open(path, Access::Read) {
        Ok(device) => {
            let look = look(&device);
            if let Some(table) = look.partitions().filter(|_| look.facts.format == Format::Partitions) {
                parts = partitions(&device, table, &shown);
            }
            (device.size(), look)
        }
        Err(error @ (blockdev::Error::Missing { .. } | blockdev::Error::WrongKind { .. })) => return Err(error.into()),
        Err(error) => (std::fs::metadata(path).map_or(0, |data| data.len()), unseen(&error)),
    };
    let in_use = stack.use_of_file(path);
    look.facts.in_use = in_use.is_some();
    let mut whole = volume(VolumeId(shown.clone()), size, &look);
    whole.mounts = stack.mounts_of_file(path);
    whole.in_use = in_use.is_some();
    let judged = match parts.as_slice() {
        [] => whole.judged.clone(),
        parts => {
            let judged: Vec<(Judged, bool)> =
                parts.iter().map(|(volume, starting)| (volume.judged.clone(), *starting)).collect();
            judge::drive(&judged)
        }
    };
    let volumes = if parts.is_empty() { vec![whole] } else { parts.into_iter().map(|(volume, _)| volume).collect() };
    let drive = Drive {
        name: path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned()),
        path: shown,
        size,
        bus: Bus::Image,
        removable: None,
        rotational: None,
        system: false,
        volumes,
        judged,
    };
    let marked = std::fs::metadata(path).is_ok_and(|data| data.permissions().readonly());
    let read_only = marked || platform.may_write(path) == Some(false);
    Ok(Inspection { located: Located::File(path.to_owned()), drive, look, in_use, read_only, whole_drive: false })
}

/// The partitions inside an image, named by the image and their number, each with whether it is only
/// there for starting.
fn partitions(image: &dyn Device, table: &PartitionTable, path: &str) -> Vec<(Volume, bool)> {
    let inside = table.partitions.iter().map(|partition| {
        let mut look = match Part::new(image, partition.start, partition.size) {
            Ok(part) => look(&part),
            // The image ends before the partition does.
            Err(error) => unseen(&error),
        };
        look.facts.for_starting = is_starting_type(&partition.kind);
        let id = VolumeId(format!("{path}#{}", partition.number));
        (volume(id, partition.size, &look), look.facts.for_starting)
    });
    inside.collect()
}

fn volume(id: VolumeId, size: u64, look: &Look) -> Volume {
    Volume {
        id,
        size,
        content: Content(look.content.clone()),
        label: look.label.clone(),
        uuid: look.uuid.clone(),
        mounts: Vec::new(),
        in_use: false,
        judged: judge::volume(&look.facts),
        facts: look.details.clone(),
    }
}
