//! `cargo xtask bench CASE`: ours beside its peer in one run. Each comparison ends with one line
//! `ratio PEER CASE VALUE`; above 1 we are ahead.

use crate::command::{Trouble, cargo, run as execute};
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
        "convert" | "yielding" | "flow" => &[Need::Build, Need::Judges, Need::FileSystems],
        "window" => &[Need::Build, Need::Window, Need::WindowTest],
        _ => {
            return Err(Trouble::Because(format!(
                "`{case}` is not known: xts, opal, disk, convert, yielding, flow or window"
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
    execute(&mut cargo(&["build", "--release", "--package", "latchkey"]))?;
    if case == "window" {
        frontend::build()?;
        execute(&mut cargo(&["build", "--release", "--package", "latchkey-desktop"]))?;
    }
    let release = places::target().join("release");
    execute(
        cargo(&["run", "--quiet", "--release", "--package", "rigs", "--bin", "measure", "--", case])
            .env("LATCHKEY_PROGRAM", release.join("latchkey"))
            .env("LATCHKEY_WINDOW", release.join("latchkey-desktop")),
    )
}
