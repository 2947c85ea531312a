//! A separate `/boot`, where the installer has put it into the root: GRUB must never have to open anything.
//!
//! The room comes from the swap partition where there is one: it ends up encrypted with a key of its own for each
//! start and loses nothing by being smaller, no file system has to be moved, and no start is needed for it. Otherwise
//! it comes from the root, by a start of its own ([`crate::room`]). Until `grub-install` has written its new address,
//! GRUB goes on reading the old folder, which stays as it is.

use std::fs;
use std::path::Path;

use blockdev::{Access, FileDevice};
use filesystems::Kind;
use serde::{Deserialize, Serialize};

use crate::facts::Facts;
use crate::fstab::Table;
use crate::parts::{self, Part};
use crate::{Error, Result, files, loader, table, tool};

const MIB: u64 = 1 << 20;
/// What Debian's installer gives to a separate `/boot`, at least.
const LEAST_BOOT: u64 = 512 * MIB;
/// Swap that is left at least.
const LEAST_SWAP: u64 = 64 * MIB;

/// Where a separate `/boot` goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// The disk.
    pub disk: String,
    /// The swap partition that gives the room.
    pub swap: String,
    /// Its number in the table.
    pub number: u32,
    /// Its first sector of 512 bytes.
    pub start: u64,
    /// Bytes that it has afterwards.
    pub swap_size: u64,
    /// Bytes of the new partition.
    pub boot_size: u64,
    /// UUID of the swap space, which stays.
    pub swap_uuid: Option<String>,
}

impl Split {
    /// Whether this partition is the swap partition after the division.
    fn is_divided(&self, part: &Part) -> bool {
        part.kind == "part" && part.start == Some(self.start) && part.size == self.swap_size
    }
}

/// Bytes that a separate `/boot` needs for what is in it now.
pub fn needed(used: u64) -> u64 {
    (3 * used).next_multiple_of(MIB).max(LEAST_BOOT)
}

/// Finds the room: a plain swap partition with a GPT, on any disk that the system starts from.
pub fn plan(facts: &Facts) -> Option<Split> {
    let boot_size = needed(facts.boot_used);
    let disk = facts.root.first()?;
    let fits = |part: &&Part| {
        part.kind == "part"
            && part.fstype.as_deref() == Some("swap")
            && part.pttype.as_deref() == Some("gpt")
            && part.children.is_empty()
            && part.size >= boot_size + LEAST_SWAP
            && part.start.is_some()
    };
    // Another system's may hold that system, asleep.
    let own = |part: &&Part| facts.own_swaps().any(|own| own.name == part.name);
    // What was begun and cut off goes on: its room is taken already.
    if let Some(begun) = &facts.divided
        && let Some(swap) = disk.children.iter().filter(own).find(|part| begun.is_divided(part))
    {
        return Some(Split { disk: disk.name.clone(), swap: swap.name.clone(), ..begun.clone() });
    }
    let swap = disk.children.iter().filter(own).find(fits)?;
    let number = swap.name.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    Some(Split {
        disk: disk.name.clone(),
        swap: swap.name.clone(),
        number,
        start: swap.start?,
        swap_size: (swap.size - boot_size) / MIB * MIB,
        boot_size,
        swap_uuid: swap.uuid.clone(),
    })
}

/// Makes the partition, moves `/boot` to it and tells the boot loader. Returns the new file system's UUID.
///
/// # Errors
/// Those of the system's programs. Until the boot loader has been told, everything starts as before.
pub fn carry_out(plan: &Split, folder: &Path) -> Result<String> {
    // A cut between the table and the swap space would leave one that no kernel takes.
    let text = serde_json::to_vec(plan).map_err(|error| Error::odd(DIVIDED, error))?;
    files::replace(&folder.join(DIVIDED), &text, 0o600)?;
    let in_use = parts::all(&parts::load()?).iter().any(|part| part.name == plan.swap && part.is_swapped_to());
    if in_use {
        tool::run("swapoff", [&plan.swap])?;
    }
    let made = repartition(plan);
    // Also where only the first half of it was done.
    fit_swap(Path::new(&plan.swap), plan.swap_uuid.as_deref())?;
    if in_use {
        tool::run("swapon", [&plan.swap])?;
    }
    let boot = move_to(&made?, &plan.disk, folder)?;
    files::remove(&folder.join(DIVIDED))?;
    Ok(boot)
}

const DIVIDED: &str = "swap.json";

/// The division of a swap partition that was begun. `None`: there is none.
///
/// # Errors
/// [`Error::File`].
pub(crate) fn divided(folder: &Path) -> Result<Option<Split>> {
    Ok(serde_json::from_str(&files::text_or_empty(&folder.join(DIVIDED))?).ok())
}

/// After a cut between the table and the swap space: the system gets its swap back.
///
/// # Errors
/// Those of the system's programs.
pub(crate) fn mend(folder: &Path) -> Result<()> {
    let Some(begun) = divided(folder)? else { return Ok(()) };
    let parts = parts::load()?;
    let mut found = parts::all(&parts).into_iter().filter(|part| begun.is_divided(part));
    let (Some(swap), None) = (found.next(), found.next()) else { return Ok(()) };
    if fit_swap(Path::new(&swap.name), begun.swap_uuid.as_deref())? {
        tool::run("swapon", [&swap.name])?;
    }
    Ok(())
}

/// Makes the swap space again, under the same name, where it is larger than its partition or was cut off while it was
/// made. Whether that had to be done. What is anything else stays as it is.
fn fit_swap(swap: &Path, uuid: Option<&str>) -> Result<bool> {
    let device = FileDevice::open(swap, Access::Read)?;
    let is_cut_off = match filesystems::probe(&device) {
        Err(filesystems::Error::Truncated { kind: Kind::Swap, .. }) => true,
        Ok(None) => foreign::recognise(&device)?.is_empty(),
        Ok(Some(_)) | Err(_) => false,
    };
    drop(device);
    if is_cut_off {
        let mut words = vec!["-q".to_owned()];
        words.extend(uuid.iter().flat_map(|uuid| ["-U".to_owned(), (*uuid).to_owned()]));
        words.push(swap.display().to_string());
        tool::run("mkswap", &words)?;
    }
    Ok(is_cut_off)
}

/// Moves `/boot` to a partition that holds nothing yet, and tells the boot loader on its disk. Returns the new file
/// system's UUID.
///
/// # Errors
/// Those of the system's programs. Until the boot loader has been told, everything starts as before.
pub(crate) fn move_to(device: &str, disk: &str, folder: &Path) -> Result<String> {
    // Its name is chosen and noted first: what a cut leaves there is known as ours by it.
    let noted = begun(folder)?.map(|begun| begun.uuid);
    let uuid = table::uuid_for(Path::new(device), noted.as_deref())?;
    let begun = Begun { disk: disk.to_owned(), uuid: uuid.clone() };
    let text = serde_json::to_vec(&begun).map_err(|error| Error::odd(BEGUN, error))?;
    files::replace(&folder.join(BEGUN), &text, 0o600)?;
    tool::run("mkfs.ext4", ["-q", "-F", "-U", &uuid, device])?;
    fill(device)?;
    let fstab = Path::new("/etc/fstab");
    let before = files::text_or_empty(fstab)?;
    let mut table = Table::parse(&before);
    table.insert_before(1, "/boot/", &format!("UUID={uuid} /boot ext4 defaults 0 2"));
    let told = files::replace(fstab, table.text().as_bytes(), 0o644)
        .and_then(|()| mounted_anew())
        .and_then(|()| loader::install_grub(disk));
    if let Err(error) = told {
        // The boot loader reads the old folder still; what is written to /boot from now on must go there.
        files::replace(fstab, before.as_bytes(), 0o644)?;
        mounted_anew()?;
        return Err(error);
    }
    Ok(uuid)
}

/// What [`move_to`] notes before it makes anything: also a cut between fstab and the boot loader would leave one that
/// reads the old folder, for good.
#[derive(Serialize, Deserialize)]
struct Begun {
    disk: String,
    uuid: String,
}

const BEGUN: &str = "boot.json";

/// Goes on where a cut has left fstab naming the new `/boot` and the boot loader reading the old one. Returns the new
/// file system's UUID. `None`: there is nothing to go on with.
///
/// # Errors
/// Those of the system's programs.
pub fn go_on(facts: &Facts, folder: &Path) -> Result<Option<String>> {
    let Some(begun) = begun(folder)? else { return Ok(None) };
    let boot = facts.boot.as_ref().filter(|boot| boot.uuid.as_deref() == Some(&*begun.uuid));
    if boot.is_none() {
        return Ok(None);
    }
    loader::install_grub(&begun.disk)?;
    Ok(Some(begun.uuid))
}

fn begun(folder: &Path) -> Result<Option<Begun>> {
    Ok(serde_json::from_str(&files::text_or_empty(&folder.join(BEGUN))?).ok())
}

/// The job knows of it now.
///
/// # Errors
/// [`Error::File`].
pub fn noted(folder: &Path) -> Result<()> {
    files::remove(&folder.join(BEGUN))
}

/// Makes the swap partition smaller and the new partition behind it. Returns the new one's node.
fn repartition(plan: &Split) -> Result<String> {
    let find = || table::partition_at(&plan.disk, plan.start + plan.swap_size / 512, plan.boot_size);
    if let Some(made_before) = find()? {
        return Ok(made_before);
    }
    table::divide(&plan.disk, plan.number, plan.start, plan.swap_size, plan.boot_size)?;
    find()?.ok_or_else(|| Error::odd("sfdisk", "the new partition is not there"))
}

/// Copies `/boot` and compares the copy with what it was made from.
fn fill(device: &str) -> Result<()> {
    let at = Path::new("/run/latchkey/boot");
    fs::create_dir_all(at).map_err(Error::at(at))?;
    let place = at.display().to_string();
    tool::run("mount", [device, &place])?;
    let copied = tool::run("cp", ["-ax", "/boot/.", &place]).and_then(|_| {
        tool::run("sync", ["-f", &place])?;
        tool::run("diff", ["-r", "--exclude=efi", "--exclude=lost+found", "/boot", &place])
    });
    tool::run("umount", [&place])?;
    copied.map(|_| ())
}

/// Mounts `/boot` and what is mounted in it as fstab has it now. By systemd: a mount of our own would be seen by
/// nobody else where the service has a view of the file system of its own.
fn mounted_anew() -> Result<()> {
    tool::run("udevadm", ["settle", "--timeout=30"])?;
    tool::run("systemctl", ["daemon-reload"])?;
    let fstab = Table::parse(&files::text_or_empty(Path::new("/etc/fstab"))?);
    let esp = parts::all(&parts::load()?).into_iter().any(|part| part.is_mounted_at("/boot/efi"));
    if esp {
        tool::run("systemctl", ["stop", "boot-efi.mount"])?;
    }
    match fstab.row(1, "/boot") {
        Some(_) => tool::run("systemctl", ["start", "boot.mount"])?,
        None => tool::run("systemctl", ["stop", "boot.mount"])?,
    };
    if esp {
        fs::create_dir_all("/boot/efi").map_err(Error::at(Path::new("/boot/efi")))?;
        tool::run("systemctl", ["start", "boot-efi.mount"])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::tests::facts;

    #[test]
    fn the_room_comes_from_the_end_of_the_swap_partition() {
        let plan = plan(&facts()).unwrap();
        assert_eq!((&*plan.disk, &*plan.swap, plan.number), ("/dev/vda", "/dev/vda3", 3));
        assert_eq!((plan.swap_size, plan.boot_size), (256 << 20, 512 << 20));
    }

    #[test]
    fn too_small_a_swap_partition_gives_none() {
        let mut facts = facts();
        facts.parts[0].children[2].size = 500 << 20;
        facts.root[0].children[2].size = 500 << 20;
        assert_eq!(plan(&facts), None);
        facts.boot_used = 400 << 20;
        assert_eq!(needed(facts.boot_used), 1200 << 20);
    }

    #[test]
    fn a_division_that_was_cut_off_goes_on() {
        let mut facts = facts();
        let whole = plan(&facts).unwrap();
        facts.divided = Some(Split { disk: "/dev/sda".into(), swap: "/dev/sda3".into(), ..whole.clone() });
        // Nothing of it was done.
        assert_eq!(plan(&facts), Some(whole.clone()));
        // The table is changed, and there would be no room for a second time.
        facts.parts[0].children[2].size = whole.swap_size;
        facts.root[0].children[2].size = whole.swap_size;
        assert_eq!(plan(&facts), Some(whole));
        facts.divided = None;
        assert_eq!(plan(&facts), None);
    }

    #[test]
    fn a_swap_space_is_made_to_fit_its_partition() {
        if tool::find("mkswap").is_err() || tool::find("mkfs.ext4").is_err() {
            return println!("left out: mkswap or mkfs.ext4 is not installed");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("partition");
        let uuid = "3b7f3f3e-1111-4222-8333-444455556666";
        let long =
            |size: u64| fs::File::options().create(true).append(true).open(&path).unwrap().set_len(size).unwrap();
        let probe = || filesystems::probe(&FileDevice::open(&path, Access::Read).unwrap());
        long(16 << 20);
        tool::run("mkswap", ["-q", "-U", uuid, &path.display().to_string()]).unwrap();
        assert!(!fit_swap(&path, Some(uuid)).unwrap());
        // What the cut leaves: a smaller partition, and what is written in it says otherwise.
        long(8 << 20);
        assert!(probe().is_err());
        assert!(fit_swap(&path, Some(uuid)).unwrap() && !fit_swap(&path, Some(uuid)).unwrap());
        let found = probe().unwrap().unwrap();
        assert_eq!((found.kind, found.size, found.uuid.as_deref()), (Kind::Swap, 8 << 20, Some(uuid)));
        // Cut off while it was made.
        fs::write(&path, vec![0; 8 << 20]).unwrap();
        assert!(fit_swap(&path, Some(uuid)).unwrap());
        // Anything else is somebody's.
        tool::run("mkfs.ext4", ["-q", "-F", &path.display().to_string()]).unwrap();
        assert!(!fit_swap(&path, Some(uuid)).unwrap());
        assert_eq!(probe().unwrap().unwrap().kind, Kind::Ext4);
        long(6 << 20);
        assert!(!fit_swap(&path, Some(uuid)).unwrap());
    }
}
