use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::conditions::Difference;
use crate::statistics::{Bootstrap, USUAL, ratio};
use crate::{Figures, Prediction, Test, TestFigure};

/// Two runs on the same drive on two days differ by as much without any reason. Smaller differences are
/// not called any, however sure they are: nobody notices them.
const NOTICEABLE: f64 = 0.01;

/// With fewer rounds nothing is known about the scatter.
const LEAST_ROUNDS: usize = 3;

/// What became of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Faster, and not by chance.
    Faster,
    /// No measurable difference.
    Same,
    /// Slower, and not by chance.
    Slower,
}

impl Change {
    /// Its name; with `bench-change-` before it, its key in the catalogue.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Same => "same",
            Self::Slower => "slower",
        }
    }
}

/// One test before and after. Rates are in bytes a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Comparison {
    /// Which test.
    #[serde(rename = "name")]
    pub test: Test,
    /// Median before.
    pub before: f64,
    /// Median after.
    pub after: f64,
    /// `after` divided by `before`: below 1 it became slower.
    pub ratio: f64,
    /// The ratio lies between `ratio_low` and `ratio_high` with 95 % certainty, as far as the
    /// scatter of the rounds tells.
    pub ratio_low: f64,
    /// See `ratio_low`.
    pub ratio_high: f64,
    /// In one word.
    pub change: Change,
    /// Whether the word would stand if all tests together may be wrong in 5 % of all cases
    /// (Bonferroni), and not each. What is said about the drive as a whole goes by this.
    pub sure: bool,
    /// What had been predicted for it: the ratio between these two.
    pub predicted: Option<(f64, f64)>,
}

/// Two runs side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Compared {
    /// Version of this structure: 2.
    pub version: u32,
    /// The tests that both runs have.
    pub comparisons: Vec<Comparison>,
    /// What was different, beside what was to be compared.
    pub differences: Vec<Difference>,
    /// The whole in one word: [`Change::Slower`] if any test is surely slower.
    pub overall: Change,
}

/// Sets the tests that both runs have beside each other, and what else was different.
pub fn compare(before: &Figures, after: &Figures) -> Compared {
    let both: Vec<_> = before.tests.iter().filter_map(|figure| Some((figure, after.test(figure.test)?))).collect();
    let prediction = before.prediction.as_ref();
    let comparisons: Vec<_> = both.iter().map(|(one, other)| of_test(one, other, both.len(), prediction)).collect();
    let mut differences = crate::conditions::differences(&before.conditions, &after.conditions);
    differences.extend(Difference::of("access", &before.access, &after.access));
    differences.extend(Difference::of("file-size", &before.file_size, &after.file_size));
    Compared { version: 2, overall: overall(&comparisons), comparisons, differences }
}

/// How much faster the drive writes what can be compressed: 1.5 if half again as fast, and 1 if that is not sure.
/// `None`: it was not measured.
pub fn compressing(figures: &Figures) -> Option<f64> {
    let (hard, soft) = (figures.test(Test::Seq1mQ8t1Write)?, figures.test(Test::Seq1mQ8t1WriteSoft)?);
    let line = of_test(hard, soft, 1, None);
    // A drive wanders by more than a trifle, and a controller that compresses gains far more.
    Some(if line.change == Change::Faster && line.ratio_low > 1.05 { line.ratio } else { 1.0 })
}

/// The word for several tests together.
pub fn overall(comparisons: &[Comparison]) -> Change {
    let any = |change| comparisons.iter().any(|test| test.sure && test.change == change);
    match (any(Change::Slower), any(Change::Faster)) {
        (true, _) => Change::Slower,
        (false, true) => Change::Faster,
        (false, false) => Change::Same,
    }
}

/// Compares the rounds of one test, of `tests` in all.
pub(crate) fn of_test(
    before: &TestFigure,
    after: &TestFigure,
    tests: usize,
    prediction: Option<&Prediction>,
) -> Comparison {
    let ratio = ratio(after.rate, before.rate);
    let (mut usual, mut strict) = ((ratio, ratio), (ratio, ratio));
    if let Some(bootstrap) = Bootstrap::of_ratio(&before.rounds, &after.rounds) {
        usual = bootstrap.interval(USUAL);
        strict = bootstrap.interval(USUAL / tests.max(1) as f64);
    }
    let enough = before.rounds.len().min(after.rounds.len()) >= LEAST_ROUNDS;
    let word = |interval| if enough { change(ratio, interval) } else { Change::Same };
    Comparison {
        test: before.test,
        before: before.rate,
        after: after.rate,
        ratio,
        ratio_low: usual.0,
        ratio_high: usual.1,
        change: word(usual),
        sure: word(strict) != Change::Same,
        predicted: prediction.and_then(|prediction| prediction.of(before.test)).map(|test| (test.low, test.high)),
    }
}

/// A difference is one if it can be noticed and the whole interval lies on its side of 1.
fn change(ratio: f64, (low, high): (f64, f64)) -> Change {
    match ratio - 1.0 {
        difference if difference.abs() < NOTICEABLE => Change::Same,
        _ if low > 1.0 => Change::Faster,
        _ if high < 1.0 => Change::Slower,
        _ => Change::Same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures_for_tests as figures;

    fn word(before: &[f64], after: &[f64]) -> Change {
        compare(&figures(before), &figures(after)).comparisons[0].change
    }

    #[test]
    fn clear_differences_have_their_word() {
        let before = [100.0, 101.0, 99.0, 100.5, 99.5];
        let slower = before.map(|rate| rate * 0.8);
        assert_eq!(word(&before, &slower), Change::Slower);
        assert_eq!(word(&slower, &before), Change::Faster);
        let compared = compare(&figures(&before), &figures(&slower));
        let line = &compared.comparisons[0];
        assert!((line.ratio - 0.8).abs() < 1e-9 && line.ratio_low <= 0.8 && line.ratio_high >= 0.8, "{line:?}");
        assert_eq!(compared.overall, Change::Slower);
    }

    #[test]
    fn a_drive_that_compresses_is_told_from_one_that_does_not() {
        let hard = [100.0, 101.0, 99.0, 100.5, 99.5];
        let with = |soft: &[f64]| {
            let mut figures = figures(&hard);
            figures.tests.push(TestFigure::new(Test::Seq1mQ8t1Write, hard.to_vec(), Vec::new()));
            assert_eq!(compressing(&figures), None);
            figures.tests.push(TestFigure::new(Test::Seq1mQ8t1WriteSoft, soft.to_vec(), Vec::new()));
            compressing(&figures).unwrap()
        };
        assert!((with(&hard.map(|rate| rate * 1.8)) - 1.8).abs() < 1e-9);
        for soft in [hard, hard.map(|rate| rate * 1.03), hard.map(|rate| rate * 0.5), [100.0, 250.0, 60.0, 120.0, 80.0]]
        {
            assert_eq!(with(&soft), 1.0, "{soft:?}");
        }
    }

    #[test]
    fn scatter_and_trifles_are_no_difference() {
        assert_eq!(word(&[100.0, 140.0, 60.0, 120.0, 80.0], &[90.0, 50.0, 130.0, 70.0, 110.0]), Change::Same);
        assert_eq!(word(&[100.0, 100.1, 99.9], &[99.5, 99.4, 99.6]), Change::Same);
        assert_eq!(word(&[100.0], &[50.0]), Change::Same);
    }

    #[test]
    fn what_only_one_run_has_is_left_out() {
        let mut after = figures(&[1.0, 1.0, 1.0]);
        after.tests.clear();
        assert!(compare(&figures(&[1.0, 1.0, 1.0]), &after).comparisons.is_empty());
        assert_eq!(word(&[0.0, 0.0, 0.0], &[1.0, 1.0, 1.0]), Change::Same);
    }

    #[test]
    fn another_size_or_way_is_pointed_out() {
        let mut before = figures(&[1.0; 5]);
        before.conditions.power = Some("mains".into());
        before.conditions.temperature_c = Some(30.0);
        let mut after = before.clone();
        assert!(compare(&before, &after).differences.is_empty());
        after.file_size *= 2;
        after.conditions.power = Some("battery".into());
        after.conditions.temperature_c = Some(45.0);
        let differences = compare(&before, &after).differences;
        let names: Vec<&str> = differences.iter().map(|difference| difference.what.as_str()).collect();
        assert_eq!(names, ["temperature", "power", "file-size"]);
    }
}
