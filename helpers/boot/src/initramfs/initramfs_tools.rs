//! initramfs-tools (Debian, Ubuntu and their children).

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::Builder;
use crate::job::{FOLDER, IN_INITRAMFS, Job, Way};
use crate::{Error, Result, files, tool};

const HOOK: &str = include_str!("../assets/initramfs-tools-hook");
const LOCAL_TOP: &str = include_str!("../assets/initramfs-tools-local-top");
/// Where an image is looked into when nothing is staged.
const PROMPTS: &str = "/var/lib/latchkey/prompt";
const HOOK_PATH: &str = "etc/initramfs-tools/hooks/latchkey";
const LOCAL_TOP_PATH: &str = "etc/initramfs-tools/scripts/local-top/latchkey";

/// initramfs-tools.
pub struct InitramfsTools {
    root: PathBuf,
}

impl Default for InitramfsTools {
    fn default() -> Self {
        Self { root: "/".into() }
    }
}

impl InitramfsTools {
    fn image(&self, kernel: &str) -> PathBuf {
        self.root.join("boot").join(format!("initrd.img-{kernel}"))
    }
}

impl Builder for InitramfsTools {
    fn name(&self) -> &'static str {
        "initramfs-tools"
    }

    fn is_used(&self) -> bool {
        // dracut on Debian leaves `update-initramfs` in place, as a program of its own.
        self.root.join("usr/sbin/mkinitramfs").exists() && !self.root.join("usr/bin/dracut").exists()
    }

    fn missing(&self) -> Vec<&'static str> {
        let there = self.root.join("usr/share/initramfs-tools/scripts/local-top/cryptroot").exists();
        if there { Vec::new() } else { vec!["cryptsetup-initramfs"] }
    }

    fn install(&self, job: &Job) -> Result<()> {
        let line = self.root.join(FOLDER.trim_start_matches('/')).join("crypttab-line");
        match job.way {
            Way::Encrypt => files::replace(&line, format!("{}\n", job.crypttab_line()).as_bytes(), 0o600)?,
            // It stands in /etc/crypttab.
            Way::Decrypt => files::remove(&line)?,
        }
        files::replace(&self.root.join(HOOK_PATH), HOOK.as_bytes(), 0o755)?;
        files::replace(&self.root.join(LOCAL_TOP_PATH), LOCAL_TOP.as_bytes(), 0o755)
    }

    fn uninstall(&self) -> Result<()> {
        files::remove(&self.root.join(HOOK_PATH))?;
        files::remove(&self.root.join(LOCAL_TOP_PATH))
    }

    fn rebuild(&self) -> Result<()> {
        tool::run("update-initramfs", ["-u", "-k", "all"]).map(|_| ())
    }

    fn prove_staged(&self, kernel: &str, job: &Job, keymap: bool) -> Result<()> {
        let image = self.image(kernel);
        let inside = Unpacked::new(&image)?;
        for name in [
            "usr/bin/latchkey",
            "scripts/local-top/latchkey",
            "usr/sbin/cryptsetup",
            "usr/lib/cryptsetup/askpass",
            "usr/sbin/e2fsck",
            "usr/sbin/resize2fs",
        ] {
            inside.must_have(name)?;
        }
        if job.room.is_some() {
            crate::room::PROGRAMS.iter().try_for_each(|name| inside.must_have(name))?;
        }
        let own = IN_INITRAMFS.trim_start_matches('/');
        let folder = Path::new(FOLDER);
        let copied: &[&str] = if job.way == Way::Encrypt { &["job.json", "header.img"] } else { &["job.json"] };
        for name in copied {
            let (there, here) = (inside.read(&format!("{own}/{name}"))?, read(&folder.join(name))?);
            if there != here {
                return Err(inside.lacks(name));
            }
        }
        if job.way == Way::Encrypt {
            inside.must_have_line("cryptroot/crypttab", &job.crypttab_line())?;
        }
        let list = tool::run("lsinitramfs", [&image])?;
        if !list.lines().any(|line| line.contains("/dm-crypt.ko")) && !is_built_in(kernel, "dm-crypt") {
            return Err(inside.lacks("dm-crypt"));
        }
        if keymap && !list.lines().any(|line| line.contains("kmap")) {
            return Err(inside.lacks("the keyboard's layout"));
        }
        Ok(())
    }

    fn prove_end(&self, kernel: &str, job: &Job) -> Result<()> {
        let inside = Unpacked::new(&self.image(kernel))?;
        inside.must_have("scripts/local-top/cryptroot")?;
        inside.must_have("usr/sbin/cryptsetup")?;
        let table = String::from_utf8_lossy(&inside.read("cryptroot/crypttab")?).into_owned();
        let uuid = format!("UUID={}", job.volume);
        let named = |line: &str| {
            let mut words = line.split_whitespace();
            words.next() == Some(&*job.mapping) && words.next() == Some(&*uuid)
        };
        if !table.lines().any(named) {
            return Err(inside.lacks("cryptroot/crypttab"));
        }
        match inside.path("scripts/local-top/latchkey") {
            Some(_) => Err(Error::odd("initramfs", "the test start's script is still in it")),
            None => Ok(()),
        }
    }

    fn prove_prompt(&self, kernel: &str, mapping: &str, script: Option<(&str, &[u8])>) -> Result<()> {
        let private = Path::new(PROMPTS);
        fs::create_dir_all(private).map_err(Error::at(private))?;
        fs::set_permissions(private, fs::Permissions::from_mode(0o700)).map_err(Error::at(private))?;
        let proven =
            Unpacked::in_folder(&self.image(kernel), private).and_then(|inside| inside.asks_by(mapping, script));
        let _ = fs::remove_dir(private);
        proven
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(Error::at(path))
}

fn is_built_in(kernel: &str, module: &str) -> bool {
    let list = fs::read_to_string(format!("/lib/modules/{kernel}/modules.builtin")).unwrap_or_default();
    list.lines().any(|line| line.ends_with(&format!("/{module}.ko")))
}

/// An image, unpacked into a folder that only the administrator can read. It goes when this does.
struct Unpacked {
    image: String,
    folder: PathBuf,
}

impl Unpacked {
    fn new(image: &Path) -> Result<Self> {
        Self::in_folder(image, Path::new(FOLDER))
    }

    /// The folder is only the administrator's: an image may hold keys.
    fn in_folder(image: &Path, private: &Path) -> Result<Self> {
        let folder = private.join("unpacked");
        let _ = fs::remove_dir_all(&folder);
        let this = Self { image: image.display().to_string(), folder };
        tool::run("unmkinitramfs", [image, &this.folder])?;
        Ok(this)
    }

    fn is_program(&self, name: &str) -> bool {
        let data = self.path(name).and_then(|path| path.metadata().ok());
        data.is_some_and(|data| data.is_file() && data.permissions().mode() & 0o100 != 0)
    }

    /// With microcode before it, the main part lies in a folder of its own.
    fn path(&self, name: &str) -> Option<PathBuf> {
        let places = [self.folder.join(name), self.folder.join("main").join(name)];
        places.into_iter().find(|path| path.symlink_metadata().is_ok())
    }

    /// Whether this script asks for the volume with this name, or the distribution's own prompt.
    fn asks_by(&self, mapping: &str, script: Option<(&str, &[u8])>) -> Result<()> {
        self.must_have("scripts/local-top/cryptroot")?;
        // The script's words are said by it, and where there is no script, all is said by it.
        self.must_have("usr/lib/cryptsetup/askpass")?;
        let table = String::from_utf8_lossy(&self.read("cryptroot/crypttab")?).into_owned();
        let named = |line: &&str| line.split_whitespace().next() == Some(mapping);
        let line = table.lines().find(named).ok_or_else(|| self.lacks("cryptroot/crypttab"))?;
        let options = line.split_whitespace().nth(3).unwrap_or_default();
        let found = options.split(',').find_map(|option| option.strip_prefix("keyscript="));
        if found != script.map(|(path, _)| path) {
            return Err(self.lacks("cryptroot/crypttab"));
        }
        let Some((path, script)) = script else { return Ok(()) };
        let path = path.trim_start_matches('/');
        if self.read(path)? != script || !self.is_program(path) {
            return Err(self.lacks(path));
        }
        Ok(())
    }

    fn must_have(&self, name: &str) -> Result<()> {
        self.path(name).map(|_| ()).ok_or_else(|| self.lacks(name))
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        read(&self.path(name).ok_or_else(|| self.lacks(name))?)
    }

    fn must_have_line(&self, name: &str, line: &str) -> Result<()> {
        let text = self.read(name)?;
        let there = String::from_utf8_lossy(&text).lines().any(|found| found == line);
        if there { Ok(()) } else { Err(self.lacks(name)) }
    }

    fn lacks(&self, what: &str) -> Error {
        Error::NotInInitramfs { image: self.image.clone(), what: what.to_owned() }
    }
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::tests::job;

    #[test]
    fn the_hook_comes_and_goes() {
        let root = tempfile::tempdir().unwrap();
        let tools = InitramfsTools { root: root.path().to_owned() };
        tools.install(&job()).unwrap();
        let hook = root.path().join(HOOK_PATH);
        assert_eq!(fs::metadata(&hook).unwrap().permissions().mode() & 0o777, 0o755);
        let line = fs::read_to_string(root.path().join("var/lib/latchkey/system/crypttab-line")).unwrap();
        assert_eq!(line, "vda2_crypt UUID=3c1b4f0e-0000-4000-8000-000000000001 none luks,discard\n");
        tools.uninstall().unwrap();
        tools.uninstall().unwrap();
        assert!(!hook.exists() && !root.path().join(LOCAL_TOP_PATH).exists());
    }

    #[test]
    fn the_scripts_are_shell_and_name_the_programs_place() {
        for script in [HOOK, LOCAL_TOP] {
            let mut child =
                std::process::Command::new("sh").args(["-n"]).stdin(std::process::Stdio::piped()).spawn().unwrap();
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), script.as_bytes()).unwrap();
            assert!(child.wait().unwrap().success());
        }
        assert!(HOOK.contains(crate::job::PROGRAM) && HOOK.contains(FOLDER));
        assert!(crate::service::UNIT.contains(crate::job::PROGRAM));
    }

    /// As an image is found unpacked, with microcode before it and without.
    #[test]
    fn a_prompt_is_believed_when_all_of_it_is_in_the_image() {
        const SCRIPT: &str = "/etc/latchkey/prompt";
        let root = tempfile::tempdir().unwrap();
        for main in ["", "main/"] {
            let inside = Unpacked { image: "image".into(), folder: root.path().join("unpacked") };
            let write = |name: &str, text: &str, mode: u32| {
                files::replace(&inside.folder.join(main).join(name), text.as_bytes(), mode).unwrap();
            };
            let table = "vda2_crypt UUID=1 none luks,discard,keyscript=/etc/latchkey/prompt\n";
            write("scripts/local-top/cryptroot", "", 0o755);
            write("usr/lib/cryptsetup/askpass", "", 0o755);
            write("cryptroot/crypttab", table, 0o644);
            let script = Some((SCRIPT, &b"echo"[..]));
            assert!(inside.asks_by("vda2_crypt", script).is_err());
            write("etc/latchkey/prompt", "echo", 0o644);
            assert!(inside.asks_by("vda2_crypt", script).is_err(), "it is no program");
            write("etc/latchkey/prompt", "echo", 0o755);
            inside.asks_by("vda2_crypt", script).unwrap();
            assert!(inside.asks_by("vda2_crypt", Some((SCRIPT, b"other"))).is_err());
            assert!(inside.asks_by("vda2_crypt", None).is_err());
            assert!(inside.asks_by("other", script).is_err());
            write("cryptroot/crypttab", "vda2_crypt UUID=1 none luks\n", 0o644);
            assert!(inside.asks_by("vda2_crypt", script).is_err());
            inside.asks_by("vda2_crypt", None).unwrap();
            fs::remove_file(inside.folder.join(main).join("usr/lib/cryptsetup/askpass")).unwrap();
            assert!(inside.asks_by("vda2_crypt", None).is_err());
        }
    }
}
