//! The rescue stick: made, written, looked at.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use model::{Args, Describe, Fault, FaultKind};
use rescue::{BackedUp, LARGEST_STICK, Parts, Place, Stick};
use texts::keys;
use wizard::operations;

use crate::args::raw;
use crate::speaker::{Speaker, quoted, somebody_is_there};

/// Carries out one of the commands.
///
/// # Errors
/// Those of the image's builder and of the volumes.
pub fn run(speaker: &Speaker, command: &raw::Rescue) -> Result<(), Fault> {
    match command {
        raw::Rescue::Make { file: Some(file), headers, root, .. } => to_file(speaker, file, headers, root),
        raw::Rescue::Make { stick, headers, root, confirm, .. } => {
            to_stick(speaker, stick.as_deref(), headers, root, confirm.as_deref())
        }
        raw::Rescue::Verify { image, targets } => verify(speaker, image, targets),
        raw::Rescue::Sticks => list(speaker),
    }
}

fn to_file(speaker: &Speaker, file: &Path, headers: &[PathBuf], root: &Path) -> Result<(), Fault> {
    let backups = back_up(headers)?;
    let image = rescue::stick_contents(root, speaker.texts.language(), &backups)
        .and_then(|contents| rescue::build(&Parts::find(root)?, &contents, Place::Within(LARGEST_STICK)))
        .map_err(|error| error.fault())?;
    rescue::write_file(file, &image).map_err(|error| error.fault())?;
    made(speaker, file, image.size, headers.len())
}

fn to_stick(
    speaker: &Speaker,
    path: Option<&Path>,
    headers: &[PathBuf],
    root: &Path,
    confirm: Option<&str>,
) -> Result<(), Fault> {
    let path = path.unwrap_or(Path::new("")).to_owned();
    let sticks = rescue::sticks().map_err(|error| error.fault())?;
    let Some(stick) = sticks.into_iter().find(|stick| stick.path == path) else {
        return Err(rescue::Error::NotAStick { path }.fault());
    };
    speaker.say(keys::RESCUE_STICK_PLAN, &about(&stick));
    let typed = match confirm {
        Some(typed) => typed.to_owned(),
        None => typed_name()?,
    };
    let confirmation = stick.confirm(&typed).map_err(|error| error.fault())?;
    // Read before anything is written: a header that cannot be read must not cost the stick.
    let backups = back_up(headers)?;
    let language = speaker.texts.language();
    let mut size = 0;
    let mut image = |disk: u64| {
        let contents = rescue::stick_contents(root, language, &backups)?;
        // The smallest form is what the limit is about; the table is made for the whole stick.
        let parts = Parts::find(root)?;
        size = rescue::build(&parts, &contents, Place::Within(LARGEST_STICK))?.size;
        rescue::build(&parts, &contents, Place::Disk(disk))
    };
    rescue::write_stick(&stick, confirmation, &mut image, &mut |_, _| {}).map_err(|error| error.fault())?;
    made(speaker, &stick.path, size, headers.len())
}

/// The header of each volume, before anything is written.
fn back_up(volumes: &[PathBuf]) -> Result<Vec<BackedUp>, Fault> {
    let one = |path: &PathBuf| {
        let bytes = operations::header_backup(path).map_err(|error| error.fault())?;
        let loaded = luks::Header::load(&blockdev::Memory::new(bytes.clone())).map_err(|error| error.fault())?;
        Ok(BackedUp { uuid: loaded.header.uuid().to_owned(), bytes })
    };
    volumes.iter().map(one).collect()
}

fn made(speaker: &Speaker, path: &Path, size: u64, headers: usize) -> Result<(), Fault> {
    let args = texts::args([("path", &quoted(path)), ("size", &size.to_string()), ("headers", &headers.to_string())]);
    speaker.say(keys::RESCUE_MADE, &args);
    Ok(())
}

fn verify(speaker: &Speaker, image: &Path, targets: &[PathBuf]) -> Result<(), Fault> {
    let targets: Vec<&Path> = targets.iter().map(PathBuf::as_path).collect();
    let seen = rescue::verify(image, &targets).map_err(|error| error.fault())?;
    let files = seen.manifest.files.len().to_string();
    let args = [("path", quoted(image)), ("files", files), ("kernel", seen.manifest.kernel.clone())];
    speaker.say(keys::RESCUE_WHOLE, &args.map(|(name, value)| (name.to_owned(), value)).into());
    for (key, uuids) in [
        (keys::RESCUE_HAS_HEADER, &seen.headers),
        (keys::RESCUE_LACKS_HEADER, &seen.missing),
        (keys::RESCUE_STALE_HEADER, &seen.stale),
    ] {
        uuids.iter().for_each(|uuid| speaker.say(key, &texts::args([("uuid", uuid)])));
    }
    match (seen.missing.first(), seen.stale.first()) {
        (None, None) => Ok(()),
        _ => Err(Fault::new("rescue-stale", FaultKind::Refused)),
    }
}

/// A line from the terminal; at a script's hand it must stand in the arguments.
fn typed_name() -> Result<String, Fault> {
    if !somebody_is_there() {
        return Err(rescue::Error::NotConfirmed.fault());
    }
    let mut line = String::new();
    let _ = std::io::stderr().flush();
    std::io::stdin().lock().read_line(&mut line).map_err(|_| rescue::Error::NotConfirmed.fault())?;
    Ok(line)
}

fn about(stick: &Stick) -> Args {
    let path = quoted(&stick.path);
    texts::args([("path", &path), ("name", &stick.name), ("size", &stick.size.to_string())])
}

fn list(speaker: &Speaker) -> Result<(), Fault> {
    let sticks = rescue::sticks().map_err(|error| error.fault())?;
    if sticks.is_empty() {
        speaker.say(keys::RESCUE_NO_STICKS, &Args::new());
    }
    sticks.iter().for_each(|stick| speaker.say(keys::RESCUE_STICK, &about(stick)));
    Ok(())
}
