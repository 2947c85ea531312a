use std::collections::BTreeMap;

use drives::judge::{self, Report};
use model::{Judged, Verdict};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

/// What was read about one volume, place or drive, and what follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Which file it was read from.
    pub source: String,
    /// What it is about, in the words of the tool: `C:`, `/home`, `disk1s1`, `/dev/nvme0n1`.
    pub subject: String,
    /// Is it protected, why, and what to do next.
    pub judged: Judged,
    /// What was seen, by its technical name; the values of the reason are among them.
    pub facts: BTreeMap<String, String>,
}

impl Item {
    /// An item whose source is filled in by [`explain`](crate::explain).
    pub fn new(subject: impl Into<String>, judged: Judged) -> Self {
        let facts = judged.reason.args.clone();
        Self { source: String::new(), subject: subject.into(), judged, facts }
    }

    /// An item about something of which only this is known.
    pub fn report(subject: impl Into<String>, report: Report) -> Self {
        Self::new(subject, judge::report(report, model::Args::new()))
    }

    /// The same with one more fact. An empty value is none.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        let value = value.to_string();
        if !value.is_empty() {
            self.facts.insert(name.to_owned(), value);
        }
        self
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.judged.verdict
    }
}

impl Serialize for Item {
    /// As the contract of the command line has it: five members, no more.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut item = serializer.serialize_struct("Item", 5)?;
        item.serialize_field("source", &self.source)?;
        item.serialize_field("subject", &self.subject)?;
        item.serialize_field("verdict", &self.judged.verdict)?;
        item.serialize_field("reason", &self.judged.reason.code)?;
        item.serialize_field("facts", &self.facts)?;
        item.end()
    }
}
