//! What the elevated helper does for the window: a short list of typed orders, each argument checked here,
//! where the rights are. The window has none, so nothing that it says is believed.
//!
//! Whoever has the rights already gives the same orders in the same process ([`Here`]).

use std::io::{BufRead, Read, Write};
use std::path::{Component, Path, PathBuf};

use model::{Describe, Fault, Secret};
use recovery::{Medium, SameDrive};
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use crate::flow::{self, Begun, Copy};
use crate::keys::{self, Sheet, SheetWords};
use crate::{
    Cipher, Error, Former, Machine, Plan, ProtectorKind, Result, Row, State, Step, Unlock, UnlockKind, Volume,
    VolumeKind, Wish, check,
};

/// Longer orders are none.
const LONGEST: u64 = 16 << 10;
/// Longer answers are none.
const LONGEST_ANSWER: u64 = 4 << 20;

/// What the window may ask for. Volumes are named by DeviceID or letter.
#[derive(Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// All volumes and how each stands.
    Look {},
    /// Conditions and plan.
    Check {
        /// Which.
        volume: String,
        /// What the person wishes.
        wish: Wish,
    },
    /// The policy that a plan by the drive's own encryption changes, as it is: to be written down first.
    Policy {
        /// Which.
        volume: String,
    },
    /// Protectors and the copy of the recovery password.
    Prepare {
        /// Which.
        volume: String,
        /// The same as for the check, which is made again here.
        wish: Wish,
        /// PIN or password; empty where none is wanted.
        secret: String,
        /// How it is proven that somebody has the recovery password.
        proof: Proof,
    },
    /// The recovery password, made if there is none, for the person to write down.
    ShowKey {
        /// Which.
        volume: String,
        /// As for the check.
        wish: Wish,
    },
    /// One more copy of the recovery password of one volume. An encrypted one that has none gets it.
    SaveKey {
        /// Which.
        volume: String,
        /// Where to.
        copy: CopyTo,
    },
    /// Begin, or order the test start.
    Begin {
        /// Which.
        volume: String,
        /// As for the check.
        wish: Wish,
    },
    /// How the test start went.
    AfterRestart {
        /// Which.
        volume: String,
    },
    /// One look at one volume.
    Progress {
        /// Which.
        volume: String,
    },
    /// Stop for now.
    Pause {
        /// Which.
        volume: String,
    },
    /// Go on.
    Resume {
        /// Which.
        volume: String,
    },
    /// After the conversion: protection is on, and by whom it was to be.
    Finish {
        /// Which.
        volume: String,
        /// By whom it was to be. `None`: nobody wrote that down.
        method: Option<Cipher>,
    },
    /// Protection on again, or device encryption finished.
    Close {
        /// Which.
        volume: String,
        /// How it is proven that somebody has the recovery password.
        proof: Proof,
    },
    /// Protection on again where a recovery password and a way to start are there already.
    Protect {
        /// Which.
        volume: String,
    },
    /// All recovery passwords of all open volumes.
    SaveKeys {
        /// Where to.
        copy: CopyTo,
    },
    /// Whether a sheet still opens the volume.
    Compare {
        /// Which.
        volume: String,
        /// The sheet's text.
        sheet: String,
    },
    /// Begin to decrypt.
    Decrypt {
        /// Which.
        volume: String,
        /// Drives that open by themselves because of this one may ask for their password again.
        forget: bool,
    },
    /// Take away what an encryption left behind that never began, or that was taken back.
    Clear {
        /// Which.
        volume: String,
    },
    /// Put a policy back that [`Answer::Policy`] told of.
    PutBack {
        /// It.
        former: Former,
    },
}

/// Where a copy of a recovery password goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopyTo {
    /// The folder, by its whole path.
    pub folder: PathBuf,
    /// The person says that it is on another drive, where that cannot be seen.
    pub elsewhere: bool,
}

/// How it is proven that somebody has the recovery password, before anything is closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// By a copy, written and read back here. A start-up key goes to the same folder.
    Copy(CopyTo),
    /// By the digits that were typed back from paper.
    Typed(Sheet),
}

impl From<&CopyTo> for Proof {
    fn from(copy: &CopyTo) -> Self {
        Self::Copy(copy.clone())
    }
}

impl From<&Sheet> for Proof {
    fn from(typed: &Sheet) -> Self {
        Self::Typed(typed.clone())
    }
}

impl Drop for Order {
    fn drop(&mut self) {
        if let Self::Prepare { secret, .. } | Self::Compare { sheet: secret, .. } = self {
            secret.zeroize();
        }
    }
}

/// What it answers, one to each order. A recovery password is among it only where a person asks to see it; the
/// others go to the medium.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// Done.
    Done,
    /// A policy.
    Policy {
        /// For undo.
        former: Former,
    },
    /// Volumes.
    Seen {
        /// Each with its verdict.
        volumes: Vec<Standing>,
    },
    /// Conditions.
    Checked {
        /// All of them.
        conditions: Vec<model::Condition>,
        /// Those of the drive's own encryption.
        hardware: Vec<model::Condition>,
        /// Why this method.
        reasons: Vec<model::Reason>,
        /// What can be carried out.
        plan: Option<Plan>,
    },
    /// A recovery password.
    Key {
        /// With the ID of its protector.
        sheet: Sheet,
    },
    /// Copies that were read back.
    Saved {
        /// Protector and file.
        copies: Vec<(String, PathBuf)>,
        /// What could not be saved.
        faults: Vec<Fault>,
    },
    /// Whether the computer has to be restarted.
    Begun {
        /// It has.
        restart: bool,
    },
    /// It was not done.
    Fault {
        /// Why.
        fault: Fault,
    },
}

/// One volume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Which.
    pub row: Row,
    /// How it stands.
    pub state: State,
    /// Its verdict.
    pub judged: model::Judged,
    /// It is encrypted by a drive that is known not to keep its word: software is the way.
    pub leave_hardware: bool,
}

/// Carries out orders: in this process, or in the one with the rights.
pub trait Orders {
    /// One order, and its answer, which is never [`Answer::Fault`].
    ///
    /// # Errors
    /// Why it was not done.
    fn ask(&mut self, order: &Order) -> Result<Answer>;
}

/// Tells whether a folder lies on a volume's drive.
pub type SameDriveAs = Box<dyn Fn(&Path, &str) -> SameDrive>;

/// Carries orders out in this process, which has the rights.
pub struct Here {
    /// The computer.
    pub machine: Box<dyn Machine>,
    /// Where copies go.
    pub medium: Box<dyn Medium>,
    /// Sentences of the copies.
    pub words: SheetWords,
    /// Which folder lies on which drive.
    pub same_drive: SameDriveAs,
}

/// Answers orders, one a line, until the pipe is closed.
///
/// # Errors
/// What the pipe says. An order that is refused is an answer.
pub fn serve(here: &mut dyn Orders, orders: &mut dyn BufRead, answers: &mut dyn Write) -> std::io::Result<()> {
    loop {
        let mut line = Zeroizing::new(Vec::with_capacity(4096));
        let read = orders.take(LONGEST).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(());
        }
        if line.last() != Some(&b'\n') {
            // Too long, or cut off: what follows cannot be told apart.
            return tell(answers, &Answer::Fault { fault: Error::BadOrder.fault() });
        }
        let order = serde_json::from_slice::<Order>(&line).map_err(|_| Error::BadOrder);
        let answer = order.and_then(|order| here.ask(&order));
        tell(answers, &answer.unwrap_or_else(|error| Answer::Fault { fault: error.fault() }))?;
    }
}

fn tell(line: &mut dyn Write, what: &impl Serialize) -> std::io::Result<()> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(4096));
    serde_json::to_writer(&mut *bytes, what)?;
    bytes.push(b'\n');
    line.write_all(&bytes)?;
    line.flush()
}

/// Gives orders over a pipe to the process that has the rights.
pub struct Remote<R: Read, W: Write> {
    orders: W,
    answers: std::io::BufReader<R>,
}

impl<R: Read, W: Write> Remote<R, W> {
    /// Over these two ends of it.
    pub fn new(answers: R, orders: W) -> Self {
        Self { orders, answers: std::io::BufReader::new(answers) }
    }
}

impl<R: Read, W: Write> Orders for Remote<R, W> {
    fn ask(&mut self, order: &Order) -> Result<Answer> {
        let gone = |error: std::io::Error| Error::NoHelper(error.to_string());
        tell(&mut self.orders, order).map_err(gone)?;
        let mut line = Zeroizing::new(Vec::with_capacity(4096));
        (&mut self.answers).take(LONGEST_ANSWER).read_until(b'\n', &mut line).map_err(gone)?;
        if line.last() != Some(&b'\n') {
            return Err(Error::NoHelper("the helper has gone".to_owned()));
        }
        match serde_json::from_slice(&line) {
            Ok(Answer::Fault { fault }) => Err(Error::Told(fault)),
            Ok(answer) => Ok(answer),
            Err(error) => Err(Error::NoHelper(error.to_string())),
        }
    }
}

impl Orders for Here {
    fn ask(&mut self, order: &Order) -> Result<Answer> {
        let machine = &mut *self.machine;
        match order {
            Order::Look {} => self.look(),
            Order::Check { volume, wish } => {
                let checked = check(machine, volume, *wish)?;
                let crate::Checked { conditions, hardware, reasons, plan, .. } = checked;
                Ok(Answer::Checked { conditions, hardware, reasons, plan })
            }
            Order::Policy { volume } => {
                let kind = Volume::find(machine, volume)?.row().kind.unwrap_or(VolumeKind::System);
                Former::of_hardware(machine, kind).map(|former| Answer::Policy { former })
            }
            Order::Prepare { volume, wish, secret, proof } => self.prepare(volume, *wish, secret, proof),
            Order::ShowKey { volume, wish } => {
                let checked = check(machine, volume, *wish)?;
                let plan = match checked.state {
                    State::ClearKey | State::Suspended { .. } => None,
                    _ => Some(checked.plan()?),
                };
                flow::show_key(machine, volume, plan, &mut |_| {}).map(|sheet| Answer::Key { sheet })
            }
            Order::SaveKey { volume, copy } => {
                let same_drive = self.allowed(copy, volume)?;
                let (medium, words) = (&mut *self.medium, &self.words);
                let mut copy = Copy { folder: &copy.folder, same_drive, words, medium };
                let mut own = Volume::find(&mut *self.machine, volume)?;
                let numbers = own.numbers();
                let has = numbers.protectors.iter().flatten().any(|one| one.kind == ProtectorKind::RecoveryPassword);
                if !has && State::of(&numbers).step() == Step::Begin {
                    // A plain volume gets a key only where encryption can begin: `Order::ShowKey`.
                    return Err(Error::NotNow);
                }
                let saved = flow::recovery_password(&mut own, &mut copy)?;
                Ok(Answer::Saved { copies: vec![(saved.id, saved.path)], faults: Vec::new() })
            }
            Order::Begin { volume, wish } => {
                // Once it is ordered there is no plan to be made any more.
                let checked = check(machine, volume, *wish)?;
                let restart = match checked.state {
                    State::TestPending => true,
                    _ => flow::begin(machine, checked.plan()?)? == Begun::Restart,
                };
                Ok(Answer::Begun { restart })
            }
            Order::AfterRestart { volume } => {
                Ok(Answer::Begun { restart: flow::after_restart(machine, volume)? == Begun::Restart })
            }
            Order::Progress { volume } => {
                let row = Volume::find(machine, volume)?.row().clone();
                Ok(Answer::Seen { volumes: vec![self.standing(row)?] })
            }
            Order::Pause { volume } => self.plain(volume, "PauseConversion"),
            Order::Resume { volume } => self.plain(volume, "ResumeConversion"),
            Order::Finish { volume, method } => {
                flow::finish_as(machine, volume, *method)?;
                self.look_at(volume)
            }
            Order::Close { volume, proof: Proof::Typed(typed) } => {
                flow::close_typed(machine, volume, typed).map(|()| NO_COPY)
            }
            Order::Close { volume, proof: Proof::Copy(copy) } => {
                let same_drive = self.allowed(copy, volume)?;
                let (medium, words) = (&mut *self.medium, &self.words);
                let mut copy = Copy { folder: &copy.folder, same_drive, words, medium };
                let saved = flow::close(&mut *self.machine, volume, &mut copy)?;
                Ok(Answer::Saved { copies: vec![(saved.id, saved.path)], faults: Vec::new() })
            }
            Order::Protect { volume } => flow::protect_again(machine, volume).map(|()| Answer::Done),
            Order::SaveKeys { copy } => self.save_keys(copy),
            Order::Compare { volume, sheet } => {
                let sheet = Sheet::read(sheet.as_bytes())?;
                keys::compare(&mut Volume::find(machine, volume)?, &sheet).map(|()| Answer::Done)
            }
            Order::Decrypt { volume, forget } => flow::decrypt(machine, volume, *forget).map(|()| Answer::Done),
            Order::Clear { volume } => flow::clear(machine, volume).map(|()| Answer::Done),
            Order::PutBack { former } => former.put_back(machine).map(|()| Answer::Done),
        }
    }
}

impl Here {
    fn look(&mut self) -> Result<Answer> {
        let rows = self.machine.volumes()?;
        let volumes = rows.into_iter().map(|row| self.standing(row)).collect::<Result<_>>()?;
        Ok(Answer::Seen { volumes })
    }

    fn look_at(&mut self, volume: &str) -> Result<Answer> {
        let row = Volume::find(&mut *self.machine, volume)?.row().clone();
        Ok(Answer::Seen { volumes: vec![self.standing(row)?] })
    }

    fn standing(&mut self, row: Row) -> Result<Standing> {
        let state = State::of(&Volume::find(&mut *self.machine, &row.id)?.numbers());
        let leave_hardware = crate::must_leave_hardware(&state, &self.machine.drive(&row.id));
        Ok(Standing { row, judged: state.judged(), state, leave_hardware })
    }

    fn prepare(&mut self, volume: &str, wish: Wish, secret: &str, proof: &Proof) -> Result<Answer> {
        let plan = check(&mut *self.machine, volume, wish)?.plan()?.clone();
        let unlock = match (plan.unlock, proof) {
            (UnlockKind::Tpm, _) => Unlock::Tpm,
            (UnlockKind::TpmPin, _) => Unlock::TpmPin(Secret::from(secret)),
            (UnlockKind::Password, _) => Unlock::Password(Secret::from(secret)),
            (UnlockKind::StartupKey, Proof::Copy(copy)) => Unlock::StartupKey(copy.folder.clone()),
            // There is no folder for it.
            (UnlockKind::StartupKey, Proof::Typed(_)) => return Err(Error::BadOrder),
        };
        // What the policy was, whoever asks has asked for before: `Order::Policy`.
        let former = &mut |_: &Former| {};
        let copy = match proof {
            Proof::Copy(copy) => copy,
            Proof::Typed(typed) => {
                let (machine, medium) = (&mut *self.machine, &mut *self.medium);
                return flow::prepare_typed(machine, &plan, &unlock, typed, medium, former).map(|()| NO_COPY);
            }
        };
        let same_drive = self.allowed(copy, &plan.row.id)?;
        let mut copy = Copy { folder: &copy.folder, same_drive, words: &self.words, medium: &mut *self.medium };
        let saved = flow::prepare(&mut *self.machine, &plan, &unlock, &mut copy, former)?;
        Ok(Answer::Saved { copies: vec![(saved.id, saved.path)], faults: Vec::new() })
    }

    fn save_keys(&mut self, copy: &CopyTo) -> Result<Answer> {
        let same_drive = &self.same_drive;
        let folder = writable(&copy.folder)?;
        let mut same = |volume: &str| seen_or_said(same_drive(folder, volume), copy.elsewhere);
        let all = keys::save_all(&mut *self.machine, folder, &mut same, &self.words, &mut *self.medium)?;
        let (mut copies, mut faults) = (Vec::new(), Vec::new());
        for (_, saved) in all {
            match saved {
                Ok(saved) => copies.push((saved.id, saved.path)),
                Err(error) => faults.push(error.fault()),
            }
        }
        Ok(Answer::Saved { copies, faults })
    }

    fn plain(&mut self, volume: &str, method: &'static str) -> Result<Answer> {
        Volume::find(&mut *self.machine, volume)?.done(method, &[]).map(|_| Answer::Done)
    }

    fn allowed(&self, copy: &CopyTo, volume: &str) -> Result<SameDrive> {
        let folder = writable(&copy.folder)?;
        Ok(seen_or_said((self.same_drive)(folder, volume), copy.elsewhere))
    }
}

/// It was proven from paper.
const NO_COPY: Answer = Answer::Saved { copies: Vec::new(), faults: Vec::new() };

/// What a person says counts only where nothing was seen.
fn seen_or_said(seen: SameDrive, elsewhere: bool) -> SameDrive {
    if seen == SameDrive::Unknown && elsewhere { SameDrive::No } else { seen }
}

/// A folder that the helper may write to: a whole path on a drive, no device and no other computer.
fn writable(folder: &Path) -> Result<&Path> {
    let shown = folder.to_str().ok_or(Error::BadOrder)?;
    let device = shown.starts_with(r"\\") || shown.starts_with("//") || shown.starts_with("/dev");
    let up = folder.components().any(|part| part == Component::ParentDir);
    if device || up || !folder.is_absolute() { Err(Error::BadOrder) } else { Ok(folder) }
}
