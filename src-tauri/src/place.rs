//! Where the wizard keeps its journal, and which computer it shows.

use std::env;
use std::path::PathBuf;

pub use wizard::place::state_dir;

/// In a test build the first page can show a recorded computer: drives cannot be plugged in from a test.
pub fn recorded_computer() -> Option<PathBuf> {
    if cfg!(debug_assertions) { folder("LATCHKEY_RECORDED_COMPUTER") } else { None }
}

fn folder(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}
