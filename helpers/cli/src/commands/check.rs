use std::path::Path;

use drives::Capabilities;
use model::{Condition, Describe, Drive, Fault, FaultKind, Method, Outcome, Reason};
use serde::Serialize;
use texts::{Texts, keys};
use wizard::engine::Checked;
use wizard::operations::{self, EncryptRequest};

use crate::speaker::{FaultEntry, Speaker};

/// Shows each condition, the method, and the reasons: what `encrypt` would do; and, condition by condition,
/// what this computer and this drive can do. Reads only.
///
/// The exit code is 0 when it can be encrypted, 3 when a condition is not met.
pub fn run(speaker: &Speaker, json: bool, target: &Path) -> Result<u8, Fault> {
    let seen = drives::inspect(target).map_err(|error| error.fault())?;
    let checked = operations::check(target, &EncryptRequest::default()).map_err(|error| error.fault())?;
    let able = drives::capabilities(target).map_err(|error| error.fault())?;
    if json {
        speaker.document(&Document::new(&speaker.texts, &seen.drive, &seen.look.content, &checked, &able));
    } else {
        show(speaker, &seen.drive, &seen.look.content, &checked, &able);
    }
    Ok(if checked.plan.is_none() { FaultKind::Refused.exit_code() } else { 0 })
}

fn show(speaker: &Speaker, drive: &Drive, content: &str, checked: &Checked, able: &Capabilities) {
    let args =
        texts::args([("path", &drive.path), ("size", &drive.size), ("content", &speaker.texts.content(content))]);
    speaker.say(keys::CLI_CHECK_TARGET, &args);
    speaker.line("");
    for condition in &checked.check.conditions {
        show_condition(speaker, condition);
    }
    speaker.line("");
    speaker.say(keys::CLI_CHECK_ABLE, &texts::args([]));
    for condition in &able.conditions {
        show_condition(speaker, condition);
    }
    speaker.line("");
    if checked.plan.is_none() {
        speaker.say(keys::CLI_CHECK_REFUSED, &texts::args([]));
        if let Some(fault) = &checked.fault {
            let sentence = speaker.texts.fault(fault);
            speaker.line(&sentence.what);
            speaker.line(&sentence.next);
        }
        return;
    }
    if let Some(method) = checked.check.method {
        speaker.say(keys::CLI_CHECK_METHOD, &texts::args([("method", &speaker.texts.method(method))]));
    }
    for reason in &checked.check.reasons {
        speaker.line(&format!("  {}", speaker.texts.reason(reason)));
    }
    speaker.line(&format!("  {}", speaker.texts.reason(&checked.check.room)));
}

/// One line of the checklist, also for the practice run.
pub(super) fn show_condition(speaker: &Speaker, condition: &Condition) {
    let sign = match condition.outcome {
        Outcome::Pass => "+",
        Outcome::Fail => "x",
        Outcome::Warn => "!",
        Outcome::Unknown => "?",
    };
    let sentence = speaker.texts.condition(condition);
    let outcome = speaker.texts.outcome(condition.outcome);
    speaker.line(&format!("  {sign} {}: {outcome}. {}", sentence.what, sentence.next));
    if !condition.evidence.is_empty() {
        speaker.line(&format!("      ({})", condition.evidence));
    }
}

/// The answer with `--json`.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    drive: &'a Drive,
    content: &'a str,
    /// `null`: it cannot go on.
    method: Option<Method>,
    reasons: &'a [Reason],
    room: &'a Reason,
    conditions: Vec<Entry<'a>>,
    /// What this computer and this drive can do, whether or not `encrypt` uses it.
    capabilities: Vec<Entry<'a>>,
    /// Bytes a second that one core encrypts.
    cipher_rate: Option<u64>,
    /// Bytes a second that were read from the target.
    read_rate: Option<u64>,
    /// Why `encrypt` would refuse, where it is more than a condition.
    fault: Option<FaultEntry>,
}

#[derive(Serialize)]
struct Entry<'a> {
    #[serde(flatten)]
    condition: &'a Condition,
    /// For people, in their language.
    what: String,
    why: String,
}

impl<'a> Document<'a> {
    fn new(texts: &Texts, drive: &'a Drive, content: &'a str, checked: &'a Checked, able: &'a Capabilities) -> Self {
        let entry = |condition: &'a Condition| {
            let sentence = texts.condition(condition);
            Entry { condition, what: sentence.what, why: sentence.next }
        };
        Self {
            version: 1,
            drive,
            content,
            method: checked.check.method,
            reasons: &checked.check.reasons,
            room: &checked.check.room,
            conditions: checked.check.conditions.iter().map(entry).collect(),
            capabilities: able.conditions.iter().map(entry).collect(),
            cipher_rate: able.cipher_rate,
            read_rate: able.read_rate,
            fault: checked.fault.as_ref().map(|fault| FaultEntry::new(texts, fault)),
        }
    }
}
