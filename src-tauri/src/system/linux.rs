//! The running system's own drive: asked of the privileged service over D-Bus.

#[path = "autostart.rs"]
mod autostart;

use std::sync::Arc;

use texts::Language;
use wizard::system::SystemDrive;

pub use autostart::follow;

/// Who may change it. `language` is that of the rescue stick.
pub fn drive(language: Language) -> Option<Arc<dyn SystemDrive>> {
    Some(Arc::new(service::Desktop::new(language)))
}
