use serde::{Deserialize, Serialize};

/// One of the tests, by the name that CrystalDiskMark gave it: block size, queue depth, threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Test {
    /// Blocks of 1 MiB one after another, one at a time, read.
    #[serde(rename = "seq1m-q1t1-read")]
    Seq1mQ1t1Read,
    /// The same, written.
    #[serde(rename = "seq1m-q1t1-write")]
    Seq1mQ1t1Write,
    /// Blocks of 4 KiB at random places, one at a time, read.
    #[serde(rename = "rnd4k-q1t1-read")]
    Rnd4kQ1t1Read,
    /// The same, written.
    #[serde(rename = "rnd4k-q1t1-write")]
    Rnd4kQ1t1Write,
}

impl Test {
    /// All tests, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Seq1mQ1t1Read, Self::Seq1mQ1t1Write, Self::Rnd4kQ1t1Read, Self::Rnd4kQ1t1Write];

    /// Its name; with `bench-` before it, its key in the catalogue.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seq1mQ1t1Read => "seq1m-q1t1-read",
            Self::Seq1mQ1t1Write => "seq1m-q1t1-write",
            Self::Rnd4kQ1t1Read => "rnd4k-q1t1-read",
            Self::Rnd4kQ1t1Write => "rnd4k-q1t1-write",
        }
    }

    /// Bytes of a block.
    pub const fn block(self) -> usize {
        match self {
            Self::Seq1mQ1t1Read | Self::Seq1mQ1t1Write => 1 << 20,
            Self::Rnd4kQ1t1Read | Self::Rnd4kQ1t1Write => 4096,
        }
    }

    /// Whether it writes.
    pub const fn writes(self) -> bool {
        matches!(self, Self::Seq1mQ1t1Write | Self::Rnd4kQ1t1Write)
    }

    /// Whether its places are random.
    pub const fn random(self) -> bool {
        matches!(self, Self::Rnd4kQ1t1Read | Self::Rnd4kQ1t1Write)
    }
}

/// How near to the drive the test came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Past the system's cache.
    Direct,
    /// Through the system's cache, emptied before each reading and flushed after each writing. The
    /// figures are those of the drive only roughly.
    Buffered,
    /// The folder lies in memory: these are no figures of a drive.
    Memory,
}

/// What was measured on a drive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Version of this structure: 1.
    pub version: u32,
    /// How near to the drive the test came.
    pub access: Access,
    /// Whether each block was also encrypted or decrypted by this program.
    pub encrypted: bool,
    /// Bytes of the test file. Less than was asked for where the drive is slow.
    pub file_size: u64,
    /// Bytes that were written in all.
    pub written: u64,
    /// Seconds that it took in all.
    pub seconds: f64,
    /// Each test.
    pub tests: Vec<TestFigure>,
}

impl Figures {
    /// The figure of one test.
    pub fn test(&self, test: Test) -> Option<&TestFigure> {
        self.tests.iter().find(|figure| figure.test == test)
    }
}

/// What one test gave. Rates are in bytes a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestFigure {
    /// Which test.
    #[serde(rename = "name")]
    pub test: Test,
    /// The median of the rounds.
    pub rate: f64,
    /// The slowest round.
    pub low: f64,
    /// The fastest round.
    pub high: f64,
    /// Each round, in the order in which they ran.
    pub rounds: Vec<f64>,
    /// How long a single block took.
    pub latency: Latency,
}

impl TestFigure {
    /// Of the rounds (at least one), and the nanoseconds of each single block.
    pub(crate) fn new(test: Test, rounds: Vec<f64>, mut nanoseconds: Vec<u64>) -> Self {
        let sorted = sorted(&rounds);
        nanoseconds.sort_unstable();
        Self {
            test,
            rate: median(&sorted),
            low: sorted.first().copied().unwrap_or_default(),
            high: sorted.last().copied().unwrap_or_default(),
            rounds,
            latency: Latency { p50_us: percentile(&nanoseconds, 50), p99_us: percentile(&nanoseconds, 99) },
        }
    }
}

/// How long a single block took, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Half of the blocks were faster.
    pub p50_us: f64,
    /// One of a hundred was slower.
    pub p99_us: f64,
}

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

/// The nearest rank of sorted nanoseconds, in microseconds; 0 if there are none.
fn percentile(sorted: &[u64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).map_or(0.0, |nanoseconds| *nanoseconds as f64 / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_in_json_are_those_of_the_catalogue() {
        for test in Test::ALL {
            assert_eq!(serde_json::to_value(test).unwrap(), test.name());
        }
    }

    #[test]
    fn median_low_high_and_percentiles() {
        let nanoseconds = (1..=200).map(|value| value * 1000).rev().collect();
        let figure = TestFigure::new(Test::Rnd4kQ1t1Read, vec![3.0, 1.0, 9.0, 5.0], nanoseconds);
        assert_eq!((figure.rate, figure.low, figure.high), (4.0, 1.0, 9.0));
        assert_eq!((figure.latency.p50_us, figure.latency.p99_us), (100.0, 198.0));
        assert_eq!(TestFigure::new(Test::Rnd4kQ1t1Read, vec![7.0], vec![1500]).latency.p99_us, 1.5);
    }

    #[test]
    fn figures_survive_being_stored() {
        let figures = Figures {
            version: 1,
            access: Access::Direct,
            encrypted: false,
            file_size: 1 << 26,
            written: 1 << 27,
            seconds: 6.0,
            tests: vec![TestFigure::new(Test::Seq1mQ1t1Write, vec![1.5, 2.5], vec![10, 20])],
        };
        let text = serde_json::to_string(&figures).unwrap();
        assert!(text.contains(r#""name":"seq1m-q1t1-write""#), "{text}");
        assert_eq!(serde_json::from_str::<Figures>(&text).unwrap(), figures);
    }
}
