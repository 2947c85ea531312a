//! A virtual drive: Opal as a drive does it, in a file or in memory.
//!
//! It is the other side of this crate's host, and of any other host: served over NVMe/TCP, a stock
//! kernel and stock tools take it for a drive. Each range has a key of its own, so that a new key
//! really destroys and an activation really keeps. The keys lie in the file in the clear: it behaves
//! like a drive, and protects nothing.
//!
//! What a caller does with the power is explicit: [`Drive::open`] is a power-on, [`Drive::power_cycle`]
//! takes the power away for a moment, [`Drive::hardware_reset`] is a reset on the bus.

mod access;
mod admin_sp;
mod comid;
mod describe;
mod locking_sp;
mod media;
mod methods;
mod profile;
mod state;

pub use media::IoError;
pub use profile::{Faults, Profile, ShadowMbr};

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use blockdev::Device;

use self::comid::Volatile;
use self::media::Media;
use self::state::{Layout, LockingSp, Pin, State, Store, random};
use crate::{Error, Result, Transport};

/// What makes a drive power down or reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reset {
    Power,
    Hardware,
    Tper,
}

impl Reset {
    /// Its number in `LockOnReset`.
    const fn number(self) -> u64 {
        match self {
            Self::Power => 0,
            Self::Hardware => 1,
            Self::Tper => 3,
        }
    }
}

/// How a new drive is to be.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What sort of drive.
    pub profile: Profile,
    /// Its serial number. Made up if it is empty.
    pub serial: String,
}

/// What is printed on the drive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The model.
    pub model: String,
    /// The serial number.
    pub serial: String,
    /// The secret that sets the drive back, 32 letters and digits. Whoever holds the drive can read it.
    pub psid: String,
    /// SID's PIN from the factory. Not on a real label, but everybody can ask the drive for it.
    pub msid: String,
}

/// A virtual drive. All calls may come from several threads at once.
pub struct Drive {
    control: Mutex<Control>,
    media: RwLock<Media>,
    /// Security commands until it is unplugged.
    left: Mutex<Option<u64>>,
}

struct Control {
    device: Arc<dyn Device>,
    store: Store,
    state: State,
    volatile: Volatile,
}

impl Drive {
    /// What the drive itself needs of a file, in bytes; the rest is the room for data.
    pub fn overhead(profile: &Profile) -> u64 {
        Layout::overhead(profile)
    }

    /// Makes a drive as from the factory. What lay in the file is gone.
    ///
    /// # Errors
    /// [`Error::VirtualDriveSize`] if the file is not larger than [`Drive::overhead`];
    /// [`Error::VirtualDriveDamaged`] if the profile makes no sense.
    pub fn create(device: Arc<dyn Device>, options: Options) -> Result<Self> {
        let Options { profile, serial } = options;
        if !matches!(profile.block_size, 512 | 4096) {
            return Err(Error::VirtualDriveDamaged("block size".into()));
        }
        let layout = Layout::new(&profile, device.size())?;
        let serial = if serial.is_empty() { format!("LK{}", letters(12)?) } else { serial };
        let (msid, psid) = (letters(32)?, letters(32)?);
        let state = State {
            layout,
            serial,
            sid: Pin::new(msid.as_bytes(), profile.try_limit)?,
            psid_pin: Pin::new(psid.as_bytes(), profile.try_limit)?,
            msid,
            psid,
            programmatic_reset: false,
            data_removal: 2,
            locking: LockingSp::new(&profile, None)?,
            profile,
        };
        let store = Store::create(Arc::clone(&device), &state)?;
        Self::powered_on(device, store, state)
    }

    /// Opens a drive that a file holds: a power-on.
    ///
    /// # Errors
    /// [`Error::NoVirtualDrive`], [`Error::VirtualDriveDamaged`].
    pub fn open(device: Arc<dyn Device>) -> Result<Self> {
        let (store, state) = Store::load(Arc::clone(&device))?;
        let drive = Self::powered_on(device, store, state)?;
        drive.power_cycle()?;
        Ok(drive)
    }

    fn powered_on(device: Arc<dyn Device>, store: Store, state: State) -> Result<Self> {
        let media = RwLock::new(Media::new(Arc::clone(&device), &state, false)?);
        let volatile = Volatile::new(&state);
        let control = Mutex::new(Control { device, store, state, volatile });
        Ok(Self { control, media, left: Mutex::new(None) })
    }

    /// What is printed on it.
    pub fn label(&self) -> Label {
        let control = self.control();
        let State { profile, serial, psid, msid, .. } = &control.state;
        Label { model: profile.model.clone(), serial: serial.clone(), psid: psid.clone(), msid: msid.clone() }
    }

    /// What sort of drive it is.
    pub fn profile(&self) -> Profile {
        self.control().state.profile.clone()
    }

    /// Makes the drive err from now on, or do so no longer.
    ///
    /// # Errors
    /// The file under it failed.
    pub fn set_faults(&self, faults: Faults) -> Result<()> {
        let mut control = self.control();
        control.state.profile.faults = faults;
        let Control { store, state, .. } = &mut *control;
        store.commit(state)
    }

    /// Bytes in a logical block.
    pub fn block_size(&self) -> u32 {
        self.control().state.profile.block_size
    }

    /// Logical blocks for data.
    pub fn blocks(&self) -> u64 {
        self.control().state.layout.blocks
    }

    /// Takes the power away for a moment: sessions are gone, wrong PINs are forgotten, ranges lock
    /// themselves, the shadow MBR is shown again.
    ///
    /// # Errors
    /// The file under it failed.
    pub fn power_cycle(&self) -> Result<()> {
        let mut control = self.control();
        control.power_cycle()?;
        self.renew(&control)
    }

    /// Unplugs the drive after so many further security commands: each later one finds nobody. `None`: it
    /// stays, or is plugged in again, which takes a [`power_cycle`](Self::power_cycle) as well.
    pub fn unplug_after(&self, commands: Option<u64>) {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = commands;
    }

    /// Whether it has been unplugged.
    pub fn is_unplugged(&self) -> bool {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) == Some(0)
    }

    /// Counts a command. `false`: the drive is gone.
    fn counts(&self) -> bool {
        match &mut *self.left.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
            None => true,
        }
    }

    /// A reset on the bus.
    ///
    /// # Errors
    /// The file under it failed.
    pub fn hardware_reset(&self) -> Result<()> {
        let mut control = self.control();
        control.reset(Reset::Hardware)?;
        self.renew(&control)
    }

    /// The interface begins anew (NVMe: the controller is enabled): an open session is gone, and nothing
    /// else happens.
    pub fn interface_reset(&self) {
        self.control().volatile.end_sessions();
    }

    /// IF-SEND. `false`: the command is refused.
    pub fn security_send(&self, protocol: u8, specific: u16, data: &[u8]) -> bool {
        let mut control = self.control();
        let taken = control.security_send(protocol, specific, data);
        if std::mem::take(&mut control.volatile.changed) && self.renew(&control).is_err() {
            return false;
        }
        taken
    }

    /// IF-RECV: `length` bytes, with zeros behind what there is to say. `None`: the command is refused.
    pub fn security_receive(&self, protocol: u8, specific: u16, length: usize) -> Option<Vec<u8>> {
        self.control().security_receive(protocol, specific, length)
    }

    /// Reads whole blocks from `lba`.
    ///
    /// # Errors
    /// [`IoError`]; the buffer is of no use then.
    pub fn read(&self, lba: u64, buffer: &mut [u8]) -> std::result::Result<(), IoError> {
        self.media.read().unwrap_or_else(PoisonError::into_inner).read(lba, buffer)
    }

    /// Writes whole blocks at `lba`.
    ///
    /// # Errors
    /// [`IoError`]; nothing was written then, unless the file under it failed.
    pub fn write(&self, lba: u64, data: &[u8]) -> std::result::Result<(), IoError> {
        self.media.read().unwrap_or_else(PoisonError::into_inner).write(lba, data)
    }

    /// Forgets what is in blocks: what is read there afterwards is undefined, zeros as a rule.
    ///
    /// # Errors
    /// As [`Drive::write`].
    pub fn trim(&self, lba: u64, blocks: u64) -> std::result::Result<(), IoError> {
        self.media.read().unwrap_or_else(PoisonError::into_inner).trim(lba, blocks)
    }

    /// Returns when what was written survives a power cut.
    ///
    /// # Errors
    /// The file under it failed.
    pub fn flush(&self) -> std::result::Result<(), IoError> {
        self.media.read().unwrap_or_else(PoisonError::into_inner).flush()
    }

    fn control(&self) -> MutexGuard<'_, Control> {
        self.control.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn renew(&self, control: &Control) -> Result<()> {
        let media = Media::new(Arc::clone(&control.device), &control.state, control.volatile.dead)?;
        *self.media.write().unwrap_or_else(PoisonError::into_inner) = media;
        Ok(())
    }
}

/// Whether a file begins as one that holds a virtual drive does. Only looks.
pub fn is_virtual_drive(file: &mut (impl std::io::Read + std::io::Seek)) -> bool {
    state::SLOTS.into_iter().any(|slot| {
        let mut head = [0; state::NAME.len()];
        file.seek(std::io::SeekFrom::Start(slot)).is_ok() && file.read_exact(&mut head).is_ok() && head == *state::NAME
    })
}

/// Capital letters and digits, as on a label. A few are a little more frequent: the label is no key.
fn letters(count: usize) -> Result<String> {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let mut bytes = vec![0; count];
    random(&mut bytes)?;
    Ok(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect())
}

/// The way to a virtual drive in the same program.
#[derive(Clone)]
pub struct Local(pub Arc<Drive>);

/// NVMe's status for a command that asks for what is not there.
const INVALID_FIELD: u32 = 0x02;

impl Transport for Local {
    fn send(&mut self, protocol: u8, specific: u16, data: &[u8]) -> Result<()> {
        if !self.0.counts() {
            return Err(Error::DriveGone);
        }
        if self.0.security_send(protocol, specific, data) {
            return Ok(());
        }
        Err(Error::CommandRefused { status: INVALID_FIELD })
    }

    fn receive(&mut self, protocol: u8, specific: u16, buffer: &mut [u8]) -> Result<()> {
        if !self.0.counts() {
            return Err(Error::DriveGone);
        }
        let received = self.0.security_receive(protocol, specific, buffer.len());
        buffer.copy_from_slice(&received.ok_or(Error::CommandRefused { status: INVALID_FIELD })?);
        Ok(())
    }
}

/// The blocks of a virtual drive as a device: what a computer would see of it.
#[derive(Clone)]
pub struct Blocks(pub Arc<Drive>);

impl Blocks {
    fn aligned(&self, offset: u64, length: usize) -> blockdev::Result<u64> {
        let size = u64::from(self.0.block_size());
        if offset.is_multiple_of(size) && (length as u64).is_multiple_of(size) {
            return Ok(offset / size);
        }
        Err(blockdev::Error::OutOfRange { offset, length: length as u64, size: self.size() })
    }
}

fn failed(operation: blockdev::Operation, offset: u64, error: IoError) -> blockdev::Error {
    let kind = match error {
        IoError::Device(error) => return error,
        IoError::Denied => std::io::ErrorKind::PermissionDenied,
        IoError::OutOfRange | IoError::Dead => std::io::ErrorKind::Other,
    };
    blockdev::Error::Io { operation, offset, source: std::io::Error::new(kind, error) }
}

impl Device for Blocks {
    fn size(&self) -> u64 {
        self.0.blocks() * u64::from(self.0.block_size())
    }

    fn logical_sector(&self) -> u32 {
        self.0.block_size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> blockdev::Result<()> {
        // Whoever looks for a signature asks for odd pieces: they are cut out of whole blocks.
        let size = u64::from(self.0.block_size());
        let end = offset.checked_add(buffer.len() as u64).filter(|end| *end <= self.size());
        let Some(end) = end else {
            return Err(blockdev::Error::OutOfRange { offset, length: buffer.len() as u64, size: self.size() });
        };
        let fail = |error| failed(blockdev::Operation::Read, offset, error);
        if self.aligned(offset, buffer.len()).is_ok() {
            return self.0.read(offset / size, buffer).map_err(fail);
        }
        let (first, last) = (offset / size, end.div_ceil(size));
        let mut blocks = vec![0; usize::try_from((last - first) * size).map_err(|_| blockdev::Error::Full)?];
        self.0.read(first, &mut blocks).map_err(fail)?;
        let skipped = usize::try_from(offset - first * size).unwrap_or(0);
        buffer.copy_from_slice(&blocks[skipped..skipped + buffer.len()]);
        Ok(())
    }

    fn write_at(&self, offset: u64, data: &[u8]) -> blockdev::Result<()> {
        let lba = self.aligned(offset, data.len())?;
        self.0.write(lba, data).map_err(|error| match error {
            IoError::OutOfRange => blockdev::Error::OutOfRange { offset, length: data.len() as u64, size: self.size() },
            error => failed(blockdev::Operation::Write, offset, error),
        })
    }

    fn flush(&self) -> blockdev::Result<()> {
        self.0.flush().map_err(|error| failed(blockdev::Operation::Flush, 0, error))
    }

    fn resize(&self, _: u64) -> blockdev::Result<()> {
        Err(blockdev::Error::FixedSize)
    }

    fn discard(&self, offset: u64, length: u64) -> blockdev::Result<bool> {
        // Only whole blocks are forgotten.
        let size = u64::from(self.0.block_size());
        let (first, end) = (offset.div_ceil(size), offset.saturating_add(length) / size);
        if first < end {
            self.0.trim(first, end - first).map_err(|error| failed(blockdev::Operation::Write, offset, error))?;
        }
        Ok(true)
    }
}
