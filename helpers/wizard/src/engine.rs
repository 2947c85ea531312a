//! Where the wizard's steps meet the engines that do the work. The real engine acts on devices; the
//! simulated one is for tests of the steps alone.

mod administrator;
mod by_drive;
mod pulse;
mod real;
#[cfg(test)]
pub(crate) mod simulated;

pub(crate) use pulse::{look_around, pulse};
pub use real::{Real, RealOptions};

use std::path::{Path, PathBuf};

use blockdev::Device;
use model::{Computer, Condition, Control, Drive, Fault, Method, Secret, Sink};
use recovery::{Form, RecoveryKey};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::hardware::{LockFacts, Trial};
use crate::operations::{KdfWish, Plan};
use crate::view::{BenchFigures, Check, RecoveryCopy, RecoveryPlace, Target};

/// The work behind the steps. Every call may take long and is made without a lock held.
pub trait Engine: Send + Sync {
    /// All drives with their verdict, and that of the whole. Needs no rights; what cannot be seen
    /// without is unknown.
    fn survey(&self) -> Result<Seen>;

    /// A number that changes when something was plugged in, pulled out, mounted or written anew. Cheap:
    /// it is asked for every second. `None`: this system does not tell.
    fn pulse(&self) -> Option<u64>;

    /// Whether the person can be asked for the right to look at everything.
    fn can_ask_for_rights(&self) -> bool;

    /// Asks the person for the right to look at everything, to read only. From then on
    /// [`survey`](Self::survey) uses it.
    ///
    /// # Errors
    /// [`Error::RightsRefused`](crate::Error::RightsRefused),
    /// [`Error::RightsUnavailable`](crate::Error::RightsUnavailable).
    fn ask_for_rights(&self) -> Result<()>;

    /// Whether that right was given and still holds.
    fn has_rights(&self) -> bool;

    /// One device or image: facts, verdict, and what the LUKS2 header on it says.
    fn look(&self, target: &Path) -> Result<Found>;

    /// Each condition, the method and its reasons; a plan if it can go on.
    /// The plan is by the method that is wished for, where it is offered.
    fn check(&self, target: &Path, wish: CheckWish) -> Result<Checked>;

    /// Power, space, health: what is looked at before anything happens.
    fn before(&self, target: &Path) -> Vec<Condition>;

    /// Places where a copy of the recovery key may be put: mounted sticks that are not the target.
    fn places(&self, target: &Path) -> Vec<RecoveryPlace>;

    /// Makes the header that the target will get, with a keyslot for the password and one for the
    /// recovery key, in `file`; both are proven by opening it. Returns the new volume's UUID. By the drive's
    /// own encryption, the drive is prepared with both; `former` is the password of an earlier try, which is
    /// taken back first.
    fn stage(
        &self,
        plan: &Plan,
        password: &Secret,
        key: &RecoveryKey,
        former: Option<&Secret>,
        file: &Path,
        sink: &mut dyn Sink,
    ) -> Result<String>;

    /// Opens the header in `file` with the secret.
    ///
    /// # Errors
    /// A fault of the kind [`model::FaultKind::WrongSecret`] if it does not open.
    fn prove(&self, file: &Path, secret: &Secret) -> Result<()>;

    /// Writes the key of the volume with this UUID to `folder`, flushes, reads it back from the medium, and has
    /// `prove` open the header with what was read.
    fn export_recovery(
        &self,
        target: &Target,
        uuid: &str,
        key: &RecoveryKey,
        form: &dyn Form,
        folder: &Path,
        prove: &mut dyn FnMut(&Secret) -> std::result::Result<(), Fault>,
    ) -> Result<RecoveryCopy>;

    /// Writes the rescue image with a copy of the header, flushes, reads back every byte, and opens the
    /// header in it with the secret. Returns the file.
    fn write_rescue(
        &self,
        target: &Path,
        staged: &Path,
        secret: &Secret,
        folder: &Path,
        sink: &mut dyn Sink,
    ) -> Result<PathBuf>;

    /// Tries the start with the secret, as far as that goes without one: opens the header in `staged`. By the
    /// drive's own encryption, its power goes off and on.
    ///
    /// # Errors
    /// As [`prove`](Self::prove).
    fn test_start(&self, target: &Path, staged: &Path, secret: &Secret, sink: &mut dyn Sink) -> Result<Trial> {
        let _ = (target, sink);
        self.prove(staged, secret).map(|()| Trial::Passed)
    }

    /// Gives a drive that encrypts by itself back as it was, with its data, from wherever it stands.
    ///
    /// # Errors
    /// [`Error::NotNow`](crate::Error::NotNow) for any other; a fault of the kind
    /// [`model::FaultKind::WrongSecret`].
    fn give_back(&self, target: &Path, secret: &Secret) -> Result<()> {
        let _ = (target, secret);
        Err(crate::Error::NotNow)
    }

    /// How hard a new password's key derivation is made.
    fn kdf(&self) -> KdfWish {
        KdfWish::default()
    }

    /// Lets go of a target, so that its file can be replaced.
    fn let_go(&self, target: &Path) {
        let _ = target;
    }

    /// Measures the processor and the place where the target lies.
    fn measure(&self, target: &Path, control: &Control, sink: &mut dyn Sink) -> Result<BenchFigures>;

    /// Bytes that [`measure`](Self::measure) writes at most.
    fn bench_writes(&self) -> u64 {
        0
    }

    /// The report of one or two measurements as a page, in the person's language.
    fn bench_page(&self, before: &bench::Figures, after: Option<&bench::Figures>) -> String {
        bench::page::page(&texts::Texts::new(texts::Language::English), before, after)
    }

    /// Makes room and puts the staged header in place. Nothing is encrypted yet; until this has
    /// returned, the target is what it was or says that a conversion has begun.
    fn begin(&self, plan: &Plan, staged: &Path, secret: &Secret, sink: &mut dyn Sink) -> Result<()>;

    /// Goes on with the conversion until it ends or is stopped.
    fn convert(&self, target: &Path, secret: &Secret, control: &Control, sink: &mut dyn Sink) -> Result<Ended>;

    /// Shows what the encrypted target holds to `look`, to be read only.
    fn read_plain(&self, target: &Path, secret: &Secret, look: &mut dyn FnMut(&dyn Device) -> Result<()>)
    -> Result<()>;
}

/// The computer, looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// All drives, the system's first.
    pub drives: Vec<Drive>,
    /// The verdict on the whole. `None`: that cannot be told on this system yet.
    pub computer: Option<Computer>,
}

/// One device or image, looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The facts; its first volume is the target itself.
    pub drive: Drive,
    /// What the LUKS2 header on it says, if there is one.
    pub header: Option<HeaderFacts>,
    /// What the drive shows of its own lock, if it has one and may be asked.
    pub lock: Option<LockFacts>,
}

/// What a check is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckWish {
    /// The method that the person chose; `None`: what fits.
    pub method: Option<Method>,
    /// The drive's own encryption was begun to be prepared by us, as the journal says.
    pub prepared: bool,
}

/// What the LUKS2 header on a target says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderFacts {
    /// The volume's UUID.
    pub uuid: String,
    /// As the format spells it: `aes-xts-plain64`.
    pub cipher: String,
    /// Bits of the volume key.
    pub key_bits: u32,
    /// Bytes of an encryption sector.
    pub sector_size: u32,
    /// Whether a conversion is under way.
    pub converting: Option<Converting>,
}

/// A conversion that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Converting {
    /// From plain to encrypted (and not back).
    pub encrypting: bool,
    /// Bytes done.
    pub done: u64,
    /// Bytes of the whole.
    pub total: u64,
}

/// The conditions, and a plan if they are met.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What is shown.
    pub check: Check,
    /// What can be carried out.
    pub plan: Option<Plan>,
    /// What stands in the way, with what to do next, where there is no plan.
    pub fault: Option<Fault>,
    /// Methods that the person can choose between; empty where there is one, or none.
    pub offered: Vec<Method>,
}

/// How a conversion ended for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All of it is done.
    Finished,
    /// It was stopped and can be resumed.
    Stopped,
    /// The computer has to be switched off and on; it goes on after that.
    PowerOff,
}
