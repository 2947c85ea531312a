//! Opening a volume to copy files off it: by stock cryptsetup, which the stick carries, to be read only.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use model::{Args, Fault, FaultKind};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use texts::{Key, keys};

use super::desk::Desk;
use super::volumes::{self, State, Volume};

/// Where volumes are seen.
pub const PLACE: &str = "/mnt/volume";
const TARGET: &str = "/mnt/target";
const MAPPED: &str = "latchkey-rescue";

/// Opens, mounts, and copies what is asked for.
pub fn visit(desk: &mut Desk, volume: &Volume) -> Result<Option<Key>, Fault> {
    if !mount_volume(desk, volume, MountFlags::RDONLY)? {
        return Ok(None);
    }
    let result = copy(desk, volume);
    close();
    result
}

/// Opens the volume if it is encrypted, and mounts it. `false`: the person went back.
pub fn mount_volume(desk: &mut Desk, volume: &Volume, how: MountFlags) -> Result<bool, Fault> {
    let Some(path) = open(desk, volume, how.contains(MountFlags::RDONLY))? else { return Ok(false) };
    mount_at(&path, PLACE, how).inspect_err(|_| close())?;
    Ok(true)
}

/// Opens the volume if it is encrypted. The node of what is in it; `None`: the person went back.
pub fn open(desk: &mut Desk, volume: &Volume, to_read_only: bool) -> Result<Option<PathBuf>, Fault> {
    let mut path = volume.path.clone();
    if matches!(volume.state, State::Whole | State::Damaged) {
        let secret = desk.secret();
        if secret.is_empty() {
            return Ok(None);
        }
        desk.wait(keys::PREBOOT_CHECKING);
        let mut command = Command::new("/usr/sbin/cryptsetup");
        command.args(["open", "--key-file", "-", "--type", "luks2"]);
        if to_read_only {
            command.arg("--readonly");
        }
        command.arg(&volume.path).arg(MAPPED).env("DM_DISABLE_UDEV", "1");
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(io)?;
        if let Some(mut input) = child.stdin.take() {
            let _ = input.write_all(secret.expose());
        }
        if !child.wait().map_err(io)?.success() {
            return Err(Fault::new("luks-wrong-secret", FaultKind::WrongSecret));
        }
        path = Path::new("/dev/mapper").join(MAPPED);
    }
    Ok(Some(path))
}

/// Closes what was opened.
pub fn close() {
    let _ = unmount(PLACE, UnmountFlags::empty());
    let _ = Command::new("/usr/sbin/cryptsetup")
        .args(["close", MAPPED])
        .env("DM_DISABLE_UDEV", "1")
        .stderr(Stdio::null())
        .status();
}

fn mount_at(device: &Path, place: &str, how: MountFlags) -> Result<(), Fault> {
    let _ = fs::create_dir_all(place);
    let kinds = ["ext4", "btrfs", "xfs", "vfat", "exfat", "ntfs3"];
    let mut last = None;
    for kind in kinds {
        // Not even a journal is played back: a reader changes nothing.
        let options = match kind {
            "ext4" if how.contains(MountFlags::RDONLY) => Some(c"noload"),
            "xfs" if how.contains(MountFlags::RDONLY) => Some(c"norecovery"),
            _ => None,
        };
        match mount(device, place, kind, how, options) {
            Ok(()) => return Ok(()),
            Err(error) => last = Some(error),
        }
    }
    let why = last.map(|error| error.to_string()).unwrap_or_default();
    Err(Fault::new("rescue-mount", FaultKind::Failed).because(why))
}

fn copy(desk: &mut Desk, volume: &Volume) -> Result<Option<Key>, Fault> {
    let names = list(Path::new(PLACE));
    let shown = names.iter().take(15).cloned().collect::<Vec<_>>().join("  ");
    let args = Args::from([("folder".to_owned(), PLACE.to_owned()), ("names".to_owned(), shown)]);
    let text = desk.texts.say(keys::RESCUE_OPENED, &args);
    desk.tell(&text);
    let wanted = desk.words(keys::RESCUE_ASK_COPY);
    let wanted = wanted.trim().trim_start_matches('/');
    if wanted.is_empty() || Path::new(wanted).components().any(|part| part.as_os_str() == "..") {
        return Ok(None);
    }
    let targets: Vec<Volume> =
        volumes::all().into_iter().filter(|other| other.path != volume.path && other.state == State::Plain).collect();
    let mut items: Vec<String> = targets.iter().map(|target| super::line(desk, target)).collect();
    items.push(desk.texts.plain(keys::RESCUE_DO_BACK));
    let title = desk.texts.plain(keys::RESCUE_ASK_TARGET);
    let Some(target) = targets.get(desk.choose(&title, &items)) else { return Ok(None) };
    desk.wait(keys::RESCUE_COPYING);
    mount_at(&target.path, TARGET, MountFlags::empty())?;
    let from = Path::new(PLACE).join(wanted);
    let to = Path::new(TARGET).join("latchkey-rescued");
    let copied = fs::create_dir_all(&to).and_then(|()| {
        let status =
            Command::new("/bin/busybox").args(["cp", "-a"]).arg(&from).arg(&to).stderr(Stdio::null()).status()?;
        if status.success() { Ok(()) } else { Err(std::io::Error::other("cp")) }
    });
    rustix::fs::sync();
    let compared = copied.is_ok() && same(&from, &to.join(from.file_name().unwrap_or_default()));
    let _ = unmount(TARGET, UnmountFlags::empty());
    copied.map_err(io)?;
    if compared { Ok(Some(keys::RESCUE_COPIED)) } else { Err(Fault::new("rescue-differs", FaultKind::Failed)) }
}

/// Every file has its twin with the same bytes.
fn same(left: &Path, right: &Path) -> bool {
    if left.is_symlink() || !(left.is_dir() || left.is_file()) {
        return true;
    }
    if left.is_dir() {
        return list(left).iter().all(|name| same(&left.join(name), &right.join(name)));
    }
    Command::new("/bin/busybox").arg("cmp").arg("-s").arg(left).arg(right).status().is_ok_and(|status| status.success())
}

fn list(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

pub fn io(error: std::io::Error) -> Fault {
    Fault::new("rescue-program", FaultKind::Failed).because(error)
}

/// What else must be mounted for a system to work in its folder.
pub fn inner() -> [(PathBuf, PathBuf); 4] {
    ["dev", "proc", "sys", "run"].map(|name| (Path::new("/").join(name), Path::new(PLACE).join(name)))
}
