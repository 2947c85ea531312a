//! The whole way of one volume, by orders: the same whether they are carried out in this process or in the one
//! with the rights, on this computer or on a practice one.

use std::path::{Path, PathBuf};

use model::{Condition, Control, Fault, Reason, Secret, Sink};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::flow::{Clock, Watched, follow};
use crate::keys::Sheet;
use crate::service::{Answer, CopyTo, Order, Orders, Proof, Standing};
use crate::{Cipher, Code, Error, Former, Plan, Result, State, Step, UnlockKind, Wish};

/// What has to outlive a restart: without it nobody could tell afterwards whether the test start failed, or what
/// the policy was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notes {
    /// By whom the volume was to be encrypted.
    pub method: Option<Cipher>,
    /// The policy of before, if it was changed.
    pub former: Option<Former>,
    /// A test start was ordered, and nobody has looked yet how it went.
    pub tested: bool,
    /// A conversion was begun from here, and what comes after it is still to be done.
    #[serde(default)]
    pub under_way: Option<Way>,
}

/// Which way a conversion goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// From plain to encrypted.
    Encrypt,
    /// And back.
    Decrypt,
}

/// Where the notes of one volume lie.
#[derive(Clone, Debug)]
pub struct Notebook(PathBuf);

impl Notebook {
    /// In this file.
    pub fn new(file: PathBuf) -> Self {
        Self(file)
    }

    /// What was noted; nothing where nothing was, or where it cannot be read.
    pub fn read(&self) -> Notes {
        std::fs::read(&self.0).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Replaces them.
    ///
    /// # Errors
    /// [`Error::Notes`]: nothing may be changed that could not be taken back.
    pub fn write(&self, notes: &Notes) -> Result<()> {
        replace(&self.0, &serde_json::to_vec(notes).unwrap_or_default())
            .map_err(|error| Error::Notes(error.to_string()))
    }

    fn tear_out(&self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A file that is the old one or the new one, whenever the power goes.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    let beside = path.with_extension("new");
    let mut file = std::fs::File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&beside, path)
}

/// One volume, and who carries orders out.
pub struct Client {
    orders: Box<dyn Orders>,
    volume: String,
    notebook: Notebook,
}

/// What a check came to.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Conditions of any encryption.
    pub conditions: Vec<Condition>,
    /// Conditions of encryption by the drive.
    pub hardware: Vec<Condition>,
    /// Why this method.
    pub reasons: Vec<Reason>,
    /// What can be carried out.
    pub plan: Option<Plan>,
}

/// Copies of recovery passwords.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    /// Protector and file of each.
    pub saved: Vec<(String, PathBuf)>,
    /// What could not be saved.
    pub faults: Vec<Fault>,
}

/// How far it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// To its end.
    Done,
    /// To a restart of the computer, which tries the way in.
    Restart,
}

impl Client {
    /// For the volume with this DeviceID or letter.
    pub fn new(orders: Box<dyn Orders>, volume: &str, notebook: Notebook) -> Self {
        Self { orders, volume: volume.to_owned(), notebook }
    }

    /// Which volume.
    pub fn volume(&self) -> &str {
        &self.volume
    }

    /// How it stands.
    ///
    /// # Errors
    /// [`Error::NotThere`], [`Error::NoRights`].
    pub fn standing(&mut self) -> Result<Standing> {
        let order = Order::Progress { volume: self.volume.clone() };
        self.seen(&order)?.pop().ok_or(Error::NotThere)
    }

    /// How all volumes of the computer stand.
    ///
    /// # Errors
    /// [`Error::NoRights`].
    pub fn all(&mut self) -> Result<Vec<Standing>> {
        self.seen(&Order::Look {})
    }

    /// Conditions and plan. Changes nothing.
    ///
    /// # Errors
    /// [`Error::NotThere`], [`Error::NoRights`].
    pub fn check(&mut self, wish: Wish) -> Result<Checked> {
        match self.orders.ask(&Order::Check { volume: self.volume.clone(), wish })? {
            Answer::Checked { conditions, hardware, reasons, plan } => {
                Ok(Checked { conditions, hardware, reasons, plan })
            }
            _ => Err(Error::BadOrder),
        }
    }

    /// Makes the protectors, and a proven copy of the recovery password. Nothing is encrypted yet.
    ///
    /// # Errors
    /// Those of [`flow::prepare`](crate::flow::prepare).
    pub fn prepare(
        &mut self,
        wish: Wish,
        plan: &Plan,
        secret: Option<&Secret>,
        proof: impl Into<Proof>,
    ) -> Result<Copies> {
        self.note(plan)?;
        let secret = match (plan.unlock, secret) {
            (UnlockKind::TpmPin | UnlockKind::Password, None) => return Err(Error::BadOrder),
            (UnlockKind::TpmPin | UnlockKind::Password, Some(secret)) => text(secret)?,
            _ => Zeroizing::default(),
        };
        let (volume, secret) = (self.volume.clone(), secret.as_str().to_owned());
        self.copies(&Order::Prepare { volume, wish, secret, proof: proof.into() })
    }

    /// The recovery password, made if there is none, for the person to write down. Nothing is encrypted yet.
    ///
    /// # Errors
    /// Those of [`flow::show_key`](crate::flow::show_key).
    pub fn show_key(&mut self, wish: Wish) -> Result<Sheet> {
        if let Some(plan) = self.check(wish)?.plan {
            self.note(&plan)?;
        }
        match self.orders.ask(&Order::ShowKey { volume: self.volume.clone(), wish })? {
            Answer::Key { sheet } => Ok(sheet),
            _ => Err(Error::BadOrder),
        }
    }

    /// One more copy of the recovery password, read back from the medium.
    ///
    /// # Errors
    /// Those of [`flow::recovery_password`](crate::flow::recovery_password).
    pub fn save_key(&mut self, copy: &CopyTo) -> Result<Copies> {
        self.copies(&Order::SaveKey { volume: self.volume.clone(), copy: copy.clone() })
    }

    /// What a plan changes is written down before it is.
    fn note(&mut self, plan: &Plan) -> Result<()> {
        let mut notes = Notes { method: Some(plan.method), ..self.notebook.read() };
        if plan.method == Cipher::Hardware && notes.former.is_none() {
            match self.orders.ask(&Order::Policy { volume: self.volume.clone() })? {
                Answer::Policy { former } => notes.former = Some(former),
                _ => return Err(Error::BadOrder),
            }
        }
        self.notebook.write(&notes)
    }

    /// Begins what was prepared.
    ///
    /// # Errors
    /// Those of [`flow::begin`](crate::flow::begin).
    pub fn begin(&mut self, wish: Wish) -> Result<Ended> {
        let mut notes = self.notebook.read();
        notes.tested = true;
        // Before: whoever looks after a power cut must know that there was a test.
        self.notebook.write(&notes)?;
        let begun = self.begun(&Order::Begin { volume: self.volume.clone(), wish });
        if begun != Ok(Ended::Restart) {
            notes.tested = false;
            notes.under_way = begun.is_ok().then_some(Way::Encrypt);
            self.notebook.write(&notes)?;
        }
        begun
    }

    /// Goes on from wherever it stands: looks how the test start went, resumes what is paused, follows the
    /// conversion, and sees that protection is on.
    ///
    /// # Errors
    /// [`Error::TestFailed`]; [`Error::NotNow`] where there is nothing to go on with; those of
    /// [`follow`] and [`flow::finish`](crate::flow::finish).
    pub fn go_on(&mut self, control: &Control, clock: &mut dyn Clock, sink: &mut dyn Sink) -> Result<Ended> {
        match self.after_a_stop()? {
            Some(ended) => Ok(ended),
            None => self.follow(control, clock, sink),
        }
    }

    /// As [`go_on`](Self::go_on), without waiting: what stands still runs again, and Windows works by itself. What
    /// comes after the conversion is done by [`settle`](Self::settle).
    ///
    /// # Errors
    /// [`Error::TestFailed`]; [`Error::NotNow`] where there is nothing to go on with.
    pub fn carry_on(&mut self) -> Result<Ended> {
        if let Some(ended) = self.after_a_stop()? {
            return Ok(ended);
        }
        if self.standing()?.state.step() == Step::ResumeConversion {
            self.pause(false)?;
        }
        Ok(Ended::Done)
    }

    /// What comes after a test start or a conversion that nobody has waited for. Before its end this does nothing,
    /// and nothing twice.
    ///
    /// # Errors
    /// [`Error::TestFailed`]; those of [`flow::finish`](crate::flow::finish). Each is told once.
    pub fn settle(&mut self) -> Result<()> {
        let mut notes = self.notebook.read();
        if !notes.tested && notes.under_way.is_none() {
            return Ok(());
        }
        let state = self.standing()?.state;
        if notes.tested {
            let waits = matches!(state, State::TestPending | State::Unknown | State::Locked);
            if waits {
                return Ok(());
            }
            let looked = self.after_a_stop().map(drop);
            if matches!(looked, Err(Error::LeftOver | Error::NotNow)) {
                notes.tested = false;
                self.notebook.write(&notes)?;
            }
            return looked;
        }
        match (notes.under_way, &state) {
            (_, State::Converting { .. } | State::Unknown | State::Locked) => return Ok(()),
            (Some(Way::Decrypt), State::Off | State::Prepared | State::TestFailed(_)) => return self.clear(),
            _ => {}
        }
        let encrypted = matches!(state, State::Protected { .. } | State::Suspended { .. } | State::ClearKey);
        let finished = match notes.under_way {
            Some(Way::Encrypt) if encrypted => self.finish(notes.method),
            // Somebody else has turned it round meanwhile, and looks after it.
            _ => Ok(()),
        };
        notes.under_way = None;
        self.notebook.write(&notes)?;
        finished
    }

    /// Looks how the test start went, and sees that protection is on. `None`: a conversion is to be followed.
    fn after_a_stop(&mut self) -> Result<Option<Ended>> {
        let mut notes = self.notebook.read();
        let standing = self.standing()?;
        if let State::TestFailed(code) = standing.state {
            return self.test_failed(code).map(Some);
        }
        match standing.state.step() {
            Step::Restart => return Ok(Some(Ended::Restart)),
            Step::Begin if notes.tested => {
                let order = Order::AfterRestart { volume: self.volume.clone() };
                return match self.begun(&order) {
                    Err(error) if error.is_failed_test() => self.test_failed(Code::OK),
                    ended => ended,
                }
                .map(Some);
            }
            Step::ResumeProtection => {
                self.orders.ask(&Order::Protect { volume: self.volume.clone() })?;
                if std::mem::take(&mut notes.tested) {
                    self.notebook.write(&notes)?;
                }
                return Ok(Some(Ended::Done));
            }
            Step::Wait | Step::ResumeConversion => {}
            _ if notes.tested => {}
            _ => return Err(Error::NotNow),
        }
        notes.under_way = match (&standing.state, notes.tested) {
            (State::Converting { encrypting: false, .. }, _) => notes.under_way,
            (_, true) => Some(Way::Encrypt),
            (_, false) => notes.under_way,
        };
        notes.tested = false;
        self.notebook.write(&notes)?;
        Ok(None)
    }

    /// Follows the conversion to its end. After a decryption what remains is taken away, too.
    ///
    /// # Errors
    /// Those of [`follow`] and [`flow::finish`](crate::flow::finish).
    pub fn follow(&mut self, control: &Control, clock: &mut dyn Clock, sink: &mut dyn Sink) -> Result<Ended> {
        match follow(self, control, clock, sink)? {
            State::Off | State::Prepared => self.clear()?,
            _ => {
                let mut notes = self.notebook.read();
                self.finish(notes.method)?;
                if notes.under_way.take().is_some() {
                    self.notebook.write(&notes)?;
                }
            }
        }
        Ok(Ended::Done)
    }

    fn finish(&mut self, method: Option<Cipher>) -> Result<()> {
        self.seen(&Order::Finish { volume: self.volume.clone(), method }).map(drop)
    }

    /// Stops for now; Windows stands still until somebody resumes.
    ///
    /// # Errors
    /// [`Error::NotNow`] if nothing runs.
    pub fn stop(&mut self) -> Result<()> {
        match self.standing()?.state {
            State::Converting { .. } => self.pause(true),
            _ => Err(Error::NotNow),
        }
    }

    /// Finishes what is encrypted and stands open all the same.
    ///
    /// # Errors
    /// Those of [`flow::close`](crate::flow::close).
    pub fn close(&mut self, proof: impl Into<Proof>) -> Result<Copies> {
        self.copies(&Order::Close { volume: self.volume.clone(), proof: proof.into() })
    }

    /// Saves every recovery password of every open volume of the computer.
    ///
    /// # Errors
    /// [`Error::NoRights`]; what one volume refuses is among the faults.
    pub fn save_keys(&mut self, copy: &CopyTo) -> Result<Copies> {
        self.copies(&Order::SaveKeys { copy: copy.clone() })
    }

    /// Whether a sheet, in whatever form and language, still opens the volume.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::OtherRecoveryPassword`], [`Error::BadRecoveryPassword`].
    pub fn compare(&mut self, sheet: &[u8]) -> Result<()> {
        let sheet = crate::keys::Sheet::read(sheet)?;
        let sheet = sheet.text(&crate::keys::SheetWords::default()).as_str().to_owned();
        self.orders.ask(&Order::Compare { volume: self.volume.clone(), sheet }).map(drop)
    }

    /// The whole way back, the policy included. `forget`: drives that open by themselves because of this one may
    /// ask for their password again.
    ///
    /// # Errors
    /// Those of [`flow::undo`](crate::flow::undo).
    pub fn undo(&mut self, forget: bool, control: &Control, clock: &mut dyn Clock, sink: &mut dyn Sink) -> Result<()> {
        if self.begin_undo(forget)? {
            follow(self, control, clock, sink)?;
            self.clear()?;
        }
        Ok(())
    }

    /// As [`undo`](Self::undo), without waiting: whether there is anything to wait for. What comes after it is done
    /// by [`settle`](Self::settle).
    ///
    /// # Errors
    /// Those of [`flow::undo`](crate::flow::undo).
    pub fn begin_undo(&mut self, forget: bool) -> Result<bool> {
        let state = self.standing()?.state;
        if matches!(state, State::Off | State::Prepared | State::TestPending | State::TestFailed(_)) {
            return self.clear().map(|()| false);
        }
        let mut notes = self.notebook.read();
        let before = notes.under_way.replace(Way::Decrypt);
        // Before: whoever looks after a power cut must know whose end it is.
        self.notebook.write(&notes)?;
        if let Err(error) = self.orders.ask(&Order::Decrypt { volume: self.volume.clone(), forget }) {
            notes.under_way = before;
            self.notebook.write(&notes)?;
            return Err(error);
        }
        Ok(true)
    }

    /// Takes what remains of an encryption that is none any more, and puts the policy back.
    fn clear(&mut self) -> Result<()> {
        self.orders.ask(&Order::Clear { volume: self.volume.clone() })?;
        if let Some(former) = self.notebook.read().former {
            self.orders.ask(&Order::PutBack { former })?;
        }
        self.notebook.tear_out();
        Ok(())
    }

    fn test_failed(&mut self, code: Code) -> Result<Ended> {
        // It has been told; what comes next is a new beginning.
        let notes = Notes { tested: false, ..self.notebook.read() };
        self.notebook.write(&notes)?;
        Err(Error::TestFailed { code })
    }

    fn seen(&mut self, order: &Order) -> Result<Vec<Standing>> {
        match self.orders.ask(order)? {
            Answer::Seen { volumes } => Ok(volumes),
            _ => Err(Error::BadOrder),
        }
    }

    fn begun(&mut self, order: &Order) -> Result<Ended> {
        match self.orders.ask(order)? {
            Answer::Begun { restart: true } => Ok(Ended::Restart),
            Answer::Begun { restart: false } => Ok(Ended::Done),
            _ => Err(Error::BadOrder),
        }
    }

    fn copies(&mut self, order: &Order) -> Result<Copies> {
        match self.orders.ask(order)? {
            Answer::Saved { copies, faults } => Ok(Copies { saved: copies, faults }),
            _ => Err(Error::BadOrder),
        }
    }
}

impl Watched for Client {
    fn state(&mut self) -> Result<State> {
        self.standing().map(|standing| standing.state)
    }

    fn pause(&mut self, pause: bool) -> Result<()> {
        let volume = self.volume.clone();
        let order = if pause { Order::Pause { volume } } else { Order::Resume { volume } };
        self.orders.ask(&order).map(drop)
    }
}

fn text(secret: &Secret) -> Result<Zeroizing<String>> {
    String::from_utf8(secret.expose().to_vec()).map(Zeroizing::new).map_err(|_| Error::BadOrder)
}
