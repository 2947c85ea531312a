//! `cargo xtask programs`: what an installed Latchkey has beside its window, as `src-tauri/tauri.linux.conf.json` puts
//! it into the package. `cargo tauri build` calls it before it packs.

use std::fs;

use crate::command::{Trouble, cargo, run};
use crate::{files, places, suite};

/// Those that are linked as usual: package and program.
const USUAL: [(&str, &str); 2] = [("latchkey", "latchkey"), ("service", "latchkey-service")];
/// The first processes of a preboot image and of a rescue stick. The engines look for them in `/usr/lib/latchkey`.
const ALONE: [&str; 2] = ["latchkey-preboot", "latchkey-rescue"];

/// Builds them for people, and lays them into `target/packed`.
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
    println!("In {}.", packed.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
                Some(program) => assert!(
                    ALONE.contains(&program) || USUAL.iter().any(|(_, usual)| *usual == program),
                    "{program} is not built"
                ),
                None => assert!(window.join(source).is_file(), "{place}: {source}"),
            }
        }
    }
}
