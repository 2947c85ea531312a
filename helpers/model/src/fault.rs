use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Named values that the catalogue puts into a sentence. Sizes are in bytes, written in decimal;
/// the catalogue chooses the unit.
pub type Args = BTreeMap<String, String>;

/// What sort of failure it was. The command line makes its exit code of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// It was tried and did not work (exit code 1).
    Failed,
    /// What was asked for makes no sense (exit code 2).
    Usage,
    /// A condition is not met, and nothing was touched (exit code 3).
    Refused,
    /// The password or the key does not open this (exit code 4).
    WrongSecret,
    /// A format that is newer than this program, or damaged (exit code 5).
    NewerOrDamaged,
    /// Stopped by the person; it can be resumed (exit code 130).
    Stopped,
}

impl FaultKind {
    /// The exit code of `latchkey`, as the command-line contract has it.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Refused => 3,
            Self::WrongSecret => 4,
            Self::NewerOrDamaged => 5,
            Self::Stopped => 130,
        }
    }
}

/// What went wrong, for whoever shows it: a code of the catalogue, its arguments and, for the
/// curious, the technical cause. For each code the catalogue has what happened and what to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Fault {
    /// Key in the catalogue, without the prefix `fault-`: `luks-wrong-secret`.
    pub code: String,
    /// What sort of failure.
    pub kind: FaultKind,
    /// Values for the sentence.
    pub args: Args,
    /// The cause in the words of the system or of a tool, untranslated; shown under "Details".
    pub detail: Option<String>,
}

impl Fault {
    /// A fault without arguments.
    pub fn new(code: &str, kind: FaultKind) -> Self {
        Self { code: code.to_owned(), kind, args: Args::new(), detail: None }
    }

    /// The same fault with one more value for its sentence.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.args.insert(name.to_owned(), value.to_string());
        self
    }

    /// The same fault with its technical cause.
    #[must_use]
    pub fn because(mut self, detail: impl ToString) -> Self {
        self.detail = Some(detail.to_string());
        self
    }
}

impl std::fmt::Display for Fault {
    /// For logs and tests only; people are shown the catalogue's sentence.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.code)?;
        for (name, value) in &self.args {
            write!(f, " {name}={value}")?;
        }
        match &self.detail {
            Some(detail) => write!(f, " ({detail})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

/// An engine's own error type, on its way to being shown.
pub trait Describe: std::error::Error {
    /// The error as a code with arguments. Every code that an engine can return stands in the
    /// catalogue in every language; a test of `texts` holds the two lists against each other.
    fn fault(&self) -> Fault;
}
