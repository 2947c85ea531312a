use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::Desk;

#[test]
fn it_says_what_it_sees_and_ends_with_its_input() {
    let desk = Desk::new();
    let mut child = desk.command("watch").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let seen: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert!(seen["drives"].is_array() && seen.get("computer").is_some(), "{line}");
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
