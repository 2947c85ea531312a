//! The steps, in the order that loses nothing: a recovery password that lies on another medium and was read
//! back from it, then what opens the volume every day, then Windows' own test start, then the conversion.
//!
//! Every step can be begun again after a power cut: it looks at what is there first.

use std::path::Path;

use model::{Control, Meter, Signal, Sink, StepId, Unit};
use recovery::{Kind, Medium, SameDrive};
use zeroize::Zeroizing;

use crate::keys::{self, Saved, Sheet, SheetWords};
use crate::{
    Cipher, Code, Error, Former, Machine, Plan, Protector, ProtectorKind, Result, State, Unlock, UnlockKind, Value,
    Volume, VolumeKind,
};

/// The name of our protectors, as Windows shows it.
const NAME: &str = "Latchkey";
/// `EncryptionPercentage` with four decimals.
const WHOLE: u64 = 1_000_000;

/// Where a copy of the recovery password goes.
pub struct Copy<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// Whether it lies on the drive that the key is for.
    pub same_drive: SameDrive,
    /// The file's sentences.
    pub words: &'a SheetWords,
    /// The medium.
    pub medium: &'a mut dyn Medium,
}

/// Makes the protectors of a plan. Nothing is encrypted yet; what fails leaves the volume readable as before.
/// `former` gets a policy before it is changed, to be written down for undo.
///
/// # Errors
/// Those of the calls and of the copy.
pub fn prepare(
    machine: &mut dyn Machine,
    plan: &Plan,
    unlock: &Unlock,
    copy: &mut Copy<'_>,
    former: &mut dyn FnMut(&Former),
) -> Result<Saved> {
    if unlock.kind() != plan.unlock {
        return Err(Error::NotNow);
    }
    let mut volume = made_ready(machine, plan, former)?;
    let saved = recovery_password(&mut volume, copy)?;
    add_unlock(&mut volume, unlock, copy.medium)?;
    Ok(saved)
}

/// [`prepare`] for whoever wrote the recovery password of [`show_key`] down, and has typed it back.
///
/// # Errors
/// Those of the calls and of [`keys::compare`].
pub fn prepare_typed(
    machine: &mut dyn Machine,
    plan: &Plan,
    unlock: &Unlock,
    typed: &Sheet,
    medium: &mut dyn Medium,
    former: &mut dyn FnMut(&Former),
) -> Result<()> {
    if unlock.kind() != plan.unlock {
        return Err(Error::NotNow);
    }
    // Before anything is changed.
    keys::compare(&mut Volume::find(machine, &plan.row.id)?, typed)?;
    add_unlock(&mut made_ready(machine, plan, former)?, unlock, medium)
}

/// The recovery password that a volume will have, to be written down; it is made if there is none. With a plan the
/// volume is made ready for it first; without one it is encrypted already, and stands open.
///
/// # Errors
/// [`Error::NotNow`] in any other state; those of the calls.
pub fn show_key(
    machine: &mut dyn Machine,
    volume: &str,
    plan: Option<&Plan>,
    former: &mut dyn FnMut(&Former),
) -> Result<Sheet> {
    let mut volume = match plan {
        Some(plan) => made_ready(machine, plan, former)?,
        None => Volume::find(machine, volume)?,
    };
    let open = matches!(State::of(&volume.numbers()), State::ClearKey | State::Suspended { .. });
    if plan.is_none() && !open {
        return Err(Error::NotNow);
    }
    let id = recovery_protector(&mut volume)?;
    Ok(Sheet { id: keys::bare(&id), password: volume.recovery_password(&id)? })
}

/// What has to be done before the first protector is there.
fn made_ready<'a>(machine: &'a mut dyn Machine, plan: &Plan, former: &mut dyn FnMut(&Former)) -> Result<Volume<'a>> {
    let state = State::of(&Volume::find(machine, &plan.row.id)?.numbers());
    if !matches!(state, State::Off | State::Prepared | State::TestFailed(_)) {
        return Err(if state == State::TestPending { Error::LeftOver } else { Error::NotNow });
    }
    if plan.method == Cipher::Hardware {
        let before = Former::of_hardware(machine, plan.kind)?;
        former(&before);
        before.allow(machine)?;
    }
    let mut volume = Volume::find(machine, &plan.row.id)?;
    if plan.force && volume.protectors()?.is_empty() {
        let how = if plan.method == Cipher::Hardware { 2 } else { 1 };
        let ins = [("DiscoveryVolumeType", Value::text("<default>")), ("ForceEncryptionType", Value::Number(how))];
        volume.done("PrepareVolume", &ins)?;
    }
    Ok(volume)
}

/// The volume's recovery password, made if there is none, and its proven copy.
///
/// # Errors
/// Those of [`keys::save`].
pub fn recovery_password(volume: &mut Volume<'_>, copy: &mut Copy<'_>) -> Result<Saved> {
    // Before anything is made that would be left behind.
    keys::usable(copy.folder, copy.same_drive, copy.medium)?;
    let id = recovery_protector(volume)?;
    keys::save(volume, &id, copy.folder, copy.same_drive, copy.words, copy.medium)
}

/// The ID of the protector, which is made if there is none.
fn recovery_protector(volume: &mut Volume<'_>) -> Result<String> {
    let there = volume.protectors()?.into_iter().find(|one| one.kind == ProtectorKind::RecoveryPassword);
    there.map_or_else(|| volume.add_recovery_password(NAME), |one| Ok(one.id))
}

fn add_unlock(volume: &mut Volume<'_>, unlock: &Unlock, medium: &mut dyn Medium) -> Result<()> {
    let protectors = volume.protectors()?;
    let has = |kind| protectors.iter().any(|one| one.kind == kind);
    match unlock {
        Unlock::Tpm if has(ProtectorKind::Tpm) => Ok(()),
        Unlock::Tpm => volume.add_tpm(NAME).map(drop),
        Unlock::TpmPin(pin) => {
            let pin = text(pin.expose())?;
            if !has(ProtectorKind::TpmPin) {
                volume.add_tpm_pin(NAME, &pin)?;
            }
            // Beside a plain TPM protector nobody would be asked. It goes after the other is there.
            drop_plain_tpm(volume, &protectors)
        }
        Unlock::Password(_) if has(ProtectorKind::Password) => Ok(()),
        Unlock::Password(password) => volume.add_password(NAME, &text(password.expose())?).map(drop),
        Unlock::StartupKey(folder) => {
            let there = protectors.iter().find(|one| one.kind == ProtectorKind::ExternalKey);
            let id = match there {
                Some(one) => one.id.clone(),
                None => volume.add_external_key(NAME)?,
            };
            let name = volume.save_external_key(&id, &folder.to_string_lossy())?;
            match medium.kind(&folder.join(name)) {
                Ok(Kind::File) => Ok(()),
                _ => Err(Error::NoStartupKey { folder: folder.clone() }),
            }
        }
    }
}

/// Takes the plain TPM protectors away, if something else starts the computer.
///
/// # Errors
/// [`Error::Refused`].
pub fn drop_plain_tpm(volume: &mut Volume<'_>, protectors: &[Protector]) -> Result<()> {
    let now = volume.protectors()?;
    if !now.iter().any(|one| one.kind.asks_beside_tpm()) {
        return Ok(());
    }
    for one in protectors.iter().filter(|one| one.kind == ProtectorKind::Tpm) {
        volume.done("DeleteKeyProtector", &[("VolumeKeyProtectorID", Value::text(one.id.clone()))])?;
    }
    Ok(())
}

/// What comes after [`begin`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// The computer has to be restarted: Windows tries the protectors first.
    Restart,
    /// It runs.
    Running,
}

/// Begins. The system's volume is tried by a restart first; another one begins at once.
///
/// # Errors
/// [`Error::NotNow`] without a recovery password and something that opens the volume every day;
/// [`Error::LeftOver`] if Windows says that the volume is not plain although it is.
pub fn begin(machine: &mut dyn Machine, plan: &Plan) -> Result<Begun> {
    let mut volume = Volume::find(machine, &plan.row.id)?;
    let numbers = volume.numbers();
    match State::of(&numbers) {
        // Windows remembers until the next start that a test failed, whatever was prepared since.
        State::Prepared | State::TestFailed(_) => {}
        State::TestPending => return Ok(Begun::Restart),
        State::Converting { encrypting: true, .. } | State::Protected { .. } => return Ok(Begun::Running),
        _ => return Err(Error::NotNow),
    }
    let protectors = numbers.protectors.unwrap_or_default();
    let recovery = protectors.iter().any(|one| one.kind == ProtectorKind::RecoveryPassword);
    let opens = protectors.iter().any(|one| one.kind.starts());
    if !recovery || !opens {
        return Err(Error::NotNow);
    }
    let ins = [
        ("EncryptionMethod", Value::Number(plan.cipher)),
        ("EncryptionFlags", Value::Number(u32::from(plan.used_space_only))),
    ];
    // A password is asked for by the same start, but the test wants a TPM or a key in a file.
    let tried = plan.kind == VolumeKind::System && plan.unlock != UnlockKind::Password;
    let method = if tried { "EncryptAfterHardwareTest" } else { "Encrypt" };
    match volume.done(method, &ins) {
        Ok(_) if tried => Ok(Begun::Restart),
        Ok(_) => Ok(Begun::Running),
        Err(Error::Refused { code: Code::NOT_DECRYPTED, .. }) => Err(Error::LeftOver),
        Err(error) => Err(error),
    }
}

/// How the test start went. Only a volume for which [`begin`] said so is asked.
///
/// # Errors
/// [`Error::TestFailed`]: Windows has taken all protectors away, so that every key file of before is dead.
pub fn after_restart(machine: &mut dyn Machine, volume: &str) -> Result<Begun> {
    let mut volume = Volume::find(machine, volume)?;
    let numbers = volume.numbers();
    match State::of(&numbers) {
        State::TestPending => Ok(Begun::Restart),
        State::Converting { .. } | State::Protected { .. } | State::Suspended { .. } => Ok(Begun::Running),
        State::TestFailed(code) => Err(Error::TestFailed { code }),
        // Windows forgets the result with the next start. Protectors that are gone say enough.
        State::Off => Err(Error::TestFailed { code: Code::OK }),
        State::Prepared => Err(Error::LeftOver),
        _ => Err(Error::NotNow),
    }
}

/// Waiting, so that tests need not.
pub trait Clock {
    /// Waits about a second.
    fn tick(&mut self);
}

/// The computer's own.
pub struct RealClock;

impl Clock for RealClock {
    fn tick(&mut self) {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
}

/// A volume whose conversion is followed, here or through the process with the rights.
pub trait Watched {
    /// How it stands.
    ///
    /// # Errors
    /// It cannot be asked.
    fn state(&mut self) -> Result<State>;

    /// `PauseConversion` or `ResumeConversion`.
    ///
    /// # Errors
    /// [`Error::Refused`].
    fn pause(&mut self, pause: bool) -> Result<()>;
}

impl Watched for Volume<'_> {
    fn state(&mut self) -> Result<State> {
        Ok(State::of(&self.numbers()))
    }

    fn pause(&mut self, pause: bool) -> Result<()> {
        self.done(if pause { "PauseConversion" } else { "ResumeConversion" }, &[]).map(drop)
    }
}

/// [`follow`] for a volume of this computer.
///
/// # Errors
/// Those of [`follow`].
pub fn watch(
    machine: &mut dyn Machine,
    volume: &str,
    control: &Control,
    clock: &mut dyn Clock,
    sink: &mut dyn Sink,
) -> Result<State> {
    follow(&mut Volume::find(machine, volume)?, control, clock, sink)
}

/// Follows the conversion to its end, encrypting or decrypting. Windows does it, and goes on without us; a
/// pause of the person is a pause of Windows.
///
/// # Errors
/// [`Error::Stopped`] with the conversion paused; [`Error::NotNow`] if there is nothing to follow.
pub fn follow(
    volume: &mut dyn Watched,
    control: &Control,
    clock: &mut dyn Clock,
    sink: &mut dyn Sink,
) -> Result<State> {
    let mut state = volume.state()?;
    let step = match state {
        State::Converting { encrypting: false, .. } => StepId::Decrypt,
        _ => StepId::Encrypt,
    };
    let mut meter = Meter::new(sink, step, WHOLE, Unit::Steps);
    while let State::Converting { encrypting, paused, share } = state {
        let share = u64::from(share.unwrap_or(0)).min(WHOLE);
        // All of it, says the percentage, and the state says: not yet.
        let done = if encrypting { share } else { WHOLE - share }.min(WHOLE - 1);
        match (control.signal(), paused) {
            (Signal::Stop, _) => {
                volume.pause(true)?;
                return Err(Error::Stopped);
            }
            (Signal::Pause, false) => volume.pause(true)?,
            (Signal::Run, true) => volume.pause(false)?,
            _ => {}
        }
        if paused {
            meter.paused(done)
        } else {
            meter.at(done)
        }
        clock.tick();
        state = volume.state()?;
    }
    match state {
        State::Unknown | State::Locked => Err(Error::NotNow),
        state => {
            meter.at(WHOLE);
            Ok(state)
        }
    }
}

/// After the conversion: protection is on, and by whom it was to be.
///
/// # Errors
/// [`Error::StillOpen`], [`Error::NotHardware`].
pub fn finish(machine: &mut dyn Machine, plan: &Plan) -> Result<State> {
    finish_as(machine, &plan.row.id, Some(plan.method))
}

/// [`finish`] without a plan. `method`: by whom it was to be, where somebody wrote that down.
///
/// # Errors
/// [`Error::StillOpen`], [`Error::NotHardware`].
pub fn finish_as(machine: &mut dyn Machine, volume: &str, method: Option<Cipher>) -> Result<State> {
    let mut volume = Volume::find(machine, volume)?;
    if matches!(State::of(&volume.numbers()), State::Suspended { .. }) {
        volume.done("EnableKeyProtectors", &[])?;
    }
    match State::of(&volume.numbers()) {
        State::Protected { cipher: Cipher::Software, .. } if method == Some(Cipher::Hardware) => {
            Err(Error::NotHardware)
        }
        state @ State::Protected { .. } => Ok(state),
        _ => Err(Error::StillOpen),
    }
}

/// Switches suspended protection on again. Only where a recovery password is there and something that opens the
/// volume every day; otherwise [`close`] makes them first.
///
/// # Errors
/// [`Error::NotNow`], [`Error::Refused`], [`Error::StillOpen`].
pub fn protect_again(machine: &mut dyn Machine, volume: &str) -> Result<()> {
    let mut volume = Volume::find(machine, volume)?;
    if !matches!(State::of(&volume.numbers()), State::Suspended { complete: true, .. }) {
        return Err(Error::NotNow);
    }
    volume.done("EnableKeyProtectors", &[])?;
    match State::of(&volume.numbers()) {
        State::Protected { .. } => Ok(()),
        _ => Err(Error::StillOpen),
    }
}

/// Finishes what stands open although it is encrypted: device encryption that waits for a key, and protection
/// that was suspended. Nothing is encrypted anew.
///
/// # Errors
/// Those of the copy and of the calls; [`Error::StillOpen`] if it is still open afterwards.
pub fn close(machine: &mut dyn Machine, volume: &str, copy: &mut Copy<'_>) -> Result<Saved> {
    close_after(machine, volume, |volume| recovery_password(volume, copy))
}

/// [`close`] for whoever wrote the recovery password of [`show_key`] down, and has typed it back.
///
/// # Errors
/// Those of [`keys::compare`] and of the calls; [`Error::StillOpen`] if it is still open afterwards.
pub fn close_typed(machine: &mut dyn Machine, volume: &str, typed: &Sheet) -> Result<()> {
    close_after(machine, volume, |volume| keys::compare(volume, typed))
}

fn close_after<T>(
    machine: &mut dyn Machine,
    volume: &str,
    prove: impl FnOnce(&mut Volume<'_>) -> Result<T>,
) -> Result<T> {
    let has_tpm = matches!(machine.facts().tpm, Some(Some(tpm)) if tpm.ready);
    let mut volume = Volume::find(machine, volume)?;
    let numbers = volume.numbers();
    if !matches!(State::of(&numbers), State::ClearKey | State::Suspended { .. }) {
        return Err(Error::NotNow);
    }
    // Once it is closed, only a protector opens it: the one that a person can keep is first.
    let saved = prove(&mut volume)?;
    let starts = numbers.protectors.iter().flatten().any(|one| one.kind.starts());
    if numbers.kind == Some(VolumeKind::System) && !starts {
        if !has_tpm {
            return Err(Error::NotPossible { condition: "bitlocker-tpm".to_owned() });
        }
        volume.add_tpm(NAME)?;
    }
    volume.done("EnableKeyProtectors", &[])?;
    match State::of(&volume.numbers()) {
        State::Protected { .. } => Ok(saved),
        _ => Err(Error::StillOpen),
    }
}

/// Begins to decrypt. Keys of other volumes that lie on this one are taken away first only if `forget` says so:
/// those volumes then ask for their password again.
///
/// # Errors
/// [`Error::Refused`]; with [`Code::AUTO_UNLOCK`] if there are such keys and `forget` is false.
pub fn decrypt(machine: &mut dyn Machine, volume: &str, forget: bool) -> Result<()> {
    let mut volume = Volume::find(machine, volume)?;
    match volume.done("Decrypt", &[]) {
        Err(Error::Refused { code: Code::AUTO_UNLOCK, .. }) if forget => {
            volume.done("ClearAllAutoUnlockKeys", &[])?;
            volume.done("Decrypt", &[]).map(drop)
        }
        done => done.map(drop),
    }
}

/// The whole way back: decrypt, wait, take our protectors' remains away, put the policy back.
///
/// # Errors
/// Those of [`decrypt`] and [`watch`]; [`Error::NotNow`] if it is not plain in the end.
pub fn undo(
    machine: &mut dyn Machine,
    volume: &str,
    former: Option<&Former>,
    control: &Control,
    clock: &mut dyn Clock,
    sink: &mut dyn Sink,
) -> Result<()> {
    let state = State::of(&Volume::find(machine, volume)?.numbers());
    if !matches!(state, State::Off | State::Prepared | State::TestPending | State::TestFailed(_)) {
        decrypt(machine, volume, true)?;
        watch(machine, volume, control, clock, sink)?;
    }
    clear(machine, volume)?;
    former.map_or(Ok(()), |former| former.put_back(machine))
}

/// Takes the protectors of a volume away of which nothing is encrypted.
///
/// # Errors
/// [`Error::NotNow`] if something is.
pub fn clear(machine: &mut dyn Machine, volume: &str) -> Result<()> {
    let mut own = Volume::find(machine, volume)?;
    let numbers = own.numbers();
    match State::of(&numbers) {
        State::Off => Ok(()),
        State::TestFailed(_) if numbers.protectors.is_none_or(|list| list.is_empty()) => Ok(()),
        State::TestFailed(_) | State::Prepared | State::TestPending => own.done("DeleteKeyProtectors", &[]).map(drop),
        _ => Err(Error::NotNow),
    }
}

fn text(bytes: &[u8]) -> Result<Zeroizing<String>> {
    String::from_utf8(bytes.to_vec()).map(Zeroizing::new).map_err(|_| Error::BadOrder)
}
