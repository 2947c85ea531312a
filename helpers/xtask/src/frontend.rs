//! The front end: its parts from the npm registry, its checks, its bundle.

use std::path::PathBuf;

use crate::command::{Trouble, run};
use crate::node::Node;
use crate::{files, places};

/// Installs the front end's parts, if they are not those of the lock file.
///
/// # Errors
/// Node.js or a part cannot be had.
pub fn parts() -> Result<Node, Trouble> {
    let node = Node::ready()?;
    let lock = folder().join("package-lock.json");
    let installed = folder().join("node_modules/.installed-lock.json");
    if !files::same(&lock, &installed) {
        println!("The front end's parts are fetched (once, until their list changes).");
        run(&mut node.npm(&["ci", "--no-audit", "--no-fund"]))?;
        files::copy(&lock, &installed)?;
    }
    Ok(node)
}

/// Builds the bundle, if something that it is made of has changed.
///
/// # Errors
/// A part cannot be had, or the build fails.
pub fn build() -> Result<(), Trouble> {
    let built = std::fs::metadata(folder().join("dist/index.html")).and_then(|about| about.modified()).ok();
    let changed =
        [folder(), places::root().join("helpers/texts/i18n")].iter().filter_map(|path| files::newest(path)).max();
    if built.is_some() && built >= changed {
        return Ok(());
    }
    run(&mut parts()?.npm(&["run", "build"]))
}

/// The front end's own checks: types and sentences, then its tests, then its bundle and the size of it.
///
/// # Errors
/// The first that fails.
pub fn checks() -> Result<(), Trouble> {
    let node = parts()?;
    for task in ["check", "test", "build", "size"] {
        run(&mut node.npm(&["run", task]))?;
    }
    Ok(())
}

fn folder() -> PathBuf {
    places::root().join("ui")
}
