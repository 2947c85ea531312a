//! A staging between two calls: the header is made, its caller brings the recovery key to safety and proves it, and
//! only then it goes on. It belongs to one connection of the bus and carries a ticket that nobody can guess; when
//! that connection ends before it was told to begin, everything is taken back.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use model::{Fault, FaultKind, Secret, Sink, VolumeId};
use tokio::sync::oneshot;
use zbus::names::OwnedUniqueName;

use crate::desk::{lock, refused};
use crate::{System, Wish};

/// How long somebody may take to bring the recovery key to safety.
const PATIENCE: Duration = Duration::from_secs(30 * 60);

type Answer = oneshot::Sender<Result<(), Fault>>;

enum Order {
    /// Take it back. The answer comes when nothing is left.
    GiveUp(Answer),
    /// Is this the recovery key, and does it open the header?
    Try(Secret, Answer),
    /// Go on. The answer comes when all is staged.
    Begin(Answer),
}

struct Session {
    ticket: String,
    owner: OwnedUniqueName,
    orders: mpsc::Sender<Order>,
    /// It was told to begin: from now on it does not need its caller any more.
    begun: bool,
}

/// The one staging that may be under way.
#[derive(Clone, Default)]
pub struct Staging(Arc<Mutex<Option<Session>>>);

impl Staging {
    /// Whether one is.
    pub fn is_under_way(&self) -> bool {
        lock(&self.0).is_some()
    }

    /// Starts one in a thread of its own. The answer is its ticket and the header's UUID.
    ///
    /// # Errors
    /// `service-busy`; those of making the header, after which nothing is left of it.
    pub async fn start(
        &self,
        owner: OwnedUniqueName,
        system: Arc<dyn System>,
        id: VolumeId,
        wish: Wish,
        sink: impl Sink + Send + 'static,
        holding: impl Send + 'static,
    ) -> Result<(String, String), Fault> {
        let ticket = ticket()?;
        let (orders, inbox) = mpsc::channel();
        {
            let mut session = lock(&self.0);
            if session.is_some() {
                return Err(refused("service-busy"));
            }
            *session = Some(Session { ticket: ticket.clone(), owner, orders, begun: false });
        }
        let (made, is_made) = oneshot::channel();
        let staging = self.clone();
        let own = ticket.clone();
        std::thread::spawn(move || {
            let mut sink = sink;
            Worker { made: Some(made), begun: None, given_up: None, key: wish.key.secret(), inbox }.run(
                &*system,
                &id,
                &wish,
                &mut sink,
                || staging.end(&own),
            );
            drop(holding);
        });
        let uuid = is_made.await.map_err(|error| Fault::new("service-gone", FaultKind::Failed).because(error))??;
        Ok((ticket, uuid))
    }

    /// Holds a copy of the recovery key, as it was read back, against the header.
    ///
    /// # Errors
    /// `service-no-such-ticket`, `service-other-key`, those of the header.
    pub async fn prove(&self, caller: &OwnedUniqueName, ticket: &str, secret: Secret) -> Result<(), Fault> {
        self.order(caller, ticket, |answer| Order::Try(secret, answer), false).await
    }

    /// Goes on to the end.
    ///
    /// # Errors
    /// `service-no-such-ticket`, `service-not-proven`, those of the staging.
    pub async fn begin(&self, caller: &OwnedUniqueName, ticket: &str) -> Result<(), Fault> {
        self.order(caller, ticket, Order::Begin, true).await
    }

    /// Takes everything back.
    ///
    /// # Errors
    /// `service-no-such-ticket`; those of taking back.
    pub async fn give_up(&self, caller: &OwnedUniqueName, ticket: &str) -> Result<(), Fault> {
        self.order(caller, ticket, Order::GiveUp, true).await
    }

    /// A connection has ended.
    pub fn left(&self, name: &str) {
        let mut session = lock(&self.0);
        if let Some(ended) = session.as_mut().filter(|session| session.owner == name && !session.begun) {
            // The worker finds nobody at the other end, and takes everything back.
            ended.orders = mpsc::channel().0;
        }
    }

    async fn order(
        &self,
        caller: &OwnedUniqueName,
        ticket: &str,
        order: impl FnOnce(Answer) -> Order,
        begins: bool,
    ) -> Result<(), Fault> {
        let (answer, answered) = oneshot::channel();
        {
            let mut session = lock(&self.0);
            let session = session
                .as_mut()
                .filter(|session| session.ticket == ticket && session.owner == *caller && !session.begun)
                .ok_or_else(|| refused("service-no-such-ticket"))?;
            session.begun = begins;
            session.orders.send(order(answer)).map_err(|_| refused("service-no-such-ticket"))?;
        }
        let answered =
            answered.await.unwrap_or_else(|error| Err(Fault::new("service-gone", FaultKind::Failed).because(error)));
        if begins && answered.as_ref().is_err_and(|fault| fault.code == "service-not-proven") {
            // It is still there and may be proven.
            if let Some(session) = lock(&self.0).as_mut().filter(|session| session.ticket == ticket) {
                session.begun = false;
            }
        }
        answered
    }

    fn end(&self, ticket: &str) {
        let mut session = lock(&self.0);
        if session.as_ref().is_some_and(|session| session.ticket == ticket) {
            *session = None;
        }
    }
}

struct Worker {
    made: Option<oneshot::Sender<Result<String, Fault>>>,
    begun: Option<Answer>,
    given_up: Option<Answer>,
    key: Secret,
    inbox: mpsc::Receiver<Order>,
}

impl Worker {
    fn run(mut self, system: &dyn System, id: &VolumeId, wish: &Wish, sink: &mut dyn Sink, ended: impl FnOnce()) {
        let mut export = |uuid: &str, trial: &mut dyn crate::Trial| {
            if let Some(made) = self.made.take() {
                // A caller that has left meanwhile is found by the next order that does not come.
                let _ = made.send(Ok(uuid.to_owned()));
            }
            let mut proven = false;
            loop {
                match self.inbox.recv_timeout(PATIENCE) {
                    Ok(Order::Try(secret, answer)) => {
                        // The password opens it as well, and proves nothing about the copy.
                        let tried = if secret == self.key {
                            trial.opens(&secret)
                        } else {
                            Err(Fault::new("service-other-key", FaultKind::WrongSecret))
                        };
                        proven |= tried.is_ok();
                        let _ = answer.send(tried);
                    }
                    Ok(Order::Begin(answer)) if proven => {
                        self.begun = Some(answer);
                        return Ok(());
                    }
                    Ok(Order::Begin(answer)) => {
                        let _ = answer.send(Err(refused("service-not-proven")));
                    }
                    Ok(Order::GiveUp(answer)) => {
                        self.given_up = Some(answer);
                        return Err(given_up());
                    }
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Err(given_up()),
                }
            }
        };
        let staged = system.stage(id, wish, &mut export, sink);
        // Whoever is told may come again at once.
        ended();
        if let Some(answer) = self.given_up.take() {
            let clean = staged.as_ref().is_err_and(|fault| *fault == given_up());
            let _ = answer.send(if clean { Ok(()) } else { staged.clone() });
        }
        match (self.made.take(), self.begun.take()) {
            (Some(made), _) => {
                let _ = made.send(staged.map(|()| String::new()));
            }
            (None, Some(begun)) => {
                let _ = begun.send(staged);
            }
            (None, None) => {}
        }
    }
}

fn given_up() -> Fault {
    Fault::new("service-given-up", FaultKind::Stopped)
}

fn ticket() -> Result<String, Fault> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Fault::new("service-gone", FaultKind::Failed).because(error))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
