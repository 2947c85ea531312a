use std::path::Path;
use std::time::Duration;

use bitlocker::client::{Copies, Ended};
use bitlocker::keys::Sheet;
use bitlocker::service::{CopyTo, Proof};
use filevault::{Error, Login, PersonalKey, State, Status, Tools, status};
use model::{
    Condition, Control, Describe, Fault, FaultKind, Judged, Meter, Method, Outcome, Reason, Secret, Signal, Sink,
    StepId, Unit, Verdict,
};
use recovery::{SameDrive, System};

use super::{Ask, By, Checked, Native, Next, Stand, Standing, Wish};

/// What FileVault is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The volume group that macOS runs from.
    System,
    /// Another volume of APFS: `disk4s1`.
    Volume(String),
}

impl Target {
    /// `/`, `disk4s1` and `/dev/disk4s1`. `None`: neither.
    pub fn of(path: &Path) -> Option<Self> {
        let text = path.to_str()?;
        if text == "/" {
            return Some(Self::System);
        }
        let name = text.strip_prefix("/dev/").unwrap_or(text);
        let (disk, slice) = name.strip_prefix("disk")?.split_once('s')?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        (digits(disk) && digits(slice)).then(|| Self::Volume(name.to_owned()))
    }
}

/// FileVault, or the encryption of a volume of APFS.
pub struct FileVault {
    tools: Box<dyn Tools>,
    target: Target,
    user: String,
    between: Duration,
}

impl FileVault {
    /// Of this Mac, for the person who is logged in.
    pub fn real(target: Target) -> Self {
        // With `sudo` it is who called it.
        let user = ["SUDO_USER", "USER"].iter().find_map(|name| std::env::var(name).ok()).unwrap_or_default();
        Self { tools: Box::new(filevault::Real), target, user, between: Duration::from_secs(1) }
    }

    /// Of another Mac, as of a simulated one.
    pub fn new(tools: Box<dyn Tools>, target: Target, user: &str) -> Self {
        Self { tools, target, user: user.to_owned(), between: Duration::ZERO }
    }

    fn status(&mut self) -> Result<Status, Error> {
        status(&mut *self.tools)
    }

    fn volume(&self) -> Option<String> {
        match &self.target {
            Target::System => None,
            Target::Volume(name) => Some(name.clone()),
        }
    }
}

impl Native for FileVault {
    fn by(&self) -> By {
        match self.target {
            Target::System => By::Filevault,
            Target::Volume(_) => By::Apfs,
        }
    }

    fn is_practice(&self) -> bool {
        false
    }

    fn standing(&mut self) -> Result<Standing, Fault> {
        if let Some(volume) = self.volume() {
            let encrypted = filevault::volume_is_encrypted(&mut *self.tools, &volume).map_err(|error| error.fault())?;
            let (stand, verdict, reason, next) = match encrypted {
                Some(true) => (Stand::Protected, Verdict::Protected, "filevault-volume-on", "filevault-nothing"),
                Some(false) => (Stand::Plain, Verdict::NotProtected, "filevault-volume-off", "filevault-begin-volume"),
                None => (Stand::Unclear, Verdict::Unknown, "filevault-unknown", "filevault-ask"),
            };
            let judged = Judged { verdict, reason: Reason::new(reason), gets: String::new(), next: next.to_owned() };
            return Ok(Standing { judged, stand, share: None });
        }
        let status = self.status().map_err(|error| error.fault())?;
        let share = match status.state {
            State::Converting { percent, .. } => percent.map(|percent| u32::from(percent) * 10_000),
            _ => None,
        };
        Ok(Standing { judged: status.judged(), stand: stand(&status.state), share })
    }

    fn check(&mut self, wish: Wish) -> Result<Checked, Fault> {
        let software = if wish.method.allows_software() { Outcome::Pass } else { Outcome::Fail };
        let mut conditions = vec![condition("filevault-software", software, "FileVault")];
        let asks = if let Some(volume) = self.volume() {
            let encrypted = filevault::volume_is_encrypted(&mut *self.tools, &volume).map_err(|error| error.fault())?;
            let off = match encrypted {
                Some(false) => Outcome::Pass,
                Some(true) => Outcome::Fail,
                None => Outcome::Unknown,
            };
            conditions.push(condition("filevault-off", off, "diskutil info"));
            Ask::NewPassword
        } else {
            let status = self.status().map_err(|error| error.fault())?;
            let off = match status.state {
                State::Off | State::Deferred { .. } => Outcome::Pass,
                State::Unknown => Outcome::Unknown,
                _ => Outcome::Fail,
            };
            let token = match filevault::secure_token(&mut *self.tools, &self.user) {
                Ok(true) => Outcome::Pass,
                Ok(false) => Outcome::Fail,
                Err(_) => Outcome::Unknown,
            };
            conditions.push(condition("filevault-off", off, "fdesetup status"));
            conditions.push(condition("filevault-token", token, "sysadminctl -secureTokenStatus"));
            Ask::Login
        };
        let good = conditions.iter().all(|one| one.outcome == Outcome::Pass);
        let reasons = vec![self.standing()?.judged.reason];
        let method = good.then_some(Method::Software);
        Ok(Checked { conditions, reasons, method, close: false, changes_policy: false, asks })
    }

    fn show_key(&mut self, _: Wish) -> Result<Sheet, Fault> {
        // macOS makes it when FileVault is switched on.
        Err(Error::NotNow.fault())
    }

    fn begin(&mut self, _: Wish, secret: Option<&Secret>, proof: Option<&Proof>) -> Result<(Next, Copies), Fault> {
        let secret = secret.ok_or_else(|| Error::WrongPassword.fault())?;
        if let Some(volume) = self.volume() {
            let done = filevault::encrypt_volume(&mut *self.tools, &volume, secret);
            return done.map(|()| (Next::Done, Copies::default())).map_err(|error| error.fault());
        }
        let Some(Proof::Copy(copy)) = proof else { return Err(Error::NotNow.fault()) };
        let login = Login { user: &self.user, password: secret };
        let same = same_drive(copy);
        let tools = &mut *self.tools;
        let enabled = match filevault::enable(tools, &login, &copy.folder, same, &mut System) {
            // It is on with a key of earlier that macOS does not show: a new one can be saved.
            Err(Error::NoNewKey) => filevault::change_key(tools, &login, &copy.folder, same, &mut System),
            enabled => enabled,
        };
        let enabled = enabled.map_err(|error| error.fault())?;
        Ok((Next::Runs, Copies { saved: vec![("FileVault".to_owned(), enabled.file)], faults: Vec::new() }))
    }

    fn carry_on(&mut self) -> Result<Next, Fault> {
        match self.status().map_err(|error| error.fault())?.state {
            State::Converting { .. } => Ok(Next::Runs),
            State::AfterRestart => Ok(Next::Restart),
            _ => Err(Error::NotNow.fault()),
        }
    }

    fn settle(&mut self) -> Result<(), Fault> {
        // macOS leaves nothing to be done.
        Ok(())
    }

    /// Older Macs take hours; the others are done at once.
    fn follow(&mut self, control: &Control, sink: &mut dyn Sink) -> Result<Ended, Fault> {
        let mut meter: Option<Meter<'_>> = None;
        let mut sink = Some(sink);
        loop {
            let State::Converting { encrypting, percent, .. } = self.status().map_err(|error| error.fault())?.state
            else {
                return Ok(Ended::Done);
            };
            if control.signal() == Signal::Stop {
                // macOS goes on by itself; there is nothing to stop it with.
                return Err(Fault::new("filevault-goes-on", FaultKind::Stopped));
            }
            if let Some(sink) = sink.take() {
                let step = if encrypting { StepId::Encrypt } else { StepId::Decrypt };
                meter = Some(Meter::new(sink, step, 100, Unit::Steps));
            }
            if let Some(meter) = &mut meter {
                meter.at(u64::from(percent.unwrap_or(0)).min(99));
            }
            std::thread::sleep(self.between);
        }
    }

    fn pause(&mut self) -> Result<(), Fault> {
        Err(Fault::new("filevault-no-pause", FaultKind::Refused))
    }

    fn can_pause(&self) -> bool {
        false
    }

    fn restart(&mut self) -> Result<(), Fault> {
        Err(Fault::new("native-restart", FaultKind::Refused))
    }

    fn can_restart(&self) -> bool {
        false
    }

    fn decrypt_asks(&self) -> Ask {
        Ask::Login
    }

    fn begin_decrypt(&mut self, secret: Option<&Secret>) -> Result<Next, Fault> {
        let password = secret.ok_or_else(|| Error::WrongPassword.fault())?;
        if self.volume().is_some() {
            return Err(Error::Unsupported.fault());
        }
        let login = Login { user: &self.user, password };
        filevault::disable(&mut *self.tools, &login).map(|()| Next::Runs).map_err(|error| error.fault())
    }

    fn prove(&mut self, sheet: &[u8]) -> Result<(), Fault> {
        let text = zeroize::Zeroizing::new(String::from_utf8_lossy(sheet).into_owned());
        let key = text.split_whitespace().find_map(|word| PersonalKey::parse(word).ok());
        let key = key.ok_or_else(|| Error::BadKey.fault())?;
        filevault::prove_key(&mut *self.tools, &key).map_err(|error| error.fault())
    }

    fn new_key(&mut self, secret: Option<&Secret>, copy: &CopyTo) -> Result<Copies, Fault> {
        let password = secret.ok_or_else(|| Error::WrongPassword.fault())?;
        if self.volume().is_some() {
            return Err(Error::Unsupported.fault());
        }
        let login = Login { user: &self.user, password };
        let made = filevault::change_key(&mut *self.tools, &login, &copy.folder, same_drive(copy), &mut System);
        let made = made.map_err(|error| error.fault())?;
        Ok(Copies { saved: vec![("FileVault".to_owned(), made.file)], faults: Vec::new() })
    }

    fn save_key(&mut self, copy: &CopyTo) -> Result<Copies, Fault> {
        self.save_keys(copy)
    }

    fn save_keys(&mut self, _: &CopyTo) -> Result<Copies, Fault> {
        // macOS shows a key once, when it is made.
        Err(Error::NoNewKey.fault())
    }
}

const fn stand(state: &State) -> Stand {
    match state {
        State::Off | State::Deferred { .. } => Stand::Plain,
        State::AfterRestart => Stand::Restart,
        State::Converting { encrypting: true, .. } => Stand::Encrypting,
        State::Converting { .. } => Stand::Decrypting,
        State::On => Stand::Protected,
        State::Unknown => Stand::Unclear,
    }
}

fn same_drive(copy: &CopyTo) -> SameDrive {
    match drives::same_drive(&copy.folder, Path::new("/")) {
        Ok(drives::SameDrive::Yes) => SameDrive::Yes,
        Ok(drives::SameDrive::No) => SameDrive::No,
        _ if copy.elsewhere => SameDrive::No,
        _ => SameDrive::Unknown,
    }
}

fn condition(code: &str, outcome: Outcome, evidence: &str) -> Condition {
    let how = match outcome {
        Outcome::Pass => "met",
        Outcome::Fail => "not-met",
        Outcome::Warn | Outcome::Unknown => "not-seen",
    };
    let reason = Reason::new(&format!("filevault-condition-{how}"));
    Condition { code: code.to_owned(), outcome, reason, evidence: evidence.to_owned() }
}
