use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Figures, Test};

/// Microseconds that a block waits in addition because dm-crypt hands it from thread to thread: none
/// with both `no_*_workqueue` flags, up to four hand-overs on a busy processor without
/// (I. Korchagin, "Speeding up Linux disk encryption", 2020).
const HAND_OVER_US: (f64, f64) = (2.0, 30.0);

/// What is expected of encryption, before it is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Prediction {
    /// For each test that was measured.
    pub tests: Vec<Predicted>,
    /// What holds the whole back.
    pub brake: Brake,
}

/// What is expected of one test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Predicted {
    /// Which test.
    #[serde(rename = "name")]
    pub test: Test,
    /// After divided by before, at worst.
    pub low: f64,
    /// The same at best.
    pub high: f64,
}

/// Which of the two is slower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Brake {
    /// The drive: the processor encrypts faster than it writes, even on one core.
    Drive,
    /// Both are about as fast: several cores keep up, one does not.
    Both,
    /// The processor, even with all cores.
    Processor,
}

impl Brake {
    /// Its name; with `bench-brake-` before it, its key in the catalogue.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drive => "drive",
            Self::Both => "both",
            Self::Processor => "processor",
        }
    }
}

/// What encryption costs on this computer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// AES-XTS on one core, bytes a second.
    pub cipher_rate: f64,
    /// Cores that encrypt at once at best.
    pub cores: usize,
    /// Microseconds that each block waits in addition, at best and at worst.
    pub hand_over_us: (f64, f64),
}

impl Cost {
    /// Of the kernel's dm-crypt on this computer.
    pub fn of_the_kernel(cipher_rate: f64) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { cipher_rate, cores, hand_over_us: HAND_OVER_US }
    }

    /// Of a practice drive: this program encrypts in its own thread, and nothing is handed over.
    pub fn of_this_program(cipher_rate: f64) -> Self {
        Self { cipher_rate, cores: 1, hand_over_us: (0.0, 1.0) }
    }

    /// Of a drive that encrypts by itself, always.
    pub fn of_the_drive() -> Self {
        Self { cipher_rate: f64::INFINITY, cores: 1, hand_over_us: (0.0, 0.0) }
    }
}

impl Prediction {
    /// From what was measured on the drive, unencrypted.
    ///
    /// One block at a time waits longer by the time that it takes to encrypt and to be handed over. With
    /// many on their way the drive and the processor work side by side, and the slower one decides.
    pub fn new(figures: &Figures, cost: &Cost) -> Self {
        let predicted = |test: Test, rate: f64| {
            let block = test.block() as f64;
            let us = rate.max(1.0).recip() * block * 1e6;
            let cipher_us = block / cost.cipher_rate * 1e6;
            let (low, high) = match test.depth() {
                1 => (us / (us + cipher_us + cost.hand_over_us.1), us / (us + cipher_us + cost.hand_over_us.0)),
                _ => {
                    // A part of what is handed over is work, too: about half of it.
                    let busy = |wait: f64| cipher_us + wait / 2.0;
                    let one_core = us / busy(cost.hand_over_us.1).max(us);
                    // And each block is longer on its way, if the drive does not take more of them meanwhile.
                    let waited = us * test.depth() as f64;
                    let longer = waited / (waited + cipher_us + cost.hand_over_us.1);
                    (one_core.min(longer), us / (busy(cost.hand_over_us.0) / cost.cores as f64).max(us))
                }
            };
            Predicted { test, low: low.min(1.0), high: high.min(1.0) }
        };
        let fastest = figures.tests.iter().map(|figure| figure.rate).fold(0.0, f64::max);
        let brake = match cost.cipher_rate {
            rate if rate >= fastest => Brake::Drive,
            rate if rate * cost.cores as f64 >= fastest => Brake::Both,
            _ => Brake::Processor,
        };
        Self { tests: figures.tests.iter().map(|figure| predicted(figure.test, figure.rate)).collect(), brake }
    }

    /// What is expected of this test.
    pub fn of(&self, test: Test) -> Option<&Predicted> {
        self.tests.iter().find(|predicted| predicted.test == test)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestFigure;

    fn drive(rate_of_large: f64, us_of_small: f64) -> Figures {
        let mut figures = crate::figures_for_tests(&[1.0]);
        let small = 4096.0 / us_of_small * 1e6;
        figures.tests = [(Test::Seq1mQ8t1Read, rate_of_large), (Test::Rnd4kQ1t1Read, small)]
            .map(|(test, rate)| TestFigure::new(test, vec![rate], vec![]))
            .to_vec();
        figures
    }

    #[test]
    fn a_slow_drive_is_its_own_brake() {
        let prediction = Prediction::new(&drive(120e6, 8000.0), &Cost::of_the_kernel(3e9));
        assert_eq!(prediction.brake, Brake::Drive);
        for test in &prediction.tests {
            assert!(test.low > 0.99 && test.high <= 1.0, "{test:?}");
        }
    }

    #[test]
    fn a_fast_drive_waits_for_the_processor() {
        let cost = Cost { cipher_rate: 1e9, cores: 4, hand_over_us: HAND_OVER_US };
        let prediction = Prediction::new(&drive(7e9, 60.0), &cost);
        assert_eq!(prediction.brake, Brake::Processor);
        let large = prediction.of(Test::Seq1mQ8t1Read).unwrap();
        assert!(large.low < 0.16 && (0.5..0.6).contains(&large.high), "{large:?}");
        let small = prediction.of(Test::Rnd4kQ1t1Read).unwrap();
        // 60 µs become 66 to 94.
        assert!((0.63..0.65).contains(&small.low) && (0.90..0.92).contains(&small.high), "{small:?}");
        assert_eq!(Prediction::new(&drive(3e9, 60.0), &cost).brake, Brake::Both);
    }

    #[test]
    fn a_drive_that_encrypts_by_itself_costs_nothing() {
        let prediction = Prediction::new(&drive(7e9, 60.0), &Cost::of_the_drive());
        assert!(prediction.tests.iter().all(|test| (test.low, test.high) == (1.0, 1.0)));
        assert_eq!(prediction.brake, Brake::Drive);
    }
}
