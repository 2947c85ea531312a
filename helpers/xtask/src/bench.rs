//! `cargo xtask bench CASE`: ours beside its peer in one run. Each comparison ends with one line
//! `ratio PEER CASE VALUE`; above 1 we are ahead.

use std::path::PathBuf;
use std::process::Command;

use crate::command::{Trouble, answer, cargo, run as execute};
use crate::packages::{self, Need};
use crate::{frontend, places};

/// Measures one case.
///
/// # Errors
/// A case that is not known; a build or a measurement that fails.
pub fn run(case: &str) -> Result<(), Trouble> {
    let needs: &[Need] = match case {
        "xts" => &[Need::Build, Need::Judges],
        "opal" => &[Need::Build],
        "disk" => &[Need::Build, Need::Judges],
        "disk-guest" => &[Need::Build, Need::Judges, Need::FileSystems, Need::Guest],
        "convert" | "yielding" | "flow" => &[Need::Build, Need::Judges, Need::FileSystems],
        "window" => &[Need::Build, Need::Window, Need::WindowTest],
        _ => {
            return Err(Trouble::Because(format!(
                "`{case}` is not known: xts, opal, disk, disk-guest, convert, yielding, flow or window"
            )));
        }
    };
    packages::install(needs)?;
    // Those whose peer is a program or a library on this computer, and no program of ours.
    for (name, package) in [("opal", "opal"), ("xts", "xts"), ("disk", "bench")] {
        if case == name {
            return execute(&mut cargo(&["bench", "--package", package, "--bench", name]));
        }
    }
    if case == "disk-guest" {
        let program = benchmark("bench", "disk")?;
        return execute(measure(case).env("LATCHKEY_BENCH_DISK", program));
    }
    execute(&mut cargo(&["build", "--release", "--package", "latchkey"]))?;
    if case == "window" {
        frontend::build()?;
        execute(&mut cargo(&["build", "--release", "--package", "latchkey-desktop"]))?;
    }
    let release = places::target().join("release");
    let mut measure = measure(case);
    execute(
        measure
            .env("LATCHKEY_PROGRAM", release.join("latchkey"))
            .env("LATCHKEY_WINDOW", release.join("latchkey-desktop")),
    )
}

fn measure(case: &str) -> Command {
    cargo(&["run", "--quiet", "--release", "--package", "rigs", "--bin", "measure", "--", case])
}

/// Builds a benchmark, and says where it lies.
fn benchmark(package: &str, name: &str) -> Result<PathBuf, Trouble> {
    execute(&mut cargo(&["bench", "--no-run", "--package", package, "--bench", name]))?;
    let words = ["bench", "--no-run", "--quiet", "--message-format=json", "--package", package, "--bench", name];
    let said = answer(&mut cargo(&words)).unwrap_or_default();
    let found = said.lines().filter_map(|line| line.split_once(r#""executable":""#)?.1.split('"').next()).next_back();
    found.map(PathBuf::from).ok_or_else(|| Trouble::Because(format!("the benchmark `{name}` was not built")))
}
