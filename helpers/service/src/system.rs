//! The verbs, whoever carries them out.

use boot::verbs::{Status, Undone};
use model::{Condition, Fault, Secret, Sink, VolumeId};
use recovery::RecoveryKey;
use serde::{Deserialize, Serialize};
use wizard::engine::Seen;
use wizard::operations::KdfWish;

/// What somebody wants for the system's drive.
#[derive(Debug)]
pub struct Wish {
    /// Will be asked for at each start.
    pub password: Secret,
    /// The recovery key.
    pub key: RecoveryKey,
    /// The password's key derivation.
    pub kdf: KdfWish,
}

/// Tries secrets on the header that was staged.
pub trait Trial {
    /// Whether it opens it.
    ///
    /// # Errors
    /// `luks-wrong-secret`, and those of reading.
    fn opens(&mut self, secret: &Secret) -> Result<(), Fault>;
}

/// A stick that may become a rescue stick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedStick {
    /// Names it until it is pulled out.
    pub id: String,
    /// Vendor and model: what a person types to confirm.
    pub name: String,
    /// Bytes.
    pub size: u64,
}

/// How fast a drive reads; nothing is written.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Bytes a second, one mebibyte after the other.
    pub sequential: f64,
    /// Single 4 KiB at random places: half of them took no longer, in microseconds.
    pub median_us: f64,
    /// And 95 of 100 of them.
    pub p95_us: f64,
}

/// The verbs for the system's drive. Ids are those that the verbs themselves return; what they name is looked up
/// anew each time.
///
/// # Errors
/// Each verb says in a [`Fault`] what stands in the way; then all is as it was.
pub trait System: Send + Sync {
    /// The computer, looked at with rights.
    ///
    /// # Errors
    /// See the trait.
    fn drives(&self) -> Result<Seen, Fault>;

    /// The volume that the system runs from.
    ///
    /// # Errors
    /// See the trait.
    fn id(&self) -> Result<VolumeId, Fault>;

    /// The conditions for encrypting it.
    ///
    /// # Errors
    /// See the trait.
    fn check(&self, id: &VolumeId) -> Result<Vec<Condition>, Fault>;

    /// How it stands.
    ///
    /// # Errors
    /// See the trait.
    fn status(&self, id: &VolumeId) -> Result<Status, Fault>;

    /// Stages the test start. When the header is made, `export` is given its UUID and must bring a copy of the
    /// recovery key to safety, and show by the trial that what was read back opens the header.
    ///
    /// # Errors
    /// See the trait.
    fn stage(
        &self,
        id: &VolumeId,
        wish: &Wish,
        export: &mut dyn FnMut(&str, &mut dyn Trial) -> Result<(), Fault>,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault>;

    /// Comes to a stop that resumes.
    ///
    /// # Errors
    /// See the trait.
    fn pause(&self, id: &VolumeId) -> Result<(), Fault>;

    /// Goes on; the password is needed where this start has not seen it.
    ///
    /// # Errors
    /// See the trait.
    fn resume(&self, id: &VolumeId, secret: Option<&Secret>) -> Result<(), Fault>;

    /// Takes back what can be taken back at once.
    ///
    /// # Errors
    /// See the trait.
    fn undo(&self, id: &VolumeId) -> Result<Undone, Fault>;

    /// Stages the way back to plain.
    ///
    /// # Errors
    /// See the trait.
    fn decrypt(&self, id: &VolumeId, secret: &Secret) -> Result<(), Fault>;

    /// What may become a rescue stick.
    ///
    /// # Errors
    /// See the trait.
    fn sticks(&self) -> Result<Vec<NamedStick>, Fault>;

    /// Makes one, in the language with this tag. `typed` is the stick's name, typed by the person.
    ///
    /// # Errors
    /// See the trait.
    fn write_stick(&self, id: &str, typed: &str, language: &str) -> Result<(), Fault>;

    /// Measures how fast a disk reads. The id is one of [`crate::device::DiskId`].
    ///
    /// # Errors
    /// See the trait.
    fn benchmark(&self, disk: &str) -> Result<Reading, Fault>;

    /// Takes up what is unfinished and was not paused. Whether there was anything.
    ///
    /// # Errors
    /// See the trait.
    fn take_up(&self) -> Result<bool, Fault>;
}
