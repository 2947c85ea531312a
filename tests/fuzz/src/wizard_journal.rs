//! The wizard's journal, as somebody else may have left it. It can be shown, and what is written is what was read.

use std::sync::Arc;

use serde_json::Value;
use wizard::engine::{Real, RealOptions};
use wizard::{Options, Wizard, reread};

/// A new journal, and some from the middle.
pub fn seeds() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temp folder");
    let words = recovery::SheetWords::look_up(str::to_owned);
    let engine = Real::new(RealOptions::new(words, "kitchen".into()));
    drop(Wizard::open(folder.path(), Options::new(Arc::new(engine))).expect("the folder is ours"));
    let new = std::fs::read_to_string(folder.path().join("journal.json")).expect("a journal");
    let target = r#""target": {"id": "/nowhere/x.img", "name": "x", "size": 1048576, "content": "ext4", "practice": false,
        "judged": {"verdict": "not_protected", "reason": {"code": "plain", "args": {}}, "next": "", "gets": ""}}"#;
    let chosen = new.replace("\"target\": null", target);
    let mut seeds = vec![new.clone(), chosen.clone(), "{\"version\":2}".into()];
    for step in ["check", "before", "password", "recovery", "rescue", "bench_before", "encrypt", "report"] {
        seeds.push(chosen.replace("\"drives\"", &format!("\"{step}\"")));
    }
    assert!(reread(new.as_bytes()).is_some());
    println!(
        "{new}\n{} of {} are read",
        seeds.iter().filter(|seed| reread(seed.as_bytes()).is_some()).count(),
        seeds.len()
    );
    seeds.into_iter().map(String::into_bytes).collect()
}

/// One input.
pub fn run(data: &[u8]) {
    let Some(written) = reread(data) else { return };
    let again = reread(&written).expect("it reads what it wrote");
    // Seconds may come back with another last digit.
    assert_eq!(without_fractions(&again), without_fractions(&written));
}

fn without_fractions(json: &[u8]) -> Value {
    let mut value = serde_json::from_slice(json).expect("JSON");
    clear(&mut value);
    value
}

fn clear(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => *value = Value::Null,
        Value::Array(items) => items.iter_mut().for_each(clear),
        Value::Object(members) => members.values_mut().for_each(clear),
        _ => {}
    }
}
