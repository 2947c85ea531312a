//! Rows of Windows' own management classes (WMI), as a [`Stack`]. Parsing is separate from asking, so
//! that recorded rows run through it on every system.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use model::Bus;
use serde::Deserialize;

use super::Power;
use super::told::{BitLockerNumbers, bitlocker};
use crate::{Disk, Kind, Mount, Node, Noted, Number, Stack, Swap};

/// `Win32_DiskDrive`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct DiskDrive {
    /// The number in `\\.\PhysicalDriveN`.
    pub index: u32,
    /// Vendor and model.
    pub model: Option<String>,
    /// Bytes.
    pub size: Option<u64>,
    /// `SCSI`, `USB`, `IDE`.
    pub interface_type: Option<String>,
    /// `Fixed hard disk media`, `Removable Media`, `External hard disk media`.
    pub media_type: Option<String>,
}

/// `Win32_DiskPartition`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct DiskPartition {
    /// `Disk #0, Partition #1`.
    #[serde(rename = "DeviceID")]
    pub device_id: String,
    /// The drive's number.
    pub disk_index: u32,
    /// Its own number, from 0.
    pub index: u32,
    /// Bytes.
    pub size: Option<u64>,
    /// `GPT: System`, `GPT: Basic Data`, `Installable File System`.
    #[serde(rename = "Type")]
    pub kind: Option<String>,
}

/// `Win32_LogicalDiskToPartition`: references to both, as text.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct LetterOfPartition {
    /// Ends in `Win32_DiskPartition.DeviceID="Disk #0, Partition #1"`.
    pub antecedent: String,
    /// Ends in `Win32_LogicalDisk.DeviceID="C:"`.
    pub dependent: String,
}

/// `Win32_LogicalDisk`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct LogicalDisk {
    /// `C:`.
    #[serde(rename = "DeviceID")]
    pub device_id: String,
    /// `NTFS`.
    pub file_system: Option<String>,
    /// Label.
    pub volume_name: Option<String>,
}

/// `Win32_EncryptableVolume`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct EncryptableVolume {
    /// `C:`. Volumes without a letter have none.
    pub drive_letter: Option<String>,
    /// See [`BitLockerNumbers`].
    pub conversion_status: Option<u32>,
    /// See [`BitLockerNumbers`].
    pub encryption_method: Option<u32>,
    /// See [`BitLockerNumbers`].
    pub protection_status: Option<u32>,
}

/// `Win32_PageFileUsage`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct PageFile {
    /// `C:\pagefile.sys`.
    pub name: String,
}

/// `Win32_Battery`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Battery {
    /// 1: it discharges. Everything else means that the mains feed it.
    pub battery_status: Option<u16>,
    /// Percent.
    pub estimated_charge_remaining: Option<u16>,
}

/// Where the computer gets its power from.
pub fn power(batteries: &[Battery]) -> Power {
    match batteries {
        [] => Power::NoBattery,
        [battery, ..] => match battery.battery_status {
            Some(1) => Power::Battery {
                percent: battery
                    .estimated_charge_remaining
                    .and_then(|percent| u8::try_from(percent).ok())
                    .filter(|percent| *percent <= 100),
            },
            Some(_) => Power::Mains,
            None => Power::Unknown,
        },
    }
}

/// All rows.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Drives.
    pub drives: Vec<DiskDrive>,
    /// Partitions.
    pub partitions: Vec<DiskPartition>,
    /// Which letter lies on which partition.
    pub letters: Vec<LetterOfPartition>,
    /// Letters.
    pub volumes: Vec<LogicalDisk>,
    /// What BitLocker says. `None`: it may not be asked, which is the rule without administrator rights.
    pub bitlocker: Option<Vec<EncryptableVolume>>,
    /// Page files.
    pub page_files: Vec<PageFile>,
    /// The letter that Windows runs from.
    pub system: Option<String>,
}

/// The major numbers of drives and of partitions: Windows has no such numbers.
const DRIVES: u32 = 1;
const PARTITIONS: u32 = 2;
/// Partitions of one drive, at most: minor numbers have that much room for each.
const PER_DRIVE: u32 = 1 << 10;

/// The stack. What no row says stays unknown.
pub fn stack(rows: &Rows) -> Stack {
    let letters = letters(rows);
    let mut stack = Stack { root: rows.system.as_deref().map(folder_of), ..Stack::default() };
    for drive in &rows.drives {
        let node = node(
            Number { major: DRIVES, minor: drive.index },
            format!("PhysicalDrive{}", drive.index),
            drive.size,
            Kind::Disk(disk(drive)),
        );
        stack.nodes.insert(node.number, node);
    }
    for partition in &rows.partitions {
        let below = Number { major: DRIVES, minor: partition.disk_index };
        let Some(minor) =
            partition.disk_index.checked_mul(PER_DRIVE).and_then(|base| base.checked_add(partition.index))
        else {
            continue;
        };
        let letter = letters.get(partition.device_id.as_str()).copied();
        let name = match letter {
            Some(letter) => letter.to_owned(),
            // Windows counts from 1 in paths, and leaves out what its class counts as reserved; a
            // partition without a letter is named and never opened by this name.
            None => format!("Harddisk{}Partition{}", partition.disk_index, partition.index + 1),
        };
        let number = Number { major: PARTITIONS, minor };
        let mut node = node(number, name, partition.size, Kind::Partition { number: partition.index + 1 });
        node.below = BTreeSet::from([below]);
        node.noted.part_type = part_type(partition.kind.as_deref().unwrap_or_default());
        if let Some(letter) = letter {
            note_volume(rows, letter, &mut node);
            stack.mounts.push(mount(rows, letter, number, stack.mounts.len()));
        }
        stack.nodes.insert(number, node);
    }
    let page_files = rows.page_files.iter().map(|file| Swap { path: PathBuf::from(&file.name), file: true });
    stack.swaps = page_files.collect();
    stack.settle();
    stack
}

fn node(number: Number, name: String, size: Option<u64>, kind: Kind) -> Node {
    Node {
        number,
        path: format!(r"\\.\{name}"),
        name,
        size: size.unwrap_or(0),
        read_only: false,
        kind,
        below: BTreeSet::new(),
        noted: Noted::default(),
        told: None,
    }
}

/// What lies on a letter's volume, and what BitLocker says of it. A volume that BitLocker does not list
/// is not known: it lists those that it could encrypt, and not all others are plain.
fn note_volume(rows: &Rows, letter: &str, node: &mut Node) {
    if let Some(volume) = rows.volumes.iter().find(|volume| volume.device_id == letter) {
        node.noted.content = volume.file_system.as_ref().map(|name| name.to_ascii_lowercase());
        node.noted.label = volume.volume_name.clone().filter(|label| !label.is_empty());
    }
    let said = rows.bitlocker.iter().flatten().find(|volume| volume.drive_letter.as_deref() == Some(letter));
    node.told = said.map(|volume| {
        bitlocker(BitLockerNumbers {
            conversion: volume.conversion_status,
            method: volume.encryption_method,
            protection: volume.protection_status,
        })
    });
}

fn mount(rows: &Rows, letter: &str, number: Number, index: usize) -> Mount {
    let volume = rows.volumes.iter().find(|volume| volume.device_id == letter);
    Mount {
        id: index as u64 + 1,
        parent: 0,
        number,
        root: "/".to_owned(),
        point: folder_of(letter),
        file_system: volume.and_then(|volume| volume.file_system.clone()).unwrap_or_default().to_ascii_lowercase(),
        source: format!(r"\\.\{letter}"),
        writable: true,
        upper: None,
        devices: BTreeSet::new(),
    }
}

fn folder_of(letter: &str) -> PathBuf {
    PathBuf::from(format!(r"{letter}\"))
}

/// Letter by partition.
fn letters(rows: &Rows) -> BTreeMap<&str, &str> {
    // The reference ends in the key in quotes.
    fn key(reference: &str) -> Option<&str> {
        reference.trim_end().strip_suffix('"')?.rsplit_once('"').map(|(_, key)| key)
    }
    rows.letters.iter().filter_map(|pair| Some((key(&pair.antecedent)?, key(&pair.dependent)?))).collect()
}

/// The GUIDs of GPT for what the class names.
fn part_type(kind: &str) -> Option<String> {
    let guid = match kind {
        "GPT: System" => "c12a7328-f81f-11d2-ba4b-00a0c93ec93b",
        "GPT: Microsoft Reserved" => "e3c9e316-0b5c-4db8-817d-f92df00215ae",
        "GPT: Microsoft Recovery" => "de94bba4-06d1-4d40-a16a-bfd50179d6ac",
        _ => return None,
    };
    Some(guid.to_owned())
}

fn disk(drive: &DiskDrive) -> Disk {
    let model = drive.model.clone().unwrap_or_default();
    let media = drive.media_type.as_deref().unwrap_or_default();
    let bus = match drive.interface_type.as_deref() {
        Some("USB") => Bus::Usb,
        // Drivers of NVMe and of AHCI both say SCSI; the model is what is left to go by.
        Some("SCSI") if model.to_ascii_uppercase().contains("NVME") => Bus::Nvme,
        Some("IDE") => Bus::Ata,
        _ => Bus::Unknown,
    };
    let removable = match media {
        "" => None,
        media => Some(media.starts_with("Removable") || media.starts_with("External") || bus == Bus::Usb),
    };
    let title = model.trim_end_matches(" USB Device").trim_end_matches(" SCSI Disk Device").trim().to_owned();
    Disk { bus, title, removable, rotational: None, physical: String::new(), hidden: false }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use model::{PlaceKind, Verdict};

    use super::*;
    use crate::platform::Platform;
    use crate::{Located, Result, survey_on};

    struct Recorded(Rows);

    impl Platform for Recorded {
        fn stack(&self) -> Result<Stack> {
            Ok(stack(&self.0))
        }
        fn locate(&self, path: &Path, _: &Stack) -> Result<Located> {
            Ok(Located::File(path.to_owned()))
        }
        fn open(&self, node: &Node) -> blockdev::Result<Box<dyn blockdev::Device>> {
            Err(blockdev::Error::NoRights { path: node.path.clone() })
        }
        fn free(&self, _: &Path) -> Option<u64> {
            None
        }
        fn may_write(&self, _: &Path) -> Option<bool> {
            None
        }
        fn power(&self) -> Power {
            Power::Unknown
        }
    }

    fn rows<T: for<'a> Deserialize<'a>>(text: &str) -> Vec<T> {
        serde_json::from_str(text).unwrap()
    }

    /// A laptop with C:, and a stick with E:.
    fn laptop() -> Rows {
        Rows {
            drives: rows(
                r#"[{"Index":0,"Model":"NVMe SAMSUNG MZVLB512","Size":512110190592,"InterfaceType":"SCSI",
                     "MediaType":"Fixed hard disk media"},
                    {"Index":1,"Model":"SanDisk Ultra USB Device","Size":30752000000,"InterfaceType":"USB",
                     "MediaType":"Removable Media"}]"#,
            ),
            partitions: rows(
                r#"[{"DeviceID":"Disk #0, Partition #0","DiskIndex":0,"Index":0,"Size":104857600,"Type":"GPT: System"},
                    {"DeviceID":"Disk #0, Partition #1","DiskIndex":0,"Index":1,"Size":511000000000,"Type":"GPT: Basic Data"},
                    {"DeviceID":"Disk #1, Partition #0","DiskIndex":1,"Index":0,"Size":30750000000,"Type":"Win95 w/Extended Int 13"}]"#,
            ),
            letters: rows(
                r#"[{"Antecedent":"\\\\PC\\root\\cimv2:Win32_DiskPartition.DeviceID=\"Disk #0, Partition #1\"",
                     "Dependent":"\\\\PC\\root\\cimv2:Win32_LogicalDisk.DeviceID=\"C:\""},
                    {"Antecedent":"\\\\PC\\root\\cimv2:Win32_DiskPartition.DeviceID=\"Disk #1, Partition #0\"",
                     "Dependent":"\\\\PC\\root\\cimv2:Win32_LogicalDisk.DeviceID=\"E:\""}]"#,
            ),
            volumes: rows(
                r#"[{"DeviceID":"C:","FileSystem":"NTFS","VolumeName":"Windows"},
                    {"DeviceID":"E:","FileSystem":"FAT32","VolumeName":""}]"#,
            ),
            bitlocker: Some(rows(
                r#"[{"DriveLetter":"C:","ConversionStatus":1,"EncryptionMethod":6,"ProtectionStatus":1},
                    {"DriveLetter":"E:","ConversionStatus":0,"EncryptionMethod":0,"ProtectionStatus":0},
                    {"DriveLetter":null,"ConversionStatus":0,"EncryptionMethod":0,"ProtectionStatus":0}]"#,
            )),
            page_files: Vec::new(),
            system: Some("C:".to_owned()),
        }
    }

    #[test]
    fn what_bitlocker_says_decides() {
        let seen = survey_on(&Recorded(laptop())).unwrap();
        let own = &seen.drives[0];
        assert_eq!((own.name.as_str(), own.bus, own.system), ("NVMe SAMSUNG MZVLB512", Bus::Nvme, true));
        assert_eq!(own.judged.verdict, Verdict::Protected, "{own:#?}");
        let places: Vec<_> =
            seen.computer.places.iter().map(|one| (one.kind, one.place.as_str(), one.judged.verdict)).collect();
        let wanted =
            [(PlaceKind::System, r"C:\", Verdict::Protected), (PlaceKind::Removable, r"E:\", Verdict::NotProtected)];
        assert_eq!(places, wanted);
        assert_eq!(seen.computer.judged.reason.code, "computer-removable-open");
    }

    #[test]
    fn without_rights_bitlocker_is_not_asked_and_nothing_is_called_open() {
        let seen = survey_on(&Recorded(Rows { bitlocker: None, ..laptop() })).unwrap();
        assert_eq!(seen.computer.judged.reason.code, "computer-needs-rights");
        for place in &seen.computer.places {
            assert_eq!(place.judged.verdict, Verdict::Unknown, "{place:#?}");
        }
    }

    #[test]
    fn suspended_is_not_green_and_a_volume_that_is_not_listed_is_unknown() {
        let mut rows = laptop();
        if let Some(volumes) = &mut rows.bitlocker {
            volumes[0].protection_status = Some(0);
            volumes.remove(1);
        }
        let seen = survey_on(&Recorded(rows)).unwrap();
        assert_eq!(seen.computer.judged.verdict, Verdict::Suspended);
        assert_eq!(seen.drives[1].judged.verdict, Verdict::Unknown);
    }

    #[test]
    fn power_by_the_battery_if_there_is_one() {
        let battery = |text: &str| power(&rows(text));
        assert_eq!(battery("[]"), Power::NoBattery);
        let discharging = r#"[{"BatteryStatus":1,"EstimatedChargeRemaining":61}]"#;
        assert_eq!(battery(discharging), Power::Battery { percent: Some(61) });
        assert_eq!(
            battery(r#"[{"BatteryStatus":1,"EstimatedChargeRemaining":6100}]"#),
            Power::Battery { percent: None }
        );
        assert_eq!(battery(r#"[{"BatteryStatus":2,"EstimatedChargeRemaining":61}]"#), Power::Mains);
        assert_eq!(battery(r#"[{"BatteryStatus":null,"EstimatedChargeRemaining":null}]"#), Power::Unknown);
    }

    #[test]
    fn rows_that_make_no_sense_are_left_out() {
        let mut rows = laptop();
        rows.letters[0].antecedent = "nonsense".to_owned();
        rows.partitions[1].disk_index = u32::MAX;
        let stack = stack(&rows);
        assert_eq!(stack.mounts.len(), 1);
        assert!(super::stack(&Rows::default()).nodes.is_empty());
    }
}
