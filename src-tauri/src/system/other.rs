//! Windows and macOS encrypt their own drive by means of their own.

use std::sync::Arc;

use texts::Language;
use wizard::system::SystemDrive;
use wizard::view::View;

/// Nobody here may change it.
pub fn drive(_: Language) -> Option<Arc<dyn SystemDrive>> {
    None
}

/// Nothing is to be told after a start.
pub fn follow(_: &View) {}
