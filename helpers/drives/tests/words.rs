//! Every code of this crate has its sentence in every language.

#![allow(clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.

use std::collections::BTreeSet;
use std::path::Path;

/// Conditions that only the drive's own answer tells.
const TOLD_BY_DISCOVERY: [&str; 8] = [
    "opal-2",
    "media-encryption",
    "drive-not-owned",
    "sid-not-blocked",
    "edrive",
    "geometry",
    "shadow-mbr",
    "not-known-bad",
];

fn read_source(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name)).unwrap()
}

fn is_code(literal: &str) -> bool {
    let letters = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    literal.contains('-') && literal.split('-').all(letters)
}

/// Codes that stand as literals in the sources, with their prefix in the catalogue.
fn codes() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for rule in drives::judge::rules() {
        codes.insert(format!("reason-{}", rule.reason));
        codes.insert(format!("gets-{}", rule.gets));
        codes.insert(format!("next-{}", rule.next));
    }
    let source = read_source("conditions.rs");
    for (before, prefix) in
        [("reason(\"", "reason"), ("named(\"", "reason"), ("Reason::new(\"", "reason"), ("condition(\"", "condition")]
    {
        let source = &source;
        for (at, _) in source.match_indices(before) {
            let code = source[at + before.len()..].split('"').next().unwrap();
            codes.insert(format!("{prefix}-{code}"));
        }
    }
    for kind in ["system", "data", "swap", "hibernation", "closed", "removable", "start"] {
        codes.insert(format!("place-{kind}"));
    }
    // Chosen by a value before they are put into a reason.
    codes.extend(["reason-power-battery".to_owned(), "reason-power-battery-low".to_owned()]);
    let source = read_source("capabilities.rs");
    let catalogue = Path::new(env!("CARGO_MANIFEST_DIR")).join("../texts/i18n/en/drives.ftl");
    let catalogue = std::fs::read_to_string(catalogue).unwrap();
    // Conditions of one word; every literal with a hyphen in it is a code, of a condition or of a reason.
    codes.extend(["transport", "uefi", "csm", "tpm", "initramfs", "brake"].map(|code| format!("condition-{code}")));
    for literal in source.split('"').skip(1).step_by(2).filter(|literal| is_code(literal)) {
        let condition = catalogue.contains(&format!("\ncondition-{literal} ="));
        codes.insert(format!("{}-{literal}", if condition { "condition" } else { "reason" }));
    }
    codes.extend(TOLD_BY_DISCOVERY.map(|code| format!("condition-{code}")));
    codes
}

fn ids(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_alphabetic()));
    lines.map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn every_code_is_in_the_catalogue() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../texts/i18n");
    for language in ["en", "de"] {
        let folder = folder.join(language);
        let own = ids(&std::fs::read_to_string(folder.join("drives.ftl")).unwrap());
        // Verdicts on what other tools report have their sentences beside those tools' words.
        let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let there: BTreeSet<String> = files.flat_map(|path| ids(&std::fs::read_to_string(path).unwrap())).collect();
        let codes = codes();
        let missing: Vec<&String> = codes.iter().filter(|code| !there.contains(*code)).collect();
        assert!(missing.is_empty(), "{language}: {missing:#?}");
        let unused: Vec<&String> = own.iter().filter(|id| !id.starts_with("fault-") && !codes.contains(*id)).collect();
        assert!(unused.is_empty(), "{language}: nobody says {unused:#?}");
    }
}
