//! How sure a figure is. Everything works on the rounds of a test: one number a round, all drawn under
//! the same conditions.
//!
//! The interval is the percentile bootstrap of the ratio of medians, expanded for few rounds: with ten
//! numbers the bootstrap alone is too sure of itself, by the factor `sqrt(n / (n - 1))` and by using
//! the normal distribution where Student's belongs (T. Hesterberg, "What Teachers Should Know About the
//! Bootstrap", 2015, section 4.3).

/// Samples of the bootstrap. The interval's ends move by less than a percent from run to run.
const SAMPLES: usize = 4000;

/// Half of the interval of a median, as a part of it, that is good enough to stop.
const NARROW: f64 = 0.02;

/// Two-sided 5 %.
pub(crate) const USUAL: f64 = 0.05;

pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Of sorted values; 0 if there are none.
pub(crate) fn median(sorted: &[f64]) -> f64 {
    match (sorted.len(), sorted.len() / 2) {
        (0, _) => 0.0,
        (length, middle) if length % 2 == 1 => sorted[middle],
        (_, middle) => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

/// `after / before`; 1 if there is nothing to divide by.
pub(crate) fn ratio(after: f64, before: f64) -> f64 {
    if before > 0.0 { after / before } else { 1.0 }
}

/// Drawn again and again from their own rounds: ratios of the medians of `after` and `before`, sorted.
pub(crate) struct Bootstrap {
    ratios: Vec<f64>,
    middle: f64,
    rounds: (usize, usize),
}

impl Bootstrap {
    /// `None` without rounds.
    pub(crate) fn of_ratio(before: &[f64], after: &[f64]) -> Option<Self> {
        if before.is_empty() || after.is_empty() {
            return None;
        }
        // Always the same draw: the same two reports give the same words.
        let mut random = fastrand::Rng::with_seed(7);
        let (mut one, mut other) = (vec![0.0; before.len()], vec![0.0; after.len()]);
        let mut ratios: Vec<f64> = (0..SAMPLES)
            .map(|_| ratio(drawn(after, &mut other, &mut random), drawn(before, &mut one, &mut random)))
            .collect();
        ratios.sort_by(f64::total_cmp);
        let middle = ratio(median(&sorted(after)), median(&sorted(before)));
        Some(Self { ratios, middle, rounds: (before.len(), after.len()) })
    }

    /// Where the true ratio lies, unless chance had a hand in it that it has in `chance` of all cases.
    pub(crate) fn interval(&self, chance: f64) -> (f64, f64) {
        // Between 0 and half of the samples, whatever the chance.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let cut = ((SAMPLES as f64 * chance / 2.0).round() as usize).min(SAMPLES / 2 - 1);
        let (low, high) = (self.ratios[cut], self.ratios[SAMPLES - 1 - cut]);
        let few = self.rounds.0.min(self.rounds.1) as f64;
        let freedom = (self.rounds.0 + self.rounds.1) as f64 - 2.0;
        if few < 2.0 || self.middle <= 0.0 || low <= 0.0 {
            return (low, high);
        }
        let factor = (few / (few - 1.0)).sqrt() * student(chance, freedom) / normal(chance);
        let expanded = |end: f64| self.middle * (end / self.middle).powf(factor);
        (expanded(low).min(self.middle), expanded(high).max(self.middle))
    }
}

/// Whether more rounds would hardly say more.
pub(crate) fn is_narrow(rounds: &[f64]) -> bool {
    let middle = median(&sorted(rounds));
    if rounds.len() < 5 || middle <= 0.0 {
        return false;
    }
    let mut random = fastrand::Rng::with_seed(7);
    let mut room = vec![0.0; rounds.len()];
    let mut medians: Vec<f64> = (0..400).map(|_| drawn(rounds, &mut room, &mut random)).collect();
    medians.sort_by(f64::total_cmp);
    (medians[389] - medians[10]) / 2.0 <= NARROW * middle
}

/// The median of as many rounds, drawn from them with repetition.
fn drawn(rounds: &[f64], room: &mut [f64], random: &mut fastrand::Rng) -> f64 {
    room.iter_mut().for_each(|place| *place = rounds[random.usize(..rounds.len())]);
    room.sort_by(f64::total_cmp);
    median(room)
}

/// The two-sided quantile of the normal distribution: 1.96 for 0.05 (Abramowitz and Stegun 26.2.23,
/// to 0.0005).
fn normal(chance: f64) -> f64 {
    let t = (-2.0 * (chance / 2.0).ln()).sqrt();
    let over = 2.515_517 + 0.802_853 * t + 0.010_328 * t * t;
    let under = 1.0 + 1.432_788 * t + 0.189_269 * t * t + 0.001_308 * t * t * t;
    t - over / under
}

/// The same of Student's distribution (Cornish and Fisher's expansion; good to 1 % from three degrees of
/// freedom up).
fn student(chance: f64, freedom: f64) -> f64 {
    let z = normal(chance);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    z + first / freedom + second / freedom.powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (chance, expected) in [(0.05, 1.960), (0.01, 2.576), (0.10, 1.645)] {
            assert!((normal(chance) - expected).abs() < 2e-3);
        }
        for (freedom, expected) in [(8.0, 2.306), (18.0, 2.101), (4.0, 2.776)] {
            assert!((student(0.05, freedom) - expected).abs() < 0.05, "{freedom}");
        }
    }

    #[test]
    fn narrow_is_narrow() {
        assert!(is_narrow(&[100.0, 101.0, 100.5, 99.5, 100.2]));
        assert!(!is_narrow(&[100.0, 120.0, 90.0, 110.0, 80.0]));
        assert!(!is_narrow(&[100.0, 100.0]));
    }

    /// The interval holds the truth about as often as it says, for few and many rounds, for rates that
    /// scatter evenly and for those with a long tail.
    #[test]
    fn the_interval_holds_the_truth() {
        let mut random = fastrand::Rng::with_seed(5);
        for (rounds, tail) in [(5, false), (10, false), (10, true), (20, true)] {
            let mut round = |rate: f64| {
                let even = (0..12).map(|_| random.f64()).sum::<f64>() - 6.0;
                // A busy computer makes some rounds slower, never faster.
                let busy = if tail && random.f64() < 0.2 { random.f64() * 0.3 } else { 0.0 };
                rate * (1.0 + 0.03 * even - busy)
            };
            let missed = (0..1000)
                .filter(|_| {
                    let before: Vec<f64> = (0..rounds).map(|_| round(100.0)).collect();
                    let after: Vec<f64> = (0..rounds).map(|_| round(90.0)).collect();
                    let (low, high) = Bootstrap::of_ratio(&before, &after).unwrap().interval(USUAL);
                    !(low..=high).contains(&0.9)
                })
                .count();
            println!("{rounds} rounds, tail {tail}: the truth was outside {missed} times in 1000");
            assert!(missed <= 50, "{rounds} {tail}: {missed}");
        }
    }
}
