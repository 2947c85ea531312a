//! Node.js, which builds the front end: the system's if it is new enough, else Debian's, else a copy
//! of our own in the cache.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::command::{Trouble, answer, exists, run};
use crate::{files, packages, places};

/// A Node.js that is new enough.
pub struct Node {
    /// A folder that goes before the others where programs are looked for.
    first: Option<PathBuf>,
}

impl Node {
    /// Finds one or brings one.
    ///
    /// # Errors
    /// It is missing and cannot be installed.
    pub fn ready() -> Result<Self, Trouble> {
        let system = Self { first: None };
        if system.is_good() {
            return Ok(system);
        }
        let own = Self { first: Some(folder().join("node_modules/.bin")) };
        if own.is_good() {
            return Ok(own);
        }
        println!("Node.js {} or newer is missing; it builds the front end.", Version::LEAST);
        if !exists("apt-get") && !exists("npm") {
            return Err(Trouble::Because(format!("please install Node.js {} or newer.", Version::LEAST)));
        }
        if exists("apt-get") && candidate().is_some_and(Version::is_good) {
            packages::install_named(&["nodejs", "npm"])?;
            return if system.is_good() { Ok(system) } else { Err(too_old()) };
        }
        if !exists("npm") {
            println!("The system's own is older. Its npm fetches a newer one into {}.", folder().display());
            packages::install_named(&["npm"])?;
        }
        files::folder(&folder())?;
        // The package `node` brings the program itself, as it is published for each system.
        run(Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--prefix"])
            .arg(folder())
            .args(["node@22", "npm@11"]))?;
        if own.is_good() { Ok(own) } else { Err(too_old()) }
    }

    /// `npm` in the front end's folder.
    pub fn npm(&self, words: &[&str]) -> Command {
        let mut command = self.command("npm");
        command.args(words).current_dir(places::root().join("ui"));
        command
    }

    fn command(&self, program: &str) -> Command {
        let Some(first) = &self.first else { return Command::new(program) };
        let mut command = Command::new(first.join(program));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(first.clone()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).unwrap_or_else(|_| OsString::from(first)));
        command
    }

    fn is_good(&self) -> bool {
        let version = answer(self.command("node").arg("--version"));
        version.and_then(|text| Version::parse(&text)).is_some_and(Version::is_good)
            && answer(self.command("npm").arg("--version")).is_some()
    }
}

fn folder() -> PathBuf {
    places::cache().join("node")
}

fn too_old() -> Trouble {
    Trouble::Because(format!("Node.js was installed, and is still older than {}.", Version::LEAST))
}

/// The version that the system's package manager would install.
fn candidate() -> Option<Version> {
    let policy = answer(Command::new("apt-cache").args(["policy", "nodejs"]))?;
    let line = policy.lines().find_map(|line| line.trim().strip_prefix("Candidate:"))?;
    Version::parse(line)
}

/// A version of Node.js: major and minor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version(u32, u32);

impl Version {
    /// The oldest that the front end's tools run on.
    const LEAST: &str = "20.19";

    /// Reads `v20.19.2` and `20.19.2+dfsg-1`.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().trim_start_matches('v').split(['.', '+', '-', '~']);
        Some(Self(parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    }

    /// Vite names 20.19 and 22.12 as its oldest; 21 was never kept up.
    fn is_good(self) -> bool {
        match self.0 {
            20 => self.1 >= 19,
            22 => self.1 >= 12,
            major => major > 22,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        for good in ["v20.19.0", "20.19.2+dfsg-1", "v22.12.0", "v24.1.0"] {
            assert!(Version::parse(good).unwrap().is_good(), "{good}");
        }
        for old in ["18.20.4+dfsg-1~deb12u1", "v20.18.9", "v21.7.0", "v22.11.0"] {
            assert!(!Version::parse(old).unwrap().is_good(), "{old}");
        }
        assert_eq!(Version::parse("(none)"), None);
    }
}
