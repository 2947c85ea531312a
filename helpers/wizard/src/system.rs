//! The drive that the running system lies on. It is encrypted while people work, after a test start that proves
//! everything, and by somebody who has the rights for it: the wizard asks, and never touches the drive itself.
//!
//! Whoever carries it out is a [`SystemDrive`]: the privileged service behind the window, a laptop of their own in the
//! tests. What stands on the disk is asked each time and never remembered: it changes while the wizard is closed.

pub use model::system::{LastStart, Phase, StartOutcome, Undone};
use model::{Condition, Fault, Progress, Secret, Sink, VolumeId};
use recovery::RecoveryKey;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whoever may change the system's own drive. Each call looks at the system anew, and says in a [`Fault`] what stands
/// in the way; then all is as it was.
pub trait SystemDrive: Send + Sync {
    /// The volume that the system runs from. It is what names it in the other calls; no path ever does.
    ///
    /// # Errors
    /// See the trait.
    fn id(&self) -> Result<VolumeId, Fault>;

    /// The conditions for encrypting it, in the order in which people are shown them.
    ///
    /// # Errors
    /// See the trait.
    fn check(&self, id: &VolumeId) -> Result<Vec<Condition>, Fault>;

    /// How it stands.
    ///
    /// # Errors
    /// See the trait.
    fn status(&self, id: &VolumeId) -> Result<Standing, Fault>;

    /// Makes the header with the password and the recovery key. It waits to be proven and begun, and is taken back
    /// when nobody does so.
    ///
    /// # Errors
    /// See the trait.
    fn prepare(&self, id: &VolumeId, password: &Secret, key: &RecoveryKey) -> Result<Prepared, Fault>;

    /// Whether this copy of the recovery key, as it was read back, opens the header.
    ///
    /// # Errors
    /// `luks-wrong-secret`, `service-other-key`, `service-no-such-ticket`.
    fn prove(&self, ticket: &str, secret: &Secret) -> Result<(), Fault>;

    /// Stages the test start. Nothing on the system's partition changes.
    ///
    /// # Errors
    /// See the trait; `service-not-proven`.
    fn begin(&self, ticket: &str, sink: &mut dyn Sink) -> Result<(), Fault>;

    /// Takes a header back that was not begun with.
    fn give_up(&self, ticket: &str);

    /// Comes to a stop that resumes.
    ///
    /// # Errors
    /// See the trait.
    fn pause(&self, id: &VolumeId) -> Result<(), Fault>;

    /// Goes on.
    ///
    /// # Errors
    /// `boot-password-needed` where nobody has typed it since the computer was started; `luks-wrong-secret`.
    fn resume(&self, id: &VolumeId, secret: Option<&Secret>) -> Result<(), Fault>;

    /// Takes back what can be taken back at once.
    ///
    /// # Errors
    /// See the trait.
    fn undo(&self, id: &VolumeId) -> Result<Undone, Fault>;

    /// Prepares the way back to plain, at the next start.
    ///
    /// # Errors
    /// See the trait.
    fn decrypt(&self, id: &VolumeId, secret: &Secret) -> Result<(), Fault>;

    /// What may become a rescue stick.
    ///
    /// # Errors
    /// See the trait.
    fn sticks(&self) -> Result<Vec<Stick>, Fault>;

    /// Makes one and reads it back. `typed` is its name, as the person typed it.
    ///
    /// # Errors
    /// See the trait.
    fn write_stick(&self, stick: &str, typed: &str) -> Result<(), Fault>;

    /// Starts the computer anew, or switches it off.
    ///
    /// # Errors
    /// Whoever manages the session does not allow it.
    fn end_session(&self, how: Ending) -> Result<(), Fault>;
}

/// How the computer is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// And starts anew.
    Restart,
    /// And stays off.
    PowerOff,
}

/// A header that was made and waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// Permission to prove it and to go on.
    pub ticket: String,
    /// UUID that the volume will have.
    pub uuid: String,
}

/// How the system's drive stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Standing {
    /// How far it is.
    pub phase: Phase,
    /// What happened at the start that this system came from, where it was one of ours.
    pub last_start: Option<LastStart>,
    /// Speed and time left, where somebody encrypts at the moment.
    pub progress: Option<Progress>,
}

/// A stick that may become a rescue stick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Stick {
    /// Names it until it is pulled out.
    pub id: String,
    /// Vendor and model: what a person types to confirm.
    pub name: String,
    /// Bytes.
    #[ts(type = "number")]
    pub size: u64,
}
