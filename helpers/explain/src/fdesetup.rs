//! `fdesetup status`: sentences, in English in every language of macOS.

use drives::judge::{self, Facts, Format, Report, Way};
use model::Args;

use crate::Item;
use crate::text::{Section, Text};

/// The state of FileVault for each time that it was asked for.
pub fn items(text: &Text) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for line in text.lines.iter().filter(|line| line.section == Section::Output) {
        let told = line.trimmed();
        if let Some(state) = told.strip_prefix("FileVault is ") {
            items.push(state_of(state.trim_end_matches('.').trim()));
            continue;
        }
        if let Some(user) = told.strip_prefix("Deferred enablement appears to be active for user ") {
            let user = user.trim_end_matches('.').trim_matches(['\'', '"']);
            if let Some(last) = last(&mut items) {
                *last = std::mem::replace(last, Item::report("", Report::TooLittle))
                    .with("deferred", "yes")
                    .with("user", user);
            }
            continue;
        }
        if told.starts_with("FileVault master keychain appears to be installed")
            && let Some(last) = last(&mut items)
        {
            last.facts.insert("institutional_key".to_owned(), "yes".to_owned());
            continue;
        }
        for (words, way) in [("Encryption in progress", Way::Encrypt), ("Decryption in progress", Way::Decrypt)] {
            if let Some(rest) = told.strip_prefix(words) {
                if !rest.is_empty() && !rest.starts_with([':', '.', ' ']) {
                    continue;
                }
                let item = converting(way, rest);
                // The line belongs to the state above it.
                match last(&mut items) {
                    Some(last) => *last = item,
                    None => items.push(item),
                }
            }
        }
    }
    items
}

fn last(items: &mut [Item]) -> Option<&mut Item> {
    items.last_mut()
}

fn state_of(state: &str) -> Item {
    let subject = "FileVault";
    match state {
        "On" => Item::new(subject, judge::report(Report::FileVaultOn, Args::new())),
        "Off" => Item::new(subject, judge::report(Report::FileVaultOff, Args::new())),
        _ if state.starts_with("Off, but will be enabled") => {
            Item::new(subject, judge::report(Report::FileVaultOff, Args::new())).with("after_restart", "on")
        }
        // "On, but needs to be restarted to finish", "Off, but needs to be restarted to finish".
        _ if state.starts_with("On, but") => converting(Way::Encrypt, ""),
        _ if state.starts_with("Off, but") => converting(Way::Decrypt, ""),
        _ => Item::report(subject, Report::UnknownWords),
    }
}

fn facts() -> Facts {
    Facts { format: Format::OtherEncryption, content: "filevault".to_owned(), ..Facts::default() }
}

fn converting(way: Way, rest: &str) -> Item {
    let percent =
        rest.rsplit('=').next().and_then(|number| number.trim().trim_end_matches(['.', '%']).parse::<u8>().ok());
    let conversion = judge::Conversion { way, percent, ours: false };
    let mut item = Item::new("FileVault", judge::volume(&Facts { conversion: Some(conversion), ..facts() }))
        .with("conversion", if way == Way::Encrypt { "encrypting" } else { "decrypting" });
    if let Some(percent) = percent {
        item = item.with("percent", percent);
    }
    if rest.contains("Pending") {
        item = item.with("waits_for", "mains");
    }
    item
}
