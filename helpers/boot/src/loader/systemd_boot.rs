//! systemd-boot: `bootctl set-oneshot` writes `LoaderEntryOneShot`, which the loader clears when it has read it
//! (Boot Loader Interface). The entry is a copy of the one that runs, with the word that asks for the test.

use std::path::{Path, PathBuf};

use super::{Once, test_line};
use crate::job::Job;
use crate::{Error, Result, files, tool};

/// The loader deletes this when it has read it.
const ONE_SHOT: &str = "/sys/firmware/efi/efivars/LoaderEntryOneShot-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f";
const ENTRY: &str = "latchkey-test.conf";

/// systemd-boot.
pub struct SystemdBoot;

impl Once for SystemdBoot {
    fn name(&self) -> &'static str {
        "systemd-boot"
    }

    fn is_usable(&self) -> bool {
        tool::run("bootctl", ["is-installed"]).is_ok_and(|answer| answer.trim() == "yes") && selected().is_ok()
    }

    fn arm(&self, job: &Job, cmdline: &str, _: &str) -> Result<()> {
        let from = selected()?;
        let text = test_entry(&files::text_or_empty(&from)?, &test_line(job, cmdline))
            .ok_or_else(|| Error::odd(from.display(), "an entry without `linux` and `options`"))?;
        files::replace(&from.with_file_name(ENTRY), text.as_bytes(), 0o644)?;
        tool::run("bootctl", ["set-oneshot", ENTRY]).map(|_| ())
    }

    fn is_armed(&self) -> Result<bool> {
        Ok(Path::new(ONE_SHOT).exists())
    }

    fn disarm(&self) -> Result<()> {
        tool::run("bootctl", ["set-oneshot", ""])?;
        match selected() {
            Ok(entry) => files::remove(&entry.with_file_name(ENTRY)),
            Err(_) => Ok(()),
        }
    }
}

/// The file of the entry that this start came from.
fn selected() -> Result<PathBuf> {
    let printed = tool::run("bootctl", ["list", "--json=short"])?;
    parse_selected(&printed).ok_or_else(|| Error::odd("bootctl list", "no selected entry with a file"))
}

fn parse_selected(printed: &str) -> Option<PathBuf> {
    let list: Vec<serde_json::Value> = serde_json::from_str(printed).ok()?;
    let entry = list.iter().find(|entry| entry["isSelected"].as_bool() == Some(true))?;
    // A unified kernel image has its command line inside, where it cannot be changed.
    let path = Path::new(entry["path"].as_str()?);
    (path.extension()? == "conf").then(|| path.to_owned())
}

fn test_entry(text: &str, line: &str) -> Option<String> {
    let has = |key: &str| text.lines().any(|line| line.split_whitespace().next() == Some(key));
    if !has("linux") {
        return None;
    }
    let kept = text.lines().filter(|line| {
        !matches!(line.split_whitespace().next(), Some("title" | "options" | "sort-key" | "version" | "machine-id"))
    });
    let mut made: String = kept.map(|line| format!("{line}\n")).collect();
    made.push_str(&format!("title Latchkey: test start\noptions {line}\n"));
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_that_runs_is_copied() {
        let list = r#"[{"isSelected":false,"path":"/efi/loader/entries/a.conf"},
            {"isSelected":true,"path":"/efi/loader/entries/b.conf"}]"#;
        assert_eq!(parse_selected(list), Some("/efi/loader/entries/b.conf".into()));
        assert_eq!(parse_selected(r#"[{"isSelected":true,"path":"/efi/EFI/Linux/b.efi"}]"#), None);
        assert_eq!(parse_selected("nonsense"), None);
        let entry = test_entry("title Debian\nlinux /l\ninitrd /i\noptions root=1\n", "root=1 x").unwrap();
        assert_eq!(entry, "linux /l\ninitrd /i\ntitle Latchkey: test start\noptions root=1 x\n");
        assert_eq!(test_entry("efi /x.efi\n", "x"), None);
    }
}
