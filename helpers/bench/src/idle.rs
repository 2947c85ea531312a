//! Before it is measured: until nobody else keeps drive and processor busy.

use std::path::Path;
use std::time::{Duration, Instant};

use model::{Control, Signal};

use crate::costs::busy;

/// What is looked at at once.
const WINDOW: Duration = Duration::from_millis(500);
/// Part of all cores that may be busy; ourselves, a mouse, a clock.
const PROCESSOR: f64 = 0.2;
/// Sectors of 512 bytes that may pass in a window: 1 MiB a second.
const SECTORS: u64 = 1024;

/// Waits until both have been idle for a moment, `most` at most. Whether they were; `None`: it cannot be told
/// here. A disk that is not known is not looked at. Ends early when it is asked to stop.
pub(crate) fn wait(root: &Path, disk: Option<&str>, most: Duration, control: &Control) -> Option<bool> {
    let begun = Instant::now();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut before = Look::at(root, disk)?;
    while begun.elapsed() < most && control.signal() != Signal::Stop {
        std::thread::sleep(WINDOW);
        let now = Look::at(root, disk)?;
        if now.is_idle_since(&before, cores) {
            return Some(true);
        }
        before = now;
    }
    (!most.is_zero()).then_some(false)
}

/// Counters of the kernel.
struct Look {
    busy: Duration,
    /// Read and written.
    sectors: Option<u64>,
}

impl Look {
    fn at(root: &Path, disk: Option<&str>) -> Option<Self> {
        let text = |path: &str| std::fs::read_to_string(root.join(path)).ok();
        let name = disk.and_then(|disk| Path::new(disk).file_name()?.to_str());
        let stat = name.and_then(|name| text(&format!("sys/block/{name}/stat")));
        Some(Self { busy: busy(&text("proc/stat")?)?, sectors: stat.and_then(|stat| sectors(&stat)) })
    }

    fn is_idle_since(&self, before: &Self, cores: usize) -> bool {
        let busy = self.busy.saturating_sub(before.busy).as_secs_f64();
        let moved = self.sectors.zip(before.sectors).map_or(0, |(now, before)| now.saturating_sub(before));
        busy <= PROCESSOR * WINDOW.as_secs_f64() * cores as f64 && moved <= SECTORS
    }
}

/// The third and the seventh number of `/sys/block/*/stat` (the kernel's `Documentation/block/stat.rst`).
fn sectors(stat: &str) -> Option<u64> {
    let numbers: Vec<u64> = stat.split_whitespace().map_while(|word| word.parse().ok()).collect();
    numbers.get(2)?.checked_add(*numbers.get(6)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: &str = "cpu  100 0 50 9000 10 1 2 7 0 0\n";

    fn computer(disk: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("proc")).unwrap();
        std::fs::create_dir_all(root.path().join("sys/block/sda")).unwrap();
        std::fs::write(root.path().join("proc/stat"), QUIET).unwrap();
        std::fs::write(root.path().join("sys/block/sda/stat"), disk).unwrap();
        root
    }

    fn look(disk: &str, stat: &str) -> Look {
        let root = computer(disk);
        std::fs::write(root.path().join("proc/stat"), stat).unwrap();
        Look::at(root.path(), Some("/dev/sda")).unwrap()
    }

    #[test]
    fn an_idle_computer_is_not_waited_for_long() {
        let root = computer("5 0 100 1 6 0 200 1 0 1 1");
        let begun = Instant::now();
        let most = Duration::from_mins(1);
        assert_eq!(wait(root.path(), Some("/dev/sda"), most, &Control::new()), Some(true));
        assert!(begun.elapsed() < most / 2);
        // What cannot be seen is not claimed, and no wait asked for is no answer.
        assert_eq!(wait(Path::new("/no/such/root"), None, most, &Control::new()), None);
        assert_eq!(wait(root.path(), None, Duration::ZERO, &Control::new()), None);
    }

    #[test]
    fn a_busy_drive_and_a_busy_processor_are_seen() {
        let before = look("5 0 100 1 6 0 200 1 0 1 1", QUIET);
        let little = look("6 0 108 1 6 0 200 1 0 1 1", QUIET);
        let reading = look("9 0 9000 1 6 0 200 1 0 1 1", QUIET);
        let writing = look("5 0 100 1 6 0 9000 1 0 1 1", QUIET);
        let working = look("5 0 100 1 6 0 200 1 0 1 1", "cpu  150 0 50 9000 10 1 2 7 0 0\n");
        let idle = [&little, &reading, &writing, &working].map(|now| now.is_idle_since(&before, 2));
        assert_eq!(idle, [true, false, false, false]);
        assert_eq!(sectors("nonsense"), None);
    }
}
