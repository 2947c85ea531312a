use std::path::{Path, PathBuf};

use bitlocker::client::{Client, Copies, Ended, Notebook};
use bitlocker::flow::RealClock;
use bitlocker::keys::{Sheet, SheetWords};
use bitlocker::service::{CopyTo, Here, Proof};
use bitlocker::{Cipher, Error, Practice, State, Step, UnlockKind};
use model::{Control, Describe, Fault, Method, Reason, Secret, Sink};
use recovery::SameDrive;

use super::{Ask, By, Checked, Native, Next, Stand, Standing, Wish};
use crate::operations::MethodWish;

/// BitLocker on one volume.
pub struct BitLocker {
    client: Client,
    practice: Option<(PathBuf, SheetWords)>,
}

impl BitLocker {
    /// The system's volume of a practice computer.
    ///
    /// # Errors
    /// `bitlocker-practice-file`.
    pub fn practice(file: &Path, text: &dyn Fn(&'static str) -> String) -> Result<Self, Fault> {
        let words = SheetWords::look_up(text);
        let client = practice(file, &words)?;
        Ok(Self { client, practice: Some((file.to_owned(), words)) })
    }

    /// A volume of this computer.
    ///
    /// # Errors
    /// Those of [`bitlocker::helper::orders`].
    #[cfg(windows)]
    pub fn real(volume: &str, text: &dyn Fn(&'static str) -> String, program: &Path) -> Result<Self, Fault> {
        let orders = bitlocker::helper::orders(program, SheetWords::look_up(text)).map_err(|error| error.fault())?;
        // Names of files, without what Windows does not allow in them.
        let name: String = volume.chars().filter(char::is_ascii_alphanumeric).collect();
        let folder = std::env::var_os("LOCALAPPDATA").map_or_else(std::env::temp_dir, PathBuf::from).join("Latchkey");
        let made = std::fs::create_dir_all(&folder).map_err(|error| Error::Notes(error.to_string()));
        made.map_err(|error| error.fault())?;
        let notebook = Notebook::new(folder.join(format!("bitlocker-{name}.json")));
        Ok(Self { client: Client::new(orders, volume, notebook), practice: None })
    }
}

const fn stand(state: &State) -> Stand {
    match state {
        State::Unknown | State::Locked => Stand::Unclear,
        State::Off | State::Prepared | State::TestFailed(_) => Stand::Plain,
        State::TestPending => Stand::Restart,
        State::Converting { paused: true, .. } => Stand::Paused,
        State::Converting { encrypting: true, .. } => Stand::Encrypting,
        State::Converting { .. } => Stand::Decrypting,
        State::Suspended { complete: true, .. } => Stand::Suspended,
        State::Suspended { .. } | State::ClearKey => Stand::Open,
        State::Protected { .. } => Stand::Protected,
    }
}

/// Asks Windows for a restart, which lets each program save what is open.
#[cfg(windows)]
fn restart_computer() -> Result<(), Fault> {
    let refused = || Fault::new("native-restart", model::FaultKind::Refused);
    let windows = std::env::var_os("SystemRoot").ok_or_else(refused)?;
    let program = Path::new(&windows).join("System32").join("shutdown.exe");
    let ended = std::process::Command::new(program).args(["/r", "/t", "0"]).status();
    if ended.is_ok_and(|status| status.success()) { Ok(()) } else { Err(refused()) }
}

#[cfg(not(windows))]
fn restart_computer() -> Result<(), Fault> {
    Err(Fault::new("native-restart", model::FaultKind::Refused))
}

fn practice(file: &Path, words: &SheetWords) -> Result<Client, Fault> {
    let machine = Practice::open(file).map_err(|error| error.fault())?;
    let here = Here {
        machine: Box::new(machine),
        medium: Box::new(recovery::System),
        words: words.clone(),
        // No folder lies on a computer that is none.
        same_drive: Box::new(|_, _| SameDrive::No),
    };
    Ok(Client::new(Box::new(here), "C:", Notebook::new(file.with_extension("notes"))))
}

/// `C:`, `C:\` and `\\?\Volume{…}\`, as BitLocker names them.
#[cfg(any(windows, test))]
pub(super) fn volume_of(target: &Path) -> Option<String> {
    let text = target.to_str()?;
    if text.starts_with(r"\\?\Volume{") {
        return Some(format!("{}\\", text.trim_end_matches('\\')));
    }
    let letter = text.strip_prefix(r"\\.\").unwrap_or(text).trim_end_matches('\\');
    let is_letter = matches!(letter.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic());
    is_letter.then(|| letter.to_ascii_uppercase())
}

impl From<Wish> for bitlocker::Wish {
    fn from(wish: Wish) -> Self {
        let method = match wish.method {
            MethodWish::Software => Some(Cipher::Software),
            // BitLocker is one of the two and never both.
            MethodWish::Hardware | MethodWish::Both => Some(Cipher::Hardware),
            MethodWish::Auto => None,
        };
        let Wish { used_space_only, consent, .. } = wish;
        Self { method, unlock: wish.pin.then_some(UnlockKind::TpmPin), used_space_only, consent }
    }
}

impl Native for BitLocker {
    fn by(&self) -> By {
        By::Bitlocker
    }

    fn is_practice(&self) -> bool {
        self.practice.is_some()
    }

    fn standing(&mut self) -> Result<Standing, Fault> {
        let standing = self.client.standing().map_err(|error| error.fault())?;
        let share = if let State::Converting { share, .. } = standing.state { share } else { None };
        let stand = stand(&standing.state);
        let mut judged = standing.judged;
        if standing.leave_hardware {
            (judged.reason, judged.next) =
                (Reason::new("bitlocker-leave-hardware"), "bitlocker-to-software".to_owned());
            judged.verdict = model::Verdict::NotProtected;
        }
        Ok(Standing { judged, stand, share })
    }

    fn check(&mut self, wish: Wish) -> Result<Checked, Fault> {
        let standing = self.client.standing().map_err(|error| error.fault())?;
        let checked = self.client.check(wish.into()).map_err(|error| error.fault())?;
        let mut conditions = checked.conditions;
        conditions.extend(checked.hardware);
        let method = checked.plan.as_ref().map(|plan| match plan.method {
            Cipher::Software => Method::Software,
            Cipher::Hardware => Method::Hardware,
        });
        let asks = match checked.plan.as_ref().map(|plan| plan.unlock) {
            Some(UnlockKind::Password) => Ask::NewPassword,
            Some(UnlockKind::TpmPin) => Ask::NewPin,
            _ => Ask::Nothing,
        };
        let close = matches!(standing.state.step(), Step::Activate | Step::ResumeProtection);
        let changes_policy = method == Some(Method::Hardware);
        Ok(Checked { conditions, reasons: checked.reasons, method, close, changes_policy, asks })
    }

    fn show_key(&mut self, wish: Wish) -> Result<Sheet, Fault> {
        self.client.show_key(wish.into()).map_err(|error| error.fault())
    }

    fn begin(&mut self, wish: Wish, secret: Option<&Secret>, proof: Option<&Proof>) -> Result<(Next, Copies), Fault> {
        let mut work = || {
            let proof = proof.ok_or(Error::NotNow)?.clone();
            let standing = self.client.standing()?;
            if matches!(standing.state.step(), Step::Activate | Step::ResumeProtection) {
                return self.client.close(proof).map(|copies| (Next::Done, copies));
            }
            let wish = wish.into();
            let checked = self.client.check(wish)?;
            let failed = checked.conditions.iter().chain(&checked.hardware);
            let failed = failed.filter(|one| one.outcome == model::Outcome::Fail).map(|one| one.code.clone()).next();
            let plan = checked.plan.ok_or_else(|| match failed {
                Some(condition) if standing.state.step() == Step::Begin => Error::NotPossible { condition },
                _ => Error::NotNow,
            })?;
            let copies = self.client.prepare(wish, &plan, secret, proof)?;
            let next = match self.client.begin(wish)? {
                Ended::Restart => Next::Restart,
                Ended::Done => Next::Runs,
            };
            Ok((next, copies))
        };
        work().map_err(|error: Error| error.fault())
    }

    fn carry_on(&mut self) -> Result<Next, Fault> {
        let mut work = || match self.client.carry_on()? {
            Ended::Restart => Ok(Next::Restart),
            Ended::Done if matches!(self.client.standing()?.state, State::Converting { .. }) => Ok(Next::Runs),
            Ended::Done => self.client.settle().map(|()| Next::Done),
        };
        work().map_err(|error: Error| error.fault())
    }

    fn settle(&mut self) -> Result<(), Fault> {
        self.client.settle().map_err(|error| error.fault())
    }

    fn follow(&mut self, control: &Control, sink: &mut dyn Sink) -> Result<Ended, Fault> {
        self.client.follow(control, &mut RealClock, sink).map_err(|error| error.fault())
    }

    fn resume(&mut self, control: &Control, sink: &mut dyn Sink) -> Result<Ended, Fault> {
        let mut ended = self.client.go_on(control, &mut RealClock, sink).map_err(|error| error.fault())?;
        if ended == Ended::Restart && self.is_practice() {
            self.restart()?;
            ended = self.client.go_on(control, &mut RealClock, sink).map_err(|error| error.fault())?;
        }
        Ok(ended)
    }

    fn pause(&mut self) -> Result<(), Fault> {
        self.client.stop().map_err(|error| error.fault())
    }

    fn can_pause(&self) -> bool {
        true
    }

    fn restart(&mut self) -> Result<(), Fault> {
        match &self.practice {
            Some((file, words)) => {
                Practice::open(file).and_then(|mut machine| machine.restart()).map_err(|error| error.fault())?;
                self.client = practice(file, words)?;
                Ok(())
            }
            None => restart_computer(),
        }
    }

    fn can_restart(&self) -> bool {
        self.is_practice() || cfg!(windows)
    }

    fn decrypt_asks(&self) -> Ask {
        Ask::Nothing
    }

    fn begin_decrypt(&mut self, _: Option<&Secret>) -> Result<Next, Fault> {
        let runs = self.client.begin_undo(false).map_err(|error| error.fault())?;
        Ok(if runs { Next::Runs } else { Next::Done })
    }

    fn decrypt(&mut self, _: Option<&Secret>, control: &Control, sink: &mut dyn Sink) -> Result<(), Fault> {
        self.client.undo(false, control, &mut RealClock, sink).map_err(|error| error.fault())
    }

    fn prove(&mut self, sheet: &[u8]) -> Result<(), Fault> {
        self.client.compare(sheet).map_err(|error| error.fault())
    }

    fn new_key(&mut self, _: Option<&Secret>, copy: &CopyTo) -> Result<Copies, Fault> {
        // Windows shows the one that there is as often as it is asked.
        self.save_keys(copy)
    }

    fn save_key(&mut self, copy: &CopyTo) -> Result<Copies, Fault> {
        self.client.save_key(copy).map_err(|error| error.fault())
    }

    fn save_keys(&mut self, copy: &CopyTo) -> Result<Copies, Fault> {
        self.client.save_keys(copy).map_err(|error| error.fault())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_volumes() {
        for (text, volume) in [
            ("c:", Some("C:")),
            (r"C:\", Some("C:")),
            (r"\\.\D:", Some("D:")),
            (r"\\?\Volume{1}\", Some(r"\\?\Volume{1}\")),
            (r"\\?\Volume{1}", Some(r"\\?\Volume{1}\")),
            (r"C:\drive.img", None),
            ("drive.img", None),
            (r"\\.\PhysicalDrive0", None),
        ] {
            assert_eq!(volume_of(Path::new(text)).as_deref(), volume, "{text}");
        }
    }
}
