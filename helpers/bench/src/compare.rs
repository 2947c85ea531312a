use serde::{Deserialize, Serialize};

use crate::figures::{median, sorted};
use crate::{Figures, Test, TestFigure};

/// Samples of the bootstrap. The interval's ends move by less than a percent from run to run.
const SAMPLES: usize = 4000;

/// Two runs on the same drive on two days differ by as much without any reason: fill, temperature,
/// what else the computer does. Smaller differences are not called any.
const NOTICEABLE: f64 = 0.05;

/// What became of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
}

/// Sets the tests that both runs have beside each other.
pub fn compare(before: &Figures, after: &Figures) -> Vec<Comparison> {
    before.tests.iter().filter_map(|figure| Some(of_test(figure, after.test(figure.test)?))).collect()
}

fn of_test(before: &TestFigure, after: &TestFigure) -> Comparison {
    let ratio = ratio(after.rate, before.rate);
    let (ratio_low, ratio_high) = interval(&before.rounds, &after.rounds).unwrap_or((ratio, ratio));
    Comparison {
        test: before.test,
        before: before.rate,
        after: after.rate,
        ratio,
        ratio_low,
        ratio_high,
        change: change(ratio, ratio_low, ratio_high, before.rounds.len().min(after.rounds.len())),
    }
}

/// A difference is one if it can be noticed and the whole interval lies on its side of 1. With fewer
/// than three rounds nothing is known about the scatter.
fn change(ratio: f64, low: f64, high: f64, rounds: usize) -> Change {
    if rounds < 3 || (ratio - 1.0).abs() < NOTICEABLE {
        return Change::Same;
    }
    match (low > 1.0, high < 1.0) {
        (true, _) => Change::Faster,
        (_, true) => Change::Slower,
        _ => Change::Same,
    }
}

/// The 95 % interval of the ratio of the medians, by the percentile bootstrap: both runs are drawn
/// again from their own rounds, many times.
fn interval(before: &[f64], after: &[f64]) -> Option<(f64, f64)> {
    if before.is_empty() || after.is_empty() {
        return None;
    }
    // Always the same draw: the same two reports give the same words.
    let mut random = fastrand::Rng::with_seed(7);
    let mut ratios: Vec<f64> =
        (0..SAMPLES).map(|_| ratio(drawn(after, &mut random), drawn(before, &mut random))).collect();
    ratios.sort_by(f64::total_cmp);
    Some((ratios[SAMPLES / 40], ratios[SAMPLES - 1 - SAMPLES / 40]))
}

fn drawn(rounds: &[f64], random: &mut fastrand::Rng) -> f64 {
    let again: Vec<f64> = rounds.iter().map(|_| rounds[random.usize(..rounds.len())]).collect();
    median(&sorted(&again))
}

fn ratio(after: f64, before: f64) -> f64 {
    if before > 0.0 { after / before } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Access;

    fn figures(rounds: &[f64]) -> Figures {
        Figures {
            version: 1,
            access: Access::Direct,
            encrypted: false,
            file_size: 1 << 26,
            written: 1 << 27,
            seconds: 6.0,
            tests: vec![TestFigure::new(Test::Seq1mQ1t1Read, rounds.to_vec(), vec![1000])],
        }
    }

    fn word(before: &[f64], after: &[f64]) -> Change {
        compare(&figures(before), &figures(after))[0].change
    }

    #[test]
    fn clear_differences_have_their_word() {
        let before = [100.0, 101.0, 99.0, 100.5, 99.5];
        let slower = before.map(|rate| rate * 0.8);
        assert_eq!(word(&before, &slower), Change::Slower);
        assert_eq!(word(&slower, &before), Change::Faster);
        let line = &compare(&figures(&before), &figures(&slower))[0];
        assert!((line.ratio - 0.8).abs() < 1e-9 && line.ratio_low <= 0.8 && line.ratio_high >= 0.8, "{line:?}");
    }

    #[test]
    fn scatter_and_trifles_are_no_difference() {
        assert_eq!(word(&[100.0, 140.0, 60.0, 120.0, 80.0], &[90.0, 50.0, 130.0, 70.0, 110.0]), Change::Same);
        assert_eq!(word(&[100.0, 100.1, 99.9], &[97.0, 97.1, 96.9]), Change::Same);
        assert_eq!(word(&[100.0], &[50.0]), Change::Same);
    }

    #[test]
    fn false_alarms_are_rare() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut run = || -> Vec<f64> {
            // About a normal distribution, five percent wide.
            (0..5).map(|_| 100.0 + (0..12).map(|_| random.f64()).sum::<f64>() * 5.0 - 30.0).collect()
        };
        let alarms = (0..300).filter(|_| word(&run(), &run()) != Change::Same).count();
        assert!(alarms <= 15, "{alarms} of 300");
    }

    #[test]
    fn what_only_one_run_has_is_left_out() {
        let mut after = figures(&[1.0, 1.0, 1.0]);
        after.tests.clear();
        assert!(compare(&figures(&[1.0, 1.0, 1.0]), &after).is_empty());
        assert_eq!(word(&[0.0, 0.0, 0.0], &[1.0, 1.0, 1.0]), Change::Same);
    }
}
