//! Packages of Debian 13, whatever this computer runs: this computer's own apt fetches them from its own
//! mirror into a folder of their own, and nothing is installed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tool::{Error, run};

/// The release.
pub const SUITE: &str = "trixie";
const KEYS: &str = "/usr/share/keyrings/debian-archive-trixie-stable.gpg";

/// The mirror that this computer's administrator has chosen.
///
/// # Errors
/// There is none of Debian.
pub fn mirror() -> Result<String, Error> {
    let targets = run(Command::new("apt-get").args(["indextargets", "--format", "$(SITE) $(SUITE) $(CODENAME)"]))?;
    let mut sites = targets.lines().filter_map(|line| line.split_whitespace().next());
    let site = sites.find(|site| site.trim_end_matches('/').ends_with("/debian"));
    site.map(str::to_owned).ok_or_else(|| Error::Missing("a mirror of Debian among the system's sources".into()))
}

/// The system's apt, looking at another release and at no package of this computer.
pub struct Apt {
    folder: PathBuf,
    options: Vec<String>,
}

impl Apt {
    /// Reads the release's lists of packages into a folder.
    ///
    /// # Errors
    /// No mirror, no keys.
    pub fn new(work: &Path) -> Result<Self, Error> {
        let folder = work.join("apt");
        for name in ["lists/partial", "archives/partial", "kernel"] {
            let path = folder.join(name);
            fs::create_dir_all(&path).map_err(Error::at(&path))?;
        }
        let site = mirror()?;
        if !Path::new(KEYS).is_file() {
            return Err(Error::Missing(format!("debian-archive-keyring with {KEYS}")));
        }
        let sources = folder.join("sources.list");
        let line = format!("deb [signed-by={KEYS}] {site} {SUITE} main\n");
        fs::write(&sources, line).map_err(Error::at(&sources))?;
        let status = folder.join("status");
        File::create(&status).map_err(Error::at(&status))?;
        let place = |name: &str| folder.join(name).display().to_string();
        let options = [
            format!("Dir::Etc::sourcelist={}", sources.display()),
            "Dir::Etc::sourceparts=/dev/null".into(),
            "Dir::Etc::preferencesparts=/dev/null".into(),
            format!("Dir::State::lists={}", place("lists")),
            format!("Dir::State::status={}", status.display()),
            format!("Dir::Cache={}", folder.display()),
            format!("Dir::Cache::archives={}", place("archives")),
            // Root's folders are not for apt's own user.
            format!("APT::Sandbox::User={}", run(Command::new("id").arg("-un"))?.trim()),
        ];
        let options = options.iter().flat_map(|option| ["-o".to_owned(), option.clone()]).collect();
        let apt = Self { folder, options };
        run(apt.command("apt-get").arg("update"))?;
        Ok(apt)
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.args(&self.options).arg("-q");
        command
    }

    /// The package behind the name that always means the newest kernel, without what it depends on.
    pub fn kernel(&self, name: &str) -> Result<Vec<PathBuf>, Error> {
        let text = run(self.command("apt-cache").args(["depends", "--no-recommends", "--no-suggests", name]))?;
        let names = text.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
        let names: Vec<&str> = names.filter(|name| name.starts_with("linux-")).collect();
        self.download(&names)
    }

    /// Packages without what they depend on; all that were asked for so far.
    pub fn download(&self, names: &[&str]) -> Result<Vec<PathBuf>, Error> {
        let folder = self.folder.join("kernel");
        run(self.command("apt-get").arg("download").args(names).current_dir(&folder))?;
        archives(&folder)
    }

    /// Packages, and everything that they depend on.
    pub fn programs(&self, packages: &[&str]) -> Result<Vec<PathBuf>, Error> {
        let options = ["-y", "--download-only", "--no-install-recommends", "install"];
        run(self.command("apt-get").args(options).args(packages))?;
        archives(&self.folder.join("archives"))
    }
}

fn archives(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::at(folder))?;
    let files = entries.flatten().map(|entry| entry.path());
    Ok(files.filter(|path| path.extension().is_some_and(|extension| extension == "deb")).collect())
}
