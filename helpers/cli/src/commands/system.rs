//! The running system, `/`: the way over a test start, instead of the one for volumes that are not in use.

use std::path::Path;

use boot::start::{Outcome, Person};
use boot::verbs::{self, Phase, Undone};
use model::{Condition, Describe, Fault, FaultKind, Outcome as Judged, Progress, VolumeId};
use recovery::RecoveryKey;
use serde::Serialize;
use service::{Direct, Remote, System as Verbs, Wish};
use texts::{Texts, keys};

use crate::args::checked::{Command, Encrypt, Source};
use crate::args::raw::System;
use crate::secrets::{new_password, with_secret};
use crate::speaker::Speaker;
use crate::{sheet, stop, work};

/// Does the command if it is about the running system. `None`: it is not.
pub fn take(speaker: &mut Speaker, command: &Command) -> Option<Result<u8, Fault>> {
    let root = Path::new("/");
    let done = match command {
        Command::System(System::Start) => Ok(start(speaker)),
        Command::System(System::Run) => serve(speaker).map(|()| 0),
        Command::Encrypt(asked) if asked.target == root => encrypt(speaker, asked).map(|()| 0),
        Command::Check { json, target } if target == root => check(speaker, *json),
        Command::Status { json, targets } if *targets == [root] => status(speaker, *json),
        Command::Resume { target, secret, .. } if target == root => resume(speaker, secret).map(|()| 0),
        Command::Pause { target } if target == root => pause(speaker).map(|()| 0),
        Command::Decrypt { target, secret, consent, .. } if target == root => {
            work::consent(speaker, *consent, keys::CLI_ASK_DECRYPT).and_then(|()| decrypt(speaker, secret)).map(|()| 0)
        }
        Command::Undo { target, consent } if target == root => {
            work::consent(speaker, *consent, keys::CLI_ASK_UNDO).and_then(|()| undo(speaker)).map(|()| 0)
        }
        _ => return None,
    };
    Some(done)
}

/// The refusal elsewhere.
pub fn not_here() -> Fault {
    Fault::new("cli-system-not-here", FaultKind::Refused)
}

fn encrypt(speaker: &mut Speaker, asked: &Encrypt) -> Result<(), Fault> {
    super::convert::data_on_output(speaker, asked.progress);
    let system = means()?;
    let id = system.id()?;
    let conditions = system.check(&id)?;
    for condition in conditions.iter().filter(|condition| condition.outcome == Judged::Warn) {
        speaker.warn(&condition.reason);
    }
    boot::preflight::refuse(&conditions).map_err(|error| error.fault())?;
    let device = node(&id);
    sheet::refuse_place(&device, &asked.place)?;
    work::consent(speaker, asked.consent, keys::CLI_SYSTEM_ASK)?;
    let password = new_password(speaker, &asked.password)?;
    let wish = Wish { password, key: RecoveryKey::generate().map_err(|error| error.fault())?, kdf: asked.kdf };
    let mut exported = None;
    let work = work::Work::on(speaker, &device, asked.progress);
    let staged = work.run(|_, sink| {
        let mut export = |uuid: &str, trial: &mut dyn service::Trial| {
            let mut prove = |secret: &model::Secret| trial.opens(secret);
            let copy = sheet::export(speaker, &device, uuid, &wish.key, &asked.place, &mut prove)?;
            exported = Some((copy, uuid.to_owned()));
            Ok(())
        };
        system.stage(&id, &wish, &mut export, sink)
    });
    if let Err(fault) = staged {
        // A copy of a key that opens nothing.
        if let Some((copy, _)) = exported.as_ref().filter(|(copy, _)| !copy.was_there) {
            let _ = std::fs::remove_file(&copy.path);
        }
        return Err(fault);
    }
    if let Some((exported, uuid)) = &exported {
        sheet::say_exported(speaker, &device, uuid, exported);
    }
    let two = matches!(system.status(&id)?.phase, Phase::RoomStaged);
    speaker.line(&speaker.texts.plain(if two { keys::CLI_SYSTEM_ROOM_STAGED } else { keys::CLI_SYSTEM_STAGED }));
    Ok(())
}

#[derive(Serialize)]
struct CheckDocument<'a> {
    version: u32,
    conditions: &'a [Condition],
}

fn check(speaker: &Speaker, json: bool) -> Result<u8, Fault> {
    let system = means()?;
    let conditions = system.check(&system.id()?)?;
    if json {
        speaker.document(&CheckDocument { version: 1, conditions: &conditions });
    } else {
        for condition in &conditions {
            let sentence = speaker.texts.condition(condition);
            let outcome = speaker.texts.outcome(condition.outcome);
            speaker.line(&format!("{outcome}: {} {}", sentence.what, sentence.next));
        }
    }
    let refused = boot::preflight::refuse(&conditions).is_err();
    Ok(if refused { FaultKind::Refused.exit_code() } else { 0 })
}

#[derive(Serialize)]
struct StatusDocument {
    version: u32,
    #[serde(flatten)]
    status: verbs::Status,
    what: String,
    happened: Option<String>,
}

/// Exit code for a drive that is not known to be protected, as `status` has it for others.
const NOT_PROTECTED: u8 = 10;

fn status(speaker: &Speaker, json: bool) -> Result<u8, Fault> {
    let system = means()?;
    let status = system.status(&system.id()?)?;
    let what = phase(&speaker.texts, &status.phase);
    let happened = status.last_start.as_ref().and_then(|last| happened(&speaker.texts, last.outcome));
    let code = if status.phase == Phase::Proven { 0 } else { NOT_PROTECTED };
    if json {
        speaker.document(&StatusDocument { version: 1, status, what, happened });
        return Ok(code);
    }
    speaker.line(&what);
    if let Some(happened) = happened {
        speaker.line(&happened);
    }
    if let Some(fault) = status.last_start.and_then(|last| last.fault) {
        speaker.fault(&fault);
    }
    Ok(code)
}

fn phase(texts: &Texts, phase: &Phase) -> String {
    match phase {
        Phase::Untouched => texts.plain(keys::CLI_SYSTEM_UNTOUCHED),
        Phase::RoomStaged => texts.plain(keys::CLI_SYSTEM_PHASE_ROOM_STAGED),
        Phase::RoomMade => texts.plain(keys::CLI_SYSTEM_PHASE_ROOM_MADE),
        Phase::Staged => texts.plain(keys::CLI_SYSTEM_PHASE_STAGED),
        Phase::Placed => texts.plain(keys::CLI_SYSTEM_PHASE_PLACED),
        Phase::Encrypting { done, total, running } => {
            let args = texts::args([("done_size", done as &dyn ToString), ("size", total)]);
            let key = if *running { keys::CLI_SYSTEM_PHASE_ENCRYPTING } else { keys::CLI_SYSTEM_PHASE_STOPPED };
            texts.say(key, &args)
        }
        Phase::Ending => texts.plain(keys::CLI_SYSTEM_PHASE_ENDING),
        Phase::ToBeProven => texts.plain(keys::CLI_SYSTEM_PHASE_TO_BE_PROVEN),
        Phase::Proven => texts.plain(keys::CLI_SYSTEM_PHASE_PROVEN),
        Phase::ToBeDecrypted => texts.plain(keys::CLI_SYSTEM_DECRYPT_STAGED),
        Phase::Decrypted => texts.plain(keys::CLI_SYSTEM_PHASE_DECRYPTED),
    }
}

fn happened(texts: &Texts, outcome: Outcome) -> Option<String> {
    let key = match outcome {
        Outcome::Plain | Outcome::Finished => return None,
        Outcome::Passed | Outcome::Opened => keys::CLI_SYSTEM_START_PASSED,
        Outcome::WrongPassword => keys::CLI_SYSTEM_START_WRONG_PASSWORD,
        Outcome::NothingTyped => keys::CLI_SYSTEM_START_NOTHING_TYPED,
        Outcome::TakenBack => keys::CLI_SYSTEM_START_TAKEN_BACK,
        Outcome::Failed => keys::CLI_SYSTEM_START_FAILED,
        Outcome::RoomMade => keys::CLI_SYSTEM_START_ROOM_MADE,
        Outcome::Decrypted => keys::CLI_SYSTEM_START_DECRYPTED,
    };
    Some(texts.plain(key))
}

fn resume(speaker: &mut Speaker, source: &Source) -> Result<(), Fault> {
    let system = means()?;
    let id = system.id()?;
    // The password of this start is still there, unless somebody gives one.
    let done = match source {
        Source::Terminal => system.resume(&id, None),
        _ => Err(boot::Error::PasswordNeeded.fault()),
    };
    match done {
        Err(fault) if fault.code == boot::Error::PasswordNeeded.fault().code => {
            with_secret(speaker, source, keys::CLI_ASK_PASSWORD, |secret| system.resume(&id, Some(secret)))?;
        }
        done => done?,
    }
    speaker.line(&speaker.texts.plain(keys::CLI_SYSTEM_RESUMED));
    Ok(())
}

fn pause(speaker: &Speaker) -> Result<(), Fault> {
    let system = means()?;
    system.pause(&system.id()?)?;
    speaker.line(&speaker.texts.plain(keys::CLI_SYSTEM_PAUSED));
    Ok(())
}

fn decrypt(speaker: &mut Speaker, source: &Source) -> Result<(), Fault> {
    let system = means()?;
    let id = system.id()?;
    with_secret(speaker, source, keys::CLI_ASK_PASSWORD, |secret| system.decrypt(&id, secret))?;
    speaker.line(&speaker.texts.plain(keys::CLI_SYSTEM_DECRYPT_STAGED));
    Ok(())
}

fn undo(speaker: &Speaker) -> Result<(), Fault> {
    let system = means()?;
    let key = match system.undo(&system.id()?)? {
        Undone::Now => keys::CLI_SYSTEM_UNDONE,
        Undone::AtNextStart => keys::CLI_SYSTEM_UNDONE_NEXT,
    };
    speaker.line(&speaker.texts.plain(key));
    Ok(())
}

/// We ourselves as root, the service otherwise. Where there is no service, we ourselves say what is missing.
fn means() -> Result<Box<dyn Verbs>, Fault> {
    if !rustix::process::geteuid().is_root()
        && let Ok(remote) = Remote::connect()
    {
        return Ok(Box::new(remote));
    }
    Ok(Box::new(Direct::with_this_program()?))
}

fn node(id: &VolumeId) -> std::path::PathBuf {
    let named = Path::new("/dev/disk/by-partuuid").join(&id.0);
    named.canonicalize().unwrap_or(named)
}

/// In the initramfs. It never stands in the way of the start: its exit code says nothing.
fn start(speaker: &Speaker) -> u8 {
    if let Some(last) = boot::start::run(&mut AtTheConsole(&speaker.texts)) {
        if let Some(happened) = happened(&speaker.texts, last.outcome).filter(|_| last.outcome != Outcome::Passed) {
            eprintln!("{happened}");
        }
        if let Some(fault) = &last.fault {
            speaker.fault(fault);
        }
    }
    0
}

struct AtTheConsole<'a>(&'a Texts);

impl Person for AtTheConsole<'_> {
    fn prompt(&self, mapping: &str) -> String {
        format!("{} ", self.0.say(keys::CLI_SYSTEM_PROMPT, &texts::args([("name", &mapping as &dyn ToString)])))
    }

    fn wrong(&mut self) {
        eprintln!("{}", self.0.plain(keys::CLI_SYSTEM_WRONG));
    }

    fn working(&mut self) {
        eprintln!("{}", self.0.plain(keys::CLI_SYSTEM_WORKING));
    }

    fn making_room(&mut self) {
        eprintln!("{}", self.0.plain(keys::CLI_SYSTEM_MAKING_ROOM));
    }

    fn decrypting(&mut self, percent: u64) {
        eprintln!("{}", self.0.say(keys::CLI_SYSTEM_DECRYPTING, &texts::args([("percent", &percent)])));
    }
}

/// The service. Progress goes to a file that everybody may read.
fn serve(speaker: &Speaker) -> Result<(), Fault> {
    let control = stop::control();
    let path = Path::new(verbs::PROGRESS);
    let mut sink = |progress: &Progress| {
        if let Ok(line) = serde_json::to_vec(progress) {
            let _ = boot::files::replace(path, &line, 0o644);
        }
    };
    let hold_up = || service::Inhibited::now(&speaker.texts.plain(keys::SERVICE_WHY_ENDING));
    let served = verbs::serve(&control, &mut sink, hold_up).map_err(|error| error.fault());
    let _ = std::fs::remove_file(path);
    served
}
