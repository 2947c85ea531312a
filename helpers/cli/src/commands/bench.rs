use std::path::{Path, PathBuf};

use bench::{CipherFigures, CipherOptions, Comparison, Cost, DiskOptions, Figures, Form, KdfFigure, Prediction};
use model::{Args, Describe, Fault, FaultKind};
use serde::Serialize;
use texts::keys;

use crate::args::checked::{Bench, BenchDisk, Shown, Source};
use crate::speaker::Speaker;
use crate::{progress, stop};

/// What was asked for.
pub fn run(speaker: &Speaker, what: Bench) -> Result<(), Fault> {
    match what {
        Bench::Cipher { json } => cipher(speaker, json),
        Bench::Disk(what) => disk(speaker, &what),
        Bench::List { folder, json } => list(speaker, folder, json),
        Bench::Compare { before, after, json, html } => compare(speaker, &before, &after, json, html.as_deref()),
        Bench::Mapping { name, json } => mapping(speaker, &name, json),
        Bench::Tune { name, password, json } => tune(speaker, &name, &password, json),
    }
}

/// How fast this processor encrypts, in memory, and how long a password takes.
fn cipher(speaker: &Speaker, json: bool) -> Result<(), Fault> {
    let control = stop::control();
    let mut sink = progress::sink(speaker, Shown::Human);
    let figures = bench::cipher(&CipherOptions::default(), &control, &mut *sink).map_err(|error| error.fault())?;
    drop(sink);
    if json {
        speaker.document(&figures);
    } else {
        show_cipher(speaker, &figures);
    }
    Ok(())
}

/// How fast the disk under a folder is.
fn disk(speaker: &Speaker, what: &BenchDisk) -> Result<(), Fault> {
    let mut options = DiskOptions::of(what.form);
    options.size = what.size.unwrap_or(options.size);
    // Asked for a small file, it does not write a large one's worth either.
    options.writes = options.writes.min(options.size.saturating_mul(4));
    if !what.json && options.will_write() > 0 {
        let args = texts::args([("folder", &what.dir.display()), ("size", &options.will_write())]);
        speaker.say(keys::CLI_BENCH_WILL_WRITE, &args);
    }
    let control = stop::control();
    let described = |error: bench::Error| error.fault();
    // First what may be refused.
    let curve = match what.curve {
        true => {
            let disk = bench::Conditions::now(&what.dir).disk;
            let disk = disk
                .ok_or_else(|| Fault::new("cli-bench-no-disk", FaultKind::Refused).with("path", what.dir.display()))?;
            let mut sink = progress::sink(speaker, Shown::Human);
            bench::curve(Path::new(&disk), POINTS, &control, &mut *sink).map_err(described)?
        }
        false => Default::default(),
    };
    let trimmed = what.trim && trim(&what.dir);
    if what.trim && !trimmed {
        speaker.note(keys::CLI_BENCH_NOT_TRIMMED, &Args::new());
    }
    let mut sink = progress::sink(speaker, Shown::Human);
    let measured = match what.form {
        Form::ReadOnly => bench::read_only(&what.dir, &options, &control, &mut *sink),
        _ => bench::disk(&what.dir, &options, &control, &mut *sink),
    };
    drop(sink);
    let mut figures = measured.map_err(described)?;
    let rate = bench::xts_rate();
    figures.cipher_rate = Some(rate);
    figures.conditions.trimmed = trimmed;
    figures.curve = curve.0;
    if figures.conditions.crypt.is_none() {
        figures.prediction = Some(Prediction::new(&figures, &Cost::of_the_kernel(rate)));
    }
    if let Some(folder) = &what.keep {
        let kept = bench::reports::keep(folder, &figures).map_err(|error| not_saved(folder, &error))?;
        speaker.note(keys::CLI_BENCH_KEPT, &texts::args([("path", &kept.display())]));
    }
    if what.json {
        speaker.document(&figures);
    } else {
        show_disk(speaker, &figures);
    }
    Ok(())
}

/// Stretches of the curve.
const POINTS: usize = 100;

/// Tells the drive what is free, and gives it time to tidy up. Whether it was told.
fn trim(folder: &Path) -> bool {
    let done = std::process::Command::new("fstrim").arg(folder).output().is_ok_and(|output| output.status.success());
    if done {
        std::thread::sleep(std::time::Duration::from_secs(5));
    }
    done
}

fn not_saved(folder: &Path, error: &std::io::Error) -> Fault {
    Fault::new("bench-save", FaultKind::Failed).with("folder", folder.display()).because(error)
}

/// A kept report in the answer of `list --json`.
#[derive(Serialize)]
struct Kept {
    path: String,
    /// `2026-12-02`, if it is known.
    day: Option<String>,
    drive: Option<String>,
    /// What encrypted the drive then; `None`: nothing of the system's.
    cipher: Option<String>,
}

/// The reports that were kept, so that a later one can be compared with them.
fn list(speaker: &Speaker, folder: Option<PathBuf>, json: bool) -> Result<(), Fault> {
    let folder = folder.unwrap_or_else(|| wizard::place::benchmarks(&wizard::place::state_dir()));
    let paths = bench::reports::list(&folder).map_err(|error| {
        Fault::new("cli-file-read", FaultKind::Failed).with("path", folder.display()).because(error)
    })?;
    let mut kept = Vec::new();
    for path in paths {
        match read(&path) {
            Ok(figures) => kept.push(Kept {
                path: path.display().to_string(),
                day: figures.conditions.when.map(bench::reports::day),
                drive: figures.conditions.drive,
                cipher: figures.conditions.crypt.map(|crypt| crypt.cipher),
            }),
            // The others are worth having all the same.
            Err(fault) => speaker.fault(&fault),
        }
    }
    if json {
        speaker.document(&List { version: 1, reports: kept });
        return Ok(());
    }
    if kept.is_empty() {
        speaker.say(keys::CLI_BENCH_NONE_KEPT, &texts::args([("folder", &folder.display())]));
    }
    let or = |text: Option<String>, otherwise| text.unwrap_or_else(|| speaker.texts.plain(otherwise));
    for Kept { path, day, drive, cipher } in kept {
        let args = texts::args([
            ("day", &or(day, keys::BENCH_UNKNOWN)),
            ("drive", &or(drive, keys::BENCH_UNKNOWN)),
            ("cipher", &or(cipher, keys::BENCH_NONE)),
            ("path", &path),
        ]);
        speaker.say(keys::CLI_BENCH_KEPT_LINE, &args);
    }
    Ok(())
}

#[derive(Serialize)]
struct List {
    version: u32,
    reports: Vec<Kept>,
}

/// Two measurements side by side.
fn compare(speaker: &Speaker, before: &Path, after: &Path, json: bool, html: Option<&Path>) -> Result<(), Fault> {
    let (before, after) = (read(before)?, read(after)?);
    let compared = bench::compare(&before, &after);
    if let Some(path) = html {
        let page = bench::page::page(&speaker.texts, &before, Some(&after));
        std::fs::write(path, page).map_err(|error| not_saved(path, &error))?;
    }
    if json {
        speaker.document(&compared);
        return Ok(());
    }
    for (name, words) in bench::page::plain_words(&speaker.texts, &before, &after, &compared) {
        speaker.line(&format!("{name}: {words}"));
    }
    speaker.line("");
    show_comparisons(speaker, &compared.comparisons);
    for difference in &compared.differences {
        let what = speaker.texts.by_id(&format!("bench-condition-{}", difference.what));
        let args = texts::args([("what", &what), ("before", &difference.before), ("after", &difference.after)]);
        speaker.say(keys::CLI_BENCH_DIFFERENT, &args);
    }
    Ok(())
}

/// Under an open mapping and through it.
fn mapping(speaker: &Speaker, name: &str, json: bool) -> Result<(), Fault> {
    let control = stop::control();
    let mut sink = progress::sink(speaker, Shown::Human);
    let comparisons = on_mapping::under_and_through(name, &control, &mut *sink)?;
    drop(sink);
    if json {
        speaker.document(&Document { version: 2, overall: bench::overall(&comparisons), comparisons });
    } else {
        speaker.say(keys::CLI_BENCH_UNDER_AND_THROUGH, &texts::args([("name", &name)]));
        show_comparisons(speaker, &comparisons);
    }
    Ok(())
}

/// The kernel's faster way, kept where it helps.
fn tune(speaker: &Speaker, name: &str, password: &Source, json: bool) -> Result<(), Fault> {
    let control = stop::control();
    let tried = crate::secrets::with_secret(speaker, password, keys::CLI_ASK_PASSWORD, |secret| {
        let mut sink = progress::sink(speaker, Shown::Human);
        on_mapping::queues(name, secret, &control, &mut *sink)
    })?;
    if json {
        speaker.document(&tried);
        return Ok(());
    }
    let args = texts::args([("name", &name)]);
    for (tried, kept, not_kept) in [
        (Some(&tried.reads), keys::CLI_BENCH_TUNE_READS_KEPT, keys::CLI_BENCH_TUNE_READS_NOT_KEPT),
        (tried.writes.as_ref(), keys::CLI_BENCH_TUNE_WRITES_KEPT, keys::CLI_BENCH_TUNE_WRITES_NOT_KEPT),
    ] {
        match tried {
            Some(tried) => {
                show_comparisons(speaker, &tried.comparisons);
                speaker.say(if tried.kept { kept } else { not_kept }, &args);
            }
            None => speaker.say(keys::CLI_BENCH_TUNE_NO_WRITES, &args),
        }
    }
    speaker.say(keys::CLI_BENCH_DISCARD, &Args::new());
    Ok(())
}

#[cfg(target_os = "linux")]
mod on_mapping {
    use bench::{Comparison, DiskOptions, Form, Tuned, tune};
    use model::{Control, Describe, Fault, Secret, Sink};

    pub fn under_and_through(name: &str, control: &Control, sink: &mut dyn Sink) -> Result<Vec<Comparison>, Fault> {
        let options = DiskOptions::of(Form::ReadOnly);
        tune::under_and_through(name, &options, control, sink).map_err(|error| error.fault())
    }

    pub fn queues(name: &str, secret: &Secret, control: &Control, sink: &mut dyn Sink) -> Result<Tuned, Fault> {
        let options = DiskOptions::of(Form::ReadOnly);
        tune::queues(name, secret, &options, control, sink).map_err(|error| error.fault())
    }
}

/// Only Linux has mappings of this kind.
#[cfg(not(target_os = "linux"))]
mod on_mapping {
    use bench::{Comparison, Error, Tuned};
    use model::{Control, Describe, Fault, Secret, Sink};

    pub fn under_and_through(name: &str, _: &Control, _: &mut dyn Sink) -> Result<Vec<Comparison>, Fault> {
        Err(Error::NoMapping { name: name.to_owned() }.fault())
    }

    pub fn queues(name: &str, _: &Secret, _: &Control, _: &mut dyn Sink) -> Result<Tuned, Fault> {
        Err(Error::NoMapping { name: name.to_owned() }.fault())
    }
}

/// The answer of `mapping --json`.
#[derive(Serialize)]
struct Document {
    version: u32,
    comparisons: Vec<Comparison>,
    overall: bench::Change,
}

fn show_comparisons(speaker: &Speaker, comparisons: &[Comparison]) {
    for comparison in comparisons {
        let args = texts::args([
            ("test", &speaker.texts.by_id(&format!("bench-{}", comparison.test.name()))),
            ("before_rate", &comparison.before),
            ("after_rate", &comparison.after),
            ("percent", &percent(speaker, comparison.ratio)),
            ("least", &percent(speaker, comparison.ratio_low)),
            ("most", &percent(speaker, comparison.ratio_high)),
            ("change", &speaker.texts.by_id(&format!("bench-change-{}", comparison.change.name()))),
        ]);
        speaker.say(keys::CLI_BENCH_COMPARED, &args);
        if let Some((low, high)) = comparison.predicted {
            let args = texts::args([("low", &percent(speaker, low)), ("high", &percent(speaker, high))]);
            speaker.say(keys::CLI_BENCH_PREDICTED, &args);
        }
    }
}

/// A measurement that was saved with `bench disk`.
fn read(path: &Path) -> Result<Figures, Fault> {
    bench::reports::read(path).map_err(|error| {
        let code = match error.kind() {
            std::io::ErrorKind::InvalidData => "cli-bench-no-figures",
            _ => "cli-file-read",
        };
        Fault::new(code, FaultKind::Failed).with("path", path.display()).because(error)
    })
}

fn show_cipher(speaker: &Speaker, figures: &CipherFigures) {
    // KDFs first, as `cryptsetup benchmark` has them.
    for kdf in &figures.kdfs {
        match kdf {
            KdfFigure::Pbkdf2 { hash, iterations_per_second } => {
                let args = texts::args([("hash", hash), ("iterations", iterations_per_second)]);
                speaker.say(keys::CLI_BENCH_PBKDF2, &args);
            }
            KdfFigure::Argon2id { time, memory_kib, cpus, seconds } => {
                let args = texts::args([
                    ("passes", time),
                    ("memory_size", &(u64::from(*memory_kib) * 1024)),
                    ("lanes", cpus),
                    ("took", &speaker.texts.language().rounded(*seconds)),
                ]);
                speaker.say(keys::CLI_BENCH_ARGON2, &args);
            }
        }
    }
    let heads = [
        keys::BENCH_COLUMN_CIPHER,
        keys::BENCH_COLUMN_KEY,
        keys::BENCH_COLUMN_SECTOR,
        keys::BENCH_COLUMN_CODE,
        keys::BENCH_COLUMN_ENCRYPT,
        keys::BENCH_COLUMN_DECRYPT,
    ];
    let mut rows = vec![heads.map(|key| speaker.texts.plain(key))];
    for figure in figures.ciphers.iter().chain(&figures.kernel) {
        let rate = |rate: f64| format!("{:.1} MiB/s", rate / f64::from(1 << 20));
        rows.push([
            figure.cipher.clone(),
            format!("{} bit", figure.key_bits),
            figure.sector_size.to_string(),
            figure.kernel.clone(),
            rate(figure.encrypt),
            rate(figure.decrypt),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    for row in &rows {
        // Names to the left, numbers to the right.
        let cell = |(column, text): (usize, &String)| match column {
            0 | 3 => format!("{text:<0$}", width(column)),
            _ => format!("{text:>0$}", width(column)),
        };
        speaker.line(row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end());
    }
    if let Some(reason) = &figures.kernel_missing {
        speaker.say(keys::CLI_BENCH_NO_KERNEL, &texts::args([("reason", reason)]));
    }
}

/// The table of a disk.
fn show_disk(speaker: &Speaker, figures: &Figures) {
    let language = speaker.texts.language();
    for figure in &figures.tests {
        let args = texts::args([
            ("name", &figure.test.name()),
            ("test", &speaker.texts.by_id(&format!("bench-{}", figure.test.name()))),
            ("rate", &figure.rate),
            ("low_rate", &figure.low),
            ("high_rate", &figure.high),
            ("iops", &language.rounded(figure.iops().round())),
            ("half", &language.rounded(figure.latency.p50_us)),
            ("slow", &language.rounded(figure.latency.p99_us)),
        ]);
        speaker.say(keys::CLI_BENCH_DISK, &args);
        if let Some(seconds) = figure.cpu_seconds_per_gib {
            speaker.say(keys::CLI_BENCH_COST, &texts::args([("cpu", &language.rounded(seconds))]));
        }
    }
    speaker.line(&speaker.texts.by_id(match figures.access {
        bench::Access::Direct => "bench-access-direct",
        bench::Access::Buffered => "bench-access-buffered",
        bench::Access::Memory => "bench-access-memory",
    }));
    for (what, value) in
        bench::page::facts(&speaker.texts, figures).into_iter().skip(4).filter(|(_, value)| !value.is_empty())
    {
        speaker.line(&format!("{}: {value}", speaker.texts.by_id(&format!("bench-condition-{what}"))));
    }
    if let Some(words) = bench::page::compressing(&speaker.texts, figures) {
        speaker.line(&words);
    }
    if let Some(prediction) = &figures.prediction {
        speaker.line(&speaker.texts.by_id(&format!("bench-brake-{}", prediction.brake.name())));
        for predicted in &prediction.tests {
            let args =
                texts::args([("low", &percent(speaker, predicted.low)), ("high", &percent(speaker, predicted.high))]);
            speaker.line(&format!("{}: {}", predicted.test.name(), speaker.texts.say(keys::BENCH_PREDICTED, &args)));
        }
    }
}

/// 0.83 is "83 %".
fn percent(speaker: &Speaker, ratio: f64) -> String {
    speaker.texts.language().rounded((ratio * 100.0).round())
}
