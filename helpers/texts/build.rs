//! Lists the catalogue's files and their message ids, so that a new `.ftl` file is part of the
//! program without a line of Rust, and a message that is used from Rust is checked by the compiler.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo")).join("i18n");
    println!("cargo::rerun-if-changed={}", root.display());

    let mut code = String::new();
    let mut ids = Vec::new();
    for language in ["en", "de"] {
        let files = catalogue_files(&root.join(language));
        let name = language.to_uppercase();
        let _ = writeln!(code, "static {name}: &[(&str, &str)] = &[");
        for file in &files {
            println!("cargo::rerun-if-changed={}", file.display());
            let stem = file.file_stem().and_then(|stem| stem.to_str()).expect("a plain name");
            let _ = writeln!(code, "    ({stem:?}, include_str!({:?})),", file.display().to_string());
            if language == "en" {
                ids.extend(message_ids(&fs::read_to_string(file).expect("a readable catalogue file")));
            }
        }
        let _ = writeln!(code, "];");
    }

    ids.sort();
    ids.dedup();
    let _ = writeln!(code, "/// One constant for each message of the catalogue.\npub mod keys {{\n    use super::Key;");
    for id in ids {
        let constant = id.to_uppercase().replace('-', "_");
        let _ = writeln!(code, "    /// `{id}`\n    pub const {constant}: Key = Key({id:?});");
    }
    let _ = writeln!(code, "}}");

    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo")).join("catalogue.rs");
    fs::write(out, code).expect("the build folder can be written");
}

/// All `.ftl` files of a folder, in the order of their names.
fn catalogue_files(folder: &Path) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the catalogue's folder exists")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "ftl"))
        .collect();
    files.sort();
    files
}

/// Message ids of a Fluent file. A message starts at the first column with a letter; terms start
/// with a dash and comments with a hash, and everything else is indented.
fn message_ids(source: &str) -> Vec<String> {
    source
        .lines()
        .filter(|line| line.starts_with(|first: char| first.is_ascii_alphabetic()))
        .filter_map(|line| Some(line.split_once('=')?.0.trim().to_owned()))
        .collect()
}
