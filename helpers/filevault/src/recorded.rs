use std::collections::BTreeMap;

use crate::{Error, Output, Result, Tools};

/// A Mac of which only answers were kept, by the whole command line. What was not recorded is not there.
#[derive(Clone, Default)]
pub struct Recorded {
    answers: BTreeMap<String, Output>,
    /// Command lines that were run, in their order.
    pub asked: Vec<String>,
}

impl Recorded {
    /// Notes what a command answered.
    pub fn note(&mut self, program: &str, words: &[&str], output: Output) {
        self.answers.insert(line(program, words), output);
    }
}

impl Tools for Recorded {
    fn run(&mut self, program: &str, words: &[&str], _: Option<&[u8]>) -> Result<Output> {
        let line = line(program, words);
        self.asked.push(line.clone());
        self.answers.get(&line).cloned().ok_or(Error::NoTool(line))
    }
}

fn line(program: &str, words: &[&str]) -> String {
    std::iter::once(program).chain(words.iter().copied()).collect::<Vec<_>>().join(" ")
}
