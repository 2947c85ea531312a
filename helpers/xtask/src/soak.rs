//! `cargo xtask soak`: power cuts by the million, on all cores, until enough or until one loses something.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::command::{Trouble, cargo, line, run as execute};
use crate::packages::{self, Need};

/// As many cuts as the promise is tested with before a release.
const CUTS: u64 = 1_000_000;

/// Checked options.
#[derive(Debug, PartialEq, Eq)]
struct Orders {
    length: Length,
    /// The first life's seed; each next life has the next one.
    seed: u64,
}

#[derive(Debug, PartialEq, Eq)]
enum Length {
    Cuts(u64),
    Minutes(u64),
}

/// Builds the test of power cuts with all optimisation and runs it.
///
/// # Errors
/// Options that are not known; a build that fails; a cut after which something was lost.
pub fn run(options: &[&str]) -> Result<(), Trouble> {
    // Other lives in every run, and still ones that can be had again.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let orders = parse(options, now << 20)?;
    packages::install(&[Need::Build])?;
    let test = ["test", "--release", "--package", "luks", "--test", "cuts"];
    execute(cargo(&test).arg("--no-run"))?;

    let mut command = cargo(&test);
    command.args(["--quiet", "--", "--nocapture"]);
    command.env("LATCHKEY_SEED", orders.seed.to_string()).env("LATCHKEY_PROGRESS", "1");
    match orders.length {
        Length::Cuts(cuts) => command.env("LATCHKEY_CUTS", cuts.to_string()).env_remove("LATCHKEY_MINUTES"),
        Length::Minutes(minutes) => command.env("LATCHKEY_MINUTES", minutes.to_string()).env_remove("LATCHKEY_CUTS"),
    };
    let words = line(&command);
    println!("$ {words}   (seed {})", orders.seed);
    let start = |error| Trouble::Start(words.clone(), error);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().map_err(start)?;
    let (mut summary, mut failed) = (None, None);
    let output = child.stderr.take().map(BufReader::new);
    for text in output.into_iter().flat_map(|output| output.lines().map_while(Result::ok)) {
        eprintln!("{text}");
        if text.starts_with("cuts: ") {
            summary = Some(text);
        } else if let Some(seed) = text.strip_prefix("failed: seed ") {
            failed = seed.parse::<u64>().ok();
        }
    }
    let status = child.wait().map_err(start)?;
    if let Some(seed) = failed {
        println!("\nThis life alone, again:\n  cargo xtask soak --seed {seed} --cuts 1");
    }
    if let Some(summary) = summary {
        println!("\n{summary}");
    }
    if status.success() { Ok(()) } else { Err(Trouble::Command(words)) }
}

fn parse(options: &[&str], seed: u64) -> Result<Orders, Trouble> {
    let mut orders = Orders { length: Length::Cuts(CUTS), seed };
    for pair in options.chunks(2) {
        let number = |text: &str| text.replace('_', "").parse::<u64>().ok();
        let value = pair.get(1).and_then(|text| number(text));
        match (pair[0], value) {
            ("--cuts", Some(cuts)) if cuts > 0 => orders.length = Length::Cuts(cuts),
            ("--minutes", Some(minutes)) if minutes > 0 => orders.length = Length::Minutes(minutes),
            ("--seed", Some(seed)) => orders.seed = seed,
            _ => {
                return Err(Trouble::Because(format!(
                    "`{}` is not understood: soak [--cuts N | --minutes M] [--seed S]",
                    pair.join(" ")
                )));
            }
        }
    }
    Ok(orders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options() {
        assert_eq!(parse(&[], 5).unwrap(), Orders { length: Length::Cuts(CUTS), seed: 5 });
        let orders = Orders { length: Length::Cuts(2000), seed: 7 };
        assert_eq!(parse(&["--seed", "7", "--cuts", "2_000"], 5).unwrap(), orders);
        assert_eq!(parse(&["--minutes", "60"], 5).unwrap(), Orders { length: Length::Minutes(60), seed: 5 });
        for wrong in [&["--cuts"][..], &["--cuts", "0"], &["--cuts", "x"], &["--hours", "1"]] {
            assert!(parse(wrong, 5).is_err(), "{wrong:?}");
        }
    }
}
