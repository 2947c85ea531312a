//! The drive's own encryption behind the real engine's calls.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::{Bus, Condition, Content, Drive, Meter, Method, Secret, Sink, StepId, Unit, Volume, VolumeId};
use opal::device::Blocks;
use opal::pin::{Cost, WayIn};
use opal::preboot::Maker;
use opal::protect::{self, Secrets};
use recovery::RecoveryKey;

use super::{CheckWish, Checked, Ended, Found};
use crate::hardware::{self, Able, AtStart, LockFacts, Opening, Opens, OwnDrive, Powered, Sight, Staged, Trial};
use crate::operations::Plan;
use crate::view::Check;
use crate::{Error, Result};

/// What the engine knows of drives that encrypt by themselves.
#[derive(Debug)]
pub(super) struct ByDrive {
    pub powered: Powered,
    pub cost: Cost,
    /// Who makes the preboot program's image for the drive that the system lies on.
    pub maker: Option<Arc<dyn Maker>>,
    /// What the running system is told.
    pub at_start: AtStart,
    /// For tests: it is told of virtual drives, too.
    pub virtual_too: bool,
}

impl ByDrive {
    /// Whether the running system lies on a drive.
    fn is_system(&self, whole: &Path) -> bool {
        // In the rig, a virtual drive stands for the computer's own.
        (self.powered.is_by_person() && hardware::is_virtual(whole)) || hardware::is_system(whole)
    }

    fn opening(&self, system: bool) -> Opening<'_> {
        if system { Opening::BeforeSystem(self.maker.as_deref()) } else { Opening::BySystem }
    }

    /// The system that a drive is a part of. `None`: it is one in a file, of which nobody is told.
    fn system_of(&self, own: &Path) -> Option<&AtStart> {
        (self.virtual_too || !hardware::is_virtual(own)).then_some(&self.at_start)
    }

    /// What a virtual drive is. `None`: it is no virtual drive.
    pub fn look_virtual(&self, target: &Path) -> Result<Option<Found>> {
        if !hardware::is_virtual(target) {
            return Ok(None);
        }
        let mut own = self.powered.open(target)?;
        let lock = hardware::look(&mut own.tper)?;
        let blocks = own.blocks()?;
        let judged = hardware::judged(&lock);
        let path = target.display().to_string();
        let volume = Volume {
            id: VolumeId(path.clone()),
            size: blockdev::Device::size(&blocks),
            content: Content(content(&blocks, &lock)),
            label: None,
            uuid: None,
            mounts: Vec::new(),
            in_use: false,
            judged: judged.clone(),
            facts: Default::default(),
        };
        let name = target.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let drive = Drive {
            path,
            name,
            size: volume.size,
            bus: Bus::Image,
            removable: Some(false),
            rotational: Some(false),
            system: false,
            volumes: vec![volume],
            judged,
        };
        Ok(Some(Found { drive, header: None, lock: Some(lock) }))
    }

    /// What a real drive shows of its lock. `None`: it has none, or may not be asked.
    pub fn lock_of(&self, target: &Path) -> Option<LockFacts> {
        if target.is_file() {
            return None;
        }
        let mut own = self.powered.open(&hardware::whole_drive(target)).ok()?;
        hardware::look(&mut own.tper).ok()
    }

    /// Adds the drive's own encryption to what a check of the volume came to, and makes the plan by it where it
    /// is wished for or fits.
    pub fn check(&self, target: &Path, wish: CheckWish, checked: Option<Checked>) -> Result<Checked> {
        let whole = hardware::whole_drive(target);
        let found = self.look_virtual(target)?;
        let (size, content) = match &found {
            Some(found) => (found.drive.size, found.drive.volumes[0].content.0.clone()),
            None => {
                let seen = drives::inspect(target)?;
                (seen.drive.size, seen.look.content)
            }
        };
        let opening = self.opening(self.is_system(&whole));
        let able = hardware::check(&self.powered, &whole, opening, self.system_of(&whole), wish.prepared);
        let able = match (able, found.is_some()) {
            (Ok(able), _) => able,
            (Err(error), true) => return Err(error),
            // Not of this kind, or not to be asked: that is no trouble for the other method.
            (Err(_), false) => return checked.ok_or(Error::TargetChanged),
        };
        let possible = able.possible;
        let software = checked.as_ref().is_some_and(|checked| checked.plan.is_some());
        let wished = match wish.method {
            Some(method) => method == Method::Hardware,
            None => !able.doubtful || !software,
        };
        let offered = match (possible, software) {
            (true, true) => vec![Method::Hardware, Method::Software],
            _ => Vec::new(),
        };
        if let Some(checked) = checked.filter(|checked| checked.plan.is_some() && !(possible && wished)) {
            return Ok(Checked { offered, ..checked });
        }
        Ok(plan_by_drive(target, size, &content, able, possible, offered))
    }

    pub fn stage(
        &self,
        plan: &Plan,
        password: &Secret,
        key: &RecoveryKey,
        former: Option<&Secret>,
        file: &Path,
        sink: &mut dyn Sink,
    ) -> Result<String> {
        let drive = hardware::whole_drive(plan.path());
        let mut own = self.powered.open(&drive)?;
        let mut meter = Meter::new(sink, StepId::DeriveKey, 1, Unit::Steps);
        meter.at(0);
        let recovery = key.secret();
        let secrets = Secrets { password, recovery: &recovery };
        let id = hardware::prepare(&mut own, secrets, former, self.cost)?;
        Staged::write(file, &id, &drive)?;
        meter.at(1);
        Ok(id)
    }

    pub fn prove(&self, staged: &Staged, secret: &Secret) -> Result<()> {
        let mut own = self.powered.open(&staged.target)?;
        hardware::prove(&mut own, secret).map(drop)
    }

    pub fn write_rescue(
        &self,
        staged: &Staged,
        secret: &Secret,
        folder: &Path,
        sink: &mut dyn Sink,
    ) -> Result<PathBuf> {
        hardware::write_rescue(&mut self.powered.open(&staged.target)?, secret, folder, sink)
    }

    pub fn test_start(&self, staged: &Staged, secret: &Secret, sink: &mut dyn Sink) -> Result<Trial> {
        let mut own = self.powered.open(&staged.target)?;
        let has_mbr = own.tper.discovery().facts().mbr_shadow_supported;
        let system = self.is_system(&staged.target);
        let image = match (&own.device, system) {
            (_, true) => Some(self.preboot_image(&mut own, secret)?),
            (Some(_), false) if has_mbr => {
                Some(hardware::shown().map_err(|error| Error::folder(&staged.target, error))?)
            }
            // The running system opens it: nothing is shown before.
            _ => None,
        };
        let total = image.as_ref().map_or(1, |image| 2 * image.len() as u64);
        let mut meter = Meter::new(sink, StepId::Write, total, Unit::Bytes);
        let trial = hardware::try_start(&mut own, secret, image.as_deref(), &mut |done| meter.at(done));
        // Some drives only say that they have one: they are opened by the running system.
        match trial {
            Err(Error::Below(fault)) if fault.code == "opal-no-shadow-mbr" && !system => {
                hardware::try_start(&mut own, secret, None, &mut |_| {})
            }
            trial => trial,
        }
    }

    /// Made for this drive and this computer; nobody else's program is ever shown.
    fn preboot_image(&self, own: &mut OwnDrive, password: &Secret) -> Result<Vec<u8>> {
        let no_start = || Error::HardwareRefused { reason: "start-program-missing".into() };
        let maker = self.maker.as_ref().ok_or_else(no_start)?;
        hardware::prove_password(own, password)?;
        let room = protect::room_for_image(&mut own.tper, password)?;
        maker.make(room).map_err(Error::Below)
    }

    /// What the running system has to know is told first: a drive that locks itself and that nobody opens is
    /// worse than one that is not locked yet.
    pub fn begin(&self, plan: &Plan, secret: &Secret) -> Result<()> {
        let drive = hardware::whole_drive(plan.path());
        let mut own = self.powered.open(&drive)?;
        if let Some(system) = self.system_of(&drive) {
            let opens = if self.is_system(&drive) { Opens::BeforeSystem } else { Opens::by_this_system() };
            system.install(&drive, secret, opens, plan.sleep().and_then(|question| question.chosen))?;
        }
        hardware::switch_on(&mut own, secret)
    }

    /// `None`: it is no drive that was prepared by us.
    pub fn convert(&self, target: &Path, secret: &Secret, sink: &mut dyn Sink) -> Result<Option<Ended>> {
        let drive = hardware::whole_drive(target);
        if target.is_file() && !hardware::is_virtual(target) {
            return Ok(None);
        }
        let Ok(mut own) = self.powered.open(&drive) else { return Ok(None) };
        if hardware::look(&mut own.tper)?.id.is_none() {
            return Ok(None);
        }
        let size = match &own.device {
            Some(device) => blockdev::Device::size(&Blocks(device.clone())),
            None => drives::inspect(target)?.drive.size,
        };
        let mut meter = Meter::new(sink, StepId::Encrypt, size, Unit::Bytes);
        meter.at(0);
        let sight = hardware::see_locked(&mut own, secret)?;
        meter.at(size);
        Ok(Some(match sight {
            Sight::Seen => Ended::Finished,
            Sight::PowerOff => Ended::PowerOff,
        }))
    }

    pub fn give_back(&self, target: &Path, secret: &Secret) -> Result<()> {
        let mut own = self.powered.open(&hardware::whole_drive(target))?;
        let way = if hardware::is_recovery_key(secret) { WayIn::Recovery } else { WayIn::Password };
        hardware::give_back(&mut own, way, secret, self.cost)?;
        if let Some(system) = self.system_of(&own.path) {
            system.take_back(&own.path)?;
        }
        Ok(())
    }
}

fn content(blocks: &Blocks, lock: &LockFacts) -> String {
    // What stands at its front now is not its own.
    if lock.locked || lock.shown {
        return "unknown".into();
    }
    drives::inspect::look(blocks).content
}

fn plan_by_drive(target: &Path, size: u64, content: &str, able: Able, possible: bool, offered: Vec<Method>) -> Checked {
    let plan = possible.then(|| Plan::by_drive(target, size, content, Some(false), able.asks_about_sleep));
    let room = plan.as_ref().map_or_else(|| model::Reason::new("room-unneeded"), Plan::room_reason);
    let reason = if able.ours { "hardware-prepared" } else { "hardware-seconds" };
    let fault = (!possible).then(|| {
        let reason = able.refusal.as_ref().map_or_else(|| "own-lock-no-start".to_owned(), |reason| reason.code.clone());
        model::Describe::fault(&Error::HardwareRefused { reason })
    });
    let conditions: Vec<Condition> = able.conditions;
    let check = Check {
        conditions,
        method: possible.then_some(Method::Hardware),
        reasons: vec![model::Reason::new(reason), model::Reason::new("hardware-not-audited")],
        room,
        able: Vec::new(),
    };
    Checked { check, plan, fault, offered }
}
