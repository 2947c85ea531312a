//! Encrypting by the drive itself: alone, or below LUKS2.

use std::path::{Path, PathBuf};
use std::time::Duration;

use model::{Describe, Fault, FaultKind, Secret};
use opal::pin::Cost;
use opal::preboot::Maker;
use opal::protect::{self, Secrets};
use recovery::RecoveryKey;
use rescue::OfSystem;
use texts::keys;
use wizard::hardware::{self, AtStart, Opening, Opens, OwnDrive, Powered, Sight, Trial};
use wizard::operations::KdfWish;
use wizard::view::SleepChoice;

use crate::args::checked::Encrypt;
use crate::secrets::new_password;
use crate::sheet;
use crate::speaker::{Speaker, quoted};
use crate::work;

/// What a PIN costs. Somebody who wants to wait less than a second gets less: it is noted on the drive.
fn cost(wish: KdfWish) -> Cost {
    match wish {
        KdfWish::Calibrated(time) if time < Duration::from_secs(1) => {
            Cost { memory_kib: 32 << 10, passes: 2, lanes: 4 }
        }
        _ => Cost::default(),
    }
}

/// A drive that can do it.
pub struct Below {
    powered: Powered,
    whole: PathBuf,
    cost: Cost,
    /// Who makes what it shows, if the running system lies on it.
    maker: Option<OfSystem>,
    /// How the computer is to sleep, where that has to be said.
    sleep: Option<SleepChoice>,
}

impl Below {
    /// Looks at the drive under a target, and refuses one that cannot, before anybody has typed anything. How the
    /// computer is to sleep is asked here, where it has to be.
    ///
    /// # Errors
    /// `hardware-refused`, `opal-…`; those of [`work::sleep`].
    pub fn check(speaker: &Speaker, asked: &Encrypt) -> Result<Self, Fault> {
        let powered = Powered::default();
        let whole = hardware::whole_drive(&asked.target);
        let language = speaker.texts.language();
        let maker = hardware::is_system(&whole).then(|| OfSystem { root: "/".into(), language });
        let opening = match &maker {
            Some(maker) => Opening::BeforeSystem(Some(maker)),
            None => Opening::BySystem,
        };
        let system = (!hardware::is_virtual(&whole)).then(AtStart::of_this_system);
        let able = hardware::check(&powered, &whole, opening, system.as_ref(), false).map_err(|error| error.fault())?;
        let able = able.or_refuse().map_err(|error| error.fault())?;
        let sleep = work::sleep(speaker, able.asks_about_sleep, asked.sleep)?;
        Ok(Self { powered, whole, cost: cost(asked.kdf), maker, sleep })
    }

    fn open(&self) -> Result<OwnDrive, Fault> {
        self.powered.open(&self.whole).map_err(|error| error.fault())
    }

    /// Prepares the drive with both secrets: nothing is locked by that.
    pub fn prepare(&self, password: &Secret, key: &RecoveryKey) -> Result<String, Fault> {
        let recovery = key.secret();
        let secrets = Secrets { password, recovery: &recovery };
        hardware::prepare(&mut self.open()?, secrets, None, self.cost).map_err(|error| error.fault())
    }

    /// Whether a secret opens it.
    pub fn prove(&self, secret: &Secret) -> Result<(), Fault> {
        hardware::prove(&mut self.open()?, secret).map(drop).map_err(|error| error.fault())
    }

    /// Gives it back, after something else went wrong.
    pub fn take_back(&self, password: &Secret) {
        if let Ok(mut own) = self.open() {
            let _ = hardware::give_back(&mut own, opal::pin::WayIn::Password, password, self.cost);
            let _ = AtStart::of_this_system().take_back(&self.whole);
        }
    }

    /// Whether the test start of an earlier run has passed: only the lock is left to do.
    fn has_started(&self) -> Result<bool, Fault> {
        let lock = hardware::look(&mut self.open()?.tper).map_err(|error| error.fault())?;
        Ok(self.maker.is_some() && lock.id.is_some() && lock.started)
    }

    /// Loads the program that asks before the system, and shows it from the next start on. Nothing is locked.
    /// `false`: a person has to switch the computer off and on first.
    fn try_start(&self, password: &Secret) -> Result<bool, Fault> {
        let Some(maker) = &self.maker else { return Ok(true) };
        let mut own = self.open()?;
        hardware::prove_password(&mut own, password).map_err(|error| error.fault())?;
        let room = protect::room_for_image(&mut own.tper, password).map_err(|error| error.fault())?;
        let image = maker.make(room)?;
        let trial = hardware::try_start(&mut own, password, Some(&image), &mut |_| {});
        Ok(trial.map_err(|error| error.fault())? == Trial::Passed)
    }

    /// Switches the lock on, and looks whether it locks, as far as that goes without a person.
    pub fn switch_on(&self, speaker: &Speaker, target: &Path, password: &Secret) -> Result<(), Fault> {
        let mut own = self.open()?;
        if own.device.is_none() {
            let opens = if self.maker.is_some() { Opens::BeforeSystem } else { Opens::by_this_system() };
            AtStart::of_this_system()
                .install(&self.whole, password, opens, self.sleep)
                .map_err(|error| error.fault())?;
        }
        hardware::switch_on(&mut own, password).map_err(|error| error.fault())?;
        let args = texts::args([("path", &quoted(target))]);
        match hardware::see_locked(&mut own, password).map_err(|error| error.fault())? {
            Sight::Seen => speaker.say(keys::CLI_ENCRYPTED, &args),
            Sight::PowerOff => speaker.say(keys::CLI_HARDWARE_POWER_OFF, &args),
        }
        Ok(())
    }
}

/// By the drive alone. What was cut off goes on when it is called again with the same password.
pub fn run(speaker: &Speaker, asked: &Encrypt) -> Result<(), Fault> {
    let below = Below::check(speaker, asked)?;
    if below.has_started()? {
        let password = new_password(speaker, &asked.password)?;
        below.prove(&password)?;
        return below.switch_on(speaker, &asked.target, &password);
    }
    sheet::refuse_place(&asked.target, &asked.place)?;
    let size = match below.open()?.blocks() {
        Ok(blocks) => blockdev::Device::size(&blocks),
        Err(_) => drives::inspect(&below.whole).map_err(|error| error.fault())?.drive.size,
    };
    let args =
        texts::args([("path", &quoted(&asked.target)), ("size", &size), ("folder", &quoted(&asked.place.folder))]);
    speaker.say(keys::CLI_HARDWARE_PLAN, &args);
    work::consent(speaker, asked.consent, keys::CLI_ASK_ENCRYPT)?;
    let password = new_password(speaker, &asked.password)?;
    let key = RecoveryKey::generate().map_err(|error| error.fault())?;
    let id = below.prepare(&password, &key)?;
    let mut prove = |secret: &Secret| below.prove(secret);
    let exported = sheet::export(speaker, &asked.target, &id, &key, &asked.place, &mut prove);
    let exported = exported.inspect_err(|_| below.take_back(&password))?;
    sheet::say_exported(speaker, &asked.target, &id, &exported);
    if !below.try_start(&password)? {
        speaker.say(keys::CLI_HARDWARE_TEST_START, &texts::args([("path", &quoted(&asked.target))]));
        return Ok(());
    }
    below.switch_on(speaker, &asked.target, &password)
}

/// For both, one above the other.
///
/// # Errors
/// `hardware-both-needs-node` for a drive in a file; as [`Below::check`].
pub fn below_software(speaker: &Speaker, asked: &Encrypt) -> Result<Below, Fault> {
    if asked.target.is_file() {
        return Err(Fault::new("hardware-both-needs-node", FaultKind::Refused));
    }
    Below::check(speaker, asked)
}
