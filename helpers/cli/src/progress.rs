//! Progress for people (a bar at a terminal, a line for each tenth elsewhere) and for programs.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use model::{Progress, Sink, StepId, Unit};
use texts::{Texts, keys};

use crate::args::checked::Shown;
use crate::speaker::Speaker;

/// The sink that was asked for.
pub fn sink<'a>(speaker: &'a Speaker, shown: Shown) -> Box<dyn Sink + 'a> {
    match shown {
        Shown::Json => Box::new(JsonLines::new(std::io::stdout())),
        Shown::Human if std::io::stderr().is_terminal() => Box::new(Bar::new(&speaker.texts)),
        Shown::Human => Box::new(Lines { texts: &speaker.texts, last: None }),
    }
}

/// JSON lines, at most five a second however many steps there are. The last one is always written.
struct JsonLines<W: Write> {
    output: W,
    written: Option<Instant>,
    waiting: Option<Progress>,
}

const BETWEEN_LINES: Duration = Duration::from_millis(200);

impl<W: Write> JsonLines<W> {
    fn new(output: W) -> Self {
        Self { output, written: None, waiting: None }
    }

    fn write(&mut self, progress: &Progress) {
        self.written = Some(Instant::now());
        self.waiting = None;
        if let Ok(line) = serde_json::to_string(progress) {
            let _ = writeln!(self.output, "{line}");
            let _ = self.output.flush();
        }
    }
}

impl<W: Write> Sink for JsonLines<W> {
    fn report(&mut self, progress: &Progress) {
        if self.written.is_none_or(|written| written.elapsed() >= BETWEEN_LINES) {
            self.write(progress);
        } else {
            self.waiting = Some(progress.clone());
        }
    }
}

impl<W: Write> Drop for JsonLines<W> {
    fn drop(&mut self) {
        if let (Some(progress), Some(written)) = (self.waiting.take(), self.written) {
            std::thread::sleep(BETWEEN_LINES.saturating_sub(written.elapsed()));
            self.write(&progress);
        }
    }
}

/// A bar at the terminal.
struct Bar<'a> {
    texts: &'a Texts,
    bar: ProgressBar,
    step: Option<StepId>,
}

impl<'a> Bar<'a> {
    fn new(texts: &'a Texts) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
        // The template is a constant; the plain style is what is left if it were wrong.
        let style = ProgressStyle::with_template("{prefix:<24} [{bar:30}] {percent:>3} %  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        Self { texts, bar, step: None }
    }
}

impl Sink for Bar<'_> {
    fn report(&mut self, progress: &Progress) {
        if self.step != Some(progress.step) {
            self.step = Some(progress.step);
            self.bar.set_prefix(self.texts.step(progress.step));
        }
        self.bar.set_length(progress.total);
        self.bar.set_position(progress.done);
        self.bar.set_message(speed(self.texts, progress));
    }
}

impl Drop for Bar<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line when a step begins and for each tenth of it: for logs.
struct Lines<'a> {
    texts: &'a Texts,
    last: Option<(StepId, u64)>,
}

impl Sink for Lines<'_> {
    fn report(&mut self, progress: &Progress) {
        let tenth = tenths(progress);
        if self.last == Some((progress.step, tenth)) {
            return;
        }
        self.last = Some((progress.step, tenth));
        let args = texts::args([
            ("step", &self.texts.step(progress.step)),
            ("percent", &(tenth * 10)),
            ("speed", &speed(self.texts, progress)),
        ]);
        let key = if progress.done >= progress.total || speed(self.texts, progress).is_empty() {
            keys::CLI_PROGRESS
        } else {
            keys::CLI_PROGRESS_SPEED
        };
        let _ = writeln!(std::io::stderr(), "{}", self.texts.say(key, &args));
    }
}

fn tenths(progress: &Progress) -> u64 {
    if progress.total == 0 {
        return 10;
    }
    let tenths = u128::from(progress.done) * 10 / u128::from(progress.total);
    u64::try_from(tenths).unwrap_or(10).min(10)
}

/// Rate and time left, as far as they can be told.
fn speed(texts: &Texts, progress: &Progress) -> String {
    if progress.paused {
        return texts.plain(keys::CLI_PAUSED_NOW);
    }
    let language = texts.language();
    let mut parts = Vec::new();
    if let (Some(rate), Unit::Bytes) = (progress.rate, progress.unit) {
        parts.push(language.rate(rate));
    }
    if let Some(left) = progress.eta_s
        && progress.done < progress.total
    {
        parts.push(texts.say(keys::CLI_TIME_LEFT, &texts::args([("left_seconds", &left)])));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(step: StepId, done: u64) -> Progress {
        let (rate, eta_s) = (Some(310_000_000.0), Some(200));
        Progress { version: 1, step, done, total: 100, unit: Unit::Bytes, rate, eta_s, paused: false }
    }

    #[test]
    fn json_lines_are_few_and_the_last_is_there() {
        let mut output = Vec::new();
        {
            let mut lines = JsonLines::new(&mut output);
            for done in 0..=100 {
                lines.report(&progress(StepId::Header, done));
                lines.report(&progress(StepId::Encrypt, done));
            }
        }
        let lines: Vec<serde_json::Value> =
            std::str::from_utf8(&output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        let last = &lines[1];
        assert_eq!(last["version"], 1);
        assert_eq!(last["step"], "encrypt");
        assert_eq!(last["done"], 100);
        assert_eq!(last["total"], 100);
        assert_eq!(last["unit"], "bytes");
        assert_eq!(last["eta_s"], 200);
    }

    #[test]
    fn speed_in_words() {
        let texts = Texts::new(texts::Language::German);
        assert_eq!(speed(&texts, &progress(StepId::Encrypt, 50)), "310 MB/s, noch 3 Min. 20 s");
        let texts = Texts::new(texts::Language::English);
        assert_eq!(speed(&texts, &progress(StepId::Encrypt, 50)), "310 MB/s, 3 min 20 s left");
        assert_eq!(speed(&texts, &progress(StepId::Encrypt, 100)), "310 MB/s");
    }

    #[test]
    fn tenths_of_anything() {
        assert_eq!(tenths(&progress(StepId::Encrypt, 99)), 9);
        assert_eq!(tenths(&progress(StepId::Encrypt, 100)), 10);
        let huge = Progress { done: u64::MAX, total: u64::MAX, ..progress(StepId::Encrypt, 0) };
        assert_eq!(tenths(&huge), 10);
        assert_eq!(tenths(&Progress { total: 0, ..progress(StepId::Encrypt, 0) }), 10);
    }
}
