//! The verbs, carried out by ourselves, as root.

use std::path::{Path, PathBuf};

use boot::verbs::{self, Status, Undone};
use model::{Condition, Describe, Fault, FaultKind, Secret, Sink, VolumeId};
use rescue::{BackedUp, LARGEST_STICK, Parts, Place};
use texts::Language;
use wizard::engine::Seen;
use wizard::operations::{self, KdfWish};

use crate::device::{DiskId, Pinned};
use crate::{NamedStick, Reading, System, Trial, Wish};

/// We ourselves.
pub struct Direct {
    /// The program that the initramfs and the service of systemd will start.
    program: PathBuf,
}

/// Where the package puts `latchkey`.
const PROGRAM: &str = "/usr/bin/latchkey";

impl Default for Direct {
    fn default() -> Self {
        Self { program: PROGRAM.into() }
    }
}

impl Direct {
    /// With the program that runs, for `latchkey` itself: its administrator has chosen it.
    ///
    /// # Errors
    /// `service-no-program`.
    pub fn with_this_program() -> Result<Self, Fault> {
        let program = std::env::current_exe().map_err(|error| no_program().because(error))?;
        Ok(Self { program })
    }
}

fn no_program() -> Fault {
    Fault::new("service-no-program", FaultKind::Failed).with("path", PROGRAM)
}

fn told<E: Describe>(error: E) -> Fault {
    error.fault()
}

struct OnFile<'a>(&'a Path);

impl Trial for OnFile<'_> {
    fn opens(&mut self, secret: &Secret) -> Result<(), Fault> {
        operations::prove(self.0, secret).map(|_| ()).map_err(told)
    }
}

impl System for Direct {
    fn drives(&self) -> Result<Seen, Fault> {
        let mut seen = None;
        wizard::watch::follow(&mut |now| {
            seen = Some(now.clone());
            false
        })
        .map_err(told)?;
        Ok(seen.unwrap_or_default())
    }

    fn id(&self) -> Result<VolumeId, Fault> {
        verbs::system().map_err(told)
    }

    fn check(&self, id: &VolumeId) -> Result<Vec<Condition>, Fault> {
        verbs::check(id).map_err(told)
    }

    fn status(&self, id: &VolumeId) -> Result<Status, Fault> {
        verbs::status(id).map_err(told)
    }

    fn stage(
        &self,
        id: &VolumeId,
        wish: &Wish,
        export: &mut dyn FnMut(&str, &mut dyn Trial) -> Result<(), Fault>,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        if !self.program.is_file() {
            return Err(no_program());
        }
        let request = boot::Request {
            password: &wish.password,
            key: &wish.key,
            kdf: match wish.kdf {
                KdfWish::Calibrated(target) => luks::kdf::Kdf::calibrated(target),
                KdfWish::Known(kdf) => kdf,
                KdfWish::CheapestForTests => luks::kdf::Kdf::cheapest(),
            },
            digest_iterations: None,
            program: &self.program,
        };
        let mut proven = |file: &Path, uuid: &str| export(uuid, &mut OnFile(file));
        verbs::stage(id, &request, &mut proven, sink).map(|_| ()).map_err(told)
    }

    fn pause(&self, id: &VolumeId) -> Result<(), Fault> {
        verbs::pause(id).map_err(told)
    }

    fn resume(&self, id: &VolumeId, secret: Option<&Secret>) -> Result<(), Fault> {
        verbs::resume(id, secret).map_err(told)
    }

    fn undo(&self, id: &VolumeId) -> Result<Undone, Fault> {
        verbs::undo(id).map_err(told)
    }

    fn decrypt(&self, id: &VolumeId, secret: &Secret) -> Result<(), Fault> {
        verbs::decrypt(id, secret, &self.program).map_err(told)
    }

    fn sticks(&self) -> Result<Vec<NamedStick>, Fault> {
        let sticks = rescue::sticks().map_err(told)?;
        let named = |stick: rescue::Stick| {
            Some(NamedStick { id: DiskId::of(&stick.path).ok()?.to_string(), name: stick.name, size: stick.size })
        };
        // One that was pulled out while we looked is none.
        Ok(sticks.into_iter().filter_map(named).collect())
    }

    fn write_stick(&self, id: &str, typed: &str, language: &str) -> Result<(), Fault> {
        let language = Language::ALL
            .into_iter()
            .find(|known| known.tag() == language)
            .ok_or_else(|| Fault::new("service-arguments", FaultKind::Refused))?;
        let pinned = Pinned::open(&DiskId::parse(id)?)?;
        let sticks = rescue::sticks().map_err(told)?;
        let not_a_stick = || rescue::Error::NotAStick { path: pinned.node().to_owned() }.fault();
        let stick = sticks.into_iter().find(|stick| stick.path == pinned.node()).ok_or_else(not_a_stick)?;
        let confirmation = stick.confirm(typed).map_err(told)?;
        // Read before anything is written: a header that cannot be read must not cost the stick.
        let backups = backups()?;
        let root = Path::new("/");
        let mut image = |size: u64| {
            let contents = rescue::stick_contents(root, language, &backups)?;
            let parts = Parts::find(root)?;
            // The smallest form is what the limit is about; the table is made for the whole stick.
            rescue::build(&parts, &contents, Place::Within(LARGEST_STICK))?;
            rescue::build(&parts, &contents, Place::Disk(size))
        };
        rescue::write_stick_through(&pinned.path(), &stick, confirmation, &mut image, &mut |_, _| {}).map_err(told)
    }

    fn benchmark(&self, disk: &str) -> Result<Reading, Fault> {
        let pinned = Pinned::open(&DiskId::parse(disk)?)?;
        crate::reading::measure(&pinned.path()).map_err(|error| {
            Fault::new("service-reading-failed", FaultKind::Failed).with("path", pinned.node().display()).because(error)
        })
    }

    fn take_up(&self) -> Result<bool, Fault> {
        verbs::take_up().map_err(told)
    }
}

/// The header of the system's volume, staged or in place; none where nothing is encrypted.
fn backups() -> Result<Vec<BackedUp>, Fault> {
    let Some(path) = verbs::header().map_err(told)? else { return Ok(Vec::new()) };
    let bytes = operations::header_backup(&path).map_err(told)?;
    let loaded = luks::Header::load(&blockdev::Memory::new(bytes.clone())).map_err(told)?;
    Ok(vec![BackedUp { uuid: loaded.header.uuid().to_owned(), bytes }])
}
