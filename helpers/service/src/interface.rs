//! The object on the bus. Each method lets its caller in first, parses its arguments, and works in a thread of its
//! own. Answers with many parts are JSON, as `latchkey --json` has them.

use std::sync::Arc;
use std::time::Duration;

use model::{Fault, FaultKind, Progress, Secret, VolumeId};
use recovery::RecoveryKey;
use serde::Serialize;
use texts::{Key, Language, Texts, keys};
use tokio::sync::OwnedMutexGuard;
use wizard::operations::KdfWish;
use zbus::message::{Header, Message};
use zbus::names::ErrorName;
use zbus::object_server::SignalEmitter;
use zbus::{Connection, DBusError, OwnedFd, interface};

use crate::desk::{Admitted, Desk, refused};
use crate::{Action, Inhibited, System, Wish, names, pipe};

/// A fault on its way over the bus.
#[derive(Debug)]
pub struct Refusal(ErrorName<'static>, String);

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        let text = serde_json::to_string(&fault).unwrap_or_default();
        Self(ErrorName::from_static_str_unchecked(names::FAULT), text)
    }
}

impl DBusError for Refusal {
    fn create_reply(&self, header: &Header<'_>) -> zbus::Result<Message> {
        Message::error(header, self.name()).build(&(&*self.1,))
    }

    fn name(&self) -> ErrorName<'_> {
        self.0.as_ref()
    }

    fn description(&self) -> Option<&str> {
        Some(&self.1)
    }
}

/// The object.
pub struct Interface(pub Arc<Desk>);

/// Bounds of the time that a password may take, in milliseconds.
const UNLOCK: std::ops::RangeInclusive<u32> = 100..=20_000;

#[interface(name = "io.github.latchkey.Service1")]
impl Interface {
    /// All drives, looked at with rights.
    async fn drives(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
    ) -> Result<String, Refusal> {
        let call = self.0.admit(&header, bus, Action::Look).await?;
        self.work(call, |system| json(&system.drives()?)).await
    }

    /// The id of the volume that the system runs from.
    async fn system(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
    ) -> Result<String, Refusal> {
        let call = self.0.admit(&header, bus, Action::Status).await?;
        self.work(call, |system| Ok(system.id()?.0)).await
    }

    /// The conditions for encrypting it.
    async fn check(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
        id: &str,
    ) -> Result<String, Refusal> {
        let id = volume(id)?;
        let call = self.0.admit(&header, bus, Action::Check).await?;
        self.work(call, move |system| json(&system.check(&id)?)).await
    }

    /// How it stands.
    async fn status(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
        id: &str,
    ) -> Result<String, Refusal> {
        let id = volume(id)?;
        let call = self.0.admit(&header, bus, Action::Status).await?;
        self.work(call, move |system| json(&system.status(&id)?)).await
    }

    /// Makes the header with the password and the recovery key that are in the pipe, in this order. Returns a ticket
    /// and the header's UUID. It waits for `Prove` and `Begin`, and is taken back if the caller leaves before.
    #[zbus(out_args("ticket", "uuid"))]
    async fn stage(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
        #[zbus(signal_emitter)] emitter: SignalEmitter<'_>,
        id: &str,
        unlock_ms: u32,
        secrets: OwnedFd,
    ) -> Result<(String, String), Refusal> {
        let id = volume(id)?;
        if !UNLOCK.contains(&unlock_ms) {
            return Err(refused("service-arguments").into());
        }
        let call = self.0.admit(&header, bus, Action::Stage).await?;
        let holding = self.changing().await?;
        let [password, key] = secrets_of::<2>(secrets).await?;
        if password.is_empty() || password.expose().len() > 512 {
            return Err(refused("service-arguments").into());
        }
        let key = std::str::from_utf8(key.expose()).ok().and_then(|text| RecoveryKey::parse(text).ok());
        let key = key.ok_or_else(|| refused("service-arguments"))?;
        let kdf = KdfWish::Calibrated(Duration::from_millis(unlock_ms.into()));
        let sink = teller(emitter.into_owned().set_destination(call.caller.inner().clone().into()));
        let (system, owner) = (Arc::clone(&self.0.system), call.caller.clone());
        let started = self.0.staging.start(owner, system, id, Wish { password, key, kdf }, sink, holding).await?;
        // It may have left before there was anything to be taken back.
        let asked = zbus::fdo::DBusProxy::new(bus).await;
        let there = match asked {
            Ok(asked) => asked.name_has_owner(call.caller.inner().clone().into()).await,
            Err(error) => Err(error.into()),
        };
        if !there.unwrap_or(false) {
            self.0.staging.left(&call.caller);
        }
        Ok(started)
    }

    /// Holds the recovery key, as it was read back from where it was brought to safety, against the staged header.
    async fn prove(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
        ticket: &str,
        secret: OwnedFd,
    ) -> Result<(), Refusal> {
        let call = self.0.admit(&header, bus, Action::ExportProof).await?;
        let [secret] = secrets_of::<1>(secret).await?;
        Ok(self.0.staging.prove(&call.caller, ticket, secret).await?)
    }

    /// Goes on: hooks, initramfs, the entry for the test start. It does not need its caller any more.
    async fn begin(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
        ticket: &str,
    ) -> Result<(), Refusal> {
        let call = self.0.admit(&header, bus, Action::Begin).await?;
        let _awake = Inhibited::ask(bus, &why(keys::SERVICE_WHY_STAGING)).await;
        Ok(self.0.staging.begin(&call.caller, ticket).await?)
    }

    /// The key could not be brought to safety: everything is taken back. The ticket is permission enough.
    async fn give_up(&self, #[zbus(header)] header: Header<'_>, ticket: &str) -> Result<(), Refusal> {
        let caller = header.sender().ok_or_else(|| refused("service-not-allowed"))?;
        Ok(self.0.staging.give_up(&caller.clone().into(), ticket).await?)
    }

    /// How far a staging is, to its caller alone: JSON, as `--progress json` has it.
    #[zbus(signal)]
    async fn progress(emitter: &SignalEmitter<'_>, progress: &str) -> zbus::Result<()>;

    /// Comes to a stop that resumes.
    async fn pause(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
        id: &str,
    ) -> Result<(), Refusal> {
        let id = volume(id)?;
        let call = self.0.admit(&header, bus, Action::Pause).await?;
        self.change(call, move |system| system.pause(&id)).await
    }

    /// Goes on. An empty pipe: with the password of this start.
    async fn resume(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
        id: &str,
        secret: OwnedFd,
    ) -> Result<(), Refusal> {
        let id = volume(id)?;
        let call = self.0.admit(&header, bus, Action::Resume).await?;
        let secret = received(secret, 1).await?.pop();
        self.change(call, move |system| system.resume(&id, secret.as_ref())).await
    }

    /// Takes back what can be taken back at once. Returns `"now"` or `"at_next_start"` as JSON.
    async fn undo(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
        id: &str,
    ) -> Result<String, Refusal> {
        let id = volume(id)?;
        let call = self.0.admit(&header, bus, Action::Undo).await?;
        let _awake = Inhibited::ask(bus, &why(keys::SERVICE_WHY_STAGING)).await;
        self.change(call, move |system| json(&system.undo(&id)?)).await
    }

    /// Stages the way back to plain.
    async fn decrypt(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
        id: &str,
        secret: OwnedFd,
    ) -> Result<(), Refusal> {
        let id = volume(id)?;
        let call = self.0.admit(&header, bus, Action::Decrypt).await?;
        let [secret] = secrets_of::<1>(secret).await?;
        let _awake = Inhibited::ask(bus, &why(keys::SERVICE_WHY_STAGING)).await;
        self.change(call, move |system| system.decrypt(&id, &secret)).await
    }

    /// What may become a rescue stick.
    async fn sticks(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
    ) -> Result<String, Refusal> {
        let call = self.0.admit(&header, bus, Action::Status).await?;
        self.work(call, |system| json(&system.sticks()?)).await
    }

    /// Makes one; everything on it is lost. `typed` is its name, typed by the person.
    async fn write_stick(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
        stick: &str,
        typed: &str,
        language: &str,
    ) -> Result<(), Refusal> {
        let id = crate::device::DiskId::parse(stick)?.to_string();
        let (typed, language) = (short(typed)?, short(language)?);
        let call = self.0.admit(&header, bus, Action::WriteStick).await?;
        let _awake = Inhibited::ask(bus, &why(keys::SERVICE_WHY_STICK)).await;
        self.change(call, move |system| system.write_stick(&id, &typed, &language)).await
    }

    /// Measures how fast a disk reads. Nothing is written.
    async fn benchmark(
        &self,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &Connection,
        disk: &str,
    ) -> Result<String, Refusal> {
        let id = crate::device::DiskId::parse(disk)?.to_string();
        let call = self.0.admit(&header, bus, Action::Benchmark).await?;
        let _alone = self.changing().await?;
        self.work(call, move |system| json(&system.benchmark(&id)?)).await
    }
}

impl Interface {
    async fn work<T: Send + 'static>(
        &self,
        call: Admitted,
        work: impl FnOnce(&dyn System) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Refusal> {
        let system = Arc::clone(&self.0.system);
        let done = tokio::task::spawn_blocking(move || {
            // It counts as long as it goes on, whoever still waits for it.
            let _call = call;
            work(&*system)
        });
        Ok(done.await.unwrap_or_else(|error| Err(Fault::new("service-gone", FaultKind::Failed).because(error)))?)
    }

    async fn change<T: Send + 'static>(
        &self,
        call: Admitted,
        work: impl FnOnce(&dyn System) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Refusal> {
        let alone = self.changing().await?;
        self.work(call, move |system| {
            let _alone = alone;
            work(system)
        })
        .await
    }

    /// One change at a time. The one before may have been answered and not have let go yet.
    async fn changing(&self) -> Result<OwnedMutexGuard<()>, Fault> {
        const LETTING_GO: Duration = Duration::from_secs(1);
        let changing = Arc::clone(&self.0.changing).lock_owned();
        tokio::time::timeout(LETTING_GO, changing).await.map_err(|_| refused("service-busy"))
    }
}

/// What logind tells whoever wants to switch the computer off. Its language is the system's.
fn why(key: Key) -> String {
    Texts::new(Language::from_env()).plain(key)
}

/// The only shape that an id has: it becomes part of a path.
fn volume(id: &str) -> Result<VolumeId, Fault> {
    let plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if plain && (1..=64).contains(&id.len()) { Ok(VolumeId(id.to_owned())) } else { Err(refused("service-arguments")) }
}

fn short(text: &str) -> Result<String, Fault> {
    if text.len() <= 256 && !text.contains('\0') { Ok(text.to_owned()) } else { Err(refused("service-arguments")) }
}

async fn received(pipe: OwnedFd, most: usize) -> Result<Vec<Secret>, Fault> {
    let received = tokio::task::spawn_blocking(move || pipe::receive(&pipe.into(), most)).await;
    received.unwrap_or_else(|error| Err(Fault::new("service-gone", FaultKind::Failed).because(error)))
}

async fn secrets_of<const N: usize>(pipe: OwnedFd) -> Result<[Secret; N], Fault> {
    received(pipe, N).await?.try_into().map_err(|_| refused("service-arguments"))
}

fn json<T: Serialize>(answer: &T) -> Result<String, Fault> {
    serde_json::to_string(answer).map_err(|error| Fault::new("service-gone", FaultKind::Failed).because(error))
}

/// Tells one caller how far it is.
fn teller(emitter: SignalEmitter<'static>) -> impl FnMut(&Progress) + Send + 'static {
    let runtime = tokio::runtime::Handle::current();
    move |progress| {
        if let Ok(text) = serde_json::to_string(progress) {
            // A caller that is not there any more does not stop the work.
            let _ = runtime.block_on(Interface::progress(&emitter, &text));
        }
    }
}
