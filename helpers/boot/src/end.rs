//! The end: what the distribution's installer would have made, and nothing of ours left in the way.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::facts::Facts;
use crate::fstab::Table;
use crate::job::{FOLDER, Job, PROGRAM};
use crate::{Error, Result, files, initramfs, loader, password, service, swap, tool};

const CRYPTTAB: &str = "/etc/crypttab";
/// Written when the end has been made; it waits for a start that proves it.
const ENDED: &str = "ended.json";
/// What is left of all this when everything has been proven.
pub const REPORT: &str = "/var/lib/latchkey/system-report.json";

/// When the end was made, and when it was proven.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The volume's UUID.
    pub volume: String,
    /// The start in which the last byte was encrypted.
    pub ended_in: String,
    /// The start through the system's own prompt that was seen after that.
    pub proven_in: Option<String>,
}

/// Makes the end. Each step can be done again: a cut in the middle is mended by the next start.
///
/// # Errors
/// Those of the files and programs. Until the new initramfs has been proven, the old one opens the volume as well.
pub fn make(job: &Job) -> Result<()> {
    let folder = Path::new(FOLDER);
    let facts = Facts::load()?;
    let mut crypttab = Table::parse(&files::text_or_empty(Path::new(CRYPTTAB))?);
    crypttab.set(0, &job.mapping, &job.crypttab_line());
    files::replace(Path::new(CRYPTTAB), crypttab.text().as_bytes(), 0o644)?;
    swap::encrypt(&facts)?;
    swap::forget_resume()?;
    let builder = initramfs::used().ok_or_else(|| Error::odd("initramfs", "unknown"))?;
    builder.uninstall()?;
    builder.rebuild()?;
    // Whichever kernel is started next: it may have been updated meanwhile.
    if let Err(error) = facts.kernels.iter().try_for_each(|kernel| builder.prove_end(kernel, job)) {
        // What opened it at this start opens it at the next one as well.
        builder.install(job)?;
        builder.rebuild()?;
        return Err(error);
    }
    if let Some(loader) = loader::named(&job.loader) {
        loader.disarm()?;
    }
    files::remove(&crate::job::header_file(folder))?;
    password::forget(job);
    let report = Report { volume: job.volume.clone(), ended_in: boot_id()?, proven_in: None };
    write(&folder.join(ENDED), &report)
}

/// The way back has come to its end: nothing is asked for at a start any more, and nothing of ours is left. Swap stays
/// encrypted with its own key for each start.
///
/// # Errors
/// Those of the files and programs; it is done again at the next start.
pub fn make_plain(job: &Job) -> Result<()> {
    let mut crypttab = Table::parse(&files::text_or_empty(Path::new(CRYPTTAB))?);
    crypttab.remove(0, &job.mapping);
    files::replace(Path::new(CRYPTTAB), crypttab.text().as_bytes(), 0o644)?;
    let builder = initramfs::used().ok_or_else(|| Error::odd("initramfs", "unknown"))?;
    builder.uninstall()?;
    builder.rebuild()?;
    // The words of a prompt that is no more, unless another volume's line has them.
    if !crate::prompt::names_script(&crypttab.text()) {
        files::remove(Path::new(crate::prompt::SCRIPT))?;
    }
    files::remove(Path::new(REPORT))?;
    leave()
}

/// Takes away the last of our parts.
fn leave() -> Result<()> {
    service::uninstall()?;
    fs::remove_dir_all(FOLDER).map_err(Error::at(Path::new(FOLDER)))?;
    files::remove(Path::new(PROGRAM))
}

/// The end that was made, if it was.
pub fn made() -> Option<Report> {
    read(&Path::new(FOLDER).join(ENDED))
}

/// What is known about an encryption that has come to its end and was proven.
pub fn report() -> Option<Report> {
    read(Path::new(REPORT))
}

/// This is another start than the one in which the end was made, and it came through the system's own prompt: the
/// last of our parts go. The file system is left as small as it is: the way back needs the few mebibytes behind it.
///
/// # Errors
/// Those of the files and programs.
pub fn prove(job: &Job, made: &Report) -> Result<bool> {
    let now = boot_id()?;
    let ours = crate::start::last().is_some();
    if now == made.ended_in || ours {
        return Ok(false);
    }
    let facts = Facts::load()?;
    if facts.device().name != job.mapped().display().to_string() {
        return Err(Error::WrongState { state: "the root is not on the encrypted volume" });
    }
    swap::prove(&facts)?;
    if job.split_boot.is_some() {
        empty_old_boot()?;
    }
    write(Path::new(REPORT), &Report { proven_in: Some(now), ..made.clone() })?;
    leave()?;
    Ok(true)
}

/// The kernels in the old folder, below the new `/boot`, are of no use any more.
fn empty_old_boot() -> Result<()> {
    let at = Path::new("/run/latchkey/root");
    fs::create_dir_all(at).map_err(Error::at(at))?;
    let place = at.display().to_string();
    tool::run("mount", ["--bind", "/", &place])?;
    let folder = at.join("boot");
    let emptied = (|| {
        for entry in fs::read_dir(&folder)?.flatten() {
            let path = entry.path();
            match entry.file_type()?.is_dir() {
                // The place where the EFI system partition was mounted is empty and stays.
                true if entry.file_name() == "efi" => {}
                true => fs::remove_dir_all(&path)?,
                false => fs::remove_file(&path)?,
            }
        }
        Ok(())
    })();
    tool::run("umount", [&place])?;
    emptied.map_err(Error::at(&folder))
}

fn boot_id() -> Result<String> {
    let path = Path::new("/proc/sys/kernel/random/boot_id");
    Ok(fs::read_to_string(path).map_err(Error::at(path))?.trim().to_owned())
}

fn write(path: &Path, report: &Report) -> Result<()> {
    let text = serde_json::to_vec_pretty(report).map_err(|error| Error::odd("report", error))?;
    files::replace(path, &text, 0o644)
}

fn read(path: &Path) -> Option<Report> {
    serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
}
