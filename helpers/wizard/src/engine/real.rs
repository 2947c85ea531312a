use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bench::{DiskOptions, Layer};
use blockdev::Device;
use luks::convert::{Mode, State};
use luks::kdf::Kdf;
use model::{Condition, Control, Day, Fault, Secret, Sink};
use recovery::{Export, Form, RecoveryKey, SameDrive, Sheet, SheetWords};

use super::administrator::{self, Administrator};
use super::by_drive::ByDrive;
use super::{CheckWish, Checked, Converting, Ended, Engine, Found, HeaderFacts, Seen, look_around, pulse};
use crate::hardware::{self, AtStart, Powered, Staged, Trial};
use crate::operations::{self, EncryptRequest, KdfWish, Plan};
use crate::running::Running;
use crate::view::{BenchFigure, BenchFigures, RecoveryCopy, RecoveryPlace, Target};
use crate::{Error, Result, copies, rescue};

/// What the real engine needs to know from whoever opens the wizard.
#[derive(Clone, Debug)]
pub struct RealOptions {
    /// Sentences of the recovery sheet, in the person's language.
    pub words: SheetWords,
    /// The computer's name, for the sheet.
    pub computer: String,
    /// How hard the password's key derivation is made.
    pub kdf: KdfWish,
    /// How the drive is measured.
    pub disk: DiskOptions,
    /// The language of the report about it.
    pub language: texts::Language,
    /// A recorded computer whose drives the first page shows instead of this one's: a folder with its `sys`,
    /// `proc` and `run`, on Linux. For pictures and tests.
    pub recorded: Option<PathBuf>,
    /// What the derivation of a drive's PINs costs, where this program prepares it.
    pub pin_cost: opal::pin::Cost,
    /// Who makes the image that the drive of the running system shows while it is locked: the preboot program.
    /// Without it that drive is not offered to encrypt by itself.
    pub preboot: Option<Arc<dyn opal::preboot::Maker>>,
    /// For tests: a virtual drive stands for the one that the system lies on. It is opened before the system
    /// starts, and only a person takes its power.
    pub virtual_is_system: bool,
    /// For tests: a folder that stands for the running system, which is told of virtual drives as of real ones.
    pub system: Option<PathBuf>,
}

impl RealOptions {
    /// The usual options, with sentences of the sheet in this language.
    pub fn new(words: SheetWords, computer: String) -> Self {
        Self {
            words,
            computer,
            kdf: KdfWish::default(),
            disk: DiskOptions::default(),
            language: texts::Language::from_env(),
            recorded: None,
            pin_cost: opal::pin::Cost::default(),
            preboot: None,
            virtual_is_system: false,
            system: None,
        }
    }
}

/// The engine that acts on devices and images.
#[derive(Debug)]
pub struct Real {
    options: RealOptions,
    /// The key derivation that this machine got: measured once.
    kdf: Mutex<Option<Kdf>>,
    words: Mutex<SheetWords>,
    administrator: Mutex<Option<Administrator>>,
    by_drive: ByDrive,
}

impl Real {
    /// An engine with these options.
    pub fn new(options: RealOptions) -> Self {
        let words = Mutex::new(options.words.clone());
        let powered = if options.virtual_is_system { Powered::by_person() } else { Powered::default() };
        let (cost, maker) = (options.pin_cost, options.preboot.clone());
        let at_start = options.system.as_deref().map_or_else(AtStart::of_this_system, AtStart::under);
        let by_drive = ByDrive { powered, cost, maker, at_start, virtual_too: options.system.is_some() };
        Self { options, kdf: Mutex::new(None), words, administrator: Mutex::new(None), by_drive }
    }

    /// Other sentences for the recovery sheets from now on: the person has changed the language.
    pub fn speak(&self, words: SheetWords) {
        *self.words.lock().unwrap_or_else(PoisonError::into_inner) = words;
    }

    fn known_kdf(&self) -> KdfWish {
        let mut known = self.kdf.lock().unwrap_or_else(PoisonError::into_inner);
        match (self.options.kdf, *known) {
            (KdfWish::Calibrated(_), Some(kdf)) => KdfWish::Known(kdf),
            (KdfWish::Calibrated(target), None) => KdfWish::Known(*known.insert(Kdf::calibrated(target))),
            (other, _) => other,
        }
    }

    fn recorded(&self) -> Option<&Path> {
        self.options.recorded.as_deref()
    }

    fn administrator(&self) -> MutexGuard<'_, Option<Administrator>> {
        self.administrator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_encrypted(target: &Path) -> bool {
        drives::inspect(target).is_ok_and(|seen| seen.look.luks.is_some())
    }
}

impl Engine for Real {
    fn survey(&self) -> Result<Seen> {
        let told = self.administrator().as_ref().and_then(Administrator::seen);
        told.map_or_else(|| look_around(self.recorded()), Ok)
    }

    fn pulse(&self) -> Option<u64> {
        // What the other process tells a little later is a change of its own.
        let told = self.administrator().as_ref().map_or(0, Administrator::count);
        pulse(self.recorded()).map(|pulse| pulse.wrapping_add(told))
    }

    fn can_ask_for_rights(&self) -> bool {
        !self.has_rights() && administrator::can_be_asked()
    }

    fn ask_for_rights(&self) -> Result<()> {
        // The person may take their time: nothing is locked meanwhile.
        let given = Administrator::ask()?;
        *self.administrator() = Some(given);
        Ok(())
    }

    fn has_rights(&self) -> bool {
        self.administrator().as_ref().is_some_and(|given| given.seen().is_some())
    }

    fn look(&self, target: &Path) -> Result<Found> {
        if let Some(found) = self.by_drive.look_virtual(target)? {
            return Ok(found);
        }
        let seen = drives::inspect(target)?;
        let conversion = seen.look.conversion.as_ref();
        let header = seen.look.luks.as_ref().map(|place| {
            let header = place.header();
            HeaderFacts {
                uuid: header.uuid().to_owned(),
                cipher: header.cipher().unwrap_or_default().to_owned(),
                key_bits: header.key_bits().unwrap_or(0),
                sector_size: header.sector_size(),
                converting: conversion.map(converting),
            }
        });
        Ok(Found { drive: seen.drive, header, lock: self.by_drive.lock_of(target) })
    }

    fn check(&self, target: &Path, wish: CheckWish) -> Result<Checked> {
        if hardware::is_virtual(target) {
            return self.by_drive.check(target, wish, None);
        }
        let mut checked = operations::check(target, &EncryptRequest::default())?;
        // Without them the answer to what was asked is the same.
        checked.check.able = drives::capabilities(target).map(|able| able.conditions).unwrap_or_default();
        if target.is_file() {
            return Ok(checked);
        }
        self.by_drive.check(target, wish, Some(checked))
    }

    fn before(&self, target: &Path) -> Vec<Condition> {
        const LOOKED_AT: [&str; 2] = ["power", "memory"];
        let conditions = drives::check(target).map(|check| check.conditions).unwrap_or_default();
        conditions.into_iter().filter(|condition| LOOKED_AT.contains(&condition.code.as_str())).collect()
    }

    fn places(&self, target: &Path) -> Vec<RecoveryPlace> {
        copies::places(target)
    }

    fn stage(
        &self,
        plan: &Plan,
        password: &Secret,
        key: &RecoveryKey,
        former: Option<&Secret>,
        file: &Path,
        sink: &mut dyn Sink,
    ) -> Result<String> {
        if plan.method() == model::Method::Hardware {
            return self.by_drive.stage(plan, password, key, former, file, sink);
        }
        let staged = operations::stage(plan, password, key, self.known_kdf(), file, sink)?;
        Ok(staged.uuid)
    }

    fn prove(&self, file: &Path, secret: &Secret) -> Result<()> {
        match Staged::read(file) {
            Some(staged) => self.by_drive.prove(&staged, secret),
            None => operations::prove(file, secret).map(drop),
        }
    }

    fn test_start(&self, _: &Path, staged: &Path, secret: &Secret, sink: &mut dyn Sink) -> Result<Trial> {
        match Staged::read(staged) {
            Some(staged) => self.by_drive.test_start(&staged, secret, sink),
            None => self.prove(staged, secret).map(|()| Trial::Passed),
        }
    }

    fn give_back(&self, target: &Path, secret: &Secret) -> Result<()> {
        self.by_drive.give_back(target, secret)
    }

    fn kdf(&self) -> KdfWish {
        self.known_kdf()
    }

    fn let_go(&self, target: &Path) {
        self.by_drive.powered.let_go(target);
    }

    fn export_recovery(
        &self,
        target: &Target,
        uuid: &str,
        key: &RecoveryKey,
        form: &dyn Form,
        folder: &Path,
        prove: &mut dyn FnMut(&Secret) -> std::result::Result<(), Fault>,
    ) -> Result<RecoveryCopy> {
        let path = Path::new(&target.id.0);
        let sheet = Sheet {
            computer: self.options.computer.clone(),
            volume: target.name.clone(),
            uuid: uuid.to_owned(),
            date: Day::today().to_string(),
            words: self.words.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        };
        let same_drive = match drives::same_drive(folder, path) {
            Ok(drives::SameDrive::Yes) => SameDrive::Yes,
            Ok(drives::SameDrive::No) => SameDrive::No,
            Ok(drives::SameDrive::Unknown) | Err(_) => SameDrive::Unknown,
        };
        // An image is no drive: whoever loses the drive below it loses no key that opens it elsewhere.
        let export = Export { folder, form, sheet: &sheet, key, same_drive, forced: path.is_file() };
        recovery::export(&export, prove)?;
        Ok(RecoveryCopy::in_folder(folder, &self.places(path)))
    }

    fn write_rescue(
        &self,
        target: &Path,
        staged: &Path,
        secret: &Secret,
        folder: &Path,
        sink: &mut dyn Sink,
    ) -> Result<PathBuf> {
        if matches!(drives::same_drive(folder, target), Ok(drives::SameDrive::Yes)) {
            return Err(Error::FolderOnTarget { path: folder.display().to_string() });
        }
        if let Some(staged) = Staged::read(staged) {
            return self.by_drive.write_rescue(&staged, secret, folder, sink);
        }
        let header = std::fs::read(staged).map_err(|error| Error::folder(staged, error))?;
        rescue::write(folder, &header, secret, sink)
    }

    fn measure(&self, target: &Path, control: &Control, sink: &mut dyn Sink) -> Result<BenchFigures> {
        let seen = drives::inspect(target)?;
        let cipher_rate = bench::xts_rate();
        let kdf_seconds = match (self.options.kdf, self.known_kdf()) {
            (KdfWish::Calibrated(_), KdfWish::Known(kdf)) => bench::unlock_seconds(&kdf).ok(),
            _ => None,
        };
        let without = BenchFigures { tests: Vec::new(), cipher_rate, kdf_seconds, report: None };
        let mounted = match &seen.in_use {
            Some(drives::Use::Mounted(points)) => points.first().map(Path::new),
            _ => None,
        };
        let Some(folder) = seen.image_folder().or(mounted) else {
            // A drive that is not mounted has no folder for a test file.
            return Ok(without);
        };
        let layer = if Self::is_encrypted(target) { Layer::Encrypted } else { Layer::Plain };
        let measured = bench::disk(folder, &DiskOptions { layer, ..self.options.disk }, control, sink);
        let mut report = match measured {
            // The place where another's volume is mounted need not be open to this person.
            Err(bench::Error::Denied { .. } | bench::Error::ReadOnly { .. }) if mounted.is_some() => {
                return Ok(without);
            }
            measured => measured?,
        };
        report.cipher_rate = Some(cipher_rate);
        if layer == Layer::Plain {
            let cost = match mounted {
                Some(_) => bench::Cost::of_the_kernel(cipher_rate),
                None => bench::Cost::of_this_program(cipher_rate),
            };
            report.prediction = Some(bench::Prediction::new(&report, &cost));
        }
        let tests = report.tests.iter().map(|figure| BenchFigure {
            name: figure.test.name().to_owned(),
            rate: figure.rate,
            low: figure.low,
            high: figure.high,
        });
        Ok(BenchFigures { tests: tests.collect(), report: Some(report), ..without })
    }

    fn bench_writes(&self) -> u64 {
        self.options.disk.will_write()
    }

    fn bench_page(&self, before: &bench::Figures, after: Option<&bench::Figures>) -> String {
        bench::page::page(&texts::Texts::new(self.options.language), before, after)
    }

    fn begin(&self, plan: &Plan, staged: &Path, secret: &Secret, sink: &mut dyn Sink) -> Result<()> {
        if plan.method() == model::Method::Hardware {
            return self.by_drive.begin(plan, secret);
        }
        operations::begin(plan, staged, secret, &Control::new(), sink)
    }

    fn convert(&self, target: &Path, secret: &Secret, control: &Control, sink: &mut dyn Sink) -> Result<Ended> {
        // A header on it is the other method's, also on a drive that locks itself.
        if !Self::is_encrypted(target)
            && let Some(ended) = self.by_drive.convert(target, secret, sink)?
        {
            return Ok(ended);
        }
        // `latchkey pause` finds it as it finds those of a terminal.
        let _running = Running::announce(target, control);
        operations::resume(target, secret, operations::Unreadable::Stop, control, sink).map(|resumed| resumed.ended)
    }

    fn read_plain(
        &self,
        target: &Path,
        secret: &Secret,
        look: &mut dyn FnMut(&dyn Device) -> Result<()>,
    ) -> Result<()> {
        if hardware::is_virtual(target) {
            return hardware::with_blocks(&self.by_drive.powered.open(target)?, look);
        }
        operations::with_plain(target, secret, look)
    }
}

fn converting(state: &State) -> Converting {
    Converting { encrypting: state.mode == Mode::Encrypt, done: state.done, total: state.total }
}
