//! Sleep and shutdown wait while something must not be cut off: not because it would be lost, but because the person
//! would have to begin again, or the next start would have to mend something.

use std::os::fd::OwnedFd;

use zbus::proxy;

#[proxy(
    interface = "org.freedesktop.login1.Manager",
    default_service = "org.freedesktop.login1",
    default_path = "/org/freedesktop/login1"
)]
trait Login {
    fn inhibit(&self, what: &str, who: &str, why: &str, mode: &str) -> zbus::Result<zbus::OwnedFd>;
}

/// As long as it lives, the computer does not go to sleep and is not switched off by its menu.
#[derive(Debug)]
pub struct Inhibited(Option<OwnedFd>);

impl Inhibited {
    /// Asks logind. `why` is shown to whoever wants to switch the computer off. Where there is no logind, nothing is
    /// held up, and all goes on as well.
    pub async fn ask(connection: &zbus::Connection, why: &str) -> Self {
        let held =
            async { LoginProxy::new(connection).await?.inhibit("sleep:shutdown", "Latchkey", why, "block").await };
        Self(held.await.ok().map(OwnedFd::from))
    }

    /// The same for a program that has no bus open.
    pub fn now(why: &str) -> Self {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return Self(None) };
        runtime.block_on(async {
            match zbus::Connection::system().await {
                Ok(connection) => Self::ask(&connection, why).await,
                Err(_) => Self(None),
            }
        })
    }

    /// Whether it is held up indeed.
    pub fn holds(&self) -> bool {
        self.0.is_some()
    }
}
