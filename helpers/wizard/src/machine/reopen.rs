//! Going on where it was closed. The journal says where the person was; the target itself says what
//! has been done to it, and is believed.

use std::path::PathBuf;

use model::{Describe, Method, Reason};

use super::Inner;
use super::jobs::far;
use super::state::State;
use crate::engine::{Found, HeaderFacts};
use crate::hardware::LockFacts;
use crate::view::Step;
use crate::{Error, Result};

impl State {
    pub(super) fn target_path(&self) -> Result<PathBuf> {
        self.journal.target.as_ref().map(|target| PathBuf::from(&target.id.0)).ok_or(Error::NotNow)
    }
}

impl Inner {
    /// Brings the journal into line with the target.
    pub(super) fn reconcile(&self) {
        self.reopen_native();
        let mut state = self.state();
        if state.journal.step > Step::Drives {
            state.notice = Some(Reason::new("notice-reopened"));
        }
        let Ok(path) = state.target_path() else {
            if state.journal.step > Step::Drives {
                self.start_over(&mut state);
            }
            return;
        };
        // How it stands is asked beside the window, by the first look: the answer may take a person.
        if state.journal.encrypt.finished || state.for_system() {
            return;
        }
        match self.engine().look(&path) {
            Ok(found) => self.follow(&mut state, &found, &path),
            // A conversion that was begun is waited for: plug the drive in and try again.
            Err(error) if state.journal.encrypt.begun => state.fault = Some(error.fault()),
            Err(error) => {
                self.start_over(&mut state);
                state.fault = Some(error.fault());
            }
        }
    }

    fn follow(&self, state: &mut State, found: &Found, path: &std::path::Path) {
        let ours =
            state.journal.staged.as_ref().map(|staged| staged.uuid.clone()).or(state.journal.encrypt.uuid.clone());
        if let (Some(lock), Some(staged)) = (&found.lock, state.journal.staged.clone())
            && staged.method == Method::Hardware
            && lock.id.as_ref() == Some(&staged.uuid)
        {
            return self.follow_lock(state, lock, path);
        }
        match &found.header {
            Some(header) if ours.as_ref() == Some(&header.uuid) => self.follow_header(state, header),
            // Nothing of ours is on it: it was never begun, or was undone.
            _ => self.follow_plain(state, path),
        }
    }

    /// The drive says how far its own encryption has been set up.
    fn follow_lock(&self, state: &mut State, lock: &LockFacts, path: &std::path::Path) {
        let on = lock.seen_locked || lock.locked;
        if !on && !state.journal.encrypt.begun {
            let started = lock.started && state.journal.power_off;
            self.follow_plain(state, path);
            if started && state.journal.step == Step::TestStart {
                state.journal.test_start_passed = true;
                state.journal.power_off = false;
                state.notice = Some(Reason::new("notice-test-start-passed"));
            }
            return;
        }
        state.journal.encrypt.begun = true;
        state.journal.encrypt.uuid = lock.id.clone();
        if state.journal.step <= Step::Encrypt {
            state.journal.step = Step::Encrypt;
        }
        // Seen locked at a start, and nothing is to be compared: that is the end.
        if lock.seen_locked && state.journal.practice_files.is_empty() {
            state.journal.power_off = false;
            return self.converted(state);
        }
        state.notice = Some(Reason::new("notice-interrupted"));
    }

    /// The target is as it was before. The password is gone; the staged header can give it back at the
    /// test start, if a copy of the recovery key has been proven.
    fn follow_plain(&self, state: &mut State, path: &std::path::Path) {
        state.journal.encrypt.begun = false;
        state.journal.encrypt.uuid = None;
        match self.engine().check(path, state.wish()) {
            Ok(checked) => state.checked(checked),
            Err(error) => state.fault = Some(error.fault()),
        }
        state.conditions = self.engine().before(path);
        state.places = self.engine().places(path);
        let at = state.journal.step;
        if state.plan.is_none() && at > Step::Check {
            state.journal.step = Step::Check;
        }
        let proven = state.is_staged() && self.staged.exists() && !state.journal.copies.is_empty();
        if at < Step::Recovery {
            // The password was not used yet. What was staged for an earlier look at this step is kept
            // only with a proven copy.
            if !proven {
                self.forget_staged(state);
            }
            return;
        }
        if !proven {
            self.forget_staged(state);
            state.journal.step = state.journal.step.min(Step::Password);
            state.notice = Some(Reason::new("notice-password-again"));
            return;
        }
        state.journal.test_start_passed = false;
        state.journal.step = state.journal.step.min(Step::TestStart);
        if state.journal.step > Step::Check {
            state.journal.step = Step::TestStart;
            state.notice = Some(Reason::new("notice-test-start-again"));
        }
    }
    /// The target says how far the conversion is.
    fn follow_header(&self, state: &mut State, header: &HeaderFacts) {
        state.journal.encrypt.begun = true;
        state.journal.encrypt.uuid = Some(header.uuid.clone());
        if state.journal.step <= Step::Encrypt {
            state.journal.step = Step::Encrypt;
        }
        match header.converting {
            Some(converting) => {
                state.journal.encrypt.bytes = converting.total;
                state.progress = Some(far(converting.done, converting.total));
                state.notice = Some(Reason::new("notice-interrupted"));
            }
            // It ended, and was broken off before the files had been compared: the password is asked for
            // once more, and they are.
            None if !state.journal.practice_files.is_empty() && state.journal.step == Step::Encrypt => {
                state.notice = Some(Reason::new("notice-interrupted"));
            }
            None => self.converted(state),
        }
    }
}
