//! `latchkey-pages TEMPLATES FOLDER`: what a package of `latchkey` holds beside the programs, made from the command
//! line's own definition and from the catalogue: manual pages, completions for shells, and the templates with their
//! sentences in every language.
//!
//! In a template,
//!
//! ```text
//! {say NAME KEY}       is a line of a desktop entry for each language
//! {element NAME KEY}   the same as elements of XML
//! {refusals}           the cases of the script that refuses a removal
//! {version} {date}     are those of the package; the date is that of SOURCE_DATE_EPOCH
//! {moment}             the same with the time of day, as a changelog of Debian's has it
//! ```

#[path = "args/raw.rs"]
#[allow(dead_code)]
mod raw;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;
use texts::{Key, Language, Texts, keys};

const USAGE: &str = "latchkey-pages TEMPLATES FOLDER";

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(templates), Some(folder), None) = (words.next(), words.next(), words.next()) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match make(&templates, &folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("latchkey-pages: {error}");
            ExitCode::FAILURE
        }
    }
}

fn make(templates: &Path, folder: &Path) -> io::Result<()> {
    let seconds = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok()).unwrap_or_default();
    fs::create_dir_all(folder)?;
    manual(&folder.join("man"))?;
    completions(&folder.join("completions"))?;
    for entry in fs::read_dir(templates)? {
        let path = entry?.path();
        let text = fs::read_to_string(&path)?;
        let filled = filled(&text, seconds).map_err(|what| io::Error::other(format!("{}: {what}", path.display())))?;
        let to = folder.join(path.file_name().unwrap_or_default());
        fs::write(&to, filled)?;
        fs::set_permissions(&to, fs::metadata(&path)?.permissions())?;
    }
    Ok(())
}

/// A page for the program and one for each of its commands.
fn manual(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command(), folder)
}

fn completions(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        clap_complete::generate_to(shell, &mut command(), "latchkey", folder)?;
    }
    Ok(())
}

fn command() -> clap::Command {
    raw::Cli::command()
}

/// Sentences that a removal is refused with, and the word for each in the script.
const REFUSALS: [(&str, Key); 3] = [
    ("system", keys::PACKAGE_REMOVAL_SYSTEM),
    ("drive", keys::PACKAGE_REMOVAL_DRIVE),
    ("running", keys::PACKAGE_REMOVAL_RUNNING),
];

/// A template with everything that it asks for.
fn filled(template: &str, seconds: u64) -> Result<String, String> {
    let mut text = String::new();
    for line in template.lines() {
        let inner = line.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let words: Vec<&str> = inner.map(|inner| inner.split(' ').collect()).unwrap_or_default();
        let indent = &line[..line.len() - line.trim_start().len()];
        match words[..] {
            ["say", name, key] => {
                for (language, said) in said(key)? {
                    let tag =
                        if language == Language::English { String::new() } else { format!("[{}]", language.tag()) };
                    text += &format!("{indent}{name}{tag}={said}\n");
                }
            }
            ["element", name, key] => {
                for (language, said) in said(key)? {
                    let tag = match language {
                        Language::English => String::new(),
                        other => format!(" xml:lang=\"{}\"", other.tag()),
                    };
                    text += &format!("{indent}<{name}{tag}>{}</{name}>\n", escaped(&said));
                }
            }
            ["refusals"] => text += &refusals(),
            _ => {
                let line = line.replace("{version}", env!("CARGO_PKG_VERSION")).replace("{date}", &date(seconds));
                text += &line.replace("{moment}", &moment(seconds));
                text.push('\n');
            }
        }
    }
    Ok(text)
}

/// A message in every language, English first.
fn said(key: &str) -> Result<Vec<(Language, String)>, String> {
    let all: Vec<_> = Language::ALL.into_iter().map(|language| (language, Texts::new(language).by_id(key))).collect();
    match all.iter().find(|(_, text)| text.contains(key)) {
        Some(_) => Err(format!("{key} is not in the catalogue")),
        None => Ok(all),
    }
}

/// The languages' cases, then English for everybody else.
fn refusals() -> String {
    let mut text = String::new();
    let last = |language: &Language| *language == Language::English;
    let mut all = Language::ALL.to_vec();
    all.sort_by_key(last);
    for language in all {
        let texts = Texts::new(language);
        let prefix = if last(&language) { String::new() } else { language.tag().to_owned() };
        for (word, key) in REFUSALS {
            text += &format!("    {prefix}*:{word}) echo '{}' ;;\n", texts.plain(key).replace('\'', "'\\''"));
        }
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The day of a second since 1970, as `2026-12-02`.
fn date(seconds: u64) -> String {
    let (year, month, day) = civil(seconds);
    format!("{year:04}-{month:02}-{day:02}")
}

/// A second since 1970 as `Wed, 02 Dec 2026 08:00:00 +0000` (RFC 5322, section 3.3).
fn moment(seconds: u64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (year, month, day) = civil(seconds);
    let name = |names: &[&'static str], number: u64| usize::try_from(number).ok().and_then(|at| names.get(at).copied());
    let (weekday, month) = (name(&DAYS, seconds / 86_400 % 7), name(&MONTHS, month - 1));
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let [weekday, month] = [weekday, month].map(Option::unwrap_or_default);
    format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} +0000")
}

/// Year, month and day of a second since 1970 (proleptic Gregorian calendar, days counted from 0000-03-01).
fn civil(seconds: u64) -> (u64, u64, u64) {
    let days = seconds / 86_400 + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_796_258_400, "2026-12-03"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(date(seconds), day);
        }
        assert_eq!(moment(1_796_258_401), "Thu, 03 Dec 2026 00:40:01 +0000");
        assert_eq!(moment(0), "Thu, 01 Jan 1970 00:00:00 +0000");
    }

    /// The bundler reads the description from a file of its own.
    #[test]
    fn the_package_describes_itself_with_the_catalogues_sentences() {
        let text = fs::read_to_string("../../src-tauri/tauri.linux.conf.json").unwrap();
        let config: serde_json::Value = serde_json::from_str(&text).unwrap();
        let described = config["bundle"]["longDescription"].as_str().unwrap();
        let paragraphs: Vec<String> = described.split("\n\n").map(|paragraph| paragraph.replace('\n', " ")).collect();
        let texts = Texts::new(Language::English);
        let said = ["package-about", "package-about-kept", "package-about-practice"].map(|key| texts.by_id(key));
        assert_eq!(paragraphs, said);
        let config = fs::read_to_string("../../src-tauri/tauri.conf.json").unwrap();
        assert!(config.contains(&format!("\"shortDescription\": \"{}\"", texts.by_id("package-summary"))));
    }

    #[test]
    fn templates_speak_every_language_and_know_their_keys() {
        let entry = filled("Name=x\n{say Comment package-summary}\n", 0).unwrap();
        assert!(
            entry.starts_with("Name=x\nComment=Encrypts ") && entry.contains("\nComment[de]=Verschlüsselt "),
            "{entry}"
        );
        let element =
            filled("  {element p package-about-kept}\n<release version=\"{version}\" date=\"{date}\"/>\n", 0).unwrap();
        assert!(element.contains("  <p xml:lang=\"de\">Wenn ") && element.contains("date=\"1970-01-01\""), "{element}");
        assert!(filled("{say Comment package-no-such}", 0).is_err());
    }

    #[test]
    fn what_is_refused_is_said_in_the_persons_language() {
        let cases = refusals();
        let first = cases.lines().position(|line| line.starts_with("    de*:system) echo 'Latchkey wurde nicht"));
        let last = cases.lines().position(|line| line.starts_with("    *:system) echo 'Latchkey was not"));
        assert!(first < last && last.is_some(), "{cases}");
    }
}
