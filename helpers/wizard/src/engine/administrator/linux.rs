//! polkit's own program asks the person and starts the other one: pkexec(1).

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const PKEXEC: &str = "/usr/bin/pkexec";

/// The command that asks; `None`: nobody can be asked, or there is nothing to be started.
pub(super) fn command() -> Option<Command> {
    if rustix::process::geteuid().is_root() || !Path::new(PKEXEC).exists() {
        return None;
    }
    let program =
        beside().or_else(|| Some(PathBuf::from("/usr/bin/latchkey"))).filter(|path| only_root_changes(path))?;
    let mut command = Command::new(PKEXEC);
    command.arg(program).arg("watch");
    Some(command)
}

/// The command line program that came with this one.
fn beside() -> Option<PathBuf> {
    let here = std::env::current_exe().ok()?.with_file_name("latchkey");
    here.is_file().then_some(here)
}

/// A program that its user could exchange is not started with more rights than its user has.
fn only_root_changes(path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    path.ancestors()
        .all(|part| std::fs::symlink_metadata(part).is_ok_and(|about| about.uid() == 0 && about.mode() & 0o022 == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_anybody_can_exchange_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("latchkey");
        std::fs::write(&program, "").unwrap();
        // It lies among the temporary files, which everybody can write to.
        assert!(!only_root_changes(&program));
        assert!(!only_root_changes(Path::new("/not/there")));
        assert!(only_root_changes(Path::new("/usr/bin/env")));
    }
}
