//! Windows: its own management classes, asked in the process, with no program in between.

use std::path::Path;

use blockdev::Device;
use serde::de::DeserializeOwned;
use wmi::{AuthLevel, WMIConnection, WMIResult};

use super::rows::{self, Battery, EncryptableVolume, Rows};
use super::{free_of, open_whole};
use crate::platform::{Platform, Power};
use crate::{Error, Located, Node, Result, Stack};

/// Where BitLocker's classes are.
const BITLOCKER: &str = r"ROOT\CIMV2\Security\MicrosoftVolumeEncryption";

/// The system that this program runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct This;

impl Platform for This {
    fn stack(&self) -> Result<Stack> {
        let rows = on_a_thread_of_its_own(ask)
            .map_err(|error| Error::Unreadable { path: "WMI".to_owned(), source: std::io::Error::other(error) })?;
        Ok(rows::stack(&rows))
    }

    fn locate(&self, path: &Path, stack: &Stack) -> Result<Located> {
        if let Some(node) = device(path).and_then(|name| stack.by_path(&name)) {
            return Ok(Located::Block(node.number));
        }
        let fail = |error| {
            let shown = path.display().to_string();
            blockdev::Error::from_io(blockdev::Operation::Open, 0, &shown, error)
        };
        Ok(Located::File(std::fs::canonicalize(path).map_err(fail)?))
    }

    fn open(&self, node: &Node) -> blockdev::Result<Box<dyn Device>> {
        open_whole(node)
    }

    fn free(&self, folder: &Path) -> Option<u64> {
        free_of(folder)
    }

    fn may_write(&self, _: &Path) -> Option<bool> {
        None
    }

    fn power(&self) -> Power {
        let batteries = on_a_thread_of_its_own(|| -> WMIResult<Vec<Battery>> {
            WMIConnection::new()?.raw_query("SELECT BatteryStatus, EstimatedChargeRemaining FROM Win32_Battery")
        });
        batteries.map_or(Power::Unknown, |batteries| rows::power(&batteries))
    }
}

/// `C:`, `\\.\C:` and `\\.\PhysicalDrive0`, as the stack spells them.
fn device(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    let name = text.strip_prefix(r"\\.\").unwrap_or(text).trim_end_matches('\\');
    let is_letter = name.len() == 2 && name.ends_with(':');
    let is_drive = name.get(..13).is_some_and(|start| start.eq_ignore_ascii_case("PhysicalDrive"));
    match (is_letter, is_drive) {
        (true, _) => Some(format!(r"\\.\{}", name.to_ascii_uppercase())),
        (_, true) => Some(format!(r"\\.\PhysicalDrive{}", &name[13..])),
        _ => None,
    }
}

/// COM is set up for a thread, and the caller's may have been set up in another way.
fn on_a_thread_of_its_own<T: Send>(ask: impl FnOnce() -> WMIResult<T> + Send) -> std::result::Result<T, String> {
    let asked = std::thread::scope(|scope| scope.spawn(|| ask().map_err(|error| error.to_string())).join());
    asked.unwrap_or_else(|_| Err("the thread that asked has ended".to_owned()))
}

fn ask() -> WMIResult<Rows> {
    let system = WMIConnection::new()?;
    Ok(Rows {
        drives: system.raw_query("SELECT Index, Model, Size, InterfaceType, MediaType FROM Win32_DiskDrive")?,
        partitions: system.raw_query("SELECT DeviceID, DiskIndex, Index, Size, Type FROM Win32_DiskPartition")?,
        letters: system.raw_query("SELECT Antecedent, Dependent FROM Win32_LogicalDiskToPartition")?,
        volumes: system.raw_query("SELECT DeviceID, FileSystem, VolumeName FROM Win32_LogicalDisk")?,
        // Only administrators may ask, and a Windows without BitLocker has no such classes: not known.
        bitlocker: bitlocker().ok(),
        page_files: usual(&system, "SELECT Name FROM Win32_PageFileUsage"),
        system: std::env::var_os("SystemDrive").map(|letter| letter.to_string_lossy().to_uppercase()),
    })
}

fn bitlocker() -> WMIResult<Vec<EncryptableVolume>> {
    let connection = WMIConnection::with_namespace_path(BITLOCKER)?;
    // The provider answers encrypted connections only.
    connection.set_proxy_blanket(AuthLevel::PktPrivacy)?;
    connection.raw_query(
        "SELECT DriveLetter, ConversionStatus, EncryptionMethod, ProtectionStatus FROM Win32_EncryptableVolume",
    )
}

fn usual<T: DeserializeOwned>(connection: &WMIConnection, query: &str) -> Vec<T> {
    connection.raw_query(query).unwrap_or_default()
}
