use std::io::Read;
use std::path::{Path, PathBuf};

use explain::Item;
use model::{Fault, FaultKind};
use serde::Serialize;
use texts::{Sentence, keys};

use crate::speaker::Speaker;

/// Says what the outputs of public tools mean. Reads only the files that are named.
///
/// The exit code is 0 when every file could be read, whatever came of it; a file that is no known
/// tool's output gives an item that says so.
pub fn run(speaker: &Speaker, json: bool, files: &[PathBuf]) -> Result<u8, Fault> {
    let mut items = Vec::new();
    for file in files {
        let bytes = read(file)?;
        items.extend(explain::explain(&file.display().to_string(), &bytes));
    }
    if json {
        speaker.document(&Document { version: 1, items: &items });
        return Ok(0);
    }
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            speaker.line("");
        }
        show(speaker, item, files.len() > 1);
    }
    Ok(0)
}

/// The answer with `--json`.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    items: &'a [Item],
}

/// A file, or standard input for `-`. One byte more than can be explained is enough to tell that it is
/// too long.
fn read(file: &Path) -> Result<Vec<u8>, Fault> {
    let unreadable = |error: std::io::Error| {
        Fault::new("cli-file-read", FaultKind::Failed).with("path", file.display()).because(error)
    };
    let mut bytes = Vec::new();
    let most = explain::LARGEST as u64 + 1;
    if file == Path::new("-") {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        let opened = std::fs::File::open(file).map_err(unreadable)?;
        opened.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    Ok(bytes)
}

fn show(speaker: &Speaker, item: &Item, with_source: bool) {
    let subject = match item.subject.as_str() {
        "" => speaker.texts.plain(keys::CLI_EXPLAIN_WHOLE_FILE),
        subject => subject.to_owned(),
    };
    line(speaker, "", &if with_source { format!("{}: {subject}", item.source) } else { subject });
    let Sentence { what, next } = speaker.texts.judged(&item.judged);
    line(speaker, "  ", &format!("{}: {what}", speaker.texts.verdict(item.judged.verdict)));
    line(speaker, "  ", &speaker.texts.gets(&item.judged));
    // What to do about a drive is more exact than the general next step.
    match item.facts.get("action") {
        Some(action) => line(speaker, "  ", &speaker.texts.by_id(&format!("action-{action}"))),
        None => line(speaker, "  ", &next),
    }
    let facts: Vec<String> = item.facts.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if !facts.is_empty() {
        line(speaker, "  ", &speaker.texts.say(keys::CLI_DETAILS, &texts::args([("detail", &facts.join("; "))])));
    }
}

/// A line of the answer. Names come from files of strangers: what steers a terminal is left out.
fn line(speaker: &Speaker, indent: &str, text: &str) {
    let plain: String = text.chars().filter(|sign| !sign.is_control()).collect();
    if !plain.is_empty() {
        speaker.line(&format!("{indent}{plain}"));
    }
}
