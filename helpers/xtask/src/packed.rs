//! `cargo xtask package`: a `.deb` and an `.rpm`. `cargo xtask programs`: what an installed Latchkey has beside its
//! window, as `src-tauri/tauri.linux.conf.json` puts it into the package; Tauri's bundler calls it before it packs.

use std::fs;
use std::process::Command;

use crate::command::{Trouble, cargo, run};
use crate::packages::{self, Need};
use crate::{files, frontend, places, suite};

/// Those that are linked as usual: package and program.
const USUAL: [(&str, &str); 2] = [("latchkey", "latchkey"), ("service", "latchkey-service")];
/// The first processes of a preboot image and of a rescue stick. The engines look for them in `/usr/lib/latchkey`.
const ALONE: [&str; 2] = ["latchkey-preboot", "latchkey-rescue"];

/// Builds the packages with Tauri's bundler.
///
/// # Errors
/// Something is missing and cannot be installed, or a build fails.
pub fn package() -> Result<(), Trouble> {
    packages::install(&[Need::Build, Need::Window])?;
    frontend::build()?;
    // Also where the bundle was built already.
    frontend::parts()?;
    let bundler = places::root().join("ui/node_modules/.bin/tauri");
    run(Command::new(bundler)
        .args(["build", "--bundles", "deb,rpm"])
        .current_dir(places::root().join("src-tauri"))
        .env("CARGO_TARGET_DIR", places::target()))?;
    println!("In {}.", places::target().join("release/bundle").display());
    Ok(())
}

/// Builds them for people, and lays them into `target/packed`; manual pages, completions and what is said in lists of
/// software into `target/packed/pages`.
///
/// # Errors
/// One cannot be built or copied.
pub fn programs() -> Result<(), Trouble> {
    for (package, program) in USUAL {
        run(&mut cargo(&["build", "--release", "--package", package, "--bin", program]))?;
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
    if pages.exists() {
        fs::remove_dir_all(&pages).map_err(|error| Trouble::File(pages.clone(), error))?;
    }
    run(cargo(&["run", "--quiet", "--package", "latchkey", "--features", "pages", "--bin", "latchkey-pages", "--"])
        .arg(templates())
        .arg(&pages))?;
    let manual = pages.join("man");
    let page = pages.join("latchkey-desktop.1");
    fs::rename(&page, manual.join("latchkey-desktop.1")).map_err(|error| Trouble::File(page, error))?;
    for entry in fs::read_dir(&manual).map_err(|error| Trouble::File(manual.clone(), error))?.flatten() {
        run(Command::new("gzip").args(["-9", "-n", "-f"]).arg(entry.path()))?;
    }
    println!("In {}.", packed.display());
    Ok(())
}

fn templates() -> std::path::PathBuf {
    places::root().join("src-tauri/linux")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `latchkey-pages` makes.
    fn is_page(page: &str) -> bool {
        let name = page.trim_start_matches("pages/");
        let made = ["man", "completions/latchkey.bash", "completions/_latchkey", "completions/latchkey.fish"];
        made.contains(&name) || templates().join(name).is_file()
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
