//! `hdparm -I`: whether an ATA password is set, and whether security commands reach the drive.

use drives::hardware::{AtaSecurity, Seen, Transport};

use crate::text::{Section, Text};

/// Each drive.
pub fn all(text: &Text) -> Vec<(String, Seen)> {
    let mut drives: Vec<(String, Seen)> = Vec::new();
    let mut path = String::new();
    let mut security = false;
    for line in text.lines.iter().filter(|line| line.section == Section::Output) {
        let told = line.trimmed();
        if told.starts_with("/dev/") && told.ends_with(':') && line.indent == 0 {
            told.trim_end_matches(':').clone_into(&mut path);
            security = false;
            continue;
        }
        if told == "ATA device, with non-removable media" || told.starts_with("ATA device,") {
            let subject = if path.is_empty() { "drive".to_owned() } else { path.clone() };
            drives.push((subject, Seen { transport: Some(Transport::Sata), ..Seen::default() }));
            continue;
        }
        let Some((_, seen)) = drives.last_mut() else { continue };
        if let Some(model) = told.strip_prefix("Model Number:") {
            model.trim().clone_into(&mut seen.model);
        } else if let Some(firmware) = told.strip_prefix("Firmware Revision:") {
            firmware.trim().clone_into(&mut seen.firmware);
        } else if told == "Security:" {
            security = true;
            seen.ata = Some(AtaSecurity::default());
        } else if told.contains("Trusted Computing") || told.contains("TRUSTED") {
            seen.security_commands = Some(true);
        } else if line.indent == 0 && !told.is_empty() {
            security = false;
        } else if security && let Some(ata) = &mut seen.ata {
            // "not	locked", or "	locked".
            let mut words = told.split_whitespace();
            let first = words.next().unwrap_or_default();
            let (yes, word) = if first == "not" { (false, words.next().unwrap_or_default()) } else { (true, first) };
            match word {
                "supported" => ata.supported = yes,
                "enabled" => ata.enabled = yes,
                "locked" => ata.locked = yes,
                "frozen" => ata.frozen = yes,
                _ => {}
            }
        }
    }
    drives
}
