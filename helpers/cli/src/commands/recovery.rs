use std::io::Write;
use std::path::{Path, PathBuf};

use model::{Describe, Fault, FaultKind, Reason};
use paper::{Found, Paper};
use recovery::Form;
use serde::Serialize;
use texts::keys;
use wizard::copies::{Copy, Known};
use wizard::operations::{self, Proof};

use crate::args::checked::{Key, Place, Source};
use crate::secrets::{recovery_key, with_key};
use crate::sheet;
use crate::speaker::{Speaker, quoted};

/// Makes a new recovery key. The old one is revoked when a copy of the new one has been proven.
pub fn new(speaker: &Speaker, target: &Path, key: &Key, place: &Place) -> Result<(), Fault> {
    super::refuse_other_than_luks(target)?;
    sheet::refuse_place(target, place)?;
    let exported = with_key(speaker, key, |secret| {
        let mut exported = None;
        let mut keep = |key: &recovery::RecoveryKey, uuid: &str| {
            let mut prove = |secret: &_| proves(target, secret);
            exported = Some(sheet::export(speaker, target, uuid, key, place, &mut prove)?);
            Ok(())
        };
        operations::recovery_new(target, secret, &mut keep).map_err(|error| error.fault())?;
        Ok(exported)
    })?;
    if let Some(exported) = exported {
        let uuid = operations::uuid(target).map_err(|error| error.fault())?;
        sheet::forget(&uuid, Some(&exported.key_id));
        sheet::say_exported(speaker, target, &uuid, &exported);
    }
    speaker.say(keys::CLI_RECOVERY_OLD_REVOKED, &texts::args([("path", &quoted(target))]));
    Ok(())
}

/// Puts another copy of a recovery key into a folder.
pub fn export(speaker: &Speaker, target: &Path, key: &Source, form: &dyn Form, place: &Place) -> Result<(), Fault> {
    super::refuse_other_than_luks(target)?;
    sheet::refuse_place(target, place)?;
    let key = recovery_key(speaker, key)?;
    let proof = operations::prove(target, &key.secret()).map_err(|error| error.fault())?;
    let mut prove = |secret: &_| proves(target, secret);
    let exported = sheet::export_as(form, speaker, target, &proof.uuid, &key, place, &mut prove)?;
    sheet::say_exported(speaker, target, &proof.uuid, &exported);
    Ok(())
}

/// Makes the page for paper, and reads the code on it back before anybody relies on it.
pub fn paper(
    speaker: &Speaker,
    target: &Path,
    key: &Source,
    file: Option<&Path>,
    size: Option<Paper>,
    forced: bool,
) -> Result<(), Fault> {
    super::refuse_other_than_luks(target)?;
    if let Some(file) = file {
        let folder = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => Path::new(".").to_owned(),
        };
        sheet::refuse_place(target, &Place { folder, forced })?;
    }
    let key = recovery_key(speaker, key)?;
    let proof = operations::prove(target, &key.secret()).map_err(|error| error.fault())?;
    let sheet = sheet::of(speaker, target, &proof.uuid);
    let page = paper::pdf(&sheet, &key, size.unwrap_or_else(sheet::usual_paper)).map_err(|error| error.fault())?;
    let Some(file) = file else {
        return std::io::stdout()
            .lock()
            .write_all(&page)
            .map_err(|error| Fault::new("cli-file-write", FaultKind::Failed).with("path", "-").because(error));
    };
    super::write_new(file, &page)?;
    let proven = paper::read(file).map_err(|error| error.fault()).and_then(|found| proves(target, &found.key.secret()));
    if let Err(fault) = proven {
        let _ = std::fs::remove_file(file);
        return Err(fault);
    }
    sheet::remember(speaker, target, &proof.uuid, &key.key_id(), file);
    let args = texts::args([("path", &quoted(file)), ("key_id", &key.key_id())]);
    speaker.say(keys::CLI_RECOVERY_PAPER_MADE, &args);
    Ok(())
}

/// Copies that this computer remembers, and which of them are to be tried again.
pub fn list(speaker: &Speaker, target: Option<&Path>, json: bool) -> Result<(), Fault> {
    let known = match target {
        Some(target) => sheet::book().of(&operations::uuid(target).map_err(|error| error.fault())?),
        None => sheet::book().known(),
    };
    if json {
        speaker.document(&Document { version: 1, copies: known.iter().map(CopyEntry::from).collect() });
        return Ok(());
    }
    if known.is_empty() {
        speaker.say(keys::CLI_COPIES_NONE, &texts::args([]));
    }
    let mut uuid = "";
    for one in &known {
        if target.is_none() && uuid != one.copy.uuid {
            uuid = &one.copy.uuid;
            speaker.say(keys::CLI_COPIES_OF, &texts::args([("uuid", &uuid)]));
        }
        say_copy(speaker, "  ", one);
    }
    Ok(())
}

/// One copy, in a line, and what to be reminded of about it in another.
pub fn say_copy(speaker: &Speaker, indent: &str, Known { copy, remind }: &Known) {
    let kind =
        speaker.texts.by_id_with(&format!("copy-{}", copy.copy.kind), &texts::args([("place", &copy.copy.place)]));
    let args =
        texts::args([("place", &kind), ("keyid", &copy.key_id), ("made_day", &copy.made), ("day", &copy.proven)]);
    speaker.line(&format!("{indent}{}", speaker.texts.say(keys::CLI_COPY_LINE, &args)));
    if let Some(reason) = remind {
        speaker.line(&format!("{indent}  {}", speaker.texts.reason(reason)));
    }
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    copies: Vec<CopyEntry<'a>>,
}

/// A copy, for programs.
#[derive(Serialize)]
pub struct CopyEntry<'a> {
    #[serde(flatten)]
    copy: &'a Copy,
    /// What to be reminded of, as a code and its values. `null`: nothing.
    remind: Option<&'a Reason>,
}

impl<'a> From<&'a Known> for CopyEntry<'a> {
    fn from(known: &'a Known) -> Self {
        Self { copy: &known.copy, remind: known.remind.as_ref() }
    }
}

/// Checks that a copy holds a whole recovery key, and says which drive it belongs to.
pub fn verify(speaker: &Speaker, file: &Path, target: Option<&Path>) -> Result<(), Fault> {
    let found = paper::read(file).map_err(|error| error.fault())?;
    let key_id = found.key.key_id();
    let args = texts::args([("path", &quoted(file)), ("key_id", &key_id)]);
    if let Some(target) = target {
        let proof = tried(target, &found)?;
        sheet::remember(speaker, target, &proof.uuid, &key_id, file);
        speaker.say(keys::CLI_RECOVERY_OPENS, &args);
        return Ok(());
    }
    let Some(uuid) = &found.uuid else {
        speaker.say(keys::CLI_RECOVERY_WHOLE, &args);
        return Ok(());
    };
    let Some(volume) = volume_of(uuid) else {
        speaker.say(keys::CLI_RECOVERY_WHOLE, &args);
        speaker.note(keys::CLI_RECOVERY_ELSEWHERE, &texts::args([("uuid", uuid)]));
        return Ok(());
    };
    let args = texts::args([("path", &quoted(file)), ("key_id", &key_id), ("target", &quoted(&volume))]);
    match tried(&volume, &found) {
        Ok(proof) => {
            sheet::remember(speaker, &volume, &proof.uuid, &key_id, file);
            speaker.say(keys::CLI_RECOVERY_OPENS_HERE, &args);
        }
        Err(fault) if fault.code == "device-no-rights" => speaker.say(keys::CLI_RECOVERY_HERE, &args),
        Err(fault) => return Err(fault),
    }
    Ok(())
}

fn tried(target: &Path, found: &Found) -> Result<Proof, Fault> {
    operations::check_key(target, &found.key, found.uuid.as_deref()).map_err(|error| error.fault())
}

/// The volume of this computer that has this UUID, as udev has noted it.
#[cfg(target_os = "linux")]
fn volume_of(uuid: &str) -> Option<PathBuf> {
    std::fs::canonicalize(Path::new("/dev/disk/by-uuid").join(uuid)).ok()
}

/// This system keeps no such list.
#[cfg(not(target_os = "linux"))]
fn volume_of(_: &str) -> Option<PathBuf> {
    None
}

fn proves(target: &Path, secret: &model::Secret) -> Result<(), Fault> {
    operations::prove(target, secret).map(|_| ()).map_err(|error| error.fault())
}
