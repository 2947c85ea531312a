//! Blocks of `Name : value` or `Name=value`, as PowerShell's `Format-List` and `wmic /format:list` print
//! an object.

use crate::text::{Line, Section, Text};

/// How many names an object may have.
const MOST: usize = 128;

/// One object: its names in lower case without underscores, with their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    pairs: Vec<(String, String)>,
}

impl Object {
    /// The value of a name. Empty values are none.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.pairs
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// The value of the first of these names that has one.
    pub fn any(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.value(name))
    }

    /// Whether the name is there, with or without a value.
    pub fn has(&self, name: &str) -> bool {
        self.pairs.iter().any(|(known, _)| known == name)
    }

    /// Puts a pair in. A name that is there already keeps its value.
    pub fn put(&mut self, name: &str, value: &str) {
        if self.pairs.len() < MOST && !self.has(&tidy(name)) {
            self.pairs.push((tidy(name), value.to_owned()));
        }
    }
}

/// All objects of a text. One ends at a blank line, at a name that it has already, and at a prompt.
pub fn objects(text: &Text) -> Vec<Object> {
    let mut objects = Vec::new();
    let mut object = Object::default();
    // Where the values stand, for values that go on in the next line.
    let mut column = 0;
    for line in text.lines.iter().filter(|line| line.section == Section::Output) {
        if line.trimmed().is_empty() || line.command().is_some() {
            objects.push(std::mem::take(&mut object));
            column = 0;
            continue;
        }
        if column > 0 && line.indent + 1 >= column && line.indent > 0 {
            if let Some((_, value)) = object.pairs.last_mut()
                && value.len() < 8192
            {
                if value.ends_with(';') || value.ends_with(',') {
                    value.push(' ');
                }
                value.push_str(line.trimmed());
            }
            continue;
        }
        let Some((name, value, at)) = pair(line) else { continue };
        if object.has(&name) {
            objects.push(std::mem::take(&mut object));
        }
        object.put(&name, value);
        column = at;
    }
    objects.push(object);
    objects.retain(|object| !object.pairs.is_empty());
    objects
}

/// A name of letters, a colon or an equals sign, and the value with its column.
fn pair(line: &Line) -> Option<(String, &str, usize)> {
    let text = line.text.as_str();
    let at = text.find([':', '='])?;
    let name = text[..at].trim();
    let fits = (2..=64).contains(&name.len()) && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_');
    if !fits || !name.chars().any(|sign| sign.is_ascii_alphabetic()) {
        return None;
    }
    let value = text[at + 1..].trim();
    let column = if text[..at].ends_with(' ') { at + 2 } else { 0 };
    Some((tidy(name), value, column))
}

/// `conversion_status`, `ConversionStatus`: the same name.
fn tidy(name: &str) -> String {
    name.chars().filter(|sign| *sign != '_').flat_map(char::to_lowercase).collect()
}
