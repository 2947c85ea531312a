//! The way for the running system's own drive. The steps are those of every drive; what is behind them is asked of a
//! [`SystemDrive`], and what stands on the disk goes before what the journal says.

#[cfg(test)]
mod laptop;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use model::{Condition, Fault, FaultKind, Judged, Method, Outcome, Reason, Secret, StepId, Verdict, VolumeId};
use recovery::RecoveryKey;

use super::Inner;
use super::jobs::{EXPIRED, Job, change, far, wrong_or};
use super::state::State;
use crate::journal::{StagedRecord, SystemRecord};
use crate::system::{Ending, Phase, Standing, StartOutcome, Stick, SystemDrive, Undone};
use crate::view::{Check, Overview, Report, RescueState, Step, SystemState, Target, Typed};
use crate::{Error, Result};

/// Refusals after which a preparation is still there, and may be begun with by another try.
const STILL_THERE: [&str; 6] = [
    "service-not-allowed",
    "service-dismissed",
    "service-no-agent",
    "service-no-polkit",
    "service-not-proven",
    "service-busy",
];

/// What is known of the system's drive, and gone when the program ends.
#[derive(Default)]
pub(super) struct Now {
    pub standing: Option<Standing>,
    pub missing: Option<Fault>,
    pub sticks: Vec<Stick>,
    pub needs_password: bool,
    /// Something was done about it: it is looked at at once.
    pub changed: bool,
    /// Permission to go on with the header that was prepared. It is the service's, and ends with this program.
    pub ticket: Option<String>,
    pub conditions: Vec<Condition>,
}

/// When somebody looked for the last time.
#[derive(Default)]
pub(super) struct LastAsked(Option<Instant>);

impl LastAsked {
    /// How often the answer may have changed at this step. `None`: nothing is asked there.
    fn every(step: Step, phase: Option<Phase>) -> Option<Duration> {
        let seconds = match (step, phase) {
            (_, None) => 0,
            (Step::Drives | Step::Password | Step::Recovery | Step::Report, _) => return None,
            (Step::Check | Step::Before, _) => 10,
            (Step::Encrypt, Some(Phase::Encrypting { running: true, .. })) => 1,
            (Step::TestStart, Some(Phase::RoomStaged | Phase::Staged)) => 5,
            _ => 2,
        };
        Some(Duration::from_secs(seconds))
    }

    fn is_over(&self, every: Duration) -> bool {
        self.0.is_none_or(|at| at.elapsed() >= every)
    }
}

impl State {
    /// Whether the running system's own drive is the target.
    pub fn for_system(&self) -> bool {
        self.journal.system.is_some()
    }

    /// What is shown of it.
    pub fn system_view(&self) -> Option<SystemState> {
        let record = self.journal.system.as_ref()?;
        let now = &self.system;
        let phase = self.phase();
        Some(SystemState {
            standing: now.standing.clone(),
            missing: now.missing.clone(),
            accepted: record.accepted.clone(),
            sticks: now.sticks.clone(),
            needs_password: now.needs_password,
            can_undo: phase.is_some_and(Phase::can_be_undone) && !record.undone && self.came_to_nothing().is_none(),
            undone: record.undone,
        })
    }

    fn phase(&self) -> Option<Phase> {
        self.system.standing.as_ref().map(|standing| standing.phase)
    }

    /// What the last start came to, if it was a test that came to nothing.
    fn came_to_nothing(&self) -> Option<StartOutcome> {
        let last = self.system.standing.as_ref()?.last_start.as_ref()?;
        Some(last.outcome).filter(|outcome| outcome.came_to_nothing())
    }

    /// Why "Next" does not work on this way, where that is not as on the others.
    pub fn system_blocked(&self) -> Option<&'static str> {
        let record = self.journal.system.as_ref()?;
        let warned = |condition: &&Condition| condition.outcome == Outcome::Warn;
        let all_accepted =
            self.system.conditions.iter().filter(warned).all(|warning| record.accepted.contains(&warning.code));
        match self.journal.step {
            Step::Check if self.check.as_ref().is_none_or(|check| check.method.is_none()) => Some("blocked-check"),
            Step::Before if self.check.as_ref().is_none_or(|check| check.method.is_none()) => {
                Some("blocked-conditions")
            }
            Step::Before if !self.journal.backup_confirmed => Some("blocked-backup"),
            Step::Before if !all_accepted => Some("blocked-accept"),
            Step::TestStart if self.phase() == Some(Phase::Untouched) => None,
            Step::TestStart => Some("blocked-restart"),
            Step::Encrypt => Some("blocked-encrypt"),
            _ => None,
        }
    }

    /// What was prepared cannot be gone back behind: it is taken back.
    pub fn system_can_go_back(&self) -> bool {
        match self.journal.step {
            Step::Check | Step::Before | Step::Password | Step::Recovery => true,
            Step::TestStart => {
                matches!(self.phase(), Some(Phase::RoomStaged | Phase::Staged)) && self.came_to_nothing().is_none()
            }
            _ => false,
        }
    }

    /// Whether the way can be left for another drive: nothing is under way.
    pub fn system_may_be_left(&self) -> bool {
        matches!(self.phase(), None | Some(Phase::Untouched | Phase::Proven | Phase::Decrypted))
    }

    /// "I have read this warning", or not.
    pub fn accept(&mut self, code: String, accepted: bool) -> Result<()> {
        let record = self.journal.system.as_mut().ok_or(Error::NotNow)?;
        record.accepted.retain(|other| *other != code);
        if accepted {
            record.accepted.push(code);
        }
        Ok(())
    }

    fn system_checked(&mut self, conditions: Vec<Condition>) {
        let fails = conditions.iter().any(|condition| condition.outcome == Outcome::Fail);
        // What was accepted of another warning of the same kind may not be what it says now.
        if let Some(record) = &mut self.journal.system {
            record.accepted.retain(|code| {
                let find = |all: &[Condition]| all.iter().find(|condition| condition.code == *code).cloned();
                self.system.conditions.is_empty() || find(&conditions) == find(&self.system.conditions)
            });
        }
        self.system.conditions.clone_from(&conditions);
        self.check = Some(Check {
            conditions,
            method: (!fails).then_some(Method::Software),
            reasons: vec![Reason::new("method-system")],
            room: Reason::new("room-system"),
            able: Vec::new(),
        });
    }
}

impl Inner {
    fn system(&self) -> Result<&Arc<dyn SystemDrive>> {
        self.options.system.as_ref().ok_or(Error::NotNow)
    }

    /// The target for this path, if the running system lies there and can be asked about.
    pub(super) fn system_target(&self, state: &State, path: &Path) -> Option<Target> {
        self.options.system.as_ref()?;
        target_of(state.overview.as_ref()?, path)
    }

    /// Chooses the running system's drive. What was begun on it earlier is gone on with.
    pub(super) fn choose_system(&self, target: Target) -> Job {
        Job::new(StepId::Check, move |inner, _, _| {
            let asked = inner.ask();
            let begun = asked.as_ref().is_ok_and(|(_, standing)| standing.phase != Phase::Untouched);
            if target.judged.verdict == Verdict::Protected && !begun {
                // By somebody else: what there is to say about it is said as of every other drive.
                return inner.looked_at(target.id.0.into(), None);
            }
            let checked = match &asked {
                Ok((id, _)) if !begun => Some(inner.system()?.check(id)),
                _ => None,
            };
            let report = inner.report_if_proven(asked.as_ref().ok().map(|(_, standing)| standing), &target);
            let places = inner.engine().places(Path::new(&target.id.0));
            change(move |inner, state| {
                inner.forget_staged(state);
                let (fault, job) = (state.fault.take(), state.job.take());
                state.restart();
                (state.fault, state.job) = (fault, job);
                state.journal.target = Some(target);
                state.journal.system = Some(SystemRecord::default());
                state.places = places;
                match checked {
                    Some(Ok(conditions)) => state.system_checked(conditions),
                    Some(Err(fault)) => state.system.missing = Some(fault),
                    None => {}
                }
                match asked {
                    Ok((_, standing)) => inner.follow_standing(state, standing, report),
                    Err(fault) => state.system.missing = Some(fault),
                }
            })
        })
    }

    fn ask(&self) -> std::result::Result<(VolumeId, Standing), Fault> {
        let system = self.system().map_err(|error| model::Describe::fault(&error))?;
        let id = system.id()?;
        let standing = system.status(&id)?;
        Ok((id, standing))
    }

    /// Looks at how it stands, and at what the step needs beside that. Nothing is asked again after a refusal until
    /// the person wishes so: each question might bring up a dialog.
    pub(super) fn watch_system(&self, last: &mut LastAsked) {
        self.give_up_stale();
        let (step, turn, target, known) = {
            let state = self.state();
            let silent = !state.for_system() || state.job.is_some() || state.system.missing.is_some();
            let Some(target) = state.journal.target.clone().filter(|_| !silent) else { return };
            let Some(every) = LastAsked::every(state.journal.step, state.phase()) else { return };
            if !last.is_over(every) && !state.system.changed {
                return;
            }
            (state.journal.step, state.turn, target, state.check.is_some())
        };
        let asked = self.ask();
        let wants_check = matches!(step, Step::Check | Step::Before) || !known;
        let untouched = asked.as_ref().is_ok_and(|(_, standing)| standing.phase == Phase::Untouched);
        let checked = match (&asked, self.system()) {
            (Ok((id, _)), Ok(system)) if untouched && wants_check => Some(system.check(id)),
            _ => None,
        };
        let sticks = match self.system() {
            Ok(system) if step == Step::Rescue && asked.is_ok() => Some(system.sticks()),
            _ => None,
        };
        let report = self.report_if_proven(asked.as_ref().ok().map(|(_, standing)| standing), &target);
        *last = LastAsked(Some(Instant::now()));
        {
            let mut state = self.state();
            // Something was done meanwhile: what was seen may be older than that.
            if state.turn != turn || state.job.is_some() || !state.for_system() {
                return;
            }
            state.system.changed = false;
            let refused = checked.as_ref().and_then(|checked| checked.as_ref().err().cloned());
            let refused = refused.or(sticks.as_ref().and_then(|sticks| sticks.as_ref().err().cloned()));
            state.system.missing = asked.as_ref().err().cloned().or(refused);
            if let Some(Ok(conditions)) = checked {
                state.system_checked(conditions);
            }
            if let Some(Ok(sticks)) = sticks {
                state.system.sticks = sticks;
            }
            if let Ok((_, standing)) = asked {
                self.follow_standing(&mut state, standing, report);
            }
        }
        self.save();
        self.publish();
    }

    /// Brings the journal into line with how it stands.
    fn follow_standing(&self, state: &mut State, standing: Standing, report: Option<Report>) {
        let (phase, step) = (standing.phase, state.journal.step);
        state.system.standing = Some(standing);
        let record = state.journal.system.clone().unwrap_or_default();
        match phase {
            Phase::Untouched => self.follow_untouched(state, &record),
            Phase::RoomStaged | Phase::Staged if step < Step::Rescue => self.stand_at(state, Step::TestStart),
            Phase::RoomStaged | Phase::Staged => {}
            Phase::RoomMade => self.stand_at(state, Step::TestStart),
            Phase::Placed | Phase::Ending | Phase::ToBeProven | Phase::ToBeDecrypted | Phase::Decrypted => {
                state.progress = None;
                self.stand_at(state, Step::Encrypt);
            }
            Phase::Encrypting { done, total, running } => {
                let told = state.system.standing.as_ref().and_then(|standing| standing.progress.clone());
                let told = told.filter(|_| running).unwrap_or_else(|| far(done, total));
                state.progress = Some(model::Progress { done, total, paused: !running, ..told });
                state.journal.encrypt.bytes = total;
                state.system.needs_password &= !running;
                self.stand_at(state, Step::Encrypt);
            }
            Phase::Proven => {
                if let Some(report) = report {
                    if let Some(target) = &mut state.journal.target {
                        target.judged = report.judged.clone();
                    }
                    state.journal.report = Some(Report {
                        bytes: state.journal.encrypt.bytes,
                        key_id: state.journal.staged.as_ref().map(|staged| staged.key_id.clone()).unwrap_or_default(),
                        copies: state.journal.copies.clone(),
                        rescue: state.journal.rescue.written.clone(),
                        ..report
                    });
                    self.stand_at(state, Step::Report);
                }
            }
        }
    }

    fn follow_untouched(&self, state: &mut State, record: &SystemRecord) {
        let step = state.journal.step;
        let decrypted = state.system.standing.as_ref().and_then(|standing| standing.last_start.as_ref());
        if record.begun && decrypted.is_some_and(|last| last.outcome == StartOutcome::Decrypted) {
            self.stand_at_check(state, "notice-system-decrypted");
        } else if record.undone {
            self.stand_at_check(state, "notice-system-undone");
        } else if record.begun && state.came_to_nothing().is_some() {
            // What happened is the first thing that the person wants to know.
            state.journal.step = Step::TestStart;
            state.notice = None;
        } else if record.begun || step > Step::Recovery {
            self.stand_at_check(state, "notice-system-nothing-staged");
        } else if step > Step::Before && state.password.is_none() {
            self.forget_staged(state);
            state.journal.step = Step::Password;
            state.notice = Some(Reason::new("notice-password-again"));
        }
    }

    fn stand_at(&self, state: &mut State, step: Step) {
        if state.journal.step != step {
            // What was prepared and not begun is not what stands there.
            if state.system.ticket.is_some() {
                self.forget_staged(state);
            }
            state.journal.step = step;
            state.notice = None;
        }
        if let Some(record) = &mut state.journal.system {
            record.begun = true;
        }
    }

    fn stand_at_check(&self, state: &mut State, notice: &str) {
        self.forget_staged(state);
        if let Some(record) = &mut state.journal.system {
            (record.begun, record.undone) = (false, false);
        }
        state.journal.step = Step::Check;
        state.notice = Some(Reason::new(notice));
    }

    /// Again from the conditions on, with what was confirmed before.
    pub(super) fn try_again(&self, state: &mut State) {
        self.forget_staged(state);
        if let Some(record) = &mut state.journal.system {
            record.begun = false;
        }
        state.journal.step = Step::Check;
    }

    /// Asks after it was missing, or refused.
    pub(super) fn ask_again(&self, state: &State) -> Result<Job> {
        let target = state.journal.target.clone().filter(|_| state.for_system()).ok_or(Error::NotNow)?;
        if state.journal.step <= Step::Check {
            return Ok(self.choose_system(target));
        }
        Ok(Job::new(StepId::Check, |_, _, _| {
            change(|_, state| {
                // The next look is made at once.
                state.system.standing = None;
                state.system.missing = None;
            })
        }))
    }

    /// Has the header made, with both keyslots. It is not begun with before a copy of the key is proven.
    pub(super) fn prepare_system(&self, state: &State) -> Result<Job> {
        let password = state.password.clone().ok_or(Error::PasswordNeeded)?;
        let path = state.target_path()?;
        Ok(Job::new(StepId::DeriveKey, move |inner, _, _| {
            inner.give_up_stale();
            let system = inner.system()?;
            let key = RecoveryKey::generate().map_err(|error| Error::Below(model::Describe::fault(&error)))?;
            let prepared = system.prepare(&system.id()?, &password, &key)?;
            let places = inner.engine().places(&path);
            change(move |_, state| {
                let record = StagedRecord { uuid: prepared.uuid, key_id: key.key_id(), method: Method::Software };
                state.journal.staged = Some(record);
                state.journal.copies.clear();
                state.journal.rescue = RescueState::default();
                state.system.ticket = Some(prepared.ticket);
                state.key = Some(key);
                state.places = places;
                state.step_on();
            })
        }))
    }

    /// Opens what was prepared, wherever that is.
    pub(super) fn prove(&self, ticket: Option<&str>, secret: &Secret) -> Result<()> {
        match ticket {
            Some(ticket) => Ok(self.system()?.prove(ticket, secret)?),
            None => self.engine().prove(&self.staged, secret),
        }
    }

    /// Refuses a folder inside this computer: its drive will not open without the key that would lie on it.
    pub(super) fn must_be_a_stick(&self, target: &Target, folder: &Path) -> Result<()> {
        let places = self.engine().places(Path::new(&target.id.0));
        if !target.system || places.iter().any(|place| folder.starts_with(&place.path)) {
            return Ok(());
        }
        Err(Fault::new("wizard-folder-not-a-stick", FaultKind::Refused).with("path", folder.display()).into())
    }

    /// Has the test start staged.
    pub(super) fn begin_system(&self, state: &State) -> Result<Job> {
        // After reopening it is gone, and the step before asks for the password again.
        let ticket = state.system.ticket.clone().ok_or(Error::NotNow)?;
        Ok(Job::new(StepId::Header, move |inner, _, sink| {
            // From here on it goes on without this window, which may be killed: noted before.
            inner.note_begun(true);
            if let Err(fault) = inner.system()?.begin(&ticket, sink) {
                inner.note_begun(false);
                if STILL_THERE.contains(&&*fault.code) || EXPIRED.contains(&&*fault.code) {
                    return Err(fault.into());
                }
                // Whoever carried it out has taken everything back.
                return change(move |inner, state| {
                    inner.forget_staged(state);
                    state.journal.step = Step::Password;
                    state.fault = Some(fault);
                });
            }
            change(|_, state| {
                state.system.ticket = None;
                state.system.standing = None;
                // What the volume is opened with from now on is what the person types at the start.
                state.password = None;
                state.key = None;
                state.step_on();
            })
        }))
    }

    fn note_begun(&self, begun: bool) {
        if let Some(record) = &mut self.state().journal.system {
            record.begun = begun;
        }
        self.save();
    }

    pub(super) fn write_stick(&self, state: &State, stick: String, typed: String) -> Result<Job> {
        if !state.for_system() {
            return Err(Error::NotNow);
        }
        Ok(Job::new(StepId::Write, move |inner, _, _| {
            let system = inner.system()?;
            system.write_stick(&stick, &typed)?;
            change(move |_, state| {
                let rescue = &mut state.journal.rescue;
                (rescue.written, rescue.verified, rescue.skipped) = (Some(typed), true, false);
            })
        }))
    }

    pub(super) fn end_session(&self, state: &State, how: Ending) -> Result<Job> {
        let tidying =
            matches!(state.phase(), Some(Phase::RoomStaged | Phase::Staged)) && state.came_to_nothing().is_some();
        let sensible = match (how, state.phase().ok_or(Error::NotNow)?) {
            (Ending::Restart, Phase::RoomStaged | Phase::Staged | Phase::ToBeProven | Phase::ToBeDecrypted) => true,
            (Ending::Restart, Phase::Placed) => state.journal.system.as_ref().is_some_and(|record| record.undone),
            (Ending::PowerOff, phase) => phase == Phase::ToBeProven,
            _ => false,
        };
        if !sensible || tidying {
            return Err(Error::NotNow);
        }
        Ok(Job::new(StepId::Verify, move |inner, _, _| {
            inner.system()?.end_session(how)?;
            change(move |_, state| {
                let code = match how {
                    Ending::Restart => "notice-system-restarts",
                    Ending::PowerOff => "notice-system-goes-off",
                };
                state.notice = Some(Reason::new(code));
            })
        }))
    }

    pub(super) fn take_back(&self, state: &State) -> Result<Job> {
        if !state.phase().is_some_and(Phase::can_be_undone) {
            return Err(Error::NotNow);
        }
        let before = state.phase();
        Ok(Job::new(StepId::Verify, move |inner, _, _| {
            let system = inner.system()?;
            let undone = system.undo(&system.id()?)?;
            change(move |inner, state| {
                state.system.changed = true;
                match undone {
                    Undone::AtNextStart => {
                        if let Some(record) = &mut state.journal.system {
                            record.undone = true;
                        }
                    }
                    Undone::Now if before == Some(Phase::ToBeDecrypted) => {
                        state.notice = Some(Reason::new("notice-system-stays-encrypted"));
                    }
                    Undone::Now => {
                        state.system.standing = None;
                        inner.stand_at_check(state, "notice-system-undone");
                    }
                }
            })
        }))
    }

    pub(super) fn pause_system(&self) -> Job {
        Job::new(StepId::Verify, |inner, _, _| {
            let system = inner.system()?;
            system.pause(&system.id()?)?;
            change(|_, state| state.system.changed = true)
        })
    }

    /// Goes on. The password of this start is still there, unless nobody has typed it: then it is asked for.
    pub(super) fn resume_system(&self, typed: Option<Typed>) -> Job {
        let typed = typed.filter(|typed| !typed.expose().is_empty()).map(|typed| typed.secret());
        Job::new(StepId::DeriveKey, move |inner, _, _| {
            let system = inner.system()?;
            match system.resume(&system.id()?, typed.as_ref()) {
                Ok(()) => change(|_, state| {
                    state.wrong = 0;
                    state.system.needs_password = false;
                    state.system.changed = true;
                }),
                Err(fault) if fault.code == "boot-password-needed" => {
                    change(|_, state| state.system.needs_password = true)
                }
                Err(fault) => wrong_or(fault.into()),
            }
        })
    }

    pub(super) fn decrypt_system(&self, state: &State, typed: &Typed) -> Result<Job> {
        if state.phase() != Some(Phase::Proven) {
            return Err(Error::NotNow);
        }
        let secret = typed.secret();
        Ok(Job::new(StepId::Header, move |inner, _, _| {
            let system = inner.system()?;
            match system.decrypt(&system.id()?, &secret) {
                Ok(()) => change(|_, state| {
                    state.wrong = 0;
                    state.system.standing = None;
                    state.journal.report = None;
                    state.journal.step = Step::Encrypt;
                }),
                Err(fault) => wrong_or(fault.into()),
            }
        }))
    }

    /// The preparation is not there any more: it has waited too long for the recovery key, or the service was ended.
    pub(super) fn expired(&self, state: &mut State) {
        self.forget_staged(state);
        state.journal.step = Step::Password;
        state.notice = Some(Reason::new("notice-system-expired"));
    }

    /// Gives back what was prepared and is not wanted any more. The state is not locked meanwhile.
    fn give_up_stale(&self) {
        let _one = self.giving_up.lock().unwrap_or_else(PoisonError::into_inner);
        let stale = std::mem::take(&mut *self.stale.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(system) = &self.options.system {
            for ticket in stale {
                system.give_up(&ticket);
            }
        }
    }

    /// What can be said when a start after the end was seen. The verdict is what the drives themselves say; where that
    /// cannot be seen without rights, the service has seen it.
    fn report_if_proven(&self, standing: Option<&Standing>, target: &Target) -> Option<Report> {
        if standing?.phase != Phase::Proven {
            return None;
        }
        let seen = self.engine().survey().unwrap_or_default();
        let volume = seen.drives.into_iter().flat_map(|drive| drive.volumes).find(|volume| volume.id == target.id);
        let judged = volume.as_ref().map(|volume| volume.judged.clone());
        let judged = judged.filter(|judged| judged.verdict != Verdict::Unknown).unwrap_or_else(|| Judged {
            verdict: Verdict::Protected,
            reason: Reason::new("system-proven"),
            gets: "nothing".into(),
            next: "keep-key".into(),
        });
        let uuid = volume.as_ref().and_then(|volume| volume.uuid.clone()).unwrap_or_default();
        let cipher = volume.and_then(|mut volume| volume.facts.remove("cipher")?.value);
        Some(Report {
            judged,
            method: Method::Software,
            cipher: cipher.unwrap_or_default(),
            // Nobody has told.
            key_bits: 0,
            sector_size: 0,
            seconds: 0.0,
            bytes: 0,
            key_id: String::new(),
            copies: Vec::new(),
            rescue: None,
            uuid,
            files: None,
        })
    }
}

/// The system's volume, where this is its path or that of the drive that it lies on.
fn target_of(overview: &Overview, path: &Path) -> Option<Target> {
    let path = path.to_str()?;
    let drive = overview
        .drives
        .iter()
        .find(|drive| drive.system && (drive.path == path || drive.volumes.iter().any(|volume| volume.id.0 == path)))?;
    let volume = drive.volumes.iter().find(|volume| volume.is_root())?;
    (drive.path == path || volume.id.0 == path).then(|| Target {
        id: volume.id.clone(),
        name: drive.name.clone(),
        size: volume.size,
        content: volume.content.0.clone(),
        practice: false,
        system: true,
        judged: volume.judged.clone(),
    })
}
