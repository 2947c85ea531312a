//! `cryptsetup luksDump`, as text and as JSON metadata.

use drives::judge::{self, ByDrive, Conversion, Facts, Format, Health, Report, Way};
use model::{Args, Judged};
use serde_json::Value;

use super::{Kind, Machine};
use crate::text::{Section, Text};

/// What a header says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dump {
    /// 1 or 2; 0: not said.
    pub version: u8,
    /// Its UUID.
    pub uuid: String,
    /// Each segment of the data: its kind and its cipher.
    segments: Vec<(String, Option<String>)>,
    /// Keyslots that are in use. `None`: the list did not come.
    keyslots: Option<usize>,
    /// Demands on whoever opens it.
    requirements: Vec<String>,
    subsystem: String,
    /// Segments of a conversion under way.
    backups: bool,
    cipher_name: String,
    cipher_mode: String,
    /// The data begin at the front of another device.
    header_only: bool,
}

impl Dump {
    /// From the JSON metadata. Its large numbers are strings, which does not matter here.
    pub fn from_json(document: &Value) -> Self {
        let mut dump = Self { version: 2, ..Self::default() };
        let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        for segment in document.get("segments").and_then(Value::as_object).into_iter().flatten().map(|(_, value)| value)
        {
            dump.segment(text(segment, "type").unwrap_or_default(), text(segment, "encryption"));
            dump.header_only |= text(segment, "offset").as_deref() == Some("0");
            let flags = segment.get("flags").and_then(Value::as_array).into_iter().flatten();
            dump.backups |=
                flags.filter_map(Value::as_str).any(|flag| flag.starts_with("backup-") || flag == "in-reencryption");
        }
        dump.keyslots = document.get("keyslots").and_then(Value::as_object).map(|slots| {
            slots.values().filter(|slot| slot.get("type").and_then(Value::as_str) == Some("luks2")).count()
        });
        let mandatory = document.pointer("/config/requirements/mandatory").and_then(Value::as_array);
        dump.requirements =
            mandatory.into_iter().flatten().filter_map(Value::as_str).take(16).map(str::to_owned).collect();
        dump
    }

    fn segment(&mut self, kind: String, cipher: Option<String>) {
        if self.segments.len() < 64 {
            self.segments.push((kind, cipher));
        }
    }

    /// The cipher of the data, if all of them have one.
    pub fn cipher(&self) -> Option<String> {
        if self.version == 1 {
            let both = !self.cipher_name.is_empty() && !self.cipher_mode.is_empty();
            return both.then(|| format!("{}-{}", self.cipher_name, self.cipher_mode));
        }
        let ciphers: Option<Vec<&String>> = self.segments.iter().map(|(_, cipher)| cipher.as_ref()).collect();
        let ciphers = ciphers?;
        // One part that is not encrypted is what counts.
        ciphers.iter().find(|cipher| cipher.contains("null")).or(ciphers.first()).map(|cipher| (*cipher).clone())
    }

    /// Keyslots in use, for the facts.
    pub fn keyslots(&self) -> Option<usize> {
        self.keyslots
    }

    /// Whether the drive does the encrypting, for the facts.
    pub fn by_drive(&self) -> bool {
        self.segments.iter().any(|(kind, _)| kind.starts_with("hw-opal"))
            || self.requirements.iter().any(|one| one.starts_with("opal"))
    }

    /// The verdict.
    pub fn judged(&self) -> Judged {
        let known = |one: &String| {
            one.starts_with("online-reencrypt")
                || one.starts_with("offline-reencrypt")
                || one.starts_with("opal")
                || one.starts_with("inline-hw-tags")
        };
        let strange = self.requirements.iter().any(|one| !known(one));
        let opal_alone = self.segments.iter().any(|(kind, _)| kind == "hw-opal");
        let opal_also = self.segments.iter().any(|(kind, _)| kind == "hw-opal-crypt");
        // An abridged dump that names the drive as the one who encrypts, and nobody else.
        let opal_named = self.segments.is_empty()
            && self.subsystem == "HW-OPAL"
            && self.requirements.iter().any(|one| one.starts_with("opal"));
        if opal_named && !strange && self.keyslots.is_none() {
            return judge::report(Report::LuksByDrive, Args::new());
        }
        let facts = Facts {
            format: if self.version == 1 { Format::Luks1 } else { Format::Luks2 },
            content: if self.version == 1 { "luks1".to_owned() } else { "luks2".to_owned() },
            header: if strange { Health::Newer } else { Health::Good },
            keyslots: self.keyslots,
            cipher: self.cipher(),
            conversion: self.conversion(),
            header_only: self.header_only,
            by_drive: if opal_also {
                Some(ByDrive::Also)
            } else if opal_alone {
                Some(ByDrive::Alone)
            } else {
                None
            },
            ..Facts::default()
        };
        match self.version {
            2 if facts.conversion.is_some() && !strange => judge::report(Report::LuksConverting, Args::new()),
            1 | 2 => judge::volume(&facts),
            _ => judge::report(Report::TooLittle, Args::new()),
        }
    }

    /// A conversion under way: the header demands that it is finished, or a part is still plain.
    fn conversion(&self) -> Option<Conversion> {
        let plain = self.segments.iter().any(|(kind, _)| kind == "linear");
        let demanded = self.requirements.iter().any(|one| one.contains("reencrypt"));
        if !plain && !demanded && !self.backups {
            return None;
        }
        let way = if plain { Way::Encrypt } else { Way::Reencrypt };
        Some(Conversion { way, percent: None, ours: false })
    }
}

/// Reads every dump in a text.
pub fn read(machine: &mut Machine, text: &Text) {
    let mut reader: Option<Reader> = None;
    let mut typed: Option<String> = None;
    for line in text.lines.iter().filter(|line| line.section == Section::Output) {
        if let Some(command) = line.command() {
            finish(machine, reader.take());
            typed = subject_of(command);
            let json = command.contains("json");
            reader = typed.as_ref().filter(|_| !json).map(|subject| Reader::new(subject));
            continue;
        }
        let told = line.trimmed();
        if let Some(rest) = told.strip_prefix("LUKS header information") {
            // Behind a prompt the header may be named twice.
            let fresh = reader.as_ref().is_none_or(|reader| reader.dump != Dump::default());
            let named = rest.trim().strip_prefix("for ").map(str::to_owned);
            if fresh {
                finish(machine, reader.take());
                reader = Some(Reader::new(named.as_deref().or(typed.as_deref()).unwrap_or("luks")));
            } else if let (Some(reader), Some(named)) = (&mut reader, named) {
                reader.subject = named;
            }
            continue;
        }
        if let Some(reader) = &mut reader {
            reader.line(line.indent, told);
        }
    }
    finish(machine, reader);
}

/// The device of a `luksDump` command.
pub fn subject_of(command: &str) -> Option<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "luksDump")?;
    words[at + 1..].iter().find(|word| !word.starts_with('-')).map(|word| (*word).to_owned())
}

fn finish(machine: &mut Machine, reader: Option<Reader>) {
    let Some(reader) = reader else { return };
    if reader.dump.version == 0 {
        return;
    }
    put(machine, &reader.subject, reader.dump);
}

/// The header of a device or of an image file.
pub fn put(machine: &mut Machine, subject: &str, dump: Dump) {
    let path = if subject.contains('/') { subject.to_owned() } else { format!("./{subject}") };
    let Some(at) = machine.device(&path) else { return };
    let device = &mut machine.devices[at];
    if !subject.contains('/') {
        subject.clone_into(&mut device.path);
        device.kind = Kind::Image;
    }
    if !dump.uuid.is_empty() {
        device.uuid.get_or_insert_with(|| dump.uuid.clone());
    }
    device.content = Some("crypto_LUKS".to_owned());
    device.dump = Some(dump);
}

/// Which list of a LUKS2 dump is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum List {
    #[default]
    None,
    Segments,
    Keyslots,
    Other,
}

struct Reader {
    subject: String,
    dump: Dump,
    list: List,
    /// Slots of LUKS1 that were listed, and those in use.
    slots: (usize, usize),
}

impl Reader {
    fn new(subject: &str) -> Self {
        Self { subject: subject.to_owned(), dump: Dump::default(), list: List::None, slots: (0, 0) }
    }

    fn line(&mut self, indent: usize, told: &str) {
        if let Some(rest) = told.strip_prefix("Key Slot ") {
            if let Some((_, state)) = rest.split_once(':') {
                self.slots.0 += 1;
                self.slots.1 += usize::from(state.trim() == "ENABLED");
                // Eight slots that are all free open nothing; fewer may have been cut off.
                self.dump.keyslots = (self.slots.1 > 0 || self.slots.0 >= 8).then_some(self.slots.1);
            }
            return;
        }
        // A program that was asked about the same container beside this names its device.
        if let Some((name, device)) = told.split_once(" = ")
            && name.trim() == "name"
            && device.starts_with("/dev/")
            && self.subject == "luks"
        {
            device.trim().clone_into(&mut self.subject);
            return;
        }
        let Some((label, value)) = told.split_once(':') else { return };
        let (label, value) = (label.trim(), value.trim());
        if indent == 0 {
            self.list = List::None;
            self.front(label, value);
            return;
        }
        match self.list {
            List::Segments if label.bytes().all(|byte| byte.is_ascii_digit()) => {
                let kind = value.split_whitespace().next().unwrap_or_default();
                self.dump.segment(kind.to_owned(), None);
                self.dump.backups |= value.contains("backup") || value.contains("in-reencryption");
            }
            List::Segments if label == "cipher" => {
                if let Some((_, cipher)) = self.dump.segments.last_mut() {
                    *cipher = Some(value.split_whitespace().next().unwrap_or_default().to_owned());
                }
            }
            List::Segments if label == "offset" => self.dump.header_only |= value.starts_with("0 ") || value == "0",
            List::Segments if label == "flags" => {
                self.dump.backups |= value.contains("backup") || value.contains("reencryption")
            }
            List::Keyslots if label.bytes().all(|byte| byte.is_ascii_digit()) => {
                let count = self.dump.keyslots.get_or_insert(0);
                *count += usize::from(value.starts_with("luks2"));
            }
            _ => {}
        }
    }

    fn front(&mut self, label: &str, value: &str) {
        match label {
            "Version" => self.dump.version = value.parse().unwrap_or(0),
            "UUID" => value.clone_into(&mut self.dump.uuid),
            "Cipher name" => value.clone_into(&mut self.dump.cipher_name),
            "Cipher mode" => value.clone_into(&mut self.dump.cipher_mode),
            // Behind a header in a file of its own the data begin at the front.
            "Payload offset" => self.dump.header_only |= value == "0",
            "Subsystem" => value.clone_into(&mut self.dump.subsystem),
            "Requirements" | "Requirement" => {
                self.dump
                    .requirements
                    .extend(value.split([' ', ',']).filter(|one| !one.is_empty()).take(16).map(str::to_owned));
            }
            "Data segments" => self.list = List::Segments,
            "Keyslots" => self.list = List::Keyslots,
            "Tokens" | "Digests" => {
                // Both lists come in every dump: a list of keyslots before them is whole.
                self.list = List::Other;
            }
            _ => {}
        }
    }
}
