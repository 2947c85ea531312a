//! The drive's own encryption, as the wizard's steps need it: one drive, real or virtual, looked at, prepared,
//! tried, locked and given back. What the drive is told is `opal`'s; what is here is the order, and what is
//! believed of it.
//!
//! ```text
//! prepare      owned, two ways in, both proven; nothing is locked       Step::Password
//! try_start    image loaded and shown, power cycle, password            Step::TestStart
//! switch_on    the whole drive locks itself at power-off                Step::Encrypt
//! see_locked   power cycle: it was seen locked, and the password opens  Step::Encrypt
//! give_back    the drive as from the factory, data kept                 at every step
//! ```
//!
//! Each can be cut off anywhere and done again.

mod at_start;
mod check;
mod image;
mod look;
mod rescue;

pub use at_start::{AtStart, Opens};
pub use check::{Able, Opening, check};
pub(crate) use image::shown;
pub use look::{LockFacts, judged, judged_at_end, look};
pub(crate) use rescue::write as write_rescue;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use blockdev::{Access, Device, FileDevice};
use model::Secret;
use opal::device::{Blocks, Drive, Local};
use opal::pin::{Cost, WayIn};
use opal::preboot::{Closed, Door, Turn};
use opal::protect::{self, Secrets};
use opal::{Tper, Transport, host, ticket};

use crate::{Error, Result};

/// The way to a drive, whatever carries it.
pub struct OwnDrive {
    /// Its security part.
    pub tper: Tper<Box<dyn Transport + Send>>,
    /// The path by which it was opened.
    pub path: PathBuf,
    /// The drive itself, where it is a virtual one.
    pub device: Option<Arc<Drive>>,
    /// Only a person takes its power, as with every real one.
    pub by_person: bool,
}

/// Virtual drives that have power, because this program runs. A drive's power goes with this value.
#[derive(Default)]
pub struct Powered {
    drives: Mutex<BTreeMap<PathBuf, Arc<Drive>>>,
    by_person: bool,
}

impl std::fmt::Debug for Powered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Powered(..)")
    }
}

impl Powered {
    /// Drives whose power only a person takes, virtual ones too.
    pub fn by_person() -> Self {
        Self { by_person: true, ..Self::default() }
    }

    /// Whether that is so.
    pub(crate) const fn is_by_person(&self) -> bool {
        self.by_person
    }

    /// Opens the way to a drive: a device node, or a file that holds a virtual drive. The first time, a
    /// virtual drive is powered on by that.
    ///
    /// # Errors
    /// `opal-…`: no way to it, no rights, gone, no drive of this kind; `device-in-use` if another program has
    /// the virtual drive.
    pub fn open(&self, path: &Path) -> Result<OwnDrive> {
        if !is_virtual(path) {
            let tper = Tper::open(opal::system::open(path)?)?;
            return Ok(OwnDrive { tper, path: path.to_owned(), device: None, by_person: true });
        }
        let drive = {
            let mut powered = self.drives.lock().unwrap_or_else(PoisonError::into_inner);
            match powered.get(path) {
                Some(drive) => Arc::clone(drive),
                None => {
                    let file = FileDevice::open(path, Access::Exclusive)?;
                    let drive = Arc::new(Drive::open(Arc::new(file))?);
                    powered.insert(path.to_owned(), Arc::clone(&drive));
                    drive
                }
            }
        };
        let way: Box<dyn Transport + Send> = Box::new(Local(Arc::clone(&drive)));
        let tper = Tper::open(way)?;
        Ok(OwnDrive { tper, path: path.to_owned(), device: Some(drive), by_person: self.by_person })
    }

    /// Takes the power from a virtual drive, so that its file can be replaced or used by others.
    pub fn let_go(&self, path: &Path) {
        self.drives.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    }
}

/// Whether a path is a file with a virtual drive in it.
pub fn is_virtual(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    // Read without asking who else has it: the answer does not depend on that.
    let Ok(mut file) = std::fs::File::open(path) else { return false };
    opal::device::is_virtual_drive(&mut file)
}

impl OwnDrive {
    /// What the computer sees of a virtual drive.
    ///
    /// # Errors
    /// [`Error::NotNow`] for a real one, which the system shows itself.
    pub fn blocks(&self) -> Result<Blocks> {
        self.device.clone().map(Blocks).ok_or(Error::NotNow)
    }

    /// Takes the power away for a moment. `false`: only a person can do that.
    fn power_cycle(&mut self) -> Result<bool> {
        let Some(drive) = self.device.as_ref().filter(|_| !self.by_person) else { return Ok(false) };
        if drive.is_unplugged() {
            return Err(opal::Error::DriveGone.into());
        }
        drive.power_cycle()?;
        self.tper.refresh()?;
        Ok(true)
    }

    /// Opens it as the preboot program does, if it is closed. Returns whether it was.
    fn open_as_at_start(&mut self, way: WayIn, secret: &Secret) -> Result<bool> {
        let again: Box<dyn Transport + Send> = match &self.device {
            Some(drive) => Box::new(Local(Arc::clone(drive))),
            None => opal::system::open(&self.path)?,
        };
        let name = self.path.display().to_string();
        let Some(closed) = Closed::look(name, again)? else { return Ok(false) };
        let mut door = Door::new(vec![closed]);
        match door.turn(way, secret) {
            Turn::Open => {}
            Turn::PowerOff => return Err(opal::Error::LockedOut.into()),
            Turn::Failed => return Err(door.trouble().unwrap_or(opal::Error::SessionClosed).into()),
            Turn::Partly | Turn::Wrong { .. } | Turn::Wait(_) => return Err(opal::Error::WrongPin.into()),
        }
        self.tper.refresh()?;
        Ok(true)
    }
}

/// Takes the drive and makes both ways in. `former`: the password of an earlier try, whose drive is given
/// back first. Returns the name of the drive's note, which stands for the volume's UUID.
///
/// # Errors
/// [`Error::PreparedEarlier`] if it was prepared with a password that is not `former`; those of
/// [`protect::prepare`].
pub fn prepare(own: &mut OwnDrive, secrets: Secrets<'_>, former: Option<&Secret>, cost: Cost) -> Result<String> {
    let noted = protect::note(&mut own.tper)?;
    if let (Some(record), Some(former)) = (&noted, former) {
        let pin = record.pin(WayIn::Password, former)?;
        if host::proves(&mut own.tper, protect::authority(WayIn::Password), &pin)? {
            protect::give_back(&mut own.tper, WayIn::Password, former)?;
        }
    }
    match protect::prepare(&mut own.tper, secrets, cost) {
        Err(opal::Error::OwnedByOther | opal::Error::WrongPin) if noted.is_some() => {
            return Err(Error::PreparedEarlier);
        }
        result => result?,
    };
    let record = protect::record(&mut own.tper)?;
    Ok(look::id(&record))
}

/// Tries a secret, whichever of the two it is. Each wrong one counts at the drive; a virtual one is powered
/// off and on when it has counted to its end, as a person would do.
///
/// # Errors
/// `opal-wrong-pin`, `opal-locked-out`.
pub fn prove(own: &mut OwnDrive, secret: &Secret) -> Result<WayIn> {
    let record = protect::record(&mut own.tper)?;
    let way = if is_recovery_key(secret) { WayIn::Recovery } else { WayIn::Password };
    let pin = record.pin(way, secret)?;
    match host::proves(&mut own.tper, protect::authority(way), &pin) {
        Ok(true) => Ok(way),
        Ok(false) => Err(opal::Error::WrongPin.into()),
        Err(error) => Err(error.into()),
    }
}

/// Tries the password and nothing else.
///
/// # Errors
/// `opal-wrong-pin`, also for the recovery key; `opal-locked-out`.
pub fn prove_password(own: &mut OwnDrive, password: &Secret) -> Result<()> {
    match prove(own, password)? {
        WayIn::Password => Ok(()),
        WayIn::Recovery => Err(opal::Error::WrongPin.into()),
    }
}

/// Whether it is one by its form, which nobody's password has by chance.
pub fn is_recovery_key(secret: &Secret) -> bool {
    std::str::from_utf8(secret.expose()).is_ok_and(|text| recovery::RecoveryKey::parse(text).is_ok())
}

/// How the test start went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// The drive was opened as at a start.
    Passed,
    /// The computer has to be switched off and on for it.
    PowerOff,
}

/// The test start: nothing is locked yet. Where the drive has a shadow MBR and there is an image for it, it is
/// loaded and shown; then the power goes off and on, and the secret opens the drive as at every start.
///
/// # Errors
/// `opal-wrong-pin`; those of [`protect::load_image`].
pub fn try_start(
    own: &mut OwnDrive,
    password: &Secret,
    image: Option<&[u8]>,
    progress: &mut dyn FnMut(u64),
) -> Result<Trial> {
    // Left over from an earlier try: it stands at its start already.
    own.open_as_at_start(WayIn::Password, password)?;
    prove_password(own, password)?;
    let Some(image) = image else { return Ok(Trial::Passed) };
    // At no moment is a closed drive to show nothing, or half an image: what is left of an earlier try is
    // switched off first, the lock before the image.
    let pin = protect::record(&mut own.tper)?.pin(WayIn::Password, password)?;
    if host::range(&mut own.tper, &pin, 0)?.locks_at_power_off {
        protect::switch_on(&mut own.tper, password, false)?;
    }
    protect::show_image(&mut own.tper, password, false)?;
    protect::load_image(&mut own.tper, password, image, progress)?;
    ticket::leave(&mut own.tper, WayIn::Password, password)?;
    protect::show_image(&mut own.tper, password, true)?;
    if !own.power_cycle()? {
        return Ok(Trial::PowerOff);
    }
    if !own.tper.discovery().facts().mbr_shadow_active {
        return Err(Error::NotSeen);
    }
    own.open_as_at_start(WayIn::Password, password)?;
    match look::look(&mut own.tper)?.started {
        true => Ok(Trial::Passed),
        false => Err(Error::NotSeen),
    }
}

/// Makes the whole drive lock itself at power-off from now on. It stays open now. Takes the same short
/// time whatever its size.
///
/// # Errors
/// Those of [`protect::switch_on`].
pub fn switch_on(own: &mut OwnDrive, password: &Secret) -> Result<()> {
    own.open_as_at_start(WayIn::Password, password)?;
    protect::switch_on(&mut own.tper, password, true)?;
    // Which start the next one is. A drive without room for it is believed when this program sees it.
    let _ = ticket::leave(&mut own.tper, WayIn::Password, password);
    Ok(())
}

/// Whether the drive was seen locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Yes, and it was opened.
    Seen,
    /// The computer has to be switched off and on for it.
    PowerOff,
}

/// The power-off test, and with it whatever of [`switch_on`] was cut off.
///
/// # Errors
/// [`Error::NotSeen`] if the drive is open after a power-off: it does not protect anything.
pub fn see_locked(own: &mut OwnDrive, password: &Secret) -> Result<Sight> {
    // What is locked now was locked by a power-off, or by somebody who knows a secret: both are a lock.
    let locked = own.tper.refresh()?.facts().locked;
    own.open_as_at_start(WayIn::Password, password)?;
    prove(own, password)?;
    let seen = look::look(&mut own.tper)?.seen_locked;
    let pin = protect::record(&mut own.tper)?.pin(WayIn::Password, password)?;
    let range = host::range(&mut own.tper, &pin, 0)?;
    let on = range.read_lock_enabled && range.write_lock_enabled && range.locks_at_power_off;
    if seen && on {
        return Ok(Sight::Seen);
    }
    if !on {
        switch_on(own, password)?;
    } else if ticket::leave(&mut own.tper, WayIn::Password, password).is_err() && locked {
        // No room for a ticket: this program has seen it by itself.
        return Ok(Sight::Seen);
    }
    if !own.power_cycle()? {
        return Ok(Sight::PowerOff);
    }
    if !own.tper.discovery().facts().locked || !own.is_closed()? {
        return Err(Error::NotSeen);
    }
    own.open_as_at_start(WayIn::Password, password)?;
    Ok(Sight::Seen)
}

impl OwnDrive {
    /// Whether the last block of a virtual drive cannot be read: the discovery is only what it says. On one that
    /// is not larger than its shadow MBR, there is no such block.
    fn is_closed(&self) -> Result<bool> {
        let Some(drive) = &self.device else { return Ok(true) };
        let size = u64::from(drive.block_size());
        if drive.blocks() * size <= drive.profile().shadow_mbr_size {
            return Ok(true);
        }
        let mut block = vec![0; usize::try_from(size).unwrap_or(4096)];
        Ok(drive.read(drive.blocks() - 1, &mut block).is_err())
    }
}

/// Undoes it all and keeps the data, with either secret, from wherever it stands. A drive that is nobody's is
/// left as it is.
///
/// # Errors
/// `opal-wrong-pin`; those of [`protect::give_back`].
pub fn give_back(own: &mut OwnDrive, way: WayIn, secret: &Secret, cost: Cost) -> Result<()> {
    own.open_as_at_start(way, secret)?;
    let facts = own.tper.refresh()?.facts();
    if !facts.locking_enabled
        && facts.owned != Some(true)
        && host::ownership(&mut own.tper, None)? == host::Ownership::Free
    {
        return Ok(());
    }
    if protect::note(&mut own.tper)?.is_some() {
        return Ok(protect::give_back(&mut own.tper, way, secret)?);
    }
    // Cut off before the note was there, or behind its end: the costs are known to whoever began.
    match protect::give_back_with(&mut own.tper, way, secret, cost) {
        Err(opal::Error::WrongPin) if cost != Cost::default() => Ok(protect::give_back(&mut own.tper, way, secret)?),
        result => Ok(result?),
    }
}

/// What is kept in the place of a staged header.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Staged {
    version: u32,
    /// The name of the drive's note.
    pub id: String,
    /// The drive.
    pub target: PathBuf,
}

impl Staged {
    /// Writes it.
    pub fn write(file: &Path, id: &str, target: &Path) -> Result<()> {
        let staged = Self { version: 1, id: id.to_owned(), target: target.to_owned() };
        let bytes = serde_json::to_vec(&staged).unwrap_or_default();
        crate::journal::replace(file, &bytes).map_err(|error| Error::folder(file, error))
    }

    /// Reads it. `None`: it is something else, a header for instance.
    pub fn read(file: &Path) -> Option<Self> {
        const MOST: u64 = 64 << 10;
        if std::fs::metadata(file).ok()?.len() > MOST {
            return None;
        }
        serde_json::from_slice(&std::fs::read(file).ok()?).ok()
    }
}

/// Whether the running system lies on a drive.
pub fn is_system(whole: &Path) -> bool {
    drives::list().is_ok_and(|all| all.iter().any(|drive| drive.system && Path::new(&drive.path) == whole))
}

/// The whole drive that a node is a part of; the node itself if it is a whole one.
pub fn whole_drive(path: &Path) -> PathBuf {
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let Some(name) = real.file_name().filter(|_| real.starts_with("/dev")) else { return real };
    let here = Path::new("/sys/class/block").join(name);
    if !here.join("partition").exists() {
        return real;
    }
    let above = std::fs::canonicalize(&here).ok().and_then(|here| Some(here.parent()?.file_name()?.to_owned()));
    above.map_or(real, |above| Path::new("/dev").join(above))
}

/// The drive's content as a device, for reading.
pub(crate) fn with_blocks(own: &OwnDrive, look: &mut dyn FnMut(&dyn Device) -> Result<()>) -> Result<()> {
    match &own.device {
        Some(drive) => look(&Blocks(Arc::clone(drive))),
        None => look(&FileDevice::open(&own.path, Access::Read)?),
    }
}
