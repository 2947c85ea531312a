//! `cargo xtask bench disk`: ours beside `fio` in one run, on the same file, with the same block size and
//! depth, in turns; the medians, and one line `ratio fio TEST VALUE` each (above 1: ours is faster).
//!
//! Ours makes the data of each block anew, and that costs its figure no time while nothing is on its way.
//! `fio` has it cost time (`refill_buffers`: a third less at SEQ1M Q1T1), so it changes a few bytes only
//! (`scramble_buffers`, its default): then both say what the drive takes.
//!
//! `fio` has two turns in each round, and `fio against fio` says how much the drive itself wanders: where
//! that is much, there are more rounds, and no ratio can be known better than that.
//!
//! To reach: each of the eight within 10 %, and RND4K Q32T1 on a loop device in memory, where the engine
//! itself is what costs, at least 0.95 of fio's.
//!
//! `LATCHKEY_BENCH_FOLDER` names another folder than `/var/tmp` for the test file, `LATCHKEY_BENCH_MIB` another size
//! than 1024 MiB: `cargo xtask bench disk-guest` runs the same in a guest, where a drive is small, and there
//! `LATCHKEY_BENCH_TESTS` chooses tests.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("left out: fio is compared with on Linux");
}

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::path::{Path, PathBuf};
    use std::process::Command;
    use std::time::Duration;

    use bench::{Test, TestFile, once};

    /// At least, and at most where the drive wanders.
    const ROUNDS: (usize, usize) = (7, 21);
    /// What `fio` against itself may differ by, to end early.
    const STEADY: f64 = 0.03;
    const TIME: Duration = Duration::from_secs(1);

    pub fn main() {
        // `cargo test --benches` only wants to know that it starts; `cargo bench` says that it is one.
        if !std::env::args().any(|argument| argument == "--bench") {
            return;
        }
        let folder = std::env::var_os("LATCHKEY_BENCH_FOLDER").map_or_else(|| PathBuf::from("/var/tmp"), PathBuf::from);
        let folder = tempfile::tempdir_in(folder).unwrap();
        let path = folder.path().join("file");
        let mib = std::env::var("LATCHKEY_BENCH_MIB").map_or(1024, |mib| mib.parse().unwrap());
        let size = mib << 20;
        // Laid out before either of them measures.
        fill(&path, size);
        let (least, most) = ROUNDS;
        println!("{least} to {most} rounds of {} s each in turns, a file of {} MiB", TIME.as_secs(), mib);
        // The words after `--` choose tests by their names, as for every benchmark of cargo's.
        let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
        let is_asked = |test: &Test| asked.is_empty() || asked.iter().any(|word| test.name().contains(word.as_str()));
        for test in Test::EIGHT.into_iter().filter(is_asked) {
            let ratio = compare(test.name(), test, &path, size);
            let word = if (ratio - 1.0).abs() <= 0.1 { "within 10 %" } else { "NOT within 10 %" };
            println!("{}: {word}", test.name());
        }
        match Loop::new(512 << 20) {
            Some(device) => {
                let ratio = compare("rnd4k-q32t1-read-memory", Test::Rnd4kQ32t1Read, &device.path, 512 << 20);
                println!("engine: {:.2} of fio's, to reach: 0.95", ratio);
            }
            None => println!("left out: a loop device in memory needs root, losetup and /dev/shm"),
        }
    }

    /// Ours divided by fio's.
    fn compare(name: &str, test: Test, path: &Path, size: u64) -> f64 {
        let (mut ours, mut theirs) = (Vec::new(), [Vec::new(), Vec::new()]);
        let steady = |[one, other]: &[Vec<f64>; 2]| (median(one) / median(other) - 1.0).abs() <= STEADY;
        for round in 0..ROUNDS.1 {
            for turn in 0..3 {
                match (round + turn) % 3 {
                    0 => ours.push(of_ours(test, path, size)),
                    side => theirs[side - 1].push(of_fio(test, path, size)),
                }
            }
            if round + 1 >= ROUNDS.0 && steady(&theirs) {
                break;
            }
        }
        let against_itself = median(&theirs[0]) / median(&theirs[1]);
        let (mine, peer) = (median(&ours), median(&theirs.concat()));
        let iops = |rate: f64| rate / test.block() as f64;
        println!(
            "{name}: ours {:.1} MB/s ({:.0} IOPS), fio {:.1} MB/s ({:.0} IOPS), {} rounds, fio against fio {:.3}",
            mine / 1e6,
            iops(mine),
            peer / 1e6,
            iops(peer),
            ours.len(),
            against_itself
        );
        println!("ratio fio {name} {:.3}", mine / peer);
        mine / peer
    }

    fn of_ours(test: Test, path: &Path, size: u64) -> f64 {
        let opened = if test.writes() { TestFile::overwriting(path) } else { TestFile::existing(path) };
        once(&mut opened.unwrap(), test, size, TIME).unwrap()
    }

    fn of_fio(test: Test, path: &Path, size: u64) -> f64 {
        let way = match (test.random(), test.writes()) {
            (false, false) => "read",
            (false, true) => "write",
            (true, false) => "randread",
            (true, true) => "randwrite",
        };
        let output = Command::new("fio")
            .args([
                "--name=peer",
                "--ioengine=io_uring",
                "--direct=1",
                "--time_based",
                "--norandommap",
                "--randrepeat=0",
            ])
            .args(["--overwrite=1", "--fallocate=none", "--output-format=json"])
            .arg(format!("--filename={}", path.display()))
            .arg(format!("--size={size}"))
            .arg(format!("--bs={}", test.block()))
            .arg(format!("--iodepth={}", test.depth()))
            .arg(format!("--rw={way}"))
            .arg(format!("--runtime={}", TIME.as_secs()))
            .arg(format!("--end_fsync={}", u8::from(test.writes())))
            .output()
            .expect("fio is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let side = &json["jobs"][0][if test.writes() { "write" } else { "read" }];
        side["io_bytes"].as_f64().unwrap() / side["runtime"].as_f64().unwrap() * 1e3
    }

    fn median(values: &[f64]) -> f64 {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    }

    fn fill(path: &Path, size: u64) {
        use std::io::Write;

        let mut file = std::fs::File::create(path).unwrap();
        let mut block = vec![0; 1 << 20];
        for _ in 0..size >> 20 {
            fastrand::fill(&mut block);
            file.write_all(&block).unwrap();
        }
        file.sync_all().unwrap();
    }

    /// A loop device over a file in memory, gone afterwards.
    struct Loop {
        path: PathBuf,
        _folder: tempfile::TempDir,
    }

    impl Loop {
        fn new(size: u64) -> Option<Self> {
            let folder = tempfile::tempdir_in("/dev/shm").ok()?;
            let file = folder.path().join("file");
            fill(&file, size);
            let output = Command::new("losetup").args(["--find", "--show", "--read-only"]).arg(&file).output().ok()?;
            let path = output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())?;
            Some(Self { path: path.into(), _folder: folder })
        }
    }

    impl Drop for Loop {
        fn drop(&mut self) {
            let _ = Command::new("losetup").arg("--detach").arg(&self.path).status();
        }
    }
}
