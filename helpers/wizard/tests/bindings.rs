//! The TypeScript types of the border, made from the Rust ones.
//!
//! `UPDATE_BINDINGS=1 cargo test -p wizard --test bindings` writes them anew.

#![allow(clippy::unwrap_used, clippy::panic)] // A panic is how a test says what is wrong.

use std::collections::BTreeMap;
use std::path::Path;

use ts_rs::{Config, TS};
use wizard::view::{Action, Strength, View};

/// Where the window's code expects them, from this crate's folder.
const COMMITTED: &str = "../../ui/src/lib/bindings";

#[test]
fn committed_bindings_are_those_of_the_types() {
    let made = made();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(COMMITTED);
    if std::env::var_os("UPDATE_BINDINGS").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        for name in read(&folder).keys().filter(|name| !made.contains_key(*name)) {
            std::fs::remove_file(folder.join(name)).unwrap();
        }
        for (name, text) in &made {
            std::fs::write(folder.join(name), text).unwrap();
        }
    }
    let committed = read(&folder);
    for (name, text) in &made {
        assert_eq!(committed.get(name), Some(text), "{name} is not up to date: run this test with UPDATE_BINDINGS=1");
    }
    assert_eq!(committed.len(), made.len(), "a file too many in {COMMITTED}: run this test with UPDATE_BINDINGS=1");
}

/// All files by their names.
fn made() -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let config = Config::new().with_out_dir(folder.path());
    View::export_all(&config).unwrap();
    Action::export_all(&config).unwrap();
    Strength::export_all(&config).unwrap();
    let mut files = read(folder.path());
    let index: String = files
        .keys()
        .map(|name| name.trim_end_matches(".ts"))
        .map(|name| format!("export type {{ {name} }} from \"./{name}\";\n"))
        .collect();
    files.insert("index.ts".into(), index);
    files
}

fn read(folder: &Path) -> BTreeMap<String, String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return BTreeMap::new() };
    entries
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "ts"))
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read_to_string(entry.path()).unwrap()))
        .collect()
}
