//! Stages one after the other, each with a heading and its time, and the count at the end.

use std::time::{Duration, Instant};

use crate::command::Trouble;

/// How a stage went that did not fail.
pub enum Done {
    /// It was carried out.
    Passed,
    /// It was left out, and why.
    Skipped(String),
}

/// What was carried out so far.
pub struct Stages {
    begun: Instant,
    only: Option<String>,
    left: Vec<&'static str>,
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    time: Duration,
    result: Result<Done, Trouble>,
}

impl Stages {
    /// None yet; of those that follow only the one with this word is carried out, or all.
    pub fn only(word: Option<&str>) -> Self {
        Self { begun: Instant::now(), only: word.map(str::to_owned), left: Vec::new(), rows: Vec::new() }
    }

    /// Carries out a stage. One that fails does not keep the next from being tried.
    /// `word` is what a person types to have this stage alone.
    pub fn stage(&mut self, word: &'static str, name: &'static str, work: impl FnOnce() -> Result<Done, Trouble>) {
        if self.only.as_deref().is_some_and(|only| only != word) {
            self.left.push(word);
            return;
        }
        println!("\n=== {name}");
        let begun = Instant::now();
        let result = work();
        let row = Row { name, time: begun.elapsed(), result };
        println!("=== {}", row.line());
        self.rows.push(row);
    }

    /// The table, and the plain line that programs read.
    ///
    /// # Errors
    /// [`Trouble::Shown`] if a stage failed; or there is no stage of the word that was asked for.
    pub fn close(self) -> Result<(), Trouble> {
        if let (Some(only), true) = (&self.only, self.rows.is_empty()) {
            let known = self.left.join(", ");
            return Err(Trouble::Because(format!("there is no stage `{only}`. There are: {known}.")));
        }
        println!("\n=== All stages, {}", clock(self.begun.elapsed()));
        for row in &self.rows {
            println!("    {}", row.line());
        }
        let count = |wanted: fn(&Row) -> bool| self.rows.iter().filter(|row| wanted(row)).count();
        let failed = count(|row| row.result.is_err());
        let skipped = count(|row| matches!(row.result, Ok(Done::Skipped(_))));
        println!("\n{} passed, {failed} failed, {skipped} skipped", self.rows.len() - failed - skipped);
        if failed == 0 { Ok(()) } else { Err(Trouble::Shown) }
    }
}

impl Row {
    fn line(&self) -> String {
        let Self { name, time, result } = self;
        match result {
            Ok(Done::Passed) => format!("{name}: passed in {}", clock(*time)),
            Ok(Done::Skipped(why)) => format!("{name}: left out, because {why}"),
            Err(trouble) => format!("{name}: FAILED after {}: {trouble}", clock(*time)),
        }
    }
}

/// `4.2 s`, `3 min 12 s`.
fn clock(time: Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_fails_the_whole_and_stops_nothing() {
        let mut stages = Stages::only(None);
        stages.stage("a", "A", || Ok(Done::Passed));
        stages.stage("b", "B", || Err(Trouble::Because("no".into())));
        stages.stage("c", "C", || Ok(Done::Skipped("of no display".into())));
        assert_eq!(stages.rows.len(), 3);
        assert!(stages.close().is_err());
    }

    #[test]
    fn one_alone_and_a_word_that_is_none() {
        let carried = |word| {
            let (mut stages, mut seen) = (Stages::only(Some(word)), Vec::new());
            for name in ["first", "second"] {
                stages.stage(name, name, || {
                    seen.push(name);
                    Ok(Done::Passed)
                });
            }
            (stages.close().map_err(|trouble| trouble.to_string()), seen)
        };
        assert_eq!(carried("second"), (Ok(()), vec!["second"]));
        let (refused, seen) = carried("third");
        assert!(refused.is_err_and(|sentence| sentence.contains("first, second")));
        assert!(seen.is_empty());
    }

    #[test]
    fn times() {
        assert_eq!(clock(Duration::from_millis(4230)), "4.2 s");
        assert_eq!(clock(Duration::from_secs(192)), "3 min 12 s");
    }
}
