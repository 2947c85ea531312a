//! The system's own encryption, BitLocker and FileVault, and the practice Windows in a file.

use std::path::{Path, PathBuf};

use model::{Condition, Describe, Fault, FaultKind, Judged, Method, Reason, Secret, Verdict};
use serde::Serialize;
use texts::keys;
use wizard::native::{self, Ask, Checked, Copies, CopyTo, Ended, Native, Wish};
use wizard::operations::{MethodWish, Space};

use super::check::show_condition;
use crate::args::checked::{Command, Consent, Encrypt, Key, Place, Shown, Source};
use crate::secrets::{self, new_password, with_secret};
use crate::speaker::{Speaker, quoted, somebody_is_there};
use crate::work::{self, Work};

/// Exit code for a volume that is not known to be protected, as `status` has it for others.
const NOT_PROTECTED: u8 = 10;

/// Does the command if it is about a volume that the system encrypts itself. `None`: it is not.
pub fn take(speaker: &mut Speaker, command: &Command) -> Option<Result<u8, Fault>> {
    let target = target_of(command)?;
    let native = of(speaker, target)?;
    Some(native.and_then(|mut native| carry_out(speaker, target, &mut *native, command)))
}

fn target_of(command: &Command) -> Option<&Path> {
    match command {
        Command::Status { targets, .. } if targets.len() == 1 => targets.first().map(PathBuf::as_path),
        Command::Check { target, .. }
        | Command::Resume { target, .. }
        | Command::Undo { target, .. }
        | Command::Pause { target }
        | Command::Decrypt { target, .. }
        | Command::Prove { target, .. }
        | Command::Passwd { target, .. }
        | Command::RecoveryNew { target, .. }
        | Command::RecoveryExport { target, .. } => Some(target),
        Command::Encrypt(asked) => Some(&asked.target),
        Command::RecoveryVerify { target, .. } => target.as_deref(),
        _ => None,
    }
}

/// The system's own encryption of a target.
pub(super) fn of(speaker: &Speaker, target: &Path) -> Option<Result<Box<dyn Native>, Fault>> {
    let text = |key: &'static str| speaker.texts.by_id(key);
    // Where it cannot be told, nothing can be started with more rights either.
    let program = std::env::current_exe().unwrap_or_default();
    native::of(target, &text, &program)
}

fn carry_out(speaker: &mut Speaker, target: &Path, native: &mut dyn Native, command: &Command) -> Result<u8, Fault> {
    match command {
        Command::Status { json, .. } => return status(speaker, target, native, *json),
        Command::Check { json, .. } => return check(speaker, native, *json),
        Command::Encrypt(asked) => encrypt(speaker, native, asked)?,
        Command::Resume { progress, .. } => resume(speaker, target, native, *progress)?,
        Command::Pause { .. } => {
            native.pause()?;
            speaker.say(keys::CLI_PAUSED, &texts::args([("path", &quoted(target))]));
        }
        Command::Decrypt { secret, progress, consent, .. } => {
            work::consent(speaker, *consent, keys::CLI_ASK_DECRYPT)?;
            decrypt(speaker, target, native, secret, *progress)?;
        }
        Command::Undo { consent, .. } => {
            work::consent(speaker, *consent, keys::CLI_ASK_UNDO)?;
            decrypt(speaker, target, native, &Source::Terminal, Shown::Human)?;
        }
        Command::Prove { key: Key::Recovery(source), .. } => prove(speaker, target, native, source)?,
        Command::RecoveryVerify { file, .. } => prove(speaker, target, native, &Source::File(file.clone()))?,
        Command::RecoveryNew { key, place, .. } => new_key(speaker, native, key, place)?,
        Command::RecoveryExport { place, .. } => {
            let copies = native.save_keys(&copy_to(place)?)?;
            return say_copies(speaker, &copies);
        }
        _ => return Err(Fault::new("cli-native-not-here", FaultKind::Refused)),
    }
    Ok(0)
}

#[derive(Serialize)]
struct StatusDocument<'a> {
    version: u32,
    target: String,
    judged: &'a Judged,
    /// Of a million, while it is converted.
    share: Option<u32>,
    what: String,
    next: String,
}

fn status(speaker: &Speaker, target: &Path, native: &mut dyn Native, json: bool) -> Result<u8, Fault> {
    let standing = native.standing()?;
    let sentence = speaker.texts.judged(&standing.judged);
    if json {
        speaker.document(&StatusDocument {
            version: 1,
            target: target.display().to_string(),
            judged: &standing.judged,
            share: standing.share,
            what: sentence.what,
            next: sentence.next,
        });
    } else {
        speaker.line(&format!("{}: {}", speaker.texts.verdict(standing.judged.verdict), sentence.what));
        if let Some(share) = standing.share {
            speaker.say(keys::CLI_NATIVE_SHARE, &texts::args([("percent", &(share / 10_000))]));
        }
        speaker.line(&sentence.next);
    }
    Ok(if standing.judged.verdict == Verdict::Protected { 0 } else { NOT_PROTECTED })
}

#[derive(Serialize)]
struct CheckDocument<'a> {
    version: u32,
    conditions: &'a [Condition],
    reasons: &'a [Reason],
    /// `null`: it cannot be begun.
    method: Option<Method>,
    /// It is encrypted and only has to be closed.
    close: bool,
}

fn check(speaker: &Speaker, native: &mut dyn Native, json: bool) -> Result<u8, Fault> {
    // What would be picked if the person agrees to what it needs.
    let checked = native.check(Wish { consent: true, ..Wish::default() })?;
    let possible = checked.method.is_some() || checked.close;
    if json {
        let Checked { conditions, reasons, method, close, .. } = &checked;
        speaker.document(&CheckDocument { version: 1, conditions, reasons, method: *method, close: *close });
    } else {
        show(speaker, &checked);
    }
    Ok(if possible { 0 } else { FaultKind::Refused.exit_code() })
}

pub(super) fn show(speaker: &Speaker, checked: &Checked) {
    for condition in &checked.conditions {
        show_condition(speaker, condition);
    }
    speaker.line("");
    match checked.method {
        Some(Method::Hardware | Method::Both) => speaker.line(&speaker.texts.plain(keys::CLI_NATIVE_BY_DRIVE)),
        Some(Method::Software) => speaker.line(&speaker.texts.plain(keys::CLI_NATIVE_BY_SYSTEM)),
        None if checked.close => speaker.line(&speaker.texts.plain(keys::CLI_NATIVE_CLOSE)),
        None => speaker.say(keys::CLI_CHECK_REFUSED, &texts::args([])),
    }
    for reason in &checked.reasons {
        speaker.line(&format!("  {}", speaker.texts.reason(reason)));
    }
    if checked.changes_policy {
        speaker.line(&format!("  {}", speaker.texts.plain(keys::CLI_NATIVE_POLICY)));
    }
}

fn encrypt(speaker: &mut Speaker, native: &mut dyn Native, asked: &Encrypt) -> Result<(), Fault> {
    super::convert::data_on_output(speaker, asked.progress);
    let pin = asked.password != Source::Terminal;
    let wish = Wish { method: asked.method, used_space_only: asked.space != Space::All, ..Wish::default() };
    let mut wish = Wish { consent: asked.method == MethodWish::Hardware, ..wish };
    if asked.method == MethodWish::Both {
        return Err(Fault::new("cli-native-not-both", FaultKind::Refused));
    }
    let mut checked = native.check(wish)?;
    let better = native.check(Wish { consent: true, ..wish })?;
    if better.method == Some(Method::Hardware) && checked.method != Some(Method::Hardware) {
        // The drive could do it itself, if a policy of Windows is set: nobody's `--yes` says that.
        for reason in &better.reasons {
            speaker.warn(reason);
        }
        if asked.consent == Consent::Ask && somebody_is_there() && speaker.ask(keys::CLI_NATIVE_ASK_HARDWARE) {
            (wish.consent, checked) = (true, better);
        }
    }
    if checked.asks == Ask::Nothing && pin && checked.method.is_some() {
        wish.pin = true;
        checked = native.check(wish)?;
    }
    for condition in checked.conditions.iter().filter(|one| one.outcome == model::Outcome::Warn) {
        show_condition(speaker, condition);
    }
    work::consent(speaker, asked.consent, keys::CLI_ASK_ENCRYPT)?;
    let copy = copy_to(&asked.place)?;
    let work = Work::on(speaker, &asked.target, asked.progress);
    let mut run = |secret: Option<&Secret>| {
        work.run(|control, sink| native.encrypt(wish, secret, &copy, control, sink))
            .map_err(|fault| stopped(fault, asked))
    };
    let (ended, copies) = match checked.asks {
        // The way back to a refusal is the engine's.
        _ if checked.method.is_none() => run(None)?,
        Ask::Nothing => run(None)?,
        Ask::NewPassword | Ask::NewPin => run(Some(&new_password(speaker, &asked.password)?))?,
        Ask::Login => with_secret(speaker, &asked.password, keys::CLI_NATIVE_ASK_LOGIN, |secret| run(Some(secret)))?,
    };
    say_copies(speaker, &copies)?;
    say_end(speaker, &asked.target, native, ended)
}

fn stopped(fault: Fault, asked: &Encrypt) -> Fault {
    match (fault.kind, fault.code.as_str()) {
        (FaultKind::Stopped, "bitlocker-stopped") => work::stopped(&asked.target),
        _ => fault,
    }
}

fn resume(speaker: &mut Speaker, target: &Path, native: &mut dyn Native, shown: Shown) -> Result<(), Fault> {
    super::convert::data_on_output(speaker, shown);
    let work = Work::on(speaker, target, shown);
    let ended = work.run(|control, sink| native.resume(control, sink))?;
    say_end(speaker, target, native, ended)
}

fn say_end(speaker: &Speaker, target: &Path, native: &mut dyn Native, ended: Ended) -> Result<(), Fault> {
    let args = texts::args([("path", &quoted(target))]);
    if ended == Ended::Restart {
        speaker.say(keys::CLI_NATIVE_RESTART, &args);
        return Ok(());
    }
    // What counts is how it stands now.
    let judged = native.standing()?.judged;
    let args = texts::args([
        ("verdict", &speaker.texts.verdict(judged.verdict)),
        ("reason", &speaker.texts.judged(&judged).what),
    ]);
    speaker.say(keys::CLI_STANDS, &args);
    Ok(())
}

fn decrypt(
    speaker: &mut Speaker,
    target: &Path,
    native: &mut dyn Native,
    source: &Source,
    shown: Shown,
) -> Result<(), Fault> {
    super::convert::data_on_output(speaker, shown);
    let asks = native.decrypt_asks();
    let work = Work::on(speaker, target, shown);
    let mut run = |secret: Option<&Secret>| work.run(|control, sink| native.decrypt(secret, control, sink));
    match asks {
        Ask::Nothing => run(None)?,
        _ => with_secret(speaker, source, keys::CLI_NATIVE_ASK_LOGIN, |secret| run(Some(secret)))?,
    }
    speaker.say(keys::CLI_DECRYPTED, &texts::args([("path", &quoted(target))]));
    Ok(())
}

fn prove(speaker: &Speaker, target: &Path, native: &mut dyn Native, source: &Source) -> Result<(), Fault> {
    let sheet = match source {
        // Windows writes UTF-16, which is no text to whoever reads passwords.
        Source::File(path) => secrets::read_file(path)?,
        _ => zeroize::Zeroizing::new(secrets::text(speaker, source)?.as_bytes().to_vec()),
    };
    native.prove(&sheet)?;
    speaker.say(keys::CLI_NATIVE_KEY_OPENS, &texts::args([("path", &quoted(target))]));
    Ok(())
}

fn new_key(speaker: &Speaker, native: &mut dyn Native, key: &Key, place: &Place) -> Result<(), Fault> {
    let copy = copy_to(place)?;
    let copies = match (native.decrypt_asks(), key) {
        (Ask::Nothing, _) => native.new_key(None, &copy)?,
        (_, Key::Password(source)) => {
            with_secret(speaker, source, keys::CLI_NATIVE_ASK_LOGIN, |secret| native.new_key(Some(secret), &copy))?
        }
        (_, Key::Recovery(_)) => return Err(Fault::new("cli-native-not-here", FaultKind::Refused)),
    };
    say_copies(speaker, &copies).map(drop)
}

fn say_copies(speaker: &Speaker, copies: &Copies) -> Result<u8, Fault> {
    for (id, path) in &copies.saved {
        speaker.say(keys::CLI_RECOVERY_EXPORTED, &texts::args([("path", &quoted(path)), ("key_id", id)]));
    }
    for fault in copies.faults.iter().skip(1) {
        speaker.fault(fault);
    }
    copies.faults.first().map_or(Ok(0), |fault| Err(fault.clone()))
}

/// The whole path: the process with the rights may stand in another folder.
fn copy_to(place: &Place) -> Result<CopyTo, Fault> {
    let folder = place.folder.clone();
    let folder = std::path::absolute(&folder).map_err(|_| recovery::Error::FolderMissing { folder }.fault())?;
    Ok(CopyTo { folder, elsewhere: place.forced })
}
