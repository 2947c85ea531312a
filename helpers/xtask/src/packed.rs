//! `cargo xtask package`: a `.deb` and an `.rpm`, the lists of their parts, and the sums of all. `cargo xtask programs`: what an installed Latchkey has beside its
//! window, as `src-tauri/tauri.linux.conf.json` puts it into the package; Tauri's bundler calls it before it packs.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Trouble, answer, cargo, run};
use crate::packages::{self, Need};
use crate::{debian, files, frontend, places, reproducible, sbom, suite};

/// Those that are linked as usual: package and program.
const USUAL: [(&str, &str); 2] = [("latchkey", "latchkey"), ("service", "latchkey-service")];
/// The first processes of a preboot image and of a rescue stick. The engines look for them in `/usr/lib/latchkey`.
const ALONE: [&str; 2] = ["latchkey-preboot", "latchkey-rescue"];

/// Builds the packages with Tauri's bundler, lays them with what belongs to them into `packages` where cargo builds, and
/// has them judged. Returns the `.deb`.
///
/// # Errors
/// Something is missing and cannot be installed, a build fails, or somebody who judges finds a fault.
pub fn package() -> Result<PathBuf, Trouble> {
    packages::install(&[Need::Build, Need::Window, Need::Package])?;
    frontend::build()?;
    // Also where the bundle was built already.
    let node = frontend::parts()?;
    let bundler = places::root().join("ui/node_modules/.bin/tauri");
    let mut bundle = Command::new(bundler);
    bundle.args(["build", "--bundles", "deb,rpm"]).current_dir(places::root().join("src-tauri"));
    bundle.env("CARGO_TARGET_DIR", places::target());
    let bundled = places::target().join("release/bundle");
    // Nothing of an earlier version.
    empty(&bundled)?;
    run(reproducible::dated(reproducible::build(&mut bundle, &[]))?)?;

    let folder = places::target().join("packages");
    empty(&folder)?;
    let content = bundled.join("content");
    let deb = debian::settle(&only(&bundled.join("deb"), "deb")?, &content, &folder)?;
    let made = only(&bundled.join("rpm"), "rpm")?;
    let name = made.file_name().unwrap_or_default().to_string_lossy().to_lowercase().replacen('_', "-", 1);
    let rpm = folder.join(name);
    files::copy(&made, &rpm)?;
    judged(&deb, &rpm, &content)?;
    sbom::write(&folder, &node)?;
    sums(&folder)?;
    println!("In {}.", folder.display());
    Ok(deb)
}

/// Debian's, freedesktop's and rpm's own tools look at them.
fn judged(deb: &Path, rpm: &Path, content: &Path) -> Result<(), Trouble> {
    run(Command::new("lintian").args(["--fail-on", "error,warning", "--info", "--tag-display-limit", "0"]).arg(deb))?;
    let share = content.join("usr/share");
    run(Command::new("desktop-file-validate").arg(share.join("applications/Latchkey.desktop")))?;
    let metainfo = share.join("metainfo/io.github.latchkey.Latchkey.metainfo.xml");
    run(Command::new("appstreamcli").args(["validate", "--no-net", "--explain"]).arg(metainfo))?;
    run(Command::new("rpm").args(["--checksig", "--nosignature"]).arg(rpm))?;
    run(Command::new("rpm").args(["--query", "--package", "--info", "--list", "--requires", "--recommends"]).arg(rpm))
}

/// `SHA256SUMS` of everything else in the folder.
fn sums(folder: &Path) -> Result<(), Trouble> {
    let mut command = Command::new("sha256sum");
    let names = files::under(folder).into_iter().filter_map(|path| path.file_name().map(OsStr::to_owned));
    let sums = answer(command.current_dir(folder).args(names)).ok_or_else(|| Trouble::Command("sha256sum".into()))?;
    let to = folder.join("SHA256SUMS");
    fs::write(&to, sums + "\n").map_err(|error| Trouble::File(to, error))
}

/// The only file of its kind in a folder.
fn only(folder: &Path, ending: &str) -> Result<PathBuf, Trouble> {
    let found = files::under(folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == ending));
    match <[PathBuf; 1]>::try_from(found.collect::<Vec<_>>()) {
        Ok([path]) => Ok(path),
        Err(found) => {
            let sentence = format!("{}: {} files end in .{ending}, not one", folder.display(), found.len());
            Err(Trouble::Because(sentence))
        }
    }
}

/// A folder with nothing in it.
fn empty(folder: &Path) -> Result<(), Trouble> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| Trouble::File(folder.to_owned(), error))?;
    }
    files::folder(folder)
}

/// Builds them for people, and lays them into `target/packed`; manual pages, completions and what is said in lists of
/// software into `target/packed/pages`.
///
/// # Errors
/// One cannot be built or copied.
pub fn programs() -> Result<(), Trouble> {
    for (package, program) in USUAL {
        run(reproducible::build(&mut cargo(&["build", "--release", "--package", package, "--bin", program]), &[]))?;
    }
    suite::static_programs(&["rescue"])?;
    let packed = places::root().join("target/packed");
    fs::create_dir_all(&packed).map_err(|error| Trouble::File(packed.clone(), error))?;
    let usual = USUAL.map(|(_, program)| places::target().join("release").join(program));
    let alone = ALONE.map(|program| suite::static_folder().join(program));
    for from in usual.iter().chain(&alone) {
        let to = packed.join(from.file_name().unwrap_or_default());
        files::copy(from, &to)?;
    }
    let pages = packed.join("pages");
    // Nothing of an earlier version.
    empty(&pages)?;
    // With the flags of the others, and so with what is built already.
    let words =
        ["run", "--quiet", "--release", "--package", "latchkey", "--features", "pages", "--bin", "latchkey-pages"];
    let mut make = cargo(&words);
    run(reproducible::dated(reproducible::build(make.arg("--").arg(templates()).arg(&pages), &[]))?)?;
    let manual = pages.join("man");
    let page = pages.join("latchkey-desktop.1");
    fs::rename(&page, manual.join("latchkey-desktop.1")).map_err(|error| Trouble::File(page, error))?;
    for entry in fs::read_dir(&manual).map_err(|error| Trouble::File(manual.clone(), error))?.flatten() {
        run(Command::new("gzip").args(["-9", "-n", "-f"]).arg(entry.path()))?;
    }
    run(Command::new("gzip").args(["-9", "-n", "-f"]).arg(pages.join("changelog")))?;
    println!("In {}.", packed.display());
    Ok(())
}

fn templates() -> PathBuf {
    places::root().join("src-tauri/linux")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `latchkey-pages` makes.
    fn is_page(page: &str) -> bool {
        let name = page.trim_start_matches("pages/");
        let made = ["man", "completions/latchkey.bash", "completions/_latchkey", "completions/latchkey.fish"];
        made.contains(&name) || templates().join(name.trim_end_matches(".gz")).is_file()
    }

    /// Both packages hold the same, and refuse to go while something needs them.
    #[test]
    fn both_packages_have_the_same_scripts_and_programs() {
        let text = fs::read_to_string(places::root().join("src-tauri/tauri.linux.conf.json")).unwrap();
        let config: serde_json::Value = serde_json::from_str(&text).unwrap();
        let linux = &config["bundle"]["linux"];
        for part in ["desktopTemplate", "postInstallScript", "preRemoveScript", "postRemoveScript"] {
            assert!(is_page(linux["deb"][part].as_str().unwrap().trim_start_matches("../target/packed/")), "{part}");
            assert_eq!(linux["deb"][part], linux["rpm"][part]);
        }
        let files = |kind: &str| linux[kind]["files"].as_object().unwrap().clone();
        for (place, source) in files("rpm") {
            assert!(files("deb").values().any(|other| *other == source), "{place}");
        }
        for place in files("deb").keys().filter(|place| !place.starts_with("/usr/share/")) {
            assert!(files("rpm").contains_key(place), "{place}");
        }
    }

    /// What is packed is what is built, everything else is in the repository, and it lies where it is looked for.
    #[test]
    fn the_package_holds_what_the_programs_look_for() {
        let window = places::root().join("src-tauri");
        let text = fs::read_to_string(window.join("tauri.linux.conf.json")).unwrap();
        let config: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(config["build"]["beforeBundleCommand"], "cargo xtask programs");
        let files = config["bundle"]["linux"]["deb"]["files"].as_object().unwrap();
        let from = |place: &str| files[place].as_str().unwrap();
        for program in ALONE {
            // `rescue::own`.
            assert_eq!(from(&format!("/usr/lib/latchkey/{program}")), format!("../target/packed/{program}"));
        }
        // The units of `wizard` and `service`.
        assert_eq!(from("/usr/bin/latchkey"), "../target/packed/latchkey");
        assert_eq!(from("/usr/libexec/latchkey-service"), "../target/packed/latchkey-service");
        for (place, source) in files {
            let source = source.as_str().unwrap();
            match source.strip_prefix("../target/packed/") {
                Some(page) if page.starts_with("pages/") => assert!(is_page(page), "{page}"),
                Some(program) => assert!(
                    ALONE.contains(&program) || USUAL.iter().any(|(_, usual)| *usual == program),
                    "{program} is not built"
                ),
                None => assert!(window.join(source).is_file(), "{place}: {source}"),
            }
        }
    }
}
