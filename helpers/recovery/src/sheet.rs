use zeroize::Zeroizing;

use crate::RecoveryKey;

/// Columns of the sheet; a printer's fixed-width page has room for them.
const WIDTH: usize = 76;

/// What the sheet says about the volume that the key opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The computer's name.
    pub computer: String,
    /// The volume, as a person knows it.
    pub volume: String,
    /// The volume's UUID, as `cryptsetup luksUUID` prints it.
    pub uuid: String,
    /// The day on which the key was made, as it is to be printed.
    pub date: String,
    /// The sentences, in the person's language.
    pub words: SheetWords,
}

/// The sentences of the sheet, translated by whoever calls. The field's comment is its key in the
/// catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetWords {
    /// `sheet-title`: the heading.
    pub title: String,
    /// `sheet-computer`: label of the computer's name.
    pub computer: String,
    /// `sheet-volume`: label of the volume's name.
    pub volume: String,
    /// `sheet-uuid`: label of the UUID.
    pub uuid: String,
    /// `sheet-date`: label of the date.
    pub date: String,
    /// `sheet-key-id`: label of the key ID.
    pub key_id: String,
    /// `sheet-key`: heading above the key.
    pub key: String,
    /// `sheet-checks`: what the two letters behind each group are.
    pub checks: String,
    /// `sheet-code`: below the QR code, on paper.
    pub code: String,
    /// `sheet-purpose`: heading above what the key is for.
    pub purpose: String,
    /// `sheet-purpose-text`: what the key is for.
    pub purpose_text: String,
    /// `sheet-keep`: heading above where to keep it.
    pub keep: String,
    /// `sheet-keep-text`: where to keep it.
    pub keep_text: String,
    /// `sheet-keep-not`: where not to keep it.
    pub keep_not: String,
    /// `sheet-use`: heading above how it is used.
    pub use_it: String,
    /// `sheet-use-start`: typing it when the computer starts.
    pub use_start: String,
    /// `sheet-use-cryptsetup`: before the command for any Linux with `cryptsetup`.
    pub use_cryptsetup: String,
    /// `sheet-use-systemd`: before the command for a Linux with systemd.
    pub use_systemd: String,
}

impl SheetWords {
    /// All sentences, looked up one by one under their keys.
    pub fn look_up(mut text: impl FnMut(&'static str) -> String) -> Self {
        Self {
            title: text("sheet-title"),
            computer: text("sheet-computer"),
            volume: text("sheet-volume"),
            uuid: text("sheet-uuid"),
            date: text("sheet-date"),
            key_id: text("sheet-key-id"),
            key: text("sheet-key"),
            checks: text("sheet-checks"),
            code: text("sheet-code"),
            purpose: text("sheet-purpose"),
            purpose_text: text("sheet-purpose-text"),
            keep: text("sheet-keep"),
            keep_text: text("sheet-keep-text"),
            keep_not: text("sheet-keep-not"),
            use_it: text("sheet-use"),
            use_start: text("sheet-use-start"),
            use_cryptsetup: text("sheet-use-cryptsetup"),
            use_systemd: text("sheet-use-systemd"),
        }
    }
}

impl Sheet {
    /// The sheet as text. The key stands in it twice: in one line, to be copied or read by a
    /// program, and in a table with check letters, to be typed by a person.
    pub fn text(&self, key: &RecoveryKey) -> Zeroizing<String> {
        // Room for all of it from the start: a text that grows leaves uncleared copies behind.
        let mut page = Page(Zeroizing::new(String::with_capacity(16 * 1024)));
        let words = &self.words;
        page.title(&words.title);
        page.facts(&[
            (&words.computer, &self.computer),
            (&words.volume, &self.volume),
            (&words.uuid, &self.uuid),
            (&words.date, &self.date),
            (&words.key_id, &key.key_id()),
        ]);
        page.heading(&words.key);
        page.literal(&key.text());
        for (place, (group, check)) in key.groups().iter().zip(key.group_checks().iter()).enumerate() {
            page.line(&["  ", &(place + 1).to_string(), "   ", group, "   ", check]);
        }
        page.blank();
        page.paragraph(&words.checks);
        page.heading(&words.purpose);
        page.paragraph(&words.purpose_text);
        page.heading(&words.keep);
        page.paragraph(&words.keep_text);
        page.paragraph(&words.keep_not);
        page.heading(&words.use_it);
        page.paragraph(&words.use_start);
        page.paragraph(&words.use_cryptsetup);
        page.literal(&format!("cryptsetup open /dev/disk/by-uuid/{} rescued", one_line(&self.uuid)));
        page.paragraph(&words.use_systemd);
        page.literal(&format!("systemd-cryptsetup attach rescued /dev/disk/by-uuid/{}", one_line(&self.uuid)));
        page.end()
    }
}

struct Page(Zeroizing<String>);

impl Page {
    fn title(&mut self, text: &str) {
        let text = one_line(text);
        self.line(&[&text]);
        self.line(&[&"=".repeat(text.chars().count())]);
        self.blank();
    }

    fn facts(&mut self, facts: &[(&String, &String)]) {
        let widest = facts.iter().map(|(label, _)| label.chars().count()).max().unwrap_or_default();
        for (label, value) in facts {
            let gap = " ".repeat(widest - label.chars().count() + 2);
            self.line(&[label, ":", &gap, &one_line(value)]);
        }
        self.blank();
    }

    fn heading(&mut self, text: &str) {
        let text = one_line(text);
        self.line(&[&text]);
        self.line(&[&"-".repeat(text.chars().count())]);
    }

    fn paragraph(&mut self, text: &str) {
        for line in textwrap::wrap(text, WIDTH) {
            self.line(&[line.trim_end()]);
        }
        self.blank();
    }

    /// Something that is typed or copied as it stands, and is never broken.
    fn literal(&mut self, text: &str) {
        self.line(&["    ", text]);
        self.blank();
    }

    fn blank(&mut self) {
        self.0.push('\n');
    }

    fn line(&mut self, parts: &[&str]) {
        parts.iter().for_each(|part| self.0.push_str(part));
        self.0.push('\n');
    }

    fn end(mut self) -> Zeroizing<String> {
        let length = self.0.trim_end().len();
        self.0.truncate(length);
        self.0.push('\n');
        self.0
    }
}

/// The text without line breaks and other control characters. Names come from a label or from a person,
/// and a line break in one could make lines that look like part of the sheet.
pub fn one_line(text: &str) -> String {
    let clean: String = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{read_back, read_whole};

    /// Each sentence is its key, so that the test sees where it goes.
    fn sheet() -> Sheet {
        Sheet {
            computer: "thinkpad".into(),
            volume: "Samsung 990 Pro, 2 TB".into(),
            uuid: "0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f".into(),
            date: "2026-12-02".into(),
            words: SheetWords::look_up(str::to_owned),
        }
    }

    #[test]
    fn has_everything_and_is_read_back() {
        let key = RecoveryKey::generate().unwrap();
        let text = sheet().text(&key);
        for part in ["thinkpad", "Samsung 990 Pro, 2 TB", "2026-12-02", &key.key_id(), &key.text(), "sheet-keep-not"] {
            assert!(text.contains(part), "{part}");
        }
        let mut sentences = text.lines().filter(|line| !line.contains("/dev/disk"));
        assert!(sentences.all(|line| line.chars().count() <= WIDTH), "{}", *text);
        assert_eq!(read_back(&text), Ok(key.clone()));
        assert_eq!(read_whole(&text), Ok(key));
    }

    #[test]
    fn a_name_cannot_forge_a_line() {
        let key = RecoveryKey::generate().unwrap();
        let mut sheet = sheet();
        sheet.volume = format!("stick\n\n    {}\n", RecoveryKey::generate().unwrap().text().as_str());
        assert_eq!(read_back(&sheet.text(&key)), Ok(key));
    }
}
