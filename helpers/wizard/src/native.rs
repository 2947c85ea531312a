//! The system's own encryption: BitLocker and FileVault behind one trait, so that whoever draws the steps
//! need not know which it is. A practice Windows in a file goes the same way on every system.

mod bitlocker;
mod filevault;
mod worker;

use std::path::{Path, PathBuf};

use model::{Condition, Control, Describe, Fault, Judged, Method, Reason, Secret, Sink};

pub use self::bitlocker::BitLocker;
pub use self::filevault::{FileVault, Target};
pub use self::worker::Worker;
pub use ::bitlocker::client::{Copies, Ended};
pub use ::bitlocker::keys::{RecoveryPassword, Sheet};
pub use ::bitlocker::service::{CopyTo, Proof};
pub use ::bitlocker::{Practice, Simulated};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::operations::MethodWish;

/// The system's own encryption of one volume, in pieces: none of them waits for a conversion, which the system does
/// by itself, but for [`follow`](Self::follow) and what is made of it. Every call may take long all the same.
pub trait Native {
    /// What does it.
    fn by(&self) -> By;

    /// Whether it is a practice computer.
    fn is_practice(&self) -> bool;

    /// How it stands.
    ///
    /// # Errors
    /// It cannot be asked.
    fn standing(&mut self) -> Result<Standing, Fault>;

    /// Each condition, the method and its reasons. Changes nothing.
    ///
    /// # Errors
    /// It cannot be asked.
    fn check(&mut self, wish: Wish) -> Result<Checked, Fault>;

    /// The recovery key that the volume will have, to be written down before anything is begun.
    ///
    /// # Errors
    /// A condition is not met; this system shows no key before it is on.
    fn show_key(&mut self, wish: Wish) -> Result<Sheet, Fault>;

    /// Begins to encrypt, or finishes what is encrypted and stands open. That somebody has the recovery key is proven
    /// before anything is closed; `None` only where there is no such key.
    ///
    /// # Errors
    /// A condition is not met; the copy could not be made; the system refuses.
    fn begin(&mut self, wish: Wish, secret: Option<&Secret>, proof: Option<&Proof>) -> Result<(Next, Copies), Fault>;

    /// Lets what stands still go on, from wherever it stands.
    ///
    /// # Errors
    /// There is nothing to go on with; the test start failed.
    fn carry_on(&mut self) -> Result<Next, Fault>;

    /// Does what comes after a test start and after a conversion. Before their end it does nothing, and nothing
    /// twice: whoever does not wait asks for it now and then.
    ///
    /// # Errors
    /// The test start failed; it is encrypted and stands open. Each is told once.
    fn settle(&mut self) -> Result<(), Fault>;

    /// Waits for the end of a conversion.
    ///
    /// # Errors
    /// Stopped by the person; what the system says.
    fn follow(&mut self, control: &Control, sink: &mut dyn Sink) -> Result<Ended, Fault>;

    /// Stops for now.
    ///
    /// # Errors
    /// Nothing runs, or this system does not stop.
    fn pause(&mut self) -> Result<(), Fault>;

    /// Whether [`pause`](Self::pause) can work.
    fn can_pause(&self) -> bool;

    /// Restarts the computer, for the test start. A practice computer is back when this returns.
    ///
    /// # Errors
    /// It has to be done by hand here.
    fn restart(&mut self) -> Result<(), Fault>;

    /// Whether [`restart`](Self::restart) can work.
    fn can_restart(&self) -> bool;

    /// What has to be given for [`decrypt`](Self::decrypt).
    fn decrypt_asks(&self) -> Ask;

    /// Begins the whole way back, or takes away what was prepared.
    ///
    /// # Errors
    /// The system refuses.
    fn begin_decrypt(&mut self, secret: Option<&Secret>) -> Result<Next, Fault>;

    /// Whether the file of a recovery key still opens the volume.
    ///
    /// # Errors
    /// A fault of the kind [`model::FaultKind::WrongSecret`] if it does not.
    fn prove(&mut self, sheet: &[u8]) -> Result<(), Fault>;

    /// A recovery key that can be saved where none was: macOS shows a key only once, and whoever missed it makes
    /// a new one, which voids the old.
    ///
    /// # Errors
    /// The system refuses; the copy could not be made.
    fn new_key(&mut self, secret: Option<&Secret>, copy: &CopyTo) -> Result<Copies, Fault>;

    /// One more copy of this volume's recovery key.
    ///
    /// # Errors
    /// The system shows none; the copy could not be made.
    fn save_key(&mut self, copy: &CopyTo) -> Result<Copies, Fault>;

    /// Saves the recovery keys of every open drive, as far as the system shows them.
    ///
    /// # Errors
    /// The system shows none.
    fn save_keys(&mut self, copy: &CopyTo) -> Result<Copies, Fault>;

    /// [`begin`](Self::begin), and waits for the end.
    ///
    /// # Errors
    /// Those of both.
    fn encrypt(
        &mut self,
        wish: Wish,
        secret: Option<&Secret>,
        copy: &CopyTo,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(Ended, Copies), Fault> {
        let (next, copies) = self.begin(wish, secret, Some(&copy.into()))?;
        let ended = match next {
            Next::Restart => Ended::Restart,
            Next::Runs => self.follow(control, sink)?,
            Next::Done => Ended::Done,
        };
        Ok((ended, copies))
    }

    /// [`carry_on`](Self::carry_on), and waits for the end. Coming back to a practice computer is its restart.
    ///
    /// # Errors
    /// Those of both.
    fn resume(&mut self, control: &Control, sink: &mut dyn Sink) -> Result<Ended, Fault> {
        let mut next = self.carry_on()?;
        if next == Next::Restart && self.is_practice() {
            self.restart()?;
            next = self.carry_on()?;
        }
        match next {
            Next::Restart => Ok(Ended::Restart),
            Next::Runs => self.follow(control, sink),
            Next::Done => Ok(Ended::Done),
        }
    }

    /// [`begin_decrypt`](Self::begin_decrypt), and waits for the end.
    ///
    /// # Errors
    /// Those of both.
    fn decrypt(&mut self, secret: Option<&Secret>, control: &Control, sink: &mut dyn Sink) -> Result<(), Fault> {
        match self.begin_decrypt(secret)? {
            Next::Runs => self.follow(control, sink).map(drop),
            Next::Restart | Next::Done => Ok(()),
        }
    }
}

/// What encrypts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// BitLocker.
    Bitlocker,
    /// FileVault, the volume that macOS runs from.
    Filevault,
    /// macOS, another volume: a password of its own, and no recovery key.
    Apfs,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A restart of the computer, which tries the way in.
    Restart,
    /// The system converts it.
    Runs,
    /// Nothing.
    Done,
}

/// What a person wishes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// By whom.
    pub method: MethodWish,
    /// Only what is in use.
    pub used_space_only: bool,
    /// A PIN is wanted before the system starts.
    pub pin: bool,
    /// What encryption by the drive needs of the system's policies may be set.
    pub consent: bool,
}

/// How a volume stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Verdict and next step.
    pub judged: Judged,
    /// What can be done with it.
    pub stand: Stand,
    /// Of a million, while it is converted and where that is told.
    pub share: Option<u32>,
}

/// What can be done with a volume as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Stand {
    /// Encrypt it.
    Plain,
    /// Restart the computer.
    Restart,
    /// Wait, or stop it for now.
    Encrypting,
    /// Wait.
    Decrypting,
    /// Let it go on.
    Paused,
    /// Switch its protection on again.
    Suspended,
    /// Save its key, and finish what the system has begun.
    Open,
    /// Look after it.
    Protected,
    /// Nothing, from here.
    Unclear,
}

/// What a check came to.
#[derive(Clone, Debug)]
pub struct Checked {
    /// All of them.
    pub conditions: Vec<Condition>,
    /// Why this method.
    pub reasons: Vec<Reason>,
    /// By whom; `None`: a condition is not met, or there is nothing to begin.
    pub method: Option<Method>,
    /// It is encrypted and only has to be closed.
    pub close: bool,
    /// A policy of the system is changed by it.
    pub changes_policy: bool,
    /// What has to be given.
    pub asks: Ask,
}

/// A secret that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// None.
    Nothing,
    /// A new password, for this volume.
    NewPassword,
    /// A new PIN, asked for before the system starts.
    NewPin,
    /// The password that the person logs in with.
    Login,
}

/// Serves the window's orders, if this process was started for that: Windows gave it the rights after asking the
/// person. `None`: it was not.
pub fn help(words: &[String], text: &dyn Fn(&'static str) -> String) -> Option<Result<(), Fault>> {
    #[cfg(windows)]
    if ::bitlocker::helper::is_asked(words) {
        let sheet = ::bitlocker::keys::SheetWords::look_up(text);
        return Some(::bitlocker::helper::help(words, sheet).map_err(|error| error.fault()));
    }
    let _ = (words, text);
    None
}

/// Who opens the systems' own encryption.
pub trait Opener: Send + Sync {
    /// Whether a target's own system encrypts it. Asks nobody.
    fn fits(&self, target: &Path) -> bool;

    /// Opens it, on the thread that it stays on. May ask the person for rights.
    ///
    /// # Errors
    /// The system cannot be asked; the person said no.
    fn open(&self, target: &Path) -> Result<Box<dyn Native>, Fault>;
}

/// The computer that this program runs on.
pub struct ThisComputer {
    /// Gives a sentence of the catalogue, for copies of keys.
    pub text: Box<dyn Fn(&'static str) -> String + Send + Sync>,
    /// What is started with rights where this process has none.
    pub program: PathBuf,
}

impl Opener for ThisComputer {
    fn fits(&self, target: &Path) -> bool {
        is(target)
    }

    fn open(&self, target: &Path) -> Result<Box<dyn Native>, Fault> {
        of(target, &*self.text, &self.program).unwrap_or_else(|| Err(crate::Error::NotNow.fault()))
    }
}

/// The system's own encryption of a target: the file of a practice Windows everywhere, a letter (`C:`) on Windows,
/// `/` and a volume (`disk4s1`) on macOS. `None`: the target is none of these.
///
/// `text` gives a sentence of the catalogue for the copy of the key; `program` is what is started with rights where
/// this process has none.
///
/// # Errors
/// The system cannot be asked.
pub fn of(
    target: &Path,
    text: &dyn Fn(&'static str) -> String,
    program: &Path,
) -> Option<Result<Box<dyn Native>, Fault>> {
    let _ = program;
    if Practice::is(target) {
        return Some(BitLocker::practice(target, text).map(|native| Box::new(native) as Box<dyn Native>));
    }
    #[cfg(windows)]
    if let Some(volume) = bitlocker::volume_of(target) {
        return Some(BitLocker::real(&volume, text, program).map(|native| Box::new(native) as Box<dyn Native>));
    }
    #[cfg(target_os = "macos")]
    if let Some(target) = Target::of(target) {
        return Some(Ok(Box::new(FileVault::real(target))));
    }
    None
}

/// Whether a target's own system encrypts it, as [`of`] has it. Asks nobody.
pub fn is(target: &Path) -> bool {
    #[cfg(windows)]
    if bitlocker::volume_of(target).is_some() {
        return true;
    }
    #[cfg(target_os = "macos")]
    if Target::of(target).is_some() {
        return true;
    }
    Practice::is(target)
}
