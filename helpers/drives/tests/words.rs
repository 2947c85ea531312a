//! Every code of this crate has its sentence in every language.

#![allow(clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.

use std::collections::BTreeSet;
use std::path::Path;

/// Codes that stand as literals in the sources, with their prefix in the catalogue.
fn codes() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for (_, _, reason, next) in drives::judge::rules() {
        codes.insert(format!("reason-{reason}"));
        codes.insert(format!("next-{next}"));
    }
    let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/conditions.rs")).unwrap();
    for (before, prefix) in
        [("reason(\"", "reason"), ("named(\"", "reason"), ("Reason::new(\"", "reason"), ("condition(\"", "condition")]
    {
        for (at, _) in source.match_indices(before) {
            let code = source[at + before.len()..].split('"').next().unwrap();
            codes.insert(format!("{prefix}-{code}"));
        }
    }
    // Chosen by a value before they are put into a reason.
    codes.extend(["reason-power-battery".to_owned(), "reason-power-battery-low".to_owned()]);
    codes
}

#[test]
fn every_code_is_in_the_catalogue() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../texts/i18n");
    for language in ["en", "de"] {
        let text = std::fs::read_to_string(folder.join(language).join("drives.ftl")).unwrap();
        let there: BTreeSet<&str> = text
            .lines()
            .filter(|line| line.starts_with(|first: char| first.is_ascii_alphabetic()))
            .map(|line| line.split(' ').next().unwrap())
            .collect();
        let codes = codes();
        let missing: Vec<&String> = codes.iter().filter(|code| !there.contains(code.as_str())).collect();
        assert!(missing.is_empty(), "{language}: {missing:#?}");
        let unused: Vec<&&str> = there.iter().filter(|id| !id.starts_with("fault-") && !codes.contains(**id)).collect();
        assert!(unused.is_empty(), "{language}: nobody says {unused:#?}");
    }
}
