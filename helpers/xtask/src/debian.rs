//! The `.deb` of Tauri's bundler, packed again by Debian's own tool. The bundler writes files in the order in which the
//! file system has them, with the clock of this computer, and does not look at what its programs are linked with.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Trouble, answer, line, run};
use crate::{files, reproducible};

/// Where programs lie in a package, those apart that are linked with nothing.
const PROGRAMS: [&str; 2] = ["usr/bin", "usr/libexec"];

/// Packs it again into a folder, and returns the new file. What it holds is left in `work`.
///
/// # Errors
/// It cannot be unpacked or packed; the libraries of a program are not known.
pub fn settle(package: &Path, work: &Path, folder: &Path) -> Result<PathBuf, Trouble> {
    if work.exists() {
        fs::remove_dir_all(work).map_err(file(work))?;
    }
    run(Command::new("dpkg-deb").arg("--raw-extract").arg(package).arg(work))?;
    // Readable by everybody, and writable by their owner alone.
    run(Command::new("chmod").args(["--recursive", "u=rwX,go=rX"]).arg(work))?;
    let content = files::under(work);
    let control = work.join("DEBIAN");
    let installed: Vec<_> = content.iter().filter(|path| !path.starts_with(&control)).collect();
    sums(work, &installed)?;

    let path = control.join("control");
    let text = fs::read_to_string(&path).map_err(file(&path))?;
    let size =
        installed.iter().filter_map(|path| fs::metadata(path).ok()).map(|about| about.len().div_ceil(1024)).sum();
    let text = completed(&text, &libraries(work)?, size);
    fs::write(&path, &text).map_err(file(&path))?;

    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim();
    let name = format!("{}_{}_{}.deb", field("Package:"), field("Version:"), field("Architecture:"));
    let packed = folder.join(name);
    // The result must not depend on how many processors pack it.
    let words = ["--root-owner-group", "-Zxz", "--threads-max=1", "--build"];
    run(reproducible::dated(Command::new("dpkg-deb").args(words).arg(work).arg(&packed))?)?;
    Ok(packed)
}

/// `DEBIAN/md5sums`, by which `dpkg --verify` finds what has changed.
fn sums(root: &Path, installed: &[&PathBuf]) -> Result<(), Trouble> {
    let mut command = Command::new("md5sum");
    command.current_dir(root).args(installed.iter().filter_map(|path| path.strip_prefix(root).ok()));
    let sums = answer(&mut command).ok_or_else(|| Trouble::Command("md5sum".into()))?;
    let to = root.join("DEBIAN/md5sums");
    fs::write(&to, sums + "\n").map_err(file(&to))
}

/// What the programs are linked with, as a list of packages and versions.
fn libraries(root: &Path) -> Result<String, Trouble> {
    let programs = PROGRAMS.iter().flat_map(|folder| files::under(&root.join(folder)));
    // It asks for a source package around it.
    let around = root.with_extension("source");
    let control = around.join("debian/control");
    files::folder(&around.join("debian"))?;
    fs::write(&control, "Source: latchkey\n\nPackage: latchkey\nArchitecture: any\n").map_err(file(&control))?;
    let mut command = Command::new("dpkg-shlibdeps");
    command.arg("-O").args(programs.map(|path| format!("-e{}", path.display()))).current_dir(&around);
    let printed = answer(&mut command).ok_or_else(|| Trouble::Command(line(&command)))?;
    let list = printed.lines().find_map(|line| line.strip_prefix("shlibs:Depends="));
    list.map(str::to_owned).ok_or_else(|| Trouble::Because("dpkg-shlibdeps has named no library".into()))
}

/// The description with these libraries before what it names already, and with the size in kibibytes.
fn completed(text: &str, libraries: &str, size: u64) -> String {
    let name = |entry: &str| entry.trim().split([' ', '(']).next().unwrap_or_default().to_owned();
    let known: BTreeSet<String> = libraries.split(',').map(name).collect();
    let mut made = String::new();
    for line in text.lines() {
        if let Some(list) = line.strip_prefix("Depends:") {
            let others = list.split(',').map(str::trim).filter(|entry| !known.contains(&name(entry)));
            let all: Vec<&str> = libraries.split(',').map(str::trim).chain(others).collect();
            made += &format!("Depends: {}\n", all.join(", "));
        } else if line.starts_with("Installed-Size:") {
            made += &format!("Installed-Size: {size}\n");
        } else {
            made += line;
            made.push('\n');
        }
    }
    made
}

fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Trouble {
    let path = path.to_owned();
    move |error| Trouble::File(path, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_take_the_place_of_names_without_a_version() {
        let text =
            "Package: x\nInstalled-Size: 4\nDepends: e2fsprogs, libgtk-3-0\nRecommends: kbd\nDescription: y\n z\n";
        let made = completed(text, "libc6 (>= 2.36), libgtk-3-0 (>= 3.24)", 12_345);
        assert_eq!(
            made,
            "Package: x\nInstalled-Size: 12345\nDepends: libc6 (>= 2.36), libgtk-3-0 (>= 3.24), e2fsprogs\n\
             Recommends: kbd\nDescription: y\n z\n"
        );
    }
}
