//! A practice computer: a simulated Windows that is kept in a file between one program run and the next.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::client::replace;
use crate::{DriveFacts, Error, Facts, Machine, Place, Reply, Result, Row, Simulated, Value};

/// The first word of such a file.
const MARK: &str = "{\"practice\":\"windows\"";
/// Longer ones are none.
const LONGEST: u64 = 1 << 20;

/// A simulated computer in a file. Every change is in the file before the call returns.
pub struct Practice {
    path: PathBuf,
    machine: Simulated,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    practice: String,
    version: u32,
    machine: Simulated,
}

impl Practice {
    /// Makes the file of a new one.
    ///
    /// # Errors
    /// [`Error::PracticeFile`].
    pub fn make(path: &Path, machine: Simulated) -> Result<Self> {
        let practice = Self { path: path.to_owned(), machine };
        practice.keep().map(|()| practice)
    }

    /// Whether a path is the file of one.
    pub fn is(path: &Path) -> bool {
        use std::io::Read;
        let mut begin = [0_u8; MARK.len()];
        let small = std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= LONGEST);
        small
            && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok()
            && begin == *MARK.as_bytes()
    }

    /// The one of a file.
    ///
    /// # Errors
    /// [`Error::PracticeFile`] if it is none, or one of another version.
    pub fn open(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|error| Error::PracticeFile(error.to_string()))?;
        match serde_json::from_slice(&bytes) {
            Ok(Kept { version: 1, machine, .. }) => Ok(Self { path: path.to_owned(), machine }),
            Ok(Kept { version, .. }) => Err(Error::PracticeFile(format!("version {version}"))),
            Err(error) => Err(Error::PracticeFile(error.to_string())),
        }
    }

    /// Switches it off and on.
    ///
    /// # Errors
    /// [`Error::PracticeFile`].
    pub fn restart(&mut self) -> Result<()> {
        self.machine.restart();
        self.keep()
    }

    fn keep(&self) -> Result<()> {
        let kept = Kept { practice: "windows".to_owned(), version: 1, machine: self.machine.clone() };
        let failed = |error: String| Error::PracticeFile(error);
        let bytes = serde_json::to_vec(&kept).map_err(|error| failed(error.to_string()))?;
        replace(&self.path, &bytes).map_err(|error| failed(error.to_string()))
    }
}

impl Machine for Practice {
    fn facts(&mut self) -> Facts {
        self.machine.facts()
    }

    fn drive(&mut self, volume: &str) -> DriveFacts {
        self.machine.drive(volume)
    }

    fn volumes(&mut self) -> Result<Vec<Row>> {
        self.machine.volumes()
    }

    fn call(&mut self, volume: &str, method: &str, ins: &[(&str, Value)]) -> Result<Reply> {
        // Another process may have paused it.
        self.machine = Self::open(&self.path)?.machine;
        let reply = self.machine.call(volume, method, ins)?;
        self.keep().map(|()| reply)
    }

    fn policy(&mut self, place: Place, name: &str) -> Result<Option<u32>> {
        self.machine.policy(place, name)
    }

    fn set_policy(&mut self, name: &str, value: Option<u32>) -> Result<()> {
        self.machine.set_policy(name, value)?;
        self.keep()
    }
}
