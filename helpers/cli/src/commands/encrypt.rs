mod by_drive;
mod order;

use std::path::{Path, PathBuf};

use model::{Describe, Fault, FaultKind, Method, Secret};
use recovery::{Exported, RecoveryKey};
use texts::keys;
use wizard::engine::Ended;
use wizard::operations::{self, EncryptRequest, MethodWish, Plan, Space};

use crate::args::checked::Encrypt;
use crate::secrets::new_password;
use crate::sheet;
use crate::speaker::{Speaker, quoted};
use crate::work::{self, Work};
use by_drive::Below;

/// Encrypts a volume in place. Until the recovery key has been written, read back and tried, nothing
/// on the volume changes.
pub fn run(speaker: &mut Speaker, asked: &Encrypt) -> Result<(), Fault> {
    super::convert::data_on_output(speaker, asked.progress);
    let virtual_drive = wizard::hardware::is_virtual(&asked.target);
    let below = match asked.method {
        MethodWish::Hardware => return by_drive::run(speaker, asked),
        // What fits a drive in a file that encrypts by itself is nothing else.
        MethodWish::Auto if virtual_drive => return by_drive::run(speaker, asked),
        MethodWish::Both => Some(by_drive::below_software(speaker, asked)?),
        MethodWish::Auto | MethodWish::Software => None,
    };
    if virtual_drive {
        let reason = "transport-image".to_owned();
        return Err(wizard::Error::HardwareRefused { reason }.fault());
    }
    order::put(speaker, asked)?;
    let request = EncryptRequest { space: asked.space };
    let plan = operations::plan_encrypt(&asked.target, &request).map_err(|error| error.fault())?;
    let plan = plan.with_front_copy(&asked.place.folder);
    sheet::refuse_place(&asked.target, &asked.place)?;
    show(speaker, &plan, asked);
    work::consent(speaker, asked.consent, keys::CLI_ASK_ENCRYPT)?;
    let password = new_password(speaker, &asked.password)?;

    let folder = tempfile::tempdir().map_err(|error| no_folder(&error))?;
    let staged = folder.path().join("staged-header");
    let work = Work::on(speaker, &asked.target, asked.progress);
    let below = below.as_ref();
    let (key, exported) = stage(speaker, asked, &plan, &password, &staged, &work, below).inspect_err(|_| {
        if let Some(below) = below {
            below.take_back(&password);
        }
    })?;
    let uuid = operations::uuid(&staged).map_err(|error| error.fault())?;
    if work.is_stopped() {
        take_back(&asked.target, &uuid, &exported);
        if let Some(below) = below {
            below.take_back(&password);
        }
        return Err(Fault::new("cli-declined", FaultKind::Stopped));
    }
    sheet::say_exported(speaker, &asked.target, &uuid, &exported);

    let front = front_copy(&asked.place.folder, &staged);
    let ended = work.run(|control, sink| operations::encrypt(&plan, &staged, &password, control, sink));
    let ended = ended.map_err(|error| {
        take_back(&asked.target, &uuid, &exported);
        error.fault()
    })?;
    if ended == Ended::Stopped {
        return Err(work::stopped(&asked.target));
    }
    // It was for the time in which nothing was encrypted yet, and would be wrong from now on.
    if let Some(front) = front {
        let _ = std::fs::remove_file(front);
    }
    // What counts is what opens the volume as it lies there now.
    operations::prove(&asked.target, &key.secret()).map_err(|error| error.fault())?;
    if let Some(below) = below {
        below.switch_on(speaker, &asked.target, &password)?;
    }
    speaker.say(keys::CLI_ENCRYPTED, &texts::args([("path", &quoted(&asked.target))]));
    work::say_how_it_stands(speaker, &asked.target);
    Ok(())
}

fn show(speaker: &Speaker, plan: &Plan, asked: &Encrypt) {
    let method = if asked.method == MethodWish::Both { Method::Both } else { Method::Software };
    let args = texts::args([
        ("path", &quoted(&asked.target)),
        ("size", &plan.size()),
        ("content", &speaker.texts.content(&plan.content().0)),
        ("room", &speaker.texts.reason(&plan.room_reason())),
        ("method", &speaker.texts.method(method)),
        ("folder", &quoted(&asked.place.folder)),
    ]);
    speaker.say(keys::CLI_ENCRYPT_PLAN, &args);
    if let (Space::Used, Some(free)) = (plan.space(), plan.free()) {
        speaker.say(keys::CLI_ENCRYPT_USED_SPACE, &texts::args([("size", &free)]));
    }
}

/// Makes the header in a file, and the recovery key with a proven copy.
fn stage(
    speaker: &Speaker,
    asked: &Encrypt,
    plan: &Plan,
    password: &Secret,
    staged: &Path,
    work: &Work<'_>,
    below: Option<&Below>,
) -> Result<(RecoveryKey, Exported), Fault> {
    let key = RecoveryKey::generate().map_err(|error| error.fault())?;
    let header = work
        .run(|_, sink| operations::stage(plan, password, &key, asked.kdf, staged, sink))
        .map_err(|error| error.fault())?;
    if let Some(below) = below {
        below.prepare(password, &key)?;
    }
    let mut prove = |secret: &Secret| {
        operations::prove(staged, secret).map_err(|error| error.fault())?;
        below.map_or(Ok(()), |below| below.prove(secret))
    };
    let exported = sheet::export(speaker, &asked.target, &header.uuid, &key, &asked.place, &mut prove)?;
    Ok((key, exported))
}

/// Removes the copy of a key that opens nothing, because the conversion was never begun.
fn take_back(target: &Path, uuid: &str, exported: &Exported) {
    if matches!(operations::is_converting(target), Ok(Some(_))) {
        return;
    }
    sheet::forget(uuid, None);
    if !exported.was_there {
        let _ = std::fs::remove_file(&exported.path);
    }
}

/// Where the copy of the volume's front lies until the encryption is done.
fn front_copy(folder: &Path, staged: &Path) -> Option<PathBuf> {
    let staged = blockdev::FileDevice::open(staged, blockdev::Access::Read).ok()?;
    let header = luks::Header::load(&staged).ok()?.header;
    Some(operations::front_copy_path(folder, header.uuid()))
}

fn no_folder(error: &std::io::Error) -> Fault {
    Fault::new("cli-no-temporary-folder", FaultKind::Failed).because(error)
}
