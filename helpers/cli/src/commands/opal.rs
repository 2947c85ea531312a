//! `latchkey opal`: a drive's own encryption without the wizard.

use std::path::{Path, PathBuf};

use model::{Describe, Fault, FaultKind, Secret};
use opal::host::{Confirmation, Psid};
use opal::pin::{Cost, Record, WayIn};
use opal::preboot::{self, Closed, Door, Turn};
use opal::{Tper, Transport, protect, system};
use serde::Serialize;
use texts::keys;
use wizard::hardware::{self, AtStart, LockFacts, Opens, OwnDrive, Powered};
use wizard::view::SleepChoice;

use crate::args::checked::{Consent, Key, Opal, OpensAtStart, PinFrom, Source};
use crate::secrets::{self, with_key};
use crate::speaker::{Speaker, quoted};
use crate::work;

/// The largest file that is searched for a note: the largest shadow MBR, and some.
const LARGEST_IMAGE: u64 = 512 << 20;

/// Carries out one of them.
///
/// # Errors
/// `opal-…`, `device-…`, and what is wrong with a secret.
pub fn run(speaker: &Speaker, command: Opal) -> Result<(), Fault> {
    match command {
        Opal::Discover { json, drives } => discover(speaker, json, &drives),
        Opal::Pin { from, key } => pin(speaker, &from, &key),
        Opal::Image { file, room } => image(speaker, &file, room),
        Opal::Lock { drive, key } => lock(speaker, &drive, &key),
        Opal::Unlock { drives, key } => unlock(speaker, &drives, &key),
        Opal::GiveBack { drive, key, consent } => give_back(speaker, &drive, &key, consent),
        Opal::Revert { drive, psid, confirmation } => revert(speaker, &drive, &psid, confirmation),
        Opal::AtStart { drive, by, sleep, key } => at_start(speaker, &drive, by, sleep, &key),
        Opal::SaveForSleep { drive, key } => save_for_sleep(speaker, &drive, &key),
    }
}

fn described(error: impl Describe) -> Fault {
    error.fault()
}

fn open(powered: &Powered, path: &Path) -> Result<OwnDrive, Fault> {
    powered.open(&hardware::whole_drive(path)).map_err(described)
}

/// The secret as a PIN's way in: what was named as a recovery key is one, and what looks like one, too.
fn way_in(key: &Key, secret: &Secret) -> WayIn {
    match key {
        Key::Recovery(_) => WayIn::Recovery,
        Key::Password(_) if hardware::is_recovery_key(secret) => WayIn::Recovery,
        Key::Password(_) => WayIn::Password,
    }
}

/// One drive in the answer.
#[derive(Serialize)]
struct Entry {
    path: String,
    /// `null`: it has no security part, or may not be asked.
    facts: Option<opal::discovery::Facts>,
    /// The name of our note.
    id: Option<String>,
    seen_locked: bool,
    fault: Option<Fault>,
}

#[derive(Serialize)]
struct Document {
    version: u32,
    drives: Vec<Entry>,
}

fn discover(speaker: &Speaker, json: bool, drives: &[PathBuf]) -> Result<(), Fault> {
    let named = !drives.is_empty();
    let all = if named { drives.to_vec() } else { system::nodes() };
    let powered = Powered::default();
    let entries: Vec<Entry> = all.iter().map(|path| entry(&powered, path)).collect();
    let fault = match entries.as_slice() {
        [only] if named => only.fault.clone(),
        _ => None,
    };
    if json {
        speaker.document(&Document { version: 1, drives: entries });
    } else {
        entries.iter().for_each(|entry| show(speaker, entry));
    }
    fault.map_or(Ok(()), Err)
}

fn entry(powered: &Powered, path: &Path) -> Entry {
    let looked = open(powered, path).and_then(|mut own| {
        let lock = hardware::look(&mut own.tper).map_err(described)?;
        Ok((own.tper.discovery().facts(), lock))
    });
    let path = path.display().to_string();
    match looked {
        Ok((facts, LockFacts { id, seen_locked, .. })) => {
            Entry { path, facts: Some(facts), id, seen_locked, fault: None }
        }
        Err(fault) => Entry { path, facts: None, id: None, seen_locked: false, fault: Some(fault) },
    }
}

fn show(speaker: &Speaker, entry: &Entry) {
    speaker.line(&entry.path);
    let Some(facts) = &entry.facts else {
        if let Some(fault) = &entry.fault {
            speaker.line(&format!("  {}", speaker.texts.fault(fault).what));
        }
        return;
    };
    let word = |value: bool| if value { "yes" } else { "no" }.to_owned();
    let classes: Vec<&str> = facts.ssc.iter().map(|class| class.name()).collect();
    for (name, value) in [
        ("ssc", classes.join("+")),
        ("media_encryption", word(facts.media_encryption)),
        ("owned", facts.owned.map_or_else(|| "unknown".into(), word)),
        ("locking_enabled", word(facts.locking_enabled)),
        ("locked", word(facts.locked)),
        ("mbr_shadow_supported", word(facts.mbr_shadow_supported)),
        ("mbr_shadow_active", word(facts.mbr_shadow_active)),
        ("sid_blocked", word(facts.sid_blocked)),
        ("comid", facts.comid.map_or_else(String::new, |comid| format!("{comid:#06x}"))),
        ("granularity", facts.granularity.to_string()),
        ("latchkey_note", entry.id.clone().unwrap_or_else(|| "no".into())),
        ("seen_locked", word(entry.seen_locked)),
    ] {
        speaker.line(&format!("  {name} = {value}"));
    }
}

/// Prints the PIN that stock tools take. It is as good as the password itself, which was asked for.
fn pin(speaker: &Speaker, from: &PinFrom, key: &Key) -> Result<(), Fault> {
    let record = match from {
        PinFrom::Drive(path) => {
            let mut own = open(&Powered::default(), path)?;
            protect::record(&mut own.tper).map_err(described)?
        }
        PinFrom::Image(path) => note_in(path)?,
        PinFrom::Msid(msid, cost) => Record::of_drive(&Secret::from(msid.as_str()), *cost),
        PinFrom::Salt(salt, cost) => Record::with_salt(salt, *cost).map_err(described)?,
    };
    let pin = with_key(speaker, key, |secret| record.pin(way_in(key, secret), secret).map_err(described))?;
    speaker.line(&String::from_utf8_lossy(pin.expose()));
    Ok(())
}

/// The note in a rescue image, at the end of a preboot image, or by itself.
fn note_in(path: &Path) -> Result<Record, Fault> {
    let failed = |error: std::io::Error| {
        Fault::new("cli-file-read", FaultKind::Failed).with("path", path.display()).because(error)
    };
    if std::fs::metadata(path).map_err(failed)?.len() > LARGEST_IMAGE {
        return Err(Fault::new("cli-no-note", FaultKind::Refused).with("path", path.display()));
    }
    let bytes = std::fs::read(path).map_err(failed)?;
    let found = Record::search(&bytes).map_err(described)?;
    found.ok_or_else(|| Fault::new("cli-no-note", FaultKind::Refused).with("path", path.display()))
}

/// Made of the running system, in the language that the person reads.
fn image(speaker: &Speaker, file: &Path, room: u64) -> Result<(), Fault> {
    let made = rescue::preboot_image(Path::new("/"), speaker.texts.language(), room).map_err(described)?.whole();
    super::write_new(file, &made)?;
    let args = texts::args([("file", &quoted(file)), ("size", &speaker.texts.language().bytes(made.len() as u64))]);
    speaker.say(keys::CLI_OPAL_IMAGE, &args);
    Ok(())
}

fn lock(speaker: &Speaker, drive: &Path, key: &Key) -> Result<(), Fault> {
    let mut own = open(&Powered::default(), drive)?;
    with_key(speaker, key, |secret| protect::close(&mut own.tper, way_in(key, secret), secret).map_err(described))?;
    speaker.say(keys::CLI_OPAL_LOCKED, &texts::args([("path", &quoted(drive))]));
    Ok(())
}

/// By the code of the preboot program: what is closed is opened, the real sectors are shown, and the drive is
/// told how it was found.
fn unlock(speaker: &Speaker, drives: &[PathBuf], key: &Key) -> Result<(), Fault> {
    let closed = match drives {
        [] => preboot::find(),
        named => {
            let powered = Powered::default();
            let mut closed = Vec::new();
            for path in named {
                closed.extend(closed_drive(&powered, path)?);
            }
            closed
        }
    };
    if closed.is_empty() {
        speaker.say(keys::CLI_OPAL_NOTHING_CLOSED, &texts::args([]));
        return Ok(());
    }
    let mut door = Door::new(closed);
    let opened = with_key(speaker, key, |secret| match door.turn(way_in(key, secret), secret) {
        Turn::Open => Ok(()),
        Turn::Partly => Err(Fault::new("cli-opal-partly", FaultKind::WrongSecret)),
        Turn::Wrong { .. } | Turn::Wait(_) => Err(opal::Error::WrongPin.fault()),
        Turn::PowerOff => Err(opal::Error::LockedOut.fault()),
        Turn::Failed => {
            let trouble = door.drives().iter().find_map(|drive| drive.trouble.as_ref());
            Err(trouble.map_or_else(|| opal::Error::SessionClosed.fault(), Describe::fault))
        }
    });
    for drive in door.drives().iter().filter(|drive| drive.open) {
        speaker.say(keys::CLI_OPAL_UNLOCKED, &texts::args([("path", &drive.name)]));
    }
    opened
}

fn closed_drive(powered: &Powered, path: &Path) -> Result<Option<Closed<Box<dyn Transport + Send>>>, Fault> {
    let own = open(powered, path)?;
    let tper: Tper<Box<dyn Transport + Send>> = own.tper;
    Closed::of(path.display().to_string(), tper).map_err(described)
}

fn give_back(speaker: &Speaker, drive: &Path, key: &Key, consent: Consent) -> Result<(), Fault> {
    let mut own = open(&Powered::default(), drive)?;
    work::consent(speaker, consent, keys::CLI_ASK_OPAL_GIVE_BACK)?;
    with_key(speaker, key, |secret| {
        hardware::give_back(&mut own, way_in(key, secret), secret, Cost::default()).map_err(described)
    })?;
    if own.device.is_none() {
        AtStart::of_this_system().take_back(&own.path).map_err(described)?;
    }
    speaker.say(keys::CLI_OPAL_GIVEN_BACK, &texts::args([("path", &quoted(drive))]));
    Ok(())
}

/// Erases everything. The drive's name has to be typed, and `--yes` does not stand for it. A drive that somebody works
/// on is not erased at all.
fn revert(speaker: &Speaker, drive: &Path, psid: &Source, confirmation: Option<String>) -> Result<(), Fault> {
    let mut own = open(&Powered::default(), drive)?;
    if own.device.is_none() && is_used(&drives::list().map_err(described)?, &own.path) {
        return Err(Fault::new("device-in-use", FaultKind::Refused).with("path", quoted(drive)));
    }
    let name = name_of(&own, drive);
    speaker.say(keys::CLI_OPAL_REVERT_WARNING, &texts::args([("name", &name)]));
    let typed = match confirmation {
        Some(typed) => typed,
        None => work::typed_line(speaker, keys::CLI_ASK_OPAL_NAME)?,
    };
    let confirmed = Confirmation::typed(&name, &typed).map_err(described)?;
    let text = secrets::text(speaker, psid)?;
    let psid = Psid::parse(&text).map_err(described)?;
    opal::host::revert_with_psid(&mut own.tper, &psid, &confirmed).map_err(described)?;
    speaker.say(keys::CLI_OPAL_REVERTED, &texts::args([("path", &quoted(drive))]));
    Ok(())
}

/// Whether the running system lies on a drive, or anything of it is in use. `path` may be that of an NVMe controller.
fn is_used(all: &[model::Drive], path: &Path) -> bool {
    let path = path.to_string_lossy();
    let namespace =
        |rest: &str| rest.strip_prefix('n').is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()));
    let same =
        |drive: &model::Drive| drive.path.strip_prefix(&*path).is_some_and(|rest| rest.is_empty() || namespace(rest));
    let used = |drive: &model::Drive| {
        drive.system || drive.volumes.iter().any(|volume| volume.in_use || !volume.mounts.is_empty())
    };
    all.iter().filter(|drive| same(drive)).any(used)
}

/// What a person reads on the drive: its model.
fn name_of(own: &OwnDrive, path: &Path) -> String {
    match &own.device {
        Some(device) => device.label().model,
        None => drives::inspect(path).map_or_else(|_| path.display().to_string(), |seen| seen.drive.name),
    }
}

/// Tells the running system who opens a data drive. The password is tried first: one that is wrong would be
/// tried at every start, and count.
fn at_start(
    speaker: &Speaker,
    drive: &Path,
    by: Option<OpensAtStart>,
    sleep: Option<SleepChoice>,
    key: &Key,
) -> Result<(), Fault> {
    let whole = hardware::whole_drive(drive);
    let system = AtStart::of_this_system();
    let args = texts::args([("path", &quoted(drive))]);
    let Some(by) = by else {
        system.take_back(&whole).map_err(described)?;
        speaker.say(keys::CLI_OPAL_AT_START_OFF, &args);
        return Ok(());
    };
    let mut own = open(&Powered::default(), drive)?;
    if own.device.is_some() {
        return Err(opal::Error::NoWay.fault());
    }
    let opens = match by {
        OpensAtStart::Fits => Opens::by_this_system(),
        OpensAtStart::Asks => Opens::Asks,
    };
    let sleep = work::sleep(speaker, system.asks(opens), sleep)?;
    with_key(speaker, key, |secret| {
        hardware::prove_password(&mut own, secret).map_err(described)?;
        system.install(&whole, secret, opens, sleep).map_err(described)
    })?;
    let said = if opens == Opens::Asks { keys::CLI_OPAL_AT_START_ASKS } else { keys::CLI_OPAL_AT_START_KEY };
    speaker.say(said, &args);
    Ok(())
}

/// Gives the kernel the PIN with which it opens the drive after sleep.
fn save_for_sleep(speaker: &Speaker, drive: &Path, key: &Key) -> Result<(), Fault> {
    let mut own = open(&Powered::default(), drive)?;
    if own.device.is_some() {
        return Err(opal::Error::NoWay.fault());
    }
    let record = protect::record(&mut own.tper).map_err(described)?;
    with_key(speaker, key, |secret| {
        // The kernel uses Admin1's only.
        if way_in(key, secret) == WayIn::Recovery {
            return Err(opal::Error::WrongPin.fault());
        }
        let pin = record.pin(WayIn::Password, secret).map_err(described)?;
        if !opal::host::proves(&mut own.tper, protect::authority(WayIn::Password), &pin).map_err(described)? {
            return Err(opal::Error::WrongPin.fault());
        }
        system::save_for_resume(drive, &pin, 0).map_err(described)
    })?;
    speaker.say(keys::CLI_OPAL_SAVED, &texts::args([("path", &quoted(drive))]));
    Ok(())
}

#[cfg(test)]
mod tests {
    use model::{Bus, Content, Drive, Judged, Reason, Verdict, Volume, VolumeId};

    use super::*;

    #[test]
    fn a_drive_that_somebody_works_on_is_not_erased() {
        let judged =
            Judged { verdict: Verdict::Unknown, reason: Reason::new("x"), gets: String::new(), next: String::new() };
        let drive = |path: &str, system: bool, in_use: bool, mounts: &[&str]| Drive {
            path: path.into(),
            name: "SSD".into(),
            size: 1,
            bus: Bus::Image,
            removable: None,
            rotational: None,
            system,
            volumes: vec![Volume {
                id: VolumeId(format!("{path}p1")),
                size: 1,
                content: Content("ext4".into()),
                label: None,
                uuid: None,
                mounts: mounts.iter().map(|mount| (*mount).to_owned()).collect(),
                in_use,
                judged: judged.clone(),
                facts: Default::default(),
            }],
            judged: judged.clone(),
        };
        let all = [
            drive("/dev/nvme0n1", true, false, &[]),
            drive("/dev/nvme1n1", false, false, &["/home"]),
            drive("/dev/nvme10n1", false, true, &[]),
            drive("/dev/nvme2n1", false, false, &[]),
            drive("/dev/sda", false, true, &[]),
        ];
        for (path, used) in [
            ("/dev/nvme0n1", true),
            ("/dev/nvme0", true),
            ("/dev/nvme1", true),
            ("/dev/nvme10", true),
            ("/dev/nvme2", false),
            ("/dev/nvme2n1", false),
            ("/dev/sda", true),
            ("/dev/sdb", false),
        ] {
            assert_eq!(is_used(&all, Path::new(path)), used, "{path}");
        }
    }
}
