//! Opening this computer's drives at its start: what the preboot program, the practice start and the
//! running system's service do alike.
//!
//! ```no_run
//! use opal::pin::WayIn;
//! use opal::preboot::{self, Door, Turn};
//! # fn ask() -> model::Secret { model::Secret::from("") }
//!
//! let mut door = Door::new(preboot::find());
//! while !door.is_open() {
//!     let typed = ask();
//!     match door.turn(WayIn::Password, &typed) {
//!         // Show the real sectors: restart, or start the system from here.
//!         Turn::Open => break,
//!         Turn::Partly => {} // `door.drives()` says which; another password may be theirs
//!         Turn::Wrong { left } => println!("wrong, {left} more"),
//!         Turn::Wait(time) => std::thread::sleep(time),
//!         Turn::PowerOff => break, // nothing more is looked at until the power was off
//!         Turn::Failed => break,   // `drive.trouble` says why
//!     }
//! }
//! ```
//!
//! What counts as a drive of ours: its Locking SP is awake, something of it is closed (it is locked, or the
//! shadow MBR is shown), and our note is on it ([`Record`]). Where no closed drive has a
//! note, all closed ones are tried: a drive without room for a note has none.
//!
//! Drives count wrong PINs, to five as a rule, and look at nothing afterwards until their power was off. So
//! after three wrong secrets there is a pause, which grows, and a drive that says that it looks at nothing
//! any more is not asked again. A drive that is open already is not given another try.

use std::path::PathBuf;
use std::time::Duration;

use model::Secret;

use crate::host::{self, Access};
use crate::pin::{Record, WayIn};
use crate::protect::{self, authority};
use crate::ticket::{self, Start};
use crate::{Error, Result, Tper, Transport, system};

/// Wrong secrets in a row until there is a pause.
pub const TRIES: u32 = 3;

/// The first pause. Each one is twice as long as the one before, up to [`LONGEST_PAUSE`].
pub const FIRST_PAUSE: Duration = Duration::from_secs(10);

/// No pause is longer.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// A drive that is closed, or was.
pub struct Closed<T> {
    /// What the system calls it: `/dev/nvme0`.
    pub name: String,
    /// It has our note.
    pub ours: bool,
    /// How it was found: locked, its shadow MBR shown.
    pub found: (bool, bool),
    /// It has been opened.
    pub open: bool,
    /// What went wrong with it last.
    pub trouble: Option<Error>,
    tper: Tper<T>,
    record: Record,
}

impl<T: Transport> Closed<T> {
    /// Looks at a drive. `None`: there is nothing to open.
    ///
    /// # Errors
    /// The drive does not answer.
    pub fn look(name: String, transport: T) -> Result<Option<Self>> {
        match Tper::open(transport) {
            Ok(tper) => Self::of(name, tper),
            // No drive of this kind.
            Err(Error::NoDiscovery | Error::NotSupported | Error::CommandRefused { .. } | Error::NoWay) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// As [`Closed::look`], over a way that is open already.
    ///
    /// # Errors
    /// The drive does not answer.
    pub fn of(name: String, mut tper: Tper<T>) -> Result<Option<Self>> {
        let facts = tper.refresh()?.facts();
        if !facts.is_opal() || !facts.locking_enabled || !(facts.locked || facts.mbr_shadow_active) {
            return Ok(None);
        }
        let noted = protect::note(&mut tper);
        let ours = matches!(noted, Ok(Some(_)));
        // A damaged note was ours once; what holds for every drive is as good as any guess.
        let record = match noted {
            Ok(Some(record)) => record,
            Ok(None) | Err(Error::RecordDamaged) => protect::usual_record(&mut tper)?,
            Err(error) => return Err(error),
        };
        let found = (facts.locked, facts.mbr_shadow_active);
        Ok(Some(Self { name, ours, found, open: false, trouble: None, tper, record }))
    }

    /// Opens it until its power is off, shows the real sectors, and writes on the ticket how it was found.
    fn open(&mut self, way: WayIn, secret: &Secret) -> Result<()> {
        let pin = self.record.pin(way, secret)?;
        let who = authority(way);
        host::lock_with(&mut self.tper, who, &pin, 0, Access::ReadWrite)?;
        if self.tper.refresh()?.facts().mbr_shadow_active {
            host::shadow_mbr_done(&mut self.tper, who, &pin, true)?;
        }
        let facts = self.tper.refresh()?.facts();
        if facts.mbr_shadow_active {
            return Err(Error::NotKept { what: "MBRControl.Done" });
        }
        self.open = true;
        let (locked, shown) = self.found;
        // Only a note: a drive that cannot keep it is open all the same.
        let _ = ticket::punch(&mut self.tper, &pin, Start { locked, shown, way });
        Ok(())
    }

    /// The way to the drive.
    pub fn tper(&mut self) -> &mut Tper<T> {
        &mut self.tper
    }
}

/// Who makes what a locked drive shows: a disk that firmware starts, with the program that asks on it.
pub trait Maker: std::fmt::Debug + Send + Sync {
    /// Whether everything for it is on this computer. Quick; nothing is made.
    ///
    /// # Errors
    /// What is missing.
    fn ready(&self) -> std::result::Result<(), model::Fault>;

    /// Makes it, of no more than `room` bytes. Takes seconds.
    ///
    /// # Errors
    /// What is missing; it is larger.
    fn make(&self, room: u64) -> std::result::Result<Vec<u8>, model::Fault>;
}

/// All closed drives of this computer. Those that cannot be asked are left out: nothing can be done
/// about them here.
pub fn find() -> Vec<Closed<Box<dyn Transport + Send>>> {
    let look = |path: PathBuf| Closed::look(path.display().to_string(), system::open(&path).ok()?).ok()?;
    system::nodes().into_iter().filter_map(look).collect()
}

/// What a secret has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// All are open.
    Open,
    /// At least one was opened, and at least one has another secret.
    Partly,
    /// Wrong for all that are closed.
    Wrong {
        /// Tries until there is a pause.
        left: u32,
    },
    /// Wrong, and now nothing is to be tried for so long.
    Wait(Duration),
    /// No closed drive looks at secrets until its power was off.
    PowerOff,
    /// It is not the secret that is wrong: [`Closed::trouble`] says what.
    Failed,
}

/// All closed drives, behind one secret.
pub struct Door<T> {
    drives: Vec<Closed<T>>,
    wrong: u32,
    pauses: u32,
}

impl<T: Transport> Door<T> {
    /// Of those that are ours; of all where none is.
    pub fn new(mut drives: Vec<Closed<T>>) -> Self {
        if drives.iter().any(|drive| drive.ours) {
            drives.retain(|drive| drive.ours);
        }
        Self { drives, wrong: 0, pauses: 0 }
    }

    /// The drives.
    pub fn drives(&self) -> &[Closed<T>] {
        &self.drives
    }

    /// What went wrong with the first drive that is still closed.
    pub fn trouble(self) -> Option<Error> {
        self.drives.into_iter().filter(|drive| !drive.open).find_map(|drive| drive.trouble)
    }

    /// Whether there is nothing left to open.
    pub fn is_open(&self) -> bool {
        self.drives.iter().all(|drive| drive.open)
    }

    /// Tries a secret on every drive that is closed. Takes as long as the derivation for each of them.
    pub fn turn(&mut self, way: WayIn, secret: &Secret) -> Turn {
        let (mut opened, mut wrong, mut tried) = (0, 0, 0);
        for drive in self.drives.iter_mut().filter(|drive| !drive.open) {
            if matches!(drive.trouble, Some(Error::LockedOut)) {
                continue;
            }
            tried += 1;
            drive.trouble = drive.open(way, secret).err();
            match drive.trouble {
                None => opened += 1,
                Some(Error::WrongPin) => wrong += 1,
                Some(_) => {}
            }
        }
        if self.is_open() {
            return Turn::Open;
        }
        if opened > 0 {
            self.wrong = 0;
            return Turn::Partly;
        }
        let closed = |drive: &&Closed<T>| !drive.open;
        if self.drives.iter().filter(closed).all(|drive| matches!(drive.trouble, Some(Error::LockedOut))) {
            return Turn::PowerOff;
        }
        if wrong == 0 && tried > 0 {
            return Turn::Failed;
        }
        self.wrong += 1;
        if self.wrong < TRIES {
            return Turn::Wrong { left: TRIES - self.wrong };
        }
        self.wrong = 0;
        let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(self.pauses)).min(LONGEST_PAUSE);
        self.pauses += 1;
        Turn::Wait(pause)
    }
}
