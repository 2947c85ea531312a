//! Holds the catalogue against itself (every language says everything, with the same values) and
//! against the sources (every code that an engine can return has its sentences).

// A panic is how a test says what is wrong, also in the helpers of a test.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use model::{Args, Fault, FaultKind, Judged, Reason, StepId, Verdict};
use texts::{Language, Texts};

/// What one message has: the values that each part of it uses. The message itself is the part "".
type Parts = BTreeMap<String, BTreeSet<String>>;

#[test]
fn every_file_can_be_read_and_no_message_is_there_twice() {
    for language in Language::ALL {
        let mut seen: BTreeMap<String, PathBuf> = BTreeMap::new();
        for file in catalogue_files(language) {
            let source = fs::read_to_string(&file).unwrap();
            assert!(!source.contains('\t'), "{}: a tab is no indentation in Fluent", file.display());
            let resource = fluent_syntax::parser::parse(source.as_str())
                .unwrap_or_else(|(_, errors)| panic!("{}: {errors:?}", file.display()));
            for entry in resource.body {
                match entry {
                    Entry::Message(message) => {
                        let earlier = seen.insert(message.id.name.to_owned(), file.clone());
                        assert!(earlier.is_none(), "{}: {} is also in {earlier:?}", file.display(), message.id.name);
                    }
                    Entry::Junk { content } => panic!("{}: {content}", file.display()),
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn every_language_says_the_same_things_with_the_same_values() {
    let names = |language| -> BTreeSet<_> {
        catalogue_files(language).iter().map(|file| file.file_name().unwrap().to_owned()).collect()
    };
    assert_eq!(names(Language::English), names(Language::German));
    let (english, german) = (messages(Language::English), messages(Language::German));
    let mut differences = Vec::new();
    for id in english.keys().chain(german.keys()).collect::<BTreeSet<_>>() {
        match (english.get(id), german.get(id)) {
            (Some(left), Some(right)) if left == right => {}
            (left, right) => differences.push(format!("{id}: en {left:?}, de {right:?}")),
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_fault_says_what_to_do_next() {
    for language in Language::ALL {
        for (id, parts) in messages(language) {
            if id.starts_with("fault-") {
                assert!(parts.contains_key("") && parts.contains_key("next"), "{id} ({})", language.tag());
            }
        }
    }
}

#[test]
fn every_code_of_the_sources_is_in_the_catalogue() {
    let english = messages(Language::English);
    let mut missing = BTreeSet::new();
    for file in sources() {
        let source = fs::read_to_string(&file).unwrap();
        for (prefix, code) in codes(&source) {
            let id = if prefix.is_empty() { code } else { format!("{prefix}-{code}") };
            if !english.contains_key(&id) {
                missing.insert(format!("{id} (in {})", short(&file)));
            }
        }
    }
    assert!(missing.is_empty(), "not in the catalogue:\n{}", Vec::from_iter(missing).join("\n"));
}

/// The command line passes its codes through helpers, so each literal with its prefix counts.
#[test]
fn every_code_of_the_command_line_is_in_the_catalogue() {
    let english = messages(Language::English);
    for file in sources().iter().filter(|file| file.starts_with(root().join("helpers/cli"))) {
        let source = fs::read_to_string(file).unwrap();
        for (at, _) in source.match_indices("\"cli-") {
            let code = source[at + 1..].split('"').next().unwrap();
            let known = ["fault", "reason"].iter().any(|prefix| english.contains_key(&format!("{prefix}-{code}")));
            assert!(known, "{code} (in {})", short(file));
        }
    }
}

#[test]
fn every_sentence_can_be_said() {
    for language in Language::ALL {
        let texts = Texts::new(language);
        for (id, parts) in messages(language) {
            let args: Args = parts.values().flatten().map(|name| (name.clone(), "3".to_owned())).collect();
            let said = if let Some(code) = id.strip_prefix("fault-") {
                let mut fault = Fault::new(code, FaultKind::Failed);
                fault.args = args;
                let sentence = texts.fault(&fault);
                format!("{}{}", sentence.what, sentence.next)
            } else if let Some(code) = id.strip_prefix("reason-") {
                texts.reason(&Reason { code: code.to_owned(), args })
            } else if let Some(code) = id.strip_prefix("next-") {
                let reason = Reason { code: "no-such".to_owned(), args };
                texts
                    .judged(&Judged { verdict: Verdict::Unknown, reason, gets: String::new(), next: code.to_owned() })
                    .next
            } else {
                continue;
            };
            assert!(!said.trim().is_empty() && !said.contains("{$") && !said.contains('['), "{id}: {said}");
        }
    }
}

#[test]
fn every_step_has_a_name() {
    let texts = Texts::new(Language::German);
    for step in [StepId::Check, StepId::MakeRoom, StepId::DeriveKey, StepId::Header, StepId::Encrypt] {
        assert!(!texts.step(step).contains('['));
    }
}

#[test]
fn codes_are_found_in_source_text() {
    let source = r#"
        impl Describe for Error {}
        Fault::new("a-b", Failed); Fault::new(
            "c", Refused) ; Reason::new("d"); Judged { next: "e".to_owned() };
        Condition { code: "f".into(), outcome }
        #[error("g-h: {0}")] #[error("{0}")]
        fn next: String
        Fault::new(&code, Failed)
        #[cfg(test)]
        Fault::new("only-in-tests", Failed)
    "#;
    let found: Vec<_> = codes(source).into_iter().map(|(prefix, code)| format!("{prefix}-{code}")).collect();
    assert_eq!(found, ["fault-a-b", "fault-c", "fault-g-h", "reason-d", "next-e", "condition-f"]);
}

/// Codes that stand in a source as literals, with the prefix that they have in the catalogue. What
/// comes after `#[cfg(test)]` is not part of the program.
fn codes(source: &str) -> Vec<(&'static str, String)> {
    let source = source.split("#[cfg(test)]").next().unwrap();
    // An error that is never described is not shown to anybody.
    let described = source.contains("impl Describe for") || source.contains("impl model::Describe for");
    let mut found = Vec::new();
    for (before, prefix) in [
        ("Fault::new(", "fault"),
        ("#[error(", "fault"),
        ("Reason::new(", "reason"),
        // The short forms that the engines' own tables and helpers use.
        (" reason(", "reason"),
        (" named(", "reason"),
        (" reason: ", "reason"),
        (" next: ", "next"),
        ("Condition { code: ", "condition"),
        (" condition(", "condition"),
        (" text(", ""),
    ] {
        if before == "#[error(" && !described {
            continue;
        }
        for (at, _) in source.match_indices(before) {
            let Some(literal) = source[at + before.len()..].trim_start().strip_prefix('"') else { continue };
            let code: String =
                literal.chars().take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-').collect();
            // An error's own text may go on after its code; a text without a code is another's.
            let whole = !code.is_empty() && !code.ends_with('-');
            if whole && (before == "#[error(" || literal[code.len()..].starts_with('"')) {
                found.push((prefix, code));
            }
        }
    }
    found
}

/// Sources of all crates that may make a fault or a reason.
fn sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join("helpers")).unwrap() {
        walk(&entry.unwrap().path().join("src"), &mut files);
    }
    walk(&root().join("src-tauri/src"), &mut files);
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    // Tests of a crate in a file of their own.
    files.retain(|file| file.file_stem().is_none_or(|stem| stem != "tests"));
    files.retain(|file| !file.ends_with("engine/simulated.rs"));
    files
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() { walk(&path, files) } else { files.push(path) }
    }
}

fn short(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn catalogue_files(language: Language) -> Vec<PathBuf> {
    let mut files = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("i18n").join(language.tag()), &mut files);
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ftl"));
    files
}

/// All messages of a language with their parts.
fn messages(language: Language) -> BTreeMap<String, Parts> {
    let mut all = BTreeMap::new();
    for file in catalogue_files(language) {
        let source = fs::read_to_string(&file).unwrap();
        let (Ok(resource) | Err((resource, _))) = fluent_syntax::parser::parse(source.as_str());
        for entry in &resource.body {
            let Entry::Message(message) = entry else { continue };
            let mut parts = Parts::new();
            if let Some(value) = &message.value {
                parts.insert(String::new(), variables(value));
            }
            for attribute in &message.attributes {
                parts.insert(attribute.id.name.to_owned(), variables(&attribute.value));
            }
            all.insert(message.id.name.to_owned(), parts);
        }
    }
    all
}

fn variables(pattern: &Pattern<&str>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    collect(pattern, &mut names);
    names
}

fn collect(pattern: &Pattern<&str>, names: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else { continue };
        match expression {
            Expression::Inline(inline) => collect_inline(inline, names),
            Expression::Select { selector, variants } => {
                collect_inline(selector, names);
                for variant in variants {
                    collect(&variant.value, names);
                }
            }
        }
    }
}

fn collect_inline(expression: &InlineExpression<&str>, names: &mut BTreeSet<String>) {
    match expression {
        InlineExpression::VariableReference { id } => {
            names.insert(id.name.to_owned());
        }
        InlineExpression::FunctionReference { arguments, .. } => {
            for argument in &arguments.positional {
                collect_inline(argument, names);
            }
        }
        InlineExpression::Placeable { expression } => {
            if let Expression::Inline(inline) = &**expression {
                collect_inline(inline, names);
            }
        }
        _ => {}
    }
}
