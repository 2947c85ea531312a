//! Where a recovery key may be put: mounted sticks that can be written to.

use std::collections::BTreeSet;

use model::Bus;

use crate::{Disk, Kind, Mount, Node, Number, Platform, Result, Stack};

/// A folder for a copy of the recovery key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The folder.
    pub path: String,
    /// The stick as a person knows it: its label and its make.
    pub name: String,
    /// Bytes free.
    pub free: u64,
}

/// Mounted sticks, cards and external drives that can be written to and that the system does not lie
/// on. Each file system once, by the place where the whole of it is shown.
///
/// # Errors
/// Those of [`Platform::stack`].
pub fn places_on(platform: &dyn Platform) -> Result<Vec<Place>> {
    let stack = platform.stack()?;
    let mut seen = BTreeSet::new();
    let mut places = Vec::new();
    for mount in &stack.mounts {
        let Some(disk) = removable_disk(&stack, mount) else { continue };
        if seen.contains(&mount.number) {
            continue;
        }
        // What lies behind a later mount over the same place is not there for anybody.
        if stack.mount_of(&mount.point).is_none_or(|shown| shown.id != mount.id) {
            continue;
        }
        let Some(free) = platform.free(&mount.point) else { continue };
        seen.insert(mount.number);
        places.push(Place { path: mount.point.display().to_string(), name: name(&stack, mount, disk), free });
    }
    Ok(places)
}

/// The drive of a mount, if all of the mount is on drives that can be pulled out.
fn removable_disk<'a>(stack: &'a Stack, mount: &Mount) -> Option<&'a Disk> {
    if !mount.writable || mount.root != "/" || mount.devices.is_empty() || stack.carries_system(&mount.devices) {
        return None;
    }
    let mut found = None;
    for number in stack.closure_below(mount.devices.iter().copied()) {
        let node = stack.nodes.get(&number)?;
        match &node.kind {
            Kind::Disk(disk) if disk.removable == Some(true) || disk.bus == Bus::Usb => found = Some(disk),
            Kind::Partition { .. } => {}
            Kind::Mapping(_) if !node.below.is_empty() => {}
            _ => return None,
        }
    }
    found
}

fn name(stack: &Stack, mount: &Mount, disk: &Disk) -> String {
    let of_device = |number: &Number| stack.nodes.get(number).and_then(|node: &Node| node.noted.label.clone());
    let label = mount.devices.iter().find_map(of_device);
    let folder = || mount.point.file_name().map(|name| name.to_string_lossy().into_owned());
    let label = label.or_else(folder).unwrap_or_default();
    match disk.title.as_str() {
        "" => label,
        title => format!("{label} ({title})"),
    }
}
