#![allow(dead_code)]

use std::path::Path;

use explain::Item;
use model::Verdict;

/// All files of a folder of recorded inputs by their stems. `None`: they are not here, which is said.
pub fn data(folder: &str) -> Option<Vec<(String, Vec<u8>)>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(folder);
    let Ok(entries) = std::fs::read_dir(&path) else {
        eprintln!("left out: {} is not here; the recorded inputs lie beside the repository", path.display());
        return None;
    };
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    Some(files)
}

/// Each subject with its verdict.
pub fn verdicts(items: &[Item]) -> Vec<(String, Verdict)> {
    items.iter().map(|item| (item.subject.clone(), item.verdict())).collect()
}

/// A fact about a subject.
pub fn told<'a>(items: &'a [Item], subject: &str, fact: &str) -> Option<&'a str> {
    items.iter().find(|item| item.subject == subject)?.facts.get(fact).map(String::as_str)
}

/// The only item of a text.
pub fn only(text: &str) -> Item {
    let items = explain::explain("test", text.as_bytes());
    assert_eq!(items.len(), 1, "{items:?}");
    items.into_iter().next().unwrap()
}

/// The verdict on one subject of a text.
pub fn verdict_on(text: &str, subject: &str) -> Verdict {
    let items = explain::explain("test", text.as_bytes());
    items.iter().find(|item| item.subject == subject).unwrap_or_else(|| panic!("{subject}: {items:?}")).verdict()
}
