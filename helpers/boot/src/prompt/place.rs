//! Where the script stands, how it comes into the initramfs, and the proof that it has.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use blockdev::{Access, FileDevice};
use serde::Serialize;

use super::crypttab::{keyscript, with_keyscript};
use super::{Echo, Found, Refusal, Settings};
use crate::initramfs::Builder;
use crate::job::{FOLDER, Job};
use crate::parts::{self, Part};
use crate::{Error, Result, facts, files, initramfs};

/// The script. It belongs to no package: while crypttab names it, nothing but us takes it away.
pub const SCRIPT: &str = "/etc/latchkey/prompt";
const CRYPTTAB: &str = "/etc/crypttab";

/// How the prompt is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// Name under `/dev/mapper` of the volume that is asked for.
    pub mapping: String,
    /// `None`: somebody has changed our script.
    #[serde(flatten)]
    pub settings: Option<Settings>,
    /// Whether a picture (plymouth) is shown at the start: then a dot is seen for each letter.
    pub picture: bool,
}

impl Shown {
    /// Whether a dot is seen for each letter; on a console nothing is.
    pub fn shows_dots(&self) -> bool {
        self.picture && self.settings.as_ref().is_none_or(|settings| settings.echo == Echo::Distribution)
    }
}

/// How it is set.
///
/// # Errors
/// [`Error::Prompt`] where the prompt is not the one of Debian's `cryptsetup-initramfs`, or somebody else's script.
pub fn show() -> Result<Shown> {
    let place = Place::of_this_system()?;
    let settings = match place.found()? {
        Found::Ours(settings) => Some(settings),
        Found::Edited => None,
    };
    Ok(Shown { mapping: place.mapping, settings, picture: has_picture() })
}

/// Whether it can be set here at all, before anybody is asked. Returns how it is set.
///
/// # Errors
/// [`Error::NeedsRoot`]; [`Error::AlreadyStaged`] while an encryption or the way back is under way; [`Error::Prompt`].
pub fn check() -> Result<Shown> {
    settable().and_then(|_| show())
}

/// Sets it, and makes the initramfs of every kernel anew. It counts when it was seen in each of them; otherwise all is
/// put back as it was.
///
/// # Errors
/// Those of [`check`], and of the files and programs.
pub fn set(settings: &Settings) -> Result<()> {
    settable()?.set(settings)
}

fn settable() -> Result<Place> {
    if !rustix::process::geteuid().is_root() {
        return Err(Error::NeedsRoot);
    }
    if Job::load(Path::new(FOLDER))?.is_some() {
        return Err(Error::AlreadyStaged);
    }
    let place = Place::of_this_system()?;
    place.refuse_tokens()?;
    Ok(place)
}

/// Whether crypttab has our script in the line of this volume: it may not be taken away.
pub(crate) fn names_script(crypttab: &str) -> bool {
    crypttab.lines().filter(|line| !line.trim_start().starts_with('#')).any(|line| line.contains(SCRIPT))
}

/// A system whose root is opened by `cryptsetup-initramfs`.
struct Place {
    /// `/`.
    root: PathBuf,
    builder: Box<dyn Builder>,
    kernels: Vec<String>,
    mapping: String,
    /// What the volume lies on.
    device: PathBuf,
}

impl Place {
    fn of_this_system() -> Result<Self> {
        let (mapping, device) = volume(&facts::root(&parts::load()?))?;
        let Some(builder) = initramfs::used() else { return Err(Refusal::Initramfs { name: "-".into() }.into()) };
        if builder.name() != "initramfs-tools" || !builder.missing().is_empty() {
            return Err(Refusal::Initramfs { name: builder.name().to_owned() }.into());
        }
        Ok(Self { root: "/".into(), builder, kernels: facts::kernels(Path::new("/boot")), mapping, device })
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    fn crypttab(&self) -> Result<String> {
        let path = self.at(CRYPTTAB);
        fs::read_to_string(&path).map_err(|error| match error.kind() {
            ErrorKind::PermissionDenied => Error::NeedsRoot,
            ErrorKind::NotFound => Refusal::Crypttab { mapping: self.mapping.clone() }.into(),
            _ => Error::at(&path)(error),
        })
    }

    fn found(&self) -> Result<Found> {
        match keyscript(&self.crypttab()?, &self.mapping)? {
            None => Ok(Found::Ours(Settings::default())),
            Some(SCRIPT) => Ok(Settings::of(&files::text_or_empty(&self.at(SCRIPT))?)),
            Some(other) => Err(Refusal::Keyscript { path: other.to_owned() }.into()),
        }
    }

    /// A chip answers by itself, or asks for something else than the password.
    fn refuse_tokens(&self) -> Result<()> {
        let header = match luks::Header::load(&FileDevice::open(&self.device, Access::Read)?) {
            Ok(loaded) => loaded.header,
            // LUKS1 has no tokens.
            Err(luks::Error::OtherVersion(1)) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let mut others = header.keyslots().into_iter().filter(|slot| !slot.recovery).filter_map(|slot| slot.token);
        match others.find(|kind| !kind.starts_with("latchkey-")) {
            Some(kind) => Err(Refusal::Token { kind }.into()),
            None => Ok(()),
        }
    }

    fn set(&self, settings: &Settings) -> Result<()> {
        self.found()?;
        let (table_path, script_path) = (self.at(CRYPTTAB), self.at(SCRIPT));
        let before = Before { table: self.crypttab()?, mode: mode(&table_path)?, script: read(&script_path)? };
        let script = settings.script();
        let table = with_keyscript(&before.table, &self.mapping, script.as_ref().map(|_| SCRIPT))?;
        let done = (|| {
            // In this order: crypttab never names what is not there.
            if let Some(script) = &script {
                files::replace(&script_path, script.as_bytes(), 0o755)?;
            }
            files::replace(&table_path, table.as_bytes(), before.mode)?;
            self.builder.rebuild()?;
            let wanted = script.as_deref().map(|script| (SCRIPT, script.as_bytes()));
            self.kernels.iter().try_for_each(|kernel| self.builder.prove_prompt(kernel, &self.mapping, wanted))
        })();
        match done {
            Ok(()) if script.is_none() => files::remove(&script_path),
            Ok(()) => Ok(()),
            Err(error) => Err(self.put_back(&before, error)),
        }
    }

    /// As it was, and the error that is to be told.
    fn put_back(&self, before: &Before, error: Error) -> Error {
        let (table_path, script_path) = (self.at(CRYPTTAB), self.at(SCRIPT));
        let back = (|| {
            if let Some(script) = &before.script {
                files::replace(&script_path, script, 0o755)?;
            }
            files::replace(&table_path, before.table.as_bytes(), before.mode)?;
            if before.script.is_none() {
                files::remove(&script_path)?;
            }
            self.builder.rebuild()
        })();
        match back {
            Ok(()) => error,
            Err(then) => Refusal::NotPutBack { cause: format!("{error}\n{then}") }.into(),
        }
    }
}

struct Before {
    table: String,
    mode: u32,
    script: Option<Vec<u8>>,
}

fn mode(path: &Path) -> Result<u32> {
    Ok(fs::metadata(path).map_err(Error::at(path))?.permissions().mode() & 0o7777)
}

fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some).map_err(Error::at(path)),
    }
}

/// The encrypted volume under the root, and what it lies on.
fn volume(root: &[Part]) -> Result<(String, PathBuf)> {
    let mut found = root.windows(2).filter(|pair| pair[1].kind == "crypt");
    let Some([below, mapping]) = found.next() else { return Err(Refusal::Plain.into()) };
    if found.next().is_some() {
        return Err(Refusal::Several.into());
    }
    let name = mapping.name.rsplit('/').next().unwrap_or_default();
    Ok((name.to_owned(), below.name.as_str().into()))
}

/// Debian's hook brings plymouth into the initramfs, and it is started unless the command line says otherwise.
fn has_picture() -> bool {
    let line = fs::read_to_string("/proc/cmdline").unwrap_or_default();
    let refused = line.split_whitespace().any(|word| word.starts_with("nosplash") || word == "plymouth.enable=0");
    !refused && Path::new("/usr/share/initramfs-tools/hooks/plymouth").exists()
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    use super::super::{Decoy, Text, Words};
    use super::*;

    const TABLE: &str = "# by the installer\nvda2_crypt UUID=1 none luks,discard\nswap /dev/vda3 /dev/urandom swap\n";

    /// Makes an "image" of the two files; fails when it is told to.
    struct Simulated {
        root: PathBuf,
        fails: Rc<Cell<Fails>>,
        made: Rc<RefCell<Vec<String>>>,
    }

    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Fails {
        Never,
        /// The first of the two next rebuildings.
        Once,
        Always,
        /// Nothing comes into the image.
        Silently,
    }

    impl Simulated {
        fn text(&self, path: &str) -> String {
            fs::read_to_string(self.root.join(path)).unwrap_or_default()
        }
    }

    impl Builder for Simulated {
        fn name(&self) -> &'static str {
            "initramfs-tools"
        }

        fn is_used(&self) -> bool {
            true
        }

        fn missing(&self) -> Vec<&'static str> {
            Vec::new()
        }

        fn install(&self, _: &Job) -> Result<()> {
            Ok(())
        }

        fn uninstall(&self) -> Result<()> {
            Ok(())
        }

        fn rebuild(&self) -> Result<()> {
            match self.fails.get() {
                Fails::Once => self.fails.set(Fails::Never),
                Fails::Never => {
                    // The hook copies what crypttab names.
                    let table = self.text("etc/crypttab");
                    assert!(!names_script(&table) || self.root.join("etc/latchkey/prompt").exists());
                    self.made.borrow_mut().push(format!("{table}{}", self.text("etc/latchkey/prompt")));
                    return Ok(());
                }
                Fails::Silently => return Ok(()),
                Fails::Always => {}
            }
            Err(crate::tool::failed("update-initramfs", "exit status: 1", "no space left on device"))
        }

        fn prove_staged(&self, _: &str, _: &Job, _: bool) -> Result<()> {
            Ok(())
        }

        fn prove_end(&self, _: &str, _: &Job) -> Result<()> {
            Ok(())
        }

        fn prove_prompt(&self, kernel: &str, _: &str, script: Option<(&str, &[u8])>) -> Result<()> {
            let made = self.made.borrow().last().cloned().unwrap_or_default();
            let fits = match script {
                Some((path, script)) => made.contains(path) && made.contains(std::str::from_utf8(script).unwrap()),
                None => !made.contains(SCRIPT),
            };
            if fits { Ok(()) } else { Err(Error::NotInInitramfs { image: kernel.into(), what: "prompt".into() }) }
        }
    }

    struct System {
        folder: tempfile::TempDir,
        place: Place,
        fails: Rc<Cell<Fails>>,
        made: Rc<RefCell<Vec<String>>>,
    }

    impl System {
        fn with(table: &str) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path().to_owned();
            fs::create_dir(root.join("etc")).unwrap();
            fs::write(root.join("etc/crypttab"), table).unwrap();
            fs::set_permissions(root.join("etc/crypttab"), fs::Permissions::from_mode(0o640)).unwrap();
            let (fails, made) = (Rc::new(Cell::new(Fails::Never)), Rc::default());
            let builder = Simulated { root: root.clone(), fails: Rc::clone(&fails), made: Rc::clone(&made) };
            let place = Place {
                root,
                builder: Box::new(builder),
                kernels: vec!["6.1".into(), "6.12".into()],
                mapping: "vda2_crypt".into(),
                device: "/dev/null".into(),
            };
            Self { folder, place, fails, made }
        }

        fn state(&self) -> (String, u32, Option<Vec<u8>>) {
            let table = self.folder.path().join("etc/crypttab");
            (fs::read_to_string(&table).unwrap(), mode(&table).unwrap(), read(&self.place.at(SCRIPT)).unwrap())
        }
    }

    fn own() -> Settings {
        Settings { text: Text::Own(Words::parse("Found? 030 123456").unwrap()), echo: Echo::None }
    }

    #[test]
    fn it_is_set_changed_and_taken_away_again() {
        let system = System::with(TABLE);
        let before = system.state();
        assert_eq!(system.place.found().unwrap(), Found::Ours(Settings::default()));
        let decoy = Settings { text: Text::Decoy(Decoy::NoSystem), echo: Echo::None };
        for settings in [own(), decoy] {
            system.place.set(&settings).unwrap();
            assert_eq!(system.place.found().unwrap(), Found::Ours(settings.clone()));
            let (table, mode, script) = system.state();
            assert_eq!(table, TABLE.replace("discard", "discard,keyscript=/etc/latchkey/prompt"));
            assert_eq!((mode, script.unwrap()), (0o640, settings.script().unwrap().into_bytes()));
            assert_eq!(super::mode(&system.place.at(SCRIPT)).unwrap(), 0o755);
        }
        system.place.set(&Settings::default()).unwrap();
        assert_eq!(system.state(), before);
    }

    #[test]
    fn what_fails_leaves_all_as_it_was() {
        for earlier in [Settings::default(), own()] {
            for fails in [Fails::Once, Fails::Silently] {
                let system = System::with(TABLE);
                system.place.set(&earlier).unwrap();
                let before = system.state();
                system.fails.set(fails);
                let wanted = Settings { text: Text::Decoy(Decoy::DiskFailure), echo: Echo::Distribution };
                let error = system.place.set(&wanted).unwrap_err();
                assert!(matches!(error, Error::ToolFailed { .. } | Error::NotInInitramfs { .. }), "{error}");
                assert_eq!(system.state(), before);
                if fails == Fails::Once {
                    let made = system.made.borrow().last().unwrap().clone();
                    assert!(made.starts_with(&before.0), "the image was not made again as it was");
                }
            }
        }
    }

    #[test]
    fn an_image_that_cannot_be_made_again_is_told() {
        let system = System::with(TABLE);
        let before = system.state();
        system.fails.set(Fails::Always);
        let error = system.place.set(&own()).unwrap_err();
        assert!(matches!(error, Error::Prompt(Refusal::NotPutBack { .. })), "{error}");
        assert_eq!(system.state(), before);
    }

    #[test]
    fn what_is_not_ours_is_refused_and_left() {
        for (table, code) in [
            ("vda2_crypt UUID=1 none luks,keyscript=decrypt_gnupg\n", "boot-prompt-keyscript"),
            ("vda2_crypt UUID=1 /root/key luks\n", "boot-prompt-key-file"),
            ("other UUID=1 none luks\n", "boot-prompt-crypttab"),
        ] {
            let system = System::with(table);
            let error = system.place.set(&own()).unwrap_err();
            assert_eq!(model::Describe::fault(&error).code, code);
            assert_eq!(system.state().0, table);
            assert!(system.made.borrow().is_empty());
        }
        let system = System::with(TABLE);
        system.place.set(&own()).unwrap();
        fs::write(system.place.at(SCRIPT), "#!/bin/sh\necho mine\n").unwrap();
        assert_eq!(system.place.found().unwrap(), Found::Edited);
        system.place.set(&Settings::default()).unwrap();
        assert_eq!(system.state().0, TABLE);
    }

    #[test]
    fn the_volume_is_the_one_under_the_root() {
        let part = |name: &str, kind: &str| Part { name: name.into(), kind: kind.into(), ..some_part() };
        let disk = [part("/dev/vda", "disk"), part("/dev/vda2", "part")];
        let error = |parts: &[Part]| model::Describe::fault(&volume(parts).unwrap_err()).code;
        assert_eq!(error(&disk), "boot-prompt-plain");
        let mut whole = disk.to_vec();
        whole.push(part("/dev/mapper/vda2_crypt", "crypt"));
        whole.push(part("/dev/mapper/vg-root", "lvm"));
        assert_eq!(volume(&whole).unwrap(), ("vda2_crypt".to_owned(), "/dev/vda2".into()));
        whole.push(part("/dev/mapper/inner", "crypt"));
        assert_eq!(error(&whole), "boot-prompt-several");
    }

    fn some_part() -> Part {
        parts::parse(r#"{"blockdevices":[{"name":"/dev/x","type":"disk","size":1,"mountpoints":[]}]}"#)
            .unwrap()
            .remove(0)
    }

    #[test]
    fn a_chip_is_refused_and_a_recovery_key_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut system = System::with(TABLE);
        system.place.device = folder.path().join("volume");
        fs::File::create(&system.place.device).unwrap().set_len(20 << 20).unwrap();
        let device = FileDevice::open(&system.place.device, Access::Exclusive).unwrap();
        let options = luks::FormatOptions { kdf: luks::kdf::Kdf::cheapest(), ..luks::FormatOptions::default() };
        let secret = model::Secret::from("first");
        let (mut header, unlocked) = luks::format(&device, &options, &secret).unwrap();
        let slot = header.add_key(&device, &unlocked, &"second".into(), &luks::kdf::Kdf::cheapest()).unwrap();
        header.add_recovery_token(&device, slot).unwrap();
        system.place.refuse_tokens().unwrap();
        drop(device);
        let token = folder.path().join("token.json");
        fs::write(&token, r#"{"type":"clevis","keyslots":["0"],"jwe":{}}"#).unwrap();
        let Ok(cryptsetup) = crate::tool::find("cryptsetup") else {
            println!("left out: it needs cryptsetup");
            return;
        };
        let status = std::process::Command::new(cryptsetup)
            .args(["token", "import", "--json-file"])
            .args([&token, &system.place.device])
            .status()
            .unwrap();
        assert!(status.success());
        assert!(matches!(system.place.refuse_tokens(), Err(Error::Prompt(Refusal::Token { .. }))));
    }
}
