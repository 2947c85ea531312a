//! Exporting a key to a medium that does what it likes: fails, lies, vanishes, has other files. A copy counts
//! only if what was read back opened the volume; nobody else's file is touched.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use model::{Fault, FaultKind};
use recovery::{Export, Kind, Medium, RecoveryKey, SameDrive, Stored, Text, export_through, read_back};

use crate::recovery_key::KEY;
use crate::recovery_sheet::sheet;
use crate::script::Script;

/// A medium that works, and failures at each step.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![vec![0; 4], vec![0; 64]];
    for step in 0..16 {
        for fault in [1, 2, 3, 4, 5] {
            let mut seed = vec![0; step + 4];
            seed.extend([fault, 28]);
            seeds.push(seed);
        }
    }
    seeds
}

/// Input: what was there before, then what each operation does.
pub fn run(data: &[u8]) {
    let mut script = Script::new(data);
    let key = RecoveryKey::parse(KEY).expect("a key");
    let sheet = sheet();
    let folder = Path::new("/stick");
    let same_drive = *script.one(&[SameDrive::No, SameDrive::Unknown, SameDrive::Yes]);
    let (forced, opens) = (script.u8() & 1 != 0, script.u8() & 1 == 0);
    let plan = Export { folder, form: &Text, sheet: &sheet, key: &key, same_drive, forced };
    let mut stick = Stick { files: BTreeMap::new(), script };
    for number in 0..stick.script.u8() % 8 {
        let name = if number == 0 { String::new() } else { format!("-{}", number + 1) };
        let bytes = if stick.script.u8() & 1 == 0 { b"notes".to_vec() } else { sheet.text(&key).as_bytes().to_vec() };
        stick.files.insert(folder.join(format!("latchkey-recovery-{}{name}.txt", key.key_id())), bytes);
    }
    let before = stick.files.clone();
    let mut proven = false;
    let result = export_through(&mut stick, &plan, &mut |secret| {
        assert_eq!(secret.expose(), KEY.as_bytes());
        proven = opens;
        if opens { Ok(()) } else { Err(Fault::new("luks-wrong-secret", FaultKind::WrongSecret)) }
    });
    for (path, bytes) in &before {
        assert_eq!(stick.files.get(path), Some(bytes), "somebody's file was changed");
    }
    let Ok(exported) = result else { return };
    assert!(proven && same_drive != SameDrive::Yes);
    assert_eq!(exported.key_id, key.key_id());
    let stored = stick.files.get(&exported.path).expect("it is there");
    assert_eq!(std::str::from_utf8(stored).ok().map(read_back), Some(Ok(key)));
    assert_eq!(exported.was_there, before.contains_key(&exported.path));
    assert!(stick.files.keys().all(|path| before.contains_key(path) || *path == exported.path), "something was left");
}

struct Stick<'a> {
    files: BTreeMap<PathBuf, Vec<u8>>,
    script: Script<'a>,
}

impl Stick<'_> {
    /// Whether this operation works, and what it says if not.
    fn step(&mut self) -> io::Result<u8> {
        match self.script.u8() {
            1 => Err(io::Error::from_raw_os_error(i32::from(self.script.u8()))),
            other => Ok(other),
        }
    }
}

impl Medium for Stick<'_> {
    fn kind(&mut self, path: &Path) -> io::Result<Kind> {
        let step = self.step()?;
        Ok(match self.files.contains_key(path) {
            true => Kind::File,
            false if path == Path::new("/stick") => [Kind::Folder, Kind::Folder, Kind::Other][usize::from(step) % 3],
            false => Kind::Missing,
        })
    }

    fn file_system(&mut self, _: &Path) -> io::Result<u64> {
        self.step().map(u64::from)
    }

    fn write_new(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if self.files.contains_key(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        match self.step() {
            Ok(2) => Err(io::ErrorKind::StorageFull.into()),
            Ok(step) => {
                let length = if step == 3 { bytes.len() / 2 } else { bytes.len() };
                self.files.insert(path.to_owned(), bytes[..length].to_vec());
                // Everything is there, and an error all the same.
                if step == 4 { Err(io::Error::from_raw_os_error(5)) } else { Ok(()) }
            }
            Err(error) => {
                self.files.insert(path.to_owned(), bytes[..bytes.len() / 2].to_vec());
                Err(error)
            }
        }
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let step = self.step()?;
        if self.files.contains_key(to) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let bytes = self.files.remove(from).ok_or(io::ErrorKind::NotFound)?;
        self.files.insert(to.to_owned(), bytes);
        if step == 4 { Err(io::Error::from_raw_os_error(5)) } else { Ok(()) }
    }

    fn read_stored(&mut self, path: &Path) -> io::Result<Stored> {
        let step = self.step()?;
        let mut bytes = self.files.get(path).ok_or(io::ErrorKind::NotFound)?.clone();
        match step {
            2 => bytes = self.script.bytes(64).to_vec(),
            3 => bytes.truncate(bytes.len() / 2),
            4 => {
                let at = self.script.below(bytes.len().max(1));
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1;
                }
            }
            _ => {}
        }
        Ok(Stored { bytes: bytes.into(), from_medium: step & 8 == 0 })
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.step()?;
        self.files.remove(path).map(|_| ()).ok_or(io::ErrorKind::NotFound.into())
    }
}
