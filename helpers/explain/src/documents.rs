//! JSON documents in the midst of lines of other output.

use serde_json::Value;

use crate::text::{Section, Text};

/// How many documents of one file are tried. Each try costs at most the length of the file.
const MOST: usize = 32;

/// Every document that begins at the front of a line, with the command above it. One that is not whole
/// is left out: what it lacks cannot be told.
pub fn all(text: &Text) -> Vec<(Value, Option<String>)> {
    let mut found = Vec::new();
    let mut tries = 0;
    let mut command = None;
    let mut skip_to = 0;
    // Where each line begins in the text that is put together of them.
    let joined: String = text
        .lines
        .iter()
        .map(|line| if line.section == Section::Output { format!("{}\n", line.text) } else { "\n".to_owned() })
        .collect();
    let mut at = 0;
    for line in joined.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        if begin < skip_to {
            continue;
        }
        if let Some(typed) = line.trim().strip_prefix("$ ") {
            command = Some(typed.to_owned());
            continue;
        }
        if !line.trim_start().starts_with(['{', '[']) || tries >= MOST {
            continue;
        }
        // A line like `[OS Volume]` is no document.
        if line.trim_start().starts_with('[')
            && !line.trim_start()[1..].trim_start().is_empty()
            && !line.contains(['{', '"'])
        {
            continue;
        }
        tries += 1;
        let mut stream = serde_json::Deserializer::from_str(&joined[begin..]).into_iter::<Value>();
        if let Some(Ok(value)) = stream.next() {
            skip_to = begin + stream.byte_offset();
            found.push((value, command.clone()));
        }
    }
    found
}

/// Whether a document begins that is not whole.
pub fn cut_off(text: &Text) -> bool {
    let begins = |line: &str| {
        line.trim() == "{" || line.trim_start().starts_with("{\"") || line.trim_start().starts_with("{ \"")
    };
    let lines = text.lines.iter().filter(|line| line.section == Section::Output);
    lines.clone().any(|line| begins(&line.text)) && all(text).is_empty()
}
