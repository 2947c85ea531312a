//! What a drive and the way to it say, read from sysfs and, where rights allow, asked of the drive.

use std::path::Path;

use model::Finding;

use super::admin;
use super::sysfs::text;
use crate::machine::{AtaIdentify, DriveFacts, Transport, nvme_takes_security_commands};
use crate::{Kind, Node};

/// Drivers of controllers that show arrays, or that stand between the drive and its commands.
const RAID_DRIVERS: [&str; 12] = [
    "vmd",
    "megaraid_sas",
    "mpi3mr",
    "mpt3sas",
    "mpt2sas",
    "aacraid",
    "hpsa",
    "smartpqi",
    "arcmsr",
    "3w-9xxx",
    "3w-sas",
    "mvsas",
];
/// The class of a PCI device that says it is a RAID controller (PCI Code and ID Assignment, 01 04).
const RAID_CLASS: &str = "0x0104";

pub(super) fn facts(root: &Path, node: &Node, live: bool) -> DriveFacts {
    let Kind::Disk(_) = &node.kind else { return DriveFacts::default() };
    let folder = root.join("sys/block").join(&node.name);
    let mut facts = DriveFacts { transport: transport(root, &folder), ..DriveFacts::default() };
    let file = |name: &str| match text(&folder.join(name)).map(|text| text.trim().to_owned()) {
        Some(value) if !value.is_empty() => Finding::seen(value, format!("/sys/block/{}/{name}", node.name)),
        _ => Finding::unknown(format!("/sys/block/{}/{name}", node.name)),
    };
    facts.model = file("device/model");
    facts.revision = file(if node.name.starts_with("nvme") { "device/firmware_rev" } else { "device/rev" });
    let size = file("queue/logical_block_size");
    facts.block_size = Finding { value: size.value.and_then(|size| size.parse().ok()), origin: size.origin };
    match node.name.starts_with("nvme") {
        true => nvme(root, node, live, &mut facts),
        false => ata(&folder, node, &mut facts),
    }
    (facts.protocols, facts.discovery) = security(root, node, live, &facts);
    facts
}

/// The list of protocols and Level 0 discovery: asked of the drive where nothing stands between that
/// would have to understand the commands, and where the drive has not said that it does not take them.
fn security(root: &Path, node: &Node, live: bool, facts: &DriveFacts) -> (Finding<Vec<u8>>, Finding<Vec<u8>>) {
    const PROTOCOLS: &str = "security protocol 00h";
    const DISCOVERY: &str = "Level 0 discovery";
    let direct = matches!(facts.transport.value, Some(Transport::Direct | Transport::Network));
    let may_ask = direct && facts.security_commands.value != Some(false);
    let (protocols, discovery) = match live {
        true if may_ask => ask(&Path::new("/dev").join(&node.name)),
        true => (None, None),
        false => {
            let kept = |folder: &str| std::fs::read(root.join(folder).join(&node.name)).ok();
            (kept("protocols"), kept("discovery"))
        }
    };
    let protocols = protocols.and_then(|bytes| opal::protocols::parse(&bytes).ok()).map(|list| list.all);
    // A drive that has nothing to say says zeros.
    let discovery = discovery.filter(|bytes| bytes.iter().any(|byte| *byte != 0));
    let finding = |value: Option<Vec<u8>>, origin: &str| Finding { value, origin: origin.to_owned() };
    (finding(protocols, PROTOCOLS), finding(discovery, DISCOVERY))
}

fn ask(path: &Path) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    /// The ComID of discovery.
    const DISCOVERY: u16 = 0x0001;
    let Ok(mut drive) = opal::system::open(path) else { return (None, None) };
    let mut receive = |protocol: u8, specific: u16, length: usize| {
        let mut buffer = vec![0; length];
        drive.receive(protocol, specific, &mut buffer).ok().map(|()| buffer)
    };
    (receive(0x00, 0, 512), receive(0x01, DISCOVERY, 2048))
}

/// Identify Controller: asked of the drive, or recorded beside the machine.
fn nvme(root: &Path, node: &Node, live: bool, facts: &mut DriveFacts) {
    const ASKED: &str = "NVMe Identify Controller, OACS";
    let data = match live {
        true => admin::identify_controller(&node.name),
        false => std::fs::read(root.join("identify").join(&node.name)).ok(),
    };
    facts.security_commands = match data.as_deref().and_then(nvme_takes_security_commands) {
        Some(takes) => Finding::seen(takes, ASKED),
        None => Finding::unknown(ASKED),
    };
}

/// The kernel keeps IDENTIFY DEVICE in the ATA Information page of drives that libata drives.
fn ata(folder: &Path, node: &Node, facts: &mut DriveFacts) {
    const HEADER: usize = 60;
    let page = format!("/sys/block/{}/device/vpd_pg89", node.name);
    let data = std::fs::read(folder.join("device/vpd_pg89")).ok();
    let Some(identify) = data.as_deref().and_then(|data| AtaIdentify::parse(data.get(HEADER..)?)) else {
        facts.security_commands = Finding::unknown(page.clone());
        facts.ata_security = Finding::unknown(page);
        return;
    };
    facts.model = Finding::seen(identify.model, page.clone());
    facts.revision = Finding::seen(identify.revision, page.clone());
    facts.security_commands = Finding::seen(identify.trusted, format!("{page}, word 48"));
    facts.ata_security = Finding::seen(identify.security, format!("{page}, word 128"));
}

/// By the devices above the drive in the kernel's tree.
fn transport(root: &Path, folder: &Path) -> Finding<Transport> {
    let Ok(way) = std::fs::canonicalize(folder) else { return Finding::unknown("/sys/block") };
    let base = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
    let shown = way.strip_prefix(&base).unwrap_or(&way).display().to_string();
    let through = |part: &str| shown.split('/').any(|name| name.starts_with(part));
    if through("usb") {
        return Finding::seen(Transport::UsbBridge, shown);
    }
    if through("nvme-fabrics") || through("session") {
        return Finding::seen(Transport::Network, shown);
    }
    for above in way.ancestors().take_while(|above| above.starts_with(&base)) {
        let driver = std::fs::read_link(above.join("driver")).ok();
        let driver = driver.as_deref().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
        let raid_class = text(&above.join("class")).is_some_and(|class| class.starts_with(RAID_CLASS));
        if RAID_DRIVERS.contains(&driver) || raid_class {
            let which = if driver.is_empty() { "class 0104" } else { driver };
            return Finding::seen(Transport::Raid, format!("{which}: {shown}"));
        }
    }
    if through("virtio") || through("vmbus") || through("vbd-") {
        return Finding::seen(Transport::Virtual, shown);
    }
    match through("pci") || through("nvme") || through("ata") || through("mmc_host") {
        true => Finding::seen(Transport::Direct, shown),
        false => Finding::unknown(shown),
    }
}
