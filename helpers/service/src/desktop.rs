//! The service, as the wizard behind the window wants it. Nothing here has rights: it is the service that checks.

use std::sync::{Arc, Mutex, PoisonError};

use boot::verbs;
use model::{Condition, Fault, FaultKind, Progress, Secret, Sink, VolumeId};
use recovery::RecoveryKey;
use texts::Language;
use wizard::operations::KdfWish;
use wizard::system::{Ending, Phase, Prepared, Standing, Stick, SystemDrive, Undone};

use crate::client::milliseconds;
use crate::{Remote, System};

/// Asks the service for the window. It is looked for with the first question, and again when it was not there.
pub struct Desktop {
    language: Language,
    #[allow(clippy::type_complexity)] // Said in full, once, is clearer than a name for it.
    connect: Box<dyn Fn() -> Result<Remote, Fault> + Send + Sync>,
    remote: Mutex<Option<Arc<Remote>>>,
}

impl Desktop {
    /// Over the system bus. The desktop's own dialog asks for the administrator's password. `language` is that of the
    /// rescue stick.
    pub fn new(language: Language) -> Self {
        Self::over(language, || Remote::over(zbus::connection::Builder::system()))
    }

    /// Over any bus.
    pub fn over(language: Language, connect: impl Fn() -> Result<Remote, Fault> + Send + Sync + 'static) -> Self {
        Self { language, connect: Box::new(connect), remote: Mutex::default() }
    }

    fn remote(&self) -> Result<Arc<Remote>, Fault> {
        let mut remote = self.remote.lock().unwrap_or_else(PoisonError::into_inner);
        match &*remote {
            Some(remote) => Ok(Arc::clone(remote)),
            None => Ok(Arc::clone(remote.insert(Arc::new((self.connect)()?)))),
        }
    }

    /// The bus itself may have gone away meanwhile: the next question connects anew.
    fn ask<T>(&self, question: impl FnOnce(&Remote) -> Result<T, Fault>) -> Result<T, Fault> {
        let answer = question(&*self.remote()?);
        if answer.as_ref().is_err_and(|fault| fault.code == "service-gone") {
            *self.remote.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        answer
    }
}

impl SystemDrive for Desktop {
    fn id(&self) -> Result<VolumeId, Fault> {
        self.ask(System::id)
    }

    fn check(&self, id: &VolumeId) -> Result<Vec<Condition>, Fault> {
        self.ask(|remote| remote.check(id))
    }

    fn status(&self, id: &VolumeId) -> Result<Standing, Fault> {
        let status = self.ask(|remote| remote.status(id))?;
        let runs = matches!(status.phase, Phase::Encrypting { running: true, .. });
        let progress = runs.then(progress).flatten();
        Ok(Standing { phase: status.phase, last_start: status.last_start, progress })
    }

    fn prepare(&self, id: &VolumeId, password: &Secret, key: &RecoveryKey) -> Result<Prepared, Fault> {
        let time = milliseconds(KdfWish::default())?;
        let (ticket, uuid) = self.ask(|remote| remote.prepare(id, password, key, time))?;
        Ok(Prepared { ticket, uuid })
    }

    fn prove(&self, ticket: &str, secret: &Secret) -> Result<(), Fault> {
        self.ask(|remote| remote.prove(ticket, secret))
    }

    fn begin(&self, ticket: &str, sink: &mut dyn Sink) -> Result<(), Fault> {
        self.ask(|remote| remote.begin(ticket, sink))
    }

    fn give_up(&self, ticket: &str) {
        // A ticket that is of no use any more has been given up already.
        let _ = self.ask(|remote| remote.give_up(ticket));
    }

    fn pause(&self, id: &VolumeId) -> Result<(), Fault> {
        self.ask(|remote| remote.pause(id))
    }

    fn resume(&self, id: &VolumeId, secret: Option<&Secret>) -> Result<(), Fault> {
        self.ask(|remote| remote.resume(id, secret))
    }

    fn undo(&self, id: &VolumeId) -> Result<Undone, Fault> {
        self.ask(|remote| remote.undo(id))
    }

    fn decrypt(&self, id: &VolumeId, secret: &Secret) -> Result<(), Fault> {
        self.ask(|remote| remote.decrypt(id, secret))
    }

    fn sticks(&self) -> Result<Vec<Stick>, Fault> {
        let sticks = self.ask(System::sticks)?;
        Ok(sticks.into_iter().map(|stick| Stick { id: stick.id, name: stick.name, size: stick.size }).collect())
    }

    fn write_stick(&self, stick: &str, typed: &str) -> Result<(), Fault> {
        self.ask(|remote| remote.write_stick(stick, typed, self.language.tag()))
    }

    fn end_session(&self, how: Ending) -> Result<(), Fault> {
        let restart = how == Ending::Restart;
        let refused = |error: zbus::Error| {
            let code = if restart { "service-restart-refused" } else { "service-power-off-refused" };
            Fault::new(code, FaultKind::Refused).because(error)
        };
        self.ask(|remote| remote.leave(restart).map_err(refused))
    }
}

/// What whoever encrypts has written down for everybody: speed and time left. How far it is, the service says.
fn progress() -> Option<Progress> {
    serde_json::from_slice(&std::fs::read(verbs::PROGRESS).ok()?).ok()
}
