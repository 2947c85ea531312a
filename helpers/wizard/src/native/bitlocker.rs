use std::path::{Path, PathBuf};

use bitlocker::client::{Client, Copies, Ended, Notebook};
use bitlocker::flow::RealClock;
use bitlocker::keys::SheetWords;
use bitlocker::service::{CopyTo, Here};
use bitlocker::{Cipher, Error, Practice, State, Step, UnlockKind};
use model::{Control, Describe, Fault, Method, Reason, Secret, Sink};
use recovery::SameDrive;

use super::{Ask, Checked, Native, Standing, Wish};
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

    fn close(&mut self, copy: &CopyTo) -> Result<(Ended, Copies), Error> {
        self.client.close(copy).map(|copies| (Ended::Done, copies))
    }
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
    fn standing(&mut self) -> Result<Standing, Fault> {
        let standing = self.client.standing().map_err(|error| error.fault())?;
        let share = if let State::Converting { share, .. } = standing.state { share } else { None };
        let mut judged = standing.judged;
        if standing.leave_hardware {
            (judged.reason, judged.next) =
                (Reason::new("bitlocker-leave-hardware"), "bitlocker-to-software".to_owned());
            judged.verdict = model::Verdict::NotProtected;
        }
        Ok(Standing { judged, share })
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

    fn encrypt(
        &mut self,
        wish: Wish,
        secret: Option<&Secret>,
        copy: &CopyTo,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(Ended, Copies), Fault> {
        let mut work = || {
            let standing = self.client.standing()?;
            if matches!(standing.state.step(), Step::Activate | Step::ResumeProtection) {
                return self.close(copy);
            }
            let wish = wish.into();
            let checked = self.client.check(wish)?;
            let failed = checked.conditions.iter().chain(&checked.hardware);
            let failed = failed.filter(|one| one.outcome == model::Outcome::Fail).map(|one| one.code.clone()).next();
            let plan = checked.plan.ok_or_else(|| match failed {
                Some(condition) if standing.state.step() == Step::Begin => Error::NotPossible { condition },
                _ => Error::NotNow,
            })?;
            let copies = self.client.prepare(wish, &plan, secret, copy)?;
            match self.client.begin(wish)? {
                Ended::Restart => Ok((Ended::Restart, copies)),
                Ended::Done => self.client.follow(control, &mut RealClock, sink).map(|ended| (ended, copies)),
            }
        };
        work().map_err(|error: Error| error.fault())
    }

    fn resume(&mut self, control: &Control, sink: &mut dyn Sink) -> Result<Ended, Fault> {
        let ended = self.client.go_on(control, &mut RealClock, sink).map_err(|error| error.fault())?;
        match (&self.practice, ended) {
            // Coming back to a practice computer is its restart.
            (Some((file, words)), Ended::Restart) => {
                Practice::open(file).and_then(|mut machine| machine.restart()).map_err(|error| error.fault())?;
                self.client = practice(file, words)?;
                self.client.go_on(control, &mut RealClock, sink).map_err(|error| error.fault())
            }
            _ => Ok(ended),
        }
    }

    fn pause(&mut self) -> Result<(), Fault> {
        self.client.stop().map_err(|error| error.fault())
    }

    fn decrypt_asks(&self) -> Ask {
        Ask::Nothing
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
