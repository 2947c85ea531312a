//! `nvme sed discover`, and what `nvme` says when a drive takes no security commands.

use drives::hardware::Seen;

use crate::sedutil;
use crate::text::{Section, Text};

/// Each drive.
pub fn all(text: &Text) -> Vec<(String, Seen)> {
    let mut drives: Vec<(String, Seen)> = Vec::new();
    let mut asked: Option<String> = None;
    let mut open = false;
    for line in text.lines.iter().filter(|line| line.section == Section::Output) {
        let told = line.trimmed();
        if let Some(command) = line.command() {
            asked = command
                .contains("sed discover")
                .then(|| command.split_whitespace().last().unwrap_or("drive").to_owned());
            open = false;
            continue;
        }
        if told == "Locking Features:" || told == "Locking Feature:" {
            drives.push((asked.clone().unwrap_or_else(|| "drive".to_owned()), Seen::default()));
            open = true;
            continue;
        }
        let Some((_, seen)) = drives.last_mut().filter(|_| open) else { continue };
        if told.ends_with(':') {
            // The list of features that follows names the classes.
            sedutil::classes(seen, told);
            continue;
        }
        let Some((label, value)) = told.split_once(':') else { continue };
        let flag = match value.trim() {
            "Yes" | "Y" => Some(true),
            "No" | "N" => Some(false),
            _ => None,
        };
        match label.trim() {
            "Locked" => seen.locked = flag,
            "Locking Feature Enabled" | "Locking Enabled" => seen.locking_enabled = flag,
            "Media Encryption" => seen.media_encryption = flag,
            "MBR Enabled" => seen.mbr_enabled = flag,
            "MBR Done" => seen.mbr_done = flag,
            "MBR Shadowing Not Supported" => seen.mbr_supported = flag.map(|absent| !absent),
            "SID Authentication Blocked State" | "SID Blocked" => seen.sid_blocked = flag,
            _ => {}
        }
    }
    drives
}
