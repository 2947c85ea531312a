//! What the prompt for the password says and shows before the system starts.
//!
//! The settings are a script that Debian's `cryptsetup-initramfs` runs in the place of its own prompt (`keyscript=` in
//! crypttab(5), which its hook copies into the initramfs). The script asks through the distribution's own `askpass`
//! with other words, so that a picture at the start (plymouth), `cryptroot-unlock` over the network and everything
//! else that answers that program goes on as before. It is one file that holds its settings itself: nothing that it
//! needs can be missing when it is there, and [`Found`] is read from nothing but it.
//!
//! Facts (`askpass.c`, `functions`, `hooks/cryptroot` of cryptsetup 2.6.1 and 2.7.5 in Debian): on the console,
//! `askpass` never shows anything of what is typed, and makes a new line of each `\n` in its argument; plymouth shows
//! dots. A crypttab line whose `keyscript=` is no executable file is skipped, in the hook and at the start: the drive
//! is not opened at all. systemd's own part for crypttab does not know the option and finds the root open.

mod crypttab;
mod place;

use model::{Fault, FaultKind};
use serde::{Deserialize, Serialize};

pub(crate) use place::names_script;
pub use place::{SCRIPT, Shown, check, set, show};

const TEMPLATE: &str = include_str!("assets/prompt");
/// Longest text in characters: a line of the console.
pub const LONGEST: usize = 79;

/// What the prompt says and shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// Its words.
    pub text: Text,
    /// What is shown of what is typed.
    pub echo: Echo,
}

/// The words of the prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Text {
    /// Those of the distribution.
    #[default]
    Distribution,
    /// A line of one's own, above them.
    Own(Words),
    /// A line that looks as if there were no system. Enter alone, or a wrong password, brings the usual words.
    Decoy(Decoy),
}

/// What is shown of what is typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Echo {
    /// As the distribution has it: a dot for each letter in the picture, nothing on the console.
    #[default]
    Distribution,
    /// Nothing anywhere: the picture goes when the password is asked for.
    None,
}

/// A line that can stand at the prompt, on a screen and in a shell's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Words(String);

impl Words {
    /// Takes a line of printable characters that a console's font has: ASCII and Latin-1.
    ///
    /// # Errors
    /// Those of [`Refusal`] about the text.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Refusal::TextEmpty);
        }
        let length = text.chars().count();
        if length > LONGEST {
            return Err(Refusal::TextLong { length });
        }
        // `askpass` makes a line break of a backslash and n; plymouth takes a dash at the beginning for an option.
        let fits = |c: char| matches!(c, ' '..='~' | '\u{a1}'..='\u{ff}') && !matches!(c, '\\' | '\u{ad}');
        if let Some(character) = text.chars().find(|c| !fits(*c)).or_else(|| text.starts_with('-').then_some('-')) {
            return Err(Refusal::TextCharacter { character });
        }
        if recovery::read_back(text).is_ok() {
            return Err(Refusal::TextSecret);
        }
        Ok(Self(text.to_owned()))
    }

    /// The line.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What firmware says when it finds no system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decoy {
    /// Many a laptop's.
    NoSystem,
    /// That of a disk's first sector.
    MissingSystem,
    /// Newer firmware's.
    NoBootDevice,
    /// Older firmware's.
    DiskFailure,
    /// AMI's.
    SelectDevice,
}

impl Decoy {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::NoSystem, Self::MissingSystem, Self::NoBootDevice, Self::DiskFailure, Self::SelectDevice];

    /// Its name, as it is chosen by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoSystem => "no-system",
            Self::MissingSystem => "missing-system",
            Self::NoBootDevice => "no-boot-device",
            Self::DiskFailure => "disk-failure",
            Self::SelectDevice => "select-device",
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|decoy| decoy.name() == name)
    }

    /// What firmware says, in the only language that it has.
    pub const fn line(self) -> &'static str {
        match self {
            Self::NoSystem => "Operating System not found",
            Self::MissingSystem => "Missing operating system",
            Self::NoBootDevice => "No bootable device -- insert boot disk and press any key",
            Self::DiskFailure => "DISK BOOT FAILURE, INSERT SYSTEM DISK AND PRESS ENTER",
            Self::SelectDevice => "Reboot and Select proper Boot device",
        }
    }
}

/// What a script of ours says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// These settings.
    Ours(Settings),
    /// It was changed by somebody.
    Edited,
}

impl Settings {
    /// The script. `None`: the distribution's own prompt needs none.
    pub fn script(&self) -> Option<String> {
        if *self == Self::default() {
            return None;
        }
        let (text, words) = match &self.text {
            Text::Distribution => ("usual", ""),
            Text::Own(words) => ("own", words.as_str()),
            Text::Decoy(decoy) => ("decoy", decoy.line()),
        };
        let echo = match self.echo {
            Echo::Distribution => "usual",
            Echo::None => "none",
        };
        let words = words.replace('\'', r"'\''");
        Some(TEMPLATE.replace("@SETTINGS@", &format!("text={text}\necho={echo}\nwords='{words}'")))
    }

    /// Reads a script of ours.
    pub fn of(script: &str) -> Found {
        // What does not make the same script again, to the last byte, is somebody else's work.
        let found = Self::read(script).filter(|settings| settings.script().as_deref() == Some(script));
        found.map_or(Found::Edited, Found::Ours)
    }

    fn read(script: &str) -> Option<Self> {
        let value = |name: &str| script.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        let words = value("words")?.strip_prefix('\'')?.strip_suffix('\'')?.replace(r"'\''", "'");
        let text = match value("text")? {
            "usual" => Text::Distribution,
            "own" => Text::Own(Words::parse(&words).ok()?),
            "decoy" => Text::Decoy(Decoy::ALL.into_iter().find(|decoy| decoy.line() == words)?),
            _ => return None,
        };
        let echo = match value("echo")? {
            "usual" => Echo::Distribution,
            "none" => Echo::None,
            _ => return None,
        };
        Some(Self { text, echo })
    }
}

/// Why the prompt cannot be set so, or here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// There is nothing in the text.
    #[error("boot-prompt-text-empty")]
    TextEmpty,
    /// It does not fit into a line.
    #[error("boot-prompt-text-long: {length}")]
    TextLong {
        /// Characters.
        length: usize,
    },
    /// A console may not be able to show it, or would take it for a command.
    #[error("boot-prompt-text-character: {character:?}")]
    TextCharacter {
        /// Which.
        character: char,
    },
    /// It is a recovery key.
    #[error("boot-prompt-text-secret")]
    TextSecret,
    /// The root is not encrypted.
    #[error("boot-prompt-plain")]
    Plain,
    /// There is more than one encrypted volume under the root.
    #[error("boot-prompt-several")]
    Several,
    /// It is not `cryptsetup-initramfs` that asks here.
    #[error("boot-prompt-initramfs: {name}")]
    Initramfs {
        /// Who makes the initramfs.
        name: String,
    },
    /// crypttab has no line for the volume, or two.
    #[error("boot-prompt-crypttab: {mapping}")]
    Crypttab {
        /// The volume's name under `/dev/mapper`.
        mapping: String,
    },
    /// The volume is opened by a key file: nobody is asked.
    #[error("boot-prompt-key-file: {path}")]
    KeyFile {
        /// Which.
        path: String,
    },
    /// Somebody else's script asks.
    #[error("boot-prompt-keyscript: {path}")]
    Keyscript {
        /// Which.
        path: String,
    },
    /// A chip or a service answers in the person's place.
    #[error("boot-prompt-token: {kind}")]
    Token {
        /// Type of the token in the header.
        kind: String,
    },
    /// It failed, and the initramfs could not be made again as it was.
    #[error("boot-prompt-not-put-back: {cause}")]
    NotPutBack {
        /// What failed first, and what then.
        cause: String,
    },
}

impl Refusal {
    /// With its values.
    pub fn fault(&self) -> Fault {
        use FaultKind::{Failed, Refused, Usage};
        match self {
            Self::TextEmpty => Fault::new("boot-prompt-text-empty", Usage),
            Self::TextLong { length } => {
                Fault::new("boot-prompt-text-long", Usage).with("characters", length).with("most", LONGEST)
            }
            Self::TextCharacter { character } => {
                let named = match character {
                    c if c.is_control() => c.escape_unicode().to_string(),
                    c => c.to_string(),
                };
                Fault::new("boot-prompt-text-character", Usage).with("character", named)
            }
            Self::TextSecret => Fault::new("boot-prompt-text-secret", Usage),
            Self::Plain => Fault::new("boot-prompt-plain", Refused),
            Self::Several => Fault::new("boot-prompt-several", Refused),
            Self::Initramfs { name } => Fault::new("boot-prompt-initramfs", Refused).with("name", name),
            Self::Crypttab { mapping } => Fault::new("boot-prompt-crypttab", Refused).with("name", mapping),
            Self::KeyFile { path } => Fault::new("boot-prompt-key-file", Refused).with("path", path),
            Self::Keyscript { path } => Fault::new("boot-prompt-keyscript", Refused).with("path", path),
            Self::Token { kind } => Fault::new("boot-prompt-token", Refused).with("kind", kind),
            Self::NotPutBack { cause } => Fault::new("boot-prompt-not-put-back", Failed).because(cause),
        }
    }
}

#[cfg(test)]
mod tests;
