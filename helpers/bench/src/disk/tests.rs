use model::{Progress, Silent};

use super::*;
use crate::simulated::{Nature, Simulated};
use crate::{Change, Comparison, Queue, compare};

fn quick() -> DiskOptions {
    DiskOptions {
        size: 16 * MIB,
        rounds: 10,
        budget: Duration::from_secs(4),
        writes: 64 * MIB,
        until_narrow: false,
        ..DiskOptions::default()
    }
}

fn figures(nature: Nature, options: &DiskOptions, seed: u64) -> Figures {
    measure(&mut Simulated::new(nature, seed), options, &Control::new(), &mut Silent).unwrap()
}

/// Latency and transfer of the simulated drive give what each test has to come to.
#[test]
fn a_drive_of_known_speed_is_measured_right() {
    let options = DiskOptions { tests: &Test::ALL, ..quick() };
    let figures = figures(Nature::default(), &options, 1);
    let transfer = |block: f64| block / 2e9 * 1e6;
    let expected = |test: Test| {
        let block = test.block() as f64;
        let latency = if test.writes() { 20.0 } else { 100.0 };
        // As many as are on their way share the waiting, but not the way itself.
        let us = ((latency + transfer(block)) / test.depth() as f64).max(transfer(block));
        block / us * 1e6
    };
    for figure in &figures.tests {
        let expected = expected(figure.test);
        let off = figure.rate / expected - 1.0;
        println!("{}: {:.0} MB/s, expected {:.0}", figure.test.name(), figure.rate / 1e6, expected / 1e6);
        assert!(off.abs() < 0.08, "{} is {off} off", figure.test.name());
        assert_eq!(figure.rounds.len(), 10);
    }
    let access = figures.test(Test::Rnd4kQ1t1Read).unwrap().latency;
    assert!((access.p50_us - 102.0).abs() < 1.0 && (access.p99_us - 102.0).abs() < 1.0, "{access:?}");
    assert!((100..=DOTS).contains(&figures.dots.len()));
    assert!(figures.dots.iter().all(|dot| (0.0..1.0).contains(&dot.place)));
    assert!(figures.seconds < 5.0, "{}", figures.seconds);
}

/// A cache that swallows small writes at once shows up in them, and not in reading.
#[test]
fn a_writing_cache_is_seen_and_its_flush_is_counted() {
    let cached = figures(Nature { cache: 64 << 10, ..Nature::default() }, &quick(), 1);
    let plain = figures(Nature::default(), &quick(), 1);
    let rate = |figures: &Figures, test| figures.test(test).unwrap().rate;
    assert!(rate(&cached, Test::Rnd4kQ1t1Write) > 1.05 * rate(&plain, Test::Rnd4kQ1t1Write));
    let reading = rate(&cached, Test::Rnd4kQ1t1Read) / rate(&plain, Test::Rnd4kQ1t1Read);
    assert!((reading - 1.0).abs() < 0.01, "{reading}");
}

/// A drive that gets hot in the middle meets all tests alike, and its interval is wide.
#[test]
fn throttling_makes_wide_intervals_and_no_false_words() {
    // About in the middle of the run.
    let hot = Nature { hot_after: 2 * GIB, hot: 0.5, scatter: 0.01, ..Nature::default() };
    let compared = compare(&figures(hot, &quick(), 1), &figures(hot, &quick(), 2));
    for line in &compared.comparisons {
        assert_eq!(line.change, Change::Same, "{line:?}");
    }
    let widest = compared.comparisons.iter().map(|line| line.ratio_high - line.ratio_low).fold(0.0, f64::max);
    assert!(widest > 0.2, "{widest}");
}

/// One test of a thousand pairs of runs.
fn pairs(count: u64, rounds: u32, scatter: f64, loss: f64) -> Vec<Comparison> {
    let options = DiskOptions { tests: &[Test::Rnd4kQ1t1Read], rounds, budget: Duration::from_millis(40), ..quick() };
    let before = Nature { scatter, ..Nature::default() };
    let after = Nature { read_latency: before.read_latency.mul_f64(1.0 / (1.0 - loss)), ..before };
    let compared = |pair: u64| {
        let (one, other) = (figures(before, &options, 2 * pair), figures(after, &options, 2 * pair + 1));
        compare(&one, &other).comparisons[0].clone()
    };
    (0..count).map(compared).collect()
}

#[test]
fn false_alarms_are_rare_in_a_thousand_pairs() {
    for (rounds, scatter) in [(5, 0.03), (12, 0.03), (12, 0.10)] {
        let pairs = pairs(1000, rounds, scatter, 0.0);
        let alarms = pairs.iter().filter(|pair| pair.change != Change::Same).count();
        println!("{rounds} rounds, scatter {scatter}: {alarms} of 1000 pairs raised a false alarm");
        assert!(alarms <= 50, "{alarms}");
    }
}

#[test]
fn a_true_loss_of_five_percent_is_found() {
    let pairs = pairs(200, 12, 0.02, 0.05);
    let found = pairs.iter().filter(|pair| pair.change == Change::Slower).count();
    let holding = pairs.iter().filter(|pair| (pair.ratio_low..=pair.ratio_high).contains(&0.951)).count();
    println!("found {found} of 200; the interval held the truth {holding} times");
    assert!(found >= 190, "{found}");
    assert!(holding >= 184, "{holding}");
}

#[test]
fn it_ends_when_it_is_sure_enough() {
    let narrow = DiskOptions { until_narrow: true, ..quick() };
    let calm = figures(Nature { scatter: 0.005, ..Nature::default() }, &narrow, 1);
    assert_eq!(calm.tests[0].rounds.len(), 5);
    let wild = figures(Nature { scatter: 0.3, ..Nature::default() }, &narrow, 1);
    assert_eq!(wild.tests[0].rounds.len(), 10);
}

#[test]
fn a_slow_drive_gets_a_smaller_file_and_keeps_the_time() {
    let slow = Nature { rate: 5e6, read_latency: Duration::from_millis(12), ..Nature::default() };
    let figures = figures(slow, &DiskOptions { size: 512 * MIB, ..quick() }, 1);
    assert!(figures.file_size < 64 * MIB, "{}", figures.file_size);
    assert!(figures.seconds < 120.0, "{}", figures.seconds);
}

#[test]
fn never_writes_more_than_it_said() {
    for size in [MIB, 3 * MIB, 16 * MIB] {
        let options = DiskOptions { size, tests: &Test::ALL, ..quick() };
        let figures = figures(Nature::default(), &options, 1);
        assert!(figures.written <= options.will_write(), "{size}");
    }
    assert!(DiskOptions::default().will_write() < 600 * MIB);
    assert!(DiskOptions::of(Form::Quick).will_write() <= 4 * GIB + MIB * 256);
    assert_eq!(DiskOptions::of(Form::ReadOnly).will_write(), 0);
}

#[test]
fn reading_only_writes_nothing() {
    let options = DiskOptions { budget: Duration::from_secs(2), ..DiskOptions::of(Form::ReadOnly) };
    // Its first write would fail.
    let figures = figures(Nature { good: (0, 5), ..Nature::default() }, &options, 1);
    assert_eq!((figures.written, figures.tests.len()), (0, 4));
}

#[test]
fn a_fault_or_a_full_drive_in_the_middle_ends_it() {
    for (good, error) in [(2, 5), (2, 28), (40, 28)] {
        let mut drive = Simulated::new(Nature { good: (good, error), ..Nature::default() }, 1);
        let stop = measure(&mut drive, &quick(), &Control::new(), &mut Silent).unwrap_err();
        assert!(matches!(&stop, Stop::Io(cause) if cause.raw_os_error() == Some(error)), "{stop:?}");
    }
}

#[test]
fn a_pause_waits_and_a_stop_ends() {
    let control = Control::new();
    let (mut last, mut paused) = (0, 0);
    let switch = control.clone();
    let mut sink = |progress: &Progress| {
        assert_eq!(progress.unit, Unit::Steps);
        last = progress.done;
        if progress.paused {
            paused += 1;
            let switch = switch.clone();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(50));
                switch.resume();
            });
        } else if progress.done > LAYOUT_STEPS && paused == 0 {
            switch.pause();
        } else if paused == 1 && progress.done < progress.total {
            switch.stop();
        }
    };
    // Real time: a meter speaks five times a second.
    let folder = tempfile::tempdir().unwrap();
    let mut file = TestFile::new(folder.path()).unwrap();
    let options = DiskOptions { budget: Duration::from_secs(8), ..quick() };
    let stop = measure(&mut file, &options, &control, &mut sink).unwrap_err();
    assert!(matches!(stop, Stop::Asked));
    assert_eq!(paused, 1);
    assert!(last < LAYOUT_STEPS + 24, "{last}");
}

#[test]
fn progress_ends_at_the_end() {
    for until_narrow in [false, true] {
        let mut last = None;
        let mut sink = |progress: &Progress| last = Some((progress.done, progress.total));
        let options = DiskOptions { until_narrow, ..quick() };
        let mut drive = Simulated::new(Nature::default(), 1);
        measure(&mut drive, &options, &Control::new(), &mut sink).unwrap();
        let (done, total) = last.unwrap();
        assert_eq!(done, total);
    }
}

#[test]
fn a_real_file_has_new_data_that_cannot_be_compressed() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = TestFile::new(folder.path()).unwrap();
    let control = Control::new();
    let mut sink = Silent;
    let mut meter = Meter::new(&mut sink, StepId::Benchmark, 4, Unit::Steps);
    let mut run = Run::new(&mut file, Layer::Plain, &control);
    run.lay_out(4 * MIB, Duration::MAX, &mut meter).unwrap();
    run.turn(Test::Rnd4kQ32t1Write, Duration::MAX, MIB, &mut Silence).unwrap();
    let mut blocks = Vec::new();
    for block in 0..4 * MIB / 4096 {
        file.prepare(1, 4096).unwrap();
        file.start(0, Way::Read, block * 4096).unwrap();
        let mut done = Vec::new();
        file.wait(&mut done).unwrap();
        blocks.push(file.block(0).to_vec());
    }
    let mut counts = [0_u32; 256];
    blocks.iter().flatten().for_each(|byte| counts[usize::from(*byte)] += 1);
    assert!(counts.iter().all(|count| (15_000..18_000).contains(count)), "{counts:?}");
    let all = blocks.len();
    blocks.sort_unstable();
    blocks.dedup();
    assert_eq!(blocks.len(), all);
}

#[test]
fn the_encrypted_layer_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = TestFile::new(folder.path()).unwrap();
    let options = DiskOptions { layer: Layer::Encrypted, budget: Duration::from_millis(500), rounds: 3, ..quick() };
    let figures = measure(&mut file, &options, &Control::new(), &mut Silent).unwrap();
    assert!(figures.encrypted);
}
