//! The stage that builds for Windows and checks for macOS, on Linux, and runs the Windows program under Wine.
//!
//! Debian has a compiler of one version with the sources of its own standard library (`rustc-web`,
//! `rust-web-src`), from which any target can be built; no other toolchain is asked for. All of it lies unpacked
//! in the cache folder beside what it built, and is fetched once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Trouble, answer, exists, run};
use crate::packages::{self, Need};
use crate::stages::Done;
use crate::{files, frontend, places};

const WINDOWS: &str = "x86_64-pc-windows-gnu";
/// Crates whose own tests run under Wine as they run here.
const TESTED: [&str; 10] =
    ["bitlocker", "blockdev", "drives", "explain", "filevault", "luks", "model", "opal", "recovery", "xts"];
/// Crates without C, which are checked for the systems that cannot be linked here.
const CHECKED: [&str; 10] = TESTED;

/// Builds `latchkey.exe` and lets it encrypt a practice drive under Wine, which stock `cryptsetup` then opens; builds
/// the window's program; runs the engines' own tests under Wine; and checks what has no C for Microsoft's own linker
/// and for macOS. A warning is an error, as it is here.
///
/// # Errors
/// Something that does not compile, or a test that fails. All of it is tried first: it is rarely one thing alone.
pub fn stage() -> Result<Done, Trouble> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Done::Skipped("it is made for Linux on x86-64".into()));
    }
    if !exists("apt-get") || !exists("dpkg") {
        return Ok(Done::Skipped("the compiler comes from Debian's packages".into()));
    }
    packages::install(&[Need::Cross])?;
    let Some(compiler) = compiler()? else {
        return Ok(Done::Skipped("Debian's `rustc-web` and its sources are not to be had here".into()));
    };
    if compiler.is_too_old() {
        return Ok(Done::Skipped("Debian's `rustc-web` is older here than the workspace wants".into()));
    }
    let failed: Vec<String> = [
        ("latchkey.exe", program(&compiler)),
        ("the window", window(&compiler)),
        ("tests under Wine", tests(&compiler)),
        ("Microsoft's linker", checked(&compiler, "x86_64-pc-windows-msvc")),
        ("macOS", checked(&compiler, "aarch64-apple-darwin")),
    ]
    .into_iter()
    .filter_map(|(name, part)| part.err().map(|trouble| format!("{name}: {trouble}")))
    .collect();
    if failed.is_empty() { Ok(Done::Passed) } else { Err(Trouble::Because(failed.join("; "))) }
}

fn program(compiler: &Compiler) -> Result<(), Trouble> {
    run(&mut compiler.cargo("build", WINDOWS, &["--package", "latchkey"]))?;
    under_wine(&compiler.built())
}

/// It is linked and not started: Wine has no WebView2 that it could draw with.
fn window(compiler: &Compiler) -> Result<(), Trouble> {
    frontend::build()?;
    run(&mut compiler.cargo("build", WINDOWS, &["--package", "latchkey-desktop"]))
}

fn tests(compiler: &Compiler) -> Result<(), Trouble> {
    let beside = compiler.built().join("deps");
    files::folder(&beside)?;
    shim(&beside)?;
    let words = [&packages_of(&TESTED)[..], &["--lib", "--no-fail-fast"]].concat();
    run(compiler.cargo("test", WINDOWS, &words).env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", runner()?))
}

fn checked(compiler: &Compiler, target: &str) -> Result<(), Trouble> {
    run(&mut compiler.cargo("check", target, &packages_of(&CHECKED)))
}

fn packages_of(names: &[&'static str]) -> Vec<&'static str> {
    names.iter().flat_map(|name| ["--package", name]).collect()
}

/// Of the compiler itself, below its root.
const LIBRARIES: &str = "usr/lib/x86_64-linux-gnu";

/// The second part of `1.95.0`; the first has been 1 for as long as there is Rust.
fn minor(version: &str) -> Option<u32> {
    version.split('.').nth(1)?.parse().ok()
}

struct Compiler {
    root: PathBuf,
    target: PathBuf,
}

impl Compiler {
    /// Whether it is older than the workspace says that it has to be.
    fn is_too_old(&self) -> bool {
        let mut rustc = Command::new(self.root.join("usr/bin/rustc"));
        let told = answer(rustc.arg("--version").env("LD_LIBRARY_PATH", self.root.join(LIBRARIES)));
        let own = told.as_deref().and_then(|told| told.split_whitespace().nth(1)).map(minor);
        own.flatten() < minor(env!("CARGO_PKG_RUST_VERSION"))
    }

    /// Where programs for Windows lie.
    fn built(&self) -> PathBuf {
        self.target.join(WINDOWS).join("debug")
    }

    /// The real cargo, not rustup's stand-in, which would choose its own compiler.
    fn cargo(&self, verb: &str, target: &str, words: &[&str]) -> Command {
        let own = answer(Command::new("rustup").args(["which", "cargo"]));
        let mut command = Command::new(own.unwrap_or_else(|| "cargo".to_owned()));
        let parts = if verb == "test" { "std,panic_abort,panic_unwind,test" } else { "std,panic_abort" };
        command.arg(verb).args(words).args(["-Z", &format!("build-std={parts}"), "-Z", "warnings", "--target", target]);
        command
            .current_dir(places::root())
            .env("RUSTC", self.root.join("usr/bin/rustc"))
            .env("RUSTC_BOOTSTRAP", "1")
            // Of our own crates only.
            .env("CARGO_BUILD_WARNINGS", "deny")
            .env("LD_LIBRARY_PATH", self.root.join(LIBRARIES))
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_INCREMENTAL", "0")
            // Optimised as everywhere, without what only a debugger reads: half the time and room.
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env_remove("RUSTUP_TOOLCHAIN");
        command
    }
}

fn folder() -> PathBuf {
    places::cache().join("cross")
}

/// The compiler in the cache, fetched if it is not there. `None`: Debian has none for us.
fn compiler() -> Result<Option<Compiler>, Trouble> {
    let (root, target) = (folder().join("root"), folder().join("target"));
    let found = Compiler { root, target };
    if found.root.join("usr/bin/rustc").is_file() && found.root.join("usr/lib/rustlib/src").exists() {
        return Ok(Some(found));
    }
    let packages = folder().join("packages");
    // What a fetch that was cut off has left would be unpacked beside the new one.
    for old in [&packages, &found.root] {
        let _ = fs::remove_dir_all(old);
    }
    files::folder(&packages)?;
    let of = |name: &str| answer(Command::new("apt-cache").args(["depends", name])).unwrap_or_default();
    let needed = |told: &str, begin: &str| {
        let mut lines = told.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
        lines.find(|name| name.starts_with(begin)).map(str::to_owned)
    };
    let library = needed(&of("libstd-rust-web-dev"), "libstd-rust-web-");
    let llvm = library
        .as_deref()
        .and_then(|library| needed(&of(library), "libllvm"))
        .or_else(|| needed(&of("rustc-web"), "libllvm"));
    let (Some(library), Some(llvm)) = (library, llvm) else { return Ok(None) };
    let names = ["rustc-web", "rust-web-src", "libstd-rust-web-dev", &library, &llvm];
    println!("The compiler for other systems is fetched (once, about 140 MB).");
    run(Command::new("apt-get").arg("-q").arg("download").args(names).current_dir(&packages))?;
    let entries = fs::read_dir(&packages).map_err(|error| Trouble::File(packages.clone(), error))?;
    // Moved to its place as a whole: half a compiler is none.
    let unpacked = folder().join("unpacked");
    let _ = fs::remove_dir_all(&unpacked);
    for package in entries.flatten() {
        run(Command::new("dpkg").arg("-x").arg(package.path()).arg(&unpacked))?;
    }
    fs::rename(&unpacked, &found.root).map_err(|error| Trouble::File(found.root.clone(), error))?;
    let _ = fs::remove_dir_all(&packages);
    Ok(Some(found))
}

/// A practice drive made and encrypted by `latchkey.exe`, opened by the reference of this system.
fn under_wine(built: &Path) -> Result<(), Trouble> {
    shim(built)?;
    let work = folder().join("practice");
    let _ = fs::remove_dir_all(&work);
    files::folder(&work)?;
    let program = built.join("latchkey.exe");
    let write = |name: &str, text: &str| {
        let path = work.join(name);
        fs::write(&path, text).map_err(|error| Trouble::File(path, error))
    };
    write("password.txt", "a password for practice")?;
    let keys = work.join("keys");
    files::folder(&keys)?;
    let image = work.join("drive.img");
    run(Command::new("truncate").args(["-s", "24M"]).arg(&image))?;
    run(Command::new("mkfs.vfat").args(["-n", "PRACTICE"]).arg(&image))?;
    let wine = |words: &[&str]| -> Result<(), Trouble> {
        let mut command = Command::new(runner()?);
        run(command.arg(&program).args(words).current_dir(&work))
    };
    wine(&["--version"])?;
    // BitLocker's way on a simulated computer. The whole wizard is left out: Wine 8 sometimes falls over itself when a
    // program that has been running for a while asks for the list of drives (`wbemprox`, `fill_logicaldisk`).
    wine(&["practice", "--windows", "--dir", "."])?;
    // Wine shows all folders as one drive of which it knows nothing more.
    let keys = ["--recovery-dir", "keys", "--recovery-dir-is-elsewhere"];
    wine(&[&["encrypt", "drive.img", "--password-file", "password.txt", "--yes"], &keys[..]].concat())?;
    wine(&["prove", "drive.img", "--password-file", "password.txt"])?;
    let opened = Command::new("cryptsetup")
        .args(["open", "--test-passphrase", "--type", "luks2", "--key-file"])
        .arg(work.join("password.txt"))
        .arg(&image)
        .status();
    match opened {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Trouble::Because("cryptsetup does not open what latchkey.exe encrypted".into())),
        Err(error) => Err(Trouble::Start("cryptsetup".into(), error)),
    }
}

/// Starts Windows programs: Wine, in a folder of its own and with its own libraries only.
fn runner() -> Result<PathBuf, Trouble> {
    let path = folder().join("winerun");
    let prefix = folder().join("wine");
    files::folder(&prefix)?;
    let text = format!(
        "#!/bin/sh\nexec env -u LD_LIBRARY_PATH WINEPREFIX='{}' WINEDEBUG=-all /usr/lib/wine/wine64 \"$@\"\n",
        prefix.display()
    );
    let failed = |error| Trouble::File(path.clone(), error);
    fs::write(&path, text).map_err(failed)?;
    run(Command::new("chmod").arg("755").arg(&path))?;
    Ok(path)
}

/// Older Wines have no `bcryptprimitives.dll`, which Rust's library takes random numbers from: one beside the
/// program, which asks the function that Windows had for it before.
fn shim(beside: &Path) -> Result<(), Trouble> {
    const SOURCE: &str = "#include <windows.h>\n\
        BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);\n\
        __declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *p, SIZE_T n) { return SystemFunction036(p, (ULONG)n); }\n";
    let library = beside.join("bcryptprimitives.dll");
    if library.is_file() {
        return Ok(());
    }
    let source = folder().join("bcryptprimitives.c");
    fs::write(&source, SOURCE).map_err(|error| Trouble::File(source.clone(), error))?;
    run(Command::new("x86_64-w64-mingw32-gcc")
        .args(["-shared", "-O2", "-o"])
        .arg(&library)
        .arg(&source)
        .arg("-ladvapi32"))
}
