//! The property lists of macOS's `diskutil`, as a [`Stack`]. Parsing is separate from asking, so that
//! recorded lists run through it on every system.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::path::PathBuf;

use model::Bus;
use plist::{Dictionary, Value};

use super::told::{ApfsFlags, apfs};
use crate::judge::{Facts, Format};
use crate::{Disk, Kind, Mount, Node, Noted, Number, Stack};

/// The largest list that is taken apart, in bytes; one of a hundred drives has a few hundred KiB.
const LARGEST: usize = 4 << 20;

/// Volumes of a container that hold no person's data.
const HELPERS: [&str; 8] = ["Preboot", "Recovery", "VM", "Update", "Hardware", "xART", "Installer", "Prelogin"];

/// What `diskutil` printed.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// `diskutil list -plist`
    pub list: Vec<u8>,
    /// `diskutil apfs list -plist`
    pub apfs: Vec<u8>,
    /// `diskutil info -plist DISK` for each whole disk, by its identifier.
    pub info: BTreeMap<String, Vec<u8>>,
}

/// The stack; `None` if the list is no such list. What the other lists do not say stays unknown.
pub fn stack(lists: &Lists) -> Option<Stack> {
    let list = dictionary(&lists.list)?;
    let told = told(&lists.apfs);
    let mut reader = Reader { stack: Stack::default(), numbers: BTreeMap::new() };
    let disks: Vec<&Dictionary> = dictionaries(list.get("AllDisksAndPartitions")?).collect();
    for disk in &disks {
        let id = text(disk, "DeviceIdentifier")?;
        let info = lists.info.get(id).and_then(|bytes| dictionary(bytes)).unwrap_or_default();
        reader.disk(id, disk, &info);
    }
    for disk in &disks {
        reader.container(disk, &told);
    }
    let mut stack = reader.stack;
    stack.settle();
    Some(stack)
}

/// Identifiers of whole disks, in the order of the list.
pub fn whole_disks(list: &[u8]) -> Vec<String> {
    let Some(list) = dictionary(list) else { return Vec::new() };
    let disks = list.get("AllDisksAndPartitions").into_iter().flat_map(dictionaries);
    disks.filter_map(|disk| text(disk, "DeviceIdentifier")).map(str::to_owned).collect()
}

struct Reader {
    stack: Stack,
    numbers: BTreeMap<String, Number>,
}

impl Reader {
    /// macOS has numbers of its own, which change with every start; the identifier is the name.
    fn number(&mut self, id: &str) -> Number {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(id.to_owned()).or_insert(Number { major: 1, minor: next })
    }

    fn put(&mut self, id: &str, entry: &Dictionary, kind: Kind, below: BTreeSet<Number>) -> Number {
        let number = self.number(id);
        let content = text(entry, "Content").unwrap_or_default().to_ascii_lowercase();
        let noted = Noted {
            label: text(entry, "VolumeName").map(str::to_owned),
            uuid: text(entry, "VolumeUUID").or(text(entry, "DiskUUID")).map(str::to_owned),
            part_type: part_type(&content),
            ..Noted::default()
        };
        let node = Node {
            number,
            name: id.to_owned(),
            path: format!("/dev/{id}"),
            size: entry.get("Size").and_then(Value::as_unsigned_integer).unwrap_or(0),
            read_only: false,
            kind,
            below,
            noted,
            told: None,
        };
        self.stack.nodes.insert(number, node);
        number
    }

    /// A drive and its partitions, or a container of APFS, whose volumes come later.
    fn disk(&mut self, id: &str, entry: &Dictionary, info: &Dictionary) {
        let is_container = entry.contains_key("APFSPhysicalStores");
        let kind = if is_container { Kind::Array } else { Kind::Disk(disk(entry, info)) };
        let whole = self.put(id, entry, kind, BTreeSet::new());
        if !is_container {
            self.mount(entry, whole);
        }
        let parts = entry.get("Partitions").into_iter().flat_map(dictionaries);
        for (index, part) in parts.enumerate() {
            let Some(id) = text(part, "DeviceIdentifier") else { continue };
            let number = u32::try_from(index + 1).unwrap_or(0);
            let part_number = self.put(id, part, Kind::Partition { number }, BTreeSet::from([whole]));
            let content = text(part, "Content").unwrap_or_default();
            if let Some(node) = self.stack.nodes.get_mut(&part_number) {
                node.told = facts_of_partition(content);
            }
            self.mount(part, part_number);
        }
    }

    fn container(&mut self, entry: &Dictionary, told: &BTreeMap<String, Facts>) {
        let Some(stores) = entry.get("APFSPhysicalStores") else { return };
        let Some(id) = text(entry, "DeviceIdentifier") else { return };
        let stores: Vec<&str> = dictionaries(stores).filter_map(|store| text(store, "DeviceIdentifier")).collect();
        let stores: BTreeSet<Number> = stores.into_iter().map(|store| self.number(store)).collect();
        let whole = self.number(id);
        if let Some(node) = self.stack.nodes.get_mut(&whole) {
            node.below = stores;
        }
        let volumes = entry.get("APFSVolumes").into_iter().flat_map(dictionaries);
        for (index, volume) in volumes.enumerate() {
            let Some(id) = text(volume, "DeviceIdentifier") else { continue };
            // A volume without its flags is kept: unknown is not "nobody's data".
            let facts = told.get(id).cloned();
            if facts.as_ref().is_some_and(|facts| facts.for_starting) {
                continue;
            }
            let number = u32::try_from(index + 1).unwrap_or(0);
            let number = self.put(id, volume, Kind::Partition { number }, BTreeSet::from([whole]));
            if let Some(node) = self.stack.nodes.get_mut(&number) {
                node.told = facts;
            }
            self.mount(volume, number);
            // The system runs from a sealed snapshot of its volume.
            for snapshot in volume.get("MountedSnapshots").into_iter().flat_map(dictionaries) {
                self.mount_at(text(snapshot, "SnapshotMountPoint"), number, false);
            }
        }
    }

    fn mount(&mut self, entry: &Dictionary, number: Number) {
        self.mount_at(text(entry, "MountPoint"), number, true);
    }

    fn mount_at(&mut self, point: Option<&str>, number: Number, writable: bool) {
        let Some(point) = point.filter(|point| !point.is_empty()) else { return };
        let source = self.stack.nodes.get(&number).map(|node| node.path.clone()).unwrap_or_default();
        self.stack.mounts.push(Mount {
            id: self.stack.mounts.len() as u64 + 1,
            parent: 0,
            number,
            root: "/".to_owned(),
            point: PathBuf::from(point),
            file_system: "apfs".to_owned(),
            source,
            writable,
            upper: None,
            devices: BTreeSet::new(),
        });
    }
}

/// The GUIDs of GPT for what `diskutil` names.
fn part_type(content: &str) -> Option<String> {
    let guid = match content {
        "efi" => "c12a7328-f81f-11d2-ba4b-00a0c93ec93b",
        "microsoft reserved" => "e3c9e316-0b5c-4db8-817d-f92df00215ae",
        "windows recovery" => "de94bba4-06d1-4d40-a16a-bfd50179d6ac",
        _ => return None,
    };
    Some(guid.to_owned())
}

/// What the kind of a partition says of its own; `None` where only its bytes tell.
fn facts_of_partition(content: &str) -> Option<Facts> {
    let (format, name) = match content {
        // What was made of it decides.
        "Apple_APFS" | "Apple_APFS_ISC" | "Apple_APFS_Recovery" => (Format::Member, "apfs"),
        "Apple_CoreStorage" => (Format::OtherEncryption, "CoreStorage"),
        _ => return None,
    };
    Some(Facts { format, content: name.to_owned(), ..Facts::default() })
}

fn disk(entry: &Dictionary, info: &Dictionary) -> Disk {
    let flag = |name: &str| info.get(name).and_then(Value::as_boolean);
    let bus = match text(info, "BusProtocol").unwrap_or_default() {
        "USB" => Bus::Usb,
        "SATA" | "ATA" => Bus::Ata,
        "PCI-Express" | "PCI" | "Apple Fabric" | "NVMe" => Bus::Nvme,
        "Secure Digital" => Bus::Mmc,
        "Disk Image" => Bus::Image,
        "Virtual Interface" => Bus::Virtual,
        _ => Bus::Unknown,
    };
    let internal = entry.get("OSInternal").and_then(Value::as_boolean).or_else(|| flag("Internal"));
    Disk {
        bus,
        title: text(info, "MediaName").unwrap_or_default().to_owned(),
        removable: flag("RemovableMediaOrExternalDevice").or(internal.map(|internal| !internal)),
        rotational: flag("SolidState").map(|solid| !solid),
        physical: String::new(),
        hidden: bus == Bus::Image,
    }
}

/// What `diskutil apfs list` says of each volume, by its identifier; a helper is marked as there for
/// starting.
fn told(bytes: &[u8]) -> BTreeMap<String, Facts> {
    let Some(list) = dictionary(bytes) else { return BTreeMap::new() };
    let containers = list.get("Containers").into_iter().flat_map(dictionaries);
    let volumes = containers.filter_map(|container| container.get("Volumes")).flat_map(dictionaries);
    let facts = volumes.filter_map(|volume| {
        let flag = |name: &str| volume.get(name).and_then(Value::as_boolean);
        let roles: Vec<&str> = volume.get("Roles")?.as_array()?.iter().filter_map(Value::as_string).collect();
        let name = text(volume, "Name").unwrap_or_default();
        let helper = roles.iter().any(|role| HELPERS.contains(role)) || name == "xART";
        let flags = ApfsFlags { file_vault: flag("FileVault"), converting: flag("CryptoMigrationOn") == Some(true) };
        Some((text(volume, "DeviceIdentifier")?.to_owned(), Facts { for_starting: helper, ..apfs(flags) }))
    });
    facts.collect()
}

fn dictionary(bytes: &[u8]) -> Option<Dictionary> {
    if bytes.len() > LARGEST {
        return None;
    }
    Value::from_reader(Cursor::new(bytes)).ok()?.into_dictionary()
}

fn dictionaries(value: &Value) -> impl Iterator<Item = &Dictionary> {
    value.as_array().into_iter().flatten().filter_map(Value::as_dictionary)
}

fn text<'a>(list: &'a Dictionary, name: &str) -> Option<&'a str> {
    list.get(name).and_then(Value::as_string)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use model::{PlaceKind, Verdict};

    use super::*;
    use crate::platform::{Platform, Power};
    use crate::{Located, Result, survey_on};

    /// A Mac of which only the lists are known.
    struct Recorded(Lists);

    impl Platform for Recorded {
        fn stack(&self) -> Result<Stack> {
            Ok(stack(&self.0).unwrap())
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

    fn list(body: &str) -> Vec<u8> {
        format!("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>{body}</dict></plist>").into_bytes()
    }

    fn strings(pairs: &[(&str, &str)]) -> String {
        pairs.iter().map(|(key, value)| format!("<key>{key}</key><string>{value}</string>")).collect()
    }

    /// An Intel Mac: a sealed system, its data, the helpers; a stick with HFS+.
    fn mac(file_vault: &str) -> Recorded {
        let efi = strings(&[("DeviceIdentifier", "disk0s1"), ("Content", "EFI")]);
        let store = strings(&[("DeviceIdentifier", "disk0s2"), ("Content", "Apple_APFS")]);
        let hfs = strings(&[("DeviceIdentifier", "disk2s1"), ("Content", "Apple_HFS"), ("MountPoint", "/Volumes/HDD")]);
        let system = strings(&[("DeviceIdentifier", "disk1s5"), ("VolumeName", "Macintosh HD")]);
        let snapshot = strings(&[("SnapshotBSD", "disk1s5s1"), ("SnapshotMountPoint", "/")]);
        let data = strings(&[("DeviceIdentifier", "disk1s1"), ("MountPoint", "/System/Volumes/Data")]);
        let preboot = strings(&[("DeviceIdentifier", "disk1s2"), ("MountPoint", "/System/Volumes/Preboot")]);
        let size = "<key>Size</key><integer>500000000000</integer>";
        let all = format!(
            "<key>AllDisksAndPartitions</key><array>\
             <dict>{}{size}<key>Partitions</key><array><dict>{efi}{size}</dict><dict>{store}{size}</dict></array></dict>\
             <dict>{}{size}<key>APFSPhysicalStores</key><array><dict>{}</dict></array><key>APFSVolumes</key><array>\
             <dict>{system}{size}<key>MountedSnapshots</key><array><dict>{snapshot}</dict></array></dict>\
             <dict>{data}{size}</dict><dict>{preboot}{size}</dict></array></dict>\
             <dict>{}{size}<key>Partitions</key><array><dict>{hfs}{size}</dict></array></dict></array>",
            strings(&[("DeviceIdentifier", "disk0")]),
            strings(&[("DeviceIdentifier", "disk1")]),
            strings(&[("DeviceIdentifier", "disk0s2")]),
            strings(&[("DeviceIdentifier", "disk2")]),
        );
        let volume = |id: &str, role: &str, on: &str| {
            let role = if role.is_empty() { String::new() } else { format!("<string>{role}</string>") };
            format!(
                "<dict>{}<key>FileVault</key><{on}/><key>Encryption</key><true/><key>Roles</key><array>{role}</array></dict>",
                strings(&[("DeviceIdentifier", id)])
            )
        };
        let apfs = format!(
            "<key>Containers</key><array><dict><key>Volumes</key><array>{}{}{}</array></dict></array>",
            volume("disk1s5", "System", file_vault),
            volume("disk1s1", "Data", file_vault),
            volume("disk1s2", "Preboot", "false"),
        );
        let info = |pairs: &[(&str, &str)], flags: &str| list(&format!("{}{flags}", strings(pairs)));
        Recorded(Lists {
            list: list(&all),
            apfs: list(&apfs),
            info: BTreeMap::from([
                (
                    "disk0".to_owned(),
                    info(&[("MediaName", "APPLE SSD"), ("BusProtocol", "PCI-Express")], "<key>Internal</key><true/>"),
                ),
                (
                    "disk2".to_owned(),
                    info(&[("BusProtocol", "USB")], "<key>RemovableMediaOrExternalDevice</key><true/>"),
                ),
            ]),
        })
    }

    #[test]
    fn a_mac_with_file_vault_is_protected_and_its_stick_is_not_known() {
        let seen = survey_on(&mac("true")).unwrap();
        let place = |at: &str| seen.computer.places.iter().find(|one| one.place == at).unwrap();
        assert_eq!(place("/").kind, PlaceKind::System);
        assert_eq!(place("/").judged.verdict, Verdict::Protected);
        assert_eq!(place("/System/Volumes/Data").judged.verdict, Verdict::Protected);
        assert!(seen.computer.places.iter().all(|one| !one.place.contains("Preboot")));
        assert_eq!(
            (place("/Volumes/HDD").kind, place("/Volumes/HDD").judged.verdict),
            (PlaceKind::Removable, Verdict::Unknown)
        );
        assert_eq!(seen.computer.judged.reason.code, "computer-removable-unknown");
        let own = &seen.drives[0];
        assert_eq!(
            (own.path.as_str(), own.name.as_str(), own.bus, own.system),
            ("/dev/disk0", "APPLE SSD", Bus::Nvme, true)
        );
        assert_eq!(own.judged.verdict, Verdict::Protected, "{own:#?}");
        assert_eq!(whole_disks(&mac("true").0.list), ["disk0", "disk1", "disk2"]);
        assert_eq!(
            own.volumes.iter().map(|volume| volume.id.0.as_str()).collect::<Vec<_>>(),
            ["/dev/disk0s1", "/dev/disk0s2"]
        );
    }

    #[test]
    fn a_mac_without_file_vault_is_not_protected() {
        let seen = survey_on(&mac("false")).unwrap();
        assert_eq!(seen.drives[0].judged.verdict, Verdict::NotProtected);
        assert_eq!(seen.computer.judged.verdict, Verdict::NotProtected);
    }

    #[test]
    fn what_is_no_list_is_nothing() {
        for bytes in
            [&b""[..], b"<plist>", b"bplist00", b"<?xml version=\"1.0\"?><plist version=\"1.0\"><array/></plist>"]
        {
            assert!(stack(&Lists { list: bytes.to_vec(), ..Lists::default() }).is_none());
        }
        let mut half = mac("true");
        half.0.apfs = b"nonsense".to_vec();
        let seen = survey_on(&half).unwrap();
        assert_ne!(seen.computer.judged.verdict, Verdict::Protected, "nobody said so");
        assert_ne!(seen.computer.judged.verdict, Verdict::NotProtected, "nor that");
    }

    #[test]
    fn a_recorded_list_of_containers() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../../shared/data/status/41-apfs-list-plist-fv-on-intel.txt");
        let Ok(recorded) = std::fs::read_to_string(&path) else {
            eprintln!("left out: {} is not here", path.display());
            return;
        };
        let told = told(&recorded.as_bytes()[recorded.find("<?xml").unwrap()..]);
        assert_eq!(told["disk1s1"].whole, Some(true));
        assert!(told["disk1s2"].for_starting && told["disk1s4"].for_starting);
    }
}
