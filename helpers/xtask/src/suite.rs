//! `cargo xtask test`: everything that is tested, in an order in which the quick ones fail first.

use std::path::PathBuf;
use std::process::Command;

use crate::command::{Trouble, answer, cargo, exists, run};
use crate::packages::{self, Need};
use crate::stages::{Done, Stages};
use crate::{cross, files, frontend, fuzz, packed, places, reproducible};

/// How much is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// What a change needs before it is shown to somebody: no window, no guest.
    Quick,
    /// What every change passes before it lands.
    Usual,
    /// Also what has to be fetched and built for it first, and the long runs.
    Full,
}

/// The window, which needs the system's parts to build, and the rigs, which are run by name.
const ENGINES: [&str; 5] = ["--workspace", "--exclude", "latchkey-desktop", "--exclude", "rigs"];

/// Carries out a tier.
///
/// # Errors
/// [`Trouble::Shown`] if a stage failed.
pub fn test(tier: Tier, only: Option<&str>) -> Result<(), Trouble> {
    let mut stages = Stages::only(only);
    stages.stage("needs", "What the system needs", || passed(packages::install(needs(tier))));
    stages.stage("formatting", "Formatting", || passed(formatting()));
    stages.stage("frontend", "Front end", || passed(frontend::checks()));
    stages.stage("warnings", "Warnings in the engines", || passed(warnings()));
    stages.stage("engines", "Engines", || passed(run(cargo(&["test", "--no-fail-fast"]).args(ENGINES))));
    stages.stage("devices", "Engines: loop devices and mounts", devices);
    stages.stage("programs", "The program, beside stock tools", || passed(rigs(tier, &["programs"])));
    if tier != Tier::Quick {
        stages.stage("window", "Window: build", || passed(window()));
        stages.stage("way", "Window: the whole way on a practice drive", || {
            on_linux(Need::WindowTest, || passed(drive_window(tier)))
        });
        stages.stage("guest", "Guest: the kernel and stock tools", || {
            on_linux(Need::Guest, || passed(rigs(tier, &["guest"])))
        });
        stages.stage("laptop", "A laptop: its own system, encrypted while it runs", || {
            if tier != Tier::Full {
                return Ok(Done::Skipped("`cargo xtask test --full` installs a Debian and encrypts it".into()));
            }
            if !administrator() {
                return Ok(Done::Skipped("only the administrator may install a Debian into a folder".into()));
            }
            on_linux(Need::Laptop, || passed(rigs(tier, &["laptop"])))
        });
        stages.stage("package", "The package: built, judged, and installed and removed in a guest", || {
            if tier != Tier::Full {
                return Ok(Done::Skipped("`cargo xtask test --full` builds it and lets apt have it".into()));
            }
            if !administrator() {
                return Ok(Done::Skipped("only the administrator may install a Debian into a folder".into()));
            }
            on_linux(Need::Laptop, || passed(package(tier)))
        });
        stages.stage("opal", "Guest: drives that encrypt by themselves", || {
            if tier != Tier::Full {
                return Ok(Done::Skipped(
                    "`cargo xtask test --full` lets the kernel and three tools judge them".into(),
                ));
            }
            on_linux(Need::Guest, || passed(rigs(tier, &["opal"])))
        });
        stages.stage("preboot", "Start: preboot image and rescue stick, with Secure Boot on", || {
            if tier != Tier::Full {
                return Ok(Done::Skipped("`cargo xtask test --full` starts both under Secure Boot".into()));
            }
            on_linux(Need::Guest, || passed(starts(tier)))
        });
        stages.stage("cross", "Windows and macOS: built here, and what runs under Wine", || {
            if tier != Tier::Full {
                return Ok(Done::Skipped("`cargo xtask test --full` builds for them with Debian's compiler".into()));
            }
            cross::stage()
        });
        stages.stage("fuzz", "Hostile bytes", || fuzz::stage(tier));
        stages.stage("licences", "Licences and advisories", || licences(tier));
    }
    stages.close()
}

/// Formatting and warnings.
///
/// # Errors
/// [`Trouble::Shown`] if there is something to say.
pub fn lint() -> Result<(), Trouble> {
    let mut stages = Stages::only(None);
    stages.stage("formatting", "Formatting", || passed(formatting()));
    stages.stage("warnings", "Warnings in the engines", || passed(warnings()));
    stages.close()
}

/// The window's whole way, for its pictures.
///
/// # Errors
/// It cannot be built or does not get to the end.
pub fn pictures() -> Result<(), Trouble> {
    packages::install(&[Need::Build, Need::Window, Need::WindowTest])?;
    frontend::build()?;
    drive_window(Tier::Full)?;
    println!("The pictures are in {}.", places::root().join("tests/pictures").display());
    Ok(())
}

fn needs(tier: Tier) -> &'static [Need] {
    match tier {
        Tier::Quick => &[Need::Build, Need::FileSystems, Need::Judges],
        Tier::Usual | Tier::Full => &Need::ALL,
    }
}

fn formatting() -> Result<(), Trouble> {
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    // A workspace of its own.
    run(&mut cargo(&["fmt", "--manifest-path", "tests/fuzz/Cargo.toml", "--check"]))
}

fn warnings() -> Result<(), Trouble> {
    let words = ["--workspace", "--exclude", "latchkey-desktop", "--all-targets", "--", "-D", "warnings"];
    run(cargo(&["clippy", "--quiet"]).args(words))
}

fn window() -> Result<(), Trouble> {
    frontend::build()?;
    run(&mut cargo(&["clippy", "--quiet", "--package", "latchkey-desktop", "--all-targets", "--", "-D", "warnings"]))?;
    run(&mut cargo(&["test", "--package", "latchkey-desktop"]))?;
    run(&mut cargo(&["build", "--package", "latchkey-desktop"]))
}

fn drive_window(tier: Tier) -> Result<(), Trouble> {
    run(&mut cargo(&["build", "--package", "latchkey-desktop"]))?;
    let driver = tool("tauri-driver", "2.1.0")?;
    let program = places::target().join("debug/latchkey-desktop");
    run(rig(tier, "window").env("LATCHKEY_TAURI_DRIVER", driver).env("LATCHKEY_WINDOW", program))
}

/// Loop devices and mounts of the tests' own making, which only the administrator may make.
fn devices() -> Result<Done, Trouble> {
    if !administrator() {
        return Ok(Done::Skipped("only the administrator may make loop devices and mounts".into()));
    }
    if !std::path::Path::new("/dev/loop-control").exists() {
        return Ok(Done::Skipped("this system has no loop devices".into()));
    }
    let tests = |words: &[&str]| run(cargo(words).env("LATCHKEY_TEST_DEVICES", "1"));
    tests(&["test", "--package", "wizard", "--test", "devices"])?;
    passed(tests(&["test", "--package", "latchkey", "--test", "cli", "cut::a_drive"]))
}

fn administrator() -> bool {
    answer(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0")
}

/// The programs that the rigs start are built first: a test cannot ask for another package's program.
fn rigs(tier: Tier, names: &[&str]) -> Result<(), Trouble> {
    run(&mut cargo(&["build", "--quiet", "--package", "latchkey", "--package", "service"]))?;
    names.iter().try_for_each(|name| run(&mut rig(tier, name)))
}

/// The programs that stand in the images are linked statically: nothing else is there.
fn starts(tier: Tier) -> Result<(), Trouble> {
    static_programs(&["rig", "rescue"])?;
    run(rig(tier, "preboot").env("LATCHKEY_IMAGE_PROGRAMS", static_folder()))
}

fn package(tier: Tier) -> Result<(), Trouble> {
    packages::install(&[Need::Laptop])?;
    let package = packed::package()?;
    run(rig(tier, "package").env("LATCHKEY_PACKAGE", package))
}

const STATIC: &str = "x86_64-unknown-linux-gnu";

/// Where [`static_programs`] puts what it builds.
pub fn static_folder() -> PathBuf {
    places::target().join(STATIC).join("release")
}

/// Builds the first processes of preboot image and rescue stick. With glibc linked in: its target is the one
/// that is installed anyway. The target is named so that the flag is not one for build scripts.
///
/// # Errors
/// They cannot be built.
pub fn static_programs(features: &[&str]) -> Result<(), Trouble> {
    let words = ["build", "--quiet", "--release", "--package", "preboot", "--bins", "--target", STATIC, "--features"];
    run(reproducible::build(cargo(&words).arg(features.join(",")), &["-Ctarget-feature=+crt-static"]))
}

fn rig(tier: Tier, name: &str) -> Command {
    let mut command = cargo(&["test", "--package", "rigs", "--test", name, "--", "--nocapture", "--test-threads", "1"]);
    command.env("LATCHKEY_PROGRAM", places::target().join("debug/latchkey"));
    command.env(
        "LATCHKEY_TIER",
        match tier {
            Tier::Quick => "quick",
            Tier::Usual => "usual",
            Tier::Full => "full",
        },
    );
    command
}

/// `cargo deny`, which takes minutes to build: only the full tier does that.
fn licences(tier: Tier) -> Result<Done, Trouble> {
    let own = tools().join("bin/cargo-deny");
    let deny = match (answer(cargo(&["deny", "--version"]).env_remove("CARGO_TARGET_DIR")), own.is_file()) {
        (Some(_), _) => PathBuf::from("cargo-deny"),
        (None, true) => own,
        (None, false) if tier == Tier::Full => tool("cargo-deny", "*")?,
        (None, false) => {
            return Ok(Done::Skipped("cargo-deny is not installed; `cargo xtask test --full` installs it".into()));
        }
    };
    let check = |what: &[&str]| {
        run(Command::new(&deny)
            .args(["--offline", "check", "--hide-inclusion-graph"])
            .args(what)
            .current_dir(places::root()))
    };
    check(&["licenses", "bans", "sources"])?;
    if tier != Tier::Full {
        println!("The database of advisories is looked at by `cargo xtask test --full`.");
        return Ok(Done::Passed);
    }
    let fetched = run(Command::new(&deny).args(["fetch", "db"]).current_dir(places::root()));
    if fetched.is_err() {
        println!("The database of advisories cannot be reached from here: advisories were left out.");
        return Ok(Done::Passed);
    }
    passed(check(&["advisories"]))
}

/// A program of crates.io in the cache, built if it is not there.
///
/// # Errors
/// It cannot be fetched or built.
pub fn tool(name: &str, version: &str) -> Result<PathBuf, Trouble> {
    let path = tools().join("bin").join(name);
    if !path.is_file() {
        println!("{name} is built (once).");
        files::folder(&tools())?;
        let mut install = cargo(&["install", name, "--version", version, "--locked", "--quiet", "--root"]);
        run(install.arg(tools()).env("CARGO_TARGET_DIR", tools().join("target")))?;
        // What is left of the build is of no use to anything else.
        let _ = std::fs::remove_dir_all(tools().join("target"));
    }
    Ok(path)
}

/// Where [`tool`] puts them, in `bin`.
pub fn tools() -> PathBuf {
    places::cache().join("tools")
}

fn passed(result: Result<(), Trouble>) -> Result<Done, Trouble> {
    result.map(|()| Done::Passed)
}

fn on_linux(need: Need, work: impl FnOnce() -> Result<Done, Trouble>) -> Result<Done, Trouble> {
    if !cfg!(target_os = "linux") {
        return Ok(Done::Skipped("it runs on Linux only".into()));
    }
    if !packages::there(&[need]) && !exists("apt-get") {
        return Ok(Done::Skipped("packages that it needs are missing".into()));
    }
    work()
}
