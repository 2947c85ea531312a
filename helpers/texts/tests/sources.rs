//! No sentence for people stands outside the catalogue: what the sources of the programs hold between quotation
//! marks is looked at, word by word.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Not for people who use a program: the tools of the house.
const TOOLS: &str = "helpers/xtask";

/// Files that hold the words of other programs, to be recognised or played: theirs are not ours to translate.
const OF_OTHERS: [&str; 3] = ["helpers/explain/src", "helpers/filevault/src/status.rs", "simulated.rs"];

/// Sentences that only somebody sees who runs a program by hand that no person is meant to start.
const BY_HAND: [&str; 2] = ["This system has services of its own.", "{name} is the first process of its own image"];

/// These print. What they say is read by somebody, however short it is.
const PRINTING: [&str; 4] = ["print", "println", "eprint", "eprintln"];

/// These speak to those who write the program.
const OF_THE_HOUSE: [&str; 9] =
    ["assert", "assert_eq", "assert_ne", "debug_assert", "panic", "unreachable", "todo", "expect", "reason"];

#[test]
fn no_sentence_for_people_stands_in_the_sources() {
    let mut found = Vec::new();
    let mut files = 0;
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        if OF_OTHERS.iter().any(|theirs| name.contains(theirs)) {
            continue;
        }
        files += 1;
        found.extend(sentences(&text).into_iter().map(|sentence| format!("{name}: {sentence}")));
    }
    assert!(files > 200, "only {files} sources were found");
    found.retain(|line| !BY_HAND.iter().any(|known| line.ends_with(known)));
    assert!(found.is_empty(), "these belong into helpers/texts/i18n:\n{}", found.join("\n"));
}

#[test]
fn a_sentence_is_seen_wherever_it_stands() {
    let seen = |source: &str| sentences(source).len();
    assert_eq!(seen(r#"fn f() { say("The drive is full."); }"#), 1);
    assert_eq!(seen(r#"const A: &[&str] = &["Wirklich ganz löschen?"];"#), 1);
    assert_eq!(seen(r##"fn f() { g(&format!(r#"Take {a} out now!"#)); }"##), 1);
    assert_eq!(seen(r#"fn f() { eprintln!("cannot be opened: {error}"); }"#), 1);
    assert_eq!(seen(r#"fn f() { println!("{}", 1); log("LUKS2 header, version 1.0"); }"#), 0);
    assert_eq!(
        seen(
            r#"/// What it is. And more of it.
        fn f() { x.expect("There is always one here."); }"#
        ),
        0
    );
    assert_eq!(seen(r#"#[cfg(test)] mod tests { const A: &str = "The drive is full."; }"#), 0);
}

/// Those of a source, without its tests, comments and attributes.
fn sentences(source: &str) -> Vec<String> {
    let tokens = TokenStream::from_str(source).unwrap_or_else(|error| panic!("{error}: {source:.200}"));
    let mut found = Vec::new();
    look(tokens, false, &mut found);
    found
}

fn look(tokens: TokenStream, printing: bool, found: &mut Vec<String>) {
    let (mut word, mut test_follows) = (String::new(), false);
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            // An attribute, and with it a comment of the documentation.
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                tokens.next_if(|next| matches!(next, TokenTree::Punct(mark) if mark.as_char() == '!'));
                let attribute = tokens
                    .next_if(|next| matches!(next, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket));
                let attribute = attribute.map(|attribute| attribute.to_string().replace(' ', "")).unwrap_or_default();
                test_follows |= attribute.starts_with("[cfg(test)]");
            }
            TokenTree::Punct(mark) => {
                // `name!(…)` is still that name's.
                if mark.as_char() != '!' {
                    word.clear();
                }
                test_follows &= mark.as_char() != ';';
            }
            TokenTree::Ident(ident) => word = ident.to_string(),
            TokenTree::Group(group) => {
                let ends_item = group.delimiter() == Delimiter::Brace;
                let left_out = test_follows && ends_item || OF_THE_HOUSE.contains(&word.as_str());
                if !left_out {
                    look(group.stream(), printing || PRINTING.contains(&word.as_str()), found);
                }
                test_follows &= !ends_item;
                word.clear();
            }
            TokenTree::Literal(literal) => {
                let written = literal.to_string();
                let text = written.trim_start_matches(['r', 'b', '#']).trim_end_matches('#');
                let Some(text) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else { continue };
                if is_sentence(text) || (printing && words_in_a_row(text) >= 3) {
                    found.push(text.to_owned());
                }
            }
        }
    }
}

/// It begins as one, it ends as one, and there are words between.
fn is_sentence(text: &str) -> bool {
    text.starts_with(char::is_uppercase) && text.ends_with(['.', '!', '?', '…']) && words_in_a_row(text) >= 2
}

/// The longest row of words of small letters with one space between them.
fn words_in_a_row(text: &str) -> usize {
    let is_word = |word: &&str| {
        word.len() > 1 && word.trim_matches([',', ':', '.', '!', '?', '…']).chars().skip(1).all(char::is_lowercase)
    };
    text.split(' ').collect::<Vec<_>>().split(|word| !is_word(word)).map(<[&str]>::len).max().unwrap_or(0)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

fn sources() -> Vec<PathBuf> {
    let mut folders = vec![root().join("src-tauri/src")];
    for helper in fs::read_dir(root().join("helpers")).unwrap() {
        let helper = helper.unwrap().path();
        if !helper.ends_with(TOOLS) {
            folders.push(helper.join("src"));
        }
    }
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && name != "tests" {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
