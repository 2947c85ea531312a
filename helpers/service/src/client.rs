//! The other side: what the window and `latchkey` do without rights.

use std::io::IsTerminal;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

use boot::verbs::{Status, Undone};
use futures_util::StreamExt;
use model::{Condition, Fault, FaultKind, Secret, Sink, VolumeId};
use recovery::RecoveryKey;
use serde::de::DeserializeOwned;
use tokio::runtime::Runtime;
use wizard::engine::Seen;
use wizard::operations::KdfWish;
use zbus::{Connection, proxy};

use crate::{NamedStick, Reading, System, Trial, Wish, pipe};

#[proxy(
    interface = "io.github.latchkey.Service1",
    default_service = "io.github.latchkey.Service1",
    default_path = "/io/github/latchkey/Service1"
)]
trait Service {
    #[zbus(allow_interactive_auth)]
    fn drives(&self) -> zbus::Result<String>;
    #[zbus(allow_interactive_auth)]
    fn system(&self) -> zbus::Result<String>;
    #[zbus(allow_interactive_auth)]
    fn check(&self, id: &str) -> zbus::Result<String>;
    #[zbus(allow_interactive_auth)]
    fn status(&self, id: &str) -> zbus::Result<String>;
    #[zbus(allow_interactive_auth)]
    fn stage(&self, id: &str, unlock_ms: u32, secrets: zbus::OwnedFd) -> zbus::Result<(String, String)>;
    #[zbus(allow_interactive_auth)]
    fn prove(&self, ticket: &str, secret: zbus::OwnedFd) -> zbus::Result<()>;
    #[zbus(allow_interactive_auth)]
    fn begin(&self, ticket: &str) -> zbus::Result<()>;
    fn give_up(&self, ticket: &str) -> zbus::Result<()>;
    #[zbus(signal)]
    fn progress(&self, progress: &str) -> zbus::Result<()>;
    #[zbus(allow_interactive_auth)]
    fn pause(&self, id: &str) -> zbus::Result<()>;
    #[zbus(allow_interactive_auth)]
    fn resume(&self, id: &str, secret: zbus::OwnedFd) -> zbus::Result<()>;
    #[zbus(allow_interactive_auth)]
    fn undo(&self, id: &str) -> zbus::Result<String>;
    #[zbus(allow_interactive_auth)]
    fn decrypt(&self, id: &str, secret: zbus::OwnedFd) -> zbus::Result<()>;
    #[zbus(allow_interactive_auth)]
    fn sticks(&self) -> zbus::Result<String>;
    #[zbus(allow_interactive_auth)]
    fn write_stick(&self, stick: &str, typed: &str, language: &str) -> zbus::Result<()>;
    #[zbus(allow_interactive_auth)]
    fn benchmark(&self, disk: &str) -> zbus::Result<String>;
}

#[proxy(
    interface = "org.freedesktop.login1.Manager",
    default_service = "org.freedesktop.login1",
    default_path = "/org/freedesktop/login1"
)]
trait Login {
    #[zbus(allow_interactive_auth)]
    fn reboot(&self, interactive: bool) -> zbus::Result<()>;
    #[zbus(allow_interactive_auth)]
    fn power_off(&self, interactive: bool) -> zbus::Result<()>;
}

/// The service, over the system bus.
pub struct Remote {
    runtime: Runtime,
    service: ServiceProxy<'static>,
    /// Asks for the administrator's password in the terminal, where no desktop does.
    agent: Option<Child>,
}

impl Remote {
    /// Finds the service. systemd starts it with the first call.
    ///
    /// # Errors
    /// `service-not-there`.
    pub fn connect() -> Result<Self, Fault> {
        let mut remote = Self::over(zbus::connection::Builder::system())?;
        remote.agent = text_agent();
        Ok(remote)
    }

    /// The same over any bus.
    ///
    /// # Errors
    /// `service-not-there`.
    pub fn over(builder: zbus::connection::Builder<'_>) -> Result<Self, Fault> {
        let not_there =
            |error: &dyn std::fmt::Display| Fault::new("service-not-there", FaultKind::Refused).because(error);
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).enable_all().build().map_err(|error| not_there(&error))?;
        let service = runtime.block_on(async {
            let connection = builder.build().await?;
            if !is_there(&connection).await? {
                return Err(zbus::Error::InterfaceNotFound);
            }
            wake(&connection).await?;
            ServiceProxy::new(&connection).await
        });
        let service = service.map_err(|error| not_there(&error))?;
        Ok(Self { runtime, service, agent: None })
    }

    /// Has the header made. Returns the ticket for the rest of the way, and the header's UUID.
    ///
    /// # Errors
    /// Those of [`System::stage`].
    pub fn prepare(
        &self,
        id: &VolumeId,
        password: &Secret,
        key: &RecoveryKey,
        unlock_ms: u32,
    ) -> Result<(String, String), Fault> {
        let key = Secret::new(key.text().as_bytes().to_vec());
        self.call(self.service.stage(&id.0, unlock_ms, piped(&[password, &key])?))
    }

    /// Holds a copy of the recovery key, as it was read back, against the header.
    ///
    /// # Errors
    /// `service-other-key`, `service-no-such-ticket`, `luks-wrong-secret`.
    pub fn prove(&self, ticket: &str, secret: &Secret) -> Result<(), Fault> {
        self.call(self.service.prove(ticket, piped(&[secret])?))
    }

    /// Goes on to the end of the staging.
    ///
    /// # Errors
    /// `service-not-proven`, `service-no-such-ticket`; those of [`System::stage`].
    pub fn begin(&self, ticket: &str, sink: &mut dyn Sink) -> Result<(), Fault> {
        let mut told = self.call(self.service.receive_progress())?;
        self.call(async {
            let begun = self.service.begin(ticket);
            tokio::pin!(begun);
            loop {
                tokio::select! {
                    // What was told before the end is heard before it.
                    biased;
                    Some(signal) = told.next() => {
                        let progress = signal.args().ok().and_then(|args| read::<model::Progress>(args.progress()).ok());
                        if let Some(progress) = progress {
                            sink.report(&progress);
                        }
                    }
                    done = &mut begun => return done,
                }
            }
        })
    }

    /// Has everything taken back that was prepared.
    ///
    /// # Errors
    /// `service-no-such-ticket`.
    pub fn give_up(&self, ticket: &str) -> Result<(), Fault> {
        self.call(self.service.give_up(ticket))
    }

    /// Ends the session by logind, which asks the person where it has to: other users may be there, or something that
    /// must not be cut off.
    ///
    /// # Errors
    /// logind's own.
    pub(crate) fn leave(&self, restart: bool) -> zbus::Result<()> {
        self.runtime.block_on(async {
            let login = LoginProxy::new(self.service.inner().connection()).await?;
            if restart { login.reboot(true).await } else { login.power_off(true).await }
        })
    }

    fn call<T>(&self, call: impl Future<Output = zbus::Result<T>>) -> Result<T, Fault> {
        self.runtime.block_on(call).map_err(fault)
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        if let Some(agent) = &mut self.agent {
            let _ = agent.kill();
            let _ = agent.wait();
        }
    }
}

/// Whether it runs, or would be started by a call.
async fn is_there(connection: &Connection) -> zbus::Result<bool> {
    let bus = zbus::fdo::DBusProxy::new(connection).await?;
    let has = |names: Vec<zbus::names::OwnedBusName>| names.iter().any(|name| name.as_str() == crate::names::BUS);
    Ok(has(bus.list_activatable_names().await?) || has(bus.list_names().await?))
}

/// Has the bus start it. On a computer that is busy to the last it may take longer than the bus waits for it; what goes
/// wrong otherwise is said by the first call.
async fn wake(connection: &Connection) -> zbus::Result<()> {
    const TRIES: usize = 3;
    let bus = zbus::fdo::DBusProxy::new(connection).await?;
    for _ in 0..TRIES {
        let name = zbus::names::WellKnownName::from_static_str_unchecked(crate::names::BUS);
        if !matches!(bus.start_service_by_name(name, 0).await, Err(zbus::fdo::Error::TimedOut(_))) {
            break;
        }
    }
    Ok(())
}

/// polkit's own agent for terminals. Where the desktop has one, that one is asked.
fn text_agent() -> Option<Child> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return None;
    }
    let own = std::process::id().to_string();
    let (mut ready, told) = std::io::pipe().ok()?;
    // The one file that it is to have from us.
    rustix::io::fcntl_setfd(&told, rustix::io::FdFlags::empty()).ok()?;
    let number = std::os::fd::AsRawFd::as_raw_fd(&told).to_string();
    let mut command = Command::new("/usr/bin/pkttyagent");
    command.args(["--process", &own, "--notify-fd", &number, "--fallback"]).stdout(Stdio::null());
    let agent = command.spawn().ok()?;
    drop(told);
    // It closes its end when it listens, or when it gives up.
    let _ = std::io::Read::read(&mut ready, &mut [0; 1]);
    Some(agent)
}

fn fault(error: zbus::Error) -> Fault {
    if let zbus::Error::MethodError(name, Some(text), _) = &error
        && name.as_str() == crate::names::FAULT
        && let Ok(fault) = serde_json::from_str(text)
    {
        return fault;
    }
    Fault::new("service-gone", FaultKind::Failed).because(error)
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|error| Fault::new("service-gone", FaultKind::Failed).because(error))
}

fn piped(secrets: &[&Secret]) -> Result<zbus::OwnedFd, Fault> {
    let pipe: OwnedFd = pipe::send(secrets)?;
    Ok(pipe.into())
}

/// The time of a key derivation, as it goes over the bus: the service makes no others.
pub(crate) fn milliseconds(kdf: KdfWish) -> Result<u32, Fault> {
    match kdf {
        KdfWish::Calibrated(time) => Ok(u32::try_from(time.as_millis()).unwrap_or(u32::MAX)),
        _ => Err(Fault::new("service-arguments", FaultKind::Usage)),
    }
}

struct RemoteTrial<'a> {
    remote: &'a Remote,
    ticket: &'a str,
}

impl Trial for RemoteTrial<'_> {
    fn opens(&mut self, secret: &Secret) -> Result<(), Fault> {
        self.remote.prove(self.ticket, secret)
    }
}

impl System for Remote {
    fn drives(&self) -> Result<Seen, Fault> {
        read(&self.call(self.service.drives())?)
    }

    fn id(&self) -> Result<VolumeId, Fault> {
        self.call(self.service.system()).map(VolumeId)
    }

    fn check(&self, id: &VolumeId) -> Result<Vec<Condition>, Fault> {
        read(&self.call(self.service.check(&id.0))?)
    }

    fn status(&self, id: &VolumeId) -> Result<Status, Fault> {
        read(&self.call(self.service.status(&id.0))?)
    }

    fn stage(
        &self,
        id: &VolumeId,
        wish: &Wish,
        export: &mut dyn FnMut(&str, &mut dyn Trial) -> Result<(), Fault>,
        sink: &mut dyn Sink,
    ) -> Result<(), Fault> {
        let time = milliseconds(wish.kdf)?;
        let (ticket, uuid) = self.prepare(id, &wish.password, &wish.key, time)?;
        if let Err(fault) = export(&uuid, &mut RemoteTrial { remote: self, ticket: &ticket }) {
            // The cause is what the person is shown.
            let _ = self.give_up(&ticket);
            return Err(fault);
        }
        let begun = self.begin(&ticket, sink);
        if begun.as_ref().is_err_and(|fault| fault.code == "service-not-proven") {
            let _ = self.give_up(&ticket);
        }
        begun
    }

    fn pause(&self, id: &VolumeId) -> Result<(), Fault> {
        self.call(self.service.pause(&id.0))
    }

    fn resume(&self, id: &VolumeId, secret: Option<&Secret>) -> Result<(), Fault> {
        let secrets: Vec<&Secret> = secret.into_iter().collect();
        self.call(self.service.resume(&id.0, piped(&secrets)?))
    }

    fn undo(&self, id: &VolumeId) -> Result<Undone, Fault> {
        read(&self.call(self.service.undo(&id.0))?)
    }

    fn decrypt(&self, id: &VolumeId, secret: &Secret) -> Result<(), Fault> {
        self.call(self.service.decrypt(&id.0, piped(&[secret])?))
    }

    fn sticks(&self) -> Result<Vec<NamedStick>, Fault> {
        read(&self.call(self.service.sticks())?)
    }

    fn write_stick(&self, id: &str, typed: &str, language: &str) -> Result<(), Fault> {
        self.call(self.service.write_stick(id, typed, language))
    }

    fn benchmark(&self, disk: &str) -> Result<Reading, Fault> {
        read(&self.call(self.service.benchmark(disk))?)
    }

    /// The service does so by itself when it starts.
    fn take_up(&self) -> Result<bool, Fault> {
        Ok(false)
    }
}
