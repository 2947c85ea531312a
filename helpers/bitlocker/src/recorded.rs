use std::collections::{BTreeMap, VecDeque};

use crate::{Code, DriveFacts, Error, Facts, Machine, Place, Reply, Result, Row, Value};

/// A computer of which only answers were kept. A method that was not recorded is refused as Windows refuses a
/// method that it does not have; nothing can be changed, and each try to is remembered.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// The computer.
    pub facts: Facts,
    /// Volumes.
    pub rows: Vec<Row>,
    /// Drives, by the volume's ID.
    pub drives: BTreeMap<String, DriveFacts>,
    /// Policies.
    pub policies: BTreeMap<(Place, String), u32>,
    /// Whether it was recorded without administrator rights.
    pub no_rights: bool,
    answers: BTreeMap<(String, String), VecDeque<Reply>>,
    asked: Vec<String>,
}

impl Recorded {
    /// Notes what a method answered. Noted more than once, they come one after the other, and the last stays.
    pub fn note(&mut self, volume: &str, method: &str, reply: Reply) {
        self.answers.entry((volume.to_owned(), method.to_owned())).or_default().push_back(reply);
    }

    /// Which methods were called, in their order.
    pub fn asked(&self) -> &[String] {
        &self.asked
    }
}

impl Machine for Recorded {
    fn facts(&mut self) -> Facts {
        self.facts.clone()
    }

    fn drive(&mut self, volume: &str) -> DriveFacts {
        self.drives.get(volume).cloned().unwrap_or_default()
    }

    fn volumes(&mut self) -> Result<Vec<Row>> {
        if self.no_rights { Err(Error::NoRights) } else { Ok(self.rows.clone()) }
    }

    fn call(&mut self, volume: &str, method: &str, ins: &[(&str, Value)]) -> Result<Reply> {
        self.asked.push(method.to_owned());
        // The type of a protector depends on which is asked about.
        let protector = ins.iter().find_map(|(name, value)| match value {
            Value::Text(id) if *name == "VolumeKeyProtectorID" => Some(format!("{method} {}", id.as_str())),
            _ => None,
        });
        let keys = [protector.unwrap_or_default(), method.to_owned()];
        for key in keys {
            if let Some(queue) = self.answers.get_mut(&(volume.to_owned(), key)) {
                let last = queue.front().cloned();
                if queue.len() > 1 {
                    queue.pop_front();
                }
                return last.ok_or(Error::NotThere);
            }
        }
        Ok(Reply::new(Code::NOT_SUPPORTED))
    }

    fn policy(&mut self, place: Place, name: &str) -> Result<Option<u32>> {
        Ok(self.policies.get(&(place, name.to_owned())).copied())
    }

    fn set_policy(&mut self, name: &str, _: Option<u32>) -> Result<()> {
        self.asked.push(format!("set {name}"));
        Err(Error::NoRights)
    }
}
