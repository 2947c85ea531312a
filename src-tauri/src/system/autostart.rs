//! The window opens by itself after the test start, once: the person wants to know what happened. The entry lies where
//! the desktops of Linux look for it (Desktop Application Autostart Specification 0.5), is the person's own, and goes
//! when the window has something to say.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use wizard::system::Phase;
use wizard::view::View;

const NAME: &str = "io.github.latchkey.Latchkey.after-test-start.desktop";

/// Sets the entry up while a restart is waited for, and takes it away when what came of it is known. A window that
/// cannot do so is opened by the person.
pub fn follow(view: &View) {
    if let (Some(wanted), Some(folder)) = (wanted(view), folder()) {
        let _ = put(&folder, wanted, std::env::current_exe().ok().as_deref());
    }
}

/// Whether something is to be told at the next start. `None`: that is not known yet.
fn wanted(view: &View) -> Option<bool> {
    let Some(system) = &view.system else { return Some(false) };
    let standing = system.standing.as_ref()?;
    Some(
        matches!(
            standing.phase,
            Phase::RoomStaged | Phase::RoomMade | Phase::Staged | Phase::ToBeProven | Phase::ToBeDecrypted
        ) || system.undone,
    )
}

fn put(folder: &Path, wanted: bool, program: Option<&Path>) -> io::Result<()> {
    let path = folder.join(NAME);
    if !wanted {
        return match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
    }
    let Some(entry) = program.and_then(entry) else { return Ok(()) };
    if fs::read_to_string(&path).is_ok_and(|there| there == entry) {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    fs::write(path, entry)
}

/// The entry for a program. `None`: its path cannot be written there (Desktop Entry Specification 1.5, the Exec key).
fn entry(program: &Path) -> Option<String> {
    let program =
        program.to_str().filter(|path| !path.contains(|sign: char| sign.is_control() || "\"`$\\%".contains(sign)))?;
    Some(format!(
        "[Desktop Entry]\nType=Application\nName=Latchkey\nExec=\"{program}\"\nX-GNOME-Autostart-enabled=true\n"
    ))
}

fn folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")))?;
    Some(config.join("autostart"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_there_while_it_is_wanted_and_no_longer() {
        let folder = tempfile::tempdir().unwrap();
        let autostart = folder.path().join("autostart");
        let program = Path::new("/usr/bin/latchkey-desktop");
        put(&autostart, false, Some(program)).unwrap();
        put(&autostart, true, Some(program)).unwrap();
        let text = fs::read_to_string(autostart.join(NAME)).unwrap();
        assert!(text.contains("\nExec=\"/usr/bin/latchkey-desktop\"\n"), "{text}");
        put(&autostart, true, Some(program)).unwrap();
        put(&autostart, false, Some(program)).unwrap();
        assert_eq!(fs::read_dir(&autostart).unwrap().count(), 0);
    }

    #[test]
    fn a_path_that_would_be_read_as_something_else_is_not_written() {
        for path in ["/tmp/a\"b", "/tmp/$HOME", "/tmp/a\nExec=x", "/tmp/%f", "/tmp/`x`"] {
            assert_eq!(entry(Path::new(path)), None, "{path}");
        }
    }
}
