use super::state::State;
use crate::journal;

/// A journal as a file holds it, shown at its step and at the ones beside it, and written again; `None` if
/// it cannot be read. For the fuzzer, which has no engine.
pub fn reread(bytes: &[u8]) -> Option<Vec<u8>> {
    let journal = journal::parse(bytes).ok()?;
    let written = journal.to_bytes();
    let mut state = State::new(journal);
    let _ = (state.view(), state.may_begin());
    let _ = state.go_back();
    let _ = state.view();
    state.step_on();
    state.step_on();
    let _ = state.view();
    Some(written)
}
