//! The prompt before the system starts is the system's own there.

use model::Fault;

use crate::args::raw::Prompt;
use crate::speaker::Speaker;

/// The refusal.
pub fn run(_: &Speaker, what: &Prompt) -> Result<(), Fault> {
    match what {
        Prompt::Show { .. } | Prompt::Set(_) => Err(super::system::not_here()),
    }
}
