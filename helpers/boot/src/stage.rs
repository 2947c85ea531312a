//! Staging: everything that the test start needs, in files. Nothing on the root changes but these files.

use std::fs;
use std::path::Path;

use blockdev::{Access, Device, FileDevice, Memory};
use luks::kdf::Kdf;
use luks::{FormatOptions, Header};
use model::{Fault, Meter, Secret, Sink, StepId, Unit};
use recovery::RecoveryKey;

use crate::facts::Facts;
use crate::initramfs::Builder;
use crate::job::{FOLDER, Job, PROGRAM, Way, header_file};
use crate::preflight::SHIFT;
use crate::{Error, Result, files, initramfs, loader, preflight, room, service, split, start};

/// What somebody wants.
pub struct Request<'a> {
    /// The password that will be asked for at each start.
    pub password: &'a Secret,
    /// The recovery key.
    pub key: &'a RecoveryKey,
    /// The password's key derivation.
    pub kdf: Kdf,
    /// Iterations of the digest; `None`: as many as take an eighth of a second.
    pub digest_iterations: Option<u32>,
    /// The program that the initramfs and the service will start.
    pub program: &'a Path,
}

/// What was staged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staged {
    /// The job, as it was written.
    pub job: Job,
}

/// Steps that are counted.
const STEPS: u64 = 7;

/// Makes everything for the test start. `proven` is called when the header has been written and opened with both
/// secrets, with the header's file, so that copies of the recovery key are proven with it; an error of it ends
/// the staging.
///
/// # Errors
/// [`Error::Condition`], and those of the files and programs. What was begun is taken back.
pub fn stage(
    facts: &Facts,
    request: &Request<'_>,
    proven: &mut dyn FnMut(&Path, &str) -> std::result::Result<(), Fault>,
    sink: &mut dyn Sink,
) -> Result<Staged> {
    preflight::refuse(&preflight::check(facts))?;
    let folder = Path::new(FOLDER);
    if Job::load(folder)?.is_some() {
        return Err(Error::AlreadyStaged);
    }
    let staged = carry_out(facts, request, proven, &mut Meter::new(sink, StepId::Header, STEPS, Unit::Steps));
    if staged.is_err() {
        // The cause is the error that the person is shown.
        let _ = take_back();
    }
    staged
}

fn carry_out(
    facts: &Facts,
    request: &Request<'_>,
    proven: &mut dyn FnMut(&Path, &str) -> std::result::Result<(), Fault>,
    meter: &mut Meter<'_>,
) -> Result<Staged> {
    let folder = Path::new(FOLDER);
    let builder = initramfs::used().ok_or_else(|| Error::odd("initramfs", "unknown"))?;
    let once = loader::usable().ok_or_else(|| Error::odd("boot loader", "unknown"))?;
    meter.at(0);
    let mut job = job(facts, once.name())?;
    private_folder(folder)?;
    job.volume = make_header(&header_file(folder), request)?;
    meter.at(1);
    proven(&header_file(folder), &job.volume).map_err(|fault| Error::Told(Box::new(fault)))?;
    meter.at(2);
    match (&facts.boot, split::plan(facts)) {
        (Some(_), _) => job.split_boot = split::go_on(facts, folder)?,
        (None, Some(plan)) => job.split_boot = Some(split::carry_out(&plan, folder)?),
        (None, None) => job.room = Some(room::plan(facts).ok_or_else(|| Error::odd("/boot", "no room"))?),
    }
    meter.at(3);
    install_program(request.program)?;
    job.save(folder)?;
    split::noted(folder)?;
    prepare_start(facts, &job, &*builder, &mut |steps| meter.at(3 + steps))?;
    service::install()?;
    once.arm(&job, &facts.cmdline, &facts.kernel)?;
    start::forget_last();
    meter.at(STEPS);
    Ok(Staged { job })
}

/// An initramfs that does what the job says at the next start, and the proof that it will.
fn prepare_start(facts: &Facts, job: &Job, builder: &dyn Builder, done: &mut dyn FnMut(u64)) -> Result<()> {
    room::tell_hook(Path::new(FOLDER), job.room.is_some())?;
    builder.install(job)?;
    builder.rebuild()?;
    done(2);
    builder.prove_staged(&facts.kernel, job, facts.layout.is_some())?;
    done(3);
    Ok(())
}

/// A start has made room for a separate `/boot`: it is moved there, and the test start is prepared. What comes before
/// the note of that can be done again after a cut; a cut after it leaves a test start that nothing asks for, which the
/// next start takes back.
///
/// # Errors
/// Those of the files and programs.
pub fn after_room(job: &Job) -> Result<()> {
    let Some(room) = &job.room else { return Ok(()) };
    let folder = Path::new(FOLDER);
    let facts = Facts::load()?;
    let builder = initramfs::used().ok_or_else(|| Error::odd("initramfs", "unknown"))?;
    let once = loader::named(&job.loader).ok_or_else(|| Error::odd("boot loader", "unknown"))?;
    let (device, disk) = room::partition(job, room)?;
    let boot = match split::go_on(&facts, folder)? {
        Some(boot) => boot,
        None => split::move_to(&device, &disk, folder)?,
    };
    let test = Job { id: new_id()?, size: room.left, split_boot: Some(boot), room: None, ..job.clone() };
    test.save(folder)?;
    split::noted(folder)?;
    prepare_start(&facts, &test, &*builder, &mut |_| {})?;
    once.arm(&test, &facts.cmdline, &facts.kernel)?;
    start::forget_last();
    Ok(())
}

/// The job of the way back. Nothing is written.
///
/// # Errors
/// [`Error::WrongState`] where not all is encrypted, [`Error::AlreadyStaged`].
pub fn job_back(facts: &Facts) -> Result<Job> {
    if Job::load(Path::new(FOLDER))?.is_some() {
        return Err(Error::AlreadyStaged);
    }
    let [.., part, mapping] = &facts.root[..] else { return Err(Error::WrongState { state: "plain" }) };
    let fits = mapping.kind == "crypt" && part.kind == "part" && part.fstype.as_deref() == Some("crypto_LUKS");
    if !fits {
        return Err(Error::WrongState { state: "not on an encrypted partition" });
    }
    let mut job = job(facts, "none")?;
    job.partuuid.clone_from(part.partuuid.as_ref().ok_or_else(|| Error::odd(&part.name, "no PARTUUID"))?);
    job.volume.clone_from(part.uuid.as_ref().ok_or_else(|| Error::odd(&part.name, "no UUID"))?);
    job.mapping = mapping.name.rsplit('/').next().unwrap_or_default().to_owned();
    job.size = part.size;
    job.way = Way::Decrypt;
    if crate::state::on_disk(&job)? != crate::state::OnDisk::Encrypted {
        return Err(Error::WrongState { state: "not encrypted, or not to its end" });
    }
    Ok(job)
}

/// Stages the way back: the next start asks for the password and decrypts before the root is mounted.
///
/// # Errors
/// Those of the files and programs.
pub fn stage_back(facts: &Facts, job: &Job, program: &Path) -> Result<()> {
    let folder = Path::new(FOLDER);
    let builder = initramfs::used().ok_or_else(|| Error::odd("initramfs", "unknown"))?;
    let staged = (|| {
        private_folder(folder)?;
        install_program(program)?;
        job.save(folder)?;
        builder.install(job)?;
        builder.rebuild()?;
        builder.prove_staged(&facts.kernel, job, facts.layout.is_some())?;
        service::install()
    })();
    if staged.is_err() {
        let _ = take_back();
    }
    staged
}

/// Takes everything away that was staged. A `/boot` that was moved stays where it is: it is in order there.
///
/// # Errors
/// Those of the files and programs; what could be taken away is gone.
pub fn take_back() -> Result<()> {
    let folder = Path::new(FOLDER);
    let job = Job::load(folder).ok().flatten();
    let loader = job.as_ref().and_then(|job| loader::named(&job.loader));
    let disarmed = loader.map_or(Ok(()), |loader| loader.disarm());
    let stopped = service::uninstall();
    let had_hook = job.is_some();
    fs::remove_dir_all(folder).or_else(absent).map_err(Error::at(folder))?;
    fs::remove_file(PROGRAM).or_else(absent).map_err(Error::at(Path::new(PROGRAM)))?;
    if let Some(builder) = initramfs::used()
        && had_hook
    {
        builder.uninstall()?;
        builder.rebuild()?;
    }
    // A smaller file system is in order as well.
    let _ = room::give_back();
    disarmed.and(stopped)
}

fn absent(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

fn job(facts: &Facts, loader: &str) -> Result<Job> {
    let device = facts.device();
    let uuid = device.uuid.clone().ok_or_else(|| Error::odd(&device.name, "no UUID"))?;
    let name = device.name.rsplit('/').next().unwrap_or_default();
    Ok(Job {
        version: 1,
        id: new_id()?,
        // The preflight has seen one, or the way back names another.
        partuuid: device.partuuid.clone().unwrap_or_default(),
        filesystem: uuid,
        volume: String::new(),
        // As Debian's installer names it.
        mapping: format!("{name}_crypt"),
        size: device.size,
        shift: SHIFT,
        loader: loader.to_owned(),
        split_boot: None,
        way: Way::Encrypt,
        room: None,
    })
}

fn new_id() -> Result<String> {
    let mut id = [0; 4];
    getrandom::fill(&mut id).map_err(|error| Error::odd("random bytes", error))?;
    Ok(id.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn private_folder(folder: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir_all(folder).map_err(Error::at(folder))?;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).map_err(Error::at(folder))
}

/// Makes the header with both keyslots in a file and opens the file with both. Returns the volume's UUID.
fn make_header(file: &Path, request: &Request<'_>) -> Result<String> {
    let size = usize::try_from(SHIFT).map_err(|error| Error::odd("header", error))?;
    let image = Memory::new(vec![0; size]);
    let options = FormatOptions {
        key_bits: 512,
        // ext4 on a system's drive has blocks of 4096 bytes; the test start looks again.
        sector_size: 4096,
        data_offset: SHIFT,
        label: String::new(),
        uuid: None,
        kdf: request.kdf,
        digest_iterations: request.digest_iterations,
    };
    let (mut header, unlocked) = luks::format(&image, &options, request.password)?;
    // 256 random bits need no slow key derivation.
    let slot = header.add_key(&image, &unlocked, &request.key.secret(), &Kdf::cheapest())?;
    header.add_recovery_token(&image, slot)?;
    files::replace(file, &image.snapshot(), 0o600)?;
    let written = FileDevice::open(file, Access::Read)?;
    let header = Header::load(&written)?.header;
    for secret in [request.password, &request.key.secret()] {
        if header.unlock(&written, secret)?.volume_key != unlocked.volume_key || written.size() != SHIFT {
            return Err(Error::odd(file.display(), "the header does not read back"));
        }
    }
    Ok(header.uuid().to_owned())
}

/// Copies the program to where the hook and the service look for it.
fn install_program(program: &Path) -> Result<()> {
    let bytes = fs::read(program).map_err(Error::at(program))?;
    files::replace(Path::new(PROGRAM), &bytes, 0o755)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::tests::facts;

    #[test]
    fn the_job_names_what_no_restart_changes() {
        let job = job(&facts(), "grub").unwrap();
        assert_eq!(job.partuuid, "bdceb69e-8608-324f-b3df-2a424f83c5bc");
        assert_eq!(job.mapping, "vda2_crypt");
        assert_eq!(job.size, 1200 << 20);
    }

    #[test]
    fn the_header_opens_with_both_secrets() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("header.img");
        let (password, key) = (Secret::from("correct horse"), RecoveryKey::generate().unwrap());
        let request = Request {
            password: &password,
            key: &key,
            kdf: Kdf::cheapest(),
            digest_iterations: Some(1000),
            program: Path::new("/bin/true"),
        };
        let uuid = make_header(&file, &request).unwrap();
        let device = FileDevice::open(&file, Access::Read).unwrap();
        let header = Header::load(&device).unwrap().header;
        assert_eq!((header.uuid(), header.keyslots().len()), (&*uuid, 2));
        header.unlock(&device, &key.secret()).unwrap();
        assert!(header.unlock(&device, &Secret::from("wrong")).is_err());
    }
}
