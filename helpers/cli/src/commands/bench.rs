use std::path::Path;

use bench::{CipherFigures, CipherOptions, Comparison, DiskOptions, Figures, KdfFigure};
use model::{Describe, Fault, FaultKind};
use serde::Serialize;
use texts::keys;

use crate::args::checked::Shown;
use crate::speaker::Speaker;
use crate::{progress, stop};

/// How fast this processor encrypts, in memory, and how long a password takes.
pub fn cipher(speaker: &Speaker, json: bool) -> Result<(), Fault> {
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
pub fn disk(speaker: &Speaker, folder: &Path, json: bool, size: Option<u64>) -> Result<(), Fault> {
    let mut options = DiskOptions::default();
    options.size = size.unwrap_or(options.size);
    if !json {
        let args = texts::args([("folder", &folder.display()), ("size", &options.will_write())]);
        speaker.say(keys::CLI_BENCH_WILL_WRITE, &args);
    }
    let control = stop::control();
    let mut sink = progress::sink(speaker, Shown::Human);
    let figures = bench::disk(folder, &options, &control, &mut *sink).map_err(|error| error.fault())?;
    drop(sink);
    if json {
        speaker.document(&figures);
    } else {
        show_disk(speaker, &figures);
    }
    Ok(())
}

/// Two measurements side by side.
pub fn compare(speaker: &Speaker, before: &Path, after: &Path, json: bool) -> Result<(), Fault> {
    let comparisons = bench::compare(&read(before)?, &read(after)?);
    if json {
        speaker.document(&Document { version: 1, comparisons });
        return Ok(());
    }
    for comparison in &comparisons {
        let args = texts::args([
            ("test", &speaker.texts.by_id(&format!("bench-{}", comparison.test.name()))),
            ("before_rate", &comparison.before),
            ("after_rate", &comparison.after),
            ("percent", &percent(speaker, comparison.ratio)),
            ("change", &speaker.texts.by_id(&format!("bench-change-{}", comparison.change.name()))),
        ]);
        speaker.say(keys::CLI_BENCH_COMPARED, &args);
    }
    Ok(())
}

/// The answer of `compare --json`.
#[derive(Serialize)]
struct Document {
    version: u32,
    comparisons: Vec<Comparison>,
}

/// A measurement that was saved with `bench disk --json`.
fn read(path: &Path) -> Result<Figures, Fault> {
    let unreadable =
        |code: &str, cause: String| Fault::new(code, FaultKind::Failed).with("path", path.display()).because(cause);
    let text = std::fs::read_to_string(path).map_err(|error| unreadable("cli-file-read", error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| unreadable("cli-bench-no-figures", error.to_string()))
}

fn show_cipher(speaker: &Speaker, figures: &CipherFigures) {
    for figure in &figures.ciphers {
        let args = texts::args([
            ("cipher", &figure.cipher),
            ("bits", &figure.key_bits),
            ("sector", &figure.sector_size),
            ("kernel", &figure.kernel),
            ("encrypt_rate", &figure.encrypt),
            ("decrypt_rate", &figure.decrypt),
        ]);
        speaker.say(keys::CLI_BENCH_CIPHER, &args);
    }
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
}

/// The table of a disk, also for the practice run.
fn show_disk(speaker: &Speaker, figures: &Figures) {
    for figure in &figures.tests {
        let args = texts::args([
            ("test", &speaker.texts.by_id(&format!("bench-{}", figure.test.name()))),
            ("rate", &figure.rate),
            ("low_rate", &figure.low),
            ("high_rate", &figure.high),
        ]);
        speaker.say(keys::CLI_BENCH_DISK, &args);
    }
}

/// 0.83 is "83 %".
fn percent(speaker: &Speaker, ratio: f64) -> String {
    speaker.texts.language().rounded((ratio * 100.0).round())
}
