//! `cargo xtask run`.

use crate::command::{Trouble, cargo, run as execute};
use crate::packages::{self, Need};
use crate::{frontend, places};

/// Builds the window and opens it. Without a display it practises in the terminal.
///
/// # Errors
/// Something is missing and cannot be installed, or a build fails.
pub fn run(options: &[&str]) -> Result<(), Trouble> {
    if !places::has_display() {
        println!("There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can be opened.");
        println!("Latchkey practises in the terminal instead: the same steps, on a practice drive.\n");
        packages::install(&[Need::Build])?;
        return execute(
            cargo(&["run", "--quiet", "--package", "latchkey", "--bin", "latchkey"])
                .args(options)
                .args(["--", "practice"]),
        );
    }
    packages::install(&[Need::Build, Need::Window, Need::FileSystems])?;
    frontend::build()?;
    println!("The window is built. The first time this takes some minutes.");
    execute(cargo(&["run", "--package", "latchkey-desktop"]).args(options))
}
