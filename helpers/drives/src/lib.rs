//! What is in this computer: its drives, the stack under each mount, what lies on each volume, the
//! verdict, and the conditions for encrypting.
//!
//! The layers: [`platform`] reads the system's own lists into a [`Stack`], which is plain data and
//! answers what lies on what; [`inspect`](mod@inspect) looks at the bytes of one device; [`judge`] is
//! the table of rules from facts to verdicts; [`list()`], [`inspect()`], [`check`], [`places`] and
//! [`same_drive`] put these together for the computer that the program runs on. Each of them has a
//! form that takes another [`Platform`], for recorded machines.
//!
//! Nothing here writes to a device.

mod capabilities;
mod conditions;
mod error;
pub mod hardware;
pub mod inspect;
mod inspection;
pub mod judge;
mod list;
mod machine;
mod places;
pub mod platform;
mod stack;
mod survey;
mod system;

use std::path::Path;

use model::Drive;

pub use capabilities::{Capabilities, capabilities_on};
pub use conditions::{Check, check_on, room_for};
pub use error::{Error, Result};
pub use inspect::Look;
pub use inspection::{Inspection, beneath_on, in_use_on, inspect_on, same_drive_on};
pub use list::list_on;
pub use machine::{AtaIdentify, AtaSecurity, DriveFacts, Firmware, Transport, nvme_takes_security_commands};
pub use places::{Place, places_on};
pub use platform::{Platform, Power, This};
pub use stack::{Beneath, Disk, Kind, Located, Mapping, Mount, Node, Noted, Number, SameDrive, Stack, Swap, Use};
pub use survey::{Survey, survey_on};
pub use system::{SystemFacts, system_facts};

/// All drives of this computer. See [`list_on`].
///
/// # Errors
/// Those of [`Platform::stack`].
pub fn list() -> Result<Vec<Drive>> {
    list_on(&This::default())
}

/// All drives of this computer, and the verdict on the whole. See [`survey_on`].
///
/// # Errors
/// Those of [`Platform::stack`].
pub fn survey() -> Result<Survey> {
    survey_on(&This::default())
}

/// What is known of this computer's firmware. See [`Platform::firmware`].
pub fn firmware() -> Firmware {
    This::default().firmware()
}

/// Looks at one image, partition or drive of this computer. See [`inspect_on`].
///
/// # Errors
/// Those of [`inspect_on`].
pub fn inspect(path: &Path) -> Result<Inspection> {
    inspect_on(&This::default(), path)
}

/// The conditions for encrypting, and the method. See [`check_on`].
///
/// # Errors
/// Those of [`inspect_on`].
pub fn check(path: &Path) -> Result<Check> {
    check_on(&This::default(), path)
}

/// What this computer and this drive can do. See [`capabilities_on`].
///
/// # Errors
/// Those of [`inspect_on`].
pub fn capabilities(path: &Path) -> Result<Capabilities> {
    capabilities_on(&This::default(), path)
}

/// What holds a device or an image of this computer. See [`in_use_on`].
///
/// # Errors
/// Those of [`inspect_on`].
pub fn in_use(path: &Path) -> Result<Option<Use>> {
    in_use_on(&This::default(), path)
}

/// What a folder lies on. See [`beneath_on`].
///
/// # Errors
/// Those of [`beneath_on`].
pub fn backing_devices_of_folder(folder: &Path) -> Result<Beneath> {
    beneath_on(&This::default(), folder)
}

/// Whether a folder lies on the drive, or in the image, that a secret is for. See [`same_drive_on`].
///
/// # Errors
/// Those of [`same_drive_on`].
pub fn same_drive(folder: &Path, target: &Path) -> Result<SameDrive> {
    same_drive_on(&This::default(), folder, target)
}

/// Mounted sticks for a copy of the recovery key. See [`places_on`].
///
/// # Errors
/// Those of [`Platform::stack`].
pub fn places() -> Result<Vec<Place>> {
    places_on(&This::default())
}
