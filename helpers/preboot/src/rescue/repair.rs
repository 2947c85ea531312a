//! Headers and conversions. Before anything is written, the secret has opened the volume.

use blockdev::{Access, Buffer, Device, FileDevice, Memory};
use luks::Header;
use model::{Control, Describe, Fault, FaultKind, Secret};
use texts::{Key, keys};
use wizard::operations::{self, Unreadable};

use super::backups;
use super::desk::Desk;
use super::volumes::Volume;

fn fault(error: impl Describe) -> Fault {
    error.fault()
}

/// Asks for the secret. `None`: the person wants to go back.
fn secret(desk: &mut Desk) -> Option<Secret> {
    let secret = desk.secret();
    desk.wait(keys::PREBOOT_CHECKING);
    (!secret.is_empty()).then_some(secret)
}

/// Mends one copy of the header from the other.
pub fn repair(desk: &mut Desk, volume: &Volume) -> Result<Option<Key>, Fault> {
    let Some(secret) = secret(desk) else { return Ok(None) };
    let device = FileDevice::open(&volume.path, Access::Exclusive).map_err(fault)?;
    let loaded = Header::load(&device).map_err(fault)?;
    loaded.header.unlock(&device, &secret).map_err(fault)?;
    if let Some(damage) = loaded.damage {
        loaded.header.repair(&device, damage).map_err(fault)?;
    }
    proved(&device, &secret)
}

/// Builds both copies anew from what is behind them. The UUID comes from a backup of the same keys, if the
/// stick has one; otherwise the person may type it, and what refers to it must be changed if they do not.
pub fn rebuild(desk: &mut Desk, volume: &Volume) -> Result<Option<Key>, Fault> {
    let known = backups::fitting(volume).into_iter().next().map(|backup| backup.uuid);
    let uuid = match known {
        Some(uuid) => Some(uuid),
        None => {
            let typed = desk.words(keys::RESCUE_ASK_UUID).trim().to_lowercase();
            if !typed.is_empty() && !is_uuid(&typed) {
                return Err(Fault::new("rescue-uuid-form", FaultKind::Usage));
            }
            Some(typed).filter(|typed| !typed.is_empty())
        }
    };
    let Some(secret) = secret(desk) else { return Ok(None) };
    let device = FileDevice::open(&volume.path, Access::Exclusive).map_err(fault)?;
    let mut header = luks::rebuild(&device, uuid.as_deref()).map_err(fault)?;
    header.unlock(&device, &secret).map_err(fault)?;
    header.store(&device).map_err(fault)?;
    proved(&device, &secret)
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<usize> = text.split('-').map(str::len).collect();
    groups == [8, 4, 4, 4, 12] && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// Puts a backup of the stick back.
pub fn restore(desk: &mut Desk, volume: &Volume) -> Result<Option<Key>, Fault> {
    let mut backups = backups::fitting(volume);
    let items: Vec<String> = backups.iter().map(|backup| backup.path.display().to_string()).collect();
    let title = desk.texts.plain(keys::RESCUE_DO_RESTORE);
    let backup = match backups.len() {
        0 => return Ok(None),
        1 => backups.remove(0),
        _ => backups.remove(desk.choose(&title, &items)),
    };
    if !desk.agrees(keys::RESCUE_ASK_RESTORE) {
        return Ok(None);
    }
    let Some(secret) = secret(desk) else { return Ok(None) };
    // The password of a backup may be an older one: it must be known before it is the only one.
    let memory = Memory::new(backup.bytes.clone());
    Header::load(&memory).map_err(fault)?.header.unlock(&memory, &secret).map_err(fault)?;
    let device = FileDevice::open(&volume.path, Access::Exclusive).map_err(fault)?;
    let expected = volume.uuid.as_deref().or(Some(&backup.uuid));
    let mut before = Buffer::new(backup.bytes.len().min(usize::try_from(device.size()).unwrap_or(usize::MAX)));
    device.read_at(0, &mut before).map_err(fault)?;
    luks::restore(&device, &backup.bytes, expected).map_err(fault)?;
    match proved(&device, &secret) {
        Ok(done) => Ok(done),
        Err(error) => {
            // As it was: whatever it was, it was not this volume.
            device.write_at(0, &before).and_then(|()| device.flush()).map_err(fault)?;
            Err(error)
        }
    }
}

/// Reads what is on the medium now and opens it.
fn proved(device: &FileDevice, secret: &Secret) -> Result<Option<Key>, Fault> {
    let loaded = Header::load(device).map_err(fault)?;
    loaded.header.unlock(device, secret).map_err(fault)?;
    match loaded.damage {
        None => Ok(Some(keys::RESCUE_REPAIRED)),
        Some(_) => Err(Fault::new("rescue-differs", FaultKind::Failed)),
    }
}

/// Goes on with a conversion to its end.
pub fn resume(desk: &mut Desk, volume: &Volume) -> Result<Option<Key>, Fault> {
    let Some(secret) = secret(desk) else { return Ok(None) };
    let mut sink = |progress: &model::Progress| desk.progress(progress);
    operations::resume(&volume.path, &secret, Unreadable::Stop, &Control::new(), &mut sink).map_err(fault)?;
    Ok(Some(keys::RESCUE_RESUMED))
}

/// Takes back a conversion of which nothing has been done.
pub fn undo(desk: &mut Desk, volume: &Volume) -> Result<Option<Key>, Fault> {
    if !desk.agrees(keys::RESCUE_ASK_UNDO) {
        return Ok(None);
    }
    operations::undo(&volume.path).map_err(fault)?;
    Ok(Some(keys::RESCUE_UNDONE))
}

#[cfg(test)]
mod tests {
    use super::is_uuid;

    #[test]
    fn uuids() {
        assert!(is_uuid("6ba7b810-9dad-11d1-80b4-00c04fd430c8"));
        assert!(!is_uuid("6ba7b810-9dad-11d1-80b4-00c04fd430cx") && !is_uuid("6ba7b8109dad11d180b400c04fd430c8"));
    }
}
