//! Systems on which nobody is asked yet.

use std::process::Command;

pub(super) fn command() -> Option<Command> {
    None
}
