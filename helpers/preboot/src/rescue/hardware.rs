//! Drives that encrypt by themselves: to open them, and to take the lock off for good with the data kept.

use model::{Describe, Fault, FaultKind};
use opal::Transport;
use opal::pin::WayIn;
use opal::preboot::{self, Closed, Door, Turn};
use opal::{protect, system};
use texts::{Key, keys};

use super::desk::Desk;

/// All that are closed.
pub fn all() -> Vec<Closed<Box<dyn Transport + Send>>> {
    preboot::find()
}

/// Asks what to do with them and does it.
pub fn visit(desk: &mut Desk, drives: Vec<Closed<Box<dyn Transport + Send>>>) -> Result<Option<Key>, Fault> {
    let tasks = [keys::RESCUE_DO_UNLOCK, keys::RESCUE_DO_GIVE_BACK, keys::RESCUE_DO_BACK];
    let items = tasks.map(|key| desk.texts.plain(key));
    let title = desk.texts.plain(keys::RESCUE_HARDWARE);
    match desk.choose(&title, &items) {
        0 => unlock(desk, drives),
        1 => give_back(desk, drives),
        _ => Ok(None),
    }
}

fn way(desk: &mut Desk) -> WayIn {
    let items = [keys::PREBOOT_PASSWORD, keys::PREBOOT_RECOVERY].map(|key| desk.texts.plain(key));
    let title = desk.texts.plain(keys::RESCUE_WHICH_SECRET);
    if desk.choose(&title, &items) == 0 { WayIn::Password } else { WayIn::Recovery }
}

fn unlock(desk: &mut Desk, drives: Vec<Closed<Box<dyn Transport + Send>>>) -> Result<Option<Key>, Fault> {
    let way = way(desk);
    let secret = desk.secret();
    if secret.is_empty() {
        return Ok(None);
    }
    desk.wait(keys::PREBOOT_CHECKING);
    let mut door = Door::new(drives);
    let turn = door.turn(way, &secret);
    let nodes: Vec<String> = door.drives().iter().filter(|drive| drive.open).map(|drive| drive.name.clone()).collect();
    let trouble = door.drives().iter().find_map(|drive| drive.trouble.as_ref()).map(Describe::fault);
    drop(door);
    nodes.iter().for_each(|node| look_again(node));
    match (turn, trouble) {
        (Turn::Open, _) => Ok(Some(keys::RESCUE_UNLOCKED)),
        (Turn::Partly, _) => Ok(Some(keys::PREBOOT_PARTLY)),
        (_, Some(trouble)) => Err(trouble),
        (_, None) => Err(Fault::new("opal-wrong-pin", FaultKind::WrongSecret)),
    }
}

fn give_back(desk: &mut Desk, drives: Vec<Closed<Box<dyn Transport + Send>>>) -> Result<Option<Key>, Fault> {
    let mut names: Vec<String> = drives.iter().map(|drive| drive.name.clone()).collect();
    drop(drives);
    let title = desk.texts.plain(keys::RESCUE_DO_GIVE_BACK);
    let name = match names.len() {
        0 => return Ok(None),
        1 => names.remove(0),
        _ => names.remove(desk.choose(&title, &names.clone())),
    };
    if !desk.agrees(keys::RESCUE_ASK_GIVE_BACK) {
        return Ok(None);
    }
    let way = way(desk);
    let secret = desk.secret();
    if secret.is_empty() {
        return Ok(None);
    }
    desk.wait(keys::PREBOOT_CHECKING);
    let transport = system::open(name.as_ref()).map_err(|error| error.fault())?;
    let mut tper = opal::Tper::open(transport).map_err(|error| error.fault())?;
    // First the real sectors: with the lock gone they are what everybody reads.
    protect::open(&mut tper, way, &secret).map_err(|error| error.fault())?;
    protect::give_back(&mut tper, way, &secret).map_err(|error| error.fault())?;
    drop(tper);
    look_again(&name);
    Ok(Some(keys::RESCUE_GIVEN_BACK))
}

/// Makes the kernel read the partitions that are seen now.
fn look_again(node: &str) {
    let controller = node.trim_start_matches("/dev/");
    // An NVMe controller's namespaces have its name and a number.
    let entries = std::fs::read_dir("/sys/class/block").into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    for name in names.filter(|name| name.starts_with(controller) && !name.contains('p')) {
        let _ = std::process::Command::new("/bin/busybox")
            .args(["blockdev", "--rereadpt", &format!("/dev/{name}")])
            .status();
    }
}
