use std::io;
use std::path::{Path, PathBuf};

use model::{Fault, Secret};
use zeroize::Zeroizing;

use crate::error::Unfinished;
use crate::medium::{Kind, Medium, Stored, System};
use crate::{Error, RecoveryKey, Result, Sheet, read_back};

/// Names that are tried before giving up: nobody keeps a hundred different sheets of one key.
const MOST_NAMES: u32 = 99;

/// Whether the folder lies on the drive that the key is for. The caller finds out, because it needs
/// to follow LVM, RAID, mappings, subvolumes and bind mounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SameDrive {
    /// It does. A key that is locked in with what it opens is no key: always refused.
    Yes,
    /// It lies somewhere else.
    No,
    /// It could not be told. Refused unless the person says that they know better.
    Unknown,
}

/// What sort of file a copy is. Whoever makes it reads it too: a copy is proven with what was read.
pub trait Form {
    /// The end of the file's name.
    fn extension(&self) -> &'static str;

    /// The file.
    ///
    /// # Errors
    /// [`Error::NotMade`].
    fn make(&self, sheet: &Sheet, key: &RecoveryKey) -> Result<Zeroizing<Vec<u8>>>;

    /// The key in a file of this form. `None`: there is none, or no whole one.
    fn read(&self, bytes: &[u8]) -> Option<RecoveryKey>;
}

/// The sheet as a text file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Text;

impl Form for Text {
    fn extension(&self) -> &'static str {
        "txt"
    }

    fn make(&self, sheet: &Sheet, key: &RecoveryKey) -> Result<Zeroizing<Vec<u8>>> {
        Ok(Zeroizing::new(sheet.text(key).as_bytes().to_vec()))
    }

    fn read(&self, bytes: &[u8]) -> Option<RecoveryKey> {
        read_back(std::str::from_utf8(bytes).ok()?).ok()
    }
}

/// The key and nothing else, without a line break: what `cryptsetup --key-file`, `crypttab` and
/// `systemd-cryptsetup` take as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyFile;

impl Form for KeyFile {
    fn extension(&self) -> &'static str {
        "key"
    }

    fn make(&self, _: &Sheet, key: &RecoveryKey) -> Result<Zeroizing<Vec<u8>>> {
        Ok(Zeroizing::new(key.text().as_bytes().to_vec()))
    }

    fn read(&self, bytes: &[u8]) -> Option<RecoveryKey> {
        let key = RecoveryKey::parse(std::str::from_utf8(bytes).ok()?).ok()?;
        // A tool takes every byte of it.
        (bytes == key.text().as_bytes()).then_some(key)
    }
}

/// What is exported, and where to.
#[derive(Clone, Copy)]
pub struct Export<'a> {
    /// The folder that the sheet goes to.
    pub folder: &'a Path,
    /// What sort of file it is.
    pub form: &'a dyn Form,
    /// What the sheet says.
    pub sheet: &'a Sheet,
    /// The key on it.
    pub key: &'a RecoveryKey,
    /// Whether the folder lies on the drive that the key is for.
    pub same_drive: SameDrive,
    /// "I know that this is another drive", for [`SameDrive::Unknown`] alone.
    pub forced: bool,
}

/// A copy that was read back and has opened the volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub path: PathBuf,
    /// Short name of the key.
    pub key_id: String,
    /// Whether the same sheet already lay there, and nothing was written.
    pub was_there: bool,
    /// Whether it was read past the system's cache for certain. If not, pulling the stick out and
    /// putting it back, then [`crate::verify`], is the better proof.
    pub from_medium: bool,
}

/// Writes the sheet into a folder as `latchkey-recovery-KEYID`, with the form's extension, reads it back from the medium,
/// finds the key in what was read, and gives it to `prove`, which opens the volume with it.
///
/// A file that is there already is never replaced: if it is the same it counts as written, otherwise
/// the new one gets a number behind its name. The file is written under another name and renamed
/// when it is whole. If anything fails, what was written is removed again.
///
/// # Errors
/// [`Error::SameDrive`], [`Error::MaybeSameDrive`], [`Error::FolderMissing`],
/// [`Error::NotAFolder`] before anything was written; then [`Error::ReadOnly`], [`Error::Full`],
/// [`Error::Denied`], [`Error::Vanished`], [`Error::Write`], [`Error::Differs`] and
/// [`Error::NotProven`], which say whether anything was left behind.
pub fn export(
    export: &Export<'_>,
    prove: &mut dyn FnMut(&Secret) -> std::result::Result<(), Fault>,
) -> Result<Exported> {
    export_through(&mut System, export, prove)
}

/// [`export`] through another medium than the system's own.
///
/// # Errors
/// As [`export`].
pub fn export_through(
    medium: &mut dyn Medium,
    export: &Export<'_>,
    prove: &mut dyn FnMut(&Secret) -> std::result::Result<(), Fault>,
) -> Result<Exported> {
    refuse(medium, export)?;
    let bytes = export.form.make(export.sheet, export.key)?;
    let mut writing = Writing { medium, folder: export.folder, extension: export.form.extension(), made: None };
    let written = writing.write(&export.key.key_id(), &bytes).map_err(|error| writing.give_up(&error))?;
    let stored = writing.read(&written).map_err(|error| writing.give_up(&error))?;
    if stored.bytes != bytes {
        return Err(Error::Differs(writing.clean_up("the bytes that were read are not those that were written")));
    }
    // Not the key that was given, but the one that is found in what the medium holds.
    let key = match export.form.read(&stored.bytes) {
        Some(key) if key == *export.key => key,
        _ => return Err(Error::Differs(writing.clean_up("the key could not be found in what was read"))),
    };
    if let Err(fault) = prove(&key.secret()) {
        return Err(Error::NotProven(writing.clean_up(&fault.to_string()), Box::new(fault)));
    }
    Ok(Exported {
        path: written.path,
        key_id: key.key_id(),
        was_there: written.was_there,
        from_medium: stored.from_medium,
    })
}

/// What can be refused before anything is touched.
fn refuse(medium: &mut dyn Medium, export: &Export<'_>) -> Result<()> {
    let folder = export.folder.to_owned();
    match medium.kind(&folder) {
        Ok(Kind::Folder) => {}
        Ok(Kind::Missing) => return Err(Error::FolderMissing { folder }),
        Ok(Kind::File | Kind::Other) => return Err(Error::NotAFolder { folder }),
        Err(error) => return Err(Error::ended(&error, &folder, None)),
    }
    match export.same_drive {
        SameDrive::Yes => Err(Error::SameDrive { folder }),
        SameDrive::Unknown if !export.forced => Err(Error::MaybeSameDrive { folder }),
        SameDrive::Unknown | SameDrive::No => Ok(()),
    }
}

struct Written {
    path: PathBuf,
    was_there: bool,
    file_system: u64,
}

/// Remembers what has to be removed if it fails.
struct Writing<'a> {
    medium: &'a mut dyn Medium,
    folder: &'a Path,
    extension: &'static str,
    made: Option<PathBuf>,
}

impl Writing<'_> {
    fn write(&mut self, key_id: &str, bytes: &[u8]) -> io::Result<Written> {
        let file_system = self.medium.file_system(self.folder)?;
        let mut part = None;
        for number in 1..=MOST_NAMES {
            let path = self.folder.join(file_name(key_id, number, self.extension));
            match self.medium.kind(&path)? {
                Kind::File if self.is_same(&path, bytes) => {
                    self.remove_part()?;
                    return Ok(Written { path, was_there: true, file_system });
                }
                Kind::Missing => {}
                _ => continue,
            }
            if part.is_none() {
                part = Some(self.write_part(key_id, bytes)?);
            }
            let Some(from) = &part else { continue };
            match self.medium.rename(from, &path) {
                Ok(()) => {
                    self.made = Some(path.clone());
                    return Ok(Written { path, was_there: false, file_system });
                }
                // Somebody was faster: the next name.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    // The renaming may have been done and only its flushing failed.
                    if matches!(self.medium.kind(from), Ok(Kind::Missing)) {
                        self.made = Some(path);
                    }
                    return Err(error);
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn write_part(&mut self, key_id: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let mut random = [0; 4];
        getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
        let path = self.folder.join(format!(".latchkey-recovery-{key_id}.{:08x}.part", u32::from_le_bytes(random)));
        self.made = Some(path.clone());
        match self.medium.write_new(&path, bytes) {
            Ok(()) => Ok(path),
            Err(error) => {
                if error.kind() == io::ErrorKind::AlreadyExists {
                    // It is somebody else's, and stays.
                    self.made = None;
                }
                Err(error)
            }
        }
    }

    fn remove_part(&mut self) -> io::Result<()> {
        match self.made.take() {
            Some(path) => self.medium.remove(&path),
            None => Ok(()),
        }
    }

    fn is_same(&mut self, path: &Path, bytes: &[u8]) -> bool {
        self.medium.read_stored(path).is_ok_and(|stored| *stored.bytes == *bytes)
    }

    fn read(&mut self, written: &Written) -> io::Result<Stored> {
        let stored = self.medium.read_stored(&written.path)?;
        // When a stick is pulled out, the folder that it was mounted on may remain, empty and on the
        // computer's own drive.
        if self.medium.file_system(self.folder)? != written.file_system {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(stored)
    }

    fn give_up(&mut self, error: &io::Error) -> Error {
        let unfinished = self.clean_up("");
        Error::ended(error, self.folder, unfinished.left)
    }

    fn clean_up(&mut self, cause: &str) -> Unfinished {
        let left = self.made.take().filter(|path| {
            // On a write-protected medium removing fails, but nothing was made there either.
            self.medium.remove(path).is_err() && !matches!(self.medium.kind(path), Ok(Kind::Missing))
        });
        Unfinished { folder: self.folder.to_owned(), left, cause: cause.to_owned() }
    }
}

fn file_name(key_id: &str, number: u32, extension: &str) -> String {
    let number = if number == 1 { String::new() } else { format!("-{number}") };
    format!("latchkey-recovery-{key_id}{number}.{extension}")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use model::FaultKind;
    use zeroize::Zeroizing;

    use super::*;
    use crate::SheetWords;

    fn sheet() -> Sheet {
        Sheet {
            computer: "kitchen".into(),
            volume: "Practice drive".into(),
            uuid: "0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f".into(),
            date: "2026-12-02".into(),
            words: SheetWords::look_up(str::to_owned),
        }
    }

    fn opens(_: &Secret) -> std::result::Result<(), Fault> {
        Ok(())
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A medium in memory on which one operation goes wrong.
    #[derive(Default)]
    struct Stick {
        files: BTreeMap<PathBuf, Vec<u8>>,
        /// Operation that fails with this error code, from then on (`gone`) or once.
        fails: Option<(&'static str, i32)>,
        gone: bool,
        /// Turns a bit of what is read.
        lies: bool,
        /// The folder is on another file system after the writing.
        swapped: bool,
        asked: u64,
    }

    impl Stick {
        fn failing(operation: &'static str, code: i32) -> Self {
            Self { fails: Some((operation, code)), ..Self::default() }
        }

        fn step(&mut self, operation: &'static str) -> io::Result<()> {
            match self.fails {
                Some((fails, code)) if fails == operation || self.gone => {
                    // ENODEV and EIO: it is not there for anything that follows either.
                    self.gone = code == 19 || code == 5;
                    if !self.gone {
                        self.fails = None;
                    }
                    Err(io::Error::from_raw_os_error(code))
                }
                _ => Ok(()),
            }
        }
    }

    impl Medium for Stick {
        fn kind(&mut self, path: &Path) -> io::Result<Kind> {
            self.step("kind")?;
            match self.files.contains_key(path) {
                true => Ok(Kind::File),
                false if path == Path::new("/stick") => Ok(Kind::Folder),
                false => Ok(Kind::Missing),
            }
        }

        fn file_system(&mut self, _: &Path) -> io::Result<u64> {
            self.step("file_system")?;
            self.asked += u64::from(self.swapped);
            Ok(self.asked)
        }

        fn write_new(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
            self.step("create")?;
            // Half of it is there when it fails.
            self.files.insert(path.to_owned(), bytes[..bytes.len() / 2].to_vec());
            self.step("write")?;
            self.files.insert(path.to_owned(), bytes.to_vec());
            self.step("sync")
        }

        fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
            self.step("rename")?;
            if self.files.contains_key(to) {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let bytes = self.files.remove(from).ok_or(io::ErrorKind::NotFound)?;
            self.files.insert(to.to_owned(), bytes);
            self.step("sync_folder")
        }

        fn read_stored(&mut self, path: &Path) -> io::Result<Stored> {
            self.step("read")?;
            let mut bytes = self.files.get(path).ok_or(io::ErrorKind::NotFound)?.clone();
            if self.lies {
                bytes[100] ^= 1;
            }
            Ok(Stored { bytes: Zeroizing::new(bytes), from_medium: true })
        }

        fn remove(&mut self, path: &Path) -> io::Result<()> {
            self.step("remove")?;
            self.files.remove(path).map(|_| ()).ok_or(io::ErrorKind::NotFound.into())
        }
    }

    fn on_stick(stick: &mut Stick, key: &RecoveryKey) -> Result<Exported> {
        let sheet = sheet();
        let export = Export {
            folder: Path::new("/stick"),
            form: &Text,
            sheet: &sheet,
            key,
            same_drive: SameDrive::No,
            forced: false,
        };
        export_through(stick, &export, &mut opens)
    }

    fn unfinished(error: &Error) -> &Unfinished {
        match error {
            Error::ReadOnly(unfinished)
            | Error::Full(unfinished)
            | Error::Denied(unfinished)
            | Error::Vanished(unfinished)
            | Error::Write(unfinished)
            | Error::Differs(unfinished)
            | Error::NotProven(unfinished, _) => unfinished,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_copy_is_written_read_back_and_proven() {
        let folder = tempfile::tempdir().unwrap();
        let (key, sheet) = (RecoveryKey::generate().unwrap(), sheet());
        let plan = Export {
            folder: folder.path(),
            form: &Text,
            sheet: &sheet,
            key: &key,
            same_drive: SameDrive::No,
            forced: false,
        };
        let mut tried = Vec::new();
        let exported = export(&plan, &mut |secret| {
            tried.push(secret.clone());
            Ok(())
        })
        .unwrap();
        assert_eq!(tried, [key.secret()]);
        assert_eq!(names(folder.path()), [format!("latchkey-recovery-{}.txt", key.key_id())]);
        assert_eq!(crate::verify(&exported.path).unwrap().key, key);
        assert!(!exported.was_there);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&exported.path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        // Once more: it is there already.
        let again = export(&plan, &mut opens).unwrap();
        assert!(again.was_there);
        assert_eq!(again.path, exported.path);
        // Something else under this name stays as it is.
        std::fs::write(&exported.path, "my own notes").unwrap();
        let third = export(&plan, &mut opens).unwrap();
        assert_eq!(std::fs::read_to_string(&exported.path).unwrap(), "my own notes");
        assert!(third.path.to_string_lossy().ends_with("-2.txt"));
        assert_eq!(names(folder.path()).len(), 2);
    }

    #[test]
    fn a_key_file_is_the_key_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let (key, sheet) = (RecoveryKey::generate().unwrap(), sheet());
        let plan = Export {
            folder: folder.path(),
            form: &KeyFile,
            sheet: &sheet,
            key: &key,
            same_drive: SameDrive::No,
            forced: false,
        };
        let exported = export(&plan, &mut opens).unwrap();
        assert_eq!(names(folder.path()), [format!("latchkey-recovery-{}.key", key.key_id())]);
        assert_eq!(std::fs::read(&exported.path).unwrap(), key.secret().expose());
        assert_eq!(KeyFile.read(format!("{}\n", *key.text()).as_bytes()), None);
    }

    #[test]
    fn folders_that_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let (key, sheet) = (RecoveryKey::generate().unwrap(), sheet());
        let into = |folder: &Path, same_drive, forced| {
            export(&Export { folder, form: &Text, sheet: &sheet, key: &key, same_drive, forced }, &mut opens)
        };
        let missing = folder.path().join("not there");
        assert_eq!(into(&missing, SameDrive::No, false), Err(Error::FolderMissing { folder: missing.clone() }));
        let below = file.join("below");
        assert_eq!(into(&below, SameDrive::No, false), Err(Error::FolderMissing { folder: below.clone() }));
        assert_eq!(into(&file, SameDrive::No, false), Err(Error::NotAFolder { folder: file.clone() }));
        let here = folder.path().to_owned();
        assert_eq!(into(&here, SameDrive::Yes, true), Err(Error::SameDrive { folder: here.clone() }));
        assert_eq!(into(&here, SameDrive::Unknown, false), Err(Error::MaybeSameDrive { folder: here.clone() }));
        assert_eq!(names(&here), ["file"]);
        assert!(into(&here, SameDrive::Unknown, true).is_ok());
    }

    #[test]
    fn a_key_that_does_not_open_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let (key, sheet) = (RecoveryKey::generate().unwrap(), sheet());
        let plan = Export {
            folder: folder.path(),
            form: &Text,
            sheet: &sheet,
            key: &key,
            same_drive: SameDrive::No,
            forced: false,
        };
        let wrong = Fault::new("luks-wrong-secret", FaultKind::WrongSecret);
        let error = export(&plan, &mut |_| Err(wrong.clone())).unwrap_err();
        assert!(matches!(&error, Error::NotProven(unfinished, fault) if unfinished.left.is_none() && **fault == wrong));
        assert!(names(folder.path()).is_empty());
        // A sheet that lay there before stays even then: it may be all that somebody has.
        export(&plan, &mut opens).unwrap();
        export(&plan, &mut |_| Err(wrong.clone())).unwrap_err();
        assert_eq!(names(folder.path()).len(), 1);
    }

    #[test]
    fn every_failure_of_the_medium_is_named_and_cleaned_up() {
        let key = RecoveryKey::generate().unwrap();
        for operation in ["file_system", "create", "write", "sync", "rename", "sync_folder", "read"] {
            for (code, name) in [
                (28, "recovery-full"),
                (122, "recovery-full"),
                (30, "recovery-read-only"),
                (13, "recovery-denied"),
                (22, "recovery-write-failed"),
            ] {
                let mut stick = Stick::failing(operation, code);
                let error = on_stick(&mut stick, &key).unwrap_err();
                assert_eq!(error.to_string(), name, "{operation}");
                assert_eq!(unfinished(&error).left, None, "{operation}");
                assert!(stick.files.is_empty(), "{operation}: {:?}", stick.files.keys());
            }
        }
    }

    #[test]
    fn a_stick_that_is_pulled_out_is_named_with_what_may_be_on_it() {
        let key = RecoveryKey::generate().unwrap();
        for code in [5, 19] {
            for (operation, left) in [("file_system", false), ("write", true), ("rename", true), ("read", true)] {
                let mut stick = Stick::failing(operation, code);
                let error = on_stick(&mut stick, &key).unwrap_err();
                assert_eq!(error.to_string(), "recovery-vanished", "{operation}");
                assert_eq!(unfinished(&error).left.is_some(), left, "{operation}");
            }
        }
    }

    #[test]
    fn a_folder_that_is_on_another_file_system_in_the_end_is_no_copy() {
        let mut stick = Stick { swapped: true, ..Stick::default() };
        let error = on_stick(&mut stick, &RecoveryKey::generate().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "recovery-vanished");
        assert!(stick.files.is_empty());
    }

    #[test]
    fn a_medium_that_gives_back_something_else_is_no_copy() {
        let mut stick = Stick { lies: true, ..Stick::default() };
        let error = on_stick(&mut stick, &RecoveryKey::generate().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "recovery-differs");
        assert!(stick.files.is_empty());
    }
}
