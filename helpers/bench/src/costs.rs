//! What a turn costs beside time: the processor, and energy.

use std::path::PathBuf;
use std::time::Duration;

/// Counts from `begin` to `end`.
pub(crate) trait Costs {
    /// The turn begins.
    fn begin(&mut self);
    /// It has ended: processor time and joules. `None`: cannot be told.
    fn end(&mut self) -> (Option<Duration>, Option<f64>);
}

/// Counts nothing.
pub(crate) struct Silence;

impl Costs for Silence {
    fn begin(&mut self) {}

    fn end(&mut self) -> (Option<Duration>, Option<f64>) {
        (None, None)
    }
}

/// The counters of Linux: `/proc/stat`, and RAPL under `/sys/class/powercap`, which only an
/// administrator may read since Linux 5.10. Elsewhere there are none, and nothing is told.
///
/// The whole computer is counted: the kernel encrypts in threads that belong to nobody.
pub(crate) struct Counter {
    root: PathBuf,
    begun: Reading,
}

#[derive(Clone, Default)]
struct Reading {
    cpu: Option<Duration>,
    /// For each processor package: microjoules, and where its counter begins again.
    energy: Vec<(u64, u64)>,
}

impl Counter {
    pub(crate) fn new() -> Self {
        Self::under("/")
    }

    fn under(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), begun: Reading::default() }
    }

    fn read(&self) -> Reading {
        let text = |path: PathBuf| std::fs::read_to_string(path).ok();
        let cpu = text(self.root.join("proc/stat")).and_then(|stat| busy(&stat));
        let number = |path: PathBuf| text(path)?.trim().parse::<u64>().ok();
        let packages = std::fs::read_dir(self.root.join("sys/class/powercap")).into_iter().flatten().flatten();
        let mut packages: Vec<PathBuf> = packages
            .filter(|package| {
                let name = package.file_name();
                // `intel-rapl:0` is a package (of AMD, too); `intel-rapl:0:1` a part of it.
                name.to_str().and_then(|name| name.strip_prefix("intel-rapl:")).is_some_and(|rest| !rest.contains(':'))
            })
            .map(|package| package.path())
            .collect();
        packages.sort();
        let energy = packages.into_iter().filter_map(|package| {
            Some((number(package.join("energy_uj"))?, number(package.join("max_energy_range_uj"))?))
        });
        Reading { cpu, energy: energy.collect() }
    }
}

impl Costs for Counter {
    fn begin(&mut self) {
        self.begun = self.read();
    }

    fn end(&mut self) -> (Option<Duration>, Option<f64>) {
        let now = self.read();
        let cpu = now.cpu.zip(self.begun.cpu).map(|(now, begun)| now.saturating_sub(begun));
        let joules = (!now.energy.is_empty() && now.energy.len() == self.begun.energy.len()).then(|| {
            let each = now.energy.iter().zip(&self.begun.energy).map(|((now, range), (begun, _))| {
                now.checked_sub(*begun).unwrap_or_else(|| (range + now).saturating_sub(*begun))
            });
            each.sum::<u64>() as f64 / 1e6
        });
        (cpu, joules)
    }
}

/// Time that all cores together were busy, of the first line of `/proc/stat` (`proc(5)`): user, nice,
/// system, idle, iowait, irq, softirq, in hundredths of a second.
pub(crate) fn busy(stat: &str) -> Option<Duration> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let ticks: Vec<u64> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
    let busy: u64 = [0, 1, 2, 5, 6].iter().filter_map(|index| ticks.get(*index)).sum();
    (ticks.len() >= 7).then(|| Duration::from_millis(busy * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_computer_is_counted() {
        let root = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let mut counter = Counter::under(root.path());
        counter.begin();
        assert_eq!(counter.end(), (None, None));
        put("proc/stat", "cpu  100 0 50 9000 10 1 2 7 0 0\ncpu0 1 2 3\n");
        for (package, energy) in [("intel-rapl:0", "1000000"), ("intel-rapl:1", "9000000"), ("intel-rapl:0:0", "5")] {
            put(&format!("sys/class/powercap/{package}/energy_uj"), energy);
            put(&format!("sys/class/powercap/{package}/max_energy_range_uj"), "10000000\n");
        }
        counter.begin();
        put("proc/stat", "cpu  140 0 60 9900 10 1 3 7 0 0\n");
        put("sys/class/powercap/intel-rapl:0/energy_uj", "3000000\n");
        // This one began again.
        put("sys/class/powercap/intel-rapl:1/energy_uj", "500000\n");
        assert_eq!(counter.end(), (Some(Duration::from_millis(510)), Some(3.5)));
    }

    #[test]
    fn nonsense_is_not_counted() {
        for text in ["", "cpu", "cpu 1 2", "intr 5"] {
            assert_eq!(busy(text), None);
        }
    }
}
