//! What is in the packages: a list of parts in the format of CycloneDX for each program, and for the front end.
//! <https://cyclonedx.org/specification/overview/>

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{Trouble, answer, run};
use crate::node::Node;
use crate::{places, reproducible, suite};

/// Packages of cargo's that have a program in ours, and their folders.
const PROGRAMS: [(&str, &str); 4] = [
    ("latchkey-desktop", "src-tauri"),
    ("latchkey", "helpers/cli"),
    ("service", "helpers/service"),
    ("preboot", "helpers/preboot"),
];
/// The tool lays its list into the folder of each package of the workspace, under this name.
const NAME: &str = "latchkey-sbom";

/// Writes them into a folder.
///
/// # Errors
/// A tool cannot be had or fails.
pub fn write(folder: &Path, node: &Node) -> Result<(), Trouble> {
    suite::tool("cargo-cyclonedx", "0.5.9")?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(suite::tools().join("bin")).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).map_err(|error| Trouble::Because(error.to_string()))?;
    let mut list = crate::command::cargo(&["cyclonedx", "--format", "json", "--spec-version", "1.5"]);
    list.args(["--target", "x86_64-unknown-linux-gnu", "--quiet", "--override-filename", NAME]).env("PATH", path);
    let listed = reproducible::dated(&mut list).and_then(run);
    let taken = PROGRAMS.iter().try_for_each(|(package, place)| {
        let from = places::root().join(place).join(format!("{NAME}.json"));
        let text = fs::read_to_string(&from).map_err(|error| Trouble::File(from, error))?;
        save(folder, package, &text.replace(&places::root().display().to_string(), "/latchkey"))
    });
    tidy();
    listed?;
    taken?;

    // With those that only build it, which are marked: of some, a part is in the bundle.
    let words = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
    let text = answer(&mut node.npm(&words)).ok_or_else(|| Trouble::Command("npm sbom".into()))?;
    save(folder, "latchkey-window", &settled(&text, &moment()?))
}

fn save(folder: &Path, name: &str, text: &str) -> Result<(), Trouble> {
    let to = folder.join(format!("{name}.cdx.json"));
    fs::write(&to, text).map_err(|error| Trouble::File(to, error))
}

/// Takes away what the tool has laid into the workspace.
fn tidy() {
    let root = places::root();
    let helpers = fs::read_dir(root.join("helpers")).into_iter().flatten().flatten().map(|entry| entry.path());
    for folder in helpers.chain([root.join("src-tauri"), root.join("tests")]) {
        // Where it has written nothing there is nothing to take away.
        let _ = fs::remove_file(folder.join(format!("{NAME}.json")));
    }
}

/// npm's list without a number that is made up for each, and with another date.
fn settled(text: &str, moment: &str) -> String {
    let mut made = String::new();
    for line in text.lines() {
        let word = line.trim_start();
        let indent = &line[..line.len() - word.len()];
        if word.starts_with("\"serialNumber\":") {
            continue;
        }
        if word.starts_with("\"timestamp\":") {
            made += &format!("{indent}\"timestamp\": \"{moment}\"{}\n", if word.ends_with(',') { "," } else { "" });
        } else {
            made += line;
            made.push('\n');
        }
    }
    made
}

/// The commit's date as npm writes one.
fn moment() -> Result<String, Trouble> {
    let at = format!("@{}", reproducible::date()?);
    answer(Command::new("date").args(["-u", "-d", &at, "+%Y-%m-%dT%H:%M:%S.000Z"]))
        .ok_or_else(|| Trouble::Command("date".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npms_list_is_the_same_each_time() {
        let text = "{\n  \"serialNumber\": \"urn:uuid:1\",\n  \"version\": 1,\n  \"metadata\": {\n    \"timestamp\": \"now\",\n    \"x\": 1\n  }\n}\n";
        let made = settled(text, "then");
        assert_eq!(
            made,
            "{\n  \"version\": 1,\n  \"metadata\": {\n    \"timestamp\": \"then\",\n    \"x\": 1\n  }\n}\n"
        );
        serde_json::from_str::<serde_json::Value>(&made).unwrap();
    }
}
