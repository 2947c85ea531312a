//! Serving until nobody needs it any more.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use zbus::fdo::DBusProxy;

use crate::desk::Desk;
use crate::interface::Interface;
use crate::{System, names};

/// How it serves.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// It ends when for so long there was no call and nothing under way.
    pub idle: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { idle: Duration::from_secs(60) }
    }
}

/// Takes up unfinished work, then serves on the bus until it has been idle for long enough.
///
/// # Errors
/// The bus cannot be reached, or somebody else has the name.
pub async fn serve(
    builder: zbus::connection::Builder<'_>,
    system: Arc<dyn System>,
    options: Options,
) -> zbus::Result<()> {
    let desk = Desk::new(Arc::clone(&system));
    let connection = builder.serve_at(names::PATH, Interface(Arc::clone(&desk))).name(names::BUS).build().await?;
    let bus = DBusProxy::new(&connection).await?;
    let mut changes = bus.receive_name_owner_changed().await?;
    let staging = desk.staging.clone();
    let watch = tokio::spawn(async move {
        while let Some(change) = changes.next().await {
            if let Ok(change) = change.args()
                && change.new_owner().is_none()
            {
                staging.left(change.name());
            }
        }
    });
    // What was killed goes on, whoever has woken us.
    let _ = tokio::task::spawn_blocking(move || system.take_up()).await;
    loop {
        let left = desk.idle_since().map_or(options.idle, |since| options.idle.saturating_sub(since.elapsed()));
        if left.is_zero() {
            break;
        }
        tokio::time::sleep(left.min(Duration::from_secs(1))).await;
    }
    // A call that comes in from now on starts the next one; one that came in just now is answered.
    connection.release_name(names::BUS).await?;
    tokio::time::sleep(Duration::from_millis(200)).await;
    while desk.idle_since().is_none() {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    watch.abort();
    Ok(())
}
