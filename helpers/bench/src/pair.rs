//! Two ways to the same drive in one run, in turns: time, wear and temperature fall out.

use std::time::Duration;

use model::{Control, Meter, Sink, StepId, Unit};

use crate::compare::{Comparison, of_test};
use crate::costs::Silence;
use crate::disk::{LAYOUT_STEPS, Run, Stop};
use crate::statistics::is_narrow;
use crate::target::Target;
use crate::{DiskOptions, Layer, Test, TestFigure};

/// Reads two targets in turns, such as a device and the mapping that decrypts it: the strongest way to
/// see what encryption costs, since both are measured in the same minute. The first counts as "before".
///
/// # Errors
/// The first error of a target, or that it was stopped.
pub fn side_by_side(
    one: &mut dyn Target,
    other: &mut dyn Target,
    options: &DiskOptions,
    control: &Control,
    sink: &mut dyn Sink,
) -> Result<Vec<Comparison>, Stop> {
    let mut runs = [Run::reading(one, options.size, control), Run::reading(other, options.size, control)];
    // Both read the same drive: the second must not find in its cache what the first has just read.
    runs[1].begin_at(options.size / 2);
    let options = DiskOptions { tests: &Test::READS, ..*options };
    in_turns(&options, sink, &mut |side, test, time| {
        runs[side].check_stop()?;
        runs[side].turn(test, time, u64::MAX, &mut Silence).map(|turn| turn.rate)
    })
}

/// A setting that can be changed while the drive is in use.
pub trait Switch {
    /// Switches it on or off.
    ///
    /// # Errors
    /// As the system has them; then it is as it was.
    fn set(&mut self, on: bool) -> std::io::Result<()>;
}

/// What trying a setting out has shown.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TriedOut {
    /// Off (before) and on (after).
    pub comparisons: Vec<Comparison>,
    /// Whether it helps somewhere and hurts nowhere, and not by chance. It was left on then, and off
    /// otherwise.
    pub kept: bool,
}

/// What trying the kernel's two queues out has shown.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tuned {
    /// Version of this structure: 1.
    pub version: u32,
    /// Of `no_read_workqueue`.
    pub reads: TriedOut,
    /// Of `no_write_workqueue`. `None`: the volume is not mounted to be written with room enough, so nothing could be
    /// written to it without harm; the flag is as it was.
    pub writes: Option<TriedOut>,
}

/// Tries a setting out: on and off in turns, and kept only where it helps. If any of the tests writes, the target has
/// to be empty, and is laid out first.
///
/// # Errors
/// The first error of the target or the switch, or that it was stopped. The setting is off then.
pub fn try_out(
    target: &mut dyn Target,
    switch: &mut dyn Switch,
    options: &DiskOptions,
    control: &Control,
    sink: &mut dyn Sink,
) -> Result<TriedOut, Stop> {
    let mut run = Run::reading(target, options.file_size(), control);
    if options.tests.iter().any(|test| test.writes()) {
        run.size = 0;
        let mut silent = model::Silent;
        let mut meter = Meter::new(&mut silent, StepId::Benchmark, LAYOUT_STEPS, Unit::Steps);
        run.lay_out(options.file_size(), options.budget / 4, &mut meter)?;
    }
    let tried = in_turns(options, sink, &mut |side, test, time| {
        run.check_stop()?;
        switch.set(side == 1)?;
        let most = if test.writes() { options.most_written(test) } else { u64::MAX };
        run.turn(test, time, most, &mut Silence).map(|turn| turn.rate)
    });
    match tried {
        Ok(comparisons) => {
            let kept = crate::compare::overall(&comparisons) == crate::Change::Faster;
            switch.set(kept)?;
            Ok(TriedOut { comparisons, kept })
        }
        Err(stop) => {
            // Whatever went wrong, nothing stays that was only tried.
            let _ = switch.set(false);
            Err(stop)
        }
    }
}

/// One turn of a side: which, what, how long. Its rate.
type Turn<'a> = dyn FnMut(usize, Test, Duration) -> Result<f64, Stop> + 'a;

fn in_turns(options: &DiskOptions, sink: &mut dyn Sink, turn: &mut Turn<'_>) -> Result<Vec<Comparison>, Stop> {
    let tests = options.tests;
    let rounds = options.rounds.max(1) as usize;
    let turns = 2 * rounds * tests.len();
    let mut meter = Meter::new(sink, StepId::Benchmark, turns as u64, Unit::Steps);
    let time = options.budget / u32::try_from(turns).unwrap_or(u32::MAX);
    let mut rates = vec![[Vec::new(), Vec::new()]; tests.len()];
    let mut done = 0;
    for round in 0..rounds {
        for (index, test) in tests.iter().enumerate() {
            // Now one first, now the other.
            let first = (round + index) % 2;
            for side in [first, 1 - first] {
                rates[index][side].push(turn(side, *test, time)?);
                done += 1;
                meter.at(done);
            }
        }
        if options.until_narrow && rates.iter().flatten().all(|rates| is_narrow(rates)) {
            break;
        }
    }
    meter.at(turns as u64);
    let compared = tests.iter().zip(rates).map(|(test, [one, other])| {
        let figure = |rounds| TestFigure::new(*test, rounds, Vec::new());
        of_test(&figure(one), &figure(other), tests.len(), None)
    });
    Ok(compared.collect())
}

impl<'a> Run<'a> {
    fn reading(target: &'a mut dyn Target, size: u64, control: &'a Control) -> Self {
        let mut run = Self::new(target, Layer::Plain, control);
        run.size = size;
        run
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use model::Silent;

    use super::*;
    use crate::Change;
    use crate::simulated::{Nature, Simulated};

    fn options() -> DiskOptions {
        DiskOptions {
            size: 64 << 20,
            rounds: 12,
            budget: Duration::from_secs(2),
            until_narrow: false,
            tests: &Test::READS,
            ..DiskOptions::default()
        }
    }

    #[test]
    fn under_and_through() {
        let under = Nature { scatter: 0.02, ..Nature::default() };
        let through = Nature { read_latency: Duration::from_micros(130), ..under };
        let run = |under, through| {
            let (mut one, mut other) = (Simulated::new(under, 1), Simulated::new(through, 2));
            side_by_side(&mut one, &mut other, &options(), &Control::new(), &mut Silent).unwrap()
        };
        let compared = run(under, through);
        let small = compared.iter().find(|line| line.test == Test::Rnd4kQ1t1Read).unwrap();
        assert!(small.change == Change::Slower && (small.ratio - 102.0 / 132.0).abs() < 0.02, "{small:?}");
        let large = compared.iter().find(|line| line.test == Test::Seq1mQ8t1Read).unwrap();
        assert!(large.ratio > 0.95, "{large:?}");
    }

    /// A drive whose latency depends on a switch.
    struct Switched(Rc<Cell<bool>>, u32);

    impl Switch for Switched {
        fn set(&mut self, on: bool) -> std::io::Result<()> {
            self.1 += 1;
            if self.1 == 7 && self.0.get() {
                return Err(std::io::ErrorKind::PermissionDenied.into());
            }
            self.0.set(on);
            Ok(())
        }
    }

    /// The drive behind it.
    struct Behind {
        drives: [Simulated; 2],
        on: Rc<Cell<bool>>,
    }

    impl Behind {
        fn drive(&mut self) -> &mut Simulated {
            &mut self.drives[usize::from(self.on.get())]
        }
    }

    impl crate::Queue for Behind {
        fn prepare(&mut self, slots: usize, block: usize) -> std::io::Result<()> {
            self.drive().prepare(slots, block)
        }
        fn block(&mut self, slot: usize) -> &mut [u8] {
            self.drive().block(slot)
        }
        fn start(&mut self, slot: usize, way: crate::Way, offset: u64) -> std::io::Result<()> {
            self.drive().start(slot, way, offset)
        }
        fn wait(&mut self, done: &mut Vec<usize>) -> std::io::Result<()> {
            self.drive().wait(done)
        }
    }

    impl Target for Behind {
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
        fn forget(&mut self) {}
        fn access(&self) -> crate::Access {
            crate::Access::Direct
        }
        fn now(&self) -> Duration {
            self.drives[usize::from(self.on.get())].now()
        }
        fn keeps_data(&self) -> bool {
            false
        }
    }

    fn tried(on: u64, fails: bool, tests: &'static [Test]) -> (Result<TriedOut, Stop>, bool) {
        let nature = |us| {
            let latency = Duration::from_micros(us);
            Nature { read_latency: latency, write_latency: latency, scatter: 0.02, ..Nature::default() }
        };
        let state = Rc::new(Cell::new(false));
        let drives = [Simulated::new(nature(100), 3), Simulated::new(nature(on), 4)];
        let mut behind = Behind { drives, on: Rc::clone(&state) };
        let mut switch = Switched(Rc::clone(&state), if fails { 0 } else { 100 });
        let options = DiskOptions { tests, ..options() };
        let result = try_out(&mut behind, &mut switch, &options, &Control::new(), &mut Silent);
        (result, state.get())
    }

    #[test]
    fn what_helps_is_kept_and_what_does_not_is_not() {
        for (on, helps) in [(70, true), (100, false), (130, false)] {
            for tests in [&Test::READS, &Test::WRITES] {
                let (result, state) = tried(on, false, tests);
                let result = result.unwrap();
                assert_eq!((result.kept, state), (helps, helps), "{on}");
                let seen: Vec<Test> = result.comparisons.iter().map(|line| line.test).collect();
                assert_eq!(seen, tests.as_slice());
            }
        }
    }

    #[test]
    fn a_switch_that_fails_leaves_it_off() {
        let (result, state) = tried(70, true, &Test::READS);
        assert!(matches!(result, Err(Stop::Io(_))));
        assert!(!state);
    }
}
