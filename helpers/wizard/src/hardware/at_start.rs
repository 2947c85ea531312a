//! What the running system is told of a drive that locks itself: who opens it at each start, and how the computer
//! sleeps. Units and settings of systemd; what is put there is taken back with the lock.
//!
//! ```text
//! etc/latchkey/keys/INSTANCE                                 the password, on an encrypted system drive only
//! etc/systemd/system/latchkey-unlock@.service                opens with it
//! etc/systemd/system/latchkey-ask@.service                   asks for it, where no key may lie
//! etc/systemd/system/local-fs.target.wants/...@INSTANCE      one of them, for this drive
//! etc/latchkey/sleep/INSTANCE                                how the person wants the computer to sleep with it
//! etc/systemd/sleep.conf.d/latchkey.conf                     sleep that leaves drives their power, or none
//! ```
//!
//! How the computer sleeps is changed by nobody but the person: where it has to be, they are asked ([`AtStart::asks`]),
//! and without an answer nothing is installed.
//!
//! INSTANCE is the drive's path as systemd escapes it: by its lasting name, which is the same at every start.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use model::{Secret, Verdict};
use opal::system::{self, Sleep};

use crate::view::SleepChoice;
use crate::{Error, Result, engine};

const UNLOCK: (&str, &str) = ("latchkey-unlock", include_str!("../../systemd/latchkey-unlock@.service"));
const ASK: (&str, &str) = ("latchkey-ask", include_str!("../../systemd/latchkey-ask@.service"));
const LIGHT_SLEEP: &str = include_str!("../../systemd/latchkey-sleep-light.conf");
const NO_SLEEP: &str = include_str!("../../systemd/latchkey-sleep-never.conf");

const KEYS: &str = "etc/latchkey/keys";
const SLEEPS: &str = "etc/latchkey/sleep";
const UNITS: &str = "etc/systemd/system";
const WANTS: &str = "etc/systemd/system/local-fs.target.wants";
const SLEEP: &str = "etc/systemd/sleep.conf.d/latchkey.conf";

/// Who opens a drive at each start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opens {
    /// The preboot program: the system lies on it.
    BeforeSystem,
    /// The running system, with a key that it keeps. Only where the system itself lies encrypted.
    BySystem,
    /// The running system, which asks.
    Asks,
}

impl Opens {
    /// For a data drive of this computer: the key may lie on a system drive that is protected itself.
    pub fn by_this_system() -> Self {
        let seen = engine::look_around(None).map(|seen| seen.drives).unwrap_or_default();
        let mut system = seen.iter().filter(|drive| drive.system).peekable();
        let encrypted = system.peek().is_some() && system.all(|drive| drive.judged.verdict == Verdict::Protected);
        if encrypted { Self::BySystem } else { Self::Asks }
    }
}

/// A system, by its root folder.
#[derive(Clone, Debug)]
pub struct AtStart {
    root: PathBuf,
    /// It runs, and is told at once.
    runs: bool,
}

impl AtStart {
    /// The one that runs.
    pub fn of_this_system() -> Self {
        Self { root: "/".into(), runs: true }
    }

    /// One in a folder.
    pub fn under(root: &Path) -> Self {
        Self { root: root.to_owned(), runs: false }
    }

    /// How this system sleeps.
    pub fn sleep(&self) -> Sleep {
        system::sleep(&self.root.join("sys"))
    }

    /// Whether the person has to say how the computer is to sleep: deep sleep takes the drive's power, and nothing
    /// could open the drive when the computer wakes up.
    pub fn asks(&self, opens: Opens) -> bool {
        match self.sleep() {
            Sleep::Deep => true,
            // With the key that the unit has, the kernel opens it by itself.
            Sleep::KernelKeeps => opens != Opens::BySystem,
            Sleep::Shallow | Sleep::Unknown => false,
        }
    }

    /// Tells the system who opens a drive, and how it has to sleep, which is what the person chose. Nothing of the
    /// drive is changed. Done again, it is as the last time.
    ///
    /// # Errors
    /// `hardware-sleep-undecided` where it [asks](Self::asks) and nobody has chosen; `hardware-needs-systemd` on a
    /// system that cannot be told; `wizard-folder` if a file cannot be written.
    pub fn install(&self, drive: &Path, password: &Secret, opens: Opens, sleep: Option<SleepChoice>) -> Result<()> {
        let asks = self.asks(opens);
        if asks && sleep.is_none() {
            return Err(Error::SleepUndecided);
        }
        if (asks || opens != Opens::BeforeSystem) && !self.root.join("etc/systemd").is_dir() {
            return Err(Error::NeedsSystemd);
        }
        self.take_back(drive)?;
        let name = instance(&lasting_name(&self.root, drive));
        match opens {
            Opens::BeforeSystem => {}
            Opens::BySystem => {
                self.put(&Path::new(KEYS).join(&name), password.expose(), 0o600)?;
                self.enable(UNLOCK, &name)?;
            }
            Opens::Asks => self.enable(ASK, &name)?,
        }
        if let (true, Some(sleep)) = (asks, sleep) {
            self.put(&Path::new(SLEEPS).join(&name), word(sleep).as_bytes(), 0o644)?;
            self.set_sleep()?;
        }
        self.reload();
        Ok(())
    }

    /// Takes back everything that [`install`](Self::install) did for a drive.
    ///
    /// # Errors
    /// `wizard-folder` if a file is there and cannot be removed.
    pub fn take_back(&self, drive: &Path) -> Result<()> {
        let name = instance(&lasting_name(&self.root, drive));
        let mut taken = self.remove(&Path::new(KEYS).join(&name))?;
        for (unit, _) in [UNLOCK, ASK] {
            if self.remove(&Path::new(WANTS).join(format!("{unit}@{name}.service")))? && !self.is_wanted(unit) {
                self.remove(&Path::new(UNITS).join(format!("{unit}@.service")))?;
                taken = true;
            }
        }
        if self.remove(&Path::new(SLEEPS).join(&name))? {
            self.set_sleep()?;
            taken = true;
        }
        if taken {
            self.reload();
        }
        Ok(())
    }

    /// What is there for a drive now.
    pub fn opens(&self, drive: &Path) -> Option<Opens> {
        let name = instance(&lasting_name(&self.root, drive));
        let wanted =
            |unit: &str| self.root.join(WANTS).join(format!("{unit}@{name}.service")).symlink_metadata().is_ok();
        [(UNLOCK, Opens::BySystem), (ASK, Opens::Asks)]
            .into_iter()
            .find(|((unit, _), _)| wanted(unit))
            .map(|(_, by)| by)
    }

    fn enable(&self, (unit, text): (&str, &str), name: &str) -> Result<()> {
        let file = Path::new(UNITS).join(format!("{unit}@.service"));
        self.put(&file, text.as_bytes(), 0o644)?;
        let link = self.root.join(WANTS).join(format!("{unit}@{name}.service"));
        let made = self.folder_of(&link).and_then(|()| link_to(&Path::new("/").join(&file), &link));
        made.map_err(|error| Error::folder(&link, error))
    }

    /// Writes a file that is there whole or not at all.
    fn put(&self, path: &Path, bytes: &[u8], mode: u32) -> Result<()> {
        let path = self.root.join(path);
        let put = || {
            self.folder_of(&path)?;
            // Not a dot file: systemd reads none, and neither does anything else here.
            let new = path.with_extension("latchkey-new");
            let _ = fs::remove_file(&new);
            let mut file = create(&new, mode)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&new, &path)
        };
        put().map_err(|error| Error::folder(&path, error))
    }

    fn folder_of(&self, path: &Path) -> std::io::Result<()> {
        let Some(folder) = path.parent() else { return Ok(()) };
        fs::create_dir_all(folder)?;
        if folder.ends_with(KEYS) { only_for_owner(folder) } else { Ok(()) }
    }

    /// Whether it was there.
    fn remove(&self, path: &Path) -> Result<bool> {
        let path = self.root.join(path);
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
                Ok(false)
            }
            Err(error) => Err(Error::folder(&path, error)),
        }
    }

    fn is_wanted(&self, unit: &str) -> bool {
        let entries = fs::read_dir(self.root.join(WANTS)).into_iter().flatten().flatten();
        let unit = format!("{unit}@");
        entries.map(|entry| entry.file_name()).any(|name| name.to_string_lossy().starts_with(&unit))
    }

    /// Sleep as all drives together want it: none, if one of them wants none; as it was, if there is none of them.
    fn set_sleep(&self) -> Result<()> {
        let entries = fs::read_dir(self.root.join(SLEEPS)).into_iter().flatten().flatten();
        let wanted: Vec<String> = entries.filter_map(|entry| fs::read_to_string(entry.path()).ok()).collect();
        let never = wanted.iter().any(|wish| wish == word(SleepChoice::Never));
        match (wanted.is_empty(), never) {
            (true, _) => self.remove(Path::new(SLEEP)).map(drop),
            (false, true) => self.put(Path::new(SLEEP), NO_SLEEP.as_bytes(), 0o644),
            (false, false) => self.put(Path::new(SLEEP), LIGHT_SLEEP.as_bytes(), 0o644),
        }
    }

    /// At the next start it is read anyway.
    fn reload(&self) {
        if self.runs {
            let mut systemctl = Command::new("systemctl");
            systemctl.arg("daemon-reload").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let _ = systemctl.status();
        }
    }
}

const fn word(sleep: SleepChoice) -> &'static str {
    match sleep {
        SleepChoice::Light => "light",
        SleepChoice::Never => "never",
    }
}

/// The block device of an NVMe controller (`/dev/nvme0`): whoever gives a drive back may name the one, and whoever
/// locked it the other.
fn block_device(root: &Path, drive: &Path) -> PathBuf {
    let name = drive.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let number = name.strip_prefix("nvme").filter(|number| !number.is_empty());
    let is_controller = number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    let block = drive.with_file_name(format!("{name}n1"));
    match is_controller && root.join(block.strip_prefix("/").unwrap_or(&block)).exists() {
        true => block,
        false => drive.to_owned(),
    }
}

/// The name of a drive that is the same at every start, if it has one.
fn lasting_name(root: &Path, drive: &Path) -> PathBuf {
    let drive = &block_device(root, drive);
    let folder = "dev/disk/by-id";
    let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
    let same = |entry: &fs::DirEntry| {
        let target = fs::canonicalize(entry.path()).ok();
        target.is_some() && target == fs::canonicalize(root.join(drive.strip_prefix("/").unwrap_or(drive))).ok()
    };
    let mut names: Vec<_> = entries.filter(same).map(|entry| entry.file_name()).collect();
    // Of several the first that tells a person something: model and number, not "wwn-...".
    names.sort_by_key(|name| {
        let name = name.to_string_lossy();
        (name.starts_with("wwn-") || name.starts_with("nvme-eui."), name.into_owned())
    });
    names.into_iter().next().map_or_else(|| drive.to_owned(), |name| Path::new("/").join(folder).join(name))
}

/// A path as `systemd-escape --path` writes it.
fn instance(path: &Path) -> String {
    let text = path.to_string_lossy();
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty()).collect();
    let path = parts.join("/");
    let mut escaped = String::new();
    for (at, byte) in path.bytes().enumerate() {
        match byte {
            b'/' => escaped.push('-'),
            b'.' if at == 0 => escaped.push_str("\\x2e"),
            b':' | b'_' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => escaped.push(char::from(byte)),
            byte => escaped.push_str(&format!("\\x{byte:02x}")),
        }
    }
    if escaped.is_empty() { "-".into() } else { escaped }
}

#[cfg(unix)]
fn create(path: &Path, mode: u32) -> std::io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

#[cfg(unix)]
fn only_for_owner(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(unix)]
fn link_to(to: &Path, link: &Path) -> std::io::Result<()> {
    let _ = fs::remove_file(link);
    std::os::unix::fs::symlink(to, link)
}

// systems without units never come so far.
#[cfg(not(unix))]
fn create(path: &Path, _: u32) -> std::io::Result<fs::File> {
    fs::OpenOptions::new().write(true).create_new(true).open(path)
}

#[cfg(not(unix))]
fn only_for_owner(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn link_to(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    struct Root(tempfile::TempDir);

    impl Root {
        fn new(sleep: &str, kernel_keeps: bool) -> Self {
            let root = Self(tempfile::tempdir().unwrap());
            root.write("etc/systemd/keep", "");
            root.write("sys/power/mem_sleep", sleep);
            root.write("sys/kernel/config", if kernel_keeps { "CONFIG_BLK_SED_OPAL=y\n" } else { "" });
            for name in ["nvme0n1", "nvme1n1"] {
                root.write(&format!("dev/{name}"), "");
                root.link(&format!("dev/disk/by-id/nvme-Good_SSD_{name}"), &format!("../../{name}"));
                root.link(&format!("dev/disk/by-id/nvme-eui.{name}"), &format!("../../{name}"));
            }
            root
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.0.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn link(&self, path: &str, to: &str) {
            let path = self.0.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(to, path).unwrap();
        }

        fn system(&self) -> AtStart {
            AtStart::under(self.0.path())
        }

        /// Every file and link under `etc`, by its path.
        fn files(&self) -> Vec<String> {
            fn walk(folder: &Path, all: &mut Vec<PathBuf>) {
                for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                    match entry.file_type().unwrap().is_dir() {
                        true => walk(&entry.path(), all),
                        false => all.push(entry.path()),
                    }
                }
            }
            let mut all = Vec::new();
            walk(&self.0.path().join("etc"), &mut all);
            let own = |path: &PathBuf| path.strip_prefix(self.0.path()).unwrap().display().to_string();
            let mut all: Vec<String> = all.iter().map(own).filter(|path| path != "etc/systemd/keep").collect();
            all.sort();
            all
        }
    }

    const FIRST: &str = "dev-disk-by\\x2did-nvme\\x2dGood_SSD_nvme0n1";

    #[test]
    fn a_key_is_kept_for_its_owner_only_and_everything_is_taken_back() {
        let root = Root::new("s2idle [deep]\n", true);
        let (system, password) = (root.system(), Secret::from("schöne Zeit"));
        let [first, second] = ["/dev/nvme0n1", "/dev/nvme1n1"].map(Path::new);
        system.install(first, &password, Opens::BySystem, None).unwrap();
        // Again, as after a cut.
        system.install(first, &password, Opens::BySystem, None).unwrap();
        let expected = [
            format!("etc/latchkey/keys/{FIRST}"),
            "etc/systemd/system/latchkey-unlock@.service".into(),
            format!("etc/systemd/system/local-fs.target.wants/latchkey-unlock@{FIRST}.service"),
        ];
        assert_eq!(root.files(), expected);
        let key = root.0.path().join(&expected[0]);
        assert_eq!(fs::read(&key).unwrap(), "schöne Zeit".as_bytes());
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&key), mode(key.parent().unwrap())), (0o600, 0o700));
        assert_eq!(system.opens(first), Some(Opens::BySystem));
        // Two drives share the unit, and each has its own key.
        system.install(second, &password, Opens::BySystem, None).unwrap();
        system.take_back(first).unwrap();
        assert_eq!((system.opens(first), system.opens(second)), (None, Some(Opens::BySystem)));
        assert_eq!(root.files().len(), 3);
        // By another name of the same drive.
        system.take_back(Path::new("/dev/nvme1")).unwrap();
        assert_eq!(root.files(), Vec::<String>::new());
        system.take_back(second).unwrap();
    }

    #[test]
    fn without_an_encrypted_system_it_asks_and_no_key_lies_anywhere() {
        let root = Root::new("[s2idle] deep\n", false);
        let drive = Path::new("/dev/nvme0n1");
        root.system().install(drive, &Secret::from("pass"), Opens::BySystem, None).unwrap();
        root.system().install(drive, &Secret::from("pass"), Opens::Asks, None).unwrap();
        let expected = [
            "etc/systemd/system/latchkey-ask@.service".to_owned(),
            format!("etc/systemd/system/local-fs.target.wants/latchkey-ask@{FIRST}.service"),
        ];
        assert_eq!(root.files(), expected);
        assert_eq!(root.system().opens(drive), Some(Opens::Asks));
    }

    const CASES: [(&str, bool, Opens, bool); 6] = [
        ("s2idle [deep]\n", false, Opens::BySystem, true),
        ("s2idle [deep]\n", true, Opens::BySystem, false),
        ("s2idle [deep]\n", true, Opens::BeforeSystem, true),
        ("s2idle [deep]\n", true, Opens::Asks, true),
        ("[s2idle] deep\n", false, Opens::BeforeSystem, false),
        ("[s2idle]\n", true, Opens::Asks, false),
    ];

    /// S3 takes the drive's power. Where nobody would open it again, sleep becomes what the person chose, until the
    /// last such drive is given back; without a choice nothing at all is installed.
    #[test]
    fn sleep_is_what_the_person_chose_and_only_where_it_has_to_be() {
        let password = Secret::from("pass");
        let [first, second] = ["/dev/nvme0n1", "/dev/nvme1n1"].map(Path::new);
        for (sleep, keeps, opens, asks) in CASES {
            let root = Root::new(sleep, keeps);
            let system = root.system();
            let setting = || fs::read_to_string(root.0.path().join(SLEEP)).ok();
            assert_eq!(system.asks(opens), asks, "{sleep} {keeps} {opens:?}");
            let unasked = system.install(first, &password, opens, None);
            assert_eq!(matches!(unasked, Err(Error::SleepUndecided)), asks, "{unasked:?}");
            assert_eq!(root.files().is_empty(), asks || opens == Opens::BeforeSystem);
            assert_eq!(setting(), None);
            // An answer to what was not asked changes nothing.
            system.install(first, &password, opens, Some(SleepChoice::Light)).unwrap();
            assert_eq!(setting(), asks.then(|| LIGHT_SLEEP.to_owned()));
            if !asks {
                continue;
            }
            system.install(second, &password, opens, Some(SleepChoice::Never)).unwrap();
            assert_eq!(setting().as_deref(), Some(NO_SLEEP), "none is stricter");
            system.take_back(second).unwrap();
            assert_eq!(setting().as_deref(), Some(LIGHT_SLEEP), "the other one needs it still");
            // Another choice for the same drive.
            system.install(first, &password, opens, Some(SleepChoice::Never)).unwrap();
            assert_eq!(setting().as_deref(), Some(NO_SLEEP));
            system.take_back(first).unwrap();
            assert_eq!(root.files(), Vec::<String>::new());
        }
        assert!(LIGHT_SLEEP.contains("\nSuspendState=freeze\n") && NO_SLEEP.contains("\nAllowSuspend=no\n"));
    }

    #[test]
    fn a_system_without_units_is_told_so_before_anything_is_locked() {
        let root = Root(tempfile::tempdir().unwrap());
        let refused = root.system().install(Path::new("/dev/nvme0n1"), &Secret::from("pass"), Opens::BySystem, None);
        assert!(matches!(refused, Err(Error::NeedsSystemd)));
        // One that would have to sleep otherwise, and has nobody who could be told.
        root.write("sys/power/mem_sleep", "s2idle [deep]\n");
        let drive = Path::new("/dev/nvme0n1");
        let refused =
            root.system().install(drive, &Secret::from("pass"), Opens::BeforeSystem, Some(SleepChoice::Light));
        assert!(matches!(refused, Err(Error::NeedsSystemd)));
        assert_eq!(root.files(), Vec::<String>::new());
    }

    #[test]
    fn names_are_escaped_as_systemd_does_it() {
        for (path, expected) in [
            ("/dev/sda", "dev-sda"),
            ("/dev/disk/by-id/nvme-Good SSD_1:2.x", "dev-disk-by\\x2did-nvme\\x2dGood\\x20SSD_1:2.x"),
            ("/.hidden//ä", "\\x2ehidden-\\xc3\\xa4"),
            ("/", "-"),
        ] {
            assert_eq!(instance(Path::new(path)), expected);
            let Ok(output) = Command::new("systemd-escape").args(["--path", path]).output() else {
                println!("left out: systemd-escape is not here");
                continue;
            };
            assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected);
        }
    }

    /// What was installed is what systemd takes: each instance, with all that it names, in a root of its own.
    #[test]
    fn the_units_are_sound() {
        let password = Secret::from("pass");
        let drive = Path::new("/dev/nvme0n1");
        for (opens, (unit, _)) in [(Opens::BySystem, UNLOCK), (Opens::Asks, ASK)] {
            let root = Root::new("s2idle [deep]\n", false);
            root.system().install(drive, &password, opens, Some(SleepChoice::Never)).unwrap();
            // The programs that the units start, and the targets that they stand before.
            for program in ["usr/bin/latchkey", "usr/sbin/blockdev", "bin/sh"] {
                root.write(program, "#!/bin/sh\n");
                fs::set_permissions(root.0.path().join(program), fs::Permissions::from_mode(0o755)).unwrap();
            }
            for target in ["local-fs", "local-fs-pre", "cryptsetup-pre", "shutdown", "sysinit", "basic"] {
                let text = format!("[Unit]\nDescription={target}\nDefaultDependencies=no\n");
                root.write(&format!("usr/lib/systemd/system/{target}.target"), &text);
            }
            let instance = format!("{unit}@{FIRST}.service");
            let verify = |unit: &str| {
                let mut verify = Command::new("systemd-analyze");
                verify.args(["verify", "--man=no", "--generators=no", "--recursive-errors=one"]);
                verify.arg(format!("--root={}", root.0.path().display())).arg(unit).output()
            };
            let Ok(output) = verify(&instance) else {
                println!("left out: systemd-analyze is not here");
                return;
            };
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && !said.contains("latchkey"), "{said}");
            // The judge sees a fault where there is one.
            let wrong = fs::read_to_string(root.0.path().join(format!("{UNITS}/{unit}@.service"))).unwrap();
            root.write(&format!("{UNITS}/wrong.service"), &wrong.replace("ExecStart=/", "ExecStart=/no/such"));
            let output = verify("wrong.service").unwrap();
            assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }

    /// The drop-ins are read by the tool that reads the system's own.
    #[test]
    fn the_settings_of_sleep_are_sound() {
        let root = Root::new("s2idle [deep]\n", false);
        let system = root.system();
        for (choice, expected) in [(SleepChoice::Light, "SuspendState=freeze"), (SleepChoice::Never, "AllowSuspend=no")]
        {
            system
                .install(Path::new("/dev/nvme0n1"), &Secret::from("pass"), Opens::BeforeSystem, Some(choice))
                .unwrap();
            let mut cat = Command::new("systemd-analyze");
            cat.arg(format!("--root={}", root.0.path().display())).args(["cat-config", "systemd/sleep.conf"]);
            let Ok(output) = cat.output() else {
                println!("left out: systemd-analyze is not here");
                return;
            };
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && said.lines().any(|line| line == expected), "{said}");
        }
    }
}
