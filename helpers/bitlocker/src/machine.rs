use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::{Code, Result};

/// A computer with Windows, as far as encryption needs it. Every call may take long.
pub trait Machine {
    /// Firmware, edition, TPM. What cannot be seen is `None`.
    fn facts(&mut self) -> Facts;

    /// What a volume's drive says of its own encryption.
    fn drive(&mut self, volume: &str) -> DriveFacts;

    /// All volumes that BitLocker knows.
    ///
    /// # Errors
    /// [`Error::NoRights`](crate::Error::NoRights), [`Error::NotThere`](crate::Error::NotThere).
    fn volumes(&mut self) -> Result<Vec<Row>>;

    /// Calls a method of `Win32_EncryptableVolume` on the volume with this DeviceID. A return value other
    /// than 0 is in the reply; it is no error of the call.
    ///
    /// # Errors
    /// The call did not get there: [`Error::NoRights`](crate::Error::NoRights),
    /// [`Error::NotThere`](crate::Error::NotThere), [`Error::Wmi`](crate::Error::Wmi).
    fn call(&mut self, volume: &str, method: &str, ins: &[(&str, Value)]) -> Result<Reply>;

    /// A number of the policy key. `None`: it is not set.
    ///
    /// # Errors
    /// [`Error::NoRights`](crate::Error::NoRights).
    fn policy(&mut self, place: Place, name: &str) -> Result<Option<u32>>;

    /// Sets a number of [`Place::Software`], or takes it away.
    ///
    /// # Errors
    /// [`Error::NoRights`](crate::Error::NoRights).
    fn set_policy(&mut self, name: &str, value: Option<u32>) -> Result<()>;
}

/// Where policies lie, below `HKEY_LOCAL_MACHINE`. Sources disagree for some, so both are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Place {
    /// `SOFTWARE\Policies\Microsoft\FVE`
    Software,
    /// `SYSTEM\CurrentControlSet\Policies\Microsoft\FVE`
    System,
}

/// A value that goes into a method or comes out of it.
#[derive(Clone, PartialEq, Eq)]
pub enum Value {
    /// Nothing. It is left out of a call.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A number.
    Number(u32),
    /// A text, which may be a secret.
    Text(Zeroizing<String>),
    /// Texts.
    List(Vec<String>),
}

impl fmt::Debug for Value {
    /// Without the texts: some of them open a volume.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("Null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(_) => f.write_str("Text(..)"),
            Self::List(list) => write!(f, "{list:?}"),
        }
    }
}

impl Value {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Zeroizing::new(text.into()))
    }
}

/// What a method returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Its return value.
    pub code: Code,
    /// Its out parameters.
    pub outs: BTreeMap<String, Value>,
}

impl Reply {
    /// A reply without out parameters.
    pub fn new(code: Code) -> Self {
        Self { code, outs: BTreeMap::new() }
    }

    /// The same reply with one more out parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.outs.insert(name.to_owned(), value);
        self
    }
}

/// What a volume is for (`VolumeType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VolumeKind {
    /// Windows starts from it.
    System,
    /// Another one of a built-in drive.
    Fixed,
    /// Of a stick or a drive that can be pulled out: BitLocker To Go.
    Removable,
}

impl VolumeKind {
    /// By its number.
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            0 => Some(Self::System),
            1 => Some(Self::Fixed),
            2 => Some(Self::Removable),
            _ => None,
        }
    }

    /// How the policies for it begin: `OS`, `FDV`, `RDV`.
    pub const fn policy(self) -> &'static str {
        match self {
            Self::System => "OS",
            Self::Fixed => "FDV",
            Self::Removable => "RDV",
        }
    }
}

/// One instance of `Win32_EncryptableVolume`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// `\\?\Volume{…}\`: what everything is keyed by, because not every volume has a letter.
    pub id: String,
    /// `C:`
    pub letter: Option<String>,
    /// What it is for. `None`: an old Windows does not say, or says something new.
    pub kind: Option<VolumeKind>,
}

/// Which Windows it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Edition {
    /// Home: it has device encryption only.
    Home,
    /// Pro, Enterprise, Education, Server.
    Full,
}

/// The TPM (`Win32_Tpm`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tpm {
    /// Switched on, activated.
    pub ready: bool,
    /// `2.0`, `1.2`.
    pub version: String,
    /// Whether it refuses everything for a while after too many wrong PINs. `None`: not to be seen.
    pub locked_out: Option<bool>,
}

/// The computer. `None`: not to be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Edition.
    pub edition: Option<Edition>,
    /// Started by UEFI, without the emulation of a BIOS.
    pub uefi: Option<bool>,
    /// Secure Boot.
    pub secure_boot: Option<bool>,
    /// `Some(None)`: there is none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "seen")]
    pub tpm: Option<Option<Tpm>>,
    /// Whether this Windows came by an upgrade of an older one.
    pub upgraded: Option<bool>,
}

/// In a file, what is there and `null` was seen.
fn seen<'a, D: serde::Deserializer<'a>>(from: D) -> std::result::Result<Option<Option<Tpm>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// What is known of a drive's own encryption. `None`: not to be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DriveFacts {
    /// Model, as the drive says it.
    pub model: String,
    /// Firmware's version.
    pub firmware: String,
    /// TCG Opal 2.
    pub opal2: Option<bool>,
    /// Windows sees it as an eDrive (IEEE 1667 and Opal, ready to be used).
    pub edrive: Option<bool>,
    /// Whether a RAID driver stands between.
    pub raid: Option<bool>,
}
