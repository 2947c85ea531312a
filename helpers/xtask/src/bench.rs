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
        "convert" | "yielding" | "flow" => &[Need::Build, Need::Judges, Need::FileSystems],
        "window" => &[Need::Build, Need::Window, Need::WindowTest],
        _ => {
            return Err(Trouble::Because(format!(
                "`{case}` is not known: xts, opal, convert, yielding, flow or window"
            )));
        }
    };
    packages::install(needs)?;
    if case == "opal" {
        return execute(&mut cargo(&["bench", "--package", "opal", "--bench", "opal"]));
    }
    if case == "xts" {
        return execute(&mut cargo(&["bench", "--package", "xts", "--bench", "xts"]));
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
