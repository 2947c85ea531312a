//! The system's own encryption, BitLocker and FileVault, as a page in front of the step. The system does the work and
//! says how far it is; it is asked about once a second. What the journal remembers of it is where to look again.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use model::{Describe, Fault, FaultKind, Method, Reason, Secret, StepId};

use super::Inner;
use super::jobs::{Change, Job, change};
use super::state::State;
use crate::journal::{NativeRecord, make_private_folder};
use crate::native::{
    Ask, By, CopyTo, Native, Practice, Proof, RecoveryPassword, Sheet, Simulated, Stand, Standing, Wish, Worker,
};
use crate::operations::MethodWish;
use crate::view::{
    NativeAction, NativeKey, NativeSeen, NativeState, NativeWish, RecoveryCopy, RecoveryPlace, Step, Typed,
};
use crate::{Error, Result};

/// How far a practice computer gets with each look, of a million: slowly enough to be paused.
const PRACTICE_PACE: u32 = 20_000;
/// The file of a practice computer.
const PRACTICE_FILE: &str = "practice-windows.json";
/// A longer file is no recovery key.
const LONGEST_SHEET: u64 = 1 << 20;

/// A volume that its own system encrypts.
pub(super) struct Driven {
    pub path: PathBuf,
    /// `None`: nobody has opened it in this run, or it does not answer any more.
    worker: Option<Arc<Worker>>,
    seen: Option<NativeSeen>,
    /// To be written down.
    key: Option<Sheet>,
    /// That somebody has the recovery key.
    proof: Option<Proof>,
    pub places: Vec<RecoveryPlace>,
}

/// When it was asked for the last time.
#[derive(Default)]
pub(super) struct LastPolled(Option<Instant>);

/// How often the answer may have changed. A little less than the watch's second, so that none is missed.
const fn every(stand: Stand) -> Duration {
    match stand {
        Stand::Encrypting | Stand::Decrypting | Stand::Restart => Duration::from_millis(900),
        _ => Duration::from_millis(2900),
    }
}

/// What a look came to.
struct Looked {
    seen: NativeSeen,
    /// What came to light about what was begun earlier. It is told once.
    told: Option<Fault>,
}

impl State {
    /// What is shown of it.
    pub fn native_view(&self) -> Option<NativeState> {
        let (driven, record) = (self.native.as_ref()?, self.journal.native.as_ref()?);
        let key = driven.key.as_ref().map(|sheet| NativeKey {
            id: sheet.id.clone(),
            groups: sheet.password.expose().split('-').map(str::to_owned).collect(),
        });
        Some(NativeState {
            name: driven.path.display().to_string(),
            by: record.by,
            practice: record.practice,
            seen: driven.seen.clone(),
            wish: record.wish,
            key,
            proven: driven.proof.is_some(),
            copies: record.copies.clone(),
            places: driven.places.clone(),
        })
    }

    /// Both halves of it: what is gone with this run, and what lasts.
    fn driven(&mut self) -> Option<(&mut Driven, &mut NativeRecord)> {
        self.native.as_mut().zip(self.journal.native.as_mut())
    }

    /// Takes over what a look came to.
    fn looked(&mut self, looked: Looked) {
        let Some((driven, record)) = self.driven() else { return };
        driven.seen = Some(looked.seen);
        let Some(fault) = looked.told else { return };
        if fault.code == "bitlocker-test-failed" {
            // Windows took all keys away: every copy is of one that opens nothing.
            (driven.key, driven.proof) = (None, None);
            record.copies.clear();
            (record.folder, record.made) = (None, false);
        }
        self.fault = Some(fault);
    }
}

impl Inner {
    /// A simulated Windows computer, plain, with its page.
    pub(super) fn practice_native(&self) -> Job {
        Job::new(StepId::Write, |inner, _, _| {
            let file = inner.practice_dir.join(PRACTICE_FILE);
            make_private_folder(&inner.practice_dir).map_err(|error| Error::folder(&inner.practice_dir, error))?;
            // Those of an earlier one.
            let _ = std::fs::remove_file(file.with_extension("notes"));
            let mut computer = Simulated::laptop();
            computer.pace = PRACTICE_PACE;
            Practice::make(&file, computer).map_err(|error| Error::Below(error.fault()))?;
            inner.state().journal.native = None;
            inner.opened(file)
        })
    }

    /// Opens the page on a volume. Where looking takes rights, they are asked for.
    pub(super) fn open_native(&self, path: PathBuf) -> Job {
        Job::new(StepId::Check, move |inner, _, _| inner.opened(path))
    }

    fn opened(&self, path: PathBuf) -> Result<Change> {
        let former = self.state().journal.native.clone().filter(|record| record.path == path);
        let wish = former.as_ref().map(|record| record.wish).unwrap_or_default();
        let worker = self.worker(&path)?;
        let ((by, practice), looked) = on(&worker, wish, |native| Ok((native.by(), native.is_practice())))?;
        let record = former.unwrap_or_else(|| NativeRecord {
            path: path.clone(),
            by,
            practice,
            wish,
            copies: Vec::new(),
            folder: None,
            made: false,
        });
        let places = self.engine().places(&path);
        change(move |_, state| {
            state.native = Some(Driven {
                path,
                worker: Some(worker),
                seen: None,
                key: None,
                proof: proof_of(&record, looked.seen.stand),
                places,
            });
            state.journal.native = Some(record);
            state.looked(looked);
        })
    }

    fn worker(&self, path: &Path) -> Result<Arc<Worker>> {
        let (opener, path) = (Arc::clone(&self.options.native), path.to_owned());
        Ok(Arc::new(Worker::open(move || opener.open(&path))?))
    }

    /// Goes on with the page that was open when the program ended. Nobody is asked for rights before a click.
    pub(super) fn reopen_native(&self) {
        let Some(record) = self.state().journal.native.clone() else { return };
        if record.practice {
            let opened = self.opened(record.path);
            let mut state = self.state();
            match opened {
                Ok(change) => change(self, &mut state),
                Err(error) => {
                    state.journal.native = None;
                    state.fault = Some(error.fault());
                }
            }
            return;
        }
        self.state().native =
            Some(Driven { path: record.path, worker: None, seen: None, key: None, proof: None, places: Vec::new() });
    }

    /// Asks how it stands, about once a second, and does what comes after a restart and a conversion.
    pub(super) fn watch_native(&self, last: &mut LastPolled) {
        let asked = {
            let mut state = self.state();
            let (turn, busy) = (state.turn, state.job.is_some());
            state.driven().filter(|_| !busy).and_then(|(driven, record)| {
                let seen = driven.seen.as_ref()?.clone();
                Some((driven.worker.clone()?, seen, record.wish, turn))
            })
        };
        let Some((worker, before, wish, turn)) = asked else { return };
        if last.0.is_some_and(|at| at.elapsed() < every(before.stand)) {
            return;
        }
        last.0 = Some(Instant::now());
        let former = before.clone();
        let polled = worker.ask(move |native| {
            let told = native.settle().err();
            let Standing { judged, stand, share } = native.standing()?;
            // What can be done about it is asked only where that is something else now.
            let seen = if stand == former.stand { NativeSeen { judged, share, ..former } } else { look(native, wish)? };
            Ok(Looked { seen, told })
        });
        {
            let mut state = self.state();
            let late = state.turn != turn;
            match polled {
                // What was told is told once, whatever has happened meanwhile.
                Ok(looked) if looked.told.is_some() => state.looked(looked),
                Ok(looked) if !late && looked.seen != before => state.looked(looked),
                Ok(_) => return,
                Err(_) if late => return,
                Err(fault) => {
                    if let Some(driven) = &mut state.native {
                        (driven.worker, driven.seen) = (None, None);
                    }
                    state.fault = Some(fault);
                }
            }
        }
        self.save();
        self.publish();
    }

    /// Back to the step. What was prepared and not begun is taken away; what is under way is gone on with at the next
    /// start of the program.
    pub(super) fn leave_native(&self, state: &mut State) -> Option<Job> {
        let (driven, record) = state.driven()?;
        let stand = driven.seen.as_ref().map(|seen| seen.stand);
        let prepared = stand == Some(Stand::Plain) && record.made;
        if let Some(worker) = driven.worker.clone().filter(|_| prepared) {
            return Some(Job::new(StepId::Header, move |_, _, _| {
                worker.ask(|native| native.begin_decrypt(None))?;
                change(|_, state| {
                    (state.native, state.journal.native) = (None, None);
                    state.notice = Some(Reason::new("notice-native-taken-back"));
                })
            }));
        }
        let ends = [Stand::Plain, Stand::Suspended, Stand::Open, Stand::Protected, Stand::Unclear];
        if stand.is_some_and(|stand| ends.contains(&stand)) {
            state.journal.native = None;
        }
        state.native = None;
        state.look_again = state.journal.step == Step::Drives;
        None
    }

    /// What an action on the page does.
    pub(super) fn native(&self, state: &mut State, action: NativeAction) -> Result<Job> {
        let (driven, record) = state.driven().ok_or(Error::NotNow)?;
        let (by, wish, path) = (record.by, record.wish, driven.path.clone());
        if matches!(action, NativeAction::Look) {
            return Ok(self.open_native(path));
        }
        let worker = driven.worker.clone().ok_or(Error::NotNow)?;
        let seen = driven.seen.as_ref().ok_or(Error::NotNow)?;
        let (stand, asks) = (seen.stand, seen.asks);
        let begins = match stand {
            Stand::Plain => seen.method.is_some(),
            stand => stand == Stand::Open,
        };
        let only = |fits: bool| if fits { Ok(()) } else { Err(Error::NotNow) };
        Ok(match action {
            NativeAction::Look => self.open_native(path),
            NativeAction::Wish { wish } => {
                only(stand == Stand::Plain)?;
                Job::new(StepId::Check, move |_, _, _| {
                    let ((), looked) = on(&worker, wish, |_| Ok(()))?;
                    change(move |_, state| {
                        if let Some((_, record)) = state.driven() {
                            record.wish = wish;
                        }
                        state.looked(looked);
                    })
                })
            }
            NativeAction::ShowKey => {
                only(begins && by == By::Bitlocker)?;
                Job::new(StepId::Header, move |inner, _, _| {
                    let key = inner.key(&worker, wish, stand)?;
                    change(move |_, state| {
                        if let Some((driven, _)) = state.driven() {
                            driven.key = Some(key);
                        }
                    })
                })
            }
            NativeAction::SaveKey { folder } => {
                only(by == By::Bitlocker && (begins || stand == Stand::Protected))?;
                let copy = copy_to(&folder)?;
                Job::new(StepId::Write, move |inner, _, _| {
                    if stand != Stand::Protected {
                        inner.key(&worker, wish, stand)?;
                    }
                    let to = copy.clone();
                    let (copies, looked) = on(&worker, wish, move |native| native.save_key(&to))?;
                    copies.faults.into_iter().next().map_or(Ok(()), Err)?;
                    change(move |_, state| state.saved(copy, looked))
                })
            }
            NativeAction::TypeKey { digits } => {
                only(begins)?;
                let shown = driven.key.as_ref().ok_or(Error::NotNow)?;
                let typed = Sheet { id: shown.id.clone(), password: typed(&digits, shown)? };
                Job::new(StepId::Verify, move |_, _, _| {
                    let text = typed.text(&Default::default());
                    let ((), looked) = on(&worker, wish, move |native| native.prove(text.as_bytes()))?;
                    change(move |_, state| {
                        if let Some((driven, record)) = state.driven() {
                            driven.proof = Some(Proof::Typed(typed));
                            driven.key = None;
                            note(record, RecoveryCopy::paper());
                        }
                        state.looked(looked);
                    })
                })
            }
            NativeAction::Begin { secret, repeated, folder } => {
                only(begins)?;
                let secret = secret_for(asks, secret, repeated)?;
                let copy = folder.map(|folder| copy_to(&folder)).transpose()?;
                let proof = copy.as_ref().map(Proof::from).or_else(|| driven.proof.clone());
                only(proof.is_some() || by == By::Apfs)?;
                Job::new(StepId::Header, move |_, _, _| {
                    let (_, looked) =
                        on(&worker, wish, move |native| native.begin(wish.into(), secret.as_ref(), proof.as_ref()))?;
                    change(move |_, state| {
                        match copy {
                            Some(copy) => state.saved(copy, looked),
                            None => state.looked(looked),
                        }
                        if let Some((driven, record)) = state.driven() {
                            (driven.key, record.made) = (None, false);
                        }
                    })
                })
            }
            NativeAction::Restart => {
                only(stand == Stand::Restart)?;
                plainly(worker, wish, |native| native.restart())
            }
            NativeAction::Pause => {
                only(matches!(stand, Stand::Encrypting | Stand::Decrypting))?;
                plainly(worker, wish, |native| native.pause())
            }
            NativeAction::Resume => {
                only(matches!(stand, Stand::Paused | Stand::Suspended))?;
                plainly(worker, wish, |native| native.carry_on().map(drop))
            }
            NativeAction::CheckSheet { file } => Job::new(StepId::Verify, move |_, _, _| {
                let sheet = read(Path::new(&file))?;
                let ((), looked) = on(&worker, wish, move |native| native.prove(&sheet))?;
                change(move |_, state| {
                    state.looked(looked);
                    state.notice = Some(Reason::new("notice-native-key-opens"));
                })
            }),
            NativeAction::NewKey { secret, folder } => {
                only(by == By::Filevault && stand == Stand::Protected)?;
                let copy = copy_to(&folder)?;
                Job::new(StepId::Write, move |_, _, _| {
                    let (secret, to) = (secret.secret(), copy.clone());
                    let (_, looked) = on(&worker, wish, move |native| native.new_key(Some(&secret), &to))?;
                    change(move |_, state| {
                        if let Some((_, record)) = state.driven() {
                            record.copies.clear();
                        }
                        state.saved(copy, looked);
                    })
                })
            }
            NativeAction::TurnOff { secret } => {
                only(!matches!(stand, Stand::Plain | Stand::Unclear | Stand::Decrypting))?;
                let secret = secret.map(|typed| typed.secret());
                Job::new(StepId::Decrypt, move |_, _, _| {
                    let (_, looked) = on(&worker, wish, move |native| native.begin_decrypt(secret.as_ref()))?;
                    change(move |_, state| {
                        if let Some((driven, record)) = state.driven() {
                            (driven.key, driven.proof) = (None, None);
                            record.copies.clear();
                            (record.folder, record.made) = (None, false);
                        }
                        state.looked(looked);
                    })
                })
            }
        })
    }

    /// The recovery key that it will have. That one was made is remembered before anything else can go wrong.
    fn key(&self, worker: &Worker, wish: NativeWish, stand: Stand) -> Result<Sheet> {
        let key = worker.ask(move |native| native.show_key(wish.into()))?;
        if let Some((_, record)) = self.state().driven() {
            record.made |= stand == Stand::Plain;
        }
        Ok(key)
    }
}

impl State {
    /// A copy of the recovery key lies there and was read back.
    fn saved(&mut self, copy: CopyTo, looked: Looked) {
        let protected = looked.seen.stand == Stand::Protected;
        if let Some((driven, record)) = self.driven() {
            note(record, RecoveryCopy::in_folder(&copy.folder, &driven.places));
            record.folder = Some(copy.folder.clone());
            driven.proof = (!protected).then_some(Proof::Copy(copy));
            driven.key = None;
        }
        self.looked(looked);
    }
}

impl From<NativeWish> for Wish {
    fn from(wish: NativeWish) -> Self {
        let NativeWish { pin, used_space_only, hardware } = wish;
        Self { method: MethodWish::Auto, used_space_only, pin, consent: hardware }
    }
}

/// Has it done, settles what came of it, and looks.
fn on<T: Send + 'static>(
    worker: &Worker,
    wish: NativeWish,
    work: impl FnOnce(&mut dyn Native) -> std::result::Result<T, Fault> + Send + 'static,
) -> Result<(T, Looked)> {
    Ok(worker.ask(move |native| {
        let done = work(native)?;
        let told = native.settle().err();
        Ok((done, Looked { seen: look(native, wish)?, told }))
    })?)
}

/// A job of one call that needs nothing.
fn plainly(
    worker: Arc<Worker>,
    wish: NativeWish,
    work: impl FnOnce(&mut dyn Native) -> std::result::Result<(), Fault> + Send + 'static,
) -> Job {
    Job::new(StepId::Check, move |_, _, _| {
        let ((), looked) = on(&worker, wish, work)?;
        change(move |_, state| state.looked(looked))
    })
}

/// How it stands, and what can be begun.
fn look(native: &mut dyn Native, wish: NativeWish) -> std::result::Result<NativeSeen, Fault> {
    let Standing { judged, stand, share } = native.standing()?;
    let mut seen = NativeSeen {
        judged,
        stand,
        share,
        conditions: Vec::new(),
        able: Vec::new(),
        reasons: Vec::new(),
        method: None,
        hardware: false,
        asks: Ask::Nothing,
        asks_off: native.decrypt_asks(),
        can_pause: native.can_pause(),
        can_restart: native.can_restart(),
    };
    if stand == Stand::Plain {
        let checked = native.check(wish.into())?;
        let agreed = native.check(Wish { consent: true, ..wish.into() })?;
        seen.hardware = agreed.method == Some(Method::Hardware);
        (seen.able, seen.conditions) =
            checked.conditions.into_iter().partition(|condition| condition.code.starts_with("bitlocker-edrive-"));
        (seen.reasons, seen.method, seen.asks) = (checked.reasons, checked.method, checked.asks);
    }
    Ok(seen)
}

/// A copy whose folder is known is made good, and read back, once more when it begins.
fn proof_of(record: &NativeRecord, stand: Stand) -> Option<Proof> {
    let folder = record.folder.clone().filter(|_| stand != Stand::Protected)?;
    Some(Proof::Copy(CopyTo { folder, elsewhere: false }))
}

/// Takes note of a copy; the same place twice counts once.
fn note(record: &mut NativeRecord, copy: RecoveryCopy) {
    record.copies.retain(|other| *other != copy);
    record.copies.push(copy);
}

/// By its whole path: whoever has the rights may stand in another folder.
fn copy_to(folder: &str) -> Result<CopyTo> {
    let folder = std::path::absolute(folder).map_err(|error| Error::folder(Path::new(folder), error))?;
    Ok(CopyTo { folder, elsewhere: false })
}

fn secret_for(asks: Ask, typed: Option<Typed>, repeated: Option<Typed>) -> Result<Option<Secret>> {
    let given = |typed: Option<Typed>| typed.filter(|typed| !typed.expose().is_empty());
    if asks == Ask::Nothing {
        return Ok(None);
    }
    let typed = given(typed).ok_or(Error::PasswordNeeded)?;
    let same = given(repeated).is_some_and(|repeated| repeated.expose() == typed.expose());
    if asks != Ask::Login && !same {
        return Err(Error::PasswordDiffers);
    }
    Ok(Some(typed.secret()))
}

/// The digits as they were typed, in whatever groups, if they are those of the key that is shown.
fn typed(typed: &Typed, shown: &Sheet) -> Result<RecoveryPassword> {
    let digits: zeroize::Zeroizing<Vec<u8>> =
        zeroize::Zeroizing::new(typed.expose().bytes().filter(u8::is_ascii_digit).collect());
    let groups: Vec<&str> = digits.chunks(6).filter_map(|group| std::str::from_utf8(group).ok()).collect();
    let own: Vec<&str> = shown.password.expose().split('-').collect();
    let wrong: Vec<usize> = (1..=own.len()).filter(|n| groups.get(n - 1) != own.get(n - 1)).collect();
    if groups.len() == own.len() && !wrong.is_empty() {
        return Err(Error::RecoveryTypedWrong { groups: wrong });
    }
    let text = zeroize::Zeroizing::new(groups.join("-"));
    RecoveryPassword::parse(&text).map_err(|error| Error::Below(error.fault()))
}

fn read(file: &Path) -> Result<zeroize::Zeroizing<Vec<u8>>> {
    let failed = |error| Error::folder(file, error);
    if std::fs::metadata(file).map_err(failed)?.len() > LONGEST_SHEET {
        return Err(Error::Below(Fault::new("native-no-sheet", FaultKind::Usage)));
    }
    std::fs::read(file).map(zeroize::Zeroizing::new).map_err(failed)
}
