//! Speaks to the person: sentences on standard output, notes and faults on standard error.

use std::io::{IsTerminal, Write};
use std::path::Path;

use model::{Args, Fault, Reason};
use serde::Serialize;
use texts::{Key, Language, Texts, keys};

/// Speaks one language.
pub struct Speaker {
    /// The catalogue.
    pub texts: Texts,
    /// Whether standard output belongs to a program, and sentences go to standard error.
    output_is_data: bool,
}

impl Speaker {
    /// Speaks the language of the environment.
    pub fn new() -> Self {
        Self { texts: Texts::new(Language::from_env()), output_is_data: false }
    }

    /// From now on standard output carries JSON only.
    pub fn output_is_data(&mut self) {
        self.output_is_data = true;
    }

    /// A line of the answer.
    pub fn line(&self, text: &str) {
        // A reader that went away (`| head`) is no error.
        let _ = if self.output_is_data {
            writeln!(std::io::stderr(), "{text}")
        } else {
            writeln!(std::io::stdout(), "{text}")
        };
    }

    /// A message as a line of the answer.
    pub fn say(&self, key: Key, args: &Args) {
        self.line(&self.texts.say(key, args));
    }

    /// A message beside the answer, on standard error.
    pub fn note(&self, key: Key, args: &Args) {
        let _ = writeln!(std::io::stderr(), "{}", self.texts.say(key, args));
    }

    /// Something to be noted that does not stop anything.
    pub fn warn(&self, reason: &Reason) {
        let args = texts::args([("reason", &self.texts.reason(reason))]);
        self.note(keys::CLI_NOTE, &args);
    }

    /// What went wrong, what to do next, and the technical cause.
    pub fn fault(&self, fault: &Fault) {
        let sentence = self.texts.fault(fault);
        let mut error = std::io::stderr();
        let _ = writeln!(error, "{}", sentence.what);
        if !sentence.next.is_empty() {
            let _ = writeln!(error, "{}", sentence.next);
        }
        if let Some(detail) = &fault.detail {
            let _ = writeln!(error, "{}", self.texts.say(keys::CLI_DETAILS, &texts::args([("detail", detail)])));
        }
    }

    /// One JSON document.
    pub fn document(&self, document: &impl Serialize) {
        let mut output = std::io::stdout().lock();
        let _ = serde_json::to_writer_pretty(&mut output, document);
        let _ = writeln!(output);
    }

    /// A fault as a JSON document.
    pub fn fault_document(&self, fault: &Fault) {
        self.document(&FaultDocument { version: 1, fault: FaultEntry::new(&self.texts, fault) });
    }

    /// Asks a question that is answered with yes or no at the terminal; anything else is no.
    pub fn ask(&self, key: Key) -> bool {
        let mut error = std::io::stderr();
        let _ = write!(error, "{} ", self.texts.plain(key));
        let _ = error.flush();
        let mut answer = String::new();
        if std::io::stdin().read_line(&mut answer).is_err() {
            return false;
        }
        matches!(answer.trim().to_lowercase().as_str(), "y" | "yes" | "j" | "ja")
    }
}

/// A path as it can be typed into a shell again: in quotes where it has blanks or signs in it.
pub fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "_./+:=@%,-".contains(c);
    if !path.is_empty() && path.chars().all(plain) { path } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

/// Whether somebody sits at the terminal and can answer.
pub fn somebody_is_there() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// A fault as the answer to a command with `--json`.
#[derive(Serialize)]
struct FaultDocument {
    version: u32,
    fault: FaultEntry,
}

/// A fault in a JSON document, for programs (`code`, `kind`, `args`) and for people (`what`, `next`).
#[derive(Serialize)]
pub struct FaultEntry {
    #[serde(flatten)]
    fault: Fault,
    what: String,
    next: String,
}

impl FaultEntry {
    /// With its sentences.
    pub fn new(texts: &Texts, fault: &Fault) -> Self {
        let sentence = texts.fault(fault);
        Self { fault: fault.clone(), what: sentence.what, next: sentence.next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_can_be_copied_into_a_shell() {
        for (path, expected) in [
            ("/dev/sda1", "/dev/sda1"),
            ("büro.img", "büro.img"),
            ("my image", "'my image'"),
            ("it's", "'it'\\''s'"),
            ("$(x)", "'$(x)'"),
        ] {
            assert_eq!(quoted(Path::new(path)), expected);
        }
    }
}
