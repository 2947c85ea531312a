//! What the elevated helper does for the window: a short list of typed orders, each argument checked here,
//! where the rights are. The window has none, so nothing that it says is believed.

use std::io::{BufRead, Read, Write};
use std::path::{Component, Path, PathBuf};

use model::{Describe, Fault, Secret};
use recovery::{Medium, SameDrive};
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use crate::flow::{self, Begun, Copy};
use crate::keys::{self, SheetWords};
use crate::{Error, Former, Machine, Plan, Result, Row, State, Step, Unlock, UnlockKind, Volume, Wish, check};

/// Longer orders are none.
const LONGEST: u64 = 16 << 10;

/// What the window may ask for.
#[derive(Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// All volumes and how each stands.
    Look {},
    /// Conditions and plan.
    Check {
        /// DeviceID or letter.
        volume: String,
        /// What the person wishes.
        wish: Wish,
    },
    /// Protectors and the copy of the recovery password.
    Prepare {
        /// DeviceID or letter.
        volume: String,
        /// The same as for the check, which is made again here.
        wish: Wish,
        /// PIN or password; empty where none is wanted.
        secret: String,
        /// Where the copy goes, and the start-up key.
        folder: PathBuf,
    },
    /// Begin, or order the test start.
    Begin {
        /// DeviceID or letter.
        volume: String,
        /// As for the check.
        wish: Wish,
    },
    /// How the test start went.
    AfterRestart {
        /// DeviceID or letter.
        volume: String,
    },
    /// One look at one volume.
    Progress {
        /// DeviceID or letter.
        volume: String,
    },
    /// Stop for now.
    Pause {
        /// DeviceID or letter.
        volume: String,
    },
    /// Go on.
    Resume {
        /// DeviceID or letter.
        volume: String,
    },
    /// Protection on again, or device encryption finished.
    Close {
        /// DeviceID or letter.
        volume: String,
        /// Where the copy of the recovery password goes.
        folder: PathBuf,
    },
    /// All recovery passwords of all open volumes.
    SaveKeys {
        /// Where to.
        folder: PathBuf,
    },
    /// Begin to decrypt.
    Decrypt {
        /// DeviceID or letter.
        volume: String,
    },
    /// Put a policy back that [`Answer::Policy`] told of.
    PutBack {
        /// It.
        former: Former,
    },
}

impl Drop for Order {
    fn drop(&mut self) {
        if let Self::Prepare { secret, .. } = self {
            secret.zeroize();
        }
    }
}

/// What it answers. Recovery passwords are never among it: they go to the medium.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// Done.
    Done,
    /// A policy is about to be changed; this was there. It comes before the answer proper.
    Policy {
        /// For undo.
        former: Former,
    },
    /// All volumes.
    Seen {
        /// Each with its verdict.
        volumes: Vec<Standing>,
    },
    /// Conditions.
    Checked {
        /// All of them, those of the drive's own encryption last.
        conditions: Vec<model::Condition>,
        /// What can be carried out.
        plan: Option<Plan>,
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
#[derive(Debug, Serialize, Deserialize)]
pub struct Standing {
    /// Which.
    pub row: Row,
    /// Its verdict.
    pub judged: model::Judged,
    /// Of a million, while it is converted.
    pub share: Option<u32>,
    /// Whether something is to be begun there.
    pub can_begin: bool,
}

/// Answers orders, one a line, until the pipe is closed.
///
/// # Errors
/// What the pipe says. An order that is refused is an answer.
pub fn serve(
    machine: &mut dyn Machine,
    medium: &mut dyn Medium,
    words: &SheetWords,
    same_drive: &dyn Fn(&Path, &str) -> SameDrive,
    orders: &mut dyn BufRead,
    answers: &mut dyn Write,
) -> std::io::Result<()> {
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
        let mut helper = Helper { machine, medium, words, same_drive, answers };
        let answer = order.and_then(|order| helper.carry_out(&order));
        tell(answers, &answer.unwrap_or_else(|error| Answer::Fault { fault: error.fault() }))?;
    }
}

fn tell(answers: &mut dyn Write, answer: &Answer) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    answers.write_all(&line)?;
    answers.flush()
}

struct Helper<'a> {
    machine: &'a mut dyn Machine,
    medium: &'a mut dyn Medium,
    words: &'a SheetWords,
    same_drive: &'a dyn Fn(&Path, &str) -> SameDrive,
    answers: &'a mut dyn Write,
}

impl Helper<'_> {
    fn carry_out(&mut self, order: &Order) -> Result<Answer> {
        match order {
            Order::Look {} => self.look(),
            Order::Check { volume, wish } => {
                let mut checked = check(self.machine, volume, *wish)?;
                checked.conditions.append(&mut checked.hardware);
                Ok(Answer::Checked { conditions: checked.conditions, plan: checked.plan })
            }
            Order::Prepare { volume, wish, secret, folder } => self.prepare(volume, *wish, secret, folder),
            Order::Begin { volume, wish } => {
                let plan = check(self.machine, volume, *wish)?.plan()?.clone();
                let restart = flow::begin(self.machine, &plan)? == Begun::Restart;
                Ok(Answer::Begun { restart })
            }
            Order::AfterRestart { volume } => {
                Ok(Answer::Begun { restart: flow::after_restart(self.machine, volume)? == Begun::Restart })
            }
            Order::Progress { volume } => {
                let row = Volume::find(self.machine, volume)?.row().clone();
                Ok(Answer::Seen { volumes: vec![self.standing(row)?] })
            }
            Order::Pause { volume } => self.plain(volume, "PauseConversion"),
            Order::Resume { volume } => self.plain(volume, "ResumeConversion"),
            Order::Close { volume, folder } => {
                let folder = allowed(folder)?;
                let (medium, words) = (&mut *self.medium, self.words);
                let mut copy = Copy { folder, same_drive: (self.same_drive)(folder, volume), words, medium };
                let saved = flow::close(self.machine, volume, &mut copy)?;
                Ok(Answer::Saved { copies: vec![(saved.id, saved.path)], faults: Vec::new() })
            }
            Order::SaveKeys { folder } => self.save_keys(allowed(folder)?),
            Order::Decrypt { volume } => flow::decrypt(self.machine, volume, false).map(|()| Answer::Done),
            Order::PutBack { former } => {
                let known = ["OSHardwareEncryption", "FDVHardwareEncryption", "RDVHardwareEncryption"];
                if !known.contains(&former.name.as_str()) || former.value.is_some_and(|value| value > 1) {
                    return Err(Error::BadOrder);
                }
                former.put_back(self.machine).map(|()| Answer::Done)
            }
        }
    }

    fn look(&mut self) -> Result<Answer> {
        let rows = self.machine.volumes()?;
        let volumes = rows.into_iter().map(|row| self.standing(row)).collect::<Result<_>>()?;
        Ok(Answer::Seen { volumes })
    }

    fn standing(&mut self, row: Row) -> Result<Standing> {
        let state = State::of(&Volume::find(self.machine, &row.id)?.numbers());
        let share = if let State::Converting { share, .. } = state { share } else { None };
        Ok(Standing { row, judged: state.judged(), share, can_begin: state.step() == Step::Begin })
    }

    fn prepare(&mut self, volume: &str, wish: Wish, secret: &str, folder: &Path) -> Result<Answer> {
        let folder = allowed(folder)?;
        let plan = check(self.machine, volume, wish)?.plan()?.clone();
        let unlock = match plan.unlock {
            UnlockKind::Tpm => Unlock::Tpm,
            UnlockKind::TpmPin => Unlock::TpmPin(Secret::from(secret)),
            UnlockKind::Password => Unlock::Password(Secret::from(secret)),
            UnlockKind::StartupKey => Unlock::StartupKey(folder.to_owned()),
        };
        let same_drive = (self.same_drive)(folder, &plan.row.id);
        let mut copy = Copy { folder, same_drive, words: self.words, medium: &mut *self.medium };
        let answers = &mut *self.answers;
        let mut told = Ok(());
        let mut former = |former: &Former| told = tell(answers, &Answer::Policy { former: former.clone() });
        let saved = flow::prepare(self.machine, &plan, &unlock, &mut copy, &mut former)?;
        told.map_err(|error| Error::NoHelper(error.to_string()))?;
        Ok(Answer::Saved { copies: vec![(saved.id, saved.path)], faults: Vec::new() })
    }

    fn save_keys(&mut self, folder: &Path) -> Result<Answer> {
        let mut same = |volume: &str| (self.same_drive)(folder, volume);
        let all = keys::save_all(self.machine, folder, &mut same, self.words, self.medium)?;
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
        Volume::find(self.machine, volume)?.done(method, &[]).map(|_| Answer::Done)
    }
}

/// A folder that the helper may write to: a whole path on a drive, no device and no other computer.
fn allowed(folder: &Path) -> Result<&Path> {
    let shown = folder.to_str().ok_or(Error::BadOrder)?;
    let device = shown.starts_with(r"\\") || shown.starts_with("//") || shown.starts_with("/dev");
    let up = folder.components().any(|part| part == Component::ParentDir);
    if device || up || !folder.is_absolute() { Err(Error::BadOrder) } else { Ok(folder) }
}
