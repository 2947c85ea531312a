use std::fs::File;
use std::io::Read;
use std::path::Path;

use blockdev::{Access, FileDevice};
use luks::convert::{self, Place};
use luks::{Header, Loaded};
use model::{Describe, Fault, FaultKind, Secret};
use texts::keys;
use wizard::operations;

use crate::args::checked::{Consent, Source};
use crate::secrets::with_secret;
use crate::speaker::{Speaker, quoted};
use crate::work;

/// The largest header: two copies of 4 MiB and 128 MiB of keyslots.
const LARGEST: u64 = 136 << 20;

/// Copies the header into a new file, in the form of `cryptsetup luksHeaderBackup`.
pub fn backup(speaker: &Speaker, target: &Path, file: &Path) -> Result<(), Fault> {
    let bytes = operations::header_backup(target).map_err(|error| error.fault())?;
    super::write_new(file, &bytes)?;
    let args = texts::args([("path", &quoted(target)), ("file", &quoted(file))]);
    speaker.say(keys::CLI_HEADER_BACKED_UP, &args);
    Ok(())
}

/// Puts a copied header back.
pub fn restore(
    speaker: &Speaker,
    target: &Path,
    file: &Path,
    uuid: Option<&str>,
    consent: Consent,
) -> Result<(), Fault> {
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|opened| opened.take(LARGEST + 1).read_to_end(&mut bytes))
        .map_err(|error| of_file("cli-file-read", FaultKind::Failed, file).because(error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(of_file("cli-not-a-backup", FaultKind::Refused, file));
    }
    // Said before anybody agrees to anything.
    Header::load(&blockdev::Memory::new(bytes.clone())).map_err(|error| error.fault())?;
    let args = texts::args([("path", &quoted(target)), ("file", &quoted(file))]);
    speaker.say(keys::CLI_HEADER_RESTORE_PLAN, &args);
    work::consent(speaker, consent, keys::CLI_ASK_GO_ON)?;
    operations::header_restore(target, &bytes, uuid).map_err(|error| error.fault())?;
    speaker.say(keys::CLI_HEADER_RESTORED, &args);
    Ok(())
}

/// Mends the copy of the header that is damaged, or puts one together from what is left of both.
pub fn repair(
    speaker: &Speaker,
    target: &Path,
    secret: &Source,
    uuid: Option<&str>,
    consent: Consent,
) -> Result<(), Fault> {
    let args = texts::args([("path", &quoted(target))]);
    let device = FileDevice::open(target, Access::Read).map_err(|error| error.fault())?;
    let found = match convert::locate(&device) {
        Ok(Place::Front(loaded) | Place::Back { loaded, .. }) => loaded,
        // Resuming mends this by itself.
        Ok(Place::Starting { .. }) => return Err(luks::Error::Converting.fault()),
        Err(luks::Error::Damaged(_) | luks::Error::NotLuks) => {
            return rebuild(speaker, target, &device, secret, uuid, consent);
        }
        Err(error) => return Err(error.fault()),
    };
    if found.damage.is_none() {
        speaker.say(keys::CLI_HEADER_WHOLE, &args);
        return Ok(());
    }
    drop(device);
    speaker.say(keys::CLI_HEADER_ONE_COPY, &args);
    work::consent(speaker, consent, keys::CLI_ASK_GO_ON)?;
    mend(target).map_err(|error| error.fault())?;
    speaker.say(keys::CLI_HEADER_MENDED, &args);
    Ok(())
}

/// Looks again while the device is held, and mends what is still damaged.
fn mend(target: &Path) -> luks::Result<()> {
    let device = FileDevice::open(target, Access::Exclusive)?;
    match convert::locate(&device)? {
        Place::Front(Loaded { header, damage: Some(damage) }) => header.repair(&device, damage),
        Place::Back { loaded: Loaded { header, damage: Some(damage) }, offset } => {
            let size = blockdev::Device::size(&device) - offset;
            header.repair(&blockdev::Part::new(&device, offset, size)?, damage)
        }
        _ => Ok(()),
    }
}

/// Both copies are damaged. What can be put together is kept only when a password opens it.
fn rebuild(
    speaker: &Speaker,
    target: &Path,
    device: &FileDevice,
    secret: &Source,
    uuid: Option<&str>,
    consent: Consent,
) -> Result<(), Fault> {
    let args = texts::args([("path", &quoted(target))]);
    let header = luks::rebuild(device, uuid).map_err(|error| error.fault())?;
    speaker.say(keys::CLI_HEADER_BOTH_DAMAGED, &args);
    let opens = |secret: &Secret| header.unlock(device, secret).map_err(|error| error.fault());
    with_secret(speaker, secret, keys::CLI_ASK_PASSWORD, opens)?;
    work::consent(speaker, consent, keys::CLI_ASK_GO_ON)?;
    let writable = FileDevice::open(target, Access::Exclusive).map_err(|error| error.fault())?;
    let mut header = header;
    header.store(&writable).map_err(|error| error.fault())?;
    speaker.say(keys::CLI_HEADER_MENDED, &args);
    Ok(())
}

fn of_file(code: &str, kind: FaultKind, file: &Path) -> Fault {
    Fault::new(code, kind).with("path", quoted(file))
}
