use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Args;

/// Is it protected? Green is only [`Verdict::Protected`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Without the secret, nobody reads this.
    Protected,
    /// Whoever has the drive in hand reads it.
    NotProtected,
    /// Some of it can be read without the secret.
    PartlyProtected,
    /// Encrypted, but the key lies openly beside the data for the time being.
    Suspended,
    /// A conversion is under way or was interrupted; part of it is readable.
    Converting,
    /// Encrypted by something, and closed: what is inside cannot be told.
    Locked,
    /// It could not be seen.
    Unknown,
}

/// Why, as a code of the catalogue (`reason-…`) with its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Reason {
    /// Key in the catalogue, without the prefix `reason-`.
    pub code: String,
    /// Values for the sentence.
    pub args: Args,
}

impl Reason {
    /// A reason without values.
    pub fn new(code: &str) -> Self {
        Self { code: code.to_owned(), args: Args::new() }
    }

    /// The same reason with one more value.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.args.insert(name.to_owned(), value.to_string());
        self
    }
}

/// A verdict with its reason, what it means for whoever has the drive in hand (`gets-…` in the
/// catalogue) and what to do next (`next-…`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Judged {
    /// Is it protected?
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
    /// Key of what an attacker with the drive in hand gets, without the prefix `gets-`. Empty where
    /// that was not asked.
    #[serde(default)]
    #[ts(as = "Option<String>", optional)]
    pub gets: String,
    /// Key of the next step in the catalogue, without the prefix `next-`.
    pub next: String,
}

/// How a volume is or will be encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// AES-XTS by the computer's processor, in the LUKS2 format.
    Software,
    /// By the drive itself (TCG Opal, eDrive).
    Hardware,
    /// Both, one above the other.
    Both,
}

/// How one condition turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Met.
    Pass,
    /// Not met, and it would be needed.
    Fail,
    /// Not met or not ideal, but it can go on.
    Warn,
    /// It could not be seen.
    Unknown,
}

/// One condition that was looked at, for `latchkey check` and the wizard's checklist. The catalogue
/// has its name (`condition-CODE`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Condition {
    /// Key in the catalogue, without the prefix `condition-`.
    pub code: String,
    /// How it turned out.
    pub outcome: Outcome,
    /// Why (`reason-…` in the catalogue).
    pub reason: Reason,
    /// What it was told by: a file, a call, the raw bytes, with the value that was seen there;
    /// technical and untranslated, shown under "Details". Empty where the reason says it all.
    #[serde(default)]
    #[ts(as = "Option<String>", optional)]
    pub evidence: String,
}

/// A fact and where it was seen. `None` is "unknown", never "no".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Finding<T> {
    /// What was seen.
    pub value: Option<T>,
    /// Where: a file, a call, the raw bytes.
    pub origin: String,
}

impl<T> Finding<T> {
    /// What was seen, and where.
    pub fn seen(value: T, origin: impl Into<String>) -> Self {
        Self { value: Some(value), origin: origin.into() }
    }

    /// What could not be seen, and where one would have looked.
    pub fn unknown(origin: impl Into<String>) -> Self {
        Self { value: None, origin: origin.into() }
    }
}

impl<T> Default for Finding<T> {
    /// Nobody has looked.
    fn default() -> Self {
        Self { value: None, origin: String::new() }
    }
}
