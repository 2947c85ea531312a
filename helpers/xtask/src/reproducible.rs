//! What is built for other people is built so that whoever builds the same commit gets the same bytes: no folder of
//! this computer stands in a program, and no clock but that of the commit.
//!
//! <https://reproducible-builds.org/specs/source-date-epoch/>; rustc's `--remap-path-prefix`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Trouble, answer, cargo, run};
use crate::{files, packed, places};

/// How a build is told: the flags of the compiler, one after the other with a unit separator between them. It goes
/// before `RUSTFLAGS`, and a space in the name of a folder does no harm.
const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";
const DATE: &str = "SOURCE_DATE_EPOCH";

/// Keeps this computer's folders out of what cargo, or Tauri, builds; `more` are other flags of the compiler.
pub fn build<'a>(command: &'a mut Command, more: &[&str]) -> &'a mut Command {
    let words: Vec<String> = flags().into_iter().chain(more.iter().map(|word| (*word).to_owned())).collect();
    command.env(FLAGS, words.join("\x1f"))
}

/// Lets what a command makes be of the commit's date.
///
/// # Errors
/// It is not known.
pub fn dated(command: &mut Command) -> Result<&mut Command, Trouble> {
    Ok(command.env(DATE, date()?.to_string()))
}

/// Builds the last commit's programs twice, here and in a clone at another place, and compares them byte by byte.
///
/// # Errors
/// One cannot be built, or they differ.
pub fn check() -> Result<(), Trouble> {
    let git = |words: &[&str]| answer(Command::new("git").args(words).current_dir(places::root()));
    if git(&["status", "--porcelain"]).is_none_or(|changed| !changed.is_empty()) {
        return Err(Trouble::Because(
            "something has been changed since the last commit, and only that is compared.".into(),
        ));
    }
    let again = places::cache().join("built again, elsewhere");
    let clone = again.join("clone");
    if clone.exists() {
        fs::remove_dir_all(&clone).map_err(|error| Trouble::File(clone.clone(), error))?;
    }
    files::folder(&again)?;
    run(Command::new("git").args(["clone", "--quiet"]).arg(places::root()).arg(&clone))?;
    packed::programs()?;
    let mut build = cargo(&["xtask", "programs"]);
    run(build.current_dir(&clone).env("CARGO_TARGET_DIR", again.join("target")))?;

    let made = files::under(&places::root().join("target/packed"));
    let other = |path: &Path| clone.join(path.strip_prefix(places::root()).unwrap_or(path));
    let differ: Vec<_> = made.iter().filter(|path| !files::same(path, &other(path))).collect();
    for path in &differ {
        println!("not the same: {}", path.display());
    }
    match differ.is_empty() && !made.is_empty() {
        true => {
            println!("All {} files are the same.", made.len());
            Ok(())
        }
        false => Err(Trouble::Because(format!("{} of {} files differ.", differ.len(), made.len()))),
    }
}

/// Seconds since 1970: what somebody has set, or when the last commit was made.
///
/// # Errors
/// Neither is to be had.
pub fn date() -> Result<u64, Trouble> {
    let said = env::var(DATE).ok();
    let commit = || answer(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(places::root()));
    let text = said.or_else(commit).unwrap_or_default();
    text.trim().parse().map_err(|_| {
        Trouble::Because(format!(
            "when this version was made is not known: there is no commit here. Set {DATE} to the seconds since 1970."
        ))
    })
}

/// Folders of this computer, and what stands in the programs instead. Of two that fit, the compiler takes the last.
fn flags() -> Vec<String> {
    let mut words = Vec::new();
    let mut instead = |folder: &Path, name: &str| {
        words.push(format!("--remap-path-prefix={}={name}", folder.display()));
    };
    instead(&places::root(), "/latchkey");
    instead(&places::target(), "/latchkey/target");
    if let Some(home) = cargo_home() {
        instead(&home, "/cargo");
    }
    // Where the library's source is installed, its folder would stand in the programs.
    let rustc = || Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let sysroot = answer(rustc().args(["--print", "sysroot"]));
    let version = answer(rustc().arg("-vV"));
    let commit = version.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("commit-hash: ")));
    if let (Some(sysroot), Some(commit)) = (sysroot, commit) {
        instead(&Path::new(&sysroot).join("lib/rustlib/src/rust"), &format!("/rustc/{commit}"));
    }
    words
}

fn cargo_home() -> Option<PathBuf> {
    let said = env::var_os("CARGO_HOME").map(PathBuf::from);
    said.or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_folder_of_this_computer_is_left_over() {
        let flags = flags();
        let folders = [places::root(), places::target(), cargo_home().unwrap()];
        for folder in folders {
            let start = format!("--remap-path-prefix={}=/", folder.display());
            assert!(flags.iter().any(|flag| flag.starts_with(&start)), "{flags:?}");
        }
        let mut command = Command::new("cargo");
        build(&mut command, &["-Cx"]);
        let (_, value) = command.get_envs().find(|(name, _)| *name == FLAGS).unwrap();
        assert!(value.unwrap().to_string_lossy().ends_with("\x1f-Cx"));
    }

    #[test]
    fn the_date_is_that_of_the_commit() {
        assert!(date().unwrap() > 1_700_000_000);
    }
}
