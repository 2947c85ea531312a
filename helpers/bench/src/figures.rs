use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Conditions;
use crate::predict::Prediction;
use crate::statistics::{median, sorted};

/// Declares the tests once: variant, name, bytes of a block, queue depth, random, writes.
macro_rules! tests {
    ($($(#[$doc:meta])* $test:ident = $name:literal, $block:expr, $depth:literal, $random:literal, $writes:literal;)*) => {
        /// One of the tests, by the name that CrystalDiskMark gave it: block size, queue depth, threads.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
        #[non_exhaustive]
        pub enum Test { $($(#[$doc])* #[serde(rename = $name)] $test,)* }

        impl Test {
            /// Its name; with `bench-` before it, its key in the catalogue.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$test => $name,)* }
            }

            /// Bytes of a block.
            pub const fn block(self) -> usize {
                match self { $(Self::$test => $block,)* }
            }

            /// Blocks that are on their way at once.
            pub const fn depth(self) -> usize {
                match self { $(Self::$test => $depth,)* }
            }

            /// Whether its places are random.
            pub const fn random(self) -> bool {
                match self { $(Self::$test => $random,)* }
            }

            /// Whether it writes.
            pub const fn writes(self) -> bool {
                match self { $(Self::$test => $writes,)* }
            }
        }
    };
}

const SEQ: usize = 1 << 20;
const RND: usize = 4096;

tests! {
    /// Blocks of 1 MiB one after another, eight at a time, read.
    Seq1mQ8t1Read = "seq1m-q8t1-read", SEQ, 8, false, false;
    /// The same, written.
    Seq1mQ8t1Write = "seq1m-q8t1-write", SEQ, 8, false, true;
    /// Blocks of 1 MiB one after another, one at a time, read.
    Seq1mQ1t1Read = "seq1m-q1t1-read", SEQ, 1, false, false;
    /// The same, written.
    Seq1mQ1t1Write = "seq1m-q1t1-write", SEQ, 1, false, true;
    /// Blocks of 4 KiB at random places, 32 at a time, read.
    Rnd4kQ32t1Read = "rnd4k-q32t1-read", RND, 32, true, false;
    /// The same, written.
    Rnd4kQ32t1Write = "rnd4k-q32t1-write", RND, 32, true, true;
    /// Blocks of 4 KiB at random places, one at a time, read: the access time.
    Rnd4kQ1t1Read = "rnd4k-q1t1-read", RND, 1, true, false;
    /// The same, written.
    Rnd4kQ1t1Write = "rnd4k-q1t1-write", RND, 1, true, true;
    /// Blocks of 4 KiB at random places of the whole test file (up to 8 GiB), 32 at a time, written.
    Rnd4kQ32t1WriteWide = "rnd4k-q32t1-write-wide", RND, 32, true, true;
    /// As [`Test::Seq1mQ8t1Write`], with data that can be compressed: a drive that is faster here
    /// compresses, and encrypted data cannot be.
    Seq1mQ8t1WriteSoft = "seq1m-q8t1-write-soft", SEQ, 8, false, true;
}

impl Test {
    /// The eight of CrystalDiskMark, in the order in which they are shown.
    pub const EIGHT: [Self; 8] = [
        Self::Seq1mQ8t1Read,
        Self::Seq1mQ8t1Write,
        Self::Seq1mQ1t1Read,
        Self::Seq1mQ1t1Write,
        Self::Rnd4kQ32t1Read,
        Self::Rnd4kQ32t1Write,
        Self::Rnd4kQ1t1Read,
        Self::Rnd4kQ1t1Write,
    ];

    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Seq1mQ8t1Read,
        Self::Seq1mQ8t1Write,
        Self::Seq1mQ1t1Read,
        Self::Seq1mQ1t1Write,
        Self::Rnd4kQ32t1Read,
        Self::Rnd4kQ32t1Write,
        Self::Rnd4kQ1t1Read,
        Self::Rnd4kQ1t1Write,
        Self::Rnd4kQ32t1WriteWide,
        Self::Seq1mQ8t1WriteSoft,
    ];

    /// Those that do not write.
    pub const READS: [Self; 4] = [Self::Seq1mQ8t1Read, Self::Seq1mQ1t1Read, Self::Rnd4kQ32t1Read, Self::Rnd4kQ1t1Read];

    /// Those of the eight that write.
    pub const WRITES: [Self; 4] =
        [Self::Seq1mQ8t1Write, Self::Seq1mQ1t1Write, Self::Rnd4kQ32t1Write, Self::Rnd4kQ1t1Write];

    /// Whether its data can be compressed. All others cannot.
    pub const fn soft(self) -> bool {
        matches!(self, Self::Seq1mQ8t1WriteSoft)
    }

    /// Whether it goes over the whole file, and not over its first GiB as CrystalDiskMark does it.
    pub const fn wide(self) -> bool {
        matches!(self, Self::Rnd4kQ32t1WriteWide)
    }
}

/// How near to the drive the test came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
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

/// What was measured on a drive: the report that is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Figures {
    /// Version of this structure: 2. Version 1 had four tests, and none of the fields with a default.
    pub version: u32,
    /// How near to the drive the test came.
    pub access: Access,
    /// Whether each block was also encrypted or decrypted by this program.
    pub encrypted: bool,
    /// Bytes of the test file. Less than was asked for where the drive is slow.
    #[ts(type = "number")]
    pub file_size: u64,
    /// Bytes that were written in all.
    #[ts(type = "number")]
    pub written: u64,
    /// Seconds that it took in all.
    pub seconds: f64,
    /// Each test.
    pub tests: Vec<TestFigure>,
    /// What it was measured under.
    #[serde(default)]
    pub conditions: Conditions,
    /// Single blocks of [`Test::Rnd4kQ1t1Read`]: where, and how long it took.
    #[serde(default)]
    pub dots: Vec<Dot>,
    /// Reading speed over the drive's length, below the file system. Empty: it was not asked for, or
    /// the right was missing.
    #[serde(default)]
    pub curve: Vec<CurvePoint>,
    /// AES-XTS on this processor, bytes a second on one core, if that was measured in the same run.
    #[serde(default)]
    pub cipher_rate: Option<f64>,
    /// What encryption was expected to cost, said before it was done.
    #[serde(default)]
    pub prediction: Option<Prediction>,
}

impl Figures {
    /// The figure of one test.
    pub fn test(&self, test: Test) -> Option<&TestFigure> {
        self.tests.iter().find(|figure| figure.test == test)
    }
}

/// A place on the drive, and the speed there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CurvePoint {
    /// From 0 (the drive's beginning) to 1 (its end).
    pub place: f64,
    /// Bytes a second.
    pub rate: f64,
}

/// One access.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Dot {
    /// From 0 (beginning) to 1 (end) of the test file, or of the drive if the curve was measured.
    pub place: f64,
    /// Microseconds.
    pub us: f64,
}

/// What one test gave. Rates are in bytes a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
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
    /// Seconds of processor time for each GiB, of the whole computer (the kernel encrypts in threads of
    /// its own), without the making of the data. `None`: cannot be told here.
    #[serde(default)]
    pub cpu_seconds_per_gib: Option<f64>,
    /// Joules of the processor (RAPL) for each GiB. `None`: cannot be read here.
    #[serde(default)]
    pub joules_per_gib: Option<f64>,
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
            cpu_seconds_per_gib: None,
            joules_per_gib: None,
        }
    }

    /// Blocks a second.
    pub fn iops(&self) -> f64 {
        self.rate / self.test.block() as f64
    }
}

/// How long a single block took, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Latency {
    /// Half of the blocks were faster.
    pub p50_us: f64,
    /// One of a hundred was slower.
    pub p99_us: f64,
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
        assert_eq!(Test::EIGHT, Test::ALL[..8]);
        assert!(Test::READS.iter().all(|test| !test.writes()));
        assert!(Test::WRITES.iter().all(|test| test.writes()));
        assert!(Test::EIGHT.iter().all(|test| Test::READS.contains(test) != Test::WRITES.contains(test)));
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
        let figures = crate::figures_for_tests(&[1.5, 2.5]);
        let text = serde_json::to_string(&figures).unwrap();
        assert!(text.contains(r#""name":"seq1m-q1t1-read""#), "{text}");
        assert_eq!(serde_json::from_str::<Figures>(&text).unwrap(), figures);
    }

    #[test]
    fn figures_of_the_first_version_are_still_read() {
        let old = r#"{"version":1,"access":"direct","encrypted":false,"file_size":67108864,"written":1,"seconds":6.0,
            "tests":[{"name":"rnd4k-q1t1-read","rate":1.0,"low":1.0,"high":1.0,"rounds":[1.0],
                      "latency":{"p50_us":1.0,"p99_us":2.0}}]}"#;
        let figures: Figures = serde_json::from_str(old).unwrap();
        assert_eq!(figures.tests[0].test, Test::Rnd4kQ1t1Read);
        assert!(figures.curve.is_empty() && figures.conditions.when.is_none());
    }
}
