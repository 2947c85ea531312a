//! The system's own encryption: BitLocker and FileVault behind one trait, so that whoever draws the steps
//! need not know which it is. A practice Windows in a file goes the same way on every system.

mod bitlocker;
mod filevault;

use std::path::Path;

use model::{Condition, Control, Fault, Judged, Method, Reason, Secret, Sink};

pub use self::bitlocker::BitLocker;
pub use self::filevault::{FileVault, Target};
pub use ::bitlocker::client::{Copies, Ended};
pub use ::bitlocker::service::CopyTo;
pub use ::bitlocker::{Practice, Simulated};

use crate::operations::MethodWish;

/// The system's own encryption of one volume. Every call may take long.
pub trait Native {
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

    /// Encrypts, or finishes what is encrypted and stands open. The recovery key is on the medium and was read
    /// back from it before anything is closed.
    ///
    /// # Errors
    /// A condition is not met; the copy could not be made; the system refuses.
    fn encrypt(
        &mut self,
        wish: Wish,
        secret: Option<&Secret>,
        copy: &CopyTo,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(Ended, Copies), Fault>;

    /// Goes on from wherever it stands.
    ///
    /// # Errors
    /// There is nothing to go on with; the test start failed.
    fn resume(&mut self, control: &Control, sink: &mut dyn Sink) -> Result<Ended, Fault>;

    /// Stops for now.
    ///
    /// # Errors
    /// Nothing runs, or this system does not stop.
    fn pause(&mut self) -> Result<(), Fault>;

    /// What has to be given for [`decrypt`](Self::decrypt).
    fn decrypt_asks(&self) -> Ask;

    /// The whole way back.
    ///
    /// # Errors
    /// The system refuses.
    fn decrypt(&mut self, secret: Option<&Secret>, control: &Control, sink: &mut dyn Sink) -> Result<(), Fault>;

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

    /// Saves the recovery keys of every open drive, as far as the system shows them.
    ///
    /// # Errors
    /// The system shows none.
    fn save_keys(&mut self, copy: &CopyTo) -> Result<Copies, Fault>;
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
    /// Of a million, while it is converted and where that is told.
    pub share: Option<u32>,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        use model::Describe;
        let sheet = ::bitlocker::keys::SheetWords::look_up(text);
        return Some(::bitlocker::helper::help(words, sheet).map_err(|error| error.fault()));
    }
    let _ = (words, text);
    None
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
