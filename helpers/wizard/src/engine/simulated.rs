//! An engine that acts on nothing: volumes are entries in a table, and each call can be made to fail.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use blockdev::{Access, Device, FileDevice};
use model::{
    Bus, Condition, Content, Control, Drive, Fault, FaultKind, Judged, Meter, Method, Outcome, Reason, Secret, Signal,
    Sink, StepId, Unit, Verdict, Volume, VolumeId,
};
use recovery::{Form, RecoveryKey};

use super::{CheckWish, Checked, Converting, Ended, Engine, Found, HeaderFacts, Seen};
use crate::operations::{Plan, Room, Space};
use crate::view::{BenchFigure, BenchFigures, Check, RecoveryCopy, RecoveryPlace, Target};
use crate::{Error, Result};

/// Bytes that one step of the conversion does.
const CHUNK: u64 = 4 << 20;

#[derive(Default)]
pub(crate) struct Simulated(Mutex<World>);

#[derive(Default)]
pub(crate) struct World {
    pub volumes: BTreeMap<PathBuf, Simple>,
    /// Password and recovery key of each header that was made, by its UUID.
    pub secrets: BTreeMap<String, (Secret, Secret)>,
    /// The next call of this name fails with this fault.
    pub fails: BTreeMap<&'static str, Fault>,
    /// The next call of this name breaks off.
    pub panics: Option<&'static str>,
    /// Sticks that are plugged in.
    pub sticks: Vec<RecoveryPlace>,
    /// How long a chunk of the conversion takes.
    pub chunk_takes: Duration,
    /// The drive that the system runs from.
    pub system: Option<Drive>,
    /// Counts what was plugged in and pulled out.
    pub pulse: u64,
    /// The right to look at everything was given.
    pub rights: bool,
    /// Calls in their order.
    pub calls: Vec<&'static str>,
    made: u32,
}

/// A volume.
#[derive(Clone, Debug)]
pub(crate) struct Simple {
    pub size: u64,
    pub content: &'static str,
    pub present: bool,
    pub header: Option<HeaderFacts>,
    /// Bytes that no file uses, where that can be told.
    pub free: Option<u64>,
    /// Code of the condition that is not met.
    pub condition: Option<&'static str>,
}

impl Simulated {
    pub fn world(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap()
    }

    pub fn with_volume(self, path: &str, size: u64) -> Self {
        let simple = Simple { size, content: "ext4", present: true, header: None, free: None, condition: None };
        self.world().volumes.insert(path.into(), simple);
        self
    }

    fn call(&self, name: &'static str) -> Result<()> {
        let mut world = self.world();
        world.calls.push(name);
        if world.panics == Some(name) {
            world.panics = None;
            drop(world);
            panic!("simulated");
        }
        world.fails.remove(name).map_or(Ok(()), |fault| Err(Error::Below(fault)))
    }

    /// A volume; a file that is not in the table is a plain image.
    fn volume(&self, path: &Path) -> Result<Simple> {
        let mut world = self.world();
        let missing = || Error::Device(blockdev::Error::Missing { path: path.display().to_string() });
        if !world.volumes.contains_key(path) {
            let size = std::fs::metadata(path).map_err(|_| missing())?.len();
            let simple = Simple { size, content: "vfat", present: true, header: None, free: None, condition: None };
            world.volumes.insert(path.to_owned(), simple);
        }
        let simple = world.volumes[path].clone();
        if simple.present { Ok(simple) } else { Err(missing()) }
    }

    fn opens(&self, uuid: &str, secret: &Secret) -> Result<()> {
        match self.world().secrets.get(uuid) {
            Some((password, key)) if secret == password || secret == key => Ok(()),
            _ => Err(Error::Below(Fault::new("luks-wrong-secret", FaultKind::WrongSecret))),
        }
    }
}

impl Engine for Simulated {
    fn survey(&self) -> Result<Seen> {
        self.call("survey")?;
        let paths: Vec<PathBuf> = self.world().volumes.keys().cloned().collect();
        let system = self.world().system.clone();
        let others = paths.iter().filter_map(|path| self.look(path).ok()).map(|found| found.drive);
        Ok(Seen { drives: system.into_iter().chain(others).collect(), computer: None })
    }

    fn pulse(&self) -> Option<u64> {
        Some(self.world().pulse)
    }

    fn can_ask_for_rights(&self) -> bool {
        !self.has_rights()
    }

    fn ask_for_rights(&self) -> Result<()> {
        self.call("rights")?;
        self.world().rights = true;
        Ok(())
    }

    fn has_rights(&self) -> bool {
        self.world().rights
    }

    fn look(&self, target: &Path) -> Result<Found> {
        self.call("look")?;
        let simple = self.volume(target)?;
        let path = target.display().to_string();
        let verdict = match &simple.header {
            None => Verdict::NotProtected,
            Some(header) if header.converting.is_some() => Verdict::Converting,
            Some(_) => Verdict::Protected,
        };
        let judged =
            Judged { verdict, reason: Reason::new("simulated"), gets: String::new(), next: "simulated".into() };
        let volume = Volume {
            id: VolumeId(path.clone()),
            size: simple.size,
            content: Content(simple.content.into()),
            label: None,
            uuid: None,
            mounts: Vec::new(),
            in_use: false,
            judged: judged.clone(),
            facts: Default::default(),
        };
        let drive = Drive {
            path: path.clone(),
            name: path,
            size: simple.size,
            bus: Bus::Image,
            removable: None,
            rotational: None,
            system: false,
            volumes: vec![volume],
            judged,
        };
        Ok(Found { drive, header: simple.header, lock: None })
    }

    fn check(&self, target: &Path, _: CheckWish) -> Result<Checked> {
        self.call("check")?;
        let simple = self.volume(target)?;
        let room = Room::Grow { by: 2 << 20 };
        let possible = simple.condition.is_none() && simple.header.is_none();
        let plan = possible.then(|| Plan {
            path: target.to_owned(),
            size: simple.size,
            content: Content(simple.content.into()),
            label: None,
            used: simple.size,
            room,
            shift: 1 << 20,
            sector_size: 512,
            space: Space::All,
            free: simple.free,
            rotational: Some(false),
            front_copy: None,
            method: Method::Software,
            sleep: None,
        });
        let check = Check {
            conditions: simple.condition.into_iter().map(|code| condition(code, Outcome::Fail)).collect(),
            method: possible.then_some(Method::Software),
            reasons: vec![Reason::new("simulated")],
            room: Reason::new("room-grow"),
            able: Vec::new(),
        };
        let fault = (!possible).then(|| Fault::new("simulated", FaultKind::Refused));
        Ok(Checked { check, plan, fault, offered: Vec::new() })
    }

    fn before(&self, _: &Path) -> Vec<Condition> {
        vec![condition("power", Outcome::Pass)]
    }

    fn places(&self, _: &Path) -> Vec<RecoveryPlace> {
        self.world().sticks.clone()
    }

    fn stage(
        &self,
        _: &Plan,
        password: &Secret,
        key: &RecoveryKey,
        _: Option<&Secret>,
        file: &Path,
        _: &mut dyn Sink,
    ) -> Result<String> {
        self.call("stage")?;
        let uuid = {
            let mut world = self.world();
            world.made += 1;
            let uuid = format!("uuid-{}", world.made);
            world.secrets.insert(uuid.clone(), (password.clone(), key.secret()));
            uuid
        };
        std::fs::write(file, &uuid).map_err(|error| Error::folder(file, error))?;
        Ok(uuid)
    }

    fn prove(&self, file: &Path, secret: &Secret) -> Result<()> {
        self.call("prove")?;
        let uuid = std::fs::read_to_string(file).map_err(|error| Error::folder(file, error))?;
        self.opens(&uuid, secret)
    }

    fn export_recovery(
        &self,
        _: &Target,
        _: &str,
        key: &RecoveryKey,
        form: &dyn Form,
        folder: &Path,
        prove: &mut dyn FnMut(&Secret) -> std::result::Result<(), Fault>,
    ) -> Result<RecoveryCopy> {
        self.call("export")?;
        let file = folder.join(format!("recovery.{}", form.extension()));
        std::fs::write(&file, &*key.text()).map_err(|error| Error::folder(folder, error))?;
        prove(&key.secret())?;
        Ok(RecoveryCopy { kind: "folder".into(), place: folder.display().to_string() })
    }

    fn write_rescue(
        &self,
        _: &Path,
        staged: &Path,
        secret: &Secret,
        folder: &Path,
        _: &mut dyn Sink,
    ) -> Result<PathBuf> {
        self.call("rescue")?;
        self.prove(staged, secret)?;
        let file = folder.join("rescue.img");
        std::fs::copy(staged, &file).map_err(|error| Error::folder(folder, error))?;
        Ok(file)
    }

    fn measure(&self, _: &Path, control: &Control, _: &mut dyn Sink) -> Result<BenchFigures> {
        self.call("measure")?;
        let takes = self.world().chunk_takes;
        for _ in 0..20 {
            if control.signal() == Signal::Stop {
                return Err(Error::Below(Fault::new("bench-stopped", FaultKind::Stopped)));
            }
            std::thread::sleep(takes);
        }
        let test = |name: &str| BenchFigure { name: name.into(), rate: 1e9, low: 9e8, high: 1.1e9 };
        let tests = vec![test("seq1m-q1t1-read"), test("seq1m-q1t1-write")];
        Ok(BenchFigures { tests, cipher_rate: 4e9, kdf_seconds: Some(1.0), report: None })
    }

    fn begin(&self, plan: &Plan, staged: &Path, secret: &Secret, _: &mut dyn Sink) -> Result<()> {
        self.call("begin")?;
        self.volume(plan.path())?;
        self.prove(staged, secret)?;
        let uuid = std::fs::read_to_string(staged).map_err(|error| Error::folder(staged, error))?;
        let converting = Some(Converting { encrypting: true, done: 0, total: plan.size() });
        let cipher = "aes-xts-plain64".into();
        let header = HeaderFacts { uuid, cipher, key_bits: 512, sector_size: 512, converting };
        self.world().volumes.entry(plan.path().to_owned()).and_modify(|volume| volume.header = Some(header));
        Ok(())
    }

    fn convert(&self, target: &Path, secret: &Secret, control: &Control, sink: &mut dyn Sink) -> Result<Ended> {
        self.call("convert")?;
        let header = self.volume(target)?.header.unwrap();
        self.opens(&header.uuid, secret)?;
        let Converting { mut done, total, .. } = header.converting.unwrap();
        let mut meter = Meter::new(sink, StepId::Encrypt, total, Unit::Bytes);
        meter.at(done);
        loop {
            match control.signal() {
                Signal::Run => {}
                Signal::Pause => {
                    meter.paused(done);
                    std::thread::sleep(Duration::from_millis(5));
                    continue;
                }
                Signal::Stop => return Ok(Ended::Stopped),
            }
            let takes = self.world().chunk_takes;
            std::thread::sleep(takes);
            self.volume(target)?;
            done = (done + CHUNK).min(total);
            let converting = (done < total).then_some(Converting { encrypting: true, done, total });
            if let Some(header) = self.world().volumes.get_mut(target).and_then(|volume| volume.header.as_mut()) {
                header.converting = converting;
            }
            meter.at(done);
            if done == total {
                return Ok(Ended::Finished);
            }
        }
    }

    fn read_plain(&self, target: &Path, _: &Secret, look: &mut dyn FnMut(&dyn Device) -> Result<()>) -> Result<()> {
        self.call("plain")?;
        look(&FileDevice::open(target, Access::Read)?)
    }
}

fn condition(code: &str, outcome: Outcome) -> Condition {
    Condition { code: code.into(), outcome, reason: Reason::new("simulated"), evidence: String::new() }
}
