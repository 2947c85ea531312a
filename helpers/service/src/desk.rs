//! Who is let in, and how much goes on at once.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use model::{Fault, FaultKind};
use zbus::Connection;
use zbus::message::{Flags, Header};
use zbus::names::{OwnedUniqueName, UniqueName};
use zbus_polkit::policykit1::{AuthorityProxy, CheckAuthorizationFlags, Subject};

use crate::staging::Staging;
use crate::{Action, System};

/// Calls that may wait for polkit or for the work at the same time.
const MOST: usize = 16;
/// And those of one caller.
const MOST_OF_ONE: usize = 4;

/// What all calls share.
pub struct Desk {
    /// Who does the work.
    pub system: Arc<dyn System>,
    /// The staging that is under way, if one is.
    pub staging: Staging,
    /// Held by the one call that changes something.
    pub changing: Arc<tokio::sync::Mutex<()>>,
    calls: Mutex<Vec<OwnedUniqueName>>,
    last: Mutex<Instant>,
}

/// A call that was let in; it counts until this is dropped.
pub struct Admitted {
    desk: Arc<Desk>,
    /// The bus's own name for the caller: no other connection ever has it.
    pub caller: OwnedUniqueName,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut calls = lock(&self.desk.calls);
        if let Some(at) = calls.iter().position(|caller| *caller == self.caller) {
            calls.swap_remove(at);
        }
        *lock(&self.desk.last) = Instant::now();
    }
}

impl Desk {
    /// Nothing goes on yet.
    pub fn new(system: Arc<dyn System>) -> Arc<Self> {
        Arc::new(Self {
            system,
            staging: Staging::default(),
            changing: Arc::default(),
            calls: Mutex::default(),
            last: Mutex::new(Instant::now()),
        })
    }

    /// Since when nothing goes on; `None`: something does.
    pub fn idle_since(&self) -> Option<Instant> {
        let busy = !lock(&self.calls).is_empty() || self.staging.is_under_way();
        (!busy).then(|| *lock(&self.last))
    }

    /// Lets a call in if polkit allows it to its caller.
    ///
    /// # Errors
    /// `service-busy`, `service-no-polkit`, `service-no-agent`, `service-dismissed`, `service-not-allowed`.
    pub async fn admit(
        self: &Arc<Self>,
        header: &Header<'_>,
        connection: &Connection,
        action: Action,
    ) -> Result<Admitted, Fault> {
        // The bus writes the sender into each message; nobody can claim to be another.
        let sender: &UniqueName<'_> = header.sender().ok_or_else(|| refused("service-not-allowed"))?;
        let admitted = self.enter(sender.clone().into())?;
        let interactive = match header.primary().flags().contains(Flags::ALLOW_INTERACTIVE_AUTH) {
            true => CheckAuthorizationFlags::ALLOW_USER_INTERACTION,
            false => CheckAuthorizationFlags::empty(),
        };
        let subject =
            Subject::new_for_message_header(header).map_err(|error| refused("service-not-allowed").because(error))?;
        let no_polkit = |error: zbus::Error| refused("service-no-polkit").because(error);
        let polkit = AuthorityProxy::new(connection).await.map_err(no_polkit)?;
        let answer = polkit
            .check_authorization(&subject, action.id(), &std::collections::HashMap::new(), interactive, "")
            .await
            .map_err(no_polkit)?;
        match answer {
            answer if answer.is_authorized => Ok(admitted),
            answer if answer.details.contains_key("polkit.dismissed") => Err(refused("service-dismissed")),
            answer if answer.is_challenge => Err(refused("service-no-agent")),
            _ => Err(refused("service-not-allowed")),
        }
    }

    fn enter(self: &Arc<Self>, caller: OwnedUniqueName) -> Result<Admitted, Fault> {
        let mut calls = lock(&self.calls);
        let own = calls.iter().filter(|name| **name == caller).count();
        if calls.len() >= MOST || own >= MOST_OF_ONE {
            return Err(refused("service-busy"));
        }
        calls.push(caller.clone());
        Ok(Admitted { desk: Arc::clone(self), caller })
    }
}

pub fn refused(code: &str) -> Fault {
    Fault::new(code, FaultKind::Refused)
}

pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
