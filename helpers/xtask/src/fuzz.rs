//! `cargo xtask fuzz`: hostile bytes for every parser, by the targets of `tests/fuzz`.
//!
//! They are built by `cargo fuzz` without a sanitizer, so that the stable toolchain is enough: there is
//! hardly any unsafe code to be found wanting, and a panic is seen without one. Everything that is built
//! or found lies in the cache folder. By hand, with the address sanitizer of a nightly toolchain:
//! `cargo +nightly fuzz run --fuzz-dir tests/fuzz TARGET`.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::command::{self, Trouble, answer, cargo};
use crate::packages::{self, Need};
use crate::stages::Done;
use crate::suite::{self, Tier};
use crate::{files, places};

/// Longer inputs are not tried: every format shows all that it has in less.
const MOST_BYTES: &str = "-max_len=65536";
/// An input that takes longer is a finding. Generous, because others work on the same computer.
const MOST_SECONDS: &str = "-timeout=30";
const MOST_MEMORY: &str = "-rss_limit_mb=2048";

/// `[--seconds N] [--again FILE] [TARGET...]`: each target (all, if none is named) for N seconds, 60 if
/// nothing is said; or one target on the input in FILE. What was learnt is kept for the next time.
///
/// # Errors
/// A word that is not known, something that cannot be built, or a finding.
pub fn run(options: &[&str]) -> Result<(), Trouble> {
    let (mut seconds, mut again, mut named) = (60, None, Vec::new());
    let mut words = options.iter();
    while let Some(word) = words.next() {
        match *word {
            "--seconds" => {
                let number = words.next().and_then(|number| number.parse().ok());
                seconds = number.ok_or_else(|| Trouble::Because("`--seconds` needs a number".into()))?;
            }
            "--again" => {
                let file = words.next().ok_or_else(|| Trouble::Because("`--again` needs a file".into()))?;
                again = Some(std::path::absolute(file).unwrap_or_else(|_| file.into()));
            }
            target => named.push(target.to_owned()),
        }
    }
    let all = targets()?;
    if let Some(unknown) = named.iter().find(|name| !all.contains(name)) {
        return Err(Trouble::Because(format!("`{unknown}` is no target. There are: {}", all.join(", "))));
    }
    packages::install(&[Need::Build, Need::FileSystems])?;
    let folder = build(&fuzzer()?)?;
    match again {
        None => all_of(&folder, if named.is_empty() { all } else { named }, seconds, Corpus::Kept),
        Some(file) => match &named[..] {
            [target] => command::run(Command::new(folder.join(target)).arg(file)),
            _ => Err(Trouble::Because("`--again FILE` needs the name of one target".into())),
        },
    }
}

/// The stage of `cargo xtask test`: what reads LUKS headers and file systems, of which a finding can cost
/// somebody their data, for a minute each, the others within about a minute on all cores together; ten times
/// as long in the full tier. Each from its seeds alone, so that a run does not depend on the one before.
///
/// # Errors
/// Something that cannot be built, or a finding.
pub fn stage(tier: Tier) -> Result<Done, Trouble> {
    if !cfg!(unix) {
        return Ok(Done::Skipped("the fuzzer is not run on this system".into()));
    }
    let fuzzer = match fuzzer() {
        Ok(fuzzer) => fuzzer,
        Err(trouble) => return Ok(Done::Skipped(format!("`cargo fuzz` cannot be had: {trouble}"))),
    };
    if tier == Tier::Full {
        let manifest = ["--manifest-path", "tests/fuzz/Cargo.toml"];
        command::run(cargo(&["clippy", "--quiet"]).args(manifest).args(["--", "-D", "warnings"]))?;
    }
    let folder = build(&fuzzer)?;
    let targets = targets()?;
    let (long, short): (Vec<_>, Vec<_>) =
        targets.into_iter().partition(|name| ["luks_", "fs_"].iter().any(|first| name.starts_with(first)));
    let seconds = if tier == Tier::Full { 600 } else { 60 };
    let each = (seconds * workers() as u64 / short.len().max(1) as u64).max(2);
    all_of(&folder, short, each, Corpus::New)?;
    all_of(&folder, long, seconds, Corpus::New).map(|()| Done::Passed)
}

/// Whether what was learnt before is used and kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Corpus {
    Kept,
    New,
}

/// The names of the targets.
fn targets() -> Result<Vec<String>, Trouble> {
    let folder = crate_folder().join("targets");
    let entries = fs::read_dir(&folder).map_err(|error| Trouble::File(folder, error))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut names: Vec<String> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .filter_map(|path| path.file_stem().map(|name| name.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// Somebody's own `cargo fuzz`, or that of the cache: the folder that it lies in, if it is not on the path.
fn fuzzer() -> Result<Option<PathBuf>, Trouble> {
    if answer(&mut cargo(&["fuzz", "--version"])).is_some() {
        return Ok(None);
    }
    let path = suite::tool("cargo-fuzz", "*")?;
    Ok(path.parent().map(Path::to_owned))
}

/// Builds all targets and returns the folder that they lie in.
fn build(fuzzer: &Option<PathBuf>) -> Result<PathBuf, Trouble> {
    let target = folder().join("target");
    let mut command = cargo(&["fuzz", "build", "--sanitizer", "none", "--fuzz-dir", "tests/fuzz", "--target-dir"]);
    command.arg(&target);
    if let Some(folder) = fuzzer {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([folder.clone()].into_iter().chain(std::env::split_paths(&path)));
        command.env("PATH", path.map_err(|error| Trouble::Because(error.to_string()))?);
    }
    command::run(&mut command)?;
    let about = answer(Command::new("rustc").arg("-vV")).unwrap_or_default();
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| Trouble::Because("rustc does not say what it builds for".into()))?;
    Ok(target.join(host).join("release"))
}

/// Runs targets on all cores, each on one. A finding does not keep the others from going on.
fn all_of(folder: &Path, targets: Vec<String>, seconds: u64, corpus: Corpus) -> Result<(), Trouble> {
    println!("{} targets, {seconds} s each, {} at a time.", targets.len(), workers());
    let queue = Mutex::new(VecDeque::from(targets));
    let findings = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..workers() {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some(name) = next else { return };
                    match one(folder, &name, seconds, corpus) {
                        Ok(line) => println!("    {name:<16} {line}"),
                        Err(trouble) => {
                            println!("    {name:<16} FAILED");
                            findings.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{name}: {trouble}"));
                        }
                    }
                }
            });
        }
    });
    let findings = findings.into_inner().unwrap_or_else(PoisonError::into_inner);
    if findings.is_empty() { Ok(()) } else { Err(Trouble::Because(findings.join("\n"))) }
}

/// One target: its seeds are made, then it runs. Returns what it did, in a few words.
fn one(folder: &Path, name: &str, seconds: u64, corpus: Corpus) -> Result<String, Trouble> {
    let own = self::folder();
    let (seeds, found) = (own.join("seeds").join(name), own.join("found").join(name));
    let learnt = own.join(if corpus == Corpus::Kept { "corpus" } else { "tried" }).join(name);
    let _ = fs::remove_dir_all(&seeds);
    if corpus == Corpus::New {
        let _ = fs::remove_dir_all(&learnt);
    }
    for folder in [&seeds, &found, &learnt, &own.join("logs")] {
        files::folder(folder)?;
    }
    let log = own.join("logs").join(format!("{name}.txt"));
    let program = folder.join(name);
    quietly(Command::new(&program).env("LATCHKEY_FUZZ_SEEDS", &seeds), &log)?;

    let mut command = Command::new(&program);
    command.args([MOST_BYTES, MOST_SECONDS, MOST_MEMORY, "-print_final_stats=1"]);
    command.arg(format!("-max_total_time={seconds}"));
    // A folder, with the separator at its end.
    command.arg(format!("-artifact_prefix={}", found.join("").display()));
    let words = crate_folder().join("dictionaries").join(format!("{name}.dict"));
    if words.is_file() {
        command.arg(format!("-dict={}", words.display()));
    }
    command.args([&learnt, &seeds]);
    quietly(&mut command, &log).map_err(|trouble| {
        let hint = format!("again: cargo xtask fuzz --again FILE {name}");
        Trouble::Because(format!("{trouble}\nThe input lies in {}; {hint}", found.display()))
    })?;
    Ok(summary(&fs::read_to_string(&log).unwrap_or_default()))
}

/// Runs a program with all that it says in a file, whose last lines are shown if it fails.
fn quietly(command: &mut Command, log: &Path) -> Result<(), Trouble> {
    let file = File::create(log).map_err(|error| Trouble::File(log.to_owned(), error))?;
    let copy = file.try_clone().map_err(|error| Trouble::File(log.to_owned(), error))?;
    let line = command::line(command);
    let status = command.stdout(file).stderr(copy).status().map_err(|error| Trouble::Start(line.clone(), error))?;
    if status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&fs::read(log).unwrap_or_default()).into_owned();
    Err(Trouble::Because(format!("{line}\n{}", telling(&said))))
}

/// From the panic on, or the last lines.
fn telling(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    let begin = lines.iter().position(|line| line.contains("panicked at") || line.contains("ERROR: libFuzzer"));
    let begin = begin.unwrap_or(lines.len().saturating_sub(20));
    lines[begin..].iter().take(40).copied().collect::<Vec<_>>().join("\n")
}

/// `412345 inputs, coverage 1234`.
fn summary(log: &str) -> String {
    let runs = log.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:")).unwrap_or("?");
    let words = log.lines().rev().find(|line| line.contains(" cov: ")).unwrap_or_default();
    let coverage = words.split_once(" cov: ").and_then(|(_, rest)| rest.split_whitespace().next()).unwrap_or("?");
    format!("{} inputs, coverage {coverage}", runs.trim())
}

fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn folder() -> PathBuf {
    places::cache().join("fuzz")
}

fn crate_folder() -> PathBuf {
    places::root().join("tests/fuzz")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fuzzers_words_are_understood() {
        let log = "#2\tINITED cov: 10 ft: 11 corp: 1/1b\n#99\tDONE   cov: 1234 ft: 5 corp: 1\nDone\nstat::number_of_executed_units: 99\n";
        assert_eq!(summary(log), "99 inputs, coverage 1234");
        assert_eq!(summary(""), "? inputs, coverage ?");
        assert!(telling("a\nthread panicked at x\nb").starts_with("thread"));
        assert_eq!(telling("a\nb"), "a\nb");
    }

    #[test]
    fn every_target_has_a_program_and_a_module() {
        let manifest = fs::read_to_string(crate_folder().join("Cargo.toml")).unwrap();
        let targets = targets().unwrap();
        assert!(targets.len() >= 16);
        for name in targets {
            assert!(manifest.contains(&format!("path = \"targets/{name}.rs\"")), "{name}");
            assert!(crate_folder().join(format!("src/{name}.rs")).is_file(), "{name}");
        }
    }
}
